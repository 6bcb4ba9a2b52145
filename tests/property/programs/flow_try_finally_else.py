import sys

import numpy as np

def f(a, bad):
    log = []
    try:
        log.append("try")
        a = np.sqrt(a)
        if bad:
            raise KeyError("bad")
    except KeyError as error:
        log.append(str(error))
        a = a * -1.0
    else:
        a = a + 100.0
    finally:
        log.append("finally")
        a = np.cos(a)
    return a, log


for flag in (False, True):
    print(f(np.arange(3.0), flag)[1])
np.savez(sys.argv[1], f(np.arange(3.0), False)[0], f(np.arange(3.0), True)[0])

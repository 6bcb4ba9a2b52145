import json
import sys

import numpy as np


def same(a, b):
    return np.array_equal(np.sort(a), np.sort(b))


def close(a, b):
    d = np.abs(a - b)
    return {"close": np.allclose(a, b), "max": float(d.max())}


if __name__ == "__main__":
    f = {"same": same, "close": close}
    x = np.arange(4.0)
    print(f["same"](x, x[::-1]) is True, isinstance(f["same"](x, x), bool))
    try:
        print(json.dumps(f["close"](x, x)))
    except TypeError as e:
        print(e)
    np.savez(sys.argv[1], x=x)

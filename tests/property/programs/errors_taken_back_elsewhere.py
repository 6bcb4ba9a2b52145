import numpy as np
from contextlib import suppress as ignoring, ExitStack
import contextlib
class Quiet(contextlib.suppress):
    pass
class Base:
    def __enter__(self): return self
    def __exit__(self, t, v, tb): return t is not None
class Sub(Base):
    pass
def quiet():
    return contextlib.suppress(IndexError)
def t1(b, k):
    x = b * 2
    with ignoring(IndexError):
        x = b[k]
    return x
def t2(b, k):
    x = b * 2
    with Quiet(IndexError):
        x = b[k]
    return x
def t3(b, k):
    x = b * 2
    with Sub():
        x = b[k]
    return x
def t4(b, k):
    x = b * 2
    with quiet():
        x = b[k]
    return x
def t5(b, k):
    x = b * 2
    g = contextlib.suppress(IndexError)
    with g:
        x = b[k]
    return x
def t6(b, k):
    x = b * 2
    with ExitStack() as s:
        s.enter_context(contextlib.suppress(IndexError))
        x = b[k]
    return x
def t7(b, k):
    x = b * 2
    with contextlib.nullcontext(), contextlib.suppress(IndexError):
        x = b[k]
    return x
def f(b, k):
    x = b * 2
    try:
        x = b[k]
    finally:
        return x
def f2(b, k):
    x = b * 2
    for i in range(3):
        try:
            x = pick(b, k)
        finally:
            if i < 2:
                continue
            break
    return x
def pick(b, k):
    return b[k] + 1
def main():
    b = np.sqrt(np.linspace(0.0, 1.0, 3000)) * 2 + 1
    k = np.arange(4) * 1000
    print(t1(b, k).sum(), t2(b, k).sum(), t3(b, k).sum(), t4(b, k).sum(), t5(b, k).sum(), t6(b, k).sum(), t7(b, k).sum())
    print(f(b, k).sum(), f2(b, k).sum())
main()

import sys
from fractions import Fraction
from decimal import Decimal
import numpy as np


def harmonic(n):
    a = np.array([Fraction(1, k) for k in range(1, n)])
    return a.sum()


def money(xs):
    a = np.array([Decimal(str(x)) for x in xs])
    return str((a * 2).sum())


def facts(n):
    out = np.ones(n, dtype=object)
    for i in range(1, n):
        out[i] = out[i - 1] * i
    return out


def powers(xs):
    s = 0
    for x in xs:
        s += int(x) ** 20
    return s


def scaled(xs):
    t = 0
    for x in xs:
        t += int(x) * 10**18
    return t


def total(xs):
    return int(np.sum(xs)) * 10**30


def ranks(xs):
    return np.asarray(xs, dtype="O") ** 3


def names(xs):
    return np.char.upper(np.array(xs))


def big(n):
    return np.array([2**70, n]) + 1


def modpow(xs, m):
    out = []
    for x in xs:
        out.append(pow(int(x), 65537, m))
    return out


def fib(n):
    m = np.array([[1, 1], [1, 0]], dtype=object)
    r = np.linalg.matrix_power(m, n) if n > 0 else m
    return r[0, 1]


def dates(n):
    return np.datetime64("2020-01-01") + np.arange(n)


def main(path):
    xs = np.arange(1, 60) * 37 % 101
    h = harmonic(30)
    np.savez(
        path,
        h=str(h),
        money=money([1.1, 2.2]),
        f=np.array([str(v) for v in facts(40)]),
        p=str(powers(xs)),
        s=str(scaled(xs)),
        t=str(total(xs)),
        r=ranks(xs).astype(float),
        n=names(["a", "bc"]),
        b=np.array([str(v) for v in big(3)]),
        m=np.array([str(v) for v in modpow(xs, 10**24 + 7)]),
        fib=str(fib(200)),
        d=dates(3).astype(str),
    )


if __name__ == "__main__":
    main(sys.argv[1])

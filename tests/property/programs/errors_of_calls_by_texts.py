import operator
import numpy as np


class Steps:
    def first(self, x, i):
        y = np.sqrt(x) * 2 + np.cos(x)
        return (np.sin(y) + np.exp(-y) * x)[i + np.arange(3)]

    def second(self, x, i):
        return self.first(x * 2, i) * 2


def attempt(s, name, x, i):
    try:
        return operator.methodcaller(name, x, i)(s)
    except IndexError:
        return "out"


def each(s, x, i):
    out = []
    for name in ("first", "second"):
        f = getattr(s, name)
        try:
            out.append(f(x, i).sum().round(5))
        except IndexError:
            out.append("out")
    return out


def main():
    s, x = Steps(), np.linspace(0, 3, 400)
    for i in (3, 900):
        print(attempt(s, "first", x, i), each(s, x, i))


main()

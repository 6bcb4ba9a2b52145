import numpy as np


def chosen(flag):
    if flag:
        def f(x):
            return np.exp(x)
    else:
        def f(x):
            return np.log1p(x)
    return f(np.linspace(0, 1, 4))


def main():
    print(chosen(True), chosen(False))


main()

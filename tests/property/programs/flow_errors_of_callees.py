import numpy as np


def chol(a):
    return np.linalg.cholesky(a @ a.T - np.eye(len(a)))


def gram(a):
    return chol(a) + 1


def lookup(t, idx):
    return t[idx] * 2.0


def main():
    a = np.array([[0.1, 0.2], [0.3, 0.1]])
    try:
        print(gram(a))
    except np.linalg.LinAlgError as e:
        print("not positive", e)
    try:
        print(lookup(np.linspace(0, 1, 5), np.array([1, 9])))
    except IndexError:
        print("index")
    with np.errstate(divide="raise"):
        try:
            print(inv(np.zeros(2)))
        except FloatingPointError:
            print("fp")


def inv(x):
    return np.sqrt(1 / x)


main()

"""Summaries by functions of NumPy: handed on, kept in tables, chosen at run time."""
import numpy as np


def windows(x, width, reduce=np.mean):
    n = len(x) // width
    return reduce(x[: n * width].reshape(n, width), axis=1)


def summarise(x, reducers):
    return {name: f(x) for name, f in reducers.items()}


def bootstrap(x, statistic, draws, rng):
    out = np.empty(draws)
    for k in range(draws):
        out[k] = statistic(x[rng.integers(0, len(x), len(x))])
    return out


def main():
    rng = np.random.default_rng(2)
    x = np.sin(np.linspace(0.0, 20.0, 4000)) + 1.5
    table = summarise(x, {"mean": np.mean, "top": np.max, "norm": np.linalg.norm})
    for name, value in table.items():
        print(name, f"{value:.8f}")
    print(f"{windows(x, 40).sum():.6f} {windows(x, 40, np.max).sum():.6f}")
    print(f"{bootstrap(x, np.median, 20, rng).mean():.6f}")
    norm = lambda v: np.linalg.norm(v, ord=1)
    print(f"{norm(x):.6f}")
    print(sorted(["b", "a"]), f"{max([1.0, 2.0], key=np.cos):.1f}")


main()

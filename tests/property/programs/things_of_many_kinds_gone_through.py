import numpy as np

def filtered(x, fs):
    return np.percentile(x, 5) * fs

def total(x):
    return np.exp(x).sum()

def main():
    x = np.sin(np.arange(512) / 100.0)
    y = np.cos(x)
    for f, args in [(filtered, (x, 100.0)), (total, (y,))]:
        print(f.__name__, f"{f(*args):.5f}")
    for name, thing in [("a", x), ("b", [y, 2]), ("c", None)]:
        print(name, np.sum(thing[0]) if thing is not None else "-")
    jobs = {"one": (np.sum, (x,)), "two": (np.dot, (x, y))}
    for key, (g, args) in jobs.items():
        print(key, round(float(g(*args)), 6))

main()

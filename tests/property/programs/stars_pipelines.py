import numpy as np


def compose(*fs):
    def run(x):
        for f in fs:
            x = f(x)
        return x

    return run


def scale(k):
    return lambda x: k * x


def clip(x):
    return np.clip(x, -1.0, 1.0)


def pipeline(x, *steps, **options):
    for step in steps:
        x = step(x)
    if options.get("center", False):
        x = x - x.mean()
    return x


def combine(first, *others, weight=1.0):
    total = first.copy()
    for o in others:
        total += weight * o
    return total


def main():
    x = np.sin(np.linspace(0.0, 30.0, 10000))
    f = compose(scale(1.5), clip, np.tanh)
    y = f(x)
    z = pipeline(y, np.abs, np.sqrt, clip, center=True)
    w = combine(x, y, z, weight=0.25)
    print(f"{y.sum():.8f} {z.sum():.8f} {w.sum():.8f} {w.std():.8f}")


if __name__ == "__main__":
    main()

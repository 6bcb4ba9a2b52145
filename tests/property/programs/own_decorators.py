import functools
import time
import numpy as np

CALLS = {}
REGISTRY = {}


def timed(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        start = time.perf_counter()
        try:
            return func(*args, **kwargs)
        finally:
            CALLS[func.__name__] = CALLS.get(func.__name__, 0) + (time.perf_counter() >= start)
    return wrapper


def register(name):
    def keep(func):
        REGISTRY[name] = func
        return func
    return keep


def checked(func):
    def wrapper(x, *args):
        out = func(x, *args)
        print("shape", np.shape(out), "finite", bool(np.all(np.isfinite(out))))
        return out
    return wrapper


@register("gauss")
def gauss(x, s=1.0):
    return np.exp(-0.5 * (x / s) ** 2) / (s * np.sqrt(2 * np.pi))


@register("cauchy")
def cauchy(x, s=1.0):
    return 1.0 / (np.pi * s * (1 + (x / s) ** 2))


@checked
def normalise(x, lo, hi):
    y = (x - x.min()) / (x.max() - x.min())
    return lo + (hi - lo) * y


class Wave:
    def __init__(self, n):
        self.u = np.sin(np.linspace(0, np.pi, n))
        self.v = np.zeros(n)

    @timed
    def step(self, dt):
        lap = np.zeros_like(self.u)
        lap[1:-1] = self.u[2:] - 2 * self.u[1:-1] + self.u[:-2]
        self.v += dt * lap
        self.u += dt * self.v

    @property
    @timed
    def energy(self):
        return float(np.sum(self.v ** 2) + np.sum(np.diff(self.u) ** 2))


@timed
def smooth(x, n):
    for _ in range(n):
        x = 0.25 * np.roll(x, 1) + 0.5 * x + 0.25 * np.roll(x, -1)
    return x


def main():
    x = np.linspace(-3.0, 3.0, 50_000)
    for name in sorted(REGISTRY):
        print(name, f"{np.trapezoid(REGISTRY[name](x, s=0.5), x):.8f}")
    z = normalise(x, 0.0, 2.0)
    print(z[:2], z[-1])
    print(f"{smooth(x, 30)[:3].sum():.8f} {smooth(gauss(x), n=5).max():.8f}")
    wave = Wave(2000)
    for _ in range(50):
        wave.step(0.1)
    print(f"{wave.energy:.10f}")
    print(sorted(CALLS.items()), smooth.__name__)


if __name__ == "__main__":
    main()

import numpy as np


def smoothstep(t, lo=0.0, hi=1.0):
    t = np.clip((t - lo) / (hi - lo), 0, 1)
    return t * t * (3 - 2 * t)


def lerp(a, b, t):
    return a + (b - a) * t


def gauss(x, mu=0.0, sigma=1.0, norm=True):
    g = np.exp(-0.5 * ((x - mu) / sigma) ** 2)
    if norm:
        g /= sigma * np.sqrt(2 * np.pi)
    return g


def integrate(f, a, b, n=20):
    x = np.linspace(a, b, n + 1)
    y = f(x)
    return (b - a) / n * (y[0] / 2 + y[1:-1].sum() + y[-1] / 2)


def ensure(x):
    x = np.atleast_1d(x).astype(float)
    return x[0] if x.size == 1 else x


def scalar_or_array(x):
    scalar = np.isscalar(x)
    x = np.asarray(x)
    r = np.where(x > 0, x**2, -x)
    return float(r) if scalar else r


def polar(z):
    return np.abs(z), np.angle(z)


def maybe(x=None, y=None):
    if x is None:
        x = np.zeros(2)
    y = y if y is not None else np.ones_like(x)
    return x + y


xs = np.linspace(-1, 2, 5)
for arg in (0.3, xs, 1, np.float32(0.5), np.array(0.25), xs.reshape(1, 5), [0.1, 0.2]):
    try:
        print(
            type(arg).__name__,
            repr(smoothstep(arg)),
            repr(lerp(0, arg, 0.5)),
            repr(scalar_or_array(arg)),
            repr(ensure(arg)),
        )
    except TypeError as e:
        print("TE", e)
print(
    repr(gauss(0.0)),
    gauss(xs, sigma=2),
    gauss(xs, mu=xs, norm=False),
    gauss(0.0, np.array([1.0, 2.0]), np.array([1.0, 0.5])),
    repr(integrate(np.sin, 0, np.pi)),
    integrate(lambda t: gauss(t, 1), -5, 5).round(6),
    polar(1j),
    polar(xs[:2] * 1j),
    maybe(),
    maybe(1.0),
    maybe(xs, 2),
    maybe(y=3),
)

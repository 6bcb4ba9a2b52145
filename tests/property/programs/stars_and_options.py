import numpy as np


def integrate(rhs, y, t0, t1, steps, method="rk2", *args, hook=None, **kw):
    h = (t1 - t0) / steps
    t = t0
    for i in range(steps):
        if method == "rk2":
            k = rhs(t, y, *args, **kw)
            y = y + h * rhs(t + h / 2, y + h / 2 * k, *args, **kw)
        else:
            y = y + h * rhs(t, y, *args, **kw)
        t = t + h
        if hook is not None:
            hook(t, y)
    return y


def heat(t, u, alpha, source, *, boundary=0.0):
    d = np.empty_like(u)
    d[1:-1] = alpha * (u[2:] - 2.0 * u[1:-1] + u[:-2]) + source[1:-1]
    d[0] = boundary
    d[-1] = boundary
    return d


def main():
    n = 20000
    x = np.linspace(0.0, 1.0, n)
    source = np.exp(-((x - 0.5) ** 2) * 100.0)
    seen = []
    u = integrate(heat, np.zeros(n), 0.0, 1.0, 40, "rk2", 0.2, source, hook=lambda t, y: seen.append(y.max()), boundary=0.1)
    v = integrate(heat, np.zeros(n), 0.0, 1.0, 40, "euler", 0.2, source)
    print(f"{u.sum():.6f} {v.sum():.6f} {len(seen)} {seen[-1]:.8f}")
    source[:] = 0.0
    print(f"{source.sum()}")


main()

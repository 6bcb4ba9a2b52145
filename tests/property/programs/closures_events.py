"""Events of an ODE, found by functions of main."""
import numpy as np


def solve_ivp(f, y0, t_end, dt, events=()):
    t, y = 0.0, y0
    found = [[] for _ in events]
    before = [e(t, y) for e in events]
    ts, ys = [t], [y]
    while t < t_end:
        y = y + dt * f(t, y)
        t += dt
        for k, e in enumerate(events):
            now = e(t, y)
            if before[k] * now < 0:
                found[k].append(t)
            before[k] = now
        ts.append(t)
        ys.append(y)
    return np.array(ts), np.array(ys), found


def main():
    n = 64
    k = np.linspace(1.0, 2.0, n)

    def pendulum(t, y):
        q, p = y[:n], y[n:]
        return np.concatenate([p, -k * np.sin(q)])

    def crossing(t, y):
        return y[:n].mean()

    y0 = np.concatenate([np.full(n, 0.5), np.zeros(n)])
    ts, ys, found = solve_ivp(pendulum, y0, 3.0, 0.01, events=[crossing, lambda t, y: y[n:].mean()])
    print(ts.shape, ys.shape, f"{ys.sum():.6f}", [[round(v, 4) for v in one] for one in found])


main()

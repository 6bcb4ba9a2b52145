"""Numbers that begin as Python's and become NumPy's, handed out beside arrays of an instance."""

import numpy as np


class March:
    def __init__(self, n):
        self.x = np.linspace(0.0, 1.0, n)
        self.h = self.x[1] - self.x[0]
        self.u = np.sin(self.x)
        self.t = 0.0
        self.count = 0

    def step(self):
        dt = 0.4 * self.h / max(float(np.max(np.abs(self.u))), 1e-3)
        self.u = np.cos(self.u) * dt + np.roll(self.u, 1)
        self.t += dt
        self.count += 1

    def both(self):
        return self.t, self.u

    def nested(self):
        return (self.count, (self.t, self.u[2:]))

    def by_name(self):
        return {"t": self.t, "u": self.u}

    def run(self, steps):
        yield self.t, self.u
        for _ in range(steps):
            self.step()
            yield self.t, self.u


class Log:
    def __init__(self):
        self.times, self.fields = [], []

    def push(self, t, u):
        self.times.append(t)
        self.fields.append(u.copy())


if __name__ == "__main__":
    march, log = March(40), Log()
    t, u = march.both()
    print(type(t).__name__, type(march.both()[0]).__name__, u[3])
    for t, u in march.run(12):
        log.push(t, u)
    print([type(t).__name__ for t in log.times[:3]], log.times[-1])
    count, (t, u) = march.nested()
    u[0] = -1.0
    print(count, type(t).__name__, march.u[2], sum(f.sum() for f in log.fields))
    held = march.by_name()
    print(type(held["t"]).__name__, held["t"] == t, held["u"] is march.u, held["u"].sum())
    t += 1.0
    print(march.t < t, march.both()[1] is march.u)

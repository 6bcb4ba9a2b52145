"""Dicts of settings that others are written into, by name and as a whole."""

import numpy as np

DEFAULTS = {"tol": 1e-9, "most": 40, "x0": None, "scale": np.ones(200)}


def solve(a, b, **options):
    opts = dict(DEFAULTS)
    opts.update(options)
    x = np.zeros_like(b) if opts["x0"] is None else opts["x0"].copy()
    for _ in range(opts["most"]):
        r = b - a @ x
        x = x + 0.3 * r * opts["scale"]
    return {"x": x, "left": float(np.abs(b - a @ x).max())}


class Sim:
    def __init__(self, n):
        self.state = {"u": np.zeros(n), "t": 0.0, "label": "start"}

    def step(self, dt):
        u = self.state["u"]
        self.state.update(u=np.sin(u) * dt + 1.0, t=self.state["t"] + dt)

    def restart(self, u):
        self.state.update({"u": u, "label": "again"})


def main():
    n = 200
    a = 2.1 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1)
    b = np.ones(n)
    first = solve(a, b)
    second = solve(a, b, x0=first["x"], most=100)
    print(first["left"], second["left"], second["x"][:3])
    s = Sim(300)
    for _ in range(10):
        s.step(0.1)
    print(s.state["u"].sum(), round(s.state["t"], 3), s.state["label"])
    s.restart(np.linspace(0, 1, 300))
    s.step(0.2)
    print(s.state["u"].sum(), s.state["label"])


main()

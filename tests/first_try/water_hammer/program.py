"""Water hammer in a branched penstock system, solved with the method of characteristics.

A reservoir feeds a main that splits twice; the branches end in two turbine valves, a dead end
and a side tank. Friction is quasi-steady with a relaxation-type unsteady correction.
"""
from __future__ import annotations

import sys
from dataclasses import dataclass, field

import numpy as np

G = 9.80665

PIPES = """
# name   length  diam   wave   friction  from  to
main     1800.0  1.60   1180.0  0.0160   R     J1
east      640.0  1.10   1210.0  0.0172   J1    V1
west      720.0  1.00   1205.0  0.0175   J1    J2
stub      260.0  0.55   1250.0  0.0190   J2    D
spur      480.0  0.80   1220.0  0.0181   J2    V2
"""


@dataclass
class Pipe:
    name: str
    length: float
    diam: float
    wave: float
    friction: float
    start: str
    end: str
    H: np.ndarray = field(default=None, repr=False)
    Q: np.ndarray = field(default=None, repr=False)
    qdot: np.ndarray = field(default=None, repr=False)
    hmax: np.ndarray = field(default=None, repr=False)
    hmin: np.ndarray = field(default=None, repr=False)

    @property
    def area(self) -> float:
        return 0.25 * np.pi * self.diam**2

    def discretise(self, dt: float) -> None:
        self.n = max(2, int(round(self.length / (self.wave * dt))))
        self.wave = self.length / (self.n * dt)
        self.dx = self.length / self.n
        self.B = self.wave / (G * self.area)
        self.R = self.friction * self.dx / (2 * G * self.diam * self.area**2)

    def steady(self, head: float, flow: float) -> float:
        """Fill in the steady state and return the head at the far end."""
        drop = self.R * flow * abs(flow)
        self.H = head - drop * np.arange(self.n + 1)
        self.Q = np.full(self.n + 1, flow)
        self.qdot = np.zeros(self.n + 1)
        self.hmax = self.H.copy()
        self.hmin = self.H.copy()
        return head - drop * self.n

    def characteristics(self, relax: float) -> tuple[np.ndarray, np.ndarray]:
        """C+ arriving at nodes 1..n, C- arriving at nodes 0..n-1."""
        ql, qr = self.Q[:-1], self.Q[1:]
        cp = self.H[:-1] + self.B * ql - self.R * ql * np.abs(ql) - relax * self.B * self.qdot[:-1]
        cm = self.H[1:] - self.B * qr + self.R * qr * np.abs(qr) + relax * self.B * self.qdot[1:]
        return cp, cm

    def interior(self, cp: np.ndarray, cm: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        h, q = np.empty_like(self.H), np.empty_like(self.Q)
        h[1:-1] = 0.5 * (cp[:-1] + cm[1:])
        q[1:-1] = (cp[:-1] - cm[1:]) / (2 * self.B)
        return h, q

    def accept(self, h: np.ndarray, q: np.ndarray, decay: float) -> None:
        self.qdot = decay * self.qdot + (q - self.Q)
        self.H, self.Q = h, q
        np.maximum(self.hmax, h, out=self.hmax)
        np.minimum(self.hmin, h, out=self.hmin)


def parse(text: str) -> dict[str, Pipe]:
    pipes = {}
    for line in text.splitlines():
        if not line.strip() or line.startswith("#"):
            continue
        name, *numbers, start, end = line.split()
        pipes[name] = Pipe(name, *map(float, numbers), start, end)
    return pipes


class Network:
    def __init__(self, pipes: dict[str, Pipe], dt: float, head: float, flows: dict[str, float]):
        self.pipes, self.dt, self.head = pipes, dt, head
        self.into: dict[str, list[Pipe]] = {}
        self.out: dict[str, list[Pipe]] = {}
        for p in pipes.values():
            p.discretise(dt)
            self.into.setdefault(p.end, []).append(p)
            self.out.setdefault(p.start, []).append(p)
        self.flows = flows
        self.valve_head: dict[str, float] = {}
        self._initial("R", head)

    def _initial(self, node: str, head: float) -> None:
        for p in self.out.get(node, []):
            far = p.steady(head, self.flows[p.name])
            if p.end.startswith("V"):
                self.valve_head[p.end] = far
            self._initial(p.end, far)

    def boundary(self, node: str, new: dict, char: dict, tau: float) -> None:
        """Head and flow at a node from the characteristics that reach it."""
        into, out = self.into.get(node, []), self.out.get(node, [])
        if node == "R":
            for p in out:
                cm = char[p.name][1][0]
                new[p.name][0][0] = self.head
                new[p.name][1][0] = (self.head - cm) / p.B
        elif node.startswith("J"):
            weight = sum(1.0 / p.B for p in into + out)
            total = sum(char[p.name][0][-1] / p.B for p in into) + sum(char[p.name][1][0] / p.B for p in out)
            h = total / weight
            for p in into:
                new[p.name][0][-1] = h
                new[p.name][1][-1] = (char[p.name][0][-1] - h) / p.B
            for p in out:
                new[p.name][0][0] = h
                new[p.name][1][0] = (h - char[p.name][1][0]) / p.B
        elif node.startswith("V"):
            p = into[0]
            cp = char[p.name][0][-1]
            cv = 0.5 * (self.flows[p.name] * tau) ** 2 / self.valve_head[node]
            q = -p.B * cv + np.sqrt((p.B * cv) ** 2 + 2 * cv * np.maximum(cp, 0.0))
            new[p.name][1][-1] = q
            new[p.name][0][-1] = cp - p.B * q
        else:
            p = into[0]
            new[p.name][0][-1] = char[p.name][0][-1]
            new[p.name][1][-1] = 0.0

    def step(self, tau: dict[str, float], relax: float = 0.04, decay: float = 0.9) -> None:
        char = {n: p.characteristics(relax) for n, p in self.pipes.items()}
        new = {n: p.interior(*char[n]) for n, p in self.pipes.items()}
        for node in sorted(set(self.into) | set(self.out)):
            self.boundary(node, new, char, tau.get(node, 1.0))
        for n, p in self.pipes.items():
            p.accept(*new[n], decay)


def closure(t: float, start: float, duration: float, rest: float) -> float:
    s = min(max((t - start) / duration, 0.0), 1.0)
    return 1.0 - (1.0 - rest) * s**1.5


def energy(net: Network, rho: float = 998.0) -> np.ndarray:
    """Kinetic and elastic energy stored in each pipe (MJ)."""
    out = np.zeros((len(net.pipes), 2))
    for i, p in enumerate(net.pipes.values()):
        kinetic = 0.5 * rho * p.dx * np.sum((p.Q / p.area) ** 2) * p.area
        elastic = 0.5 * rho * G**2 * p.area * p.dx * np.sum((p.H - net.head) ** 2) / p.wave**2
        out[i] = kinetic / 1e6, elastic / 1e6
    return out


def dominant_period(signal: np.ndarray, dt: float) -> float:
    x = (signal - signal.mean()) * np.hanning(len(signal))
    spec = np.abs(np.fft.rfft(x, 4 * len(x))) ** 2
    k = 1 + np.argmax(spec[1:])
    return 4 * len(x) * dt / k


def main() -> None:
    flows = {"main": 3.1, "east": 1.7, "west": 1.4, "stub": 0.0, "spur": 1.4}
    dt, steps = 0.004, 1500
    net = Network(parse(PIPES), dt, 310.0, flows)
    gauges = {"east": -1, "stub": -1, "spur": -1, "main": -1}
    trace = np.zeros((steps, len(gauges)))
    stored = []
    for k in range(steps):
        t = (k + 1) * dt
        net.step({"V1": closure(t, 0.3, 2.0, 0.0), "V2": closure(t, 0.9, 3.0, 0.2)})
        for j, (name, node) in enumerate(gauges.items()):
            trace[k, j] = net.pipes[name].H[node]
        if (k + 1) % 100 == 0:
            stored.append(energy(net))
    stored = np.array(stored)
    for j, name in enumerate(gauges):
        print(f"{name:5s} gauge: peak {trace[:, j].max():.2f} m, lowest {trace[:, j].min():.2f} m")
    print(f"period at the dead end {dominant_period(trace[500:, 1], dt):.3f} s")
    print(f"stored energy at the end {stored[-1].sum():.4f} MJ")
    np.savez(sys.argv[1], trace=trace, stored=stored,
             hmax=np.concatenate([p.hmax for p in net.pipes.values()]),
             hmin=np.concatenate([p.hmin for p in net.pipes.values()]),
             flow=np.concatenate([p.Q for p in net.pipes.values()]))


if __name__ == "__main__":
    main()

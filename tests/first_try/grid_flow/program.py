"""Load flow of a meshed transmission grid.

Newton-Raphson AC solution, Gauss-Seidel for comparison, DC screening of all
single outages, and a distribution feeder hanging off the last bus.
"""
import sys
from dataclasses import dataclass

import numpy as np


@dataclass
class Case:
    buses: int
    f: np.ndarray
    t: np.ndarray
    r: np.ndarray
    x: np.ndarray
    b: np.ndarray
    p: np.ndarray
    q: np.ndarray
    pv: np.ndarray
    v_set: np.ndarray


def build_case(side, rng):
    """Buses on a square grid with lines to the right and below, two generators a row."""
    n = side * side
    f, t = [], []
    for i in range(side):
        for j in range(side):
            if j + 1 < side:
                f.append(i * side + j)
                t.append(i * side + j + 1)
            if i + 1 < side:
                f.append(i * side + j)
                t.append((i + 1) * side + j)
    m = len(f)
    x = rng.uniform(0.04, 0.09, m)
    p = -rng.uniform(0.05, 0.25, n)
    q = 0.3 * p
    pv = np.arange(n) % 4 == 1
    p[pv] += -p.sum() / pv.sum()
    v_set = np.where(pv, 1.0 + 0.02 * rng.random(n), 1.0)
    v_set[0] = 1.02
    return Case(n, np.array(f), np.array(t), 0.12 * x, x, rng.uniform(0.01, 0.03, m), p, q, pv, v_set)


def admittance(case):
    """Bus admittance matrix, line by line."""
    y = np.zeros((case.buses, case.buses), dtype=complex)
    for k in range(len(case.f)):
        i, j = case.f[k], case.t[k]
        series = 1.0 / complex(case.r[k], case.x[k])
        shunt = 0.5j * case.b[k]
        y[i, i] += series + shunt
        y[j, j] += series + shunt
        y[i, j] -= series
        y[j, i] -= series
    return y


class Newton:
    def __init__(self, case, ybus):
        self.case = case
        self.y = ybus
        slack = np.zeros(case.buses, dtype=bool)
        slack[0] = True
        self.angle_buses = np.flatnonzero(~slack)
        self.volt_buses = np.flatnonzero(~slack & ~case.pv)
        self.va = np.zeros(case.buses)
        self.vm = case.v_set.copy()
        self.log = []

    def voltage(self):
        return self.vm * np.exp(1j * self.va)

    def mismatch(self):
        v = self.voltage()
        s = v * np.conj(self.y @ v) - (self.case.p + 1j * self.case.q)
        return np.concatenate([s.real[self.angle_buses], s.imag[self.volt_buses]])

    def jacobian(self):
        v = self.voltage()
        current = self.y @ v
        unit = v / self.vm
        ds_da = 1j * v[:, None] * np.conj(np.diag(current) - self.y * v[None, :])
        ds_dv = v[:, None] * np.conj(self.y * unit[None, :]) + np.diag(np.conj(current) * unit)
        a, b = self.angle_buses, self.volt_buses
        return np.block([
            [ds_da.real[np.ix_(a, a)], ds_dv.real[np.ix_(a, b)]],
            [ds_da.imag[np.ix_(b, a)], ds_dv.imag[np.ix_(b, b)]],
        ])

    def solve(self, tol=1e-10, limit=15):
        for _ in range(limit):
            miss = self.mismatch()
            worst = np.abs(miss).max()
            self.log.append(worst)
            if worst < tol:
                return True
            step = np.linalg.solve(self.jacobian(), -miss)
            na = len(self.angle_buses)
            self.va[self.angle_buses] += step[:na]
            self.vm[self.volt_buses] += step[na:]
        return False


def gauss_seidel(case, y, v, sweeps):
    """Bus after bus, with the voltages already renewed in this sweep."""
    n = case.buses
    for _ in range(sweeps):
        for i in range(1, n):
            if case.pv[i]:
                q = -(np.conj(v[i]) * (y[i] @ v)).imag
            else:
                q = case.q[i]
            rest = y[i] @ v - y[i, i] * v[i]
            new = ((case.p[i] - 1j * q) / np.conj(v[i]) - rest) / y[i, i]
            if case.pv[i]:
                new *= case.v_set[i] / abs(new)
            v[i] = new
    return v


def outages(case, watch):
    """DC angles with each line in turn taken out; worst flow of every outage."""
    n, m = case.buses, len(case.f)
    incidence = np.zeros((m, n))
    incidence[np.arange(m), case.f] = 1.0
    incidence[np.arange(m), case.t] = -1.0
    weight = 1.0 / case.x
    laplacian = incidence.T @ (weight[:, None] * incidence)
    angles = np.zeros((len(watch), n))
    for w, k in enumerate(watch):
        reduced = laplacian - weight[k] * np.outer(incidence[k], incidence[k])
        angles[w, 1:] = np.linalg.solve(reduced[1:, 1:], case.p[1:])
    flows = (angles[:, case.f] - angles[:, case.t]) * weight
    flows[np.arange(len(watch)), watch] = 0.0
    return angles, np.abs(flows).max(axis=1), np.abs(flows).argmax(axis=1)


def line_flows(case, v):
    series = 1.0 / (case.r + 1j * case.x)
    i_from = (v[case.f] - v[case.t]) * series + 0.5j * case.b * v[case.f]
    i_to = (v[case.t] - v[case.f]) * series + 0.5j * case.b * v[case.t]
    return v[case.f] * np.conj(i_from), v[case.t] * np.conj(i_to)


def feeder(parent, z, load, v0, rounds):
    """Backward and forward sweep on a radial feeder; parents come before children."""
    n = len(parent)
    v = np.full(n, v0, dtype=complex)
    for _ in range(rounds):
        current = np.conj(load / v)
        for k in range(n - 1, 0, -1):
            current[parent[k]] += current[k]
        for k in range(1, n):
            v[k] = v[parent[k]] - z[k] * current[k]
    return v


def main(path):
    rng = np.random.default_rng(1973)
    case = build_case(11, rng)
    y = admittance(case)
    newton = Newton(case, y)
    done = newton.solve()
    v = newton.voltage()
    s_from, s_to = line_flows(case, v)
    losses = (s_from + s_to).real

    seidel = gauss_seidel(case, y, case.v_set.astype(complex), 8)
    watch = np.arange(0, len(case.f), 3)
    angles, worst, where = outages(case, watch)

    n = 120
    parent = np.concatenate([[0], rng.integers(0, np.arange(1, n))])
    z = rng.uniform(0.5e-3, 2e-3, n) * (1.0 + 1.4j)
    load = rng.uniform(0.005, 0.02, n) * (1.0 + 0.35j)
    tail = feeder(parent, z, load, abs(v[-1]), 6)

    np.savez(path, va=newton.va, vm=newton.vm, s_from=s_from, s_to=s_to, seidel=seidel,
             angles=angles, worst=worst, where=where, tail=tail)
    print(f"converged {done} in {len(newton.log) - 1} steps")
    print(f"losses {losses.sum():.6f} p.u., lowest voltage {newton.vm.min():.6f}")
    print(f"worst outage: line {watch[worst.argmax()]}, flow {worst.max():.6f} on line {where[worst.argmax()]}")
    print(f"end of the feeder {np.abs(tail).min():.6f}")


if __name__ == "__main__":
    main(sys.argv[1])

#!/usr/bin/env python
"""Newton-Raphson AC power flow of a synthetic meshed grid, with DC contingency screening."""
import sys

import numpy as np

SLACK, PV, PQ = 0, 1, 2


def build_grid(n, seed):
    """Ring plus chords; returns dictionaries of bus and branch arrays in per unit."""
    r = np.random.default_rng(seed)
    ring_f = np.arange(n)
    ring_t = (ring_f + 1) % n
    chord_f = r.choice(n, n // 2, replace=False)
    chord_t = (chord_f + r.integers(5, n // 3, n // 2)) % n
    f = np.concatenate([ring_f, chord_f])
    t = np.concatenate([ring_t, chord_t])
    m = len(f)
    x = r.uniform(0.02, 0.06, m)
    branch = {
        "f": f,
        "t": t,
        "z": x * r.uniform(0.15, 0.3, m) + 1j * x,
        "b": r.uniform(0.002, 0.01, m),
        "tap": np.where(r.random(m) < 0.1, r.uniform(0.97, 1.03, m), 1.0),
        "rating": r.uniform(0.5, 1.1, m),
    }
    kind = np.full(n, PQ)
    kind[::6] = PV
    kind[0] = SLACK
    load = r.uniform(0.02, 0.12, n)
    gen = np.where(kind == PV, r.uniform(0.2, 0.45, n), 0.0)
    bus = {
        "kind": kind,
        "p": gen - load,
        "q": np.where(kind == PQ, -load * r.uniform(0.2, 0.4, n), 0.0),
        "v": np.where(kind == PQ, 1.0, r.uniform(1.0, 1.03, n)),
        "shunt": 1j * np.where(r.random(n) < 0.08, 0.05, 0.0),
        "name": [f"BUS{i:03d}" for i in range(n)],
    }
    return bus, branch


def admittance(bus, branch):
    n = len(bus["p"])
    y = 1.0 / branch["z"]
    half = 0.5j * branch["b"]
    tap = branch["tap"]
    ybus = np.zeros((n, n), dtype=complex)
    np.add.at(ybus, (branch["f"], branch["f"]), (y + half) / tap**2)
    np.add.at(ybus, (branch["t"], branch["t"]), y + half)
    np.add.at(ybus, (branch["f"], branch["t"]), -y / tap)
    np.add.at(ybus, (branch["t"], branch["f"]), -y / tap)
    idx = np.arange(n)
    ybus[idx, idx] += bus["shunt"]
    return ybus


def gauss_seidel_start(bus, ybus, sweeps):
    """A few Gauss-Seidel sweeps over the buses for a starting voltage."""
    n = len(bus["p"])
    v = bus["v"].astype(complex)
    s = bus["p"] + 1j * bus["q"]
    for _ in range(sweeps):
        for i in range(n):
            if bus["kind"][i] == SLACK:
                continue
            row = ybus[i] @ v
            q = s[i].imag
            if bus["kind"][i] == PV:
                q = -(np.conj(v[i]) * row).imag
            rest = row - ybus[i, i] * v[i]
            new = ((s[i].real - 1j * q) / np.conj(v[i]) - rest) / ybus[i, i]
            if bus["kind"][i] == PV:
                new *= bus["v"][i] / abs(new)
            v[i] = new
    return v


def make_newton(bus, ybus):
    """Returns a function (angle, magnitude) -> solution; index sets are prepared once."""
    kind = bus["kind"]
    pvpq = np.flatnonzero(kind != SLACK)
    pq = np.flatnonzero(kind == PQ)
    npvpq = len(pvpq)
    target = bus["p"] + 1j * bus["q"]

    def mismatch(v):
        s = v * np.conj(ybus @ v) - target
        return np.concatenate([s.real[pvpq], s.imag[pq]])

    def jacobian(v):
        current = ybus @ v
        unit = v / np.abs(v)
        ds_da = 1j * v[:, None] * np.conj(np.diag(current) - ybus * v[None, :])
        ds_dm = v[:, None] * np.conj(ybus * unit[None, :]) + np.diag(np.conj(current) * unit)
        top = np.hstack([ds_da.real[np.ix_(pvpq, pvpq)], ds_dm.real[np.ix_(pvpq, pq)]])
        low = np.hstack([ds_da.imag[np.ix_(pq, pvpq)], ds_dm.imag[np.ix_(pq, pq)]])
        return np.vstack([top, low])

    def solve(angle, magnitude, tol=1e-8, limit=12):
        trace = []
        for _ in range(limit):
            v = magnitude * np.exp(1j * angle)
            f = mismatch(v)
            worst = float(np.max(np.abs(f)))
            trace.append(worst)
            if worst < tol:
                break
            step = np.linalg.solve(jacobian(v), -f)
            angle[pvpq] += step[:npvpq]
            magnitude[pq] += step[npvpq:]
        return magnitude * np.exp(1j * angle), trace

    return solve


def branch_flows(v, branch):
    vf = v[branch["f"]] / branch["tap"]
    vt = v[branch["t"]]
    series = (vf - vt) / branch["z"]
    half = 0.5j * branch["b"]
    sf = vf * np.conj(series + half * vf)
    st = vt * np.conj(-series + half * vt)
    loading = np.maximum(np.abs(sf), np.abs(st)) / branch["rating"]
    return sf, st, loading


def contingency_angles(bus, branch, outages):
    """DC power flow for each single outage: the reduced B matrix loses one branch at a time."""
    n = len(bus["p"])
    sus = 1.0 / branch["z"].imag
    bmat = np.zeros((n, n))
    np.add.at(bmat, (branch["f"], branch["f"]), sus)
    np.add.at(bmat, (branch["t"], branch["t"]), sus)
    np.add.at(bmat, (branch["f"], branch["t"]), -sus)
    np.add.at(bmat, (branch["t"], branch["f"]), -sus)
    angles = np.zeros((len(outages), n))
    for k, line in enumerate(outages):
        i, j = branch["f"][line], branch["t"][line]
        b = bmat.copy()
        b[i, i] -= sus[line]
        b[j, j] -= sus[line]
        b[i, j] += sus[line]
        b[j, i] += sus[line]
        angles[k, 1:] = np.linalg.solve(b[1:, 1:], bus["p"][1:])
    flows = (angles[:, branch["f"]] - angles[:, branch["t"]]) * sus
    flows[np.arange(len(outages)), outages] = 0.0
    return angles, flows


def severity(flows, rating):
    """Overload index and the worst branch for every outage."""
    index = np.zeros(len(flows))
    worst = np.zeros(len(flows), dtype=np.int64)
    for k in range(flows.shape[0]):
        top = -1.0
        for m in range(flows.shape[1]):
            load = abs(flows[k, m]) / rating[m]
            if load > 0.6:
                index[k] += (load - 0.6) ** 2
            if load > top:
                top = load
                worst[k] = m
    return index, worst


def report(bus, v, count=4):
    order = np.argsort(np.abs(v))
    lines = []
    for i in order[:count]:
        lines.append(f"  {bus['name'][int(i)]}  |V| = {abs(v[i]):.5f}  angle = {np.degrees(np.angle(v[i])):9.4f}")
    return "\n".join(lines)


def main(path):
    bus, branch = build_grid(64, seed=57)
    ybus = admittance(bus, branch)
    v0 = gauss_seidel_start(bus, ybus, sweeps=4)
    solve = make_newton(bus, ybus)
    v, trace = solve(np.angle(v0), np.abs(v0))
    injection = v * np.conj(ybus @ v)
    sf, st, loading = branch_flows(v, branch)
    losses = (sf + st).real.sum()
    outages = np.arange(0, 96, 3)
    angles, flows = contingency_angles(bus, branch, outages)
    index, worst = severity(flows, branch["rating"])
    print(f"iterations {len(trace) - 1}, slack injection {injection[0].real:.6f}")
    print(f"losses {losses:.6f}, highest loading {loading.max():.4f}")
    print(f"worst outage {outages[index.argmax()]}, index {index.max():.5f}")
    print(report(bus, v))
    np.savez(path, v=v, injection=injection, sf=sf, st=st, loading=loading, angles=angles, flows=flows,
             index=index, worst=worst, first_mismatch=np.array(trace[:2]))


if __name__ == "__main__":
    main(sys.argv[1])

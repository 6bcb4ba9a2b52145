# AC load flow of the IEEE 14-bus system: Newton-Raphson in polar coordinates for a Monte-Carlo set of
# load and wind scenarios, line loadings, losses, voltage violations and N-1 screening by DC factors.
import sys
from collections import defaultdict, deque

import numpy as np

# bus  type(3 slack, 2 pv, 1 pq)  Pd    Qd     Pg    V      shunt
BUSES = """
 1 3   0.0   0.0   0.0 1.060  0
 2 2  21.7  12.7  40.0 1.045  0
 3 2  94.2  19.0   0.0 1.010  0
 4 1  47.8  -3.9   0.0 1.000  0
 5 1   7.6   1.6   0.0 1.000  0
 6 2  11.2   7.5   0.0 1.070  0
 7 1   0.0   0.0   0.0 1.000  0
 8 2   0.0   0.0   0.0 1.090  0
 9 1  29.5  16.6   0.0 1.000 19
10 1   9.0   5.8   0.0 1.000  0
11 1   3.5   1.8   0.0 1.000  0
12 1   6.1   1.6   0.0 1.000  0
13 1  13.5   5.8   0.0 1.000  0
14 1  14.9   5.0   0.0 1.000  0
"""

# from to  r        x        b      tap
BRANCHES = """
 1  2 0.01938 0.05917 0.0528 0      |  1  5 0.05403 0.22304 0.0492 0
 2  3 0.04699 0.19797 0.0438 0      |  2  4 0.05811 0.17632 0.0340 0
 2  5 0.05695 0.17388 0.0346 0      |  3  4 0.06701 0.17103 0.0128 0
 4  5 0.01335 0.04211 0      0      |  4  7 0       0.20912 0      0.978
 4  9 0       0.55618 0      0.969  |  5  6 0       0.25202 0      0.932
 6 11 0.09498 0.19890 0      0      |  6 12 0.12291 0.25581 0      0
 6 13 0.06615 0.13027 0      0      |  7  8 0       0.17615 0      0
 7  9 0       0.11001 0      0      |  9 10 0.03181 0.08450 0      0
 9 14 0.12711 0.27038 0      0      | 10 11 0.08205 0.19207 0      0
12 13 0.22092 0.19988 0      0      | 13 14 0.17093 0.34802 0      0
"""

BASE = 100.0
SCENARIOS = 2000
WIND = {9: 25.0, 13: 15.0, 4: 30.0}


def table(text):
    return np.array([[float(w) for w in row.split()] for line in text.strip().splitlines()
                     for row in line.split("|")])


def admittance(buses, branches):
    """Bus admittance matrix, and branch admittances (ff, ft, tf, tt) with their end indices."""
    n = len(buses)
    f, t = branches[:, 0].astype(int) - 1, branches[:, 1].astype(int) - 1
    y = 1.0 / (branches[:, 2] + 1j * branches[:, 3])
    tap = np.where(branches[:, 5] > 0, branches[:, 5], 1.0)
    ytt = y + 0.5j * branches[:, 4]
    yff, yft, ytf = ytt / tap**2, -y / tap, -y / tap
    ybus = np.zeros((n, n), dtype=complex)
    np.add.at(ybus, (f, f), yff)
    np.add.at(ybus, (t, t), ytt)
    np.add.at(ybus, (f, t), yft)
    np.add.at(ybus, (t, f), ytf)
    ybus[np.arange(n), np.arange(n)] += 1j * buses[:, 6] / BASE
    return ybus, (f, t, yff, yft, ytf, ytt)


def islands(branches, n, out=None):
    """Number of connected components without branch `out`, by breadth-first search."""
    near = defaultdict(list)
    for k, (a, b) in enumerate(branches[:, :2].astype(int).tolist()):
        if k != out:
            near[a].append(b)
            near[b].append(a)
    seen, count = set(), 0
    for root in range(1, n + 1):
        if root in seen:
            continue
        count += 1
        queue = deque([root])
        while queue:
            node = queue.popleft()
            if node in seen:
                continue
            seen.add(node)
            queue.extend(near[node])
    return count


def draw_scenarios(buses, rng):
    """Net injections in per unit: correlated loads with a common factor, wind by a Weibull speed."""
    common = rng.normal(1.0, 0.12, (SCENARIOS, 1))
    local = rng.normal(1.0, 0.08, (SCENARIOS, len(buses)))
    scale = np.clip(common * local, 0.4, 1.5)
    p = (buses[:, 4] - buses[:, 2] * scale) / BASE
    q = -buses[:, 3] * scale / BASE
    speed = 9.0 * rng.weibull(2.0, SCENARIOS)
    share = np.clip((speed**3 - 27.0) / (12.0**3 - 27.0), 0.0, 1.0)
    share[speed > 25.0] = 0.0
    for bus, rating in WIND.items():
        p[:, bus - 1] += rating * share / BASE
    return p, q, share


def newton(ybus, p, q, v0, pv, pq, tol=1e-10, limit=12):
    """One scenario; complex voltages and the number of iterations."""
    va = np.zeros(len(v0))
    vm = v0.copy()
    free = np.concatenate([pv, pq])
    for iteration in range(limit):
        v = vm * np.exp(1j * va)
        current = ybus @ v
        s = v * current.conj()
        mismatch = np.concatenate([(s.real - p)[free], (s.imag - q)[pq]])
        if np.abs(mismatch).max() < tol:
            break
        unit = v / np.abs(v)
        ds_dvm = v[:, None] * (ybus * unit[None, :]).conj() + np.diag(current.conj() * unit)
        ds_dva = 1j * v[:, None] * (np.diag(current) - ybus * v[None, :]).conj()
        jac = np.block([[ds_dva.real[np.ix_(free, free)], ds_dvm.real[np.ix_(free, pq)]],
                        [ds_dva.imag[np.ix_(pq, free)], ds_dvm.imag[np.ix_(pq, pq)]]])
        step = np.linalg.solve(jac, -mismatch)
        va[free] += step[:len(free)]
        vm[pq] += step[len(free):]
    return vm * np.exp(1j * va), iteration


def solve_all(ybus, p, q, v0, pv, pq):
    volts = np.zeros(p.shape, dtype=complex)
    rounds = np.zeros(len(p), dtype=int)
    for k in range(len(p)):
        volts[k], rounds[k] = newton(ybus, p[k], q[k], v0, pv, pq)
    return volts, rounds


def branch_flows(volts, ends):
    """Apparent power at both ends of every branch, for all scenarios."""
    f, t, yff, yft, ytf, ytt = ends
    vf, vt = volts[:, f], volts[:, t]
    sf = vf * (yff * vf + yft * vt).conj()
    st = vt * (ytf * vf + ytt * vt).conj()
    return BASE * sf, BASE * st


def distribution_factors(branches, n):
    """DC power transfer (branch x bus) and line outage factors."""
    m = len(branches)
    inc = np.zeros((m, n))
    inc[np.arange(m), branches[:, 0].astype(int) - 1] = 1.0
    inc[np.arange(m), branches[:, 1].astype(int) - 1] = -1.0
    b = inc / branches[:, 3:4]
    reduced = (inc.T @ b)[1:, 1:]
    ptdf = np.zeros((m, n))
    ptdf[:, 1:] = np.linalg.solve(reduced, b[:, 1:].T).T
    h = ptdf @ inc.T
    radial = np.array([islands(branches, n, k) > 1 for k in range(m)])
    lodf = h / np.where(radial, 1.0, 1.0 - np.diag(h))
    lodf[:, radial] = 0.0
    np.fill_diagonal(lodf, -1.0)
    return ptdf, lodf, radial


def screen(flows, lodf, radial, limit):
    """Worst post-outage loading per scenario and how often every outage overloads some line."""
    secure = ~radial
    worst = np.zeros(len(flows))
    count = np.zeros(lodf.shape[1], dtype=np.int64)
    for out in np.nonzero(secure)[0]:
        after = flows + flows[:, out:out + 1] * lodf[:, out]
        loading = (np.abs(after) / limit).max(axis=1)
        worst = np.maximum(worst, loading)
        count[out] = (loading > 1.0).sum()
    return worst, count


def main():
    buses, branches = table(BUSES), table(BRANCHES)
    kind = buses[:, 1].astype(int)
    pv, pq = np.nonzero(kind == 2)[0], np.nonzero(kind == 1)[0]
    ybus, ends = admittance(buses, branches)
    p, q, share = draw_scenarios(buses, np.random.default_rng(14))
    volts, rounds = solve_all(ybus, p, q, buses[:, 5], pv, pq)
    sf, st = branch_flows(volts, ends)
    losses = (sf + st).real.sum(axis=1)
    vm = np.abs(volts)
    limit = 1.6 * np.quantile(np.abs(sf), 0.95, axis=0) + 40.0
    ptdf, lodf, radial = distribution_factors(branches, len(buses))
    worst, count = screen(sf.real, lodf, radial, limit)
    print(f"{SCENARIOS} scenarios, at most {rounds.max()} iterations, mean wind share {share.mean():.4f}")
    print(f"losses {losses.mean():.3f} MW (95 % below {np.quantile(losses, 0.95):.3f}), "
          f"lowest voltage {vm.min():.4f} at bus {vm.min(axis=0).argmin() + 1}")
    print(f"worst N-1 loading {worst.max():.3f}, insecure {100 * (worst > 1).mean():.2f} %")
    for k in np.argsort(-count, kind="stable")[:3].tolist():
        print(f"  outage {branches[k, 0]:.0f}-{branches[k, 1]:.0f}: {count[k]} overloads")
    np.savez(sys.argv[1], vm=vm, losses=losses, flows=sf.real, worst=worst, ptdf=ptdf, count=count)


if __name__ == "__main__":
    main()

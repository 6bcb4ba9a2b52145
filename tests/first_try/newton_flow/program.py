"""AC power flow of a meshed transmission network with DC contingency screening."""
from __future__ import annotations

import sys

import numpy as np

BASE_MVA = 100.0


def make_network(nbus: int, seed: int) -> dict[str, np.ndarray]:
    """A ring with random chords; bus 0 is the slack, every sixth bus holds a generator."""
    rng = np.random.default_rng(seed)
    ring = np.arange(nbus)
    chords = rng.permutation(nbus)[: 2 * (nbus // 3)].reshape(-1, 2)
    chords = chords[np.abs(chords[:, 0] - chords[:, 1]) > 1]
    f = np.concatenate([ring, chords[:, 0]])
    t = np.concatenate([(ring + 1) % nbus, chords[:, 1]])
    x = rng.uniform(0.03, 0.09, f.size)
    net = {
        "from": f, "to": t, "x": x, "r": x * rng.uniform(0.08, 0.2, f.size),
        "bc": rng.uniform(0.01, 0.05, f.size), "rate": rng.uniform(0.6, 1.6, f.size),
        "pd": rng.uniform(0.1, 0.5, nbus), "qd": rng.uniform(0.02, 0.15, nbus),
        "pg": np.zeros(nbus), "vset": np.ones(nbus), "kind": np.zeros(nbus, dtype=int),
    }
    gens = np.arange(0, nbus, 6)
    net["kind"][gens] = 1
    net["kind"][0] = 2
    net["pg"][gens] = net["pd"].sum() / gens.size
    net["vset"][gens] = 1.0 + 0.03 * rng.uniform(size=gens.size)
    return net


def build_admittance(net: dict, nbus: int) -> tuple[np.ndarray, np.ndarray]:
    """Conductance and susceptance matrices, branch by branch."""
    G = np.zeros((nbus, nbus))
    B = np.zeros((nbus, nbus))
    for f, t, r, x, bc in zip(net["from"], net["to"], net["r"], net["x"], net["bc"]):
        z2 = r * r + x * x
        g = r / z2
        b = -x / z2
        G[f, f] += g
        G[t, t] += g
        B[f, f] += b + 0.5 * bc
        B[t, t] += b + 0.5 * bc
        G[f, t] -= g
        G[t, f] -= g
        B[f, t] -= b
        B[t, f] -= b
    return G, B


def injections(v, th, G, B):
    d = th[:, None] - th[None, :]
    vv = v[:, None] * v[None, :]
    p = (vv * (G * np.cos(d) + B * np.sin(d))).sum(axis=1)
    q = (vv * (G * np.sin(d) - B * np.cos(d))).sum(axis=1)
    return p, q


def jacobian(v, th, p, q, G, B, pvpq, pq):
    """Full polar Jacobian, reduced to the unknown angles and magnitudes."""
    d = th[:, None] - th[None, :]
    c, s = np.cos(d), np.sin(d)
    vv = np.outer(v, v)
    H = vv * (G * s - B * c)
    N = v[:, None] * (G * c + B * s)
    M = -vv * (G * c + B * s)
    L = v[:, None] * (G * s - B * c)
    n = len(v)
    i = np.arange(n)
    H[i, i] = -q - B[i, i] * v ** 2
    N[i, i] = p / v + G[i, i] * v
    M[i, i] = p - G[i, i] * v ** 2
    L[i, i] = q / v - B[i, i] * v
    top = np.hstack([H[np.ix_(pvpq, pvpq)], N[np.ix_(pvpq, pq)]])
    bottom = np.hstack([M[np.ix_(pq, pvpq)], L[np.ix_(pq, pq)]])
    return np.vstack([top, bottom])


def newton(net: dict, G, B, v0, th0, tol: float = 1e-8, itmax: int = 12):
    pq = np.flatnonzero(net["kind"] == 0)
    pvpq = np.flatnonzero(net["kind"] != 2)
    pspec = net["pg"] - net["pd"]
    qspec = -net["qd"]
    v, th = v0.copy(), th0.copy()
    history = []
    for it in range(itmax):
        p, q = injections(v, th, G, B)
        mis = np.concatenate([(pspec - p)[pvpq], (qspec - q)[pq]])
        worst = np.abs(mis).max()
        history.append(worst)
        if worst < tol:
            break
        step = np.linalg.solve(jacobian(v, th, p, q, G, B, pvpq, pq), mis)
        th[pvpq] += step[: len(pvpq)]
        v[pq] += step[len(pvpq):]
    return v, th, it, history


def gauss_seidel(net: dict, G, B, v, sweeps: int):
    """Flat-start smoothing: each bus takes the newest voltages of its neighbours."""
    Y = G + 1j * B
    volt = v.astype(complex)
    s = net["pg"] - net["pd"] - 1j * net["qd"]
    for _ in range(sweeps):
        for k in range(1, len(volt)):
            if net["kind"][k] == 0:
                rest = np.dot(Y[k], volt) - Y[k, k] * volt[k]
                volt[k] = (np.conj(s[k] / volt[k]) - rest) / Y[k, k]
    return np.abs(volt), np.angle(volt)


def branch_flows(net: dict, v, th):
    """Complex power entering each branch at its from end, and the losses."""
    f, t = net["from"], net["to"]
    y = 1.0 / (net["r"] + 1j * net["x"])
    vc = v * np.exp(1j * th)
    i_from = (vc[f] - vc[t]) * y + 0.5j * net["bc"] * vc[f]
    i_to = (vc[t] - vc[f]) * y + 0.5j * net["bc"] * vc[t]
    s_from = vc[f] * np.conj(i_from)
    s_to = vc[t] * np.conj(i_to)
    return s_from, (s_from + s_to).real


def contingencies(net: dict, outages: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """DC angles after each single outage and the resulting loading of every branch."""
    f, t, b = net["from"], net["to"], 1.0 / net["x"]
    n = len(net["pd"])
    base = np.zeros((n, n))
    np.add.at(base, (f, f), b)
    np.add.at(base, (t, t), b)
    np.add.at(base, (f, t), -b)
    np.add.at(base, (t, f), -b)
    inj = net["pg"] - net["pd"]
    loading = np.zeros((outages.size, f.size))
    angles = np.zeros((outages.size, n))
    for k in range(outages.size):
        line = outages[k]
        m = base.copy()
        i, j = f[line], t[line]
        m[i, i] -= b[line]
        m[j, j] -= b[line]
        m[i, j] += b[line]
        m[j, i] += b[line]
        angles[k, 1:] = np.linalg.solve(m[1:, 1:], inj[1:])
        flow = b * (angles[k, f] - angles[k, t])
        flow[line] = 0.0
        loading[k] = np.abs(flow) / net["rate"]
    return angles, loading


def main() -> None:
    nbus = 72
    net = make_network(nbus, 90125)
    G, B = build_admittance(net, nbus)
    vm, va = gauss_seidel(net, G, B, net["vset"], 3)
    v, th, its, history = newton(net, G, B, np.where(net["kind"] == 0, vm, net["vset"]), va)
    s_from, loss = branch_flows(net, v, th)
    angles, loading = contingencies(net, np.arange(40))
    worst = loading.max(axis=1)
    ranking = np.argsort(-worst)[:8]
    overloads = np.sum(loading > 1.0, axis=0)

    print(f"{nbus} buses, {net['x'].size} branches, Newton iterations {its}")
    print(f"lowest voltage {v.min():.6f} pu at bus {int(np.argmin(v))}, losses {loss.sum() * BASE_MVA:.4f} MW")
    print(f"first mismatch {history[0]:.6f}, worst contingency {ranking[0]} loads a branch to {worst.max():.4f}")
    np.savez(sys.argv[1], v=v, th=th, s_from=s_from, loss=loss, angles=angles, loading=loading,
             ranking=ranking, overloads=overloads, its=its)


if __name__ == "__main__":
    main()

"""Lattice girder under a travelling axle load, and tip deflections of a stock of stepped cantilevers.

Usage: python program.py OUT.npz
"""
import sys

import numpy as np

E_STEEL = 210e9
F_YIELD = 355e6
GAMMA_M1 = 1.10


def lattice(nx, ny, dx, dy):
    """Node coordinates and connectivity of a cross-braced rectangular lattice."""
    nodes = [(i * dx, j * dy) for j in range(ny + 1) for i in range(nx + 1)]
    def nid(i, j):
        return j * (nx + 1) + i
    bars = []
    for j in range(ny + 1):
        for i in range(nx + 1):
            if i < nx:
                bars.append((nid(i, j), nid(i + 1, j)))
            if j < ny:
                bars.append((nid(i, j), nid(i, j + 1)))
            if i < nx and j < ny:
                bars.append((nid(i, j), nid(i + 1, j + 1)))
                bars.append((nid(i + 1, j), nid(i, j + 1)))
    return np.array(nodes, dtype=float), np.array(bars, dtype=np.int64)


def bar_vectors(xy, bars):
    d = xy[bars[:, 1]] - xy[bars[:, 0]]
    length = np.sqrt(np.sum(d * d, axis=1))
    direction = d / length[:, None]
    return length, np.concatenate([-direction, direction], axis=1)


def bar_stiffness(length, b, area):
    k = E_STEEL * area / length
    return k[:, None, None] * np.einsum("ei,ej->eij", b, b)


def assemble(ke, bars, nnode):
    dof = np.stack([2 * bars[:, 0], 2 * bars[:, 0] + 1, 2 * bars[:, 1], 2 * bars[:, 1] + 1], axis=1)
    k = np.zeros((2 * nnode, 2 * nnode))
    np.add.at(k, (dof[:, :, None], dof[:, None, :]), ke)
    return k, dof


def axle_loads(nnode, nx, weight, spacing):
    """One column for each position of a two-axle vehicle on the bottom chord."""
    loads = np.zeros((2 * nnode, nx + 1))
    for c in range(nx + 1):
        loads[2 * c + 1, c] -= 0.5 * weight
        rear = c - spacing
        if rear >= 0:
            loads[2 * rear + 1, c] -= 0.5 * weight
    return loads


def displacements(k, loads, fixed):
    free = np.ones(k.shape[0], dtype=bool)
    free[fixed] = False
    idx = np.flatnonzero(free)
    u = np.zeros_like(loads)
    u[idx] = np.linalg.solve(k[np.ix_(idx, idx)], loads[idx])
    return u


def bar_forces(u, dof, b, length, area):
    elong = np.einsum("ei,eic->ec", b, u[dof])
    return elong * (E_STEEL * area / length)[:, None]


def utilisation(force, length, area, radius):
    """Envelope over load positions; compression checked with the buckling curve b."""
    nbar, ncase = force.shape
    ratio = np.zeros(nbar)
    worst = np.zeros(nbar, dtype=np.int64)
    for e in range(nbar):
        slender = length[e] / radius[e] / (np.pi * np.sqrt(E_STEEL / F_YIELD))
        if slender > 0.2:
            phi = 0.5 * (1.0 + 0.34 * (slender - 0.2) + slender ** 2)
            chi = min(1.0, 1.0 / (phi + np.sqrt(phi ** 2 - slender ** 2)))
        else:
            chi = 1.0
        best = -1.0
        for c in range(ncase):
            n = force[e, c]
            r = n / (area[e] * F_YIELD) if n > 0 else -n * GAMMA_M1 / (chi * area[e] * F_YIELD)
            if r > best + 1e-9:
                best = r
                worst[e] = c
        ratio[e] = best
    return ratio, worst


def cantilever_matrices(ei, span, nseg):
    """Stacked stiffness of cantilevers with nseg equal segments of differing bending stiffness."""
    h = span / nseg
    k = np.zeros((ei.shape[0], 2 * nseg + 2, 2 * nseg + 2))
    for s in range(nseg):
        c = ei[:, s] / h ** 3
        i = 2 * s
        k[:, i, i] += 12 * c
        k[:, i, i + 1] += 6 * h * c
        k[:, i, i + 2] -= 12 * c
        k[:, i, i + 3] += 6 * h * c
        k[:, i + 1, i + 1] += 4 * h ** 2 * c
        k[:, i + 1, i + 2] -= 6 * h * c
        k[:, i + 1, i + 3] += 2 * h ** 2 * c
        k[:, i + 2, i + 2] += 12 * c
        k[:, i + 2, i + 3] -= 6 * h * c
        k[:, i + 3, i + 3] += 4 * h ** 2 * c
    upper = np.triu(k, 1)
    return (k + np.transpose(upper, (0, 2, 1)))[:, 2:, 2:]


def cantilever_tips(k, load):
    n = k.shape[0]
    tip = np.empty(n)
    stiff = np.empty(n)
    for b in range(n):
        u = np.linalg.solve(k[b], load[b])
        tip[b] = u[-2]
        stiff[b] = np.dot(load[b], u)
    return tip, stiff


def main(out):
    rng = np.random.default_rng(1971)
    nx, ny = 40, 4
    xy, bars = lattice(nx, ny, 2.0, 1.5)
    area = rng.uniform(18e-4, 55e-4, len(bars))
    radius = 0.45 * np.sqrt(area)

    length, b = bar_vectors(xy, bars)
    ke = bar_stiffness(length, b, area)
    k, dof = assemble(ke, bars, len(xy))
    loads = axle_loads(len(xy), nx, 120e3, 3)
    u = displacements(k, loads, np.array([0, 1, 2 * nx + 1]))
    force = bar_forces(u, dof, b, length, area)
    ratio, worst = utilisation(force, length, area, radius)

    nseg = 4
    span = rng.uniform(2.0, 6.0, 400)
    ei = 1e6 * rng.uniform(1.0, 4.0, (400, nseg)) * np.linspace(1.0, 0.4, nseg)
    load = np.zeros((400, 2 * nseg))
    load[:, 0::2] = rng.uniform(1e3, 5e3, (400, nseg))
    tip, work = cantilever_tips(cantilever_matrices(ei, span, nseg), load)

    sag = np.abs(u[1::2]).max(axis=0)
    print(f"{len(bars)} bars, mean length {length.mean():.4f} m")
    print(f"largest sag {1e3 * sag.max():.5f} mm, largest utilisation {ratio.max():.5f} in bar {ratio.argmax()}")
    print(f"bars above 25 %: {np.count_nonzero(ratio > 0.25)}")
    print(f"tip deflection mean {1e3 * tip.mean():.4f} mm, max {1e3 * tip.max():.4f} mm")
    np.savez(out, u=u, force=force, ratio=ratio, worst=worst, sag=sag, tip=tip, work=work)


if __name__ == "__main__":
    main(sys.argv[1])

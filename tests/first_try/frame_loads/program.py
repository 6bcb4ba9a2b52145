import sys
from dataclasses import dataclass

import numpy as np


@dataclass(frozen=True)
class Section:
    name: str
    E: float        # kN/m2
    A: float        # m2
    I: float        # m4
    depth: float    # m
    weight: float   # kN/m


HEB300 = Section("HEB300", 2.1e8, 149.1e-4, 25170e-8, 0.30, 1.17)
IPE450 = Section("IPE450", 2.1e8, 98.8e-4, 33740e-8, 0.45, 0.776)
ROD = Section("L100", 2.1e8, 19.2e-4, 177e-8, 0.10, 0.151)

COMBOS = np.array([
    # self  dead  live  wind  snow
    [1.35, 1.35, 0.00, 0.00, 0.00],
    [1.35, 1.35, 1.50, 0.00, 0.75],
    [1.35, 1.35, 1.05, 1.50, 0.75],
    [1.00, 1.00, 0.00, 1.50, 0.00],
    [1.35, 1.35, 1.05, 0.90, 1.50],
    [1.00, 1.00, 1.00, 0.00, 0.50]])


class Frame:
    """Plane frame: bays x storeys with fixed feet, beams divided into segments."""

    def __init__(self, bays, storeys, span, height, segments):
        self.bays, self.storeys, self.segments = bays, storeys, segments
        xy, members = [], []
        self.number = {}

        def node(x, y):
            key = (round(x, 6), round(y, 6))
            if key not in self.number:
                self.number[key] = len(xy)
                xy.append(key)
            return self.number[key]

        for s in range(storeys):
            for b in range(bays + 1):
                members.append((node(b * span, s * height), node(b * span, (s + 1) * height), HEB300, "column"))
            for b in range(bays):
                for k in range(segments):
                    x = b * span + k * span / segments
                    members.append((node(x, (s + 1) * height),
                                    node(b * span + (k + 1) * span / segments, (s + 1) * height), IPE450, "beam"))
            members.append((node(0, s * height), node(span, (s + 1) * height), ROD, "brace"))
        self.xy = np.array(xy)
        self.start = np.array([m[0] for m in members])
        self.end = np.array([m[1] for m in members])
        self.sections = [m[2] for m in members]
        self.kind = [m[3] for m in members]
        self.EA = np.array([s.E * s.A for s in self.sections])
        self.EI = np.array([s.E * s.I for s in self.sections])
        d = self.xy[self.end] - self.xy[self.start]
        self.length = np.hypot(d[:, 0], d[:, 1])
        self.cos = d[:, 0] / self.length
        self.sin = d[:, 1] / self.length
        self.dof = np.concatenate([3 * self.start[:, None] + np.arange(3), 3 * self.end[:, None] + np.arange(3)], axis=1)
        self.ndof = 3 * len(xy)
        fixed = (3 * np.flatnonzero(self.xy[:, 1] == 0.0)[:, None] + np.arange(3)).ravel()
        self.free = np.setdiff1d(np.arange(self.ndof), fixed)

    def local_stiffness(self):
        """Stiffness matrices (member, 6, 6) in member axes."""
        L, EA, EI = self.length, self.EA, self.EI
        k = np.zeros((L.size, 6, 6))
        k[:, 0, 0] = k[:, 3, 3] = EA / L
        k[:, 0, 3] = k[:, 3, 0] = -EA / L
        k[:, 1, 1] = k[:, 4, 4] = 12 * EI / L ** 3
        k[:, 1, 4] = k[:, 4, 1] = -12 * EI / L ** 3
        for i, sign in ((1, 1.0), (4, -1.0)):
            for j in (2, 5):
                k[:, i, j] = k[:, j, i] = sign * 6 * EI / L ** 2
        k[:, 2, 2] = k[:, 5, 5] = 4 * EI / L
        k[:, 2, 5] = k[:, 5, 2] = 2 * EI / L
        return k

    def rotation(self):
        T = np.zeros((self.length.size, 6, 6))
        for o in (0, 3):
            T[:, o, o] = T[:, o + 1, o + 1] = self.cos
            T[:, o, o + 1] = self.sin
            T[:, o + 1, o] = -self.sin
            T[:, o + 2, o + 2] = 1.0
        return T

    def assemble(self, k_local, T):
        kg = np.einsum("mki,mkl,mlj->mij", T, k_local, T)
        K = np.zeros((self.ndof, self.ndof))
        np.add.at(K, (self.dof[:, :, None], self.dof[:, None, :]), kg)
        return K

    def fixed_end(self, wy_by_kind, self_weight, T):
        """Nodal loads of uniform vertical loads in kN per metre of member, downwards positive."""
        w = np.zeros(self.length.size)
        for m, (kind, sec) in enumerate(zip(self.kind, self.sections)):
            w[m] = wy_by_kind.get(kind, 0.0) + (sec.weight if self_weight else 0.0)
        across, along = -w * self.cos, -w * self.sin
        L = self.length
        f = np.stack([along * L / 2, across * L / 2, across * L ** 2 / 12,
                      along * L / 2, across * L / 2, -across * L ** 2 / 12], axis=1)
        P = np.zeros(self.ndof)
        np.add.at(P, self.dof, np.einsum("mki,mk->mi", T, f))
        return P, f, across

    def wind(self, pressure):
        P = np.zeros(self.ndof)
        for (x, y), n in self.number.items():
            if x == 0.0 and y > 0.0:
                P[3 * n] += pressure * (1.0 + 0.04 * y)
        return P


def solve(K, loads, free):
    u = np.zeros_like(loads)
    u[:, free] = np.linalg.solve(K[np.ix_(free, free)], loads[:, free].T).T
    return u


def member_forces(frame, k_local, T, u, fixed):
    """End forces (case, member, 6) in member axes."""
    local = np.einsum("mij,cmj->cmi", T, u[:, frame.dof])
    return np.einsum("mij,cmj->cmi", k_local, local) - fixed


def station_moments(forces, across, length, n):
    """Bending moment along each member for every case at n stations."""
    s = np.linspace(0.0, 1.0, n)
    x = length[None, :, None] * s
    return -forces[:, :, 2, None] + forces[:, :, 1, None] * x + 0.5 * across[:, :, None] * x ** 2


def envelope(moments):
    """Largest and smallest moment at every station with the governing combination."""
    nc, nm, ns = moments.shape
    high = np.empty((nm, ns))
    low = np.empty((nm, ns))
    which = np.zeros((nm, ns, 2), dtype=np.int64)
    for m in range(nm):
        for s in range(ns):
            top = bottom = moments[0, m, s]
            it = ib = 0
            for c in range(1, nc):
                v = moments[c, m, s]
                if v > top:
                    top, it = v, c
                elif v < bottom:
                    bottom, ib = v, c
            high[m, s], low[m, s] = top, bottom
            which[m, s] = it, ib
    return high, low, which


def p_delta(frame, K, k_local, T, load, tol=1e-10):
    """Second-order displacements with the geometric stiffness of the columns, by iteration."""
    u = solve(K, load[None], frame.free)[0]
    for it in range(30):
        N = frame.EA / frame.length * np.einsum("mj,mj->m", T[:, 3, :], np.concatenate(
            [-u[frame.dof[:, :3]], u[frame.dof[:, 3:]]], axis=1))
        kg = np.zeros_like(k_local)
        a = N / frame.length
        kg[:, 1, 1] = kg[:, 4, 4] = 1.2 * a
        kg[:, 1, 4] = kg[:, 4, 1] = -1.2 * a
        new = solve(frame.assemble(k_local + kg, T), load[None], frame.free)[0]
        change = np.abs(new - u).max()
        u = new
        if change < tol:
            break
    return u, it + 1


def stiffness_scatter(frame, k_local, T, load, samples, rng):
    """Sway and midspan deflection when member stiffnesses vary by a few per cent."""
    factors = 1.0 + 0.05 * rng.standard_normal((samples, frame.length.size))
    out = np.empty((samples, 2))
    grid, f = np.ix_(frame.free, frame.free), load[frame.free]
    for s in range(samples):
        K = frame.assemble(k_local * factors[s][:, None, None], T)[grid]
        u = np.linalg.solve(K, f)
        out[s, 0] = np.abs(u[0::3]).max()
        out[s, 1] = u[1::3].min()
    return out


def influence_line(frame, K, beam_nodes, target_dof):
    """Deflection at one degree of freedom for a unit load moving over the beam nodes."""
    loads = np.zeros((beam_nodes.size, frame.ndof))
    for i, n in enumerate(beam_nodes):
        loads[i, 3 * n + 1] = -1.0
    return solve(K, loads, frame.free)[:, target_dof]


def moving_axles(line, x, axles, spacing, step=0.05):
    """Extreme response to a group of axles rolling over an influence line."""
    best, at = 0.0, 0.0
    pos = x[0]
    while pos <= x[-1] + sum(spacing):
        total = behind = 0.0
        for load, gap in zip(axles, [0.0] + spacing):
            behind += gap
            p = pos - behind
            if x[0] <= p <= x[-1]:
                total += load * np.interp(p, x, line)
        if total < best:
            best, at = total, pos
        pos += step
    return best, at


def main():
    frame = Frame(bays=3, storeys=4, span=6.0, height=3.4, segments=4)
    k_local, T = frame.local_stiffness(), frame.rotation()
    K = frame.assemble(k_local, T)
    cases = [frame.fixed_end({}, True, T), frame.fixed_end({"beam": 14.0}, False, T),
             frame.fixed_end({"beam": 9.0}, False, T), None, frame.fixed_end({"beam": 2.5}, False, T)]
    loads = np.stack([frame.wind(18.0) if c is None else c[0] for c in cases])
    fixed = np.stack([np.zeros((frame.length.size, 6)) if c is None else c[1] for c in cases])
    across = np.stack([np.zeros(frame.length.size) if c is None else c[2] for c in cases])
    u = solve(K, loads, frame.free)
    forces = member_forces(frame, k_local, T, u, fixed)
    u_combo = COMBOS @ u
    f_combo = np.einsum("kc,cmi->kmi", COMBOS, forces)
    moments = station_moments(f_combo, COMBOS @ across, frame.length, 41)
    high, low, which = envelope(moments)
    depth, inertia, area = np.array([(s.depth, s.I, s.A) for s in frame.sections]).T
    worst = np.maximum(np.abs(high).max(axis=1), np.abs(low).max(axis=1))
    stress = (worst * depth / 2 / inertia + np.abs(f_combo[:, :, 0]).max(axis=0) / area) / 1000.0
    second, rounds = p_delta(frame, K, k_local, T, COMBOS[2] @ loads)
    scatter = stiffness_scatter(frame, k_local, T, COMBOS[2] @ loads, 25, np.random.default_rng(8))
    nodes = np.array([n for (x, y), n in sorted(frame.number.items()) if abs(y - 3.4) < 1e-9])
    line = influence_line(frame, K, nodes, 3 * nodes[2] + 1)
    axle, where = moving_axles(line, frame.xy[nodes, 0], [60.0, 80.0, 80.0], [1.8, 1.3])
    np.savez(sys.argv[1], u=u_combo, forces=f_combo, high=high, low=low, which=which, stress=stress, second=second,
             scatter=scatter, line=line, axle=np.array([axle, where]))
    print(f"{len(frame.xy)} nodes, {frame.length.size} members, {frame.free.size} unknowns")
    print(f"sway {u_combo[2, 0::3].max() * 1e3:.4f} mm, second order {second[0::3].max() * 1e3:.4f} mm after {rounds} rounds")
    print(f"largest stress {stress.max():.4f} MPa in member {stress.argmax()} ({frame.kind[stress.argmax()]})")
    print(f"scatter {(scatter.std(axis=0) * 1e3).round(6)} mm, axle deflection {axle * 1e3:.5f} mm at {where:.2f} m")


if __name__ == "__main__":
    main()

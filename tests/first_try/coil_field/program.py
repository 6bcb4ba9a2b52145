"""Magnetic field of air-core coils from straight segments (Biot-Savart), with checks for a loop."""
import math
import sys
from dataclasses import dataclass, field

import numpy as np
from scipy.special import ellipe, ellipk

MU0 = 4e-7 * np.pi


@dataclass
class Coil:
    name: str
    radius: float
    centre: tuple = (0.0, 0.0, 0.0)
    current: float = 1.0
    turns: int = 1
    pitch: float = 0.0
    per_turn: int = 48
    points: np.ndarray = field(init=False, repr=False, default=None)

    def __post_init__(self):
        n = self.turns * self.per_turn
        phi = np.linspace(0.0, 2 * np.pi * self.turns, n + 1)
        z = self.pitch * (phi / (2 * np.pi) - self.turns / 2)
        self.points = np.column_stack([self.radius * np.cos(phi), self.radius * np.sin(phi), z])
        self.points += np.asarray(self.centre)

    @property
    def length(self):
        return np.linalg.norm(np.diff(self.points, axis=0), axis=1).sum()


def gather(coils):
    """All segments of all coils: start points, vectors and currents."""
    start, vec, cur = [], [], []
    for c in coils:
        p = c.points
        start.append(p[:-1])
        vec.append(p[1:] - p[:-1])
        cur.append(np.full(len(p) - 1, c.current))
    return np.concatenate(start), np.concatenate(vec), np.concatenate(cur)


def field_vectorised(obs, start, vec, cur, chunk=256):
    """Midpoint rule; obs is (n, 3)."""
    B = np.zeros_like(obs)
    mid = start + 0.5 * vec
    for lo in range(0, len(obs), chunk):
        r = obs[lo : lo + chunk, None, :] - mid[None]
        inv3 = np.einsum("nsi,nsi->ns", r, r) ** -1.5
        cross = np.cross(vec[None], r)
        B[lo : lo + chunk] = (cross * (cur * inv3)[..., None]).sum(axis=1)
    B *= MU0 / (4 * np.pi)
    return B


def axial_map(rs, zs, start, vec, cur):
    """Bz and |B| in the x-z plane with the exact formula of a finite straight segment."""
    bz = np.zeros((len(rs), len(zs)))
    bm = np.zeros((len(rs), len(zs)))
    for i in range(len(rs)):
        for j in range(len(zs)):
            sx = sy = sz = 0.0
            for s in range(len(cur)):
                ax = rs[i] - start[s, 0]
                ay = -start[s, 1]
                az = zs[j] - start[s, 2]
                bx = ax - vec[s, 0]
                by = ay - vec[s, 1]
                b_z = az - vec[s, 2]
                la = math.sqrt(ax * ax + ay * ay + az * az)
                lb = math.sqrt(bx * bx + by * by + b_z * b_z)
                denom = la * lb * (la * lb + ax * bx + ay * by + az * b_z)
                if denom < 1e-18:
                    continue
                f = cur[s] * (la + lb) / denom
                sx += f * (ay * b_z - az * by)
                sy += f * (az * bx - ax * b_z)
                sz += f * (ax * by - ay * bx)
            bz[i, j] = 1e-7 * sz
            bm[i, j] = 1e-7 * math.sqrt(sx * sx + sy * sy + sz * sz)
    return bz, bm


def loop_exact(a, current, rho, z):
    """Off-axis field of a circular loop by elliptic integrals; parameter m = k^2."""
    alpha2 = a * a + rho ** 2 + z ** 2 - 2 * a * rho
    beta2 = a * a + rho ** 2 + z ** 2 + 2 * a * rho
    m = 1 - alpha2 / beta2
    c = MU0 * current / np.pi
    E, K = ellipe(m), ellipk(m)
    beta = np.sqrt(beta2)
    bz = c / (2 * alpha2 * beta) * ((a * a - rho ** 2 - z ** 2) * E + alpha2 * K)
    br = c * z / (2 * alpha2 * beta * rho) * ((a * a + rho ** 2 + z ** 2) * E - alpha2 * K)
    return br, bz


def mutual_inductance(p, q):
    """Neumann's double sum between two closed polygons."""
    dp = np.diff(p, axis=0)
    dq = np.diff(q, axis=0)
    mp = p[:-1] + dp / 2
    mq = q[:-1] + dq / 2
    dist = np.sqrt(((mp[:, None] - mq[None, :]) ** 2).sum(axis=2))
    return 1e-7 * ((dp @ dq.T) / dist).sum()


def trace_line(seed, ds, n, start, vec, cur):
    """Field line by midpoint steps of fixed length."""
    line = np.empty((n + 1, 3))
    line[0] = seed
    for k in range(n):
        b = field_vectorised(line[k][None], start, vec, cur)[0]
        half = line[k] + 0.5 * ds * b / np.sqrt(b @ b)
        b = field_vectorised(half[None], start, vec, cur)[0]
        line[k + 1] = line[k] + ds * b / np.sqrt(b @ b)
    return line


def homogeneity(bz, rs, zs, limit):
    """Largest half length on axis over which Bz stays within `limit` of the centre."""
    ref = bz[0, len(zs) // 2]
    good = 0.0
    for j in range(len(zs) // 2, len(zs)):
        if abs(bz[0, j] / ref - 1) > limit:
            break
        good = zs[j]
    return good


def main():
    R = 0.10
    coils = [
        Coil("upper", R, (0, 0, R / 2), current=5.0, per_turn=60),
        Coil("lower", R, (0, 0, -R / 2), current=5.0, per_turn=60),
        Coil("trim", 0.06, (0, 0, 0), current=0.25, turns=3, pitch=0.004, per_turn=20),
    ]
    start, vec, cur = gather(coils)

    rs = np.linspace(0.0, 0.045, 14)
    zs = np.linspace(-0.06, 0.06, 41)
    bz, bm = axial_map(rs, zs, start, vec, cur)

    rng = np.random.default_rng(12)
    probes = rng.uniform(-0.03, 0.03, (900, 3))
    B = field_vectorised(probes, start, vec, cur)
    strength = np.linalg.norm(B, axis=1)
    tilt = np.degrees(np.arccos(B[:, 2] / strength))
    counts = np.bincount((tilt / 0.25).astype(int), minlength=40)

    rho = np.linspace(0.005, 0.05, 50)
    loop = Coil("check", R, current=2.0, per_turn=720)
    grid = np.column_stack([rho, np.zeros_like(rho), np.full_like(rho, 0.02)])
    approx = field_vectorised(grid, *gather([loop]))
    br, bzl = loop_exact(R, 2.0, rho, 0.02)
    err = np.maximum(np.abs(approx[:, 2] / bzl - 1), np.abs(approx[:, 0] / br - 1))

    M = np.array([[mutual_inductance(a.points, b.points) if a is not b else 0.0 for b in coils] for a in coils])
    line = trace_line((0.03, 0.01, 0.0), 0.004, 30, start, vec, cur)

    print(f"{len(cur)} segments, wire {sum(c.length for c in coils):.6f} m")
    print(f"centre {1e6 * bm[0, 20]:.6f} uT, 1% up to z = {1e3 * homogeneity(bz, rs, zs, 0.01):.3f} mm")
    print(f"polygon against elliptic integrals: {err.max():.3e}")
    print(f"M(upper, lower) = {1e9 * M[0, 1]:.6f} nH")
    np.savez(sys.argv[1], bz=bz, bm=bm, B=B, tilt_counts=counts, loop_bz=approx[:, 2], loop_br=br, M=M, line=line)


if __name__ == "__main__":
    main()

"""Plane reinforced-concrete frame: fibre sections, element stiffness, assembly, secant iteration, modes, code checks."""
import sys
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from scipy.linalg import eigh

FCM, ECM, ES, FY = 33e6, 31e9, 200e9, 500e6
SECTIONS = """
# name     b     h    As_bottom  As_top  (m, mm2)
column   0.40  0.40    1257       1257
beam     0.30  0.50    1473        942
roof     0.30  0.45     942        628
"""


@dataclass
class Section:
    b: float
    h: float
    bottom: float
    top: float
    cover: float = 0.045


class Member(NamedTuple):
    i: int
    j: int
    kind: str
    load: float = 0.0


def read_sections(text):
    rows = [line.split() for line in text.strip().splitlines() if not line.startswith("#")]
    return {r[0]: Section(float(r[1]), float(r[2]), float(r[3]) * 1e-6, float(r[4]) * 1e-6) for r in rows}


def concrete_stress(eps):
    """Parabola-rectangle in compression (negative), nothing in tension."""
    r = np.clip(-eps / 0.002, 0.0, 1.0)
    return -FCM * (1 - (1 - r) ** 2)


def section_forces(sec, eps0, curv, fibres=60):
    """Axial force and moment of the fibre section for arrays of strain and curvature."""
    y = (np.arange(fibres) + 0.5) / fibres * sec.h - sec.h / 2
    eps = eps0[..., None] - curv[..., None] * y
    stress = concrete_stress(eps)
    area = sec.b * sec.h / fibres
    n = stress.sum(axis=-1) * area
    m = -(stress * y).sum(axis=-1) * area
    for pos, steel in ((sec.cover - sec.h / 2, sec.bottom), (sec.h / 2 - sec.cover, sec.top)):
        s = np.clip(ES * (eps0 - curv * pos), -FY, FY) * steel
        n = n + s
        m = m - s * pos
    return n, m


def moment_curvature(sec, axial, curvatures, rounds=50):
    """Moments under a given axial force; the strain at mid-height by bisection, all curvatures together."""
    lo, hi = np.full(len(curvatures), -0.006), np.full(len(curvatures), 0.02)
    for _ in range(rounds):
        mid = 0.5 * (lo + hi)
        n, _ = section_forces(sec, mid, curvatures)
        low = n < axial
        lo, hi = np.where(low, mid, lo), np.where(low, hi, mid)
    return section_forces(sec, 0.5 * (lo + hi), curvatures)[1]


class Frame:
    def __init__(self, storeys, bays, height, span, sections):
        self.sections = sections
        self.xy = np.array([[c * span, r * height] for r in range(storeys + 1) for c in range(bays + 1)])
        self.members = []
        width = bays + 1
        for r in range(storeys):
            for c in range(width):
                self.members.append(Member(r * width + c, (r + 1) * width + c, "column"))
            for c in range(bays):
                kind = "roof" if r == storeys - 1 else "beam"
                a = (r + 1) * width + c
                self.members.append(Member(a, a + 1, kind, -28e3 if kind == "beam" else -18e3))
        self.ndof = 3 * len(self.xy)
        self.free = np.arange(3 * width, self.ndof)
        self.stiff = np.ones(len(self.members))

    def geometry(self, m):
        d = self.xy[m.j] - self.xy[m.i]
        length = np.hypot(d[0], d[1])
        return length, d[0] / length, d[1] / length

    def dofs(self, m):
        return np.concatenate([np.arange(3) + 3 * m.i, np.arange(3) + 3 * m.j])

    def element(self, m, factor):
        """Local stiffness and transformation of one member."""
        sec = self.sections[m.kind]
        length, c, s = self.geometry(m)
        ea = ECM * sec.b * sec.h
        ei = factor * ECM * sec.b * sec.h ** 3 / 12
        k = np.zeros((6, 6))
        k[0, 0] = k[3, 3] = ea / length
        k[0, 3] = k[3, 0] = -ea / length
        bend = ei / length ** 3 * np.array([[12, 6 * length, -12, 6 * length],
                                            [6 * length, 4 * length ** 2, -6 * length, 2 * length ** 2],
                                            [-12, -6 * length, 12, -6 * length],
                                            [6 * length, 2 * length ** 2, -6 * length, 4 * length ** 2]])
        k[np.ix_([1, 2, 4, 5], [1, 2, 4, 5])] = bend
        t = np.zeros((6, 6))
        t[:3, :3] = t[3:, 3:] = np.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])
        return k, t

    def fixed_end(self, m):
        length = self.geometry(m)[0]
        q = m.load
        return np.array([0, q * length / 2, q * length ** 2 / 12, 0, q * length / 2, -q * length ** 2 / 12])

    def assemble(self):
        k = np.zeros((self.ndof, self.ndof))
        f = np.zeros(self.ndof)
        for m, factor in zip(self.members, self.stiff):
            ke, t = self.element(m, factor)
            d = self.dofs(m)
            k[np.ix_(d, d)] += t.T @ ke @ t
            f[d] += t.T @ self.fixed_end(m)
        return k, f

    def solve(self, lateral):
        k, f = self.assemble()
        f[0::3] += lateral
        u = np.zeros(self.ndof)
        u[self.free] = np.linalg.solve(k[np.ix_(self.free, self.free)], f[self.free])
        return u

    def end_forces(self, u):
        out = np.empty((len(self.members), 6))
        for n, m in enumerate(self.members):
            ke, t = self.element(m, self.stiff[n])
            out[n] = ke @ (t @ u[self.dofs(m)]) - self.fixed_end(m)
        return out

    def soften(self, forces, curves, relax=0.6):
        """New secant factors from the larger end moment of each member."""
        for n, m in enumerate(self.members):
            sec = self.sections[m.kind]
            curvature, moment = curves[m.kind]
            top = min(max(abs(forces[n, 2]), abs(forces[n, 5])), 0.98 * moment.max())
            kappa = np.interp(top, np.maximum.accumulate(moment), curvature)
            target = 1.0 if top < 1e3 else top / (kappa * ECM * sec.b * sec.h ** 3 / 12)
            target = min(1.0, max(0.1, target))
            self.stiff[n] += relax * (target - self.stiff[n])

    def periods(self, mass_per_node=9e3, count=4):
        k, _ = self.assemble()
        mass = np.tile([mass_per_node, mass_per_node, 0.02 * mass_per_node], len(self.xy))[self.free]
        w2 = eigh(k[np.ix_(self.free, self.free)], np.diag(mass), eigvals_only=True)
        return 2 * np.pi / np.sqrt(w2[:count])


def deflected_shapes(frame, u, stations=41):
    """Hermite interpolation of each member's transverse displacement, one row per member."""
    z = np.linspace(0.0, 1.0, stations)
    shapes = np.empty((len(frame.members), stations))
    for n, m in enumerate(frame.members):
        length, c, s = frame.geometry(m)
        d = u[frame.dofs(m)]
        v1, v2 = -s * d[0] + c * d[1], -s * d[3] + c * d[4]
        shapes[n] = ((1 - 3 * z ** 2 + 2 * z ** 3) * v1 + length * (z - 2 * z ** 2 + z ** 3) * d[2]
                     + (3 * z ** 2 - 2 * z ** 3) * v2 + length * (z ** 3 - z ** 2) * d[5])
    return shapes


def main():
    sections = read_sections(SECTIONS)
    frame = Frame(7, 5, 3.2, 5.5, sections)
    curvature = np.linspace(1e-5, 0.04, 400)
    axial = {"column": -600e3, "beam": 0.0, "roof": 0.0}
    curves = {k: (curvature, moment_curvature(s, axial[k], curvature)) for k, s in sections.items()}
    lateral = np.where(frame.xy[:, 1] > 0, 350.0 * frame.xy[:, 1], 0.0)
    elastic = frame.periods()
    drift = []
    for _ in range(8):
        u = frame.solve(lateral)
        forces = frame.end_forces(u)
        drift.append(u[-3])
        frame.soften(forces, curves)
    cracked = frame.periods()
    shapes = deflected_shapes(frame, u)
    for kind, (_, m) in curves.items():
        print(f"{kind:8s} moment capacity {m.max() / 1e3:.2f} kNm")
    print(f"roof displacement {1e3 * drift[0]:.3f} mm elastic, {1e3 * drift[-1]:.3f} mm cracked")
    print(f"first period {elastic[0]:.4f} s to {cracked[0]:.4f} s, softest member {frame.stiff.min():.4f}")
    np.savez(sys.argv[1], u=u, forces=forces, stiff=frame.stiff, shapes=shapes, drift=np.array(drift),
             moments=np.array([c[1] for c in curves.values()]), periods=np.stack([elastic, cracked]))


if __name__ == "__main__":
    main()

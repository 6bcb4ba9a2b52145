"""Sequential ray trace of a 50 mm f/5 Cooke triplet with an aspheric rear surface.

Spot diagrams, encircled energy, vignetting and optical path for three fields and
three wavelengths.
"""
import sys
from dataclasses import dataclass

import numpy as np


@dataclass
class Glass:
    name: str
    b: tuple
    c: tuple

    def index(self, lam_um):
        l2 = lam_um * lam_um
        n2 = 1.0
        for bi, ci in zip(self.b, self.c):
            n2 += bi * l2 / (l2 - ci)
        return n2 ** 0.5


@dataclass
class Surface:
    radius: float
    thickness: float
    glass: object
    semi: float
    a4: float = 0.0
    a6: float = 0.0

    @property
    def curv(self):
        return 0.0 if self.radius == 0.0 else 1.0 / self.radius


AIR = Glass("air", (), ())
SK16 = Glass("SK16", (1.34317774, 0.241144399, 0.994317969),
             (0.00704687339, 0.0229005, 92.7508526))
F2 = Glass("F2", (1.34533359, 0.209073176, 0.937357162),
           (0.00997743871, 0.0470450767, 111.886764))

TRIPLET = [
    Surface(22.01359, 3.25896, SK16, 6.8),
    Surface(-435.76044, 6.00755, AIR, 9.5),
    Surface(-22.21328, 0.99997, F2, 5.0),
    Surface(20.29192, 4.75041, AIR, 5.0),
    Surface(79.68360, 2.95208, SK16, 6.1),
    Surface(-18.39533, 42.20778, AIR, 7.5, a4=2.0e-7, a6=1.0e-10),
]
WAVES = (0.4861, 0.5876, 0.6563)
FIELDS_DEG = (0.0, 8.0, 14.0)
PUPIL_RADIUS = 5.0
PUPIL_Z = 11.5


def paraxial(surfaces, lam):
    """Back focal length and effective focal length from the system matrix."""
    m = np.eye(2)
    n = 1.0
    for k, s in enumerate(surfaces):
        n2 = s.glass.index(lam)
        refr = np.array([[1.0, 0.0], [-(n2 - n) * s.curv, 1.0]])
        m = refr @ m
        if k < len(surfaces) - 1:
            m = np.array([[1.0, s.thickness / n2], [0.0, 1.0]]) @ m
        n = n2
    efl = -1.0 / m[1, 0]
    bfl = -m[0, 0] / m[1, 0]
    return efl, bfl


def launch(field_deg, n_side):
    """Collimated bundle filling the entrance pupil, starting on the plane z = -5."""
    u = np.linspace(-1.0, 1.0, n_side)
    px, py = np.meshgrid(u, u)
    inside = px ** 2 + py ** 2 <= 1.0
    px = px[inside] * PUPIL_RADIUS
    py = py[inside] * PUPIL_RADIUS
    t = np.deg2rad(field_deg)
    direction = np.array([0.0, np.sin(t), np.cos(t)])
    pos = np.empty((3, px.size))
    pos[0] = px
    pos[1] = py - (PUPIL_Z + 5.0) * np.tan(t)
    pos[2] = -5.0
    dirs = np.tile(direction[:, None], (1, px.size))
    return pos, dirs


def hit_sphere(pos, dirs, curv):
    """Distance to a spherical surface with its vertex at the origin, and the unit normal."""
    t0 = -pos[2] / dirs[2]
    p = pos + t0 * dirs
    f = curv * (p[0] ** 2 + p[1] ** 2)
    g = dirs[2] - curv * (p[0] * dirs[0] + p[1] * dirs[1])
    disc = np.maximum(g * g - curv * f, 0.0)
    t1 = f / (g + np.sqrt(disc))
    q = p + t1 * dirs
    normal = -curv * q
    normal[2] += 1.0
    return t0 + t1, q, normal


def hit_asphere(pos, dirs, surf):
    """Newton search along each ray for the even asphere."""
    c, a4, a6 = surf.curv, surf.a4, surf.a6
    n = pos.shape[1]
    dist = np.zeros(n)
    normal = np.zeros((3, n))
    for i in range(n):
        x0, y0, z0 = pos[0, i], pos[1, i], pos[2, i]
        l, m, k = dirs[0, i], dirs[1, i], dirs[2, i]
        t = -z0 / k
        zx = 0.0
        zy = 0.0
        for _ in range(12):
            x = x0 + t * l
            y = y0 + t * m
            r2 = x * x + y * y
            root = np.sqrt(max(1.0 - c * c * r2, 1e-6))
            sag = c * r2 / (1.0 + root) + a4 * r2 * r2 + a6 * r2 * r2 * r2
            slope = c / root + 4.0 * a4 * r2 + 6.0 * a6 * r2 * r2
            zx = slope * x
            zy = slope * y
            err = z0 + t * k - sag
            step = err / (k - zx * l - zy * m)
            t -= step
            if abs(step) < 1e-13:
                break
        dist[i] = t
        norm = np.sqrt(1.0 + zx * zx + zy * zy)
        normal[0, i] = -zx / norm
        normal[1, i] = -zy / norm
        normal[2, i] = 1.0 / norm
    return dist, pos + dist * dirs, normal


def refract(dirs, normal, n1, n2):
    mu = n1 / n2
    cosi = np.einsum("ij,ij->j", dirs, normal)
    cost = np.sqrt(1.0 - mu * mu * (1.0 - cosi * cosi))
    return mu * dirs + (cost - mu * cosi) * normal


def trace(pos, dirs, surfaces, lam):
    alive = np.ones(pos.shape[1], dtype=bool)
    opl = pos[1] * dirs[1]
    n1 = 1.0
    for surf in surfaces:
        if surf.a4 or surf.a6:
            dist, pos, normal = hit_asphere(pos, dirs, surf)
        else:
            dist, pos, normal = hit_sphere(pos, dirs, surf.curv)
        opl = opl + n1 * dist
        alive &= pos[0] ** 2 + pos[1] ** 2 <= surf.semi ** 2
        n2 = surf.glass.index(lam)
        dirs = refract(dirs, normal, n1, n2)
        n1 = n2
        pos[2] -= surf.thickness
    dist = -pos[2] / dirs[2]
    return pos + dist * dirs, dirs, opl + dist, alive


def encircled(x, y, alive, fractions):
    """Centroid, rms radius and the radii that hold given fractions of the rays."""
    w = alive.astype(float)
    total = w.sum()
    cx = (w * x).sum() / total
    cy = (w * y).sum() / total
    r = np.hypot(x - cx, y - cy)
    rms = np.sqrt((w * r * r).sum() / total)
    rs = np.sort(r[alive])
    idx = np.ceil(fractions * rs.size).astype(int) - 1
    return cx, cy, rms, rs[idx]


def main(path):
    fractions = np.array([0.5, 0.8, 0.95])
    nf, nw = len(FIELDS_DEG), len(WAVES)
    rms = np.zeros((nf, nw))
    centroid = np.zeros((nf, nw, 2))
    ee = np.zeros((nf, nw, fractions.size))
    passed = np.zeros((nf, nw))
    focal = np.array([paraxial(TRIPLET, lam) for lam in WAVES])
    spots = []
    path_range = np.zeros((nf, nw))
    for i, field in enumerate(FIELDS_DEG):
        pos, dirs = launch(field, 37)
        for j, lam in enumerate(WAVES):
            hit, out, opl, alive = trace(pos, dirs, TRIPLET, lam)
            cx, cy, r, radii = encircled(hit[0], hit[1], alive, fractions)
            rms[i, j] = r
            centroid[i, j] = cx, cy
            ee[i, j] = radii
            passed[i, j] = alive.mean()
            good = opl[alive]
            path_range[i, j] = good.max() - good.min()
            if j == 1:
                spots.append(np.where(alive, hit, 0.0)[:2])
    np.savez(path, rms=rms, centroid=centroid, encircled=ee, passed=passed, focal=focal,
             path_range=path_range, spots=np.stack(spots))
    for j, lam in enumerate(WAVES):
        print(f"{lam:.4f} um  efl {focal[j, 0]:.4f}  bfl {focal[j, 1]:.4f}")
    for i, field in enumerate(FIELDS_DEG):
        print(f"{field:5.1f} deg  rms {rms[i].round(6)}  passed {passed[i].round(4)}")


if __name__ == "__main__":
    main(sys.argv[1])

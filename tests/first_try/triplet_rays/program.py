"""Sequential ray trace of a Cooke-type triplet: spot diagrams, longitudinal aberration,
vignetting and an RMS through-focus curve."""
import math
import sys
from dataclasses import dataclass
from typing import List, NamedTuple

import numpy as np


@dataclass(frozen=True)
class Surface:
    radius: float      # 0 means plane
    gap: float         # distance to the next surface
    glass: str         # medium after the surface
    semi: float        # clear semi-aperture
    conic: float = 0.0


class Fan(NamedTuple):
    pos: np.ndarray
    cos: np.ndarray
    alive: np.ndarray


GLASS = {
    "air": (1.0, 0.0),
    "LaK9": (1.67185, 0.00661),
    "SF5": (1.6410, 0.01094),
}

LENS = [
    Surface(23.713, 4.831, "LaK9", 10.0),
    Surface(7331.288, 5.860, "air", 10.0),
    Surface(-24.456, 0.975, "SF5", 6.0),
    Surface(21.896, 4.822, "air", 6.0),
    Surface(86.759, 3.127, "LaK9", 8.5),
    Surface(-20.4942, 41.10, "air", 8.5, -0.05),
]


def index(glass, wavelength):
    a, b = GLASS[glass]
    return a + b / wavelength ** 2


def pupil_grid(n, radius, z0, angle_deg):
    u = np.linspace(-1.0, 1.0, n)
    px, py = np.meshgrid(u, u)
    inside = px ** 2 + py ** 2 <= 1.0
    x, y = radius * px[inside], radius * py[inside]
    t = np.tan(np.radians(angle_deg))
    d = np.array([0.0, np.sin(np.radians(angle_deg)), np.cos(np.radians(angle_deg))])
    pos = np.stack([x, y + t * z0, np.full_like(x, z0)], axis=1)
    cos = np.broadcast_to(d, pos.shape).copy()
    return Fan(pos, cos, np.ones(x.size, dtype=bool))


def intersect(pos, cos, surf: Surface):
    """Move to a conic of revolution with its vertex at z = 0 (closed form)."""
    if surf.radius == 0.0:
        s = -pos[:, 2] / cos[:, 2]
        hit = pos + s[:, None] * cos
        return hit, np.broadcast_to(np.array([0.0, 0.0, 1.0]), hit.shape), np.ones(len(s), bool)
    c = 1.0 / surf.radius
    k1 = 1.0 + surf.conic
    x, y, z = pos.T
    l, m, n = cos.T
    a = c * (l * l + m * m + k1 * n * n)
    b = c * (x * l + y * m + k1 * z * n) - n
    q = c * (x * x + y * y + k1 * z * z) - 2.0 * z
    disc = b * b - a * q
    ok = disc > 0.0
    root = np.sqrt(np.where(ok, disc, 1.0))
    s = q / (-b + root)
    hit = pos + s[:, None] * cos
    grad = np.stack([-c * hit[:, 0], -c * hit[:, 1], 1.0 - c * k1 * hit[:, 2]], axis=1)
    grad /= np.linalg.norm(grad, axis=1, keepdims=True)
    return hit, grad, ok


def refract(cos, normal, n1, n2):
    mu = n1 / n2
    ci = np.einsum("ij,ij->i", cos, normal)
    arg = 1.0 - mu * mu * (1.0 - ci * ci)
    ok = arg > 0.0
    ct = np.sqrt(np.where(ok, arg, 0.0))
    out = mu * cos + (ct - mu * ci)[:, None] * normal
    return out, ok


def trace(fan: Fan, lens: List[Surface], wavelength: float):
    pos, cos, alive = fan.pos.copy(), fan.cos.copy(), fan.alive.copy()
    n1 = 1.0
    for surf in lens:
        n2 = index(surf.glass, wavelength)
        pos, normal, ok = intersect(pos, cos, surf)
        alive &= ok & (np.hypot(pos[:, 0], pos[:, 1]) <= surf.semi)
        cos, ok = refract(cos, normal, n1, n2)
        alive &= ok
        pos = pos.copy()
        pos[:, 2] -= surf.gap
        n1 = n2
    s = -pos[:, 2] / cos[:, 2]
    return pos + s[:, None] * cos, cos, alive


def through_focus(hit, cos, shifts):
    rms = np.empty(shifts.size)
    slope = cos[:, :2] / cos[:, 2:]
    for k, dz in enumerate(shifts):
        p = hit[:, :2] + dz * slope
        p = p - p.mean(axis=0)
        rms[k] = np.sqrt(np.mean(np.sum(p * p, axis=1)))
    return rms


def longitudinal(heights, curv, gaps, nidx):
    """Meridional trace ray by ray: axis crossing behind the last surface."""
    n = len(heights)
    cross = np.full(n, np.nan)
    for r in range(n):
        y = heights[r]
        z = 0.0
        u = 0.0
        good = True
        for s in range(len(curv)):
            c = curv[s]
            t = -z
            yy = y + t * math.tan(u)
            zz = 0.0
            for _ in range(8):
                rad = 1.0 - c * c * yy * yy
                if rad <= 0.0:
                    good = False
                    break
                sag = c * yy * yy / (1.0 + math.sqrt(rad))
                yy = y + (sag - z) * math.tan(u)
                zz = sag
            if not good:
                break
            y = yy
            phi = math.asin(c * y)
            arg = nidx[s] / nidx[s + 1] * math.sin(u + phi)
            if abs(arg) >= 1.0:
                good = False
                break
            u = math.asin(arg) - phi
            z = zz - gaps[s]
        if good and abs(u) > 1e-12:
            cross[r] = z - y / math.tan(u)
    return cross


def paraxial_focus(lens, wavelength):
    y, nu, n1 = 1.0, 0.0, 1.0
    for surf in lens:
        n2 = index(surf.glass, wavelength)
        nu -= y * (n2 - n1) / surf.radius
        n1 = n2
        back = -y / (nu / n2)
        y += surf.gap * nu / n2
    return back


if __name__ == "__main__":
    fields = [0.0, 8.0, 14.0]
    lines = {"F": 0.4861, "d": 0.5876, "C": 0.6563}
    results = {}
    for ang in fields:
        fan = pupil_grid(61, 8.2, -9.0, ang)
        fan = fan._replace(pos=fan.pos - np.array([0.0, 1.3 * np.tan(np.radians(ang)) * 9.0, 0.0]))
        for name, wl in lines.items():
            hit, cos, alive = trace(fan, LENS, wl)
            ok = alive
            results[f"spot_{ang:g}_{name}"] = through_focus(hit[ok], cos[ok], np.linspace(-0.6, 0.6, 9))
            results[f"alive_{ang:g}_{name}"] = alive.sum()
    curv = np.array([1.0 / s.radius for s in LENS])
    gaps = np.array([s.gap for s in LENS])
    nidx = np.array([1.0] + [index(s.glass, 0.5876) for s in LENS])
    heights = np.linspace(0.05, 6.0, 900)
    lsa = longitudinal(heights, curv, gaps, nidx)
    print(f"paraxial back focus {paraxial_focus(LENS, 0.5876):.6f} mm")
    print(f"marginal axis crossing {lsa[-1]:.6f} mm from the image plane")
    for ang in fields:
        print(f"field {ang:4.1f} deg: best rms d-line {results[f'spot_{ang:g}_d'].min():.6f} mm")
    np.savez(sys.argv[1], lsa=lsa, **results)

# Crowded-field photometry of a star cluster in two bands: sky mesh, detection, PSF fits star by
# star with neighbours subtracted, growth correction, colour-magnitude diagram, King-like profile.
import sys
from dataclasses import dataclass

import numpy as np
from scipy import ndimage

HALF = 5
GAIN = 2.0


@dataclass
class Star:
    y: float
    x: float
    flux: float
    chi2: float = 0.0
    rounds: int = 0


def draw_cluster(n, size, rng):
    """Positions and fluxes in two bands, mass function with a main sequence and a few giants."""
    r = 15.0 * np.sqrt(1.0 / (1.0 - rng.random(n) * 0.97) - 1.0)
    ang = 2 * np.pi * rng.random(n)
    y, x = size / 2 + r * np.sin(ang) + 0.3, size / 2 + r * np.cos(ang) - 0.2
    mass = (0.5 ** -1.35 - rng.random(n) * (0.5 ** -1.35 - 2.0 ** -1.35)) ** (-1 / 1.35)
    v = 4000.0 * mass**3.2
    i = 6500.0 * mass**2.5
    giant = rng.random(n) < 0.06
    v[giant], i[giant] = 30000.0, 90000.0
    inside = (np.abs(y - size / 2) < size / 2 - 7) & (np.abs(x - size / 2) < size / 2 - 7)
    return y[inside], x[inside], v[inside], i[inside]


def moffat(dy, dx, width, beta=3.0):
    norm = (beta - 1.0) / (np.pi * width**2)
    return norm * (1.0 + (dy**2 + dx**2) / width**2) ** -beta


def stamp_box(y, x):
    return int(round(y)) - HALF, int(round(x)) - HALF


def expose(size, ys, xs, flux, width, sky, rng):
    rows, cols = np.mgrid[0:size, 0:size]
    img = sky + 0.15 * rows + 0.08 * cols
    for y, x, f in zip(ys, xs, flux):
        img = img + f * moffat(rows - y, cols - x, width)
    return img + np.sqrt(img / GAIN) * rng.standard_normal(img.shape)


def sky_mesh(img, cell=16):
    """Clipped median on a mesh, bilinear between the nodes, and the sky noise."""
    m = img.shape[0] // cell
    nodes, noise = np.empty((m, m)), np.empty((m, m))
    for i in range(m):
        for j in range(m):
            v = img[i * cell:(i + 1) * cell, j * cell:(j + 1) * cell].ravel()
            for _ in range(4):
                mid = np.median(v)
                v = v[np.abs(v - mid) < 2.5 * np.std(v) + 1e-9]
            nodes[i, j] = 2.5 * np.median(v) - 1.5 * np.mean(v)
            noise[i, j] = np.std(v)
    where = (np.arange(img.shape[0]) - (cell - 1) / 2) / cell
    yy, xx = np.meshgrid(where, where, indexing="ij")
    return ndimage.map_coordinates(nodes, [yy, xx], order=1, mode="nearest"), float(np.median(noise))


def find_stars(img, noise, width, cut=6.0):
    """Local maxima of the image matched to the PSF."""
    k = np.arange(-3, 4)
    kernel = moffat(k[:, None], k[None, :], width)
    kernel = kernel / kernel.sum()
    match = ndimage.convolve(img, kernel, mode="nearest")
    level = cut * noise * np.sqrt((kernel**2).sum())
    peak = (match == ndimage.maximum_filter(match, size=3)) & (match > level)
    peak[:HALF + 1], peak[-HALF - 1:], peak[:, :HALF + 1], peak[:, -HALF - 1:] = False, False, False, False
    yy, xx = np.nonzero(peak)
    return yy, xx, match[yy, xx] / (kernel**2).sum()


def thin_out(yy, xx, flux, least=1.5):
    """Brightest first; drops detections closer than `least` pixels to one already kept."""
    kept = []
    for i in sorted(range(len(yy)), key=lambda k: -flux[k]):
        if all((yy[i] - s.y) ** 2 + (xx[i] - s.x) ** 2 >= least**2 for s in kept):
            kept.append(Star(float(yy[i]), float(xx[i]), float(flux[i])))
    return kept


def fit_star(data, weight, top, left, star, width, steps=8, move=True):
    """Gauss-Newton for position and flux on one stamp."""
    rows, cols = np.mgrid[top:top + 2 * HALF + 1, left:left + 2 * HALF + 1]
    y, x, f = star.y, star.x, star.flux
    h = 1e-3
    for it in range(steps):
        p = moffat(rows - y, cols - x, width)
        if move:
            py = f * (moffat(rows - y - h, cols - x, width) - moffat(rows - y + h, cols - x, width)) / (2 * h)
            px = f * (moffat(rows - y, cols - x - h, width) - moffat(rows - y, cols - x + h, width)) / (2 * h)
            a = np.stack([p.ravel(), py.ravel(), px.ravel()], axis=1)
        else:
            a = p.ravel()[:, None]
        r = (data - f * p).ravel()
        aw = a * weight.ravel()[:, None]
        step = np.linalg.solve(aw.T @ a, aw.T @ r)
        f += step[0]
        if move:
            y += np.clip(step[1], -0.4, 0.4)
            x += np.clip(step[2], -0.4, 0.4)
        if np.abs(step[0]) < 1e-7 * np.abs(f):
            break
    r = data - f * moffat(rows - y, cols - x, width)
    return Star(y, x, f, float((weight * r**2).mean()), it + 1)


def paint(shape, stars, width):
    """Model of all stars; each one adds to a stamp of 21 pixels."""
    img = np.zeros((shape[0] + 20, shape[1] + 20))
    k = np.arange(-10, 11)
    for s in stars:
        iy, ix = int(round(s.y)), int(round(s.x))
        img[iy:iy + 21, ix:ix + 21] += s.flux * moffat(k[:, None] + iy - s.y, k[None, :] + ix - s.x, width)
    return img[10:-10, 10:-10]


def photometry(img, sky, stars, width, passes=3, move=True):
    """All stars in turn against an image with the other stars taken off."""
    variance = np.maximum(img, 1.0) / GAIN
    k = np.arange(2 * HALF + 1)
    for _ in range(passes):
        left_over = img - sky - paint(img.shape, stars, width)
        fitted = []
        for s in stars:
            top, left = stamp_box(s.y, s.x)
            own = s.flux * moffat(k[:, None] + top - s.y, k[None, :] + left - s.x, width)
            cut = np.s_[top:top + 2 * HALF + 1, left:left + 2 * HALF + 1]
            fitted.append(fit_star(left_over[cut] + own, 1.0 / variance[cut], top, left, s, width, move=move))
        stars = [f if f.flux > 50.0 and abs(f.y - s.y) + abs(f.x - s.x) < 2.0 else s for s, f in zip(stars, fitted)]
    return stars, left_over


def density_profile(ys, xs, size, edges):
    """Stars per area in rings about the median position."""
    r = np.hypot(ys - np.median(ys), xs - np.median(xs))
    count = np.histogram(r, bins=edges)[0]
    return count / (np.pi * (edges[1:] ** 2 - edges[:-1] ** 2))


def main():
    size, width = 80, 1.9
    rng = np.random.default_rng(6397)
    ys, xs, v, i = draw_cluster(110, size, rng)
    images = {"V": expose(size, ys, xs, v, width, 120.0, rng), "I": expose(size, ys, xs, i, width, 180.0, rng)}
    sky, noise = sky_mesh(images["V"])
    stars = thin_out(*find_stars(images["V"] - sky, noise, width))
    stars, rest = photometry(images["V"], sky, stars, width)
    sky_i, _ = sky_mesh(images["I"])
    red, _ = photometry(images["I"], sky_i, [Star(s.y, s.x, 1.3 * s.flux) for s in stars], width, move=False)
    fv, fi = np.array([s.flux for s in stars]), np.array([s.flux for s in red])
    mag, colour = 25.0 - 2.5 * np.log10(fv), 2.5 * np.log10(fi / fv)
    place = np.array([(s.y, s.x) for s in stars])
    dist = np.sqrt(((place[:, None] - np.stack([ys, xs], axis=1)[None]) ** 2).sum(axis=2))
    near = dist.argmin(axis=1)
    dm = -2.5 * np.log10(fv / v[near])
    profile = density_profile(place[:, 0], place[:, 1], size, np.array([0.0, 4.0, 8.0, 13.0, 20.0, 31.0]))
    print(f"{len(ys)} stars drawn, {len(stars)} fitted, sky noise {noise:.3f}, residual rms {rest.std():.3f}")
    print(f"median error {np.median(dm):.4f} mag, within 0.1 mag {np.count_nonzero(np.abs(dm) < 0.1)}")
    print(f"median chi2 {np.median([s.chi2 for s in stars]):.3f}, red stars {np.count_nonzero(colour > 0.9)}")
    np.savez(sys.argv[1], place=place, mag=mag, colour=colour, profile=profile, rest=rest, sky=sky)


if __name__ == "__main__":
    main()

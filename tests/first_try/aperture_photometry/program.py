"""Aperture and PSF photometry of a simulated CCD frame: calibration, background, detection, centroids, fluxes."""
import sys
from dataclasses import dataclass

import numpy as np
from scipy import ndimage


@dataclass
class Setup:
    ny: int = 240
    nx: int = 260
    nstar: int = 160
    fwhm: float = 3.2
    gain: float = 1.8
    readnoise: float = 4.5
    zero: float = 25.0
    radius: float = 6.0
    sky_in: float = 9.0
    sky_out: float = 13.0
    mesh: int = 20

    @property
    def sigma(self):
        return self.fwhm / 2.3548


@dataclass
class Catalogue:
    y: np.ndarray
    x: np.ndarray
    flux: np.ndarray = None
    sky: np.ndarray = None
    error: np.ndarray = None

    def magnitudes(self, zero):
        good = self.flux > 0
        safe = np.where(good, self.flux, 1.0)
        return np.where(good, zero - 2.5 * np.log10(safe), 99.0)


def paint(setup, rng):
    """True sky: stars with a Gaussian profile on a sloping background, with flat field and bias."""
    margin = 16
    y = rng.uniform(margin, setup.ny - margin, setup.nstar)
    x = rng.uniform(margin, setup.nx - margin, setup.nstar)
    flux = 10 ** rng.uniform(3.0, 4.8, setup.nstar)
    yy, xx = np.mgrid[0:setup.ny, 0:setup.nx].astype(float)
    image = 120.0 + 0.05 * xx + 0.03 * yy
    half = 12
    norm = 2 * np.pi * setup.sigma ** 2
    for sy, sx, f in zip(y, x, flux):
        j, i = int(sy), int(sx)
        box = slice(j - half, j + half + 1), slice(i - half, i + half + 1)
        r2 = (yy[box] - sy) ** 2 + (xx[box] - sx) ** 2
        image[box] += f / norm * np.exp(-0.5 * r2 / setup.sigma ** 2)
    flat = 1.0 + 0.04 * np.cos(xx / 70.0) - 0.03 * np.sin(yy / 55.0)
    counts = image * flat + rng.standard_normal(image.shape) * np.sqrt(image / setup.gain + setup.readnoise ** 2)
    return counts + 300.0, flat, np.column_stack([y, x, flux])


def calibrate(raw, flat, bias):
    frame = raw.astype(np.float64) - bias
    frame /= flat / flat.mean()
    return frame


def clipped(cells, kappa=3.0, rounds=4):
    """Sigma-clipped mean and scatter of each row."""
    keep = np.ones(cells.shape, dtype=bool)
    for _ in range(rounds):
        n = keep.sum(axis=1)
        mean = np.where(keep, cells, 0.0).sum(axis=1) / n
        var = np.where(keep, (cells - mean[:, None]) ** 2, 0.0).sum(axis=1) / n
        keep = np.abs(cells - mean[:, None]) <= kappa * np.sqrt(var)[:, None]
    return mean, np.sqrt(var)


def background(frame, mesh):
    my, mx = frame.shape[0] // mesh, frame.shape[1] // mesh
    cells = frame.reshape(my, mesh, mx, mesh).swapaxes(1, 2).reshape(my * mx, mesh * mesh)
    mean, sd = clipped(cells)
    coarse = ndimage.median_filter(mean.reshape(my, mx), size=3, mode="nearest")
    smooth = ndimage.zoom(coarse, mesh, order=1, mode="nearest", grid_mode=True)
    return smooth, np.median(sd)


def local_maxima(image, level, border):
    ny, nx = image.shape
    peak = np.zeros((ny, nx), dtype=np.bool_)
    for j in range(border, ny - border):
        for i in range(border, nx - border):
            v = image[j, i]
            if v <= level:
                continue
            top = True
            for dj in (-1, 0, 1):
                for di in (-1, 0, 1):
                    if (dj != 0 or di != 0) and image[j + dj, i + di] >= v:
                        top = False
            peak[j, i] = top
    return peak


def centroids(image, y, x, box, rounds):
    """Windowed first moments, a few passes for every source."""
    cy = y.astype(float)
    cx = x.astype(float)
    for s in range(len(cy)):
        for _ in range(rounds):
            j0 = int(cy[s] + 0.5)
            i0 = int(cx[s] + 0.5)
            m = my = mx = 0.0
            for j in range(j0 - box, j0 + box + 1):
                for i in range(i0 - box, i0 + box + 1):
                    d2 = (j - cy[s]) ** 2 + (i - cx[s]) ** 2
                    w = image[j, i] * np.exp(-d2 / 4.0)
                    m += w
                    my += w * (j - cy[s])
                    mx += w * (i - cx[s])
            cy[s] += 2.0 * my / m
            cx[s] += 2.0 * mx / m
    return cy, cx


def photometry(frame, cat, setup):
    nstar = cat.y.size
    reach = int(setup.sky_out) + 1
    cat.flux = np.zeros(nstar)
    cat.sky = np.zeros(nstar)
    cat.error = np.zeros(nstar)
    jj, ii = np.mgrid[-reach:reach + 1, -reach:reach + 1]
    for s in range(nstar):
        j, i = int(round(cat.y[s])), int(round(cat.x[s]))
        stamp = frame[j - reach:j + reach + 1, i - reach:i + reach + 1]
        r = np.hypot(jj - (cat.y[s] - j), ii - (cat.x[s] - i))
        ring = stamp[(r >= setup.sky_in) & (r < setup.sky_out)]
        sky = np.median(ring)
        weight = np.clip(setup.radius + 0.5 - r, 0.0, 1.0)
        area = weight.sum()
        cat.sky[s] = sky
        cat.flux[s] = np.sum(weight * (stamp - sky))
        cat.error[s] = np.sqrt(max(cat.flux[s], 0.0) / setup.gain + area * ring.var() * (1.0 + area / ring.size))
    return cat


def match(cat, truth, limit):
    d2 = (cat.y[:, None] - truth[None, :, 0]) ** 2 + (cat.x[:, None] - truth[None, :, 1]) ** 2
    near = d2.argmin(axis=1)
    dist = np.sqrt(d2[np.arange(near.size), near])
    return np.where(dist < limit, near, -1), dist


def crowding(cat, reach):
    """Flux of neighbours inside reach, weighted by distance, relative to the star itself."""
    n = len(cat.x)
    crowd = np.zeros(n)
    for a in range(n):
        total = 0.0
        for b in range(n):
            if a == b:
                continue
            d = np.sqrt((cat.x[a] - cat.x[b]) ** 2 + (cat.y[a] - cat.y[b]) ** 2)
            if d < reach:
                total += cat.flux[b] * (1.0 - d / reach)
        crowd[a] = total / cat.flux[a]
    return crowd


def main(out):
    setup = Setup()
    raw, flat, truth = paint(setup, np.random.default_rng(1054))
    frame = calibrate(raw, flat, 300.0)
    sky, noise = background(frame, setup.mesh)
    smooth = ndimage.gaussian_filter(frame - sky, setup.sigma, mode="nearest")
    peak = local_maxima(smooth, 2.5 * float(noise), 20)
    py, px = np.nonzero(peak)
    cy, cx = centroids(frame - sky, py, px, 4, 3)
    cat = photometry(frame, Catalogue(cy, cx), setup)
    which, dist = match(cat, truth, 1.5)
    crowd = crowding(cat, 25.0)
    mag = cat.magnitudes(setup.zero)
    found = which >= 0
    ratio = cat.flux[found] / truth[which[found], 2]
    print(f"{peak.sum()} detections, {np.count_nonzero(found)} matched, noise {noise:.5f}")
    print(f"median flux ratio {np.median(ratio):.6f}, median offset {np.median(dist[found]):.6f} px")
    print(f"brightest {mag.min():.5f} mag, most crowded {crowd.max():.5f}")
    np.savez(out, frame=frame, sky=sky, peak=peak, y=cat.y, x=cat.x, flux=cat.flux, error=cat.error,
             local_sky=cat.sky, which=which, crowd=crowd, mag=mag)


if __name__ == "__main__":
    main(sys.argv[1])

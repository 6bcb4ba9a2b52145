# Absorption tomography of small phantoms: analytic ellipses, ray-driven projector, photon noise,
# filtered back projection and OS-SART with total-variation smoothing, errors by region.
import sys
from dataclasses import dataclass, field

import numpy as np
from scipy import fft, ndimage


@dataclass
class Ellipse:
    x: float
    y: float
    a: float
    b: float
    tilt: float
    mu: float


@dataclass
class Phantom:
    name: str
    parts: list = field(default_factory=list)

    def raster(self, n):
        c = (np.arange(n) + 0.5) / n * 2.0 - 1.0
        y, x = np.meshgrid(c, c, indexing="ij")
        img = np.zeros((n, n))
        for e in self.parts:
            u = (x - e.x) * np.cos(e.tilt) + (y - e.y) * np.sin(e.tilt)
            v = -(x - e.x) * np.sin(e.tilt) + (y - e.y) * np.cos(e.tilt)
            img[(u / e.a) ** 2 + (v / e.b) ** 2 <= 1.0] += e.mu
        return img


def phantoms():
    yield Phantom("bone", [Ellipse(0, 0, 0.72, 0.83, 0.1, 0.9), Ellipse(0.03, 0.05, 0.43, 0.51, 0.3, -0.6),
                           Ellipse(-0.31, 0.47, 0.09, 0.07, 0.0, 0.8)])
    yield Phantom("foam", [Ellipse(0, 0, 0.81, 0.77, 0.0, 0.7)] + [
        Ellipse(0.51 * np.cos(k * 1.3) * (k % 3 + 1) / 3, 0.49 * np.sin(k * 1.3) * (k % 3 + 1) / 3,
                0.101, 0.083, 0.4 * k, -0.63) for k in range(9)])


def ray_points(n, angle, bins):
    """Row and column of each sample along each ray of one view, in pixels."""
    s = (np.arange(bins) + 0.5) / bins * 2.0 - 1.0
    t = (np.arange(2 * n) + 0.5) / n - 1.0
    c, d = np.cos(angle), np.sin(angle)
    x = s[:, None] * c - t[None, :] * d
    y = s[:, None] * d + t[None, :] * c
    return (y + 1.0) * n / 2 - 0.5, (x + 1.0) * n / 2 - 0.5


def corners(row, col, n):
    """Bilinear neighbours with weights; weight zero outside the picture."""
    r0, c0 = np.floor(row).astype(int), np.floor(col).astype(int)
    fr, fc = row - r0, col - c0
    for dr, dc in ((0, 0), (0, 1), (1, 0), (1, 1)):
        r, c = r0 + dr, c0 + dc
        w = np.abs(1 - dr - fr) * np.abs(1 - dc - fc)
        inside = (r >= 0) & (r < n) & (c >= 0) & (c < n)
        yield np.clip(r, 0, n - 1), np.clip(c, 0, n - 1), np.where(inside, w, 0.0)


class Projector:
    def __init__(self, n, angles, bins):
        self.n, self.angles, self.bins = n, angles, bins
        self.step = 1.0 / n

    def forward(self, img, views=None):
        views = range(len(self.angles)) if views is None else views
        sino = np.zeros((len(views), self.bins))
        for i, v in enumerate(views):
            row, col = ray_points(self.n, self.angles[v], self.bins)
            for r, c, w in corners(row, col, self.n):
                sino[i] += (img[r, c] * w).sum(axis=1) * self.step
        return sino

    def back(self, sino, views=None):
        views = range(len(self.angles)) if views is None else views
        img = np.zeros((self.n, self.n))
        for i, v in enumerate(views):
            row, col = ray_points(self.n, self.angles[v], self.bins)
            for r, c, w in corners(row, col, self.n):
                np.add.at(img, (r, c), w * sino[i][:, None] * self.step)
        return img


def expose(sino, rng, photons=40000.0):
    """Counts through the sample, as line integrals again."""
    counts = photons * np.exp(-sino) + np.sqrt(photons * np.exp(-sino)) * rng.standard_normal(sino.shape)
    return -np.log(np.maximum(counts, 1.0) / photons)


def ramp_filter(sino):
    bins = sino.shape[1]
    size = 1 << (2 * bins - 1).bit_length()
    freq = np.abs(fft.fftfreq(size))
    window = 0.54 + 0.46 * np.cos(2 * np.pi * freq)
    spectrum = fft.fft(sino, size, axis=1) * freq * window
    return fft.ifft(spectrum, axis=1).real[:, :bins] * bins / 2


def filtered_back_projection(sino, angles, n):
    """Pixel-driven back projection with linear interpolation along the detector."""
    q = ramp_filter(sino)
    c = (np.arange(n) + 0.5) / n * 2.0 - 1.0
    y, x = np.meshgrid(c, c, indexing="ij")
    bins = sino.shape[1]
    centres = (np.arange(bins) + 0.5) / bins * 2.0 - 1.0
    img = np.zeros((n, n))
    for angle, profile in zip(angles, q):
        s = x * np.cos(angle) + y * np.sin(angle)
        img += np.interp(s.ravel(), centres, profile, left=0.0, right=0.0).reshape(n, n)
    return img * np.pi / len(angles)


def smooth_tv(img, steps=6, rate=0.004, eps=1e-3):
    for _ in range(steps):
        gy = np.diff(img, axis=0, append=img[-1:])
        gx = np.diff(img, axis=1, append=img[:, -1:])
        mag = np.sqrt(gx**2 + gy**2 + eps)
        px, py = gx / mag, gy / mag
        div = px - np.roll(px, 1, axis=1) + py - np.roll(py, 1, axis=0)
        img = img + rate * div
    return img


def os_sart(proj, sino, subsets=4, sweeps=3, relax=0.9):
    img = np.zeros((proj.n, proj.n))
    groups = [list(range(k, len(proj.angles), subsets)) for k in range(subsets)]
    rows = [proj.forward(np.ones_like(img), g) for g in groups]
    cols = [proj.back(np.ones((len(g), proj.bins)), g) for g in groups]
    history = []
    for _ in range(sweeps):
        for g, rs, cs in zip(groups, rows, cols):
            gap = sino[g] - proj.forward(img, g)
            ratio = np.where(rs > 1e-3, gap / np.maximum(rs, 1e-3), 0.0)
            img = img + relax * proj.back(ratio, g) / np.maximum(cs, 1e-6)
            img = np.maximum(img, 0.0)
        img = smooth_tv(img)
        history.append(float(np.sqrt(np.mean(gap**2))))
    return img, history


def region_errors(img, truth):
    """RMS error in each connected region of equal attenuation larger than ten pixels."""
    out = []
    for level in np.unique(np.round(truth, 6)):
        labels, count = ndimage.label(np.abs(truth - level) < 1e-5)
        for k in range(1, count + 1):
            m = labels == k
            if m.sum() > 10:
                out.append(np.sqrt(np.mean((img[m] - truth[m]) ** 2)))
    return np.array(out)


def main():
    n, bins = 40, 48
    angles = np.pi * np.arange(28) / 28 + 0.01
    proj = Projector(n, angles, bins)
    rng = np.random.default_rng(90)
    results = {}
    for ph in phantoms():
        truth = ph.raster(n)
        sino = expose(proj.forward(truth), rng)
        fbp = filtered_back_projection(sino, angles, n)
        sart, history = os_sart(proj, sino)
        errors = region_errors(sart, truth)
        rms = [np.sqrt(np.mean((img - truth) ** 2)) for img in (fbp, sart)]
        print(f"{ph.name}: FBP rms {rms[0]:.4f}, OS-SART rms {rms[1]:.4f}, last gap {history[-1]:.4f}, "
              f"{len(errors)} regions, worst {errors.max():.4f}")
        results.update({f"{ph.name}_sino": sino, f"{ph.name}_fbp": fbp, f"{ph.name}_sart": sart,
                        f"{ph.name}_errors": errors})
    np.savez(sys.argv[1], **results)


if __name__ == "__main__":
    main()

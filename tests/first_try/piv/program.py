# Particle image velocimetry on a synthetic vortex pair: image rendering, background removal, two-pass
# cross-correlation with window shift, Gaussian sub-pixel peaks, median validation, derived fields.
import sys

import numpy as np
from scipy import ndimage


def flow(x, y, size):
    """Displacement (pixel per frame) of two counter-rotating Lamb-Oseen vortices in a drift."""
    u = np.full_like(x, 1.2)
    v = np.full_like(x, -0.4)
    for cx, cy, gamma, core in [(0.36, 0.5, 260.0, 0.11), (0.68, 0.47, -220.0, 0.09)]:
        dx, dy = x - cx * size, y - cy * size
        r2 = dx**2 + dy**2 + 1e-9
        swirl = gamma / (2 * np.pi * r2) * (1 - np.exp(-r2 / (core * size) ** 2))
        u -= swirl * dy
        v += swirl * dx
    return u, v


def render(x, y, bright, size, sigma=1.05, reach=3):
    """Sum of Gaussian spots, each drawn on a (2 reach + 1)^2 patch."""
    img = np.zeros((size, size))
    ix, iy = np.floor(x).astype(int), np.floor(y).astype(int)
    for oy in range(-reach, reach + 1):
        for ox in range(-reach, reach + 1):
            px, py = ix + ox, iy + oy
            ok = (px >= 0) & (px < size) & (py >= 0) & (py < size)
            spot = bright * np.exp(-((px + 0.5 - x) ** 2 + (py + 0.5 - y) ** 2) / (2 * sigma**2))
            np.add.at(img, (py[ok], px[ok]), spot[ok])
    return img


def frames(size, n, rng):
    x, y = rng.uniform(-8, size + 8, n), rng.uniform(-8, size + 8, n)
    bright = rng.uniform(0.4, 1.0, n)
    u, v = flow(x, y, float(size))
    glare = np.linspace(0.0, 0.25, size)[:, None] * np.ones(size)
    a = render(x - u / 2, y - v / 2, bright, size) + glare + rng.normal(0, 0.01, (size, size))
    b = render(x + u / 2, y + v / 2, bright, size) + glare + rng.normal(0, 0.01, (size, size))
    return a, b


def preprocess(img, radius=12):
    low = ndimage.uniform_filter(img, 2 * radius + 1, mode="reflect")
    res = img - low
    spread = np.sqrt(ndimage.uniform_filter(res**2, 2 * radius + 1, mode="reflect"))
    return np.clip(res / (spread + 1e-3), -1.0, 4.0)


def correlate(wa, wb):
    """Normalised circular cross-correlation of two windows, zero shift in the middle."""
    wa = wa - wa.mean()
    wb = wb - wb.mean()
    spec = np.conj(np.fft.rfft2(wa)) * np.fft.rfft2(wb)
    corr = np.fft.fftshift(np.fft.irfft2(spec, s=wa.shape))
    return corr / np.sqrt((wa**2).sum() * (wb**2).sum())


def subpixel(c, r, k):
    """Three-point Gaussian fit around the integer peak."""
    lo, mid, hi = c[r, k - 1], c[r, k], c[r, k + 1]
    dx = 0.0
    if lo > 0 and hi > 0:
        dx = 0.5 * (np.log(lo) - np.log(hi)) / (np.log(lo) - 2 * np.log(mid) + np.log(hi))
    lo, hi = c[r - 1, k], c[r + 1, k]
    dy = 0.0
    if lo > 0 and hi > 0:
        dy = 0.5 * (np.log(lo) - np.log(hi)) / (np.log(lo) - 2 * np.log(mid) + np.log(hi))
    return dx, dy


def peak(c, limit):
    """Displacement of the highest peak within the limit, and its ratio to the second peak."""
    mid = c.shape[0] // 2
    area = c[mid - limit:mid + limit + 1, mid - limit:mid + limit + 1]
    r, k = np.unravel_index(np.argmax(area), area.shape)
    r, k = r + mid - limit, k + mid - limit
    dx, dy = subpixel(c, r, k)
    rest = c.copy()
    rest[r - 2:r + 3, k - 2:k + 3] = -1.0
    second = rest[mid - limit:mid + limit + 1, mid - limit:mid + limit + 1].max()
    return k - mid + dx, r - mid + dy, c[r, k] / max(second, 1e-6)


def piv_pass(a, b, win, step, guess, limit):
    """One interrogation pass on a regular grid; windows of b are moved by the whole-pixel guess."""
    size = a.shape[0]
    margin = win // 2 + 12
    centres = np.arange(margin, size - margin + 1, step)
    n = len(centres)
    u, v, snr = np.zeros((n, n)), np.zeros((n, n)), np.zeros((n, n))
    h = win // 2
    for i, cy in enumerate(centres):
        for j, cx in enumerate(centres):
            sx, sy = (0, 0) if guess is None else (int(guess[0][i, j]), int(guess[1][i, j]))
            wa = a[cy - h:cy + h, cx - h:cx + h]
            wb = b[cy - h + sy:cy + h + sy, cx - h + sx:cx + h + sx]
            du, dv, snr[i, j] = peak(correlate(wa, wb), limit)
            u[i, j], v[i, j] = du + sx, dv + sy
    return centres, u, v, snr


def validate(u, v, eps=0.15, limit=2.0):
    """Normalised median test (Westerweel and Scarano) and replacement by the neighbours' median."""
    bad = np.zeros(u.shape, dtype=bool)
    medians = []
    for f in (u, v):
        p = np.pad(f, 1, mode="reflect")
        n, m = f.shape
        around = np.stack([p[1 + di:1 + di + n, 1 + dj:1 + dj + m]
                           for di in (-1, 0, 1) for dj in (-1, 0, 1) if di or dj])
        med = np.median(around, axis=0)
        res = np.median(np.abs(around - med), axis=0)
        bad |= np.abs(f - med) / (res + eps) > limit
        medians.append(med)
    return np.where(bad, medians[0], u), np.where(bad, medians[1], v), bad


def resample(field, old, new):
    """Bilinear values of a field on the grid old x old at new x new."""
    pos = np.clip((new - old[0]) / (old[1] - old[0]), 0, len(old) - 1 - 1e-9)
    i = pos.astype(int)
    f = pos - i
    rows = field[i] * (1 - f)[:, None] + field[i + 1] * f[:, None]
    return rows[:, i] * (1 - f) + rows[:, i + 1] * f


def vorticity(u, v, step):
    return np.gradient(v, step, axis=1) - np.gradient(u, step, axis=0)


def circulation(w, centres, cx, cy, radii, step):
    """Vorticity summed over discs around one core."""
    r = np.hypot(centres[None, :] - cx, centres[:, None] - cy)
    return np.array([w[r < rad].sum() * step**2 for rad in radii])


def main():
    size = 256
    a, b = frames(size, 3400, np.random.default_rng(314))
    a, b = preprocess(a), preprocess(b)

    c1, u1, v1, _ = piv_pass(a, b, 48, 24, None, 10)
    u1, v1, bad1 = validate(u1, v1)
    margin = 12 + 12
    c2 = np.arange(margin, size - margin + 1, 8)
    guess = [np.floor(resample(f, c1, c2) + 0.5) for f in (u1, v1)]
    centres, u, v, snr = piv_pass(a, b, 24, 8, guess, 7)
    u, v, bad = validate(u, v)
    w = vorticity(u, v, 8.0)

    x, y = np.meshgrid(centres.astype(float), centres.astype(float))
    ut, vt = flow(x, y, float(size))
    err = np.hypot(u - ut, v - vt)
    gamma = circulation(w, centres, 0.36 * size, 0.5 * size, [20.3, 30.3, 40.3], 8.0)
    print(f"first pass {u1.shape[0]}x{u1.shape[1]}, replaced {bad1.sum()}")
    print(f"second pass {u.shape[0]}x{u.shape[1]}, replaced {bad.sum()}, median peak ratio {np.median(snr):.3f}")
    print(f"error: mean {err.mean():.4f} px, 95 % {np.quantile(err, 0.95):.3f} px")
    print("circulation:", " ".join(f"{g:.2f}" for g in gamma))
    np.savez(sys.argv[1], u=u, v=v, snr=snr, vorticity=w, u1=u1, v1=v1, gamma=gamma, bad=bad)


if __name__ == "__main__":
    main()

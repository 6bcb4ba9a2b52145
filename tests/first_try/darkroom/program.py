# Darkroom: from a high dynamic range scene to a one-bit print.
import sys
from itertools import product
import numpy as np

H, W = 96, 104


def scene(seed=12):
    rng = np.random.RandomState(seed)
    y, x = np.mgrid[0:H, 0:W]
    sky = 40.0 * np.exp(-y / 30.0)
    sun = 900.0 * np.exp(-((y - 18.0) ** 2 + (x - 74.0) ** 2) / 40.0)
    hills = np.where(y > 55 + 8 * np.sin(x / 9.0), 0.6 + 0.3 * np.cos(x / 4.0) * np.sin(y / 5.0), 0.0)
    lum = sky * (hills == 0) + sun + hills + 0.05
    lum = lum * (1.0 + 0.04 * rng.randn(H, W))
    tint = np.array([1.08, 1.0, 0.82])
    return np.clip(lum, 0.01, None)[:, :, None] * tint


def luminance(rgb):
    return rgb @ np.array([0.2126, 0.7152, 0.0722])


def reinhard(lum, key=0.18):
    log_mean = np.exp(np.mean(np.log(lum + 1e-6)))
    scaled = key / log_mean * lum
    white = np.percentile(scaled, 99.0)
    return scaled * (1.0 + scaled / white ** 2) / (1.0 + scaled)


def bilateral(img, radius, sigma_s, sigma_r):
    """Edge preserving base layer, pixel by pixel over the clipped window."""
    h, w = img.shape
    out = np.empty_like(img)
    for i in range(h):
        for j in range(w):
            acc = 0.0
            norm = 0.0
            c = img[i, j]
            for di in range(-radius, radius + 1):
                for dj in range(-radius, radius + 1):
                    a = i + di
                    b = j + dj
                    if a < 0 or a >= h or b < 0 or b >= w:
                        continue
                    d = img[a, b] - c
                    wgt = np.exp(-(di * di + dj * dj) / (2 * sigma_s ** 2) - d * d / (2 * sigma_r ** 2))
                    acc += wgt * img[a, b]
                    norm += wgt
            out[i, j] = acc / norm
    return out


def equalise(img, bins=64):
    hist, edges = np.histogram(img, bins=bins, range=(0.0, 1.0))
    cdf = np.cumsum(hist).astype(float)
    cdf = (cdf - cdf[0]) / (cdf[-1] - cdf[0])
    level = np.clip((img * bins).astype(int), 0, bins - 1)
    return cdf[level]


def bayer(n):
    m = np.zeros((1, 1))
    while m.shape[0] < n:
        m = np.block([[4 * m, 4 * m + 2], [4 * m + 3, 4 * m + 1]])
    return (m + 0.5) / m.size


def ordered_dither(img, screen):
    k = screen.shape[0]
    bits = np.zeros(img.shape, dtype=np.uint8)
    for i, j in np.ndindex(*img.shape):
        bits[i, j] = 1 if img[i, j] > screen[i % k, j % k] else 0
    return bits


def floyd_steinberg(img):
    """Error diffusion, serpentine."""
    work = img.copy()
    bits = np.zeros(img.shape, dtype=np.uint8)
    h, w = img.shape
    for i in range(h):
        step = 1 if i % 2 == 0 else -1
        j = 0 if step == 1 else w - 1
        while 0 <= j < w:
            old = work[i, j]
            new = 1.0 if old >= 0.5 else 0.0
            bits[i, j] = int(new)
            err = old - new
            if 0 <= j + step < w:
                work[i, j + step] += err * 7 / 16
            if i + 1 < h:
                work[i + 1, j] += err * 5 / 16
                if 0 <= j - step < w:
                    work[i + 1, j - step] += err * 3 / 16
                if 0 <= j + step < w:
                    work[i + 1, j + step] += err * 1 / 16
            j += step
    return bits


def erode(mask):
    out = np.zeros_like(mask)
    core = mask[1:-1, 1:-1].copy()
    for di, dj in product((-1, 0, 1), repeat=2):
        core &= mask[1 + di:H - 1 + di, 1 + dj:W - 1 + dj]
    out[1:-1, 1:-1] = core
    return out


def dilate(mask):
    padded = np.pad(mask, 1)
    out = np.zeros_like(mask)
    for di in range(3):
        for dj in range(3):
            out |= padded[di:di + mask.shape[0], dj:dj + mask.shape[1]]
    return out


def geodesic_reconstruction(marker, mask, limit=60):
    for n in range(limit):
        grown = dilate(marker) & mask
        if np.array_equal(grown, marker):
            break
        marker = grown
    return marker, n


def distance_transform(mask):
    """City-block distance to the background, two raster passes."""
    h, w = mask.shape
    big = h + w
    d = np.where(mask, big, 0)
    for i in range(h):
        for j in range(w):
            if d[i, j]:
                up = d[i - 1, j] if i > 0 else big
                left = d[i, j - 1] if j > 0 else big
                d[i, j] = min(up, left) + 1
    for i in range(h - 1, -1, -1):
        for j in range(w - 1, -1, -1):
            if d[i, j]:
                down = d[i + 1, j] if i < h - 1 else big
                right = d[i, j + 1] if j < w - 1 else big
                d[i, j] = min(d[i, j], down + 1, right + 1)
    return d


def box_blur(img, r):
    s = np.zeros((H + 1, W + 1))
    s[1:, 1:] = img.cumsum(axis=0).cumsum(axis=1)
    y0 = np.maximum(np.arange(H) - r, 0)
    y1 = np.minimum(np.arange(H) + r + 1, H)
    x0 = np.maximum(np.arange(W) - r, 0)
    x1 = np.minimum(np.arange(W) + r + 1, W)
    total = s[y1][:, x1] - s[y0][:, x1] - s[y1][:, x0] + s[y0][:, x0]
    return total / np.outer(y1 - y0, x1 - x0)


def local_tone(rgb):
    lum = luminance(rgb)
    loglum = np.log10(lum)
    base = bilateral(loglum, 2, 2.0, 0.4)
    detail = loglum - base
    compression = 1.6 / (base.max() - base.min())
    mapped = 10.0 ** ((base - base.max()) * compression + detail)
    return mapped, base


if __name__ == "__main__":
    rgb = scene()
    global_map = reinhard(luminance(rgb))
    local_map, base = local_tone(rgb)
    print("global %.6f local %.6f" % (global_map.mean(), local_map.mean()))

    display = np.clip(local_map, 0.0, 1.0) ** (1 / 2.2)
    flat = equalise(display)
    halftone = ordered_dither(display, bayer(8))
    diffused = floyd_steinberg(display)
    print("ink: ordered %d, diffused %d" % (halftone.sum(), diffused.sum()))

    smooth = box_blur(display, 3)
    bright = display > smooth * 1.02
    opened = dilate(erode(bright))
    marker = np.zeros_like(opened)
    marker[:, W // 2] = opened[:, W // 2]
    region, rounds = geodesic_reconstruction(marker, opened)
    depth = distance_transform(opened)
    print("opened %d px, region %d px after %d rounds, deepest %d" % (opened.sum(), region.sum(), rounds, depth.max()))

    np.savez(sys.argv[1], global_map=global_map, local_map=local_map, base=base, flat=flat, halftone=halftone,
             diffused=diffused, smooth=smooth, opened=opened, region=region, depth=depth)

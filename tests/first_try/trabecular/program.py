"""Bone density from a dental radiograph: step-wedge calibration, local thresholding of the
trabecular pattern, mean intercept lengths, and the largest marrow space."""
import sys

import numpy as np
from scipy import ndimage


def radiograph(shape, seed):
    rng = np.random.default_rng(seed)
    noise = rng.standard_normal(shape)
    texture = ndimage.gaussian_filter(noise, 2.2)
    texture /= texture.std()
    yy, xx = np.mgrid[0:shape[0], 0:shape[1]]
    trend = 118.0 + 0.12 * xx - 0.08 * yy
    root = ((xx - 50) / 17.0) ** 2 + ((yy - 20) / 60.0) ** 2 < 1.0
    img = trend + 15.0 * texture + 45.0 * root
    return np.clip(img + 1.5 * rng.standard_normal(shape), 0, 255), root


def wedge_curve(seed):
    """Grey level against aluminium thickness (mm), seven steps of the wedge."""
    rng = np.random.default_rng(seed)
    steps = np.arange(1, 8) * 1.0
    grey = 235.0 * (1 - np.exp(-0.17 * steps)) + 0.4 * rng.standard_normal(7)
    coef = np.polyfit(grey, steps, 3)
    return steps, grey, coef


def to_aluminium(img, coef):
    out = np.zeros_like(img)
    for c in coef:
        out = out * img + c
    return np.maximum(out, 0.0)


def local_threshold(img, half, k):
    """Niblack: mean + k * sd in a window, from integral images."""
    h, w = img.shape
    s1 = np.zeros((h + 1, w + 1))
    s2 = np.zeros((h + 1, w + 1))
    s1[1:, 1:] = img.cumsum(axis=0).cumsum(axis=1)
    s2[1:, 1:] = (img * img).cumsum(axis=0).cumsum(axis=1)
    bone = np.zeros((h, w), dtype=bool)
    for y in range(h):
        y0 = max(y - half, 0)
        y1 = min(y + half + 1, h)
        for x in range(w):
            x0 = max(x - half, 0)
            x1 = min(x + half + 1, w)
            n = (y1 - y0) * (x1 - x0)
            a = s1[y1, x1] - s1[y0, x1] - s1[y1, x0] + s1[y0, x0]
            b = s2[y1, x1] - s2[y0, x1] - s2[y1, x0] + s2[y0, x0]
            m = a / n
            sd = np.sqrt(max(b / n - m * m, 0.0))
            bone[y, x] = img[y, x] > m + k * sd
    return bone


def intercepts(bone, angle):
    """Bone fraction and number of marrow-to-bone crossings on each of the parallel test lines."""
    h, w = bone.shape
    c, s = np.cos(angle), np.sin(angle)
    n = 60
    frac = np.zeros(n)
    cross = np.zeros(n, dtype=np.int64)
    for line in range(n):
        off = (line - n / 2 + 0.5) * 1.3
        inside = 0
        hit = 0
        edges = 0
        prev = True
        for step in range(-70, 71):
            x = int(np.floor(w / 2 + step * c - off * s + 0.317))
            y = int(np.floor(h / 2 + step * s + off * c + 0.213))
            if x < 0 or y < 0 or x >= w or y >= h:
                continue
            inside += 1
            now = bone[y, x]
            if now:
                hit += 1
                if not prev:
                    edges += 1
            prev = now
        frac[line] = hit / inside if inside else 0.0
        cross[line] = edges
    return frac, cross


def largest_space(bone, region):
    """Flood fill of the marrow spaces inside the region; size of the largest."""
    h, w = bone.shape
    seen = bone | ~region
    best = 0
    for y in range(h):
        for x in range(w):
            if seen[y, x]:
                continue
            stack = [(y, x)]
            seen[y, x] = True
            size = 0
            while stack:
                j, i = stack.pop()
                size += 1
                for dj, di in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                    a, b = j + dj, i + di
                    if 0 <= a < h and 0 <= b < w and not seen[a, b]:
                        seen[a, b] = True
                        stack.append((a, b))
            best = max(best, size)
    return best


def density_profile(alu, bone, nbands):
    bands = np.linspace(0, alu.shape[0], nbands + 1).astype(int)
    out = np.zeros((nbands, 3))
    for b, (lo, hi) in enumerate(zip(bands[:-1], bands[1:])):
        part, mask = alu[lo:hi], bone[lo:hi]
        out[b, 0] = part.mean()
        out[b, 1] = part[mask].mean()
        out[b, 2] = mask.mean()
    return out


def main(path):
    img, root = radiograph((96, 104), 40)
    steps, grey, coef = wedge_curve(41)
    alu = to_aluminium(img, coef)
    smooth = ndimage.gaussian_filter(alu, 0.8)
    bone = local_threshold(smooth, 9, 0.1)
    bone &= ~root
    angles = np.linspace(0, np.pi, 9)[:-1]
    fractions, crossings = [], []
    for a in angles:
        f, c = intercepts(bone, a)
        fractions.append(f)
        crossings.append(c)
    fractions = np.array(fractions)
    crossings = np.array(crossings)
    profile = density_profile(alu, bone, 6)
    space = largest_space(bone, ~root)
    hist, edges = np.histogram(alu, bins=40, range=(0.0, 10.0))
    print(f"mean aluminium equivalent {alu.mean():.8f} mm")
    print(f"bone fraction {bone.mean():.6f}, largest marrow space {space} px")
    print("crossings per direction", crossings.sum(axis=1).tolist())
    np.savez(path, alu=alu, bone=bone, fractions=fractions, crossings=crossings,
             profile=profile, hist=hist, space=space)


if __name__ == "__main__":
    main(sys.argv[1])

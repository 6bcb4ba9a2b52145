"""Land cover from a multispectral scene: indices, clouds, texture, minimum distance classes."""
import sys

import numpy as np

BANDS = ("blue", "green", "red", "nir", "swir")
CLASSES = ["water", "soil", "grass", "forest"]
SIGNATURES = np.array([
    [0.06, 0.05, 0.04, 0.02, 0.01],
    [0.10, 0.14, 0.20, 0.28, 0.34],
    [0.05, 0.10, 0.07, 0.38, 0.22],
    [0.03, 0.05, 0.03, 0.28, 0.11],
])


def make_scene(rows, cols, seed=42):
    rng = np.random.default_rng(seed)
    yy, xx = np.mgrid[0:rows, 0:cols]
    label = ((xx // 16 + 2 * (yy // 20)) % 4).astype(int)
    scene = {}
    for b, name in enumerate(BANDS):
        scene[name] = np.clip(SIGNATURES[label, b] + rng.normal(0.0, 0.012, label.shape), 0.001, 1.0)
    cloud = (yy - 20) ** 2 + (xx - 60) ** 2 < 80
    for name in BANDS:
        scene[name][cloud] = 0.8
    return scene, label


def normalised_difference(a, b):
    total = a + b
    return np.where(np.abs(total) > 1e-6, (a - b) / total, 0.0)


def indices(scene):
    out = {
        "ndvi": normalised_difference(scene["nir"], scene["red"]),
        "ndwi": normalised_difference(scene["green"], scene["nir"]),
        "ndbi": normalised_difference(scene["swir"], scene["nir"]),
    }
    out["evi"] = 2.5 * (scene["nir"] - scene["red"]) / (
        scene["nir"] + 6.0 * scene["red"] - 7.5 * scene["blue"] + 10.0)
    return out


def cloud_mask(scene):
    bright = (scene["blue"] + scene["green"] + scene["red"]) / 3.0 > 0.5
    grown = bright.copy()
    grown[1:] |= bright[:-1]
    grown[:-1] |= bright[1:]
    grown[:, 1:] |= bright[:, :-1]
    grown[:, :-1] |= bright[:, 1:]
    return grown


def classify(stack, mask):
    """Nearest signature of each pixel; -1 under clouds."""
    rows, cols, bands = stack.shape
    result = np.full((rows, cols), -1)
    for i, j in np.ndindex(rows, cols):
        if mask[i, j]:
            continue
        best = -1
        best_d = 1e9
        for c in range(len(SIGNATURES)):
            d = 0.0
            for b in range(bands):
                d += (stack[i, j, b] - SIGNATURES[c, b]) ** 2
            if d < best_d:
                best_d = d
                best = c
        result[i, j] = best
    return result


def majority(labels, nclass):
    """3x3 vote, the lowest class wins ties."""
    rows, cols = labels.shape
    votes = np.zeros((nclass, rows - 2, cols - 2), dtype=int)
    for c in range(nclass):
        member = (labels == c).astype(int)
        for dy in range(3):
            for dx in range(3):
                votes[c] += member[dy:dy + rows - 2, dx:dx + cols - 2]
    out = labels.copy()
    out[1:-1, 1:-1] = votes.argmax(axis=0)
    return out


def confusion(truth, found, nclass):
    valid = found >= 0
    code = truth[valid] * nclass + found[valid]
    return np.bincount(code, minlength=nclass * nclass).reshape(nclass, nclass)


def principal_components(stack, mask):
    pixels = stack[~mask]
    centred = pixels - pixels.mean(axis=0)
    cov = centred.T @ centred / (len(pixels) - 1)
    values = np.linalg.eigvalsh(cov)[::-1]
    return cov, values


def equalise(band, levels=64):
    """Histogram equalisation by the cumulative distribution."""
    lo, hi = band.min(), band.max()
    level = np.minimum(((band - lo) / (hi - lo) * levels).astype(int), levels - 1)
    hist = np.bincount(level.ravel(), minlength=levels)
    cdf = np.cumsum(hist) / level.size
    return cdf[level]


def class_report(labels, ndvi):
    lines = []
    for c, name in enumerate(CLASSES):
        inside = labels == c
        lines.append(f"{name:7s} {int(inside.sum()):5d} mean ndvi {ndvi[inside].mean():.5f}")
    return "\n".join(lines)


def main():
    scene, truth = make_scene(60, 80)
    idx = indices(scene)
    mask = cloud_mask(scene)
    stack = np.dstack([scene[name] for name in BANDS])
    labels = classify(stack, mask)
    smooth = majority(labels, len(CLASSES))
    table = confusion(truth, smooth, len(CLASSES))
    cov, values = principal_components(stack, mask)
    shown = equalise(scene["nir"])
    print(class_report(smooth, idx["ndvi"]))
    print(f"accuracy {np.trace(table) / table.sum():.5f}, clouds {int(mask.sum())}")
    np.savez(sys.argv[1], labels=labels, smooth=smooth, table=table, cov=cov, values=values,
             shown=shown, mask=mask, **idx)


if __name__ == "__main__":
    main()

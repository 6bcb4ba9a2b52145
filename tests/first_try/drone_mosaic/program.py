"""Mosaic of four drone frames: robust homographies, warping, feathered blending, seam."""
import sys

import numpy as np
from scipy import ndimage

H_FRAME, W_FRAME = 44, 60
CANVAS = (64, 104)
ORIGIN = np.array([-4.37, -6.61])          # canvas pixel (0, 0) in frame-0 coordinates (x, y)


def field_texture(rng, shape=(100, 140)):
    """Crop rows, tracks and clods; smooth enough to be resampled."""
    yy, xx = np.mgrid[0:shape[0], 0:shape[1]]
    rows = 0.5 + 0.25 * np.sin(2 * np.pi * (0.11 * xx + 0.03 * yy))
    track = np.exp(-((yy - 0.4 * xx - 20.0) / 3.0) ** 2)
    clods = ndimage.gaussian_filter(rng.normal(size=shape), 2.2)
    return rows + 0.6 * track + 0.8 * clods


def bilinear(img, x, y):
    """Sample img at float positions; positions are clipped to the border."""
    h, w = img.shape
    x = np.clip(x, 0.0, w - 1.001)
    y = np.clip(y, 0.0, h - 1.001)
    i = np.floor(x).astype(int)
    j = np.floor(y).astype(int)
    a, b = x - i, y - j
    return (img[j, i] * (1 - a) * (1 - b) + img[j, i + 1] * a * (1 - b)
            + img[j + 1, i] * (1 - a) * b + img[j + 1, i + 1] * a * b)


def project(H, pts):
    """Apply a homography to (n, 2) points."""
    q = pts @ H[:, :2].T + H[:, 2]
    return q[:, :2] / q[:, 2:]


def take_frame(ground, H, gain):
    """What the camera with ground-from-frame homography H records."""
    yy, xx = np.mgrid[0:H_FRAME, 0:W_FRAME].astype(float)
    g = project(H, np.column_stack([xx.ravel(), yy.ravel()]))
    return gain * bilinear(ground, g[:, 0] + 12.0, g[:, 1] + 16.0).reshape(H_FRAME, W_FRAME)


def equations(src, dst):
    """Rows of the direct linear transform with h33 = 1."""
    n = len(src)
    A = np.zeros((2 * n, 8))
    rhs = np.zeros(2 * n)
    for k in range(n):
        x, y = src[k]
        u, v = dst[k]
        A[2 * k, 0:3] = x, y, 1.0
        A[2 * k, 6:8] = -u * x, -u * y
        A[2 * k + 1, 3:6] = x, y, 1.0
        A[2 * k + 1, 6:8] = -v * x, -v * y
        rhs[2 * k], rhs[2 * k + 1] = u, v
    return A, rhs


def ransac(src, dst, samples, tol):
    """Best homography over the given minimal samples, then a fit to all its inliers."""
    best_count, best = 0, None
    for pick in samples:
        A, rhs = equations(src[pick], dst[pick])
        if abs(np.linalg.det(A)) < 1e-3:
            continue
        H = np.append(np.linalg.solve(A, rhs), 1.0).reshape(3, 3)
        err = np.hypot(*(project(H, src) - dst).T)
        count = np.count_nonzero(err < tol)
        if count > best_count:
            best_count, best = count, err < tol
    A, rhs = equations(src[best], dst[best])
    h = np.linalg.lstsq(A, rhs, rcond=None)[0]
    return np.append(h, 1.0).reshape(3, 3), best


def transfer_errors(Hs, refs, pts):
    """Largest error in frame pixels when points go out with Hs and come back with refs (stacks)."""
    hom = np.column_stack([pts, np.ones(len(pts))])
    there_and_back = np.linalg.inv(refs) @ Hs
    ret = np.einsum("kij,nj->kni", there_and_back, hom)
    return np.sqrt(((ret / ret[..., 2:] - hom) ** 2).sum(axis=-1)).max(axis=1)


def warp_into(canvas, weight, img, Hinv, gain):
    """Add a frame to the canvas, pixel by pixel, weighted by its distance to the frame border."""
    h, w = img.shape
    for r, c in np.ndindex(canvas.shape):
        gx = c + ORIGIN[0]
        gy = r + ORIGIN[1]
        z = Hinv[2, 0] * gx + Hinv[2, 1] * gy + Hinv[2, 2]
        u = (Hinv[0, 0] * gx + Hinv[0, 1] * gy + Hinv[0, 2]) / z
        v = (Hinv[1, 0] * gx + Hinv[1, 1] * gy + Hinv[1, 2]) / z
        if u < 0.0 or v < 0.0 or u >= w - 1 or v >= h - 1:
            continue
        i, j = int(u), int(v)
        a, b = u - i, v - j
        value = ((1 - b) * ((1 - a) * img[j, i] + a * img[j, i + 1])
                 + b * ((1 - a) * img[j + 1, i] + a * img[j + 1, i + 1]))
        feather = min(u, w - 1 - u) * min(v, h - 1 - v) / (0.25 * w * h)
        canvas[r, c] += feather * value / gain
        weight[r, c] += feather


def fill_holes(img, known, iterations):
    """Diffuse the mosaic into the cells no frame has seen."""
    out = np.where(known, img, img[known].mean())
    for _ in range(iterations):
        p = np.pad(out, 1, mode="edge")
        avg = 0.25 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:])
        out[~known] = avg[~known]
    return out


def seam_table(cost):
    """Cumulative cost of the cheapest connected seam from the top row down."""
    table = cost.copy()
    for r in range(1, len(table)):
        up = table[r - 1]
        low = up.copy()
        low[1:] = np.minimum(low[1:], up[:-1])
        low[:-1] = np.minimum(low[:-1], up[1:])
        table[r] += low
    return table


def follow_seam(table):
    """Walk the seam back from the cheapest cell of the last row."""
    n, w = table.shape
    seam = np.zeros(n, dtype=int)
    seam[-1] = np.argmin(table[-1])
    for r in range(n - 2, -1, -1):
        lo = max(0, seam[r + 1] - 1)
        hi = min(w, seam[r + 1] + 2)
        seam[r] = lo + np.argmin(table[r, lo:hi])
    return seam


def main():
    rng = np.random.default_rng(1783)
    ground = field_texture(rng)
    truth = [np.eye(3),
             np.array([[0.98, 0.05, 33.0], [-0.04, 1.01, 3.0], [2e-4, -1e-4, 1.0]]),
             np.array([[1.02, -0.06, 2.5], [0.05, 0.97, 11.0], [-1e-4, 2e-4, 1.0]]),
             np.array([[0.97, 0.02, 31.0], [0.03, 1.03, 10.5], [1e-4, 1e-4, 1.0]])]
    gains = [1.0, 1.08, 0.94, 1.03]
    frames = [take_frame(ground, H, g) for H, g in zip(truth, gains)]

    estimates, inlier_counts = [np.eye(3)], []
    for H in truth[1:]:
        src = np.column_stack([rng.uniform(0, W_FRAME, 60), rng.uniform(0, H_FRAME, 60)])
        dst = project(H, src) + rng.normal(0.0, 0.15, src.shape)
        wrong = rng.choice(60, 15, replace=False)
        dst[wrong] += rng.uniform(-20.0, 20.0, (15, 2))
        samples = [rng.choice(60, 4, replace=False) for _ in range(40)]
        Hest, inliers = ransac(src, dst, samples, 1.0)
        estimates.append(Hest)
        inlier_counts.append(int(inliers.sum()))

    corners = np.array([[0.0, 0.0], [W_FRAME, 0.0], [W_FRAME, H_FRAME], [0.0, H_FRAME]])
    drift = np.array([np.linalg.norm(project(e, corners) - project(t, corners), axis=1) for e, t in zip(estimates, truth)])
    loop = transfer_errors(np.stack(estimates), np.stack(truth), corners + 0.5)

    layers, weights = [], []
    for img, H, g in zip(frames, estimates, gains):
        c, w = np.zeros(CANVAS), np.zeros(CANVAS)
        warp_into(c, w, img, np.linalg.inv(H), g)
        layers.append(c)
        weights.append(w)
    total = np.sum(weights, axis=0)
    known = total > 1e-3
    mosaic = fill_holes(np.sum(layers, axis=0) / np.where(known, total, 1.0), known, 30)

    both = (weights[0] > 0.02) & (weights[1] > 0.02)
    a = layers[0] / np.where(both, weights[0], 1.0)
    b = layers[1] / np.where(both, weights[1], 1.0)
    cost = np.where(both, (a - b) ** 2, 4.0) + 2e-6 * np.abs(np.arange(CANVAS[1]) - 52.3)
    table = seam_table(cost)
    seam = follow_seam(table)

    print("inliers", inlier_counts, f"largest corner drift {drift.max():.5f} px")
    print(f"coverage {known.mean():.5f}, mosaic mean {mosaic.mean():.6f} std {mosaic.std():.6f}")
    print(f"overlap rms {np.sqrt(np.mean((a - b)[both] ** 2)):.6f}, seam cost {table[-1].min():.6f}, columns {seam.min()}..{seam.max()}")
    np.savez(sys.argv[1], homographies=np.array(estimates), drift=drift, loop=loop, mosaic=mosaic,
             weight=total, known=known, table=table, seam=seam)


if __name__ == "__main__":
    main()

"""Harris corners and window stereo matching on a synthetic rectified pair."""
import sys

import numpy as np

HEIGHT, WIDTH = 60, 90
MAX_DISP = 10
HALF = 2


def make_pair(seed=7):
    rng = np.random.default_rng(seed)
    texture = rng.random((HEIGHT, WIDTH + 2 * MAX_DISP))
    texture = (texture + np.roll(texture, 1, axis=1) + np.roll(texture, 1, axis=0)) / 3.0
    disp = np.full((HEIGHT, WIDTH), 3)
    disp[15:45, 30:60] = 7
    left = texture[:, MAX_DISP:MAX_DISP + WIDTH].copy()
    cols = np.arange(WIDTH)[None, :] - disp + MAX_DISP
    right = np.take_along_axis(texture, cols, axis=1)
    return right, left, disp


def gradients(img):
    gx = np.zeros_like(img)
    gy = np.zeros_like(img)
    gx[:, 1:-1] = 0.5 * (img[:, 2:] - img[:, :-2])
    gy[1:-1, :] = 0.5 * (img[2:, :] - img[:-2, :])
    return gx, gy


def box3(a):
    p = np.pad(a, 1, mode="edge")
    h, w = a.shape
    out = np.zeros_like(a)
    for dy in range(3):
        for dx in range(3):
            out += p[dy:dy + h, dx:dx + w]
    return out / 9.0


def harris(img, k=0.05):
    gx, gy = gradients(img)
    sxx = box3(gx * gx)
    syy = box3(gy * gy)
    sxy = box3(gx * gy)
    return sxx * syy - sxy * sxy - k * (sxx + syy) ** 2


def local_maxima(r, frac):
    """Strict 8-neighbour maxima above a fraction of the strongest response."""
    keep = np.zeros(r.shape, dtype=bool)
    limit = frac * r.max()
    for y in range(1, r.shape[0] - 1):
        for x in range(1, r.shape[1] - 1):
            v = r[y, x]
            if v <= limit:
                continue
            best = True
            for dy in (-1, 0, 1):
                for dx in (-1, 0, 1):
                    if (dy or dx) and r[y + dy, x + dx] >= v:
                        best = False
            keep[y, x] = best
    return keep


def block_match(left, right):
    """Winner-takes-all sum of absolute differences; also the winning cost."""
    h, w = left.shape
    best_cost = np.full((h, w), np.inf)
    best_disp = np.zeros((h, w), dtype=np.int64)
    for d in range(MAX_DISP + 1):
        diff = np.full((h, w), 1.0)
        diff[:, d:] = np.abs(left[:, d:] - right[:, :w - d])
        cost = np.full((h, w), np.inf)
        acc = np.zeros((h - 2 * HALF, w - 2 * HALF))
        for dy in range(2 * HALF + 1):
            for dx in range(2 * HALF + 1):
                acc += diff[dy:h - 2 * HALF + dy, dx:w - 2 * HALF + dx]
        cost[HALF:-HALF, HALF:-HALF] = acc
        better = cost < best_cost - 1e-9
        best_cost[better] = cost[better]
        best_disp[better] = d
    return best_disp, best_cost


def median_rows(disp):
    """Vertical 3-tap median against streaks."""
    stack = np.stack([disp[:-2], disp[1:-1], disp[2:]])
    out = disp.copy()
    out[1:-1] = np.sort(stack, axis=0)[1]
    return out


def score(disp, truth, cost):
    ok = np.isfinite(cost)
    ok[:, :MAX_DISP + HALF] = False
    err = np.abs(disp - truth)[ok]
    return (err <= 1).mean(), err.mean()


def main():
    left, right, truth = make_pair()
    response = harris(left)
    corners = local_maxima(response, 0.2)
    disp, cost = block_match(left, right)
    smooth = median_rows(disp)
    good, mean_err = score(smooth, truth, cost)
    ys, xs = np.nonzero(corners)
    at_corners = smooth[ys, xs]
    print(f"corners {len(ys)}")
    print(f"disparity within one pixel {good:.4f}, mean error {mean_err:.4f}")
    np.savez(sys.argv[1], response=response, corners=corners, disp=disp, smooth=smooth,
             cost=np.where(np.isfinite(cost), cost, -1.0), at_corners=at_corners)


if __name__ == "__main__":
    main()

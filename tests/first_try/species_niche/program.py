import sys
from io import StringIO

import numpy as np
from scipy import ndimage

NAMES = ["bio1", "bio4", "bio12", "bio15", "elev"]
ROWS, COLS = 110, 140
CELL_KM = 5.0


def climate_layers(rng):
    """Synthetic climate surfaces: latitude trend, relief and smooth noise."""
    lat = np.linspace(48.0, 36.0, ROWS)[:, None]
    lon = np.linspace(-9.0, 5.0, COLS)[None, :]
    bumps = [(40.5, -5.0, 1900.0, 1.1), (42.6, 0.5, 2600.0, 1.4), (37.1, -3.2, 2700.0, 0.8), (45.2, 2.8, 1500.0, 1.6)]
    elev = 180.0 + 0.0 * lat * lon
    for la, lo, top, width in bumps:
        elev = elev + top * np.exp(-((lat - la) ** 2 + 0.6 * (lon - lo) ** 2) / width ** 2)
    noise = ndimage.gaussian_filter(rng.standard_normal((4, ROWS, COLS)), sigma=(0, 4, 4))
    noise /= noise.std(axis=(1, 2), keepdims=True)
    layers = {}
    layers["elev"] = elev + 60.0 * noise[0]
    layers["bio1"] = 30.0 - 0.42 * (lat - 20.0) - 0.0058 * layers["elev"] + 0.5 * noise[1]
    layers["bio4"] = 450.0 + 14.0 * (lon + 9.0) + 6.0 * (lat - 36.0) + 18.0 * noise[2]
    layers["bio12"] = 380.0 + 34.0 * (lat - 36.0) + 0.22 * layers["elev"] - 12.0 * lon + 45.0 * noise[3]
    layers["bio15"] = 62.0 - 2.6 * (lat - 36.0) + 3.0 * noise[1] - 2.0 * noise[3]
    sea = (lon < -8.2) | ((lat < 37.0) & (lon > 1.0))
    for name in NAMES:
        layers[name] = np.where(sea, np.nan, layers[name])
    return layers


def read_ascii_grid(text):
    """ESRI ASCII grid with six header lines."""
    f = StringIO(text)
    head = {}
    for _ in range(6):
        key, value = f.readline().split()
        head[key.lower()] = float(value)
    grid = np.loadtxt(f)
    grid[grid == head["nodata_value"]] = np.nan
    return grid


def write_ascii_grid(grid):
    rows = ["ncols %d" % grid.shape[1], "nrows %d" % grid.shape[0], "xllcorner -9.0", "yllcorner 36.0",
            "cellsize 0.1", "NODATA_value -9999"]
    for row in np.where(np.isnan(grid), -9999.0, grid):
        rows.append(" ".join("%.4f" % v for v in row))
    return "\n".join(rows) + "\n"


def thin_records(rows, cols, spacing):
    """Keep records in order as long as no kept record is nearer than the spacing."""
    kept = []
    for i in range(rows.size):
        ok = True
        for j in kept:
            if (rows[i] - rows[j]) ** 2 + (cols[i] - cols[j]) ** 2 < spacing * spacing:
                ok = False
                break
        if ok:
            kept.append(i)
    return np.array(kept)


def heterogeneity(grid, half=2):
    """Range within a moving window, missing cells left out."""
    out = np.full(grid.shape, np.nan)
    nr, nc = grid.shape
    for r, c in np.ndindex(nr, nc):
        if np.isnan(grid[r, c]):
            continue
        low = high = grid[r, c]
        for rr in range(max(r - half, 0), min(r + half + 1, nr)):
            for cc in range(max(c - half, 0), min(c + half + 1, nc)):
                v = grid[rr, cc]
                if v < low:
                    low = v
                elif v > high:
                    high = v
        out[r, c] = high - low
    return out


def bioclim(stack, samples):
    """Percentile envelope: the least favourable of all variables decides."""
    score = None
    for k in range(stack.shape[0]):
        ref = np.sort(samples[k])
        rank = np.searchsorted(ref, stack[k].ravel(), side="right").reshape(stack[k].shape) / ref.size
        tail = 2.0 * np.minimum(rank, 1.0 - rank)
        score = tail if score is None else np.minimum(score, tail)
    return score


def mahalanobis(stack, samples):
    mean = samples.mean(axis=1)
    cov = np.cov(samples)
    inv = np.linalg.inv(cov)
    d = stack - mean[:, None, None]
    return np.einsum("irc,ij,jrc->rc", d, inv, d)


def design(values):
    """Linear and quadratic terms plus an intercept, one row per site."""
    return np.vstack([np.ones(values.shape[1]), values, values ** 2]).T


def fit_logistic(X, y, weight, ridge=1e-2, tol=1e-9):
    """Iteratively reweighted least squares."""
    beta = np.zeros(X.shape[1])
    penalty = ridge * np.eye(X.shape[1])
    penalty[0, 0] = 0.0
    for it in range(25):
        eta = np.clip(X @ beta, -30, 30)
        p = 1.0 / (1.0 + np.exp(-eta))
        w = weight * p * (1 - p)
        grad = X.T @ (weight * (y - p)) - penalty @ beta
        hess = (X.T * w) @ X + penalty
        step = np.linalg.solve(hess, grad)
        beta = beta + step
        if np.abs(step).max() < tol:
            break
    return beta, it + 1


def auc(presence, background):
    """Probability that a presence outranks a background site."""
    wins = 0.0
    for i in range(presence.size):
        for j in range(background.size):
            if presence[i] > background[j]:
                wins += 1.0
            elif presence[i] == background[j]:
                wins += 0.5
    return wins / (presence.size * background.size)


def best_threshold(presence, background):
    """Threshold with the largest sum of sensitivity and specificity."""
    best, at = -1.0, 0.0
    for t in np.unique(np.concatenate([presence, background]))[::7]:
        tss = (presence >= t).mean() + (background < t).mean() - 1.0
        if tss > best:
            best, at = tss, t
    return at, best


def disperse(suitable, start, steps):
    """Occupied area growing by one cell per step into suitable neighbours."""
    occ = start & suitable
    area = []
    for _ in range(steps):
        grown = occ.copy()
        grown[1:] |= occ[:-1]
        grown[:-1] |= occ[1:]
        grown[:, 1:] |= occ[:, :-1]
        grown[:, :-1] |= occ[:, 1:]
        occ = grown & suitable
        area.append(occ.sum())
    return occ, np.array(area)


def main():
    rng = np.random.default_rng(77)
    layers = climate_layers(rng)
    layers["bio12"] = read_ascii_grid(write_ascii_grid(layers["bio12"]))
    stack = np.stack([layers[n] for n in NAMES])
    land = ~np.isnan(stack).any(axis=0)
    mean = np.nanmean(stack, axis=(1, 2))
    sd = np.nanstd(stack, axis=(1, 2))
    z = (stack - mean[:, None, None]) / sd[:, None, None]

    truth = np.exp(-0.5 * ((z[0] - 0.2) / 0.5) ** 2 - 0.5 * ((z[2] - 0.1) / 0.7) ** 2)
    p = np.where(land, truth, 0.0).ravel()
    cells = rng.choice(p.size, 400, p=p / p.sum())
    rows, cols = np.unravel_index(cells, land.shape)
    keep = thin_records(rows, cols, 3.0)
    rows, cols = rows[keep], cols[keep]
    br, bc = np.nonzero(land)
    pick = rng.choice(br.size, 600, replace=False)
    br, bc = br[pick], bc[pick]

    filled = np.where(land, z, 0.0)
    pres = filled[:, rows, cols]
    back = filled[:, br, bc]
    envelope = np.where(land, bioclim(filled, pres), 0.0)
    dist = np.where(land, mahalanobis(filled, pres), 0.0)
    X = np.concatenate([design(pres), design(back)])
    y = np.concatenate([np.ones(rows.size), np.zeros(br.size)])
    weight = np.where(y == 1, 1.0, rows.size / br.size)
    beta, iters = fit_logistic(X, y, weight)
    eta = design(filled.reshape(len(NAMES), -1)) @ beta
    suit = np.where(land, (1.0 / (1.0 + np.exp(-eta))).reshape(land.shape), 0.0)

    warm = layers["bio1"] + 1.8
    zf = filled.copy()
    zf[0] = np.where(land, (warm - mean[0]) / sd[0], 0.0)
    future = 1.0 / (1.0 + np.exp(-(design(zf.reshape(len(NAMES), -1)) @ beta)))
    future = np.where(land, future.reshape(land.shape), 0.0)

    a = auc(suit[rows, cols], suit[br, bc])
    thr, tss = best_threshold(suit[rows, cols], suit[br, bc])
    start = np.zeros(land.shape, dtype=bool)
    start[rows, cols] = True
    occ, area = disperse((future > thr) & land, start, 25)
    rough = heterogeneity(layers["elev"])
    np.savez(sys.argv[1], envelope=envelope, dist=dist, beta=beta, suit=suit, future=future, occupied=occ,
             area=area * CELL_KM ** 2, rough=rough, scores=np.array([a, thr, tss]))
    print(rows.size, "records kept,", int(land.sum()), "land cells,", iters, "iterations")
    print("AUC %.6f  TSS %.6f at %.6f" % (a, tss, thr))
    print("suitable now %d, later %d, reached %d" % ((suit > thr).sum(), (future > thr).sum(), area[-1]))


if __name__ == "__main__":
    main()

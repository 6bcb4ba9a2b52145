"""Zinc concentrations along a river bank: experimental variogram, local ordinary
kriging onto a prediction grid, and the sampling density of the survey."""
import sys

import numpy as np

N_SITES = 220
N_LAGS = 12
MAX_LAG = 0.48
NEIGHBOURS = 10
GRID = 22


def make_survey(seed):
    rng = np.random.default_rng(seed)
    xy = rng.uniform(0.0, 1.0, size=(N_SITES, 2))
    river = 0.35 + 0.25 * np.sin(2.2 * xy[:, 0])
    dist = np.abs(xy[:, 1] - river)
    logz = 6.4 - 1.9 * np.sqrt(dist) + 0.12 * rng.standard_normal(N_SITES)
    return xy, logz


def empirical_variogram(xy, z, n_lags, max_lag):
    """Matheron estimator. Loops over every pair of sites once."""
    n = len(z)
    width = max_lag / n_lags
    gamma = np.zeros(n_lags)
    count = np.zeros(n_lags, dtype=np.int64)
    hsum = np.zeros(n_lags)
    for i in range(n):
        for j in range(i + 1, n):
            dx = xy[i, 0] - xy[j, 0]
            dy = xy[i, 1] - xy[j, 1]
            h = (dx * dx + dy * dy) ** 0.5
            if h >= max_lag:
                continue
            k = int(h / width)
            diff = z[i] - z[j]
            gamma[k] += 0.5 * diff * diff
            hsum[k] += h
            count[k] += 1
    return hsum / count, gamma / count, count


def spherical(h, nugget, sill, rng_):
    r = np.minimum(h / rng_, 1.0)
    g = nugget + (sill - nugget) * (1.5 * r - 0.5 * r ** 3)
    return np.where(h > 0.0, g, 0.0)


def fit_spherical(h, g, count):
    """Weighted least squares on a coarse lattice of nuggets, sills and ranges."""
    nuggets = np.linspace(0.0, 0.06, 25)
    sills = np.linspace(0.05, 0.45, 41)
    ranges = np.linspace(0.15, 0.9, 31)
    N, S, R = np.meshgrid(nuggets, sills, ranges, indexing="ij")
    weight = count / h ** 2
    r = np.minimum(h / R[..., None], 1.0)
    model = N[..., None] + (S - N)[..., None] * (1.5 * r - 0.5 * r ** 3)
    sse = np.sum(weight * (model - g) ** 2, axis=-1)
    best = np.unravel_index(np.argmin(sse), sse.shape)
    return N[best], S[best], R[best], sse[best]


def nearest_sites(xy, targets, k):
    d2 = ((targets[:, None, :] - xy[None, :, :]) ** 2).sum(axis=2)
    order = np.argsort(d2, axis=1, kind="stable")
    return order[:, :k]


def krige(xy, z, targets, near, nugget, sill, rng_):
    """Ordinary kriging in a moving neighbourhood; one small system per grid node."""
    m = len(targets)
    k = near.shape[1]
    pred = np.empty(m)
    var = np.empty(m)
    A = np.ones((k + 1, k + 1))
    b = np.ones(k + 1)
    for t in range(m):
        idx = near[t]
        pts = xy[idx]
        hh = np.sqrt(((pts[:, None, :] - pts[None, :, :]) ** 2).sum(axis=-1))
        A[:k, :k] = spherical(hh, nugget, sill, rng_)
        A[k, k] = 0.0
        h0 = np.sqrt(((pts - targets[t]) ** 2).sum(axis=-1))
        b[:k] = spherical(h0, nugget, sill, rng_)
        w = np.linalg.solve(A, b)
        pred[t] = w[:k] @ z[idx]
        var[t] = w @ b
    return pred, var


def sampling_density(xy, targets, bandwidth):
    diff = (targets[:, None, :] - xy[None, :, :]) / bandwidth
    kern = np.exp(-0.5 * np.einsum("tsd,tsd->ts", diff, diff))
    return kern.sum(axis=1) / (2.0 * np.pi * bandwidth ** 2 * len(xy))


def leave_one_out(xy, z, nugget, sill, rng_):
    """Global ordinary kriging: all cross-validation residuals from a single inverse."""
    n = len(z)
    h = np.sqrt(((xy[:, None, :] - xy[None, :, :]) ** 2).sum(axis=-1))
    K = np.zeros((n + 1, n + 1))
    K[:n, :n] = sill - spherical(h, nugget, sill, rng_)
    K[n, :n] = 1.0
    K[:n, n] = 1.0
    Kinv = np.linalg.inv(K)
    diag = np.diag(Kinv)[:n]
    resid = (Kinv[:n, :n] @ z) / diag
    return resid, 1.0 / diag


def main():
    out = sys.argv[1] if len(sys.argv) > 1 else "kriging.npz"
    xy, z = make_survey(1987)

    lag, gamma, count = empirical_variogram(xy, z, N_LAGS, MAX_LAG)
    nugget, sill, rng_, sse = fit_spherical(lag, gamma, count)
    print(f"variogram: nugget {nugget:.4f} sill {sill:.4f} range {rng_:.3f} sse {sse:.4e}")

    axis = (np.arange(GRID) + 0.5) / GRID
    gx, gy = np.meshgrid(axis, axis)
    targets = np.column_stack([gx.ravel(), gy.ravel()])
    near = nearest_sites(xy, targets, NEIGHBOURS)
    pred, var = krige(xy, z, targets, near, nugget, sill, rng_)
    density = sampling_density(xy, targets, 0.08)
    print(f"kriged log zinc: mean {pred.mean():.5f} max {pred.max():.5f}, mean variance {var.mean():.5f}")

    resid, loo_var = leave_one_out(xy, z, nugget, sill, rng_)
    rmse = np.sqrt(np.mean(resid ** 2))
    msdr = np.mean(resid ** 2 / loo_var)
    print(f"cross-validation: rmse {rmse:.5f} msdr {msdr:.4f}")

    np.savez(out, lag=lag, gamma=gamma, count=count,
             prediction=pred.reshape(GRID, GRID), variance=var.reshape(GRID, GRID),
             density=density.reshape(GRID, GRID), resid=resid, loo_var=loo_var,
             model=np.array([nugget, sill, rng_]))


if __name__ == "__main__":
    main()

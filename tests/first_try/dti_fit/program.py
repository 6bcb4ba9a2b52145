"""Diffusion tensor fit of a synthetic brain slab: OLS, weighted LS, outlier rejection and scalar maps."""
import sys

import numpy as np

SHAPE = (14, 12, 7)
N_DIR = 30
BVAL = 1000.0
S0_TISSUE = 850.0


def fibonacci_directions(n):
    """Directions spread evenly over the half sphere."""
    dirs = []
    golden = np.pi * (3.0 - np.sqrt(5.0))
    for k in range(n):
        z = 1.0 - (k + 0.5) / n
        r = np.sqrt(1.0 - z * z)
        dirs.append((r * np.cos(k * golden), r * np.sin(k * golden), z))
    return np.array(dirs)


def gradient_table():
    bvecs = np.vstack([np.zeros((4, 3)), fibonacci_directions(N_DIR)])
    bvals = np.r_[np.zeros(4), np.full(N_DIR, BVAL)]
    return bvals, bvecs


def design_matrix(bvals, bvecs):
    g = bvecs
    B = np.empty((len(bvals), 7))
    B[:, 0] = g[:, 0] ** 2
    B[:, 1] = g[:, 1] ** 2
    B[:, 2] = g[:, 2] ** 2
    B[:, 3] = 2 * g[:, 0] * g[:, 1]
    B[:, 4] = 2 * g[:, 0] * g[:, 2]
    B[:, 5] = 2 * g[:, 1] * g[:, 2]
    B[:, :6] *= -bvals[:, None]
    B[:, 6] = 1.0
    return B


def phantom(bvals, bvecs, rng):
    """A ring-shaped bundle in an isotropic background, Rician noise."""
    nx, ny, nz = SHAPE
    x, y, z = np.meshgrid(np.arange(nx) - (nx - 1) / 2, np.arange(ny) - (ny - 1) / 2, np.arange(nz), indexing="ij")
    rad = np.hypot(x, y) + 1e-9
    direction = np.stack([-y / rad, x / rad, 0.15 * np.ones_like(x)], axis=-1)
    direction /= np.linalg.norm(direction, axis=-1, keepdims=True)
    bundle = (rad > 2.2) & (rad < 5.0)
    dperp = np.where(bundle, 0.35e-3, 0.8e-3)
    dpar = np.where(bundle, 1.6e-3, 0.95e-3)
    cos2 = np.einsum("xyzi,gi->xyzg", direction, bvecs) ** 2
    adc = dperp[..., None] + (dpar - dperp)[..., None] * cos2
    signal = S0_TISSUE * (1 + 0.1 * z[..., None] / nz) * np.exp(-bvals * adc)
    signal[rad > 6.4] = 20.0
    noise = rng.normal(0.0, 12.0, (2,) + signal.shape)
    return np.sqrt((signal + noise[0]) ** 2 + noise[1] ** 2)


def brain_mask(data, n_b0):
    b0 = data[..., :n_b0].mean(axis=-1)
    thr = 0.35 * np.percentile(b0, 95)
    return b0 > thr


def fit_ols(logs, B):
    pinv = np.linalg.pinv(B)
    return logs @ pinv.T


def fit_wls(logs, B, coef):
    """Weights are the squared predicted signals (Salvador et al.)."""
    out = np.zeros_like(coef)
    for v in range(logs.shape[0]):
        w = np.exp(2.0 * (B @ coef[v]))
        w /= w.max()
        A = B.T @ (w[:, None] * B)
        b = B.T @ (w * logs[v])
        out[v] = np.linalg.solve(A, b)
    return out


def reject_outliers(logs, B, coef, cut=3.5):
    """Replace measurements far off the fit by their prediction, using the MAD of each voxel."""
    pred = coef @ B.T
    res = logs - pred
    mad = np.median(np.abs(res - np.median(res, axis=1, keepdims=True)), axis=1)
    bad = np.abs(res) > cut * 1.4826 * mad[:, None]
    cleaned = logs.copy()
    cleaned[bad] = pred[bad]
    return cleaned, bad.sum(axis=1)


def tensors(coef):
    D = np.empty((len(coef), 3, 3))
    D[:, 0, 0] = coef[:, 0]
    D[:, 1, 1] = coef[:, 1]
    D[:, 2, 2] = coef[:, 2]
    D[:, 0, 1] = D[:, 1, 0] = coef[:, 3]
    D[:, 0, 2] = D[:, 2, 0] = coef[:, 4]
    D[:, 1, 2] = D[:, 2, 1] = coef[:, 5]
    return D


def scalar_maps(coef):
    evals, evecs = np.linalg.eigh(tensors(coef))
    evals = np.maximum(evals, 1e-6)
    md = evals.mean(axis=1)
    num = ((evals - md[:, None]) ** 2).sum(axis=1)
    fa = np.sqrt(1.5 * num / (evals ** 2).sum(axis=1))
    main = np.abs(evecs[:, :, 2])
    rgb = np.clip(main * fa[:, None], 0.0, 1.0)
    return {"fa": fa, "md": md, "ad": evals[:, 2], "rd": evals[:, :2].mean(axis=1), "rgb": rgb}


def to_volume(values, mask):
    vol = np.zeros(mask.shape + values.shape[1:])
    vol[mask] = values
    return vol


def coherence(rgb, mask):
    """Mean absolute product of the colour vectors of a voxel with its six neighbours in the mask."""
    nx, ny, nz = mask.shape
    out = np.zeros(mask.shape)
    for i in range(1, nx - 1):
        for j in range(1, ny - 1):
            for k in range(1, nz - 1):
                if not mask[i, j, k]:
                    continue
                total = 0.0
                count = 0
                for di, dj, dk in ((1, 0, 0), (-1, 0, 0), (0, 1, 0), (0, -1, 0), (0, 0, 1), (0, 0, -1)):
                    if mask[i + di, j + dj, k + dk]:
                        dot = 0.0
                        for c in range(3):
                            dot += rgb[i, j, k, c] * rgb[i + di, j + dj, k + dk, c]
                        total += dot
                        count += 1
                if count > 0:
                    out[i, j, k] = total / count
    return out


def main():
    rng = np.random.default_rng(2019)
    bvals, bvecs = gradient_table()
    B = design_matrix(bvals, bvecs)
    data = phantom(bvals, bvecs, rng)
    mask = brain_mask(data, 4)
    logs = np.log(np.maximum(data[mask], 1.0))

    coef = fit_ols(logs, B)
    cleaned, n_bad = reject_outliers(logs, B, coef)
    coef = fit_wls(cleaned, B, fit_ols(cleaned, B))
    maps = scalar_maps(coef)

    fa = to_volume(maps["fa"], mask)
    md = to_volume(maps["md"], mask)
    rgb = to_volume(maps["rgb"], mask)
    coh = coherence(rgb, mask)
    hist, edges = np.histogram(maps["fa"], bins=25, range=(0.0, 1.0))

    print(f"{int(mask.sum())} voxels, {int(n_bad.sum())} measurements rejected")
    print(f"FA {maps['fa'].mean():.6f}  MD {1e3 * maps['md'].mean():.6f} um2/ms")
    print(f"AD/RD {np.mean(maps['ad'] / maps['rd']):.6f}  coherence {coh[mask].mean():.6f}")
    np.savez(sys.argv[1], fa=fa, md=md, rgb=rgb, coherence=coh, coef=coef, fa_hist=hist, n_bad=n_bad)


if __name__ == "__main__":
    main()

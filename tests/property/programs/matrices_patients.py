"""PCA per patient, and calibration by least squares per sensor."""
import numpy as np


def pca(x, k):
    xc = x - x.mean(axis=0)
    u, s, vt = np.linalg.svd(xc, full_matrices=False)
    return xc @ vt[:k].T, s[:k] ** 2 / (len(x) - 1)


def per_patient(records: dict[str, np.ndarray], k: int):
    results = {}
    for pid, x in records.items():
        scores, var = pca(x, k)
        results[pid] = var / var.sum()
    return results


def calibrate(readings: np.ndarray, truth: np.ndarray, degree: int):
    n = readings.shape[0]
    coefs = np.empty((n, degree + 1))
    for s in range(n):
        A = np.stack([readings[s] ** p for p in range(degree + 1)], axis=1)
        coefs[s] = np.linalg.lstsq(A, truth[s], rcond=None)[0]
    return coefs


def ridge(xs: list[np.ndarray], ys: list[np.ndarray], lam: float):
    betas = []
    for x, y in zip(xs, ys):
        betas.append(np.linalg.solve(x.T @ x + lam * np.eye(x.shape[1]), x.T @ y))
    return betas


def main():
    rng = np.random.default_rng(6)
    records = {f"p{i}": rng.normal(size=(30 + 5 * (i % 2), 6)) for i in range(5)}
    print({k: v.round(8).tolist() for k, v in per_patient(records, 2).items()})
    r = rng.normal(size=(7, 25))
    print(calibrate(r, 1 + 2 * r + 0.1 * rng.normal(size=r.shape), 2).sum(axis=0).round(8))
    xs = [rng.normal(size=(20, 3)) for _ in range(4)]
    print(sum(b.sum() for b in ridge(xs, [x @ np.ones(3) for x in xs], 0.1)).round(8))


if __name__ == "__main__":
    main()

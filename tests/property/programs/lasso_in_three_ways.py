"""Lasso by ADMM, coordinate descent and a path with cross validation."""
import numpy as np
from dataclasses import dataclass, field


@dataclass
class Fit:
    beta: np.ndarray
    objective: list = field(default_factory=list)
    iterations: int = 0

    @property
    def support(self):
        return np.flatnonzero(np.abs(self.beta) > 1e-8)


def soft(x, t):
    return np.sign(x) * np.maximum(np.abs(x) - t, 0)


def objective(A, b, beta, lam):
    r = A @ beta - b
    return 0.5 * r @ r + lam * np.abs(beta).sum()


def admm(A, b, lam, rho=1.0, tol=1e-6, max_iter=200):
    m, n = A.shape
    Atb = A.T @ b
    L = np.linalg.cholesky(A.T @ A + rho * np.eye(n))
    x = z = u = np.zeros(n)
    fit = Fit(z)
    for it in range(max_iter):
        q = Atb + rho * (z - u)
        x = np.linalg.solve(L.T, np.linalg.solve(L, q))
        z_old = z
        z = soft(x + u, lam / rho)
        u = u + x - z
        fit.objective.append(objective(A, b, z, lam))
        primal = np.linalg.norm(x - z)
        dual = rho * np.linalg.norm(z - z_old)
        if primal < tol * np.sqrt(n) and dual < tol * np.sqrt(n):
            break
    fit.beta, fit.iterations = z, it + 1
    return fit


def coordinate_descent(A, b, lam, sweeps=100, tol=1e-8):
    n = A.shape[1]
    beta = np.zeros(n)
    col_sq = (A**2).sum(axis=0)
    r = b.copy()
    for sweep in range(sweeps):
        biggest = 0.0
        for j in range(n):
            if col_sq[j] == 0:
                continue
            old = beta[j]
            rho_j = A[:, j] @ r + col_sq[j] * old
            new = soft(rho_j, lam) / col_sq[j]
            if new != old:
                r -= A[:, j] * (new - old)
                beta[j] = new
                biggest = max(biggest, abs(new - old))
        if biggest < tol:
            break
    return Fit(beta, [objective(A, b, beta, lam)], sweep + 1)


def cross_validate(A, b, lams, folds=4, seed=0):
    rng = np.random.default_rng(seed)
    idx = rng.permutation(len(b))
    parts = np.array_split(idx, folds)
    errors = np.zeros((len(lams), folds))
    for k, test in enumerate(parts):
        mask = np.ones(len(b), bool)
        mask[test] = False
        for i, lam in enumerate(lams):
            fit = admm(A[mask], b[mask], lam, max_iter=60)
            resid = A[test] @ fit.beta - b[test]
            errors[i, k] = np.mean(resid**2)
    mean, se = errors.mean(axis=1), errors.std(axis=1) / np.sqrt(folds)
    best = np.argmin(mean)
    within = np.where(mean <= mean[best] + se[best])[0]
    return lams[best], lams[within.max()], mean


def main():
    rng = np.random.default_rng(1)
    A = rng.normal(size=(120, 30))
    A /= np.linalg.norm(A, axis=0)
    truth = np.zeros(30)
    truth[[2, 7, 11]] = [3.0, -2.0, 1.5]
    b = A @ truth + 0.05 * rng.normal(size=120)
    one, two = admm(A, b, 0.1), coordinate_descent(A, b, 0.1)
    print(one.iterations, two.iterations, np.allclose(one.beta, two.beta, atol=1e-4))
    print(one.support.tolist(), two.support.tolist())
    print(np.round(one.objective[-1], 6))
    lams = np.logspace(-2, 0, 6)
    best, sparse, mean = cross_validate(A, b, lams)
    print(f"{best:.4f} {sparse:.4f}", np.round(mean, 5))


if __name__ == "__main__":
    main()

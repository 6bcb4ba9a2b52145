"""Whittaker graduation of death rates with life tables and a small text report.

Counts by age and year are simulated from a Gompertz-Makeham law with an infant hump, then
graduated year by year (Poisson, iteratively reweighted); lambda comes from GCV.
"""
import os
import sys

import numpy as np

AGES = 96
FIRST_YEAR, NYEARS = 1985, 24


def simulate(seed):
    rng = np.random.default_rng(seed)
    x = np.arange(AGES)
    t = np.arange(NYEARS)
    base = 4e-4 + 2.4e-5 * np.exp(0.103 * x) + 5e-3 * np.exp(-1.4 * x) + 6e-4 * np.exp(-((x - 21.0) / 6.0) ** 2)
    trend = np.exp(-0.016 * t)[None, :] * (1.0 + 0.04 * np.sin(0.9 * t))[None, :]
    exposure = 9.0e4 * np.exp(-((x[:, None] - 28.0) / 48.0) ** 2) * (1.0 + 0.01 * t)[None, :]
    mu = base[:, None] * trend
    return rng.poisson(mu * exposure).astype(float), exposure, mu


def penalty(n, order):
    d = np.eye(n)
    for _ in range(order):
        d = np.diff(d, axis=0)
    return d.T @ d


def gcv_curve(y, w, P, lambdas):
    """Generalised cross-validation score of the weighted Gaussian smoother."""
    n = len(y)
    score = np.empty(len(lambdas))
    edf = np.empty(len(lambdas))
    for k, lam in enumerate(lambdas):
        hat = np.linalg.solve(np.diag(w) + lam * P, np.diag(w))
        fit = hat @ y
        edf[k] = np.trace(hat)
        score[k] = n * np.sum(w * (y - fit) ** 2) / (n - edf[k]) ** 2
    return score, edf


def graduate(deaths, exposure, P, lam, sweeps=8):
    """Poisson-Whittaker log rates, one penalised regression per year and sweep."""
    n, years = deaths.shape
    eta = np.log((deaths + 0.5) / (exposure + 1.0))
    A = np.empty((years, n, n))
    for _ in range(sweeps):
        fitted = exposure * np.exp(eta)
        z = eta + (deaths - fitted) / fitted
        A[:] = lam * P
        for c in range(years):
            A[c].flat[::n + 1] += fitted[:, c]
        rhs = (fitted * z).T[:, :, None]
        eta = np.linalg.solve(A, rhs)[:, :, 0].T
    return eta


def smooth_pentadiagonal(y, w, lam):
    """Second-order Whittaker smoother by the five-band elimination (Eilers' whitsmdd style)."""
    n = len(y)
    d = np.zeros(n)
    c = np.zeros(n)
    e = np.zeros(n)
    z = np.zeros(n)
    for i in range(n):
        diag = 6.0 if 1 < i < n - 2 else (5.0 if i in (1, n - 2) else 1.0)
        up1 = 0.0 if i == n - 1 else (-2.0 if i in (0, n - 2) else -4.0)
        up2 = 1.0 if i < n - 2 else 0.0
        c1 = c[i - 1] if i > 0 else 0.0
        d1 = d[i - 1] if i > 0 else 0.0
        z1 = z[i - 1] if i > 0 else 0.0
        e2 = e[i - 2] if i > 1 else 0.0
        d2 = d[i - 2] if i > 1 else 0.0
        z2 = z[i - 2] if i > 1 else 0.0
        d[i] = w[i] + lam * diag - c1 * c1 * d1 - e2 * e2 * d2
        c[i] = (lam * up1 - d1 * c1 * (e[i - 1] if i > 0 else 0.0)) / d[i]
        e[i] = lam * up2 / d[i]
        z[i] = w[i] * y[i] - c1 * z1 - e2 * z2
    z[n - 1] /= d[n - 1]
    z[n - 2] = z[n - 2] / d[n - 2] - c[n - 2] * z[n - 1]
    for i in range(n - 3, -1, -1):
        z[i] = z[i] / d[i] - c[i] * z[i + 1] - e[i] * z[i + 2]
    return z


def life_table(m):
    """Survivors and remaining life expectancy for central rates m (age, year)."""
    q = m / (1.0 + 0.5 * m)
    q[-1] = 1.0
    n, years = m.shape
    lx = np.empty((n, years))
    for t in range(years):
        alive = 1.0
        for x in range(n):
            lx[x, t] = alive
            alive *= 1.0 - q[x, t]
    dx = lx * q
    Lx = lx - 0.5 * dx
    Lx[-1] = lx[-1] / m[-1]
    Tx = np.cumsum(Lx[::-1], axis=0)[::-1]
    return lx, dx, Tx / lx


def gini(lx, dx):
    """Lifespan inequality of each year's deaths."""
    out = []
    for col in range(lx.shape[1]):
        l, d = lx[:, col], dx[:, col]
        share = d / d.sum()
        age = np.arange(len(l)) + 0.5
        out.append(0.5 * np.einsum("i,j,ij->", share, share, np.abs(age[:, None] - age)) / np.dot(share, age))
    return np.array(out)


def write_report(path, e0, e65, modal):
    with open(path, "w") as fh:
        fh.write("year   e0      e65    modal\n")
        for t in range(0, NYEARS, 6):
            fh.write(f"{FIRST_YEAR + t}  {e0[t]:.3f}  {e65[t]:.3f}  {modal[t]}\n")


def main():
    deaths, exposure, truth = simulate(1815)
    P = penalty(AGES, 2)
    crude = np.log((deaths[:, 0] + 0.5) / (exposure[:, 0] + 1.0))
    lambdas = 10.0 ** np.linspace(0.0, 4.0, 17)
    score, edf = gcv_curve(crude, deaths[:, 0] + 0.5, P, lambdas)
    lam = lambdas[np.argmin(score)]
    single = smooth_pentadiagonal(crude, deaths[:, 0] + 0.5, lam)

    eta = graduate(deaths, exposure, P, lam)
    rates = np.exp(eta)
    lx, dx, ex = life_table(rates)
    modal = np.argmax(dx[10:-1], axis=0) + 10
    inequality = gini(lx, dx)
    residual = (deaths - exposure * rates) / np.sqrt(exposure * rates)
    chi2 = np.sum(residual ** 2, axis=0)
    rmse = np.sqrt(np.mean((eta - np.log(truth)) ** 2))
    improvement = -np.polyfit(np.arange(NYEARS), eta.T, 1)[0]
    outlier = np.unravel_index(np.argmax(np.abs(residual)), residual.shape)

    print(f"lambda {lam:.4f}, edf {edf[np.argmin(score)]:.4f}, rms error of log rate {rmse:.6f}")
    print(f"e0 from {ex[0, 0]:.4f} to {ex[0, -1]:.4f} years, Gini {inequality[0]:.6f} to {inequality[-1]:.6f}")
    print(f"largest residual at age {outlier[0]} in {FIRST_YEAR + outlier[1]}, chi2 {chi2.mean():.4f}")
    write_report(os.path.splitext(sys.argv[1])[0] + ".txt", ex[0], ex[65], modal)
    np.savez(sys.argv[1], score=score, edf=edf, single=single, eta=eta, lx=lx, ex=ex, modal=modal,
             inequality=inequality, chi2=chi2, improvement=improvement)


if __name__ == "__main__":
    main()

"""Claims reserving: chain ladder, Mack's error, over-dispersed Poisson bootstrap, diversification over lines."""
import sys
from dataclasses import dataclass

import numpy as np

LINES = """
motor   12 4200 0.62 1.9
liability 12 1500 0.28 1.2
property 12 2600 0.95 2.6
marine  12  800 0.45 1.6
"""


@dataclass
class Line:
    name: str
    years: int
    volume: float
    speed: float
    shape: float
    triangle: np.ndarray = None


def parse_lines(text):
    lines = []
    for row in text.strip().splitlines():
        name, years, volume, speed, shape = row.split()
        lines.append(Line(name, int(years), float(volume), float(speed), float(shape)))
    return lines


def known(n):
    i, j = np.indices((n, n))
    return i + j < n


def simulate_triangle(line, rng):
    """Incremental payments with a Weibull settlement pattern and gamma noise; NaN below the diagonal."""
    n = line.years
    age = np.arange(n + 1)
    pattern = np.diff(1 - np.exp(-(line.speed * age / 2) ** (line.shape / 1.5)))
    growth = line.volume * 1.03 ** np.arange(n)
    mean = np.outer(growth, pattern / pattern.sum())
    noise = rng.gamma(60.0, 1 / 60.0, (n, n))
    return np.where(known(n), mean * noise, np.nan)


def cumulate(incremental):
    return np.cumsum(np.nan_to_num(incremental), axis=1)


def factors(cum):
    """Volume-weighted development factors."""
    n = len(cum)
    f = np.ones(n - 1)
    for j in range(n - 1):
        f[j] = cum[: n - 1 - j, j + 1].sum() / cum[: n - 1 - j, j].sum()
    return f


def complete(cum, f):
    n = len(cum)
    full = cum.copy()
    for j in range(1, n):
        full[n - j:, j] = full[n - j:, j - 1] * f[j - 1]
    return full


def reserves(cum):
    n = len(cum)
    full = complete(cum, factors(cum))
    return full[:, -1] - cum[np.arange(n), n - 1 - np.arange(n)]


def mack_error(cum):
    """Mack's mean squared error of the reserve per accident year."""
    n = len(cum)
    f = factors(cum)
    full = complete(cum, f)
    s2 = np.zeros(n - 1)
    for j in range(n - 2):
        rows = slice(0, n - 1 - j)
        ratio = cum[rows, j + 1] / cum[rows, j]
        s2[j] = np.sum(cum[rows, j] * (ratio - f[j]) ** 2) / (n - 2 - j)
    s2[-1] = min(s2[-2] ** 2 / s2[-3], s2[-3], s2[-2])
    mse = np.zeros(n)
    for i in range(1, n):
        for j in range(n - 1 - i, n - 1):
            total = cum[: n - 1 - j, j].sum()
            mse[i] += full[i, -1] ** 2 * s2[j] / f[j] ** 2 * (1 / full[i, j] + 1 / total)
    return np.sqrt(mse)


def fitted_incremental(cum):
    """Backwards recursion from the diagonal."""
    n = len(cum)
    f = factors(cum)
    fit = np.zeros_like(cum)
    for i in range(n):
        last = n - 1 - i
        fit[i, last] = cum[i, last]
        for j in range(last - 1, -1, -1):
            fit[i, j] = fit[i, j + 1] / f[j]
    return np.diff(fit, axis=1, prepend=0.0)


class Bootstrap:
    """England-Verrall bootstrap of one triangle."""

    def __init__(self, cum):
        self.n = len(cum)
        self.mask = known(self.n)
        self.fit = np.where(self.mask, fitted_incremental(cum), 0.0)
        actual = np.diff(cum, axis=1, prepend=0.0)
        scale = np.sqrt(np.where(self.mask, np.abs(self.fit), 1.0))
        residual = ((actual - self.fit) / scale)[self.mask]
        dof = residual.size - (2 * self.n - 1)
        self.phi = np.sum(residual ** 2) / dof
        self.scale = scale
        self.pool = residual * np.sqrt(residual.size / dof)

    def replicate(self, picks, shocks):
        """One pseudo-triangle and its simulated outstanding payments."""
        pseudo = np.zeros((self.n, self.n))
        pseudo[self.mask] = self.fit[self.mask] + self.pool[picks] * self.scale[self.mask]
        cum = np.cumsum(pseudo, axis=1)
        full = complete(np.where(self.mask, cum, 0.0), factors(cum))
        future = np.where(self.mask, 0.0, np.diff(full, axis=1, prepend=0.0))
        process = future + np.sqrt(self.phi * np.abs(future)) * shocks
        return process.sum(axis=1)

    def run(self, count, rng):
        out = np.empty((count, self.n))
        for b in range(count):
            picks = rng.integers(0, len(self.pool), len(self.pool))
            out[b] = self.replicate(picks, rng.normal(size=(self.n, self.n)))
        return out


def rank_aggregate(samples, corr, rng):
    """Iman-Conover: the totals of the lines reordered to follow a normal copula."""
    count, lines = samples.shape
    scores = rng.normal(size=(count, lines)) @ np.linalg.cholesky(corr).T
    joined = np.empty_like(samples)
    for k in range(lines):
        rank = np.argsort(np.argsort(scores[:, k]))
        joined[:, k] = np.sort(samples[:, k])[rank]
    return joined.sum(axis=1)


def tail_measures(total, level=0.95):
    ordered = np.sort(total)
    cut = int(level * len(ordered))
    return ordered[cut], ordered[cut:].mean()


def main():
    rng = np.random.default_rng(2002)
    lines = parse_lines(LINES)
    totals, table, by_year = [], [], []
    for line in lines:
        line.triangle = simulate_triangle(line, rng)
        cum = cumulate(line.triangle)
        best, err = reserves(cum), mack_error(cum)
        sims = Bootstrap(cum).run(1500, rng)
        totals.append(sims.sum(axis=1))
        by_year.append(sims.std(axis=0))
        table.append((best.sum(), np.sqrt(np.sum(err ** 2)), totals[-1].std()))
        print(f"{line.name:10s} reserve {table[-1][0]:8.0f}, Mack {table[-1][1]:7.2f}, bootstrap {table[-1][2]:7.2f}")
    samples = np.stack(totals, axis=1)
    corr = 0.25 * np.ones((4, 4)) + 0.75 * np.eye(4)
    total = rank_aggregate(samples, corr, rng)
    var, tvar = tail_measures(total)
    alone = sum(tail_measures(samples[:, k])[0] for k in range(4))
    print(f"95 % quantile {var:.0f}, tail mean {tvar:.0f}, diversification {100 * (1 - var / alone):.2f} %")
    np.savez(sys.argv[1], table=np.array(table), by_year=np.array(by_year), total=total)


if __name__ == "__main__":
    main()

"""Loss distribution of a loan book: rating migration generator, two-factor Gaussian copula,
stochastic recoveries, tranches, risk contributions and an importance-sampled tail."""
import sys
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.linalg import expm, logm
from scipy.special import ndtr, ndtri

RATINGS = ["AA", "A", "BBB", "BB", "B", "D"]
YEARLY = """
AA   92.0  7.1  0.7  0.1  0.05 0.05
A     2.2 91.2  5.9  0.5  0.12 0.08
BBB   0.3  4.5 89.6  4.7  0.65 0.25
BB    0.1  0.5  6.3 82.6  9.10 1.40
B     0.0  0.2  0.5  6.8 85.90 6.60
D     0.0  0.0  0.0  0.0  0.00 100
"""
TRANCHES = [("equity", 0.0, 0.03), ("mezzanine", 0.03, 0.07), ("senior", 0.07, 1.0)]


@dataclass
class Book:
    exposure: np.ndarray
    rating: np.ndarray
    sector: np.ndarray
    loading: np.ndarray
    tilt: np.ndarray
    years: np.ndarray

    def __len__(self):
        return len(self.exposure)


def migration():
    rows = [line.split()[1:] for line in YEARLY.strip().splitlines()]
    m = np.array(rows, dtype=float)
    return m / m.sum(axis=1, keepdims=True)


def generator(m):
    """Nearest valid generator: negative rates of the logarithm are moved to the diagonal."""
    g = logm(m).real
    for i in range(len(g)):
        for j in range(len(g)):
            if i != j and g[i, j] < 0.0:
                g[i, i] += g[i, j]
                g[i, j] = 0.0
    return g


@lru_cache(maxsize=None)
def default_curve(years):
    return tuple(expm(years * generator(migration()))[:, -1])


def draw_book(n, sectors, rng):
    exposure = np.round(rng.lognormal(0.0, 1.1, n), 3) + 0.05
    return Book(exposure / exposure.sum(), rng.choice(5, n, p=[0.1, 0.25, 0.35, 0.2, 0.1]),
                rng.integers(0, sectors, n), 0.25 + 0.3 * rng.random(n), 0.1 + 0.3 * rng.random(n),
                rng.integers(1, 4, n))


def default_probability(book):
    pd = np.empty(len(book))
    for i in range(len(book)):
        pd[i] = default_curve(int(book.years[i]))[book.rating[i]]
    return np.maximum(pd, 1e-5)


def conditional_pd(book, pd, market, sector):
    """Default probability given the factors: scenarios by loans."""
    load, tilt = book.loading, book.tilt
    noise = np.sqrt(1.0 - load**2 - tilt**2)
    drive = load * market[:, None] + tilt * sector[:, book.sector]
    return ndtr((ndtri(pd) - drive) / noise)


def simulate(book, pd, scenarios, shift, rng, batch=500):
    """Losses with likelihood weights; the market factor is drawn with its mean at shift."""
    n = len(book)
    losses, weights = np.empty(scenarios), np.empty(scenarios)
    by_loan = np.zeros(n)
    sectors = int(book.sector.max()) + 1
    tail_sum = np.zeros(n)
    for start in range(0, scenarios, batch):
        market = rng.standard_normal(batch) + shift
        sector = rng.standard_normal((batch, sectors))
        u = rng.random((batch, n))
        p = conditional_pd(book, pd, market, sector)
        hit = u < p
        lgd = np.clip(0.45 - 0.08 * market[:, None] + 0.1 * np.cos(37.0 * u), 0.05, 0.95)
        part = np.where(hit, lgd * book.exposure, 0.0)
        loss = part.sum(axis=1)
        w = np.exp(-shift * market + 0.5 * shift**2)
        losses[start:start + batch], weights[start:start + batch] = loss, w
        by_loan += w @ part
        heavy = loss > 0.08
        tail_sum += w[heavy] @ part[heavy]
    return losses, weights / scenarios, by_loan / scenarios, tail_sum / scenarios


def tail_measures(losses, weights, levels):
    """Value at risk and expected shortfall from weighted losses."""
    order = np.argsort(losses)[::-1]
    x, w = losses[order], weights[order]
    cum = np.cumsum(w)
    out = []
    for level in levels:
        k = int(np.searchsorted(cum, 1.0 - level))
        k = min(k, len(x) - 1)
        out.append((x[k], (x[:k + 1] * w[:k + 1]).sum() / cum[k]))
    return np.array(out)


def tranche_losses(losses, weights):
    rows = []
    for _, attach, detach in TRANCHES:
        cut = np.clip(losses - attach, 0.0, detach - attach) / (detach - attach)
        rows.append([(cut * weights).sum() / weights.sum(), weights[cut > 0].sum() / weights.sum(),
                     weights[cut >= 1.0 - 1e-12].sum() / weights.sum()])
    return np.array(rows)


def recursion_loss(book, pd, market, units=400):
    """Andersen-Sidenius-Basu: distribution of the loss in whole units, given the market factor."""
    sector = np.zeros((1, int(book.sector.max()) + 1))
    p = conditional_pd(book, pd, np.array([market]), sector)[0]
    size = np.maximum(np.round(book.exposure * 0.45 * units * 2.5 + 0.013).astype(int), 1)
    dist = np.zeros(units + 1)
    dist[0] = 1.0
    for i in range(len(book)):
        moved = np.zeros_like(dist)
        moved[size[i]:] = dist[:-size[i]] * p[i]
        dist = dist * (1.0 - p[i]) + moved
    return dist


def quadrature_loss(book, pd, nodes=15):
    z, w = np.polynomial.hermite_e.hermegauss(nodes)
    total = 0.0
    for zi, wi in zip(z, w / w.sum()):
        total = total + wi * recursion_loss(book, pd, zi)
    return total


def sector_table(book, contribution):
    table = np.zeros((int(book.sector.max()) + 1, 5))
    np.add.at(table, (book.sector, book.rating), contribution)
    return table


def largest(book, contribution, count=3):
    """Names of the loans that give most to the tail."""
    ranked = sorted(range(len(book)), key=lambda i: -contribution[i])[:count]
    return [f"{RATINGS[book.rating[i]]}/s{book.sector[i]}" for i in ranked]


def main():
    rng = np.random.default_rng(2007)
    book = draw_book(240, 6, rng)
    pd = default_probability(book)
    losses, weights, mean_by, _ = simulate(book, pd, 6000, 0.0, rng)
    tail, tail_w, _, tail_by = simulate(book, pd, 6000, -2.0, rng)
    plain = tail_measures(losses, weights, (0.95, 0.99))
    deep = tail_measures(tail, tail_w, (0.99, 0.999))
    dist = quadrature_loss(book, pd)
    tranches = tranche_losses(losses, weights)
    table = sector_table(book, mean_by)
    print(f"expected loss {mean_by.sum():.5f}, VaR 95% {plain[0, 0]:.4f}, ES 99% {plain[1, 1]:.4f}")
    print(f"importance sampled VaR 99% {deep[0, 0]:.4f}, 99.9% {deep[1, 0]:.4f}, ES {deep[1, 1]:.4f}")
    for (name, _, _), row in zip(TRANCHES, tranches):
        print(f"{name:9s} expected {row[0]:.5f}, touched {row[1]:.4f}")
    print(f"recursion: no loss {dist[0]:.4e}, mass {dist.sum():.4f}; tail led by", ", ".join(largest(book, tail_by)))
    np.savez(sys.argv[1], pd=pd, losses=losses, plain=plain, deep=deep, tranches=tranches, dist=dist,
             table=table, tail_by=tail_by)


if __name__ == "__main__":
    main()

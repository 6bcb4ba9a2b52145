"""Life and non-life figures of one reporting date: mortality fit, policy reserves, loss distribution, claims triangle."""
import sys
import itertools
import numpy as np

INTEREST = 0.0225
OMEGA = 110


def makeham(age, a, b, c):
    return 1.0 - np.exp(-a - b * c ** age * (c - 1.0) / np.log(c))


def whittaker(q, weight, lam):
    """Graduation with third differences."""
    n = q.size
    d = np.diff(np.eye(n), n=3, axis=0)
    w = np.diag(weight)
    return np.linalg.solve(w + lam * d.T @ d, weight * q)


def exposures(entry, exit_, died, nage):
    """Central exposure and deaths by age, each life adds its share to every age it passes through."""
    exposed = np.zeros(nage)
    deaths = np.zeros(nage)
    for k in range(entry.size):
        first, last = int(entry[k]), int(exit_[k])
        for age in range(first, last + 1):
            lo = max(entry[k], age)
            hi = min(exit_[k], age + 1)
            exposed[age] += hi - lo
        if died[k]:
            deaths[last] += 1.0
    return exposed, deaths


def survival_columns(q):
    """l_x and the discounted commutation columns D, N, M."""
    p = 1.0 - q
    lx = np.concatenate([[1.0], np.cumprod(p)[:-1]])
    age = np.arange(q.size)
    v = 1.0 / (1.0 + INTEREST)
    d_col = lx * v ** age
    c_col = lx * q * v ** (age + 1)
    n_col = np.cumsum(d_col[::-1])[::-1]
    m_col = np.cumsum(c_col[::-1])[::-1]
    return lx, d_col, n_col, m_col


def prospective_reserves(issue, duration, term, sum_insured, q):
    """Term assurance with level premium: reserve policy by policy."""
    n = len(issue)
    reserve = np.zeros(n)
    premium = np.zeros(n)
    v = 1.0 / (1.0 + INTEREST)
    for i in range(n):
        alive = 1.0
        disc = 1.0
        benefit = 0.0
        annuity = 0.0
        for t in range(term[i]):
            qx = q[issue[i] + t]
            annuity += alive * disc
            benefit += alive * qx * disc * v
            alive *= 1.0 - qx
            disc *= v
        premium[i] = sum_insured[i] * benefit / annuity
        alive = 1.0
        disc = 1.0
        value = 0.0
        for t in range(duration[i], term[i]):
            qx = q[issue[i] + t]
            value += alive * disc * (sum_insured[i] * qx * v - premium[i])
            alive *= 1.0 - qx
            disc *= v
        reserve[i] = value
    return reserve, premium


def panjer(frequency, severity, size):
    """Aggregate loss probabilities of a compound Poisson distribution."""
    g = np.zeros(size)
    g[0] = np.exp(-frequency * (1.0 - severity[0]))
    for s in range(1, size):
        total = 0.0
        for j in range(1, min(s, severity.size - 1) + 1):
            total += j * severity[j] * g[s - j]
        g[s] = frequency / s * total
    return g


def simulate_years(counts, losses, nyear, retention, limit):
    """Gross and excess-of-loss ceded amounts for each simulated year."""
    year = np.repeat(np.arange(nyear), counts)
    ceded = np.clip(losses - retention, 0.0, limit)
    gross = np.zeros(nyear)
    layer = np.zeros(nyear)
    np.add.at(gross, year, losses)
    np.add.at(layer, year, ceded)
    return gross, layer, gross - layer


def risk_measures(amounts, levels):
    order = np.sort(amounts)
    tail = np.cumsum(order[::-1])
    found = []
    for level in levels:
        k = int(np.ceil(level * order.size)) - 1
        found.append((order[k], tail[order.size - k - 1] / (order.size - k)))
    return np.array(found)


def surplus_paths(net, premium, start):
    """Yearly surplus, its low-water mark and the share of ruined paths."""
    flow = premium - net
    surplus = start + np.cumsum(flow, axis=1)
    low = np.minimum.accumulate(surplus, axis=1)
    ruined = low[:, -1] < 0.0
    when = np.where(ruined, np.argmax(low < 0.0, axis=1), -1)
    return surplus, low, when, ruined.mean()


def chain_ladder(triangle):
    """Development factors and ultimates for a stack of run-off triangles (cumulative, lower part ignored)."""
    ntri, n, _ = triangle.shape
    known = np.arange(n)[:, None] + np.arange(n)[None, :] < n
    filled = np.where(known, triangle, 0.0)
    factors = np.ones((ntri, n - 1))
    for j in range(n - 1):
        rows = n - 1 - j
        factors[:, j] = filled[:, :rows, j + 1].sum(axis=1) / filled[:, :rows, j].sum(axis=1)
        nxt = filled[:, rows:, j] * factors[:, j, None]
        filled[:, rows:, j + 1] = nxt
    return factors, filled[:, :, -1]


def copula_losses(normals, corr, scale):
    """Correlated line-of-business losses with lognormal margins."""
    root = np.linalg.cholesky(corr)
    z = normals @ root.T
    loss = scale * np.exp(0.6 * z - 0.18)
    return loss.sum(axis=1), np.corrcoef(loss, rowvar=False)


def bonus_malus(claims):
    """Class history of one driver after another, ten classes, up two for a claim and down one without."""
    def classes(row):
        level = 6
        for c in row:
            level = min(9, level + 2 * int(c)) if c else max(0, level - 1)
            yield level
    return np.array([list(classes(row)) for row in claims])


rng = np.random.default_rng(1693)

ages = np.arange(OMEGA + 1, dtype=float)
q_true = np.minimum(makeham(ages, 3e-4, 2.2e-6, 1.122), 1.0)
entry = rng.uniform(20.0, 85.0, 3000)
exit_ = entry + rng.uniform(0.5, 14.0, 3000)
died = rng.random(3000) < 0.12 * (entry / 60.0) ** 3
exposed, deaths = exposures(entry, exit_, died, OMEGA + 1)
crude = deaths / np.maximum(exposed, 1.0)
graduated = np.clip(whittaker(crude, exposed + 1.0, 400.0), 0.0, 1.0)
lx, d_col, n_col, m_col = survival_columns(q_true)

npol = 4000
issue = rng.integers(25, 60, npol)
term = rng.integers(10, 31, npol)
duration = (term * rng.random(npol)).astype(np.int64)
insured = np.round(rng.lognormal(11.5, 0.5, npol), -2)
reserve, premium = prospective_reserves(issue, duration, term, insured, q_true)

severity = np.diff(1.0 - (1.0 + np.arange(61) / 8.0) ** -2.5, prepend=0.0)
severity /= severity.sum()
aggregate = panjer(6.0, severity, 160)

nyear = 3000
counts = rng.poisson(14.0, nyear)
losses = 5e4 * rng.pareto(2.8, counts.sum()) + 1e4
gross, layer, net = simulate_years(counts, losses, nyear, 1.5e5, 4e5)
risk = {name: risk_measures(x, (0.9, 0.99, 0.995)) for name, x in zip(("gross", "net"), (gross, net))}
surplus, low, when, ruin = surplus_paths(net.reshape(300, 10), 1.02 * net.mean(), 2.0e5)

pattern = np.cumsum(np.array([0.3, 0.25, 0.16, 0.1, 0.07, 0.05, 0.03, 0.02, 0.012, 0.008]))
triangle = 1e6 * rng.lognormal(0.0, 0.2, (500, 10, 1)) * pattern * np.exp(0.03 * rng.standard_normal((500, 10, 10)))
factors, ultimate = chain_ladder(triangle)

gap = np.abs(np.subtract.outer(np.arange(8), np.arange(8)))
total, corr = copula_losses(rng.standard_normal((5000, 8)), 0.5 ** gap, np.linspace(1e5, 3e5, 8))
classes = bonus_malus(rng.random((200, 15)) < 0.12)
runs = max(len(list(g)) for k, g in itertools.groupby(classes[0]))

print(f"whole life annuity at 40: {n_col[40] / d_col[40]:.6f}, deaths {deaths.sum():.0f}, exposure {exposed.sum():.4f}")
print(f"reserves {reserve.sum():.2f}, premium income {premium.sum():.2f}")
print(f"compound Poisson mean {np.dot(np.arange(160), aggregate):.6f}, no loss {aggregate[0]:.6e}")
for name, table in risk.items():
    print(f"{name:6s}", " ".join(f"{var:.1f}/{tvar:.1f}" for var, tvar in table))
print(f"ruin {ruin:.4f}, ultimate {ultimate.mean():.2f}, total loss {total.mean():.2f}, class run {runs}")

np.savez(sys.argv[1], exposed=exposed, deaths=deaths, graduated=graduated, lx=lx, n_col=n_col, m_col=m_col,
         reserve=reserve, premium=premium, aggregate=aggregate, gross=gross, layer=layer, low=low, when=when,
         surplus=surplus, factors=factors, ultimate=ultimate, total=total, corr=corr, classes=classes,
         risk=np.stack([risk["gross"], risk["net"]]))

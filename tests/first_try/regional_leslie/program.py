# Cohort-component projection of regional populations: one Leslie matrix per region and sex-specific
# survival, migration between regions by a gravity model, fertility scenarios, stable age structures.
import sys

import numpy as np

REGIONS = 600
AGES = 101
YEARS = 40
FERTILE = slice(15, 50)

SCENARIOS = """
name      tfr_change  life_change  mobility
base        0.000       0.0010       1.00
ageing     -0.008       0.0016       0.85
rebound     0.006       0.0010       1.20
"""


def parse_scenarios(text):
    head, *lines = text.split("\n")[1:-1]
    keys = head.split()[1:]
    return {line.split()[0]: dict(zip(keys, map(float, line.split()[1:]))) for line in lines}


def make_regions(rng):
    """Start populations and vital rates, as a dict of arrays."""
    age = np.arange(AGES)
    level = np.exp(rng.normal(9.5, 0.8, REGIONS))
    growth = rng.normal(0.004, 0.008, REGIONS)
    frail = rng.normal(1.0, 0.12, REGIONS)
    shape = np.exp(-growth[:, None] * age - frail[:, None] * 3e-5 * (np.exp(0.095 * age) - 1.0) / 0.095)
    shape /= shape.sum(axis=1, keepdims=True)
    female = 0.5 * level[:, None] * shape * (1.0 + 0.02 * rng.standard_normal((REGIONS, AGES)))
    male = 0.5 * level[:, None] * shape * (1.0 + 0.02 * rng.standard_normal((REGIONS, AGES)))
    hazard = 3e-5 * np.exp(0.095 * age) + 0.004 * np.exp(-1.5 * age)
    return {
        "female": female, "male": male,
        "hazard_f": 0.8 * frail[:, None] * hazard, "hazard_m": 1.25 * frail[:, None] * hazard,
        "tfr": np.clip(rng.normal(1.7, 0.25, REGIONS), 1.0, 2.6),
        "mean_age": rng.normal(30.0, 1.2, REGIONS),
        "xy": rng.uniform(0.0, 800.0, (REGIONS, 2)),
    }


def fertility(tfr, mean_age):
    """Age-specific rates from a gamma-like schedule, scaled to the total fertility rate."""
    age = np.arange(AGES)
    rate = np.zeros((len(tfr), AGES))
    x = age[FERTILE] - 13.0
    spread = (mean_age - 13.0)[:, None] / 8.0
    rate[:, FERTILE] = x**7 * np.exp(-x / spread)
    return rate * (tfr / rate.sum(axis=1))[:, None]


def leslie(surv_f, rate):
    """Female projection matrices of all regions."""
    m = np.zeros((len(rate), AGES, AGES))
    for r in range(len(rate)):
        half = 0.5 * (rate[r, :-1] + rate[r, 1:] * surv_f[r, :-1])
        m[r, 0, :-1] = half * np.sqrt(surv_f[r, 0]) * 100.0 / 205.0
        m[r, np.arange(1, AGES), np.arange(AGES - 1)] = surv_f[r, :-1]
        m[r, -1, -1] = surv_f[r, -1]
    return m


def gravity(xy, population, beta=1.3):
    """Destination probabilities from mass and distance."""
    d = np.sqrt(((xy[:, None, :] - xy[None, :, :]) ** 2).sum(axis=2))
    pull = population[None, :] ** 0.8 / (d + 25.0) ** beta
    np.fill_diagonal(pull, 0.0)
    return pull / pull.sum(axis=1, keepdims=True)


def rogers_castro(age):
    """Propensity to move by age."""
    labour = 0.07 * np.exp(-0.1 * (age - 21.0) - np.exp(-0.35 * (age - 21.0)))
    return 0.006 + 0.025 * np.exp(-0.11 * age) + labour


def step_cohorts(m, female, male, surv_m):
    """One year: matrix for women, shifts for men with births from the female line."""
    new_f = np.zeros_like(female)
    for r in range(len(female)):
        new_f[r] = m[r] @ female[r]
    new_m = np.zeros_like(male)
    new_m[:, 1:] = male[:, :-1] * surv_m[:, :-1]
    new_m[:, -1] += male[:, -1] * surv_m[:, -1]
    new_m[:, 0] = 1.05 * new_f[:, 0] * np.sqrt(surv_m[:, 0])
    return new_f, new_m


def migrate(pop, dest, propensity):
    leavers = pop * propensity
    return pop - leavers + dest.T @ leavers


def project(regions, scenario, years):
    """Yearly totals and final pyramids under one scenario."""
    age = np.arange(AGES)
    female, male = regions["female"].copy(), regions["male"].copy()
    hazard_f, hazard_m = regions["hazard_f"], regions["hazard_m"]
    rate = fertility(regions["tfr"], regions["mean_age"])
    dest = gravity(regions["xy"], female.sum(axis=1) + male.sum(axis=1))
    move = scenario["mobility"] * rogers_castro(age)
    history = np.zeros((years + 1, REGIONS))
    history[0] = (female + male).sum(axis=1)
    for year in range(years):
        ease = (1.0 - scenario["life_change"] * 5.0) ** year
        surv_f, surv_m = np.exp(-ease * hazard_f), np.exp(-ease * hazard_m)
        if year % 10 == 0:
            m = leslie(surv_f, rate * (1.0 + scenario["tfr_change"]) ** year)
        female, male = step_cohorts(m, female, male, surv_m)
        female = migrate(female, dest, move)
        male = migrate(male, dest, move)
        history[year + 1] = (female + male).sum(axis=1)
    return {"female": female, "male": male, "history": history, "matrix": m}


def stable_structure(m, tol=1e-12, limit=1500):
    """Dominant eigenvalue and stable ages of every region by the power method."""
    lam = np.zeros(len(m))
    ages = np.zeros((len(m), AGES))
    for r in range(len(m)):
        v = np.full(AGES, 1.0 / AGES)
        for _ in range(limit):
            w = m[r] @ v
            total = w.sum()
            w = w / total
            if np.abs(w - v).max() < tol:
                break
            v = w
        lam[r], ages[r] = total, w
    return lam, ages


def indicators(out):
    pop = out["female"] + out["male"]
    young, work, old = pop[:, :15].sum(axis=1), pop[:, 15:65].sum(axis=1), pop[:, 65:].sum(axis=1)
    cum = np.cumsum(pop, axis=1) / pop.sum(axis=1, keepdims=True)
    k = np.argmax(cum >= 0.5, axis=1)
    rows = np.arange(len(pop))
    below = np.where(k > 0, cum[rows, k - 1], 0.0)
    median = k + (0.5 - below) / (cum[rows, k] - below)
    return np.stack([young / work, old / work, median])


def pyramid(out, width=24):
    """Text pyramid of the whole country in ten-year groups."""
    f, m = out["female"].sum(axis=0), out["male"].sum(axis=0)
    groups = [(k, m[k:k + 10].sum(), f[k:k + 10].sum()) for k in range(0, 100, 10)]
    top = max(max(a, b) for _, a, b in groups)
    for k, a, b in reversed(groups):
        yield f"{'#' * int(width * a / top + 0.31):>{width}} {k:3d} {'#' * int(width * b / top + 0.31)}"


def main():
    regions = make_regions(np.random.default_rng(1945))
    results = {}
    for name, scenario in parse_scenarios(SCENARIOS).items():
        out = project(regions, scenario, YEARS)
        out["index"] = indicators(out)
        results[name] = out
        total = out["history"].sum(axis=1)
        print(f"{name:8s} {total[0] / 1e6:.4f} -> {total[-1] / 1e6:.4f} million, old-age ratio "
              f"{out['index'][1].mean():.4f}, median age {out['index'][2].mean():.3f}")
    lam, ages = stable_structure(results["base"]["matrix"][:60])
    print(f"intrinsic growth {100 * np.log(lam).mean():.4f} % (lowest {100 * np.log(lam.min()):.4f} %)")
    for line in pyramid(results["base"]):
        print(line)
    np.savez(sys.argv[1], lam=lam, ages=ages,
             **{f"{name}_{key}": out[key] for name, out in results.items() for key in ("history", "index", "female")})


if __name__ == "__main__":
    main()

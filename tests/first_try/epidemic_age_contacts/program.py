"""Regional SEIR model with age groups, contact matrices by setting and commuting.

Usage: program.py OUT.npz
"""
import sys

import numpy as np

AGES = 12
REGIONS = 150
SUBSTEPS = 2
DAYS = 24
SIGMA = 1.0 / 2.6     # 1/day, end of latency
GAMMA = 1.0 / 4.0     # 1/day, recovery


def contact_matrices():
    """Home, school, work and other contacts per day between five-year age groups, made reciprocal."""
    mid = 2.5 + 5.0 * np.arange(AGES)
    gap = np.abs(mid[:, None] - mid[None, :])
    home = 0.9 * np.exp(-gap / 8.0) + 0.7 * np.exp(-((gap - 28.0) / 9.0) ** 2)
    school = np.zeros((AGES, AGES))
    work = np.zeros((AGES, AGES))
    for i, j in np.ndindex(AGES, AGES):
        if 1 <= i <= 3 and 1 <= j <= 3:
            school[i, j] = 5.5 if i == j else 1.2
        if i >= 4 and j >= 4:
            work[i, j] = 0.9 * np.exp(-0.5 * (gap[i, j] / 20.0) ** 2)
    other = 0.35 + 1.1 * np.exp(-gap / 12.0)
    return {name: 0.5 * (m + m.T) for name, m in
            (("home", home), ("school", school), ("work", work), ("other", other))}


def make_population(rng):
    size = rng.lognormal(10.6, 0.7, REGIONS)
    shape = 1.0 - 0.035 * np.arange(AGES)
    shares = rng.dirichlet(60.0 * shape, REGIONS)
    return size[:, None] * shares


def gravity_mobility(xy, size, stay=0.88, length=35.0):
    """Row-normalised commuting matrix from a gravity law; the diagonal is the share that stays."""
    dx = xy[:, None, 0] - xy[None, :, 0]
    dy = xy[:, None, 1] - xy[None, :, 1]
    dist = np.sqrt(dx ** 2 + dy ** 2)
    flow = size[None, :] ** 0.8 * np.exp(-dist / length)
    np.fill_diagonal(flow, 0.0)
    flow *= (1.0 - stay) / flow.sum(axis=1, keepdims=True)
    flow[np.arange(len(size)), np.arange(len(size))] = stay
    return flow


def basic_reproduction(contacts, population, suscept, beta):
    """Largest eigenvalue of the next-generation matrix of each region (symmetrised)."""
    n = population.shape[0]
    r0 = np.zeros(n)
    for r in range(n):
        share = population[r] / population[r].sum()
        root = np.sqrt(share * suscept * AGES)
        k = beta / GAMMA * root[:, None] * contacts * root[None, :]
        r0[r] = np.linalg.eigvalsh(k)[-1]
    return r0


def make_rhs(contacts, mobility, population, suscept, beta):
    present = mobility.T @ population
    norm = AGES / present.sum(axis=1, keepdims=True)

    def force(infectious, factor):
        prevalence = (mobility.T @ infectious) * norm
        local = beta * factor[:, None] * np.einsum("ab,rb->ra", contacts, prevalence)
        return suscept * (mobility @ local)

    def rhs(state, factor):
        s, e, i = state[0], state[1], state[2]
        infections = force(i, factor) * s
        out = np.empty_like(state)
        out[0] = -infections
        out[1] = infections - SIGMA * e
        out[2] = SIGMA * e - GAMMA * i
        out[3] = GAMMA * i
        return out

    return rhs


def rk4(rhs, state, factor, dt):
    k1 = rhs(state, factor)
    k2 = rhs(state + 0.5 * dt * k1, factor)
    k3 = rhs(state + 0.5 * dt * k2, factor)
    k4 = rhs(state + dt * k3, factor)
    return state + dt / 6.0 * (k1 + 2.0 * k2 + 2.0 * k3 + k4)


def measures(prevalence, factor, closed_for):
    """Contact reduction of every region: on at 2 %, off again below 1.6 % but not before 7 days."""
    for r in range(len(prevalence)):
        if closed_for[r] > 0:
            closed_for[r] += 1
            if closed_for[r] > 7 and prevalence[r] < 0.016:
                closed_for[r] = 0
                factor[r] = 0.85
            elif closed_for[r] <= 4:
                factor[r] = max(0.35, factor[r] - 0.15)
        elif prevalence[r] > 0.02:
            closed_for[r] = 1
            factor[r] = 0.7
    return factor, closed_for


def peak_of(curve):
    """Day and height of the maximum of each region's curve (days x regions), refined by a parabola."""
    days, n = curve.shape
    peak_day = np.zeros(n)
    peak = np.zeros(n)
    for r in range(n):
        best = -1.0
        at = 0
        for d in range(days):
            if curve[d, r] > best:
                best = curve[d, r]
                at = d
        peak_day[r] = at
        peak[r] = best
        if 0 < at < days - 1:
            left, right = curve[at - 1, r], curve[at + 1, r]
            bend = left - 2.0 * best + right
            if bend < 0.0:
                shift = 0.5 * (left - right) / bend
                peak_day[r] = at + shift
                peak[r] = best - 0.25 * (left - right) * shift
    return peak_day, peak


def growth_rates(curve, first, last):
    """Least-squares slope of log prevalence for each region."""
    t = np.arange(first, last, dtype=float)
    design = np.stack([np.ones_like(t), t], axis=1)
    slopes = []
    for r in range(curve.shape[1]):
        y = np.log(curve[first:last, r])
        normal = design.T @ design
        slopes.append(np.linalg.solve(normal, design.T @ y)[1])
    return np.array(slopes)


def main(path):
    rng = np.random.default_rng(1889)
    xy = rng.uniform(0.0, 200.0, (REGIONS, 2))
    population = make_population(rng)
    settings = contact_matrices()
    contacts = settings["home"] + settings["school"] + 0.8 * settings["work"] + settings["other"]
    suscept = np.where(np.arange(AGES) < 3, 0.6, 1.0)
    beta = 0.045

    mobility = gravity_mobility(xy, population.sum(axis=1))
    r0 = basic_reproduction(contacts, population, suscept, beta)

    state = np.zeros((4, REGIONS, AGES))
    state[0] = population
    seeds = rng.choice(REGIONS, 20, replace=False)
    state[2, seeds, 5:8] += 90.0
    state[2] += 0.002 * population
    state[0] -= state[2]
    rhs = make_rhs(contacts, mobility, population, suscept, beta)

    factor = np.ones(REGIONS)
    closed_for = np.zeros(REGIONS, dtype=np.int64)
    curve = np.zeros((DAYS, REGIONS))
    by_age = np.zeros((DAYS, AGES))
    size = population.sum(axis=1)
    for day in range(DAYS):
        for _ in range(SUBSTEPS):
            state = rk4(rhs, state, factor, 1.0 / SUBSTEPS)
        curve[day] = state[2].sum(axis=1) / size
        by_age[day] = state[2].sum(axis=0)
        factor, closed_for = measures(curve[day], factor, closed_for)

    attack = 1.0 - state[0] / population
    peak_day, peak = peak_of(curve)
    slope = growth_rates(curve, 2, 9)
    order = np.argsort(-attack.mean(axis=1))

    print("R0 between %.4f and %.4f" % (r0.min(), r0.max()))
    print("people lost by rounding: %.1f" % abs(state.sum() - population.sum()))
    print("regions with measures at the end:", int((closed_for > 0).sum()))
    print("mean doubling time %.3f days" % np.mean(np.log(2.0) / slope))
    print("attack rate by age, first and last: %.5f %.5f" % (attack[:, 0].mean(), attack[:, -1].mean()))
    print("hardest hit regions:", order[:4].tolist())
    np.savez(path, r0=r0, curve=curve, by_age=by_age, attack=attack, factor=factor, closed_for=closed_for,
             peak_day=peak_day, peak=peak, slope=slope, order=order)


if __name__ == "__main__":
    main(sys.argv[1])

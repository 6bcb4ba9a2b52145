# Psychophysics of a motion discrimination task: drift-diffusion simulation of reaction times,
# adaptive staircases, psychometric function by grid likelihood, ex-Gaussian fit, bootstrap.
import sys
from collections import namedtuple

import numpy as np
from scipy.special import erf

Fit = namedtuple("Fit", "threshold slope lapse nll")

COHERENCE = np.array([0.0, 0.032, 0.064, 0.128, 0.256, 0.512])
N_TRIALS = 300
DT = 0.01
MAX_STEPS = 250


def simulate_ddm(noise, drift, bound, start_bias, t_nd, leak):
    """Reaction times and choices (1 up, 0 down, -1 none) for pre-drawn increments (trials, steps)."""
    n, steps = noise.shape
    rt = np.zeros(n)
    choice = np.full(n, -1, dtype=np.int64)
    for trial in range(n):
        x = start_bias * bound
        k = 0
        while k < steps:
            x += (drift[trial] - leak * x) * DT + noise[trial, k]
            if x >= bound:
                choice[trial] = 1
                break
            if x <= -bound:
                choice[trial] = 0
                break
            k += 1
        rt[trial] = t_nd + (k + 1) * DT
    return rt, choice


def race_model(noise_a, noise_b, rate_a, rate_b, bound):
    """Two accumulators with a floor at zero, all trials together step by step."""
    n = len(noise_a)
    a = np.zeros(n)
    b = np.zeros(n)
    winner = np.full(n, -1)
    rt = np.full(n, np.nan)
    for k in range(50):
        a = np.maximum(a + rate_a * 0.02 + noise_a[:, k], 0.0)
        b = np.maximum(b + rate_b * 0.02 + noise_b[:, k], 0.0)
        running = winner < 0
        hit_a = running & (a >= bound) & (a >= b)
        hit_b = running & (b >= bound) & ~hit_a
        winner[hit_a] = 1
        winner[hit_b] = 0
        rt[hit_a | hit_b] = (k + 1) * 0.02
    return rt, winner


def weibull(x, threshold, slope, lapse):
    return 0.5 + (0.5 - lapse) * (1 - np.exp(-((x / threshold) ** slope)))


def fit_psychometric(coh, n_correct, n_total):
    th = np.geomspace(0.02, 0.6, 60)[:, None, None, None]
    sl = np.linspace(0.5, 4.0, 36)[None, :, None, None]
    la = np.linspace(0.0, 0.08, 9)[None, None, :, None]
    p = np.clip(weibull(coh, th, sl, la), 1e-9, 1 - 1e-9)
    nll = -(n_correct * np.log(p) + (n_total - n_correct) * np.log(1 - p)).sum(axis=-1)
    i, j, k = np.unravel_index(np.argmin(nll), nll.shape)
    return Fit(th[i, 0, 0, 0], sl[0, j, 0, 0], la[0, 0, k, 0], nll[i, j, k]), nll


def staircase(uniform, start, step, threshold, slope):
    """Two down, one up on log coherence; the answer of a trial sets the level of the next."""
    level = np.log10(start)
    levels = np.zeros(len(uniform))
    reversals = []
    streak, direction = 0, 0
    for t, u in enumerate(uniform):
        levels[t] = level
        correct = u < weibull(10.0 ** level, threshold, slope, 0.02)
        if correct:
            streak += 1
            move = -1 if streak == 2 else 0
        else:
            move = 1
        if move:
            streak = 0
            if direction and move != direction:
                reversals.append(level)
                if len(reversals) % 4 == 0:
                    step = max(step / 2, 0.025)
            direction = move
            level = min(level + move * step, 0.0)
    return levels, np.mean(reversals[len(reversals) // 3 :])


def exgauss_nll(rt, mu, sigma, tau):
    z = (rt - mu) / sigma - sigma / tau
    phi = 0.5 * (1 + erf(z / np.sqrt(2)))
    logf = -np.log(tau) + sigma ** 2 / (2 * tau ** 2) - (rt - mu) / tau + np.log(np.maximum(phi, 1e-300))
    return -logf.mean()


def fit_exgauss(rt):
    """Pattern search from the moment estimates."""
    m, s = rt.mean(), rt.std()
    skew = ((rt - m) ** 3).mean() / s ** 3
    tau = s * (max(skew, 0.1) / 2) ** (1 / 3)
    par = [m - tau, np.sqrt(max(s ** 2 - tau ** 2, 1e-4)), tau]
    best = exgauss_nll(rt, *par)
    width = 0.2
    for _ in range(25):
        improved = False
        for axis in range(3):
            for sign in (1, -1):
                trial = list(par)
                trial[axis] *= 1 + sign * width
                value = exgauss_nll(rt, *trial)
                if value < best - 1e-9:
                    best, par, improved = value, trial, True
        if not improved:
            width /= 2
    return np.array(par), best


def by_condition(cond, *series):
    """Yields (condition, masked series...) in ascending order."""
    for c in np.unique(cond):
        pick = cond == c
        yield (c, *(s[pick] for s in series))


def quantile_probability(cond, rt, correct):
    """Rows: condition, P(correct), five RT quantiles of the correct answers."""
    rows = []
    for c, r, ok in by_condition(cond, rt, correct):
        rows.append(np.concatenate([[c, ok.mean()], np.quantile(r[ok], [0.1, 0.3, 0.5, 0.7, 0.9])]))
    return np.array(rows)


def bootstrap(cond, correct, resamples, rng):
    """Spread of the proportion correct per condition."""
    levels = np.unique(cond)
    out = np.empty((resamples, len(levels)))
    for j, c in enumerate(levels):
        values = correct[cond == c].astype(float)
        draw = rng.integers(0, len(values), (resamples, len(values)))
        out[:, j] = values[draw].mean(axis=1)
    return out.std(axis=0, ddof=1), np.percentile(out, [2.5, 97.5], axis=0)


def sequential_effects(correct):
    """2x2 table of (previous, current) and the longest run of correct answers."""
    table = np.zeros((2, 2), dtype=np.int64)
    for prev, cur in zip(correct[:-1], correct[1:]):
        table[int(prev), int(cur)] += 1
    longest = run = 0
    for c in correct:
        run = run + 1 if c else 0
        longest = max(longest, run)
    return table, longest


rng = np.random.default_rng(1860)
cond = np.repeat(np.arange(len(COHERENCE)), N_TRIALS)
rng.shuffle(cond)
drift = 5.5 * COHERENCE[cond]
noise = 0.1 * rng.standard_normal((len(cond), MAX_STEPS))

rt, choice = simulate_ddm(noise, drift, 0.7, 0.05, 0.28, 0.4)
valid = choice >= 0
correct = (choice == 1) & valid
counts = np.bincount(cond[valid], weights=correct[valid], minlength=len(COHERENCE))
totals = np.bincount(cond[valid], minlength=len(COHERENCE))
fit, nll = fit_psychometric(COHERENCE, counts, totals)
qp = quantile_probability(cond[valid], rt[valid], correct[valid])
se, ci = bootstrap(cond[valid], correct[valid], 200, rng)
table, longest = sequential_effects(correct)

par, best = fit_exgauss(rt[correct])
hist, edges = np.histogram(rt[correct], bins=50, range=(0.255, 2.755))
delta = np.diff(qp[:, 2:], axis=0)

race_noise = 0.11 * rng.standard_normal((2, 2000, 50))
race_rt, winner = race_model(race_noise[0], race_noise[1], 1.1, 0.7, 0.75)
levels, estimate = staircase(rng.random(400), 0.5, 0.2, fit.threshold, fit.slope)

print(f"{int(valid.sum())} of {len(cond)} trials decided, mean RT {rt[valid].mean():.6f} s")
print(f"Weibull threshold {fit.threshold:.6f}, slope {fit.slope:.4f}, lapse {fit.lapse:.4f}, nll {fit.nll:.6f}")
print("ex-Gaussian", " ".join(f"{p:.6f}" for p in par), f"nll {best:.8f}, staircase {10 ** estimate:.6f}")
print(f"race: A wins {np.mean(winner == 1):.4f}, none {np.mean(winner < 0):.4f}, longest correct run {longest}")
np.savez(sys.argv[1], rt=rt, choice=choice, nll=nll, fit=np.array(fit), qp=qp, se=se, ci=ci, table=table, par=par,
         hist=hist, delta=delta, race_rt=race_rt, winner=winner, levels=levels)

"""Bayesian re-analysis of a dose-response trial.

 - logistic dose-response posterior by random walk Metropolis, many chains side by side
 - conjugate Gibbs sampler for the clinic effects
 - Kalman smoother for biomarker trajectories of every patient
 - bootstrap particle filter for one patient's concentration
"""
import sys

import numpy as np


def simulate_trial(rng, n):
    dose = rng.uniform(0.0, 4.0, n)
    age = rng.normal(0.0, 1.0, n)
    clinic = rng.integers(0, 8, n)
    effect = 0.5 * rng.standard_normal(8)
    eta = -2.0 + 1.1 * dose - 0.4 * age + effect[clinic]
    respond = (rng.random(n) < 1.0 / (1.0 + np.exp(-eta))).astype(float)
    return dose, age, clinic, respond


def make_posterior(X, y, prior_sd):
    """log posterior for a (chains, p) block of coefficients"""
    p = X.shape[1]
    penalty = np.full(p, 1.0 / (2.0 * prior_sd ** 2))

    def loglik(beta):
        eta = beta @ X.T
        return (y * eta - np.logaddexp(0.0, eta)).sum(axis=1)

    def logpost(beta):
        return loglik(beta) - (beta ** 2 * penalty).sum(axis=1)

    return logpost


def metropolis(logpost, start, scale, steps, rng):
    chains, p = start.shape
    x = start.copy()
    lp = logpost(x)
    keep = np.empty((steps, chains, p))
    accepted = np.zeros(chains)
    for s in range(steps):
        prop = x + scale * rng.standard_normal((chains, p))
        lq = logpost(prop)
        ok = np.log(rng.random(chains)) < lq - lp
        x = np.where(ok[:, None], prop, x)
        lp = np.where(ok, lq, lp)
        accepted += ok
        keep[s] = x
    return keep, accepted / steps


def split_rhat(keep):
    half = keep.shape[0] // 2
    parts = np.concatenate([keep[:half], keep[half:2 * half]], axis=1)
    means = parts.mean(axis=0)
    w = parts.var(axis=0, ddof=1).mean(axis=0)
    b = half * means.var(axis=0, ddof=1)
    return np.sqrt(((half - 1) / half * w + b / half) / w)


def autocorrelation(keep, max_lag):
    """Mean over chains through the FFT, one parameter at a time."""
    steps = keep.shape[0]
    acf = np.empty((keep.shape[2], max_lag))
    for j in range(keep.shape[2]):
        z = keep[:, :, j] - keep[:, :, j].mean(axis=0)
        f = np.fft.fft(z, n=2 * steps, axis=0)
        c = np.fft.ifft(f * np.conj(f), axis=0).real[:max_lag]
        acf[j] = (c / c[0]).mean(axis=1)
    return acf


def gibbs_clinics(resid, clinic, sweeps, rng):
    """Normal random effects with known residual spread; eight scalars per sweep."""
    m = 8
    n_k = np.bincount(clinic, minlength=m).astype(float)
    s_k = np.bincount(clinic, weights=resid, minlength=m)
    tau2 = 0.5
    draws = np.empty((sweeps, m))
    spread = np.empty(sweeps)
    for s in range(sweeps):
        prec = n_k + 1.0 / tau2
        draws[s] = s_k / prec + rng.standard_normal(m) / np.sqrt(prec)
        tau2 = (1.0 + 0.5 * np.sum(draws[s] ** 2)) / rng.gamma(2.0 + m / 2)
        spread[s] = tau2
    return draws, spread


def kalman_panel(obs, q, r):
    """Local linear trend, all patients at once: states (n, 2), covariances (n, 2, 2)."""
    n, T = obs.shape
    F = np.array([[1.0, 1.0], [0.0, 1.0]])
    Q = np.diag(q)
    Hrow = np.array([1.0, 0.0])
    m = np.zeros((n, 2))
    m[:, 0] = obs[:, 0]
    P = np.tile(np.eye(2), (n, 1, 1))
    ms = np.empty((T, n, 2))
    Ps = np.empty((T, n, 2, 2))
    mp = np.empty((T, n, 2))
    Pp = np.empty((T, n, 2, 2))
    loglik = np.zeros(n)
    for t in range(T):
        m = m @ F.T
        P = F @ P @ F.T + Q
        mp[t], Pp[t] = m, P
        seen = np.isfinite(obs[:, t])
        innov = np.where(seen, obs[:, t], 0.0) - m @ Hrow
        S = np.einsum("i,nij,j->n", Hrow, P, Hrow) + r
        K = P @ Hrow / S[:, None]
        K[~seen] = 0.0
        m = m + K * innov[:, None]
        P = P - K[:, :, None] * (P @ Hrow)[:, None, :]
        loglik += np.where(seen, -0.5 * (np.log(2 * np.pi * S) + innov ** 2 / S), 0.0)
        ms[t], Ps[t] = m, P
    for t in range(T - 2, -1, -1):
        G = Ps[t] @ F.T @ np.linalg.inv(Pp[t + 1])
        ms[t] += np.einsum("nij,nj->ni", G, ms[t + 1] - mp[t + 1])
        Ps[t] += G @ (Ps[t + 1] - Pp[t + 1]) @ np.swapaxes(G, 1, 2)
    return ms, Ps, loglik


def particle_filter(obs, particles, decay, noise, obs_sd, rng):
    x = np.abs(rng.normal(3.0, 1.0, particles))
    mean = np.empty(len(obs))
    ess = np.empty(len(obs))
    for t, y in enumerate(obs):
        x = x * decay * np.exp(noise * rng.standard_normal(particles))
        logw = -0.5 * ((y - x) / obs_sd) ** 2
        w = np.exp(logw - logw.max())
        w /= w.sum()
        mean[t] = np.dot(w, x)
        ess[t] = 1.0 / np.sum(w ** 2)
        if ess[t] < 0.6 * particles:
            comb = (np.arange(particles) + rng.random()) / particles
            pick = np.searchsorted(np.cumsum(w), comb)
            x = x[np.minimum(pick, particles - 1)]
    return mean, ess


def main(out):
    rng = np.random.default_rng(303)
    dose, age, clinic, respond = simulate_trial(rng, 400)
    X = np.column_stack([np.ones_like(dose), dose, age])
    logpost = make_posterior(X, respond, 2.5)

    start = np.array([-1.5, 0.9, -0.3]) + 0.2 * rng.standard_normal((64, 3))
    keep, rate = metropolis(logpost, start, np.array([0.25, 0.12, 0.15]), 120, rng)
    kept = keep[40:]
    rhat = split_rhat(kept)
    acf = autocorrelation(kept, 20)
    post = kept.reshape(-1, 3)
    lo, mid, hi = np.quantile(post, [0.025, 0.5, 0.975], axis=0)
    print("acceptance %.4f, R-hat %.4f %.4f %.4f" % ((rate.mean(),) + tuple(rhat)))
    for name, a, b, c in zip(("intercept", "dose", "age"), lo, mid, hi):
        print("  %-9s %8.4f [%8.4f, %8.4f]" % (name, b, a, c))

    grid = np.linspace(0.0, 4.0, 41)
    curve = 1.0 / (1.0 + np.exp(-(post[:, :1] + post[:, 1:2] * grid)))
    band = np.stack([curve.mean(axis=0), curve.std(axis=0)])
    ed50 = np.median(-post[:, 0] / post[:, 1])

    resid = respond - 1.0 / (1.0 + np.exp(-(X @ mid)))
    effects, spread = gibbs_clinics(resid * 2.0, clinic, 150, rng)

    trend = np.cumsum(0.1 * rng.standard_normal((200, 24)), axis=1) + rng.normal(5.0, 1.0, (200, 1))
    marker = trend + 0.3 * rng.standard_normal(trend.shape)
    marker[:, 1:][rng.random((200, 23)) < 0.1] = np.nan
    ms, Ps, loglik = kalman_panel(marker, (0.01, 0.0005), 0.09)

    level = 3.2 * 0.93 ** np.arange(1, 31)
    mean, ess = particle_filter(level + 0.15 * rng.standard_normal(30), 2000, 0.93, 0.05, 0.15, rng)
    print("ED50 %.5f, Kalman log-likelihood %.5f, smallest ESS %.2f" % (ed50, loglik.sum(), ess.min()))

    np.savez(out, post=post, rate=rate, rhat=rhat, acf=acf, band=band, effects=effects, spread=spread,
             smooth=ms, variance=Ps[:, :, 0, 0], loglik=loglik, concentration=mean, ess=ess)


if __name__ == "__main__":
    main(sys.argv[1])

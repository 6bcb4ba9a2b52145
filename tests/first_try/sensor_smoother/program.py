"""Kalman filter and RTS smoother for a network of temperature loggers.

Every logger follows its own local linear trend (level, slope); the filter runs over time with all loggers side by side.
Readings that are missing (NaN) are skipped, spikes are gated by their normalised innovation.
"""
import sys
import numpy as np


class TrendSmoother:
    def __init__(self, dt, q_level, q_slope, r, gate=16.0):
        m = len(r)
        self.m = m
        self.F = np.array([[1.0, dt], [0.0, 1.0]])
        self.Q = np.zeros((m, 2, 2))
        self.Q[:, 0, 0] = q_level * dt + q_slope * dt ** 3 / 3.0
        self.Q[:, 0, 1] = q_slope * dt ** 2 / 2.0
        self.Q[:, 1, 0] = self.Q[:, 0, 1]
        self.Q[:, 1, 1] = q_slope * dt
        self.r = r
        self.gate = gate
        self.loglik = np.zeros(m)
        self.rejected = np.zeros(m, dtype=np.int64)

    def predict(self, x, P):
        xp = x @ self.F.T
        Pp = np.einsum("ab,mbc,dc->mad", self.F, P, self.F) + self.Q
        return xp, Pp

    def update(self, xp, Pp, z):
        seen = ~np.isnan(z)
        nu = np.where(seen, z, xp[:, 0]) - xp[:, 0]
        S = Pp[:, 0, 0] + self.r
        nis = nu * nu / S
        use = seen & (nis < self.gate)
        self.rejected += seen & ~use
        K = Pp[:, :, 0] / S[:, None]
        K[~use] = 0.0
        x = xp + K * nu[:, None]
        P = Pp - K[:, :, None] * Pp[:, None, 0, :]
        P = 0.5 * (P + np.swapaxes(P, 1, 2))
        self.loglik -= np.where(use, 0.5 * (np.log(2.0 * np.pi * S) + nis), 0.0)
        return x, P

    def run(self, Z, x0, P0):
        T = Z.shape[0]
        self.xf, self.Pf = np.empty((T, self.m, 2)), np.empty((T, self.m, 2, 2))
        self.xp, self.Pp = np.empty_like(self.xf), np.empty_like(self.Pf)
        x, P = x0, P0
        for t in range(T):
            xp, Pp = self.predict(x, P)
            x, P = self.update(xp, Pp, Z[t])
            self.xp[t], self.Pp[t] = xp, Pp
            self.xf[t], self.Pf[t] = x, P
        return self

    def smooth(self):
        T = self.xf.shape[0]
        xs, Ps = self.xf.copy(), self.Pf.copy()
        t = T - 2
        while t >= 0:
            A = self.Pf[t] @ self.F.T
            # gain G = P F' Pp^-1, by solving Pp G' = F P for all loggers at once
            G = np.swapaxes(np.linalg.solve(self.Pp[t + 1], np.swapaxes(A, 1, 2)), 1, 2)
            xs[t] += np.einsum("mab,mb->ma", G, xs[t + 1] - self.xp[t + 1])
            Ps[t] += G @ (Ps[t + 1] - self.Pp[t + 1]) @ np.swapaxes(G, 1, 2)
            t -= 1
        return xs, Ps


def make_readings(T, m, dt, sd, rng):
    level = 12.0 + 4.0 * rng.random(m)
    phase = rng.uniform(0, 2 * np.pi, m)
    t = np.arange(T) * dt
    truth = level + 3.0 * np.sin(2 * np.pi * t[:, None] / 24.0 + phase) + 0.02 * t[:, None]
    z = truth + sd * rng.standard_normal((T, m))
    z[rng.random((T, m)) < 0.08] = np.nan
    spikes = rng.random((T, m)) < 0.01
    z = np.where(spikes, z + 25.0, z)
    return truth, z


def first_value(Z):
    """First reading of every logger that is not missing."""
    ok = ~np.isnan(Z)
    return Z[np.argmax(ok, axis=0), np.arange(Z.shape[1])]


def longest_gap(Z):
    T, m = Z.shape
    out = np.zeros(m, dtype=np.int64)
    for j in range(m):
        run = 0
        best = 0
        for t in range(T):
            if np.isnan(Z[t, j]):
                run += 1
                if run > best:
                    best = run
            else:
                run = 0
        out[j] = best
    return out


def main(path):
    rng = np.random.default_rng(77)
    T, m, dt = 48, 300, 0.5
    sd = rng.uniform(0.2, 0.5, m)
    truth, Z = make_readings(T, m, dt, sd, rng)
    x0 = np.stack([first_value(Z), np.zeros(m)], axis=1)
    P0 = np.zeros((m, 2, 2))
    P0[:, 0, 0], P0[:, 1, 1] = 4.0, 1.0

    ks = TrendSmoother(dt, 0.01, 0.15, sd ** 2).run(Z, x0, P0)
    xs, Ps = ks.smooth()
    band = 1.96 * np.sqrt(Ps[:, :, 0, 0])
    inside = np.mean(np.abs(xs[:, :, 0] - truth) < band)
    rms_f = np.sqrt(np.mean((ks.xf[:, :, 0] - truth) ** 2))
    rms_s = np.sqrt(np.mean((xs[:, :, 0] - truth) ** 2))
    gaps = longest_gap(Z)
    worst = np.argsort(ks.loglik, kind="stable")[:10]
    print(f"rms filtered {rms_f:.8f} smoothed {rms_s:.8f}, inside 95 % band {inside:.5f}")
    print(f"rejected {int(ks.rejected.sum())}, longest gap {gaps.max()}, log likelihood {ks.loglik.sum():.5f}")
    print("worst loggers", worst.tolist())
    np.savez(path, level=xs[:, :, 0], slope=xs[:, :, 1], var=Ps[:, :, 0, 0], loglik=ks.loglik,
             rejected=ks.rejected, gaps=gaps, worst=worst)


if __name__ == "__main__":
    main(sys.argv[1])

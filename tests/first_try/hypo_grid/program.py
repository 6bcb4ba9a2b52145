"""Grid-search hypocentre location in a velocity-gradient crust.

Travel times to every station are tabulated on a coarse volume, then each event of
the catalogue is located by weighted L2 and by L1 misfit; the posterior of the depth
and the station residuals are kept for the station-correction table.
"""
import sys

import numpy as np

V0 = 5.2          # km/s at the surface
GRAD = 0.045      # 1/s
SIGMA = 0.12      # s, picking error of a class-0 pick
CLASS_WEIGHT = [1.0, 0.75, 0.5, 0.25]


def network(nsta, rng):
    """Station coordinates (east, north, elevation) in km on a jittered ring."""
    az = np.linspace(0.0, 2.0 * np.pi, nsta, endpoint=False) + rng.normal(0.0, 0.15, nsta)
    r = rng.uniform(8.0, 46.0, nsta)
    return 50.0 + r * np.cos(az), 50.0 + r * np.sin(az), rng.uniform(0.1, 1.6, nsta)


def gradient_time(dist, depth):
    """Direct-wave time in v = v0 + g z for epicentral distance and depth (arrays)."""
    vz = V0 + GRAD * depth
    arg = 1.0 + GRAD * GRAD * (dist * dist + depth * depth) / (2.0 * V0 * vz)
    return np.log(arg + np.sqrt(arg * arg - 1.0)) / GRAD


def build_table(gx, gy, gz, sx, sy, elev):
    """Travel-time table tt[station, ix, iy, iz]."""
    tt = np.empty((len(sx), len(gx), len(gy), len(gz)))
    for k in range(len(sx)):
        dx = gx - sx[k]
        dy = gy - sy[k]
        dist = np.sqrt(dx[:, None] ** 2 + dy[None, :] ** 2)
        tt[k] = gradient_time(dist[:, :, None], gz[None, None, :] + elev[k])
    return tt


def locate_l2(tt, picks, w):
    """Weighted least squares; origin time is eliminated analytically at every node."""
    res = picks[:, None, None, None] - tt
    wsum = w.sum()
    t0 = np.tensordot(w, res, axes=1) / wsum
    res -= t0
    chi2 = np.einsum("s,sijk->ijk", w, res * res) / SIGMA ** 2
    best = np.argmin(chi2)
    return chi2, np.unravel_index(best, chi2.shape), t0.ravel()[best]


def locate_l1(tt, picks, w):
    """L1 misfit node by node, keeping the best node seen so far."""
    nsta, nx, ny, nz = tt.shape
    wsum = w.sum()
    best = 1.0e30
    bi = bj = bk = 0
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                mean = 0.0
                for s in range(nsta):
                    mean += w[s] * (picks[s] - tt[s, i, j, k])
                mean /= wsum
                misfit = 0.0
                for s in range(nsta):
                    misfit += w[s] * abs(picks[s] - tt[s, i, j, k] - mean)
                if misfit < best:
                    best = misfit
                    bi, bj, bk = i, j, k
    return best / wsum, bi, bj, bk


def depth_posterior(chi2, gz):
    """Marginal depth density with its 16/50/84 per cent depths."""
    pdf = np.exp(-0.5 * (chi2 - chi2.min()))
    pdf /= pdf.sum()
    marg = pdf.sum(axis=(0, 1))
    cdf = np.cumsum(marg)
    q = np.interp([0.16, 0.5, 0.84], cdf, gz)
    spread = np.sqrt(np.sum(marg * (gz - np.sum(marg * gz)) ** 2))
    return marg, q, spread


def pick_class_label(weight):
    """Bulletin letter of a pick weight."""
    letters = {1.0: "A", 0.75: "B", 0.5: "C", 0.25: "D"}
    return "".join(letters[float(v)] for v in weight)


def main():
    rng = np.random.default_rng(20110311)
    nsta = 12
    sx, sy, elev = network(nsta, rng)
    gx = np.linspace(5.0, 95.0, 16)
    gy = np.linspace(5.0, 95.0, 16)
    gz = np.linspace(1.0, 25.0, 9)
    tt = build_table(gx, gy, gz, sx, sy, elev)

    events = [(31.0, 62.0, 9.0, 4.10), (58.0, 47.0, 14.5, 11.75), (72.0, 30.0, 6.2, 20.02)]
    nodes, origin, l1nodes, l1misfit = [], [], [], []
    quantiles = np.zeros((len(events), 3))
    marginals = np.zeros((len(events), len(gz)))
    resid = np.zeros((len(events), nsta))
    labels = []
    for n, (ex, ey, ez, et) in enumerate(events):
        quality = rng.integers(0, 4, nsta)
        w = np.array([CLASS_WEIGHT[q] for q in quality])
        dist = np.hypot(sx - ex, sy - ey)
        picks = et + gradient_time(dist, ez + elev) + rng.normal(0.0, SIGMA, nsta) / np.sqrt(w)
        chi2, (i, j, k), t0 = locate_l2(tt, picks, w)
        nodes.append((gx[i], gy[j], gz[k]))
        origin.append(t0)
        resid[n] = picks - t0 - tt[:, i, j, k]
        marginals[n], quantiles[n], spread = depth_posterior(chi2, gz)
        m1, i1, j1, k1 = locate_l1(tt, picks, w)
        l1nodes.append((i1, j1, k1))
        l1misfit.append(m1)
        labels.append(pick_class_label(w))
        print(f"event {n} [{labels[-1]}]: x={gx[i]:.1f} y={gy[j]:.1f} z={gz[k]:.1f} km  "
              f"t0={t0:.3f} s  sz={spread:.3f} km  L1={m1:.4f} s at {i1},{j1},{k1}")

    correction = np.median(resid, axis=0)
    print(f"largest station correction {np.abs(correction).max():.3f} s")
    np.savez(sys.argv[1], nodes=np.array(nodes), origin=np.array(origin), l1nodes=np.array(l1nodes),
             l1misfit=np.array(l1misfit), quantiles=quantiles, marginals=marginals,
             resid=resid, correction=correction)


if __name__ == "__main__":
    main()

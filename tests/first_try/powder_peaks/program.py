"""Fit pseudo-Voigt profiles to the reflections of a powder pattern, then refine cell edge and strain."""
import sys
import numpy as np

WAVELENGTH = 1.540598
HALF = 30          # window of each peak: 2*HALF + 1 samples
PARAMS = ("centre", "fwhm", "eta", "height", "base")


def reflections(a, tt_max):
    """2theta and multiplicity-like weight of primitive cubic reflections."""
    out = {}
    for h in range(0, 9):
        for k in range(0, h + 1):
            for l in range(0, k + 1):
                n = h * h + k * k + l * l
                if n == 0:
                    continue
                s = WAVELENGTH * np.sqrt(n) / (2.0 * a)
                if s < np.sin(np.radians(tt_max / 2)):
                    out[n] = out.get(n, 0) + (48 >> ((h == k) + (k == l) + (l == 0)))
    ns = np.array(sorted(out))
    tt = 2.0 * np.degrees(np.arcsin(WAVELENGTH * np.sqrt(ns) / (2.0 * a)))
    return ns, tt, np.array([out[n] for n in ns], dtype=float)


def profile(x, c, w, eta, h):
    u = (x - c) / (0.5 * w)
    lor = 1.0 / (1.0 + u * u)
    gau = np.exp(-np.log(2.0) * u * u)
    return h * (eta * lor + (1.0 - eta) * gau)


def simulate_pattern(x, tt, mult, rng):
    y = 12.0 + 300.0 * np.exp(-x / 18.0)
    width = 0.09 + 0.0012 * tt
    height = 40.0 * mult * np.exp(-0.018 * tt)
    for c, w, h in zip(tt, width, height):
        y += profile(x, c, w, 0.45, h)
    return rng.poisson(y * 40.0) / 40.0


def running_minimum_background(y, half):
    """Background: minimum over a window (every fourth sample), then a moving average."""
    n = len(y)
    ero = np.empty(n)
    for i in range(n):
        m = y[i]
        for j in range(max(0, i - half), min(n, i + half + 1), 4):
            if y[j] < m:
                m = y[j]
        ero[i] = m
    ker = np.ones(2 * half + 1) / (2 * half + 1)
    pad = np.concatenate([np.full(half, ero[0]), ero, np.full(half, ero[-1])])
    return np.convolve(pad, ker, mode="valid")


def cut_windows(x, y, tt):
    xs, ys = [], []
    for c in tt:
        k = int(np.searchsorted(x, c))
        xs.append(x[k - HALF:k + HALF + 1])
        ys.append(y[k - HALF:k + HALF + 1])
    return np.stack(xs), np.stack(ys)


def start_values(xs, ys):
    base = ys.min(axis=1)
    top = ys.max(axis=1) - base
    area = np.sum(np.maximum(ys - base[:, None] - 0.1 * top[:, None], 0.0), axis=1) * (xs[0, 1] - xs[0, 0])
    centre = xs[np.arange(len(xs)), np.argmax(ys, axis=1)]
    return np.stack([centre, area / top, np.full(len(xs), 0.5), top, base], axis=1)


def jacobian(x, p):
    c, w, eta, h, b = p
    u = 2.0 * (x - c) / w
    lor = 1.0 / (1.0 + u * u)
    gau = np.exp(-np.log(2.0) * u * u)
    du = h * (-2.0 * eta * u * lor * lor - 2.0 * np.log(2.0) * (1.0 - eta) * u * gau)
    J = np.empty((len(x), 5))
    J[:, 0] = -2.0 / w * du
    J[:, 1] = -u / w * du
    J[:, 2] = h * (lor - gau)
    J[:, 3] = eta * lor + (1.0 - eta) * gau
    J[:, 4] = 1.0
    return J, h * J[:, 3] + b


def gauss_newton(xs, ys, p0, niter):
    """Damped Gauss-Newton; the damping is halved from one sweep to the next."""
    p = p0.copy()
    npk = len(xs)
    chi2 = np.zeros((niter, npk))
    sigma = np.zeros_like(p)
    damping = 0.5
    for it in range(niter):
        for k in range(npk):
            J, model = jacobian(xs[k], p[k])
            r = ys[k] - model
            wgt = 1.0 / np.maximum(ys[k], 1.0)
            N = J.T @ (wgt[:, None] * J)
            g = J.T @ (wgt * r)
            N += np.diag(damping * np.diag(N))
            p[k] += np.linalg.solve(N, g)
            p[k, 1] = max(p[k, 1], 0.03)
            p[k, 2] = min(max(p[k, 2], 0.0), 1.0)
            chi2[it, k] = np.sum(wgt * r * r)
            if it == niter - 1:
                sigma[k] = np.sqrt(np.diag(np.linalg.inv(N)))
        damping *= 0.5
    return p, sigma, chi2


def cell_edge(tt, ns, sigma):
    """Weighted Nelson-Riley extrapolation of the cell edge."""
    th = np.radians(tt / 2.0)
    a = WAVELENGTH * np.sqrt(ns) / (2.0 * np.sin(th))
    nr = 0.5 * (np.cos(th) ** 2 / np.sin(th) + np.cos(th) ** 2 / th)
    w = (np.tan(th) / np.radians(sigma)) ** 2
    w = w / w.sum()
    mx, my = np.sum(w * nr), np.sum(w * a)
    slope = np.sum(w * (nr - mx) * (a - my)) / np.sum(w * (nr - mx) ** 2)
    return my - slope * mx, a


def main():
    rng = np.random.default_rng(5)
    x = np.arange(18.0, 128.0, 0.02)
    ns, tt, mult = reflections(5.431, 124.0)
    keep = tt > 20.0
    ns, tt, mult = ns[keep], tt[keep], mult[keep]
    y = simulate_pattern(x, tt, mult, rng)
    bg = running_minimum_background(y, 60)
    xs, ys = cut_windows(x, y - bg + 5.0, tt)
    p, sigma, chi2 = gauss_newton(xs, ys, start_values(xs, ys), 10)
    a0, a = cell_edge(p[:, 0], ns, sigma[:, 0])
    th = np.radians(p[:, 0] / 2.0)
    wh = np.polyfit(np.sin(th), np.radians(p[:, 1]) * np.cos(th), 1)
    print(f"{len(ns)} reflections, a = {a0:.6f}")
    print(f"chi2 first {chi2[0].sum():.4f}, last {chi2[-1].sum():.4f}")
    print(f"Williamson-Hall strain {1e4 * wh[0] / 4:.6f}e-4, intercept {wh[1]:.6e}")
    np.savez(sys.argv[1], params=p, sigma=sigma, chi2=chi2, background=bg, a=a, n=ns)


if __name__ == "__main__":
    main()

"""Directional sea state: JONSWAP synthesis at a pitch-roll buoy, Welch cross spectra, wave-by-wave statistics."""
import sys
import numpy as np

G = 9.81


def dispersion(omega, depth, iterations=12):
    """Wave numbers of linear waves in water of finite depth, by Newton."""
    k = np.zeros(len(omega))
    for i in range(len(omega)):
        k0 = omega[i] ** 2 / G
        x = k0
        if k0 * depth < 3.0:
            x = np.sqrt(k0 / depth)
        for _ in range(iterations):
            th = np.tanh(x * depth)
            f = x * th - k0
            df = th + x * depth * (1.0 - th * th)
            x -= f / df
        k[i] = x
    return k


def jonswap(f, hs, tp, gamma):
    fp = 1.0 / tp
    sigma = np.where(f <= fp, 0.07, 0.09)
    peak = np.exp(-0.5 * ((f / fp - 1.0) / sigma) ** 2)
    s = f ** -5 * np.exp(-1.25 * (f / fp) ** -4) * gamma ** peak
    m0 = np.sum(s) * (f[1] - f[0])
    return s * (hs / 4.0) ** 2 / m0


def spreading(theta, mean, s):
    d = np.cos(0.5 * (theta[None, :] - mean)) ** 2
    w = d ** s[:, None]
    return w / w.sum(axis=1, keepdims=True)


def synthesise(f, theta, S2, k, t, rng):
    """Heave and slopes at the origin; one frequency at a time, all directions together."""
    eta = np.zeros_like(t)
    sx, sy = np.zeros_like(t), np.zeros_like(t)
    phase = rng.uniform(0.0, 2.0 * np.pi, S2.shape)
    amp = np.sqrt(2.0 * S2 * (f[1] - f[0]))
    z = amp * np.exp(1j * phase)
    a0 = z.sum(axis=1)
    ax = 1j * k * (z * np.cos(theta)).sum(axis=1)
    ay = 1j * k * (z * np.sin(theta)).sum(axis=1)
    for fi, c0, cx, cy in zip(f, a0, ax, ay):
        e = np.exp(-2j * np.pi * fi * t)
        eta += (c0 * e).real
        sx += (cx * e).real
        sy += (cy * e).real
    return eta, sx, sy


def welch_cross(signals, nseg, fs):
    """Cross spectral matrix over half-overlapping Hann windows."""
    win = np.hanning(nseg)
    scale = 2.0 / (fs * np.sum(win ** 2))
    nch = len(signals)
    out = np.zeros((nch, nch, nseg // 2 + 1), dtype=complex)
    starts = range(0, len(signals[0]) - nseg + 1, nseg // 2)
    for a in starts:
        spec = [np.fft.rfft((x[a:a + nseg] - x[a:a + nseg].mean()) * win) for x in signals]
        for i in range(nch):
            for j in range(nch):
                out[i, j] += spec[i] * np.conj(spec[j])
    return out * scale / len(starts), np.fft.rfftfreq(nseg, 1.0 / fs)


def direction_moments(C, k):
    a1 = C[0, 1].imag / np.maximum(k * C[0, 0].real, 1e-12)
    b1 = C[0, 2].imag / np.maximum(k * C[0, 0].real, 1e-12)
    mean = np.arctan2(b1, a1)
    spread = np.sqrt(np.maximum(2.0 * (1.0 - np.hypot(a1, b1)), 0.0))
    return mean, spread


def spectral_moments(f, S):
    df = f[1] - f[0]
    return {n: float(np.sum(f[1:] ** n * S[1:]) * df) for n in (-1, 0, 1, 2)}


def zero_upcross(eta, dt):
    """Heights and periods of the single waves, running crest and trough from one up-crossing to the next."""
    heights, periods = [], []
    begin = None
    crest = trough = 0.0
    for n in range(1, len(eta)):
        if eta[n - 1] < 0.0 <= eta[n]:
            tc = (n - 1 + eta[n - 1] / (eta[n - 1] - eta[n])) * dt
            if begin is not None:
                heights.append(crest - trough)
                periods.append(tc - begin)
            begin = tc
            crest = trough = 0.0
        crest = max(crest, eta[n])
        trough = min(trough, eta[n])
    return np.array(heights), np.array(periods)


def joint_histogram(h, t, nh, nt, hmax, tmax):
    table = np.zeros((nh, nt), dtype=np.int64)
    for a, b in zip(h, t):
        i, j = int(a / hmax * nh), int(b / tmax * nt)
        if i < nh and j < nt:
            table[i, j] += 1
    return table


def significant(h):
    top = np.sort(h)[::-1]
    return top[:max(1, len(h) // 3)].mean()


def main():
    out = sys.argv[1]
    rng = np.random.default_rng(640)
    fs, nt, depth = 2.0, 4096, 24.0
    t = np.arange(nt) / fs
    f = np.linspace(0.04, 0.5, 120)
    theta = np.linspace(-np.pi, np.pi, 48, endpoint=False)
    swell = jonswap(f, 1.4, 12.5, 6.0)
    wind = jonswap(f, 2.1, 6.5, 2.5)
    S2 = (swell[:, None] * spreading(theta, 0.6, 40.0 + 0.0 * f)
          + wind[:, None] * spreading(theta, -0.9, 12.0 * np.minimum(1.0, 0.15 / f)))
    k = dispersion(2.0 * np.pi * f, depth)
    eta, sx, sy = synthesise(f, theta, S2, k, t, rng)

    C, fw = welch_cross([eta, sx, sy], 256, fs)
    kw = np.zeros_like(fw)
    kw[1:] = dispersion(2.0 * np.pi * fw[1:], depth)
    mean, spread = direction_moments(C, kw)
    S = C[0, 0].real
    m = spectral_moments(fw, S)
    band = (fw > 0.06) & (fw < 0.4)

    h, tz = zero_upcross(eta, 1.0 / fs)
    table = joint_histogram(h, tz, 12, 10, 6.0, 16.0)
    print(f"Hm0 {4 * np.sqrt(m[0]):.6f} m, Tm02 {np.sqrt(m[0] / m[2]):.6f} s, Te {m[-1] / m[0]:.6f} s")
    print(f"{len(h)} waves, H1/3 {significant(h):.6f} m, Hmax {h.max():.6f} m, Tz {tz.mean():.6f} s")
    print(f"direction at the peak {np.degrees(mean[np.argmax(S)]):.5f} deg")
    np.savez(out, eta=eta, k=k, spectrum=S, mean=mean[band], spread=spread[band], heights=h, periods=tz, table=table)


if __name__ == "__main__":
    main()

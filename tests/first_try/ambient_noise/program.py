# ambient noise interferometry: records -> windows -> whitening -> one-bit -> pair correlations -> stack -> FTAN picks
import sys
from itertools import combinations

import numpy as np
from scipy import fft, signal

FS = 4.0
NWIN = 1024
HALF = 400


def stations(n, rng):
    ang = np.linspace(0, 2 * np.pi, n, endpoint=False) + rng.uniform(-0.2, 0.2, n)
    r = rng.uniform(14.0, 40.0, n)
    return np.stack([r * np.cos(ang), r * np.sin(ang)], axis=1)


def phase_velocity(f):
    return 3.4 - 0.55 * np.tanh(2.1 * (f - 0.32) / 0.32)


def hours(xy, count, rng, sources=36):
    """Yields one record (station, sample) per hour: far sources of random phase, local noise, now and then a quake."""
    n = 4096
    f = fft.rfftfreq(n, 1 / FS)
    slow = 1.0 / phase_velocity(f)
    shape = np.exp(-((np.log(np.maximum(f, 1e-3) / 0.22) / 0.6) ** 2))
    for h in range(count):
        az = rng.uniform(0, 2 * np.pi, sources)
        amp = rng.gamma(2.0, 0.5, sources)
        total = np.zeros((len(xy), len(f)), dtype=complex)
        for k in range(sources):
            src = np.exp(2j * np.pi * rng.uniform(0, 1, len(f))) * shape * amp[k]
            delay = -(xy @ np.array([np.cos(az[k]), np.sin(az[k])]))
            total += src * np.exp(-2j * np.pi * f * delay[:, None] * slow)
        x = fft.irfft(total, n, axis=1)
        x /= x.std(axis=1, keepdims=True)
        x += 0.35 * rng.standard_normal(x.shape)
        if h % 5 == 3:
            at = rng.integers(500, 3000)
            t = np.arange(n - at)
            x[:, at:] += 60 * np.exp(-t / 160.0) * np.sin(0.35 * t)
        yield x


def windows(record, overlap=0.5):
    hop = int(NWIN * (1 - overlap))
    for start in range(0, record.shape[1] - NWIN + 1, hop):
        yield record[:, start:start + NWIN]


def quiet(stream, limit=6.0):
    """Drops windows with a large ratio of peak to rms at any station."""
    for w in stream:
        w = w - w.mean(axis=1, keepdims=True)
        ratio = np.abs(w).max(axis=1) / np.sqrt((w**2).mean(axis=1))
        rms = w.std(axis=1)
        if ratio.max() < limit and rms.max() < 3.0:
            yield w


def running_mean(a, k):
    c = np.cumsum(np.pad(a, ((0, 0), (k + 1, k)), mode="edge"), axis=1)
    return (c[:, 2 * k + 1:] - c[:, :-2 * k - 1]) / (2 * k + 1)


def whiten(w, lo, hi, taper):
    n = 2 * NWIN
    spec = fft.rfft(w * taper, n, axis=1)
    spec /= running_mean(np.abs(spec), 10) + 1e-12
    f = fft.rfftfreq(n, 1 / FS)
    band = np.clip(np.minimum((f - lo) / 0.03, (hi - f) / 0.05), 0.0, 1.0)
    return spec * np.sin(0.5 * np.pi * band) ** 2


def one_bit(spec, soft=0.0123):
    x = fft.irfft(spec, axis=1)[:, :NWIN]
    x = x / (np.abs(x) + soft * x.std(axis=1, keepdims=True))
    return fft.rfft(x, 2 * NWIN, axis=1)


def correlate(specs, pairs):
    """Lag window of the coherency of every pair."""
    out = np.empty((len(pairs), 2 * HALF + 1))
    norm = np.sqrt((np.abs(specs) ** 2).mean(axis=1))
    for p, (i, j) in enumerate(pairs):
        c = fft.irfft(np.conj(specs[i]) * specs[j]) / (norm[i] * norm[j])
        out[p, :HALF] = c[-HALF:]
        out[p, HALF:] = c[:HALF + 1]
    return out


def phase_stack(ccs, power=1.5):
    """Linear stack weighted by the coherence of the instantaneous phases."""
    unit = np.zeros(ccs[0].shape, dtype=complex)
    linear = np.zeros(ccs[0].shape)
    for c in ccs:
        a = signal.hilbert(c, axis=1)
        unit += a / np.abs(a)
        linear += c
    return linear / len(ccs), linear / len(ccs) * np.abs(unit / len(ccs)) ** power


def symmetric(stack):
    return 0.5 * (stack[:, HALF:] + stack[:, HALF::-1])


def ftan(trace, freqs, alpha=14.0):
    """Envelopes of narrow Gaussian bands, (frequency, lag)."""
    n = 2048
    f = fft.fftfreq(n, 1 / FS)
    spec = fft.fft(trace, n)
    spec[n // 2 + 1:] = 0.0
    env = np.empty((len(freqs), len(trace)))
    for k, fc in enumerate(freqs):
        env[k] = np.abs(fft.ifft(2 * spec * np.exp(-alpha * ((f - fc) / fc) ** 2)))[:len(trace)]
    return env


def pick(env, lags, dist, vmin=1.8, vmax=5.5, jump=0.45):
    """Group velocity ridge from low to high frequency; a jump ends the curve."""
    curve = np.full(len(env), np.nan)
    ok = [k for k in range(1, len(lags) - 1) if lags[k] > 0 and vmin < dist / lags[k] < vmax]
    last = None
    for m, row in enumerate(env):
        best = None
        for k in ok:
            if row[k] > row[k - 1] and row[k] >= row[k + 1] and (best is None or row[k] > row[best]):
                best = k
        if best is None:
            continue
        den = row[best - 1] - 2 * row[best] + row[best + 1]
        t = lags[best] + 0.5 * (row[best - 1] - row[best + 1]) / den / FS
        if last is not None and abs(dist / t - last) > jump:
            break
        last = curve[m] = dist / t
    return curve


def snr(sym, lags, dist):
    inside = (lags > dist / 5.0) & (lags < dist / 2.0)
    return np.abs(sym[inside]).max() / sym[lags > 75.0].std()


def main():
    rng = np.random.default_rng(1906)
    xy = stations(9, rng)
    pairs = list(combinations(range(len(xy)), 2))
    dist = np.array([np.hypot(*(xy[i] - xy[j])) for i, j in pairs])
    taper = signal.windows.tukey(NWIN, 0.1)
    ccs, used = [], 0
    for record in hours(xy, 16, rng):
        hour, m = np.zeros((len(pairs), 2 * HALF + 1)), 0
        for w in quiet(windows(record)):
            hour += correlate(one_bit(whiten(w, 0.06, 0.8, taper)), pairs)
            m += 1
        if m:
            ccs.append(hour / m)
            used += m
    linear, stack = phase_stack(ccs)
    sym = symmetric(stack)
    lags = np.arange(HALF + 1) / FS
    freqs = np.geomspace(0.10, 0.60, 18)
    envs = np.stack([ftan(s, freqs) for s in sym])
    curves = np.stack([pick(e, lags, d) for e, d in zip(envs, dist)])
    quality = np.array([snr(s, lags, d) for s, d in zip(sym, dist)])
    count = np.sum(~np.isnan(curves), axis=0)
    mean = np.nansum(curves, axis=0) / np.maximum(count, 1)
    print(f"{used} windows in {len(ccs)} hours, {len(pairs)} pairs of {dist.min():.2f} to {dist.max():.2f} km")
    print(f"median signal to noise {np.median(quality):.3f}, picks {count.sum()}")
    print("group velocity:", " ".join(f"{v:.3f}" for v in mean[::4]))
    np.savez(sys.argv[1], linear=linear, sym=sym, envs=envs, curves=np.nan_to_num(curves), quality=quality, mean=mean)


if __name__ == "__main__":
    main()

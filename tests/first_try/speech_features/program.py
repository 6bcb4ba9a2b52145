"""Front end of a small speech recogniser: filter-bank energies, cepstra, deltas, pitch, LPC, template distance."""
import sys
from math import cos, log10, pi

import numpy as np
from scipy.signal import lfilter

RATE = 8000
FRAME = 200      # 25 ms
HOP = 80         # 10 ms
NFFT = 256
NMEL = 24
NCEP = 13
ORDER = 10


def utterance(rng, f0, formants, seconds=1.0):
    """Pulse train through three resonators for each vowel, pauses between, some noise."""
    n = int(RATE * seconds)
    pieces = []
    for vowel in formants:
        m = n // (len(formants) + 1)
        excitation = np.zeros(m)
        period = RATE / f0
        for q in range(int(m / period)):
            excitation[int(q * period)] = 1.0
        excitation += 0.02 * rng.normal(size=m)
        y = excitation
        for f, bw in vowel:
            r = np.exp(-pi * bw / RATE)
            y = lfilter([1.0 - r], [1.0, -2.0 * r * cos(2 * pi * f / RATE), r * r], y)
        pieces.append(y / np.abs(y).max())
        pieces.append(np.zeros(n // (len(formants) * 4)))
        f0 *= 1.07
    signal = np.concatenate(pieces)
    return signal + 0.003 * rng.normal(size=len(signal))


def hz_to_mel(f):
    return 2595.0 * np.log10(1.0 + f / 700.0)


def mel_filters():
    """Triangular filters (NMEL x NFFT/2+1)."""
    top = 2595.0 * log10(1.0 + 0.5 * RATE / 700.0)
    mel = np.linspace(hz_to_mel(64.0), top, NMEL + 2)
    hz = 700.0 * (10.0 ** (mel / 2595.0) - 1.0)
    bins = hz * NFFT / RATE
    bank = np.zeros((NMEL, NFFT // 2 + 1))
    for m in range(NMEL):
        lo, mid, hi = bins[m], bins[m + 1], bins[m + 2]
        for k in range(NFFT // 2 + 1):
            if lo < k <= mid:
                bank[m, k] = (k - lo) / (mid - lo)
            elif mid < k < hi:
                bank[m, k] = (hi - k) / (hi - mid)
    return bank


def split_frames(x):
    count = 1 + (len(x) - FRAME) // HOP
    index = np.arange(FRAME)[None, :] + HOP * np.arange(count)[:, None]
    return x[index]


def pre_emphasis(x, a=0.97):
    y = x.copy()
    y[1:] -= a * x[:-1]
    return y


def cepstra(x, bank):
    """Log filter-bank energies and liftered cepstra of every frame."""
    frames = split_frames(pre_emphasis(x)) * np.hamming(FRAME)
    power = np.abs(np.fft.rfft(frames, NFFT, axis=1)) ** 2 / NFFT
    fbank = np.log(np.maximum(power @ bank.T, 1e-10))
    m = np.arange(NMEL) + 0.5
    dct = np.sqrt(2.0 / NMEL) * np.cos(np.pi / NMEL * np.outer(np.arange(NCEP), m))
    dct[0] /= np.sqrt(2.0)
    lifter = 1.0 + 11.0 * np.sin(np.pi * np.arange(NCEP) / 22.0)
    return fbank, (fbank @ dct.T) * lifter


def deltas(feat, width=2):
    padded = np.concatenate([np.repeat(feat[:1], width, axis=0), feat, np.repeat(feat[-1:], width, axis=0)])
    out = np.zeros_like(feat)
    for n in range(1, width + 1):
        out += n * (padded[width + n:len(padded) - width + n] - padded[width - n:len(padded) - width - n])
    return out / (2.0 * sum(n * n for n in range(1, width + 1)))


def short_time(x):
    """Energy in dB and zero crossings of each frame."""
    frames = split_frames(x)
    energy = 10.0 * np.log10((frames ** 2).mean(axis=1) + 1e-12)
    crossings = (np.signbit(frames[:, 1:]) != np.signbit(frames[:, :-1])).sum(axis=1)
    return energy, crossings


def speech_segments(energy, hangover=4):
    """Endpoints with hysteresis: start above the high threshold, stop after some frames below the low one."""
    low = np.percentile(energy, 15) + 8.0
    high = low + 6.0
    active, quiet, begin = False, 0, 0
    for t, e in enumerate(energy):
        if not active:
            if e > high:
                active, begin, quiet = True, t, 0
        elif e < low:
            quiet += 1
            if quiet > hangover:
                active = False
                yield begin, t - hangover
        else:
            quiet = 0
    if active:
        yield begin, len(energy)


def pitch_track(frames, lag_min=20, lag_max=80):
    """Lag of the highest normalised autocorrelation for each frame; 0 where unvoiced."""
    spec = np.fft.rfft(frames - frames.mean(axis=1, keepdims=True), 2 * NFFT, axis=1)
    acf = np.fft.irfft(np.abs(spec) ** 2, axis=1)[:, :lag_max + 2]
    f0 = np.zeros(len(frames))
    strength = np.zeros(len(frames))
    for t in range(len(frames)):
        best = 0.0
        lag = 0
        for k in range(lag_min, lag_max + 1):
            v = acf[t, k] / (1.0 - k / FRAME)
            if v > best and acf[t, k] >= acf[t, k - 1] and acf[t, k] > acf[t, k + 1]:
                best = v
                lag = k
        strength[t] = best / (acf[t, 0] + 1e-12)
        if lag > 0 and strength[t] > 0.45:
            a, b, c = acf[t, lag - 1], acf[t, lag], acf[t, lag + 1]
            f0[t] = RATE / (lag + 0.5 * (a - c) / (a - 2.0 * b + c))
    return f0, strength


def levinson(acf, order):
    """Prediction coefficients and residual energy of each row of autocorrelations."""
    nframe = acf.shape[0]
    coef = np.zeros((nframe, order + 1))
    error = np.zeros(nframe)
    for t in range(nframe):
        a = np.zeros(order + 1)
        a[0] = 1.0
        e = acf[t, 0]
        for i in range(1, order + 1):
            acc = acf[t, i]
            for j in range(1, i):
                acc += a[j] * acf[t, i - j]
            k = -acc / e
            new = a.copy()
            for j in range(1, i):
                new[j] = a[j] + k * a[i - j]
            new[i] = k
            a = new
            e *= 1.0 - k * k
        coef[t] = a
        error[t] = e
    return coef, error


def autocorrelation(frames, order):
    windowed = frames * np.hanning(FRAME)
    acf = np.empty((len(frames), order + 1))
    for k in range(order + 1):
        acf[:, k] = np.einsum("ij,ij->i", windowed[:, :FRAME - k], windowed[:, k:])
    acf[:, 0] = acf[:, 0] * 1.0001 + 1e-9
    return acf


def frame_distance(a, b):
    """Euclidean distances between all frames of two feature matrices."""
    sq = (a ** 2).sum(axis=1)[:, None] + (b ** 2).sum(axis=1)[None, :] - 2.0 * a @ b.T
    return np.sqrt(np.maximum(sq, 1e-9))


def warp_cost(dist):
    """Dynamic time warping with the symmetric step pattern; total cost over path length."""
    n, m = dist.shape
    total = np.full((n, m), np.inf)
    total[0, 0] = dist[0, 0]
    for i in range(n):
        for j in range(m):
            if i == 0 and j == 0:
                continue
            best = np.inf
            if i > 0 and total[i - 1, j] + dist[i, j] < best:
                best = total[i - 1, j] + dist[i, j]
            if j > 0 and total[i, j - 1] + dist[i, j] < best:
                best = total[i, j - 1] + dist[i, j]
            if i > 0 and j > 0 and total[i - 1, j - 1] + 2.0 * dist[i, j] < best:
                best = total[i - 1, j - 1] + 2.0 * dist[i, j]
            total[i, j] = best
    return total[-1, -1] / (n + m)


VOWELS = {"a": ((730, 90), (1090, 110), (2440, 150)), "i": ((270, 60), (2290, 120), (3010, 160)),
          "u": ((300, 60), (870, 90), (2240, 140)), "o": ((570, 80), (840, 90), (2410, 150))}

if __name__ == "__main__":
    rng = np.random.default_rng(411)
    words = {"aia": 118.0, "aio": 131.0, "uou": 97.0}
    bank = mel_filters()
    results, features = {"bank": bank}, {}
    for word, f0 in words.items():
        x = utterance(rng, f0, [VOWELS[c] for c in word])
        energy, crossings = short_time(x)
        fbank, cep = cepstra(x, bank)
        cep = (cep - cep.mean(axis=0)) / cep.std(axis=0)
        feat = np.hstack([cep, deltas(cep)])
        frames = split_frames(x)
        f0_track, strength = pitch_track(frames)
        coef, err = levinson(autocorrelation(frames, ORDER), ORDER)
        segments = list(speech_segments(energy))
        voiced = f0_track > 0.0
        print("%s: %d frames, segments %s, mean pitch %.3f Hz, loudest frame %.3f dB"
              % (word, len(frames), segments, f0_track[voiced].mean(), energy.max()))
        keep = np.concatenate([np.arange(b, e) for b, e in segments])
        features[word] = feat[keep]
        for key, value in (("energy", energy), ("crossings", crossings), ("fbank", fbank), ("feat", feat),
                           ("f0", f0_track), ("strength", strength), ("lpc", coef), ("residual", err)):
            results[word + "_" + key] = value
    pairs = [("aia", "aio"), ("aia", "uou"), ("aio", "uou")]
    results["distances"] = np.array([warp_cost(frame_distance(features[p], features[q])) for p, q in pairs])
    for (p, q), d in zip(pairs, results["distances"]):
        print("warped distance %s - %s: %.5f" % (p, q, d))
    np.savez(sys.argv[1], **results)

# Operational modal analysis of a bridge deck: simulated accelerations of a two-girder deck, frequency
# domain decomposition, enhanced damping estimates, and comparison of mode shapes by MAC.
import sys
from dataclasses import dataclass

import numpy as np
from scipy import signal

FS = 50.0
SENSORS = [(x, side) for side in (0, 1) for x in (0.125, 0.25, 0.375, 0.5, 0.625, 0.75)]


@dataclass
class Mode:
    frequency: float
    damping: float
    shape: np.ndarray
    kind: str


def bridge_modes():
    """Bending and torsion of a simply supported deck, at the sensor positions."""
    spec = [("bending", 1, 2.13, 0.011), ("torsion", 1, 3.41, 0.015), ("bending", 2, 5.87, 0.012),
            ("torsion", 2, 8.05, 0.018), ("bending", 3, 11.62, 0.014)]
    modes = []
    for kind, n, f, zeta in spec:
        shape = np.array([np.sin(n * np.pi * x) * (1.0 if kind == "bending" or side == 0 else -1.0)
                          for x, side in SENSORS])
        modes.append(Mode(f, zeta, shape / np.linalg.norm(shape), kind))
    return modes


def simulate(modes, seconds, rng):
    """White modal forces through each oscillator, plus traffic pulses and sensor noise."""
    n = int(seconds * FS)
    out = np.zeros((len(SENSORS), n))
    pulses = np.zeros(n)
    arrivals = np.cumsum(rng.exponential(14.0, int(seconds / 10.0)))
    for t in arrivals:
        i = int(t * FS)
        if i + 40 < n:
            pulses[i:i + 40] += np.hanning(40) * rng.uniform(0.5, 1.5)
    for mode in modes:
        w = 2 * np.pi * mode.frequency
        wd = w * np.sqrt(1.0 - mode.damping**2)
        r = np.exp(-mode.damping * w / FS)
        a = [1.0, -2.0 * r * np.cos(wd / FS), r * r]
        force = rng.standard_normal(n) + 0.6 * pulses * rng.standard_normal(n)
        response = signal.lfilter([0.0, 1.0], a, force)
        acceleration = np.gradient(np.gradient(response)) * (4.0 / mode.frequency)
        out += mode.shape[:, None] * acceleration
    return out + 0.05 * rng.standard_normal(out.shape)


def detrend(records):
    """Takes the best line out of each channel."""
    t = np.linspace(-1.0, 1.0, records.shape[1])
    slope = records @ t / (t @ t)
    return records - records.mean(axis=1, keepdims=True) - slope[:, None] * t


def cross_spectra(records, segment=2048, overlap=0.5):
    """Welch matrix of cross spectral densities, frequency first."""
    step = int(segment * (1.0 - overlap))
    window = np.hanning(segment)
    channels = len(records)
    total = np.zeros((segment // 2 + 1, channels, channels), dtype=complex)
    count = 0
    for start in range(0, records.shape[1] - segment + 1, step):
        piece = records[:, start:start + segment]
        piece = (piece - piece.mean(axis=1, keepdims=True)) * window
        spectrum = np.fft.rfft(piece, axis=1).T
        total += spectrum[:, :, None] * spectrum[:, None, :].conj()
        count += 1
    scale = 2.0 / (FS * np.sum(window**2) * count)
    return np.fft.rfftfreq(segment, 1.0 / FS), total * scale


def decompose(density):
    """Singular values and first two singular vectors at each frequency line."""
    lines, n, _ = density.shape
    values = np.zeros((lines, n))
    vectors = np.zeros((lines, n, 2), dtype=complex)
    for k in range(lines):
        u, s, _ = np.linalg.svd(density[k])
        values[k] = s
        vectors[k] = u[:, :2]
    return values, vectors


def mac(a, b):
    return np.abs(np.vdot(a, b)) ** 2 / (np.vdot(a, a).real * np.vdot(b, b).real)


def pick_modes(freqs, values, count, lowest=1.0, gap=0.8):
    """Highest peaks of the first singular value, apart from each other by a gap in Hz."""
    level = np.log(values[:, 0])
    order = sorted((float(-level[k]), k) for k in range(1, len(freqs) - 1)
                   if freqs[k] > lowest and level[k] > level[k - 1] and level[k] >= level[k + 1])
    chosen = []
    for _, k in order:
        if all(abs(freqs[k] - freqs[c]) > gap for c in chosen):
            chosen.append(k)
        if len(chosen) == count:
            break
    return sorted(chosen)


def spectral_bell(values, vectors, peak, limit=0.85):
    """Singular values around a peak whose vector still resembles that of the peak."""
    bell = np.zeros(len(values))
    reference = vectors[peak, :, 0]
    for direction in (-1, 1):
        k = peak
        while 0 <= k < len(values):
            scores = [mac(vectors[k, :, j], reference) for j in range(2)]
            j = int(np.argmax(scores))
            if scores[j] < limit or abs(k - peak) > 40:
                break
            bell[k] = values[k, j]
            k += direction
    return bell


def extrema(curve):
    """Turning points of a decaying oscillation in order, until it has fallen to a tenth."""
    found = []
    for i in range(1, len(curve) - 1):
        if (curve[i] - curve[i - 1]) * (curve[i + 1] - curve[i]) < 0.0:
            if abs(curve[i]) < 0.1:
                break
            found.append(i)
    return np.array(found)


def bell_damping(bell):
    """Damped frequency and damping from the free decay of the bell's correlation function."""
    decay = np.fft.irfft(bell, 16 * len(bell))
    decay = decay / decay[0]
    rate = FS * 16 * len(bell) / (2 * (len(bell) - 1))
    at = extrema(decay[:8 * len(bell)])
    if len(at) < 4:
        return np.nan, np.nan
    peaks = np.log(np.abs(decay[at]))
    half = np.arange(len(at))
    slope = np.polyfit(half, peaks, 1)[0]
    delta = -2.0 * slope
    period = 2.0 * np.polyfit(half, at / rate, 1)[0]
    zeta = delta / np.sqrt(4 * np.pi**2 + delta**2)
    return 1.0 / (period * np.sqrt(1.0 - zeta**2)), zeta


def real_shape(vector):
    """Rotates a complex shape on the real axis and scales it to a unit largest entry."""
    phase = 0.5 * np.angle(np.sum(vector**2))
    shape = (vector * np.exp(-1j * phase)).real
    return shape / shape[np.argmax(np.abs(shape))]


def channel_rms(records):
    return np.sqrt((records**2).mean(axis=1))


def main():
    modes = bridge_modes()
    records = detrend(simulate(modes, 900.0, np.random.default_rng(88)))
    freqs, density = cross_spectra(records)
    values, vectors = decompose(density)
    peaks = pick_modes(freqs, values, len(modes))
    table, shapes = [], []
    for k in peaks:
        shape = real_shape(vectors[k, :, 0])
        f, zeta = bell_damping(spectral_bell(values, vectors, k))
        scores = [mac(mode.shape, shape) for mode in modes]
        best = int(np.argmax(scores))
        table.append((freqs[k], f, zeta, scores[best]))
        shapes.append(np.abs(shape))
        print(f"{freqs[k]:.3f} Hz: enhanced {f:.3f} Hz, damping {100 * zeta:.2f} %, "
              f"{modes[best].kind}, MAC {scores[best]:.4f}")
    rms = channel_rms(records)
    print(f"channel rms {rms.min():.4f} to {rms.max():.4f}")
    np.savez(sys.argv[1], table=np.array(table), shapes=np.stack(shapes), values=values[:, :3], rms=rms)


if __name__ == "__main__":
    main()

"""Common-midpoint processing of a synthetic marine gather.

Ricker reflections with noise -> band-pass -> AGC -> semblance scan ->
NMO correction with stretch mute -> stack -> envelope of the stack.
"""
import sys

import numpy as np

DT = 0.004
NT = 500
NX = 36
OFFSET_NEAR = 150.0
OFFSET_STEP = 75.0


def ricker(t, f0):
    a = (np.pi * f0 * t) ** 2
    return (1.0 - 2.0 * a) * np.exp(-a)


def make_gather(offsets, t0s, vrms, amps, noise):
    """Hyperbolic events, one after the other, plus noise."""
    t = np.arange(NT) * DT
    gather = np.zeros((len(offsets), NT))
    for t0, v, a in zip(t0s, vrms, amps):
        arrival = np.sqrt(t0 ** 2 + (offsets / v) ** 2)
        gather += a * ricker(t[None, :] - arrival[:, None], 28.0)
    return gather + noise


def bandpass(gather, f1, f2, f3, f4):
    """Ormsby filter in the frequency domain."""
    f = np.fft.rfftfreq(gather.shape[1], DT)
    up = np.clip((f - f1) / (f2 - f1), 0.0, 1.0)
    down = np.clip((f4 - f) / (f4 - f3), 0.0, 1.0)
    spectrum = np.fft.rfft(gather, axis=1)
    return np.fft.irfft(spectrum * up * down, n=gather.shape[1], axis=1)


def agc(gather, window):
    """Divide every sample by the running RMS of a centred window."""
    nx, nt = gather.shape
    half = window // 2
    energy = np.zeros((nx, nt + 1))
    energy[:, 1:] = np.cumsum(gather ** 2, axis=1)
    lo = np.maximum(np.arange(nt) - half, 0)
    hi = np.minimum(np.arange(nt) + half + 1, nt)
    rms = np.sqrt((energy[:, hi] - energy[:, lo]) / (hi - lo))
    return gather / (rms + 0.05 * rms.mean())


def nmo(gather, offsets, velocity, stretch_limit):
    """Linear-interpolation NMO with a mute on the stretch."""
    nx, nt = gather.shape
    out = np.zeros_like(gather)
    live = np.zeros(gather.shape, dtype=np.int64)
    for ix in range(nx):
        x = offsets[ix]
        for it in range(nt):
            t0 = it * DT
            tx = np.sqrt(t0 * t0 + (x / velocity[it]) ** 2)
            if it == 0 or tx / t0 - 1.0 > stretch_limit:
                continue
            s = tx / DT
            k = int(s)
            if k + 1 < nt:
                w = s - k
                out[ix, it] = (1.0 - w) * gather[ix, k] + w * gather[ix, k + 1]
                live[ix, it] = 1
    return out, live


def semblance(gather, offsets, velocities, t0s, half):
    """Semblance over a grid of zero-offset times and trial velocities."""
    nx, nt = gather.shape
    win = np.arange(-half, half + 1) * DT
    rows = np.arange(nx)[:, None]
    panel = np.zeros((len(t0s), len(velocities)))
    for j, v in enumerate(velocities):
        move = (offsets / v) ** 2
        for i, t0 in enumerate(t0s):
            t = np.sqrt(t0 ** 2 + move)[:, None] + win
            k = np.clip(np.rint(t / DT).astype(int), 0, nt - 1)
            a = gather[rows, k]
            top = (a.sum(axis=0) ** 2).sum()
            bottom = nx * (a ** 2).sum()
            panel[i, j] = top / (bottom + 1e-12)
    return panel


def envelope(trace):
    n = trace.size
    spec = np.fft.fft(trace)
    weight = np.zeros(n)
    weight[0] = 1.0
    weight[1:n // 2] = 2.0
    weight[n // 2] = 1.0
    return np.abs(np.fft.ifft(spec * weight))


def stack(corrected, live):
    fold = live.sum(axis=0)
    return corrected.sum(axis=0) / np.maximum(fold, 1), fold


def main(path):
    rng = np.random.default_rng(20)
    offsets = OFFSET_NEAR + OFFSET_STEP * np.arange(NX)
    t0s = np.array([0.42, 0.78, 1.10, 1.46])
    vrms = np.array([1620.0, 1810.0, 2040.0, 2330.0])
    amps = np.array([1.0, -0.7, 0.55, 0.8])
    noise = 0.08 * rng.standard_normal((NX, NT))

    raw = make_gather(offsets, t0s, vrms, amps, noise)
    filtered = bandpass(raw, 5.0, 10.0, 60.0, 80.0)
    balanced = agc(filtered, 125)

    trial_v = np.linspace(1500.3, 2600.1, 12)
    trial_t = np.linspace(0.3013, 1.6027, 24)
    panel = semblance(balanced, offsets, trial_v, trial_t, 4)
    picks = trial_v[np.argmax(panel, axis=1)]

    velocity = np.interp(np.arange(NT) * DT, t0s, vrms)
    corrected, live = nmo(balanced, offsets, velocity, 0.4)
    trace, fold = stack(corrected, live)
    env = envelope(trace)

    np.savez(path, corrected=corrected, panel=panel, picks=picks,
             trace=trace, fold=fold, envelope=env)
    print(f"traces {NX}, samples {NT}, full fold at {np.count_nonzero(fold == NX)} samples")
    print(f"peak of the envelope {env.max():.6f} at {np.argmax(env) * DT:.3f} s")
    print(f"largest semblance {panel.max():.6f}")


if __name__ == "__main__":
    main(sys.argv[1])

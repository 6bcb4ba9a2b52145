"""Offline effects chain: echo, convolution reverb, shelving filter, compressor, spectral denoise, loudness."""
import sys
import numpy as np

RATE = 16000


def synth(seconds, rng):
    n = int(seconds * RATE)
    t = np.arange(n) / RATE
    voices = [(110.0, 0.5, 1.8), (164.81, 0.35, 2.6), (220.0, 0.3, 3.4), (329.63, 0.2, 5.0)]
    sound = np.zeros(n)
    for f, a, decay in voices:
        sound += a * np.exp(-decay * (t % 0.75)) * np.sin(2 * np.pi * f * t)
    return sound + 0.01 * rng.standard_normal(n)


def room_response(length, t60, rng):
    t = np.arange(length) / RATE
    h = rng.standard_normal(length) * np.exp(-6.908 * t / t60)
    h[0] = 1.0
    return h / np.sqrt(np.sum(h ** 2))


def multitap_echo(taps):
    def apply(x):
        y = x.copy()
        for delay, gain in taps:
            y[delay:] += gain * x[:-delay]
        return y
    return apply


def reverb(h, wet):
    def apply(x):
        n = x.size + h.size - 1
        nfft = 1
        while nfft < n:
            nfft *= 2
        tail = np.fft.irfft(np.fft.rfft(x, nfft) * np.fft.rfft(h, nfft), nfft)[:x.size]
        return (1.0 - wet) * x + wet * tail
    return apply


def fir(coeffs):
    ntap = len(coeffs)

    def apply(x):
        y = np.zeros_like(x)
        for i in range(x.size):
            acc = 0.0
            for k in range(ntap):
                if i - k >= 0:
                    acc += coeffs[k] * x[i - k]
            y[i] = acc
        return y
    return apply


def waveshaper(drive, knee):
    def apply(x):
        z = drive * x
        soft = np.sign(z) * (1.0 - np.exp(-np.abs(z)))
        return np.where(np.abs(z) < knee, z, soft + np.sign(z) * (knee - 1.0 + np.exp(-knee))) / drive
    return apply


def envelope(x, attack, release):
    """Peak follower with separate attack and release times."""
    up = np.exp(-1.0 / (attack * RATE))
    down = np.exp(-1.0 / (release * RATE))
    env = np.empty(x.size)
    level = 0.0
    for i in range(x.size):
        v = abs(x[i])
        c = up if v > level else down
        level = c * level + (1.0 - c) * v
        env[i] = level
    return env


def gain_curve(env, threshold, ratio):
    db = 20.0 * np.log10(np.maximum(env, 1e-6))
    over = np.maximum(db - threshold, 0.0)
    return 10.0 ** (-over * (1.0 - 1.0 / ratio) / 20.0)


def frames(x, size, hop):
    count = 1 + (x.size - size) // hop
    idx = np.arange(size)[None, :] + hop * np.arange(count)[:, None]
    return x[idx]


def overlap_add(blocks, size, hop, total):
    y = np.zeros(total)
    norm = np.zeros(total)
    win = np.hanning(size)
    for b, block in enumerate(blocks):
        y[b * hop:b * hop + size] += block * win
        norm[b * hop:b * hop + size] += win ** 2
    return y / np.maximum(norm, 1e-3)


def denoise(x, size=512, hop=256):
    blocks = frames(x, size, hop) * np.hanning(size)
    spec = np.fft.rfft(blocks, axis=1)
    power = np.abs(spec) ** 2
    floor = np.sort(power, axis=0)[power.shape[0] // 10]
    keep = np.clip(1.0 - 2.0 * floor / (power + 1e-12), 0.05, 1.0)
    return overlap_add(np.fft.irfft(spec * keep, size, axis=1), size, hop, x.size)


def block_levels(x, size):
    """RMS, peak position and zero crossings of consecutive blocks."""
    nblock = x.size // size
    rms = np.zeros(nblock)
    where = np.zeros(nblock, dtype=np.int64)
    cross = np.zeros(nblock, dtype=np.int64)
    for b in range(nblock):
        total = 0.0
        top = -1.0
        pos = 0
        flips = 0
        for k in range(size):
            v = x[b * size + k]
            total += v * v
            if abs(v) > top:
                top = abs(v)
                pos = b * size + k
            if k > 0 and v * x[b * size + k - 1] < 0:
                flips += 1
        rms[b] = np.sqrt(total / size)
        where[b] = pos
        cross[b] = flips
    return rms, where, cross


def main():
    rng = np.random.default_rng(440)
    dry = synth(0.6, rng)
    response = room_response(4000, 0.4, rng)
    k = np.arange(-8, 9)
    lowpass = np.sinc(0.55 * k) * 0.55 * np.hamming(17)

    chain = [
        multitap_echo([(1200, 0.45), (2710, 0.28), (4133, 0.16)]),
        reverb(response, 0.25),
        fir(lowpass / lowpass.sum()),
        waveshaper(1.8, 0.4),
    ]
    stages = [dry]
    for effect in chain:
        stages.append(effect(stages[-1]))

    env = envelope(stages[-1], 0.004, 0.08)
    squeezed = stages[-1] * gain_curve(env, -18.0, 3.0)
    clean = denoise(squeezed)
    rms, where, cross = block_levels(clean, 160)

    for name, s in zip(("dry", "echo", "reverb", "fir", "shaped"), stages):
        print(f"{name:7s} peak {np.abs(s).max():.6f} rms {np.sqrt(np.mean(s ** 2)):.6f}")
    print(f"gain reduction min {20 * np.log10(gain_curve(env, -18.0, 3.0).min()):.4f} dB")
    print(f"loudest block {rms.argmax()}, crossings {cross.sum()}")
    np.savez(sys.argv[1], stages=np.stack(stages), env=env, squeezed=squeezed, clean=clean,
             rms=rms, where=where, cross=cross)


if __name__ == "__main__":
    main()

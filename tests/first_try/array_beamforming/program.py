#!/usr/bin/env python3
"""Slowness analysis of a seismic array: synthetic wavefield, windowed spectra, conventional and Capon
beamforming on a slowness grid, beam stacking, and an STA/LTA trigger on the best beam."""
import sys
from collections import namedtuple

import numpy as np
from scipy import signal

STATIONS = """
A0  0.000  0.000   | B1  0.310  0.642   | B2  0.702 -0.150
B3  0.155 -0.713   | B4 -0.605 -0.298   | B5 -0.512  0.480
C1  0.201  1.480   | C2  1.210  0.905   | C3  1.495 -0.300
C4  0.880 -1.190   | C5 -0.210 -1.505   | C6 -1.190 -0.955
C7 -1.480  0.110   | C8 -0.905  1.160   | D1  0.730  2.410
D2  2.050  1.520   | D3  2.495  0.080   | D4  1.960 -1.610
D5  0.520 -2.480   | D6 -1.100 -2.210   | D7 -2.305 -0.910
D8 -2.260  1.050   | D9 -0.980  2.330   | E0  3.105 -2.020
"""

Phase = namedtuple("Phase", "time slowness azimuth amplitude frequency width")

PHASES = [Phase(18.0, 0.075, 42.0, 1.00, 2.1, 0.9), Phase(33.0, 0.130, 45.0, 0.75, 1.6, 1.2),
          Phase(52.0, 0.290, 39.0, 1.30, 0.9, 2.2), Phase(54.0, 0.210, 200.0, 0.90, 1.4, 1.8)]

RATE = 25.0
SAMPLES = 2000
WINDOW, HOP = 256, 128
BAND = (0.5, 3.0)
GRID = np.linspace(-0.4, 0.4, 61)


def read_stations(text):
    names, xy = [], []
    for line in text.strip().splitlines():
        for cell in line.split("|"):
            name, east, north = cell.split()
            names.append(name)
            xy.append((float(east), float(north)))
    xy = np.array(xy)
    return names, xy - xy.mean(axis=0)


def slowness_vector(p, azimuth):
    a = np.deg2rad(azimuth + 180.0)
    return p * np.array([np.sin(a), np.cos(a)])


def synthesize(xy, rng):
    """Ricker-like arrivals at every station plus coloured noise and a common hum."""
    t = np.arange(SAMPLES) / RATE
    data = np.zeros((len(xy), SAMPLES))
    for ph in PHASES:
        delay = xy @ slowness_vector(ph.slowness, ph.azimuth)
        for k, d in enumerate(delay):
            tau = t - ph.time - d
            data[k] += ph.amplitude * np.cos(2 * np.pi * ph.frequency * tau) * np.exp(-(tau / ph.width) ** 2)
    noise = rng.standard_normal(data.shape)
    b, a = signal.butter(2, 6.0, fs=RATE)
    data += 0.25 * signal.lfilter(b, a, noise, axis=1)
    data += 0.05 * np.sin(2 * np.pi * 4.2 * t)
    return t, data


def bandpass(data, low, high):
    """Zero-phase filter with cosine flanks, in the frequency domain."""
    spec = np.fft.rfft(data, axis=1)
    f = np.fft.rfftfreq(data.shape[1], 1.0 / RATE)
    up = np.clip((f - 0.6 * low) / (0.4 * low), 0.0, 1.0)
    down = np.clip((1.4 * high - f) / (0.4 * high), 0.0, 1.0)
    gain = np.sin(0.5 * np.pi * up) ** 2 * np.sin(0.5 * np.pi * down) ** 2
    return np.fft.irfft(spec * gain, data.shape[1], axis=1)


def windows(data):
    """Tapered, demeaned windows, one after the other."""
    taper = np.hanning(WINDOW)
    for start in range(0, data.shape[1] - WINDOW + 1, HOP):
        piece = data[:, start:start + WINDOW]
        yield start, (piece - piece.mean(axis=1, keepdims=True)) * taper


def steering(xy, freqs):
    """exp(2 pi i f s.x) for all grid slownesses: (frequency, grid point, station)."""
    sx, sy = np.meshgrid(GRID, GRID, indexing="ij")
    delay = np.outer(sx.ravel(), xy[:, 0]) + np.outer(sy.ravel(), xy[:, 1])
    return np.exp(-2j * np.pi * freqs[:, None, None] * delay[None])


def covariance(spec, smooth=2):
    """Cross-spectral matrices, averaged over neighbouring frequency bins and loaded on the diagonal."""
    nf = spec.shape[1]
    raw = np.einsum("kf,lf->fkl", spec, spec.conj())
    out = np.zeros_like(raw)
    for i in range(nf):
        lo, hi = max(0, i - smooth), min(nf, i + smooth + 1)
        out[i] = raw[lo:hi].mean(axis=0)
    for c in out:
        c += 0.05 * np.trace(c).real / len(c) * np.eye(len(c))
    return out


def bartlett(cov, steer):
    power = np.zeros(steer.shape[1])
    for c, e in zip(cov, steer):
        power += np.einsum("gk,kl,gl->g", e.conj(), c, e, optimize=True).real / np.trace(c).real
    return power / (len(cov) * steer.shape[2])


def capon(cov, steer):
    """High-resolution estimate; one inverse per frequency."""
    power = np.zeros(steer.shape[1])
    for c, e in zip(cov, steer):
        inv = np.linalg.inv(c)
        quad = ((e.conj() @ inv) * e).sum(axis=1).real
        power += 1.0 / quad / np.trace(c).real
    return power * steer.shape[2] / len(cov)


def locate(power):
    """Grid maximum refined by a parabola in both directions; slowness and backazimuth."""
    p = power.reshape(GRID.size, GRID.size)
    i, j = np.unravel_index(np.argmax(p), p.shape)
    step = GRID[1] - GRID[0]
    sx, sy = GRID[i], GRID[j]
    if 0 < i < GRID.size - 1:
        sx += 0.5 * step * (p[i - 1, j] - p[i + 1, j]) / (p[i - 1, j] - 2 * p[i, j] + p[i + 1, j])
    if 0 < j < GRID.size - 1:
        sy += 0.5 * step * (p[i, j - 1] - p[i, j + 1]) / (p[i, j - 1] - 2 * p[i, j] + p[i, j + 1])
    return np.hypot(sx, sy), np.rad2deg(np.arctan2(-sx, -sy)) % 360.0, p[i, j]


def beam(data, xy, slowness):
    """Delay and sum with exact fractional shifts."""
    spec = np.fft.rfft(data, axis=1)
    f = np.fft.rfftfreq(data.shape[1], 1.0 / RATE)
    shift = np.exp(2j * np.pi * f[None, :] * (xy @ slowness)[:, None])
    return np.fft.irfft((spec * shift).mean(axis=0), data.shape[1])


def sta_lta(x, short=20, long=300):
    """Recursive averages with a frozen long window while triggered; list of on and off samples."""
    sta = lta = float(np.mean(x[:long] ** 2))
    on, picks = None, []
    ratio = np.ones(len(x))
    for i, value in enumerate(x.tolist()):
        e = value * value
        sta += (e - sta) / short
        if on is None:
            lta += (e - lta) / long
        ratio[i] = sta / lta
        if on is None and i > long and ratio[i] > 4.0:
            on = i
        elif on is not None and ratio[i] < 1.5:
            picks.append((on, i))
            on = None
    return ratio, picks


def main():
    names, xy = read_stations(STATIONS)
    t, data = synthesize(xy, np.random.default_rng(24))
    data = bandpass(data, *BAND)
    f = np.fft.rfftfreq(WINDOW, 1.0 / RATE)
    used = np.nonzero((f >= BAND[0]) & (f <= BAND[1]))[0]
    steer = steering(xy, f[used])
    rows, maps = [], []
    for start, piece in windows(data):
        spec = np.fft.rfft(piece, axis=1)[:, used]
        cov = covariance(spec)
        conventional, sharp = bartlett(cov, steer), capon(cov, steer)
        p, baz, semblance = locate(conventional)
        rows.append((start / RATE, p, baz, semblance, sharp.max()))
        maps.append(sharp / sharp.max())
    table = np.array(rows)
    best = table[np.argmax(table[:, 3])]
    print(f"{len(names)} stations, {len(rows)} windows; best at {best[0]:.2f} s: "
          f"slowness {best[1]:.4f} s/km, backazimuth {best[2]:.2f}, semblance {best[3]:.4f}")
    stack = beam(data, xy, slowness_vector(best[1], best[2]))
    ratio, picks = sta_lta(stack)
    print("triggers:", ", ".join(f"{a / RATE:.1f}-{b / RATE:.1f} s" for a, b in picks))
    print(f"beam peak {np.abs(stack).max():.4f} at {t[np.argmax(np.abs(stack))]:.2f} s")
    np.savez(sys.argv[1], table=table, maps=np.array(maps), stack=stack, ratio=ratio)


if __name__ == "__main__":
    main()

"""Impulse responses of a shoebox room for several source and receiver pairs: early part from image sources
with frequency-dependent walls and fractional delays, late part from stochastic rays, then the usual
room-acoustic parameters and an auralised test signal."""
import itertools
import math
import sys

import numpy as np
from scipy import signal

C = 343.0
RATE = 16000
LENGTH = 9600                       # 0.6 s
ROOM = (9.4, 6.7, 3.3)
ORDER = 14
TAPS = 32
RAYS = 6000

# octave band, absorption of the walls x0 x1 y0 y1 z0 z1, air attenuation 1/m
MATERIALS = """
 250  0.12 0.12 0.18 0.10 0.20 0.30  0.0003
 500  0.14 0.14 0.25 0.12 0.32 0.45  0.0006
1000  0.16 0.16 0.34 0.14 0.40 0.60  0.0011
2000  0.18 0.18 0.38 0.17 0.45 0.62  0.0024
4000  0.20 0.20 0.40 0.20 0.50 0.60  0.0061
"""

SOURCES = {"lectern": (1.2, 3.1, 1.6), "side": (6.9, 0.8, 1.4)}
RECEIVERS = {"front": (3.7, 3.5, 1.2), "back": (8.3, 5.2, 1.2), "corner": (8.9, 0.6, 1.5)}


class Walls:
    """Octave-band data of the six surfaces."""

    def __init__(self, text):
        rows = np.array([[float(w) for w in line.split()] for line in text.strip().splitlines()])
        self.bands = rows[:, 0]
        self.alpha = rows[:, 1:7]
        self.air = rows[:, 7]

    @property
    def reflection(self):
        return np.sqrt(1.0 - self.alpha)

    def sabine(self):
        lx, ly, lz = ROOM
        area = np.array([ly * lz, ly * lz, lx * lz, lx * lz, lx * ly, lx * ly])
        volume = lx * ly * lz
        return 0.161 * volume / (self.alpha @ area + 4.0 * self.air * volume)


class ImageSources:
    """Lattice of mirror images up to a reflection order, with wall hit counts."""

    def __init__(self, order):
        cells = np.arange(-order, order + 1)
        n = np.stack(np.meshgrid(cells, cells, cells, indexing="ij"), axis=-1).reshape(-1, 3)
        self.n = n[np.abs(n).sum(axis=1) <= order]
        odd = self.n % 2
        # hits on the low and the high wall of each axis
        low = np.abs((self.n - odd) // 2)
        low = np.where(odd == 1, np.where(self.n > 0, (self.n - 1) // 2, (1 - self.n) // 2), low)
        high = np.abs(self.n) - low
        self.hits = np.stack([low, high], axis=2).reshape(-1, 6)
        self.odd = odd

    def positions(self, source):
        size, s = np.array(ROOM), np.array(source)
        return self.n * size + np.where(self.odd == 1, size - s, s)

    def response(self, source, receiver, walls):
        """Band-wise impulse responses with windowed-sinc delays."""
        d = np.linalg.norm(self.positions(source) - np.array(receiver), axis=1)
        delay = d / C * RATE
        keep = delay < LENGTH - TAPS
        d, delay, hits = d[keep], delay[keep], self.hits[keep]
        first = np.floor(delay).astype(np.int64) - TAPS // 2 + 1
        k = first[:, None] + np.arange(TAPS)[None, :]
        x = k - delay[:, None]
        kernel = np.sinc(x) * (0.5 + 0.5 * np.cos(2.0 * np.pi * x / (TAPS + 1)))
        valid = k >= 0
        out = np.zeros((len(walls.bands), LENGTH))
        for b, (refl, air) in enumerate(zip(walls.reflection, walls.air)):
            gain = np.prod(refl ** hits, axis=1) * np.exp(-0.5 * air * d) / (4.0 * np.pi * d)
            np.add.at(out[b], np.where(valid, k, 0), np.where(valid, gain[:, None] * kernel, 0.0))
        return out


class RayTracer:
    """Specular rays with a little scattering; energy histograms at spherical receivers."""

    def __init__(self, walls, bins=120, bounces=60, radius=0.6, scatter=0.2):
        self.walls, self.bins, self.bounces = walls, bins, bounces
        self.radius, self.scatter = radius, scatter

    @staticmethod
    def directions(rng, n):
        v = rng.standard_normal((n, 3))
        return v / np.linalg.norm(v, axis=1, keepdims=True)

    def trace(self, source, receivers, rng):
        size = np.array(ROOM)
        pos = np.tile(np.array(source), (RAYS, 1))
        way = self.directions(rng, RAYS)
        travelled = np.zeros(RAYS)
        energy = np.full((len(self.walls.bands), RAYS), 1.0 / RAYS)
        hist = np.zeros((len(receivers), len(self.walls.bands), self.bins))
        rows = np.arange(RAYS)
        for _ in range(self.bounces):
            reach = np.where(way > 0.0, (size - pos) / way, -pos / way)
            axis = np.argmin(reach, axis=1)
            step = reach[rows, axis]
            for r, centre in enumerate(receivers):
                rel = np.array(centre) - pos
                along = np.clip((rel * way).sum(axis=1), 0.0, step)
                miss = np.linalg.norm(rel - along[:, None] * way, axis=1)
                hit = miss < self.radius
                when = ((travelled + along) / C * RATE / (LENGTH / self.bins)).astype(np.int64)
                hit &= when < self.bins
                for b, air in enumerate(self.walls.air):
                    fade = energy[b, hit] * np.exp(-air * (travelled + along)[hit])
                    hist[r, b] += np.bincount(when[hit], weights=fade, minlength=self.bins)
            pos = pos + step[:, None] * way
            travelled = travelled + step
            wall = 2 * axis + (way[rows, axis] > 0.0)
            energy = energy * (1.0 - self.walls.alpha[:, wall])
            way[rows, axis] *= -1.0
            diffuse = self.directions(rng, RAYS)
            inward = np.sign(diffuse[rows, axis]) == np.sign(way[rows, axis])
            diffuse[~inward] *= -1.0
            mixed = (1.0 - self.scatter) * way + self.scatter * diffuse
            way = mixed / np.linalg.norm(mixed, axis=1, keepdims=True)
            pos[rows, axis] = np.where(way[rows, axis] > 0.0, 0.0, size[axis])
        return hist


def combine(bands, early):
    """Octave filters over the band responses, summed to one response."""
    out = np.zeros(early.shape[1])
    for f, h in zip(bands, early):
        high = min(f * math.sqrt(2.0), 0.49 * RATE)
        taps = signal.firwin(255, [f / math.sqrt(2.0), high], pass_zero=False, fs=RATE)
        out += signal.fftconvolve(h, taps, mode="same")
    return out


def decay_curve(energy):
    back = np.cumsum(energy[::-1])[::-1]
    return 10.0 * np.log10(np.maximum(back, 1e-14 * back[0]) / back[0])


def parameters(h):
    """Early decay time, T20, clarity, definition and centre time."""
    energy = h * h
    onset = int(np.argmax(energy > 1e-4 * energy.max()))
    energy = energy[onset:]
    t = np.arange(energy.size) / RATE
    curve = decay_curve(energy)
    fits = []
    for top, bottom in ((-0.1, -10.0), (-5.0, -25.0)):
        part = (curve <= top) & (curve >= bottom)
        slope, _ = np.polyfit(t[part], curve[part], 1)
        fits.append(-60.0 / slope)
    n80, n50 = int(0.08 * RATE), int(0.05 * RATE)
    total = energy.sum()
    clarity = 10.0 * np.log10(energy[:n80].sum() / energy[n80:].sum())
    return np.array([*fits, clarity, energy[:n50].sum() / total, (t * energy).sum() / total])


def main():
    rng = np.random.default_rng(343)
    walls = Walls(MATERIALS)
    images = ImageSources(ORDER)
    tracer = RayTracer(walls)
    print(f"{len(images.n)} images, Sabine times " + " ".join(f"{t:.3f}" for t in walls.sabine()))
    late = {name: tracer.trace(s, list(RECEIVERS.values()), rng) for name, s in SOURCES.items()}
    dry = np.cumsum(rng.standard_normal(RATE // 2))
    dry = signal.lfilter([1.0, -1.0], [1.0, -0.98], dry)
    rows, responses = [], []
    for (s, source), (r, receiver) in itertools.product(SOURCES.items(), RECEIVERS.items()):
        h = combine(walls.bands, images.response(source, receiver, walls))
        wet = signal.fftconvolve(dry, h)
        p = parameters(h)
        rows.append(np.append(p, np.sqrt(np.mean(wet**2))))
        responses.append(h)
        print(f"{s:8s} {r:7s} EDT {p[0]:.3f} s, T20 {p[1]:.3f} s, C80 {p[2]:.2f} dB, D50 {p[3]:.4f}, "
              f"Ts {1e3 * p[4]:.2f} ms")
    tails = np.array([[decay_curve(e) for e in h.sum(axis=1)] for h in late.values()])
    for name, tail in zip(late, tails):
        print(f"rays from {name}: level after 0.2 s " + ", ".join(f"{x:.2f}" for x in tail[:, 40]) + " dB")
    np.savez(sys.argv[1], table=np.array(rows), responses=np.array(responses), late=np.array(list(late.values())),
             sabine=walls.sabine())


if __name__ == "__main__":
    main()

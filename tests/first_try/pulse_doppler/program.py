"""Coherent processing interval of a small array radar: compression, Doppler map, CFAR, adaptive weights, track list."""
import sys
import numpy as np

C0 = 299792458.0


class Radar:
    def __init__(self, fc=9.4e9, bandwidth=4e6, fs=5e6, pulse=12e-6, prf=4000.0, npulse=32, nchan=8, nrange=500):
        self.fc, self.bandwidth, self.fs = fc, bandwidth, fs
        self.pulse, self.prf = pulse, prf
        self.npulse, self.nchan, self.nrange = npulse, nchan, nrange
        n = int(round(pulse * fs))
        t = (np.arange(n) - n / 2) / fs
        self.chirp = np.exp(1j * np.pi * bandwidth / pulse * t ** 2)

    @property
    def wavelength(self):
        return C0 / self.fc

    def steering(self, angle):
        return np.exp(1j * np.pi * np.arange(self.nchan) * np.sin(angle))

    def echoes(self, targets, rng):
        """Data cube (channel, pulse, range) of point targets in clutter and noise."""
        shape = (self.nchan, self.npulse, self.nrange)
        cube = (rng.standard_normal(shape) + 1j * rng.standard_normal(shape)) / np.sqrt(2)
        patches = rng.standard_normal((24, self.nrange)) + 1j * rng.standard_normal((24, self.nrange))
        for k, angle in enumerate(np.linspace(-1.0, 1.0, 24)):
            doppler = 2 * 40.0 * np.sin(angle) / self.wavelength / self.prf
            slow = np.exp(2j * np.pi * doppler * np.arange(self.npulse))
            cube += 1.5 * self.steering(angle)[:, None, None] * slow[None, :, None] * patches[k]
        n = self.chirp.size
        for amp, cell, speed, angle in targets:
            slow = np.exp(4j * np.pi * speed / self.wavelength * np.arange(self.npulse) / self.prf)
            cube[:, :, cell:cell + n] += amp * np.einsum("c,p,r->cpr", self.steering(angle), slow, self.chirp)
        return cube


def compress(cube, chirp):
    """Matched filter along range in the frequency domain, Taylor-like taper on the replica."""
    n = cube.shape[-1]
    nfft = 1 << (n + chirp.size - 1).bit_length()
    replica = np.conj(np.fft.fft(chirp * np.hamming(chirp.size), nfft))
    out = np.fft.ifft(np.fft.fft(cube, nfft, axis=-1) * replica, axis=-1)
    return out[..., :n] / chirp.size


def beamform(cube, weights):
    return np.einsum("c,cpr->pr", weights.conj(), cube)


def doppler_map(pulses, nfft):
    window = 0.42 - 0.5 * np.cos(2 * np.pi * np.arange(pulses.shape[0]) / (pulses.shape[0] - 1)) \
        + 0.08 * np.cos(4 * np.pi * np.arange(pulses.shape[0]) / (pulses.shape[0] - 1))
    spec = np.fft.fftshift(np.fft.fft(pulses * window[:, None], nfft, axis=0), axes=0)
    return np.abs(spec) ** 2


def covariance(snapshots, load):
    """Sample covariance of each range gate group: snapshots is (group, channel, sample)."""
    r = np.matmul(snapshots, np.conj(np.swapaxes(snapshots, 1, 2))) / snapshots.shape[2]
    level = np.trace(r, axis1=1, axis2=2).real / r.shape[1]
    return r + (load * level)[:, None, None] * np.eye(r.shape[1])


def adaptive_weights(cov, steer):
    weights = np.zeros((len(cov), steer.size), dtype=complex)
    gain = np.zeros(len(cov))
    for g, r in enumerate(cov):
        w = np.linalg.solve(r, steer)
        w /= np.vdot(steer, w)
        weights[g] = w
        gain[g] = 10 * np.log10(np.real(np.trace(r)) / np.real(np.vdot(w, r @ w)))
    return weights, gain


def cfar(power, guard, train, factor):
    """Greatest-of cell averaging along range in each Doppler row."""
    nd, nr = power.shape
    hit = np.zeros((nd, nr), dtype=bool)
    level = np.zeros((nd, nr))
    for d, r in np.ndindex(nd, nr):
        lead = lag = 0.0
        nlead = nlag = 0
        for k in range(guard + 1, guard + train + 1):
            if r - k >= 0:
                lead += power[d, r - k]
                nlead += 1
            if r + k < nr:
                lag += power[d, r + k]
                nlag += 1
        a = lead / nlead if nlead else 0.0
        b = lag / nlag if nlag else 0.0
        level[d, r] = max(a, b)
        hit[d, r] = power[d, r] > factor * level[d, r]
    return hit, level


def interpolate_peak(power, d, r):
    """Parabolic offset in range around one detection."""
    left, mid, right = (10 * np.log10(power[d, r + s] + 1e-30) for s in (-1, 0, 1))
    return r + 0.5 * (left - right) / (left - 2 * mid + right)


def cluster(hit):
    """Connected hits by a depth-first walk, eight neighbours, Doppler wraps round."""
    cells = {(int(d), int(r)) for d, r in zip(*np.nonzero(hit))}
    groups = []
    while cells:
        stack = [min(cells)]
        cells.discard(stack[0])
        group = []
        while stack:
            d, r = stack.pop()
            group.append((d, r))
            for dd in (-1, 0, 1):
                for dr in (-1, 0, 1):
                    other = ((d + dd) % hit.shape[0], r + dr)
                    if other in cells:
                        cells.discard(other)
                        stack.append(other)
        groups.append(sorted(group))
    return groups


def ambiguity(chirp, fs, delays, dopplers):
    """Magnitude of the ambiguity function on a grid."""
    n = chirp.size
    t = np.arange(n) / fs
    out = np.zeros((dopplers.size, delays.size))
    for a, fd in enumerate(dopplers):
        shifted = chirp * np.exp(2j * np.pi * fd * t)
        for b, lag in enumerate(delays):
            if lag >= 0:
                out[a, b] = np.abs(np.sum(shifted[lag:] * np.conj(chirp[:n - lag])))
            else:
                out[a, b] = np.abs(np.sum(shifted[:n + lag] * np.conj(chirp[-lag:])))
    return out / n


def noncoherent(maps, alpha):
    """Exponentially weighted integration of successive maps with the running largest value kept."""
    mean = maps[0].copy()
    top = maps[0].copy()
    for m in maps[1:]:
        mean *= 1.0 - alpha
        mean += alpha * m
        larger = m > top
        top[larger] = m[larger]
    return mean, top


def main(path):
    rng = np.random.default_rng(94)
    radar = Radar()
    targets = [(0.9, 90, 21.0, 0.05), (0.7, 210, -17.0, 0.1), (1.1, 333, 26.0, -0.08), (0.5, 401, -24.0, 0.0)]
    maps, kept = [], []
    look = radar.steering(0.03)
    for scan in range(3):
        moved = [(a, c + scan, v, phi) for a, c, v, phi in targets]
        cube = compress(radar.echoes(moved, rng), radar.chirp)
        groups = cube.reshape(radar.nchan, radar.npulse, 20, 25).transpose(2, 0, 1, 3).reshape(20, radar.nchan, -1)
        weights, gain = adaptive_weights(covariance(groups, 0.05), look)
        beams = np.concatenate([beamform(cube[:, :, 25 * g:25 * g + 25], weights[g]) for g in range(20)], axis=1)
        maps.append(doppler_map(beams, 64))
        kept.append(gain)
    fixed = doppler_map(beamform(cube, look / look.size), 64)
    mean, top = noncoherent(maps, 0.4)
    hit, level = cfar(mean, 3, 10, 11.0)
    groups = cluster(hit)
    spots = []
    for g in groups:
        d, r = max(g, key=lambda cell: mean[cell])
        if 0 < r < radar.nrange - 1:
            spots.append((d, interpolate_peak(mean, d, r)))
    amb = ambiguity(radar.chirp, radar.fs, np.arange(-30, 31, 3), np.linspace(-4e4, 4e4, 17))

    print(f"{int(hit.sum())} hits in {len(groups)} groups")
    for d, r in spots[:6]:
        speed = (d - 32) / 64 * radar.prf * radar.wavelength / 2
        print(f"  gate {r:9.4f}  {r * C0 / (2 * radar.fs) / 1e3:8.5f} km  {speed:8.3f} m/s")
    print(f"improvement {np.mean(kept[-1]):.5f} dB, mean power {mean.mean():.6e} fixed {fixed.mean():.6e}")
    np.savez(path, mean=mean, top=top, fixed=fixed, hit=hit, level=level, gain=np.array(kept), amb=amb,
             spots=np.array(spots))


if __name__ == "__main__":
    main(sys.argv[1])

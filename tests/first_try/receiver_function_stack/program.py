# Receiver functions of one station: deconvolution, moveout stack, H-kappa stack and bootstrap.
import sys
import numpy as np

VP = 6.3            # mean crustal P velocity, km/s
DT = 0.1            # s
NT = 512
T_BEFORE = 5.0      # s of record before the P arrival


def ricker(t, f):
    a = (np.pi * f * t) ** 2
    return (1.0 - 2.0 * a) * np.exp(-a)


class Station:
    """Synthetic three-phase records of teleseismic events."""

    def __init__(self, n_event, depth, kappa, seed):
        rng = np.random.RandomState(seed)
        self.p = rng.uniform(0.042, 0.078, n_event)
        self.azimuth = rng.uniform(0.0, 360.0, n_event)
        self.vertical = np.zeros((n_event, NT))
        self.radial = np.zeros((n_event, NT))
        t = np.arange(NT) * DT - T_BEFORE
        for i, p in enumerate(self.p):
            qa = np.sqrt((kappa / VP) ** 2 - p * p)
            qb = np.sqrt(1.0 / VP ** 2 - p * p)
            dip = 0.9 * np.cos(np.radians(self.azimuth[i] - 40.0))
            times = (0.0, (depth + dip) * (qa - qb), depth * (qa + qb), 2.0 * depth * qa)
            amps = (0.45, 0.17, 0.11, -0.09)
            f = rng.uniform(0.35, 0.6)
            tail = rng.normal(0.0, 1.0, NT) * np.exp(-0.25 * np.maximum(t, 0.0)) * (t > 0.0)
            tail = 0.25 * np.convolve(tail, ricker(np.arange(-30, 31) * DT, f), mode="same") * DT
            source = ricker(t, f) + tail
            self.vertical[i] = source
            for tau, amp in zip(times, amps):
                shift = int(round(tau / DT))
                self.radial[i, shift:] += amp * source[:NT - shift]
            self.vertical[i] += 0.004 * rng.normal(size=NT)
            self.radial[i] += 0.004 * rng.normal(size=NT)


class ReceiverFunctions:
    def __init__(self, station, gauss=2.5, water=0.01):
        self.z = station.vertical
        self.r = station.radial
        self.p = station.p
        self.gauss = gauss
        self.water = water
        self.nfft = 2 * NT
        self.rf = None

    def taper(self, fraction):
        n = int(fraction * NT)
        ramp = 0.5 * (1.0 - np.cos(np.pi * np.arange(n) / n))
        window = np.ones(NT)
        window[:n] = ramp
        window[-n:] = ramp[::-1]
        self.z = (self.z - self.z.mean(axis=1, keepdims=True)) * window
        self.r = (self.r - self.r.mean(axis=1, keepdims=True)) * window

    def water_level(self):
        """Spectral division with a water level and a Gaussian low-pass; sets self.rf."""
        fz = np.fft.rfft(self.z, self.nfft, axis=1)
        fr = np.fft.rfft(self.r, self.nfft, axis=1)
        power = fz.real ** 2 + fz.imag ** 2
        floor = self.water * power.max(axis=1, keepdims=True)
        w = 2.0 * np.pi * np.fft.rfftfreq(self.nfft, DT)
        lowpass = np.exp(-(w / (2.0 * self.gauss)) ** 2)
        shift = np.exp(-1j * w * T_BEFORE)
        spec = fr * np.conj(fz) / np.maximum(power, floor) * lowpass
        rf = np.fft.irfft(spec * shift, self.nfft, axis=1)[:, :NT]
        norm = np.fft.irfft(power / np.maximum(power, floor) * lowpass, self.nfft, axis=1)
        self.rf = rf / norm.max(axis=1)[:, None]
        return self.rf

    def fit_quality(self):
        """Share of the radial energy explained when each function is convolved with its vertical."""
        fz = np.fft.rfft(self.z, self.nfft, axis=1)
        frf = np.fft.rfft(self.rf, self.nfft, axis=1)
        predicted = np.fft.irfft(fz * frf, self.nfft, axis=1)
        lag = int(round(T_BEFORE / DT))
        predicted = predicted[:, lag:lag + NT]
        best = (predicted * self.r).sum(axis=1) ** 2 / (predicted ** 2).sum(axis=1)
        return best / (self.r ** 2).sum(axis=1)

    def moveout(self, p_ref, depth_max=80.0, kappa=1.75):
        """Stretch every trace to the Ps times of a reference slowness."""
        depth = np.linspace(0.0, depth_max, 161)
        t_ref = depth * (np.sqrt((kappa / VP) ** 2 - p_ref ** 2) - np.sqrt(1.0 / VP ** 2 - p_ref ** 2))
        time = np.arange(NT) * DT - T_BEFORE
        out = np.empty_like(self.rf)
        for i in range(len(self.p)):
            p = self.p[i]
            t_p = depth * (np.sqrt((kappa / VP) ** 2 - p ** 2) - np.sqrt(1.0 / VP ** 2 - p ** 2))
            wanted = np.interp(time, t_ref, t_p)
            wanted = np.where(time < 0.0, time, wanted)
            out[i] = np.interp(wanted, time, self.rf[i])
        return out


def hk_stack(rf, p, h_grid, k_grid, weights):
    """Zhu & Kanamori stack: amplitudes at the predicted Ps, PpPs and PpSs+PsPs times."""
    nh, nk, ntr = len(h_grid), len(k_grid), len(rf)
    s = np.zeros((nh, nk))
    for ih in range(nh):
        for ik in range(nk):
            total = 0.0
            for n in range(ntr):
                qa = np.sqrt((k_grid[ik] / VP) ** 2 - p[n] * p[n])
                qb = np.sqrt(1.0 / VP ** 2 - p[n] * p[n])
                x1 = (h_grid[ih] * (qa - qb) + T_BEFORE) / DT
                x2 = (h_grid[ih] * (qa + qb) + T_BEFORE) / DT
                x3 = (2.0 * h_grid[ih] * qa + T_BEFORE) / DT
                j1 = int(x1)
                j2 = int(x2)
                j3 = int(x3)
                a1 = rf[n, j1] + (x1 - j1) * (rf[n, j1 + 1] - rf[n, j1])
                a2 = rf[n, j2] + (x2 - j2) * (rf[n, j2 + 1] - rf[n, j2])
                a3 = rf[n, j3] + (x3 - j3) * (rf[n, j3 + 1] - rf[n, j3])
                total += weights[0] * a1 + weights[1] * a2 - weights[2] * a3
            s[ih, ik] = total / ntr
    return s


def phase_weighted(traces, power):
    """Phase-weighted stack (Schimmel & Paulssen) from the analytic signal."""
    n = traces.shape[1]
    spec = np.fft.fft(traces, axis=1)
    step = np.zeros(n)
    step[0] = step[n // 2] = 1.0
    step[1:n // 2] = 2.0
    analytic = np.fft.ifft(spec * step, axis=1)
    phase = analytic / np.maximum(np.abs(analytic), 1e-9)
    coherence = np.abs(phase.mean(axis=0))
    return traces.mean(axis=0) * coherence ** power, coherence


def bootstrap(traces, draws):
    stacks = np.empty((len(draws), traces.shape[1]))
    for b, pick in enumerate(draws):
        stacks[b] = traces[pick].mean(axis=0)
    stacks.sort(axis=0)
    low = int(0.05 * len(draws))
    return stacks.mean(axis=0), stacks.std(axis=0), stacks[low], stacks[-1 - low]


def best_cell(s):
    best = -np.inf
    where = (0, 0)
    for i, j in np.ndindex(s.shape):
        if s[i, j] > best:
            best = s[i, j]
            where = (i, j)
    return where, best


def main():
    station = Station(28, 36.0, 1.76, seed=5)
    work = ReceiverFunctions(station)
    work.taper(0.05)
    rf = work.water_level()
    keep = work.fit_quality() > 0.915
    moved = work.moveout(0.06)[keep]
    p_kept = station.p[keep]

    linear = moved.mean(axis=0)
    weighted, coherence = phase_weighted(moved, 1.5)
    draws = np.random.RandomState(9).randint(0, len(moved), (40, len(moved)))
    mean, spread, low, high = bootstrap(moved, draws)

    h_grid = np.linspace(28.13, 44.13, 17)
    k_grid = np.linspace(1.6513, 1.8913, 13)
    stack = hk_stack(rf[keep], p_kept, h_grid, k_grid, (0.6, 0.3, 0.1))
    (ih, ik), value = best_cell(stack)

    print("traces kept: %d of %d" % (keep.sum(), len(keep)))
    print("H = %.2f km, Vp/Vs = %.4f, stack %.5f" % (h_grid[ih], k_grid[ik], value))
    print("direct P amplitude %.5f, coherence there %.4f" % (linear[50], coherence[50]))
    print("largest bootstrap spread %.6f" % spread.max())
    np.savez(sys.argv[1], rf=rf, keep=keep, moved=moved, linear=linear, weighted=weighted, coherence=coherence,
             mean=mean, spread=spread, low=low, high=high, stack=stack)


if __name__ == "__main__":
    main()

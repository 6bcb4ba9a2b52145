import sys
import numpy as np

C_AIR = 343.0
FS = 16000


class ShoeboxRoom:
    """Image-source model of a rectangular hall with frequency independent walls."""

    def __init__(self, size, reflection, order, length):
        self.size = np.asarray(size, dtype=float)
        self.reflection = np.asarray(reflection, dtype=float)   # x0 x1 y0 y1 z0 z1
        self.order = order
        self.n = int(length * FS)

    def images(self, source):
        """Every image within the order: positions and wall gains."""
        k = np.arange(-self.order, self.order + 1)
        nx, ny, nz, px, py, pz = np.meshgrid(k, k, k, [0, 1], [0, 1], [0, 1], indexing="ij")
        cell = np.stack([nx.ravel(), ny.ravel(), nz.ravel()], axis=1)
        par = np.stack([px.ravel(), py.ravel(), pz.ravel()], axis=1)
        hits = np.abs(2 * cell - par).sum(axis=1)
        keep = hits <= 2 * self.order
        cell, par = cell[keep], par[keep]
        pos = (1 - 2 * par) * source + 2 * cell * self.size
        low = np.abs(cell - par)
        high = np.abs(cell)
        beta_low = self.reflection[0::2]
        beta_high = self.reflection[1::2]
        gain = np.prod(beta_low ** low * beta_high ** high, axis=1)
        return pos, gain

    def impulse_response(self, pos, gain, mic):
        """Add each image into the response, split linearly over two samples."""
        h = np.zeros(self.n)
        for s in range(len(pos)):
            dx = pos[s, 0] - mic[0]
            dy = pos[s, 1] - mic[1]
            dz = pos[s, 2] - mic[2]
            r = np.sqrt(dx * dx + dy * dy + dz * dz)
            delay = r / C_AIR * FS
            k = int(delay)
            if k + 1 >= self.n:
                continue
            frac = delay - k
            amp = gain[s] / (4.0 * np.pi * r)
            h[k] += amp * (1.0 - frac)
            h[k + 1] += amp * frac
        return h


def fft_convolve(x, h):
    n = x.size + h.size - 1
    m = 1 << (n - 1).bit_length()
    return np.fft.irfft(np.fft.rfft(x, m) * np.fft.rfft(h, m), m)[:n]


def schroeder(h):
    e = h ** 2
    tail = np.cumsum(e[::-1])[::-1]
    return 10.0 * np.log10(np.maximum(tail / tail[0], 1e-9))


def reverberation_time(decay, top=-5.0, bottom=-25.0):
    use = (decay <= top) & (decay >= bottom)
    t = np.arange(decay.size)[use] / FS
    d = decay[use]
    tm, dm = t.mean(), d.mean()
    slope = ((t - tm) * (d - dm)).sum() / ((t - tm) ** 2).sum()
    return -60.0 / slope


def clarity(h, ms):
    onset = int(np.argmax(np.abs(h) > 0))
    split = onset + int(ms * 1e-3 * FS)
    early = (h[onset:split] ** 2).sum()
    late = (h[split:] ** 2).sum()
    return 10.0 * np.log10(early / late)


def interaural_coherence(left, right, max_lag):
    """Normalised cross correlation at each lag by a direct sum."""
    lags = np.arange(-max_lag, max_lag + 1)
    out = np.zeros(lags.size)
    norm = np.sqrt((left ** 2).sum() * (right ** 2).sum())
    for k, lag in enumerate(lags):
        if lag >= 0:
            out[k] = np.dot(left[:left.size - lag], right[lag:]) / norm
        else:
            out[k] = np.dot(left[-lag:], right[:right.size + lag]) / norm
    return out


def air_absorption(x, pole):
    """One-pole smoother whose pole drifts with the level already reached."""
    y = np.zeros_like(x)
    state = 0.0
    n = 0
    while n < x.size:
        a = pole / (1.0 + 0.3 * abs(state))
        state = (1.0 - a) * x[n] + a * state
        y[n] = state
        n += 1
    return y


def plan_wave(nx, ny, steps, src):
    """2-D FDTD of the floor plan with lossy walls and a column in the audience."""
    p = np.zeros((nx, ny))
    vx = np.zeros((nx - 1, ny))
    vy = np.zeros((nx, ny - 1))
    solid = np.zeros((nx, ny), dtype=bool)
    solid[nx // 2 - 4:nx // 2 + 4, ny // 3 - 4:ny // 3 + 4] = True
    open_x = ~(solid[1:, :] | solid[:-1, :])
    open_y = ~(solid[:, 1:] | solid[:, :-1])
    s = 0.66
    peak = np.zeros_like(p)
    for it in range(steps):
        vx -= s * (p[1:, :] - p[:-1, :])
        vy -= s * (p[:, 1:] - p[:, :-1])
        vx *= open_x
        vy *= open_y
        p[1:-1, :] -= s * (vx[1:, :] - vx[:-1, :])
        p[:, 1:-1] -= s * (vy[:, 1:] - vy[:, :-1])
        p[0, :] = 0.9 * p[1, :]
        p[-1, :] = 0.9 * p[-2, :]
        p[:, 0] = 0.9 * p[:, 1]
        p[:, -1] = 0.9 * p[:, -2]
        p[src] += np.exp(-((it - 12) / 4.0) ** 2)
        np.maximum(peak, np.abs(p), out=peak)
    return p, peak


def main():
    room = ShoeboxRoom((22.0, 15.0, 9.0), (0.92, 0.90, 0.88, 0.88, 0.70, 0.86), order=6, length=1.0)
    source = np.array([4.1, 7.3, 1.6])
    pos, gain = room.images(source)
    ears = np.array([[15.02, 6.91, 1.25], [15.02, 7.09, 1.25]])
    left, right = [room.impulse_response(pos, gain, ear) for ear in ears]

    decay = schroeder(left)
    t20 = reverberation_time(decay)
    c80 = clarity(left, 80.0)
    iacc = interaural_coherence(left[:4000], right[:4000], 16)

    rng = np.random.default_rng(440)
    tone = np.arange(8000) / FS
    dry = np.sin(2 * np.pi * 440.0 * tone) * np.exp(-6.0 * tone) + 0.01 * rng.standard_normal(tone.size)
    wet = fft_convolve(dry, left)
    soft = air_absorption(wet[:6000] / np.abs(wet).max(), 0.6)
    p, peak = plan_wave(110, 75, 50, (20, 37))

    print("images: %d, T20 %.4f s, C80 %.3f dB" % (len(pos), t20, c80))
    print("IACC %.5f at lag %d" % (iacc.max(), int(np.argmax(iacc)) - 16))
    print("plan: peak pressure %.6f, rms %.6f" % (p.max(), np.sqrt(np.mean(p ** 2))))
    np.savez(sys.argv[1], left=left, right=right, decay=decay, iacc=iacc, wet=wet, soft=soft,
             plan=p, peak=peak, numbers=np.array([t20, c80]))


if __name__ == "__main__":
    main()

# Tidal analysis of a set of gauges: harmonic fit, residual surge, high waters, and a 1-D channel model
# forced at the mouth with the predicted tide of the first gauge.
import sys

import numpy as np

OUT = sys.argv[1]
G = 9.81

# speeds in degrees per hour
SPEED = {
    "M2": 28.9841042, "S2": 30.0, "N2": 28.4397295, "K2": 30.0821373, "K1": 15.0410686,
    "O1": 13.9430356, "P1": 14.9589314, "M4": 57.9682084, "MS4": 58.9841042,
}
names = list(SPEED)
omega = np.radians(np.array([SPEED[n] for n in names]))


def design(t, omega):
    arg = t[:, None] * omega[None, :]
    return np.hstack([np.ones((t.size, 1)), np.cos(arg), np.sin(arg)])


def fit(t, level, omega):
    """Least squares on all gauges at once (gauges are columns)."""
    a = design(t, omega)
    coef = np.linalg.solve(a.T @ a, a.T @ level)
    n = omega.size
    c, s = coef[1:n + 1], coef[n + 1:]
    return coef[0], np.hypot(c, s), np.arctan2(s, c) % (2 * np.pi)


def predict(t, mean, amp, phase, omega):
    out = np.empty((t.size, mean.size))
    out[:] = mean
    for k in range(omega.size):
        out += amp[k] * np.cos(omega[k] * t[:, None] - phase[k])
    return out


def godin(x):
    """Godin 24-24-25 hour filter from running sums; the ends stay zero."""
    nt, ng = x.shape
    y = x
    for width in (24, 24, 25):
        total = np.vstack([np.zeros((1, ng)), np.cumsum(y, axis=0)])
        first = width // 2
        y = np.zeros_like(x)
        y[first:first + nt - width + 1] = (total[width:] - total[:-width]) / width
    return y


def high_waters(eta, thresh):
    """Marks samples that top their two neighbours on both sides; counts them for each gauge."""
    nt, ng = eta.shape
    mark = np.zeros((nt, ng), dtype=bool)
    for i in range(2, nt - 2):
        for g in range(ng):
            h = eta[i, g]
            if h < thresh[g]:
                continue
            if h > eta[i - 1, g] and h >= eta[i + 1, g] and h > eta[i - 2, g] and h >= eta[i + 2, g]:
                mark[i, g] = True
    return mark


def record_levels(eta):
    """Standing record at each hour and the hours since it was set."""
    nt, ng = eta.shape
    rec = np.empty_like(eta)
    since = np.zeros((nt, ng), dtype=np.int64)
    for g in range(ng):
        top = -np.inf
        age = 0
        for i in range(nt):
            if eta[i, g] > top:
                top = eta[i, g]
                age = 0
            else:
                age += 1
            rec[i, g] = top
            since[i, g] = age
    return rec, since


def surge_spectrum(res, nseg):
    """Welch spectrum with half-overlapping Hann segments, averaged for each gauge."""
    step = nseg // 2
    win = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(nseg) / nseg)
    spec = np.zeros((nseg // 2 + 1, res.shape[1]))
    count = 0
    start = 0
    while start + nseg <= res.shape[0]:
        seg = res[start:start + nseg]
        seg = (seg - seg.mean(axis=0)) * win[:, None]
        f = np.fft.rfft(seg, axis=0)
        spec += f.real ** 2 + f.imag ** 2
        start += step
        count += 1
    return spec / (count * (win ** 2).sum())


rng = np.random.default_rng(365)
hours = np.arange(24 * 90, dtype=float)
ngauge = 12

true_amp = np.array([1.6, 0.5, 0.32, 0.14, 0.11, 0.09, 0.035, 0.06, 0.03])[:, None] * rng.uniform(0.7, 1.3, (9, ngauge))
true_lag = rng.uniform(0, 2 * np.pi, (9, ngauge))
storm = np.zeros((hours.size, ngauge))
for when, height, length in zip((410.0, 980.0, 1512.0), (0.7, 1.3, 0.9), (14.0, 20.0, 11.0)):
    lagged = hours[:, None] - when - 2.0 * np.arange(ngauge)
    storm += height * np.exp(-(lagged / length) ** 2)
observed = 0.2 + storm + 0.03 * rng.standard_normal((hours.size, ngauge))
for k in range(len(names)):
    observed += true_amp[k] * np.cos(omega[k] * hours[:, None] - true_lag[k])

mean, amp, phase = fit(hours, observed, omega)
tide = predict(hours, mean, amp, phase, omega)
residual = observed - tide
subtidal = godin(residual)
marks = high_waters(observed, mean + 0.8 * amp[0])
record, since = record_levels(observed)
spectrum = surge_spectrum(residual, 360)

# ---- channel: linear long waves with quadratic friction on a staggered grid
nx = 600
dx = 500.0
x = np.arange(nx) * dx
depth = 18.0 - 12.0 * x / x[-1] + 1.5 * np.sin(x / 9000.0)
width = 4000.0 * np.exp(-x / 1.6e5)
face_depth = 0.5 * (depth[1:] + depth[:-1])
face_width = 0.5 * (width[1:] + width[:-1])
dt = 0.8 * dx / np.sqrt(G * depth.max())
eta = np.zeros(nx)
u = np.zeros(nx - 1)
highest = np.full(nx, -10.0)
mouth = predict(np.arange(50) * dt / 3600.0 * 6.0, mean, amp, phase, omega)[:, 0]
for n in range(50):
    eta[0] = mouth[n] - mouth[0]
    u -= dt * G * (eta[1:] - eta[:-1]) / dx
    u /= 1.0 + dt * 2.5e-3 * np.abs(u) / face_depth
    flux = face_depth * face_width * u
    eta[1:-1] -= dt * (flux[1:] - flux[:-1]) / (dx * width[1:-1])
    eta[-1] = eta[-2]
    np.maximum(highest, eta, out=highest)
energy = 0.5 * G * np.sum(eta ** 2 * width) * dx + 0.5 * np.sum(face_depth * face_width * u ** 2) * dx

for n, a in zip(names[:4], amp[:4].mean(axis=1)):
    print(f"{n:4s} mean amplitude {a:.5f} m")
print(f"high waters {int(marks.sum())}, longest standing record {since.max()} h")
print(f"surge rms {np.sqrt(np.mean(residual ** 2)):.6f} m, subtidal max {subtidal.max():.6f} m")
print(f"channel: energy {energy:.6e}, crest {highest[1:].max():.6f} m")

np.savez(OUT, amp=amp, phase=phase, residual=residual, subtidal=subtidal, marks=marks, record=record,
         since=since, spectrum=spectrum, eta=eta, u=u, highest=highest)

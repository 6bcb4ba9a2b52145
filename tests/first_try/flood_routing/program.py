# Flood study, Upper Tarn tributary: design storm -> excess rainfall -> hillslope hydrograph
# -> reservoir -> channel (kinematic wave) -> lower valley (Saint-Venant, Lax-Friedrichs).
import sys

import numpy as np

rng = np.random.default_rng(1907)


def design_storm(depth_mm, nt, peak_at):
    """Alternating-block like hyetograph with a fixed total."""
    t = np.arange(nt)
    block = 1.0 / (1.0 + 0.15 * np.abs(t - peak_at)) ** 1.8
    return depth_mm * block / block.sum()


def curve_number_excess(rain, cn):
    """SCS excess per interval for every sub-basin; rain is (basins, intervals)."""
    s = 25400.0 / cn - 254.0
    ia = 0.2 * s
    p = np.cumsum(rain, axis=1)
    over = p - ia[:, None]
    runoff = np.where(over > 0.0, over**2 / (over + s[:, None]), 0.0)
    excess = np.diff(runoff, axis=1, prepend=0.0)
    return excess, runoff[:, -1]


def time_area(travel_h, area_km2, basin, nb, nu, dt_h):
    """Isochrone histogram: share of the area of each sub-basin drained after each interval."""
    bin_of = np.minimum((travel_h / dt_h).astype(np.int64), nu - 1)
    hist = np.zeros((nb, nu))
    np.add.at(hist, (basin, bin_of), area_km2)
    return hist


def hydrographs(excess, hist, dt_h):
    """Convolution of excess rain with the time-area histogram, m3/s."""
    nb, nt = excess.shape
    nu = hist.shape[1]
    q = np.zeros((nb, nt + nu - 1))
    for b in range(nb):
        for n in range(nt + nu - 1):
            acc = 0.0
            for m in range(max(0, n - nt + 1), min(n + 1, nu)):
                acc += excess[b, n - m] * hist[b, m]
            q[b, n] = acc / (3.6 * dt_h)
    return q


def level_pool(inflow, dt, storage0, rating_s, rating_q):
    """Modified-Puls routing of a reservoir; the outflow follows a tabulated spillway rating."""
    indicator = 2.0 * rating_s / dt + rating_q
    out = np.empty_like(inflow)
    s = storage0
    o = np.interp(s, rating_s, rating_q)
    for n in range(len(inflow)):
        before = inflow[n - 1] if n else inflow[0]
        level = before + inflow[n] + 2.0 * s / dt - o
        o = np.interp(level, indicator, rating_q)
        s = 0.5 * dt * (level - o)
        out[n] = o
    return out


# ---------------------------------------------------------------- catchment
nb, nt, nu, dt_h = 12, 48, 20, 0.5
ncell = 9000
basin = rng.integers(0, nb, ncell)
path_km = rng.gamma(4.0, 2.2, ncell)
slope = rng.uniform(0.004, 0.08, ncell)
area = rng.uniform(0.02, 0.05, ncell)
cn = rng.uniform(62.0, 86.0, nb)
storm = design_storm(96.0, nt, 17)
elevation_factor = rng.uniform(0.85, 1.2, nb)

rain = elevation_factor[:, None] * storm[None, :]
excess, total_runoff = curve_number_excess(rain, cn)
velocity = 0.9 * (slope / 0.01) ** 0.3
travel = path_km / (3.6 * velocity)
hist = time_area(travel, area, basin, nb, nu, dt_h)
q_sub = hydrographs(excess, hist, dt_h)
q_in = q_sub.sum(axis=0) + 6.0

# ---------------------------------------------------------------- reservoir
rating_s = np.linspace(0.0, 14.0e6, 15)
rating_q = 8.0 + 55.0 * (np.linspace(0.0, 6.0, 15)) ** 1.5
q_out = level_pool(q_in, dt_h * 3600.0, 0.4e6, rating_s, rating_q)
attenuation = q_in.max() / q_out.max()
lag = int(q_out.argmax()) - int(q_in.argmax())

# ---------------------------------------------------------------- kinematic wave in 40 parallel reaches (Monte Carlo)
nreach, nx, dx, dt = 40, 160, 250.0, 40.0
manning = rng.uniform(0.028, 0.06, nreach)
bed = rng.uniform(0.0006, 0.003, nreach)
width = rng.uniform(25.0, 60.0, nreach)
beta = 0.6
alpha = (manning * width ** (2.0 / 3.0) / np.sqrt(bed)) ** beta
q = np.full((nreach, nx), 8.0)
peak_along = q.copy()
arrival = np.zeros((nreach, nx))
steps_per = 45
for k in range(steps_per):
    upstream = q_out[min(k // 3 + 10, len(q_out) - 1)]
    qbar = 0.5 * (q[:, 1:] + q[:, :-1])
    celerity = 1.0 / (alpha[:, None] * beta * qbar ** (beta - 1.0))
    courant = np.minimum(celerity * dt / dx, 1.0)
    q[:, 1:] = q[:, 1:] - courant * (q[:, 1:] - q[:, :-1])
    q[:, 0] = upstream
    higher = q > peak_along + 1e-9
    arrival[higher] = (k + 1) * dt
    np.maximum(peak_along, q, out=peak_along)
depth = (manning[:, None] * q / (width[:, None] * np.sqrt(bed)[:, None])) ** 0.6

# ---------------------------------------------------------------- lower valley, full equations
g, n_valley, b_valley, s0 = 9.81, 0.035, 80.0, 0.0008
mx, mdx, mdt = 2400, 100.0, 6.0
xs = np.arange(mx) * mdx
h = 1.5 + 2.2 * np.exp(-((xs - 60e3) / 4e3) ** 2)
u = h ** (2.0 / 3.0) * np.sqrt(s0) / n_valley
discharge = h * u
stage_sum = np.zeros(mx)
volume = []
for step in range(50):
    flux = discharge**2 / h + 0.5 * g * h**2
    friction = g * h * (s0 - n_valley**2 * discharge * np.abs(discharge) / h ** (10.0 / 3.0))
    hn = h.copy()
    qn = discharge.copy()
    hn[1:-1] = 0.5 * (h[2:] + h[:-2]) - 0.5 * mdt / mdx * (discharge[2:] - discharge[:-2])
    qn[1:-1] = (0.5 * (discharge[2:] + discharge[:-2]) - 0.5 * mdt / mdx * (flux[2:] - flux[:-2])
                + 0.5 * mdt * (friction[2:] + friction[:-2]))
    hn[0], qn[0] = hn[1], qn[1]
    hn[-1], qn[-1] = hn[-2], qn[-2]
    h, discharge = hn, qn
    stage_sum += h
    if step % 10 == 9:
        volume.append(h.sum() * mdx * b_valley)
froude = discharge / (h * np.sqrt(g * h))

# inundated length: longest run of cells above the bank
bank = 2.05
longest = run = 0
for wet in h > bank:
    run = run + 1 if wet else 0
    longest = max(longest, run)

print(f"basin area        {hist.sum():.3f} km2, runoff {total_runoff.mean():.3f} mm")
print(f"peak inflow       {q_in.max():.3f} m3/s, outflow {q_out.max():.3f} m3/s, ratio {attenuation:.4f}, lag {lag}")
print(f"reach depth       {depth.mean():.4f} m, front cells {int((arrival > 0).sum())}")
print(f"valley            max Froude {froude.max():.5f}, longest flooded run {longest * mdx / 1e3:.1f} km")
np.savez(sys.argv[1], excess=excess, hist=hist, q_sub=q_sub, q_out=q_out, q=q, peak_along=peak_along,
         arrival=arrival, depth=depth, h=h, discharge=discharge, mean_stage=stage_sum / 50,
         volume=np.array(volume), froude=froude)

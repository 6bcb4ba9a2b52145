# Runout statistics of snow avalanches: topographic (alpha-beta) regression over a table of paths, Voellmy
# block model with sampled friction along one path, extreme-value fit of the runouts and hazard zones.
import sys

import numpy as np

PATHS = """
# name        beta  theta  drop   y2    alpha
Kvisgrovi     29.0  41.0   820   5.1e-4  26.8
Storfonn      33.5  44.0  1010   6.3e-4  30.9
Sagelva       25.1  36.5   640   3.2e-4  22.9
Nordskred     31.2  39.5   930   5.9e-4  28.0
Tverrgjel     27.4  42.2   770   4.4e-4  24.6
Bjornegil     35.8  46.1  1120   7.7e-4  33.2
Langrenna     23.6  35.0   580   2.8e-4  21.7
Skarfjell     30.1  40.4   890   5.2e-4  27.1
Gullfonn      28.3  38.8   760   4.9e-4  26.4
Hestura       32.4  43.7   970   6.1e-4  29.1
Kyrkjenova    26.6  37.9   700   3.9e-4  24.8
Raudskred     34.6  45.0  1060   7.0e-4  31.6
"""
G = 9.81


def read_paths(text):
    names, rows = [], []
    for line in text.splitlines():
        words = line.split("#")[0].split()
        if words:
            names.append(words[0])
            rows.append([float(w) for w in words[1:]])
    return names, np.array(rows)


def alpha_beta(rows):
    """Least squares alpha = a + b beta + c y2 drop, residual deviation, leave-one-out errors."""
    beta, alpha = rows[:, 0], rows[:, 4]
    design = np.stack([np.ones(len(rows)), beta, rows[:, 3] * rows[:, 2]], axis=1)
    coef, *_ = np.linalg.lstsq(design, alpha, rcond=None)
    sigma = np.sqrt(np.sum((alpha - design @ coef) ** 2) / (len(rows) - 3))
    errors = []
    for i in range(len(rows)):
        keep = np.arange(len(rows)) != i
        c, *_ = np.linalg.lstsq(design[keep], alpha[keep], rcond=None)
        errors.append(alpha[i] - design[i] @ c)
    return coef, sigma, np.array(errors)


def make_profile(n=1200, dx=2.0):
    """Terrain along the path: steep start, track with a bench, flattening runout with a counter slope."""
    x = np.arange(n) * dx
    slope = 40.0 * np.exp(-((x / 900.0) ** 2.2)) + 6.0 * np.exp(-x / 1500.0)
    slope -= 9.0 * np.exp(-((x - 520.0) / 60.0) ** 2)
    slope -= 5.0 / (1.0 + np.exp(-(x - 1800.0) / 60.0))
    theta = np.radians(slope)
    curvature = np.gradient(theta, dx)
    return x, theta, curvature, dx


def sample_friction(rng, count):
    """Dry friction, turbulent coefficient, release position and flow height of every event."""
    mu = np.clip(rng.normal(0.24, 0.05, count), 0.12, 0.45)
    xi = np.exp(rng.normal(np.log(1400.0), 0.35, count))
    start = 40.0 + 160.0 * rng.beta(2.0, 3.0, count)
    height = 0.6 + rng.gamma(3.0, 0.45, count)
    return mu, xi, start, height


def run_events(profile, mu, xi, start, height):
    """Marches all events along the profile; kinetic energy per unit mass over every cell.

    Returns runout distance, highest speed and the speed of each event at the marked stations."""
    x, theta, curvature, dx = profile
    energy = np.zeros_like(mu)
    moving = np.zeros(len(mu), dtype=bool)
    stopped = np.zeros(len(mu), dtype=bool)
    runout, top = np.full_like(mu, x[-1]), np.zeros_like(mu)
    mass = np.ones_like(mu)
    stations = {int(s / dx): k for k, s in enumerate((1400.0, 1600.0, 1800.0, 2000.0))}
    passing = np.zeros((len(stations), len(mu)))
    for i in range(len(x) - 1):
        moving |= (x[i] >= start) & ~stopped
        ds = dx / np.cos(theta[i])
        v2 = 2.0 * energy
        press = np.maximum(G * np.cos(theta[i]) - curvature[i] * v2, 0.0)
        entrain = np.where(x[i] < 900.0, 0.0006 * height, 0.0)
        force = G * np.sin(theta[i]) - mu * press - G * v2 / (xi * height)
        new = (energy + force * ds) / (1.0 + entrain * ds / mass)
        mass = np.where(moving, mass + entrain * ds, mass)
        halt = moving & (new <= 0.0) & (x[i] > start + 20.0)
        part = np.where(halt, energy / np.maximum(energy - new, 1e-12), 0.0)
        runout = np.where(halt, x[i] + part * dx, runout)
        stopped |= halt
        moving &= ~halt
        energy = np.where(moving, np.maximum(new, 0.5), 0.0)
        speed = np.sqrt(2.0 * energy)
        top = np.maximum(top, speed)
        if i in stations:
            passing[stations[i]] = speed
    return runout, top, passing


def gumbel_fit(sample, passes=30):
    """Maximum likelihood location and scale by Newton steps on the scale."""
    mean = sample.mean()
    scale = sample.std() * np.sqrt(6.0) / np.pi
    for _ in range(passes):
        w = np.exp(-(sample - mean) / scale)
        s0, s1, s2 = w.sum(), (w * sample).sum(), (w * sample**2).sum()
        f = scale - mean + s1 / s0
        df = 1.0 + (s2 / s0 - (s1 / s0) ** 2) / scale**2
        scale = scale - f / df
    w = np.exp(-(sample - mean) / scale)
    return mean - scale * np.log(w.mean()), scale


def annual_maxima(runout, rng, years, rate=2.4):
    """Largest runout of every simulated winter with a Poisson number of events."""
    counts = rng.poisson(rate, years)
    picks = rng.integers(0, len(runout), counts.sum())
    season = np.repeat(np.arange(years), counts)
    largest = np.zeros(years)
    np.maximum.at(largest, season, runout[picks])
    return largest[counts > 0]


def return_levels(location, scale, periods):
    return location - scale * np.log(-np.log(1.0 - 1.0 / np.array(periods)))


def bootstrap(maxima, rng, periods, rounds=120):
    """Spread of the return levels over resampled series (moment estimates)."""
    moments = np.empty((rounds, 2))
    for k in range(rounds):
        again = maxima[rng.integers(0, len(maxima), len(maxima))]
        moments[k] = again.mean(), again.std()
    scale = moments[:, 1:] * np.sqrt(6.0) / np.pi
    levels = return_levels(moments[:, :1] - 0.5772156649 * scale, scale, periods)
    return np.percentile(levels, [5.0, 50.0, 95.0], axis=0)


def pressure_exceedance(passing, height, limits=(3.0, 10.0, 30.0)):
    """Share of events with impact pressure (kPa) above the limits at each station."""
    density = 180.0 + 40.0 * np.tanh(height - 1.5)
    pressure = 0.5 * 2.0 * density * passing**2 / 1000.0
    return np.array([[(row > limit).mean() for limit in limits] for row in pressure])


def main():
    rng = np.random.default_rng(1997)
    names, rows = read_paths(PATHS)
    coef, sigma, errors = alpha_beta(rows)
    profile = make_profile()
    mu, xi, start, height = sample_friction(rng, 6000)
    runout, top, passing = run_events(profile, mu, xi, start, height)
    maxima = annual_maxima(runout, rng, 40000)
    location, scale = gumbel_fit(maxima)
    periods = [30, 100, 300, 1000]
    levels = return_levels(location, scale, periods)
    bands = bootstrap(maxima, rng, periods)
    exceed = pressure_exceedance(passing, height)
    worst = names[int(np.argmax(np.abs(errors)))]
    print(f"alpha = {coef[0]:.2f} + {coef[1]:.4f} beta + {coef[2]:.3f} y2 H, sigma {sigma:.3f}, worst {worst}")
    print(f"median runout {np.median(runout):.1f} m, fastest {top.max():.2f} m/s")
    print(f"Gumbel {location:.1f} m, {scale:.2f} m; 300 years {levels[2]:.0f} m")
    print(f"above 30 kPa at 1400 m: {exceed[0, 2]:.4f}")
    np.savez(sys.argv[1], runout=runout, top=top, levels=levels, bands=bands, exceed=exceed, errors=errors)


if __name__ == "__main__":
    main()

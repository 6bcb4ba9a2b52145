# Ground temperatures at many permafrost sites: heat conduction with phase change (apparent heat capacity,
# unfrozen water curve), snow cover, implicit time steps; active layer, zero curtain, comparison with Stefan's formula.
import sys

import numpy as np

LATENT = 3.34e8          # J m-3 of water
DAY = 86400.0
SOILS = """
class      peat   water  k_dry  k_min  c_min
tundra     0.35   0.46   0.25   2.6    2.1
polygon    0.60   0.62   0.14   2.4    2.0
forest     0.25   0.38   0.22   2.8    2.2
gravel     0.04   0.22   0.45   3.3    2.3
bedrock    0.00   0.05   1.90   3.0    2.2
"""


def soil_table(text):
    lines = [line.split() for line in text.strip().splitlines()]
    columns = lines[0][1:]
    return {row[0]: dict(zip(columns, map(float, row[1:]))) for row in lines[1:]}


def layers(n, first=0.05, growth=1.085):
    """Thickness and mid depth of layers that grow downwards."""
    dz = first * growth ** np.arange(n)
    bottom = np.cumsum(dz)
    return dz, bottom - 0.5 * dz


def make_sites(count, z, rng):
    """Property fields, one row per site and one column per layer."""
    table = soil_table(SOILS)
    names = list(table)
    kind = rng.integers(0, len(names), count)
    props = {}
    for key in ("peat", "water", "k_dry", "k_min", "c_min"):
        props[key] = np.array([table[names[i]][key] for i in kind])
    organic = np.clip(props["peat"] * rng.uniform(0.6, 1.4, count), 0.0, 0.8)[:, None]
    top = np.exp(-((z[None, :] / (0.1 + organic)) ** 2)) * organic
    decay = np.exp(-z / 9.0)[None, :]
    water = np.clip(props["water"][:, None] * rng.uniform(0.85, 1.1, (count, 1)) * (0.3 + 0.7 * decay) + 0.25 * top, 0.02, 0.85)
    solid = props["k_min"][:, None] * (1 - top) + 0.25 * top
    dry = props["k_dry"][:, None] * (1 - top) + 0.06 * top
    cap = props["c_min"][:, None] * 1e6 * (1 - water)
    climate = {"mean": rng.uniform(-9.5, -2.5, count), "swing": rng.uniform(13.0, 21.0, count),
               "snow": rng.gamma(4.0, 0.09, count), "nt": rng.uniform(0.75, 1.0, count)}
    return kind, water, solid, dry, cap, climate


def unfrozen(temp, water, middle=-0.4, width=0.35, floor=0.03):
    """Liquid water content and its derivative with respect to temperature."""
    s = 0.5 * (1 + np.tanh((temp - middle) / width))
    share = floor + (1 - floor) * s
    slope = (1 - floor) * 2 * s * (1 - s) / width
    return water * share, water * slope


def conductivity(liquid, water, solid, dry):
    """Geometric mixing of minerals, ice and water between dry and saturated values."""
    ice = water - liquid
    sat = solid ** (1 - water) * 0.57**liquid * 2.2**ice
    kersten = np.clip(1.1 * water / 0.5, 0.1, 1.0)
    return dry + (sat - dry) * kersten


def snow_depth(day, peak):
    """Height of snow in a winter from October to May (day 0 is 1 January)."""
    d = (day + 92) % 365
    if d > 245:
        return np.zeros_like(peak)
    return peak * np.minimum(d / 120.0, 1.0) * np.minimum((245 - d) / 25.0, 1.0)


def tridiagonal(lower, diag, upper, rhs):
    """Thomas algorithm for all sites, along the layers."""
    n = diag.shape[1]
    c, d = np.empty_like(diag), np.empty_like(rhs)
    c[:, 0] = upper[:, 0] / diag[:, 0]
    d[:, 0] = rhs[:, 0] / diag[:, 0]
    for i in range(1, n):
        m = diag[:, i] - lower[:, i] * c[:, i - 1]
        c[:, i] = upper[:, i] / m
        d[:, i] = (rhs[:, i] - lower[:, i] * d[:, i - 1]) / m
    x = np.empty_like(rhs)
    x[:, -1] = d[:, -1]
    for i in range(n - 2, -1, -1):
        x[:, i] = d[:, i] - c[:, i] * x[:, i + 1]
    return x


def heat_step(temp, surface, snow, fields, dz, dt, flux=0.055):
    """One implicit step with coefficients at the old temperature."""
    water, solid, dry, cap = fields
    liquid, slope = unfrozen(temp, water)
    k = conductivity(liquid, water, solid, dry)
    heat = cap + 4.18e6 * liquid + 1.9e6 * (water - liquid) + LATENT * slope
    resist = 0.5 * dz / k
    g = 1.0 / (resist[:, :-1] + resist[:, 1:])
    g_top = 1.0 / (resist[:, 0] + snow / 0.22)
    store = heat * dz / dt
    diag = store.copy()
    diag[:, :-1] += g
    diag[:, 1:] += g
    diag[:, 0] += g_top
    lower, upper = np.zeros_like(diag), np.zeros_like(diag)
    lower[:, 1:] = -g
    upper[:, :-1] = -g
    rhs = store * temp
    rhs[:, 0] += g_top * surface
    rhs[:, -1] += flux
    return tridiagonal(lower, diag, upper, rhs)


def thaw_depth(temp, z):
    """Depth of the first zero crossing below a thawed surface, 0 where the top is frozen."""
    frozen = temp <= 0
    k = np.argmax(frozen, axis=1)
    k = np.where(frozen.any(axis=1), k, temp.shape[1] - 1)
    rows = np.arange(len(temp))
    up = np.maximum(k - 1, 0)
    a, b = temp[rows, up], temp[rows, k]
    inside = z[up] + (z[k] - z[up]) * a / np.where(a > b, a - b, 1.0)
    return np.where(k > 0, inside, 0.0)


def zero_curtain(series, width=0.35):
    """Longest spell (in samples) that each site's sensor stays near 0 degrees, and when it ended."""
    spells = []
    for row in series.T.tolist():
        best, ended, run = 0, -1, 0
        for k, t in enumerate(row):
            run = run + 1 if abs(t) < width else 0
            if run > best:
                best, ended = run, k
        spells.append((best, ended))
    return np.array(spells)


def stefan(air_days, k, water):
    """Active layer from thawing degree-days."""
    return np.sqrt(2 * k * air_days * DAY / (LATENT * np.maximum(water, 0.05)))


def heat_content(temp, fields, dz):
    water, _, _, cap = fields
    liquid, _ = unfrozen(temp, water)
    return ((cap * temp + LATENT * liquid) * dz).sum(axis=1)


def main():
    rng = np.random.default_rng(1973)
    count, n, step, years = 300, 44, 1, 4
    dz, z = layers(n)
    kind, water, solid, dry, cap, climate = make_sites(count, z, rng)
    fields = (water, solid, dry, cap)
    temp = np.repeat(climate["mean"][:, None] + 2.0, n, axis=1) + 0.02 * z
    steps = years * 365 // step
    weather = np.zeros(count)
    active, sensor = np.zeros((years, count)), []
    thawing, low, high = np.zeros(count), np.full((count, n), 99.0), np.full((count, n), -99.0)
    start = heat_content(temp, fields, dz)
    for i in range(steps):
        day = (i * step) % 365
        year = i * step // 365
        weather = 0.8 * weather + 1.8 * rng.standard_normal(count)
        air = climate["mean"] + 0.25 * year - climate["swing"] * np.cos(2 * np.pi * (day - 18) / 365) + weather
        surface = np.where(air > 0, climate["nt"] * air, air)
        temp = heat_step(temp, surface, snow_depth(day, climate["snow"]), fields, dz, step * DAY)
        active[year] = np.maximum(active[year], thaw_depth(temp, z))
        sensor.append(temp[:, 5])
        if year == years - 1:
            thawing += np.maximum(surface, 0.0) * step
            low, high = np.minimum(low, temp), np.maximum(high, temp)
    sensor = np.array(sensor)
    gain = heat_content(temp, fields, dz) - start
    spells = zero_curtain(sensor)
    k = conductivity(water, water, solid, dry)[:, :10].mean(axis=1)
    formula = stefan(thawing, k, water[:, :10].mean(axis=1))
    classes = np.array([[active[-1][kind == c].mean(), temp[kind == c, -1].mean()] for c in range(5)])
    talik = np.count_nonzero((low > 0.0).any(axis=1))
    print(f"{count} sites, {n} layers down to {z[-1]:.2f} m, heat gained {gain.mean() / 1e6:.3f} MJ/m2")
    print("active layer by year:", " ".join(f"{a:.4f}" for a in active.mean(axis=1)))
    print(f"Stefan: mean {formula.mean():.4f} m, correlation {np.corrcoef(formula, active[-1])[0, 1]:.4f}; taliks {talik}")
    print(f"longest zero curtain {spells[:, 0].max() * step} days, median {np.median(spells[:, 0]) * step:.1f}")
    np.savez(sys.argv[1], temp=temp, active=active, low=low, high=high, formula=formula, spells=spells,
             classes=classes, gain=gain)


if __name__ == "__main__":
    main()

"""Hourly Gaussian plume run for a small industrial site: gridded and discrete receptors."""
import sys
import numpy as np

rng = np.random.default_rng(20240611)

# Briggs rural coefficients: sigma_y = a x (1 + b x)^-1/2 ; sigma_z = c x (1 + d x)^e
BRIGGS = {
    "A": (0.22, 0.0001, 0.20, 0.0, 1.0),
    "B": (0.16, 0.0001, 0.12, 0.0, 1.0),
    "C": (0.11, 0.0001, 0.08, 0.0002, -0.5),
    "D": (0.08, 0.0001, 0.06, 0.0015, -0.5),
    "E": (0.06, 0.0001, 0.03, 0.0003, -1.0),
    "F": (0.04, 0.0001, 0.016, 0.0003, -1.0),
}
WIND_EXPONENT = {"A": 0.07, "B": 0.07, "C": 0.10, "D": 0.15, "E": 0.35, "F": 0.55}

stacks = [
    dict(name="boiler", x=0.0, y=0.0, h=45.0, d=1.8, v=14.0, T=430.0, q=22.0),
    dict(name="kiln", x=220.0, y=-140.0, h=62.0, d=2.4, v=11.0, T=395.0, q=35.0),
    dict(name="flare", x=-310.0, y=180.0, h=28.0, d=0.6, v=20.0, T=900.0, q=4.5),
]


def classify(hour, wind, cloud):
    """Turner-like stability letter from hour of day, wind and cloud tenths."""
    day = 7 <= hour % 24 < 19
    if day:
        strength = 2 if cloud < 4 else (1 if cloud < 8 else 0)
        if wind < 2:
            return "ABD"[2 - strength] if strength != 1 else "B"
        if wind < 4:
            return ("D", "C", "B")[strength]
        return ("D", "D", "C")[strength]
    if wind < 3:
        return "F" if cloud < 4 else "E"
    return "E" if (wind < 5 and cloud < 4) else "D"


def plume_rise(stack, wind, temp, letter, dist):
    """Briggs rise with gradual ascent up to the final distance."""
    F = 9.81 * stack["v"] * stack["d"] ** 2 * (stack["T"] - temp) / (4.0 * stack["T"])
    if letter in "EF":
        s = 9.81 * (0.02 if letter == "E" else 0.035) / temp
        return np.full_like(dist, 2.6 * (F / (wind * s)) ** (1.0 / 3.0))
    xf = 49.0 * F ** 0.625 if F < 55 else 119.0 * F ** 0.4
    d = np.minimum(np.maximum(dist, 1.0), xf)
    return 1.6 * F ** (1.0 / 3.0) * d ** (2.0 / 3.0) / wind


def concentration(stack, gx, gy, wind10, wdir, temp, letter, mixing):
    """Ground-level concentration in ug/m3 with reflection at ground and lid."""
    u = wind10 * (stack["h"] / 10.0) ** WIND_EXPONENT[letter]
    ang = np.deg2rad(270.0 - wdir)
    dx = gx - stack["x"]
    dy = gy - stack["y"]
    x = dx * np.cos(ang) + dy * np.sin(ang)
    y = dy * np.cos(ang) - dx * np.sin(ang)
    down = x > 20.0
    xs = np.where(down, x, 20.0)
    a, b, c, d, e = BRIGGS[letter]
    sy = a * xs / np.sqrt(1.0 + b * xs)
    sz = np.minimum(c * xs * (1.0 + d * xs) ** e if d else c * xs, 0.8 * mixing)
    H = stack["h"] + plume_rise(stack, u, temp, letter, xs)
    vertical = np.zeros_like(xs)
    for n in (-1, 0, 1):
        vertical += 2.0 * np.exp(-0.5 * ((H + 2 * n * mixing) / sz) ** 2)
    below = H < mixing
    conc = stack["q"] * 1e6 / (2 * np.pi * u * sy * sz) * np.exp(-0.5 * (y / sy) ** 2) * vertical
    return np.where(down & below, conc, 0.0)


def running_mean(series, width):
    """Mean over the last `width` hours for every receptor (time on axis 0)."""
    total = np.cumsum(series, axis=0)
    out = total[width - 1:].copy()
    out[1:] -= total[:-width]
    return out / width


def exceedances(series, limit, gap):
    """Number of separate episodes above the limit and the longest one, per receptor."""
    hours, count = series.shape
    episodes = np.zeros(count, dtype=int)
    longest = np.zeros(count, dtype=int)
    worst = np.zeros(count)
    worst_hour = np.zeros(count, dtype=int)
    for r in range(count):
        run = 0
        quiet = gap
        top = -1.0
        for h in range(hours):
            value = series[h, r]
            if value > top:
                top = value
                worst_hour[r] = h
            if value > limit:
                if quiet >= gap:
                    episodes[r] += 1
                    run = 0
                run += 1
                quiet = 0
                longest[r] = max(longest[r], run)
            else:
                quiet += 1
        worst[r] = top
    return episodes, longest, worst, worst_hour


def wind_rose(wind, wdir):
    """Hours per sector and speed class."""
    table = np.zeros((16, 4), dtype=int)
    sector = ((wdir + 11.25) // 22.5).astype(int) % 16
    speed = np.searchsorted([2.0, 4.0, 6.0], wind)
    np.add.at(table, (sector, speed), 1)
    return table


# ---- meteorology ---------------------------------------------------------------------
hours = 48
hh = np.arange(hours)
wind = 3.2 + 1.4 * np.sin(2 * np.pi * (hh - 9) / 24) + 0.6 * rng.standard_normal(hours)
wind = np.clip(wind, 1.0, None)
wdir = (225.0 + 35.0 * np.sin(2 * np.pi * hh / 36) + 12.0 * rng.standard_normal(hours)) % 360.0
temp = 286.0 + 6.0 * np.sin(2 * np.pi * (hh - 8) / 24)
cloud = rng.integers(0, 10, hours)
mixing = 350.0 + 650.0 * np.clip(np.sin(2 * np.pi * (hh - 7) / 24), 0.0, None)
letters = [classify(h, w, c) for h, w, c in zip(hh, wind, cloud)]

# ---- receptors -----------------------------------------------------------------------
axis_x = np.linspace(-3000.0, 5000.0, 81)
axis_y = np.linspace(-3000.0, 4000.0, 71)
GX, GY = np.meshgrid(axis_x, axis_y)
n_disc = 300
disc_x = rng.uniform(-2500.0, 4800.0, n_disc)
disc_y = rng.uniform(-2500.0, 3800.0, n_disc)
persons = rng.integers(1, 80, n_disc)

# ---- hour by hour --------------------------------------------------------------------
mean_field = np.zeros_like(GX)
max_field = np.zeros_like(GX)
max_hour = np.zeros(GX.shape, dtype=int)
share = {s["name"]: np.zeros_like(GX) for s in stacks}
discrete = np.zeros((hours, n_disc))

for h in range(hours):
    field = np.zeros_like(GX)
    for s in stacks:
        c = concentration(s, GX, GY, wind[h], wdir[h], temp[h], letters[h], mixing[h])
        share[s["name"]] += c
        field += c
        discrete[h] += concentration(s, disc_x, disc_y, wind[h], wdir[h], temp[h], letters[h], mixing[h])
    mean_field += field / hours
    higher = field > max_field
    max_field[higher] = field[higher]
    max_hour[higher] = h

total_share = sum(share.values())
fractions = np.stack([np.where(total_share > 0, share[s["name"]] / np.maximum(total_share, 1e-30), 0.0)
                      for s in stacks])

eight = running_mean(discrete, 8)
day = running_mean(discrete, 24)
episodes, longest, worst, worst_hour = exceedances(discrete, 60.0, 3)
order = np.argsort(discrete, axis=0)[::-1]
fourth = np.take_along_axis(discrete, order[3:4], axis=0)[0]
person_hours = (discrete * persons).sum()
exposed = persons[eight.max(axis=0) > 20.0].sum()
rose = wind_rose(wind, wdir)
iy, ix = np.unravel_index(np.argmax(max_field), max_field.shape)
area = (mean_field > 5.0).sum() * (axis_x[1] - axis_x[0]) * (axis_y[1] - axis_y[0]) * 1e-6

np.savez(sys.argv[1], mean_field=mean_field, max_field=max_field, max_hour=max_hour, fractions=fractions,
         eight=eight, day=day, episodes=episodes, longest=longest, worst=worst, worst_hour=worst_hour,
         fourth=fourth, rose=rose)
print("classes", "".join(letters))
print(f"highest hour {max_field.max():.4f} ug/m3 at ({axis_x[ix]:.0f}, {axis_y[iy]:.0f}), hour {max_hour[iy, ix]}")
print(f"highest mean {mean_field.max():.4f}, area above 5 ug/m3 {area:.3f} km2")
print(f"episodes {episodes.sum()}, longest {longest.max()} h, person-hours {person_hours:.1f}, exposed {exposed}")

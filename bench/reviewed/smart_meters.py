"""Household electricity use: clean half-hourly readings, load shapes, tariffs."""

import csv
import io
import sys
from collections import Counter

import numpy as np

N_HOMES = 500
N_DAYS = 60
PER_DAY = 48

HOMES = """\
group,share,base_kw,evening_kw,heating
flat,0.45,0.15,0.7,none
terrace,0.35,0.25,1.1,gas
detached,0.15,0.40,1.8,gas
electric,0.05,0.45,1.9,electric
"""


def read_groups(text):
    rows = list(csv.DictReader(io.StringIO(text)))
    names = [row["group"] for row in rows]
    columns = {
        key: np.array([float(row[key]) for row in rows])
        for key in ("share", "base_kw", "evening_kw")
    }
    columns["heats"] = np.array([row["heating"] == "electric" for row in rows])
    return names, columns


def simulate(groups, rng):
    """Readings in kWh per half-hour, in shuffled long form, with faults."""
    share = groups["share"]
    group = rng.choice(share.size, size=N_HOMES, p=share / share.sum())
    hour = np.arange(N_DAYS * PER_DAY) / 2.0
    of_day = hour % 24.0
    temperature = 6.0 - 4.0 * np.cos(2 * np.pi * (of_day - 3.0) / 24.0)
    temperature += 3.0 * np.sin(2 * np.pi * hour / (24.0 * 11.0))
    evening = np.exp(-0.5 * ((of_day - 19.0) / 1.8) ** 2)
    morning = 0.5 * np.exp(-0.5 * ((of_day - 7.5) / 1.0) ** 2)
    load = groups["base_kw"][group][:, None] + groups["evening_kw"][group][:, None] * (
        evening + morning
    )
    load += 0.12 * groups["heats"][group][:, None] * np.maximum(15.5 - temperature, 0.0)
    kwh = 0.5 * load * rng.lognormal(0.0, 0.45, load.shape)

    home = np.repeat(np.arange(N_HOMES), hour.size)
    slot = np.tile(np.arange(hour.size), N_HOMES)
    order = rng.permutation(home.size)
    home, slot, kwh = home[order], slot[order], kwh.ravel()[order]
    missing = rng.random(kwh.size) < 0.01
    spikes = rng.random(kwh.size) < 2e-4
    kwh[missing] = np.nan
    kwh[spikes] *= 60.0
    return group, temperature, home, slot, kwh


def clean(home, kwh):
    """Mask of readings that are present and below 25 times the home's median."""
    present = ~np.isnan(kwh)
    order = np.lexsort((kwh, home))
    counts = np.bincount(home[present], minlength=N_HOMES)
    total = np.bincount(home, minlength=N_HOMES)
    starts = np.concatenate(([0], np.cumsum(total)[:-1]))
    medians = kwh[order][starts + counts // 2]
    good = present & (kwh < 25.0 * medians[home])
    return good, medians


def load_shapes(group, home, slot, kwh):
    """Mean use per home group and half-hour of the day."""
    n_groups = group.max() + 1
    cell = group[home] * PER_DAY + slot % PER_DAY
    total = np.bincount(cell, weights=kwh, minlength=n_groups * PER_DAY)
    count = np.bincount(cell, minlength=n_groups * PER_DAY)
    return (total / count).reshape(n_groups, PER_DAY)


def daily_totals(home, slot, kwh):
    table = np.zeros((N_HOMES, N_DAYS))
    seen = np.zeros((N_HOMES, N_DAYS), dtype=int)
    np.add.at(table, (home, slot // PER_DAY), kwh)
    np.add.at(seen, (home, slot // PER_DAY), 1)
    table *= PER_DAY / np.maximum(seen, 1)
    table[seen < PER_DAY // 2] = np.nan
    return table


def heating_slopes(daily, temperature):
    """kWh per degree-day of each home by least squares."""
    day_temp = temperature.reshape(N_DAYS, PER_DAY).mean(axis=1)
    degree_days = np.clip(15.5 - day_temp, 0.0, None)
    design = np.column_stack([np.ones(N_DAYS), degree_days])
    filled = np.where(np.isnan(daily), np.nanmean(daily, axis=1)[:, None], daily)
    coef, *_ = np.linalg.lstsq(design, filled.T, rcond=None)
    return coef[1]


def bills(home, slot, kwh):
    """Cost of each home under a flat and a time-of-use tariff."""
    hour = (slot % PER_DAY) / 2.0
    price = np.full(hour.size, 0.24)
    price[(hour >= 16.0) & (hour < 20.0)] = 0.41
    price[(hour < 6.0) | (hour >= 23.0)] = 0.12
    flat = np.bincount(home, weights=kwh * 0.25, minlength=N_HOMES)
    timed = np.bincount(home, weights=kwh * price, minlength=N_HOMES)
    return flat, timed


def summarise(names, group, daily, slopes, flat, timed):
    lines = []
    for g, name in enumerate(names):
        mine = group == g
        if not mine.any():
            continue
        q10, q50, q90 = np.nanpercentile(daily[mine], [10, 50, 90])
        saved = np.mean(flat[mine] - timed[mine])
        lines.append((mine.sum(), q10, q50, q90, slopes[mine].mean(), saved))
        print(f"{name:>9}: {mine.sum():3d} homes, median {q50:6.2f} kWh/day, saves {saved:6.2f}")
    return np.array(lines)


def main():
    rng = np.random.default_rng(2024)
    names, groups = read_groups(HOMES)
    group, temperature, home, slot, kwh = simulate(groups, rng)
    good, medians = clean(home, kwh)
    print(f"{kwh.size} readings, {good.sum()} kept, {np.isnan(kwh).sum()} missing")
    home, slot, kwh = home[good], slot[good], kwh[good]
    shapes = load_shapes(group, home, slot, kwh)
    daily = daily_totals(home, slot, kwh)
    slopes = heating_slopes(daily, temperature)
    flat, timed = bills(home, slot, kwh)
    table = summarise(names, group, daily, slopes, flat, timed)
    peaks = Counter(int(s) for s in shapes.argmax(axis=1))
    print(f"peak half-hours {dict(sorted(peaks.items()))}")
    np.savez(
        sys.argv[1],
        medians=medians,
        shapes=shapes,
        daily=daily,
        slopes=slopes,
        table=table,
    )


if __name__ == "__main__":
    main()

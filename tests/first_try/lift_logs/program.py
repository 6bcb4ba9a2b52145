"""Weekly report from the controller logs of a four-car lift group: waiting and travel times, car loads,
energy, peak five-minute handling capacity and a replay of the dispatcher for the morning peak."""
import csv
import io
import sys
from collections import defaultdict

import numpy as np

FLOORS = 16
CARS = 4
DAY = 86400


def write_log(n, seed):
    """Stand-in for the download from the controller: one line per passenger call."""
    rng = np.random.RandomState(seed)
    t = np.sort(np.concatenate([rng.normal(8.6, 0.5, n // 2), rng.normal(12.3, 0.7, n // 4),
                                rng.uniform(6.5, 20.0, n - n // 2 - n // 4)])) * 3600.0
    up = rng.rand(n) < np.where(t < 36000, 0.85, 0.45)
    floor = rng.randint(1, FLOORS, n)
    src = np.where(up, 0, floor)
    dst = np.where(up, floor, 0)
    wait = rng.gamma(2.2, 9.0, n)
    ride = 2.6 * np.abs(dst - src) + rng.gamma(3.0, 3.0, n)
    car = rng.randint(0, CARS, n)
    rows = ["time,car,from,to,wait,ride,flag"]
    for row in zip(t, car, src, dst, wait, ride, rng.rand(n)):
        flag = "TEST" if row[6] < 0.01 else "OK"
        rows.append("%.2f,C%d,%d,%d,%.2f,%.2f,%s" % (row[0], row[1], row[2], row[3], row[4], row[5], flag))
    return "\n".join(rows)


def read_log(text):
    cols = defaultdict(list)
    for rec in csv.DictReader(io.StringIO(text)):
        if rec["flag"] == "TEST":
            continue
        cols["t"].append(float(rec["time"]))
        cols["car"].append(int(rec["car"][1:]))
        cols["src"].append(int(rec["from"]))
        cols["dst"].append(int(rec["to"]))
        cols["wait"].append(float(rec["wait"]))
        cols["ride"].append(float(rec["ride"]))
    return {k: np.array(v) for k, v in cols.items()}


def service_levels(log, width=900.0):
    slot = (log["t"] // width).astype(np.int64)
    nslot = int(DAY // width)
    count = np.zeros(nslot, dtype=np.int64)
    total = np.zeros(nslot)
    worst = np.zeros(nslot)
    np.add.at(count, slot, 1)
    np.add.at(total, slot, log["wait"])
    np.maximum.at(worst, slot, log["wait"])
    mean = np.divide(total, count, out=np.zeros(nslot), where=count > 0)
    return count, mean, worst


def trip_matrix(log):
    m = np.zeros((FLOORS, FLOORS), dtype=np.int64)
    np.add.at(m, (log["src"], log["dst"]), 1)
    return m


def occupancy(log, car):
    """Persons in a car after each boarding or alighting."""
    mine = log["car"] == car
    on = log["t"][mine] + log["wait"][mine]
    off = on + log["ride"][mine]
    when = np.concatenate([on, off])
    change = np.concatenate([np.ones(on.size, dtype=np.int64), -np.ones(off.size, dtype=np.int64)])
    order = np.argsort(when, kind="stable")
    return when[order], np.cumsum(change[order])


def longest_busy(when, persons):
    """Longest stretch during which the car was never empty, and when it began."""
    best = 0.0
    at = 0.0
    begin = -1.0
    for k in range(len(when)):
        if persons[k] > 0 and begin < 0.0:
            begin = when[k]
        elif persons[k] == 0 and begin >= 0.0:
            if when[k] - begin > best:
                best = when[k] - begin
                at = begin
            begin = -1.0
    return best, at


def peak_window(t, width=300.0):
    """Most calls in any window that starts with a call."""
    n = len(t)
    calls = np.zeros(n, dtype=np.int64)
    for i in range(n):
        j = i
        while j < n and t[j] - t[i] <= width:
            j += 1
        calls[i] = j - i
    k = int(np.argmax(calls))
    return calls, calls[k], t[k]


def ride_energy(log, mass=75.0, height=3.4):
    """kWh per call: friction over the distance, work against gravity net of the counterweight."""
    n = log["t"].size
    kwh = np.empty(n)
    regen = np.empty(n)
    for i, (a, b) in enumerate(zip(log["src"], log["dst"])):
        rise = (b - a) * height
        work = (mass - 0.5 * 600.0 / 8.0) * 9.81 * rise
        if work >= 0:
            kwh[i] = work / 0.8 + 900.0 * abs(rise)
            regen[i] = 0.0
        else:
            kwh[i] = 900.0 * abs(rise)
            regen[i] = -0.35 * work
    return kwh / 3.6e6, regen / 3.6e6


def replay(t, src, dst, limit):
    """Nearest-free-car dispatching: every assignment changes the cars for the next call."""
    free_at = np.zeros(CARS)
    floor = np.zeros(CARS, dtype=np.int64)
    waits = np.zeros(limit)
    for n in range(limit):
        pick = 0
        best = 1e18
        for c in range(CARS):
            arrive = max(free_at[c], t[n]) + 2.1 * abs(floor[c] - src[n]) + 4.0
            if arrive < best:
                best = arrive
                pick = c
        waits[n] = best - t[n]
        free_at[pick] = best + 2.1 * abs(dst[n] - src[n]) + 9.0
        floor[pick] = dst[n]
    return waits


def interval_spectrum(count):
    """Dominant periods in the slot counts."""
    x = count - count.mean()
    power = np.abs(np.fft.rfft(x * np.hanning(x.size))) ** 2
    top = np.argsort(power)[::-1][:4]
    return power, top


def smooth(x, taps):
    n, m = len(x), len(taps)
    y = np.zeros(n)
    for i in range(n):
        acc = 0.0
        for k in range(m):
            j = i + k - m // 2
            if 0 <= j < n:
                acc += taps[k] * x[j]
        y[i] = acc
    return y


def main():
    log = read_log(write_log(2400, 17))
    count, mean, worst = service_levels(log)
    trips = trip_matrix(log)
    busy = []
    peaks = []
    for car in range(CARS):
        when, persons = occupancy(log, car)
        peaks.append(persons.max())
        busy.append(longest_busy(when, persons))
    calls, most, start = peak_window(log["t"])
    kwh, regen = ride_energy(log)
    waits = replay(log["t"], log["src"], log["dst"], 600)
    power, top = interval_spectrum(count)
    kernel = np.hanning(9)
    trend = smooth(mean, kernel / kernel.sum())
    pct = np.percentile(log["wait"], [50, 90, 95, 99])
    print(f"{log['t'].size} calls, waits 50/90/95/99 %: " + " ".join(f"{p:.3f}" for p in pct))
    print(f"peak five minutes: {most} calls from {start / 3600:.4f} h; car peaks {[int(p) for p in peaks]}")
    print(f"energy {kwh.sum():.6f} kWh, recovered {regen.sum():.6f} kWh, replayed mean wait {waits.mean():.4f} s")
    np.savez(sys.argv[1], count=count, mean=mean, worst=worst, trips=trips, busy=np.array(busy),
             calls=calls, kwh=kwh, regen=regen, waits=waits, power=power, top=top, trend=trend)


if __name__ == "__main__":
    main()

# Time-trial pacing: speed over a hilly course from pedalling power, drag, rolling resistance and wind,
# with the W' balance of the rider, and a small search for the pacing that finishes soonest.
import sys

import numpy as np

COURSE = """
km   elevation  heading
0.0  112        80
2.4  118        85
4.1  171        60
5.0  214        40
6.2  236        20
7.9  190        345
9.5  151        310
11.2 149        290
12.8 188        260
13.6 222        250
14.9 181        215
16.7 140        190
18.3 131        170
20.0 114        120
"""

RIDER = dict(mass=82.0, cda=0.262, crr=0.0036, loss=0.025, cp=291.0, wprime=19500.0)
WIND = dict(speed=3.4, direction=255.0)
G, RHO = 9.81, 1.19


def parse_course(text):
    lines = [line.split() for line in text.strip().splitlines()]
    columns = {name: [] for name in lines[0]}
    for line in lines[1:]:
        for name, value in zip(columns, line):
            columns[name].append(float(value))
    return columns


def resample(course, step=100.0):
    """Course at even distances with a smoothed elevation and unwrapped heading."""
    km = np.array(course["km"]) * 1000.0
    s = np.arange(0.0, km[-1] + 0.5 * step, step)
    elevation = np.interp(s, km, course["elevation"])
    kernel = np.array([1.0, 3.0, 5.0, 3.0, 1.0]) / 13.0
    padded = np.concatenate([np.full(2, elevation[0]), elevation, np.full(2, elevation[-1])])
    smooth = np.convolve(padded, kernel, mode="valid")
    heading = np.unwrap(np.radians(course["heading"]))
    heading = np.interp(s, km, heading)
    slope = np.gradient(smooth, step)
    return s, slope, heading


def head_wind(heading):
    """Component of the wind against the rider."""
    from_angle = np.radians(WIND["direction"])
    return WIND["speed"] * np.cos(heading - from_angle)


def resist(v, slope, wind):
    """Force against the motion at speed v, in newtons."""
    rolling = RIDER["mass"] * G * (slope + RIDER["crr"])
    air = v + wind
    return rolling + 0.5 * RHO * RIDER["cda"] * air * abs(air)


def step_speed(v, power, slope, wind, ds):
    """Speed at the end of a piece from the energy balance, by a secant iteration."""
    drive = power * (1.0 - RIDER["loss"])

    def balance(u):
        mean = 0.5 * (u + v)
        work = (drive / mean - resist(mean, slope, wind)) * ds
        return 0.5 * RIDER["mass"] * (u * u - v * v) - work

    a, b = max(0.6 * v, 1.0), 1.5 * v + 1.0
    fa, fb = balance(a), balance(b)
    for _ in range(40):
        if abs(b - a) < 1e-11 or fb == fa:
            break
        c = b - fb * (b - a) / (fb - fa)
        c = min(max(c, 0.8), 28.0)
        a, fa, b = b, fb, c
        fb = balance(b)
    return b


def ride(s, slope, wind, plan):
    """Speed, time and W' balance along the course; fades to critical power when W' runs out."""
    n = len(s) - 1
    speed = np.empty(n + 1)
    reserve = np.empty(n + 1)
    clock = np.zeros(n + 1)
    power_used = np.empty(n)
    speed[0], reserve[0] = 6.0, RIDER["wprime"]
    for i in range(n):
        power = plan(slope[i], wind[i])
        if reserve[i] < 800.0:
            power = min(power, RIDER["cp"] * 0.97)
        if speed[i] > 17.5:
            power = 0.0
        speed[i + 1] = step_speed(speed[i], power, slope[i], wind[i], s[i + 1] - s[i])
        dt = 2.0 * (s[i + 1] - s[i]) / (speed[i] + speed[i + 1])
        clock[i + 1] = clock[i] + dt
        power_used[i] = power
        if power > RIDER["cp"]:
            reserve[i + 1] = reserve[i] - (power - RIDER["cp"]) * dt
        else:
            spent = RIDER["wprime"] - reserve[i]
            tau = 546.0 * np.exp(-0.01 * (RIDER["cp"] - power)) + 316.0
            reserve[i + 1] = RIDER["wprime"] - spent * np.exp(-dt / tau)
    return speed, clock, reserve, power_used


def make_plan(base, climb, against):
    def plan(slope, wind):
        power = base + climb * slope * 100.0 + against * wind
        return min(max(power, 120.0), 460.0)
    return plan


def normalised_power(power, clock):
    """Fourth-power mean of the 30 s rolling power on a one-second clock."""
    seconds = np.arange(0.0, clock[-1], 1.0)
    index = np.searchsorted(clock, seconds, side="right") - 1
    series = power[np.minimum(index, len(power) - 1)]
    rolled = np.convolve(series, np.full(30, 1.0 / 30.0), mode="valid")
    return np.mean(rolled**4) ** 0.25


def search(s, slope, wind):
    """Coordinate search over the three numbers of the pacing plan."""
    best = [RIDER["cp"] - 6.0, 9.0, 2.0]
    widths = [12.0, 6.0, 3.0]

    def cost(x):
        speed, clock, reserve, power = ride(s, slope, wind, make_plan(*x))
        return clock[-1] + 0.02 * max(0.0, 500.0 - reserve.min())

    value = cost(best)
    trail = [value]
    for _ in range(4):
        for k in range(3):
            for sign in (1.0, -1.0):
                trial = list(best)
                trial[k] += sign * widths[k]
                new = cost(trial)
                if new < value - 1e-6:
                    best, value = trial, new
                    break
            else:
                widths[k] *= 0.5
        trail.append(value)
    return best, np.array(trail)


def main():
    s, slope, heading = resample(parse_course(COURSE))
    wind = head_wind(heading)
    flat = ride(s, slope, wind, make_plan(RIDER["cp"] - 6.0, 0.0, 0.0))
    best, trail = search(s, slope, wind)
    speed, clock, reserve, power = ride(s, slope, wind, make_plan(*best))
    print(f"even power: {flat[1][-1]:.2f} s, paced: {clock[-1]:.2f} s")
    print(f"plan: {best[0]:.2f} W, {best[1]:.3f} W per %, {best[2]:.3f} W per m/s")
    print(f"normalised power {normalised_power(power, clock):.2f} W, least reserve {reserve.min():.1f} J")
    np.savez(sys.argv[1], speed=speed, clock=clock, reserve=reserve, power=power, trail=trail, slope=slope)


if __name__ == "__main__":
    main()

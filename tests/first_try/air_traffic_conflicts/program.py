"""Conflict detection between all pairs of flights in a large sector, resolution by small heading or
level changes in priority order, and a traffic-complexity map."""
import sys

import numpy as np

SEP_H = 5.0          # nautical miles
SEP_V = 1000.0       # feet
LOOKAHEAD = 0.3      # hours
SIZE = 600.0         # side of the sector, nautical miles
LEVELS = np.arange(250, 420, 10) * 100.0
TURNS = np.radians([-35.0, -25.0, -15.0, -8.0, 8.0, 15.0, 25.0, 35.0])


def make_traffic(n, rng):
    """Dict of arrays; a third of the flights follow one of six airways."""
    pos = rng.uniform(0.0, SIZE, (n, 2))
    heading = rng.uniform(0.0, 2 * np.pi, n)
    airway = rng.integers(0, 18, n)
    for k in range(6):
        on = airway == k
        angle = k * np.pi / 6 + 0.15
        along = rng.uniform(-0.5, 0.5, int(on.sum())) * SIZE
        across = rng.normal(0.0, 1.5, int(on.sum()))
        pos[on, 0] = SIZE / 2 + along * np.cos(angle) - across * np.sin(angle)
        pos[on, 1] = SIZE / 2 + along * np.sin(angle) + across * np.cos(angle)
        heading[on] = angle + np.pi * (rng.uniform(size=int(on.sum())) < 0.5)
    level = LEVELS[rng.integers(0, len(LEVELS), n)]
    climb = np.where(rng.uniform(size=n) < 0.2, rng.uniform(-1500.0, 1500.0, n) * 60.0, 0.0)
    return {
        "pos": pos,
        "speed": rng.uniform(380.0, 520.0, n),
        "heading": heading,
        "alt": level + rng.normal(0.0, 30.0, n),
        "climb": climb,
        "rank": rng.permutation(n),
    }


def velocity(traffic):
    s, h = traffic["speed"], traffic["heading"]
    return np.stack([s * np.cos(h), s * np.sin(h)], axis=1)


def horizontal_window(dp, dv, sep):
    """Times at which the distance of a pair falls below sep and rises again, clipped to the look-ahead."""
    a = (dv**2).sum(axis=-1) + 1e-9
    b = (dp * dv).sum(axis=-1)
    c = (dp**2).sum(axis=-1) - sep**2
    disc = b**2 - a * c
    root = np.sqrt(np.maximum(disc, 0.0))
    enter, leave = (-b - root) / a, (-b + root) / a
    hit = (disc > 0) & (leave > 0) & (enter < LOOKAHEAD)
    return hit, np.clip(enter, 0.0, LOOKAHEAD), np.clip(leave, 0.0, LOOKAHEAD)


def vertical_window(dz, dw, sep):
    moving = np.abs(dw) > 1e-6
    safe = np.where(moving, dw, 1.0)
    t1, t2 = (-sep - dz) / safe, (sep - dz) / safe
    near = np.abs(dz) < sep
    enter = np.where(moving, np.minimum(t1, t2), np.where(near, 0.0, 2 * LOOKAHEAD))
    leave = np.where(moving, np.maximum(t1, t2), np.where(near, LOOKAHEAD, -1.0))
    return np.clip(enter, 0.0, 2 * LOOKAHEAD), np.clip(leave, -1.0, LOOKAHEAD)


def detect(traffic):
    """All conflicts (i, j, time of first loss, duration), found flight by flight."""
    n = len(traffic["speed"])
    vel = velocity(traffic)
    rows = []
    for i in range(n - 1):
        dp = traffic["pos"][i + 1:] - traffic["pos"][i]
        dv = vel[i + 1:] - vel[i]
        hit, h0, h1 = horizontal_window(dp, dv, SEP_H)
        v0, v1 = vertical_window(traffic["alt"][i + 1:] - traffic["alt"][i],
                                 traffic["climb"][i + 1:] - traffic["climb"][i], SEP_V)
        start, end = np.maximum(h0, v0), np.minimum(h1, v1)
        hit &= end > start
        for j in np.nonzero(hit)[0]:
            rows.append((i, i + 1 + j, start[j], end[j] - start[j]))
    return np.array(rows)


def clear_of_all(k, traffic, vel, trial_vel, trial_climb):
    """Does flight k, with a trial velocity, miss every other flight?"""
    dp = traffic["pos"] - traffic["pos"][k]
    hit, h0, h1 = horizontal_window(dp, vel - trial_vel, SEP_H + 0.5)
    v0, v1 = vertical_window(traffic["alt"] - traffic["alt"][k], traffic["climb"] - trial_climb, SEP_V)
    hit &= np.minimum(h1, v1) > np.maximum(h0, v0)
    hit[k] = False
    return not hit.any()


def resolve(traffic, conflicts):
    """The lower-ranked flight of each conflict, earliest first, takes the first manoeuvre that works."""
    order = np.lexsort((conflicts[:, 1], conflicts[:, 0], conflicts[:, 2]))
    vel = velocity(traffic)
    actions = []
    moved = set()
    for row in conflicts[order]:
        i, j = int(row[0]), int(row[1])
        k = i if traffic["rank"][i] > traffic["rank"][j] else j
        if i in moved or j in moved:
            continue
        for turn in sorted(TURNS, key=abs):
            h = traffic["heading"][k] + turn
            trial = traffic["speed"][k] * np.array([np.cos(h), np.sin(h)])
            if clear_of_all(k, traffic, vel, trial, traffic["climb"][k]):
                traffic["heading"][k], vel[k] = h, trial
                actions.append((k, "turn", float(np.degrees(turn))))
                break
        else:
            for rate in (90000.0, -90000.0):
                if clear_of_all(k, traffic, vel, vel[k], rate):
                    traffic["climb"][k] = rate
                    actions.append((k, "climb", rate / 60.0))
                    break
            else:
                actions.append((k, "none", 0.0))
                continue
        moved.add(k)
    return actions


def complexity(traffic, cells=48):
    """Flights and heading disorder per cell, averaged over the look-ahead."""
    vel = velocity(traffic)
    count = np.zeros(cells * cells)
    east, north = np.zeros_like(count), np.zeros_like(count)
    for t in np.linspace(0.0, LOOKAHEAD, 25):
        p = traffic["pos"] + t * vel
        inside = ((p >= 0) & (p < SIZE)).all(axis=1)
        cell = (p[inside] // (SIZE / cells)).astype(int)
        flat = cell[:, 1] * cells + cell[:, 0]
        np.add.at(count, flat, 1.0)
        np.add.at(east, flat, np.cos(traffic["heading"][inside]))
        np.add.at(north, flat, np.sin(traffic["heading"][inside]))
    disorder = count - np.hypot(east, north)
    return count.reshape(cells, cells) / 25, disorder.reshape(cells, cells) / 25


def closest_approach(traffic):
    """Least horizontal distance to any flight within 2000 ft, per flight."""
    vel = velocity(traffic)
    out = np.empty(len(vel))
    for i in range(len(vel)):
        dp, dv = traffic["pos"] - traffic["pos"][i], vel - vel[i]
        t = np.clip(-(dp * dv).sum(axis=1) / ((dv**2).sum(axis=1) + 1e-9), 0.0, LOOKAHEAD)
        d = np.sqrt(((dp + t[:, None] * dv) ** 2).sum(axis=1))
        apart = np.abs(traffic["alt"] - traffic["alt"][i] + t * (traffic["climb"] - traffic["climb"][i]))
        d[apart > 2000.0] = SIZE
        d[i] = SIZE
        out[i] = d.min()
    return out


def main():
    traffic = make_traffic(1600, np.random.default_rng(58))
    before = detect(traffic)
    nearest = closest_approach(traffic)
    count, disorder = complexity(traffic)
    print(f"{len(before)} conflicts, first after {60 * before[:, 2].min():.2f} min, mean duration {60 * before[:, 3].mean():.3f} min")
    actions = resolve(traffic, before)
    kinds = {k: sum(a[1] == k for a in actions) for k in ("turn", "climb", "none")}
    after = detect(traffic)
    nearest_after = closest_approach(traffic)
    count2, disorder2 = complexity(traffic)
    print("manoeuvres: " + ", ".join(f"{k} {v}" for k, v in kinds.items()))
    print(f"{len(after)} conflicts left; mean nearest approach {nearest.mean():.3f} -> {nearest_after.mean():.3f} nm")
    print(f"busiest cell {count.max():.3f}, disorder {disorder.sum():.3f} -> {disorder2.sum():.3f}")
    np.savez(sys.argv[1], before=before, after=after, nearest=nearest, nearest_after=nearest_after,
             count=count, disorder=disorder, count2=count2, disorder2=disorder2, heading=traffic["heading"])


if __name__ == "__main__":
    main()

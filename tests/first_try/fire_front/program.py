"""Wildfire spread over a raster landscape: slope and wind driven probabilities, ember spotting, fire line statistics."""
import sys

import numpy as np
from scipy import ndimage

UNBURNT, BURNING, BURNT = 0, 1, 2
# row offset, column offset, bearing of spread (rad, from east, counterclockwise), distance
NEIGHBOURS = [(0, 1, 0.0, 1.0), (-1, 1, np.pi / 4, np.sqrt(2)), (-1, 0, np.pi / 2, 1.0), (-1, -1, 3 * np.pi / 4, np.sqrt(2)),
              (0, -1, np.pi, 1.0), (1, -1, 5 * np.pi / 4, np.sqrt(2)), (1, 0, 3 * np.pi / 2, 1.0), (1, 1, 7 * np.pi / 4, np.sqrt(2))]


def landscape(n, rng):
    """Raster layers as a dictionary of arrays."""
    rough = ndimage.gaussian_filter(rng.standard_normal((n, n)), 9.0, mode="nearest")
    elevation = 260.0 * rough / rough.std()
    patches = ndimage.gaussian_filter(rng.standard_normal((n, n)), 4.0)
    fuel = np.where(patches > 0.05, 1.0, np.where(patches > -0.06, 0.7, 0.35))
    river = np.abs(np.arange(n)[None, :] - 0.7 * n - 6.0 * np.sin(np.arange(n)[:, None] / 9.0)) < 1.5
    fuel[river] = 0.0
    moisture = np.clip(0.12 + 0.05 * rng.standard_normal((n, n)) + 0.00008 * elevation, 0.02, 0.35)
    return {"elevation": elevation, "fuel": fuel, "moisture": moisture}


def shifted(a, dr, dc, fill):
    """out[r, c] = a[r - dr, c - dc]; what comes in from outside is fill."""
    out = np.full_like(a, fill)
    n, m = a.shape
    out[max(dr, 0):n + min(dr, 0), max(dc, 0):m + min(dc, 0)] = a[max(-dr, 0):n + min(-dr, 0), max(-dc, 0):m + min(-dc, 0)]
    return out


def spread_probability(layers, wind_speed, wind_to, cell):
    """Probability per step that a burning neighbour ignites the cell, one layer for each direction."""
    n = layers["fuel"].shape[0]
    prob = np.empty((len(NEIGHBOURS), n, n))
    base = 0.42 * layers["fuel"] * np.exp(-5.0 * layers["moisture"])
    for k, (dr, dc, bearing, dist) in enumerate(NEIGHBOURS):
        rise = layers["elevation"] - shifted(layers["elevation"], dr, dc, 0.0)
        slope = np.arctan(np.clip(rise / (cell * dist), -1.0, 1.0))
        align = np.cos(bearing - wind_to)
        wind = np.exp(0.045 * wind_speed) * np.exp(0.131 * wind_speed * (align - 1.0))
        prob[k] = np.minimum(base * wind * np.exp(1.6 * slope) / dist, 1.0)
    return prob


def burn_step(state, heat, prob, draw):
    """Combine the chances of all burning neighbours; returns the new state and the mask of new fires."""
    burning = state["fire"] == BURNING
    escape = np.ones_like(heat)
    for k, (dr, dc, _, _) in enumerate(NEIGHBOURS):
        lit = shifted(burning, dr, dc, False)
        escape *= np.where(lit, 1.0 - prob[k], 1.0)
    new = (state["fire"] == UNBURNT) & (draw > escape)
    heat[burning] -= 1.0
    out = burning & (heat <= 0.0)
    fire = state["fire"].copy()
    fire[out] = BURNT
    fire[new] = BURNING
    return fire, new


def spot(fire, brands, strength, fuel):
    """Embers: each lands (row, col) with an energy; where enough falls on fuel, the cell ignites."""
    n, m = fire.shape
    load = np.zeros((n, m))
    np.add.at(load, (brands[:, 0], brands[:, 1]), strength)
    hot = (load * fuel > 0.9) & (fire == UNBURNT)
    fire[hot] = BURNING
    return hot


def throw(rng, fire, count, wind_to):
    """Landing cells of embers from random burning cells."""
    rows, cols = np.nonzero(fire == BURNING)
    pick = rng.integers(0, rows.size, count)
    reach = rng.exponential(6.0, count)
    side = rng.normal(0.0, 0.35, count)
    r = rows[pick] - np.rint(reach * np.sin(wind_to + side)).astype(int)
    c = cols[pick] + np.rint(reach * np.cos(wind_to + side)).astype(int)
    return np.stack([np.clip(r, 0, fire.shape[0] - 1), np.clip(c, 0, fire.shape[1] - 1)], axis=1)


def fire_line(fire, cell):
    """Length of the boundary of the burnt ground, counted by cell edges, and area."""
    n, m = fire.shape
    edges = 0
    area = 0
    for r in range(n):
        for c in range(m):
            if fire[r, c] == UNBURNT:
                continue
            area += 1
            if r > 0 and fire[r - 1, c] == UNBURNT:
                edges += 1
            if r < n - 1 and fire[r + 1, c] == UNBURNT:
                edges += 1
            if c > 0 and fire[r, c - 1] == UNBURNT:
                edges += 1
            if c < m - 1 and fire[r, c + 1] == UNBURNT:
                edges += 1
    return edges * cell, area * cell * cell / 1e4


def arrival_sweep(rate, start, cell):
    """Travel time of the front by alternating Gauss-Seidel sweeps (first-order, four neighbours)."""
    n = rate.shape[0]
    t = np.full((n, n), 1e9)
    t[start] = 0.0
    for order in (1, -1):
        for r in range(n)[::order]:
            for c in range(n)[::order]:
                a = t[r, c]
                if r > 0:
                    a = min(a, t[r - 1, c] + cell / rate[r, c])
                if r < n - 1:
                    a = min(a, t[r + 1, c] + cell / rate[r, c])
                if c > 0:
                    a = min(a, t[r, c - 1] + cell / rate[r, c])
                if c < n - 1:
                    a = min(a, t[r, c + 1] + cell / rate[r, c])
                t[r, c] = a
    return t


def main():
    n, cell, steps = 90, 30.0, 45
    rng = np.random.default_rng(1910)
    layers = landscape(n, rng)
    wind_to = np.deg2rad(20.0)
    prob = spread_probability(layers, 6.0, wind_to, cell)
    state = {"fire": np.zeros((n, n), dtype=np.int8), "since": np.full((n, n), -1)}
    state["fire"][n // 2 - 1:n // 2 + 2, n // 4] = BURNING
    heat = 2.0 + 3.0 * layers["fuel"]
    burnt_cells = np.empty(steps, dtype=np.int64)
    spots = 0
    for t in range(steps):
        state["fire"], new = burn_step(state, heat, prob, rng.random((n, n)))
        if t % 5 == 4 and (state["fire"] == BURNING).any():
            brands = throw(rng, state["fire"], 40, wind_to)
            hot = spot(state["fire"], brands, rng.random(40), layers["fuel"])
            spots += int(hot.sum())
            new |= hot
        state["since"][new] = t
        burnt_cells[t] = np.count_nonzero(state["fire"])
    line, area = fire_line(state["fire"], cell)
    label, patches = ndimage.label(state["fire"] == UNBURNT)
    rate = 1.0 + 12.0 * layers["fuel"] * np.exp(-4.0 * layers["moisture"])
    arrival = arrival_sweep(rate, (n // 2, n // 4), cell)
    hist, _ = np.histogram(arrival, bins=20, range=(0.0, 600.0))
    print(f"area {area:.2f} ha, fire line {line:.1f} m, {spots} spot fires, {patches} unburnt patches")
    print(f"median arrival {np.median(arrival):.6f} min, last {arrival.max():.6f}")
    np.savez(sys.argv[1], fire=state["fire"], since=state["since"], prob=prob, burnt=burnt_cells, arrival=arrival,
             hist=hist, label=label, summary=np.array([line, area]))


if __name__ == "__main__":
    main()

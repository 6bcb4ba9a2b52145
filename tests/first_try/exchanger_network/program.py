"""Crude preheat train: pinch targets, rating of a heat exchanger network, fouling Monte Carlo."""
import sys
import numpy as np

# name, supply C, target C, heat capacity flow kW/K
STREAMS = [
    ("kerosene", 230.0, 60.0, 32.0), ("light gas oil", 290.0, 80.0, 41.0), ("heavy gas oil", 340.0, 110.0, 28.0),
    ("residue", 365.0, 150.0, 62.0), ("pumparound 1", 190.0, 120.0, 150.0), ("pumparound 2", 255.0, 175.0, 120.0),
    ("crude", 25.0, 355.0, 205.0), ("boiler feed", 60.0, 130.0, 55.0), ("reboiler", 145.0, 146.0, 2600.0),
]
# hot stream, cold stream, area m2, clean U kW/m2/K ; in the order in which the cold stream meets them
UNITS = [(0, 6, 260.0, 0.34), (4, 6, 410.0, 0.42), (1, 6, 330.0, 0.31), (2, 6, 240.0, 0.29),
         (5, 6, 520.0, 0.40), (3, 6, 480.0, 0.27), (3, 7, 70.0, 0.50)]


def shifted_intervals(streams, dtmin):
    rows = []
    for _, ts, tt, cp in streams:
        s = -0.5 * dtmin if ts > tt else 0.5 * dtmin
        rows.append((ts + s, tt + s, cp))
    table = np.array(rows)
    levels = np.unique(table[:, :2])[::-1]
    return table, levels


def cascade(table, levels):
    """Problem table: surplus per interval, cascade, minimum utilities and pinch."""
    hi, lo = levels[:-1], levels[1:]
    top = np.maximum(table[:, 0], table[:, 1])
    bottom = np.minimum(table[:, 0], table[:, 1])
    inside = (top[:, None] >= hi[None, :]) & (bottom[:, None] <= lo[None, :])
    sign = np.where(table[:, 0] > table[:, 1], 1.0, -1.0)
    surplus = np.sum(inside * (sign * table[:, 2])[:, None], axis=0) * (hi - lo)
    flow = np.concatenate([np.zeros(1), np.cumsum(surplus)])
    qh = max(0.0, -float(flow.min()))
    flow = flow + qh
    return qh, float(flow[-1]), float(levels[np.argmin(flow)]), flow


def dtmin_sweep(values):
    out = np.zeros((len(values), 3))
    for n, dt in enumerate(values):
        table, levels = shifted_intervals(STREAMS, dt)
        qh, qc, pinch, _ = cascade(table, levels)
        out[n] = qh, qc, pinch
    return out


def effectiveness(ntu, c):
    """Counter-current exchanger; the balanced limit is taken apart."""
    x = np.exp(-ntu * (1.0 - c))
    general = (1.0 - x) / (1.0 - c * x + 1e-300)
    return np.where(np.abs(1.0 - c) < 1e-6, ntu / (1.0 + ntu), general)


def rate_network(u, cp):
    """Outlet temperatures for a whole sample of networks: u (samples, units), cp (samples, streams)."""
    ns = u.shape[0]
    temp = np.empty((ns, len(STREAMS)))
    for s, (_, supply, _, _) in enumerate(STREAMS):
        temp[:, s] = supply
    duty = np.zeros_like(u)
    lmtd = np.zeros_like(u)
    for k, (h, c, area, _) in enumerate(UNITS):
        cmin = np.minimum(cp[:, h], cp[:, c])
        cmax = np.maximum(cp[:, h], cp[:, c])
        eff = effectiveness(u[:, k] * area / cmin, cmin / cmax)
        q = eff * cmin * (temp[:, h] - temp[:, c])
        duty[:, k] = q
        d1 = temp[:, h] - (temp[:, c] + q / cp[:, c])
        d2 = temp[:, h] - q / cp[:, h] - temp[:, c]
        temp[:, h] -= q / cp[:, h]
        temp[:, c] += q / cp[:, c]
        ratio = np.maximum(d1, 1e-6) / np.maximum(d2, 1e-6)
        lmtd[:, k] = np.where(np.abs(ratio - 1) < 1e-5, 0.5 * (d1 + d2), (d1 - d2) / np.log(ratio))
    return temp, duty, lmtd


def fouling_history(rng, ns, months):
    """Ebert-Panchal-like asymptotic fouling of every unit, monthly; cleaned when the resistance passes a limit."""
    clean = np.array([u[3] for u in UNITS])
    speed = 0.05 * np.exp(0.3 * rng.standard_normal((ns, len(UNITS))))
    limit = 0.9 + 0.2 * rng.random(len(UNITS))
    noise = 1.0 + 0.05 * rng.standard_normal((months, ns, len(STREAMS)))
    base = np.array([s[3] for s in STREAMS])
    r = np.zeros((ns, len(UNITS)))
    cleanings = np.zeros(len(UNITS), dtype=np.int64)
    furnace = np.zeros((months, ns))
    for m in range(months):
        u = 1.0 / (1.0 / clean + r)
        temp, duty, _ = rate_network(u, base * noise[m])
        furnace[m] = base[6] * noise[m, :, 6] * (STREAMS[6][2] - temp[:, 6])
        r += speed * (3.0 - r)
        dirty = r > limit
        cleanings += dirty.sum(axis=0)
        r[dirty] = 0.0
    return furnace, cleanings, duty


def match_by_hand(hot_load, cold_load):
    """Tick-off heuristic: always couple the largest hot load that is left with the largest cold load."""
    hot, cold = list(hot_load), list(cold_load)
    pairs = []
    while max(hot) > 1e-9 and max(cold) > 1e-9:
        i, j = hot.index(max(hot)), cold.index(max(cold))
        q = min(hot[i], cold[j])
        hot[i] -= q
        cold[j] -= q
        pairs.append((i, j, q))
    return np.array(pairs)


def longest_dear_spell(furnace, limit):
    """Most months in a row above the furnace limit, per sample."""
    months, ns = furnace.shape
    spell = np.zeros(ns, dtype=np.int64)
    for s in range(ns):
        run = 0
        for m in range(months):
            run = run + 1 if furnace[m, s] > limit else 0
            if run > spell[s]:
                spell[s] = run
    return spell


def main():
    rng = np.random.default_rng(1956)
    targets = dtmin_sweep(np.linspace(5.0, 40.0, 15))
    clean = np.array([[u[3] for u in UNITS]])
    temp, duty, lmtd = rate_network(clean, np.array([[s[3] for s in STREAMS]]))
    furnace, cleanings, last = fouling_history(rng, 400, 36)
    limit = float(np.quantile(furnace, 0.9))
    spell = longest_dear_spell(furnace, limit)
    loads = np.array([s[3] * (s[1] - s[2]) for s in STREAMS])
    pairs = match_by_hand(loads[loads > 0], -loads[loads < 0])

    print(f"pinch at dTmin 5: {targets[0, 2]:.2f} C, hot utility {targets[0, 0]:.3f} kW")
    for (h, c, area, _), q, d in zip(UNITS, duty[0], lmtd[0]):
        print(f"{STREAMS[h][0]:>14s} -> {STREAMS[c][0]:<12s} {q:12.4f} kW  lmtd {d:8.4f} K")
    print(f"furnace {furnace.mean():.5f} kW, 90 % {limit:.5f} kW, cleanings {cleanings.sum()}, spell {spell.max()}")
    np.savez(sys.argv[1], targets=targets, temp=temp, duty=duty, lmtd=lmtd, furnace=furnace, cleanings=cleanings,
             last=last, spell=spell, pairs=pairs, hist=np.histogram(furnace, bins=20)[0])


if __name__ == "__main__":
    main()

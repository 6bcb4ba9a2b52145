"""Well field in a confined aquifer: pumping-test fits, superposed Theis drawdown on a map with a stepped
pumping schedule, capture zones from tracked particles, and a pumping-rate adjustment."""
import sys
from typing import NamedTuple

import numpy as np
from scipy.special import exp1

DAY = 86400.0
TESTS = """
# obs  radius  minutes:drawdown ...
OB1  31.0  2:0.268 5:0.418 10:0.536 20:0.657 45:0.804 90:0.926 180:1.047 400:1.187 900:1.329
OB2  74.5  2:0.063 5:0.165 10:0.266 20:0.379 45:0.522 90:0.643 180:0.764 400:0.903 900:1.044
OB3 140.0  5:0.034 10:0.092 20:0.177 45:0.307 90:0.424 180:0.543 400:0.681 900:0.822
"""


class Well(NamedTuple):
    name: str
    x: float
    y: float
    schedule: tuple      # (start day, rate m3/d) steps


class Aquifer(NamedTuple):
    transmissivity: float
    storage: float
    thickness: float = 22.0
    porosity: float = 0.21
    gradient: tuple = (-2.1e-3, 0.7e-3)


def parse_tests(text):
    tests = []
    for line in text.strip().splitlines():
        if line.startswith("#"):
            continue
        name, radius, *pairs = line.split()
        t, s = zip(*(map(float, p.split(":")) for p in pairs))
        tests.append((name, float(radius), np.array(t) / 1440.0, np.array(s)))
    return tests


def theis(t, r, rate, transmissivity, storage):
    u = r**2 * storage / (4 * transmissivity * np.maximum(t, 1e-9))
    return rate / (4 * np.pi * transmissivity) * exp1(np.minimum(u, 600.0))


def fit_test(r, t, s, rate, start=(200.0, 5e-4), iterations=40):
    """Levenberg-Marquardt in log T and log S on one observation well."""
    p = np.log(np.array(start))
    lam = 1e-2
    res = s - theis(t, r, rate, *np.exp(p))
    cost = res @ res
    for _ in range(iterations):
        jac = np.empty((len(t), 2))
        for k in range(2):
            q = p.copy()
            q[k] += 1e-5
            jac[:, k] = (theis(t, r, rate, *np.exp(q)) - (s - res)) / 1e-5
        a = jac.T @ jac
        step = np.linalg.solve(a + lam * np.diag(np.diag(a)), jac.T @ res)
        new = s - theis(t, r, rate, *np.exp(p + step))
        if new @ new < cost:
            p, res, cost, lam = p + step, new, new @ new, lam / 5
            if np.abs(step).max() < 1e-12:
                break
        else:
            lam *= 8
            if lam > 1e12:
                break
    return np.exp(p), np.sqrt(cost / len(t))


def make_wells(rng, n=14):
    wells = []
    while len(wells) < n:
        x, y = rng.uniform(900.0, 5100.0, 2)
        if all((x - w.x) ** 2 + (y - w.y) ** 2 > 500.0**2 for w in wells):
            first = float(rng.uniform(300.0, 900.0))
            steps = [(0.0, first)]
            for day in (120.0, 300.0):
                steps.append((day, first * float(rng.uniform(0.4, 1.5))))
            wells.append(Well(f"W{len(wells) + 1}", float(x), float(y), tuple(steps)))
    return wells


def drawdown_map(wells, aquifer, xs, ys, day):
    """Sum over wells and over the changes of their rates."""
    gx, gy = np.meshgrid(xs, ys)
    total = np.zeros_like(gx)
    for w in wells:
        r = np.maximum(np.hypot(gx - w.x, gy - w.y), 0.15)
        before = 0.0
        for start, rate in w.schedule:
            if day > start:
                total += theis(day - start, r, rate - before, aquifer.transmissivity, aquifer.storage)
            before = rate
    return total


def seepage(px, py, wells, aquifer):
    """Steady pore velocity from the regional gradient and the last rates."""
    vx = np.full(px.shape, -aquifer.transmissivity * aquifer.gradient[0])
    vy = np.full(py.shape, -aquifer.transmissivity * aquifer.gradient[1])
    for w in wells:
        dx, dy = px - w.x, py - w.y
        f = -w.schedule[-1][1] / (2 * np.pi * (dx**2 + dy**2 + 4.0))
        vx += f * dx
        vy += f * dy
    scale = aquifer.thickness * aquifer.porosity
    return vx / scale, vy / scale


def capture(wells, aquifer, xs, ys, years=12.0, steps=260):
    """Which well, if any, a particle from each map point reaches, and when (midpoint rule)."""
    px, py = (g.ravel() for g in np.meshgrid(xs, ys))
    px, py = px.copy(), py.copy()
    owner = np.full(px.size, -1)
    arrival = np.full(px.size, np.inf)
    dt = years * 365.25 / steps
    for k in range(steps):
        vx, vy = seepage(px, py, wells, aquifer)
        vx, vy = seepage(px + 0.5 * dt * vx, py + 0.5 * dt * vy, wells, aquifer)
        speed = np.sqrt(vx**2 + vy**2)
        limit = np.minimum(1.0, 40.0 / (speed * dt))
        free = owner < 0
        px = np.where(free, px + dt * limit * vx, px)
        py = np.where(free, py + dt * limit * vy, py)
        for i, w in enumerate(wells):
            near = (owner < 0) & ((px - w.x) ** 2 + (py - w.y) ** 2 < 45.0**2)
            owner[near] = i
            arrival[near] = (k + 1) * dt
    return owner.reshape(len(ys), len(xs)), arrival.reshape(len(ys), len(xs))


def adjust_rates(wells, aquifer, limit, day=600.0):
    """Lowers the rate of the well with the largest drawdown until all are below the limit."""
    xy = np.array([(w.x, w.y) for w in wells])
    r = np.maximum(np.hypot(xy[:, None, 0] - xy[None, :, 0], xy[:, None, 1] - xy[None, :, 1]), 0.15)
    unit = theis(day, r, 1.0, aquifer.transmissivity, aquifer.storage)
    rates = np.array([w.schedule[-1][1] for w in wells])
    cuts = 0
    while True:
        s = unit @ rates
        worst = int(np.argmax(s))
        if s[worst] <= limit or cuts > 500:
            return rates, s, cuts
        rates[worst] *= 0.97
        cuts += 1


def main():
    fits = []
    for name, radius, t, s in parse_tests(TESTS):
        (trans, stor), rms = fit_test(radius, t, s, 1180.0)
        fits.append((trans, stor, rms))
        print(f"{name}: T {trans:.2f} m2/d, S {stor:.3e}, rms {1000 * rms:.2f} mm")
    fits = np.array(fits)
    aquifer = Aquifer(float(np.exp(np.log(fits[:, 0]).mean())), float(np.exp(np.log(fits[:, 1]).mean())))
    wells = make_wells(np.random.default_rng(92))
    xs, ys = np.linspace(0.0, 6000.0, 241), np.linspace(0.0, 6000.0, 221)
    maps = np.stack([drawdown_map(wells, aquifer, xs, ys, day) for day in (60.0, 200.0, 400.0, 800.0)])
    owner, arrival = capture(wells, aquifer, xs[::2], ys[::2])
    share = np.bincount(owner[owner >= 0], minlength=len(wells))
    rates, levels, cuts = adjust_rates(wells, aquifer, 3.137)

    reached = np.isfinite(arrival)
    print("mean drawdown " + ", ".join(f"{m.mean():.4f}" for m in maps) + " m")
    print(f"captured {reached.sum()} of {owner.size}, mean travel time {arrival[reached].mean() / 365.25:.3f} years")
    print(f"largest capture zone: {wells[int(np.argmax(share))].name} with {share.max()} points")
    print(f"{cuts} cuts, total rate {rates.sum():.2f} m3/d, largest drawdown {levels.max():.4f} m")
    np.savez(sys.argv[1], fits=fits, maps=maps, owner=owner, arrival=np.where(reached, arrival, -1.0),
             share=share, rates=rates, levels=levels)


if __name__ == "__main__":
    main()

"""Day-ahead market study: hourly merit order with must-run and reserve, residual load curves,
value of storage by dynamic programming, and a Monte Carlo of wind years."""
from __future__ import annotations

import heapq
import sys
from dataclasses import dataclass

import numpy as np

HOURS = 24 * 7 * 26

FLEET = """
fuel        units  mw    eff    price  co2    start
nuclear     4      900   0.33   2.9    0.0    150
lignite     9      420   0.39   6.1    0.399  90
coal        12     380   0.43   11.5   0.335  70
ccgt        20     310   0.57   24.0   0.202  35
gasturbine  16     140   0.37   25.5   0.202  12
oil         6      90    0.35   46.0   0.266  8
"""


@dataclass(frozen=True)
class Block:
    fuel: str
    mw: float
    eff: float
    price: float
    co2: float
    start: float


@dataclass
class Store:
    power: float
    energy: float
    eff: float
    levels: int


def parse_fleet(text: str, rng: np.random.Generator) -> list[Block]:
    """One block per unit; efficiencies scatter around the class value."""
    blocks = []
    for line in text.strip().splitlines()[1:]:
        fuel, units, *numbers = line.split()
        mw, eff, price, co2, start = map(float, numbers)
        for _ in range(int(units)):
            blocks.append(Block(fuel, mw, eff * (1 + 0.04 * rng.uniform(-1, 1)), price, co2, start))
    return blocks


class MeritOrder:
    def __init__(self, blocks: list[Block], carbon: float):
        cost = np.array([(b.price + carbon * b.co2) / b.eff for b in blocks])
        mw = np.array([b.mw for b in blocks])
        self.order = np.argsort(cost, kind="stable")
        self.cost = cost[self.order]
        self.mw = mw[self.order]
        self.top = np.cumsum(self.mw)
        self.emission = np.array([b.co2 / b.eff for b in blocks])[self.order]
        self.spent = np.concatenate([[0.0], np.cumsum(self.cost * self.mw)])
        self.emitted = np.concatenate([[0.0], np.cumsum(self.emission * self.mw)])

    def marginal(self, load: np.ndarray) -> np.ndarray:
        return np.minimum(np.searchsorted(self.top, np.maximum(load, 0.0), side="left"), len(self.top) - 1)

    def clear(self, load: np.ndarray, scarcity: float = 180.0) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Price, system cost and emissions for each value of the residual load."""
        load = np.maximum(load, 0.0)
        k = self.marginal(load)
        below = self.top[k] - self.mw[k]
        part = np.minimum(load - below, self.mw[k])
        tight = np.clip((load / self.top[-1] - 0.88) / 0.12, 0.0, 1.0)
        use = part / self.mw[k]
        price = self.cost[k] * (0.97 + 0.06 * use) + scarcity * tight**2
        return price, self.spent[k] + part * self.cost[k] * (0.97 + 0.03 * use), self.emitted[k] + part * self.emission[k]

    def dispatch(self, load: np.ndarray) -> np.ndarray:
        """Output of every unit in every hour."""
        out = np.zeros((len(load), len(self.mw)))
        for i in range(len(self.mw)):
            below = self.top[i] - self.mw[i]
            out[:, i] = np.clip(load - below, 0.0, self.mw[i])
        return out


def demand(rng: np.random.Generator) -> np.ndarray:
    t = np.arange(HOURS)
    hour, day = t % 24, t // 24
    shape = 1.0 + 0.17 * np.sin((hour - 9.5) * np.pi / 12) + 0.06 * np.sin((hour - 4.2) * np.pi / 6)
    weekend = np.where(day % 7 >= 5, 0.87, 1.0)
    season = 1.0 + 0.09 * np.cos(2 * np.pi * (day - 15) / 365)
    return 14200.0 * shape * weekend * season * (1 + 0.012 * rng.standard_normal(HOURS))


def solar(rng: np.random.Generator, capacity: float) -> np.ndarray:
    t = np.arange(HOURS)
    elevation = np.sin(np.pi * (t % 24 - 5.7) / 12.6) * (0.55 - 0.3 * np.cos(2 * np.pi * (t / 24 + 10) / 365))
    cloud = np.repeat(rng.beta(3.0, 1.5, HOURS // 24), 24)
    return capacity * np.clip(elevation, 0.0, None) * cloud


def wind_years(rng: np.random.Generator, years: int, capacity: float) -> np.ndarray:
    """Autoregressive weather through a power curve; one row per year."""
    shock = rng.standard_normal((years, HOURS))
    state = np.zeros((years, HOURS))
    state[:, 0] = shock[:, 0]
    for h in range(1, HOURS):
        state[:, h] = 0.972 * state[:, h - 1] + 0.235 * shock[:, h]
    speed = 7.4 * np.exp(0.38 * state)
    curve = np.clip((speed**3 - 3.0**3) / (12.5**3 - 3.0**3), 0.0, 1.0)
    return capacity * np.where(speed > 25.0, 0.0, curve)


def storage_value(price: np.ndarray, store: Store) -> tuple[float, np.ndarray]:
    """Optimal profit and schedule for one price series, backward over hours and levels."""
    n = len(price)
    grid = np.linspace(0.0, store.energy, store.levels)
    unit = grid[1] - grid[0]
    reach = int(store.power / unit)
    value = np.zeros(store.levels)
    policy = np.zeros((n, store.levels), dtype=np.int64)
    moves = np.arange(-reach, reach + 1)
    target = np.arange(store.levels)[:, None] + moves[None, :]
    inside = (target >= 0) & (target < store.levels)
    target = np.clip(target, 0, store.levels - 1)
    traded = np.where(moves > 0, moves * unit / store.eff, moves * unit * store.eff)
    for h in range(n - 1, -1, -1):
        gain = np.where(inside, value[target] - price[h] * traded - 0.02 * np.abs(moves), -np.inf)
        best = np.argmax(gain, axis=1)
        policy[h] = moves[best]
        value = gain[np.arange(store.levels), best]
    level = store.levels // 2
    schedule = np.zeros(n)
    for h in range(n):
        schedule[h] = policy[h, level] * unit
        level += policy[h, level]
    return value[store.levels // 2], schedule


def starts(output: np.ndarray, blocks: list[Block], order: np.ndarray) -> dict[str, float]:
    """Start-up costs per fuel, warm starts (off for less than 8 h) at half price."""
    cost: dict[str, float] = {}
    for column, index in zip(output.T.tolist(), order.tolist()):
        b, off = blocks[index], 0
        for mw in column:
            if mw <= 0.0:
                off += 1
                continue
            if off:
                cost[b.fuel] = cost.get(b.fuel, 0.0) + b.start * b.mw * (0.5 if off < 8 else 1.0)
            off = 0
    return cost


def greedy_reserve(output: np.ndarray, mw: np.ndarray, need: float) -> list[int]:
    """Units called for reserve in the tightest hour, largest headroom first."""
    heap = [(-(cap - out), i) for i, (cap, out) in enumerate(zip(mw.tolist(), output.tolist())) if cap > out]
    heapq.heapify(heap)
    called = []
    while need > 0 and heap:
        room, i = heapq.heappop(heap)
        called.append(i)
        need += room
    return called


def duration_curve(load: np.ndarray, share: np.ndarray) -> np.ndarray:
    ranked = np.sort(load, axis=-1)[..., ::-1]
    return ranked[..., (share * (load.shape[-1] - 1)).astype(int)]


def main() -> None:
    rng = np.random.default_rng(2035)
    blocks = parse_fleet(FLEET, rng)
    market = MeritOrder(blocks, carbon=62.0)
    residual = demand(rng) - solar(rng, 5200.0) - wind_years(rng, 40, 6800.0)
    price, cost, co2 = market.clear(residual)
    curve = duration_curve(residual, np.linspace(0.0, 1.0, 41))
    store = Store(power=500.0, energy=3000.0, eff=0.91, levels=61)
    profits = []
    for y in range(3):
        profit, schedule = storage_value(price[y], store)
        profits.append(profit)
    out = market.dispatch(residual[0])
    hour = int(np.argmax(residual[0]))
    warm = starts(out, blocks, market.order)
    called = greedy_reserve(out[hour], market.mw, 900.0)
    hours = np.array([np.bincount(market.marginal(r), minlength=len(market.mw)) for r in residual])
    print(f"{len(blocks)} units, {market.top[-1]:.0f} MW; mean price {price.mean():.3f}, spread of years {price.mean(axis=1).std():.3f}")
    print(f"emissions {co2.sum(axis=1).mean() / 1e6:.4f} Mt, cost {cost.sum(axis=1).mean() / 1e6:.2f} M")
    print("storage profit (k):", " ".join(f"{p / 1e3:.1f}" for p in profits))
    print("start costs (k):", " ".join(f"{k} {v / 1e3:.1f}" for k, v in sorted(warm.items())), f"; reserve from {len(called)} units")
    np.savez(sys.argv[1], curve=curve, price=price[:4], schedule=schedule, profits=np.array(profits), hours=hours,
             energy=out.sum(axis=0), year=co2.sum(axis=1))


if __name__ == "__main__":
    main()

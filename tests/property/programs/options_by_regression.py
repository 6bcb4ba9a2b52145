"""American put by least-squares Monte Carlo, greeks by bumping."""
from dataclasses import dataclass, replace

import numpy as np


@dataclass
class Option:
    spot: float = 36.0
    strike: float = 40.0
    rate: float = 0.06
    vol: float = 0.2
    years: float = 1.0
    steps: int = 20

    @property
    def dt(self):
        return self.years / self.steps

    def payoff(self, s):
        return np.maximum(self.strike - s, 0.0)


def paths(o: Option, z: np.ndarray) -> np.ndarray:
    drift = (o.rate - 0.5 * o.vol**2) * o.dt
    log = np.cumsum(drift + o.vol * np.sqrt(o.dt) * z, axis=1)
    s = o.spot * np.exp(log)
    return np.hstack([np.full((len(z), 1), o.spot), s])


def laguerre(x, degree):
    basis = [np.ones_like(x), 1 - x]
    for k in range(1, degree):
        basis.append(((2 * k + 1 - x) * basis[k] - k * basis[k - 1]) / (k + 1))
    return np.stack(basis[: degree + 1], axis=1) * np.exp(-x / 2)[:, None]


def price(o: Option, z: np.ndarray, degree=3):
    s = paths(o, z)
    cash = o.payoff(s[:, -1])
    discount = np.exp(-o.rate * o.dt)
    exercised = np.zeros(o.steps + 1, dtype=int)
    for t in range(o.steps - 1, 0, -1):
        cash *= discount
        now = o.payoff(s[:, t])
        itm = now > 0
        if itm.sum() < degree + 2:
            continue
        basis = laguerre(s[itm, t] / o.strike, degree)
        coef = np.linalg.lstsq(basis, cash[itm], rcond=None)[0]
        stop = np.zeros(len(s), dtype=bool)
        stop[itm] = now[itm] > basis @ coef
        exercised[t] = stop.sum()
        cash[stop] = now[stop]
    cash *= discount
    return max(cash.mean(), o.payoff(o.spot)), cash.std(ddof=1) / np.sqrt(len(cash)), exercised


def main():
    rng = np.random.default_rng(2024)
    half = rng.standard_normal((500, 20))
    z = np.concatenate([half, -half])
    o = Option()
    p, err, ex = price(o, z)
    print(f"{p:.6f} +- {err:.6f}", ex.tolist())
    bump = 0.5
    up, _, _ = price(replace(o, spot=o.spot + bump), z)
    down, _, _ = price(replace(o, spot=o.spot - bump), z)
    print(f"delta {(up - down) / (2 * bump):.6f} gamma {(up - 2 * p + down) / bump**2:.6f}")
    for vol in (0.1, 0.3):
        print(vol, f"{price(replace(o, vol=vol), z)[0]:.6f}")


main()

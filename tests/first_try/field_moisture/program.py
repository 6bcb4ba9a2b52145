"""Daily water and nitrogen balance of a catchment of arable fields.

Each grid cell carries a three-layer soil; weather is one station with an elevation
correction. At the end of the season yields are aggregated by soil map unit.
"""
from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Iterator

import numpy as np

NY, NX, DAYS = 24, 30, 45


@dataclass(frozen=True)
class SoilType:
    name: str
    wilting: float       # m3/m3
    field_capacity: float
    saturation: float
    ksat: float          # mm/d
    clay: float


SOILS = [
    SoilType("sand", 0.05, 0.15, 0.38, 180.0, 0.06),
    SoilType("loam", 0.12, 0.27, 0.43, 60.0, 0.18),
    SoilType("silt loam", 0.13, 0.31, 0.46, 35.0, 0.22),
    SoilType("clay", 0.22, 0.38, 0.48, 12.0, 0.48),
]
DEPTH = np.array([150.0, 350.0, 500.0])   # mm


@dataclass
class Weather:
    rain: np.ndarray
    tmean: np.ndarray
    radiation: np.ndarray

    def days(self) -> Iterator[tuple[int, float, float, float]]:
        for d, (r, t, g) in enumerate(zip(self.rain, self.tmean, self.radiation)):
            yield d, float(r), float(t), float(g)


def make_weather(seed: int) -> Weather:
    rng = np.random.default_rng(seed)
    wet = np.zeros(DAYS, dtype=bool)
    state = False
    for d in range(DAYS):
        state = bool(rng.random() < (0.62 if state else 0.22))
        wet[d] = state
    rain = np.where(wet, rng.gamma(0.9, 17.0, DAYS), 0.0)
    day = np.arange(DAYS)
    tmean = 13.0 + 5.0 * np.sin(2 * np.pi * (day + 30) / 180.0) + 1.5 * rng.standard_normal(DAYS)
    radiation = np.clip(16.0 + 4.0 * np.sin(2 * np.pi * day / 90.0) - 5.0 * wet + rng.standard_normal(DAYS), 3.0, None)
    return Weather(rain, tmean, radiation)


def soil_map(seed: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    y, x = np.mgrid[0:NY, 0:NX]
    elevation = 80.0 + 1.8 * y + 12.0 * np.sin(x / 6.0) * np.cos(y / 7.0) + rng.uniform(0, 1.0, (NY, NX))
    code = np.digitize(elevation + 4.0 * rng.standard_normal((NY, NX)), [88.0, 98.0, 110.0])
    return elevation, code


def layer_properties(code: np.ndarray) -> dict[str, np.ndarray]:
    table = {"wp": [s.wilting for s in SOILS], "fc": [s.field_capacity for s in SOILS],
             "sat": [s.saturation for s in SOILS], "ksat": [s.ksat for s in SOILS], "clay": [s.clay for s in SOILS]}
    props = {key: np.array(vals)[code] for key, vals in table.items()}
    for key in ("wp", "fc", "sat"):
        props[key] = props[key][..., None] * DEPTH
    return props


def potential_et(tmean: np.ndarray, radiation: float) -> np.ndarray:
    """Priestley-Taylor, mm/d"""
    es = 0.6108 * np.exp(17.27 * tmean / (tmean + 237.3))
    slope = 4098.0 * es / (tmean + 237.3) ** 2
    rn = 0.77 * radiation - 3.5
    return np.maximum(1.26 * slope / (slope + 0.066) * rn / 2.45, 0.0)


def curve_number_runoff(rain: np.ndarray, cn: np.ndarray) -> np.ndarray:
    s = 25400.0 / cn - 254.0
    excess = np.maximum(rain - 0.2 * s, 0.0)
    return excess ** 2 / (rain + 0.8 * s)


def drain(water: np.ndarray, inflow: np.ndarray, props: dict[str, np.ndarray]) -> np.ndarray:
    """Cascade of the day's infiltration through the layers; returns deep percolation."""
    fc, sat, ksat = props["fc"], props["sat"], props["ksat"]
    out = np.zeros(inflow.shape)
    for i in range(inflow.shape[0]):
        for j in range(inflow.shape[1]):
            q = inflow[i, j]
            for k in range(3):
                w = water[i, j, k] + q
                if w > sat[i, j, k]:
                    q = w - sat[i, j, k]
                    w = sat[i, j, k]
                else:
                    q = 0.0
                surplus = w - fc[i, j, k]
                if surplus > 0.0:
                    tau = (sat[i, j, k] - fc[i, j, k]) / ksat[i, j]
                    loss = surplus * (1.0 - np.exp(-1.0 / tau))
                    w -= loss
                    q += loss
                water[i, j, k] = w
            out[i, j] = q
    return out


def uptake(water: np.ndarray, demand: np.ndarray, root: np.ndarray, props: dict[str, np.ndarray]) -> np.ndarray:
    available = np.clip((water - props["wp"]) / (props["fc"] - props["wp"]), 0.0, 1.0)
    stress = np.minimum(1.0, available / 0.55)
    take = demand[..., None] * root * stress
    take = np.minimum(take, np.maximum(water - props["wp"], 0.0))
    water -= take
    return take.sum(axis=-1)


def root_fractions(thermal: np.ndarray) -> np.ndarray:
    depth = np.clip(100.0 + 1.2 * thermal, 100.0, 1000.0)
    top = np.concatenate([[0.0], np.cumsum(DEPTH)[:-1]])
    bottom = np.cumsum(DEPTH)
    reach = np.minimum(bottom, depth[..., None]) - top
    frac = np.where(reach > 0, reach, 0.0) / depth[..., None]
    return frac / frac.sum(axis=-1, keepdims=True)


class Nitrogen:
    """Mineral N per layer plus two organic pools (kg/ha)."""

    def __init__(self, clay: np.ndarray):
        self.mineral = np.stack([25.0 + 0 * clay, 15.0 + 10 * clay, 10.0 + 5 * clay], axis=-1)
        self.fast = 60.0 * np.ones_like(clay)
        self.slow = 1800.0 * (0.6 + clay)
        self.leached = np.zeros_like(clay)

    def mineralise(self, t: np.ndarray, rel: np.ndarray) -> None:
        f = 2.0 ** ((t - 15.0) / 10.0) * (4.0 * rel * (1.0 - 0.75 * rel)).clip(0.0)
        df = 0.012 * f * self.fast
        ds = 0.00025 * f * self.slow
        self.fast -= df
        self.slow += 0.3 * df - ds
        self.mineral[..., 0] += 0.7 * df + ds

    def leach(self, water: np.ndarray, percolation: np.ndarray) -> None:
        share = percolation[..., None] / (water + percolation[..., None])
        moved = 0.6 * share * self.mineral
        self.mineral -= moved
        self.mineral[..., 1:] += moved[..., :-1]
        self.leached += moved[..., -1]


def topographic_flow(elevation: np.ndarray, runoff: np.ndarray) -> np.ndarray:
    """Route total runoff from high to low cells along the steepest of four directions."""
    flow = runoff.copy()
    order = np.argsort(-elevation.ravel(), kind="stable")
    for cell in order:
        i, j = divmod(int(cell), NX)
        best, target = 0.0, None
        for a, b in ((i - 1, j), (i + 1, j), (i, j - 1), (i, j + 1)):
            if 0 <= a < NY and 0 <= b < NX and elevation[i, j] - elevation[a, b] > best:
                best, target = elevation[i, j] - elevation[a, b], (a, b)
        if target is not None:
            flow[target] += flow[i, j]
    return flow


def season(weather: Weather, elevation: np.ndarray, code: np.ndarray) -> dict[str, np.ndarray]:
    props = layer_properties(code)
    water = 0.85 * props["fc"]
    cn = np.array([62.0, 74.0, 79.0, 86.0])[code]
    nitrogen = Nitrogen(props["clay"])
    thermal = np.zeros((NY, NX))
    biomass = np.full((NY, NX), 20.0)
    runoff_sum = np.zeros((NY, NX))
    perc_sum = np.zeros((NY, NX))
    et_sum = np.zeros((NY, NX))
    top_layer = np.empty((DAYS, NY, NX))
    for d, rain, tair, rad in weather.days():
        t = tair - 0.0065 * (elevation - 100.0)
        p = rain * (1.0 + 0.0008 * (elevation - 100.0))
        thermal += np.maximum(t - 4.0, 0.0) * 2.5
        runoff = curve_number_runoff(p, cn) if rain > 0.0 else np.zeros_like(p)
        perc = drain(water, p - runoff, props)
        nitrogen.leach(water, perc)
        cover = 1.0 - np.exp(-0.0045 * biomass)
        pet = potential_et(t, rad)
        actual = uptake(water, pet * (0.25 + 0.75 * cover), root_fractions(thermal), props)
        ratio = actual / np.maximum(pet * (0.25 + 0.75 * cover), 1e-9)
        nitrogen.mineralise(t, water[..., 0] / props["sat"][..., 0])
        n_supply = nitrogen.mineral[..., 0] / (nitrogen.mineral[..., 0] + 12.0)
        growth = 1.35 * rad * 0.5 * cover * ratio * n_supply
        need = 0.02 * growth
        nitrogen.mineral[..., 0] -= np.minimum(need, 0.5 * nitrogen.mineral[..., 0])
        biomass += growth
        runoff_sum += runoff
        perc_sum += perc
        et_sum += actual
        top_layer[d] = water[..., 0] / DEPTH[0]
    return {"biomass": biomass, "runoff": runoff_sum, "percolation": perc_sum, "et": et_sum, "water": water,
            "leached": nitrogen.leached, "mineral": nitrogen.mineral, "top_layer": top_layer, "thermal": thermal}


def dry_spell(theta: np.ndarray, limit: np.ndarray) -> np.ndarray:
    """Longest run of days with the top layer below the limit."""
    run = np.zeros(theta.shape[1:], dtype=np.int64)
    longest = np.zeros_like(run)
    for day in theta:
        run = np.where(day < limit, run + 1, 0)
        longest = np.maximum(longest, run)
    return longest


def report(result: dict[str, np.ndarray], code: np.ndarray) -> list[str]:
    lines = []
    for k, soil in enumerate(SOILS):
        cells = code == k
        lines.append(f"{soil.name:10s} n={int(cells.sum()):4d} biomass {result['biomass'][cells].mean():9.4f} "
                     f"ET {result['et'][cells].mean():8.4f} leached N {result['leached'][cells].mean():8.5f}")
    return lines


def main(path: str) -> None:
    weather = make_weather(4)
    elevation, code = soil_map(11)
    result = season(weather, elevation, code)
    accumulated = topographic_flow(elevation, result["runoff"])
    wilting = np.array([s.wilting for s in SOILS])
    capacity = np.array([s.field_capacity for s in SOILS])
    spell = dry_spell(result["top_layer"], (wilting + 0.85 * (capacity - wilting))[code])
    yields = np.bincount(code.ravel(), weights=result["biomass"].ravel() * 0.45) / np.bincount(code.ravel())
    print("\n".join(report(result, code)))
    print(f"season rain {weather.rain.sum():.3f} mm, outlet {accumulated.max():.4f}, longest dry spell {int(spell.max())} d")
    np.savez(path, code=code, accumulated=accumulated, spell=spell, yields=yields, **result)


if __name__ == "__main__":
    main(sys.argv[1])

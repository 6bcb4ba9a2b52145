"""Daily crop growth and soil water balance of irrigated fields in one scheme (FAO-56 style), 56 days.

Every field has a texture, a sowing date and a canal turn. Soil water is kept for three layers; drainage is a
cascade. Once a week the scheme manager hands out whole turns of canal water by priority.
"""
import sys
from dataclasses import dataclass

import numpy as np


@dataclass
class CropParams:
    kc_ini: float = 0.35
    kc_mid: float = 1.15
    t_base: float = 8.0
    t_opt: float = 26.0
    gdd_mature: float = 900.0
    rue: float = 1.35           # g dry matter per MJ of intercepted PAR
    extinction: float = 0.6
    sla: float = 0.021          # m2 leaf per g
    p_deplete: float = 0.5
    harvest_index: float = 0.42


LAYERS = (150.0, 300.0, 550.0)  # mm
TEXTURES = {"sand": (0.06, 0.15, 0.40), "loam": (0.12, 0.27, 0.46), "clay": (0.21, 0.36, 0.50)}
N_FIELD = 1200
N_DAY = 56


def make_weather(rng):
    day = np.arange(N_DAY)
    tmean = 19.0 + 6.0 * np.sin(2 * np.pi * (day - 10) / 160.0) + rng.normal(0, 1.2, N_DAY)
    spread = rng.uniform(6.0, 13.0, N_DAY)
    radiation = 17.0 + 5.0 * np.sin(2 * np.pi * day / 160.0) + rng.normal(0, 2.0, N_DAY)
    wet = rng.random(N_DAY) < 0.22
    rain = np.where(wet, rng.gamma(0.9, 11.0, N_DAY), 0.0)
    return {"tmin": tmean - spread / 2, "tmax": tmean + spread / 2, "rad": radiation, "rain": rain}


def make_fields(rng):
    names = rng.choice(list(TEXTURES), N_FIELD, p=[0.3, 0.45, 0.25])
    soil = np.array([TEXTURES[name] for name in names]) * rng.normal(1.0, 0.03, (N_FIELD, 1))
    depth = np.array(LAYERS)
    return {
        "texture": names,
        "wp": soil[:, 0:1] * depth,
        "fc": soil[:, 1:2] * depth,
        "sat": soil[:, 2:3] * depth,
        "sow": rng.integers(0, 12, N_FIELD),
        "rainfactor": rng.normal(1.0, 0.08, N_FIELD),
        "area": rng.uniform(0.4, 3.5, N_FIELD),
        "priority": rng.permutation(N_FIELD),
    }


def reference_et(weather):
    """Hargreaves evapotranspiration and mean temperature of all days."""
    tmean = 0.5 * (weather["tmin"] + weather["tmax"])
    extraterrestrial = 0.408 * weather["rad"] / 0.62
    et0 = 0.0023 * extraterrestrial * (tmean + 17.8) * np.sqrt(weather["tmax"] - weather["tmin"])
    return np.maximum(et0, 0.1), tmean


def start_state(fields):
    n = len(fields["sow"])
    return {
        "theta": fields["wp"] + 0.6 * (fields["fc"] - fields["wp"]),
        "gdd": np.zeros(n),
        "biomass": np.full(n, 12.0),
        "lai": np.full(n, 0.28),
        "drained": np.zeros(n),
        "runoff": np.zeros(n),
        "transpired": np.zeros(n),
        "stress_days": np.zeros(n, dtype=np.int64),
    }


def cascade(state, fields, water):
    """Pour water (mm) on top; what a layer cannot hold runs on, half of the water above field capacity drains."""
    theta = state["theta"]
    room = (fields["sat"] - theta).sum(axis=1)
    surplus = np.maximum(water - room, 0.0)
    state["runoff"] += surplus
    flow = water - surplus
    for k in range(theta.shape[1]):
        theta[:, k] += flow
        over = np.maximum(theta[:, k] - fields["sat"][:, k], 0.0)
        theta[:, k] -= over
        drain = 0.5 * np.maximum(theta[:, k] - fields["fc"][:, k], 0.0)
        theta[:, k] -= drain
        flow = over + drain
    state["drained"] += flow


def water_use(state, fields, crop, et0, growing):
    """Evaporation from the top layer, transpiration from all by root share; returns the stress factor."""
    theta = state["theta"]
    cover = 1.0 - np.exp(-crop.extinction * state["lai"])
    evap = et0 * crop.kc_ini * (1.0 - cover)
    theta[:, 0] -= np.minimum(evap, np.maximum(theta[:, 0] - 0.5 * fields["wp"][:, 0], 0.0))

    depth = np.clip(state["gdd"] / (0.55 * crop.gdd_mature), 0.15, 1.0)[:, None]
    share = np.array([0.55, 0.30, 0.15]) * np.stack([np.ones_like(depth[:, 0]), depth[:, 0], depth[:, 0] ** 2], axis=1)
    share /= share.sum(axis=1, keepdims=True)
    taw = fields["fc"] - fields["wp"]
    rel = np.clip((theta - fields["wp"]) / (taw * (1.0 - crop.p_deplete)), 0.0, 1.0)
    ks = (rel * share).sum(axis=1)
    demand = np.where(growing, et0 * crop.kc_mid * cover, 0.0)
    uptake = np.minimum(demand[:, None] * share * rel, np.maximum(theta - fields["wp"], 0.0))
    theta -= uptake
    state["transpired"] += uptake.sum(axis=1)
    state["stress_days"] += (ks < 0.6) & growing
    return ks


def grow(state, crop, tmean, rad, ks, growing):
    heat = max(0.0, min(tmean, crop.t_opt) - crop.t_base)
    state["gdd"][growing] += heat
    intercepted = 0.5 * rad * (1.0 - np.exp(-crop.extinction * state["lai"]))
    gain = np.where(growing, crop.rue * intercepted * ks, 0.0)
    state["biomass"] += gain
    stage = state["gdd"] / crop.gdd_mature
    leaf = np.where(stage < 0.5, 0.55 - 0.6 * stage, 0.0)
    fading = np.where(stage > 0.75, 0.03 * state["lai"], 0.0)
    state["lai"] = np.minimum(state["lai"] + crop.sla * leaf * gain - fading, 6.5)


def irrigation_need(theta, fc, wp, crop):
    """Depth (mm) that would refill each field, nothing for fields that are not yet depleted."""
    n, nlayer = theta.shape
    need = np.zeros(n)
    for f in range(n):
        deficit = 0.0
        taw = 0.0
        for k in range(nlayer):
            taw += fc[f, k] - wp[f, k]
            if theta[f, k] < fc[f, k]:
                deficit += fc[f, k] - theta[f, k]
        if deficit > crop.p_deplete * taw:
            need[f] = min(deficit, 60.0)
    return need


def hand_out(need, area, order, volume):
    """Whole turns in order of priority: a field whose turn no longer fits is skipped, smaller ones may follow."""
    given = np.zeros(len(need))
    left = volume
    served = 0
    for f in order:
        wanted = 10.0 * need[f] * area[f]
        if wanted <= 0.0:
            continue
        if wanted > left:
            continue
        given[f] = need[f]
        left -= wanted
        served += 1
        if left < 40.0:
            break
    return given, left, served


def by_texture(fields, values):
    means = {}
    for name in sorted(TEXTURES):
        mask = fields["texture"] == name
        means[name] = np.average(values[mask], weights=fields["area"][mask])
    return means


def main():
    rng = np.random.default_rng(77)
    crop = CropParams()
    weather = make_weather(rng)
    fields = make_fields(rng)
    state = start_state(fields)
    et0, tmean = reference_et(weather)
    order = np.argsort(fields["priority"])
    initial = state["theta"].sum(axis=1)

    total_given = np.zeros(N_FIELD)
    lai_mean, store = [], []
    for day in range(N_DAY):
        growing = (fields["sow"] <= day) & (state["gdd"] < crop.gdd_mature)
        water = weather["rain"][day] * fields["rainfactor"]
        if day % 7 == 6:
            need = irrigation_need(state["theta"], fields["fc"], fields["wp"], crop)
            given, left, served = hand_out(need, fields["area"], order, 90000.0)
            print("day %2d: %4d fields served, %.1f m3 left" % (day, served, left))
            total_given += given
            water = water + given
        cascade(state, fields, water)
        ks = water_use(state, fields, crop, et0[day], growing)
        grow(state, crop, tmean[day], weather["rad"][day], ks, growing)
        lai_mean.append(state["lai"].mean())
        store.append(state["theta"].sum(axis=1).mean())

    crop_yield = crop.harvest_index * state["biomass"] * 0.01
    for name, value in by_texture(fields, crop_yield).items():
        print("yield on %s: %.4f t/ha" % (name, value))
    np.savez(sys.argv[1], theta=state["theta"], gdd=state["gdd"], biomass=state["biomass"], lai=state["lai"],
             drained=state["drained"], runoff=state["runoff"], transpired=state["transpired"],
             stress_days=state["stress_days"], given=total_given, lai_mean=np.array(lai_mean),
             store=np.array(store), storage_change=state["theta"].sum(axis=1) - initial, crop_yield=crop_yield)


if __name__ == "__main__":
    main()

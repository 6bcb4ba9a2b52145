"""Carbon-cycle box model with a simple climate, many members with sampled parameters, run over
emission pathways; members are weighted by observations and the remaining carbon budget is estimated."""
import sys

import numpy as np

PPM = 2.124                 # GtC per ppm
START, PRESENT, END = 1850, 2020, 2100
OBSERVED = {"co2": (PRESENT, 412.3, 4.0), "warming": (PRESENT, 1.18, 0.12), "co2_mid": (1960, 317.0, 3.0)}


def sample_parameters(n, rng):
    """Log-normal and normal draws, one array per parameter."""
    def lognormal(median, spread):
        return median * np.exp(spread * rng.normal(0.0, 1.0, n))
    return {
        "gas": lognormal(1 / 7.5, 0.15),
        "mix": lognormal(1 / 4.5, 0.2),
        "overturn": lognormal(1 / 85.0, 0.25),
        "fertil": np.clip(rng.normal(0.47, 0.12, n), 0.05, None),
        "npp": lognormal(58.0, 0.06),
        "litter": lognormal(1 / 11.0, 0.12),
        "humus": lognormal(1 / 32.0, 0.15),
        "q10": lognormal(1.6, 0.15),
        "ecs": lognormal(3.0, 0.25),
        "heat_exchange": lognormal(0.72, 0.2),
        "buffer": np.clip(rng.normal(11.0, 1.0, n), 7.0, 15.0),
        "aerosol": rng.normal(-0.9, 0.3, n),
    }


def emissions(peak_year, decline):
    """Closure: GtC per year, exponential history, growth to the peak and then a decline."""
    def rate(year):
        past = 0.45 * np.exp(0.0212 * (min(year, 1970.0) - START)) + 0.1 * max(0.0, min(year, PRESENT) - 1970.0)
        if year <= PRESENT:
            return past
        growth = past * (1.008 ** (min(year, peak_year) - PRESENT))
        return growth * np.exp(-decline * max(0.0, year - peak_year))
    return rate


class Ensemble:
    """States of all members: atmosphere, mixed layer, thermocline, deep ocean, plants, soil, two temperatures."""

    BOXES = ("atm", "mixed", "thermo", "deep", "plants", "soil", "surface_t", "deep_t")

    def __init__(self, params):
        self.p = params
        n = len(params["gas"])
        plants = params["npp"] / params["litter"]
        soil = params["npp"] * 0.6 / params["humus"]
        start = [280.0 * PPM, 900.0, 4200.0, 33000.0, plants, soil, 0.0, 0.0]
        self.state = np.stack([np.broadcast_to(np.asarray(s, float), (n,)) for s in start])
        self.base = self.state.copy()

    def forcing(self, atm, emitted):
        co2 = 5.35 * np.log(atm / self.base[0])
        return co2 + self.p["aerosol"] * emitted / (emitted + 6.0)

    def tendency(self, y, emitted):
        p, y0 = self.p, self.base
        atm, mixed, thermo, deep, plants, soil, ts, td = y
        dissolved = y0[0] * (1.0 + p["buffer"] * (mixed - y0[1]) / y0[1] * (1.0 + 0.012 * ts))
        to_sea = p["gas"] * (atm - dissolved)
        down = p["mix"] * (mixed - y0[1] - (thermo - y0[2]) * y0[1] / y0[2])
        sink = p["overturn"] * (thermo - y0[2] - (deep - y0[3]) * y0[2] / y0[3])
        warm = p["q10"] ** (ts / 10.0)
        grown = p["npp"] * (1.0 + p["fertil"] * np.log(np.maximum(atm, 150.0) / y0[0]))
        fall = p["litter"] * plants
        decay = p["humus"] * soil * warm
        respired = 0.4 * fall * warm
        net = 3.71 / p["ecs"] * ts
        mixing = p["heat_exchange"] * (ts - td)
        return np.stack([
            emitted - to_sea - grown + respired + decay,
            to_sea - down,
            down - sink,
            sink,
            grown - fall,
            fall - respired - decay,
            (self.forcing(atm, emitted) - net - mixing) / 8.0,
            mixing / 100.0,
        ])

    def advance(self, year, rate, dt=1.0):
        """Classical Runge-Kutta step."""
        y = self.state
        a, b, c = rate(year), rate(year + dt / 2), rate(year + dt)
        k1 = self.tendency(y, a)
        k2 = self.tendency(y + dt / 2 * k1, b)
        k3 = self.tendency(y + dt / 2 * k2, b)
        k4 = self.tendency(y + dt * k3, c)
        self.state = y + dt / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def run(params, rate, end=END):
    """Yields the year and the ensemble after each step."""
    ens = Ensemble(params)
    for year in range(START, end):
        ens.advance(float(year), rate)
        yield year + 1, ens


def weights_from(record):
    """Gaussian likelihood of the observations, normalised."""
    log = np.zeros_like(record["co2"])
    for key, (_, value, sigma) in OBSERVED.items():
        log -= 0.5 * ((record[key] - value) / sigma) ** 2
    w = np.exp(log - log.max())
    return w / w.sum()


def weighted_quantile(values, weights, probs):
    order = np.argsort(values)
    cum = np.cumsum(weights[order])
    return np.interp(probs, cum - 0.5 * weights[order], values[order])


def budget(warming, cumulative, weights, limit):
    """Emissions at which the weighted fraction of members above the limit passes a half and a third."""
    share = np.array([(weights * (w > limit)).sum() for w in warming])
    out = []
    for level in (0.5, 1.0 / 3.0):
        over = np.flatnonzero(share > level)
        if len(over) == 0:
            out.append(np.nan)
            continue
        k = over[0]
        f = (level - share[k - 1]) / (share[k] - share[k - 1])
        out.append(cumulative[k - 1] + f * (cumulative[k] - cumulative[k - 1]))
    return out, share


def main():
    n = 13000
    params = sample_parameters(n, np.random.default_rng(1850))
    scenarios = {"slow": emissions(2045.0, 0.01), "middle": emissions(2030.0, 0.03), "fast": emissions(2022.0, 0.07)}
    probs = np.array([0.05, 0.17, 0.5, 0.83, 0.95])
    quantiles, saved, weights = [], {}, None
    for name, rate in scenarios.items():
        warming, cumulative, record, total = [], [], {}, 0.0
        for year, ens in run(params, rate):
            for key, (when, _, _) in OBSERVED.items():
                if year == when:
                    record[key] = (ens.state[6] if key == "warming" else ens.state[0] / PPM).copy()
            if year > PRESENT:
                total += rate(year - 0.5)
                warming.append(ens.state[6])
                cumulative.append(total)
        weights = weights_from(record)
        effective = 1.0 / (weights**2).sum()
        q = weighted_quantile(ens.state[6], weights, probs)
        co2 = (weights * ens.state[0]).sum() / PPM
        left, share = budget(warming, cumulative, weights, 1.6137)
        quantiles.append(q)
        saved[name + "_share"] = share
        saved[name + "_mean"] = (ens.state * weights).sum(axis=1)
        limits = ", ".join("not reached" if np.isnan(b) else f"{b:.2f} GtC" for b in left)
        print(f"{name}: {q[2]:.3f} C ({q[0]:.3f} to {q[4]:.3f}), {co2:.2f} ppm, members {effective:.1f}, budget {limits}")
    spread = np.sqrt((weights * (params["ecs"] - (weights * params["ecs"]).sum()) ** 2).sum())
    print(f"sensitivity after weighting {(weights * params['ecs']).sum():.4f} +- {spread:.4f}")
    np.savez(sys.argv[1], quantiles=np.array(quantiles), weights=weights, final=ens.state, **saved)


if __name__ == "__main__":
    main()

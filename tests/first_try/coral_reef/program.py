# Growth of a coral reef on a raster: three growth forms compete for bottom area under light that falls
# off with depth, larvae settle by a dispersal kernel, storms break branching colonies, sea level rises.
import sys

import numpy as np
from scipy import ndimage

SHAPE = (256, 256)
FORMS = ("branching", "massive", "plating")
PARAMS = {
    # growth 1/yr, optimum light, light width, storm loss, accretion m/yr at full cover
    "branching": (0.62, 0.72, 0.28, 0.75, 0.011),
    "massive": (0.24, 0.60, 0.40, 0.12, 0.006),
    "plating": (0.38, 0.28, 0.18, 0.45, 0.004),
}


def make_bathymetry(rng):
    """Depth in metres: a fringing slope with a lagoon and smoothed noise."""
    y, x = np.mgrid[0:SHAPE[0], 0:SHAPE[1]] / SHAPE[0]
    depth = 2.0 + 26.0 * x**1.7 + 5.0 * np.exp(-((x - 0.25) ** 2 + (y - 0.5) ** 2) / 0.01)
    rough = ndimage.gaussian_filter(rng.standard_normal(SHAPE), 4.0, mode="nearest")
    return np.maximum(depth + 9.0 * rough, 0.4)


def make_kernel(reach):
    """Transform of a wrapped two-sided exponential dispersal kernel."""
    y = np.minimum(np.arange(SHAPE[0]), SHAPE[0] - np.arange(SHAPE[0]))[:, None]
    x = np.minimum(np.arange(SHAPE[1]), SHAPE[1] - np.arange(SHAPE[1]))[None, :]
    k = np.exp(-np.sqrt(x**2 + y**2) / reach)
    return np.fft.rfft2(k / k.sum())


def light_model(k0, turbid):
    """Returns a function depth, time -> relative light at the bottom."""
    def light(depth, year):
        k = k0 + turbid * np.exp(-depth / 6.0) * (1.0 + 0.3 * np.sin(2 * np.pi * year / 11.0))
        return np.exp(-k * depth)
    return light


def growth_model(params):
    growth, optimum, width, _, _ = params

    def rate(light):
        return growth * np.exp(-((light - optimum) / width) ** 2) - 0.02
    return rate


def storm_calendar(rng, years):
    """List of (year, strength, angle) with Poisson arrivals."""
    storms, t = [], 0.0
    while True:
        t += rng.exponential(9.0)
        if t >= years:
            return storms
        storms.append((int(t), float(rng.uniform(0.4, 1.0)), float(rng.uniform(-0.6, 0.6))))


def wave_exposure(depth, strength, angle):
    """Orbital stress at the bottom: wave energy decays shoreward over the shallow cells crossed."""
    shift = int(round(40 * np.tan(angle)))
    friction = np.where(depth < 8.0, (8.0 - depth) / 8.0, 0.0)
    slid = np.roll(friction, shift, axis=0)
    crossed = np.cumsum(slid[:, ::-1], axis=1)[:, ::-1]
    energy = strength * np.exp(-0.03 * np.roll(crossed, -shift, axis=0))
    return energy * np.exp(-depth / 9.0)


def reef_stepper(depth, rng):
    """Closure that holds the state of the reef and moves it on by a year."""
    cover = {name: 0.02 + 0.05 * rng.random(SHAPE) for name in FORMS}
    rates = {name: growth_model(PARAMS[name]) for name in FORMS}
    light = light_model(0.05, 0.09)
    kernels = {name: make_kernel(r) for name, r in zip(FORMS, (6.0, 3.0, 9.0))}
    state = {"depth": depth.copy(), "rubble": np.zeros(SHAPE)}

    def settle(name, free):
        spawn = np.fft.irfft2(np.fft.rfft2(cover[name]) * kernels[name], SHAPE)
        return 0.03 * np.maximum(spawn, 0.0) * free * (1.0 - state["rubble"])

    def storm(strength, angle):
        stress = wave_exposure(state["depth"], strength, angle)
        for name in FORMS:
            broken = cover[name] * np.minimum(PARAMS[name][3] * stress / 0.35, 0.95)
            cover[name] = cover[name] - broken
            state["rubble"] = np.minimum(state["rubble"] + 0.5 * broken, 1.0)

    def year(t, rise):
        bottom = light(state["depth"], t)
        substeps = 4
        for _ in range(substeps):
            free = np.clip(1.0 - sum(cover.values()), 0.0, 1.0)
            for name in FORMS:
                step = rates[name](bottom) * cover[name] * free / substeps
                crowd = 0.08 * cover[name] * ndimage.uniform_filter(cover[name], 5, mode="nearest") / substeps
                cover[name] = np.clip(cover[name] + step - crowd, 0.0, 1.0)
        free = np.clip(1.0 - sum(cover.values()), 0.0, 1.0)
        born = [settle(name, free) for name in FORMS]
        for name, b in zip(FORMS, born):
            cover[name] = cover[name] + b
        lift = sum(PARAMS[name][4] * cover[name] for name in FORMS)
        state["depth"] = np.maximum(state["depth"] + rise - lift, 0.2)
        state["rubble"] = 0.8 * state["rubble"]
        return np.array([cover[name].mean() for name in FORMS])

    return year, storm, cover, state


def zonation(cover, depth, edges):
    """Mean cover of each form in depth bands."""
    bands = np.digitize(depth.ravel(), edges)
    count = np.bincount(bands, minlength=len(edges) + 1)
    table = []
    for name in FORMS:
        total = np.bincount(bands, weights=cover[name].ravel(), minlength=len(edges) + 1)
        table.append(total / np.maximum(count, 1))
    return np.array(table)


def patchiness(field):
    """Variance of block means at doubling block sizes, over the overall variance."""
    out, block = [], 2
    overall = field.var()
    while block <= 64:
        h, w = field.shape[0] // block, field.shape[1] // block
        means = field.reshape(h, block, w, block).mean(axis=(1, 3))
        out.append(means.var() / overall)
        block *= 2
    return np.array(out)


def main():
    rng = np.random.default_rng(314)
    years = 36
    depth = make_bathymetry(rng)
    storms = storm_calendar(rng, years)
    year, storm, cover, state = reef_stepper(depth, rng)
    record = []
    for t in range(years):
        for when, strength, angle in storms:
            if when == t:
                storm(strength, angle)
        record.append(year(t, 0.004 + 0.0001 * t))
    record = np.stack(record)
    zones = zonation(cover, state["depth"], np.array([2.0, 5.0, 10.0, 16.0, 24.0]))
    patches = patchiness(sum(cover.values()))
    print(f"{len(storms)} storms, final cover " + ", ".join(f"{n} {c:.4f}" for n, c in zip(FORMS, record[-1])))
    print(f"mean depth {depth.mean():.3f} -> {state['depth'].mean():.3f} m")
    print("patchiness " + " ".join(f"{p:.3f}" for p in patches))
    np.savez(sys.argv[1], record=record, zones=zones, patches=patches, depth=state["depth"],
             **{name: cover[name] for name in FORMS})


if __name__ == "__main__":
    main()

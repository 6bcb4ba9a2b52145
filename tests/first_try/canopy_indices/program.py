# Vegetation indices and red-edge position from a hyperspectral scene (VNIR, 60 bands)
import sys
import numpy as np

rng = np.random.default_rng(20240612)
ROWS, COLS = 36, 44
wl = np.linspace(450.0, 920.0, 60)


def synth_scene(rows, cols, wl, rng):
    lai = np.zeros((rows, cols))
    yy, xx = np.mgrid[0:rows, 0:cols]
    for _ in range(9):
        cy, cx = rng.uniform(0, rows), rng.uniform(0, cols)
        s = rng.uniform(4, 9)
        lai += rng.uniform(0.5, 2.5) * np.exp(-((yy - cy) ** 2 + (xx - cx) ** 2) / (2 * s * s))
    chl = 20.0 + 25.0 * rng.random((rows, cols))
    cover = 1.0 - np.exp(-0.55 * lai)
    soil = 0.08 + 0.00022 * (wl - 450.0)
    rep = 705.0 + 0.45 * chl
    edge = 1.0 / (1.0 + np.exp(-(wl[None, None, :] - rep[:, :, None]) / 12.0))
    green = 0.06 * np.exp(-((wl - 555.0) / 30.0) ** 2)
    leaf = 0.03 + green * (40.0 / chl)[:, :, None] + 0.44 * edge
    cube = cover[:, :, None] * leaf + (1.0 - cover)[:, :, None] * soil
    cube += 0.002 * rng.standard_normal(cube.shape)
    return np.clip(cube, 1e-4, 1.0)


def band(wl, centre):
    return int(np.argmin(np.abs(wl - centre)))


def savgol_weights(half, order):
    x = np.arange(-half, half + 1, dtype=float)
    V = np.vander(x, order + 1, increasing=True)
    return np.linalg.pinv(V)[0]


def smooth_spectra(cube, w):
    half = len(w) // 2
    out = cube.copy()
    nb = cube.shape[2]
    inner = np.zeros(cube.shape[:2] + (nb - 2 * half,))
    for j, wj in enumerate(w):
        inner += wj * cube[:, :, j:nb - 2 * half + j]
    out[:, :, half:nb - half] = inner
    return out


def broad_indices(cube, wl):
    b = {name: cube[:, :, band(wl, c)] for name, c in
         (("blue", 470.0), ("green", 555.0), ("red", 670.0), ("edge", 710.0), ("nir", 800.0))}
    eps = 1e-9
    idx = {}
    idx["ndvi"] = (b["nir"] - b["red"]) / (b["nir"] + b["red"] + eps)
    idx["evi"] = 2.5 * (b["nir"] - b["red"]) / (b["nir"] + 6.0 * b["red"] - 7.5 * b["blue"] + 1.0)
    idx["savi"] = 1.5 * (b["nir"] - b["red"]) / (b["nir"] + b["red"] + 0.5)
    idx["ndre"] = (b["nir"] - b["edge"]) / (b["nir"] + b["edge"] + eps)
    idx["mcari"] = ((b["edge"] - b["red"]) - 0.2 * (b["edge"] - b["green"])) * b["edge"] / b["red"]
    return idx


def red_edge_position(cube, wl):
    """Wavelength of the steepest rise between 680 and 760 nm, parabola through the three samples around it."""
    rows, cols, nb = cube.shape
    lo, hi = band(wl, 680.0), band(wl, 760.0)
    step = wl[1] - wl[0]
    rep = np.zeros((rows, cols))
    slope = np.zeros((rows, cols))
    for r in range(rows):
        for c in range(cols):
            best = -1.0
            kbest = lo
            for k in range(lo, hi):
                d = (cube[r, c, k + 1] - cube[r, c, k - 1]) / (2.0 * step)
                if d > best:
                    best = d
                    kbest = k
            left = (cube[r, c, kbest] - cube[r, c, kbest - 2]) / (2.0 * step)
            right = (cube[r, c, kbest + 2] - cube[r, c, kbest]) / (2.0 * step)
            curve = left - 2.0 * best + right
            shift = 0.0
            if curve < -1e-12:
                shift = 0.5 * (left - right) / curve
                if shift > 1.0:
                    shift = 1.0
                elif shift < -1.0:
                    shift = -1.0
            rep[r, c] = wl[kbest] + shift * step
            slope[r, c] = best
    return rep, slope


def continuum_depth(cube, wl):
    # chlorophyll absorption: straight continuum from 555 to 750 nm, depth in the trough
    a, z = band(wl, 555.0), band(wl, 750.0)
    t = (wl[a:z + 1] - wl[a]) / (wl[z] - wl[a])
    line = cube[:, :, a, None] * (1.0 - t) + cube[:, :, z, None] * t
    removed = cube[:, :, a:z + 1] / line
    area = np.sum(0.5 * ((1.0 - removed[:, :, 1:]) + (1.0 - removed[:, :, :-1])) * np.diff(wl[a:z + 1]), axis=2)
    return 1.0 - removed.min(axis=2), area


def spectral_angle(cube, reference):
    dot = np.einsum("ijk,k->ij", cube, reference)
    norm = np.sqrt(np.sum(cube ** 2, axis=2)) * np.linalg.norm(reference)
    return np.arccos(np.clip(dot / norm, -1.0, 1.0))


cube = synth_scene(ROWS, COLS, wl, rng)
cube = smooth_spectra(cube, savgol_weights(3, 2))
indices = broad_indices(cube, wl)
rep, slope = red_edge_position(cube, wl)
depth, area = continuum_depth(cube, wl)

veg = indices["ndvi"] > 0.45
reference = cube[veg].mean(axis=0)
angle = spectral_angle(cube, reference)

# stress classes by chlorophyll proxy, from the vegetated pixels only
edges = np.percentile(rep[veg], [25.0, 50.0, 75.0])
stress = np.where(veg, np.digitize(rep, edges), -1)
counts = np.array([np.count_nonzero(stress == s) for s in range(-1, 4)])
class_angle = np.array([angle[stress == s].mean() for s in range(4)])

for name, a in indices.items():
    print(f"{name:6s} mean {a.mean():.8f}  sd {a.std():.8f}")
print("vegetated pixels", int(veg.sum()), "classes", counts.tolist())
print("red edge %.5f nm, depth %.6f" % (rep[veg].mean(), depth[veg].mean()))
np.savez(sys.argv[1], rep=rep, slope=slope, depth=depth, area=area, angle=angle, stress=stress,
         counts=counts, class_angle=class_angle, **indices)

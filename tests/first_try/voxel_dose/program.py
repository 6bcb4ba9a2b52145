# Monte Carlo photon transport in a voxel phantom: Woodcock tracking, photoelectric absorption and Compton
# scattering, dose per voxel with batch statistics, depth-dose and profile.
import sys
from dataclasses import dataclass

import numpy as np

SHAPE = (48, 48, 64)
VOXEL = 0.5  # cm
MC2 = 511.0  # keV
MATERIALS = {  # density, photo coefficient at 100 keV, Compton scale
    "water": (1.00, 0.0028, 0.1626), "lung": (0.26, 0.0028, 0.1626), "bone": (1.60, 0.0190, 0.1560)}
GOLDEN = 0x9E3779B97F4A7C15


@dataclass
class Photons:
    pos: np.ndarray
    dir: np.ndarray
    energy: np.ndarray
    seed: np.ndarray

    def take(self, index):
        return Photons(self.pos[index], self.dir[index], self.energy[index], self.seed[index])


class Stream:
    """Counter-based uniform numbers (splitmix64), one sequence for each photon."""

    def __init__(self):
        self.draws = 0

    def uniform(self, seed):
        self.draws += 1
        z = seed + np.uint64(GOLDEN * self.draws % 2**64)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
        return (z >> np.uint64(11)).astype(np.float64) * 2.0**-53


class Phantom:
    def __init__(self):
        ix, iy, iz = np.indices(SHAPE)
        x, y, z = (ix - 23.5) * VOXEL, (iy - 23.5) * VOXEL, (iz + 0.5) * VOXEL
        material = np.zeros(SHAPE, dtype=np.int64)
        material[((x / 8.0) ** 2 + (y / 7.0) ** 2 < 1.0) & (z > 8.0) & (z < 20.0)] = 1
        material[(np.abs(x) < 2.0) & (z > 21.0) & (z < 24.0)] = 2
        material[(np.hypot(x + 5.0, z - 5.0) < 1.2)] = 2
        self.material = material
        table = np.array(list(MATERIALS.values()))
        self.density, self.photo, self.compton = table[:, 0], table[:, 1], table[:, 2]

    def coefficients(self, material, energy):
        """Photoelectric and Compton attenuation per cm."""
        photo = self.photo[material] * self.density[material] * (100.0 / energy) ** 3
        compton = self.compton[material] * self.density[material] * (100.0 / energy) ** 0.28
        return photo, compton

    def majorant(self, energy):
        top = np.zeros_like(energy)
        for m in range(len(self.density)):
            photo, compton = self.coefficients(m, energy)
            top = np.maximum(top, photo + compton)
        return top

    def locate(self, pos):
        index = np.floor(pos / VOXEL).astype(np.int64)
        inside = np.all((index >= 0) & (index < np.array(SHAPE)), axis=1)
        return index, inside


def source(stream, batch, n):
    """Diverging square beam with a two-line spectrum, 100 cm above the phantom."""
    seed = (np.arange(n, dtype=np.uint64) + np.uint64(batch * n)) * np.uint64(0xD1342543DE82EF95)
    u, v, w = (stream.uniform(seed) for _ in range(3))
    aim = np.stack([(u - 0.5) * 8.0, (v - 0.5) * 8.0, np.full(n, 100.0)], axis=1)
    direction = aim / np.linalg.norm(aim, axis=1, keepdims=True)
    pos = np.stack([aim[:, 0] + 12.0, aim[:, 1] + 12.0, np.full(n, 1e-6)], axis=1)
    return Photons(pos, direction, np.where(w < 0.65, 90.0, 160.0), seed)


def compton_angle(stream, photons, passes=12):
    """Cosine and outgoing energy by Klein-Nishina rejection with a bounded number of tries."""
    k = photons.energy / MC2
    cosine = np.zeros_like(k)
    open_ = np.ones(len(k), dtype=bool)
    for _ in range(passes):
        mu = 2.0 * stream.uniform(photons.seed) - 1.0
        ratio = 1.0 / (1.0 + k * (1.0 - mu))
        density = 0.5 * ratio**2 * (ratio + 1.0 / ratio - 1.0 + mu**2)
        accept = open_ & (stream.uniform(photons.seed) < density)
        cosine = np.where(accept, mu, cosine)
        open_ &= ~accept
    return cosine, photons.energy / (1.0 + k * (1.0 - cosine))


def rotate(direction, cosine, phi):
    sine = np.sqrt(np.maximum(1.0 - cosine**2, 0.0))
    x, y, z = direction.T
    perp = np.sqrt(np.maximum(1.0 - z * z, 1e-20))
    steep = perp < 1e-5
    cp, sp = np.cos(phi), np.sin(phi)
    nx = np.where(steep, sine * cp, cosine * x + sine * (x * z * cp - y * sp) / perp)
    ny = np.where(steep, sine * sp, cosine * y + sine * (y * z * cp + x * sp) / perp)
    nz = np.where(steep, cosine * np.sign(z), cosine * z - sine * cp * perp)
    out = np.stack([nx, ny, nz], axis=1)
    return out / np.linalg.norm(out, axis=1, keepdims=True)


def transport(phantom, photons, stream, cutoff=12.0):
    """Energy in keV left in every voxel by one batch, and the energy that escapes."""
    energy_map = np.zeros(SHAPE)
    escaped, steps = 0.0, 0
    while len(photons.energy):
        steps += 1
        step = -np.log(1.0 - stream.uniform(photons.seed)) / phantom.majorant(photons.energy)
        photons.pos = photons.pos + step[:, None] * photons.dir
        index, inside = phantom.locate(photons.pos)
        escaped += photons.energy[~inside].sum()
        photons, index = photons.take(inside), index[inside]
        photo, compton = phantom.coefficients(phantom.material[tuple(index.T)], photons.energy)
        pick = stream.uniform(photons.seed) * phantom.majorant(photons.energy)
        absorbed = pick < photo
        scattered = ~absorbed & (pick < photo + compton)
        cosine, after = compton_angle(stream, photons)
        phi = 2.0 * np.pi * stream.uniform(photons.seed)
        turned = rotate(photons.dir, cosine, phi)
        lost = np.where(absorbed, photons.energy, np.where(scattered, photons.energy - after, 0.0))
        rest = photons.energy - lost
        lost = np.where(rest < cutoff, photons.energy, lost)
        np.add.at(energy_map, tuple(index.T), lost)
        photons.dir = np.where(scattered[:, None], turned, photons.dir)
        photons.energy = rest
        photons = photons.take(rest >= cutoff)
    return energy_map, escaped, steps


def main():
    phantom = Phantom()
    batches, n = 4, 12000
    total, square, escaped, rounds = np.zeros(SHAPE), np.zeros(SHAPE), 0.0, []
    for b in range(batches):
        stream = Stream()
        energy, out, steps = transport(phantom, source(stream, b, n), stream)
        total += energy
        square += energy**2
        escaped += out
        rounds.append(steps)
    dose = total / phantom.density[phantom.material]
    spread = np.sqrt(np.maximum(square / batches - (total / batches) ** 2, 0.0) / (batches - 1))
    hot = dose > 0.5 * dose.max()
    noise = (spread[hot] / (total[hot] / batches)).mean()
    depth = dose[22:26, 22:26].mean(axis=(0, 1))
    profile = dose[:, 22:26, 8:12].mean(axis=(1, 2))
    print(f"absorbed {total.sum():.4e} keV, escaped {escaped:.4e} keV, rounds {max(rounds)}")
    print(f"hot voxels {np.count_nonzero(hot)}, mean relative error {noise:.4f}")
    print(f"depth dose maximum at {depth.argmax()}, half-depth ratio {depth[32] / depth[4]:.4f}")
    np.savez(sys.argv[1], dose=dose, spread=spread, depth=depth, profile=profile)


if __name__ == "__main__":
    main()

# Two-phase lattice Boltzmann (Shan-Chen, D2Q9): two liquid droplets in vapour merge over a wetting wall;
# surface tension from the pressure jump, spurious currents, droplet count and shape over time.
import sys

import numpy as np
from scipy import ndimage

C = np.array([[0, 0], [1, 0], [0, 1], [-1, 0], [0, -1], [1, 1], [-1, 1], [-1, -1], [1, -1]])
W = np.array([4 / 9] + [1 / 9] * 4 + [1 / 36] * 4)
OPPOSITE = [0, 3, 4, 1, 2, 7, 8, 5, 6]
NX, NY = 160, 112
COUPLING = -5.0
WALL = -1.6
TAU = 1.0
GRAVITY = 1.0e-5


def initial_density():
    """Two drops with smooth edges near the lower wall."""
    x, y = np.meshgrid(np.arange(NX), np.arange(NY), indexing="ij")
    rho = np.full((NX, NY), 0.16)
    for cx, cy, radius in ((58.3, 24.0, 18.0), (99.1, 30.5, 21.0)):
        d = np.sqrt((x - cx) ** 2 + (y - cy) ** 2)
        rho += (1.95 - 0.16) * 0.5 * (1.0 - np.tanh((d - radius) / 2.0))
    return rho


def walls():
    solid = np.zeros((NX, NY), dtype=bool)
    solid[:, 0] = solid[:, -1] = True
    solid[70:78, 0:5] = True
    return solid


def equilibrium(rho, ux, uy):
    feq = np.empty((9, NX, NY))
    square = 1.5 * (ux**2 + uy**2)
    for i, (cx, cy) in enumerate(C):
        cu = 3.0 * (cx * ux + cy * uy)
        feq[i] = W[i] * rho * (1.0 + cu + 0.5 * cu**2 - square)
    return feq


def pseudopotential(rho):
    return 1.0 - np.exp(-rho)


def interaction(psi, solid):
    """Cohesive force between the nodes and adhesive force to the wall."""
    fx, fy = np.zeros_like(psi), np.zeros_like(psi)
    sx, sy = np.zeros_like(psi), np.zeros_like(psi)
    for i in range(1, 9):
        cx, cy = C[i]
        ahead = W[i] * np.roll(psi, (-cx, -cy), axis=(0, 1))
        stone = W[i] * np.roll(solid, (-cx, -cy), axis=(0, 1))
        fx += cx * ahead
        fy += cy * ahead
        sx += cx * stone
        sy += cy * stone
    return (-psi * (COUPLING * fx + WALL * sx)), (-psi * (COUPLING * fy + WALL * sy))


def stream(f):
    out = np.empty_like(f)
    for i in range(9):
        out[i] = np.roll(f[i], tuple(C[i]), axis=(0, 1))
    return out


def bounce_back(f, solid):
    g = f.copy()
    for i in range(9):
        g[i][solid] = f[OPPOSITE[i]][solid]
    return g


def step(f, solid):
    """Collision with the shifted equilibrium velocity, streaming, bounce back at the walls."""
    rho = f.sum(axis=0)
    psi = np.where(solid, 0.0, pseudopotential(rho))
    fx, fy = interaction(psi, solid)
    fy = fy - GRAVITY * rho
    ux = np.tensordot(C[:, 0], f, axes=1) / rho + TAU * fx / rho
    uy = np.tensordot(C[:, 1], f, axes=1) / rho + TAU * fy / rho
    feq = equilibrium(rho, ux, uy)
    post = np.where(solid, f, f - (f - feq) / TAU)
    return bounce_back(stream(post), solid)


def macroscopic(f, solid):
    rho = f.sum(axis=0)
    psi = np.where(solid, 0.0, pseudopotential(rho))
    fx, fy = interaction(psi, solid)
    ux = np.where(solid, 0.0, (np.tensordot(C[:, 0], f, axes=1) + 0.5 * fx) / rho)
    uy = np.where(solid, 0.0, (np.tensordot(C[:, 1], f, axes=1) + 0.5 * fy) / rho)
    pressure = rho / 3.0 + COUPLING / 6.0 * psi**2
    return rho, ux, uy, pressure


def droplets(rho, solid, threshold=1.0):
    """Area, centroid and aspect ratio of each liquid body, largest first."""
    label, count = ndimage.label((rho > threshold) & ~solid)
    rows = []
    for k in range(1, count + 1):
        ix, iy = np.nonzero(label == k)
        if len(ix) < 12:
            continue
        cov = np.cov(np.stack([ix, iy]))
        low, high = np.linalg.eigvalsh(cov)
        rows.append((len(ix), ix.mean(), iy.mean(), np.sqrt(high / max(low, 1e-9))))
    return sorted(rows, reverse=True)


def interface_length(rho, solid, level=1.0):
    """Edges of the raster between liquid and vapour, with the Crofton weights for four directions."""
    liquid = (rho > level) & ~solid
    total = 0.0
    for dx, dy, weight in ((1, 0, 1.0), (0, 1, 1.0), (1, 1, 0.7071), (1, -1, 0.7071)):
        other = np.roll(liquid, (-dx, -dy), axis=(0, 1))
        total += weight * np.count_nonzero(liquid ^ other)
    return total * np.pi / 8.0


def vorticity(ux, uy):
    return (np.roll(uy, -1, axis=0) - np.roll(uy, 1, axis=0)
            - np.roll(ux, -1, axis=1) + np.roll(ux, 1, axis=1)) / 2.0


def monitor(f, solid, t):
    """One line of the time record."""
    rho, ux, uy, pressure = macroscopic(f, solid)
    bodies = droplets(rho, solid)
    fluid = ~solid
    kinetic = 0.5 * np.sum((rho * (ux**2 + uy**2))[fluid])
    jump = pressure[fluid & (rho > 1.6)].mean() - pressure[fluid & (rho < 0.3)].mean()
    return (t, rho[fluid].sum(), kinetic, jump, len(bodies), bodies[0][0], bodies[0][3],
            interface_length(rho, solid))


def main():
    solid = walls()
    rho = initial_density()
    zero = np.zeros_like(rho)
    f = equilibrium(rho, zero, zero)
    record = [monitor(f, solid, 0)]
    for t in range(1, 321):
        f = step(f, solid)
        if t % 40 == 0:
            record.append(monitor(f, solid, t))
    record = np.array(record)
    rho, ux, uy, pressure = macroscopic(f, solid)
    curl = vorticity(ux, uy)
    for row in record[::4]:
        print(f"t {row[0]:.0f}: mass {row[1]:.2f}, kinetic {row[2]:.3e}, bodies {row[4]:.0f}, aspect {row[6]:.3f}")
    print(f"largest speed {np.sqrt(ux**2 + uy**2).max():.4f}, density {rho[~solid].min():.4f} to {rho[~solid].max():.4f}")
    np.savez(sys.argv[1], record=record, rho=rho, ux=ux, uy=uy, curl=curl)


if __name__ == "__main__":
    main()

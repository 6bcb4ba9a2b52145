"""Two-point statistics of a mock halo catalogue.

Landy-Szalay correlation function of the haloes, mass-weighted marked correlation and mean pairwise
velocity of the most massive ones, and the power spectrum of the density field by cloud-in-cell and FFT.
Lengths in Mpc/h, velocities in km/s.
"""
import sys

import numpy as np

BOX = 120.0
N_GROUPS = 45
N_HALO = 900
N_RANDOM = 1500
N_MASSIVE = 140
N_MESH = 32
CHUNK = 300


def make_catalogue(rng):
    centres = rng.uniform(0.0, BOX, (N_GROUPS, 3))
    bulk = rng.normal(0.0, 250.0, (N_GROUPS, 3))
    member = rng.integers(0, N_GROUPS, N_HALO)
    offset = rng.normal(0.0, 4.0, (N_HALO, 3))
    pos = np.mod(centres[member] + offset, BOX)
    vel = bulk[member] - 35.0 * offset + rng.normal(0.0, 80.0, (N_HALO, 3))
    mass = 1e12 * (1.0 - rng.uniform(0.0, 0.999, N_HALO)) ** (-1.0 / 1.1)
    return pos, vel, mass


def cross_counts(a, b, edges):
    """Histogram of the separations between all points of a and all of b (periodic), in chunks of a."""
    counts = np.zeros(len(edges) - 1)
    edges2 = edges ** 2
    for start in range(0, len(a), CHUNK):
        d = a[start:start + CHUNK, None, :] - b[None, :, :]
        d -= BOX * np.rint(d / BOX)
        r2 = np.einsum("ijk,ijk->ij", d, d)
        which = np.searchsorted(edges2, r2.ravel(), side="right")
        counts += np.bincount(which, minlength=len(edges) + 1)[1:len(edges)]
    return counts


def landy_szalay(dd, dr, rr, nd, nr):
    dd = dd / (nd * (nd - 1.0))
    dr = dr / (nd * float(nr))
    rr = rr / (nr * (nr - 1.0))
    return (dd - 2.0 * dr + rr) / rr


def marked_pairs(pos, vel, mark, rmin, rmax, nbin):
    """Pair counts, sums of mark products and of radial velocities for logarithmic bins of separation."""
    n = len(pos)
    npair = np.zeros(nbin)
    wpair = np.zeros(nbin)
    vpair = np.zeros(nbin)
    lmin = np.log(rmin)
    step = (np.log(rmax) - lmin) / nbin
    half = 0.5 * BOX
    for i in range(n):
        for j in range(i + 1, n):
            dx = pos[i, 0] - pos[j, 0]
            dy = pos[i, 1] - pos[j, 1]
            dz = pos[i, 2] - pos[j, 2]
            if dx > half:
                dx -= BOX
            elif dx < -half:
                dx += BOX
            if dy > half:
                dy -= BOX
            elif dy < -half:
                dy += BOX
            if dz > half:
                dz -= BOX
            elif dz < -half:
                dz += BOX
            r = np.sqrt(dx * dx + dy * dy + dz * dz)
            if r <= rmin or r >= rmax:
                continue
            k = int((np.log(r) - lmin) / step)
            vr = ((vel[i, 0] - vel[j, 0]) * dx + (vel[i, 1] - vel[j, 1]) * dy
                  + (vel[i, 2] - vel[j, 2]) * dz) / r
            npair[k] += 1.0
            wpair[k] += mark[i] * mark[j]
            vpair[k] += vr
    return npair, wpair, vpair


def cic_density(pos, mass, n):
    """Overdensity on an n^3 mesh with cloud-in-cell weights."""
    mesh = np.zeros((n, n, n))
    x = pos * (n / BOX)
    base = np.floor(x).astype(np.int64)
    frac = x - base
    for ox in (0, 1):
        wx = frac[:, 0] if ox else 1.0 - frac[:, 0]
        for oy in (0, 1):
            wy = frac[:, 1] if oy else 1.0 - frac[:, 1]
            for oz in (0, 1):
                wz = frac[:, 2] if oz else 1.0 - frac[:, 2]
                cell = ((base[:, 0] + ox) % n, (base[:, 1] + oy) % n, (base[:, 2] + oz) % n)
                np.add.at(mesh, cell, mass * wx * wy * wz)
    mesh /= mesh.mean()
    mesh -= 1.0
    return mesh


def power_spectrum(delta, nbins):
    n = delta.shape[0]
    dk = np.fft.rfftn(delta)
    k1 = 2.0 * np.pi * np.fft.fftfreq(n, BOX / n)
    kz = 2.0 * np.pi * np.fft.rfftfreq(n, BOX / n)
    half_cell = 0.5 * BOX / n / np.pi
    window = (np.sinc(k1 * half_cell)[:, None, None] * np.sinc(k1 * half_cell)[None, :, None]
              * np.sinc(kz * half_cell)[None, None, :]) ** 2
    power = np.abs(dk / window) ** 2 * BOX ** 3 / n ** 6
    kk = np.sqrt(k1[:, None, None] ** 2 + k1[None, :, None] ** 2 + kz[None, None, :] ** 2)
    weight = np.full(kk.shape, 2.0)
    weight[:, :, 0] = 1.0
    weight[:, :, -1] = 1.0
    weight[0, 0, 0] = 0.0
    knyq = np.pi * n / BOX
    edges = np.linspace(0.37 * knyq / nbins, 1.003 * knyq, nbins + 1)
    total = np.histogram(kk, edges, weights=weight)[0]
    ksum = np.histogram(kk, edges, weights=weight * kk)[0]
    psum = np.histogram(kk, edges, weights=weight * power)[0]
    return ksum / total, psum / total, total


def main(out):
    rng = np.random.default_rng(20240611)
    pos, vel, mass = make_catalogue(rng)
    randoms = rng.uniform(0.0, BOX, (N_RANDOM, 3))

    edges = np.logspace(np.log10(1.0), np.log10(40.0), 13)
    dd = cross_counts(pos, pos, edges)
    dr = cross_counts(pos, randoms, edges)
    rr = cross_counts(randoms, randoms, edges)
    xi = landy_szalay(dd, dr, rr, len(pos), len(randoms))

    heavy = np.argsort(mass)[::-1][:N_MASSIVE]
    mark = np.log10(mass[heavy]) / np.log10(mass[heavy]).mean()
    npair, wpair, vpair = marked_pairs(pos[heavy], vel[heavy], mark, 2.0, 50.0, 8)
    marked = wpair / npair
    v12 = vpair / npair

    delta = cic_density(pos, mass, N_MESH)
    k, pk, modes = power_spectrum(delta, 12)

    print("haloes", len(pos), "pairs below 40 Mpc/h", int(dd.sum()) // 2)
    print("xi at first and last bin: %.5f %.5f" % (xi[0], xi[-1]))
    print("mean pairwise velocity, closest bin: %.3f km/s" % v12[0])
    print("variance of delta: %.5f" % delta.var())
    print("P(k=%.4f) = %.3f" % (k[2], pk[2]))
    np.savez(out, edges=edges, dd=dd, dr=dr, rr=rr, xi=xi, npair=npair, marked=marked, v12=v12,
             k=k, pk=pk, modes=modes, density_slice=delta[:, :, 5])


if __name__ == "__main__":
    main(sys.argv[1])

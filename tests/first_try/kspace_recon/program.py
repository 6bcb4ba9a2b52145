# Reconstruction of a retrospectively undersampled brain phantom, 6 coils.
#   1. phantom and coil maps, fully sampled k-space + receiver noise
#   2. variable-density line mask, zero-filled sum of squares
#   3. CG-less SENSE: projected Landweber with soft threshold in the Haar domain
#   4. radial spokes gridded with a triangular kernel, for the motion navigator
import sys

import numpy as np

N = 96
NCOIL = 6
rng = np.random.default_rng(77)


def fft2c(img):
    return np.fft.fftshift(np.fft.fft2(np.fft.ifftshift(img, axes=(-2, -1)), norm="ortho"), axes=(-2, -1))


def ifft2c(ksp):
    return np.fft.fftshift(np.fft.ifft2(np.fft.ifftshift(ksp, axes=(-2, -1)), norm="ortho"), axes=(-2, -1))


def ellipse_phantom(n):
    # amplitude, half axes, centre, angle (deg)
    table = [
        (1.00, 0.690, 0.920, 0.00, 0.000, 0.0),
        (-0.80, 0.662, 0.874, 0.00, -0.018, 0.0),
        (-0.20, 0.110, 0.310, 0.22, 0.000, -18.0),
        (-0.20, 0.160, 0.410, -0.22, 0.000, 18.0),
        (0.10, 0.210, 0.250, 0.00, 0.350, 0.0),
        (0.10, 0.046, 0.046, 0.00, 0.100, 0.0),
        (0.10, 0.046, 0.023, -0.08, -0.605, 0.0),
    ]
    axis = (np.arange(n) + 0.5) / n * 2.0 - 1.0
    y, x = np.meshgrid(axis, axis, indexing="ij")
    img = np.zeros((n, n))
    for amp, a, b, x0, y0, deg in table:
        c, s = np.cos(np.deg2rad(deg)), np.sin(np.deg2rad(deg))
        u = (x - x0) * c + (y - y0) * s
        v = -(x - x0) * s + (y - y0) * c
        img[(u / a) ** 2 + (v / b) ** 2 <= 1.0] += amp
    return img


def coil_maps(n, ncoil):
    axis = np.linspace(-1.0, 1.0, n)
    maps = np.empty((ncoil, n, n), dtype=complex)
    for c in range(ncoil):
        ang = 2.0 * np.pi * c / ncoil
        dx = axis[None, :] - 1.3 * np.cos(ang)
        dy = axis[:, None] - 1.3 * np.sin(ang)
        maps[c] = np.exp(-(dx ** 2 + dy ** 2) / 1.6) * np.exp(1j * (0.7 * dx - 0.5 * dy + ang))
    return maps / np.sqrt((np.abs(maps) ** 2).sum(axis=0))


def haar(img):
    """One level, quadrants packed in one array."""
    lo = (img[0::2] + img[1::2]) / np.sqrt(2.0)
    hi = (img[0::2] - img[1::2]) / np.sqrt(2.0)
    rows = np.concatenate([lo, hi], axis=0)
    lo = (rows[:, 0::2] + rows[:, 1::2]) / np.sqrt(2.0)
    hi = (rows[:, 0::2] - rows[:, 1::2]) / np.sqrt(2.0)
    return np.concatenate([lo, hi], axis=1)


def ihaar(coef):
    m = coef.shape[0] // 2
    rows = np.empty_like(coef)
    rows[:, 0::2] = (coef[:, :m] + coef[:, m:]) / np.sqrt(2.0)
    rows[:, 1::2] = (coef[:, :m] - coef[:, m:]) / np.sqrt(2.0)
    img = np.empty_like(coef)
    img[0::2] = (rows[:m] + rows[m:]) / np.sqrt(2.0)
    img[1::2] = (rows[:m] - rows[m:]) / np.sqrt(2.0)
    return img


def shrink(coef, lam):
    m = coef.shape[0] // 2
    mag = np.abs(coef)
    out = coef * np.maximum(mag - lam, 0.0) / np.maximum(mag, 1e-12)
    out[:m, :m] = coef[:m, :m]
    return out


def grid_spokes(samples, kx, ky, n):
    """Scatter the samples on the Cartesian grid with a 2 x 2 triangular kernel; returns data and density."""
    data = np.zeros((n, n), dtype=complex)
    dens = np.zeros((n, n))
    for s in range(len(samples)):
        ix = int(np.floor(kx[s]))
        iy = int(np.floor(ky[s]))
        for jy in range(2):
            for jx in range(2):
                px, py = ix + jx, iy + jy
                if 0 <= px < n and 0 <= py < n:
                    w = (1.0 - abs(kx[s] - px)) * (1.0 - abs(ky[s] - py))
                    data[py, px] += w * samples[s]
                    dens[py, px] += w
    return data, dens


truth = ellipse_phantom(N)
maps = coil_maps(N, NCOIL)
noise = rng.standard_normal((NCOIL, N, N)) + 1j * rng.standard_normal((NCOIL, N, N))
full = fft2c(maps * truth) + 0.002 * noise

# sampling: 20 central lines and a random third of the others
lines = rng.random(N) < 0.34
lines[N // 2 - 10:N // 2 + 10] = True
mask = np.zeros((N, N))
mask[lines, :] = 1.0
under = full * mask

zero_filled = np.sqrt((np.abs(ifft2c(under)) ** 2).sum(axis=0))

img = (np.conj(maps) * ifft2c(under)).sum(axis=0)
residuals = []
for it in range(20):
    resid = under - mask * fft2c(maps * img)
    img = img + (np.conj(maps) * ifft2c(resid)).sum(axis=0)
    img = ihaar(shrink(haar(img), 0.004))
    residuals.append(np.linalg.norm(resid))
recon = np.abs(img)


def nrmse(a, b):
    return np.sqrt(np.mean((a - b) ** 2)) / np.sqrt(np.mean(b ** 2))


# navigator: 12 golden-angle spokes read off the first coil by nearest sample
spokes = 12
radius = np.arange(-N // 2 + 1, N // 2) + 0.25
angle = np.arange(spokes) * np.deg2rad(111.246)
kx = (N / 2 + radius[None, :] * np.cos(angle)[:, None]).ravel()
ky = (N / 2 + radius[None, :] * np.sin(angle)[:, None]).ravel()
near = full[0][np.clip(np.rint(ky).astype(int), 0, N - 1), np.clip(np.rint(kx).astype(int), 0, N - 1)]
gridded, density = grid_spokes(near, kx, ky, N)
navigator = np.abs(ifft2c(np.where(density > 1e-6, gridded / np.maximum(density, 1e-6), 0.0)))

print(f"lines kept {int(lines.sum())} of {N}")
print(f"nrmse zero filled {nrmse(zero_filled, truth):.6f}  sense {nrmse(recon, truth):.6f}")
print(f"residual {residuals[0]:.6f} -> {residuals[-1]:.6f}")
np.savez(sys.argv[1], truth=truth, zero_filled=zero_filled, recon=recon, residuals=np.array(residuals),
         density=density, navigator=navigator)

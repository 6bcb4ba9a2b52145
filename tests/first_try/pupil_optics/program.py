# Image quality of a small singlet telescope: trace a bundle of skew rays through
# spherical surfaces, get the wavefront, fit Zernike terms, propagate to the focus.
import sys
import math
import numpy as np

out = sys.argv[1]

# ---------------------------------------------------------------- prescription (mm)
surfaces = [
    # curvature, distance to next, index behind
    (1.0 / 92.5, 6.0, 1.5168),
    (-1.0 / 71.3, 2.4, 1.6200),
    (-1.0 / 240.8, 140.0, 1.0),
]
semi_aperture = 12.0
wavelength = 0.5876e-3
field_angle = math.radians(0.8)


def refract(pos, dirs, curvature, n1, n2):
    """Intersect rays with a sphere through the origin of the local frame and refract them."""
    z = pos[:, 2]
    b = dirs[:, 2] - curvature * (pos * dirs).sum(axis=1)
    c = curvature * (pos * pos).sum(axis=1) - 2.0 * z
    root = np.sqrt(np.maximum(b * b - curvature * c, 0.0))
    path = c / (b + root)
    hit = pos + path[:, None] * dirs
    normal = -curvature * hit
    normal[:, 2] += 1.0
    mu = n1 / n2
    cos1 = np.einsum("ij,ij->i", dirs, normal)
    cos2 = np.sqrt(1.0 - mu ** 2 * (1.0 - cos1 ** 2))
    bent = mu * dirs + (cos2 - mu * cos1)[:, None] * normal
    return hit, bent, n1 * path


def radial(n, m, r):
    total = np.zeros_like(r)
    for k in range((n - m) // 2 + 1):
        c = (-1) ** k * math.factorial(n - k)
        c /= math.factorial(k) * math.factorial((n + m) // 2 - k) * math.factorial((n - m) // 2 - k)
        total += c * r ** (n - 2 * k)
    return total


def zernike(n, m, r, phi):
    if m >= 0:
        return radial(n, m, r) * np.cos(m * phi)
    return radial(n, -m, r) * np.sin(-m * phi)


# ---------------------------------------------------------------- ray bundle
side = 61
axis = np.linspace(-1.0, 1.0, side)
px, py = np.meshgrid(axis, axis)
inside = px ** 2 + py ** 2 <= 0.999
x = px[inside] * semi_aperture
y = py[inside] * semi_aperture
rays = x.size
pos = np.stack([x, y, np.zeros(rays)], axis=1)
dirs = np.tile(np.array([0.0, math.sin(field_angle), math.cos(field_angle)]), (rays, 1))
opl = pos[:, 1] * math.sin(field_angle)

index = 1.0
for curvature, gap, behind in surfaces:
    pos, dirs, travelled = refract(pos, dirs, curvature, index, behind)
    opl = opl + travelled
    pos[:, 2] -= gap
    index = behind

# ---------------------------------------------------------------- best focus by least squares
slope = dirs[:, :2] / dirs[:, 2:]
at_plane = pos[:, :2] - pos[:, 2:] * slope
ds = slope - slope.mean(axis=0)
dp = at_plane - at_plane.mean(axis=0)
shift = -(ds * dp).sum() / (ds * ds).sum()
spots = at_plane + shift * slope
centre = spots.mean(axis=0)
rms_spot = np.sqrt(((spots - centre) ** 2).sum(axis=1).mean())

# reference sphere: path length to the point closest to the image centre
target = np.array([centre[0], centre[1], shift])
to_target = target - pos
opl = opl + np.einsum("ij,ij->i", to_target, dirs)
opd = (opl - opl.mean()) / wavelength

# ---------------------------------------------------------------- Zernike fit
orders = [(0, 0), (1, 1), (1, -1), (2, 0), (2, 2), (2, -2), (3, 1), (3, -1), (4, 0)]
r = np.hypot(px[inside], py[inside])
phi = np.arctan2(py[inside], px[inside])
basis = np.stack([zernike(n, m, r, phi) for n, m in orders], axis=1)
coefficients = np.linalg.solve(basis.T @ basis, basis.T @ opd)
residual = opd - basis @ coefficients

# ---------------------------------------------------------------- point spread function
padded = 256
pupil = np.zeros((padded, padded), dtype=complex)
wave = np.zeros((side, side))
wave[inside] = opd
pupil[:side, :side][inside] = np.exp(2j * np.pi * wave[inside])
psf = np.abs(np.fft.fftshift(np.fft.fft2(pupil))) ** 2
psf /= psf.sum()
ideal = np.zeros((padded, padded))
ideal[:side, :side][inside] = 1.0
flat = np.abs(np.fft.fft2(ideal)) ** 2
strehl = psf.max() / (flat.max() / flat.sum())
mtf = np.abs(np.fft.fft2(psf))[0, :padded // 2]

# encircled energy about the centroid
yy, xx = np.indices(psf.shape)
cy, cx = (yy * psf).sum(), (xx * psf).sum()
ring = np.hypot(yy - cy, xx - cx).astype(np.int64)
energy = np.bincount(ring.ravel(), weights=psf.ravel())
encircled = np.cumsum(energy)

# ---------------------------------------------------------------- spot diagram on the detector
pixel = 0.0035
detector = np.zeros((25, 25), dtype=np.int64)
for k in range(rays):
    u = int(math.floor((spots[k, 0] - centre[0]) / pixel + 12.5))
    v = int(math.floor((spots[k, 1] - centre[1]) / pixel + 12.5))
    if 0 <= u < 25 and 0 <= v < 25:
        detector[v, u] += 1

# largest distance of a ray from the centre, and which ray
worst, worst_ray = -1.0, -1
for k in range(rays):
    d = (spots[k, 0] - centre[0]) ** 2 + (spots[k, 1] - centre[1]) ** 2
    if d > worst:
        worst, worst_ray = d, k

np.savez(out, spots=spots, opd=opd, coefficients=coefficients, residual=residual, psf=psf,
         mtf=mtf, encircled=encircled, detector=detector, worst=worst)
print(f"{rays} rays, focus shift {shift:.6f} mm, rms spot {1e3 * rms_spot:.5f} um")
print(f"wavefront rms {opd.std():.6f} waves, Strehl {strehl:.6f}")
print(f"primary spherical {coefficients[8]:.6f}, farthest ray {1e3 * math.sqrt(worst):.4f} um")
print(f"{detector.sum()} rays on the detector, brightest pixel {detector.max()}")

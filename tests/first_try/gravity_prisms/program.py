"""Forward and inverse-type processing of a gravity survey over buried prisms."""
import math
import sys

import numpy as np

G = 6.674e-11
MGAL = 1.0e5


def prism_effect(station: np.ndarray, prism: np.ndarray) -> float:
    """Vertical attraction (mGal per kg/m3) of one right rectangular prism (Nagy 1966); z is down."""
    total = 0.0
    for i in range(2):
        x = prism[i] - station[0]
        for j in range(2):
            y = prism[2 + j] - station[1]
            for k in range(2):
                z = prism[4 + k] - station[2]
                r = math.sqrt(x * x + y * y + z * z)
                term = x * math.log(y + r) + y * math.log(x + r) - z * math.atan2(x * y, z * r)
                if (i + j + k) % 2 == 0:
                    total += term
                else:
                    total -= term
    return total * G * MGAL


def survey_response(stations: np.ndarray, prisms: np.ndarray, density: np.ndarray) -> np.ndarray:
    """Sum over all prisms at every station."""
    out = np.zeros(len(stations))
    for s in range(len(stations)):
        acc = 0.0
        for p in range(len(prisms)):
            acc += density[p] * prism_effect(stations[s], prisms[p])
        out[s] = acc
    return out


def terrain_correction(stations, grid_x, grid_y, height, rho=2670.0, inner=150.0):
    """Annular-sector line-mass approximation of the terrain effect, cells nearer than `inner` left out."""
    cell_area = (grid_x[1] - grid_x[0]) * (grid_y[1] - grid_y[0])
    out = np.zeros(len(stations))
    hx, hy = np.meshgrid(grid_x, grid_y, indexing="xy")
    for n, (sx, sy, sz) in enumerate(stations):
        r2 = (hx - sx) ** 2 + (hy - sy) ** 2
        dh = height + sz
        far = r2 > inner**2
        effect = np.where(far, 1.0 / np.sqrt(np.where(far, r2, 1.0)) - 1.0 / np.sqrt(r2 + dh**2 + 1e-12), 0.0)
        out[n] = G * rho * cell_area * effect.sum() * MGAL
    return out


def remove_trend(grid_x, grid_y, field, degree=2):
    """Least-squares polynomial surface; returns residual and coefficients (scaled coordinates)."""
    xx, yy = np.meshgrid(grid_x, grid_y, indexing="xy")
    xs = (xx - xx.mean()) / (xx.max() - xx.min())
    ys = (yy - yy.mean()) / (yy.max() - yy.min())
    columns = [xs**i * ys**j for i in range(degree + 1) for j in range(degree + 1 - i)]
    design = np.stack([c.ravel() for c in columns], axis=1)
    normal = design.T @ design
    coef = np.linalg.solve(normal, design.T @ field.ravel())
    return field - (design @ coef).reshape(field.shape), coef


def spectral_derivatives(field, dx, dy, up=120.0):
    """Gradient components after upward continuation, in the wavenumber domain on a mirrored grid."""
    ny, nx = field.shape
    wide = np.concatenate([field, field[:, ::-1]], axis=1)
    wide = np.concatenate([wide, wide[::-1, :]], axis=0)
    kx = 2 * np.pi * np.fft.fftfreq(2 * nx, dx)
    ky = 2 * np.pi * np.fft.fftfreq(2 * ny, dy)
    kr = np.sqrt(kx[None, :] ** 2 + ky[:, None] ** 2)
    spectrum = np.fft.fft2(wide) * np.exp(-kr * up)
    keep = (slice(0, ny), slice(0, nx))
    cont = np.fft.ifft2(spectrum).real[keep]
    gx = np.fft.ifft2(spectrum * 1j * kx[None, :]).real[keep]
    gy = np.fft.ifft2(spectrum * 1j * ky[:, None]).real[keep]
    gz = np.fft.ifft2(spectrum * kr).real[keep]
    return cont, gx, gy, gz


def euler_depths(grid_x, grid_y, field, gx, gy, gz, window=9, index=1.0, stride=3):
    """Euler deconvolution: in every window solve for source position and base level."""
    ny, nx = field.shape
    found = []
    for r in range(0, ny - window + 1, stride):
        for c in range(0, nx - window + 1, stride):
            cut = (slice(r, r + window), slice(c, c + window))
            fx, fy, fz = gx[cut].ravel(), gy[cut].ravel(), gz[cut].ravel()
            wx = np.tile(grid_x[c:c + window], window) - grid_x[c + window // 2]
            wy = np.repeat(grid_y[r:r + window], window) - grid_y[r + window // 2]
            scale = 1.0e3
            a = np.stack([fx * scale, fy * scale, fz * scale, np.full(window * window, index)], axis=1)
            b = wx * fx + wy * fy + index * field[cut].ravel()
            normal = a.T @ a + 1e-6 * np.eye(4)
            sol = np.linalg.solve(normal, a.T @ b)
            found.append((grid_x[c + window // 2] + sol[0] * scale, grid_y[r + window // 2] + sol[1] * scale,
                          sol[2] * scale, sol[3]))
    return np.array(found)


def ridge_points(total_gradient):
    """Blakely-Simpson style maxima: cells higher than their neighbours in at least two directions."""
    ny, nx = total_gradient.shape
    score = np.zeros((ny, nx), dtype=np.int64)
    height = np.zeros((ny, nx))
    for i in range(1, ny - 1):
        for j in range(1, nx - 1):
            g = total_gradient[i, j]
            for di, dj in ((0, 1), (1, 0), (1, 1), (1, -1)):
                before = total_gradient[i - di, j - dj]
                after = total_gradient[i + di, j + dj]
                if g > before and g > after:
                    score[i, j] += 1
                    curve = 0.5 * (before - 2.0 * g + after)
                    shift = -0.25 * (after - before) / curve
                    top = curve * shift * shift + 0.5 * (after - before) * shift + g
                    if top > height[i, j]:
                        height[i, j] = top
    return score, height


def profile_half_width(x, g):
    """Depth rule: walk from the maximum to both sides until the anomaly has halved."""
    peak = int(np.argmax(g))
    left = peak
    while left > 0 and g[left] > 0.5 * g[peak]:
        left -= 1
    right = peak
    while right < len(g) - 1 and g[right] > 0.5 * g[peak]:
        right += 1
    return 0.5 * (x[right] - x[left])


def main() -> None:
    rng = np.random.default_rng(31)
    prisms = np.array([
        [800.0, 1500.0, 900.0, 1400.0, 300.0, 900.0],
        [2300.0, 2900.0, 1700.0, 2600.0, 450.0, 1500.0],
        [1200.0, 1900.0, 2500.0, 2900.0, 200.0, 420.0],
        [2600.0, 3300.0, 500.0, 900.0, 350.0, 800.0],
    ])
    density = np.array([320.0, -210.0, 450.0, 180.0])
    x = np.linspace(0.0, 3900.0, 36) + 3.7
    y = np.linspace(0.0, 3600.0, 34) + 1.9
    xx, yy = np.meshgrid(x, y, indexing="xy")
    stations = np.column_stack([xx.ravel(), yy.ravel(), np.zeros(xx.size)])
    anomaly = survey_response(stations, prisms, density)

    tx = np.linspace(-2000.0, 6000.0, 81)
    ty = np.linspace(-2000.0, 5600.0, 77)
    terrain = 90.0 * np.exp(-((tx[None, :] - 4200) / 900) ** 2 - ((ty[:, None] - 2500) / 1300) ** 2) + 12 * rng.random((77, 81))
    line = stations[: 36 * 3 : 2]
    correction = terrain_correction(line, tx, ty, terrain)

    regional = 2.0 + 1.1e-3 * xx - 6.0e-4 * yy + 1.0e-7 * xx * yy
    observed = anomaly.reshape(xx.shape) + regional + 0.01 * rng.standard_normal(xx.shape)
    residual, coef = remove_trend(x, y, observed)
    cont, gx, gy, gz = spectral_derivatives(residual, x[1] - x[0], y[1] - y[0])
    horizontal = np.hypot(gx, gy)
    analytic = np.sqrt(gx**2 + gy**2 + gz**2)
    tilt = np.arctan2(gz, horizontal)
    euler = euler_depths(x, y, cont, gx, gy, gz)
    inside = (euler[:, 2] > 0) & (euler[:, 2] < 3000)
    score, height = ridge_points(horizontal)
    half = profile_half_width(x, residual[11])

    print(f"anomaly {anomaly.min():.5f} .. {anomaly.max():.5f} mGal, terrain {correction.mean():.6f} mGal")
    print(f"residual rms {np.sqrt(np.mean(residual**2)):.5f}, half width {half:.2f} m")
    print(f"Euler windows {len(euler)}, median depth {np.median(euler[inside, 2]):.2f} m")
    print(f"ridge cells {int((score >= 2).sum())}, steepest {horizontal.max():.6e} mGal/m")
    np.savez(sys.argv[1], anomaly=anomaly, correction=correction, residual=residual, coef=coef, cont=cont,
             gz=gz, horizontal=horizontal, analytic=analytic, tilt=tilt, euler=euler, score=score, height=height)


if __name__ == "__main__":
    main()

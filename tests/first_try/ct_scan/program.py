"""Parallel-beam CT of a Shepp-Logan-like phantom: projections with photon noise,
ring correction, filtered back-projection, SIRT and a few image measures."""
import sys

import numpy as np
from scipy import ndimage, signal

ELLIPSES = [
    # density, semi-axes, centre, angle in degrees
    (1.00, 0.69, 0.92, 0.00, 0.000, 0.0),
    (-0.80, 0.66, 0.87, 0.00, -0.018, 0.0),
    (-0.20, 0.11, 0.31, 0.22, 0.000, -18.0),
    (-0.20, 0.16, 0.41, -0.22, 0.000, 18.0),
    (0.30, 0.21, 0.25, 0.00, 0.350, 0.0),
    (0.40, 0.046, 0.046, 0.00, -0.100, 0.0),
    (0.30, 0.046, 0.023, -0.08, -0.605, 0.0),
]


def phantom(n: int) -> np.ndarray:
    c = (np.arange(n) + 0.5) / n * 2.0 - 1.0
    x, y = np.meshgrid(c, -c)
    image = np.zeros((n, n))
    for density, a, b, x0, y0, deg in ELLIPSES:
        phi = np.deg2rad(deg)
        u = (x - x0) * np.cos(phi) + (y - y0) * np.sin(phi)
        v = -(x - x0) * np.sin(phi) + (y - y0) * np.cos(phi)
        image[(u / a) ** 2 + (v / b) ** 2 <= 1.0] += density
    return image


def project(image: np.ndarray, angles: np.ndarray) -> np.ndarray:
    """Line sums of the rotated image, one row per angle."""
    n = image.shape[0]
    rows = [ndimage.rotate(image, np.rad2deg(a), reshape=False, order=1).sum(axis=0) for a in angles]
    return np.array(rows) * (2.0 / n)


def photon_noise(sinogram: np.ndarray, counts: float, rng) -> np.ndarray:
    measured = rng.poisson(counts * np.exp(-sinogram))
    return -np.log(np.maximum(measured, 1) / counts)


def remove_rings(sinogram: np.ndarray, width: int) -> np.ndarray:
    """Detector gain from the mean over the angles against its median-smoothed self."""
    profile = sinogram.mean(axis=0)
    gain = profile - ndimage.median_filter(profile, width)
    return sinogram - gain


def ramp_filter(sinogram: np.ndarray) -> np.ndarray:
    n = sinogram.shape[1]
    size = 1 << int(np.ceil(np.log2(2 * n)))
    h = np.zeros(size)
    h[0] = 0.25
    odd = np.arange(1, size // 2, 2)
    h[odd] = -1.0 / (np.pi * odd) ** 2
    h[size - odd] = h[odd]
    window = 0.54 + 0.46 * np.cos(2 * np.pi * np.fft.fftfreq(size))
    response = np.fft.fft(h).real * window
    padded = np.zeros((sinogram.shape[0], size))
    padded[:, :n] = sinogram
    return np.fft.ifft(np.fft.fft(padded, axis=1) * response, axis=1).real[:, :n] * (n / 2.0)


def back_project(filtered: np.ndarray, angles: np.ndarray, n: int) -> np.ndarray:
    c = np.arange(n) - (n - 1) / 2.0
    x, y = np.meshgrid(c, c)
    image = np.zeros((n, n))
    bins = np.arange(filtered.shape[1])
    middle = (filtered.shape[1] - 1) / 2.0
    for row, a in zip(filtered, angles):
        s = x * np.cos(a) + y * np.sin(a) + middle
        image += np.interp(s.ravel(), bins, row, left=0.0, right=0.0).reshape(n, n)
    return image * np.pi / len(angles)


def system_matrix(n: int, angles: np.ndarray) -> np.ndarray:
    """Weights of pixels in detector bins by linear splitting."""
    a = np.zeros((len(angles) * n, n * n))
    mid = (n - 1) / 2.0
    for k in range(len(angles)):
        c, s = np.cos(angles[k]), np.sin(angles[k])
        for i in range(n):
            for j in range(n):
                t = (j - mid) * c - (i - mid) * s + mid
                b = int(np.floor(t))
                w = t - b
                if 0 <= b < n:
                    a[k * n + b, i * n + j] += 1.0 - w
                if 0 <= b + 1 < n:
                    a[k * n + b + 1, i * n + j] += w
    return a * (2.0 / n)


def sirt(a: np.ndarray, data: np.ndarray, rounds: int):
    row_sum = a.sum(axis=1)
    col_sum = a.sum(axis=0)
    r = np.divide(1.0, row_sum, out=np.zeros_like(row_sum), where=row_sum > 1e-8)
    c = np.divide(1.0, col_sum, out=np.zeros_like(col_sum), where=col_sum > 1e-8)
    x = np.zeros(a.shape[1])
    misfit = np.zeros(rounds)
    for n in range(rounds):
        rest = data - a @ x
        x += c * (a.T @ (r * rest))
        np.maximum(x, 0.0, out=x)
        misfit[n] = np.linalg.norm(rest)
    return x, misfit


def kaczmarz(a: np.ndarray, data: np.ndarray, x: np.ndarray, relax: float) -> np.ndarray:
    """One sweep of row projections, every row against the newest image."""
    for k in range(a.shape[0]):
        size = a[k] @ a[k]
        if size > 1e-10:
            x = x + relax * (data[k] - a[k] @ x) / size * a[k]
    return x


def total_variation(image: np.ndarray, steps: int, weight: float) -> np.ndarray:
    """Gradient descent on a smoothed total variation plus the data term."""
    u = image.copy()
    for _ in range(steps):
        dx = np.zeros_like(u)
        dy = np.zeros_like(u)
        dx[:, :-1] = u[:, 1:] - u[:, :-1]
        dy[:-1, :] = u[1:, :] - u[:-1, :]
        size = np.sqrt(dx ** 2 + dy ** 2 + 1e-2)
        px, py = dx / size, dy / size
        div = px + py
        div[:, 1:] -= px[:, :-1]
        div[1:, :] -= py[:-1, :]
        u += 0.1 * (weight * div - (u - image))
    return u


def ssim(a: np.ndarray, b: np.ndarray) -> float:
    win = np.outer(signal.windows.gaussian(7, 1.5), signal.windows.gaussian(7, 1.5))
    win /= win.sum()

    def mean(z):
        return signal.convolve2d(z, win, mode="valid")

    ma, mb = mean(a), mean(b)
    va, vb = mean(a * a) - ma ** 2, mean(b * b) - mb ** 2
    cov = mean(a * b) - ma * mb
    c1, c2 = 1e-4, 9e-4
    return float(np.mean((2 * ma * mb + c1) * (2 * cov + c2) / ((ma ** 2 + mb ** 2 + c1) * (va + vb + c2))))


def main() -> None:
    rng = np.random.default_rng(2020)
    n = 96
    truth = phantom(n)
    angles = (np.arange(60) + 0.21) * np.pi / 60
    sinogram = photon_noise(project(truth, angles), 2e5, rng)
    sinogram += 0.01 * rng.standard_normal(n)
    clean = remove_rings(sinogram, 9)
    fbp = back_project(ramp_filter(clean), angles, n)
    smooth = total_variation(fbp, 30, 0.03)

    small = 24
    coarse = truth.reshape(small, 4, small, 4).mean(axis=(1, 3))
    few = (np.arange(15) + 0.37) * np.pi / 15
    a = system_matrix(small, few)
    data = a @ coarse.ravel()
    x, misfit = sirt(a, data, 40)
    polished = kaczmarz(a, data, x, 0.8)

    np.savez(sys.argv[1], sinogram=sinogram, clean=clean, fbp=fbp, smooth=smooth,
             x=x, misfit=misfit, polished=polished)
    for name, image in (("fbp", fbp), ("tv", smooth)):
        error = np.sqrt(((image - truth) ** 2).mean())
        print(f"{name:4s} rms error {error:.6f}  ssim {ssim(image, truth):.6f}")
    print(f"sirt misfit {misfit[0]:.5f} -> {misfit[-1]:.5f}, error {np.abs(x - coarse.ravel()).mean():.6f}")
    print(f"after a Kaczmarz sweep {np.abs(polished - coarse.ravel()).mean():.6f}")


if __name__ == "__main__":
    main()

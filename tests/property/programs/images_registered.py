"""Image registration: phase correlation, then Gauss-Newton on an affine warp."""
import numpy as np
from scipy import ndimage


def gaussian_blob_image(shape, centers, widths):
    yy, xx = np.indices(shape)
    out = np.zeros(shape)
    for (cy, cx), w in zip(centers, widths):
        out += np.exp(-((yy - cy) ** 2 + (xx - cx) ** 2) / (2 * w * w))
    return out


def phase_correlation(a, b):
    A, B = np.fft.fft2(a), np.fft.fft2(b)
    R = A * B.conj()
    R /= np.abs(R) + 1e-12
    r = np.fft.ifft2(R).real
    peak = np.unravel_index(np.argmax(r), r.shape)
    shift = [p if p <= n // 2 else p - n for p, n in zip(peak, r.shape)]
    return np.array(shift, dtype=float), r.max()


def warp(img, p):
    M = np.eye(2) + p[:4].reshape(2, 2)
    centre = (np.array(img.shape) - 1) / 2
    offset = centre - M @ centre + p[4:]
    return ndimage.affine_transform(img, M, offset=offset, order=1, mode="nearest")


def gauss_newton(fixed, moving, p0, iterations=8):
    p = p0.copy()
    h, w = fixed.shape
    yy, xx = np.mgrid[:h, :w].astype(float)
    yy -= (h - 1) / 2
    xx -= (w - 1) / 2
    costs = []
    for _ in range(iterations):
        warped = warp(moving, p)
        gy, gx = np.gradient(warped)
        J = np.stack([gy * yy, gy * xx, gx * yy, gx * xx, gy, gx], axis=-1).reshape(-1, 6)
        r = (fixed - warped).ravel()
        costs.append(0.5 * r @ r)
        step, *_ = np.linalg.lstsq(J, r, rcond=None)
        p += step
        if np.linalg.norm(step) < 1e-6:
            break
    return p, costs


def main():
    shape = (40, 48)
    fixed = gaussian_blob_image(shape, [(12, 14), (25, 30), (30, 10)], [3.0, 4.0, 2.5])
    moving = np.roll(fixed, (3, -5), axis=(0, 1))
    shift, strength = phase_correlation(moving, fixed)
    print(shift, f"{strength:.4f}")
    truth = np.array([0.02, -0.01, 0.015, -0.02, 1.2, -0.8])
    moved = warp(fixed, truth)
    p, costs = gauss_newton(moved, fixed, np.zeros(6))
    print([f"{c:.6f}" for c in costs][:4])
    print(np.round(p, 4))


if __name__ == "__main__":
    main()

"""Registration of a drifting, rotating microscope series: log-polar phase correlation for rotation and
scale, phase correlation with subpixel refinement for shifts, Gauss-Newton affine polish, and stacking."""
import math
import sys

import numpy as np
from scipy import ndimage

SIZE = 256
FRAMES = 7


def specimen(size, rng):
    """Cells with rims, fibres and speckle on a size x size field."""
    y, x = np.mgrid[0:size, 0:size].astype(float)
    image = np.zeros((size, size))
    for cy, cx, r, bright in zip(rng.uniform(0, size, 45), rng.uniform(0, size, 45),
                                 rng.uniform(5, 16, 45), rng.uniform(0.4, 1.0, 45)):
        d = np.hypot(y - cy, x - cx)
        image += bright * (np.exp(-((d - r) / 2.0) ** 2) + 0.4 / (1.0 + np.exp(np.minimum(d - r, 40.0))))
    for angle in (0.3, 1.4, 2.2):
        wave = np.sin(angle) * x + np.cos(angle) * y
        image += 0.25 * np.exp(-((wave % 71.0 - 35.0) / 1.8) ** 2)
    image += 0.3 * ndimage.gaussian_filter(rng.standard_normal((size, size)), 1.5)
    return image


class Motion:
    """Rotation, scale and shift about the image centre."""

    def __init__(self, angle=0.0, scale=1.0, shift=(0.0, 0.0)):
        self.angle = angle
        self.scale = scale
        self.shift = shift

    def matrix(self):
        c, s = self.scale * np.cos(self.angle), self.scale * np.sin(self.angle)
        return np.array([[c, -s], [s, c]])

    def sample_points(self, shape):
        """Where each pixel of the registered image lies in the moving one."""
        cy, cx = (shape[0] - 1) / 2.0, (shape[1] - 1) / 2.0
        y, x = np.meshgrid(np.arange(shape[0]) - cy, np.arange(shape[1]) - cx, indexing="ij")
        c, s = self.scale * np.cos(self.angle), self.scale * np.sin(self.angle)
        return c * y - s * x + cy + self.shift[0], s * y + c * x + cx + self.shift[1]

    def __repr__(self):
        return (f"{math.degrees(self.angle):+.3f} deg, x{self.scale:.4f}, "
                f"({self.shift[0]:+.3f}, {self.shift[1]:+.3f}) px")


def bicubic(image, y, x):
    """Catmull-Rom interpolation with clamped borders."""
    iy, ix = np.floor(y).astype(np.int64), np.floor(x).astype(np.int64)
    fy, fx = y - iy, x - ix

    def weights(f):
        return (((-0.5 * f + 1.0) * f - 0.5) * f, (1.5 * f - 2.5) * f * f + 1.0,
                ((-1.5 * f + 2.0) * f + 0.5) * f, (0.5 * f - 0.5) * f * f)

    out = np.zeros(y.shape)
    for dy, wy in enumerate(weights(fy)):
        row = np.clip(iy + dy - 1, 0, image.shape[0] - 1)
        line = np.zeros(y.shape)
        for dx, wx in enumerate(weights(fx)):
            line += wx * image[row, np.clip(ix + dx - 1, 0, image.shape[1] - 1)]
        out += wy * line
    return out


def taper(size):
    w = np.hanning(size)
    return w[:, None] * w[None, :]


def highpass_spectrum(image):
    """Centred log magnitude with the low frequencies suppressed."""
    spec = np.abs(np.fft.fftshift(np.fft.fft2((image - image.mean()) * taper(image.shape[0]))))
    f = np.fft.fftshift(np.fft.fftfreq(image.shape[0]))
    c = np.cos(np.pi * f)[:, None] * np.cos(np.pi * f)[None, :]
    return np.log1p(spec) * (1.0 - c) * (2.0 - c)


def log_polar(spec, angles=360, radii=192):
    centre = spec.shape[0] // 2
    base = np.exp(np.log(0.45 * spec.shape[0] / 4.0) / (radii - 1))
    theta = np.pi * np.arange(angles) / angles
    r = 4.0 * base ** np.arange(radii)
    y = centre + r[None, :] * np.sin(theta)[:, None]
    x = centre + r[None, :] * np.cos(theta)[:, None]
    return ndimage.map_coordinates(spec, [y, x], order=1), base


def phase_correlate(a, b, sigma=0.12):
    """Shift of b against a by the peak of the normalised cross-power spectrum; peak height."""
    fa, fb = np.fft.fft2(a), np.fft.fft2(b)
    cross = fb * fa.conj()
    cross /= np.abs(cross) + 1e-6 * np.abs(cross).mean()
    f0, f1 = np.fft.fftfreq(a.shape[0]), np.fft.fftfreq(a.shape[1])
    cross *= np.exp(-0.5 * (f0[:, None] ** 2 + f1[None, :] ** 2) / sigma**2)
    surface = np.fft.ifft2(cross).real
    peak = np.unravel_index(np.argmax(surface), surface.shape)
    shift = []
    for axis, size in enumerate(surface.shape):
        before, after = list(peak), list(peak)
        before[axis] = (peak[axis] - 1) % size
        after[axis] = (peak[axis] + 1) % size
        m, z, p = surface[tuple(before)], surface[peak], surface[tuple(after)]
        k = peak[axis] - size if peak[axis] > size // 2 else peak[axis]
        shift.append(float(k + 0.5 * (m - p) / (m - 2.0 * z + p)))
    return tuple(shift), float(surface[peak])


def coarse(reference, moving):
    """Rotation and scale from the spectra, then the shift."""
    pa, base = log_polar(highpass_spectrum(reference))
    pb, _ = log_polar(highpass_spectrum(moving))
    window = np.hanning(pa.shape[1])[None, :]
    (da, dr), _ = phase_correlate((pa - pa.mean()) * window, (pb - pb.mean()) * window)
    motion = Motion(-np.pi * da / pa.shape[0], base ** (-dr))
    turned = bicubic(moving, *motion.sample_points(moving.shape))
    w = taper(reference.shape[0])
    (sy, sx), height = phase_correlate((reference - reference.mean()) * w, (turned - turned.mean()) * w)
    m = motion.matrix()
    motion.shift = (m[0, 0] * sy + m[0, 1] * sx, m[1, 0] * sy + m[1, 1] * sx)
    return motion, height


def polish(reference, moving, motion, rounds=12, margin=24):
    """Gauss-Newton over angle, scale and shift on smoothed images."""
    ref = ndimage.gaussian_filter(reference, 1.2)
    mov = ndimage.gaussian_filter(moving, 1.2)
    gy, gx = np.gradient(mov)
    inner = (slice(margin, -margin), slice(margin, -margin))
    cy, cx = (ref.shape[0] - 1) / 2.0, (ref.shape[1] - 1) / 2.0
    for count in range(1, rounds + 1):
        y, x = motion.sample_points(ref.shape)
        warped = bicubic(mov, y, x)[inner]
        wy, wx = bicubic(gy, y, x)[inner], bicubic(gx, y, x)[inner]
        ry, rx = (y - cy - motion.shift[0])[inner], (x - cx - motion.shift[1])[inner]
        columns = [-wy * rx + wx * ry, (wy * ry + wx * rx) / motion.scale, wy, wx, np.ones_like(wy)]
        jac = np.stack([c.ravel() for c in columns], axis=1)
        residual = (ref[inner] - warped).ravel()
        step = np.linalg.solve(jac.T @ jac, jac.T @ residual)
        motion = Motion(motion.angle + step[0], motion.scale + step[1],
                        (motion.shift[0] + step[2], motion.shift[1] + step[3]))
        if np.abs(step[:4]).max() < 1e-6:
            break
    return motion, float(np.sqrt(np.mean(residual**2))), count


def main():
    rng = np.random.default_rng(512)
    truth = specimen(SIZE, rng)
    reference = truth + 0.04 * rng.standard_normal(truth.shape)
    stack, params = [reference], []
    for k in range(1, FRAMES):
        true = Motion(0.025 * k * (-1) ** k, 1.0 + 0.008 * (k - 3), (2.3 * k, 5.1 - 1.7 * k))
        moving = bicubic(truth, *true.sample_points(truth.shape)) + 0.04 * rng.standard_normal(truth.shape)
        guess, height = coarse(reference, moving)
        motion, rms, rounds = polish(reference, moving, guess)
        print(f"frame {k}: {motion}, peak {height:.4f}, rms {rms:.4f} after {rounds} rounds")
        stack.append(bicubic(moving, *motion.sample_points(truth.shape)))
        params.append([motion.angle, motion.scale, *motion.shift, height, rms])
    mean = np.mean(stack, axis=0)
    noise = np.std(stack, axis=0, ddof=1)[32:-32, 32:-32].mean()
    gain = np.corrcoef(mean[32:-32, 32:-32].ravel(), truth[32:-32, 32:-32].ravel())[0, 1]
    print(f"residual noise {noise:.4f}, correlation with the specimen {gain:.5f}")
    np.savez(sys.argv[1], params=np.array(params), mean=mean, sharp=ndimage.laplace(mean))


if __name__ == "__main__":
    main()

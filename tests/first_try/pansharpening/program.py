# Pansharpening study: a sharp multispectral scene is degraded as by a sensor, sharpened again with its
# panchromatic band by five methods, and judged by ERGAS, SAM, UIQI and spatial correlation.
import sys

import numpy as np
from scipy import ndimage

RATIO = 4
SIZE = 384
BANDS = ("blue", "green", "red", "nir")
PAN_WEIGHTS = np.array([0.12, 0.27, 0.33, 0.28])
B3 = np.array([1.0, 4.0, 6.0, 4.0, 1.0]) / 16.0


def make_scene(rng):
    """Fields, a river and houses with four-band signatures and texture; reflectance 0..1."""
    y, x = np.mgrid[0:SIZE, 0:SIZE] / SIZE
    signatures = np.array([[0.06, 0.10, 0.07, 0.42], [0.11, 0.14, 0.18, 0.28],
                           [0.09, 0.13, 0.10, 0.35], [0.05, 0.06, 0.03, 0.02],
                           [0.24, 0.26, 0.29, 0.31]])
    parcel = (np.floor(7.3 * x + 1.1 * y + 0.013) + 3 * np.floor(5.7 * y - 0.9 * x + 0.021)).astype(np.int64) % 3
    river = np.abs(y - 0.5 - 0.13 * np.sin(5.1 * x + 0.4)) < 0.018
    houses = ndimage.gaussian_filter(rng.standard_normal((SIZE, SIZE)), 3.0, mode="nearest")
    houses = houses > 2.0 * houses.std()
    label = np.where(houses, 4, np.where(river, 3, parcel))
    scene = np.moveaxis(signatures[label], -1, 0)
    texture = ndimage.gaussian_filter(rng.standard_normal((SIZE, SIZE)), 1.0, mode="nearest")
    own = rng.standard_normal((4, SIZE, SIZE))
    scene = scene * (1.0 + 0.35 * texture) + 0.004 * own
    return np.clip(scene, 0.0, 1.0)


def mtf_kernel(gain, reach=9):
    """Gaussian with the given gain at the Nyquist frequency of the coarse grid."""
    sigma = RATIO * np.sqrt(-2.0 * np.log(gain)) / np.pi
    k = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    return k / k.sum()


def blur(image, kernel):
    out = ndimage.convolve1d(image, kernel, axis=-1, mode="mirror")
    return ndimage.convolve1d(out, kernel, axis=-2, mode="mirror")


def degrade(scene):
    coarse = np.stack([blur(band, mtf_kernel(g)) for band, g in zip(scene, (0.32, 0.30, 0.29, 0.26))])
    return coarse[:, RATIO // 2::RATIO, RATIO // 2::RATIO]


def cubic_weights(t, a=-0.5):
    d = np.abs(np.stack([t + 1.0, t, 1.0 - t, 2.0 - t]))
    near = (a + 2) * d**3 - (a + 3) * d**2 + 1.0
    far = a * d**3 - 5 * a * d**2 + 8 * a * d - 4 * a
    return np.where(d <= 1.0, near, far)


def upsample(image):
    """Bicubic to the fine grid, separable, with mirrored borders."""
    n = image.shape[-1]
    position = (np.arange(n * RATIO) - RATIO // 2) / RATIO
    base = np.floor(position).astype(np.int64)
    w = cubic_weights(position - base)
    index = base + np.arange(-1, 3)[:, None]
    index = np.abs(index)
    index = np.where(index >= n, 2 * (n - 1) - index, index)
    rows = sum(w[k][:, None] * image[..., index[k], :] for k in range(4))
    return sum(w[k] * rows[..., index[k]] for k in range(4))


def match(pan, target):
    """Pan with mean and deviation of the target."""
    return (pan - pan.mean()) * (target.std() / pan.std()) + target.mean()


def brovey(ms, pan):
    intensity = np.tensordot(PAN_WEIGHTS, ms, axes=1)
    return ms * (match(pan, intensity) / np.maximum(intensity, 1e-4))


def gram_schmidt(ms, pan):
    intensity = ms.mean(axis=0)
    detail = match(pan, intensity) - intensity
    centred = intensity - intensity.mean()
    gains = [np.mean((band - band.mean()) * centred) / np.mean(centred**2) for band in ms]
    return np.stack([band + g * detail for band, g in zip(ms, gains)])


def principal_components(ms, pan):
    flat = ms.reshape(len(ms), -1)
    mean = flat.mean(axis=1, keepdims=True)
    values, vectors = np.linalg.eigh(np.cov(flat))
    first = vectors[:, -1]
    first = first * np.sign((first @ (flat - mean)) @ (pan - pan.mean()).ravel())
    scores = first @ (flat - mean)
    change = match(pan.ravel(), scores) - scores
    return (flat + first[:, None] * change).reshape(ms.shape)


def atrous(pan, levels=2):
    """Low-pass of the undecimated B3 spline wavelet."""
    low = pan
    for level in range(levels):
        step = 2**level
        kernel = np.zeros(4 * step + 1)
        kernel[::step] = B3
        low = blur(low, kernel)
    return low


def wavelet_injection(ms, pan):
    out = np.empty_like(ms)
    for k, band in enumerate(ms):
        p = match(pan, band)
        out[k] = band + (p - atrous(p))
    return out


def high_pass_modulation(ms, pan):
    low = blur(pan, mtf_kernel(0.29))
    return ms * (pan / np.maximum(low, 1e-4))


def ergas(truth, image):
    rmse = ((truth - image) ** 2).mean(axis=(1, 2))
    return 100.0 / RATIO * np.sqrt(np.mean(rmse / truth.mean(axis=(1, 2)) ** 2))


def spectral_angle(truth, image):
    dot = (truth * image).sum(axis=0)
    norm = np.sqrt((truth**2).sum(axis=0) * (image**2).sum(axis=0))
    return np.degrees(np.arccos(np.clip(dot / np.maximum(norm, 1e-9), -1.0, 1.0 - 1e-9))).mean()


def quality_index(a, b, window=16):
    """Universal image quality index over sliding windows."""
    ma, mb = ndimage.uniform_filter(a, window), ndimage.uniform_filter(b, window)
    va = ndimage.uniform_filter(a * a, window) - ma**2
    vb = ndimage.uniform_filter(b * b, window) - mb**2
    cov = ndimage.uniform_filter(a * b, window) - ma * mb
    return np.mean(4.0 * cov * ma * mb / ((va + vb) * (ma**2 + mb**2)))


def spatial_correlation(image, pan):
    high_pan = ndimage.laplace(pan)
    high_pan = high_pan - high_pan.mean()
    out = []
    for band in image:
        h = ndimage.laplace(band)
        h = h - h.mean()
        out.append((h * high_pan).sum() / np.sqrt((h * h).sum() * (high_pan * high_pan).sum()))
    return np.mean(out)


METHODS = {"brovey": brovey, "gs": gram_schmidt, "pca": principal_components,
           "atrous": wavelet_injection, "hpm": high_pass_modulation}


def main():
    truth = make_scene(np.random.default_rng(5))
    pan = np.tensordot(PAN_WEIGHTS, truth, axes=1)
    ms = upsample(degrade(truth))
    results = {"none": ms}
    for name, method in METHODS.items():
        results[name] = method(ms, pan)
    table = []
    for name, image in results.items():
        q = np.mean([quality_index(t, i) for t, i in zip(truth, image)])
        row = (ergas(truth, image), spectral_angle(truth, image), q, spatial_correlation(image, pan))
        table.append(row)
        print(f"{name:8s} ERGAS {row[0]:.3f}  SAM {row[1]:.3f} deg  Q {row[2]:.4f}  sCC {row[3]:.4f}")
    np.savez(sys.argv[1], table=np.array(table), pan=pan, coarse=degrade(truth), sharp=results["gs"])


if __name__ == "__main__":
    main()

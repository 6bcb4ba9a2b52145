"""Tree-structured image pyramid blending with recursion, and a Gabor filter bank."""
import numpy as np


def convolve(image, kernel):
    kh, kw = kernel.shape
    padded = np.pad(image, ((kh // 2, kh // 2), (kw // 2, kw // 2)), mode="reflect")
    windows = np.lib.stride_tricks.sliding_window_view(padded, (kh, kw))
    return np.einsum("ijkl,kl->ij", windows, kernel)


BINOMIAL = np.outer([1, 4, 6, 4, 1], [1, 4, 6, 4, 1]) / 256.0


def shrink(image):
    return convolve(image, BINOMIAL)[::2, ::2]


def grow(image, shape):
    out = np.zeros(shape)
    out[::2, ::2] = image[: (shape[0] + 1) // 2, : (shape[1] + 1) // 2]
    return 4.0 * convolve(out, BINOMIAL)


def pyramid(image, levels):
    if levels == 0 or min(image.shape) < 8:
        return [image]
    small = shrink(image)
    return [image - grow(small, image.shape)] + pyramid(small, levels - 1)


def collapse(levels):
    if len(levels) == 1:
        return levels[0]
    first, *rest = levels
    return first + grow(collapse(rest), first.shape)


def masks(mask, levels):
    found = [mask]
    for _ in range(levels):
        found.append(shrink(found[-1]))
    return found


def blend(a, b, mask, levels=4):
    pa, pb = pyramid(a, levels), pyramid(b, levels)
    pm = masks(mask, len(pa) - 1)
    return collapse([m * x + (1 - m) * y for x, y, m in zip(pa, pb, pm)])


def gabor(size, theta, wavelength):
    r = size // 2
    y, x = np.mgrid[-r:r + 1, -r:r + 1]
    u = x * np.cos(theta) + y * np.sin(theta)
    v = -x * np.sin(theta) + y * np.cos(theta)
    k = np.exp(-(u ** 2 + 0.5 * v ** 2) / (2 * (0.5 * wavelength) ** 2)) * np.cos(2 * np.pi * u / wavelength)
    return k - k.mean()


def energy(image, count=4):
    bank = {f"{int(np.degrees(t))}": gabor(9, t, 5.0) for t in np.linspace(0, np.pi, count, endpoint=False)}
    responses = {name: convolve(image, k) ** 2 for name, k in bank.items()}
    total = sum(responses.values())
    return {name: float((r / (total + 1e-9)).mean()) for name, r in responses.items()}


def main():
    n = 97
    y, x = np.mgrid[0:n, 0:n] / n
    a = np.sin(20 * x) * np.cos(6 * y)
    b = np.exp(-10 * ((x - 0.5) ** 2 + (y - 0.5) ** 2))
    mask = (x < 0.5).astype(float)
    out = blend(a, b, mask)
    print(round(float(out.sum()), 8), round(float(out.std()), 8))
    print(np.allclose(collapse(pyramid(a, 3)), a))
    for name, value in energy(out).items():
        print(name, round(value, 8))
    hist, edges = np.histogram(out, bins=8)
    print(hist.tolist(), np.round(edges, 6).tolist())


main()

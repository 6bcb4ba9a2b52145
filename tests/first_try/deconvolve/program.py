"""Deconvolution of a defocused, noisy star-and-galaxy frame: Wiener, Richardson-Lucy, TV-regularised RL."""
import sys

import numpy as np


def make_scene(n, rng):
    y, x = np.mgrid[0:n, 0:n].astype(float)
    scene = np.full((n, n), 12.0)
    for cx, cy, flux, scale, angle, q in [(40.0, 52.0, 300.0, 6.0, 0.6, 0.5), (88.0, 80.0, 220.0, 9.0, 2.1, 0.7)]:
        dx, dy = x - cx, y - cy
        u = dx * np.cos(angle) + dy * np.sin(angle)
        v = (-dx * np.sin(angle) + dy * np.cos(angle)) / q
        scene += flux * np.exp(-np.sqrt(u * u + v * v) / scale)
    sx = rng.uniform(8, n - 8, 40)
    sy = rng.uniform(8, n - 8, 40)
    mag = 10 ** rng.uniform(1.8, 3.2, 40)
    for px, py, m in zip(sx, sy, mag):
        scene += m * np.exp(-((x - px) ** 2 + (y - py) ** 2) / (2 * 0.7 ** 2))
    return scene


def defocus_psf(size, radius, seeing):
    r = np.arange(size) - size // 2
    xx, yy = np.meshgrid(r, r)
    rr = np.hypot(xx, yy)
    disc = np.clip(radius + 0.5 - rr, 0.0, 1.0)
    halo = (1.0 + (rr / seeing) ** 2) ** -2.5
    psf = disc + 0.15 * halo
    return psf / psf.sum()


def pad_psf(psf, shape):
    big = np.zeros(shape)
    k = psf.shape[0]
    big[:k, :k] = psf
    return np.roll(big, (-(k // 2), -(k // 2)), axis=(0, 1))


def convolve_direct(img, psf):
    """Convolution with reflected borders as a sum of shifted copies."""
    k = psf.shape[0]
    h = k // 2
    padded = np.pad(img, h, mode="reflect")
    out = np.zeros_like(img)
    n, m = img.shape
    for i in range(k):
        for j in range(k):
            w = psf[i, j]
            if w < 1e-4:
                continue
            out += w * padded[2 * h - i:2 * h - i + n, 2 * h - j:2 * h - j + m]
    return out


def repair_hot_pixels(img, threshold):
    """Replace pixels far above the median of their eight neighbours, and count them."""
    out = img.copy()
    n, m = img.shape
    hits = 0
    window = np.empty(8)
    for r in range(1, n - 1):
        for c in range(1, m - 1):
            k = 0
            for dr in (-1, 0, 1):
                for dc in (-1, 0, 1):
                    if dr or dc:
                        v = img[r + dr, c + dc]
                        p = k
                        while p > 0 and window[p - 1] > v:
                            window[p] = window[p - 1]
                            p -= 1
                        window[p] = v
                        k += 1
            med = 0.5 * (window[3] + window[4])
            if img[r, c] - med > threshold:
                out[r, c] = med
                hits += 1
    return out, hits


def make_operator(psf, shape):
    """Blur and its adjoint by FFT, sharing one transfer function."""
    otf = np.fft.rfft2(pad_psf(psf, shape))
    conj = np.conj(otf)

    def blur(a):
        return np.fft.irfft2(np.fft.rfft2(a) * otf, s=shape)

    def adjoint(a):
        return np.fft.irfft2(np.fft.rfft2(a) * conj, s=shape)

    return blur, adjoint, otf


def wiener(data, otf, noise_var):
    """Parametric Wiener filter; signal spectrum estimated from the data by radial averages."""
    n, m = data.shape
    spec = np.fft.rfft2(data - data.mean())
    power = np.abs(spec) ** 2 / data.size
    fy = np.fft.fftfreq(n)[:, None]
    fx = np.fft.rfftfreq(m)[None, :]
    ring = np.minimum((np.sqrt(fx * fx + fy * fy) * 80).astype(int), 39)
    sums = np.bincount(ring.ravel(), weights=power.ravel(), minlength=40)
    counts = np.bincount(ring.ravel(), minlength=40)
    radial = sums / np.maximum(counts, 1)
    mag2 = np.abs(otf) ** 2
    signal = np.maximum(radial[ring] - noise_var, 0.05 * noise_var) / (mag2 + 0.02)
    filt = np.conj(otf) * signal / (mag2 * signal + noise_var)
    return np.fft.irfft2(spec * filt, s=data.shape) + data.mean(), radial


def tv_term(u, eps=1e-3):
    """Divergence of the normalised gradient."""
    gx = np.zeros_like(u)
    gy = np.zeros_like(u)
    gx[:, :-1] = u[:, 1:] - u[:, :-1]
    gy[:-1] = u[1:] - u[:-1]
    norm = np.sqrt(gx ** 2 + gy ** 2 + eps)
    gx /= norm
    gy /= norm
    div = gx + gy
    div[:, 1:] -= gx[:, :-1]
    div[1:] -= gy[:-1]
    return div


def richardson_lucy(data, operators, iterations, tv=0.0, stop=0.0):
    blur, adjoint, _ = operators
    u = np.full_like(data, data.mean())
    norm = adjoint(np.ones_like(data))
    history = []
    for it in range(iterations):
        model = np.maximum(blur(u), 1e-9)
        ratio = data / model
        new = u * adjoint(ratio) / norm
        if tv > 0:
            new = new / (1.0 - tv * tv_term(u))
        np.maximum(new, 1e-9, out=new)
        change = np.linalg.norm(new - u) / np.linalg.norm(u)
        misfit = np.sum(model - data * np.log(model))
        history.append((misfit, change))
        u = new
        if change < stop:
            break
    return u, np.array(history)


def box_mean(a, w):
    """Local mean in w x w windows from a summed-area table."""
    s = np.zeros((a.shape[0] + 1, a.shape[1] + 1))
    s[1:, 1:] = a.cumsum(axis=0).cumsum(axis=1)
    return (s[w:, w:] - s[:-w, w:] - s[w:, :-w] + s[:-w, :-w]) / (w * w)


def ssim(a, b, span, w=7):
    c1, c2 = (0.01 * span) ** 2, (0.03 * span) ** 2
    ma, mb = box_mean(a, w), box_mean(b, w)
    va = box_mean(a * a, w) - ma * ma
    vb = box_mean(b * b, w) - mb * mb
    cov = box_mean(a * b, w) - ma * mb
    m = (2 * ma * mb + c1) * (2 * cov + c2) / ((ma ** 2 + mb ** 2 + c1) * (va + vb + c2))
    return m.mean()


def psnr(a, b):
    return 10.0 * np.log10(b.max() ** 2 / np.mean((a - b) ** 2))


def local_maxima(img, level):
    """Strict maxima among the eight neighbours above a level."""
    core = img[1:-1, 1:-1]
    peak = core > level
    for dr in range(3):
        for dc in range(3):
            if (dr, dc) != (1, 1):
                peak &= core > img[dr:dr + core.shape[0], dc:dc + core.shape[1]]
    r, c = np.nonzero(peak)
    return np.column_stack([r + 1, c + 1])


def main(path):
    rng = np.random.default_rng(5)
    n = 128
    truth = make_scene(n, rng)
    psf = defocus_psf(13, 3.2, 2.0)
    operators = make_operator(psf, truth.shape)
    noise = rng.standard_normal(truth.shape)
    frame = convolve_direct(truth, psf)
    frame = frame + np.sqrt(0.2 * frame) * noise
    hot = rng.choice(n * n, 60, replace=False)
    frame.ravel()[hot] += 900.0
    clean, hits = repair_hot_pixels(frame, 400.0)
    clean = np.maximum(clean, 0.5)

    results = {}
    results["wiener"], radial = wiener(clean, operators[2], 6.0)
    results["rl"], hist = richardson_lucy(clean, operators, 40)
    results["rl_tv"], hist_tv = richardson_lucy(clean, operators, 40, tv=0.004, stop=8e-3)
    quality = np.zeros((4, 2))
    for k, img in enumerate([clean, *results.values()]):
        quality[k] = psnr(img, truth), ssim(img, truth, truth.max())
    stars = local_maxima(results["rl_tv"], 150.0)
    np.savez(path, frame=frame, clean=clean, radial=radial, history=hist, history_tv=hist_tv,
             quality=quality, stars=stars, **results)
    print("hot pixels repaired:", hits)
    for name, q in zip(["input", *results], quality):
        print(f"{name:7s} psnr {q[0]:.4f} ssim {q[1]:.5f}")
    print("iterations", len(hist), len(hist_tv), "stars", len(stars))


if __name__ == "__main__":
    main(sys.argv[1])

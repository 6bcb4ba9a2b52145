# Dielectric multilayer filter: transfer matrices over wavelength, angle and polarisation,
# refined by coordinate search, with a tolerance analysis of the final stack.
import sys

import numpy as np

TARGETS = [(450.0, 520.0, 0.0), (540.0, 580.0, 1.0), (600.0, 700.0, 0.0)]


def dispersion(kind):
    """Refractive index as a function of wavelength (nm); a closure over the Cauchy coefficients."""
    a, b, k0 = {"high": (2.29, 2.1e4, 2e-4), "low": (1.45, 3.5e3, 0.0), "glass": (1.505, 4.2e3, 0.0)}[kind]

    def index(wavelength):
        n = a + b / wavelength**2
        return n - 1j * k0 * np.exp(-(wavelength - 400.0) / 60.0)
    return index


def snell(n, sin0):
    """Cosine inside the medium."""
    return np.sqrt(1.0 - (sin0 / n) ** 2)


def admittance(n, cos, pol):
    return n * cos if pol == "s" else n / cos


def stack_response(thickness, wavelength, angle, pol, high, low, glass):
    """Transmittance and reflectance, product of the layers' characteristic matrices from the air side."""
    sin0 = np.sin(angle)[None, :]
    lam = wavelength[:, None]
    nh, nl, ng = high(lam), low(lam), glass(lam)
    shape = np.broadcast_shapes(lam.shape, sin0.shape)
    m11, m22 = np.ones(shape, complex), np.ones(shape, complex)
    m12, m21 = np.zeros(shape, complex), np.zeros(shape, complex)
    for k, d in enumerate(thickness):
        n = nh if k % 2 == 0 else nl
        c = snell(n, sin0)
        eta = admittance(n, c, pol)
        delta = 2 * np.pi * d * n * c / lam
        cd, sd = np.cos(delta), 1j * np.sin(delta)
        a12, a21 = sd / eta, sd * eta
        m11, m12 = m11 * cd + m12 * a21, m11 * a12 + m12 * cd
        m21, m22 = m21 * cd + m22 * a21, m21 * a12 + m22 * cd
    cos0 = np.sqrt(1 - sin0**2)
    eta0 = cos0 if pol == "s" else 1 / cos0
    etas = admittance(ng, snell(ng, sin0), pol)
    b, c = m11 + m12 * etas, m21 + m22 * etas
    r = (eta0 * b - c) / (eta0 * b + c)
    t = 4 * eta0 * np.real(etas) / np.abs(eta0 * b + c) ** 2
    return t, np.abs(r) ** 2


def target_curve(wavelength):
    want, weight = np.zeros_like(wavelength), np.zeros_like(wavelength)
    for lo, hi, value in TARGETS:
        band = (wavelength >= lo) & (wavelength <= hi)
        want[band] = value
        weight[band] = 1.0 / band.sum()
    return want, weight


def merit_function(wavelength, angle, media):
    want, weight = target_curve(wavelength)
    share = np.cos(angle) / np.cos(angle).sum()

    def merit(thickness):
        total = 0.0
        for pol in "sp":
            t, _ = stack_response(thickness, wavelength, angle, pol, *media)
            err = (t - want[:, None]) ** 2
            total += 0.5 * float((weight[:, None] * err * share[None, :]).sum())
        return total
    return merit


def refine(merit, thickness, step=0.08, rounds=2):
    """Coordinate search: each layer in turn thicker or thinner, the step shrinks by round."""
    best = merit(thickness)
    trace = [best]
    for r in range(rounds):
        for k in range(len(thickness)):
            for sign in (1.0, -1.0):
                trial = thickness.copy()
                trial[k] = max(8.0, trial[k] * (1 + sign * step))
                value = merit(trial)
                if value < best:
                    thickness, best = trial, value
                    break
        trace.append(best)
        step *= 0.55
    return thickness, trace


def tolerance(thickness, wavelength, media, rng, samples=60, error=0.01):
    """Mean and spread of the normal-incidence curve under random thickness errors."""
    curves = []
    for _ in range(samples):
        wrong = thickness * (1 + error * rng.normal(0.0, 1.0, len(thickness)))
        t, _ = stack_response(wrong, wavelength, np.zeros(1), "s", *media)
        curves.append(t[:, 0])
    curves = np.array(curves)
    return curves.mean(axis=0), curves.std(axis=0)


def band_edges(wavelength, t):
    """Half-maximum crossings by linear interpolation, from the peak outwards."""
    peak = int(np.argmax(t))
    half = 0.5 * t[peak]
    i = peak
    while i > 0 and t[i] > half:
        i -= 1
    j = peak
    while j < len(t) - 1 and t[j] > half:
        j += 1
    left = wavelength[i] + (half - t[i]) / (t[i + 1] - t[i]) * (wavelength[i + 1] - wavelength[i])
    right = wavelength[j] - (half - t[j]) / (t[j - 1] - t[j]) * (wavelength[j] - wavelength[j - 1])
    return left, right


def main():
    media = dispersion("high"), dispersion("low"), dispersion("glass")
    centre = 560.0
    nh, nl = media[0](centre).real, media[1](centre).real
    quarter = [centre / (4 * nh), centre / (4 * nl)]
    layers = [quarter[k % 2] for k in range(19)]
    layers[9] *= 2.0
    layers[4] *= 1.1
    layers[14] *= 1.1
    thickness = np.array(layers)

    coarse = np.linspace(450.0, 700.0, 501)
    cone = np.radians(np.linspace(0.0, 20.0, 13))
    merit = merit_function(coarse, cone, media)
    final, trace = refine(merit, thickness)

    wavelength = np.linspace(430.0, 720.0, 901)
    angles = np.radians(np.linspace(0.0, 60.0, 61))
    maps = {pol: stack_response(final, wavelength, angles, pol, *media) for pol in "sp"}
    normal = maps["s"][0][:, 0]
    left, right = band_edges(wavelength, normal)
    mean, spread = tolerance(final, wavelength, media, np.random.default_rng(12))
    loss = 1.0 - maps["p"][0] - maps["p"][1]

    print(f"merit {trace[0]:.5f} -> {trace[-1]:.5f}, total thickness {final.sum():.2f} nm")
    print(f"pass band {left:.2f} to {right:.2f} nm, peak {normal.max():.4f}")
    print(f"absorbed in p at most {loss.max():.5f}, spread from 1 % errors {spread.max():.4f}")
    for deg in (0, 20, 40, 60):
        print(f"{deg:2d} deg: mean T {maps['s'][0][:, deg].mean():.4f} (s), {maps['p'][0][:, deg].mean():.4f} (p)")
    np.savez(sys.argv[1], final=final, trace=np.array(trace), ts=maps["s"][0], tp=maps["p"][0],
             loss=loss, mean=mean, spread=spread)


if __name__ == "__main__":
    main()

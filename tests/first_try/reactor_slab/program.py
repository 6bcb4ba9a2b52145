"""One-dimensional slab reactor: criticality, kinetics parameters, prompt transient, point kinetics.

Two-group diffusion on a uniform mesh with reflectors on both sides.  The k-eigenvalue comes from
power iteration with a tridiagonal sweep per group; the effective delayed fraction and generation time
are then used in a six-group point-kinetics calculation of a rod-withdrawal ramp.
"""
import sys
from dataclasses import dataclass, field

import numpy as np


@dataclass
class Slab:
    width: float = 180.0            # cm, core plus reflectors
    reflector: float = 25.0         # cm on each side
    cells: int = 360
    velocity: tuple = (1.0e7, 2.2e5)          # cm/s
    chi_prompt: float = 1.0
    beta: np.ndarray = field(default_factory=lambda: np.array(
        [0.000215, 0.001424, 0.001274, 0.002568, 0.000748, 0.000273]))
    lam: np.ndarray = field(default_factory=lambda: np.array(
        [0.0124, 0.0305, 0.111, 0.301, 1.14, 3.01]))

    @property
    def dx(self):
        return self.width / self.cells


def cross_sections(slab):
    """Cell-wise group constants; 0 = fast, 1 = thermal."""
    x = (np.arange(slab.cells) + 0.5) * slab.dx
    core = (x > slab.reflector) & (x < slab.width - slab.reflector)
    ripple = 1.0 + 0.015 * np.cos(2 * np.pi * x / 23.0)
    xs = {
        "x": x,
        "d1": np.where(core, 1.43, 1.55),
        "d2": np.where(core, 0.39, 0.27),
        "rem1": np.where(core, 0.0271, 0.0305),
        "s12": np.where(core, 0.0162, 0.0298),
        "abs2": np.where(core, 0.0925, 0.0121),
        "nuf1": np.where(core, 0.0067, 0.0) * ripple,
        "nuf2": np.where(core, 0.1262, 0.0) * ripple,
    }
    return xs


def face_coupling(d, dx):
    """Harmonic-mean couplings between neighbours, vacuum (extrapolated) on both ends."""
    inner = 2.0 * d[1:] * d[:-1] / (d[1:] + d[:-1]) / dx**2
    left = np.zeros_like(d)
    right = np.zeros_like(d)
    left[1:] = inner
    right[:-1] = inner
    edge = d / (0.5 * dx + 2.13 * d) / dx
    diag = left + right
    diag[0] += edge[0]
    diag[-1] += edge[-1]
    return left, right, diag


def thomas(low, diag, up, rhs):
    """Forward elimination and back substitution for a tridiagonal system."""
    n = len(rhs)
    cp = np.empty(n)
    dp = np.empty(n)
    cp[0] = up[0] / diag[0]
    dp[0] = rhs[0] / diag[0]
    for i in range(1, n):
        m = diag[i] - low[i] * cp[i - 1]
        cp[i] = up[i] / m
        dp[i] = (rhs[i] - low[i] * dp[i - 1]) / m
    for i in range(n - 2, -1, -1):
        dp[i] -= cp[i] * dp[i + 1]
    return dp


def power_iteration(slab, xs, sweeps=14):
    l1, r1, g1 = face_coupling(xs["d1"], slab.dx)
    l2, r2, g2 = face_coupling(xs["d2"], slab.dx)
    phi1 = np.ones(slab.cells)
    phi2 = np.ones(slab.cells)
    k = 1.0
    for _ in range(sweeps):
        fission = xs["nuf1"] * phi1 + xs["nuf2"] * phi2
        phi1 = thomas(-l1, g1 + xs["rem1"], -r1, fission / k)
        phi2 = thomas(-l2, g2 + xs["abs2"], -r2, xs["s12"] * phi1)
        new = xs["nuf1"] * phi1 + xs["nuf2"] * phi2
        k *= new.sum() / fission.sum()
        norm = new.sum() * slab.dx
        phi1 /= norm
        phi2 /= norm
    return k, phi1, phi2


def kinetics_parameters(slab, xs, k, phi1, phi2, adj1, adj2):
    """Importance-weighted beta_eff, generation time and the worth of a 1 pcm/cm absorber change."""
    production = xs["nuf1"] * phi1 + xs["nuf2"] * phi2
    weight = adj1 * production
    total = weight.sum() / k
    beta_eff = slab.beta.sum() * (weight * 0.97).sum() / weight.sum()
    inverse_v = adj1 * phi1 / slab.velocity[0] + adj2 * phi2 / slab.velocity[1]
    generation = inverse_v.sum() / total
    worth = np.cumsum(adj2 * phi2 * xs["abs2"] * 1e-3) / total
    peak = production.max() / production[production > 0].mean()
    return beta_eff, generation, worth, peak


def pulsed_source(slab, xs, k, steps=45, dt=6.0e-9):
    """Explicit two-group transient after a fast pulse near the left third of the core."""
    dx = slab.dx
    v1, v2 = slab.velocity
    n1 = np.exp(-((xs["x"] - 0.35 * slab.width) / 6.0) ** 2)
    n2 = np.zeros_like(n1)
    df1 = 2 * xs["d1"][1:] * xs["d1"][:-1] / (xs["d1"][1:] + xs["d1"][:-1])
    df2 = 2 * xs["d2"][1:] * xs["d2"][:-1] / (xs["d2"][1:] + xs["d2"][:-1])
    beta = slab.beta.sum()
    history = np.zeros((steps, 3))
    for s in range(steps):
        j1 = -df1 * (n1[1:] - n1[:-1]) / dx
        j2 = -df2 * (n2[1:] - n2[:-1]) / dx
        leak1 = np.zeros_like(n1)
        leak2 = np.zeros_like(n2)
        leak1[:-1] += j1 / dx
        leak1[1:] -= j1 / dx
        leak2[:-1] += j2 / dx
        leak2[1:] -= j2 / dx
        birth = (1.0 - beta) * (xs["nuf1"] * n1 + xs["nuf2"] * n2) / k
        new1 = n1 + dt * v1 * (birth - leak1 - xs["rem1"] * n1)
        n2 = n2 + dt * v2 * (xs["s12"] * n1 - leak2 - xs["abs2"] * n2)
        n1 = new1
        history[s, 0] = n1.sum() * dx
        history[s, 1] = n2.sum() * dx
        history[s, 2] = n2.max()
    return n1, n2, history


def detector_response(x, phi2, positions, sigma=0.055):
    """Uncollided signal of ex-core detectors: exponential attenuation over the distance to each cell."""
    signal = np.zeros(len(positions))
    closest = np.zeros(len(positions))
    for i in range(len(positions)):
        total = 0.0
        best = 1e30
        for j in range(len(x)):
            r = np.sqrt((x[j] - positions[i]) ** 2 + 15.0 ** 2)
            total += phi2[j] * np.exp(-sigma * r) / (4 * np.pi * r * r)
            if phi2[j] > 1e-4 and r < best:
                best = r
        signal[i] = total
        closest[i] = best
    return signal, closest


def point_kinetics(slab, beta_eff, generation, ramp=0.25, t_end=1.5, dt=1.0e-3):
    """Implicit Euler with Doppler feedback; returns the power history."""
    beta = slab.beta * beta_eff / slab.beta.sum()
    power = 1.0
    prec = beta / (generation * slab.lam)
    energy = 0.0
    out = np.empty(int(round(t_end / dt)))
    for n in range(len(out)):
        rho = min(ramp * (n + 1) * dt, 0.3) * beta_eff - 2.0e-4 * energy
        denom = 1.0 + slab.lam * dt
        delayed = (slab.lam * prec / denom).sum()
        gain = (slab.lam * beta * dt / generation / denom).sum()
        power = (power + dt * delayed) / (1.0 - dt * ((rho - beta_eff) / generation + gain))
        prec = (prec + dt * beta / generation * power) / denom
        energy += max(power - 1.0, 0.0) * dt
        out[n] = power
    return out


def main(path):
    slab = Slab()
    xs = cross_sections(slab)
    k, phi1, phi2 = power_iteration(slab, xs)
    adj1, adj2 = phi1 / phi1.max(), 1.18 * phi2 / phi2.max()
    beta_eff, generation, worth, peak = kinetics_parameters(slab, xs, k, phi1, phi2, adj1, adj2)
    n1, n2, history = pulsed_source(slab, xs, k)
    positions = np.linspace(-20.0, slab.width + 20.0, 24)
    signal, closest = detector_response(xs["x"], phi2, positions)
    power = point_kinetics(slab, float(beta_eff), float(generation))
    print(f"k-eff             {k:.6f}")
    print(f"beta_eff          {beta_eff:.6f}   generation time {generation:.5e} s")
    print(f"axial peaking     {peak:.5f}")
    print(f"pulse, thermal    {history[-1, 1]:.6e}")
    print(f"power after ramp  {power[-1]:.5f}")
    np.savez(path, k=k, phi1=phi1, phi2=phi2, worth=worth, n1=n1, n2=n2, history=history,
             signal=signal, closest=closest, power=power)


if __name__ == "__main__":
    main(sys.argv[1])

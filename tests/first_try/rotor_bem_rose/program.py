"""Performance surface of a wind-turbine rotor by blade element momentum theory, its power curve,
and the annual yield of a small farm over a wind rose with Jensen wakes."""
import sys
from dataclasses import dataclass

import numpy as np

RHO = 1.225
RATED_POWER = 3.4e6
MAX_TIP_SPEED = 80.0
SPEEDS = np.arange(4.0, 26.0, 1.0)


@dataclass
class Blade:
    r: np.ndarray
    chord: np.ndarray
    twist: np.ndarray
    tip: float
    hub: float
    count: int = 3

    @classmethod
    def design(cls, tip=52.0, hub=2.0, sections=40, design_tsr=7.5, cl=1.05, alpha=np.radians(6.0)):
        edges = hub + (tip - hub) * np.linspace(0.04, 0.995, sections + 1)
        r = 0.5 * (edges[1:] + edges[:-1])
        local = design_tsr * r / tip
        phi = 2.0 / 3.0 * np.arctan(1.0 / local)
        chord = 8 * np.pi * r * (1 - np.cos(phi)) / (3 * cl)
        chord = np.minimum(chord, 3.6 - 0.8 * np.exp(-r / 8.0))
        return cls(r, chord, phi - alpha, tip, hub)

    @property
    def solidity(self):
        return self.count * self.chord / (2 * np.pi * self.r)


class Polar:
    """Lift and drag of one airfoil on a table of angles of attack."""

    def __init__(self, stall=np.radians(14.0), n=361):
        self.alpha = np.linspace(-np.pi / 2, np.pi / 2, n)
        attached = 2 * np.pi * np.sin(self.alpha + np.radians(3.0)) * 0.93
        flat = 1.1 * np.sin(2 * self.alpha)
        blend = 1.0 / (1.0 + np.exp((np.abs(self.alpha) - stall) / np.radians(2.0)))
        self.lift = blend * attached + (1 - blend) * flat
        self.drag = 0.008 + 0.012 * attached**2 * blend / 4 + (1 - blend) * 1.3 * np.sin(self.alpha) ** 2

    def cl(self, alpha):
        return np.interp(alpha, self.alpha, self.lift)

    def cd(self, alpha):
        return np.interp(alpha, self.alpha, self.drag)


class Rotor:
    def __init__(self, blade, polar):
        self.blade = blade
        self.polar = polar

    def loss(self, phi):
        """Prandtl's factor for the tip and the hub."""
        b, s = self.blade, np.abs(np.sin(phi))
        f_tip = b.count / 2 * (b.tip - b.r) / (b.r * s)
        f_hub = b.count / 2 * (b.r - b.hub) / (b.hub * s)
        tip = 2 / np.pi * np.arccos(np.exp(-f_tip))
        hub = 2 / np.pi * np.arccos(np.exp(-f_hub))
        return np.maximum(tip * hub, 1e-4)

    def induction(self, phi, pitch):
        alpha = phi - self.blade.twist - pitch
        cl, cd = self.polar.cl(alpha), self.polar.cd(alpha)
        s, c = np.sin(phi), np.cos(phi)
        cn, ct = cl * c + cd * s, cl * s - cd * c
        loss = self.loss(phi)
        sigma = self.blade.solidity
        k = sigma * cn / (4 * loss * s**2)
        kp = sigma * ct / (4 * loss * s * c)
        k = np.maximum(k, -0.6)
        momentum = k / (1 + k)
        high = np.maximum(k, 2.0 / 3.0)
        g1 = 2 * loss * high - (10.0 / 9.0 - loss)
        g2 = 2 * loss * high - loss * (4.0 / 3.0 - loss)
        g3 = 2 * loss * high - (25.0 / 9.0 - 2 * loss)
        g3 = np.where(np.abs(g3) < 1e-6, 1e-6, g3)
        buhl = (g1 - np.sqrt(np.maximum(g2, 0.0))) / g3
        a = np.where(k <= 2.0 / 3.0, momentum, buhl)
        return np.minimum(a, 0.98), kp, cn, ct

    def inflow_angle(self, tsr, pitch, iterations=44):
        """Bisection on the residual of the two momentum balances, for all states at once."""
        local = tsr * self.blade.r / self.blade.tip
        shape = np.broadcast_shapes(local.shape, pitch.shape)
        lo = np.full(shape, 1e-4)
        hi = np.full(shape, np.pi / 2 - 1e-4)
        for _ in range(iterations):
            mid = 0.5 * (lo + hi)
            a, kp, _, _ = self.induction(mid, pitch)
            residual = np.sin(mid) / (1 - a) - np.cos(mid) / local * (1 - kp)
            above = residual > 0
            hi = np.where(above, mid, hi)
            lo = np.where(above, lo, mid)
        return 0.5 * (lo + hi)

    def coefficients(self, tsr, pitch):
        """Power and thrust coefficient on the product of tip-speed ratios and pitch angles."""
        b = self.blade
        lam, beta = tsr[:, None, None], pitch[None, :, None]
        phi = self.inflow_angle(lam, beta)
        a, kp, cn, ct = self.induction(phi, beta)
        w2 = ((1 - a) / np.sin(phi)) ** 2
        torque = w2 * ct * b.chord * b.r * b.count
        thrust = w2 * cn * b.chord * b.count
        area = np.pi * b.tip**2
        cp = lam[..., 0] / b.tip * np.trapezoid(torque, b.r, axis=-1) / area
        cth = np.trapezoid(thrust, b.r, axis=-1) / area
        return cp, cth


def power_curve(tsr, pitch, cp, cth, tip):
    """Variable speed below rated, pitch to feather above; one operating point per wind speed."""
    points = []
    best = np.unravel_index(np.argmax(cp), cp.shape)
    for v in SPEEDS:
        lam = min(tsr[best[0]], MAX_TIP_SPEED / v)
        row = np.array([np.interp(lam, tsr, cp[:, j]) for j in range(len(pitch))])
        thrust = np.array([np.interp(lam, tsr, cth[:, j]) for j in range(len(pitch))])
        power = 0.5 * RHO * np.pi * tip**2 * v**3 * row
        j = int(np.argmax(power))
        if power[j] <= RATED_POWER:
            points.append((v, power[j], thrust[j], pitch[j]))
            continue
        while j + 1 < len(pitch) and power[j + 1] > RATED_POWER:
            j += 1
        w = (power[j] - RATED_POWER) / (power[j] - power[j + 1]) if j + 1 < len(pitch) else 0.0
        n = min(j + 1, len(pitch) - 1)
        points.append((v, RATED_POWER, (1 - w) * thrust[j] + w * thrust[n], (1 - w) * pitch[j] + w * pitch[n]))
    return np.array(points)


def farm_yield(layout, curve, rose, tip, k=0.05):
    """Expected power of every turbine, from the sector frequencies and Weibull parameters."""
    speeds, power, thrust = curve[:, 0], curve[:, 1], np.clip(curve[:, 2], 0.0, 0.96)
    start = 1 - np.sqrt(1 - thrust)
    expected = np.zeros(len(layout))
    ideal = 0.0
    for theta, freq, scale, form in rose:
        down = layout @ np.array([np.cos(theta), np.sin(theta)])
        cross = layout @ np.array([-np.sin(theta), np.cos(theta)])
        dx = down[:, None] - down[None, :]
        dy = np.abs(cross[:, None] - cross[None, :])
        radius = tip + k * dx
        inside = (dx > 1.0) & (dy < radius)
        spread = np.where(inside, (tip / np.where(inside, radius, 1.0)) ** 4, 0.0).sum(axis=1)
        u = speeds[:, None] * (1 - start[:, None] * np.sqrt(spread)[None, :])
        p = np.interp(u, speeds, power, left=0.0)
        pdf = np.exp(-((speeds - 0.5) / scale) ** form) - np.exp(-((speeds + 0.5) / scale) ** form)
        expected += freq * (pdf @ p)
        ideal += freq * float(pdf @ power)
    return expected, ideal * len(layout)


def main():
    rng = np.random.default_rng(411)
    blade = Blade.design()
    rotor = Rotor(blade, Polar())
    tsr = np.linspace(2.0, 13.0, 60)
    pitch = np.radians(np.linspace(-2.0, 30.0, 45))
    cp, cth = rotor.coefficients(tsr, pitch)
    i, j = np.unravel_index(np.argmax(cp), cp.shape)
    curve = power_curve(tsr, pitch, cp, cth, blade.tip)

    gx, gy = np.meshgrid(np.arange(8) * 420.0, np.arange(6) * 390.0)
    layout = np.stack([gx.ravel(), gy.ravel()], axis=1) + rng.normal(0.0, 45.0, (48, 2))
    angles = np.arange(72) * (2 * np.pi / 72)
    weight = 1.0 + 0.9 * np.cos(angles - 3.9) ** 2 + rng.uniform(0.0, 0.2, 72)
    rose = list(zip(angles, weight / weight.sum(), 8.2 + 1.4 * np.cos(angles - 3.9), 2.0 + 0.2 * np.sin(angles)))
    expected, ideal = farm_yield(layout, curve, rose, blade.tip)

    print(f"best Cp {cp[i, j]:.4f} at tip-speed ratio {tsr[i]:.2f}, pitch {np.degrees(pitch[j]):.2f} deg")
    print(f"rated power reached at {curve[np.argmax(curve[:, 1] >= RATED_POWER), 0]:.0f} m/s")
    print(f"farm: {expected.sum() / 1e6:.3f} MW mean, wake loss {100 * (1 - expected.sum() / ideal):.3f} %")
    np.savez(sys.argv[1], cp=cp, cth=cth, curve=curve, expected=expected)


if __name__ == "__main__":
    main()

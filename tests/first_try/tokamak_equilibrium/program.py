# Fixed-boundary Grad-Shafranov equilibrium of a D-shaped plasma by red-black over-relaxation,
# Picard iteration on the current profile, and flux-surface averages of the result.
import sys

import numpy as np

MU0 = 4e-7 * np.pi


class Mesh:
    """Rectangular (R, Z) mesh around a D-shaped boundary."""

    def __init__(self, nr, nz, major, minor, elongation, triangularity):
        self.major, self.minor = major, minor
        self.elongation, self.triangularity = elongation, triangularity
        self.r = np.linspace(major - 1.15 * minor, major + 1.15 * minor, nr)
        self.z = np.linspace(-1.1 * elongation * minor, 1.1 * elongation * minor, nz)
        self.dr, self.dz = self.r[1] - self.r[0], self.z[1] - self.z[0]
        self.rr, self.zz = np.meshgrid(self.r, self.z, indexing="ij")
        self.inside = self.plasma_mask()

    def plasma_mask(self):
        """Points inside the Miller curve R = R0 + a cos(t + d sin t), Z = k a sin t."""
        s = self.zz / (self.elongation * self.minor)
        reach = np.abs(s) < 1.0
        t = np.arcsin(np.clip(s, -1.0, 1.0))
        delta = np.arcsin(self.triangularity)
        outer = self.major + self.minor * np.cos(t + delta * np.sin(t))
        inner = self.major + self.minor * np.cos(np.pi - t + delta * np.sin(t))
        return reach & (self.rr < outer) & (self.rr > inner)


class Equilibrium:
    def __init__(self, mesh, current, beta, alpha, gamma):
        self.mesh = mesh
        self.current, self.beta = current, beta
        self.alpha, self.gamma = alpha, gamma
        self.psi = np.where(mesh.inside, 0.01, 0.0)
        self.jphi = np.zeros_like(self.psi)
        self.axis = (mesh.major, 0.0, 0.01)
        self.set_stencil()

    def set_stencil(self):
        m = self.mesh
        r = m.rr[1:-1, 1:-1]
        self.east = 1.0 / m.dr**2 * r / (r + 0.5 * m.dr)
        self.west = 1.0 / m.dr**2 * r / (r - 0.5 * m.dr)
        self.vert = 1.0 / m.dz**2
        self.diag = self.east + self.west + 2.0 * self.vert
        i, k = np.indices(r.shape)
        core = m.inside[1:-1, 1:-1]
        self.colours = [core & ((i + k) % 2 == c) for c in (0, 1)]

    def source(self):
        """Toroidal current density of the profile, scaled to the total plasma current."""
        m = self.mesh
        x = np.clip(1.0 - self.psi / self.axis[2], 0.0, 1.0)
        profile = (1.0 - x**self.alpha) ** self.gamma
        shape = self.beta * m.rr / m.major + (1.0 - self.beta) * m.major / m.rr
        j = np.where(m.inside, profile * shape, 0.0)
        self.jphi = j * (self.current / (j.sum() * m.dr * m.dz))

    def sweep(self, omega):
        """One red-black sweep; returns nothing, changes psi in place."""
        p = self.psi
        rhs = MU0 * self.mesh.rr[1:-1, 1:-1] * self.jphi[1:-1, 1:-1]
        for colour in self.colours:
            around = (self.east * p[2:, 1:-1] + self.west * p[:-2, 1:-1]
                      + self.vert * (p[1:-1, 2:] + p[1:-1, :-2]) + rhs)
            step = np.where(colour, around / self.diag - p[1:-1, 1:-1], 0.0)
            p[1:-1, 1:-1] += omega * step

    def residual(self):
        p, m = self.psi, self.mesh
        op = (self.east * p[2:, 1:-1] + self.west * p[:-2, 1:-1] - self.diag * p[1:-1, 1:-1]
              + self.vert * (p[1:-1, 2:] + p[1:-1, :-2]))
        rhs = MU0 * m.rr[1:-1, 1:-1] * self.jphi[1:-1, 1:-1]
        core = m.inside[1:-1, 1:-1]
        return np.sqrt(np.mean((op + rhs)[core] ** 2) / np.mean(rhs[core] ** 2))

    def find_axis(self):
        """Magnetic axis by a parabola through the largest value, in each direction."""
        i, k = np.unravel_index(np.argmax(self.psi), self.psi.shape)
        p = self.psi[i - 1:i + 2, k - 1:k + 2].tolist()
        fr = 0.5 * (p[0][1] - p[2][1]) / (p[0][1] - 2 * p[1][1] + p[2][1])
        fz = 0.5 * (p[1][0] - p[1][2]) / (p[1][0] - 2 * p[1][1] + p[1][2])
        top = p[1][1] - 0.25 * ((p[0][1] - p[2][1]) * fr + (p[1][0] - p[1][2]) * fz)
        m = self.mesh
        self.axis = (float(m.r[i] + fr * m.dr), float(m.z[k] + fz * m.dz), top)

    def solve(self, outer=14, inner=60, omega=1.965):
        history = []
        for _ in range(outer):
            self.source()
            for _ in range(inner):
                self.sweep(omega)
            self.find_axis()
            history.append(self.residual())
        return np.array(history)


class FluxSurfaces:
    """Surfaces psi = const found along straight rays from the magnetic axis."""

    def __init__(self, eq, n_levels, n_theta):
        self.eq = eq
        self.levels = np.linspace(0.08, 0.9, n_levels)
        self.theta = (np.arange(n_theta) + 0.5) * 2 * np.pi / n_theta

    def interpolate(self, field, r, z):
        m = self.eq.mesh
        fr, fz = (r - m.r[0]) / m.dr, (z - m.z[0]) / m.dz
        i = np.clip(fr.astype(int), 0, len(m.r) - 2)
        k = np.clip(fz.astype(int), 0, len(m.z) - 2)
        fr, fz = fr - i, fz - k
        return ((1 - fr) * ((1 - fz) * field[i, k] + fz * field[i, k + 1])
                + fr * ((1 - fz) * field[i + 1, k] + fz * field[i + 1, k + 1]))

    def trace(self, bisections=40):
        r0, z0, top = self.eq.axis
        lo = np.zeros((len(self.levels), len(self.theta)))
        hi = np.full_like(lo, 1.02 * self.eq.mesh.elongation * self.eq.mesh.minor)
        target = (top * (1.0 - self.levels))[:, None]
        cos, sin = np.cos(self.theta), np.sin(self.theta)
        for _ in range(bisections):
            mid = 0.5 * (lo + hi)
            within = self.interpolate(self.eq.psi, r0 + mid * cos, z0 + mid * sin) > target
            lo = np.where(within, mid, lo)
            hi = np.where(within, hi, mid)
        rho = 0.5 * (lo + hi)
        return r0 + rho * cos, z0 + rho * sin, rho

    def averages(self, field_rb):
        """Area, volume, and safety factor of each surface."""
        r, z, rho = self.trace()
        m = self.eq.mesh
        gr, gz = np.gradient(self.eq.psi, m.dr, m.dz)
        slope = np.hypot(self.interpolate(gr, r, z), self.interpolate(gz, r, z))
        dr, dz = np.roll(r, -1, axis=1) - r, np.roll(z, -1, axis=1) - z
        arc = np.hypot(dr, dz)
        arc = 0.5 * (arc + np.roll(arc, 1, axis=1))
        area = 0.5 * np.sum(rho**2, axis=1) * (2 * np.pi / len(self.theta))
        volume = 2 * np.pi * np.sum(r * rho**2, axis=1) * np.pi / len(self.theta)
        q = field_rb / (2 * np.pi) * np.sum(arc / (r * slope), axis=1)
        return area, volume, q


def main():
    mesh = Mesh(193, 257, major=1.7, minor=0.6, elongation=1.6, triangularity=0.35)
    eq = Equilibrium(mesh, current=1.1e6, beta=0.6, alpha=1.1, gamma=1.4)
    history = eq.solve()
    area, volume, q = FluxSurfaces(eq, 24, 360).averages(field_rb=1.7 * 2.1)
    print(f"axis at R = {eq.axis[0]:.4f} m, Z = {abs(eq.axis[1]):.3f} m, psi = {eq.axis[2]:.4f} Wb/rad")
    print(f"residual {history[0]:.3e} -> {history[-1]:.2e}")
    print(f"q from {q[0]:.3f} to {q[-1]:.3f}, area {area[-1]:.4f} m2, volume {volume[-1]:.3f} m3")
    np.savez(sys.argv[1], psi=eq.psi, jphi=eq.jphi, history=history, q=q, area=area, volume=volume)


if __name__ == "__main__":
    main()

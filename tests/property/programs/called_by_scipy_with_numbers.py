"""Methods and lambdas that SciPy calls with numbers and vectors; results of several kinds."""

import numpy as np
from scipy import integrate, optimize


class Spectrum:
    def __init__(self, n):
        self.nodes = np.linspace(0.0, 6.0, n)
        self.weights = np.exp(-self.nodes ** 2 / 4) * np.cos(self.nodes)

    def at(self, e, width=0.3):
        return np.sum(self.weights * np.exp(-((e - self.nodes) / width) ** 2))

    def moments(self, p):
        w = self.weights * np.exp(-p[0] * self.nodes) * (1 + p[1] * np.sin(self.nodes))
        return np.array([w.sum() - 40.0, (w * self.nodes).sum() - 30.0])

    def residual(self, p):
        r = self.weights * p[0] - np.cos(self.nodes) * p[1]
        return np.array([r @ self.nodes - 1.0, r @ self.weights - 2.0])


def main():
    s = Spectrum(400)
    area, error = integrate.quad(s.at, 0.0, 6.0, args=(0.4,))
    print(round(area, 6))
    print(round(integrate.quad(lambda e: e * s.at(e), 0.0, 6.0)[0], 6))
    half = optimize.brentq(lambda e: s.at(e) - 5.0, 0.5, 3.0)
    print(round(half, 8))
    h2, info = optimize.brentq(lambda e: s.at(e) - 5.0, 0.5, 3.0, full_output=True)
    print(round(h2, 8), info.converged)
    peak = optimize.minimize_scalar(lambda e: -float(s.at(e)), bounds=(0.0, 2.0), method="bounded")
    print(round(float(peak.x), 4), round(float(peak.fun), 6), peak.success)
    sol = optimize.root(s.moments, np.array([0.1, 0.1]))
    print(np.round(sol.x, 5).tolist(), sol.success)
    print(np.round(optimize.fsolve(s.residual, [1.0, 1.0]), 5).tolist())
    x, info, ier, msg = optimize.fsolve(s.residual, [1.0, 1.0], full_output=True)
    print(np.round(x, 5).tolist(), ier)
    y = integrate.odeint(lambda y, t: -y * s.at(t), [1.0, 2.0], np.linspace(0, 1, 5))
    z, more = integrate.odeint(lambda y, t: -y * s.at(t), [1.0, 2.0], np.linspace(0, 1, 5), full_output=True)
    print(np.round(y[-1], 5).tolist(), np.round(z[-1], 5).tolist(), sorted(more)[:2])
    print(np.round(np.exp(-s.nodes * area)[:3], 6).tolist())


main()

"""Functions that SciPy calls: what they share with the code around them stays on the device."""

import cupy as cp
import numpy as np
from scipy.integrate import odeint, solve_ivp
from scipy.optimize import minimize


class Regression:
    def __init__(self, penalty):
        self.penalty = penalty

    def cost(self, weights, x, y):
        weights_on_device = cp.asarray(weights)
        p = 1 / (1 + cp.exp(-(x @ weights_on_device)))
        value = -cp.mean(y * cp.log(p) + (1 - y) * cp.log(1 - p))
        slope = x.T @ (p - y) / len(y)
        return cp.asnumpy(value + self.penalty * weights_on_device @ weights_on_device)[()], cp.asnumpy(slope + 2 * self.penalty * weights_on_device)

    def fit(self, x, y):
        found = minimize(self.cost, np.zeros(x.shape[1]), args=(x, y), jac=True)
        self.weights = found.x
        return found.fun


def smoothed(signal, width):
    i = cp.arange(len(signal))
    kernel = cp.exp(-0.5 * ((i[:, None] - i[None, :]) / width) ** 2)

    def misfit(z):
        z_on_device = cp.asarray(z)
        return cp.asnumpy(cp.sum((kernel @ z_on_device - signal) ** 2) + cp.sum(cp.sqrt(cp.diff(z_on_device) ** 2 + 1e-6)))[()]

    return minimize(misfit, np.zeros(len(signal)), options={"maxiter": 3}).fun


def heat(n, t_end):
    laplacian = cp.diag(cp.ones(n - 1), 1) + cp.diag(cp.ones(n - 1), -1) - 2 * cp.eye(n)
    found = solve_ivp(lambda t, u: cp.asnumpy(laplacian @ cp.asarray(u) + np.sin(t)), (0, t_end), np.ones(n))
    return found.y[:, -1]


def decay(u, t, rates):
    return cp.asnumpy(-cp.sqrt(rates) * cp.exp(-rates)) * u


def decayed(n):
    rates = cp.linspace(1, 2, n)
    return odeint(decay, np.ones(n), [0, 1], args=(rates,))


def main():
    x = cp.cos(cp.arange(300.0)).reshape(100, 3)
    y = (cp.sin(x).sum(axis=1) > 0.1).astype(float)
    model = Regression(0.1)
    print(round(float(model.fit(x, y)), 4), model.weights.round(2))
    print(round(float(smoothed(cp.cos(cp.linspace(0, 1, 20)), 2.0)), 4))
    print(heat(10, 0.5).round(4), decayed(4).round(4))


if __name__ == "__main__":
    main()

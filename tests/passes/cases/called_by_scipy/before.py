"""Functions that SciPy calls: what they share with the code around them stays on the device."""

import numpy as np
from scipy.integrate import odeint, solve_ivp
from scipy.optimize import minimize


class Regression:
    def __init__(self, penalty):
        self.penalty = penalty

    def cost(self, weights, x, y):
        p = 1 / (1 + np.exp(-(x @ weights)))
        value = -np.mean(y * np.log(p) + (1 - y) * np.log(1 - p))
        slope = x.T @ (p - y) / len(y)
        return value + self.penalty * weights @ weights, slope + 2 * self.penalty * weights

    def fit(self, x, y):
        found = minimize(self.cost, np.zeros(x.shape[1]), args=(x, y), jac=True)
        self.weights = found.x
        return found.fun


def smoothed(signal, width):
    i = np.arange(len(signal))
    kernel = np.exp(-0.5 * ((i[:, None] - i[None, :]) / width) ** 2)

    def misfit(z):
        return np.sum((kernel @ z - signal) ** 2) + np.sum(np.sqrt(np.diff(z) ** 2 + 1e-6))

    return minimize(misfit, np.zeros(len(signal)), options={"maxiter": 3}).fun


def heat(n, t_end):
    laplacian = np.diag(np.ones(n - 1), 1) + np.diag(np.ones(n - 1), -1) - 2 * np.eye(n)
    found = solve_ivp(lambda t, u: laplacian @ u + np.sin(t), (0, t_end), np.ones(n))
    return found.y[:, -1]


def decay(u, t, rates):
    return -np.sqrt(rates) * np.exp(-rates) * u


def decayed(n):
    rates = np.linspace(1, 2, n)
    return odeint(decay, np.ones(n), [0, 1], args=(rates,))


def main():
    x = np.cos(np.arange(300.0)).reshape(100, 3)
    y = (np.sin(x).sum(axis=1) > 0.1).astype(float)
    model = Regression(0.1)
    print(round(float(model.fit(x, y)), 4), model.weights.round(2))
    print(round(float(smoothed(np.cos(np.linspace(0, 1, 20)), 2.0)), 4))
    print(heat(10, 0.5).round(4), decayed(4).round(4))


if __name__ == "__main__":
    main()

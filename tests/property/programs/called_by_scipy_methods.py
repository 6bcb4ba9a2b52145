import numpy as np
from scipy import integrate, optimize


class Reaction:
    """Reaction-diffusion in one dimension, as stiff ODEs."""

    def __init__(self, n, diffusivity):
        self.n = n
        self.x = np.linspace(0, 1, n)
        self.L = (np.diag(np.ones(n - 1), 1) - 2 * np.eye(n) + np.diag(np.ones(n - 1), -1)) * (n - 1) ** 2 * diffusivity

    def rhs(self, t, u, rate=1.0):
        self.calls = getattr(self, "calls", 0) + 1
        return self.L @ u + rate * u * (1 - u)

    def jac(self, t, u, rate=1.0):
        return self.L + np.diag(rate * (1 - 2 * u))

    def solve(self, t_end, rate):
        u0 = np.exp(-100 * (self.x - 0.5) ** 2)
        sol = integrate.solve_ivp(self.rhs, (0.0, t_end), u0, method="BDF", jac=self.jac, args=(rate,))
        return sol.t, sol.y


class Fit:
    def __init__(self, t, y):
        self.t, self.y = t, y
        self.history = []

    def model(self, p, t):
        return p[0] * np.exp(-p[1] * t) * np.cos(p[2] * t)

    def residual(self, p):
        r = self.model(p, self.t) - self.y
        self.history.append(float(r @ r))
        return r

    def run(self):
        out = optimize.least_squares(self.residual, [1.0, 0.5, 2.0])
        return out.x, out.cost


class Logistic:
    def __init__(self, lam=1e-2):
        self.lam = lam

    def cost(self, w, X, y):
        z = X @ w
        p = 1 / (1 + np.exp(-z))
        eps = 1e-12
        f = -np.mean(y * np.log(p + eps) + (1 - y) * np.log(1 - p + eps)) + self.lam * w @ w
        g = X.T @ (p - y) / len(y) + 2 * self.lam * w
        return f, g

    def fit(self, X, y):
        self.coef_ = optimize.minimize(self.cost, np.zeros(X.shape[1]), args=(X, y), jac=True, method="L-BFGS-B").x
        return self

    def predict(self, X):
        return (X @ self.coef_ > 0).astype(int)


def lorenz(state, t, sigma, rho, beta):
    x, y, z = state
    return [sigma * (y - x), x * (rho - z) - y, x * y - beta * z]


def main():
    r = Reaction(40, 1e-3)
    t, u = r.solve(0.5, 5.0)
    print(len(t), f"{u[:, -1].mean():.5f}", r.calls > 3)
    tt = np.linspace(0, 4, 200)
    rng = np.random.default_rng(0)
    f = Fit(tt, 2.0 * np.exp(-0.7 * tt) * np.cos(3 * tt) + 0.01 * rng.standard_normal(200))
    x, c = f.run()
    print(x.round(3), f"{c:.5f}", len(f.history) > 2)
    X = rng.standard_normal((300, 5))
    y = (X @ np.array([1, -2, 0.5, 0, 1.0]) > 0).astype(float)
    m = Logistic().fit(X, y)
    print(m.coef_.round(3), np.mean(m.predict(X) == y))
    path = integrate.odeint(lorenz, [1.0, 1.0, 1.0], np.linspace(0, 1, 50), args=(10.0, 28.0, 8 / 3))
    print(path.shape, f"{path[-1].sum():.4f}")
    grid = np.arange(100.0)

    def area(p):
        return np.sum((np.sin(grid * p[0]) - p[1]) ** 2)

    best = optimize.minimize(area, np.array([0.1, 0.2]), method="Nelder-Mead", options={"maxiter": 50})
    print(f"{best.fun:.4f} {best.nit}")


if __name__ == "__main__":
    main()

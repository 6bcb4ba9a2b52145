import numpy as np
from scipy.integrate import solve_ivp
from scipy.optimize import minimize, least_squares


def fit_curve(x, y, degree):
    def misfit(c):
        p = np.zeros_like(x)
        for k in range(degree + 1):
            p = p * x + c[k]
        return np.sum((p - y) ** 2) / len(x)

    return minimize(misfit, np.zeros(degree + 1), method="Powell", options={"maxiter": 3})


def deblur(signal, width):
    n = len(signal)
    i = np.arange(n)
    kernel = np.exp(-0.5 * ((i[:, None] - i[None, :]) / width) ** 2)
    kernel /= kernel.sum(axis=1, keepdims=True)

    def cost(z):
        r = kernel @ z - signal
        d = np.diff(z)
        return 0.5 * r @ r + 1e-3 * np.sum(np.sqrt(d**2 + 1e-6))

    def gradient(z):
        r = kernel @ z - signal
        d = np.diff(z)
        w = 1e-3 * d / np.sqrt(d**2 + 1e-6)
        g = kernel.T @ r
        g[1:] += w
        g[:-1] -= w
        return g

    res = minimize(cost, signal.copy(), jac=gradient, method="L-BFGS-B", options={"maxiter": 25})
    return res.x, res.nit


def heat(n):
    lap = (np.diag(np.full(n - 1, 1.0), 1) + np.diag(np.full(n - 1, 1.0), -1) - 2 * np.eye(n)) * (n + 1) ** 2
    sol = solve_ivp(lambda t, u: lap @ u + np.sin(t), [0, 0.1], np.ones(n), method="RK45", t_eval=np.linspace(0, 0.1, 5))
    return sol.y


def robust(x, y):
    res = least_squares(lambda p: p[0] + p[1] * x - y, np.array([0.0, 0.0]), loss="soft_l1")
    return res.x, res.cost


def main():
    x = np.linspace(-1, 1, 300)
    y = np.tanh(3 * x)
    r = fit_curve(x, y, 3)
    print(f"{r.fun:.4f}")
    z, nit = deblur(np.sign(np.sin(5 * x)) * 1.0, 3.0)
    print(f"{z.max():.3f} {nit > 2}")
    u = heat(30)
    print(u.shape, f"{u.sum():.4f}")
    p, c = robust(x, 2 * x + 1 + (x > 0.9) * 5)
    print(p.round(4), round(float(c), 4))


if __name__ == "__main__":
    main()

import numpy as np

CONFIG = {"n": 300, "sigma": 0.5, "name": "gp", "iters": 15}


def kernel(a, b, params):
    d2 = np.sum(a ** 2, axis=1)[:, None] + np.sum(b ** 2, axis=1)[None, :] - 2 * a @ b.T
    if params["kind"] == "rbf":
        return params["scale"] * np.exp(-0.5 * np.maximum(d2, 0) / params["length"] ** 2)
    return params["scale"] / (1 + d2)


def fit(x, y, params):
    k = kernel(x, x, params) + params["noise"] * np.eye(len(x))
    chol = np.linalg.cholesky(k)
    alpha = np.linalg.solve(chol.T, np.linalg.solve(chol, y))
    nll = 0.5 * y @ alpha + np.sum(np.log(np.diag(chol)))
    return {"x": x, "alpha": alpha, "chol": chol, "nll": nll, "params": params}


def predict(model, xs):
    ks = kernel(xs, model["x"], model["params"])
    mean = ks @ model["alpha"]
    v = np.linalg.solve(model["chol"], ks.T)
    var = model["params"]["scale"] - np.sum(v ** 2, axis=0)
    return {"mean": mean, "std": np.sqrt(np.maximum(var, 0)), "n": len(xs)}


def main():
    rng = np.random.default_rng(4)
    x = rng.random((CONFIG["n"], 2))
    y = np.sin(6 * x[:, 0]) + 0.1 * rng.standard_normal(CONFIG["n"])
    best = None
    for length in (0.1, 0.2, 0.4):
        params = {"kind": "rbf", "length": length, "scale": 1.0, "noise": 0.01}
        model = fit(x, y, params)
        if best is None or model["nll"] < best["nll"]:
            best = model
    grid = rng.random((50, 2))
    out = predict(best, grid)
    print(best["params"]["length"], f"{float(best['nll']):.6f}", out["n"])
    print(np.round(out["mean"][:4], 6), np.round(out["std"][:4], 6))


if __name__ == "__main__":
    main()

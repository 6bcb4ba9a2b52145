import numpy as np


class Logger:
    def __init__(self, path=None):
        self.path = path
        self.data = {}

    def log(self, **values):
        for name, value in values.items():
            self.data.setdefault(name, []).append(value)

    def mean(self, name):
        return float(np.mean(self.data[name]))


def make_params(n, seed):
    rng = np.random.default_rng(seed)
    return {"a": rng.random((n, n)), "b": rng.random(n), "meta": {"n": n, "seed": seed, "name": f"run{seed}"}}


def power(params, iters):
    v = np.ones(params["meta"]["n"])
    lam = 0.0
    for _ in range(iters):
        w = params["a"] @ v
        lam = np.linalg.norm(w)
        v = w / lam
    return {"vector": v, "value": lam, "iters": iters}


def main():
    log = Logger()
    results = {}
    for seed in range(3):
        params = make_params(80, seed)
        out = power(params, 30)
        results[params["meta"]["name"]] = out
        log.log(value=out["value"], residual=np.abs(params["a"] @ out["vector"] - out["value"] * out["vector"]).max())
    for name, out in results.items():
        print(name, f"{out['value']:.8f}", out["iters"], out["vector"][:2].round(6))
    print(f"{log.mean('value'):.6f} {log.mean('residual') < 1e-6}")


if __name__ == "__main__":
    main()

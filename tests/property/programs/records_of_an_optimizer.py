import numpy as np


def adam_init(params):
    return {name: {"m": np.zeros_like(p), "v": np.zeros_like(p), "t": 0} for name, p in params.items()}


def adam_step(params, grads, state, lr=0.01, b1=0.9, b2=0.999):
    for name in params:
        s = state[name]
        s["t"] += 1
        s["m"] = b1 * s["m"] + (1 - b1) * grads[name]
        s["v"] = b2 * s["v"] + (1 - b2) * grads[name] ** 2
        mh = s["m"] / (1 - b1 ** s["t"])
        vh = s["v"] / (1 - b2 ** s["t"])
        params[name] = params[name] - lr * mh / (np.sqrt(vh) + 1e-8)


def loss_and_grads(params, x, y):
    h = np.tanh(x @ params["w1"] + params["b1"])
    out = h @ params["w2"] + params["b2"]
    err = out - y
    g = 2 * err / len(x)
    gh = (g @ params["w2"].T) * (1 - h ** 2)
    return np.mean(err ** 2), {"w1": x.T @ gh, "b1": gh.sum(0), "w2": h.T @ g, "b2": g.sum(0)}


def main():
    rng = np.random.default_rng(0)
    x = rng.standard_normal((400, 3))
    y = np.sin(x[:, :1]) * x[:, 1:2]
    params = {"w1": rng.standard_normal((3, 16)) * 0.5, "b1": np.zeros(16),
              "w2": rng.standard_normal((16, 1)) * 0.5, "b2": np.zeros(1)}
    state = adam_init(params)
    for i in range(60):
        loss, grads = loss_and_grads(params, x, y)
        adam_step(params, grads, state)
        if i % 20 == 0:
            print(i, f"{loss:.6f}")
    print({k: v.shape for k, v in params.items()})


if __name__ == "__main__":
    main()

import json
import numpy as np


def make_state(n, dt):
    x = np.linspace(0.0, 2.0 * np.pi, n, endpoint=False)
    return {"x": x, "u": np.sin(x), "v": np.zeros(n), "t": 0.0, "dt": dt, "step": 0, "log": []}


def laplacian(u, dx):
    return (np.roll(u, -1) - 2 * u + np.roll(u, 1)) / dx ** 2


def step(state, c=1.0):
    dx = state["x"][1] - state["x"][0]
    a = c ** 2 * laplacian(state["u"], dx)
    state["v"] += state["dt"] * a
    state["u"] += state["dt"] * state["v"]
    state["t"] += state["dt"]
    state["step"] += 1


def energy(state):
    dx = float(state["x"][1] - state["x"][0])
    ux = (np.roll(state["u"], -1) - state["u"]) / dx
    return float(0.5 * np.sum(state["v"] ** 2 + ux ** 2) * dx)


def run(n=512, steps=200):
    state = make_state(n, 0.2 * 2 * np.pi / n)
    for k in range(steps):
        step(state)
        if k % 50 == 0:
            state["log"].append((state["t"], energy(state)))
    return state


def main():
    state = run()
    for t, e in state["log"]:
        print(f"{t:.4f} {e:.8f}")
    summary = {"t": round(state["t"], 6), "steps": state["step"], "max": float(np.abs(state["u"]).max())}
    print(json.dumps({k: round(v, 6) for k, v in summary.items()}))


if __name__ == "__main__":
    main()

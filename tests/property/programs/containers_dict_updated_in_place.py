import sys, json
import numpy as np


def init(n):
    return {
        "u": np.linspace(0, 1, n),
        "v": np.zeros(n),
        "w": np.ones(n, dtype=np.float32),
    }


def step(state, dt):
    state["u"] += dt * np.sin(state["v"])
    state["v"] -= dt * np.cos(state["u"])
    state["w"] *= 0.5
    state["v"][0] = state["u"][3]
    return state


def norms(state):
    return {k: float(np.sqrt(np.sum(v * v))) for k, v in state.items()}


def main(path):
    s = init(50)
    keep = s["u"]
    snap = {k: v.copy() for k, v in s.items()}
    for _ in range(10):
        s = step(s, 0.1)
    print(json.dumps({k: round(v, 8) for k, v in norms(s).items()}))
    same = keep is s["u"]
    e = s["u"][2]
    s["u"][2] = 100.0
    np.savez(path, same=same, e=e, **s, **{"old_" + k: v for k, v in snap.items()})


if __name__ == "__main__":
    main(sys.argv[1])

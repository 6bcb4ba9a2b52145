import numpy as np


def advance(state, dt):
    change = {name: np.cos(field) for name, field in state.items()}
    return {name: state[name] + dt * np.tanh(change[name]) for name in state}


def damp(state, factor):
    state["u"] *= factor
    state["v"] -= factor * np.sin(state["u"])


def main(n: int):
    state = {"u": np.linspace(0, 1, n), "v": np.ones(n)}
    for _ in range(20):
        state = advance(state, 0.1)
        damp(state, 0.5)
    rows = [np.sqrt(state["u"]), np.exp(state["v"])]
    np.savez("state.npz", *rows, **state)


main(100)

import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("state", containers="state")
def advance(state, dt):
    change = {name: cp.cos(field) for name, field in state.items()}
    return {name: state[name] + dt * cp.tanh(change[name]) for name in state}


@device("state", containers="state", writes="state")
def damp(state, factor):
    state["u"] *= factor
    state["v"] -= factor * cp.sin(state["u"])


def main(n: int):
    state = {"u": cp.linspace(0, 1, n), "v": cp.ones(n)}
    for _ in range(20):
        state = advance(state, 0.1)
        damp(state, 0.5)
    rows = [cp.sqrt(state["u"]), cp.exp(state["v"])]
    np.savez("state.npz", *[cp.asnumpy(value) for value in rows], **{name: cp.asnumpy(value) for name, value in state.items()})


main(100)

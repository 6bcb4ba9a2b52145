"""A solver whose steps are counted and timed by decorators of its own."""
import functools
import time

import numpy as np

CALLS = {}
TIMES = []


def counted(func):
    @functools.wraps(func)
    def wrapper(*args, **kwargs):
        CALLS[func.__name__] = CALLS.get(func.__name__, 0) + 1
        return func(*args, **kwargs)
    return wrapper


def timed(label):
    def outer(func):
        def inner(*args, **kwargs):
            start = time.perf_counter()
            result = func(*args, **kwargs)
            TIMES.append((label, time.perf_counter() - start))
            return result
        return inner
    return outer


@counted
def laplace(u):
    return np.roll(u, 1, 0) + np.roll(u, -1, 0) + np.roll(u, 1, 1) + np.roll(u, -1, 1) - 4 * u


@timed("step")
@counted
def step(state, dt):
    state["u"] = state["u"] + dt * laplace(state["u"])
    state["t"] += dt
    return state


@counted
def heun(f, u, dt):
    k = f(u)
    return u + 0.5 * dt * (k + f(u + dt * k))


@counted
def rhs(u):
    return laplace(u) - u ** 3


def main():
    rng = np.random.default_rng(0)
    state = {"u": rng.random((32, 32)), "t": 0.0, "name": "x"}
    for k in range(20):
        state = step(state, 0.1)
        state["u"] = heun(rhs, state["u"], 0.05)
        if k % 10 == 0:
            print(k, f"{np.abs(state['u']).max():.10f}", round(state["t"], 6))
    print(np.round(state["u"][::8, ::8], 8), sorted(CALLS.items()), len(TIMES))


if __name__ == "__main__":
    main()

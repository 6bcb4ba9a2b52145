"""Closures whose arrays others change, defaults of lambdas, and late binding."""
import numpy as np


def keep(a):
    def look(k):
        return a * k

    return look


def swap_rows(m):
    m[[0, 1]] = m[[1, 0]]


class Bank:
    def __init__(self):
        self.fs = {}

    def add(self, name, f):
        self.fs[name] = f

    def total(self, x):
        out = np.zeros_like(x)
        for name in sorted(self.fs):
            out += self.fs[name](x)
        return out


def main():
    rng = np.random.default_rng(0)
    a = rng.normal(size=(400, 400))
    looks = keep(a)
    first = looks(2.0).sum()
    swap_rows(a)
    a[0, :] = 7.0
    print(f"{first:.6f} {looks(1.0)[0].sum():.6f} {looks(1.0)[1, :3].sum():.6f}")
    bank = Bank()
    shift = np.linspace(0, 1, 400)
    bank.add("lin", lambda x: x + shift)
    bank.add("sq", lambda x: x * x)
    before = bank.total(a[2]).sum()
    shift *= 3.0
    print(f"{before:.6f} {bank.total(a[2]).sum():.6f}")
    frozen = [lambda x, w=w: x * w for w in (1.0, 2.0, 3.0)]
    late = [lambda x: x * w for w in (1.0, 2.0, 3.0)]
    print([f"{f(shift).sum():.4f}" for f in frozen], [f"{f(shift).sum():.4f}" for f in late])
    stack = []
    push = stack.append
    visit = lambda v: stack.append(v * 2)
    for k in range(3):
        visit(shift * k)
    push(shift)
    print(len(stack), f"{sum(s.sum() for s in stack):.6f}")
    state = {"u": np.zeros(400), "t": 0}

    def advance(dt):
        state["u"] = state["u"] + dt * np.sin(shift)
        state["t"] += 1
        return state["u"].max()

    tops = [advance(0.1) for _ in range(4)]
    print([f"{t:.5f}" for t in tops], state["t"], f"{state['u'].sum():.6f}")


main()

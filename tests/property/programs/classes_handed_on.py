"""Registries of classes, factories, classes as arguments and attributes."""
from dataclasses import dataclass, field

import numpy as np


class Euler:
    order = 1

    def __init__(self, f, dt):
        self.f = f
        self.dt = dt

    def step(self, u):
        return u + self.dt * self.f(u)


class Heun:
    order = 2

    def __init__(self, f, dt):
        self.f = f
        self.dt = dt

    def step(self, u):
        k1 = self.f(u)
        k2 = self.f(u + self.dt * k1)
        return u + 0.5 * self.dt * (k1 + k2)


SOLVERS = {"euler": Euler, "heun": Heun}


def decay(u):
    return -u + 0.1 * np.sin(u)


def integrate(kind, u, dt, steps):
    solver = SOLVERS[kind](decay, dt)
    for _ in range(steps):
        u = solver.step(u)
    return u, solver.order


@dataclass
class Mesh:
    n: int = 3000
    origin: float = 0.5

    def points(self):
        return np.linspace(0.0, 1.0, self.n) - self.origin


@dataclass
class Problem:
    mesh: Mesh = field(default_factory=Mesh)
    scheme: type = Euler
    history: list = field(default_factory=list)

    def run(self, steps):
        u = np.exp(-self.mesh.points() ** 2)
        solver = self.scheme(decay, 0.01)
        for _ in range(steps):
            u = solver.step(u)
            self.history.append(u.sum())
        return u


def make(cls, *args, **kwargs):
    return cls(*args, **kwargs)


class Layer:
    def __init__(self, w, activation):
        self.w = w
        self.activation = activation

    def __call__(self, x):
        return self.activation(x @ self.w)


class Tanh:
    def __call__(self, x):
        return np.tanh(x)


class Relu:
    def __call__(self, x):
        return np.maximum(x, 0.0)


def network(sizes, activations):
    rng = np.random.default_rng(0)
    return [Layer(rng.normal(size=(a, b)) / np.sqrt(a), act()) for a, b, act in zip(sizes[:-1], sizes[1:], activations)]


def main():
    u0 = np.linspace(0.0, 2.0, 5000)
    for kind in SOLVERS:
        u, order = integrate(kind, u0, 0.05, 40)
        print(kind, order, u.sum())
    p = Problem()
    print(p.run(20).max(), len(p.history), float(p.history[-1]))
    q = Problem(scheme=Heun)
    print(q.run(20).max(), q.scheme.order)
    h = make(Heun, decay, dt=0.1)
    print(h.step(u0)[:3])
    net = network([30, 40, 20, 5], [Tanh, Relu, Tanh])
    x = np.random.default_rng(1).normal(size=(500, 30))
    for layer in net:
        x = layer(x)
    print(x.sum())


main()

"""Layers whose activations are lambdas."""
import numpy as np
from dataclasses import dataclass, field
from typing import Callable


@dataclass
class Layer:
    weight: np.ndarray
    activation: Callable
    log: list = field(default_factory=list)

    def __call__(self, x):
        z = x @ self.weight
        self.log.append(float(np.abs(z).max()))
        return self.activation(z)


def leaky(slope):
    return lambda z: np.where(z > 0, z, slope * z)


def build(sizes, seed):
    rng = np.random.default_rng(seed)
    kinds = {"tanh": lambda z: np.tanh(z), "leaky": leaky(0.1), "id": lambda z: z}
    layers = []
    for k, (a, b) in enumerate(zip(sizes[:-1], sizes[1:])):
        name = "tanh" if k % 2 == 0 else "leaky"
        layers.append(Layer(rng.normal(size=(a, b)) / np.sqrt(a), kinds[name]))
    return layers


def main():
    layers = build([16, 32, 8, 4], 5)
    x = np.linspace(-1, 1, 160).reshape(10, 16)
    for layer in layers:
        x = layer(x)
    print(np.round(x.sum(axis=0), 6), [round(l.log[0], 6) for l in layers])


main()

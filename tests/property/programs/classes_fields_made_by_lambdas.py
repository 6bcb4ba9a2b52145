"""Fields of dataclasses that a lambda makes anew for each instance."""

from dataclasses import dataclass, field

import numpy as np


@dataclass
class Params:
    rate: float = 0.1
    decay: np.ndarray = field(default_factory=lambda: np.full(100, 0.9))


@dataclass
class State:
    n: int
    mean: np.ndarray = field(default_factory=lambda: np.zeros(100))
    gain: np.ndarray = field(default_factory=lambda: np.linspace(0.0, 1.0, 100), repr=False)
    history: list = field(default_factory=lambda: [])
    params: Params = field(default_factory=lambda: Params(0.2))

    def step(self, z):
        self.mean += self.params.rate * self.gain * (z - self.mean)
        self.mean *= self.params.decay
        self.history.append(self.mean.copy())
        return np.sqrt(np.mean(self.mean**2))


def main():
    a, b = State(1), State(2, mean=np.ones(100))
    for k in range(5):
        z = np.sin(np.arange(100.0) * k)
        print("%.6f %.6f" % (a.step(z), b.step(-z)))
    print(a.mean[:3].round(6), b.mean[:3].round(6), len(a.history), a.history[0].sum().round(6))
    print(a.gain is b.gain, State(3).mean.sum())


if __name__ == "__main__":
    main()

"""A number in the results of a method, beside an array that the method writes to."""

import numpy as np


class Filter:
    def __init__(self):
        self.transition = np.array([[1.0, 0.1], [0.0, 0.9]])

    def run(self, observed):
        states = np.zeros((len(observed), 2))
        state = np.zeros(2)
        for k in range(len(observed)):
            state = self.transition @ state + observed[k]
            states[k] = state
        return states, (state * state).sum()


def main():
    states, energy = Filter().run(np.sin(np.ones((50, 2))))
    states -= states.mean(axis=0)
    print(np.abs(states).max(), energy)


if __name__ == "__main__":
    main()

"""A number in the results of a method, beside an array that the method writes to."""

import cupy as cp


class Filter:
    def __init__(self):
        self.transition = cp.array([[1.0, 0.1], [0.0, 0.9]])

    def run(self, observed):
        states = cp.zeros((len(observed), 2))
        state = cp.zeros(2)
        for k in range(len(observed)):
            state = self.transition @ state + observed[k]
            states[k] = state
        return states, (state * state).sum()


def main():
    states, energy = Filter().run(cp.sin(cp.ones((50, 2))))
    states -= states.mean(axis=0)
    print(float(cp.abs(states).max()), float(energy))


if __name__ == "__main__":
    main()

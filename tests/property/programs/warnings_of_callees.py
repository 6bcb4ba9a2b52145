"""What functions warn of is recorded, or made an exception, where they are called."""

import warnings

import numpy as np


def entropy(p):
    return -np.sum(p * np.log(p))


class Model:
    def __init__(self, p):
        self.p = p

    def cost(self):
        return entropy(self.p) + np.sqrt(self.p - 0.1).sum()


def recorded(p):
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        entropy(p)
    return len(told)


def careful(p):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            return entropy(p)
        except RuntimeWarning:
            return entropy(np.where(p > 0, p, 1.0))


def of_model(p):
    model = Model(p)
    with warnings.catch_warnings():
        warnings.filterwarnings("error", category=RuntimeWarning)
        try:
            return model.cost()
        except RuntimeWarning:
            return "warned"


def main():
    p = np.array([0.5, 0.25, 0.25, 0.0])
    for part in (p, p[:3]):
        print(recorded(part), careful(part), of_model(part))


main()

"""What fields on a grid have in common."""

from abc import ABC, abstractmethod

import numpy as np


class Field(ABC):
    scale = 2.0

    def __init__(self, n):
        self.u = np.zeros((n, n))
        self.history = []

    @abstractmethod
    def rate(self):
        """The change of `u` in a unit of time."""

    def step(self, dt):
        self.u = self.u + dt * self.rate()
        self.history.append(self.total)

    @property
    def total(self):
        return float(np.sum(self.u)) * self.scale


def spot(field, row, column, value):
    field.u[row, column] = value
    return field

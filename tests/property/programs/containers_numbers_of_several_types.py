"""Matrices written as lists of whole numbers, floats and names of both."""
import sys

import numpy as np


class Tracker:
    def __init__(self, dt, q=0.05):
        self.F = np.array([[1, dt, 0], [0, 1, dt], [0, 0, 1]])
        self.Q = np.array([[q, q, 0], [q, q, 0], [0, 0, 0.0]])
        self.x = np.zeros(3)
        self.P = np.eye(3)

    def step(self, z):
        self.x = self.F @ self.x
        self.P = self.F @ self.P @ self.F.T + self.Q
        gain = self.P[:, 0] / (self.P[0, 0] + 0.5)
        self.x = self.x + gain * (z - self.x[0])
        self.P = self.P - np.outer(gain, self.P[0])


def rotation(angle):
    c, s = float(np.cos(angle)), float(np.sin(angle))
    return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]])


def turn(points, angle, scale=2):
    shift = np.array([scale, 0, angle])
    return points @ rotation(angle).T + shift


tracker = Tracker(1 / 60)
for k in range(12):
    tracker.step(0.1 * k)
print(tracker.x.round(8))
points = np.linspace(0.0, 1.0, 30).reshape(10, 3)
turned = turn(points, 0.3)
flags = np.array([True, 2, 3])
waves = np.exp(np.array([1j, 0.5, 2]))
print(turned.sum().round(9), flags.dtype, waves.dtype)
np.savez(sys.argv[1], x=tracker.x, P=tracker.P, turned=turned, flags=flags * 2, waves=waves)

import numpy as np
from .grid import X as positions, STEP

u = np.sin(positions)
count = 0
history = []


def advance(dt):
    global u, count
    u = u + dt * np.gradient(u, STEP)
    count += 1
    history.append(float(np.abs(u).max()))


def reset():
    global u
    u = np.zeros_like(positions)

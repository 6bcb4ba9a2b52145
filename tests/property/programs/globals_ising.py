"""Ising model by globals with elementwise loops and a random stream of the host."""
import numpy as np

L = 40
rng = np.random.default_rng(5)
spins = rng.choice([-1, 1], size=(L, L))
beta = 0.4
magnet = []
accepted = 0
neighbours = [(0, 1), (0, -1), (1, 0), (-1, 0)]
odd = (np.add.outer(np.arange(L), np.arange(L)) % 2).astype(bool)


def local_field(s):
    total = np.zeros(s.shape, dtype=int)
    for dx, dy in neighbours:
        total += np.roll(s, (dx, dy), axis=(0, 1))
    return total


def half_sweep(mask):
    global accepted, spins
    dE = 2 * spins * local_field(spins)
    p = np.exp(-beta * dE)
    flip = (rng.random((L, L)) < p) & mask
    spins = np.where(flip, -spins, spins)
    accepted += int(flip.sum())


def energy():
    e = 0
    for i in range(L):
        for j in range(L):
            e -= spins[i, j] * (spins[(i + 1) % L, j] + spins[i, (j + 1) % L])
    return e


for sweep in range(30):
    half_sweep(odd)
    half_sweep(~odd)
    magnet.append(abs(spins.mean()))
print(accepted, energy(), np.mean(magnet).round(8), spins.sum())

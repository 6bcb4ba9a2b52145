"""Particles of a fluid in arrays of the module: views of them are sorted and kept beside them."""

import numpy as np

h, dt = 0.12, 2e-3
g = np.array([0.0, -9.81])
pos = np.stack(np.meshgrid(np.linspace(0.1, 0.6, 8), np.linspace(0.1, 0.9, 8)), axis=-1)
pos = pos.reshape(-1, 2)
vel = np.zeros_like(pos)
mass = np.full(len(pos), 1.0 / len(pos))
x, y = pos.T
left, right = x < 0.3, ~(x < 0.3)
rho = np.zeros(len(pos))
history = {"t": [], "energy": [], "centre": []}


def kernel(r):
    q = r / h
    w = np.where(q < 1, 1 - 1.5 * q**2 + 0.75 * q**3, np.where(q < 2, 0.25 * (2 - q) ** 3, 0.0))
    return w * 10 / (7 * np.pi * h**2)


def slope(d, r):
    q = r / h
    dw = np.where(q < 1, -3 * q + 2.25 * q**2, np.where(q < 2, -0.75 * (2 - q) ** 2, 0.0))
    dw *= 10 / (7 * np.pi * h**3)
    with np.errstate(invalid="ignore", divide="ignore"):
        unit = d / r[..., None]
    unit[r == 0] = 0
    return dw[..., None] * unit


def density():
    global rho
    d = pos[:, None, :] - pos[None, :, :]
    r = np.sqrt((d**2).sum(-1))
    rho = kernel(r) @ mass
    return d, r


def accelerations(d, r, k=10.0, nu=0.5):
    p = k * (rho - 1.0)
    term = (p / rho**2)[:, None] + (p / rho**2)[None, :]
    a = -(mass[None, :, None] * term[..., None] * slope(d, r)).sum(axis=1)
    dv = vel[None] - vel[:, None]
    a += nu * (mass[None, :, None] / rho[None, :, None] * dv * kernel(r)[..., None]).sum(1)
    return a + g


def walls(lo=0.0, hi=1.0, damp=-0.5):
    for axis in range(2):
        p, v = pos[:, axis], vel[:, axis]
        below, above = p < lo, p > hi
        p[below] = 2 * lo - p[below]
        p[above] = 2 * hi - p[above]
        v[below | above] *= damp


for step in range(20):
    d, r = density()
    a = accelerations(d, r)
    vel += dt * a
    pos += dt * vel
    walls()
    if step % 10 == 0:
        history["t"].append(step * dt)
        history["energy"].append(0.5 * (mass[:, None] * vel**2).sum())
        history["centre"].append(pos.mean(axis=0))
        print(f"{step:3d} {rho.min():.4f} {rho.max():.4f} {x[0]:.6f}")

print(np.array(history["energy"]).round(8), np.array(history["centre"]).round(6))
print(pos[left].mean(0).round(8), pos[right].mean(0).round(8), y.max().round(8))
order = np.lexsort((y, x))
print(order[:5], pos[order[0]].round(8))

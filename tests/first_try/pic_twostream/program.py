# One-dimensional electrostatic particle-in-cell run of two counter-streaming beams
import sys

import numpy as np

ng = 64
npart = 4000
length = 2.0 * np.pi
dx = length / ng
dt = 0.1
nsteps = 30
v0 = 0.2

rng = np.random.RandomState(5)
x = (np.arange(npart) + 0.5) * length / npart
v = np.where(np.arange(npart) % 2 == 0, v0, -v0) + 0.005 * rng.standard_normal(npart)
x = (x + 0.01 * np.sin(x)) % length
charge = -length / npart

k = 2.0 * np.pi * np.fft.fftfreq(ng, d=dx)
k2 = k ** 2
k2[0] = 1.0


def deposit(x):
    """Cloud-in-cell charge density with a neutralising background."""
    rho = np.zeros(ng)
    for p in range(npart):
        s = x[p] / dx
        i = int(s)
        w = s - i
        rho[i % ng] += charge * (1.0 - w) / dx
        rho[(i + 1) % ng] += charge * w / dx
    return rho + 1.0


def field(rho):
    rho_k = np.fft.fft(rho)
    phi_k = rho_k / k2
    phi_k[0] = 0.0
    phi = np.fft.ifft(phi_k).real
    return phi, (np.roll(phi, 1) - np.roll(phi, -1)) / (2.0 * dx)


def gather(e, x):
    s = x / dx
    i = np.floor(s).astype(int)
    w = s - i
    return (1.0 - w) * e[i % ng] + w * e[(i + 1) % ng]


def smooth(rho):
    out = np.empty_like(rho)
    for j in range(ng):
        out[j] = 0.25 * rho[(j - 1) % ng] + 0.5 * rho[j] + 0.25 * rho[(j + 1) % ng]
    return out


def phase_space(x, v, nx=16, nv=16):
    h, _, _ = np.histogram2d(x, v, bins=[nx, nv], range=[[0.0, length], [-0.5, 0.5]])
    return h.astype(np.int64)


kinetic = np.zeros(nsteps)
electric = np.zeros(nsteps)
momentum = np.zeros(nsteps)
mode = np.zeros(nsteps)

rho = smooth(deposit(x))
phi, e = field(rho)
v += 0.5 * dt * gather(e, x)      # back half a step

for n in range(nsteps):
    v -= dt * gather(e, x)
    x += dt * v
    x %= length
    rho = smooth(deposit(x))
    phi, e = field(rho)
    kinetic[n] = 0.5 * (length / npart) * np.sum(v ** 2)
    electric[n] = 0.5 * dx * np.sum(e ** 2)
    momentum[n] = v.mean()
    mode[n] = np.abs(np.fft.fft(e)[1]) / ng

total = kinetic + electric
density = np.zeros(ng)
cell = np.minimum((x / dx).astype(int), ng - 1)
np.add.at(density, cell, 1.0)
mean_v = np.bincount(cell, weights=v, minlength=ng) / np.maximum(density, 1.0)

print("energy drift %.3e" % (abs(total[-1] - total[0]) / total[0]))
print("mode 1 from %.6f to %.6f" % (mode[0], mode[-1]))
np.savez(sys.argv[1], kinetic=kinetic, electric=electric, momentum=momentum, mode=mode,
         rho=rho, phi=phi, e=e, density=density, mean_v=mean_v, phase=phase_space(x, v))

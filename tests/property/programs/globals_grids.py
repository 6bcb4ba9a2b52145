"""Shallow-water-like solver written as people write scripts: grids and settings are globals."""
import numpy as np

N = 96
L = 2 * np.pi
dx = L / N
x = np.arange(N) * dx
X, Y = np.meshgrid(x, x, indexing="ij")
k = np.fft.fftfreq(N, d=dx) * 2 * np.pi
KX, KY = np.meshgrid(k, k, indexing="ij")
K2 = KX ** 2 + KY ** 2
K2[0, 0] = 1.0
dealias = (np.abs(KX) < 2 / 3 * np.abs(k).max()) & (np.abs(KY) < 2 / 3 * np.abs(k).max())
nu = 1e-3


def velocity(w_hat):
    psi = w_hat / K2
    u = np.real(np.fft.ifft2(1j * KY * psi))
    v = np.real(np.fft.ifft2(-1j * KX * psi))
    return u, v


def rhs(w_hat):
    u, v = velocity(w_hat)
    wx = np.real(np.fft.ifft2(1j * KX * w_hat))
    wy = np.real(np.fft.ifft2(1j * KY * w_hat))
    adv = np.fft.fft2(u * wx + v * wy)
    return -adv * dealias - nu * K2 * w_hat


def step(w_hat, dt):
    k1 = rhs(w_hat)
    k2 = rhs(w_hat + 0.5 * dt * k1)
    return w_hat + dt * k2


def energy(w_hat):
    u, v = velocity(w_hat)
    return 0.5 * np.mean(u ** 2 + v ** 2)


w0 = np.exp(-((X - np.pi) ** 2 + (Y - np.pi + 0.5) ** 2) * 4) - np.exp(-((X - np.pi) ** 2 + (Y - np.pi - 0.5) ** 2) * 4)
w_hat = np.fft.fft2(w0)
for n in range(20):
    w_hat = step(w_hat, 0.01)
    if n % 10 == 0:
        print(n, f"{energy(w_hat):.12f}")
w = np.real(np.fft.ifft2(w_hat))
print(np.round(w[::24, ::24], 8) + 0.0)

import sys
import numpy as np


def magphase(D, power=1):
    mag = np.abs(D)
    zeros = mag == 0
    safe = mag + zeros
    phase = np.empty_like(D, dtype=np.complex128)
    phase.real = D.real / safe + zeros
    phase.imag = D.imag / safe
    mag **= power
    return mag, phase


def conj(z):
    z.imag *= -1
    z.real = 5
    return z


def half(z, w):
    z.real += w
    z.imag = z.real[::-1]
    return np.abs(z)


def realin(x):
    x.real = np.arange(5.0)
    return x * 2


def main():
    rng = np.random.default_rng(0)
    D = rng.normal(size=(20, 5)) + 1j * rng.normal(size=(20, 5))
    D[3, 2] = 0
    m, p = magphase(D)
    z = np.array([1 + 2j, 3 - 4j, 5j])
    zz = conj(z)
    h = half(np.arange(6) + 1j, np.ones(6))
    np.savez(sys.argv[1], m=m, p=p, z=z, zz=zz, h=h, r=realin(np.zeros(5)))


main()

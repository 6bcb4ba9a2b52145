"""A copy on the device of an array that a function, ported for another, changes on the host."""
import numpy as np


def stamp(u, v):
    w = np.abs(np.fft.fft(np.convolve(v, v[:50], "same"))).sum()
    np.put(u, [0, 7], [3.0, 4.0])
    np.place(u, u > 0.9, [0.25, 0.5])
    return w


def spectrum(u, v):
    a = np.abs(np.fft.fft(np.convolve(u, u[:50], "same"))).sum()
    b = np.abs(np.fft.ifft(np.convolve(u, u[:40], "same"))).sum()
    w = stamp(u, v)
    c = np.abs(np.fft.fft(np.convolve(u, u[:50], "same"))).sum()
    d = np.abs(np.fft.ifft(np.convolve(u, u[:40], "same"))).sum()
    return a, b, c, d, w


def main():
    u = np.sin(np.arange(3000.0))
    v = np.cos(np.arange(3000.0))
    print([f"{k:.5f}" for k in spectrum(u, v)])
    print([f"{k:.5f}" for k in spectrum(u, u)])
    print(f"{u.sum():.6f}")


main()

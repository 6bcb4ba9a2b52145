import numpy as np


def real(f_hat):
    return np.real(np.fft.ifft2(f_hat))


def spectrum(f):
    return np.fft.fft2(f).real


def plain(f):
    return np.fft.ifft2(f)


if __name__ == "__main__":
    x = np.fft.fft2(np.random.default_rng(0).random((64, 64)))
    print(real(x).sum(), spectrum(real(x)).sum(), plain(x).sum())

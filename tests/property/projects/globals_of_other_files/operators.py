import numpy as np
from config import KX, KY, K2, FILTER


def grad(f_hat):
    return 1j * KX * f_hat, 1j * KY * f_hat


def laplacian(f_hat):
    return -K2 * f_hat


def clean(f_hat):
    return FILTER * f_hat


def real(f_hat):
    return np.real(np.fft.ifft2(f_hat))

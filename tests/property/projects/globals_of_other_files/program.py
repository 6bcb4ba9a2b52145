import numpy as np
import config as cfg
import operators as ops


def initial():
    return np.fft.fft2(np.sin(cfg.X) * np.cos(cfg.Y) + 0.1 * np.cos(3 * cfg.X))


def rhs(u_hat):
    ux, uy = ops.grad(u_hat)
    u = ops.real(u_hat)
    adv = u * ops.real(ux) + 0.5 * ops.real(uy)
    return -np.fft.fft2(adv) + 0.01 * ops.laplacian(u_hat)


def main():
    u_hat = initial()
    for i in range(30):
        k1 = rhs(u_hat)
        u_hat = ops.clean(u_hat + cfg.DT * rhs(u_hat + 0.5 * cfg.DT * k1))
        if i % 10 == 0:
            print(i, f"{np.abs(u_hat).max():.10f}")
    print(np.round(ops.real(u_hat)[::32, ::32], 7).tolist())


if __name__ == "__main__":
    main()

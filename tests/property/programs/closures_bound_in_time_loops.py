import numpy as np


def main():
    n = 4000
    u = np.sin(np.linspace(0.0, 3.0, n))
    dt = 0.1

    def laplacian():
        return u[2:] - 2.0 * u[1:-1] + u[:-2]

    def energy():
        return 0.5 * (u * u).sum() * dt

    for step in range(30):
        du = np.zeros_like(u)
        du[1:-1] = dt * laplacian()
        u = u + du
        if step % 10 == 9:
            print(f"{energy():.8f}")
            dt = dt * 0.5
    u += 1.0
    print(f"{energy():.8f}")
    u = u.astype(np.float32)
    print(f"{energy():.4f}", laplacian().dtype)


main()

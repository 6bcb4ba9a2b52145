import sys

import numpy as np
from numpy.typing import NDArray


def seven(x: NDArray[np.float64], nx: int, ny: int, nz: int):
    out = np.zeros(nx * ny * nz)
    for i in range(1, nx - 1):
        for j in range(1, ny - 1):
            for k in range(1, nz - 1):
                c = (i * ny + j) * nz + k
                out[c] = (x[c - 1] + x[c + 1] + x[c - nz] + x[c + nz]
                          + x[c - ny * nz] + x[c + ny * nz] - 6.0 * x[c])
    return out


def direct(x, nx, ny, nz):
    out = np.zeros(nx * ny * nz)
    for i in range(1, nx - 1):
        for j in range(1, ny - 1):
            for k in range(1, nz - 1):
                out[(i * ny + j) * nz + k] = (
                    x[((i - 1) * ny + j) * nz + k] + x[((i + 1) * ny + j) * nz + k]
                    - 2.0 * x[(i * ny + j) * nz + k])
    return out


def strided(x, nx, ny, nz):
    out = np.zeros(nx * ny * nz)
    for i in range(nx):
        for j in range(ny):
            for k in range(nz):
                out[i * ny * nz + j * nz + k] = x[i * ny * nz + j * nz + k] * 2 + i - j
    return out


def reversed_order(x, nx, ny, nz):
    out = np.zeros(nx * ny * nz)
    for k in range(nz):
        for j in range(ny):
            for i in range(nx):
                out[k + nz * (j + ny * i)] = x[k + j * nz + i * (ny * nz)] + 1
    return out


def flat2(x, n, m):
    out = np.zeros(n * m)
    for i in range(1, n - 1):
        for j in range(1, m - 1):
            c = i * m + j
            out[c] = x[c - 1] + x[c + 1] + x[c - m] + x[c + m]
    return out


def carried(x, nx, ny, nz):
    for i in range(1, nx):
        for j in range(ny):
            for k in range(nz):
                c = (i * ny + j) * nz + k
                x[c] = x[c - ny * nz] + 1
    return x


def colours(x, nx, ny, nz):
    for i in range(nx):
        for j in range(ny):
            for k in range(1, nz):
                c = (i * ny + j) * nz + k
                x[c] += x[c - 1]
    return x


def beyond(x, nx, ny, nz):
    """k leaves its digit."""
    out = np.zeros(nx * ny * nz + 9)
    for i in range(nx):
        for j in range(ny):
            for k in range(nz + 1):
                out[(i * ny + j) * nz + k] = x[(i * ny + j) * nz + k] + k
    return out


def main():
    kept = []
    for nx, ny, nz in ((4, 5, 6), (1, 1, 1), (3, 3, 3), (0, 2, 3), (5, 2, 4)):
        x = np.arange(nx * ny * nz * 1.0) ** 2 % 7
        for f in (seven, direct, strided, reversed_order):
            kept.append(f(x, nx, ny, nz))
        kept.append(flat2(x, nx, ny * nz))
        kept.append(carried(x.copy(), nx, ny, nz))
        kept.append(colours(x.copy(), nx, ny, nz))
        kept.append(beyond(np.append(x, [1.0, 2.0]), nx, ny, nz))
    for f in (seven, direct, strided, reversed_order):
        try:
            print(f(np.ones(30), 4, 5, 6))
        except IndexError as error:
            print(type(error).__name__)
    np.savez(sys.argv[1], **{f"kept{k}": one for k, one in enumerate(kept)})


if __name__ == "__main__":
    main()

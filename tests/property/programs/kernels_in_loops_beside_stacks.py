import numpy as np
F = np.ndarray[tuple[int, int, int], np.dtype[np.float64]]
M = np.ndarray[tuple[int, int], np.dtype[np.float64]]

def one(c: M, g: F, n: int):
    for i in range(len(c)):
        m = np.linalg.inv(g[i])
        for j in range(n):
            c[i, j] = m[j, 0] * 2 + j
    return c

def two(c: M, g: F, n: int):
    for i in range(len(c)):
        m = np.linalg.inv(g[i])
        for j in range(3):
            c[i, j] = np.linalg.norm(m[j] - m[0])
    return c

def three(c: M, g: F, n: int):
    for i in range(len(c)):
        m = np.linalg.eigvalsh(g[i])
        for j in range(n):
            c[i, j] = np.sqrt(m[j] * m[j] + 1)
        c[i] /= m[0]
    return c

def four(c: M, g: F, x: M, n: int):
    for i in range(len(c)):
        for j in range(2, n):
            c[i, j] = np.linalg.norm(x[j] - x[0])
        c[i, 0] = np.linalg.det(g[i])
    return c
def five(c: F, g: F, x: M, n: int):
    for i in range(len(c)):
        for j in range(2, n):
            x[j] = np.linalg.norm(x[j] - x[0])
        c[i] = np.linalg.inv(g[i])
    return c, x
rng = np.random.default_rng(0)
g = rng.random((4, 3, 3)) + 3 * np.eye(3)
g = g + g.transpose(0, 2, 1)
x = rng.random((3, 5))
print(np.round(one(np.zeros((4, 3)), g, 3), 6))
print(np.round(two(np.zeros((4, 3)), g, 3), 6))
print(np.round(three(np.zeros((4, 3)), g, 3), 6))
print(np.round(four(np.zeros((4, 3)), g, x, 3), 6))
print(np.round(five(g * 0, g, x, 3)[0], 6).sum(), x.sum().round(6))

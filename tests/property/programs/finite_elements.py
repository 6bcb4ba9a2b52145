import numpy as np


def mesh(nx, ny):
    xs, ys = np.meshgrid(np.linspace(0, 1, nx + 1), np.linspace(0, 1, ny + 1), indexing="ij")
    nodes = np.column_stack([xs.ravel(), ys.ravel()])
    elements = []
    for i in range(nx):
        for j in range(ny):
            a = i * (ny + 1) + j
            b, c, d = a + 1, a + ny + 1, a + ny + 2
            elements.append([a, c, d])
            elements.append([a, d, b])
    return nodes, np.array(elements)


def stiffness(nodes, elements):
    n = len(nodes)
    K = np.zeros((n, n))
    areas = np.zeros(len(elements))
    for e, tri in enumerate(elements):
        p = nodes[tri]
        J = np.array([p[1] - p[0], p[2] - p[0]]).T
        det = np.linalg.det(J)
        G = np.linalg.inv(J).T @ np.array([[-1.0, 1.0, 0.0], [-1.0, 0.0, 1.0]])
        Ke = 0.5 * abs(det) * G.T @ G
        areas[e] = 0.5 * abs(det)
        for a in range(3):
            for b in range(3):
                K[tri[a], tri[b]] += Ke[a, b]
    return K, areas


def solve(nx, ny):
    nodes, elements = mesh(nx, ny)
    K, areas = stiffness(nodes, elements)
    f = np.zeros(len(nodes))
    for e, tri in enumerate(elements):
        f[tri] += areas[e] / 3.0
    boundary = (
        (nodes[:, 0] == 0) | (nodes[:, 0] == 1) | (nodes[:, 1] == 0) | (nodes[:, 1] == 1)
    )
    inner = ~boundary
    u = np.zeros(len(nodes))
    u[inner] = np.linalg.solve(K[np.ix_(inner, inner)], f[inner])
    return nodes, u


nodes, u = solve(14, 14)
print(u.max().round(10), np.argmax(u), u.sum().round(10))

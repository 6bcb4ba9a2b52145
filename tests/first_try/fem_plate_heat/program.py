"""Linear triangular elements for heat conduction in a plate with a hole and a welded insert.

Left edge held at a temperature, right edge and hole cooled by convection, a heat source on a disc;
steady state, then heating up by the theta method, then element fluxes and nodal recovery.
SI units, unit thickness.
"""
import sys

import numpy as np

LX, LY = 0.30, 0.20
NX, NY = 25, 17
HOLE = (0.20, 0.10, 0.035)          # centre, radius
INSERT = (0.05, 0.11, 0.04, 0.16)   # x0, x1, y0, y1


class Mesh:
    def __init__(self, nx, ny):
        x, y = np.meshgrid(np.linspace(0.0, LX, nx), np.linspace(0.0, LY, ny), indexing="ij")
        self.xy = np.column_stack([x.ravel(), y.ravel()])
        # shear the interior a little so that the triangles are not all alike
        inside = (self.xy[:, 0] > 0) & (self.xy[:, 0] < LX) & (self.xy[:, 1] > 0) & (self.xy[:, 1] < LY)
        self.xy[inside, 0] += 0.0016 * np.sin(40.0 * self.xy[inside, 1])
        self.xy[inside, 1] += 0.0014 * np.cos(31.0 * self.xy[inside, 0])
        tri = []
        for i in range(nx - 1):
            for j in range(ny - 1):
                a, b = i * ny + j, (i + 1) * ny + j
                if (i + j) % 2 == 0:
                    tri += [(a, b, b + 1), (a, b + 1, a + 1)]
                else:
                    tri += [(a, b, a + 1), (b, b + 1, a + 1)]
        tri = np.array(tri)
        centre = self.xy[tri].mean(axis=1)
        hole = (centre[:, 0] - HOLE[0]) ** 2 + (centre[:, 1] - HOLE[1]) ** 2 < HOLE[2] ** 2
        self._compress(tri[~hole])
        self.centre = self.xy[self.tri].mean(axis=1)
        self.k = np.full(len(self.tri), 45.0)
        self.rho_c = np.full(len(self.tri), 3.6e6)
        x0, x1, y0, y1 = INSERT
        c = self.centre
        weld = (c[:, 0] > x0) & (c[:, 0] < x1) & (c[:, 1] > y0) & (c[:, 1] < y1)
        self.k[weld] = 210.0
        self.rho_c[weld] = 2.4e6

    def _compress(self, tri):
        """Drop the nodes that no triangle uses and renumber."""
        used = np.unique(tri)
        number = np.full(len(self.xy), -1)
        number[used] = np.arange(len(used))
        self.xy = self.xy[used]
        self.tri = number[tri]

    def boundary_edges(self):
        """Edges that belong to one triangle only, as a list of node pairs."""
        seen = {}
        for a, b, c in self.tri.tolist():
            for edge in ((a, b), (b, c), (c, a)):
                key = tuple(sorted(edge))
                seen[key] = seen.get(key, 0) + 1
        return sorted(edge for edge, count in seen.items() if count == 1)


def assemble(xy, tri, k, rho_c):
    """Conductivity and consistent capacity matrices, dense."""
    n = len(xy)
    stiff = np.zeros((n, n))
    cap = np.zeros((n, n))
    for e in range(len(tri)):
        p, q, r = tri[e, 0], tri[e, 1], tri[e, 2]
        b = np.array([xy[q, 1] - xy[r, 1], xy[r, 1] - xy[p, 1], xy[p, 1] - xy[q, 1]])
        c = np.array([xy[r, 0] - xy[q, 0], xy[p, 0] - xy[r, 0], xy[q, 0] - xy[p, 0]])
        area = 0.5 * abs(b[0] * c[1] - b[1] * c[0])
        for i in range(3):
            for j in range(3):
                row, col = tri[e, i], tri[e, j]
                stiff[row, col] += k[e] / (4.0 * area) * (b[i] * b[j] + c[i] * c[j])
                cap[row, col] += rho_c[e] * area / 12.0 * (2.0 if i == j else 1.0)
    return stiff, cap


def source_vector(xy, tri, centre, power, spot, radius):
    """Load of a Gaussian heat source, one-point quadrature."""
    a, b, c = xy[tri[:, 0]], xy[tri[:, 1]], xy[tri[:, 2]]
    area = 0.5 * np.abs((b[:, 0] - a[:, 0]) * (c[:, 1] - a[:, 1]) - (c[:, 0] - a[:, 0]) * (b[:, 1] - a[:, 1]))
    r2 = (centre[:, 0] - spot[0]) ** 2 + (centre[:, 1] - spot[1]) ** 2
    density = power / (np.pi * radius ** 2) * np.exp(-r2 / radius ** 2)
    load = np.zeros(len(xy))
    np.add.at(load, tri, (density * area / 3.0)[:, None])
    return load, area


def convection(stiff, load, xy, edges, h, t_air):
    for a, b in edges:
        length = np.hypot(xy[a, 0] - xy[b, 0], xy[a, 1] - xy[b, 1])
        stiff[a, a] += h * length / 3.0
        stiff[b, b] += h * length / 3.0
        stiff[a, b] += h * length / 6.0
        stiff[b, a] += h * length / 6.0
        load[a] += 0.5 * h * length * t_air
        load[b] += 0.5 * h * length * t_air


def steady(stiff, load, fixed, value):
    free = ~fixed
    t = np.full(len(load), value)
    rhs = load[free] - stiff[np.ix_(free, fixed)].sum(axis=1) * value
    t[free] = np.linalg.solve(stiff[np.ix_(free, free)], rhs)
    return t


def heat_up(stiff, cap, load, fixed, value, t0, dt, steps, probes, theta=0.6):
    """March from t0; returns the final temperatures and the history at the probes."""
    free = ~fixed
    kff = stiff[np.ix_(free, free)]
    cff = cap[np.ix_(free, free)]
    rhs0 = load[free] - stiff[np.ix_(free, fixed)].sum(axis=1) * value
    left = cff / dt + theta * kff
    right = cff / dt - (1.0 - theta) * kff
    inverse = np.linalg.inv(left)
    step_matrix = inverse @ right
    forcing = inverse @ rhs0
    t = t0.copy()
    t[fixed] = value
    history = np.empty((steps, len(probes)))
    u = t[free]
    for n in range(steps):
        u = step_matrix @ u + forcing
        t[free] = u
        history[n] = t[probes]
    return t, history


def conjugate_gradient(a, b, tol=1e-11, itmax=400):
    """Jacobi-preconditioned CG, as a check on the direct solution."""
    x = np.zeros_like(b)
    r = b - a @ x
    inv_diag = 1.0 / np.diag(a)
    z = inv_diag * r
    p = z.copy()
    rz = r @ z
    stop = tol * np.linalg.norm(b)
    it = 0
    while it < itmax:
        ap = a @ p
        alpha = rz / (p @ ap)
        x += alpha * p
        r -= alpha * ap
        it += 1
        if np.linalg.norm(r) < stop:
            break
        z = inv_diag * r
        rz_new = r @ z
        p = z + (rz_new / rz) * p
        rz = rz_new
    return x, it


def fluxes(xy, tri, k, t):
    """Constant gradient of each element and its flux."""
    p = xy[tri]
    b = p[:, [1, 2, 0], 1] - p[:, [2, 0, 1], 1]
    c = p[:, [2, 0, 1], 0] - p[:, [1, 2, 0], 0]
    twice = b[:, 0] * c[:, 1] - b[:, 1] * c[:, 0]
    grad = np.stack([np.einsum("ei,ei->e", b, t[tri]), np.einsum("ei,ei->e", c, t[tri])], axis=1) / twice[:, None]
    return -k[:, None] * grad


def recover(tri, flux, area, n):
    """Area-weighted average of the element fluxes at the nodes and a simple error indicator."""
    weight = np.bincount(tri.ravel(), weights=np.repeat(area, 3), minlength=n)
    nodal = np.zeros((n, 2))
    for corner in range(3):
        np.add.at(nodal, tri[:, corner], flux * area[:, None])
    nodal /= weight[:, None]
    jump = nodal[tri].mean(axis=1) - flux
    return nodal, np.sqrt((jump ** 2).sum(axis=1) * area)


def main():
    mesh = Mesh(NX, NY)
    xy, tri = mesh.xy, mesh.tri
    stiff, cap = assemble(xy, tri, mesh.k, mesh.rho_c)
    load, area = source_vector(xy, tri, mesh.centre, 9000.0, (0.08, 0.10), 0.03)
    edges = mesh.boundary_edges()
    cooled = [(a, b) for a, b in edges if xy[a, 0] > 0.1 and xy[b, 0] > 0.1 and 0 < xy[a, 1] < LY]
    convection(stiff, load, xy, cooled, 180.0, 20.0)

    fixed = xy[:, 0] == 0.0
    final = steady(stiff, load, fixed, 60.0)
    probes = np.array([np.argmin(np.hypot(xy[:, 0] - px, xy[:, 1] - py))
                       for px, py in ((0.08, 0.10), (0.15, 0.05), (0.15, 0.15), (0.26, 0.10))])
    late, history = heat_up(stiff, cap, load, fixed, 60.0, np.full(len(xy), 20.0), 60.0, 40, probes)

    free = ~fixed
    rhs = load[free] - 60.0 * stiff[np.ix_(free, fixed)].sum(axis=1)
    check, iterations = conjugate_gradient(stiff[np.ix_(free, free)], rhs)
    flux = fluxes(xy, tri, mesh.k, final)
    nodal, indicator = recover(tri, flux, area, len(xy))

    print("nodes", len(xy), "triangles", len(tri), "cooled edges", len(cooled))
    print("hottest node at steady state: %.5f C" % final.max())
    print("after 40 minutes the probes read", " ".join("%.4f" % v for v in history[-1]))
    print("CG agrees to 1e-6:", bool(np.abs(check - final[free]).max() < 1e-6), "in under 200 steps:", iterations < 200)
    print("error indicator %.6e" % np.sqrt((indicator ** 2).sum()))
    np.savez(sys.argv[1], xy=xy, tri=tri, final=final, late=late, history=history, check=check, flux=flux,
             nodal=nodal, indicator=indicator, load=load, stiff_diag=np.diag(stiff))


if __name__ == "__main__":
    main()

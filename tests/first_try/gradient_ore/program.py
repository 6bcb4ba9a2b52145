"""Inversion of airborne gravity-gradient data (Gzz, Gxz, Gyz) for a buried ore body.

Forward operator from right rectangular prisms, depth weighting after Li & Oldenburg, conjugate gradients on the
regularised normal equations with a few reweighting rounds (compact bodies), then Euler deconvolution in windows.
"""
import sys

import numpy as np

GAMMA = 6.674e-11
EOTVOS = 1e9


def survey(nx, ny, spacing, height):
    x = np.arange(nx) * spacing
    y = np.arange(ny) * spacing
    gx, gy = np.meshgrid(x, y, indexing="ij")
    drape = height + 8.0 * np.sin(gx / 210.0) * np.cos(gy / 170.0)
    return {"x": gx.ravel(), "y": gy.ravel(), "z": -drape.ravel(), "shape": (nx, ny)}


def mesh(nx, ny, nz, extent, dz0, growth):
    ex = np.linspace(0.0, extent, nx + 1)
    ey = np.linspace(0.0, extent, ny + 1)
    thick = dz0 * growth ** np.arange(nz)
    ez = np.concatenate([[0.0], np.cumsum(thick)])
    i, j, k = (a.ravel() for a in np.indices((nx, ny, nz)))
    cells = {"x1": ex[i], "x2": ex[i + 1], "y1": ey[j], "y2": ey[j + 1], "z1": ez[k], "z2": ez[k + 1]}
    cells["shape"] = (nx, ny, nz)
    return cells


def sensitivities(st, cells):
    """Three tensor components of every prism at every station, in Eotvos per g/cc."""
    ns, nc = st["x"].size, cells["x1"].size
    sx, sy, sz = st["x"], st["y"], st["z"]
    x1, x2 = cells["x1"], cells["x2"]
    y1, y2 = cells["y1"], cells["y2"]
    z1, z2 = cells["z1"], cells["z2"]
    out = np.zeros((3, ns, nc))
    for s in range(ns):
        xs = (x1 - sx[s], x2 - sx[s])
        ys = (y1 - sy[s], y2 - sy[s])
        zs = (z1 - sz[s], z2 - sz[s])
        for a in range(2):
            for b in range(2):
                for c in range(2):
                    sign = (-1.0) ** (a + b + c + 1)
                    r = np.sqrt(xs[a] ** 2 + ys[b] ** 2 + zs[c] ** 2)
                    out[0, s] += sign * np.arctan2(xs[a] * ys[b], zs[c] * r)
                    out[1, s] += sign * np.log(r + ys[b] + 1e-3)
                    out[2, s] += sign * np.log(r + xs[a] + 1e-3)
    out *= GAMMA * EOTVOS * 1000.0
    return out


def depth_weights(cells, z0, beta):
    zc = 0.5 * (cells["z1"] + cells["z2"])
    vol = (cells["x2"] - cells["x1"]) * (cells["y2"] - cells["y1"]) * (cells["z2"] - cells["z1"])
    w = (zc + z0) ** (-beta / 2.0) * np.sqrt(vol / vol.mean())
    return w / w.max()


def block_model(cells, blocks):
    xc = 0.5 * (cells["x1"] + cells["x2"])
    yc = 0.5 * (cells["y1"] + cells["y2"])
    zc = 0.5 * (cells["z1"] + cells["z2"])
    m = np.zeros(xc.size)
    for (xa, xb, ya, yb, za, zb), contrast in blocks:
        m[(xc > xa) & (xc < xb) & (yc > ya) & (yc < yb) & (zc > za) & (zc < zb)] = contrast
    return m


def conjugate_gradients(a, d, w, mu, niter, tol):
    def normal(v):
        return a.T @ (a @ v) + mu * w * v

    m = np.zeros(a.shape[1])
    r = a.T @ d
    p = r.copy()
    rho = r @ r
    start = rho
    used = 0
    for _ in range(niter):
        q = normal(p)
        alpha = rho / (p @ q)
        m += alpha * p
        r -= alpha * q
        new = r @ r
        used += 1
        if new < tol * tol * start:
            break
        p = r + (new / rho) * p
        rho = new
    return m, used


def compact_inversion(a, d, wd, mu, rounds):
    """Reweight towards few cells, keep the density contrast within bounds."""
    w = wd.copy()
    misfit = np.zeros(rounds)
    for k in range(rounds):
        scaled = a * np.sqrt(wd)
        m, used = conjugate_gradients(scaled, d, w / wd, mu, 25, 1e-5)
        m *= np.sqrt(wd)
        np.clip(m, -0.2, 1.5, out=m)
        misfit[k] = np.linalg.norm(d - a @ m) / np.linalg.norm(d)
        eps = 0.05 * np.abs(m).max()
        w = wd / (m * m + eps * eps) * (np.mean(m * m) + eps * eps)
    return m, misfit


def column_tops(model, shape, cut):
    """Index of the first dense cell from the top of each column, and the mass-weighted index below it."""
    cube = model.reshape(shape)
    nx, ny, nz = shape
    top = np.full((nx, ny), -1, dtype=np.int64)
    centre = np.zeros((nx, ny))
    for i, j in np.ndindex(nx, ny):
        mass = 0.0
        moment = 0.0
        for k in range(nz):
            v = cube[i, j, k]
            if v > cut:
                if top[i, j] < 0:
                    top[i, j] = k
                mass += v
                moment += v * (k + 0.5)
        if mass > 0.0:
            centre[i, j] = moment / mass
    return top, centre


def euler_depths(gzz, gxz, gyz, field, spacing, half, index):
    """Window-wise Euler deconvolution of Gz built from the gradients."""
    nx, ny = gzz.shape
    sols = []
    size = 2 * half + 1
    off = (np.arange(size) - half) * spacing
    ox, oy = np.meshgrid(off, off, indexing="ij")
    for i in range(half, nx - half):
        for j in range(half, ny - half):
            win = (slice(i - half, i + half + 1), slice(j - half, j + half + 1))
            g = np.column_stack([gxz[win].ravel(), gyz[win].ravel(), gzz[win].ravel(), np.full(size * size, index)])
            rhs = (ox * gxz[win] + oy * gyz[win]).ravel() + index * field[win].ravel()
            lhs = g.T @ g
            lhs += 1e-6 * np.trace(lhs) * np.eye(4)
            sols.append(np.linalg.solve(lhs, g.T @ rhs))
    return np.array(sols)


def main():
    rng = np.random.default_rng(812)
    st = survey(14, 13, 60.0, 70.0)
    cells = mesh(10, 10, 6, 820.0, 40.0, 1.15)
    g = sensitivities(st, cells)
    true = block_model(cells, [((240, 420, 300, 500, 60, 200), 1.0), ((560, 700, 200, 380, 30, 120), 0.6)])
    clean = g @ true
    noise = 0.02 * np.abs(clean).max(axis=1)
    data = clean + noise[:, None] * rng.standard_normal(clean.shape)
    a = (g / noise[:, None, None]).reshape(-1, true.size)
    d = (data / noise[:, None]).ravel()
    wd = depth_weights(cells, 70.0, 2.0)
    model, misfit = compact_inversion(a, d, wd, 5.0, 4)
    top, centre = column_tops(model, cells["shape"], 0.1)
    comp = {name: data[n].reshape(st["shape"]) for n, name in enumerate(("zz", "xz", "yz"))}
    field = np.cumsum(comp["xz"], axis=0) * 60.0
    field -= field.mean()
    sols = euler_depths(comp["zz"], comp["xz"], comp["yz"], field, 60.0, 2, 2.0)
    print(f"{a.shape[0]} data, {a.shape[1]} cells, misfit {misfit[0]:.6f} -> {misfit[-1]:.6f}")
    print(f"recovered mass ratio {model.sum() / true.sum():.6f}, columns with ore {np.count_nonzero(top >= 0)}")
    print(f"median Euler depth {np.median(sols[:, 2]):.4f} m from {len(sols)} windows")
    np.savez(sys.argv[1], model=model, misfit=misfit, top=top, centre=centre, euler=sols, data=data)


if __name__ == "__main__":
    main()

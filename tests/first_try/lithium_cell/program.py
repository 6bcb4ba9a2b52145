"""
Single particle model with electrolyte for one discharge / rest / charge protocol, and a batch of
cells with scattered parameters for the sensitivity of the capacity.
"""
import sys
import numpy as np

F = 96485.33212
RGAS = 8.314462618
T = 298.15

CELL = dict(
    area=0.1027,
    neg=dict(L=85.2e-6, R=5.86e-6, eps=0.75, cmax=33133.0, D=3.3e-14, k=6.5e-7, x0=0.90),
    pos=dict(L=75.6e-6, R=5.22e-6, eps=0.665, cmax=63104.0, D=4.0e-15, k=3.4e-6, x0=0.27),
    sep=dict(L=12e-6),
    ce0=1000.0, De=1.8e-10, eps_e=0.3, tplus=0.26,
)


def ocp_neg(x):
    return (1.9793 * np.exp(-39.3631 * x) + 0.2482 - 0.0909 * np.tanh(29.8538 * (x - 0.1234))
            - 0.04478 * np.tanh(14.9159 * (x - 0.2769)) - 0.0205 * np.tanh(30.4444 * (x - 0.6103)))


def ocp_pos(y):
    return (-0.8090 * y + 4.4875 - 0.0428 * np.tanh(18.5138 * (y - 0.5542))
            - 17.7326 * np.tanh(15.7890 * (y - 0.3117)) + 17.5842 * np.tanh(15.9308 * (y - 0.3120)))


def sphere_mesh(R, n):
    faces = np.linspace(0.0, R, n + 1)
    vol = (faces[1:] ** 3 - faces[:-1] ** 3) / 3.0
    return faces, vol


def sphere_matrix(D, R, n, dt):
    """Tridiagonal bands of the implicit finite-volume step (lower, main, upper), volumes."""
    faces, vol = sphere_mesh(R, n)
    dr = R / n
    g = D * faces[1:-1] ** 2 / dr
    lower = np.zeros(n)
    upper = np.zeros(n)
    main = np.ones(n)
    lower[1:] = -dt * g / vol[1:]
    upper[:-1] = -dt * g / vol[:-1]
    main -= lower + upper
    return lower, main, upper, vol


def thomas(lower, main, upper, rhs):
    n = len(rhs)
    c = np.zeros(n)
    d = np.zeros(n)
    c[0] = upper[0] / main[0]
    d[0] = rhs[0] / main[0]
    for i in range(1, n):
        m = main[i] - lower[i] * c[i - 1]
        c[i] = upper[i] / m
        d[i] = (rhs[i] - lower[i] * d[i - 1]) / m
    x = d
    for i in range(n - 2, -1, -1):
        x[i] -= c[i] * x[i + 1]
    return x


def discharge_single(cell, protocol, dt=40.0, n=24):
    """One cell, implicit diffusion, a list of (current in A, number of steps)."""
    state, mats, area = {}, {}, {}
    for side in ("neg", "pos"):
        p = cell[side]
        state[side] = np.full(n, p["x0"] * p["cmax"])
        mats[side] = sphere_matrix(p["D"], p["R"], n, dt)
        area[side] = 3 * p["eps"] / p["R"] * p["L"] * cell["area"]
    volts, surf = [], {"neg": [], "pos": []}
    for current, steps in protocol:
        for _ in range(steps):
            eta = {}
            for side, sign in (("neg", 1.0), ("pos", -1.0)):
                p = cell[side]
                lower, main, upper, vol = mats[side]
                flux = sign * current / (F * area[side])
                rhs = state[side].copy()
                rhs[-1] -= dt * flux * p["R"] ** 2 / vol[-1]
                state[side] = thomas(lower, main, upper, rhs)
                cs = state[side][-1] - flux * p["R"] / (2 * n * p["D"])
                surf[side].append(cs / p["cmax"])
                j0 = p["k"] * np.sqrt(cell["ce0"] * cs * (p["cmax"] - cs))
                eta[side] = 2 * RGAS * T / F * np.arcsinh(flux * F / (2 * j0))
            volts.append(ocp_pos(surf["pos"][-1]) - ocp_neg(surf["neg"][-1]) - eta["neg"] + eta["pos"])
    return np.array(volts), np.array(surf["neg"]), np.array(surf["pos"])


def scatter(cell, n_cells, rng):
    """Arrays of parameters, one entry a cell."""
    out = {}
    for side in ("neg", "pos"):
        p = cell[side]
        out[side] = {key: p[key] * (1 + 0.05 * rng.standard_normal(n_cells)) for key in ("R", "eps", "L")}
        out[side]["D"] = p["D"] * np.exp(0.15 * rng.standard_normal(n_cells))
        out[side]["cmax"] = np.full(n_cells, p["cmax"])
        out[side]["x0"] = np.full(n_cells, p["x0"])
        out[side]["area"] = 3 * out[side]["eps"] / out[side]["R"] * out[side]["L"] * cell["area"]
    return out


def radial_step(c, flux, par, dt, substeps):
    """Explicit finite volumes for all cells at once, c is (cells, shells)."""
    n = c.shape[1]
    faces = np.linspace(0.0, 1.0, n + 1)
    vol = (faces[1:] ** 3 - faces[:-1] ** 3) / 3.0
    fourier = (par["D"] / par["R"] ** 2 * dt / substeps)[:, None]
    for _ in range(substeps):
        N = np.zeros((c.shape[0], n + 1))
        N[:, 1:-1] = -faces[1:-1] ** 2 * (c[:, 1:] - c[:, :-1]) * n
        N[:, -1] = flux * par["R"] / par["D"]
        c = c - fourier * (N[:, 1:] - N[:, :-1]) / vol
    return c


def discharge_fleet(par, ce0, current, steps, dt, k, n=6):
    cn = np.repeat((par["neg"]["x0"] * par["neg"]["cmax"])[:, None], n, axis=1)
    cp = np.repeat((par["pos"]["x0"] * par["pos"]["cmax"])[:, None], n, axis=1)
    jn = current / (F * par["neg"]["area"])
    jp = -current / (F * par["pos"]["area"])
    volts = np.empty((steps, len(jn)))
    for s in range(steps):
        cn = radial_step(cn, jn, par["neg"], dt, 5)
        cp = radial_step(cp, jp, par["pos"], dt, 5)
        sn = cn[:, -1] - jn * par["neg"]["R"] / (2 * n * par["neg"]["D"])
        sp = cp[:, -1] - jp * par["pos"]["R"] / (2 * n * par["pos"]["D"])
        i0n = k[0] * np.sqrt(ce0 * sn * (par["neg"]["cmax"] - sn))
        i0p = k[1] * np.sqrt(ce0 * sp * (par["pos"]["cmax"] - sp))
        eta = np.arcsinh(0.5 * jp * F / i0p) - np.arcsinh(0.5 * jn * F / i0n)
        volts[s] = ocp_pos(sp / par["pos"]["cmax"]) - ocp_neg(sn / par["neg"]["cmax"]) + 2 * RGAS * T / F * eta
    return volts


def time_to_cutoff(volts, dt, cutoff):
    """First crossing per cell, linear between the samples; the end of the record if there is none."""
    steps, cells = volts.shape
    out = np.empty(cells)
    for m in range(cells):
        out[m] = steps * dt
        for s in range(1, steps):
            if volts[s, m] < cutoff:
                w = (volts[s - 1, m] - cutoff) / (volts[s - 1, m] - volts[s, m])
                out[m] = (s + w) * dt
                break
    return out


def electrolyte(cell, current, nx, steps, dt):
    """Salt concentration across anode / separator / cathode, explicit."""
    L = np.array([cell["neg"]["L"], cell["sep"]["L"], cell["pos"]["L"]])
    dx = L.sum() / nx
    xc = (np.arange(nx) + 0.5) * dx
    src = np.where(xc < L[0], 1 / L[0], 0.0) - np.where(xc > L[0] + L[1], 1 / L[2], 0.0)
    src *= (1 - cell["tplus"]) * current / (F * cell["area"] * cell["eps_e"])
    Deff = cell["De"] * cell["eps_e"] ** 0.5
    c = np.full(nx, cell["ce0"])
    for _ in range(steps):
        lap = np.empty(nx)
        lap[1:-1] = c[2:] - 2 * c[1:-1] + c[:-2]
        lap[0] = c[1] - c[0]
        lap[-1] = c[-2] - c[-1]
        c = c + dt * (Deff * lap / dx ** 2 + src)
    return xc, c


if __name__ == "__main__":
    rng = np.random.default_rng(314)
    volts, xn, yp = discharge_single(CELL, [(5.0, 10), (0.0, 6), (-2.5, 10)])
    par = scatter(CELL, 1500, rng)
    fleet = discharge_fleet(par, CELL["ce0"], 6.5, 45, 40.0, (CELL["neg"]["k"], CELL["pos"]["k"]))
    life = time_to_cutoff(fleet, 40.0, 3.55)
    design = np.column_stack([np.ones(len(life)), np.log(par["neg"]["D"]), np.log(par["pos"]["D"]),
                              par["neg"]["L"] * 1e6, par["pos"]["L"] * 1e6])
    sens, *_ = np.linalg.lstsq(design, life, rcond=None)
    xc, ce = electrolyte(CELL, 5.0, 200, 50, 0.003)

    print(f"single: {volts[0]:.6f} V at start, {volts[9]:.6f} V after discharge, {volts[-1]:.6f} V at the end")
    print(f"fleet: mean {fleet.mean():.8f} V, cutoff after {life.mean():.4f} s (std {life.std():.4f})")
    print("sensitivities", np.array2string(sens[1:], precision=5))
    print(f"electrolyte {ce.min():.6f} .. {ce.max():.6f} mol/m3")
    np.savez(sys.argv[1], volts=volts, xn=xn, yp=yp, fleet=fleet, life=life, sens=sens, xc=xc, ce=ce,
             band=np.percentile(fleet, [5, 50, 95], axis=1))

import argparse
import numpy as np


def parse(argv=None):
    p = argparse.ArgumentParser()
    p.add_argument("--n", type=int, default=64)
    p.add_argument("--steps", type=int, default=40)
    return vars(p.parse_args(argv))


def grids(opts):
    x = np.linspace(-1, 1, opts["n"])
    xx, yy = np.meshgrid(x, x)
    return {"x": xx, "y": yy, "r2": xx ** 2 + yy ** 2, "dx": x[1] - x[0]}


def initial(g):
    psi = np.exp(-20 * g["r2"]) * np.exp(5j * g["x"])
    return psi / np.sqrt(np.sum(np.abs(psi) ** 2) * g["dx"] ** 2)


def evolve(psi, g, opts):
    n = opts["n"]
    k = 2 * np.pi * np.fft.fftfreq(n, g["dx"])
    kx, ky = np.meshgrid(k, k)
    ops = {"kin": np.exp(-0.5j * 0.001 * (kx ** 2 + ky ** 2)), "pot": np.exp(-1j * 0.001 * 50 * g["r2"])}
    history = {"t": [], "x": [], "norm": []}
    for s in range(opts["steps"]):
        psi = np.fft.ifft2(ops["kin"] * np.fft.fft2(psi)) * ops["pot"]
        if s % 10 == 0:
            rho = np.abs(psi) ** 2
            history["t"].append(s * 0.001)
            history["x"].append(np.sum(rho * g["x"]) * g["dx"] ** 2)
            history["norm"].append(np.sum(rho) * g["dx"] ** 2)
    return psi, history


def main():
    opts = parse([])
    g = grids(opts)
    psi, history = evolve(initial(g), g, opts)
    for t, x, norm in zip(history["t"], history["x"], history["norm"]):
        print(f"{t:.3f} {x:.6f} {norm:.6f}")
    table = np.array([history[key] for key in ("t", "x", "norm")])
    print(table.shape, np.abs(psi).max().round(6))


if __name__ == "__main__":
    main()

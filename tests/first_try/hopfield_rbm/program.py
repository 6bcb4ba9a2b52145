# Two associative memories on the same family of binary patterns: a Hopfield network (capacity, basins,
# asynchronous recall) and a restricted Boltzmann machine trained by contrastive divergence.
import itertools
import sys

import numpy as np


def make_patterns(n, count, side, rng):
    """Smooth random blobs on a grid, thresholded at their median, as +-1 rows."""
    rows = []
    freq = np.fft.fftfreq(side)
    damp = np.exp(-60.0 * (freq[:, None] ** 2 + freq[None, :] ** 2))
    for _ in range(count):
        field = np.fft.ifft2(np.fft.fft2(rng.standard_normal((side, side))) * damp).real
        rows.append(np.where(field.ravel() > np.median(field), 1.0, -1.0))
    return np.array(rows).reshape(count, n)


def hebb(patterns):
    w = patterns.T @ patterns / patterns.shape[1]
    np.fill_diagonal(w, 0.0)
    return w


def pseudo_inverse_rule(patterns):
    """Projection rule: patterns become exact fixed points."""
    overlap = patterns @ patterns.T / patterns.shape[1]
    w = patterns.T @ np.linalg.solve(overlap, patterns) / patterns.shape[1]
    np.fill_diagonal(w, 0.0)
    return w


def corrupt(patterns, copies, level, rng):
    """Copies of every pattern with a given share of flipped spins."""
    probes = np.repeat(patterns, copies, axis=0)
    flips = rng.random(probes.shape) < level
    return np.where(flips, -probes, probes)


def recall_parallel(w, state, steps=15):
    for _ in range(steps):
        new = np.where(state @ w >= -1e-9, 1.0, -1.0)
        if np.array_equal(new, state):
            break
        state = new
    return state


def recall_async(w, state, order, bias=1e-9):
    """One neuron after the other, in the given order, for all probes at once."""
    state = state.copy()
    for i in order:
        local = state @ w[i]
        state[:, i] = np.where(local >= -bias, 1.0, -1.0)
    return state


def energies(w, state):
    return -0.5 * np.einsum("ki,ij,kj->k", state, w, state, optimize=True)


def success(patterns, state, copies):
    target = np.repeat(patterns, copies, axis=0)
    overlap = (target * state).mean(axis=1)
    return overlap.reshape(-1, copies)


def sigmoid(x):
    return 1.0 / (1.0 + np.exp(-x))


def init_machine(nv, nh, rng):
    return {"w": 0.01 * rng.standard_normal((nv, nh)), "b": np.zeros(nv), "c": np.zeros(nh)}


def batches(data, size, epochs, rng):
    for epoch in range(epochs):
        order = rng.permutation(len(data))
        for k in range(0, len(data) - size + 1, size):
            yield epoch, data[order[k:k + size]]


def gibbs(machine, v, rng):
    ph = sigmoid(v @ machine["w"] + machine["c"])
    h = (rng.random(ph.shape) < ph).astype(float)
    pv = sigmoid(h @ machine["w"].T + machine["b"])
    return (rng.random(pv.shape) < pv).astype(float), ph


def train(machine, data, rng, rate=0.05, momentum=0.6, size=250, epochs=6):
    """CD-1 with momentum; returns the reconstruction error after every epoch."""
    speed = {name: np.zeros_like(value) for name, value in machine.items()}
    errors = np.zeros(epochs)
    for epoch, v0 in batches(data, size, epochs, rng):
        v1, ph0 = gibbs(machine, v0, rng)
        ph1 = sigmoid(v1 @ machine["w"] + machine["c"])
        gradient = {"w": (v0.T @ ph0 - v1.T @ ph1) / size,
                    "b": (v0 - v1).mean(axis=0), "c": (ph0 - ph1).mean(axis=0)}
        for name in machine:
            speed[name] = momentum * speed[name] + rate * gradient[name]
            machine[name] += speed[name]
        errors[epoch] += ((v0 - v1) ** 2).mean()
    return errors / (len(data) // size)


def free_energy(machine, v):
    return -v @ machine["b"] - np.logaddexp(0.0, v @ machine["w"] + machine["c"]).sum(axis=1)


def annealed_log_z(machine, chains, temperatures, rng):
    """Annealed importance sampling from the bias-free model."""
    nv, nh = machine["w"].shape
    v = (rng.random((chains, nv)) < 0.5).astype(float)
    logw = np.full(chains, (nv + nh) * np.log(2.0))
    for low, high in itertools.pairwise(temperatures):
        field = v @ machine["w"] + machine["c"]
        vb = v @ machine["b"]
        logw += high * vb + np.logaddexp(0.0, high * field).sum(axis=1)
        logw -= low * vb + np.logaddexp(0.0, low * field).sum(axis=1)
        h = (rng.random(field.shape) < sigmoid(high * field)).astype(float)
        pv = sigmoid(high * (h @ machine["w"].T + machine["b"]))
        v = (rng.random(pv.shape) < pv).astype(float)
    top = logw.max()
    return top + np.log(np.exp(logw - top).mean()), v


def sparkline(values):
    marks = " .:-=+*#%@"
    low, high = min(values), max(values)
    return "".join(marks[int(9 * (x - low) / (high - low + 1e-12))] for x in values)


def main():
    rng = np.random.default_rng(1982)
    side, copies = 20, 40
    n = side * side
    patterns = make_patterns(n, 24, side, rng)
    rules = {"hebb": hebb(patterns), "projection": pseudo_inverse_rule(patterns)}
    order = rng.permutation(n)
    table = {}
    for name, w in rules.items():
        for level in (0.05, 0.15, 0.25, 0.35):
            probes = corrupt(patterns, copies, level, rng)
            settled = recall_async(w, probes, order)
            settled = recall_parallel(w, settled)
            overlap = success(patterns, settled, copies)
            table[name, level] = np.array([overlap.mean(), (overlap > 0.968).mean(), energies(w, settled).mean()])
    for (name, level), row in table.items():
        print(f"{name:10s} noise {level:.2f}: overlap {row[0]:.4f}, recalled {row[1]:.3f}, energy {row[2]:.2f}")

    data = (corrupt(patterns, 125, 0.08, rng) + 1.0) / 2.0
    machine = init_machine(n, 64, rng)
    errors = train(machine, data, rng)
    log_z, fantasy = annealed_log_z(machine, 400, np.linspace(0.0, 1.0, 60), rng)
    likelihood = -free_energy(machine, data).mean() - log_z
    print(f"reconstruction {errors[0]:.4f} -> {errors[-1]:.4f} |{sparkline(errors.tolist())}|")
    print(f"log Z {log_z:.3f}, mean log-likelihood {likelihood:.3f}, fantasy activity {fantasy.mean():.4f}")
    np.savez(sys.argv[1], table=np.stack(list(table.values())), errors=errors, weights=machine["w"],
             bias=machine["b"], hidden=machine["c"], fantasy=fantasy.mean(axis=0), log_z=np.array(log_z))


if __name__ == "__main__":
    main()

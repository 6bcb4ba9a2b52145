# First-arrival tomography between two boreholes: travel times by Dijkstra on a lattice of nodes, rays by
# following the predecessors and smoothing, slowness update by SIRT with damping.
import heapq
import sys

import numpy as np

NX, NZ, H = 32, 56, 2.5
STAR = [(dx, dz) for dx in range(-3, 4) for dz in range(-3, 4)
        if (dx or dz) and np.gcd(abs(dx), abs(dz)) == 1]


def true_slowness():
    """Layers with a fast dipping body and a slow lens, s/m."""
    z, x = np.meshgrid((np.arange(NZ) + 0.5) * H, (np.arange(NX) + 0.5) * H, indexing="ij")
    v = 1650.0 + 4.2 * z
    v = np.where(z > 85.0 + 0.12 * x, v + 260.0, v)
    v -= 320.0 * np.exp(-((x - 30.0) / 14.0) ** 2 - ((z - 48.0) / 9.0) ** 2)
    v += 240.0 * np.exp(-((x - 52.0 + 0.4 * (z - 70.0)) / 9.0) ** 2 - ((z - 68.0) / 22.0) ** 2)
    return 1.0 / v


def start_model():
    """A gentle oblique velocity trend as from a check shot."""
    iz, ix = np.indices((NZ, NX))
    return 1.0 / (1800.0 + H * (0.618 * ix + 1.7 * iz))


def edge_costs(slowness):
    """For every step of the star: time from each node, sampling the cells that the step passes."""
    padded = np.pad(slowness, 4, mode="edge")
    iz, ix = np.mgrid[0:NZ + 1, 0:NX + 1]
    costs = []
    for dx, dz in STAR:
        length = H * (dx * dx + dz * dz) ** 0.5
        total = np.zeros((NZ + 1, NX + 1))
        samples = 4 * max(abs(dx), abs(dz))
        for k in range(samples):
            f = (k + 0.5) / samples
            cz = np.floor(iz + f * dz + 0.0007).astype(np.int64)
            cx = np.floor(ix + f * dx + 0.0013).astype(np.int64)
            total += padded[cz + 4, cx + 4]
        costs.append(total * (length / samples))
    return np.stack(costs)


def shortest(costs, start):
    """Dijkstra from one node; predecessors of all nodes."""
    table = costs.reshape(len(STAR), -1).T.tolist()
    width = NX + 1
    best = [float("inf")] * len(table)
    before = [-1] * len(table)
    done = [False] * len(table)
    best[start] = 0.0
    heap = [(0.0, start)]
    while heap:
        t, node = heapq.heappop(heap)
        if done[node]:
            continue
        done[node] = True
        z, x = divmod(node, width)
        for (dx, dz), cost in zip(STAR, table[node]):
            x2, z2 = x + dx, z + dz
            if 0 <= x2 < width and 0 <= z2 <= NZ:
                other = z2 * width + x2
                if t + cost < best[other]:
                    best[other] = t + cost
                    before[other] = node
                    heapq.heappush(heap, (t + cost, other))
    return best, before


def follow(before, end):
    path = [end]
    while before[path[-1]] >= 0:
        path.append(before[path[-1]])
    nodes = np.array(path[::-1])
    return np.stack([nodes % (NX + 1), nodes // (NX + 1)], axis=1) * H


def resample_ray(points, n=64):
    """The polyline at n + 1 points of even arc length, relaxed a little between fixed ends."""
    arc = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(points, axis=0).T))])
    even = np.linspace(0.0, arc[-1], n + 1)
    ray = np.stack([np.interp(even, arc, points[:, 0]), np.interp(even, arc, points[:, 1])], axis=1)
    for _ in range(12):
        ray[1:-1] = 0.5 * ray[1:-1] + 0.25 * (ray[:-2] + ray[2:])
    return ray


def ray_rows(rays, sub=6):
    """Matrix of path lengths, one row per ray, by sampling inside the pieces."""
    matrix = np.zeros((len(rays), NZ * NX))
    f = (np.arange(sub) + 0.5) / sub
    for row, ray in enumerate(rays):
        a, b = ray[:-1], ray[1:]
        length = np.hypot(b[:, 0] - a[:, 0], b[:, 1] - a[:, 1])
        mid = a[:, None, :] + f[None, :, None] * (b - a)[:, None, :]
        cx = np.clip((mid[..., 0] / H + 0.00031).astype(np.int64), 0, NX - 1)
        cz = np.clip((mid[..., 1] / H + 0.00017).astype(np.int64), 0, NZ - 1)
        weight = np.repeat(length / sub, sub)
        np.add.at(matrix[row], (cz * NX + cx).ravel(), weight)
    return matrix


def smooth(model, passes):
    for _ in range(passes):
        p = np.pad(model, 1, mode="edge")
        model = 0.5 * model + 0.125 * (p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:])
    return model


def sirt(matrix, times, slowness, iterations, relax):
    """Simultaneous reconstruction with row and column sums, smoothing every fifth pass."""
    rows = matrix.sum(axis=1)
    cols = matrix.sum(axis=0)
    cover = np.where(cols > 0.0, cols, 1.0)
    history = []
    for k in range(iterations):
        residual = times - matrix @ slowness.ravel()
        update = (matrix.T @ (residual / rows)) / cover
        slowness = slowness + relax * update.reshape(NZ, NX)
        slowness = np.clip(slowness, 1.0 / 3200.0, 1.0 / 1200.0)
        if k % 5 == 4:
            slowness = smooth(slowness, 1)
        history.append(np.sqrt(np.mean(residual**2)))
    return slowness, np.array(history)


def trace_all(slowness, sources, receivers):
    costs = edge_costs(slowness)
    rays = []
    for s in sources:
        _, before = shortest(costs, s * (NX + 1))
        rays.extend(resample_ray(follow(before, r * (NX + 1) + NX)) for r in receivers)
    return rays


def checker_resolution(matrix, size=8):
    """Correlation of a recovered checkerboard with the true one, weighted by ray cover."""
    iz, ix = np.indices((NZ, NX))
    board = np.where((iz // size + ix // size) % 2 == 0, 1.0, -1.0).ravel()
    rows, cols = matrix.sum(axis=1), np.maximum(matrix.sum(axis=0), 1e-9)
    x = np.zeros(NZ * NX)
    data = matrix @ board
    for _ in range(80):
        x += (matrix.T @ ((data - matrix @ x) / rows)) / cols
    w = np.minimum(cols, 20.0)
    return (w * x * board).sum() / np.sqrt((w * x * x).sum() * (w * board * board).sum())


def main():
    rng = np.random.default_rng(77)
    truth = true_slowness()
    sources, receivers = range(3, NZ - 1, 6), range(2, NZ - 1, 2)
    exact = ray_rows(trace_all(truth, sources, receivers))
    times = exact @ truth.ravel()
    times += 5e-5 * rng.standard_normal(len(times))
    slowness = start_model()
    histories = []
    for turn in range(3):
        matrix = ray_rows(trace_all(slowness, sources, receivers))
        slowness, history = sirt(matrix, times, slowness, 40, 0.9)
        histories.append(history)
    misfit = np.stack(histories)
    error = (slowness - truth) / truth
    print(f"{matrix.shape[0]} rays, rms residual {misfit[0, 0]:.3e} -> {misfit[-1, -1]:.3e} s")
    print(f"slowness error rms {np.sqrt((error**2).mean()):.4f}, worst {np.abs(error).max():.3f}")
    print(f"checkerboard correlation {checker_resolution(matrix):.3f}")
    np.savez(sys.argv[1], slowness=slowness, misfit=misfit, cover=matrix.sum(axis=0), times=times)


if __name__ == "__main__":
    main()

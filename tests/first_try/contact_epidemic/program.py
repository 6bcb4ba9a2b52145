"""Epidemic on a contact network of households, schools and chance meetings, with tracing and a parameter scan."""
import heapq
import sys
from collections import deque
from dataclasses import dataclass

import numpy as np

S, E, I, R = range(4)


@dataclass
class Disease:
    beta: float = 0.055
    latent: float = 3.0
    infectious: float = 6.0
    quarantine: float = 0.0


class Network:
    def __init__(self, people, rng):
        self.people = people
        self.age = np.clip(rng.gamma(2.2, 17.0, people), 0, 95)
        src, dst, weight = [], [], []
        for layer in (self.households(rng), self.classes(), self.chance(rng, 5.0)):
            src.append(layer[0])
            dst.append(layer[1])
            weight.append(layer[2])
        a, b, w = np.concatenate(src), np.concatenate(dst), np.concatenate(weight)
        self.src, self.dst = np.concatenate([a, b]), np.concatenate([b, a])
        self.weight = np.concatenate([w, w])
        order = np.argsort(self.src, kind="stable")
        self.src, self.dst, self.weight = self.src[order], self.dst[order], self.weight[order]
        self.start = np.searchsorted(self.src, np.arange(people + 1))

    def households(self, rng):
        a, b = [], []
        first = 0
        while first < self.people:
            size = min(1 + int(rng.poisson(1.6)), self.people - first)
            for i in range(first, first + size):
                for j in range(i + 1, first + size):
                    a.append(i)
                    b.append(j)
            first += size
        return np.array(a), np.array(b), np.full(len(a), 3.0)

    def classes(self, size=18):
        pupils = np.nonzero((self.age > 5) & (self.age < 18))[0]
        a, b = [], []
        for first in range(0, len(pupils), size):
            group = pupils[first:first + size]
            i, j = np.triu_indices(len(group), 1)
            a.append(group[i])
            b.append(group[j])
        a, b = np.concatenate(a), np.concatenate(b)
        return a, b, np.full(len(a), 0.6)

    def chance(self, rng, mean):
        count = int(mean * self.people / 2)
        a, b = rng.integers(0, self.people, count), rng.integers(0, self.people, count)
        keep = a != b
        return a[keep], b[keep], np.full(keep.sum(), 0.5)

    def degree(self):
        return np.bincount(self.src, minlength=self.people)


def exposure(net, state, free):
    """Force of infection on each person: weighted sum over infectious, unquarantined contacts."""
    source = (state == I) & free
    force = np.zeros(net.people)
    np.add.at(force, net.dst, net.weight * source[net.src])
    return force


def simulate(net, disease, days, uniforms):
    """Discrete-time SEIR, one day a step; returns the daily counts and the day of infection."""
    state = np.full(net.people, S)
    state[:12] = I
    free = np.ones(net.people, dtype=bool)
    day_of = np.full(net.people, -1)
    day_of[:12] = 0
    counts = np.zeros((days, 4), dtype=int)
    p_onset = 1 - np.exp(-1 / disease.latent)
    p_end = 1 - np.exp(-1 / disease.infectious)
    for day in range(days):
        u = uniforms[day]
        p = 1 - np.exp(-disease.beta * exposure(net, state, free))
        infected = (state == S) & (u < p)
        onset = (state == E) & (u < p_onset)
        ended = (state == I) & (u < p_end)
        state[infected] = E
        state[onset] = I
        state[ended] = R
        if disease.quarantine > 0:
            free[onset & (u < p_onset * disease.quarantine)] = False
        day_of[infected] = day + 1
        counts[day] = np.bincount(state, minlength=4)
    return counts, day_of


def trace_tree(net, day_of):
    """Earliest-infected contact of each case as its parent; depth of the chains by breadth-first search."""
    children = {}
    for v in np.nonzero(day_of > 0)[0].tolist():
        best = None
        for u in net.dst[net.start[v]:net.start[v + 1]].tolist():
            if 0 <= day_of[u] < day_of[v] and (best is None or (day_of[u], u) < best):
                best = (int(day_of[u]), u)
        if best is not None:
            children.setdefault(best[1], []).append(v)
    depth = {}
    queue = deque((int(r), 0) for r in np.nonzero(day_of == 0)[0])
    while queue:
        v, d = queue.popleft()
        depth[v] = d
        queue.extend((c, d + 1) for c in children.get(v, ()))
    offspring = [len(c) for c in children.values()]
    return depth, offspring


def arrival_times(net, seed):
    """Dijkstra with the reciprocal weight of a contact as its length."""
    dist = {seed: 0.0}
    heap = [(0.0, seed)]
    done = set()
    while heap and len(done) < 400:
        d, v = heapq.heappop(heap)
        if v in done:
            continue
        done.add(v)
        for e in range(int(net.start[v]), int(net.start[v + 1])):
            u, nd = int(net.dst[e]), d + 1.0 / float(net.weight[e])
            if nd < dist.get(u, np.inf):
                dist[u] = nd
                heapq.heappush(heap, (nd, u))
    return sorted(dist[v] for v in done)


def spectral_radius(net, rounds=40):
    """Largest eigenvalue of the weighted contact matrix by power iteration."""
    x = np.ones(net.people)
    value = 0.0
    for _ in range(rounds):
        y = np.bincount(net.dst, weights=net.weight * x[net.src], minlength=net.people)
        value = np.sqrt(y @ y)
        x = y / value
    return value


def attack_by_age(net, day_of, width=15):
    band = (net.age // width).astype(int)
    total = np.bincount(band, minlength=7)
    hit = np.bincount(band, weights=(day_of >= 0).astype(float), minlength=7)
    return hit / np.maximum(total, 1)


def main():
    rng = np.random.default_rng(1854)
    net = Network(5000, rng)
    days = 100
    uniforms = rng.random((days, net.people))
    finals, curves = [], []
    for q in (0.0, 0.4, 0.8):
        counts, day_of = simulate(net, Disease(quarantine=q), days, uniforms)
        curves.append(counts)
        finals.append(counts[-1, R] / net.people)
        if q == 0.0:
            rates = attack_by_age(net, day_of)
            depth, offspring = trace_tree(net, day_of)
    reach = arrival_times(net, 0)
    radius = spectral_radius(net)
    degree = net.degree()
    print(f"{len(net.src) // 2} contacts, mean degree {degree.mean():.3f}, spectral radius {radius:.3f}")
    print("recovered: " + ", ".join(f"{f:.4f}" for f in finals) + f", peak {curves[0][:, I].max()}")
    print(f"longest chain {max(depth.values())}, largest offspring {max(offspring)}, 400th person at {reach[-1]:.3f}")
    np.savez(sys.argv[1], curves=np.array(curves), rates=rates, degree=degree, reach=np.array(reach), day_of=day_of)


if __name__ == "__main__":
    main()

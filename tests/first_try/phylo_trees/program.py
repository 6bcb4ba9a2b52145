"""Distances between aligned sequences, UPGMA and neighbour-joining trees, bootstrap and parsimony support."""
import sys

import numpy as np

A, C, G, T, GAP = range(5)


def simulate_alignment(ntaxa, nsites, rng):
    """Sequences evolved along a random bifurcating tree; site rates are gamma distributed."""
    rates = rng.gamma(0.9, 1.1, nsites)
    lineages = [rng.integers(0, 4, nsites)]
    while len(lineages) < ntaxa:
        parent = lineages.pop(int(rng.integers(0, len(lineages))))
        for _ in range(2):
            child = parent.copy()
            hit = rng.random(nsites) < 1.0 - np.exp(-0.05 * rates * rng.uniform(0.5, 1.5))
            transition = rng.random(nsites) < 0.66
            child = np.where(hit & transition, (child + 2) % 4, child)
            child = np.where(hit & ~transition, (child + 1 + 2 * (rng.random(nsites) < 0.5)) % 4, child)
            lineages.append(child)
    aln = np.stack(lineages)
    aln[rng.random(aln.shape) < 0.02] = GAP
    return aln


def pair_counts(aln, weight):
    """Weighted transitions, transversions and compared length of every pair of sequences."""
    n, length = aln.shape
    ts = np.zeros((n, n))
    tv = np.zeros((n, n))
    compared = np.zeros((n, n))
    for i in range(1, n):
        a, b = aln[i], aln[:i]
        ok = (a != GAP) & (b != GAP)
        differ = ok & (a != b)
        same_class = (a % 2) == (b % 2)
        ts[i, :i] = ts[:i, i] = (differ & same_class) @ weight
        tv[i, :i] = tv[:i, i] = (differ & ~same_class) @ weight
        compared[i, :i] = compared[:i, i] = ok @ weight
    return ts, tv, compared


def kimura(ts, tv, compared):
    """K80 distances; saturated pairs get twice the largest finite distance."""
    full = np.where(compared > 0, compared, 1.0)
    p = ts / full
    q = tv / full
    a = 1.0 - 2.0 * p - q
    b = 1.0 - 2.0 * q
    good = (a > 0.02) & (b > 0.02)
    d = -0.5 * np.log(np.where(good, a, 1.0)) - 0.25 * np.log(np.where(good, b, 1.0))
    return np.where(good, d, 2.0 * d.max())


def upgma(dist):
    """Average linkage with explicit cluster sizes; returns merges (i, j, height, size)."""
    n = len(dist)
    d = dist.copy()
    np.fill_diagonal(d, np.inf)
    size = np.ones(n)
    label = list(range(n))
    merges = []
    coph = np.zeros((n, n))
    members = [[k] for k in range(n)]
    for step in range(n - 1):
        i, j = divmod(int(np.argmin(d)), n)
        i, j = min(i, j), max(i, j)
        h = d[i, j]
        merges.append((label[i], label[j], 0.5 * h, size[i] + size[j]))
        coph[np.ix_(members[i], members[j])] = h
        coph[np.ix_(members[j], members[i])] = h
        row = (size[i] * d[i] + size[j] * d[j]) / (size[i] + size[j])
        row[i] = np.inf
        d[i] = row
        d[:, i] = row
        d[j] = np.inf
        d[:, j] = np.inf
        size[i] += size[j]
        members[i] = members[i] + members[j]
        label[i] = n + step
    return np.array(merges, dtype=float), coph


def neighbor_joining(dist):
    """Saitou-Nei; the matrix shrinks by one row and column per join."""
    d = dist.copy()
    nodes = list(range(len(dist)))
    joins = []
    new = len(dist)
    while len(nodes) > 2:
        n = len(nodes)
        total = d.sum(axis=1)
        q = (n - 2) * d - total[:, None] - total[None, :]
        q[np.arange(n), np.arange(n)] = np.inf
        i, j = divmod(int(np.round(q, 9).argmin()), n)
        if i > j:
            i, j = j, i
        li = 0.5 * d[i, j] + (total[i] - total[j]) / (2 * (n - 2))
        lj = d[i, j] - li
        joins.append((nodes[i], nodes[j], float(li), float(lj)))
        row = 0.5 * (d[i] + d[j] - d[i, j])
        keep = [k for k in range(n) if k not in (i, j)]
        small = np.zeros((n - 1, n - 1))
        small[:-1, :-1] = d[np.ix_(keep, keep)]
        small[-1, :-1] = small[:-1, -1] = row[keep]
        d = small
        nodes = [nodes[k] for k in keep] + [new]
        new += 1
    joins.append((nodes[0], nodes[1], float(d[0, 1]), 0.0))
    return joins


def newick(joins, ntaxa):
    """Text of the tree."""
    text = {k: f"t{k}" for k in range(ntaxa)}
    new = ntaxa
    for i, j, li, lj in joins[:-1]:
        text[new] = f"({text.pop(i)}:{li:.4f},{text.pop(j)}:{lj:.4f})"
        new += 1
    i, j, length, _ = joins[-1]
    return f"({text[i]}:{length:.4f},{text[j]});"


def fitch(aln, joins):
    """Parsimony length of each site by set operations on bit masks."""
    ntaxa, length = aln.shape
    sets = {k: np.where(aln[k] == GAP, 15, 1 << np.minimum(aln[k], 3)) for k in range(ntaxa)}
    steps = np.zeros(length, dtype=np.int64)
    new = ntaxa
    for i, j, _, _ in joins:
        both = sets[i] & sets[j]
        steps += both == 0
        sets[new] = np.where(both == 0, sets[i] | sets[j], both)
        new += 1
    return steps


def bootstrap_distances(onehot, weight, replicates, rng):
    """p-distances of resampled alignments; one matrix product per replicate."""
    n, length, _ = onehot.shape
    mean = np.zeros((n, n))
    square = np.zeros((n, n))
    nearest = np.zeros((n, n), dtype=np.int64)
    for _ in range(replicates):
        count = np.bincount(rng.integers(0, length, length), minlength=length)
        w = weight * count
        same = (onehot * w[:, None]).reshape(n, -1) @ onehot.reshape(n, -1).T
        present = onehot.sum(axis=2)
        overlap = (present * w) @ present.T
        d = 1.0 - same / overlap
        mean += d
        square += d * d
        d[np.arange(n), np.arange(n)] = np.inf
        nearest[np.arange(n), d.argmin(axis=1)] += 1
    mean /= replicates
    return mean, np.sqrt(np.maximum(square / replicates - mean**2, 0.0)), nearest


def cophenetic_correlation(dist, coph):
    n = dist.shape[0]
    sx = sy = sxx = syy = sxy = 0.0
    m = 0
    for i in range(n):
        for j in range(i + 1, n):
            x = dist[i, j]
            y = coph[i, j]
            sx += x
            sy += y
            sxx += x * x
            syy += y * y
            sxy += x * y
            m += 1
    return (m * sxy - sx * sy) / np.sqrt((m * sxx - sx * sx) * (m * syy - sy * sy))


def four_point_violation(dist, quartets):
    """How far each sampled quartet is from a tree metric: the two largest sums should be equal."""
    out = np.zeros(len(quartets))
    split = np.zeros(len(quartets), dtype=np.int64)
    for k in range(len(quartets)):
        a, b, c, e = quartets[k, 0], quartets[k, 1], quartets[k, 2], quartets[k, 3]
        s0 = dist[a, b] + dist[c, e]
        s1 = dist[a, c] + dist[b, e]
        s2 = dist[a, e] + dist[b, c]
        low, which = s0, 0
        if s1 < low:
            low, which = s1, 1
        if s2 < low:
            low, which = s2, 2
        high = max(s0, max(s1, s2))
        middle = s0 + s1 + s2 - low - high
        out[k] = (high - middle) / (high - low + 1e-12)
        split[k] = which
    return out, split


def main():
    rng = np.random.default_rng(1859)
    aln = simulate_alignment(36, 500, rng)
    weight = rng.uniform(0.6, 1.4, aln.shape[1])
    dist = kimura(*pair_counts(aln, weight))
    merges, coph = upgma(dist)
    joins = neighbor_joining(dist)
    steps = fitch(aln, joins)
    onehot = (aln[:, :, None] == np.arange(4)).astype(float)
    mean, spread, nearest = bootstrap_distances(onehot, weight, 20, rng)
    quartets = np.stack([rng.permutation(36)[:4] for _ in range(2500)])
    delta, split = four_point_violation(dist, quartets)
    corr = cophenetic_correlation(dist, coph)

    print(f"distances {dist[dist > 0].min():.5f} .. {dist.max():.5f}, root height {merges[-1, 2]:.5f}")
    print(f"cophenetic correlation {corr:.6f}, delta score {delta.mean():.5f}")
    print(f"parsimony length {steps.sum()}, informative sites {(steps > 1).sum()}")
    print(newick(joins, 36)[:72] + "...")
    np.savez(sys.argv[1], dist=dist, merges=merges, coph=coph, joins=np.array(joins, dtype=float), steps=steps,
             mean=mean, spread=spread, nearest=nearest, delta=delta, split=split)


if __name__ == "__main__":
    main()

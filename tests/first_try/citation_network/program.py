"""Ranking and spreading on a synthetic citation network (script used for the group meeting)."""
import sys
from collections import deque

import numpy as np

OUT = sys.argv[1] if len(sys.argv) > 1 else "network.npz"
N = 2000


def edges_of(n, m, rng):
    """Copying model: every new paper cites m older ones, half of them copied from a reference."""
    refs = [[] for _ in range(n)]
    for new in range(m + 1, n):
        proto = int(rng.integers(0, new))
        for k in range(m):
            if refs[proto] and rng.random() < 0.5:
                target = refs[proto][k % len(refs[proto])]
            else:
                target = int(rng.integers(0, new))
            refs[new].append(target)
            yield new, target


def pagerank(src, dst, n, damping=0.85, tol=1e-10, max_iter=100):
    outdeg = np.bincount(src, minlength=n)
    dangling = outdeg == 0
    weight = 1.0 / np.maximum(outdeg, 1)
    r = np.full(n, 1.0 / n)
    for it in range(max_iter):
        new = np.zeros(n)
        np.add.at(new, dst, r[src] * weight[src])
        new = damping * (new + r[dangling].sum() / n) + (1.0 - damping) / n
        delta = np.abs(new - r).sum()
        r = new
        if delta < tol:
            break
    return r, it + 1


def hits(src, dst, n, rounds):
    hub = np.ones(n)
    auth = np.ones(n)
    for _ in range(rounds):
        auth = np.bincount(dst, weights=hub[src], minlength=n)
        auth /= np.linalg.norm(auth)
        hub = np.bincount(src, weights=auth[dst], minlength=n)
        hub /= np.linalg.norm(hub)
    return hub, auth


def heat_diffusion(src, dst, n, steps, dt):
    """Undirected graph Laplacian flow from a handful of hot nodes."""
    deg = np.zeros(n)
    np.add.at(deg, src, 1.0)
    np.add.at(deg, dst, 1.0)
    u = np.zeros(n)
    u[::97] = 1.0
    trace = np.empty((steps, 2))
    for s in range(steps):
        flow = u[dst] - u[src]
        lap = np.zeros(n)
        np.add.at(lap, src, flow)
        np.subtract.at(lap, dst, flow)
        u = u + dt * lap / np.maximum(deg, 1.0)
        trace[s, 0] = u.max()
        trace[s, 1] = np.count_nonzero(u > 1e-4)
    return u, trace


def threshold_cascade(src, dst, n, seeds, theta):
    """Linear threshold model, synchronous; stops when nobody new adopts."""
    adopted = np.zeros(n, dtype=bool)
    adopted[seeds] = True
    indeg = np.bincount(src, minlength=n)
    sizes = [int(adopted.sum())]
    while True:
        active = np.bincount(src, weights=adopted[dst].astype(float), minlength=n)
        fresh = (active > theta * indeg) & (indeg > 0) & ~adopted
        if not fresh.any():
            break
        adopted |= fresh
        sizes.append(int(adopted.sum()))
    return adopted, np.array(sizes)


def distances(adjacency, root, n):
    dist = np.full(n, -1, dtype=np.int64)
    dist[root] = 0
    queue = deque([root])
    while queue:
        v = queue.popleft()
        for w in adjacency[v]:
            if dist[w] < 0:
                dist[w] = dist[v] + 1
                queue.append(w)
    return dist


def local_clustering(A, nodes):
    """Share of linked pairs among the neighbours of each selected node."""
    c = np.zeros(len(nodes))
    for row, v in enumerate(nodes):
        nb = np.flatnonzero(A[v])
        k = nb.size
        if k < 2:
            continue
        links = A[np.ix_(nb, nb)].sum() / 2
        c[row] = 2.0 * links / (k * (k - 1))
    return c


def reciprocity_overlap(cites):
    """Bibliographic coupling: common references for every pair of the listed papers."""
    p, m = cites.shape
    overlap = np.zeros((p, p), dtype=np.int64)
    for a in range(p):
        for b in range(p):
            same = 0
            for i in range(m):
                for j in range(m):
                    if cites[a, i] == cites[b, j]:
                        same += 1
            overlap[a, b] = same
    return overlap


rng = np.random.default_rng(2718)
pairs = np.array(list(edges_of(N, 6, rng)), dtype=np.int64)
src, dst = pairs[:, 0].copy(), pairs[:, 1].copy()

rank, iters = pagerank(src, dst, N)
top = np.argsort(-rank, kind="stable")[:10]
print("pagerank converged after", iters, "iterations; leader", int(top[0]), "share %.6f" % rank[top[0]])

hub, auth = hits(src, dst, N, 30)
print("hits: correlation with pagerank %.6f" % np.corrcoef(auth, rank)[0, 1])

heat, trace = heat_diffusion(src, dst, N, 50, 0.2)
print("heat: max %.6f, reached %d" % (trace[-1, 0], int(trace[-1, 1])))

adopted, sizes = threshold_cascade(src, dst, N, top[:4], 0.21)
print("cascade sizes", " ".join(str(s) for s in sizes))

indeg = np.bincount(dst, minlength=N)
values, freq = np.unique(indeg, return_counts=True)
ccdf = 1.0 - np.cumsum(freq) / N

adjacency = [[] for _ in range(N)]
for a, b in zip(src.tolist(), dst.tolist()):
    adjacency[a].append(b)
    adjacency[b].append(a)
dist = distances(adjacency, int(top[0]), N)
print("mean distance to the leader %.5f" % dist[dist >= 0].mean())

A = np.zeros((N, N))
A[src, dst] = 1.0
A[dst, src] = 1.0
np.fill_diagonal(A, 0.0)
clustering = local_clustering(A, range(0, N, 10))
print("mean clustering %.6f" % clustering.mean())

cites = dst.reshape(-1, 6)[-60:]
coupling = reciprocity_overlap(cites)

results = {"rank": rank, "top": top, "hub": hub, "auth": auth, "heat": heat, "trace": trace,
           "adopted": adopted, "sizes": sizes, "degree": values, "ccdf": ccdf, "dist": dist,
           "clustering": clustering, "coupling": coupling}
np.savez(OUT, **results)

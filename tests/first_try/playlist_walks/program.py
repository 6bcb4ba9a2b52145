"""Recommendations from the user-track graph: personalised PageRank and short random walks with restarts."""
import sys
import numpy as np

N_USERS, N_TRACKS, N_PLAYS = 600, 900, 9000
ALPHA = 0.2


def draw_plays(rng):
    taste = rng.integers(0, 6, N_USERS)
    genre = rng.integers(0, 6, N_TRACKS)
    users = np.concatenate([np.arange(N_USERS), rng.integers(0, N_USERS, N_PLAYS)])
    tracks = np.minimum((N_TRACKS * rng.random(len(users)) ** 2).astype(np.int64), N_TRACKS - 1)
    like = (taste[users] == genre[tracks]) | (rng.random(len(users)) < 0.25)
    like[:N_USERS] = True
    key = np.unique(users[like] * N_TRACKS + tracks[like])
    return key // N_TRACKS, key % N_TRACKS, genre


def build_graph(users, tracks):
    """Undirected bipartite graph in compressed rows; tracks follow the users in the numbering."""
    n = N_USERS + N_TRACKS
    src = np.concatenate([users, tracks + N_USERS])
    dst = np.concatenate([tracks + N_USERS, users])
    order = np.argsort(src, kind="stable")
    degree = np.bincount(src, minlength=n)
    indptr = np.zeros(n + 1, dtype=np.int64)
    indptr[1:] = np.cumsum(degree)
    return {"n": n, "src": src[order], "dst": dst[order], "degree": degree, "indptr": indptr}


def pagerank(graph, seeds, tol=1e-4, max_iter=50):
    """Power iteration for one restart vector."""
    restart = np.zeros(graph["n"])
    restart[seeds] = 1.0 / len(seeds)
    share = 1.0 / np.maximum(graph["degree"], 1)
    p = restart.copy()
    history = []
    for _ in range(max_iter):
        out = np.zeros(graph["n"])
        np.add.at(out, graph["dst"], (p * share)[graph["src"]])
        new = ALPHA * restart + (1.0 - ALPHA) * out
        change = np.abs(new - p).sum()
        history.append(float(change))
        p = new
        if change < tol:
            break
    return p, history


def walker_batches(start, per_user, size):
    nodes = np.repeat(start, per_user)
    for a in range(0, len(nodes), size):
        yield a // size, nodes[a:a + size]


def random_walks(graph, start, u_step, u_stop, visits):
    """Walk until the restart coin falls; every track on the way is counted."""
    indptr, dst, degree = graph["indptr"], graph["dst"], graph["degree"]
    lengths = np.zeros(len(start), dtype=np.int64)
    for w in range(len(start)):
        node = start[w]
        for s in range(u_step.shape[1]):
            node = dst[indptr[node] + int(u_step[w, s] * degree[node])]
            if node >= N_USERS:
                visits[node - N_USERS] += 1
            lengths[w] += 1
            if u_stop[w, s] < ALPHA:
                break
    return lengths


def cosine_similarity(users, tracks, subset):
    """Track-track similarity of a few tracks against all, from the play matrix."""
    R = np.zeros((N_USERS, N_TRACKS))
    R[users, tracks] = 1.0
    R /= np.maximum(np.sqrt(R.sum(axis=1, keepdims=True)), 1.0)
    norm = np.sqrt((R * R).sum(axis=0))
    norm[norm == 0] = 1.0
    sim = R[:, subset].T @ R / (norm[subset][:, None] * norm[None, :])
    sim[np.arange(len(subset)), subset] = 0.0
    return sim


def top_unheard(score, user, graph, k):
    s = score[N_USERS:].copy()
    heard = graph["dst"][graph["indptr"][user]:graph["indptr"][user + 1]] - N_USERS
    s[heard] = -1.0
    return np.argsort(-s, kind="stable")[:k]


def gini(x):
    x = np.sort(x.astype(float))
    c = np.cumsum(x)
    return 1.0 - 2.0 * np.sum(c) / (len(x) * c[-1]) + 1.0 / len(x)


def diversity(lists, genre):
    """Mean share of track pairs in a list that come from different genres."""
    different = 0
    pairs = 0
    for row in lists:
        g = genre[row]
        different += int(np.count_nonzero(g[:, None] != g[None, :])) // 2
        pairs += len(row) * (len(row) - 1) // 2
    return different / pairs


def main(path):
    rng = np.random.default_rng(8)
    users, tracks, genre = draw_plays(rng)
    graph = build_graph(users, tracks)
    panel = np.array([3, 57, 211, 340, 502])

    lists, steps = [], []
    scores = np.zeros((len(panel), N_TRACKS))
    for row, user in enumerate(panel):
        p, history = pagerank(graph, panel[row:row + 1])
        scores[row] = p[N_USERS:]
        steps.append(len(history))
        lists.append(top_unheard(np.round(p, 12), user, graph, 10))
    top = np.stack(lists)

    visits = np.zeros(N_TRACKS, dtype=np.int64)
    mean_len = []
    for b, start in walker_batches(panel, 240, 300):
        u = rng.random((2, len(start), 12))
        lengths = random_walks(graph, start, u[0], u[1], visits)
        mean_len.append(lengths.mean())
    sim = cosine_similarity(users, tracks, top[0])

    ref = scores.sum(axis=0)
    corr = np.corrcoef(ref, visits)[0, 1]
    print(f"{len(users)} plays, {steps} sweeps, walk length {np.mean(mean_len):.6f}")
    print(f"correlation of visits and rank {corr:.8f}, gini {gini(visits):.8f}")
    print(f"diversity {diversity(top, genre):.6f}, first list {top[0].tolist()}")
    np.savez(path, scores=scores, top=top, visits=visits, sim=sim, lengths=np.array(mean_len), degree=graph["degree"])


if __name__ == "__main__":
    main(sys.argv[1])

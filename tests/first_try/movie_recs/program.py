"""Offline comparison of recommenders on a synthetic ratings table."""
import sys
import numpy as np

N_USERS, N_ITEMS, RANK = 150, 110, 8


def synthesize(rng):
    taste = rng.normal(0, 0.6, (N_USERS, 5))
    genre = rng.normal(0, 0.6, (N_ITEMS, 5))
    appeal = rng.normal(0, 0.5, N_ITEMS)
    prob = 0.25 / (1 + np.exp(-1.5 * appeal))
    user, item = np.nonzero(rng.random((N_USERS, N_ITEMS)) < prob)
    stars = 3.2 + appeal[item] + (taste[user] * genre[item]).sum(axis=1) + rng.normal(0, 0.4, len(user))
    stars = np.clip(np.round(stars * 2) / 2, 0.5, 5.0)
    order = rng.permutation(len(user))
    cut = int(0.8 * len(user))
    train, test = {}, {}
    for name, values in (("user", user), ("item", item), ("stars", stars)):
        train[name] = values[order[:cut]]
        test[name] = values[order[cut:]]
    return train, test


def dense(table):
    ratings = np.zeros((N_USERS, N_ITEMS))
    known = np.zeros((N_USERS, N_ITEMS))
    ratings[table["user"], table["item"]] = table["stars"]
    known[table["user"], table["item"]] = 1.0
    return ratings, known


def biases(table, damping=5.0):
    """Damped means of items, then of users on what is left."""
    mu = table["stars"].mean()
    item_sum, item_n = np.zeros(N_ITEMS), np.zeros(N_ITEMS)
    np.add.at(item_sum, table["item"], table["stars"] - mu)
    np.add.at(item_n, table["item"], 1)
    bi = item_sum / (item_n + damping)
    user_sum = np.zeros(N_USERS)
    user_n = np.zeros(N_USERS)
    np.add.at(user_sum, table["user"], table["stars"] - mu - bi[table["item"]])
    np.add.at(user_n, table["user"], 1)
    return mu, user_sum / (user_n + damping), bi


def als_half(target, known, factors, reg):
    """Ridge regression of every row of target on the factors of its known columns."""
    out = np.empty((target.shape[0], factors.shape[1]))
    eye = np.eye(factors.shape[1])
    for u in range(target.shape[0]):
        w = known[u]
        gram = (factors * w[:, None]).T @ factors + reg * eye
        out[u] = np.linalg.solve(gram, factors.T @ (w * target[u]))
    return out


def als(residual, known, rank, reg, rounds, rng):
    items = 0.1 * rng.standard_normal((N_ITEMS, rank))
    loss = []
    for _ in range(rounds):
        users = als_half(residual, known, items, reg)
        items = als_half(residual.T, known.T, users, reg)
        error = known * (residual - users @ items.T)
        loss.append((error ** 2).sum() + reg * ((users ** 2).sum() + (items ** 2).sum()))
    return users, items, np.array(loss)


def sgd(table, base, rank, rate, reg, rng):
    """Funk-style factors, one rating after another."""
    p = 0.1 * rng.standard_normal((N_USERS, rank))
    q = 0.1 * rng.standard_normal((N_ITEMS, rank))
    mu, bu, bi = base
    for u, i, r in zip(table["user"], table["item"], table["stars"]):
        e = r - mu - bu[u] - bi[i] - p[u] @ q[i]
        step = rate * (e * q[i] - reg * p[u])
        q[i] += rate * (e * p[u] - reg * q[i])
        p[u] += step
    return p, q


def item_similarity(residual, known, shrink=10.0):
    """Cosine of co-rated residuals, shrunk by the number of common raters."""
    dot = residual.T @ residual
    sq = (residual ** 2).T @ known
    common = known.T @ known
    sim = dot / np.sqrt(sq * sq.T + 1e-9)
    sim *= common / (common + shrink)
    np.fill_diagonal(sim, 0.0)
    return sim


def knn_scores(residual, known, sim, k):
    near = np.argsort(-np.abs(sim), axis=1, kind="stable")[:, :k]
    scores = np.zeros_like(residual)
    for i in range(residual.shape[1]):
        cols = near[i]
        w = sim[i, cols]
        num = residual[:, cols] @ w
        den = known[:, cols] @ np.abs(w)
        scores[:, i] = num / (den + 0.1)
    return scores


def rmse(pred, table):
    e = np.clip(pred[table["user"], table["item"]], 0.5, 5.0) - table["stars"]
    return np.sqrt(np.mean(e ** 2))


def top_n(pred, known, n):
    open_items = np.where(known > 0, -np.inf, pred)
    return np.argsort(-open_items, axis=1, kind="stable")[:, :n]


def ndcg(lists, relevant):
    """Discounted gain of every user's list, and the rank of the first hit (0 for none)."""
    users, n = lists.shape
    gain = np.zeros(users)
    first = np.zeros(users, dtype=np.int64)
    for u in range(users):
        got = ideal = 0.0
        hits = 0
        total = relevant[u].sum()
        for k in range(n):
            if relevant[u, lists[u, k]]:
                got += 1.0 / np.log2(k + 2.0)
                hits += 1
                if first[u] == 0:
                    first[u] = k + 1
            if k < total:
                ideal += 1.0 / np.log2(k + 2.0)
        if ideal > 0.0:
            gain[u] = got / ideal
    return gain, first


def coverage(lists):
    shown = np.bincount(lists.ravel(), minlength=N_ITEMS)
    share = np.sort(shown / shown.sum())
    lorenz = np.cumsum(share)
    gini = 1.0 - 2.0 * lorenz.mean() + 1.0 / N_ITEMS
    return np.count_nonzero(shown), gini


def main(out):
    rng = np.random.default_rng(42)
    train, test = synthesize(rng)
    ratings, known = dense(train)
    base = mu, bu, bi = biases(train)
    baseline = mu + bu[:, None] + bi[None, :]
    residual = known * (ratings - baseline)

    users, items, loss = als(residual, known, RANK, 3.0, 6, rng)
    p, q = sgd(train, base, RANK, 0.02, 0.05, rng)
    sim = item_similarity(residual, known)
    predictions = {
        "bias": baseline,
        "als": baseline + users @ items.T,
        "sgd": baseline + p @ q.T,
        "knn": baseline + knn_scores(residual, known, sim, 15),
    }
    relevant = np.zeros((N_USERS, N_ITEMS), dtype=bool)
    liked = test["stars"] >= 4.0
    relevant[test["user"][liked], test["item"][liked]] = True

    saved = {"loss": loss, "sim": sim}
    for name, pred in predictions.items():
        lists = top_n(pred, known, 10)
        gain, first = ndcg(lists, relevant)
        shown, gini = coverage(lists)
        saved["gain_" + name], saved["first_" + name], saved["pred_" + name] = gain, first, pred
        print(f"{name:5s} rmse {rmse(pred, test):.6f}  ndcg {gain.mean():.6f}  items shown {shown}  gini {gini:.5f}")
    print(f"{len(train['stars'])} training ratings, final loss {loss[-1]:.5f}")
    np.savez(out, **saved)


if __name__ == "__main__":
    main(sys.argv[1])

import re
import sys
from collections import Counter
from dataclasses import dataclass, field

import numpy as np

STEMS = {
    "ocean": "wave tide salt reef current plankton coral depth swell basin harbour drift",
    "law": "court judge appeal verdict statute counsel brief clause motion trial witness bench",
    "kitchen": "flour butter oven simmer whisk salt garlic knife stock broth pepper dough",
    "space": "orbit probe lander thrust comet nebula crater solar launch telescope payload depth",
    "finance": "bond yield equity margin ledger credit audit stock asset hedge broker fund",
}
COMMON = "the of and to in a is that for with as on by it from at this which were has not but".split()


@dataclass
class Corpus:
    texts: list
    labels: np.ndarray
    vocabulary: dict = field(default_factory=dict)
    tokens: list = field(default_factory=list)

    def tokenize(self, min_docs=2):
        """Lower-case words; vocabulary of those found in at least min_docs documents."""
        words = [re.findall(r"[a-z]+", t.lower()) for t in self.texts]
        seen = Counter()
        for w in words:
            seen.update(set(w))
        keep = sorted(w for w, c in seen.items() if c >= min_docs and w not in COMMON)
        self.vocabulary = {w: i for i, w in enumerate(keep)}
        for w in words:
            ids = [self.vocabulary[t] for t in w if t in self.vocabulary]
            self.tokens.append(np.array(ids, dtype=np.int64))

    def count_matrix(self):
        counts = np.zeros((len(self.tokens), len(self.vocabulary)))
        lengths = np.array([t.size for t in self.tokens])
        doc = np.repeat(np.arange(len(self.tokens)), lengths)
        np.add.at(counts, (doc, np.concatenate(self.tokens)), 1.0)
        return counts


def write_corpus(rng, per_topic=60):
    names = list(STEMS)
    texts, labels = [], []
    endings = ["", "s", "ing", "ed"]
    for d in range(per_topic * len(names)):
        topic = d % len(names)
        own = STEMS[names[topic]].split()
        other = STEMS[names[int(rng.integers(len(names)))]].split()
        out = []
        for _ in range(int(rng.integers(50, 110))):
            u = rng.random()
            if u < 0.4:
                out.append(COMMON[int(rng.integers(len(COMMON)))])
            else:
                pool = own if u < 0.70 else other
                k = min(int(rng.exponential(3.5)), len(pool) - 1)
                out.append(pool[k] + endings[int(rng.integers(4))])
        texts.append(" ".join(out).capitalize() + ".")
        labels.append(topic)
    return Corpus(texts, np.array(labels))


def tfidf(counts, sublinear=True):
    df = np.count_nonzero(counts, axis=0)
    idf = np.log((1.0 + counts.shape[0]) / (1.0 + df)) + 1.0
    tf = np.where(counts > 0, 1.0 + np.log(np.maximum(counts, 1.0)), 0.0) if sublinear else counts
    w = tf * idf
    return w / np.maximum(np.linalg.norm(w, axis=1, keepdims=True), 1e-12), idf


def bm25(counts, queries, k1=1.5, b=0.75):
    """Scores of every document for each query, a query being a list of word ids."""
    n_docs = counts.shape[0]
    length = counts.sum(axis=1)
    rel = k1 * (1.0 - b + b * length / length.mean())
    df = (counts > 0).sum(axis=0)
    scores = np.zeros((len(queries), n_docs))
    for q, query in enumerate(queries):
        for word in query:
            f = counts[:, word]
            idf = np.log(1.0 + (n_docs - df[word] + 0.5) / (df[word] + 0.5))
            scores[q] += idf * f * (k1 + 1.0) / (f + rel)
    return scores


def farthest_seeds(X, k):
    """Seeds far from each other in cosine distance, starting with the most central document."""
    first = int(np.argmax(X @ X.mean(axis=0)))
    seeds = [first]
    near = 1.0 - X @ X[first]
    while len(seeds) < k:
        nxt = int(np.argmax(near))
        seeds.append(nxt)
        near = np.minimum(near, 1.0 - X @ X[nxt])
    return X[seeds].copy()


def spherical_kmeans(X, k, max_iter=40):
    centres = farthest_seeds(X, k)
    assign = np.full(X.shape[0], -1)
    objective = []
    for it in range(max_iter):
        sim = X @ centres.T
        new = sim.argmax(axis=1)
        objective.append(sim.max(axis=1).sum())
        if np.array_equal(new, assign):
            break
        assign = new
        sums = np.zeros_like(centres)
        np.add.at(sums, assign, X)
        norms = np.linalg.norm(sums, axis=1)
        for c in range(k):
            if norms[c] > 0:
                centres[c] = sums[c] / norms[c]
    return assign, centres, np.array(objective)


def silhouette(X, assign, k):
    """Silhouette of every document with cosine distances."""
    n = X.shape[0]
    D = 1.0 - X @ X.T
    sizes = np.bincount(assign, minlength=k)
    s = np.zeros(n)
    for i in range(n):
        total = np.zeros(k)
        for j in range(n):
            if j != i:
                total[assign[j]] += D[i, j]
        own = assign[i]
        if sizes[own] < 2:
            continue
        a = total[own] / (sizes[own] - 1)
        b = np.inf
        for c in range(k):
            if c != own and sizes[c] > 0:
                b = min(b, total[c] / sizes[c])
        s[i] = (b - a) / max(a, b)
    return s


def nmf(V, k, iterations, rng):
    """Multiplicative updates for the Frobenius norm."""
    W = rng.random((V.shape[0], k)) + 0.1
    H = rng.random((k, V.shape[1])) + 0.1
    err = []
    for _ in range(iterations):
        H *= (W.T @ V) / (W.T @ W @ H + 1e-9)
        W *= (V @ H.T) / (W @ (H @ H.T) + 1e-9)
        err.append(np.linalg.norm(V - W @ H))
    scale = np.linalg.norm(H, axis=1)
    return W * scale, H / scale[:, None], np.array(err)


def near_duplicates(X, threshold):
    """Pairs of documents more alike than the threshold."""
    S = X @ X.T
    i, j = np.nonzero(np.triu(S > threshold, 1))
    return np.column_stack([i, j]), S[i, j]


def contingency(labels, assign, k):
    table = np.zeros((labels.max() + 1, k), dtype=int)
    np.add.at(table, (labels, assign), 1)
    p = table / table.sum()
    pi, pj = p.sum(axis=1, keepdims=True), p.sum(axis=0, keepdims=True)
    mi = np.sum(np.where(p > 0, p * np.log(np.where(p > 0, p, 1.0) / (pi * pj + 1e-300)), 0.0))
    entropy = [-np.sum(np.where(q > 0, q * np.log(np.where(q > 0, q, 1.0)), 0.0)) for q in (pi, pj)]
    return table, mi / np.sqrt(entropy[0] * entropy[1])


def top_terms(centres, vocabulary, count=5):
    words = np.array(list(vocabulary))
    order = np.argsort(-centres, axis=1)[:, :count]
    return [" ".join(words[row]) for row in order]


def main(out):
    rng = np.random.default_rng(314)
    corpus = write_corpus(rng)
    corpus.tokenize()
    counts = corpus.count_matrix()
    X, idf = tfidf(counts)
    k = 5
    assign, centres, objective = spherical_kmeans(X, k)
    sil = silhouette(X, assign, k)
    W, H, err = nmf(X, k, 40, rng)
    queries = [[corpus.vocabulary[w] for w in q.split()]
               for q in ("wave tides salt", "court judges", "orbit depth launch", "stock bonds yield")]
    scores = bm25(counts, queries)
    best = np.sort(scores, axis=1)[:, ::-1][:, :10]
    pairs, alike = near_duplicates(X, 0.7)
    table, nmi = contingency(corpus.labels, assign, k)
    terms = top_terms(centres, corpus.vocabulary)

    np.savez(out, counts=counts, idf=idf, tfidf=X, assign=assign, objective=objective, silhouette=sil,
             topics=H, weights=W, err=err, best=best, pairs=pairs, alike=alike, table=table)
    print(f"{counts.shape[0]} documents, {counts.shape[1]} words, {int(counts.sum())} tokens")
    for c, t in enumerate(terms):
        print(c, int((assign == c).sum()), round(float(sil[assign == c].mean()), 6), t)
    print(f"NMI {nmi:.6f}, NMF error {err[-1]:.6f}, {len(pairs)} near duplicates")


if __name__ == "__main__":
    main(sys.argv[1])

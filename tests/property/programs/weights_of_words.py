"""tf-idf, cosine search, LSA and a tiny naive Bayes on text."""
import re
from collections import Counter, defaultdict
from functools import lru_cache

import numpy as np

DOCS = """the cat sat on the mat
the dog chased the cat over the mat
stocks fell as markets closed lower
markets rallied and stocks rose
a dog and a cat became friends
investors sold stocks in a falling market""".splitlines()
LABELS = ["pets", "pets", "money", "money", "pets", "money"]


@lru_cache(maxsize=None)
def tokens(text):
    return tuple(re.findall(r"[a-z]+", text.lower()))


class Vectorizer:
    def __init__(self, min_df=1, sublinear=True):
        self.min_df, self.sublinear = min_df, sublinear

    def fit(self, docs):
        df = Counter(w for d in docs for w in set(tokens(d)))
        words = sorted(w for w, c in df.items() if c >= self.min_df)
        self.vocabulary = {w: k for k, w in enumerate(words)}
        self.idf = np.log((1 + len(docs)) / (1 + np.array([df[w] for w in words]))) + 1
        return self

    def counts(self, docs):
        X = np.zeros((len(docs), len(self.vocabulary)))
        for i, d in enumerate(docs):
            for w in tokens(d):
                if (k := self.vocabulary.get(w)) is not None:
                    X[i, k] += 1
        return X

    def transform(self, docs):
        X = self.counts(docs)
        if self.sublinear:
            nz = X > 0
            X[nz] = 1 + np.log(X[nz])
        X *= self.idf
        norm = np.linalg.norm(X, axis=1, keepdims=True)
        return np.divide(X, norm, out=np.zeros_like(X), where=norm > 0)

    def fit_transform(self, docs):
        return self.fit(docs).transform(docs)


def lsa(X, k):
    U, s, Vt = np.linalg.svd(X - X.mean(0), full_matrices=False)
    flip = np.sign(Vt[np.arange(len(Vt)), np.abs(Vt).argmax(axis=1)])
    return (U * flip)[:, :k] * s[:k], s


def naive_bayes(C, labels, alpha=1.0):
    groups = defaultdict(list)
    for i, l in enumerate(labels):
        groups[l].append(i)
    names = sorted(groups)
    prior = np.log([len(groups[n]) / len(labels) for n in names])
    like = np.array([C[groups[n]].sum(axis=0) + alpha for n in names])
    like = np.log(like / like.sum(axis=1, keepdims=True))
    return names, lambda Z: [names[j] for j in (Z @ like.T + prior).argmax(axis=1)]


def main():
    v = Vectorizer()
    X = v.fit_transform(DOCS)
    print(X.shape, f"{X.sum():.6f}")
    S = X @ X.T
    np.fill_diagonal(S, -1)
    for i, j in enumerate(S.argmax(axis=1)):
        print(i, "->", j, f"{S[i, j]:.4f}")
    q = v.transform(["cat and dog", "market crash", "zzz"])
    for row in q @ X.T:
        best = np.argsort(-row, kind="stable")[:2]
        print([(int(b), round(float(row[b]), 4)) for b in best])
    Z, s = lsa(X, 2)
    print(np.round(s, 5), np.round(np.abs(Z[0]), 4))
    names, classify = naive_bayes(v.counts(DOCS), LABELS)
    print(names, classify(v.counts(["the mat", "stocks and markets", "a friend"])))
    print(tokens.cache_info().hits > 0)


main()

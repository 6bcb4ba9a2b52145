"""Helpers that classes can do without: one that is called out of sight stands in nobody's way."""

from __future__ import annotations

from tests.passes.conftest import port

PROGRAM = """\
from collections import Counter

import numpy as np

STOP = set("a and the".split())
TEXTS = ["the cat sat", "a dog and a cat", "stocks fell", "banks and rates"]
LABELS = np.array([0, 0, 1, 1])


def tokens(text):
    return [word for word in text.split() if word not in STOP]


class Words:
    def fit(self, texts):
        counts = Counter(w for t in texts for w in set(tokens(t)))
        self.places = {w: k for k, w in enumerate(sorted(counts))}
        return self

    def transform(self, texts):
        out = np.zeros((len(texts), len(self.places)))
        for row, text in enumerate(texts):
            for word in tokens(text):
                out[row, self.places[word]] += 1
        return out


class Bayes:
    def fit(self, x, y):
        counts = np.array([x[y == c].sum(axis=0) for c in (0, 1)]) + 1
        self.likely = np.log(counts / counts.sum(axis=1, keepdims=True))
        return self

    def predict(self, x):
        return (x @ self.likely.T).argmax(axis=1)


def main():
    x = Words().fit(TEXTS).transform(TEXTS)
    print(Bayes().fit(x, LABELS).predict(x))


main()
"""


def test_a_helper_that_is_called_out_of_sight_opens_no_class():
    report = port(PROGRAM)
    assert not any(found.code == "GP913" for found in report.findings)
    assert "self.likely = cp.log(counts / counts.sum(axis=1, keepdims=True))" in report.after

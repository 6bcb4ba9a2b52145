"""Arrays that loops make of lists are made where the lists are."""

from __future__ import annotations

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

TEXT = """\
import numpy as np


def tokens(texts, table):
    found = []
    for text in texts:
        ids = [table[one] for one in text if one in table]
        found.append(np.array(ids, dtype=np.int64))
    return found


def counts(texts, table):
    found = tokens(texts, table)
    out = np.zeros((len(found), len(table)))
    rows = np.repeat(np.arange(len(found)), np.array([len(one) for one in found]))
    np.add.at(out, (rows, np.concatenate(found)), 1.0)
    return np.log1p(out) / np.sqrt((out * out).sum(axis=1, keepdims=True))


print(counts(["abba", "cab"], {"a": 0, "b": 1}))
"""


def test_numbers_of_a_list_cross_together() -> None:
    after = port_module(parse("lists.py", TEXT), Config()).after or ""
    assert "found.append(np.array(ids, dtype=np.int64))" in after
    assert "cp.asarray(np.concatenate(found))" in after

"""Dicts that make what is asked for: ``defaultdict(list)``."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

COLUMNS = """\
import csv
import sys
from collections import defaultdict

import numpy as np


def read(lines):
    columns = MADE
    for row in csv.DictReader(lines):
        columns["t"].append(float(row["t"]))
        columns["w"].append(float(row["w"]))
    return {name: np.array(held) for name, held in columns.items()}


def level(columns):
    return (np.sin(columns["t"]) * columns["w"]).mean()


def main():
    print(level(read(sys.stdin)))


main()
"""


@pytest.mark.parametrize(
    ("made", "known"),
    [
        ("defaultdict(list)", True),
        ("defaultdict(lambda: [])", True),
        ("defaultdict()", False),
        ("defaultdict(make)", False),
        ("defaultdict(lambda: [sys.argv])", False),
        ("defaultdict(list, t=sys.argv)", False),
    ],
)
def test_columns_that_a_loop_fills_are_lists_of_numbers(made, known):
    report = port(COLUMNS.replace("MADE", made))
    assert any(one.code == "GP901" for one in report.findings) != known


SUMS = """\
from collections import defaultdict

import numpy as np


def main():
    x = np.linspace(0.0, 1.0, 100000)
    count, rows = defaultdict(int), defaultdict(list)
    for k in range(6):
        count[k % 2] += 1
        rows[k % 2].append(np.sin(x * k))
    print(sum(v.sum() / count[k] for k, v in enumerate(rows[0])))


main()
"""


def test_arrays_in_the_lists_of_such_a_dict_stay_on_the_device():
    report = port(SUMS)
    assert "rows[k % 2].append(cp.sin(x * k))" in (report.after or "")


RENEWED = """\
import numpy as np


def read(n):
    columns = {"t": [], "s": []}
    for k in range(n):
        columns["t"].append(k * 0.5)
        columns["s"].append(int(k * 1.5))
    return {name: np.array(held) for name, held in columns.items()}


def level(columns):
    out = np.empty(len(columns["s"]))
    s, t = columns["s"], columns["t"]
    for i in range(len(s)):
        out[i] = s[i] // 2 + t[i]
    return out


print(level(read(100000)).sum())
"""


def test_a_dict_that_is_made_of_another_one_is_told_apart_by_the_same_keys():
    assert '"raw float64 t, raw int64 s"' in (port(RENEWED).after or "")
    texts = RENEWED.replace("int(k * 1.5)", "str(k)").replace("s[i] // 2", "len(s[i])")
    assert "cp." not in (port(texts).after or "")

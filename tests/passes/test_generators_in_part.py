"""Generators of which a call takes some: what they hand out stays where it is made."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

PROGRAM = """\
from itertools import count, islice

import numpy as np


def stream(u):
    while True:
        u = u + 0.01 * np.sin(u) * np.cos(u)
        yield u


def main():
    u = np.random.default_rng(0).normal(size=(500, 500))
    {body}


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("print(next(stream(u)).sum())", "u = cp.asarray("),
        ("print(sum(f.std() for f in islice(stream(u), 9)))", "u = cp.asarray("),
        ("print(np.array(list(islice(stream(u), 9))).std())",
         "cp.array(list(islice(stream(u), 9)))"),
        ("for k, f in zip(count(), islice(stream(u), 5)):\n        print((k * f).sum())",
         "u = cp.asarray("),
        ("for k, f in enumerate(islice(stream(u), 2, 9)):\n        print(k, f.sum())",
         "u = cp.asarray("),
    ],
)  # fmt: skip
def test_what_is_taken_stays_on_the_device(body: str, line: str) -> None:
    after = port(PROGRAM.format(body=body)).after or ""
    assert line in after
    assert "u = _stream_u(u)" in after


@pytest.mark.parametrize("body", ["s = islice(stream(u), 9)\n    u += 1\n    print(sum(s).std())"])
def test_what_waits_stays_on_the_host(body: str) -> None:
    after = port(PROGRAM.format(body=body)).after or ""
    assert "u = cp.asarray(" not in after

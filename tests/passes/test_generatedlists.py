"""Loops over what generators make: stacked where nothing between two items can tell."""

from __future__ import annotations

import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

HEAD = "import numpy as np\n\n\n"
RUN = "\n\nif __name__ == '__main__':\n    print(f({}))\n"
"""A program that is run: generators are followed in such a one."""


def port(text: str) -> str:
    of_list = "f(a: list" in text
    given = "[np.ones((2, 2)), np.eye(3)]" if of_list else "np.ones((3, 2, 2)) + np.eye(2)"
    return port_module(parse("m.py", HEAD + text + RUN.format(given)), Config()).after or ""


PARTS = "def parts(a: np.ndarray):\n    for i in range(len(a)):\n        yield a[i] @ a[i].T\n\n\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (PARTS + "def f(a: np.ndarray):\n    return [np.linalg.inv(m) for m in parts(a)]\n",
         ["m_list = list(parts(a))", "return batched.inv(m_list)"]),
        ("def f(a: list[np.ndarray]):\n    return [np.linalg.inv(m) for m in (x * 2 for x in a)]\n",
         ["    return [np.linalg.inv(m) for m in (x * 2 for x in a)]", "return _f_loop(a)"]),
        (PARTS + "def f(a: np.ndarray):\n    out = []\n    for k, m in enumerate(parts(a)):\n"
         "        w, v = np.linalg.eigh(m)\n        out.append((v * w) @ v.T)\n    return out\n",
         ["m_list = list(parts(a))", "_f_loop(m_list, out)"]),
    ],
)  # fmt: skip
def test_a_loop_over_a_generator_is_stacked(text, lines) -> None:
    after = port(text)
    for line in lines:
        assert line in after


@pytest.mark.parametrize(
    "text",
    [
        # one array, changed from item to item
        "def parts(a: np.ndarray):\n    m = a[0] + 1\n    for x in a:\n        m += x\n"
        "        yield m\n\n\n"
        "def f(a: np.ndarray):\n    return [np.linalg.inv(m) for m in parts(a)]\n",
        # without an end
        "def parts(a: np.ndarray):\n    while True:\n        yield a[0] @ a[0].T\n\n\n"
        "def f(a: np.ndarray):\n    out = []\n    for m in parts(a):\n"
        "        out.append(np.linalg.inv(m))\n        if len(out) > 2:\n            break\n"
        "    return out\n",
        # the loop changes what the generator reads
        PARTS + "def f(a: np.ndarray):\n    out = []\n    for m in parts(a):\n"
        "        a[-1] = np.linalg.inv(m)\n        out.append(a[-1] @ m)\n    return out\n",
        # it prints
        "def parts(a: np.ndarray):\n    for x in a:\n        print(x)\n        yield x + 1\n\n\n"
        "def f(a: np.ndarray):\n    return [np.linalg.inv(m) for m in parts(a)]\n",
        # it draws
        "def parts(a: np.ndarray):\n    for x in a:\n        yield x + np.random.rand()\n\n\n"
        "def f(a: np.ndarray):\n    return [np.linalg.inv(m) for m in parts(a)]\n",
        # the loop ends early
        PARTS + "def f(a: np.ndarray):\n    for m in parts(a):\n        w = np.linalg.inv(m)\n"
        "        if w[0, 0] > 1:\n            return w\n    return None\n",
    ],
    ids=["changed", "endless", "read", "prints", "draws", "ends"],
)
def test_one_stays_a_generator_where_something_could_tell(text) -> None:
    assert "_list = " not in port(text)

"""Blank lines around kernels are those that a formatter would make."""

from __future__ import annotations

import re

from tests.passes.conftest import port


def test_kernels_amid_a_script_stand_apart() -> None:
    text = (
        "import numpy as np\n\nx = np.linspace(0, 1, 400)\nX, Y = np.meshgrid(x, x)\n"
        "r = np.log(np.sqrt(X**2 + Y**2 + 1.0) + 2.0) / 2 / np.pi\n"
        "s = np.exp(-np.sqrt(X**2 + Y**2)) * r + 1.0\nprint(r.sum(), s.sum())\n"
    )
    after = port(text).after or ""
    assert "@kernel(" in after
    assert re.findall(r"(\n*)@kernel\(", after) == ["\n\n\n"] * after.count("@kernel(")


def test_lines_of_blanks_move_as_empty_ones() -> None:
    text = (
        "import numpy as np\n\ndef work(x, y):\n    for k in range(3):\n"
        "        for i in range(len(x)):\n            a = x[i] * 2.0\n            \n"
        "            y[i] += a * a\n    return y\n\n"
        "print(work(np.ones(90000), np.zeros(90000)).sum())\n"
    )
    after = port(text).after or ""
    assert "@kernel(" in after
    assert not re.search(r"[ \t]\n", after)

"""One copy before a loop, for as long as nobody else can write to the array."""

from __future__ import annotations

import pytest
from tests.passes.conftest import port

BODY = """\
import numpy as np
from elsewhere import solve


def invert(path, n):
    G = np.loadtxt(path)
    {before}m = np.zeros(G.shape[1])
    for k in range(n):
        r = 1.0 - G @ m
        m += np.tanh(G.T @ r) * 0.1{inside}
    {after}return m
"""


@pytest.mark.parametrize(
    ("before", "inside", "after", "once"),
    [
        ("", "", "other = solve(G, n)\n    ", True),
        ("other = solve(G, n)\n    ", "", "", False),
        ("", "\n        other = solve(G, n)", "", False),
        ("other = solve(G, n)\n    ", "", "other = solve(G, n)\n    ", False),
        ("later = lambda: G.sum()\n    ", "", "other = solve(G, n)\n    ", False),
    ],
)
def test_a_copy_serves_a_loop_before_others_are_given_the_array(
    before: str, inside: str, after: str, once: bool
):
    text = BODY.format(before=before, inside=inside, after=after)
    made = port(text).after or ""
    assert ("G_on_device = cp.asarray(G)" in made) is once
    assert ("G_on_device.T @ r" in made) is once


CONSTANTS = """\
import numpy as np

WEIGHTS = np.array([0.25, 0.5, 0.25, 0.1])
{more}

def smooth(x: np.ndarray, n: int):
    for _ in range(n):
        x = np.sqrt(np.abs(np.sin(x) * WEIGHTS)) + np.exp(-x)
    return x / WEIGHTS
"""


def of_constants(more: str = "", before: str = "WEIGHTS") -> str:
    return port(CONSTANTS.format(more=more).replace("WEIGHTS", before)).after or ""


@pytest.mark.parametrize(
    "more",
    [
        "",
        "\nTOTAL = float(WEIGHTS.sum()) + len(WEIGHTS)\n",
        "\n\ndef ends():\n    return WEIGHTS[0] * 2, np.add(1, WEIGHTS[:2]), WEIGHTS.T > 0\n",
    ],
)
def test_a_constant_of_the_module_crosses_once_in_a_call(more: str):
    after = of_constants(more)
    assert "    weights = cp.asarray(WEIGHTS)\n    for _ in range(n):\n" in after
    assert "    return x / weights\n" in after


@pytest.mark.parametrize(
    "more",
    [
        "\n\ndef learn(k):\n    WEIGHTS[k] *= 1.5\n",
        "\n\ndef learn(k):\n    part = WEIGHTS[1:]\n    part[k] = 2.0\n",
        "\n\ndef learn(x):\n    np.exp(x, WEIGHTS)\n",
        "\n\ndef learn(x):\n    np.exp(x, out=WEIGHTS)\n",
        "\n\ndef learn(x):\n    np.copyto(WEIGHTS, x)\n",
        "\n\ndef learn():\n    WEIGHTS.sort()\n",
        "\n\ndef learn():\n    return WEIGHTS.reshape(2, 2)\n",
        "\n\ndef learn():\n    globals()['WEIGHTS'] = 2.0\n",
        "\nSTATE = {'w': WEIGHTS}\n",
    ],
)
def test_a_constant_that_may_change_crosses_where_it_is_read(more: str):
    after = of_constants(more)
    assert "cp.asarray(WEIGHTS)" in after
    assert "= cp.asarray(WEIGHTS)" not in after


def test_the_copy_of_a_constant_has_a_name_of_its_own():
    assert "weights_on_device = cp.asarray(weights)\n" in of_constants(before="weights")
    assert "SUM_on_device = cp.asarray(SUM)\n" in of_constants(before="SUM")
    taken = of_constants("\n\ndef total(weights):\n    return weights + 1\n")
    assert "WEIGHTS_on_device = cp.asarray(WEIGHTS)\n" in taken


PARTS = """\
import numpy as np

STENCIL = np.array([[0.0, 1.0, 0.5], [1.0, -4.0, 1.0]])


def relax(x: np.ndarray, n: int, which: np.ndarray):
    for _ in range(n):
        for k in range(2):
            x = np.tanh(x * PART) + np.exp(-x)
    return x
"""


@pytest.mark.parametrize(
    ("part", "once"),
    [
        ("STENCIL[0]", True),
        ("STENCIL[-1, None, :2]", True),
        ("STENCIL[k]", True),
        ("STENCIL[:, k]", True),
        ("STENCIL[which]", True),
        ("STENCIL[int(x.sum()) % 2]", False),
    ],
)
def test_parts_of_a_constant_are_read_of_one_copy_of_it(part: str, once: bool):
    made = port(PARTS.replace("PART", part)).after or ""
    assert ("    stencil = cp.asarray(STENCIL)\n    for _ in" in made) is once
    assert (part.replace("STENCIL", "stencil") in made) is once


def test_parts_of_a_constant_that_changes_are_read_each_time():
    changing = PARTS.replace("PART", "STENCIL[0]") + "\n\nSTENCIL[0, 0] = 2.0\n"
    assert "cp.asarray(STENCIL)" not in (port(changing).after or "")


HELD = """\
import numpy as np


class Grid:
    def __init__(self, n):
        self.t = np.linspace(0.0, 1.0, n)
        self.other = 0.0

    def moved(self):
        {moved}


def first(grid, level):
    rows, last = [], None
    for k in range(1, len(grid.t)):
        if last is None or grid.t[k] - last[0] > level:
            last = [grid.t[k], k]
            rows.append(last)
    return len(rows)


def gates(grid, a):
    out = []
    for k in range(40):
        out.append(np.abs(np.fft.fft(a * np.exp(-((grid.t - 0.1 * k) ** 2)))).sum())
        grid.moved()
    return np.array(out)


def main():
    grid = Grid(4000)
    a = np.exp(np.linspace(0.0, 1.0, 4000))
    print(gates(grid, a).sum(), first(grid, 0.3))


main()
"""


@pytest.mark.parametrize(
    ("moved", "copied"),
    [
        ("self.other += 1.0", True),
        ("self.t = self.t + 1.0", False),
        ("self.t += 1.0", False),
        ("self.t[0] = 1.0", False),
        ("setattr(self, 'other', 1.0)", False),
    ],
)
def test_an_attribute_that_its_object_is_made_with_is_copied_once(moved: str, copied: bool):
    after = port(HELD.replace("{moved}", moved)).after or ""
    before, _, body = after.partition("for k in range(40):")
    assert ("= cp.asarray(grid.t)" in before.partition("def gates")[2]) is copied
    assert "cp.asarray(grid.t)" not in body or not copied


ITEMS = """\
import sys

import numpy as np


class Pulse:
    def __init__(self, n):
        self.a = np.exp(np.linspace(0.0, 1.0, n))

    def gates(self, run):
        out = []
        for k in range(40):
            out.append(np.abs(np.fft.fft(self.a * np.exp(-((run["t"] - 0.1 * k) ** 2)))).sum())
            {moved}
        return np.array(out)


def make(n):
    rng = np.random.default_rng(3)
    return {"t": rng.random(n), "level": rng.random(n), "count": 1}


def first(run, level):
    rows, last = [], None
    for k in range(1, len(run["t"])):
        if last is None or run["t"][k] - last[0] > level:
            last = [run["t"][k], k]
            rows.append(last)
    return len(rows)


def main():
    run = make(4000)
    pulse = Pulse(4000)
    print(pulse.gates(run).sum(), first(run, 0.3), run["level"].tolist())


if __name__ == "__main__":
    main()
"""


@pytest.mark.parametrize(
    ("moved", "copied"),
    [
        ("run['count'] += 1", True),
        ("run['t'] = run['t'] + 1.0", False),
        ("run['t'] += 1.0", False),
        ("run['t'][0] = 1.0", False),
        ("run.update(count=2)", False),
        ("run.pop(sys.argv[0], None)", False),
        ("run = dict(run)", False),
    ],
)
def test_an_item_of_a_dict_that_it_is_made_with_is_copied_once(moved: str, copied: bool):
    after = port(ITEMS.replace("{moved}", moved)).after or ""
    before, _, body = after.partition("for k in range(40):")
    assert ('t_on_device = cp.asarray(run["t"])' in before.partition("def gates")[2]) is copied
    assert 'cp.asarray(run["t"])' not in body or not copied

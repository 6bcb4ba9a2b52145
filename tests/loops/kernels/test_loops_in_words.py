"""Loops that leave numbers, lists and running sums, as functions with their kernel above them.

Each is run as it was and as it is ported: on the device, where it has to launch, and its own
statements on the host.
"""

from __future__ import annotations

import sys
import types
from typing import Any

import numpy as np
import pytest
from tests.passes.conftest import port

pytest.importorskip("islpy")

HEAD = "import numpy as np\n\n\ndef program(x, y, n, t):\n    "

NUMBERS = {
    "two sums": (
        "a, b = 0.0, 1\nfor i in range(n):\n    a += x[i]\n    b += x[i] * y[i]\nreturn a, b"
    ),
    "a sum beside a store": (
        "a = 0.0\nfor i in range(n):\n    y[i] = 2 * x[i]\n    a += x[i]\nreturn a, y"
    ),
    "the first greatest": (
        "best, k = x[0], 0\nfor i in range(1, n):\n    if x[i] > best:\n"
        "        best, k = x[i], i\nreturn best, k"
    ),
    "the last least": (
        "best, k = np.inf, None\nfor i in range(n):\n    if x[i] <= best:\n"
        "        best, k = x[i], i\nreturn best, k"
    ),
    "a place alone": ("k = 0\nfor i in range(1, n):\n    if x[i] > x[k]:\n        k = i\nreturn k"),
    "from none on": (
        "best, k = None, -1\nfor i in range(n):\n    if best is None or x[i] < best:\n"
        "        best, k = x[i], i\nreturn best, k"
    ),
    "extremes by name": (
        "low, high = t, -0.0\nfor v in x:\n    low = min(low, v)\n    high = max(high, v)\n"
        "return low, high"
    ),
    "under a condition": (
        "best, k = -np.inf, -1\nfor i in range(n):\n    if y[i] > 0 and x[i] > best:\n"
        "        best, k = x[i], i\nreturn best, k"
    ),
    "whether any": "seen = False\nfor v in x:\n    if v > t:\n        seen = True\nreturn seen",
    "the last ones": (
        "at, w = -1, None\nfor i in range(n):\n    w = 2 * x[i]\n    if x[i] > t:\n        at = i\n"
        "return at, w"
    ),
    "the counter": "i = 0\nwhile i < n:\n    y[i] = x[i]\n    i += 2\nreturn i, y",
    "a list": "out = []\nfor v in x:\n    out.append(v * t)\nreturn np.array(out)",
    "two lists and a sum": (
        "s = 0.0\na = []\nb = []\nfor i in range(n):\n    a.append(x[i])\n"
        "    b.append(x[i] > y[i])\n    s += x[i]\nreturn np.array(a), np.array(b), s"
    ),
    "a list of some": (
        "out = []\nfor i in range(1, n):\n    low, high = x[i - 1] - t, x[i] - t\n"
        "    if low * high < 0.0:\n        out.append(i - high / (high - low))\n"
        "return np.array(out)"
    ),
    "places of some, and how many": (
        "k = 0\nout = []\nfor i in range(n):\n    if x[i] <= t:\n        continue\n"
        "    k += 1\n    out.append(i)\nreturn k, np.array(out)"
    ),
    "one or the other, or none": (
        "out = []\nfor v in x:\n    if v > t:\n        out.append(v)\n"
        "    elif v < -t:\n        out.append(2 * v)\nreturn np.asarray(out)"
    ),
    "running sums": "s = 0.0\nfor i in range(n):\n    s += x[i]\n    y[i] = s\nreturn s, y",
    "running products": (
        "s = 2.0\nfor i, v in enumerate(x):\n    s *= 1.0 + v\n    y[i] = s\nreturn s, y"
    ),
    "made of running sums": (
        "s = 0.0\nfor i in range(n):\n    s += x[i]\n    y[i] = x[i] - s\nreturn y"
    ),
    "made of running extremes": (
        "high, worst = t, 0.0\nfor i in range(n):\n    if x[i] > high:\n        high = x[i]\n"
        "    worst = min(worst, x[i] - high)\nreturn high, worst"
    ),
    "an extreme of running extremes, and where": (
        "high, worst, k = t, 0.0, 0\nfor i in range(n):\n    if x[i] > high:\n"
        "        high = x[i]\n    if high - x[i] > worst:\n        worst = high - x[i]\n"
        "        k = i\nreturn high, worst, k"
    ),
    "a list of running extremes": (
        "low = t\nout = []\nfor v in x:\n    low = min(low, 2 * v)\n    out.append(low)\n"
        "return np.array(out)"
    ),
    "running sums of some": (
        "s = 0.0\nfor i in range(n):\n    if y[i] > 0:\n        s += x[i]\n    y[i] = y[i] * s\n"
        "return y"
    ),
    "in place": "y[0] = t\nfor i in range(1, n):\n    y[i] = y[i - 1] + x[i]\nreturn y",
    "the first hit": "for i in range(n):\n    if x[i] > t:\n        return i, x[i]\nreturn None",
    "the last hit": (
        "k = None\nfor i in range(n - 1, -1, -1):\n    if x[i] > t:\n        k = i\n        break\n"
        "return k"
    ),
    "whether all": "for v in x:\n    if v > t:\n        return False\nreturn True",
    "a hit or what follows": (
        "for i in range(n):\n    if x[i] < y[i]:\n        return x[i]\nelse:\n    return None"
    ),
}


def run(text: str, values: dict[str, Any]) -> Any:
    space: dict[str, Any] = {"__name__": "made"}
    exec(compile(text, "<made>", "exec"), space)
    return space["program"](**values), values


def annotated(text: str) -> str:
    """The program with the types of its parameters."""
    given = "x: NDArray[np.float64], y: NDArray[np.float64], n: int, t: float"
    return "from numpy.typing import NDArray\n" + text.replace("x, y, n, t", given, 1)


def shown(value: Any) -> Any:
    """A result with its types: NaN is equal to itself, and zeros have signs."""
    if isinstance(value, dict):
        return {name: shown(one) for name, one in value.items()}
    if isinstance(value, tuple):
        return tuple(map(shown, value))
    kind = value.dtype.name if isinstance(value, np.ndarray | np.generic) else type(value)
    listed = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
    return kind, repr(listed)


@pytest.mark.parametrize("name", NUMBERS)
def test_the_port_does_what_the_loop_does(
    name: str, emulated: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GPUPORT_FALLBACK", "error")
    before = HEAD + NUMBERS[name].replace("\n", "\n    ") + "\n"
    after = port(annotated(before)).after or ""
    assert "@kernel(" in after
    assert "launchable" not in after
    on_host = after.replace("@device(", "@(lambda *_, **__: lambda f: f)(")
    numpy = types.ModuleType("cupy")
    vars(numpy).update(vars(np), asnumpy=np.asarray, ndarray=type("ndarray", (), {}))
    some = np.array([0.5, -0.0, 2.0, 0.0, 2.0, -1.5, -1.5])
    holes = np.array([np.nan, 0.5, np.nan, 0.5])
    for x in (some, -some, holes, some[:1], some[:1] * 0, some[1::2]):
        values = {"x": x, "y": np.flip(x) + 0.5, "n": len(x), "t": 1.0}
        expected = shown(
            run(before, {k: np.copy(v) if k in "xy" else v for k, v in values.items()})
        )
        mine = {k: np.copy(v) if k in "xy" else v for k, v in values.items()}
        assert shown(run(after, mine)) == expected, after
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, "cupy", numpy)
            mine = {k: np.copy(v) if k in "xy" else v for k, v in values.items()}
            assert shown(run(on_host, mine)) == expected, after


@pytest.mark.parametrize(
    "body",
    [
        # where nothing is found, `k` has no value: the call would need one
        "best = 0\nfor i in range(n):\n    if x[i] > best:\n        best, k = x[i], i\nreturn k",
        # what has a name may be None, and would not end the function
        "for i in range(n):\n    if x[i] > t:\n        return y\nreturn 1",
        "for i in range(n):\n    if x[i] > t:\n        return t\nreturn 1",
        "for i in range(n):\n    if x[i] > t:\n        return None\nreturn 1",
    ],
)
def test_others_are_no_functions(body: str) -> None:
    after = port(HEAD + body.replace("\n", "\n    ") + "\n").after or ""
    assert "@kernel(" not in after


def test_a_number_of_unknown_type_is_asked_for_where_it_begins_a_sum() -> None:
    body = "for i in range(n):\n    t += x[i]\n    y[i] = t\nreturn t"
    assert "float t" in (port(HEAD + body.replace("\n", "\n    ") + "\n").after or "")


def test_a_list_shows_that_its_extremes_began_as_a_whole_number() -> None:
    """The list would be of whole numbers where no iteration has one that is less."""
    body = (
        "s = 0\nout = []\nfor v in x:\n    s = min(s, v)\n    out.append(s)\nreturn np.array(out)"
    )
    found = port(annotated(HEAD + body.replace("\n", "\n    ") + "\n"))
    assert "ernel(" not in (found.after or "")
    assert any("`s` begins as 0, which is no float64" in one.message for one in found.findings)

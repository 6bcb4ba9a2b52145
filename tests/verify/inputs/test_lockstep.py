"""Sizes that only go together are found from one input, and none is verified at one size alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from gpuport.verify.inputs.lockstep import lockstep
from gpuport.verify.records import Verdict
from gpuport.verify.slots import Slot, Trial

Rule = Callable[[Mapping[str, int]], bool]


def found(sizes: dict[str, int], rule: Rule) -> tuple[list[list[tuple[int, ...]]], dict[str, int]]:
    """The sizes on each ladder, in the order of the names, and what is fixed."""
    slots = tuple(Slot(name, "array", None, (f"{name}.0",)) for name in sizes)
    start = {f"{name}.0": size for name, size in sizes.items()}

    def accepts(trial: Trial) -> bool:
        return rule({name.partition(".")[0]: size for name, size in trial.sizes.items()})

    result = lockstep(start, Trial(slots, sizes=start), accepts)
    ladders = [[tuple(r[n] for n in sorted(r)) for r in rungs] for rungs in result.ladders]
    return ladders, dict(result.fixed)


RULES: dict[str, tuple[dict[str, int], Rule]] = {
    "a least size": ({"a": 9}, lambda n: n["a"] >= 9),
    "a large least size": ({"a": 100}, lambda n: n["a"] >= 100),
    "a multiple": ({"a": 12}, lambda n: n["a"] % 12 == 0),
    "a power of two": ({"a": 16}, lambda n: n["a"] >= 16 and not n["a"] & (n["a"] - 1)),
    "one less": ({"a": 10, "b": 9}, lambda n: n["a"] == n["b"] + 1 and n["a"] >= 9),
    "twice": ({"a": 4, "b": 2}, lambda n: n["a"] == 2 * n["b"]),
    "twice and one": ({"a": 9, "b": 4}, lambda n: n["a"] == 2 * n["b"] + 1),
    "half and one": ({"a": 6, "b": 10}, lambda n: n["a"] == n["b"] // 2 + 1),
    "the square": ({"a": 9, "b": 3}, lambda n: n["a"] == n["b"] ** 2),
    "pairs": ({"a": 10, "b": 5}, lambda n: n["a"] == n["b"] * (n["b"] - 1) // 2),
    "the product": ({"a": 12, "b": 4, "c": 3}, lambda n: n["a"] == n["b"] * n["c"]),
    "the sum": ({"a": 7, "b": 4, "c": 3}, lambda n: n["a"] == n["b"] + n["c"]),
    "three alike": ({"a": 4, "b": 4, "c": 4}, lambda n: n["a"] == n["b"] == n["c"]),
}


@pytest.mark.parametrize("name", RULES)
def test_relations_are_followed_to_larger_sizes(name: str) -> None:
    sizes, rule = RULES[name]
    ladders, fixed = found(sizes, rule)
    assert not fixed
    assert len(ladders) == 1
    assert len({rung[0] for rung in ladders[0]}) >= 4
    assert max(min(rung) for rung in ladders[0] if max(rung) > 33) > 3
    assert all(rule(dict(zip(sorted(sizes), rung, strict=True))) for rung in ladders[0])
    assert max(max(rung) for rung in ladders[0]) >= 33


def test_what_the_text_fixes_stays_and_the_others_move() -> None:
    def rule(n: Mapping[str, int]) -> bool:
        return n["q"] == 4 and n["x"] == n["y"] == n["z"]

    ladders, fixed = found({"q": 4, "x": 4, "y": 4, "z": 4}, rule)
    assert fixed == {"q.0": 4}
    assert [set(map(len, ladder)) for ladder in ladders] == [{3}]


def test_what_is_broadcast_does_not_move_alone() -> None:
    ladders, fixed = found({"a": 5, "b": 5}, lambda n: n["a"] == n["b"] or 1 in n.values())
    assert not fixed
    assert len(ladders) == 1
    assert any(min(rung) >= 33 for rung in ladders[0])


PROGRAMS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "a number of the text": (
        "def f(e, h, n):\n    if e.size != h.size + 1 or e.size < 9:\n"
        "        raise ValueError('too few')\n    return (e[1:] + h * n) * {}\n",
        "h.size",
        {"e": np.ones(20), "h": np.zeros(19), "n": 3},
    ),
    "two conditions at once": (
        "def f(x, y):\n    if not (len(x) >= 16 and len(y) == len(x) - 3):\n"
        "        raise ValueError('too few')\n    return (x[3:] + y) * {}\n",
        "len(x)",
        {"x": np.arange(20.0), "y": np.arange(17.0)},
    ),
    "a multiple": (
        "def f(x):\n    if x.shape[0] % 12 or x.size == 0:\n        raise ValueError('rest')\n"
        "    return x.reshape(-1, 12).sum(axis=1) * {}\n",
        "x.size",
        {"x": np.arange(24.0)},
    ),
    "blocks": (
        "def f(x):\n    return x.reshape(-1, 7).mean(axis=0) * {}\n",
        "x.size",
        {"x": np.arange(21.0)},
    ),
    "a power of two": (
        "def f(x):\n    n = len(x)\n    if n & (n - 1) or n < 16:\n        raise ValueError('n')\n"
        "    return (x[::2] + x[1::2]) * {}\n",
        "n",
        {"x": np.arange(32.0)},
    ),
    "twice as many": (
        "def f(x, h):\n    if x.size != 2 * h.size:\n        raise ValueError('size')\n"
        "    return (x[::2] * h + x[1::2]) * {}\n",
        "h.size",
        {"x": np.arange(20.0), "h": np.arange(10.0)},
    ),
    "a least size of both axes": (
        "def f(img):\n    if min(img.shape) < 8:\n        raise ValueError('small')\n"
        "    return (img[1:, 1:] + img[:-1, :-1]) * {}\n",
        "img.shape[0]",
        {"img": np.ones((10, 12))},
    ),
    "beside a quaternion": (
        "def f(x, y, z, q):\n    if q.size != 4:\n        raise ValueError('four')\n"
        "    return ((x + y) * q[0] + z * q[3]) * {}\n",
        "x.size",
        {"x": np.ones(9), "y": np.ones(9), "z": np.ones(9), "q": np.ones(4)},
    ),
}


@pytest.mark.parametrize("with_recording", [False, True])
@pytest.mark.parametrize("name", PROGRAMS)
def test_a_fault_of_larger_sizes_is_found(
    verify: Any, recorded: Any, name: str, with_recording: bool
) -> None:
    text, size, arguments = PROGRAMS[name]
    if with_recording:
        recorded("f", **arguments)
    given = ", ".join(repr(one) for one, value in arguments.items() if not isinstance(value, int))
    port = f"@device({given})\n{text}"
    same = verify(text.format("1"), port.format("1"))["f"]
    assert same.verdict is Verdict.EQUIVALENT, same
    wrong = verify(text.format("1"), port.format(f"(1 + ({size} >= 33))"))["f"]
    assert wrong.verdict is Verdict.DIFFERS, wrong


def test_a_size_that_the_text_fixes_is_evidence(verify: Any) -> None:
    text = "def f(t):\n    if t.shape != (4, 4):\n        raise ValueError('t')\n    return t @ t\n"
    verdict = verify(text, "@device('t')\n" + text)["f"]
    assert verdict.verdict is Verdict.EQUIVALENT
    notes = [note for note, _ in verdict.evidence.notes]
    assert any("one size in all examples" in note and "t (4, 4)" in note for note in notes)


def test_one_size_that_the_text_does_not_ask_for_is_too_little(verify: Any) -> None:
    text = "ROW = [1.5, 2.5, 3.5, 4.5]\ndef f(x):\n    return {}.asarray(ROW) * x.reshape(len(ROW))"
    verdict = verify(text.format("np"), text.format("cp").replace("def f", "@device('x')\ndef f"))
    assert verdict["f"].verdict is Verdict.UNTESTED


def test_many_points_where_one_is_accepted(verify: Any) -> None:
    text = "def f(t, p):\n    return (p @ t[:3, :3].T + t[:3, 3]) * {}\n"
    port = "@device('t', 'p')\n" + text
    wrong = verify(text.format("1"), port.format("(1 + (p.ndim == 2))"))["f"]
    assert wrong.verdict is Verdict.DIFFERS


def test_what_is_accepted_once_alone_is_no_move() -> None:
    """The original may take by chance what it does not take again."""
    seen: set[int] = set()

    def once(n: Mapping[str, int]) -> bool:
        new = n["a"] == 5 and not seen
        seen.add(n["a"])
        return new

    assert found({"a": 4}, once) == ([], {"a.0": 4})

"""Numbers that every iteration contributes to: how a plan names them."""

from __future__ import annotations

import ast

import pytest

GATHERED = {
    "sum": ("s += x[i]", {"s": "+"}),
    "sum written out": ("s = s + x[i] - 1", {"s": "+"}),
    "difference": ("s -= x[i]", {"s": "+"}),
    "product": ("s = x[i] * s", {"s": "*"}),
    "under a condition": ("if x[i] > 0:\n            s += 1", {"s": "+"}),
    "greatest": ("s = max(s, x[i])", {"s": "max"}),
    "least by comparison": ("if s > x[i]:\n            s = x[i]", {"s": "min"}),
    "place of the greatest": (
        "if x[i] >= s:\n            s = x[i]\n            w = i",
        {"s": "max", "w": "argmax"},
    ),
    "flag": ("if x[i] > 3:\n            w = 1", {"w": "any"}),
    "flag with an exit": ("if x[i] > 3:\n            w = 1\n            break", {"w": "any"}),
    "two at once": ("s += x[i]\n        w = min(w, x[i])", {"s": "+", "w": "min"}),
    "in a serial loop": ("for k in range(i):\n            s += x[k]", {"s": "+"}),
}
LOOP = "def f(x, n):\n    s = 0\n    w = 0\n    for i in range(n):\n        {}\n    return s, w\n"


@pytest.mark.parametrize(("body", "operators"), GATHERED.values(), ids=GATHERED)
def test_accumulations(plan_of, body: str, operators: dict[str, str]) -> None:
    """The statement of each record is one of the plan's body."""
    plan = plan_of(LOOP.format(body))
    assert {a.variable: a.operator for a in plan.accumulations} == operators
    inside = {id(node) for statement in plan.body for node in ast.walk(statement)}
    assert all(id(a.statement) in inside for a in plan.accumulations)


CARRIED = {
    "a NaN would be kept or dropped by the order": "s = max(x[i], s)",
    "read beside": "s += x[i]\n        x[i] = s * s - w\n        w = s",
    "of itself": "s += s * x[i]",
    "two operators": "s += x[i]\n        s *= 2",
    "exit before": "if x[i] > 3:\n            break\n        s += 1",
    "read before it is set now and then": "y = w + x[i]\n        if y > 0:\n            w = y",
    "set now and then, and counted": "if x[i] > 0:\n            w = x[i]\n        w += 1",
}
LATEST = {
    "set now and then": ("if x[i] > 0:\n            w = x[i]", "w"),
    "in one of two cases": (
        "if x[i] > 0:\n            w = 1\n        elif x[i] < 0:\n            w = 2",
        "w",
    ),
    "place beside a sum": ("s += 1\n        if x[i] > s:\n            w = i", "w"),
    "some left out": ("if x[i] > 0:\n            continue\n        s = x[i]", "s"),
    "together": ("if x[i] > 0:\n            s, w = x[i], i", "w"),
}
KEPT = {
    "different constants": "if x[i] > 0:\n            w = 1\n        else:\n            w = 2",
    "last element": "s = x[i]",
    "made in steps": "s = x[i]\n        if s > 3:\n            s = s - 3",
}


@pytest.mark.parametrize("body", KEPT.values(), ids=KEPT)
def test_what_the_last_iteration_leaves(plan_of, body: str) -> None:
    """A name that every iteration sets holds after the loop what the last one gave it."""
    (found,) = plan_of(LOOP.format(body)).accumulations
    assert found.operator == "last"


@pytest.mark.parametrize("body", CARRIED.values(), ids=CARRIED)
def test_no_accumulation(refusal_of, body: str) -> None:
    """Numbers whose value depends on the order in any other way."""
    assert refusal_of(LOOP.format(body)).code == ("GP204" if "break" in body else "GP202")


def test_sums_prefer_cells_to_threads(plan_of) -> None:
    """Partial sums of pairs would need more room than the data: a thread sums a row."""
    pairs = "def f(x, n):\n    s = 0\n    for i in range(n):\n        for j in range(n):\n"
    pairs += "            s += x[i] * x[j]\n    return s\n"
    assert len(plan_of(pairs).grid) == 1
    assert len(plan_of(pairs.replace("x[i] * x[j]", "x[i, j]")).grid) == 2


SCANS = {
    "sum through the array": ("y[i] = y[i - 1] + x[i]", ("+", "x[i]", "y[0]", "y")),
    "sum in a name": ("s += x[i]\n        y[i] = s", ("+", "x[i]", "s", None)),
    "conditional": (
        "if x[i] > 0:\n            s += x[i]\n        y[i] = s",
        ("+", "x[i] if x[i] > 0 else 0", "s", None),
    ),
    "difference": ("y[i] = y[i - 1] - x[i]", ("+", "-x[i]", "y[0]", "y")),
    "product": ("y[i] = 2 * x[i] * y[i - 1]", ("*", "2 * x[i]", "y[0]", "y")),
    "greatest": ("s = max(s, x[i])\n        y[i] = s", ("max", "x[i]", "s", None)),
    "with a temporary": ("t = x[i] + 1\n        s += t\n        y[i] = s", ("+", "t", "s", None)),
}
SCAN = "def f(x, y, n):\n    s = 0\n    for i in range(1, n):\n        {}\n    return y\n"


@pytest.mark.parametrize(("body", "expected"), SCANS.values(), ids=SCANS)
def test_scans(plan_of, body: str, expected: tuple[str, str, str, str | None]) -> None:
    """Operator, term, initial value, and the array that carries it."""
    plan = plan_of(SCAN.format(body))
    assert plan.scan is not None
    found = plan.scan
    assert (found.operator, ast.unparse(found.term), found.initial, found.array) == expected
    assert found.statement in plan.body
    assert any(eval(guard, {"n": 1, **sized(9)}) is False for guard in plan.guards)


def sized(length: int) -> dict[str, object]:
    """Arrays that every guard but that of an empty loop likes."""

    class Array:
        shape = (length,)
        ndim = 1

    return {"x": Array(), "y": Array()}


NO_SCANS = {
    "coefficient": "y[i] = 0.5 * y[i - 1] + x[i]",
    "two apart": "y[i] = y[i - 2] + x[i]",
    "read elsewhere": "y[i] = y[i - 1] + x[i]\n        x[i] = y[i - 2]",
    "other elements": "y[i] = y[i - 1] + y[i + 1]",
    "two sums": "s += x[i]\n        t = t + s\n        y[i] = t",
}


@pytest.mark.parametrize("body", NO_SCANS.values(), ids=NO_SCANS)
def test_no_scan(refusal_of, body: str) -> None:
    """Recurrences that are none."""
    assert refusal_of(SCAN.format(body)).code == "GP202"


def test_what_is_added_to_must_be_a_number(plan_of) -> None:
    """``s += f`` on an array is a sum over its elements, each time: a guard asks."""
    text = "def f(x, s, n):\n    for i in range(n):\n        s += x[i]\n    return s\n"

    class Array:
        shape = (4,)
        ndim = 1

    class Number:
        shape = ()

    def holds(value: object) -> bool:
        names = {"x": Array(), "n": 4, "s": value}
        return all(eval(guard, dict(names)) for guard in plan_of(text).guards)

    assert holds(0.0)
    assert holds(Number())
    assert not holds(Array())
    assert not holds([])


@pytest.mark.parametrize(("body", "name"), LATEST.values(), ids=LATEST)
def test_what_the_last_iteration_leaves_that_sets_it(plan_of, body: str, name: str) -> None:
    """A name that some iterations set holds after the loop what the last of these gave it."""
    found = plan_of(LOOP.format(body)).accumulations
    assert {a.operator for a in found if a.variable == name} == {"latest"}

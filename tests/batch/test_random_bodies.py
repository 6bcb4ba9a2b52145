"""Random loops over matrices: what becomes of one gives what it gave, stacked or not.

``GPUPORT_PROPERTY_PROGRAMS`` and ``GPUPORT_PROPERTY_SEED`` choose how many are tried, from which.
"""

from __future__ import annotations

import os
import random
from typing import Any

import numpy as np
import pytest

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.runtime import reset_stats, stats
from gpuport.source.reading import parse

PROGRAMS = int(os.environ.get("GPUPORT_PROPERTY_PROGRAMS", "120"))
FIRST = int(os.environ.get("GPUPORT_PROPERTY_SEED", "0"))
EACH = 20
KINDS = ("np.ndarray", "list[np.ndarray]")
GIVEN = (
    (5, "d", 1e-7),
    (1, "d", 1e-7),
    (0, "d", 0),
    (4, "f", 1e-3),
    (4, "D", 1e-6),
    (4, "l", 1e-6),
)
"""How many items, of what, and how far apart results may be."""

MATRICES = """
{M}.T | {M} @ {M} | {M} + {M} | {M} - {M} | {M} * {M} | {M} / (np.abs({M}) + 1) |
np.dot({M}, {M}) | {M}.dot({M}) | np.matmul({M}, {M}) | np.outer({V}, {V}) | np.diag({V}) |
{S} * {M} | {M} * {S} | -{M} | np.exp(-np.abs({M})) | {M} ** 2 |
{M} / (np.outer({V}, {V}) ** 2 + 1) | {M} / np.outer(np.abs({V}) + 1, np.abs({V}) + 1) |
np.einsum("ij,jk->ik", {M}, {M}) | {M}[::-1] | {M}[:, ::-1] | np.where({M} > {M}, {M}, {M}) |
np.maximum({M}, {M}) | {V}[:, None] * {M} | {M} * {V} | {M} - {M}.mean(axis=0) |
{M} - {M}.mean(axis=1, keepdims=True) | np.cumsum({M}, axis=1) | np.sort({M}, axis=0) |
np.tensordot({M}, {M}, axes=1) | np.column_stack([{V}, {V}, {V}]) | np.array([{V}, {V}, {V}]) |
np.linalg.inv({M} @ {M}.T + 9 * np.eye(3)) | np.linalg.cholesky({M} @ {M}.T + 9 * np.eye(3)) |
np.linalg.solve(np.eye(3) * 99 + {M}, {M}) | np.linalg.matrix_power({M}, 2) | {M}.copy() |
{M} / {M} | {M} % {M} | {M} ** 2 / {M} | {M} / {V} | {S} / {M} | -{M} ** 2 | {M} / {M} * {M} |
{M} / np.dot({M}, {M}) | {M} / np.outer({V}, {V}) | {M} * np.dot({M}, {M}) |
np.dot({M}, {M}) ** 2 | {M} % np.matmul({M}, {M}) | -np.outer({V}, {V}) ** 2 |
{M} @ np.outer({V}, {V}) @ {M} | {S} * np.outer({V} - {V}, {V}) |
np.outer({V}, {V} - {V}) * {S} | ({S} - {S}) * np.outer({V}, {V}) | {M} - np.dot({V}, {V}) |
{M} / (1 + np.dot({V}, {V}) ** 2) | {M}[[2, 0, 1]]
"""

VECTORS = """
{M} @ {V} | {V} @ {M} | np.dot({M}, {V}) | {M}[0] | {M}[:, 1] | {V} + {V} | {V} * {S} |
np.diag({M}) | np.linalg.eigvalsh({M} + {M}.T) | np.linalg.solve({M} @ {M}.T + np.eye(3), {V}) |
{M}.sum(axis=0) | {M}.mean(1) | {V} / (np.linalg.norm({V}) + 1) | {M}.max(axis=1) |
np.linalg.svd({M}, compute_uv=False) | np.cross({V}, {V}) | np.sqrt(np.abs({V})) | {V}[::-1] |
-{V} | {V} ** 2 | np.concatenate([{V}[:1], {V}[1:]]) | {V} / (1 + np.dot({M}, {V}) ** 2) |
{V} / np.dot({M}, {V}) | {V} % np.dot({V}, {M}) | np.dot({M}, {V}) ** 2 | {V} / np.dot({V}, a) |
{V} / np.dot(a, {V}) | {V} / {V} | {V} % {V} | {S} - {V} / {V} | -{V} ** 2 | {S} / {V} * {V} |
{V} - {M} @ {V} | np.linalg.norm({M}, axis=1) | {V} * np.dot({V}, {M}) | np.cumsum({V}) |
np.argsort({V}) * 1.0 | np.linalg.lstsq({M} + 9 * np.eye(3), {V}, rcond=None)[0]
"""

NUMBERS = """
{V} @ {V} | np.dot({V}, {V}) | np.trace({M}) | np.linalg.det({M}) | {M}.sum() |
np.linalg.norm({M}) | np.linalg.norm({V}) | {V}[0] | {M}[1, 2] | {V}.max() |
np.linalg.slogdet({M} @ {M}.T + np.eye(3))[1] | ({S} + {S}) | {S} * {S} | {S} / (1 + {S} ** 2) |
np.abs({S}) | {V} @ {M} @ {V} | np.mean({M}) | {M}.std() | len({V}) | {M}.shape[0] |
np.exp(-np.abs({S})) | 1 / (1 + np.dot({V}, {V}) ** 2) | np.linalg.norm({M} - {M}) |
{S} / np.dot({V}, {V}) | {S} / np.dot({V}, u) | {S} ** 2 / np.dot(u, {V}) ** 2 | {S} / {S} |
-{S} ** 2 | {S} - {S} / {S} | {S} % {S} | np.sum({V} * {V})
"""
FORMS = {
    kind: [form.strip() for form in text.replace("\n", " ").split(" | ")]
    for kind, text in {"M": MATRICES, "V": VECTORS, "S": NUMBERS}.items()
}
HEADS = {
    "numbers": "for i in range(len(ms)):\n    m, x, s = ms[i], xs[i], ws[i]",
    "apart": "for i in range(len(ms)):\n    m = ms[i]\n    x = xs[i]\n    s = ws[i]",
    "zip": "for i, (m, x, s) in enumerate(zip(ms, xs, ws)):\n    pass",
    "enumerate": "for i, m in enumerate(ms):\n    x = xs[i]\n    s = ws[i]",
}
"""How a loop takes its items: matrices `m`, vectors `x`, numbers `s`."""


class Writer:
    """Writes one function: a loop over matrices that keeps something of each."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.names = {"M": ["m", "m", "a"], "V": ["x", "x", "u"], "S": ["s", "c"]}
        self.made = 0

    def expression(self, kind: str, depth: int) -> str:
        """Of a matrix, a vector or a number."""
        if depth <= 0 or self.random.random() < 0.15:
            return self.random.choice(self.names[kind])
        text = self.random.choice(FORMS[kind])
        for other in "MVS":
            while f"{{{other}}}" in text:
                inner = self.expression(other, depth - 1)
                atom = inner.isidentifier() or (inner.startswith("np.") and inner.endswith(")"))
                bare = atom and inner.count("(") == inner.count(")") and _is_one_call(inner)
                text = text.replace(
                    f"{{{other}}}", inner if bare or inner.isidentifier() else f"({inner})", 1
                )
        return text

    def statements(self) -> list[str]:
        """What an iteration does before it keeps something."""
        lines = []
        for _ in range(self.random.randrange(1, 4)):
            kind, way = self.random.choice("MMVS"), self.random.randrange(10)
            value = self.expression(kind, 2)
            own = [name for name in self.names[kind] if name.startswith("t")]
            if way == 0 and own and kind != "S":
                lines.append(f"{own[0]} = {own[0]} + {value}")
            elif way == 1 and own and kind != "S":
                lines += [f"if {self.expression('S', 1)} > 0.5:", f"    {own[0]} = {value}"]
            elif way == 2 and own and kind == "M":
                lines += [f"{own[0]} = {own[0]} * 1.0", f"{own[0]}[1] = {self.expression('V', 1)}"]
            elif way == 3 and own and kind != "S":
                lines += ["for _ in range(2):", f"    {own[0]} = {own[0]} * 0.5 + {value}"]
            else:
                self.made += 1
                name = f"t{self.made}"
                lines.append(f"{name} = {value}")
                self.names[kind] += [name] * 3
        return lines

    def function(self) -> str:
        """The text of a function ``each``."""
        head = self.random.choice(list(HEADS.values()))
        body = self.statements()
        kind = self.random.choice("MVS")
        last, keeping = f"({self.expression(kind, 2)}) * s", self.random.randrange(4)
        shape = {"M": "(len(ms), 3, 3)", "V": "(len(ms), 3)", "S": "len(ms)"}[kind]
        start = {0: "out = []", 1: f"out = np.zeros({shape})", 2: "out = {}",
                 3: f"out = np.zeros({shape.replace('len(ms), ', '')})"}[keeping]  # fmt: skip
        if kind == "S" and keeping == 3:
            start = "out = 0.0"
        keep = {0: f"out.append({last})", 1: f"out[i] = {last}", 2: f"out[i] = {last}",
                3: f"out += {last}"}[keeping]  # fmt: skip
        lines = [start, *head.split("\n"), *(f"    {line}" for line in [*body, keep]), "return out"]
        given = "ms: {kind}, xs: {kind}, ws: np.ndarray, a: np.ndarray, u: np.ndarray, c: float"
        return f"def each({given}):\n" + "\n".join(f"    {line}" for line in lines) + "\n"


def _is_one_call(text: str) -> bool:
    """Whether the parenthesis that a text opens first is the one that it ends with."""
    depth = 0
    for place, sign in enumerate(text):
        depth += (sign == "(") - (sign == ")")
        if depth == 0 and sign == ")":
            return place == len(text) - 1
    return False


def program(seed: int, kind: str) -> str:
    """A module with one such function; `kind` annotates what the matrices come in."""
    text = "import numpy as np\n\n\n" + Writer(seed).function().replace("{kind}", kind)
    made = "{}" if kind == "np.ndarray" else "list({})"
    items = (made.format(f"rng.normal(size={shape})") for shape in ("(5, 3, 3)", "(5, 3)"))
    return text + CALLED.replace("{items}", ", ".join(items))


CALLED = """

def main():
    rng = np.random.default_rng(0)
    ws, a, u = rng.random(5), rng.normal(size=(3, 3)), rng.normal(size=3)
    return each({items}, ws, a, u, 0.7)
"""
"""What tells how many axes the arguments have."""


def arguments(kind: str, count: int, dtype: str) -> tuple[Any, ...]:
    rng = np.random.default_rng(5)
    scale = {"D": 1 + 0.5j, "l": 3.0}.get(dtype, 1.0)
    ms, xs, *of_all = (
        (scale * rng.normal(size=shape)).astype(dtype)
        for shape in ((count, 3, 3), (count, 3), (count,), (3, 3), (3,))
    )
    return (ms, xs, *of_all, 0.7) if kind == KINDS[0] else (list(ms), list(xs), *of_all, 0.7)


def outcome(function: Any, given: tuple[Any, ...]) -> Any:
    with np.errstate(all="ignore"):
        try:
            return function(*given)
        except Exception as error:  # compared with what the port raises
            return error


def assert_same(found: Any, expected: Any, tolerance: float) -> None:
    """The same types, dtypes, shapes and order; values within a part of the largest one."""
    if isinstance(expected, Exception):
        assert isinstance(found, Exception), found
        return
    assert type(found) is type(expected), (found, expected)
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        found, expected = list(found.values()), list(expected.values())
    if isinstance(expected, list):
        assert len(found) == len(expected)
        for one, other in zip(found, expected, strict=True):
            assert_same(one, other, tolerance)
        return
    one, other = np.asarray(found), np.asarray(expected)
    assert (one.dtype, one.shape) == (other.dtype, other.shape)
    finite = np.isfinite(other)
    np.testing.assert_array_equal(np.isnan(one), np.isnan(other))
    largest = np.abs(other[finite]).max(initial=1)
    assert np.abs(one - other)[finite].max(initial=0) <= tolerance * largest


@pytest.mark.sampled(6)
@pytest.mark.parametrize("first", range(FIRST, FIRST + PROGRAMS, EACH))
@pytest.mark.filterwarnings("ignore")
def test_random_loops_give_what_they_gave(cp, run, first: int) -> None:
    reset_stats()
    for seed in range(first, first + EACH):
        kind = KINDS[seed % 2]
        text = program(seed, kind)
        report = port_module(parse("program.py", text), Config())
        if report.after is None or not any(one.batched for one in report.functions):
            continue
        original, ported = run(text).each, run(report.after).each
        for count, dtype, tolerance in GIVEN:
            expected = outcome(original, arguments(kind, count, dtype))
            found = outcome(ported, arguments(kind, count, dtype))
            try:
                assert_same(found, expected, tolerance)
            except AssertionError as error:
                raise AssertionError(f"{seed}: {error}\n{text}\n{report.after}") from error
    at_once = sum(one.device for name, one in stats().items() if name.endswith("_loop"))
    assert at_once >= EACH  # refusing everything would make this pass

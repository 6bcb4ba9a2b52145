"""When a launch may take the place of its loop: what is asked where the program runs.

A kernel is compiled for kinds of numbers and counts of axes that may only be likely; what it takes
for granted of them is a term each, and where one of them does not hold the loop runs.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator

from gpuport.analysis.loops.nests import Launch
from gpuport.emit.lines import grouped
from gpuport.loops.facts import ScalarFact
from gpuport.parallel.conditions import operand

_NDIM = re.compile(r"(\w+)\.ndim == (\d+)")

_NUMBERS = {
    "int": "int", "float": "float", "complex": "complex", "bool": "bool", "int|int64": "whole",
    "float|float64|int24": "real", "float|int24": "python_real", "float|float64": "floating",
}  # fmt: skip
"""The runtime's words for what a number may be."""


class LaunchCondition:
    """What is asked before a launch.

    Parameters
    ----------
    launch : Launch
    arrays : frozenset of str
        The names of its arrays.
    launchable : str
        What the runtime's question is called in the module.
    """

    def __init__(self, launch: Launch, arrays: frozenset[str], launchable: str) -> None:
        self.kernel = launch.kernel
        self.plan = launch.plan
        self.constants = launch.constants
        self.arrays = arrays
        self.launchable = launchable

    def terms(self) -> list[str]:
        """The operands of the condition, in the order in which they are to be asked."""
        ranks = {text: m for text in self.kernel.guards if (m := _NDIM.fullmatch(text))}
        common = Counter(m[2] for m in ranks.values() if m[1] in self.arrays)
        ndim = None
        if len(common) == 1 and sum(common.values()) == len(self.arrays):
            (ndim,) = common
        return [
            *self._provided(),
            self._launchable(ndim),
            *(operand(g) for g in self.kernel.guards if ndim is None or g not in ranks),
            *(f"{name} == {value!r}" for name, value in self.constants),
        ]

    def _provided(self) -> Iterator[str]:
        """What has to be so before numbers are read from what holds them."""
        kernel = self.kernel
        texts = [*kernel.arguments, *kernel.guards, *kernel.before, kernel.call, *kernel.assumed]
        parts = [*(axis.stop for axis in self.plan.grid), *(axis.start for axis in self.plan.grid)]
        used = " ".join([*texts, *kernel.after, *parts])
        asked = {
            part: None
            for name, fact in self.plan.nest.facts.items()
            if isinstance(fact, ScalarFact)
            and fact.provided
            and re.search(rf"(?<![\w.]){re.escape(name)}(?!\w)", used)
            for part in fact.provided.split(" and ")
        }
        yield from asked

    def _launchable(self, ndim: str | None) -> str:
        """The runtime's question, for the kinds of all arguments at once."""
        kinds: dict[str, list[str]] = {}
        for argument, kind in self.kernel.assumed.items():
            word = kind if argument in self.arrays else _NUMBERS.get(kind, f"{kind}_scalar")
            kinds.setdefault(word, []).append(argument)
        whole = [n for n in self._bounds() if n not in self.kernel.assumed]
        kinds.setdefault("whole", []).extend(whole)
        kinds = {kind: names for kind, names in kinds.items() if names}
        given = [f"{kind}={grouped(names)}" for kind, names in kinds.items()]
        written = sorted(self.plan.writes)
        if written:
            given.append(f"writes={grouped(written)}")
        if ndim is not None:
            given.append(f"ndim={ndim}")
        return f"{self.launchable}({', '.join(given)})"

    def _bounds(self) -> list[str]:
        """Numbers that say how often the loop runs and of which only callers know the type."""
        found: dict[str, None] = {}
        for axis in self.plan.grid:
            for text in (axis.start, axis.stop, axis.step):
                found |= dict.fromkeys(self._numbers(ast.parse(text, mode="eval").body))
        return [n for n in found if n not in self.arrays and not self._counts(n)]

    def _numbers(self, node: ast.expr) -> Iterator[str]:
        """Names and attributes ``self.n`` that an expression of sizes takes for numbers."""
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, ast.Attribute):
            if node.attr not in ("shape", "size", "ndim"):
                yield ast.unparse(node)
        elif isinstance(node, ast.Call):
            for argument in node.args if ast.unparse(node.func) in ("max", "min", "abs") else ():
                yield from self._numbers(argument)
        elif isinstance(node, ast.Subscript):
            if isinstance(self.plan.nest.facts.get(ast.unparse(node)), ScalarFact):
                yield ast.unparse(node)
        else:
            for child in ast.iter_child_nodes(node):
                if isinstance(child, ast.expr):
                    yield from self._numbers(child)

    def _counts(self, name: str) -> bool:
        """Whether a name is bound to the sizes of arrays and to literals alone."""
        bound = [
            node for node in ast.walk(self.plan.nest.function)
            if isinstance(node, ast.Assign)
            and any(isinstance(n, ast.Name) and n.id == name
                    for t in node.targets for n in ast.walk(t))
        ]  # fmt: skip
        arguments = getattr(self.plan.nest.function, "args", None)
        given = {a.arg for a in ast.walk(arguments) if isinstance(a, ast.arg)} if arguments else ()
        return bool(bound) and name not in given and all(_is_size(node.value) for node in bound)


def _is_size(value: ast.expr) -> bool:
    """``len(x)``, ``x.shape``, ``x.shape[0]``, ``x.size``, a whole number."""
    if isinstance(value, ast.Subscript):
        value = value.value
    if isinstance(value, ast.Tuple):
        return all(map(_is_size, value.elts))
    if isinstance(value, ast.Call):
        return isinstance(value.func, ast.Name) and value.func.id == "len"
    if isinstance(value, ast.Attribute):
        return value.attr in ("shape", "size", "ndim")
    return isinstance(value, ast.Constant) and type(value.value) is int


__all__ = ["LaunchCondition"]

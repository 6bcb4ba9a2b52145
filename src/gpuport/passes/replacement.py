"""The text of launches: what takes the place of loops, and of calls that loops stand for."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterable, Iterator

from gpuport.analysis.loops.nests import Launch
from gpuport.loops.facts import ScalarFact
from gpuport.loops.forms.entries import entry_text
from gpuport.passes.aliases import Aliases
from gpuport.passes.lines import (
    INDENT,
    WIDE,
    folded,
    grouped,
    indentation,
    indented,
    inside_strings,
    step,
)
from gpuport.source.edits import Edit, Extent
from gpuport.source.module import Module

_NDIM = re.compile(r"(\w+)\.ndim == (\d+)")

_NUMBERS = {
    "int": "int", "float": "float", "complex": "complex", "bool": "bool", "int|int64": "whole",
    "float|float64|int24": "real", "float|int24": "python_real", "float|float64": "floating",
}  # fmt: skip
"""The runtime's words for what a number may be."""

Part = str | Extent


class Replacement:
    """The text that takes a loop's place.

    Attributes
    ----------
    indent, step : str
        The indentation of what is replaced, and of one level more.
    more : tuple of str
        Further conditions of the launch.
    """

    more: tuple[str, ...] = ()

    def __init__(self, module: Module, launch: Launch, aliases: Aliases) -> None:
        self.module = module
        self.kernel = launch.kernel
        self.plan = launch.plan
        self.written = launch.written
        self.constants = launch.constants
        self.held = launch.held
        self.calls = launch.calls
        self.aliases = aliases
        self.region = launch.plan.region
        self.indent = indentation(module, self.region)
        around = launch.plan.nest.function
        self.step = step(module, self.region) or step(module, around) or INDENT
        self.copies = {name: self._free(f"{name}_host") for name in self._arrays()}
        self.borrowed = {name: self._free(f"{name}_device") for name in sorted(launch.borrowed)}

    def _arrays(self) -> list[str]:
        reads = sorted(self.plan.reads - self.written)
        return [*reads, *sorted(self.written)]

    def _free(self, candidate: str) -> str:
        while candidate in self.module.names:
            candidate += "_"
        return candidate

    def edits(self) -> Iterator[Edit]:
        start, end = self.module.extent(self.region)
        yield Edit(start, end, tuple(self._parts()))
        for node in ast.walk(self.region):
            if isinstance(node, ast.Name) and self.copies.get(node.id) is not None:
                a, b = self.module.extent(node)
                yield Edit(a, b, (self.copies[node.id],))

    def _launch(self) -> list[str]:
        """The lines of the launch itself."""
        wide = WIDE - len(self.indent.expandtabs(4)) - len(INDENT)
        call = "\n".join(folded(self.kernel.call, wide))
        return [self._on_device(text) for text in (*self.kernel.before, call)]

    def _copies(self) -> list[str]:
        """The lines that bring arrays of the host to the device."""
        return [f"{to} = {{cupy}}.asarray({name})" for name, to in self.borrowed.items()]

    def _parts(self) -> Iterator[Part]:
        kernel = self.kernel
        condition = self.condition()
        launch, copies = self._launch(), self._copies()
        if not kernel.flag:
            yield from self._lines([*copies, *condition], 0, first=True)
            yield from self._lines([*launch, *kernel.after], 1)
            yield from self._lines(["else:"], 0)
        else:
            redo = f"{kernel.flag}_redo"
            yield from self._lines([*copies, f"{redo} = True", *condition], 0, first=True)
            yield from self._lines([*launch, f"{redo} = bool({kernel.flag}[0])"], 1)
            undo = [line for line in kernel.undo if line != "pass"]
            if undo:
                yield from self._lines([f"if {redo}:"], 1)
                yield from self._lines(undo, 2)
            if kernel.after:
                yield from self._lines(["else:" if undo else f"if not {redo}:"], 1)
                yield from self._lines(kernel.after, 2)
            yield from self._lines([f"if {redo}:"], 0)
        yield from self._lines([self._on_host()], 1)
        yield self.module.newline + self.indent + self.step * 2
        yield from self._loop()

    def _lines(self, lines: Iterable[str], depth: int, *, first: bool = False) -> Iterator[str]:
        for line in (line for text in lines for line in text.splitlines()):
            head = "" if first else self.module.newline + self.indent + self.step * depth
            first = False
            yield head + self.indented(line).replace("{cupy}", self.aliases.cupy)

    def indented(self, line: str) -> str:
        """A line with the module's own indentation."""
        return indented(line, self.step)

    def _on_device(self, text: str) -> str:
        """Text of the launch, with the copies of the host's arrays for these."""
        for name, copy in self.borrowed.items():
            text = re.sub(rf"(?<![\w.]){re.escape(name)}(?!\w)", copy, text)
        return text

    def condition(self) -> list[str]:
        """The ``if`` of the launch, on as many lines as it takes."""
        ranks = {text: m for text in self.kernel.guards if (m := _NDIM.fullmatch(text))}
        common = Counter(m[2] for m in ranks.values() if m[1] in self.copies)
        ndim = None
        if len(common) == 1 and sum(common.values()) == len(self.copies):
            (ndim,) = common
        terms = [
            *self._provided(),
            self._launchable(ndim),
            *(_operand(g) for g in self.kernel.guards if ndim is None or g not in ranks),
            *(f"{name} == {value!r}" for name, value in self.constants),
        ]
        terms = [self._on_device(term) for term in terms] + list(self.more)
        line = f"if {' and '.join(terms)}:"
        if len(self.indent.expandtabs(4)) + len(line) <= WIDE:
            return [line]
        wide = WIDE - len(self.indent.expandtabs(4)) - len(INDENT)
        listed = [folded(terms[0], wide), *(folded(f"and {t}", wide) for t in terms[1:])]
        return ["if (", *(INDENT + line for lines in listed for line in lines), "):"]

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
        kinds: dict[str, list[str]] = {}
        for argument, kind in self.kernel.assumed.items():
            word = kind if argument in self.copies else _NUMBERS.get(kind, f"{kind}_scalar")
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
        return f"{self.aliases.launchable}({', '.join(given)})"

    def _bounds(self) -> list[str]:
        """Numbers that say how often the loop runs and of which only callers know the type."""
        found: dict[str, None] = {}
        for axis in self.plan.grid:
            for text in (axis.start, axis.stop, axis.step):
                found |= dict.fromkeys(_numbers(ast.parse(text, mode="eval").body))
        return [n for n in found if n not in self.copies and not self._counts(n)]

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

    def _on_host(self) -> str:
        reads = sorted(self.plan.reads - self.written)
        writes = sorted(self.written)
        given = list(reads)
        if writes:
            inner = ", ".join(writes) + ("," if len(writes) == 1 else "")
            given.append(f"writes=({inner})")
        if self.held:
            holders = ", ".join(f'({instance}, "{name}")' for instance, name in self.held)
            given.append(f"held=({holders}{',' if len(self.held) == 1 else ''})")
        if self.calls:
            given.append(f"calls=({', '.join(self.calls)}{',' if len(self.calls) == 1 else ''})")
        names = ", ".join(self.copies[n] for n in (*reads, *writes))
        names += "," if len(self.copies) == 1 else ""
        return f"with {self.aliases.on_host}({', '.join(given)}) as ({names}):"

    def _loop(self) -> Iterator[Part]:
        """The user's loop, one line deeper by two; its first line has its indentation already."""
        start, end = self.module.extent(self.region)
        position = start
        kept = inside_strings(self.region)
        for line in range(self.region.lineno + 1, (self.region.end_lineno or 0) + 1):
            begin = self.module.line_starts[line - 1]
            yield (position, begin)
            position = begin
            if line not in kept and self.module.line_text(line).strip():
                yield self.step * 2
        yield (position, end)


class OfElements(Replacement):
    """The text that takes the place of a loop and of the call for each element that it stands for.

    The loop is the one that `gpuport.passes.vectorizedcalls` wrote in an ``if``, with the call in
    the other branch: that is the other branch of the launch.
    """

    def __init__(self, module: Module, launch: Launch, aliases: Aliases, around: ast.If) -> None:
        super().__init__(module, launch, aliases)
        self.around = around
        self.indent = indentation(module, around)
        asked = around.test.values if isinstance(around.test, ast.BoolOp) else [around.test]
        known = self.kernel.assumed.keys() >= self.copies.keys()  # the launch asks for their dtypes
        terms = [
            module.segment(one) for one in asked if not (known and isinstance(one, ast.Compare))
        ]
        self.more = tuple(terms)

    def edits(self) -> Iterator[Edit]:
        yield Edit(*self.module.extent(self.around), tuple(self._parts()))

    def _parts(self) -> Iterator[Part]:
        *before, _, _, behind = self.around.body
        extent, flag = self.module.extent, self.kernel.flag
        for one in before:
            yield extent(one)
            yield self.module.newline + self.indent
        redo = f"{flag}_redo"
        head = [*self._copies(), *([f"{redo} = True"] if flag else [])]
        yield from self._lines([*head, *self.condition()], 0, first=True)
        asked = [f"{redo} = bool({flag}[0])"] if flag else []
        yield from self._lines([*self._launch(), *asked, *self.kernel.after], 1)
        yield self.module.newline + self.indent + self.step
        yield extent(behind)
        yield from self._lines([f"if {redo}:" if flag else "else:"], 0)
        yield self.module.newline + self.indent + self.step
        yield extent(self.around.orelse[0])


def _numbers(node: ast.expr) -> Iterator[str]:
    """Names and attributes ``self.n`` that an expression of sizes takes for numbers."""
    if isinstance(node, ast.Name):
        yield node.id
    elif isinstance(node, ast.Attribute):
        if node.attr not in ("shape", "size", "ndim"):
            yield ast.unparse(node)
    elif isinstance(node, ast.Call):
        for argument in node.args if ast.unparse(node.func) in ("max", "min", "abs") else ():
            yield from _numbers(argument)
    elif entry_text(node) is not None:
        yield ast.unparse(node)
    elif not isinstance(node, ast.Subscript):
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                yield from _numbers(child)


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


def _operand(text: str) -> str:
    """A guard as an operand of ``and``."""
    node = ast.parse(text, mode="eval").body
    return (
        f"({text})"
        if isinstance(node, (ast.BoolOp, ast.IfExp, ast.Lambda))
        and not (isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And))
        else text
    )


__all__ = ["OfElements", "Replacement"]

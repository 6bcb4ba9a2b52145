"""The text of launches: what takes the place of loops, and of calls that loops stand for."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from gpuport.analysis.loops.nests import Launch
from gpuport.emit.aliases import Aliases
from gpuport.emit.launchconditions import LaunchCondition
from gpuport.emit.lines import (
    INDENT,
    WIDE,
    folded,
    indentation,
    indented,
    inside_strings,
    step,
)
from gpuport.loops.facts import ScalarFact
from gpuport.source.edits import Edit, Extent
from gpuport.source.module import Module

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
        self.launch = launch
        self.kernel = launch.kernel
        self.plan = launch.plan
        self.written = launch.written
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
        """The launch in the place of the loop, which goes into its other branch."""
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
        asked = LaunchCondition(self.launch, frozenset(self.copies), self.aliases.launchable)
        terms = [*map(self._on_device, asked.terms()), *self.more]
        line = f"if {' and '.join(terms)}:"
        if len(self.indent.expandtabs(4)) + len(line) <= WIDE:
            return [line]
        wide = WIDE - len(self.indent.expandtabs(4)) - len(INDENT)
        listed = [folded(terms[0], wide), *(folded(f"and {t}", wide) for t in terms[1:])]
        return ["if (", *(INDENT + line for lines in listed for line in lines), "):"]

    def _asked_of(self) -> list[str]:
        """Objects of another class may compute what the loop reads of them of its arrays."""
        facts = self.plan.nest.facts.items()
        held = [name for name, fact in facts if isinstance(fact, ScalarFact) and fact.provided]
        return sorted({re.split(r"[.\[]", name)[0] for name in held})

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
        if asked := self._asked_of():
            given.append(f"objects=({', '.join(asked)}{',' if len(asked) == 1 else ''})")
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

    The loop is the one that `gpuport.passes.disguisedloops` wrote in an ``if``, with the call in
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
        """The launch in the place of the ``if`` that the loop was written in."""
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


__all__ = ["OfElements", "Replacement"]

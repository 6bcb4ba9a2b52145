"""The text that takes the place of a loop over matrices."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import chain, count

from gpuport.batch.records import Batch, Guard, Twin
from gpuport.emit.aliases import Aliases
from gpuport.emit.lines import inside_strings, step
from gpuport.source.edits import Edit, Extent
from gpuport.source.module import Module
from gpuport.source.names import FunctionNode

Part = str | Extent

_WIDE = 88


_STEP = "    "


class Text:
    """The text that takes a loop's place."""

    def __init__(
        self,
        module: Module,
        aliases: Aliases,
        batch: Batch,
        around: ast.Module | FunctionNode,
        names: Mapping[str, str],
    ) -> None:
        self.module = module
        self.aliases = aliases
        self.batch = batch
        self.names = names
        self.extent = module.extent(batch.node)
        line = module.line_text(batch.node.lineno)
        self.indent = line[: len(line) - len(line.lstrip(" \t\f"))]
        self.step = self._step(
            batch.node if isinstance(batch.node, (ast.For, ast.While)) else around
        )

    def _step(self, node: ast.Module | FunctionNode | ast.For | ast.While) -> str:
        """What a line inside a statement is indented by."""
        if isinstance(node, ast.Module):
            return step(self.module, node) or _STEP
        outer, inner = (
            line[: len(line) - len(line.lstrip(" \t\f"))]
            for line in map(self.module.line_text, (node.lineno, node.body[0].lineno))
        )
        return inner[len(outer) :] if inner.startswith(outer) and inner != outer else _STEP

    def named(self, text: str) -> str:
        """Text with the module's names for CuPy and the runtime, and for new functions."""
        return _named(self.aliases, text, self.names)

    def guard(self) -> str:
        """The question whether the items can be stacked."""
        guard = self.batch.guard
        first = {
            _introduced(guard, name): rank
            for name, rank in guard.stacks.items() if name not in guard.along
        }  # fmt: skip
        given = [_by_rank(first)] if first or not (guard.items or guard.along) else []
        if guard.items:
            given.append(f"items={_by_rank(guard.items, of_lists=True)}")
        if guard.fixed:
            given.append(f"fixed={_by_rank(guard.fixed)}")
        bounded = {name: most for name, most in guard.bounded.items() if name not in guard.fixed}
        if bounded:
            given.append(f"at_most={_by_rank(bounded)}")
        if guard.length is not None:
            given.append(f"length={guard.length}")
        if guard.writes:
            given.append(f"writes={_names(list(map(guard.called, guard.writes)))}")
        if guard.adds:
            given.append(f"adds={_names(list(guard.adds))}")
        if guard.floating:
            given.append(f"floating={_names(list(guard.floating))}")
        if guard.integers:
            listed = bool(guard.items.keys() & guard.integers.keys())
            given.append(f"integers={_names(list(guard.integers), of_lists=listed)}")
        if guard.several:
            by_axis: dict[int, list[str]] = {}
            for name, axis in guard.several:
                by_axis.setdefault(axis, []).append(name)
            each = ", ".join(
                f"{axis}: {_names(names, of_lists=bool(guard.items.keys() & set(names)))}"
                for axis, names in by_axis.items()
            )
            given.append(f"several={{{each}}}")
        if guard.along:
            given.append(f"along={_by_axis(guard)}")
        return self.named(f"{{batched}}.stackable({', '.join(given)})")

    def comprehension(self) -> Iterator[Part]:
        """``stacked if stackable else [the comprehension]``."""
        stacked, guard = self._one_line(), self.guard()
        in_call = isinstance(self.batch.node, ast.GeneratorExp)  # with its parentheses
        if self.batch.helper:
            spread = self.module.text[self.extent[0] - 1] == "*"
            yield f"({stacked})" if in_call and not spread else stacked
            return
        text, (start, end) = self.module.text, self.extent
        bare = not in_call and text[start - 1 : start] == "(" and text[end : end + 1] == ")"
        opening, closing = ("", "") if bare else ("(", ")")
        column = self.extent[0] - self.module.line_starts[self.batch.node.lineno - 1]
        length = self.extent[1] - self.extent[0]
        if column + len(stacked) + len(guard) + length + 11 <= _WIDE and "\n" not in stacked:
            yield f"{opening}{stacked} if {guard} else "
            yield self.extent
            yield closing
            return
        newline = self.module.newline + self.indent + self.step
        if len(self.indent.expandtabs(4)) + len(_STEP) + len(stacked) > _WIDE:
            stacked = newline.join(self._indented(self.named(line)) for line in self.batch.lines)
        yield f"{opening}{newline}{stacked}{newline}if {guard}{newline}else "
        yield self.extent
        yield f"{self.module.newline}{self.indent}{closing}"

    def _one_line(self) -> str:
        first, *rest = map(self.named, self.batch.lines)
        if not rest:
            return first
        *inner, last = (line.strip() for line in rest)
        return first + " ".join(inner) + last

    def loop(self, others: list[Edit]) -> Iterator[Part]:
        """The stacked statements, and the loop as the other branch."""
        newline = self.module.newline
        inner = newline + self.indent + self.step
        lines = [inner + self._indented(self.named(line)) for line in self.batch.lines]
        if self.batch.helper:
            yield "".join(lines).removeprefix(inner)
            return
        if not self.batch.retried:
            yield f"if {self.guard()}:"
            yield from lines
            yield f"{newline}{self.indent}else:{inner}"
        else:
            flag = free_name(self.module, "stacked")
            error = f"{self.aliases.cupy}.linalg.LinAlgError"
            yield f"{flag} = {self.guard()}{newline}{self.indent}if {flag}:{inner}try:"
            yield from (line.replace(inner, inner + self.step, 1) for line in lines)
            again = f"{flag} = {self.aliases.batched}.refused()"
            yield f"{inner}except {error}:{inner}{self.step}{again}"
            yield f"{newline}{self.indent}if not {flag}:{inner}"
        yield from self._original(others)

    def _indented(self, text: str) -> str:
        """A line with the module's own indentation."""
        bare = text.lstrip(" ")
        return self.step * ((len(text) - len(bare)) // len(_STEP)) + bare

    def _original(self, others: list[Edit]) -> Iterator[Part]:
        """The user's loop, one step deeper; its first line has its indentation already."""
        start, end = self.extent
        node = self.batch.node
        position, kept = start, self._whole_lines(others)
        for line in range(node.lineno + 1, (node.end_lineno or 0) + 1):
            begin = self.module.line_starts[line - 1]
            if line in kept or not self.module.line_text(line).strip():
                continue
            yield (position, begin)
            position = begin
            yield self.step
        yield (position, end)

    def deeper(self, edit: Edit) -> Edit:
        """Lines that are put into the user's loop, one step deeper as the loop is."""
        first, last = self.extent
        line, column = self.module.position(edit.start)
        inside = first < edit.start < last
        if inside and self._takes_statement(edit):
            return replace(edit, parts=tuple(self._deeper_parts(edit)))
        if edit.start != edit.end or column > 1 or not inside:
            return edit
        blank = not self.module.line_text(line).strip()
        parts = (self.step, *edit.parts) if blank else (*edit.parts, self.step)
        return replace(edit, parts=parts)

    def _takes_statement(self, edit: Edit) -> bool:
        """Whether an edit writes several lines in the place of a statement."""
        line, column = self.module.position(edit.start)
        ahead = self.module.line_text(line)[: column - 1]
        lines = any(isinstance(part, str) and self.module.newline in part for part in edit.parts)
        return lines and edit.start != edit.end and not ahead.strip()

    def _deeper_parts(self, edit: Edit) -> Iterator[Part]:
        newline, kept = self.module.newline, inside_strings(self.batch.node)
        for part in edit.parts:
            if isinstance(part, str):
                yield part.replace(newline, newline + self.step)
                continue
            position, end = part
            for line, begin in enumerate(self.module.line_starts, 1):
                if not position < begin <= end:
                    continue
                yield (position, begin)
                position = begin
                if line not in kept and self.module.line_text(line).strip():
                    yield self.step
            yield (position, end)

    def _whole_lines(self, others: list[Edit]) -> set[int]:
        """Lines that begin inside a string or an edit: they stay as they are."""
        found: set[int] = set()
        for part in ast.walk(self.batch.node):
            if isinstance(part, (ast.Constant, ast.JoinedStr)) and part.end_lineno is not None:
                found.update(range(part.lineno + 1, part.end_lineno + 1))
        for edit in others:
            if within((edit.start, edit.end), self.extent):
                first, last = self.module.position(edit.start)[0], self.module.position(edit.end)[0]
                found.update(range(first + 1, last + 1))
        return found


def _named(aliases: Aliases, text: str, names: Mapping[str, str]) -> str:
    for placeholder, name in names.items():
        text = text.replace(placeholder, name)
    return text.replace("{cupy}", aliases.cupy).replace("{batched}", aliases.batched)


def free_name(module: Module, candidate: str, more: Iterable[str] = ()) -> str:
    """A name that nothing in the module has."""
    taken = set(more)
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Name):
            taken.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            taken.add(node.name)
        elif isinstance(node, ast.arg):
            taken.add(node.arg)
        elif isinstance(node, ast.alias):
            taken.add((node.asname or node.name).partition(".")[0])
    numbered = (f"{candidate}_{number}" for number in count(2))
    return next(name for name in chain([candidate], numbered) if name not in taken)


def twin_text(
    module: Module, aliases: Aliases, twin: Twin, name: str, names: Mapping[str, str]
) -> str:
    """The function of a stack, to stand behind the one that it was made of.

    Where nothing in it shows that it is for arrays of the device, its decorator does: the tool
    would take it for one of NumPy's arrays when it reads its own output.
    """
    newline, indent = module.newline, step(module, twin.function) or _STEP
    lines = [f'"""`{twin.function.name}` of each item of a stack."""', *twin.lines]
    text = newline.join(indent + _named(aliases, line, names) for line in lines)
    named = ", ".join(f'"{array}"' for array in twin.arrays)
    decorator = "" if twin.of_device else f"@{aliases.device}({named}){newline}"
    return f"{newline * 3}{decorator}def {name}({twin.signature}):{newline}{text}"


def _by_rank(ranks: Mapping[str, int | tuple[int, ...]], *, of_lists: bool = False) -> str:
    by_rank: dict[int | tuple[int, ...], list[str]] = {}
    for name, rank in ranks.items():
        by_rank.setdefault(rank, []).append(name)
    each = (f"{rank}: {_names(names, of_lists=of_lists)}" for rank, names in by_rank.items())
    return "{" + ", ".join(each) + "}"


def _introduced(guard: Guard, name: str) -> str:
    """A stack where it is first named: a part of one gets its name there."""
    own, text = guard.parts.get(name, ("", ""))
    return f"({own} := {text})" if own else name


def _by_axis(guard: Guard) -> str:
    axes = dict.fromkeys(guard.along.values())
    each = (
        f"{axis}: {_by_rank({n: guard.stacks[n] for n, a in guard.along.items() if a == axis})}"
        for axis in axes
    )
    return "{" + ", ".join(each) + "}"


def _names(names: list[str], *, of_lists: bool = False) -> str:
    """One name, or several in a tuple; a list stands in one: a tuple of arrays would be several."""
    if len(names) == 1:
        bare = not of_lists or names[0].endswith(".values()") or names[0].startswith("list(")
        return names[0] if bare else f"({names[0]},)"
    return f"({', '.join(names)})"


def within(inner: Extent, outer: Extent) -> bool:
    """Whether one part of the text lies in another."""
    return outer[0] <= inner[0] and inner[1] <= outer[1]

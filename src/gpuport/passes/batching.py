"""Loops over matrices that become stacked calls: the axis that was looped over moves inside.

The loop stays beside the stacked code wherever a number of axes is only known at run time, and
for whatever is not on the device.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from gpuport.analysis.batches import Noted, Source, known, takes_items
from gpuport.analysis.graph import Place
from gpuport.analysis.summaries import Analysed
from gpuport.analysis.unit import Unit
from gpuport.batch.plan import Region, plan
from gpuport.batch.records import Batch, Guard, Loop, Refusal, element
from gpuport.passes.aliases import Aliases
from gpuport.passes.kernels import launches
from gpuport.passes.lines import step
from gpuport.passes.transfers import Transfer
from gpuport.source.edits import Edit, Extent
from gpuport.source.module import Module
from gpuport.source.names import FunctionNode

_WIDE = 88

_STEP = "    "

Part = str | Extent


@dataclass(frozen=True, slots=True)
class Batches:
    """What became of the loops over matrices of one function."""

    made: tuple[Batch, ...] = ()
    refused: tuple[Refusal, ...] = ()


class _Source(Source):
    """The file as the batching room reads it, with what is on the device."""

    def __init__(self, analysed: Analysed) -> None:
        super().__init__(analysed.unit)
        self.analysed = analysed

    def on_device(self, node: ast.Call) -> bool:
        operation = self.unit.operations.get(id(_each(self.unit, node)))
        return operation is not None and (
            self.analysed.placement.of(operation.graph_node) is Place.DEVICE
        )

    def function(self, node: ast.Call) -> str:
        operation = self.unit.operations.get(id(node))
        target = None if operation is None else operation.target
        if self.on_device(node) and target is not None and target.startswith("cupy."):
            return "{cupy}." + target.removeprefix("cupy.")
        return self.segment(node.func)


def batches(analysed: Analysed, crossings: Iterable[Transfer]) -> Batches:
    """Stacked code for the loops over matrices of a function, or why there is none.

    Parameters
    ----------
    analysed : Analysed
    crossings : iterable of Transfer
        What the function moves: nothing may be moved within a loop that is stacked.
    """
    unit = analysed.unit
    if not unit.batches or unit.refusal is not None:
        return Batches()
    made: list[Batch] = []
    refused: list[Refusal] = []
    crossings = list(crossings)
    fixed = [unit.module.extent(one.plan.region) for one in launches(analysed)]
    found = sorted(unit.batches.values(), key=lambda one: unit.module.extent(one.node))
    for one in found:
        extent = unit.module.extent(one.node)
        if any(_within(extent, unit.module.extent(batch.node)) for batch in made):
            continue
        moved = [c for c in crossings if _within(unit.module.extent(c.use.expression), extent)]
        leaving = frozenset(id(c.use.expression) for c in moved)
        if not leaving <= _ends_of(one.node) or not all(_plain(c) for c in moved):
            continue
        on_device = _on_device(analysed, one, leaving)
        if not on_device or any(_within(part, extent) for part in fixed):
            continue
        region = Region(
            one.node, _Source(analysed), known(unit, one), _live(analysed, one.node),
            *(_only_arrays(analysed, one.node) if not moved else (frozenset(), False)),
            leaving,
        )  # fmt: skip
        result = plan(region)
        if isinstance(result, Batch):
            made.append(result)
        elif takes_items(analysed.unit, one.node):
            refused.append(result)
    return Batches(tuple(made), tuple(refused))


def _each(unit: Unit, node: ast.AST) -> ast.AST:
    """The call that ``map`` makes of each item; of anything else, that itself."""
    if not isinstance(node, ast.Call) or len(node.args) != 2:
        return node
    is_map = unit.scope.resolve(node.func) == "builtins.map"
    return unit.project.call_of_each(node) if is_map else node


def _ends_of(node: Loop) -> set[int]:
    """Expressions of which a value for each item leaves the loop: a stack may leave as a whole."""
    values = [] if isinstance(node, (ast.For, ast.Call)) else [element(node)]
    for statement in node.body if isinstance(node, ast.For) else ():
        if isinstance(statement, ast.AugAssign):
            values.append(statement.value)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            values += statement.value.args[:1]
    values += [part for value in values if isinstance(value, ast.Tuple) for part in value.elts]
    return {id(value) for value in values}


def _plain(crossing: Transfer) -> bool:
    """Whether a value comes to the host as NumPy has it."""
    own = crossing.use.after is None and crossing.use.before is None
    return own and crossing.direction == "d2h" and crossing.before.endswith(".asnumpy(")


def _within(inner: Extent, outer: Extent) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _on_device(analysed: Analysed, one: Noted, leaving: frozenset[int]) -> bool:
    """Whether all array work of a loop runs on the device, under the names that NumPy has.

    What adds values to a number on the host is none, where the values leave the device as a whole.
    """
    unit, seen = analysed.unit, False
    for node in ast.walk(_each(unit, one.node)):
        if isinstance(node, ast.AugAssign) and id(node.value) in leaving:
            continue
        operation = unit.operations.get(id(node))
        if operation is not None and analysed.placement.of(operation.graph_node) is Place.DEVICE:
            seen = True
        elif operation is not None and not operation.only_numbers:
            return False
        if id(node) in unit.replacements:
            return False
    return seen


def _live(analysed: Analysed, node: Loop) -> frozenset[str]:
    """Names of a loop that are read after it."""
    from gpuport.loops.plan import live_after

    function = analysed.unit.node
    if not isinstance(node, ast.For):
        return frozenset()
    if isinstance(function, ast.FunctionDef):
        return frozenset(live_after(function, node))
    inner = {id(part) for part in ast.walk(node)}
    return frozenset(
        part.id for part in ast.walk(function)
        if isinstance(part, ast.Name) and id(part) not in inner and isinstance(part.ctx, ast.Load)
    )  # fmt: skip


def _only_arrays(analysed: Analysed, node: Loop) -> tuple[frozenset[str], bool]:
    """Lists of which a function makes nothing but arrays; and whether this comprehension is one."""
    function, unit = analysed.unit.node, analysed.unit
    calls = [
        part for part in ast.walk(function)
        if isinstance(part, ast.Call) and _makes_array(unit, part)
    ]  # fmt: skip
    if not isinstance(node, ast.For):
        return frozenset(), any(call.args[0] is node for call in calls)
    if not isinstance(function, ast.FunctionDef) or _runs_again(function, node):
        return frozenset(), False
    read = {id(call.args[0]) for call in calls}
    inside = {id(part) for part in ast.walk(node)}
    starts = _empty_lists(function)
    found = set()
    for name in {call.args[0].id for call in calls if isinstance(call.args[0], ast.Name)}:
        uses = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == name]
        stores = [n for n in uses if not isinstance(n.ctx, ast.Load)]
        loads = [n for n in uses if isinstance(n.ctx, ast.Load)]
        once = len(stores) == 1 and id(stores[0]) in starts
        grown = [n for n in loads if id(n) in inside]
        if once and len(grown) == 1 and all(id(n) in read | inside for n in loads):
            found.add(name)
    return frozenset(found), False


def _runs_again(function: ast.FunctionDef, node: ast.For) -> bool:
    """Whether a loop stands in another one."""
    return any(
        isinstance(outer, (ast.For, ast.While)) and outer is not node
        and any(inner is node for inner in ast.walk(outer))
        for outer in ast.walk(function)
    )  # fmt: skip


def _makes_array(unit: Unit, call: ast.Call) -> bool:
    """``np.array(x)``, ``np.stack(x)``."""
    if len(call.args) != 1 or call.keywords:
        return False
    return unit.scope.resolve(call.func) in ("numpy.array", "numpy.stack")


def _empty_lists(function: ast.AST) -> set[int]:
    """Targets of statements of a function's own block that bind an empty list."""
    return {
        id(statement.targets[0]) for statement in getattr(function, "body", [])
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1
        and isinstance(statement.value, ast.List) and not statement.value.elts
    }  # fmt: skip


def _arrays_of(analysed: Analysed, made: Batch, aliases: Aliases) -> Iterator[Edit]:
    """``np.stack(x)`` of what is an array already: ``cp.array(x)``."""
    unit = analysed.unit
    for call in ast.walk(unit.node):
        if isinstance(call, ast.Call) and _makes_array(unit, call):
            given = call.args[0]
            named = isinstance(given, ast.Name) and given.id in made.arrays
            if (named or given is made.node) and unit.scope.resolve(call.func) == "numpy.stack":
                start, end = unit.module.extent(call.func)
                yield Edit(start, end, (f"{aliases.cupy}.array",), order=5)


# ---------------------------------------------------------------------- text


def edits(
    analysed: Analysed, aliases: Aliases, made: Iterable[Batch], others: Iterable[Edit]
) -> Iterator[Edit]:
    """The edits that put stacked code beside the loops.

    ``others`` are the edits within the loops.
    """
    module = analysed.unit.module
    others = list(others)
    for batch in made:
        text = _Text(module, aliases, batch, analysed.unit.node)
        start, end = module.extent(batch.node)
        is_loop = isinstance(batch.node, ast.For)
        parts = text.loop(others) if is_loop else text.comprehension()
        yield Edit(start, end, tuple(parts), order=2)
        if batch.arrays or not is_loop:
            yield from _arrays_of(analysed, batch, aliases)


class _Text:
    """The text that takes a loop's place."""

    def __init__(
        self, module: Module, aliases: Aliases, batch: Batch, around: ast.Module | FunctionNode
    ) -> None:
        self.module = module
        self.aliases = aliases
        self.batch = batch
        self.extent = module.extent(batch.node)
        line = module.line_text(batch.node.lineno)
        self.indent = line[: len(line) - len(line.lstrip(" \t\f"))]
        self.step = self._step(batch.node if isinstance(batch.node, ast.For) else around)

    def _step(self, node: ast.Module | FunctionNode | ast.For) -> str:
        """What a line inside a statement is indented by."""
        if isinstance(node, ast.Module):
            return step(self.module, node) or _STEP
        outer, inner = (
            line[: len(line) - len(line.lstrip(" \t\f"))]
            for line in map(self.module.line_text, (node.lineno, node.body[0].lineno))
        )
        return inner[len(outer) :] if inner.startswith(outer) and inner != outer else _STEP

    def named(self, text: str) -> str:
        """Text with the module's names for CuPy and the runtime."""
        return text.replace("{cupy}", self.aliases.cupy).replace("{batched}", self.aliases.batched)

    def guard(self) -> str:
        """The question whether the items can be stacked."""
        guard = self.batch.guard
        given = [_by_rank(guard.stacks)] if guard.stacks or not guard.items else []
        if guard.items:
            given.append(f"items={_by_rank(guard.items)}")
        if guard.fixed:
            given.append(f"fixed={_by_rank(guard.fixed)}")
        bounded = {name: most for name, most in guard.bounded.items() if name not in guard.fixed}
        if bounded:
            given.append(f"at_most={_by_rank(bounded)}")
        if guard.length is not None:
            given.append(f"length={guard.length}")
        if guard.writes:
            given.append(f"writes={_names(list(guard.writes))}")
        if guard.adds:
            given.append(f"adds={_names(list(guard.adds))}")
        return self.named(f"{{batched}}.stackable({', '.join(given)})")

    def comprehension(self) -> Iterator[Part]:
        """``stacked if stackable else [the comprehension]``."""
        stacked, guard = self._one_line(), self.guard()
        in_call = isinstance(self.batch.node, ast.GeneratorExp)  # with its parentheses
        if self.batch.helper:
            yield f"({stacked})" if in_call else stacked
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
            flag = self._free("stacked")
            error = f"{self.aliases.cupy}.linalg.LinAlgError"
            yield f"{flag} = {self.guard()}{newline}{self.indent}if {flag}:{inner}try:"
            yield from (line.replace(inner, inner + self.step, 1) for line in lines)
            yield f"{inner}except {error}:{inner}{self.step}{flag} = False"
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

    def _whole_lines(self, others: list[Edit]) -> set[int]:
        """Lines that begin inside a string or an edit: they stay as they are."""
        found: set[int] = set()
        for part in ast.walk(self.batch.node):
            if isinstance(part, (ast.Constant, ast.JoinedStr)) and part.end_lineno is not None:
                found.update(range(part.lineno + 1, part.end_lineno + 1))
        for edit in others:
            if _within((edit.start, edit.end), self.extent):
                first, last = self.module.position(edit.start)[0], self.module.position(edit.end)[0]
                found.update(range(first + 1, last + 1))
        return found

    def _free(self, candidate: str) -> str:
        taken = {n.id for n in ast.walk(self.module.tree) if isinstance(n, ast.Name)}
        while candidate in taken:
            candidate += "_"
        return candidate


def _by_rank(ranks: Mapping[str, int | tuple[int, ...]]) -> str:
    by_rank: dict[int | tuple[int, ...], list[str]] = {}
    for name, rank in ranks.items():
        by_rank.setdefault(rank, []).append(name)
    return "{" + ", ".join(f"{rank}: {_names(names)}" for rank, names in by_rank.items()) + "}"


def _names(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"({', '.join(names)})"


__all__ = ["Batches", "Guard", "batches", "edits"]

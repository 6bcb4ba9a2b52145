"""Transfers as they are written: around a value, on a line beside a statement, or by a function."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Collection, Iterator

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.copies import Spot
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.values.lattice import Array, Either, Number
from gpuport.emit.aliases import Aliases
from gpuport.emit.evenlists import made_there
from gpuport.emit.transfers import Copy, Transfer, transfers
from gpuport.source.edits import Edit
from gpuport.source.module import Module
from gpuport.source.syntax import dotted, walk


def edits(
    analysed: Analysed, aliases: Aliases, without: Collection[ast.AST] = ()
) -> Iterator[Edit]:
    """The transfers as edits, but for those within some loops; lists that need none."""
    yield from _made_there(analysed, aliases, without)
    module, bringing = analysed.unit.module, _bringing(analysed.unit)
    told = set[int]()
    every = [one for one in transfers(analysed, aliases) if not is_within(one, without)]
    unpacked = dict(_unpacked(every))
    for transfer in every:
        function = unpacked.get(id(transfer.use.after))
        if function is not None and isinstance(transfer.use.after, ast.Assign):
            if id(transfer.use.after) not in told:
                told.add(id(transfer.use.after))
                start, end = module.extent(transfer.use.after.value)
                yield Edit(start, end, (f"map({function}, ", (start, end), ")"), order=1)
            continue
        call = bringing.get(id(transfer.use.expression))
        if call is not None and _is_brought(transfer):
            name = analysed.unit.scope.resolve(call.func) or ""
            if id(call) in told:
                continue
            told.add(id(call))
            yield Edit(*module.extent(call.func), (f"{aliases.cupy}.{name.rpartition('.')[2]}",))
            continue
        if transfer.copy is not None:
            yield from _copied(module, transfer, transfer.copy)
            continue
        if transfer.use.after is not None or transfer.use.before is not None:
            yield _statement(module, transfer)
            continue
        start, end = module.extent(transfer.use.expression)
        after = transfer.after
        bare_tuple = isinstance(transfer.use.expression, ast.Tuple) and module.text[start] != "("
        if bare_tuple:
            yield Edit(start, end, (transfer.before, "(", (start, end), ")", after), order=1)
        elif transfer.before.endswith("(") and after and _in_parentheses(module.text, start, end):
            own = (start - 1, end + 1)
            yield Edit(*own, (transfer.before[:-1], own, after[1:]), order=1)
        else:
            yield Edit(start, end, (transfer.before, (start, end), after), order=1)


def _made_there(
    analysed: Analysed, aliases: Aliases, without: Collection[ast.AST]
) -> Iterator[Edit]:
    """Lists of one number that the device makes."""
    unit, place = analysed.unit, analysed.placement.of
    beyond = {id(part) for loop in without for part in walk(loop)}
    texts = {
        use.expression: made_there(unit.module, use, aliases.cupy)
        for use in unit.graph.uses.values()
        if place(use.consumer) is Place.DEVICE is not place(use.producer)
    }
    for expression, text in texts.items():
        if text is not None and id(expression) not in beyond:
            yield Edit(*unit.module.extent(expression), (text,))


def is_within(transfer: Transfer, loops: Collection[ast.AST]) -> bool:
    """Whether a transfer is for what stands in some loops alone."""
    parts = {id(part) for loop in loops for part in walk(loop) if part is not loop}
    readers = transfer.copy.readers if transfer.copy is not None else [transfer.use.expression]
    return all(id(one) in parts for one in readers)


def _unpacked(every: list[Transfer]) -> Iterator[tuple[int, str]]:
    """Statements that unpack results all of which cross in one way, by their ids, with that way.

    ``a, b = map(cp.asnumpy, f(x))`` in the place of a line for each.
    """
    found: dict[int, list[Transfer]] = defaultdict(list)
    for one in every:
        if one.use.after is not None and one.copy is None:
            found[id(one.use.after)].append(one)
    for key, crossing in found.items():
        targets = getattr(crossing[0].use.after, "targets", [None])
        ways = {(one.before, one.after) for one in crossing}
        (before, after), *others = ways
        if not others and after == ")" and len(crossing) == len(getattr(targets[0], "elts", ())):
            yield key, before.removesuffix("(")


def _bringing(unit: Unit) -> dict[int, ast.Call]:
    """The arguments of calls for which CuPy has functions that bring device arrays back."""
    found = {}
    for key, node in unit.nodes.items():
        rule = unit.knowledge.rules.host(node.label) if key[0] == "operation" else None
        if rule is not None and rule.brings:
            found[key[1]] = node
    calls = [one for one in walk(unit.node) if id(one) in found] if found else []
    return {
        id(given): call for call in calls if isinstance(call, ast.Call)
        for given in (*call.args, *(k.value for k in call.keywords))
    }  # fmt: skip


def _is_brought(transfer: Transfer) -> bool:
    """Whether a value is one that such a function brings back where it is an argument."""
    alone = transfer.copy is None and transfer.use.after is None and transfer.use.before is None
    return alone and isinstance(transfer.use.value, Array | Number | Either)


def _statement(module: Module, transfer: Transfer) -> Edit:
    """``x = cp.asarray(x)`` on a line of its own, beside the statement that gives or uses ``x``."""
    use = transfer.use
    statement = use.after or use.before
    assert statement is not None
    name = module.segment(use.expression)
    text = f"{name} = {transfer.before}{name}{transfer.after}"
    return _line(module, Spot(statement, after=use.before is None), text)


def _copied(module: Module, transfer: Transfer, copy: Copy) -> Iterator[Edit]:
    """``x_on_host = cp.asnumpy(x)`` on a line of its own; its readers read that."""
    text = f"{copy.name} = {transfer.before}{copy.of}{transfer.after}"
    yield _line(module, copy.spot, text)
    for reader in copy.readers:
        whole = dotted(reader) == copy.of
        start, end = module.extent(reader)
        if isinstance(reader, (ast.Attribute, ast.Subscript)) and not whole:
            start, end = module.extent(reader.value)  # what stands behind it stays
        yield Edit(start, end, (copy.name,))


def _line(module: Module, spot: Spot, text: str) -> Edit:
    """A line before or behind a statement, indented as it is."""
    statement = spot.statement
    line = module.line_text(statement.lineno)
    text = line[: len(line) - len(line.lstrip(" \t\f"))] + text
    if not spot.after:
        start = module.line_starts[statement.lineno - 1]
        return Edit(start, start, (text + module.newline,))
    last = statement.end_lineno or statement.lineno
    if last < len(module.line_starts) and module.line_text(last).endswith(("\n", "\r")):
        start = module.line_starts[last]
        return Edit(start, start, (text + module.newline,), order=-module.extent(statement)[0])
    end = len(module.text)
    return Edit(end, end, (module.newline + text,))


def _in_parentheses(text: str, start: int, end: int) -> bool:
    """Whether an expression has parentheses of its own, those of calls apart."""
    if text[start - 1 : start] != "(" or text[end : end + 1] != ")":
        return False
    owner = text[: start - 1].rstrip()[-1:]
    return not (owner.isalnum() or owner in tuple("_)]}'\""))


__all__ = ["edits", "is_within"]

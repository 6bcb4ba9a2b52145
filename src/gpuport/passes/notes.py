"""What is told of a port besides where its calls run: differences, crossings, its boundary."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from gpuport._frozen import frozen
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.values.origins import to_be_told
from gpuport.emit.boundary import Boundary
from gpuport.passes.batching import Batches
from gpuport.passes.findings import SLUGS, info
from gpuport.passes.outcomes import Outcome, works_on_device
from gpuport.records import Finding, Severity
from gpuport.source.parameters import default_values
from gpuport.source.trips import Often, Trips, loops_around


@frozen
class Wait:
    """An expression for which the host waits, and for what of it.

    Attributes
    ----------
    node : ast.AST
    what : str
        ``value``: a number is asked for; ``size``: how many elements the result has; ``values``:
        the operation reads something back to check it.
    """

    node: ast.AST
    what: str


def waits(analysed: Analysed) -> Iterator[Wait]:
    """The expressions for which the host waits, each once."""
    unit = analysed.unit
    if unit.refusal is not None:
        return
    for node, origin in unit.work.syncs.values():
        if analysed.placement.of(origin) is Place.DEVICE:
            yield Wait(node, "value")
    for node, *origins in unit.work.slice_bounds.values():
        if all(analysed.placement.of(origin) is Place.DEVICE for origin in origins):
            yield Wait(node, "value")
    for node, origin, what in unit.work.read_back.values():
        if analysed.placement.of(origin) is Place.DEVICE:
            yield Wait(node, what)


_RESTORED = frozenset({"GP505"})
"""Differences that the runtime's boundary takes away: it makes CuPy raise LinAlgError."""

_WAITED = {
    "value": "a value of the device, `{}`",
    "size": "the device: its values decide how many elements `{}` has",
    "values": "the device: `{}` reads values back to check them",
}

_WAYS = (("GP402", "brought back to the host"), ("GP401", "moved to the device"))
_ONCE = frozenset({"GP519", "GP520"})
"""What one finding says for all of a function."""


def notes(outcome: Outcome) -> Iterator[Finding]:
    """What a user should know of a function's port."""
    yield from _noted(outcome)
    yield from _crossings_and_waits(outcome)
    if outcome.boundary is not None:
        yield _boundary(outcome.analysed, outcome.boundary)
        yield from _defaults(outcome.analysed, outcome.boundary)


def batch_notes(analysed: Analysed, batches: Batches) -> Iterator[Finding]:
    """The loops over matrices that became calls on the stack, and why others did not."""
    unit = analysed.unit
    for batch in batches.made:
        yield info(analysed, "GP310", "this loop runs once for all of its items", batch.node)
    for refusal in batches.refused:
        where, own = unit.module.line(refusal.node), unit.module.line(refusal.loop)
        place = "" if where == own else f" (line {where})"
        message = f"one call for each matrix: {refusal.message}{place}"
        span, reason = unit.module.span(refusal.loop), SLUGS.get(refusal.code)
        yield Finding(refusal.code, Severity.WARNING, span, message, unit.name, reason)


def _noted(outcome: Outcome) -> Iterator[Finding]:
    """What the analysis noted on the way, as far as it came to something."""
    analysed, batches = outcome.analysed, outcome.batches
    answered = {id(one.node) for one in batches.made} | {id(one.loop) for one in batches.refused}
    once, said = analysed.unit.knowledge.rules.told_once, set[str | None]()
    work, placement = analysed.unit.work.operations.values(), analysed.placement
    run = {id(one.function) for one in work if placement.of(one.graph_node) is Place.DEVICE}
    for (code, node), note in analysed.unit.notes.items():
        noted = note.finding
        restored = outcome.boundary is not None and noted.code in _RESTORED
        if restored or (code.startswith("GP2") and node in answered):
            continue  # or the loop needs no kernel
        one = noted.rule if noted.rule in once else noted.code if noted.code in _ONCE else None
        if one is not None and one in said:
            continue
        if code == "GP407" and node in run:  # handed to `map`, which calls it there
            said_ = noted.message.partition(" is handed")[0] + " runs on the device"
            noted = replace(noted, code="GP101", message=said_)
        if note.on is None or placement.of(note.on) is Place.DEVICE:
            said.add(one)
            reason = noted.reason or SLUGS.get(noted.code)
            severity = Severity.INFO if noted.code in _ONCE else noted.severity
            open_ = note.unknown
            help = noted.help if open_ is None else to_be_told(analysed.unit, open_)
            yield replace(noted, reason=reason, severity=severity, help=help)


def _crossings_and_waits(outcome: Outcome) -> Iterator[Finding]:
    """Each transfer, and each place where the host waits for the device."""
    analysed, unit = outcome.analysed, outcome.analysed.unit
    stacked = outcome.batches.parts.union(*(chain.covered for chain in outcome.chains))
    # Of a stack's conditions the places are asked for, once.
    there = works_on_device(analysed)  # or nothing is waited for
    waiting = [one for one in waits(analysed) if there and id(one.node) not in stacked]
    loops = loops_around(unit.node, unit.module).found if outcome.crossings or waiting else {}
    for crossing in outcome.crossings:
        moved = crossing.use.expression
        text = unit.module.segment(moved).splitlines()[0][:60]
        around = () if id(moved) in stacked else loops.get(id(crossing.place), ())
        code, way = _WAYS[crossing.direction == "h2d"]
        yield info(analysed, code, f"`{text}` is {way}{_in_loops(around)}", moved)
    for one in waiting:
        text = " ".join(unit.module.segment(one.node).split())[:60]
        where = _in_loops(loops.get(id(one.node), ()))
        message = f"the host waits for {_WAITED[one.what].format(text)}{where}"
        yield info(analysed, "GP403", message, one.node)


def _boundary(analysed: Analysed, found: Boundary) -> Finding:
    names = ", ".join(f"`{n}`" for n in found.arrays) or "what it makes"
    gives = "gives back what it was given: NumPy for NumPy, CuPy for CuPy"
    if found.policy == "device":
        gives = "gives back CuPy, whatever it was given"
    if found.from_size:
        gives += f"; NumPy is faster where none has {found.from_size:_} elements, and runs it"
    return info(analysed, "GP406", f"takes {names} to the device and {gives}", analysed.unit.node)


def _defaults(analysed: Analysed, found: Boundary) -> Iterator[Finding]:
    """Defaults with which a call always runs on the host: the body wants arrays there."""
    unit = analysed.unit
    assert isinstance(unit.node, ast.FunctionDef)
    for name, default in default_values(unit.node.args).items():
        wants = name in found.arrays and name not in found.containers
        if wants and isinstance(default, ast.Tuple | ast.List):
            kind = "tuple" if isinstance(default, ast.Tuple) else "list"
            message = f"calls that leave `{name}` at its default run on the host: it is a {kind}"
            span = unit.module.span(default)
            text = unit.module.segment(default).splitlines()[0][:60]
            help = f"make an array of it: `{name}=np.array({text})`"
            yield Finding("GP407", Severity.WARNING, span, message, unit.name, help=help)


def _in_loops(loops: tuple[Trips, ...]) -> str:
    """Loop depth and, where it can be told, how often."""
    if not loops:
        return ""
    deep = f"{len(loops)} loops deep" if len(loops) > 1 else "in a loop"
    return f", {deep} (line {loops[-1].line}): {Often.of(loops)} times"


__all__ = ["batch_notes", "notes", "waits"]

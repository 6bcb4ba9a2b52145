"""A function as the new core sees it, stage by stage: for ``gpuport explain FILE:LINE --stage``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.rewriting import Canonical, canonicalise
from gpuport.facts import infer
from gpuport.facts.contexts import Context
from gpuport.ir.printing import render
from gpuport.ir.queries import walk
from gpuport.ir.structure import Function, Module
from gpuport.ir.types import NOTHING, Assumption
from gpuport.lower import lower_module
from gpuport.parallel.decorated import Decorated, decorated
from gpuport.parallel.dependence import check_independent
from gpuport.source.reading import parse, read_source

QUOTES = '"""'
STAGES = ("lower", "facts", "canonical", "kernels")


def stage_text(path: Path, line: int, stage: str) -> str:
    """The innermost function around a line, at one of `STAGES`.

    Raises
    ------
    LookupError
        For a line that the file does not have.
    SourceError
        For a file that cannot be read, or is no Python.
    """
    text = read_source(path).text
    if not 1 <= line <= text.count("\n") + 1:
        raise LookupError(f"{path} has no line {line}")
    module = lower_module(parse(str(path), text))
    function = _around(module, line)
    if stage == "lower":
        return render(function) + "\n"
    facts = infer([module])
    known = facts.contexts.get(function, ())
    if stage == "facts":
        return "\n".join(_facts(function, known, line)) + "\n"
    made = canonicalise(function, known, check_independent)
    lines = _kernels(made, known) if stage == "kernels" else iter([render(function)])
    shown = [*lines, *_left(made)] or ["no loop and no chain of array operations"]
    return "\n".join(shown) + "\n"


def _around(module: Module, line: int) -> Function:
    found = [f for f in module.functions if f.span.line <= line <= f.span.end_line]
    return max(found, key=lambda f: f.span.line, default=module.body)


def _facts(function: Function, contexts: tuple[Context, ...], line: int) -> Iterator[str]:
    """What is known of the values of a line, for each way in which the function is called."""
    for context in contexts:
        given = zip(function.parameters, context.parameters, strict=True)
        shown = ", ".join(f"{value.name}: {t!r}" for value, t in given)
        yield f"{function.qualname}({shown})"
        assumed: frozenset[Assumption] = NOTHING
        for op in walk(function.body):
            if op.span.line != line or not op.results:
                continue
            for result in op.results:
                t = context.types.get(result)
                yield f"  {result!r} = {op.kind}: {'never reached' if t is None else repr(t)}"
                assumed |= t.assumed if t is not None else NOTHING
        yield from (f"  rests on {one!r}" for one in sorted(assumed, key=repr))


def _kernels(made: Canonical, contexts: tuple[Context, ...]) -> Iterator[str]:
    """The functions that the loops of a function become, without their bodies."""
    for region in made.regions:
        yield f"line {region.replaces[-1].span.line}:"
        try:
            yield from _record(decorated(region, contexts[0], check_independent(region)))
        except Blocked as blocked:
            yield f"  no kernel: {blocked.reason}"


def _record(made: Decorated) -> Iterator[str]:
    yield "  @kernel("
    yield f'    "{made.inputs}",'
    yield f'    "{made.outputs}",'
    yield '    """'
    yield from (f"    {line}" for line in made.body)
    yield '    """,'
    said = {"over": made.over, "where": made.where, "returns": made.returns}
    yield from (f'    {name}="{text}",' for name, text in said.items() if text)
    if made.preamble:
        yield from (
            "    preamble=" + QUOTES,
            *(f"    {line}" for line in made.preamble.splitlines()),
        )
        yield f"    {QUOTES},"
    yield "  )"
    yield f"  def kernel({', '.join(name for name, _ in made.arguments)}): ..."
    call = f"kernel({', '.join(text for _, text in made.arguments)})"
    yield f"  {', '.join(made.assigned)} = {call}" if made.assigned else f"  {call}"
    yield from (f"  rests on {one}" for one in made.assumptions)
    yield from (f"  line {span.line}: {note}" for span, note in made.notes)


def _left(made: Canonical) -> Iterator[str]:
    yield from (f"line {left.span.line} stays: {left.reason}" for left in made.left)

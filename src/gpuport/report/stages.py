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
from gpuport.parallel.cuda.kernels import kernel_text
from gpuport.parallel.dependence import check_independent
from gpuport.source.reading import parse, read_source

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
    for region in made.regions:
        yield f"line {region.replaces[0].span.line}:"
        try:
            shared = check_independent(region).shared
            kernel = kernel_text(region, contexts[0], shared)
        except Blocked as blocked:
            yield f"  no kernel: {blocked.reason}"
            continue
        inputs = [*(a.text for a in kernel.inputs), *(f"int64 {name}" for name in kernel.bounds)]
        yield f"  {', '.join(inputs)}"
        yield f"  -> {', '.join(a.text for a in kernel.outputs)}"
        yield from (f"    {text}" for text in kernel.body)


def _left(made: Canonical) -> Iterator[str]:
    yield from (f"line {left.span.line} stays: {left.reason}" for left in made.left)

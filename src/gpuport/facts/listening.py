"""Which code runs while something asks to be told of floating-point errors, or of warnings."""

from __future__ import annotations

from collections.abc import Iterable

from gpuport.facts.contexts import Context
from gpuport.facts.knowledge import knowledge
from gpuport.ir.queries import walk
from gpuport.ir.structure import Op
from gpuport.ir.types import UNKNOWN, Type


def tell_listened(contexts: Iterable[Context]) -> None:
    """Let each context know what is asked for while it runs.

    What holds from then on may hold everywhere. A block is heard in all that is called from it.
    """
    known = list(contexts)
    everywhere = ""
    heard: list[tuple[Context, str]] = []
    for context in known:
        managers = _managers(context)
        for op in walk(context.function.body):
            path = _asks(context, op)
            if path and op not in managers:
                everywhere = path
            elif path:
                context.listening_blocks[managers[op]] = path
                inside = walk(managers[op].regions[0])
                heard += [
                    (callee, path) for one in inside for callee, _ in context.calls.get(one, ())
                ]
    while heard:
        context, path = heard.pop()
        if not context.listened:
            context.listened = path
            heard += [(callee, path) for called in context.calls.values() for callee, _ in called]
    for context in known if everywhere else ():
        context.listened = context.listened or everywhere


def _managers(context: Context) -> dict[Op, Op]:
    """Calls that give the context managers of blocks, with the blocks."""
    found: dict[Op, Op] = {}
    for op in walk(context.function.body):
        made = op.operands[0].definition if op.kind == "With" else None
        if isinstance(made, Op) and made.kind == "Call":
            found[made] = op
    return found


def _asks(context: Context, op: Op) -> str:
    """The function that an operation calls to be told of errors, or nothing."""
    if op.kind != "Call":
        return ""
    path = context.types.get(op.operands[0], UNKNOWN).path or ""
    rules = knowledge()
    table = rules.listening_blocks if path in rules.listening_blocks else rules.listening
    silent = table.get(path)
    if silent is None:
        return ""
    decides = _deciding(context, op, path)
    return path if not silent or any(word not in silent for word in decides) else ""


def _deciding(context: Context, op: Op, path: str) -> list[object]:
    """The arguments of a call that say what it asks for; None for one that nothing tells."""
    given = [_constant(context.types.get(value, UNKNOWN)) for value in op.operands[1:]]
    first = len(given) - len(op.attributes["keywords"])
    named = dict(zip(op.attributes["keywords"], given[first:], strict=True))
    if path.startswith("warnings.") and path != "warnings.catch_warnings":
        return [given[0] if first else named.get("action")]
    return given


def _constant(t: Type) -> object:
    return t.constant[0] if t.constant is not None else None

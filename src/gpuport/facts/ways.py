"""Where values of a program come from: calls, results, attributes, loops, and lists."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator

from gpuport.facts.contexts import Context
from gpuport.facts.index import annotated_fields
from gpuport.facts.knowledge import knowledge
from gpuport.ir.extents import Affine
from gpuport.ir.queries import walk
from gpuport.ir.structure import Function, Op, Region, Value


def fields(context: Context, op: Op) -> Iterator[tuple[str, Value]]:
    """The attributes that an operation stores: one, or those that a dataclass is made with."""
    if op.kind == "SetAttr" and op.operands[-1] in context.types:
        yield op.attributes["name"], op.operands[-1]
    callee = context.types.get(op.operands[0]) if op.kind == "Call" else None
    if callee is None or callee.kind != "class" or any(op.attributes["stars"]):
        return
    names = next(iter(map(list, map(annotated_fields, callee.targets))), [])
    count = len(op.attributes["stars"])
    yield from zip(names, op.operands[1 : count + 1], strict=False)
    yield from zip(op.attributes["keywords"], op.operands[count + 1 :], strict=True)


def sources(extent: Affine) -> set[Value]:
    """The values by which an extent is told."""
    return {symbol.source for symbol in extent.symbols}


def rank(context: Context, value: Value) -> int | None:
    t = context.types.get(value)
    return None if t is None else t.rank


def named(context: Context, op: Op) -> tuple[str, list[Value]]:
    """The path of what a call calls, and what it is given, the object of a method first."""
    if op.kind != "Call":
        return "", []
    callee, path = context.types.get(op.operands[0]), ""
    if callee is None or not callee.path:
        return "", []
    path, given = callee.path, op.operands[1:]
    made = op.operands[0].definition
    receiver = callee.items[0] if callee.kind == "method" and callee.items else None
    if receiver is not None and receiver.kind == "array" and isinstance(made, Op):
        return f"numpy.ndarray.{path}", [made.operands[0], *given]
    return (path, given) if callee.kind == "library" else ("", [])


def begun(value: Value) -> Value | None:
    """What a value that a loop carries was before the loop."""
    definition = value.definition
    loop = definition.owner if isinstance(definition, Region) else definition
    if not isinstance(loop, Op) or loop.kind not in ("For", "While"):
        return None
    inits = loop.operands[1:] if loop.kind == "For" else loop.operands
    among = definition.parameters if isinstance(definition, Region) else loop.results
    place = among.index(value) - len(among)
    return inits[place] if -place <= len(inits) else None


def returned(context: Context, op: Op) -> list[tuple[Context, Value]]:
    """What the functions of the program give back that a call reaches."""
    reached = context.calls.get(op, ()) if op.kind == "Call" else ()
    return [
        (callee, one.operands[0]) for callee, _ in reached
        if not callee.function.is_generator
        for one in walk(callee.function.body)
        if one.kind == "Return" and one.operands and one.operands[0] in callee.types
    ]  # fmt: skip


class Grown:
    """Where lists become longer.

    Parameters
    ----------
    contexts : iterable of Context
        Of the whole program.
    """

    def __init__(self, contexts: Iterable[Context]) -> None:
        self._elsewhere: set[Hashable] = set()
        self._in: dict[Hashable, set[Function]] = {}
        every = tuple(contexts)
        for context in every:
            for op in walk(context.function.body):
                for site in _grows(context, op):
                    self._in.setdefault(site, set()).add(context.function)
        for context in every:
            for reached in context.calls.values():
                for _, sites in reached:
                    for parameter, given in sites:
                        self._elsewhere.update((given or ()) if parameter in self._in else ())

    def only_in(self, made: Op) -> bool:
        """Whether a list becomes longer nowhere but in the function that makes it."""
        others = self._in.get(made, set()) - {function_of(made)}
        return made not in self._elsewhere and not others


def appended(context: Context, made: Op) -> Iterator[Op]:
    """The operations that may put one more item in a list, in the function that makes it."""
    return (op for op in walk(function_of(made).body) if made in _grows(context, op))


def function_of(op: Op) -> Function:
    """The function that an operation is in."""
    owner: Op | Function = op.parent.owner
    while isinstance(owner, Op):
        owner = owner.parent.owner
    return owner


def _grows(context: Context, op: Op) -> Iterable[Hashable]:
    """The lists, by where they are made, that an operation may put more items in."""
    target = context.types.get(op.operands[0]) if op.operands else None
    if target is not None and op.kind == "Call":
        does = knowledge().methods["list"].get(target.path or "")
        target = target.items[0] if does in _ADDING and target.items else None
    elif op.kind not in ("Collect", "InPlace"):
        return ()
    return (target.sites or ()) if target is not None and target.kind == "list" else ()


def adds_all(context: Context, op: Op) -> bool:
    """Whether an operation puts all in a list that it is given: ``rows.extend(more)``."""
    callee = context.types.get(op.operands[0]) if op.kind == "Call" else None
    does = knowledge().methods["list"].get(callee.path or "") if callee is not None else None
    return op.kind == "InPlace" or does == "adds_all"


_ADDING = ("adds", "adds_all")


def handed(context: Context, value: Value) -> Iterator[tuple[Context, Value] | None]:
    """What each call hands in for a parameter; None where that is not seen."""
    function = context.function
    place = function.parameters.index(value)
    name = function.signature[place].name if place < len(function.signature) else ""
    for caller, op in context.handed:
        callee = caller.types.get(op.operands[0]) if op.operands and op.kind == "Call" else None
        stars, keywords = op.attributes.get("stars", ()), op.attributes.get("keywords", ())
        if callee is None or any(stars):
            yield None
            continue
        own = place - (callee.kind != "function")
        given = op.operands[1:]
        if name in keywords:
            yield caller, given[len(stars) + keywords.index(name)]
        else:
            yield (caller, given[own]) if 0 <= own < len(stars) else None


__all__ = [
    "Grown", "adds_all", "appended", "begun", "fields", "function_of", "handed", "named", "rank",
    "returned", "sources",
]  # fmt: skip

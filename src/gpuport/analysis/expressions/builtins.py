"""What Python's builtins do with arrays: they are part of the language, not of NumPy."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from gpuport.analysis.calls.arguments import Argument, arguments
from gpuport.analysis.calls.hostcalls import host_call, unknown_call
from gpuport.analysis.expressions.choosing import announce_key, chosen_by_key
from gpuport.analysis.expressions.evaluation import kept
from gpuport.analysis.expressions.iterating import is_nothing_yet, iterate
from gpuport.analysis.expressions.iteratorbuiltins import (
    enumerated,
    mapped,
    next_of,
    range_of,
    tell_of_calls,
    zipped,
)
from gpuport.analysis.expressions.numberbuiltins import absolute, converted, extreme, sum_of, truth
from gpuport.analysis.expressions.plainbuiltins import plain_result
from gpuport.analysis.interpretation.flows import Flow, Refused
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.texts import ASKS, read_whole
from gpuport.analysis.placement.graph import Reason, unsupported
from gpuport.analysis.values.lattice import (
    EMPTY,
    INT,
    UNKNOWN,
    Array,
    Mapping,
    Number,
    Scalar,
    Sequence,
    is_container,
    on_device_possible,
    record,
)
from gpuport.analysis.values.nesting import fill, held_by, put
from gpuport.rules.libraries import library_of


def dict_of(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``dict(u=u, v=v)``, ``dict(others, u=u)``."""
    first, named = args[:1], args[1:]
    if not args or args[0].keyword is not None:
        first, named = [], args
    if not named or any(a.keyword is None for a in named):
        return listed(unit, node, name, args)
    container = unit.node_for("container", node, name)
    for others in first:
        if not isinstance(others.flow.value, Mapping):
            return _not_followed(unit, node, args)
        unit.follow(others.expression)
        if others.flow.origin is not None:
            unit.graph.unite(container, others.flow.origin)
        else:
            fill(unit.graph, container, held_by(others.flow.value))
    for argument in named:
        flow = kept(unit, argument.expression, argument.flow)
        put(unit, container, argument.expression, flow, key=argument.keyword)
    return unit.refresh(Flow(record({}), container, fresh=True))


def _not_followed(unit: Unit, node: ast.Call, args: list[Argument]) -> Flow:
    """A dict of which not all is known: its arrays stay on the host."""
    text = " ".join(unit.module.segment(node).split())[:60]
    reason = unsupported(node, f"what becomes of the arrays in `{text}` is not followed")
    for argument in args:
        unit.escape(argument.expression, argument.flow, reason)
    return Flow(UNKNOWN)


def sorted_of(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``sorted(found)``: the keys of a dict in order, or the numbers of an array."""
    first = args[0].flow if args else Flow(UNKNOWN)
    held = first.origin is not None and bool(first.origin.root().parameters)
    given = held and unit.objects is None  # of members it is known what they are given
    others = any(on_device_possible(a.flow.value) for a in args[1:])
    if isinstance(first.value, Mapping) and not given and not others:
        unit.follow(args[0].expression)
        return Flow(Sequence(Scalar()))
    if not any(on_device_possible(a.flow.value) for a in args):
        return Flow(UNKNOWN)
    found = host_call(unit, node, f"builtins.{name}", args)
    if isinstance(first.value, Array) and first.value.rank == 1 and not first.value.optional:
        return Flow(Sequence(Number(first.value.dtype, numpy_scalar=True)))
    return found


def listed(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    if not args:
        container = unit.node_for("container", node, name)
        if name == "dict":
            return Flow(record({}), container, fresh=True)
        return Flow(Sequence(EMPTY, list=name == "list"), container, fresh=True)
    flow = args[0].flow
    if name == "dict":
        if isinstance(flow.value, Mapping):
            unit.follow(args[0].expression)
            return flow
        if len(args) >= 1 and on_device_possible(flow.value):
            return unknown_call(unit, node, args)
        return Flow(Mapping(UNKNOWN))
    if is_nothing_yet(flow.value):
        return Flow(Sequence(EMPTY, list=name == "list"), flow.origin)
    item, origin = iterate(unit, node, args[0].expression, flow)
    if origin is not None and is_container(flow.value):
        origin = flow.origin
    return Flow(Sequence(item, list=name == "list"), origin)


def builtin_call(unit: Unit, node: ast.Call, path: str) -> Flow:
    """Interpret a call of a builtin."""
    name = path.partition(".")[2]
    if name in _REFLECTION and not _has_names_of_its_own(node, name):
        message = (
            f"unsupported syntax: `{name}()` reads or changes names in ways that cannot be followed"
        )
        raise Refused(Reason("GP906", message, node, "unsupported-syntax"))
    _mark_generators(unit, node, name)
    by_key = announce_key(unit, node) if name in _CHOOSING else None
    args = arguments(unit, node)
    chosen = chosen_by_key(unit, node, by_key, name, args) if by_key is not None else None
    if chosen is not None:
        return chosen
    if unit.objects is not None and path in ASKS:
        read_whole(unit, path, args)
    handler = _HANDLERS.get(name)
    if handler is not None and not any(a.keyword == "**" for a in args):
        return handler(unit, node, name, args)
    if not any(on_device_possible(a.flow.value) for a in args):
        return Flow(plain_result(unit, node, name, args))
    if unit.knowledge.rules.host(path) is not None:
        return host_call(unit, node, path, args)
    return unknown_call(unit, node, args)


def _has_names_of_its_own(node: ast.Call, name: str) -> bool:
    """Whether a text is read with the names of a display alone: ``eval(text, {"pi": np.pi})``."""
    return name in ("eval", "exec") and len(node.args) > 1 and isinstance(node.args[1], ast.Dict)


def _mark_generators(unit: Unit, node: ast.Call, name: str) -> None:
    """Note which generators among the arguments run where the call stands, and which to the end."""
    if name in _CONSUMERS:
        generators = {id(a) for a in node.args if isinstance(a, ast.GeneratorExp)}
        unit.marked.consumed |= generators
        unit.marked.consume(*(a for a in node.args if isinstance(a, ast.Call)))
        if name not in ("any", "all", "next"):
            through = (one for argument in node.args for one in _run_through(argument))
            unit.marked.exhausted.update(map(id, through))
    elif name == "dict" and len(node.args) == 1:
        inner = [one for one in _run_through(node.args[0]) if one is not node.args[0]]
        numbered = {id(one) for one in inner if isinstance(one, ast.GeneratorExp)}
        unit.marked.consumed |= numbered
        unit.marked.exhausted |= numbered


def _run_through(node: ast.expr) -> Iterator[ast.expr]:
    """Generators and calls that are run to their end with an argument: `enumerate` is no end."""
    if isinstance(node, (ast.GeneratorExp, ast.Call)):
        yield node
    if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "enumerate" and node.args:
        yield from _run_through(node.args[0])


_CONSUMERS = frozenset(
    {"sum", "any", "all", "min", "max", "list", "tuple", "sorted", "set", "frozenset", "next"}
)
"""What runs a generator to its end, or to where it knows enough, before it returns."""

_CHOOSING = frozenset({"min", "max", "sorted"})
"""What takes a ``key``, a function to compare items by."""

_REFLECTION = frozenset(
    {"exec", "eval", "locals", "globals", "vars", "compile", "__import__", "delattr"}
)


def _length(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    for argument in args:
        unit.follow(argument.expression)
    return Flow(INT)


def starmap(unit: Unit, node: ast.Call) -> Flow | None:
    """``starmap(np.linalg.solve, zip(matrices, rights))``, which `map` could stand for."""
    if node.args:
        tell_of_calls(unit, node, node.args[0])
    same = unit.project.equivalents.as_map(node)
    paths = ("builtins.map", "builtins.zip")
    heads = (same.func, node.args[1].func) if same is not None else ()  # type: ignore[attr-defined]
    if same is None or tuple(map(unit.scope.resolve, heads)) != paths:
        return None
    path = unit.scope.resolve(same.args[0])
    if path is None or library_of(path) is None:
        return None
    for ends in (unit.marked.exhausted, unit.marked.consumed):
        ends |= {id(same)} if id(node) in ends else set()
    return builtin_call(unit, same, "builtins.map")


_EMPTY = frozenset(f"builtins.{name}" for name in ("dict", "float", "int", "list", "set", "str"))
"""What gives an empty container, or a number, when it is called with nothing."""


def making(unit: Unit, node: ast.Call) -> Flow | None:
    """``defaultdict(list)``: a dict, still empty; None where it may make arrays."""
    factory = node.args[0] if unit.project.equivalents.made_when_asked(node, None) else None
    plain = isinstance(factory, ast.Name) and unit.scope.resolve(factory) in _EMPTY
    written = (ast.Constant, ast.List, ast.Tuple, ast.Dict, ast.UnaryOp, ast.unaryop, ast.Load)
    literal = isinstance(factory, ast.Lambda) and all(
        isinstance(one, written) for one in ast.walk(factory.body)
    )
    if not (plain or literal):
        return None
    container = unit.node_for("container", node, "dict", told_apart=unit.is_followed)
    container.makes = node
    return Flow(record({}), container, fresh=True)


_HANDLERS: dict[str, Callable[[Unit, ast.Call, str, list[Argument]], Flow]] = {
    "float": converted,
    "int": converted,
    "bool": converted,
    "complex": converted,
    "len": _length,
    "abs": absolute,
    "max": extreme,
    "min": extreme,
    "sum": sum_of,
    "any": truth,
    "all": truth,
    "range": range_of,
    "enumerate": enumerated,
    "zip": zipped,
    "next": next_of,
    "map": mapped,
    "list": listed,
    "tuple": listed,
    "dict": dict_of,
    "reversed": listed,
    "sorted": sorted_of,
}

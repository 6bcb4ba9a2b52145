"""What Python's builtins do with arrays: they are part of the language, not of NumPy."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from gpuport.analysis.calls.arguments import Argument, arguments
from gpuport.analysis.calls.hostcalls import host_call, unknown_call
from gpuport.analysis.expressions.choosing import announce_key, chosen_by_key
from gpuport.analysis.expressions.containerbuiltins import dict_of, listed, sorted_of
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
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.values.lattice import (
    INT,
    on_device_possible,
    record,
)
from gpuport.rules.libraries import library_of


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
        if name not in ("any", "all"):
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
    {"sum", "any", "all", "min", "max", "list", "tuple", "sorted", "set", "frozenset"}
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

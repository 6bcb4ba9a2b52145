"""What Python's builtins do with arrays: they are part of the language, not of NumPy."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace

from gpuport.analysis.calls.arguments import Argument, arguments
from gpuport.analysis.calls.hostcalls import host_call, unknown_call
from gpuport.analysis.expressions.choosing import announce_key, chosen_by_key
from gpuport.analysis.expressions.containerbuiltins import dict_of, listed, sorted_of
from gpuport.analysis.expressions.iterating import is_nothing_yet, iterate
from gpuport.analysis.expressions.subscripts import keep_element
from gpuport.analysis.interpretation.flows import Flow, Refused
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.texts import ASKS, read_whole
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.analysis.values.lattice import (
    EMPTY,
    INT,
    UNKNOWN,
    Array,
    Either,
    Number,
    Scalar,
    Sequence,
    Unknown,
    Value,
    elements,
    is_arraylike,
    is_container,
    is_number,
    join,
    join_all,
    on_device_possible,
)
from gpuport.analysis.values.nesting import tuples
from gpuport.rules.libraries import library_of


def builtin_call(unit: Unit, node: ast.Call, path: str) -> Flow:
    """Interpret a call of a builtin."""
    name = path.partition(".")[2]
    if name in _REFLECTION:
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
        return Flow(_plain_result(unit, node, name, args))
    if unit.knowledge.rules.host(path) is not None:
        return host_call(unit, node, path, args)
    return unknown_call(unit, node, args)


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


_CONSUMERS = frozenset({"sum", "any", "all", "min", "max", "list", "tuple", "sorted"})
"""What runs a generator to its end, or to where it knows enough, before it returns."""

_CHOOSING = frozenset({"min", "max", "sorted"})
"""What takes a ``key``, a function to compare items by."""

_REFLECTION = frozenset(
    {"exec", "eval", "locals", "globals", "vars", "compile", "__import__", "delattr"}
)
_PLAIN = {"str": "str", "repr": "str", "input": "str", "isinstance": "bool", "hasattr": "bool",
          "callable": "bool", "issubclass": "bool", "any": "bool", "all": "bool", "ord": "int",
          "hash": "int", "id": "int", "chr": "str", "format": "str", "print": "None",
          "round": None, "pow": None, "divmod": None, "max": None, "min": None, "sum": None,
          "abs": None, "slice": "slice", "type": "dtype",
          "bytes": "bytes", "hex": "str", "bin": "str", "oct": "str"}  # fmt: skip

_OF_ARRAYS = frozenset({"pow", "divmod", "max", "min", "sum", "abs"})
"""Of these, what gives arrays where it is given some; ``round`` is not among them."""


def _plain_result(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Value:
    """What a builtin makes of things that are no arrays, or that nothing is known of."""
    if name in _OF_ARRAYS and any(map(_is_unknown, args)):
        return _unknown_result(unit, node)
    return Scalar(_PLAIN[name]) if name in _PLAIN else UNKNOWN


def _is_unknown(argument: Argument) -> bool:
    """Whether nothing is known of an argument, or of what it holds."""
    value = argument.flow.value
    held = elements(value) if is_container(value) else value
    return isinstance(held, Unknown)


def _unknown_result(unit: Unit, node: ast.Call) -> Unknown:
    return Unknown(f"the result of `{unit.module.segment(node)[:60]}`")


def _convert(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``float(x)``: works on the device too, at the price of a synchronisation."""
    for argument in args:
        flow = argument.flow
        if is_arraylike(flow.value) and flow.origin is not None:
            dtype = getattr(flow.value, "dtype", None) or ""
            if dtype.startswith("complex") and name in ("int", "float"):
                # NumPy drops the imaginary part with a warning, CuPy raises TypeError.
                unit.to_host(argument.expression, flow)
                continue
            unit.work.syncs[id(node)] = (node, flow.origin)
            if flow.element and unit.in_stacked and name == "int":  # places, where the items are
                flow.origin.root().host_cost += unit.weight
            elif flow.element:
                unit.element_work(node, flow.origin)
    constant = args[0].flow.value if len(args) == 1 else None
    known = constant.constant if isinstance(constant, Scalar) else None
    if isinstance(known, (int, float)) and name == "int" and known == int(known):
        return Flow(Scalar("int", int(known)))
    return Flow(Scalar(name))


def _length(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    for argument in args:
        unit.follow(argument.expression)
    return Flow(INT)


def _absolute(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    from gpuport.analysis.expressions.operators import operator

    if len(args) != 1 or not is_arraylike(args[0].flow.value):
        return Flow(args[0].flow.value if args else UNKNOWN)
    result = operator(unit, node, "UAdd", [(args[0].expression, args[0].flow)])
    dtype = getattr(result.value, "dtype", None)
    if dtype is None or dtype.startswith("complex"):
        from gpuport.analysis.expressions.attributes import with_dtype

        return replace(result, value=with_dtype(result.value, None))
    return result


def _extreme(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``max(a, b)`` compares and gives back one of its arguments."""
    plain = [a for a in args if a.keyword is None]
    if not any(on_device_possible(a.flow.value) for a in args):
        values = [a.flow.value for a in plain]
        several = len(plain) > 1 and len(plain) == len(args) and all(map(is_number, values))
        if several:
            return Flow(Scalar(getattr(join_all(values), "type", None)))
        return Flow(_chosen(unit, node, args, plain))
    # The items of a stack are numbers, or Python raises for all of them.
    kinds = (Number, Scalar, Either) if unit.in_stacked else (Number, Scalar)
    numbers = (
        len(plain) >= 2
        and len(plain) == len(args)
        and all(isinstance(a.flow.value, kinds) for a in plain)
    )
    if not numbers:
        return host_or_unknown(unit, node, name, args)
    choice = unit.operation(node, name, 0.0, only_numbers=True)
    value: Value | None = None
    if all(a.flow.element or a.flow.origin is None for a in plain):
        unit.element_work(node, choice, *(a.flow.origin for a in plain))
    for argument in plain:
        one = keep_element(unit, argument.expression, argument.flow)
        unit.use(argument.expression, one, choice)
        value = argument.flow.value if value is None else join(value, argument.flow.value)
    numeric = value if isinstance(value, Number) else Number(None, numpy_scalar=False)
    element = any(a.flow.element for a in plain)
    return Flow(Number(numeric.dtype, numpy_scalar=False), choice, fresh=True, element=element)


def _chosen(unit: Unit, node: ast.Call, args: list[Argument], plain: list[Argument]) -> Value:
    """One of several values that are no arrays, as far as is known, or of the items of one.

    What is compared without a key are numbers, texts, or tuples that begin with such.
    """
    if len(plain) > 1 and not any(a.keyword == "key" for a in args):
        return Scalar()
    if any(map(_is_unknown, plain)):
        return _unknown_result(unit, node)
    first = plain[0].flow.value if len(plain) == 1 else UNKNOWN
    item = elements(first) if is_container(first) else None
    return item if item is not None and is_container(item) else Scalar()


def host_or_unknown(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """Fall back to what the rules say of the builtin."""
    path = f"builtins.{name}"
    chosen = name in ("max", "min") and any(a.keyword == "key" for a in args)  # of anything
    for argument in args:
        if chosen and getattr(argument.flow.value, "rank", None) != 1:
            message = f"`{name}()` hands out parts of it, which may be changed"
            unit.escape(
                argument.expression,
                argument.flow,
                Reason("GP902", message, node, "unknown-call"),
            )
        elif is_container(argument.flow.value):
            unit.escape(
                argument.expression,
                argument.flow,
                Reason("GP402", f"`{name}()` works on Python values", node),
            )
        else:
            unit.to_host(argument.expression, argument.flow)
    if unit.knowledge.rules.host(path) is not None:
        held = [elements(a.flow.value) for a in args if is_container(a.flow.value)]
        if any(isinstance(value, Array) for value in held):
            return Flow(UNKNOWN)
    number = name in ("max", "min", "sum") and not chosen
    return Flow(Number(None, numpy_scalar=False) if number else UNKNOWN)


def _sum(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``sum(arrays)`` adds from left to right."""
    from gpuport.analysis.knowledge.probing import probe_operator

    first = args[0].flow if args else Flow(UNKNOWN)
    if len(args) == 1 and is_container(first.value) and first.origin is not None:
        of = elements(first.value)
        if of is not None and on_device_possible(of):
            value = probe_operator("Add", (of, of))
            operation = unit.operation(node, "sum", 1.0)
            unit.marked.sums.add(id(node))
            unit.use(args[0].expression, first, operation)
            if first.origin.holds_numbers():
                value = of
            return unit.fresh(node, value, operation)
    if not any(on_device_possible(a.flow.value) for a in args):
        return Flow(_plain_result(unit, node, name, args))
    result = host_or_unknown(unit, node, name, args)
    if any(not is_number(a.flow.value) for a in args[1:]):  # an array, or a list, to begin with
        return Flow(UNKNOWN)
    row = _row(unit, first.value)
    if row is None or isinstance(row, Number):
        return result
    made = unit.node_for("operation", node, name)
    unit.graph.pin(made, Reason("GP402", "`sum()` works on Python values", node))
    known = isinstance(row, Array)
    value = probe_operator("Add", (row, row)) if known else _of_any_rank(first.value)
    return Flow(value, made, fresh=True)


def _of_any_rank(value: Value) -> Value:
    """The sum of an array's numbers, or of its rows: which of the two is not known."""
    return Either(getattr(value, "dtype", None), getattr(value, "sources", frozenset()))


def _row(unit: Unit, value: Value) -> Value | None:
    """What ``sum`` adds up of an array: its numbers, or its rows; None of what is no array."""
    from gpuport.analysis.knowledge.probing import probe_index

    if not is_arraylike(value):
        return None
    return probe_index(value, (Scalar("int", 0),), unit.parameters.matrices)


def _truth(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``any(p.max() > 1 for p in parts)``: the truth of one after the other, a wait for each."""
    flow = args[0].flow if len(args) == 1 else Flow(UNKNOWN)
    if is_container(flow.value) and isinstance(elements(flow.value), (Number, Array)):
        if flow.origin is not None:
            unit.work.syncs[id(node)] = (node, flow.origin)
        return Flow(Scalar("bool"))
    if not any(on_device_possible(a.flow.value) for a in args):
        return Flow(Scalar("bool"))
    if unit.knowledge.rules.host(f"builtins.{name}") is not None:
        return host_call(unit, node, f"builtins.{name}", args)
    return unknown_call(unit, node, args)


def _range(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    for argument in args:
        unit.to_host(argument.expression, argument.flow)
    return Flow(Sequence(INT, list=False))


def _enumerate(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    item, origin = _item(unit, node, args[0]) if args else (UNKNOWN, None)
    return tuples(unit, node, (INT, item), (None, origin))


def _zip(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    items: list[Value] = []
    origins: list[Node | None] = []
    for argument in args:
        if argument.keyword is not None:
            continue
        item, one = _item(unit, node, argument)
        items.append(item)
        origins.append(one)
    return tuples(unit, node, tuple(items), origins)


def _item(unit: Unit, node: ast.Call, argument: Argument) -> tuple[Value, Node | None]:
    """What going through an argument gives; a loop over it may wait for there to be something."""
    if is_nothing_yet(argument.flow.value):
        return EMPTY, None
    item, origin = iterate(unit, node, argument.expression, argument.flow)
    return item, origin


def _map(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``map(np.linalg.solve, matrices, rights)``: a call of NumPy for each item."""
    from gpuport.analysis.batches.loops import noted
    from gpuport.analysis.calls.numpycalls import numpy_call

    path = unit.scope.resolve(node.args[0]) if node.args else None
    plain = len(args) > 1 and not node.keywords and all(a.position is not None for a in args)
    plain = plain and (id(node) in unit.marked.exhausted or id(node) in unit.marked.consumed)
    if path is None or library_of(path) is None or not plain:
        if node.args:
            _tell_of_calls(unit, node, node.args[0])
        return _unfollowed(unit, node, args)
    items = [iterate(unit, node, a.expression, a.flow) for a in args[1:]]
    if any(origin is None for _, origin in items):
        return _unfollowed(unit, node, args)
    call = unit.project.equivalents.call_of_each(node)
    names = [a.id for a in call.args if isinstance(a, ast.Name)]
    before = {name: unit.env[name] for name in names if name in unit.env}
    has_form = id(node) in unit.marked.exhausted and noted(unit, node)
    for name, (item, origin) in zip(names, items, strict=True):
        unit.env[name] = Flow(item, origin, view=True)
    with unit.within_stacked(has_form), unit.loop(frozenset(names), node):
        result = numpy_call(unit, call, path)
    for name in names:
        del unit.env[name]
    unit.env.update(before)
    worked = unit.nodes.get(("operation", id(call)))
    for argument, (_, origin) in zip(args[1:], items, strict=True):
        if is_container(argument.flow.value) and origin is not None and worked is not None:
            unit.graph.unite(worked, origin)  # no transfer can be written for each item
    return Flow(Sequence(result.value, list=False), result.origin)


def _tell_of_calls(unit: Unit, node: ast.Call, function: ast.expr) -> None:
    """Say of ``map(project_function, matrices)`` that a comprehension would be stacked."""
    from gpuport.analysis.batches.gains import called_gains

    if called_gains(unit, function):
        name = "a lambda" if isinstance(function, ast.Lambda) else f"`{ast.unparse(function)}`"
        unit.note(
            "GP301",
            f"one call for each matrix: unsupported syntax: `{ast.unparse(node.func)}` of {name}; "
            "a comprehension with that call can be stacked",
            node,
        )


def starmap(unit: Unit, node: ast.Call) -> Flow | None:
    """``starmap(np.linalg.solve, zip(matrices, rights))``, which `map` could stand for."""
    if node.args:
        _tell_of_calls(unit, node, node.args[0])
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


def _unfollowed(unit: Unit, node: ast.Call, args: list[Argument]) -> Flow:
    if not any(on_device_possible(a.flow.value) for a in args):
        return Flow(UNKNOWN)
    return unknown_call(unit, node, args)


def _next(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``next(feed)``: an item of what is gone through, or else what is given instead."""
    if not args or not is_container(args[0].flow.value) or args[0].position is None:
        return _unfollowed(unit, node, args)
    item, origin = _item(unit, node, args[0])
    drawn = Flow(item, origin if on_device_possible(item) else None, view=True)
    return drawn if len(args) == 1 else unit.join_flows(drawn, args[1].flow)


_HANDLERS: dict[str, Callable[[Unit, ast.Call, str, list[Argument]], Flow]] = {
    "float": _convert,
    "int": _convert,
    "bool": _convert,
    "complex": _convert,
    "len": _length,
    "abs": _absolute,
    "max": _extreme,
    "min": _extreme,
    "sum": _sum,
    "any": _truth,
    "all": _truth,
    "range": _range,
    "enumerate": _enumerate,
    "zip": _zip,
    "next": _next,
    "map": _map,
    "list": listed,
    "tuple": listed,
    "dict": dict_of,
    "reversed": listed,
    "sorted": sorted_of,
}

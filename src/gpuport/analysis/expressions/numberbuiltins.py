"""Builtins that give numbers: conversions, absolute values, extremes, sums, truth."""

from __future__ import annotations

import ast
from dataclasses import replace

from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.calls.hostcalls import host_call, unknown_call
from gpuport.analysis.expressions.attributes import with_dtype
from gpuport.analysis.expressions.evaluation import kept
from gpuport.analysis.expressions.operators import operator
from gpuport.analysis.expressions.plainbuiltins import is_unknown, plain_result, unknown_result
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge.probing import probe_index, probe_operator
from gpuport.analysis.objects.operators import object_unary
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Either,
    Instance,
    Number,
    Object,
    Scalar,
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


def converted(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``float(x)``: works on the device too, at the price of a synchronisation."""
    for argument in args:
        flow = argument.flow
        if is_arraylike(flow.value) and flow.origin is not None:
            dtype = getattr(flow.value, "dtype", None) or ""
            if dtype.startswith("complex") and name in ("int", "float"):
                # NumPy drops the imaginary part with a warning, CuPy raises TypeError.
                unit.to_host(argument.expression, flow)
                continue
            named = unit.named_number(argument.expression)
            unit.wait(node, flow.origin, picked=flow.view, named=named)
            if flow.element and unit.in_stacked and name == "int":  # places, where the items are
                flow.origin.root().host_cost += unit.weight
            elif flow.element:
                unit.element_work(node, flow.origin)
    constant = args[0].flow.value if len(args) == 1 else None
    known = constant.constant if isinstance(constant, Scalar) else None
    if isinstance(known, (int, float)) and name == "int" and known == int(known):
        return Flow(Scalar("int", int(known)))
    return Flow(Scalar(name))


def absolute(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``abs(x)``: of an array the operator; of complex numbers in another dtype."""
    if len(args) == 1 and isinstance(args[0].flow.value, (Object, Instance)):
        (one,) = args
        found = object_unary(unit, node, "__abs__", one.expression, one.flow)
        return Flow(Unknown(f"`{unit.module.segment(node)[:60]}`")) if found is None else found
    if len(args) != 1 or not is_arraylike(args[0].flow.value):
        return Flow(args[0].flow.value if args else UNKNOWN)
    result = operator(unit, node, "UAdd", [(args[0].expression, args[0].flow)])
    dtype = getattr(result.value, "dtype", None)
    if dtype is None or dtype.startswith("complex"):
        return replace(result, value=with_dtype(result.value, None))
    return result


def extreme(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
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
        one = kept(unit, argument.expression, argument.flow)
        unit.use(argument.expression, one, choice)
        if argument.flow.origin is not None:
            unit.wait(node, argument.flow.origin)  # it is asked which of them is larger
        value = argument.flow.value if value is None else join(value, argument.flow.value)
    numeric = value if isinstance(value, Number) else Number(None, numpy_scalar=False)
    element = any(a.flow.element for a in plain)
    chosen = Number(numeric.dtype, numpy_scalar=False, real=True)  # others have no order
    return Flow(chosen, choice, fresh=True, element=element)


def _chosen(unit: Unit, node: ast.Call, args: list[Argument], plain: list[Argument]) -> Value:
    """One of several values that are no arrays, as far as is known, or of the items of one.

    What is compared without a key are numbers, texts, or tuples that begin with such.
    """
    if len(plain) > 1 and not any(a.keyword == "key" for a in args):
        return Scalar()
    if any(map(is_unknown, plain)):
        return unknown_result(unit, node)
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


def sum_of(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``sum(arrays)`` adds from left to right."""
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
        return Flow(plain_result(unit, node, name, args))
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
    if not is_arraylike(value):
        return None
    return probe_index(value, (Scalar("int", 0),), unit.parameters.matrices)


def truth(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """``any(p.max() > 1 for p in parts)``: the truth of one after the other, a wait for each."""
    flow = args[0].flow if len(args) == 1 else Flow(UNKNOWN)
    if is_container(flow.value) and isinstance(elements(flow.value), (Number, Array)):
        if flow.origin is not None:
            unit.wait(node, flow.origin)
        return Flow(Scalar("bool"))
    if not any(on_device_possible(a.flow.value) for a in args):
        return Flow(Scalar("bool"))
    if unit.knowledge.rules.host(f"builtins.{name}") is not None:
        return host_call(unit, node, f"builtins.{name}", args)
    return unknown_call(unit, node, args)

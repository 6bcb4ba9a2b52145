"""Calls of NumPy that stay on the host: no array takes part, or an object of a library is made."""

from __future__ import annotations

import ast

from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.calls.numpyarguments import is_device_dtype, parameter_name
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.values.lattice import UNKNOWN, Number, Unknown, Value, on_device_possible
from gpuport.rules.libraries import Library


def host_value(unit: Unit, node: ast.Call, path: str, value: Value, args: list[Argument]) -> Flow:
    """No array takes part: NumPy on Python numbers is best left where it is."""
    for argument in args:
        if isinstance(argument.flow.value, Unknown):
            text = unit.module.segment(argument.expression)
            unit.work.host_calls[id(node)] = Reason(
                "GP901",
                f"unknown type: it is not known whether `{text[:60]}` is an array",
                node,
                "unknown-type",
                unknown=argument.expression,
            )
            if argument.position is not None:
                return Flow(Unknown(f"the result of `{unit.module.segment(node)[:60]}`"))
    reason = _without_arrays(unit, node)
    if value == UNKNOWN and any(
        parameter_name(unit, path, a) == "dtype" and not is_device_dtype(a.flow.value) for a in args
    ):
        text = " ".join(unit.module.segment(node).split())[:60]
        reason = Reason(
            "GP905",
            f"object-dtype: `{text}` holds Python objects or strings, which CuPy has no arrays of",
            node,
            "object-dtype",
            help="a numeric dtype such as np.int64, where its range is enough, can be ported",
        )
    unit.work.host_calls.setdefault(id(node), reason)
    if not on_device_possible(value) or isinstance(value, Number):
        return Flow(value)
    return made_on_host(unit, node, path, value, args, reason)


def _without_arrays(unit: Unit, node: ast.Call) -> Reason:
    """Why a call is left alone: it is given no array, as far as what it is given is known."""
    unpacked: list[ast.expr] = [a for a in node.args if isinstance(a, ast.Starred)]
    unpacked += [k.value for k in node.keywords if k.arg is None]
    if not unpacked:
        return Reason("GP407", f"`{unit.module.segment(node.func)}` is given no array", node)
    text = unit.module.segment(unpacked[0])[:60]
    return Reason(
        "GP901",
        f"unknown type: what `{text}` gives to `{unit.module.segment(node.func)}` is not known",
        node,
        "unknown-type",
        help="write the arguments one by one",
    )


def made_on_host(
    unit: Unit, node: ast.Call, path: str, value: Value, args: list[Argument], reason: Reason
) -> Flow:
    """The result of a call that stays on the host; its arrays are moved where they are used."""
    made = unit.node_for("operation", node, path)
    unit.graph.pin(made, reason)
    for argument in args:
        unit.use(argument.expression, argument.flow, made)
    if not on_device_possible(value) or isinstance(value, Number):
        return Flow(value)
    return Flow(value, made, fresh=True)


def object_made(unit: Unit, node: ast.Call, library: Library) -> Reason:
    """Why a call that makes an object of a library stays on the host."""
    text = unit.module.segment(node.func)
    return Reason(
        "GP102",
        f"`{text}` makes an object of {library.name}'s, which gpuport does not follow to the "
        "device: it and what it is given stay on the host",
        node,
        "host-only",
    )


__all__ = ["host_value", "made_on_host", "object_made"]

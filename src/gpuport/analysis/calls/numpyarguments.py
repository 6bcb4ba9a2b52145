"""Arguments of NumPy calls: taken by CuPy as they are, made arrays, or left on the host."""

from __future__ import annotations

import ast

from gpuport.analysis.calls.arguments import Argument, is_spread, spread_out
from gpuport.analysis.expressions.listedarrays import is_display_of_numbers
from gpuport.analysis.expressions.operators import operand
from gpuport.analysis.interpretation.flows import Flow, Rewrite
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge.answers import DEVICE_DTYPES
from gpuport.analysis.knowledge.numpynames import positional_name
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Either,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    elements,
    has_unknown,
    is_container,
    is_number,
    of_numbers,
    on_device_possible,
)

_PYTHON = {"b": "bool", "i": "int", "u": "int", "c": "complex"}
"""Python's types of numbers by the first letters of NumPy's."""


def parameter_name(unit: Unit, path: str, argument: Argument) -> str | None:
    """Name of the parameter that an argument lands on."""
    if argument.keyword is not None:
        return argument.keyword
    entry = unit.knowledge.tables.entry(path)
    if entry is None or entry.parameters is None or argument.position is None:
        return None
    return positional_name(entry.parameters, argument.position)


def check_number(unit: Unit, node: ast.Call, argument: Argument, graph_node: Node) -> None:
    """What may be a Python number where CuPy takes arrays only, and no boundary can check it."""
    value = argument.flow.value
    if isinstance(value, Either) and value.python and not value.sources:
        _pin_number(unit, node, argument, graph_node)


def _pin_number(unit: Unit, node: ast.Call, argument: Argument, graph_node: Node) -> None:
    text = unit.module.segment(argument.expression)[:60]
    unit.pin(
        graph_node,
        "GP901",
        f"unknown type: `{text}` may be an array or a Python number; CuPy takes arrays here",
        node,
        "unknown-type",
        help=f"make it an array with np.asarray({text})",
    )


def skip_self(unit: Unit, path: str) -> int:
    """1 where the table of a method lists ``self`` first."""
    if not path.startswith("numpy.ndarray."):
        return 0
    entry = unit.knowledge.tables.entry(path)
    parameters = entry.parameters if entry is not None else None
    return 1 if parameters and parameters[0].name == "self" else 0


def offer(
    unit: Unit, node: ast.Call, path: str, name: str | None, argument: Argument, graph_node: Node
) -> None:
    words = unit.knowledge.words
    value, flow = argument.flow.value, argument.flow
    if name == "dtype":
        _check_dtype(unit, node, value, graph_node)
    numpys = isinstance(value, Either) or (isinstance(value, Number) and value.numpy_scalar)
    if name in words.python_integers and numpys and flow.origin is not None:
        _as_python(unit, node, argument, graph_node)
        return
    taken = takes(unit, path, name, _as_given(flow))
    alone = isinstance(value, (Number, Scalar)) and _takes_arrays_alone(unit, path, name)
    if alone and flow.origin is not None and not numpys:  # on the device, unless it is Python's
        _pin_number(unit, node, argument, graph_node)
    refused = taken is False or (taken is None and value == Scalar() and alone)
    if refused and (flow.origin is None or not on_device_possible(value)):
        _make_array(unit, node, path, name, argument, graph_node)
        return
    plain = refused or not (isinstance(value, (Array, Either)) or _is_data(unit, path, name, value))
    plain = plain and not (path in words.joins_lists and on_device_possible(value))
    if (name in words.host_parameters and plain) or _wants_number(unit, path, name, value):
        if is_container(value) and on_device_possible(value):
            unit.escape(argument.expression, flow, Reason("GP402", f"`{name}=` is Python", node))
        else:
            unit.to_host(argument.expression, flow)
        return
    if refused and isinstance(value, Array):
        _bring_back(unit, node, path, name, argument, graph_node)
        return
    if taken and is_container(value):
        return
    if is_container(value):
        if path in words.takes_tuples and _is_index(value):
            if flow.origin is not None and on_device_possible(value):  # read where the array is
                at, weight = argument.expression, unit.weight
                unit.graph.use(at, flow.origin, graph_node, value, weight, movable=False)
        elif has_unknown(value):
            operand(unit, node, argument.expression, Flow(UNKNOWN), graph_node)
            unit.use(argument.expression, flow, graph_node)  # what is known of it goes there too
        elif on_device_possible(value) and flow.origin is not None:
            _container_argument(unit, node, path, name, argument, graph_node)
        elif path not in words.takes_lists and name not in words.sequence_parameters:
            operand(unit, node, argument.expression, flow, graph_node)
        elif path in words.joins_no_numbers and of_numbers(value):
            why = "unsupported parameter: CuPy takes arrays alone here, no numbers"
            unit.pin(graph_node, "GP103", why, node, "unsupported-parameter")
        return
    operand(unit, node, argument.expression, flow, graph_node)


def _as_given(flow: Flow) -> Value:
    """What CuPy takes an argument for: NumPy's numbers of the host are to it as Python's are."""
    if flow.origin is not None or not isinstance(flow.value, Number):
        return flow.value
    return Scalar(_PYTHON.get((flow.value.dtype or "f")[0], "float"))


def _takes_arrays_alone(unit: Unit, path: str, name: str | None) -> bool:
    """Whether a number would be refused, whichever of Python's it is, and an array is not."""
    if not takes(unit, path, name, Array()):
        return False
    return not any(takes(unit, path, name, Scalar(one)) is not False for one in ("int", "float"))


def _is_data(unit: Unit, path: str, name: str | None, value: Value) -> bool:
    """Whether what is not known must be an array: the ``m`` of ``tril``, not that of ``tri``."""
    if not isinstance(value, Unknown) or not takes(unit, path, name, Array()):
        return False
    return not takes(unit, path, name, Scalar("int"))


def _is_index(value: Value) -> bool:
    """Whether a tuple says one position, or array of them, for each axis."""
    known = not has_unknown(value) and isinstance(value, (Tuple, Sequence))
    return known and not (isinstance(value, Sequence) and value.list)


def _as_python(unit: Unit, node: ast.Call, argument: Argument, graph_node: Node) -> None:
    """An integer of NumPy's where CuPy takes those of Python."""
    expression = argument.expression
    fixed = unit.frozen_text or unit.inseparable
    if fixed or isinstance(argument.flow.value, Either):  # perhaps several positions
        text = unit.module.segment(expression)[:60]
        unit.pin(
            graph_node,
            "GP103",
            f"unsupported parameter: CuPy takes no integer of NumPy's here; write `int({text})`",
            node,
            "unsupported-parameter",
        )
        return
    unit.to_host(expression, argument.flow)
    unit.work.rewrites["int", id(expression)] = Rewrite("int", expression, graph_node)


def _wants_number(unit: Unit, path: str, name: str | None, value: Value) -> bool:
    """Whether what may be an array is a number here: nothing else could be given."""
    if not isinstance(value, (Either, Number)):
        return False
    if name in unit.knowledge.words.integer_parameters:
        return True
    if takes(unit, path, name, Array()) is not False:
        return False
    return any(takes(unit, path, name, Scalar(kind)) for kind in ("int", "float"))


def takes(unit: Unit, path: str, name: str | None, value: Value) -> bool | None:
    """Whether the target takes such a value by a parameter; None where that is not recorded."""
    kind = _argument_kind(value)
    if name is None or kind is None:
        return None
    return unit.knowledge.takes(path, name, kind)


def _argument_kind(value: Value) -> str | None:
    """The word of the argument tables for a value; None for what they say nothing of."""
    if isinstance(value, Scalar):
        words = {"complex": "float", "int": "int", "float": "float", "bool": "bool"}
        return words.get(value.type or "")
    if isinstance(value, Array):
        return "array"
    if isinstance(value, (Sequence, Tuple)) and not on_device_possible(value):
        of = elements(value)
        if isinstance(of, (Sequence, Tuple)):
            return "nested-list"
        if of_numbers(value) and not (isinstance(value, Tuple) and not value.items):
            flat = not any(isinstance(v, (Sequence, Tuple)) for v in getattr(value, "items", ()))
            kind = "list" if isinstance(value, Sequence) and value.list else "tuple"
            return kind if flat else "nested-list"
    return None


def _make_array(
    unit: Unit, node: ast.Call, path: str, name: str | None, argument: Argument, graph_node: Node
) -> None:
    """A number or a list where CuPy takes arrays only."""
    if takes(unit, path, name, Array()):
        unit.graph.use(
            argument.expression,
            unit.host,
            graph_node,
            Sequence(Scalar()),
            unit.weight,
            movable=not unit.frozen_text,
        )
        return
    unit.pin(
        graph_node,
        "GP103",
        f"unsupported parameter: `{name}` takes no such value in CuPy",
        node,
        "unsupported-parameter",
    )


def _bring_back(
    unit: Unit, node: ast.Call, path: str, name: str | None, argument: Argument, graph_node: Node
) -> None:
    """An array where CuPy takes none of the device: one of the host, or nothing does."""
    assert name is not None
    if unit.knowledge.takes(path, name, "numpy-array"):
        unit.to_host(argument.expression, argument.flow)
        return
    operand(unit, node, argument.expression, argument.flow, graph_node)
    unit.pin(
        graph_node,
        "GP103",
        f"unsupported parameter: `{name}` takes no array in CuPy",
        node,
        "unsupported-parameter",
    )


def creates_of(unit: Unit, path: str, args: list[Argument]) -> bool:
    """Whether CuPy makes an array of these numbers and lists by itself."""
    offered = [(parameter_name(unit, path, a), _as_given(a.flow)) for a in args]
    return not any(takes(unit, path, name, value) is False for name, value in offered)


def is_device_dtype(value: Value) -> bool:
    """Whether CuPy has arrays of a dtype; True where it is not known which one it is."""
    import numpy as np

    constant = value.constant if isinstance(value, Scalar) else None
    if not isinstance(constant, (type, str)):
        return True
    try:
        dtype = np.dtype(constant)
        return dtype.char in DEVICE_DTYPES and dtype.isnative
    except TypeError:
        return False


def _check_dtype(unit: Unit, node: ast.Call, value: Value, graph_node: Node) -> None:
    """A dtype that CuPy has no arrays of, by what it holds or by the order of its bytes."""
    if not is_device_dtype(value):
        unit.pin(
            graph_node,
            "GP905",
            "object-dtype: CuPy has no arrays of this dtype",
            node,
            "object-dtype",
        )


def check_choices(
    unit: Unit, node: ast.Call, path: str, args: list[Argument], graph_node: Node, result: Value
) -> None:
    """In CuPy the dtype is that of the arrays alone, in NumPy also of the numbers beside them."""
    listed = unit.knowledge.words.array_lists.get(path)
    if listed is None:
        return
    for argument in args:
        value = argument.flow.value
        name = parameter_name(unit, path, argument)
        of = elements(value) if is_container(value) else None
        told = of is not None and getattr(of, "dtype", None) is not None
        same = told and getattr(of, "dtype", None) == getattr(result, "dtype", None)
        if (name == listed and not same) or (of is None and not is_number(value)):
            text = unit.module.segment(argument.expression)[:60]
            why = (
                f"unknown type: in CuPy the dtype of the result is that of arrays alone; `{text}` "
            )
            why += "is not known to have it"
            unit.pin(graph_node, "GP901", why, node, "unknown-type", help="annotate its dtype")


def _only_reads(unit: Unit, path: str, name: str | None) -> bool:
    """Whether a function neither changes nor keeps the arrays in a list that it is given."""
    if path in unit.knowledge.words.takes_elements:
        return False  # what is made of arrays of unequal lengths holds these themselves
    effect = unit.knowledge.rules.effect(path)
    return effect is None or not (effect.view or name in effect.mutates)


def _operands_alone(unit: Unit, path: str, argument: Argument) -> bool:
    """Whether ``*values`` are arrays that a ufunc takes: as good as written one by one.

    Not those of a parameter: another caller may give one more, which is written to.
    """
    value, origin = argument.flow.value, argument.flow.origin
    if origin is None or origin.root().parameters:
        return False
    spread = spread_out(unit, path, [argument])
    arrays = isinstance(value, Tuple) and all(isinstance(item, Array) for item in value.items)
    return spread is not None and arrays and not origin.holds_numbers()


def _container_argument(
    unit: Unit, node: ast.Call, path: str, name: str | None, argument: Argument, graph_node: Node
) -> None:
    """A list of arrays: taken by ``stack`` and its kin, and by ``array`` where all are arrays."""
    words = unit.knowledge.words
    assert argument.flow.origin is not None
    reads = _only_reads(unit, path, name)
    if is_spread(argument):  # one more than a ufunc reads is written to
        reads = reads and _operands_alone(unit, path, argument)
    on_host = graph_node.root().pinned is not None
    if on_host and reads and unit.use_leaves(argument.expression, argument.flow, graph_node):
        return
    if is_spread(argument) and _operands_alone(unit, path, argument):
        unit.graph.gather(argument.flow.origin, graph_node)
        return
    if path in words.array_lists:
        unit.graph.gather(argument.flow.origin, graph_node)
        if argument.flow.origin.holds_numbers():
            why = "unknown type: the list holds numbers beside arrays; CuPy takes arrays alone"
            unit.pin(graph_node, "GP901", why, node, "unknown-type")
        return
    plain = len(node.args) == 1 and not node.keywords
    takes_display = path in words.joins_lists or (path in words.takes_elements and plain)
    if takes_display and is_display_of_numbers(unit, argument.expression, argument.flow.origin):
        at, origin = argument.expression, argument.flow.origin
        unit.graph.use(at, origin, graph_node, argument.flow.value, unit.weight, movable=False)
        if path in words.takes_elements:
            unit.work.rewrites["elements", id(node)] = Rewrite("elements", node.func, graph_node)
        else:
            unit.work.rewrites["displayed", id(at)] = Rewrite("displayed", at, graph_node)
        return
    if name in words.sequence_parameters or path in words.takes_lists:
        unit.graph.gather(argument.flow.origin, graph_node)
        alone = path in words.takes_lists or path in words.joins_no_numbers
        if alone and argument.flow.origin.holds_numbers():
            unit.pin(
                graph_node,
                "GP901",
                "unknown type: the list holds numbers beside arrays; CuPy takes one or the other",
                node,
                "unknown-type",
            )
        return
    if path in words.joins_lists and not argument.flow.origin.holds_numbers():
        unit.graph.gather(argument.flow.origin, graph_node)
        joined = Rewrite("joined", argument.expression, graph_node)
        unit.work.rewrites["joined", id(argument.expression)] = joined
        return
    if not (reads and unit.use_leaves(argument.expression, argument.flow, graph_node)):
        unit.graph.gather(argument.flow.origin, graph_node)
    text = unit.module.segment(argument.expression)[:60]
    unit.pin(
        graph_node,
        "GP901",
        f"unknown type: `{text}` is a list of arrays that CuPy does not turn into one",
        node,
        "unknown-type",
        help="make it one array with np.stack",
    )

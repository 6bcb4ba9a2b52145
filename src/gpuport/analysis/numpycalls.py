"""Calls of NumPy and SciPy functions and of methods of arrays."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import replace

from gpuport.analysis import differences, probing
from gpuport.analysis.attributes import constant_value
from gpuport.analysis.calls import Argument, arguments, has_star, host_call, unknown_call
from gpuport.analysis.flows import Flow
from gpuport.analysis.graph import Node, Reason
from gpuport.analysis.hostfunctions import is_installed
from gpuport.analysis.numpyarguments import (
    check_choices,
    check_number,
    creates_of,
    is_device_dtype,
    offer,
    parameter_name,
    skip_self,
    takes,
)
from gpuport.analysis.replacements import find_replacement
from gpuport.analysis.results import check_result
from gpuport.analysis.subscripts import keep_element
from gpuport.analysis.unit import Unit
from gpuport.analysis.values import (
    UNKNOWN,
    Array,
    Either,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    is_arraylike,
    is_container,
    is_number,
    on_device_possible,
)
from gpuport.rules.libraries import Library, library_of

CREATION_WORK = 0.25


def numpy_call(unit: Unit, node: ast.Call, path: str) -> Flow:
    """Interpret a call of a function of NumPy or SciPy."""
    rules = unit.knowledge.rules
    args = _copied_elements(unit, path, arguments(unit, node))
    if rules.host(path) is not None and rules.swap(path, unsafe=unit.knowledge.unsafe) is None:
        return host_call(unit, node, path, args)
    library = library_of(path)
    assert library is not None
    entry = unit.knowledge.tables.entry(path)
    if entry is None and _is_of_object(unit, path):
        return _method_of_object(unit, node, path, library, args)
    if entry is None:
        unit.host_calls[id(node)] = Reason(
            "GP107", f"`{path}` is not a public name of {library.name}", node, "unknown-call"
        )
        return unknown_call(unit, node, args)
    value = _result(unit, path, node, args)
    if value == UNKNOWN and entry.kind == "class":
        unit.host_calls[id(node)] = _object_made(unit, node, library)
        return unknown_call(unit, node, args)
    touches = any(_touches(a.flow) for a in args)
    if _is_dtype(path):
        for argument in args:
            unit.to_host(argument.expression, argument.flow)
        return Flow(value if isinstance(value, (Number, Scalar)) else Number())
    if not touches and (not _made(library, value) or not creates_of(unit, path, args)):
        return _host_value(unit, node, path, value, args)
    work = unit.knowledge.words.work(path) if touches else CREATION_WORK
    graph_node = unit.operation(
        node,
        path,
        0.0 if touches and _only_numbers(args) else work,
        path=path,
        function=node.func,
        target=_target(unit, path),
        only_numbers=touches and _only_numbers(args),
        creates=not touches,
    )
    _check_name(unit, node, path, args, graph_node)
    check_choices(unit, node, path, args, graph_node, value)
    touching = [a.flow for a in args if _touches(a.flow)]
    element = (
        bool(touching)
        and all(flow.element for flow in touching)
        and not isinstance(value, (Array, Tuple))
    )
    if element:
        unit.element_work(node, graph_node, *(flow.origin for flow in touching))
    flow = _finish(unit, node, path, args, graph_node, value)
    return flow if flow.element == element else replace(flow, element=element)


def method_call(unit: Unit, node: ast.Call, function: ast.Attribute, base: Flow) -> Flow:
    """Interpret a call of a method of an array."""
    path = f"numpy.ndarray.{function.attr}"
    args = arguments(unit, node)
    effect = unit.knowledge.rules.effect(path)
    if effect is not None and effect.view:
        base = keep_element(unit, function.value, base)
    receiver = Argument(0, None, function.value, base)
    if base.origin is None:  # a NumPy scalar on the host
        for argument in args:
            unit.to_host(argument.expression, argument.flow)
        value = _probe(unit, path, [receiver, *args])
        return Flow(
            value if not on_device_possible(value) or isinstance(value, Number) else UNKNOWN
        )
    if unit.knowledge.tables.entry(path) is None:
        unit.escape(function.value, base, _no_method(path, node))
        return unknown_call(unit, node, args)
    if unit.knowledge.rules.host(path) is not None:
        return host_call(unit, node, path, [receiver, *args])
    value = UNKNOWN if has_star(node) else _probe(unit, path, [receiver, *args])
    only_numbers = isinstance(base.value, Number) and _only_numbers(args)
    work = 0.0 if only_numbers else unit.knowledge.words.work(path)
    graph_node = unit.operation(node, path, work, path=path, only_numbers=only_numbers)
    _check_name(unit, node, path, args, graph_node)
    if isinstance(value, Scalar) and value.type != "None":
        unit.use(function.value, base, graph_node)
        unit.syncs[id(node)] = (node, graph_node)
        return Flow(value)
    return _finish(unit, node, path, [receiver, *args], graph_node, value)


def _object_made(unit: Unit, node: ast.Call, library: Library) -> Reason:
    text = unit.module.segment(node.func)
    return Reason(
        "GP102",
        f"`{text}` makes an object of {library.name}'s, which gpuport does not follow to the "
        "device: it and what it is given stay on the host",
        node,
        "host-only",
    )


def _copied_elements(unit: Unit, path: str, args: list[Argument]) -> list[Argument]:
    """Elements given to what returns views: of a NumPy scalar a view is a copy."""
    effect = unit.knowledge.rules.effect(path)
    if effect is None or not effect.view:
        return args
    return [
        Argument(a.position, a.keyword, a.expression, keep_element(unit, a.expression, a.flow))
        for a in args
    ]


def _no_method(path: str, node: ast.AST) -> Reason:
    return Reason("GP107", f"`{path}` is not a method of NumPy's arrays", node, "unknown-call")


def _target(unit: Unit, path: str) -> str | None:
    try:
        return unit.knowledge.tables.counterpart(path).target_name
    except KeyError:
        return None


def _is_dtype(path: str) -> bool:
    value = constant_value(path)
    return isinstance(value, Scalar) and value.type == "dtype"


def _made(library: Library, value: Value) -> bool:
    """Whether something is made of numbers that is of use on the device: an array, or a tuple of
    them, as NumPy's index functions give. SciPy's tuples are small: coefficients of filters."""
    if isinstance(value, Tuple) and library.root == "numpy":
        return bool(value.items) and all(isinstance(item, Array) for item in value.items)
    return isinstance(value, Array)


def _touches(flow: Flow) -> bool:
    return flow.origin is not None and (
        is_arraylike(flow.value) or (is_container(flow.value) and on_device_possible(flow.value))
    )


def _only_numbers(args: list[Argument]) -> bool:
    touching = [a for a in args if _touches(a.flow)]
    return all(isinstance(a.flow.value, Number) for a in touching)


def _host_value(unit: Unit, node: ast.Call, path: str, value: Value, args: list[Argument]) -> Flow:
    """No array takes part: NumPy on Python numbers is best left where it is."""
    for argument in args:
        if isinstance(argument.flow.value, Unknown):
            text = unit.module.segment(argument.expression)
            unit.host_calls[id(node)] = Reason(
                "GP901",
                f"unknown type: it is not known whether `{text[:60]}` is an array",
                node,
                "unknown-type",
                help=f"annotate `{text[:60]}`",
            )
            if argument.position is not None:
                return Flow(Unknown(f"the result of `{unit.module.segment(node)[:60]}`"))
    reason = Reason("GP407", f"`{unit.module.segment(node.func)}` is given no array", node)
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
    unit.host_calls.setdefault(id(node), reason)
    if not on_device_possible(value) or isinstance(value, Number):
        return Flow(value)
    return _made_on_host(unit, node, path, value, args, reason)


def _made_on_host(
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


def _is_of_object(unit: Unit, path: str) -> bool:
    """Whether a name is that of a member of an object which a module offers: ``stats.norm.pdf``."""
    owner = unit.knowledge.tables.entry(path.rpartition(".")[0])
    return owner is not None and owner.kind != "module"


def _method_of_object(
    unit: Unit, node: ast.Call, path: str, library: Library, args: list[Argument]
) -> Flow:
    text = unit.module.segment(node.func)
    reason = Reason(
        "GP102",
        f"missing in CuPy: `{text}` is a method of an object of {library.name}'s",
        node,
        "missing-in-cupy",
    )
    unit.host_calls[id(node)] = reason
    if path.rpartition(".")[2] not in unit.knowledge.words.pure_methods:
        return unknown_call(unit, node, args)
    value = _result(unit, path, node, args)
    if value == UNKNOWN:
        return unknown_call(unit, node, args)
    return _made_on_host(unit, node, path, value, args, reason)


def _probe(unit: Unit, path: str, args: list[Argument]) -> Value:
    positional = tuple(a.flow.value for a in args if a.keyword is None)
    keywords = tuple((a.keyword, a.flow.value) for a in args if a.keyword is not None)
    return probing.probe_call(path, positional, keywords, unit.matrices)


def _result(unit: Unit, path: str, node: ast.Call, args: list[Argument]) -> Value:
    entry = unit.knowledge.tables.entry(path)
    if has_star(node) or (entry is not None and entry.kind == "class" and _may_crash(path)):
        return UNKNOWN
    return _probe(unit, path, args)


def _may_crash(path: str) -> bool:
    """Whether it may be compiled code that trusts its arguments: the classes of SciPy."""
    library = library_of(path)
    return library is not None and library.root != "numpy"


def _check_name(
    unit: Unit, node: ast.Call, path: str, args: list[Argument], graph_node: Node
) -> None:
    """Whether the target has the name and takes the arguments as written."""
    if find_replacement(unit, node, path, graph_node):
        return
    tables = unit.knowledge.tables
    text = unit.module.segment(node.func).splitlines()[-1]
    counterpart = tables.counterpart(path)
    if counterpart.target_name is None:
        unit.pin(
            graph_node,
            "GP105" if counterpart.fate.value == "host-only" else "GP102",
            f"missing in CuPy: `{text}` has no counterpart"
            + (f" ({counterpart.note})" if counterpart.note else ""),
            node,
            "missing-in-cupy",
        )
        return
    keywords = tuple(k.arg for k in node.keywords if k.arg is not None)
    positional = len([a for a in node.args if not isinstance(a, ast.Starred)])
    fit = tables.fit_call(
        path,
        positional,
        keywords,
        star=any(isinstance(a, ast.Starred) for a in node.args),
        double_star=any(k.arg is None for k in node.keywords),
    )
    if not fit.fits:
        unit.pin(
            graph_node,
            "GP103",
            f"unsupported parameter: {fit.message}",
            node,
            "unsupported-parameter",
        )


def _finish(
    unit: Unit,
    node: ast.Call,
    path: str,
    args: list[Argument],
    graph_node: Node,
    value: Value,
) -> Flow:
    """Operands, effects, differences and the result of an array operation."""
    words = unit.knowledge.words
    offset = 1 if path.startswith("numpy.ndarray.") else 0
    entry = unit.knowledge.tables.entry(path)
    tolerant = entry is not None and entry.kind == "ufunc"
    for index, argument in enumerate(args):
        if offset and index == 0:
            unit.use(argument.expression, argument.flow, graph_node)
            continue
        shifted = Argument(
            None if argument.position is None else argument.position + skip_self(unit, path),
            argument.keyword,
            argument.expression,
            argument.flow,
        )
        name = parameter_name(unit, path, shifted)
        offer(unit, node, path, name, argument, graph_node)
        taken = not tolerant and name not in words.host_parameters
        taken = taken and not takes(unit, path, name, Scalar("float"))
        if taken and isinstance(argument.flow.value, (Either, Array)):
            unit.required |= argument.flow.value.sources
            check_number(unit, node, argument, graph_node)
    values = [a.flow.value for a in args]
    part = bool(args) and args[0].flow.view
    differences.check(unit, node, path, values, graph_node, part=part)
    check_result(unit, node, path, values, graph_node)
    return _effects(unit, node, path, args, graph_node, value)


def _effects(
    unit: Unit, node: ast.Call, path: str, args: list[Argument], graph_node: Node, value: Value
) -> Flow:
    effect = unit.knowledge.rules.effect(path)
    changed: list[Argument] = []
    entry = unit.knowledge.tables.entry(path)
    inputs = entry.nin if entry is not None and entry.kind == "ufunc" else None
    for argument in args:
        name = parameter_name(unit, path, argument)
        named = effect is not None and name in effect.mutates
        named = named and name not in set(effect.mutates_when.values() if effect else ())
        late = inputs is not None and argument.position is not None and argument.position >= inputs
        if name in unit.knowledge.words.result_parameters or named or late:
            changed.append(argument)
    if effect is not None:
        changed += _changed_when(unit, path, args, effect.mutates_when)
    if effect is not None and "self" in effect.mutates and args:
        changed.append(args[0])
    if effect is not None and effect.host:
        unit.pin(graph_node, "GP105", f"`{path}` works on the host", node)
    out: Flow | None = None
    for argument in changed:
        flow = argument.flow
        if flow.origin is None or not on_device_possible(flow.value):
            continue
        unit.mutate(flow)
        unit.graph.unite(graph_node, flow.origin)
        name = argument.keyword or parameter_name(unit, path, argument)
        given = name in unit.knowledge.words.result_parameters
        out = flow if given or inputs is not None else out
    if out is not None:
        return Flow(out.value, out.origin, out.view)
    several = sum(is_arraylike(a.flow.value) for a in args) > 1
    if effect is not None and effect.view and not (effect.view_of_one and several):
        viewed = next((a.flow for a in args if a.flow.origin is not None), None)
        if (
            viewed is not None
            and viewed.origin is not None
            and (is_arraylike(viewed.value) or _keeps_items(unit, path, viewed.value))
        ):
            unit.graph.unite(graph_node, viewed.origin)
            made = _result_flow(unit, node, path, value, graph_node, view=not viewed.fresh)
            if not effect.by_order or viewed.fresh:
                return made
            if viewed.ordered and not _has_order(unit, path, args):
                return replace(made, ordered=True)
            unit.reshaped.append((graph_node, node))
            return made
    made = _result_flow(unit, node, path, value, graph_node, view=False)
    elementwise = inputs is not None and all(
        a.flow.ordered or a.flow.origin is None or is_number(a.flow.value) for a in args
    )
    in_c_order = (effect is not None and effect.c_order) or getattr(value, "rank", None) == 1
    if made.origin is None or not (elementwise or in_c_order) or _has_order(unit, path, args):
        return made
    return replace(made, ordered=True)


def _keeps_items(unit: Unit, path: str, value: Value) -> bool:
    """Whether views of what a list holds come back; an array made of a list is a copy."""
    return is_container(value) and path not in unit.knowledge.words.takes_lists


def _has_order(unit: Unit, path: str, args: list[Argument]) -> bool:
    return any(parameter_name(unit, path, a) == "order" for a in args)


def _advice(path: str) -> str | None:
    """What would make the result of a call known."""
    library = library_of(path)
    if library is None or is_installed(library):
        return None
    return f"install {library.name} beside gpuport: its functions are asked what they return"


def _changed_when(
    unit: Unit, path: str, args: list[Argument], conditions: Mapping[str, str]
) -> list[Argument]:
    """Arguments that are written only when a flag is given, and not plainly False."""
    named = {parameter_name(unit, path, a): a for a in args}
    changed = []
    for flag, parameter in conditions.items():
        given = named.get(flag)
        if given is None or parameter not in named:
            continue
        value = given.flow.value
        if not (isinstance(value, Scalar) and value.constant is False):
            changed.append(named[parameter])
    return changed


def _result_flow(
    unit: Unit, node: ast.Call, path: str, value: Value, graph_node: Node, view: bool
) -> Flow:
    if path in unit.knowledge.words.plain_results:
        return Flow(value)
    if isinstance(value, Scalar) and value.type in ("bool", "int", "float", "complex"):
        # NumPy gives a Python number here, CuPy a 0-d array.
        dtypes = {"bool": "bool", "int": "int64", "float": "float64", "complex": "complex128"}
        return Flow(Number(dtypes[value.type], numpy_scalar=False), graph_node, fresh=True)
    if isinstance(value, (Tuple, Sequence)) and not on_device_possible(value):
        return Flow(value)
    if value == UNKNOWN:
        unit.pin(
            graph_node,
            "GP901",
            f"unknown type: what `{unit.module.segment(node)[:60]}` gives back is not known",
            node,
            "unknown-type",
            help=_advice(path),
        )
        return Flow(Unknown(f"the result of `{unit.module.segment(node)[:60]}`"))
    if not on_device_possible(value):
        return Flow(value)
    return Flow(value, graph_node, view=view, fresh=not view)

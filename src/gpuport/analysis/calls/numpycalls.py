"""Calls of NumPy and SciPy functions and of methods of arrays."""

from __future__ import annotations

import ast
from dataclasses import replace

from gpuport.analysis.calls.arguments import (
    Argument,
    arguments,
    as_numbers,
    joined_parts,
    of_each_number,
    spread_out,
    takes_any_number,
)
from gpuport.analysis.calls.hostcalls import host_call, unknown_call
from gpuport.analysis.calls.hostvalues import host_value, made_on_host, object_made
from gpuport.analysis.calls.masked import write_masked
from gpuport.analysis.calls.numpyarguments import (
    check_choices,
    creates_of,
)
from gpuport.analysis.calls.numpywork import Work
from gpuport.analysis.calls.replacements import find_replacement, has_replacement
from gpuport.analysis.expressions.attributes import constant_value
from gpuport.analysis.expressions.displays import arrays_of_display, like_what_is_displayed
from gpuport.analysis.expressions.evaluation import kept
from gpuport.analysis.expressions.listedarrays import expect_arrays
from gpuport.analysis.expressions.operators import keep_text
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge import probing
from gpuport.analysis.objects.namedtuples import as_plain
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Value,
    is_arraylike,
    is_container,
    on_device_possible,
)
from gpuport.cost.callwork import call_work
from gpuport.rules.libraries import Library, library_of
from gpuport.source.syntax import has_star

CREATION_WORK = 0.25


def numpy_call(unit: Unit, node: ast.Call, path: str) -> Flow:
    """Interpret a call of a function of NumPy or SciPy."""
    rules = unit.knowledge.rules
    if path in unit.knowledge.words.joins_arrays and node.args:
        expect_arrays(unit, node.args[0])
    args = [
        replace(one, flow=as_plain(unit, one.expression, one.flow))
        for one in _copied_elements(unit, path, arguments(unit, node))
    ]
    swapped = rules.swap(path, unsafe=unit.knowledge.unsafe) is not None
    if rules.host(path) is not None and not swapped and not has_replacement(unit, node, path):
        return host_call(unit, node, path, args)
    library = library_of(path)
    assert library is not None
    entry = unit.knowledge.tables.entry(path)
    if entry is None:
        return _unlisted(unit, node, path, library, args)
    value = _result(unit, path, node, args)
    if value == UNKNOWN and entry.kind == "class":
        unit.work.host_calls[id(node)] = object_made(unit, node, library)
        return unknown_call(unit, node, args)
    if _is_dtype(path):
        for argument in args:
            unit.to_host(argument.expression, argument.flow)
        return Flow(value if isinstance(value, (Number, Scalar)) else Number())
    touches = any(_touches(a.flow) for a in args)
    if not touches and (not _made(library, value) or not creates_of(unit, path, args)):
        return host_value(unit, node, path, value, args)
    return _on_arrays(unit, node, path, value, args)


def _unlisted(
    unit: Unit, node: ast.Call, path: str, library: Library, args: list[Argument]
) -> Flow:
    """A call of what a library offers under no public name of its own."""
    if _is_of_object(unit, path):
        return _method_of_object(unit, node, path, library, args)
    why = f"`{path}` is not a public name of {library.name}"
    owner = path.rpartition(".")[0]
    if unit.knowledge.tables.entry(owner) is None:  # nothing is known of what belongs to it
        why = f"`{owner}` is none of the names of {library.name} that gpuport has a table of"
    unit.work.host_calls[id(node)] = Reason("GP107", why, node, "unknown-call")
    return unknown_call(unit, node, args)


def _on_arrays(unit: Unit, node: ast.Call, path: str, value: Value, args: list[Argument]) -> Flow:
    """A call that can run on the device: it works on arrays, or makes one of numbers."""
    touching = [a.flow for a in args if _touches(a.flow)]
    only_numbers = bool(touching) and _only_numbers(args)
    work = _work(unit, path, value) if touching else CREATION_WORK
    graph_node = unit.operation(
        node,
        path,
        0.0 if only_numbers else work,
        path=path,
        function=node.func,
        target=_target(unit, path),
        only_numbers=only_numbers,
        creates=not touching,
        crossing=path in unit.knowledge.words.takes_lists and _of_host_list(args),
    )
    _check_name(unit, node, path, args, graph_node)
    if path in unit.knowledge.words.takes_text:
        keep_text(unit, node, (a.flow for a in args), graph_node)
    check_choices(unit, node, path, args, graph_node, value)
    element = (
        bool(touching)
        and all(flow.element for flow in touching)
        and not isinstance(value, (Array, Tuple))
    )
    if element:
        unit.element_work(node, graph_node, *(flow.origin for flow in touching))
    flow = Work(unit, node, path, args, graph_node, value).finish()
    return flow if flow.element == element else replace(flow, element=element)


def _work(unit: Unit, path: str, value: Value) -> float:
    return call_work(unit.knowledge.words, path, gives_number=isinstance(value, Number))


def call_of_value(unit: Unit, node: ast.Call, path: str, args: list[Argument]) -> Flow:
    """A call of a function of NumPy that was handed on: its text is the same on either side."""
    value = _result(unit, path, node, args)
    if not any(_touches(a.flow) for a in args):
        return host_value(unit, node, path, value, args)
    only_numbers = _only_numbers(args)
    work = 0.0 if only_numbers else _work(unit, path, value)
    graph_node = unit.operation(node, path, work, path=path, only_numbers=only_numbers)
    _check_name(unit, node, path, args, graph_node)
    return Work(unit, node, path, args, graph_node, value).finish()


def method_call(unit: Unit, node: ast.Call, function: ast.Attribute, base: Flow) -> Flow:
    """Interpret a call of a method of an array."""
    path = f"numpy.ndarray.{function.attr}"
    args = arguments(unit, node)
    effect = unit.knowledge.rules.effect(path)
    if effect is not None and effect.view:
        base = kept(unit, function.value, base)
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
    parts = joined_parts(unit, path, args) if has_star(node) else None
    value = UNKNOWN
    if parts is not None:
        value, args = _probe(unit, path, [receiver, parts]), as_numbers(args)
    elif not has_star(node):
        value = _probe(unit, path, [receiver, *args])
    only_numbers = isinstance(base.value, Number) and _only_numbers(args)
    work = 0.0 if only_numbers else _work(unit, path, value)
    graph_node = unit.operation(node, path, work, path=path, only_numbers=only_numbers)
    _check_name(unit, node, path, args, graph_node)
    if path in unit.knowledge.words.takes_text:
        keep_text(unit, node, [base], graph_node)
    if isinstance(value, Scalar) and value.type != "None":
        unit.use(function.value, base, graph_node)
        unit.wait(node, graph_node)
        return Flow(value)
    return Work(unit, node, path, [receiver, *args], graph_node, value).finish()


def _copied_elements(unit: Unit, path: str, args: list[Argument]) -> list[Argument]:
    """Elements given to what returns views: of a NumPy scalar a view is a copy."""
    effect = unit.knowledge.rules.effect(path)
    if effect is None or not effect.view:
        return args
    return [
        Argument(a.position, a.keyword, a.expression, kept(unit, a.expression, a.flow))
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


def _of_host_list(args: list[Argument]) -> bool:
    """Whether a call is given a list of the host, of as many things as the data say."""
    given = args[0].flow if args else None
    value = None if given is None else given.value
    return (
        given is not None
        and given.origin is None
        and isinstance(value, Sequence)
        and value.list
        and value.literal is None
        and not isinstance(args[0].expression, ast.List)
    )


def _only_numbers(args: list[Argument]) -> bool:
    touching = [a for a in args if _touches(a.flow)]
    return all(isinstance(a.flow.value, Number) for a in touching)


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
    unit.work.host_calls[id(node)] = reason
    if path.rpartition(".")[2] not in unit.knowledge.words.pure_methods:
        return unknown_call(unit, node, args)
    value = _result(unit, path, node, args)
    if value == UNKNOWN:
        return unknown_call(unit, node, args)
    return made_on_host(unit, node, path, value, args, reason)


def _probe(unit: Unit, path: str, args: list[Argument]) -> Value:
    positional = tuple(a.flow.value for a in args if a.keyword is None)
    keywords = tuple((a.keyword, a.flow.value) for a in args if a.keyword is not None)
    return probing.probe_call(path, positional, keywords, unit.parameters.matrices)


def _result(unit: Unit, path: str, node: ast.Call, args: list[Argument]) -> Value:
    entry = unit.knowledge.tables.entry(path)
    given = spread_out(unit, path, args) if has_star(node) else args
    if given is None and takes_any_number(unit, path):
        return of_each_number(args, lambda some: _probe(unit, path, some))
    if given is None or (entry is not None and entry.kind == "class" and _may_crash(path)):
        return UNKNOWN
    args = given
    if path in unit.knowledge.words.takes_lists and args:
        data = args[0]
        value = like_what_is_displayed(unit, data.expression, data.flow.value)
        args = [replace(data, flow=replace(data.flow, value=value)), *args[1:]]
    if path in unit.knowledge.words.joins_arrays and args:
        data = args[0]
        value = arrays_of_display(unit, data.expression, data.flow.value)
        args = [replace(data, flow=replace(data.flow, value=value)), *args[1:]]
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
    always = (one.when == ("always",) for one in unit.knowledge.rules.differs(path) if one.instead)
    if any(always) and not unit.knowledge.unsafe:
        return  # a function of the runtime's stands for it, or it is pinned
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
    starred = any(isinstance(a, ast.Starred) for a in node.args)
    given = spread_out(unit, path, args) if starred else args
    listed = args if given is None else given
    fit = tables.fit_call(
        path,
        len([a for a in listed if a.position is not None]),
        keywords,
        star=given is None,
        double_star=any(k.arg is None for k in node.keywords),
    )
    if not fit.fits and not write_masked(unit, node, path, args, graph_node):
        unit.pin(
            graph_node,
            "GP103",
            f"unsupported parameter: {fit.message}",
            node,
            "unsupported-parameter",
        )

"""What leaves a function by `return`, and in what shape its callers get it."""

from __future__ import annotations

import ast

from gpuport.analysis.differences.foreignmemory import as_seen_by_callers
from gpuport.analysis.expressions.evaluation import evaluate, kept
from gpuport.analysis.expressions.iterating import iterate
from gpuport.analysis.functions.dimensionless import (
    loses_its_kind,
    may_be_dimensionless,
    may_be_of_elements,
)
from gpuport.analysis.functions.returncases import Case, cases_in
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.claims import hides
from gpuport.analysis.objects.namedtuples import makes_named_tuple
from gpuport.analysis.objects.settings import annotated_as
from gpuport.analysis.placement.cut import can_enter
from gpuport.analysis.placement.graph import Node, Reason, unsupported
from gpuport.analysis.values.contents import item_names, key_of
from gpuport.analysis.values.lattice import (
    NONE,
    UNKNOWN,
    Array,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    aside,
    is_arraylike,
    is_container,
    join,
    join_all,
    on_device_possible,
    record,
)


def returning(unit: Unit, node: ast.Return) -> None:
    """Join what a statement returns with what others return, and let it go."""
    unit.returned.case = cases_in(unit.project, unit.node).of(node)
    _return(unit, node)
    unit.returned.case = ()


def _return(unit: Unit, node: ast.Return) -> None:
    if node.value is None:
        joined_return(unit, Scalar("None"))
        return
    value = _returned(unit, node, node.value)
    if isinstance(unit.node, ast.FunctionDef) and not on_device_possible(value):
        name, written = unit.node.name, unit.node.returns
        value = annotated_as(unit.project, name, written, value) or value
    joined_return(unit, value)


def yielding(unit: Unit, node: ast.Yield) -> None:
    """A generator hands something out, and holds it as long as it likes."""
    followed = unit.objects is not None
    as_returned = unit.project.equivalents.handed_out(node)
    if node.value is None:
        item: Value = NONE
    else:
        item = _returned(unit, as_returned, node.value, (None,) if followed else ())
    _handed_out(unit, item)


def yielding_all(unit: Unit, node: ast.YieldFrom) -> None:
    """A generator hands out what something else holds, or hands out, one by one."""
    unit.marked.consume(node.value)
    flow = evaluate(unit, node.value)
    item, origin = iterate(unit, node, node.value, flow)
    if is_arraylike(flow.value):  # its elements are numbers, or views of it
        text = unit.module.segment(node)[:60]
        unit.escape(node.value, flow, unsupported(node, f"`{text}` goes through an array"))
    elif unit.objects is not None:
        unit.objects.returned(unit, node.value, Flow(item, origin, view=True), (None,))
    _handed_out(unit, item)


def _handed_out(unit: Unit, item: Value) -> None:
    """Join it with what else the generator hands out; the generator may still hold it."""
    if unit.objects is None:
        joined_return(unit, item)
        return
    joined_return(unit, Sequence(aside(item), list=False))
    unit.objects.now.kept.add(id(unit.node))


def _returned(
    unit: Unit, node: ast.Return, expression: ast.expr, places: tuple[str | None, ...] = ()
) -> Value:
    """What is returned; the items of a display leave one by one, from the places in it."""
    plain = not any(isinstance(e, ast.Starred) for e in getattr(expression, "elts", ()))
    if isinstance(expression, ast.Tuple) and plain:
        return Tuple(tuple(
            aside(_returned(unit, node, e, (*places, str(i))))
            for i, e in enumerate(expression.elts)
        ))  # fmt: skip
    if isinstance(expression, ast.Dict) and all(k is not None for k in expression.keys):
        return _returned_dict(unit, node, expression, places)
    if isinstance(expression, ast.Call) and _makes_unfollowed(unit, expression):
        for value in (*expression.args, *(k.value for k in expression.keywords)):
            if unit.objects is None:
                _returned(unit, node, value, places)
            else:  # no boundary brings its items to the host
                unit.to_host(value, evaluate(unit, value))
        # Its items are known by names that nothing here follows: callers take it from the host.
        return Unknown(f"the result of `{unit.module.segment(expression.func)}`")
    flow = evaluate(unit, expression)
    _tell_of_names(unit, expression, flow)
    python = isinstance(flow.value, Number) and not flow.value.numpy_scalar
    if python and places and unit.objects is not None:
        unit.to_host(expression, flow)  # a number of Python's: not where the arrays beside it are
        return Scalar()
    _leave(unit, node, expression, flow, places)
    return as_seen_by_callers(unit, expression, flow)


def _tell_of_names(unit: Unit, expression: ast.expr, flow: Flow) -> None:
    """What leaves bears names for its items, which what comes from the device has not."""
    names = item_names(flow.value)
    if not names or flow.origin is None:
        return
    text = " ".join(unit.module.segment(expression).split())[:60]
    named = f"has names for its items (`.{names[0]}`), which a caller may use and CuPy's plain"
    if isinstance(flow.value, Tuple) and flow.value.names:
        unit.pin(
            flow.origin,
            "GP515",
            f"`{text}` {named} tuple has not",
            expression,
            "semantic-difference",
            help=f"return its items: `{', '.join(names)} = ...`",
        )
    else:
        message = f"each result in `{text}` {named} tuples have not: take them by index"
        unit.note("GP515", message, expression, flow.origin)


def _returned_dict(
    unit: Unit, node: ast.Return, expression: ast.Dict, places: tuple[str | None, ...]
) -> Value:
    keys = []
    for key in expression.keys:
        assert key is not None
        flow = evaluate(unit, key)
        unit.to_host(key, flow)
        keys.append(key_of(flow.value))
    told = [key for key in keys if key is not None]
    every: list[str | None] = [*keys] if len(told) == len(keys) else [None] * len(keys)
    values = [
        _returned(unit, node, value, (*places, key))
        for value, key in zip(expression.values, every, strict=True)
    ]
    if len(told) < len(keys):
        return Mapping(join_all(values))
    return record(dict(zip(told, map(aside, values), strict=True)))


def _makes_unfollowed(unit: Unit, node: ast.Call) -> bool:
    """Whether a call makes a named tuple of the module whose instances are not followed."""
    followed = unit.objects.classes if unit.objects is not None else {}
    return makes_named_tuple(unit, node) and getattr(node.func, "id", "") not in followed


def joined_return(unit: Unit, value: Value) -> None:
    """Join a claim with what is known of other results of the function."""
    if isinstance(value, Unknown) and _calls_itself_first(unit):
        unit.returned.waits = True
        return
    known = unit.returned.values.get(unit.returned.case)
    joined = value if known is None else join(known, value)
    unit.lost(unit.node, joined, value, known or UNKNOWN)
    if unit.objects is not None:
        check_returned(unit, unit.returned.case, joined, value)
        check_returned(unit, unit.returned.case, joined, known or NONE)
    unit.returned.values[unit.returned.case] = joined


def _calls_itself_first(unit: Unit) -> bool:
    """Whether the result of a function that calls itself is asked for before any is known.

    What its other results are is claimed meanwhile; the next round tells whether that holds.
    """
    objects, key = unit.objects, id(unit.node)
    if objects is None or isinstance(unit.node, ast.Module):
        return False
    if (key, unit.returned.case) in objects.before.results:
        return False
    return bool(objects.program.recursion(unit.scope))


def check_returned(unit: Unit, case: Case, claim: Value, value: Value) -> None:
    """What callers know nothing of is given to them on the host."""
    if unit.objects is not None and hides(claim, value):
        message = f"unknown type: what `{unit.name}` gives back may be one thing or another"
        node = unit.objects.result_node(unit.node, case)
        unit.pin(node, "GP901", message, unit.node, "unknown-type")


def _leave(
    unit: Unit, node: ast.Return, expression: ast.expr, flow: Flow, places: tuple[str | None, ...]
) -> None:
    flow = kept(unit, expression, flow)
    if unit.objects is not None and not isinstance(unit.node, ast.Module):
        unit.objects.returned(unit, expression, flow, places)
        return
    if flow.origin is None or not on_device_possible(flow.value):
        return
    _note_memory(unit, node, expression, flow, flow.origin)
    if unit.decorated and _leaves_on_host(unit, expression, flow, flow.origin):
        unit.to_host(expression, flow)
        return
    # The boundary takes what is on the host to where the caller's arrays are.
    implicit = unit.decorated and not (unit.knowledge.boundary == "none" and can_enter(flow.value))
    unit.use(expression, flow, unit.return_node, implicit=implicit)


def _note_memory(
    unit: Unit, node: ast.Return, expression: ast.expr, flow: Flow, origin: Node
) -> None:
    """Note of which parameters the result may be, or be a part of, and what else may hold it."""
    new = flow.fresh and not is_container(flow.value)  # an array made of a list of a caller's
    if new or (isinstance(flow.value, Number) and not flow.view):
        return
    unit.returned.groups.append(origin)
    parameters = origin.root().parameters
    whole = isinstance(expression, ast.Name) and isinstance(flow.value, Array) and not flow.view
    if whole and not parameters:
        unit.returned.named[id(node), id(expression)] = origin
    if not parameters:
        return
    unit.returned.parameters |= parameters
    if flow.view or is_container(flow.value):
        unit.returned.parts |= parameters
    if flow.view or (is_container(flow.value) and not _is_argument(unit, expression)):
        unit.returned.views = unit.returned.views or Reason(
            "GP907",
            f"may alias: `{unit.module.segment(expression)}` can be a view of its argument "
            f"`{'`, `'.join(sorted(parameters))}`, in which callers may write",
            node,
            "may-alias",
            help="return a copy",
        )


def _leaves_on_host(unit: Unit, expression: ast.expr, flow: Flow, origin: Node) -> bool:
    """Whether a result would come back from the device as what it is not, and so has to be here.

    What may do so, and is on the device all the same, is said.
    """
    if origin.root().dimensionless:
        unit.pin(
            origin,
            "GP901",
            f"unknown type: `{unit.module.segment(expression)[:60]}` holds an array without "
            "dimensions, which would come back from the device as a NumPy scalar",
            expression,
            "unknown-type",
            help="hold numbers, `float(...)`, or arrays with a dimension",
        )
    if may_be_dimensionless(unit, flow):
        return True  # the boundary would make a NumPy scalar of it
    of = "a vector" if loses_its_kind(unit, flow) else "elements"
    if of == "a vector" or may_be_of_elements(unit, flow):
        text = unit.module.segment(expression)[:60]
        message = (
            f"of {of} `{text}` is an array without dimensions, which comes back from the "
            "device as a NumPy scalar"
        )
        unit.note("GP515", message, expression, on=origin)
    given = unit.nodes.get(("project", id(expression))) is origin  # as its function gives it
    return _is_pythons(flow.value) and not given  # the boundary gives NumPy's


def _is_pythons(value: Value) -> bool:
    return isinstance(value, Number) and not value.numpy_scalar


def _is_argument(unit: Unit, expression: ast.expr) -> bool:
    """Whether it is the very list or dict that the caller gave: callers get their own back."""
    name = expression.id if isinstance(expression, ast.Name) else ""
    return name in unit.parameters.nodes and unit.scope.bound.get(name) == 1


__all__ = ["check_returned", "joined_return", "returning", "yielding", "yielding_all"]

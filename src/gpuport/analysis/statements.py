"""What each kind of statement does to names, arrays and the data-flow graph."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from gpuport.analysis.batches import noted, stands_for_loop
from gpuport.analysis.builtins import iterate
from gpuport.analysis.closures import capture
from gpuport.analysis.expressions import evaluate, kept, test
from gpuport.analysis.graph import Node, Reason, unsupported
from gpuport.analysis.inplace import augmented, is_part, store_part
from gpuport.analysis.namedtuples import makes_named_tuple
from gpuport.analysis.narrowing import narrow
from gpuport.analysis.nests import launched
from gpuport.analysis.operators import operand
from gpuport.analysis.placement import can_enter
from gpuport.analysis.ported import launches_kernel, stands_for_launch
from gpuport.analysis.subscripts import escape_reason, share_element, store
from gpuport.analysis.unit import Flow, Refused, Unit
from gpuport.analysis.values import (
    UNKNOWN,
    Array,
    Either,
    Mapping,
    Number,
    Object,
    Scalar,
    Tuple,
    Unknown,
    Value,
    is_arraylike,
    is_container,
    join_all,
    on_device_possible,
)
from gpuport.analysis.values import Sequence as SequenceValue
from gpuport.rules.libraries import library_of

_MOST_PASSES = 3

_WORDS = {
    "Match": "`match`", "AsyncFor": "`async for`", "AsyncWith": "`async with`",
    "TryStar": "`except*`", "TypeAlias": "`type`",
}  # fmt: skip
"""Statements that are not followed, as they are written."""


def run(unit: Unit, body: Sequence[ast.stmt]) -> None:
    """Interpret statements in order."""
    for statement in body:
        handler = _HANDLERS.get(type(statement))
        if handler is None:
            kind = type(statement).__name__
            raise Refused(unsupported(statement, _WORDS.get(kind, kind)))
        unit.line = statement.lineno
        handler(unit, statement)


def assign(unit: Unit, target: ast.expr, expression: ast.expr, flow: Flow) -> None:
    """Bind a target of an assignment, loop or comprehension."""
    if isinstance(target, ast.Name):
        if unit.name == "<module>" or target.id not in unit.scope.outside:
            unit.follow(expression)
            unit.bind(target.id, target, expression, kept(unit, expression, flow))
        else:
            unit.escape(expression, flow, escape_reason(unit, target))
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(unit, target, expression, flow)
    elif isinstance(target, ast.Subscript):
        store(unit, target, expression, flow)
    elif isinstance(target, ast.Attribute):
        base = evaluate(unit, target.value)
        if isinstance(base.value, Object) and unit.objects is not None:
            unit.follow(target.value)
            held = kept(unit, expression, flow)
            unit.objects.store(unit, target, base.value.name, target.attr, expression, held)
            return
        if unit.objects is not None:
            unit.objects.unknown_base(unit, target, base.value)
        if is_part(target, base):
            store_part(unit, target, base, expression, flow)
            return
        if is_arraylike(base.value):  # x.shape = ...
            unit.escape(target.value, base, escape_reason(unit, target))
        unit.escape(expression, flow, escape_reason(unit, target))
        if flow.fresh and is_container(flow.value) and flow.origin is not None:
            unit.graph.pin(flow.origin, escape_reason(unit, target))
    elif isinstance(target, ast.Starred):
        unit.escape(expression, flow, unsupported(target, "a starred target"))
        assign(unit, target.value, expression, Flow(UNKNOWN))


def _unpack(unit: Unit, target: ast.Tuple | ast.List, expression: ast.expr, flow: Flow) -> None:
    taken = _without_rest(unit, target, flow)
    if taken is not None:
        target, flow = taken
    if any(isinstance(t, ast.Starred) for t in target.elts):
        unit.escape(expression, flow, unsupported(target, "a starred target"))
        for inner in target.elts:
            assign(
                unit,
                inner.value if isinstance(inner, ast.Starred) else inner,
                expression,
                Flow(UNKNOWN),
            )
        return
    if isinstance(expression, ast.Tuple) and len(expression.elts) == len(target.elts):
        # The right side is evaluated as a whole first: views read there are snapshots.
        flows = [kept(unit, e, evaluate(unit, e)) for e in expression.elts]
        for inner, source, one in zip(target.elts, expression.elts, flows, strict=True):
            assign(unit, inner, source, one)
        return
    if isinstance(flow.value, (Tuple, SequenceValue)):
        unit.follow(expression)
    if _unpacks_results(unit, target, expression, flow):
        return
    if flow.origin is not None and flow.fresh:
        group = unit.node_for("unpacked", target, "unpacked")
        unit.graph.unite(group, flow.origin)
    with unit.whole():
        for index, inner in enumerate(target.elts):
            assign(unit, inner, expression, _item(unit, target, flow, index))


def _without_rest(
    unit: Unit, target: ast.Tuple | ast.List, flow: Flow
) -> tuple[ast.Tuple, Flow] | None:
    """``a, *_ = f(...)``, where nothing reads the rest: as if only ``a`` were unpacked."""
    places = [i for i, e in enumerate(target.elts) if isinstance(e, ast.Starred)]
    if len(places) != 1 or not isinstance(flow.value, Tuple):
        return None
    starred = target.elts[places[0]]
    rest = len(flow.value.items) - len(target.elts) + 1
    if rest < 0 or not isinstance(starred, ast.Starred) or not _unread(unit, starred.value):
        return None
    assert isinstance(starred.value, ast.Name)
    items = flow.value.items
    kept_items = (*items[: places[0]], *items[places[0] + rest :])
    unit.env[starred.value.id] = Flow(UNKNOWN)
    return unit.project.equivalents.without_rest(target), replace(flow, value=Tuple(kept_items))


def _unread(unit: Unit, target: ast.expr) -> bool:
    """Whether a name is bound and never looked at."""
    if not isinstance(target, ast.Name) or isinstance(unit.node, ast.Module):
        return False
    scopes = [unit.scope]
    for scope in scopes:
        scopes.extend(scope.children)
    return target.id not in unit.scope.outside and not any(target.id in s.loads for s in scopes)


def _unpacks_results(
    unit: Unit, target: ast.Tuple | ast.List, expression: ast.expr, flow: Flow
) -> bool:
    """``a, b = f(...)``: each result has a place of its own; a line of its own moves it."""
    statement = unit.statement
    if (
        flow.origin is None
        or not flow.fresh
        or not isinstance(flow.value, Tuple)
        or len(flow.value.items) != len(target.elts)
        or not isinstance(statement, ast.Assign)
        or statement.value is not expression
        or not all(isinstance(e, ast.Name) for e in target.elts)
        or not all(is_arraylike(v) or not on_device_possible(v) for v in flow.value.items)
        or not unit.module.stands_alone(statement)
    ):
        return False
    for inner, value in zip(target.elts, flow.value.items, strict=True):
        assert isinstance(inner, ast.Name)
        if unit.trace is not None:
            unit.trace.bound(inner.id, inner, Flow(value, flow.origin))
        if not on_device_possible(value):
            unit.env[inner.id] = Flow(value)
            continue
        group = unit.node_for("name", inner, inner.id)
        unit.graph.use(
            inner, flow.origin, group, value, unit.weight,
            movable=not isinstance(value, Number), after=statement,
        )  # fmt: skip
        unit.env[inner.id] = Flow(value, group)
    return True


def _item(unit: Unit, node: ast.AST, flow: Flow, index: int) -> Flow:
    from gpuport.analysis.probing import probe_index
    from gpuport.analysis.unit import tuple_item

    if is_container(flow.value) and not isinstance(flow.value, Mapping):
        item = tuple_item(flow.value, index)
    elif is_arraylike(flow.value):
        item = probe_index(flow.value, (Scalar("int", 0),))
        if flow.origin is not None and not flow.fresh and not isinstance(item, Array):
            share_element(unit, node, flow.origin)
    else:
        item = unit.knowledge.words.part(flow.value) or UNKNOWN
    return Flow(item, flow.origin if on_device_possible(item) else None, view=True)


def _assign(unit: Unit, node: ast.Assign) -> None:
    unit.statement = node
    if len(node.targets) == 1 and _swaps_tuple(node):
        assign(unit, node.targets[0], node.value, Flow(UNKNOWN))
        return
    if all(isinstance(target, (ast.Tuple, ast.List)) for target in node.targets):
        unit.consume(node.value)  # `a, b = (f(k) for k in ...)`
    flow = evaluate(unit, node.value)
    for position, target in enumerate(node.targets):
        assign(unit, target, node.value, flow)
        if position == 0 and flow.fresh and isinstance(target, ast.Name):
            flow = unit.env[target.id]


def _swaps_tuple(node: ast.Assign) -> bool:
    target = node.targets[0]
    return (
        isinstance(target, ast.Tuple)
        and isinstance(node.value, ast.Tuple)
        and len(target.elts) == len(node.value.elts)
        and not any(isinstance(e, ast.Starred) for e in (*target.elts, *node.value.elts))
    )


def _annotated(unit: Unit, node: ast.AnnAssign) -> None:
    if node.value is not None:
        assign(unit, node.target, node.value, evaluate(unit, node.value))


def _expression(unit: Unit, node: ast.Expr) -> None:
    if isinstance(node.value, (ast.Yield, ast.YieldFrom, ast.Await)):
        raise Refused(_generator(node))
    evaluate(unit, node.value)
    unit.follow(node.value)


def _generator(node: ast.AST) -> Reason:
    return Reason("GP904", "generator: `yield` hands out values one at a time", node, "generator")


def _return(unit: Unit, node: ast.Return) -> None:
    if node.value is None:
        unit.returns = _join_return(unit, Scalar("None"))
        return
    unit.returns = _join_return(unit, _returned(unit, node, node.value))


def _returned(unit: Unit, node: ast.Return, expression: ast.expr) -> Value:
    """What is returned; the items of a display leave one by one."""
    plain = not any(isinstance(e, ast.Starred) for e in getattr(expression, "elts", ()))
    if isinstance(expression, ast.Tuple) and plain:
        return Tuple(tuple(_returned(unit, node, e) for e in expression.elts))
    if isinstance(expression, ast.Dict) and all(k is not None for k in expression.keys):
        for key in expression.keys:
            if key is not None:
                unit.to_host(key, evaluate(unit, key))
        return Mapping(join_all([_returned(unit, node, v) for v in expression.values]))
    if isinstance(expression, ast.Call) and makes_named_tuple(unit, expression):
        for value in (*expression.args, *(k.value for k in expression.keywords)):
            _returned(unit, node, value)
        # Its items are known by names that nothing here follows: callers take it from the host.
        return Unknown(f"the result of `{unit.module.segment(expression.func)}`")
    flow = evaluate(unit, expression)
    if isinstance(flow.value, Tuple) and flow.value.names and flow.origin is not None:
        unit.pin(
            flow.origin,
            "GP515",
            f"`{unit.module.segment(expression)[:60]}` has names for its items (`."
            f"{flow.value.names[0]}`), which a caller may use and CuPy's plain tuple has not",
            expression,
            "semantic-difference",
            help=f"return its items: `{', '.join(flow.value.names)} = ...`",
        )
    _leave(unit, node, expression, flow)
    return flow.value


def _join_return(unit: Unit, value: Value) -> Value:
    from gpuport.analysis.values import join

    joined = value if unit.returns is None else join(unit.returns, value)
    unit.lost(unit.node, joined, value, unit.returns or UNKNOWN)
    return joined


def _leave(unit: Unit, node: ast.Return, expression: ast.expr, flow: Flow) -> None:
    flow = kept(unit, expression, flow)
    if unit.objects is not None and not isinstance(unit.node, ast.Module):
        unit.objects.returned(unit, expression, flow)
        return
    if flow.origin is None or not on_device_possible(flow.value):
        return
    new = flow.fresh and not is_container(flow.value)  # an array made of a list of a caller's
    parameters = set() if new else flow.origin.root().parameters
    if parameters and (flow.view or not isinstance(flow.value, Number)):
        unit.returned_parameters |= parameters
        if flow.view or (is_container(flow.value) and not _is_argument(unit, expression)):
            unit.returned_views = unit.returned_views or Reason(
                "GP907",
                f"may alias: `{unit.module.segment(expression)}` can be a view of its argument "
                f"`{'`, `'.join(sorted(parameters))}`, in which callers may write",
                node,
                "may-alias",
                help="return a copy",
            )
    if unit.decorated and flow.origin.root().dimensionless:
        unit.pin(
            flow.origin,
            "GP901",
            f"unknown type: `{unit.module.segment(expression)[:60]}` holds an array without "
            "dimensions, which would come back from the device as a NumPy scalar",
            expression,
            "unknown-type",
            help="hold numbers, `float(...)`, or arrays with a dimension",
        )
    if unit.decorated and isinstance(flow.value, Array) and flow.value.rank == 0:
        unit.to_host(expression, flow)  # the boundary would make a NumPy scalar of it
        return
    if unit.decorated and isinstance(flow.value, Number) and not flow.value.numpy_scalar:
        unit.to_host(expression, flow)  # a number of Python's; the boundary gives NumPy's
        return
    # The boundary takes what is on the host to where the caller's arrays are.
    implicit = unit.decorated and not (unit.knowledge.boundary == "none" and can_enter(flow.value))
    unit.use(expression, flow, unit.return_node, implicit=implicit)


def _is_argument(unit: Unit, expression: ast.expr) -> bool:
    """Whether it is the very list or dict that the caller gave: callers get their own back."""
    name = expression.id if isinstance(expression, ast.Name) else ""
    return name in unit.parameters and unit.scope.bound.get(name) == 1


def _for(unit: Unit, node: ast.For) -> None:
    if launched(unit, node):
        return
    with unit.within_stacked(noted(unit, node)):
        _python_loop(unit, node)


def _python_loop(unit: Unit, node: ast.For) -> None:
    if isinstance(node.iter, ast.Call):
        unit.consume(node.iter)
    flow = evaluate(unit, node.iter)
    names = frozenset(n.id for n in ast.walk(node.target) if isinstance(n, ast.Name))
    with unit.loop(names, node):
        item, origin = iterate(unit, node.iter, node.iter, flow)
    single = is_arraylike(flow.value) and isinstance(item, Number)
    origin_flow = Flow(
        item, origin if on_device_possible(item) else None, view=True, element=single
    )

    def body() -> None:
        with unit.loop(names, node):
            _bind_item(unit, node.target, node.iter, origin_flow)
            run(unit, node.body)

    _repeat(unit, body)
    run(unit, node.orelse)


def _bind_item(unit: Unit, target: ast.expr, expression: ast.expr, flow: Flow) -> None:
    """A loop target is bound to an element; nothing is transferred there."""
    if isinstance(target, ast.Name):
        flow = unit.refresh(flow)
        if unit.trace is not None:
            unit.trace.bound(target.id, target, flow)
        if flow.origin is not None and flow.origin.root().iterated:
            single = isinstance(flow.value, (Number, Either))
            flow = replace(flow, element=flow.element or single)
        unit.env[target.id] = flow
        return
    if isinstance(target, (ast.Tuple, ast.List)):
        for index, inner in enumerate(target.elts):
            if isinstance(inner, ast.Starred):
                _bind_item(unit, inner.value, expression, Flow(UNKNOWN, flow.origin))
                continue
            _bind_item(unit, inner, expression, _item(unit, target, flow, index))
        return
    assign(unit, target, expression, flow)


def _repeat(unit: Unit, body: Callable[[], None]) -> None:
    """A loop body, until nothing more is learned; what still changes is unknown."""
    for _ in range(_MOST_PASSES):
        before = dict(unit.env)
        body()
        unit.join_env(before)
        if _same_values(before, unit.env):
            return
    for name, flow in list(unit.env.items()):
        if name in before and before[name].value != flow.value:
            unit.lost(unit.node, UNKNOWN, before[name].value, flow.value)
            unit.env[name] = Flow(UNKNOWN, flow.origin)
            if flow.origin is not None:
                unit.pin(
                    flow.origin,
                    "GP901",
                    f"unknown type: what `{name}` is changes from one trip of the loop to the next",
                    unit.node,
                    "unknown-type",
                )


def _same_values(before: dict[str, Flow], after: dict[str, Flow]) -> bool:
    return all(name in before and before[name].value == flow.value for name, flow in after.items())


def _while(unit: Unit, node: ast.While) -> None:
    if launched(unit, node):
        return

    def body() -> None:
        with unit.loop(frozenset(), node):
            test(unit, node.test)
            run(unit, node.body)

    _repeat(unit, body)
    run(unit, node.orelse)


def comprehension_loops(
    unit: Unit, generators: list[ast.comprehension], body: Callable[[], None]
) -> None:
    """The nested loops of a comprehension around its element."""
    if not generators:
        body()
        return
    first = generators[0]
    if isinstance(first.iter, ast.Call):
        unit.consume(first.iter)
    flow = evaluate(unit, first.iter)
    names = frozenset(n.id for n in ast.walk(first.target) if isinstance(n, ast.Name))
    with unit.loop(names, first.iter):
        item, origin = iterate(unit, first.iter, first.iter, flow)
        held = origin if on_device_possible(item) else None
        _bind_item(unit, first.target, first.iter, Flow(item, held, view=True))
        for condition in first.ifs:
            test(unit, condition)
        comprehension_loops(unit, generators[1:], body)


def _if(unit: Unit, node: ast.If) -> None:
    if launches_kernel(unit, node):
        run(unit, node.orelse)  # the loop that the kernel stands for
        return
    if stands_for_loop(unit, node.test):
        with unit.already_stacked():
            run(unit, node.orelse)
        return
    test(unit, node.test)
    before = dict(unit.env)
    narrow(unit, node.test, holds=True)
    run(unit, node.body)
    after_body, unit.env = unit.env, dict(before)
    narrow(unit, node.test, holds=False)
    run(unit, node.orelse)
    if _ends(node.body):
        return
    if _ends(node.orelse):
        unit.env = after_body
        return
    unit.join_env(after_body)


def _ends(body: Sequence[ast.stmt]) -> bool:
    return (
        bool(body)
        and isinstance(body[-1], (ast.Return, ast.Raise, ast.Continue, ast.Break))
        and (not isinstance(body[-1], (ast.Continue, ast.Break)))
    )


def _assert(unit: Unit, node: ast.Assert) -> None:
    test(unit, node.test)
    if node.msg is not None:
        unit.to_host(node.msg, evaluate(unit, node.msg))
    narrow(unit, node.test, holds=True)


def _raise(unit: Unit, node: ast.Raise) -> None:
    for part in (node.exc, node.cause):
        if part is not None:
            evaluate(unit, part)


def _with(unit: Unit, node: ast.With) -> None:
    if stands_for_launch(unit, node):
        return
    for item in node.items:
        _check_error_state(unit, item.context_expr)
        evaluate(unit, item.context_expr)
        if item.optional_vars is not None:
            assign(unit, item.optional_vars, item.context_expr, Flow(UNKNOWN))
    run(unit, node.body)


def _check_error_state(unit: Unit, node: ast.expr) -> None:
    """Asking NumPy to raise on floating-point errors, or for its warnings: CuPy gives neither."""
    if not isinstance(node, ast.Call):
        return
    raising = any(
        isinstance(k.value, ast.Constant) and k.value.value in ("raise", "call", "print", "log")
        for k in node.keywords
    )
    path = unit.scope.resolve(node.func)
    raising = raising and path is not None and library_of(path) is not None
    if raising or (path in _LISTENERS and _listens(node)):
        what = "floating-point errors" if raising else "warnings"
        raise Refused(
            Reason(
                "GP507",
                f"{what} are asked for here; CuPy has no such thing",
                node,
                "semantic-difference",
            )
        )


_LISTENERS = frozenset(("warnings.catch_warnings", "pytest.warns", "numpy.testing.assert_warns"))


def _listens(node: ast.Call) -> bool:
    """Whether what is warned of here comes to something, instead of being silenced."""
    if getattr(node.func, "attr", getattr(node.func, "id", "")) != "catch_warnings":
        return True
    asked = {k.arg: k.value for k in node.keywords}
    record, action = asked.get("record"), asked.get("action")
    silent = record is None or (isinstance(record, ast.Constant) and not record.value)
    return not silent or (isinstance(action, ast.Constant) and action.value == "error")


def _try(unit: Unit, node: ast.Try) -> None:
    before = dict(unit.env)
    if node.handlers:
        handler = node.handlers[0]
        reason = Reason(
            "GP903",
            "exception handling: the `try` that `except` on line "
            f"{unit.module.line(handler)} guards; CuPy does not raise where NumPy does",
            node,
            "exception-handling",
        )
        with unit.guard(reason):
            run(unit, node.body)
            run(unit, node.orelse)
    else:
        run(unit, node.body)
    after = unit.env
    for handler in node.handlers:
        unit.env = dict(before)
        if handler.name:
            unit.env[handler.name] = Flow(Scalar())
        run(unit, handler.body)
        if not _ends(handler.body):
            merged = unit.env
            unit.env = after
            unit.join_env(merged)
            after = unit.env
    unit.env = after
    run(unit, node.finalbody)


def _definition(unit: Unit, node: ast.stmt) -> None:
    """A function or class inside: what it captures stays on the host."""
    if unit.name == "<module>" and isinstance(
        node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    ):
        return
    capture(unit, node)
    name = getattr(node, "name", None)
    if name is not None:
        unit.env.pop(name, None)


def _outside(unit: Unit, node: ast.Global | ast.Nonlocal) -> None:
    raise Refused(
        unsupported(node, f"`{type(node).__name__.lower()}` names shared with other functions")
    )


def _ignore(unit: Unit, node: ast.stmt) -> None:
    return None


def _delete(unit: Unit, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            unit.env.pop(target.id, None)
        elif isinstance(target, ast.Subscript):
            evaluate(unit, target.value)


_HANDLERS: dict[type[ast.stmt], Callable[[Unit, Any], None]] = {
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: augmented,
    ast.Expr: _expression,
    ast.Return: _return,
    ast.For: _for,
    ast.While: _while,
    ast.If: _if,
    ast.Assert: _assert,
    ast.Raise: _raise,
    ast.With: _with,
    ast.Try: _try,
    ast.FunctionDef: _definition,
    ast.AsyncFunctionDef: _definition,
    ast.ClassDef: _definition,
    ast.Global: _outside,
    ast.Nonlocal: _outside,
    ast.Pass: _ignore,
    ast.Break: _ignore,
    ast.Continue: _ignore,
    ast.Import: _ignore,
    ast.ImportFrom: _ignore,
    ast.Delete: _delete,
}
__all__ = ["Node", "assign", "comprehension_loops", "operand", "run"]

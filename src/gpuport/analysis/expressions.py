"""What each kind of expression gives, and what it adds to the data-flow graph."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import Any

from gpuport.analysis.arguments import spread
from gpuport.analysis.attributes import array_attribute, constant_value
from gpuport.analysis.batches import noted, stands_for_loop
from gpuport.analysis.calls import call
from gpuport.analysis.classattributes import asks_only, attribute_of_class
from gpuport.analysis.closures import capture, function_made
from gpuport.analysis.flows import Flow
from gpuport.analysis.functionvalues import function_named
from gpuport.analysis.graph import Reason, unsupported
from gpuport.analysis.libraryvalues import function_of_library
from gpuport.analysis.listedarrays import listed_array
from gpuport.analysis.modulelevel import global_value, imported_value
from gpuport.analysis.narrowing import narrowed
from gpuport.analysis.nesting import put
from gpuport.analysis.neverruns import never
from gpuport.analysis.objectoperators import object_binary, object_negative
from gpuport.analysis.objecttexts import ask_for_text
from gpuport.analysis.operators import forget_constant, operand, operator
from gpuport.analysis.receivers import number_of_receiver
from gpuport.analysis.settings import fields_of
from gpuport.analysis.subscripts import keep_element, subscript
from gpuport.analysis.unit import Unit
from gpuport.analysis.values import (
    EMPTY,
    UNKNOWN,
    Either,
    Instance,
    Mapping,
    Number,
    Object,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    is_arraylike,
    is_container,
    is_number,
    join,
    join_all,
    objects_in,
    on_device_possible,
)
from gpuport.records import Severity
from gpuport.rules.libraries import library_of
from gpuport.source.fstrings import editable
from gpuport.source.literals import literal_value
from gpuport.source.syntax import children


def evaluate(unit: Unit, node: ast.expr) -> Flow:
    """Interpret an expression.

    Returns
    -------
    Flow
        What is known of its value and where it comes from.
    """
    flow = _HANDLERS.get(type(node), _generic)(unit, node)
    if unit.trace is not None:
        unit.trace.saw(node, flow)
    if unit.objects is not None and objects_in(flow.value):
        unit.unfollowed[id(node)] = (node, flow.value)
    if flow.origin is not None and is_container(flow.value):
        unit.containers[id(node)] = flow
    elif isinstance(flow.value, Unknown) and unit.containers:
        _keep_contents(unit, node, flow)
    return flow


def _keep_contents(unit: Unit, node: ast.expr, flow: Flow) -> None:
    """What came of a container is not known: nothing could bring it back from the device."""
    pinned = flow.origin if flow.value != EMPTY else None
    if pinned is None and node.__class__ is ast.Name:
        return
    held = [(c, unit.containers[id(c)]) for c in children(node) if id(c) in unit.containers]
    if pinned is None and not held:
        return
    reason = Reason(
        "GP901",
        f"unknown type: what `{unit.module.segment(node)[:60]}` takes from its container is not "
        "known",
        node,
        "unknown-type",
    )
    if pinned is not None:
        unit.graph.pin(pinned, reason)
    for child, container in held:
        unit.escape(child, container, reason)  # type: ignore[arg-type]


def _generic(unit: Unit, node: ast.expr) -> Flow:
    text = " ".join(unit.module.segment(node).split())[:60]
    reason = unsupported(node, f"what becomes of the arrays in `{text}` is not followed")
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            unit.escape(child, evaluate(unit, child), reason)
    return Flow(UNKNOWN)


def _constant(unit: Unit, node: ast.Constant) -> Flow:
    value = node.value
    if value is None:
        return Flow(Scalar("None"))
    if isinstance(value, (bool, int, float, complex, str)):
        return Flow(Scalar(type(value).__name__, value))
    return Flow(Scalar())


def _name(unit: Unit, node: ast.Name) -> Flow:
    flow = unit.load(node.id)
    if flow is None:
        flow = function_named(unit, node)
    if flow is not None:
        return flow
    path = unit.scope.resolve(node)
    if path is not None:
        return _imported(unit, node, path)
    return global_value(unit, node.id)


def _imported(unit: Unit, node: ast.expr, path: str) -> Flow:
    """A name of another module: of a library, or of the project."""
    followed = function_of_library(unit, node, path)
    if followed is not None:
        return followed
    _note_function(unit, node, path)
    value = constant_value(path)
    return imported_value(unit, path) if value == UNKNOWN else Flow(value)


def _note_function(unit: Unit, node: ast.expr, path: str) -> None:
    """A function of NumPy that is handed on: whoever calls it runs NumPy."""
    library = library_of(path)
    entry = unit.knowledge.tables.entry(path) if library is not None else None
    if library is None or entry is None or entry.kind not in ("function", "ufunc"):
        return
    if any(alias is node for alias in unit.scope.aliases.values()):
        return  # followed to its calls
    text = unit.module.segment(node)
    unit.note(
        "GP407",
        f"`{text}` is handed on as a value: what calls it runs with {library.name}",
        node,
        severity=Severity.INFO,
    )


def _attribute(unit: Unit, node: ast.Attribute) -> Flow:
    shared = attribute_of_class(unit, node)
    if shared is not None and unit.objects is not None:
        return unit.objects.attribute(unit, node, shared)
    if asks_only(unit, node):
        return Flow(Scalar("str"))
    path = unit.scope.resolve(node)
    if path is not None:
        return function_named(unit, node) or _imported(unit, node, path)
    number = number_of_receiver(unit, node)
    if number is not None:
        unit.receiver_numbers.add(node.attr)
        return Flow(number)
    base = evaluate(unit, node.value)
    if not is_arraylike(base.value):
        if isinstance(base.value, Object) and unit.objects is not None:
            unit.follow(node.value)
            return unit.objects.attribute(unit, node, base.value)
        if unit.objects is not None:
            unit.objects.unknown_base(unit, node, base.value)
        if isinstance(base.value, Scalar) and base.value.type in ("float", "int", "complex"):
            return Flow(Scalar())
        if isinstance(base.value, Instance):
            field = fields_of(unit.project, base.value.path).get(node.attr)
            if field is not None:
                return Flow(field)
            rule = unit.knowledge.rules.host(f"{base.value.path}.{node.attr}")
            if rule is not None and rule.returns == f"instance:{base.value.path}":
                return Flow(base.value)
        return Flow(Unknown(f"`{unit.module.segment(node)}`"))
    return array_attribute(unit, node, base)


def _binary(unit: Unit, node: ast.BinOp) -> Flow:
    left = evaluate(unit, node.left)
    if isinstance(node.op, ast.Mod) and isinstance(left.value, Scalar) and left.value.type == "str":
        return _percent(unit, node, left.value.constant)
    right = evaluate(unit, node.right)
    operands = (node.left, left), (node.right, right)
    found = object_binary(unit, node, node.op, *operands)
    return operator(unit, node, type(node.op).__name__, [*operands]) if found is None else found


_CONVERSION = re.compile(r"%[-+ #0-9.]*[sdifFeEgGu%]")
"""Conversions that write a number without dimensions as they write the number itself."""


def _percent(unit: Unit, node: ast.BinOp, text: object) -> Flow:
    """``"%.3f of %d" % (x, n)``: text, whatever it is made of."""
    same = isinstance(text, str) and _CONVERSION.sub("", text).count("%") == 0
    arguments = node.right.elts if isinstance(node.right, ast.Tuple) else [node.right]
    for argument in arguments:
        flow = evaluate(unit, argument)
        if isinstance(flow.value, Object):
            ask_for_text(unit, argument, flow.value, as_repr="%r" in str(text))
        if is_container(flow.value):
            if not unit.use_leaves(argument, flow, unit.host):
                unit.escape(argument, flow, Reason("GP402", "its text is asked for", node))
        elif same and isinstance(flow.value, Number) and flow.origin is not None:
            unit.syncs[id(argument)] = (argument, flow.origin)
        else:
            unit.to_host(argument, flow)
    return Flow(Scalar("str"))


def _unary(unit: Unit, node: ast.UnaryOp) -> Flow:
    if isinstance(node.op, ast.Not):
        test(unit, node.operand)
        return Flow(Scalar("bool"))
    if isinstance(node.operand, ast.Constant) and isinstance(node.operand.value, (int, float)):
        if isinstance(node.op, ast.USub):
            return Flow(Scalar(type(node.operand.value).__name__, -node.operand.value))
        return evaluate(unit, node.operand)
    operand = evaluate(unit, node.operand)
    found = object_negative(unit, node, operand)
    if found is not None:
        return found
    return operator(unit, node, type(node.op).__name__, [(node.operand, operand)])


def _compare(unit: Unit, node: ast.Compare) -> Flow:
    operands = [
        (e, Flow(Scalar("type")) if asks_only(unit, e) else evaluate(unit, e))
        for e in (node.left, *node.comparators)
    ]
    identity = all(isinstance(op, (ast.Is, ast.IsNot)) for op in node.ops)
    for expression, _ in operands if identity else ():
        unit.follow(expression)
    if identity or not any(is_arraylike(flow.value) for _, flow in operands):
        keys = all(isinstance(op, (ast.In, ast.NotIn)) for op in node.ops)
        for expression, flow in operands if not identity else ():
            if is_container(flow.value) and not (keys and isinstance(flow.value, Mapping)):
                unit.escape(expression, flow, _comparison(node))
        return Flow(Scalar("bool") if _gives_bool(node, operands) else UNKNOWN)
    if any(isinstance(op, (ast.In, ast.NotIn, ast.Is, ast.IsNot)) for op in node.ops):
        for expression, flow in operands:
            unit.to_host(expression, flow)
        return Flow(Scalar("bool"))
    result = operator(unit, node, type(node.ops[0]).__name__, operands[:2])
    if len(node.ops) == 1:
        return result
    if result.origin is not None:
        for expression, flow in operands[2:]:
            operand(unit, node, expression, flow, result.origin)
    return Flow(Number("bool"), result.origin, fresh=True)


def _gives_bool(node: ast.Compare, operands: list[tuple[ast.expr, Flow]]) -> bool:
    """Whether a comparison without known arrays is no comparison of arrays nobody knows of."""
    if all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
        return True
    values = [flow.value for _, flow in operands]
    words = any(isinstance(v, Scalar) and v.type in ("str", "None") for v in values)
    return words or not any(isinstance(v, Unknown) for v in values)


def _comparison(node: ast.AST) -> Reason:
    return Reason("GP906", "lists of arrays are compared", node, "unsupported-syntax")


def test(unit: Unit, node: ast.expr) -> None:
    """An expression whose truth is asked for: on the device that costs a synchronisation."""
    if isinstance(node, ast.BoolOp):
        for value in node.values:
            test(unit, value)
            if never(unit, value, holds=isinstance(node.op, ast.And)):
                return  # what comes after it is not asked for
        return
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        test(unit, node.operand)
        return
    flow = evaluate(unit, node)
    unit.follow(node)
    if is_arraylike(flow.value) and flow.origin is not None:
        unit.syncs[id(node)] = (node, flow.origin)
        if flow.element and unit.in_stacked:  # all of them are asked at once, where the items are
            flow.origin.root().host_cost += unit.weight
        elif flow.element:
            unit.element_work(node, flow.origin)


def _boolean(unit: Unit, node: ast.BoolOp) -> Flow:
    flows = [(e, evaluate(unit, e)) for e in node.values]
    for expression, flow in flows:
        unit.to_host(expression, flow)
        if is_container(flow.value):
            unit.escape(expression, flow, _comparison(node))
    if any(on_device_possible(flow.value) for _, flow in flows):
        return Flow(Unknown("the result of `and`/`or` on arrays"))
    return Flow(join_all([flow.value for _, flow in flows]))


def _conditional(unit: Unit, node: ast.IfExp) -> Flow:
    if stands_for_loop(unit, node.test):
        with unit.already_stacked():
            return evaluate(unit, node.orelse)
    test(unit, node.test)
    for holds, runs in ((True, node.orelse), (False, node.body)):
        if never(unit, node.test, holds=holds):
            return evaluate(unit, runs)
    with narrowed(unit, node.test, holds=True):
        body = kept(unit, node.body, evaluate(unit, node.body))
    with narrowed(unit, node.test, holds=False):
        orelse = kept(unit, node.orelse, evaluate(unit, node.orelse))
    value = join(body.value, orelse.value)
    unit.lost(node, value, body.value, orelse.value)
    unit.follow(node.body)
    unit.follow(node.orelse)
    if body.origin is None and orelse.origin is None:
        return Flow(value)
    choice = unit.node_for("choice", node, "conditional expression")
    for expression, flow in ((node.body, body), (node.orelse, orelse)):
        if flow.origin is None:
            continue
        if flow.fresh and not is_container(flow.value):
            unit.use(expression, flow, choice, stored=True)
        else:
            unit.graph.unite(choice, flow.origin)
    if value == UNKNOWN:
        unit.pin(choice, "GP901", "unknown type: the branches differ", node, "unknown-type")
    element = all(flow.element or flow.origin is None for flow in (body, orelse))
    fresh = body.fresh and orelse.fresh
    return Flow(value, choice, body.view or orelse.view, fresh=fresh, element=element)


def _walrus(unit: Unit, node: ast.NamedExpr) -> Flow:
    flow = kept(unit, node.value, evaluate(unit, node.value))
    unit.follow(node.value)
    unit.bind(node.target.id, node.target, node.value, flow)
    return unit.env[node.target.id]


_LONGEST_LITERAL = 64
"""Elements up to which a display is looked at one by one."""


def _display(unit: Unit, node: ast.List | ast.Set) -> Flow:
    if len(node.elts) > _LONGEST_LITERAL and all(isinstance(e, ast.Constant) for e in node.elts):
        kinds = {type(e.value): e for e in node.elts if isinstance(e, ast.Constant)}
        return Flow(
            Sequence(join_all([forget_constant(evaluate(unit, e).value) for e in kinds.values()]))
        )
    flows = [(e, evaluate(unit, e)) for e in node.elts]
    if any(isinstance(e, ast.Starred) for e in node.elts):
        return _generic(unit, node)
    made = listed_array(unit, node, flows) if id(node) in unit.joined else None
    if made is not None:
        return made
    held = any(flow.origin is not None or objects_in(flow.value) for _, flow in flows)
    changes = isinstance(node, ast.List) and id(node) in unit.project.changed.displays
    if not held and not (changes and flows):
        of = join_all([flow.value for _, flow in flows]) if flows else EMPTY
        _hold(unit, node, of, flows)
        if not flows:
            return Flow(Sequence(EMPTY), unit.node_for("container", node, "list"), fresh=True)
        return Flow(Sequence(of, literal=_literal(node)))
    container = unit.node_for("container", node, "list")
    if all(_is_row(expression, flow.value) for expression, flow in flows):
        for _, flow in flows:
            if flow.origin is not None:
                unit.graph.unite(container, flow.origin)
        return Flow(Sequence(join_all([flow.value for _, flow in flows])), container, fresh=True)
    for expression, flow in flows:
        put(unit, container, expression, kept(unit, expression, flow))
    return unit.refresh(Flow(Sequence(EMPTY), container, fresh=True))


def _is_row(node: ast.expr, value: Value) -> bool:
    """A row of numbers in ``[[a, b], [b, c]]``: of the numbers alone its group knows."""
    if not isinstance(node, ast.List) or not isinstance(value, Sequence):
        return False
    return is_number(value.of) or isinstance(value.of, Either)


def _hold(unit: Unit, node: ast.expr, value: Value, flows: list[tuple[ast.expr, Flow]]) -> None:
    """Instances in a display are followed as what the display holds."""
    if unit.objects is not None:
        unit.lost(node, value, *(flow.value for _, flow in flows))
        for expression, _ in flows:
            unit.follow(expression)


def _literal(node: ast.expr) -> str | None:
    """The text of a display of constants, for probing; None for long ones.

    Of infinity the text is no literal.
    """
    if len(getattr(node, "elts", ())) > _LONGEST_LITERAL:
        return None
    try:
        text = repr(literal_value(node))
    except (ValueError, TypeError):
        return None
    return text if len(text) <= 200 and "inf" not in text else None


def _tuple(unit: Unit, node: ast.Tuple) -> Flow:
    if any(isinstance(e, ast.Starred) for e in node.elts):
        return _generic(unit, node)
    flows = [(e, evaluate(unit, e)) for e in node.elts]
    values = Tuple(tuple(flow.value for _, flow in flows), _literal(node))
    _hold(unit, node, values, flows)
    if not any(flow.origin is not None for _, flow in flows):
        return Flow(values)
    container = unit.node_for("container", node, "tuple")
    numbers = all(isinstance(flow.value, Number) for _, flow in flows)
    for expression, flow in flows:
        item = kept(unit, expression, flow)
        put(unit, container, expression, item, stored=numbers, told=True)
    return Flow(values, container, fresh=True)


def _dict(unit: Unit, node: ast.Dict) -> Flow:
    container = unit.node_for("container", node, "dict")
    for key, value in zip(node.keys, node.values, strict=True):
        flow = evaluate(unit, value)
        if key is None:
            if isinstance(flow.value, Mapping) and flow.origin is not None:
                unit.graph.unite(container, flow.origin)
            elif not isinstance(flow.value, Mapping):
                return _generic(unit, node)
            continue
        unit.to_host(key, evaluate(unit, key))
        put(unit, container, value, kept(unit, value, flow), stored=False)
    return unit.refresh(Flow(Mapping(EMPTY), container, fresh=True))


def kept(unit: Unit, expression: ast.expr, flow: Flow) -> Flow:
    """A value about to be kept: a scalar element is copied, since CuPy gives a 0-d view."""
    return keep_element(unit, expression, flow)


def _formatted(unit: Unit, node: ast.JoinedStr) -> Flow:
    with unit.within_text(frozen=not editable(unit.module, node)):
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                flow = evaluate(unit, part.value)
                if isinstance(flow.value, Object):
                    ask_for_text(unit, part.value, flow.value, as_repr=part.conversion == 114)
                exact = part.conversion not in (-1, 115) or not is_arraylike(flow.value)
                if exact and on_device_possible(flow.value):
                    unit.escape(
                        part.value,
                        flow,
                        Reason("GP402", "its repr is asked for in an f-string", node),
                    )
                elif is_arraylike(flow.value) and flow.origin is not None:
                    unit.syncs[id(part.value)] = (part.value, flow.origin)
                    listed = unit.loop_nodes and not isinstance(unit.loop_nodes[-1], ast.stmt)
                    if flow.element and listed:  # in a comprehension: all of an array's
                        unit.element_work(part.value, flow.origin)
                if part.format_spec is not None:
                    evaluate(unit, part.format_spec)
    return Flow(Scalar("str"))


def _lambda(unit: Unit, node: ast.Lambda) -> Flow:
    made = function_made(unit, node)
    if made is not None:
        return made
    capture(unit, node)
    return Flow(Scalar("callable"))


def _slice(unit: Unit, node: ast.Slice) -> Flow:
    for part in (node.lower, node.upper, node.step):
        if part is not None:
            evaluate(unit, part)
    return Flow(Scalar("slice"))


def _comprehension(
    unit: Unit, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
) -> Flow:
    from gpuport.analysis.statements import comprehension_loops

    to_the_end = isinstance(node, (ast.ListComp, ast.DictComp)) or id(node) in unit.exhausted
    has_form = to_the_end and not isinstance(node, ast.SetComp) and noted(unit, node)
    container = unit.node_for("container", node, "comprehension")
    before = dict(unit.env)

    def body() -> None:
        element = node.value if isinstance(node, ast.DictComp) else node.elt
        if isinstance(node, ast.DictComp):
            unit.to_host(node.key, evaluate(unit, node.key))
        put(unit, container, element, kept(unit, element, evaluate(unit, element)))

    with unit.within_stacked(has_form):
        comprehension_loops(unit, node.generators, body)
    unit.env = before
    held = container.cell().contents or UNKNOWN
    is_list = not isinstance(node, ast.GeneratorExp)
    if not on_device_possible(held):
        value: Value = Mapping(held) if isinstance(node, ast.DictComp) else Sequence(held, is_list)
        return Flow(value)
    value = Mapping(EMPTY) if isinstance(node, ast.DictComp) else Sequence(EMPTY, is_list)
    return unit.refresh(Flow(value, container, fresh=True))


def _generator(unit: Unit, node: ast.GeneratorExp) -> Flow:
    """A generator runs later, perhaps never: what it touches stays on the host.

    One that is an argument of ``sum`` and its kin runs there and then.
    """
    if id(node) in unit.consumed:
        return _comprehension(unit, node)
    capture(unit, node)
    return Flow(UNKNOWN)


_HANDLERS: dict[type[ast.expr], Callable[[Unit, Any], Flow]] = {
    ast.Constant: _constant,
    ast.Name: _name,
    ast.Attribute: _attribute,
    ast.BinOp: _binary,
    ast.UnaryOp: _unary,
    ast.Compare: _compare,
    ast.BoolOp: _boolean,
    ast.IfExp: _conditional,
    ast.NamedExpr: _walrus,
    ast.List: _display,
    ast.Set: _display,
    ast.Tuple: _tuple,
    ast.Dict: _dict,
    ast.JoinedStr: _formatted,
    ast.Lambda: _lambda,
    ast.Starred: spread,
    ast.Slice: _slice,
    ast.Subscript: subscript,
    ast.Call: call,
    ast.ListComp: _comprehension,
    ast.SetComp: _comprehension,
    ast.DictComp: _comprehension,
    ast.GeneratorExp: _generator,
}

"""Calls: of NumPy, of array and container methods, of the project, of the host, of the unknown."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from functools import reduce

from gpuport._frozen import frozen
from gpuport.analysis.changedlists import CHANGING
from gpuport.analysis.classes import is_super
from gpuport.analysis.flows import Flow
from gpuport.analysis.foreignmemory import in_its_memory, over_buffer
from gpuport.analysis.functionvalues import is_bound
from gpuport.analysis.graph import Node, Reason
from gpuport.analysis.libraryvalues import calls_of_library
from gpuport.analysis.nesting import tuples
from gpuport.analysis.numpynames import as_numpy
from gpuport.analysis.objecttexts import ask_for_text, copied, read_whole, replaced, with_others
from gpuport.analysis.otherkinds import check_kind
from gpuport.analysis.settings import makes_setting
from gpuport.analysis.unit import Unit
from gpuport.analysis.values import (
    EMPTY,
    UNKNOWN,
    Array,
    Either,
    Instance,
    Mapping,
    Number,
    Object,
    Scalar,
    Sequence,
    Unknown,
    Value,
    is_arraylike,
    is_container,
    join,
    objects_in,
    on_device_possible,
)
from gpuport.rules.libraries import library_of
from gpuport.rules.model import HostRule
from gpuport.source.syntax import has_star


@frozen
class Argument:
    """An argument of a call as written: position or keyword, its expression and flow."""

    position: int | None
    keyword: str | None
    expression: ast.expr
    flow: Flow


def arguments(unit: Unit, node: ast.Call) -> list[Argument]:
    """Evaluate the arguments of a call from left to right."""
    from gpuport.analysis.expressions import evaluate

    found: list[Argument] = []
    for position, expression in enumerate(node.args):
        if isinstance(expression, ast.Starred):
            found.append(Argument(None, None, expression.value, spread(unit, expression)))
        else:
            found.append(Argument(position, None, expression, evaluate(unit, expression)))
    for keyword in node.keywords:
        found.append(
            Argument(None, keyword.arg or "**", keyword.value, evaluate(unit, keyword.value))
        )
    return found


def spread(unit: Unit, node: ast.Starred) -> Flow:
    """``*values``: what is spread; the items of an instance are not followed one by one."""
    from gpuport.analysis.expressions import evaluate

    unit.consume(node.value)
    if isinstance(node.value, (ast.GeneratorExp, ast.Call)):
        unit.exhausted.add(id(node.value))
    flow = evaluate(unit, node.value)
    if isinstance(flow.value, Object) and unit.objects is not None:
        unit.objects.open(flow.value.name, node, "an instance is unpacked")
    return flow


def call(unit: Unit, node: ast.Call) -> Flow:
    """Interpret a call."""
    path = unit.scope.resolve(node.func)
    if path is not None:
        return _call_of_path(unit, node, path)
    if unit.objects is not None:
        followed = followed_call(unit, node)
        if followed is not None:
            return followed
    from gpuport.analysis.expressions import evaluate
    from gpuport.analysis.numpycalls import method_call
    from gpuport.analysis.projectcalls import project_call

    if isinstance(node.func, ast.Name) and node.func.id not in unit.env:
        definition = unit.project.own_function(unit, node.func.id)
        if definition is not None:
            return project_call(unit, node, node.func.id, definition)
    if isinstance(node.func, ast.Name) and makes_setting(unit, node.func.id):
        unknown_call(unit, node, arguments(unit, node))
        return Flow(Instance(node.func.id))
    if isinstance(node.func, ast.Attribute):
        base = evaluate(unit, node.func.value)
        if is_arraylike(base.value):
            return method_call(unit, node, node.func, base)
        if is_container(base.value):
            return container_method(unit, node, node.func, base)
        if isinstance(base.value, Instance):
            name = f"{base.value.path}.{node.func.attr}"
            return host_call(unit, node, name, arguments(unit, node))
        if isinstance(base.value, Scalar):
            return _scalar_method(unit, node, base.value)
        return unknown_call(unit, node, arguments(unit, node))
    if not isinstance(node.func, ast.Name):
        evaluate(unit, node.func)
    return unknown_call(unit, node, arguments(unit, node))


def _call_of_path(unit: Unit, node: ast.Call, path: str) -> Flow:
    """A call of what a dotted path stands for: of a library, a builtin or another module."""
    # These import this module: each branch looks up what it needs.
    if unit.objects is not None and unit.project.program.leads_inside(unit.project, path):
        followed = followed_call(unit, node)
        if followed is not None:
            return followed
    path = as_numpy(path)
    if path == "cupy.asnumpy" and len(node.args) == 1:
        from gpuport.analysis.expressions import evaluate

        return replace(evaluate(unit, node.args[0]), fresh=False)
    if path in unit.knowledge.words.asks_type:
        return _type_question(unit, node, keeps=path not in unit.knowledge.words.asks_only)
    if library_of(path) is not None:
        from gpuport.analysis.numpycalls import numpy_call

        return numpy_call(unit, node, path)
    from gpuport.analysis.builtins import builtin_call, starmap

    if path.startswith("builtins."):
        return builtin_call(unit, node, path)
    from gpuport.analysis.projectcalls import outside_call

    found = starmap(unit, node) if path == "itertools.starmap" else None
    found = found or outside_call(unit, node, path) or replaced(unit, node, path)
    found = found or copied(unit, node, path)
    return host_call(unit, node, path, arguments(unit, node)) if found is None else found


def followed_call(unit: Unit, node: ast.Call) -> Flow | None:
    """A call among the functions that handle instances of the module's classes; None for others."""
    from gpuport.analysis.expressions import evaluate

    objects = unit.objects
    assert objects is not None
    function = node.func
    made = objects.class_named(unit, function)
    if made is not None:
        return objects.construct(unit, node, made, arguments(unit, node))
    if not isinstance(function, ast.Name) or function.id not in unit.env:
        defined = objects.program.defined(unit.scope, function)
        definition = defined.node if defined is not None else None
        if isinstance(definition, (ast.FunctionDef, ast.AsyncFunctionDef)):
            if id(definition) not in objects.members:
                args = arguments(unit, node)
                given = any(objects_in(a.flow.value) for a in args)
                gathers = definition.args.vararg is not None or definition.args.kwarg is not None
                given |= gathers and any(a.flow.origin is not None for a in args)
                if not given or not objects.joins(definition):
                    return None
            return objects.call(unit, node, definition, arguments(unit, node), bound=False)
        if isinstance(function, ast.Name):
            return None
    if isinstance(function, ast.Attribute):
        found = objects.without_instance(unit, function)
        if found is not None:
            return objects.call(unit, node, found[0], arguments(unit, node), bound=found[1])
        if objects.class_named(unit, function.value) is not None:
            return objects.call_of_class(unit, node, function, arguments(unit, node))
        if is_super(function.value):
            above = objects.above(unit, function)
            if above is not None:
                return objects.call(unit, node, above, arguments(unit, node), bound=True)
            if function.attr == "__init__" and not (node.args or node.keywords):
                return Flow(Scalar("None"))  # that of `object`
        base = evaluate(unit, function.value)
        if not isinstance(base.value, Object):
            return None
        family = objects.classes[base.value.name]
        found = family.any_without_instance(function.attr)
        if found is not None:
            unit.follow(function.value)
            return objects.call(unit, node, found[0], arguments(unit, node), bound=found[1])
        methods = family.methods(function.attr, base.value.kinds)
        if family.items and function.attr == "_replace" and not (node.args or has_star(node)):
            unit.follow(function.value)
            return with_others(unit, node, base.value, arguments(unit, node))
        if methods and not family.is_property(function.attr):
            unit.follow(function.value)
            return objects.call_any(unit, node, methods, arguments(unit, node))
    elif not isinstance(function, (ast.Subscript, ast.Call, ast.Lambda, ast.IfExp)) and (
        not isinstance(function, ast.Name) or function.id not in unit.env
    ):
        return None
    held = evaluate(unit, function).value
    if not isinstance(held, Object):
        return None
    unit.follow(function)
    family = objects.classes[held.name]
    methods = family.methods("__call__", held.kinds)
    args = arguments(unit, node)
    flows = calls_of_library(objects, unit, node, held, args)
    if methods:
        plain = [id(one) for one in methods if not is_bound(family, one)]
        at_once = bool(flows)
        flows.append(objects.call_any(unit, node, methods, args, unbound=plain))
        if at_once:
            objects.unite_with_call(unit, node, methods)
    if not flows:
        objects.open(held.name, node, f"`{unit.module.segment(function)}` is called")
        return None
    return reduce(unit.join_flows, flows)


def _type_question(unit: Unit, node: ast.Call, *, keeps: bool) -> Flow:
    """``isinstance(x, np.ndarray)``: what is asked about stays what it was.

    ``keeps``: the answer may be, or depend on, the very object: a copy would not do.
    """
    for argument in arguments(unit, node):
        text = unit.module.segment(argument.expression)[:60]
        if isinstance(argument.flow.value, Object) and not _reaches_inside(unit, node):
            unit.follow(argument.expression)
        reason = Reason("GP902", f"the program asks what `{text}` is", node, "unknown-type")
        flow = argument.flow
        if keeps or is_container(flow.value):
            unit.escape(argument.expression, flow, reason)
        elif flow.origin is not None and on_device_possible(flow.value):
            if not flow.fresh:
                unit.graph.pin(flow.origin, reason)
            unit.to_host(argument.expression, flow)
    return Flow(Scalar())


def _reaches_inside(unit: Unit, node: ast.Call) -> bool:
    """``getattr(x, name)`` and its kin: more than a question about what ``x`` is."""
    path = unit.scope.resolve(node.func) or ""
    return path not in ("builtins.isinstance", "builtins.id", "builtins.callable")


def _scalar_method(unit: Unit, node: ast.Call, value: Scalar) -> Flow:
    """A method of a string or number: its arguments are Python values."""
    if value.type == "str" and isinstance(node.func, ast.Attribute) and node.func.attr == "join":
        unit.consume(*node.args)
    for argument in arguments(unit, node):
        if isinstance(argument.flow.value, Object) and value.type == "str":
            ask_for_text(unit, argument.expression, argument.flow.value, as_repr=False)
        unit.to_host(argument.expression, argument.flow)
        if is_container(argument.flow.value):
            unit.escape(argument.expression, argument.flow, _unknown(unit, node))
    return Flow(Scalar("str" if value.type == "str" else None) if value.type else UNKNOWN)


def host_call(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """A call of something that works on the host, as the rules describe it."""
    if unit.objects is not None:
        read_whole(unit, name, args)
    rule = unit.knowledge.rules.host(name)
    if rule is None:
        return unknown_call(unit, node, args)
    operation = unit.node_for("operation", node, name)
    unit.graph.pin(
        operation, Reason("GP404" if rule.source else "GP402", f"`{name}` works on the host", node)
    )
    if rule.callback:
        unit.host_calls[id(node)] = _calling_back(unit, node, rule.id)
    reason = Reason(
        "GP902",
        f"`{unit.module.segment(node.func)}` may change it or keep it",
        node,
        "unknown-call",
        rule.id,
    )
    if rule.zero_d:
        operation.zero_d = True
    lends = rule.only_reads and not rule.mutates and unit.objects is None
    for argument in args:
        if lends and not is_container(argument.flow.value):
            unit.lend(argument.expression, argument.flow, operation, reason)
        elif rule.retains or _is_changed(unit, rule, name, argument):
            unit.escape(argument.expression, argument.flow, reason)
        elif is_container(argument.flow.value):
            if not unit.use_leaves(argument.expression, argument.flow, operation):
                unit.escape(argument.expression, argument.flow, reason)
        else:
            unit.use(argument.expression, argument.flow, operation)
    if rule.source and rule.returns == "array|scalar" and not has_star(node):
        drawn = _drawn(name, args)
        if drawn != UNKNOWN:
            return Flow(
                drawn, None if isinstance(drawn, (Number, Scalar)) else operation, fresh=True
            )
    operation.root().textual |= rule.text
    made = returned(unit, node, _by_suffix(rule, args) or rule.returns, operation)
    made = over_buffer(unit, node, unit.knowledge.rules.effect(name), made)
    return in_its_memory(unit, node, rule, [(a.keyword, a.flow.value) for a in args], made)


def _is_changed(unit: Unit, rule: HostRule, name: str, argument: Argument) -> bool:
    """Whether a call changes an argument, or it cannot be told on what parameter that lands."""
    from gpuport.analysis.numpyarguments import parameter_name

    landed = parameter_name(unit, name, argument) if rule.mutates else ""
    return landed is None or landed in rule.mutates


def _by_suffix(rule: HostRule, args: list[Argument]) -> str | None:
    """What is read from a file, where the text says what its name ends with."""
    if not rule.by_suffix or len(args) != 1 or args[0].position != 0:
        return None
    value = args[0].flow.value
    name = value.constant if isinstance(value, Scalar) else None
    if not isinstance(name, str):
        name = _end_of_text(args[0].expression)
    found = (word for suffix, word in rule.by_suffix.items() if name.endswith(suffix))
    return next(found, None)


def _end_of_text(node: ast.expr) -> str:
    """What the text that an expression gives ends with: of ``folder / "a"``, ``f"{folder}/a"``."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.Add)):
        return _end_of_text(node.right)
    if isinstance(node, ast.JoinedStr) and node.values:
        return _end_of_text(node.values[-1])
    if isinstance(node, ast.Call) and node.args:  # os.path.join, Path
        return _end_of_text(node.args[-1])
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _calling_back(unit: Unit, node: ast.Call, rule: str) -> Reason:
    """``np.vectorize(f)`` makes a loop over elements that calls ``f``."""
    called = [*node.args, *(k.value for k in node.keywords)][:1]
    text = unit.module.segment(called[0]).splitlines()[0][:60] if called else "a function"
    return Reason(
        "GP203",
        f"`{unit.module.segment(node.func)}` stays on the host: it calls the Python function "
        f"`{text}` for each element",
        node,
        "unknown-call",
        rule,
        "write the function with operations on whole arrays, or the calls as a loop",
    )


def _drawn(name: str, args: list[Argument]) -> Value:
    """Whether a draw is an array depends on its size and parameters."""
    from gpuport.analysis.probing import probe_call

    positional = tuple(a.flow.value for a in args if a.position is not None)
    keywords = tuple((a.keyword, a.flow.value) for a in args if a.keyword is not None)
    return probe_call(name, positional, keywords)


def returned(unit: Unit, node: ast.AST, word: str | None, operation: Node) -> Flow:
    """The flow that a rule's ``returns`` stands for."""
    value = _RETURNS.get(word or "unknown")
    if value is None and word is not None and word.startswith("instance:"):
        value = Instance(word.partition(":")[2])
    if value is None:
        return Flow(Unknown(f"the result of `{unit.module.segment(node)[:60]}`"))
    if not on_device_possible(value) or isinstance(value, Number):
        return Flow(value)
    return Flow(value, operation, fresh=True)


def _returns() -> dict[str, Value]:

    return {
        "array": Array(),
        "array[float64]": Array("float64"),
        "array[int64]": Array("int64"),
        "array[bool]": Array("bool"),
        "array[complex128]": Array("complex128"),
        "array|scalar": Either(),
        "scalar": Number(),
        "int": Scalar("int"),
        "float": Scalar("float"),
        "complex": Scalar("complex"),
        "str": Scalar("str"),
        "bool": Scalar("bool"),
        "none": Scalar("None"),
        "list[array]": Sequence(Array()),
        "tuple[array]": Sequence(Array(), list=False),
    }


_RETURNS = _returns()


def unknown_call(unit: Unit, node: ast.Call, args: list[Argument]) -> Flow:
    """A call of something that nothing is known of: it may keep or change what it is given."""
    held = [a for a in args if a.flow.origin is not None]
    if held:
        reason = _unknown(unit, node)
        for argument in held:
            unit.escape(argument.expression, argument.flow, reason)
    text = unit.module.segment(node.func)
    return Flow(Unknown(f"the result of `{text[:60]}`"))


def _unknown(unit: Unit, node: ast.Call) -> Reason:
    text = unit.module.segment(node.func).splitlines()[0][:60]
    return Reason(
        "GP902",
        f"unknown call: `{text}` may change the array or keep it",
        node,
        "unknown-call",
    )


def container_method(unit: Unit, node: ast.Call, function: ast.Attribute, base: Flow) -> Flow:
    """A method of a list, tuple or dict."""
    from gpuport.analysis.expressions import kept
    from gpuport.analysis.subscripts import change_container

    args = arguments(unit, node)
    unit.follow(function.value)
    value = base.value
    of = value.of if isinstance(value, (Sequence, Mapping)) else UNKNOWN
    adds = {"append": 0, "insert": 1, "add": 0, "setdefault": 1}
    if function.attr in CHANGING:
        change_container(unit, function.value, base)
    if function.attr in adds and base.origin is not None:
        for argument in args[adds[function.attr] :]:
            unit.put(
                base.origin, argument.expression, kept(unit, argument.expression, argument.flow)
            )
        if function.attr != "setdefault":
            return Flow(Scalar("None"))
        given = args[-1].flow.value
        given = join(of, given) if of != EMPTY else given
        return Flow(given, unit.item_of(base.origin, given))
    held = base.origin if on_device_possible(of) else None
    views: dict[str, Value] = {
        "values": Sequence(of, list=False),
        "keys": Sequence(Scalar("str"), list=False),
        "copy": value,
        "pop": of,
        "get": of,
    }
    if function.attr == "keys":
        return Flow(views["keys"])
    if function.attr == "items":
        return tuples(unit, node, (Scalar("str"), of), (None, unit.item_of(held, of)))
    if function.attr == "get" and len(args) < 2:
        return (
            Flow(Unknown("a value that may be None"), held)
            if held is None
            else _optional(unit, of, base)
        )
    if function.attr in views and not any(a.flow.origin is not None for a in args):
        one = function.attr in ("pop", "get")
        return Flow(views[function.attr], unit.item_of(held, of) if one else held)
    if function.attr in ("extend", "update") and len(args) == 1:
        flow = args[0].flow
        if isinstance(flow.value, (Sequence, Mapping)) and flow.origin and base.origin:
            unit.graph.unite(base.origin, flow.origin)
            return Flow(Scalar("None"))
    if function.attr in ("clear", "reverse", "index", "count", "remove", "sort"):
        compares = function.attr not in ("clear", "reverse")
        if compares and on_device_possible(of) and base.origin is not None:
            unit.escape(function.value, base, _unknown(unit, node))
        return Flow(Scalar())
    for argument in args if function.attr in CHANGING else ():
        if function.attr in adds or is_container(argument.flow.value):
            check_kind(unit, function.value, base, argument.flow)
    unit.escape(function.value, base, _unknown(unit, node))
    return unknown_call(unit, node, args)


def _optional(unit: Unit, of: Value, base: Flow) -> Flow:
    from gpuport.analysis.values import NONE, join

    return Flow(join(of, NONE) if of != EMPTY else UNKNOWN, unit.item_of(base.origin, of))


def positional(args: list[Argument]) -> Iterator[Argument]:
    """Arguments given by position."""
    return (a for a in args if a.keyword is None)

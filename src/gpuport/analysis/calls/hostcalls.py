"""Calls of what works on the host, and of what nothing is known of."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.calls.callers import call_back, gives_as_told, returned
from gpuport.analysis.calls.numpyarguments import note_layout, parameter_name
from gpuport.analysis.differences.foreignmemory import in_its_memory, over_buffer
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge.probing import probe_call
from gpuport.analysis.objects.texts import read_whole
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.analysis.values.contents import item_names
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Unknown,
    Value,
    elements,
    is_container,
    is_number,
    join_all,
    on_device_possible,
)
from gpuport.rules.model import HostRule
from gpuport.source.literals import end_of_text
from gpuport.source.names import REPLACED
from gpuport.source.syntax import has_star, walk

if TYPE_CHECKING:
    from gpuport.analysis.calls.vectorized import Unsettled


def host_call(unit: Unit, node: ast.Call, name: str, args: list[Argument]) -> Flow:
    """A call of something that works on the host, as the rules describe it."""
    from gpuport.analysis.calls.vectorized import along_axis, followed

    if unit.objects is not None:
        read_whole(unit, name, args)
    rule = unit.knowledge.rules.host(name)
    if rule is None:
        return unknown_call(unit, node, args)
    operation = unit.node_for("operation", node, name)
    unit.graph.pin(
        operation, Reason("GP404" if rule.source else "GP402", f"`{name}` works on the host", node)
    )
    if rule.callback and not unit.beside_kernel and not followed(unit, node):
        unsettled = along_axis(unit, node, rule, args) if rule.by_vectors else None
        unit.work.host_calls[id(node)] = _calling_back(unit, node, rule, unsettled)
    if rule.zero_d:
        operation.zero_d = True
    _hand_over(unit, node, name, rule, args, operation)
    note_layout(unit, node, name, args, operation)
    if rule.asked and not has_star(node):
        drawn = _drawn(name, args)
        if drawn != UNKNOWN:
            return Flow(
                drawn, None if isinstance(drawn, (Number, Scalar)) else operation, fresh=True
            )
    operation.root().textual |= rule.text
    if rule.returns in _OF_NUMBERS and not has_star(node):
        return Flow(_of_numbers(rule.returns, args))
    word = _by_suffix(rule, args) or rule.returns
    made = returned(unit, node, word if gives_as_told(node, rule, args) else None, operation)
    made = over_buffer(unit, node, unit.knowledge.rules.effect(name), made)
    return in_its_memory(unit, node, rule, [(a.keyword, a.flow.value) for a in args], made)


def _hand_over(
    unit: Unit, node: ast.Call, name: str, rule: HostRule, args: list[Argument], operation: Node
) -> None:
    """What becomes of the arguments, by what the rule says that is done with them."""
    message = f"`{unit.module.segment(node.func)}` may change it or keep it"
    reason = Reason("GP902", message, node, "unknown-call", rule.id)
    writes = rule.callback and not (rule.retains or _callee_only_reads(unit, args))
    lends = rule.only_reads and not rule.mutates and unit.objects is None
    passed_on = call_back(unit, node, name, rule, args)
    for argument in args:
        if id(argument.expression) in passed_on:
            continue
        if lends and not is_container(argument.flow.value):
            unit.lend(argument.expression, argument.flow, operation, reason)
        elif rule.retains or writes or _is_changed(unit, rule, name, argument):
            unit.escape(argument.expression, argument.flow, reason)
        elif rule.brings and argument.keyword == "**" and _brings_each(unit, name, argument):
            continue
        elif is_container(argument.flow.value):
            if not unit.use_leaves(argument.expression, argument.flow, operation):
                why = _by_its_names(unit, node, argument) or _not_told(unit, node, argument)
                unit.escape(argument.expression, argument.flow, why)
        else:
            unit.use(argument.expression, argument.flow, operation)


def _brings_each(unit: Unit, name: str, argument: Argument) -> bool:
    """Whether what a dict holds under each key is brought back where the dict is spread."""
    value, origin = argument.flow.value, argument.flow.origin
    if not isinstance(value, Mapping) or value.fields is None or value.optional or origin is None:
        return False
    arrays = [(key, one) for key, one in value.fields if on_device_possible(one)]
    if any(isinstance(one, Unknown) for _, one in value.fields) or any(
        is_container(one) for _, one in arrays
    ):
        return False
    for key, one in arrays:
        item = unit.item_of(origin, one, key)
        node = unit.node_for(f"brought {key}", argument.expression, name)
        assert item is not None
        unit.graph.pin(node, Reason("GP402", f"`{name}` works on the host", argument.expression))
        unit.graph.use(argument.expression, item, node, one, unit.weight)
    return True


def _by_its_names(unit: Unit, node: ast.Call, argument: Argument) -> Reason | None:
    """The reason where a result is handed over whole that has names for its items."""
    names = item_names(argument.flow.value)
    if not names:
        return None
    given = f"`{unit.module.segment(node.func)}` is given names for items (`.{names[0]}`)"
    said = f"{given}, which CuPy's plain tuple has not"
    return Reason("GP515", said, node, "semantic-difference")


def _not_told(unit: Unit, node: ast.Call, argument: Argument) -> Reason:
    """The reason where it is not known of all that a container holds whether it is to be moved."""
    given = unit.module.segment(argument.expression).splitlines()[0][:60]
    said = f"not all that `{given}` holds is known to be arrays of one kind or none"
    name = unit.module.segment(node.func)
    message = f"{said}: it cannot be brought back for `{name}`"
    return Reason("GP901", message, node, "unknown-type")


_OF_NUMBERS = ("numbers", "tuples[numbers]", "number", "item")
_PYTHONS = {"f": "float", "i": "int", "u": "int", "b": "bool", "c": "complex"}


def _of_numbers(word: str, args: list[Argument]) -> Value:
    """What goes over, or combines, the items of ranges and lists of Python's numbers; numbers."""
    if word == "item":
        return Scalar(_PYTHONS.get((getattr(args[0].flow.value, "dtype", None) or "-")[0]))
    if word == "number":
        return Scalar("float") if all(_is_python(one.flow.value) for one in args) else UNKNOWN
    containers = [a.flow.value for a in args if not isinstance(a.flow.value, Scalar)]
    items = [elements(value) or UNKNOWN for value in containers]
    item = join_all(items or [Scalar("int"), *(one.flow.value for one in args)])  # of `count`
    if not (all(map(_is_python, items)) and is_number(item)):
        return UNKNOWN
    return Sequence(Sequence(item, list=False) if word.startswith("tuples") else item, list=False)


def _is_python(value: Value) -> bool:
    return isinstance(value, Scalar) and is_number(value)


def _is_changed(unit: Unit, rule: HostRule, name: str, argument: Argument) -> bool:
    """Whether a call changes an argument, or it cannot be told on what parameter that lands."""
    landed = parameter_name(unit, name, argument) if rule.mutates else ""
    return landed is None or landed in rule.mutates


def _by_suffix(rule: HostRule, args: list[Argument]) -> str | None:
    """What is read from a file, where the text says what its name ends with."""
    if not rule.by_suffix or len(args) != 1 or args[0].position != 0:
        return None
    value = args[0].flow.value
    name = value.constant if isinstance(value, Scalar) else None
    if not isinstance(name, str):
        name = end_of_text(args[0].expression)
    found = (word for suffix, word in rule.by_suffix.items() if name.endswith(suffix))
    return next(found, None)


def _callee_only_reads(unit: Unit, args: list[Argument]) -> bool:
    """Whether a function that is called back leaves alone what it is given, as NumPy's do."""
    called = args[0].expression if args else None
    path = unit.scope.resolve(called) if isinstance(called, (ast.Name, ast.Attribute)) else None
    if path is not None and unit.knowledge.tables.entry(path) is not None:
        effect = unit.knowledge.rules.effect(path)
        return effect is None or set(effect.mutates) <= {"out"}
    if isinstance(called, ast.Lambda):
        return all(_only_reads(unit, part) for part in walk(called.body))
    if not isinstance(called, ast.Name):
        return False
    summary = unit.project.function_called(unit, called.id)
    return summary is not None and not summary.mutated | summary.escaped


def _only_reads(unit: Unit, part: ast.AST) -> bool:
    """Whether a part of a lambda changes nothing: calls of NumPy and of methods of arrays."""
    if isinstance(part, ast.NamedExpr):
        return False
    if not isinstance(part, ast.Call):
        return True
    path = unit.scope.resolve(part.func)
    if path is None and isinstance(part.func, ast.Attribute):
        path = f"numpy.ndarray.{part.func.attr}"
    if path is None or unit.knowledge.tables.entry(path) is None:
        return path in ("builtins.len", "builtins.abs", "builtins.float")
    effect = unit.knowledge.rules.effect(path)
    return effect is None or not set(effect.mutates) - {"out"}


def _calling_back(
    unit: Unit, node: ast.Call, rule: HostRule, unsettled: Unsettled | None
) -> Reason:
    """``np.vectorize(f)`` makes a loop over elements that calls ``f``."""
    called = [*node.args, *(k.value for k in node.keywords)][:1]
    text = unit.module.segment(called[0]).splitlines()[0][:60] if called else "a function"
    message = (
        f"`{unit.module.segment(node.func)}` stays on the host: it calls the Python function "
        f"`{text}` for each {'element' if rule.retains else 'part of the array'}"
    )
    unknown = None
    if unsettled is not None:
        message, unknown = f"{message}, and {unsettled.said}", unsettled.unknown
    advice = "write the function with operations on whole arrays, or the calls as a loop"
    return Reason("GP203", message, node, "unknown-call", rule.id, advice, unknown)


def _drawn(name: str, args: list[Argument]) -> Value:
    """Whether a draw is an array depends on its size and parameters."""
    positional = tuple(a.flow.value for a in args if a.position is not None)
    keywords = tuple((a.keyword, a.flow.value) for a in args if a.keyword is not None)
    return probe_call(name, positional, keywords)


def unknown_call(unit: Unit, node: ast.Call, args: list[Argument]) -> Flow:
    """A call of something that nothing is known of: it may keep or change what it is given."""
    held = [a for a in args if a.flow.origin is not None]
    if held:
        reason = unknown_reason(unit, node)
        for argument in held:
            unit.escape(argument.expression, argument.flow, reason)
    text = f"`{unit.module.segment(node.func)[:60]}`"
    if _is_replaced(unit, node):
        text += ", which the program replaces,"
    return Flow(Unknown(f"the result of {text}"))


def _is_replaced(unit: Unit, node: ast.Call) -> bool:
    return (unit.scope.resolve(node.func) or "").startswith(REPLACED)


def unknown_reason(unit: Unit, node: ast.Call) -> Reason:
    """Why what is given to code that nothing is known of stays on the host."""
    text = unit.module.segment(node.func).splitlines()[0][:60]
    what = "may change the array or keep it"
    if _is_replaced(unit, node):
        what = "is replaced by the program, and need not be NumPy's function"
    return Reason(
        "GP902",
        f"unknown call: `{text}` {what}",
        node,
        "unknown-call",
    )


__all__ = ["host_call", "returned", "unknown_call", "unknown_reason"]

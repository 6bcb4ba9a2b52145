"""What each kind of expression gives, and what it adds to the data-flow graph."""

from __future__ import annotations

import ast
import re

from gpuport.analysis.calls.arguments import spread
from gpuport.analysis.calls.callers import field_of
from gpuport.analysis.calls.dispatch import call
from gpuport.analysis.calls.libraryvalues import function_of_library
from gpuport.analysis.expressions.attributes import array_attribute, constant_value, named_item
from gpuport.analysis.expressions.conditions import boolean, compare, conditional, test
from gpuport.analysis.expressions.displays import (
    comprehension,
    dict_display,
    display,
    generator,
    tuple_display,
)
from gpuport.analysis.expressions.evaluation import HANDLERS, evaluate, kept
from gpuport.analysis.expressions.operators import operator
from gpuport.analysis.expressions.subscripts import subscript
from gpuport.analysis.functions.functionvalues import function_named
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.modulelevel import global_value, imported_value
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge.readings import limit_of_dtype
from gpuport.analysis.objects.classattributes import asks_only, attribute_of_class
from gpuport.analysis.objects.classes import UNARY
from gpuport.analysis.objects.enumerations import number_behind
from gpuport.analysis.objects.operators import object_binary, object_unary
from gpuport.analysis.objects.receivers import number_of_receiver
from gpuport.analysis.objects.settings import fields_of
from gpuport.analysis.objects.texts import ask_for_text
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.statements.closures import defined_within, function_made
from gpuport.analysis.values.contents import objects_in
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Instance,
    Number,
    Object,
    Scalar,
    Unknown,
    is_arraylike,
    is_container,
    is_number,
    on_device_possible,
)
from gpuport.records import Severity
from gpuport.rules.libraries import library_of
from gpuport.source.fstrings import editable


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
    if id(node) in unit.forms.copied:
        return unit.forms.copied[id(node)]
    shared = attribute_of_class(unit, node)
    if shared is not None and unit.objects is not None:
        return unit.objects.attribute(unit, node, shared)
    if asks_only(unit, node):
        return Flow(Scalar("str"))
    path = unit.scope.resolve(node)
    if path is not None:
        return function_named(unit, node) or _imported(unit, node, path)
    member = number_behind(unit, node)
    if member is not None:
        return Flow(member)
    number = number_of_receiver(unit, node)
    if number is not None:
        unit.parameters.receiver_numbers.add(node.attr)
        return Flow(number)
    base = evaluate(unit, node.value)
    if not is_arraylike(base.value):
        if isinstance(base.value, Object) and unit.objects is not None:
            unit.follow(node.value)
            return unit.objects.attribute(unit, node, base.value)
        if unit.objects is not None:
            unit.objects.unknown_base(unit, node, base.value)
        if isinstance(base.value, Scalar) and is_number(base.value):
            return Flow(Scalar())
        limit = limit_of_dtype(base.value, node.attr) if isinstance(base.value, Scalar) else None
        if limit is not None:
            return Flow(limit)
        if isinstance(base.value, Instance):
            field = fields_of(unit.project, base.value.path).get(node.attr)
            if field is not None:
                return Flow(field)
            rule = unit.knowledge.rules.host(f"{base.value.path}.{node.attr}")
            if rule is not None and rule.returns == f"instance:{base.value.path}":
                return Flow(base.value)
            return field_of(unit, node, base.value.path)
        named = named_item(unit, node, base)
        return Flow(Unknown(f"`{unit.module.segment(node)}`")) if named is None else named
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
        if objects_in(flow.value):
            ask_for_text(unit, argument, flow.value, as_repr="%r" in str(text))
        if is_container(flow.value):
            if not unit.use_leaves(argument, flow, unit.host):
                unit.escape(argument, flow, Reason("GP402", "its text is asked for", node))
        elif same and isinstance(flow.value, Number) and flow.origin is not None:
            unit.wait(argument, flow.origin)
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
    word = UNARY.get(type(node.op).__name__, "")
    found = object_unary(unit, node, word, node.operand, operand)
    if found is not None:
        return found
    return operator(unit, node, type(node.op).__name__, [(node.operand, operand)])


def _walrus(unit: Unit, node: ast.NamedExpr) -> Flow:
    flow = kept(unit, node.value, evaluate(unit, node.value))
    unit.follow(node.value)
    unit.bind(node.target.id, node.target, node.value, flow)
    unit.let_owners_vary((node.target.id,))  # a comprehension around it binds it again
    return unit.env[node.target.id]


def _formatted(unit: Unit, node: ast.JoinedStr) -> Flow:
    with unit.within_text(frozen=not editable(unit.module, node)):
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                flow = evaluate(unit, part.value)
                if objects_in(flow.value):
                    ask_for_text(unit, part.value, flow.value, as_repr=part.conversion == 114)
                exact = part.conversion not in (-1, 115) or not is_arraylike(flow.value)
                if exact and on_device_possible(flow.value):
                    unit.escape(
                        part.value,
                        flow,
                        Reason("GP402", "its repr is asked for in an f-string", node),
                    )
                elif is_arraylike(flow.value) and flow.origin is not None:
                    unit.wait(part.value, flow.origin, named=unit.named_number(part.value))
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
    if id(node) not in unit.marked.compared:
        defined_within(unit, node)
    return Flow(Scalar("callable"))


def _slice(unit: Unit, node: ast.Slice) -> Flow:
    for part in (node.lower, node.upper, node.step):
        if part is not None:
            evaluate(unit, part)
    return Flow(Scalar("slice"))


HANDLERS.update(
    {
        ast.Constant: _constant,
        ast.Name: _name,
        ast.Attribute: _attribute,
        ast.BinOp: _binary,
        ast.UnaryOp: _unary,
        ast.Compare: compare,
        ast.BoolOp: boolean,
        ast.IfExp: conditional,
        ast.NamedExpr: _walrus,
        ast.List: display,
        ast.Set: display,
        ast.Tuple: tuple_display,
        ast.Dict: dict_display,
        ast.JoinedStr: _formatted,
        ast.Lambda: _lambda,
        ast.Starred: spread,
        ast.Slice: _slice,
        ast.Subscript: subscript,
        ast.Call: call,
        ast.ListComp: comprehension,
        ast.SetComp: comprehension,
        ast.DictComp: comprehension,
        ast.GeneratorExp: generator,
    }
)

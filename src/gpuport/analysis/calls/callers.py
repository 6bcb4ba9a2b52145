"""Functions of a program that libraries call: ``minimize(model.loss, x0, args=(x, y))``."""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.functions.functionvalues import FunctionFacts, made_by
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.objects.followedcalls import called
from gpuport.analysis.objects.membercalls import call_any
from gpuport.analysis.placement.graph import Node, Reason
from gpuport.analysis.values.lattice import (
    Array,
    Either,
    Instance,
    Number,
    Object,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    is_container,
    on_device_possible,
)
from gpuport.source.syntax import has_star

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit
    from gpuport.analysis.objects.membercalls import Callee
    from gpuport.rules.model import HostRule


def call_back(
    unit: Unit, node: ast.Call, name: str, rule: HostRule, args: list[Argument]
) -> frozenset[int]:
    """Follow the functions that a call is given and that the library calls, as the rule tells.

    They are given NumPy arrays, and what they give is brought to the host where it is returned.

    Returns
    -------
    frozenset of int
        The arguments that are passed on to these functions as they are, by the ids of their
        expressions; none where not all of the functions are followed.
    """
    given = by_parameter(node, rule, args) if unit.objects is not None and rule.calls else None
    given = None if given is None or given.keys() & set(rule.calls_unless) else given
    functions = {} if given is None else {k: given[k] for k in rule.calls if k in given}
    followed = [(key, one) for key, one in functions.items() if isinstance(one.flow.value, Object)]
    others = [one for one in functions.values() if not isinstance(one.flow.value, (Object, Scalar))]
    if given is None or others or not followed:
        return frozenset()
    callees = [_callees(unit, one.flow.value) for _, one in followed]
    written = [_arguments(unit, node, name, rule.calls[key], given) for key, _ in followed]
    if not all(callees) or any(one is None for one in written):
        return frozenset()
    for (_, one), found, called_with in zip(followed, callees, written, strict=True):
        assert called_with is not None
        unit.follow(one.expression)
        _call(unit, node, name, found, called_with)
    words = " ".join(rule.calls[key] for key, _ in followed).split()
    passed = [given.get(word.removeprefix("*")) for word in words if word.startswith("*")]
    return frozenset(id(one.expression) for one in passed if one is not None)


def gives_as_told(node: ast.Call, rule: HostRule, args: list[Argument]) -> bool:
    """Whether a call gives back what the rule says: with some arguments it is something else."""
    given = by_parameter(node, rule, args) if rule.returns_unless else {}
    return given is not None and given.keys().isdisjoint(rule.returns_unless)


def by_parameter(
    node: ast.Call, rule: HostRule, args: list[Argument]
) -> dict[str, Argument] | None:
    """The arguments by the parameters that they land on; None where that cannot be told."""
    if has_star(node):
        return None
    found = dict[str, Argument]()
    for one in args:
        place = len(rule.parameters) if one.position is None else one.position
        key = one.keyword or (rule.parameters[place] if place < len(rule.parameters) else None)
        if key is None:
            return None
        found[key] = one
    return found


def _callees(unit: Unit, held: object) -> list[Callee]:
    """The functions of the program that a value may be; none where it may be something else."""
    assert unit.objects is not None
    assert isinstance(held, Object)
    family = unit.objects.classes[held.name]
    facts = [one for name, one in family.classes.items() if not held.kinds or name in held.kinds]
    library = any(isinstance(one, FunctionFacts) and one.path is not None for one in facts)
    return [] if library or made_by(family, held) else called(family, held)


def _arguments(
    unit: Unit, node: ast.Call, name: str, words: str, given: dict[str, Argument]
) -> list[Argument] | None:
    """What a function is called with; None where that cannot be told."""
    found: list[Argument] = []
    for position, word in enumerate(words.split()):
        if not word.startswith("*"):
            source = unit.node_for("given", node, name)
            unit.graph.pin(source, _works_on_host(node, name))
            flow = replace(returned(unit, node, word, source), fresh=False)  # it is not moved there
            found.append(Argument(position, None, node, flow))
            continue
        one = given.get(word.removeprefix("*"))
        value = one.flow.value if one is not None else None
        if one is not None and isinstance(value, Tuple):
            found.append(Argument(None, None, one.expression, one.flow))
        elif one is not None and isinstance(value, (Array, Either, Scalar)):
            # what is no tuple is put into one
            found.append(Argument(position, None, one.expression, one.flow))
        elif one is not None:
            return None
    return found


def _call(
    unit: Unit, node: ast.Call, name: str, callees: list[Callee], args: list[Argument]
) -> None:
    assert unit.objects is not None
    with unit.loop(frozenset(), node):
        flow = call_any(unit.objects, unit, node, callees, args, kept=True)
    if flow.origin is None:
        return
    reason = _works_on_host(node, name)
    if flow.view or is_container(flow.value):  # it may keep what it is given
        unit.escape(node, flow, reason)
    else:
        unit.graph.pin(flow.origin, reason)


def _works_on_host(node: ast.Call, name: str) -> Reason:
    return Reason("GP402", f"`{name}` works on the host", node)


def field_of(unit: Unit, node: ast.Attribute, path: str) -> Flow:
    """An attribute of an object of a library, as the rules describe it."""
    rule = unit.knowledge.rules.host(path)
    word = rule.fields.get(node.attr) if rule is not None else None
    source = unit.node_for("field", node, node.attr)
    if word is not None:
        unit.graph.pin(source, Reason("GP404", f"`{path}` holds NumPy arrays", node))
    return returned(unit, node, word, source)


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


_RETURNS: dict[str, Value] = {
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
    "tuple[float]": Sequence(Scalar("float"), list=False),
    "vector": Array(rank=1),
    "matrix": Array(rank=2),
}
"""What the words of a rule's ``returns`` stand for."""


__all__ = ["by_parameter", "call_back", "field_of", "gives_as_told", "returned"]

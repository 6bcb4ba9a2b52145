"""Names that inner functions, lambdas and generators read when they run, which is later.

An inner function of which every call is seen is followed as other functions are that are handed
on. The names around it that it reads are given to it where it is defined and wherever they are
bound after that: together this is what they may be when it is called.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, field

from gpuport.analysis.expressions.evaluation import evaluate, kept
from gpuport.analysis.expressions.operators import forget_constant
from gpuport.analysis.functions.functionvalues import key_of
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.claims import literal
from gpuport.analysis.objects.families import Family
from gpuport.analysis.objects.membercalls import give_name
from gpuport.analysis.objects.otherkinds import doubt
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.project.modulenames import name_abroad
from gpuport.analysis.values.contents import objects_in
from gpuport.analysis.values.lattice import UNKNOWN, Object, Unknown, on_device_possible
from gpuport.source.changedlists import changed_within
from gpuport.source.innercalls import called_in_loops
from gpuport.source.innernames import captured, is_bound_by_statements, is_settled
from gpuport.source.names import Scope, walk_scopes
from gpuport.source.parameters import defaults_of
from gpuport.source.syntax import children, dotted, walk


@dataclass(slots=True)
class BoundLater:
    """Followed inner functions that read one name, and what they were given last.

    Attributes
    ----------
    readers : list of Scope
    given : tuple or None
        What the name held, and to how many readers this was given.
    """

    readers: list[Scope] = field(default_factory=list)
    given: tuple[Flow, int] | None = None


def defined_within(unit: Unit, node: ast.FunctionDef | ast.Lambda) -> None:
    """What an inner function reads stays on the host, unless it is a part of kernels in the end."""
    name = called_in_loops(unit.node).get(id(node))
    if name is None:
        capture(unit, node)
    else:
        unit.later.waiting[name] = node


def called_on_host(unit: Unit, loop: ast.For | ast.While) -> None:
    """A loop stays in Python, and calls what it calls beside the loops inside of it."""
    if not unit.later.waiting:
        return
    waiting: list[ast.AST] = [loop]
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Name):
            _capture_waiting(unit, node.id)
        inner = (one for one in children(node) if not isinstance(one, ast.For | ast.While))
        waiting += inner


def _capture_waiting(unit: Unit, name: str) -> None:
    """What a function reads that waited for the loops that call it, and those that it calls."""
    node = unit.later.waiting.pop(name, None)
    if node is None:
        return
    capture(unit, node)
    for inner in walk(node):
        if isinstance(inner, ast.Name):
            _capture_waiting(unit, inner.id)


def capture(unit: Unit, node: ast.AST) -> None:
    """What code that runs later reads stays on the host, also what its names are bound to then."""
    own = _own_names(unit, node)
    changed = changed_within(node)
    for inner in walk(node):
        if not isinstance(inner, ast.Name) or inner.id in own:
            continue
        line = unit.module.line(inner)
        why = f"`{inner.id}` is used by code that runs later, on line {line}"
        unit.later.read[inner.id] = Reason("GP909", why, inner, "unsupported-syntax")
        if inner.id not in unit.env:
            continue
        flow = unit.env[inner.id]
        if unit.objects is not None:
            why = f"`{inner.id}` is used by code that runs later"
            for owner in sorted(objects_in(flow.value)):
                unit.objects.open(owner, inner, why)
        if flow.origin is not None and on_device_possible(flow.value):
            unit.graph.pin(flow.origin, unit.later.read[inner.id])
        elif inner.id in changed:
            doubt(unit, inner, flow)


def _own_names(unit: Unit, node: ast.AST) -> frozenset[str]:
    """Names of a function inside, or of one in it, that mean nothing around it."""
    scope = next((one for one in unit.scope.children if one.node is node), None)
    if scope is None:
        return frozenset()
    every = list(walk_scopes(scope))
    inside, around = set[str](), set[str]()
    for one in every:
        for name in one.loads | one.outside | one.bound.keys():
            for owner in one.owners(name):
                (inside if any(owner is each for each in every) else around).add(name)
    made = [*getattr(node, "decorator_list", ()), *getattr(node, "bases", ())]
    arguments = getattr(node, "args", None)
    if arguments is not None:
        made += [*arguments.defaults, *filter(None, arguments.kw_defaults)]
    around |= {name.id for one in made for name in walk(one) if isinstance(name, ast.Name)}
    return frozenset(inside - around)


def function_made(unit: Unit, node: ast.FunctionDef | ast.Lambda) -> Flow | None:
    """What a definition or a lambda gives where it is followed; None for others."""
    scope = next((one for one in unit.scope.children if one.node is node), None)
    family = _family(unit, scope) if scope is not None else None
    if scope is None or family is None:
        return None
    made = Flow(Object(family.name, kinds=frozenset((key_of(scope),))))
    _give_defaults(unit, scope)
    if isinstance(node, ast.FunctionDef):
        unit.env[node.name] = made
    for name in captured(scope):
        flow = unit.load(name)
        if flow is not None and name in scope.outside:  # changed by each call
            unit.env[name] = flow = Flow(forget_constant(flow.value))
            _give(unit, scope, name, flow)
        elif flow is not None and is_settled(scope, name):
            _give(unit, scope, name, flow)
        elif is_bound_by_statements(scope, name):
            unit.later.bound.setdefault(name, BoundLater()).readers.append(scope)
        else:
            _open(unit, scope, name)
    return made


def give_later(unit: Unit) -> None:
    """What names are bound to, or may be by now, after inner functions that read them."""
    for name, later in unit.later.bound.items():
        flow = unit.load(name)
        if flow is None or later.given == (flow, len(later.readers)):
            continue
        later.given = flow, len(later.readers)
        for scope in later.readers:
            _give(unit, scope, name, flow)


def open_unbound(unit: Unit) -> None:
    """Nothing is known of inner functions that read what is bound nowhere."""
    for name, later in unit.later.bound.items():
        for scope in later.readers if later.given is None else ():
            _open(unit, scope, name)


def _open(unit: Unit, scope: Scope, name: str) -> None:
    family = _family(unit, scope)
    if unit.objects is not None and family is not None:
        why = f"what `{name}` is when it runs is not settled"
        unit.objects.open(family.name, scope.node, why)


def _family(unit: Unit, scope: Scope) -> Family | None:
    """The family of a function inside, where it is followed."""
    key = key_of(scope)
    family = unit.objects.classes.get(key) if unit.objects is not None else None
    return family if family is not None and family.classes[key].node is scope.code else None


def give_defaults_of(
    unit: Unit, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
) -> None:
    """Defaults of a function of a module, or of the methods of a class."""
    members = unit.objects.members if unit.objects is not None else {}
    for one in node.body if isinstance(node, ast.ClassDef) else [node]:
        if id(one) in members:
            _give_defaults(unit, members[id(one)])
        elif isinstance(one, (ast.FunctionDef, ast.AsyncFunctionDef)):
            _keep_defaults(unit, one)


def _keep_defaults(unit: Unit, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    """Arrays among the defaults of a function that is not followed stay NumPy: it works with the
    same ones whoever calls it."""
    for part in (part for default in defaults_of(node).values() for part in walk(default)):
        if not isinstance(part, (ast.Name, ast.Attribute)):
            continue
        path = unit.scope.resolve(part)
        flow = name_abroad(unit, path) if path is not None else None
        if flow is None and isinstance(part, ast.Name):
            flow = unit.load(part.id)
        if flow is not None and flow.origin is not None and on_device_possible(flow.value):
            why = f"`{node.name}` takes `{dotted(part)}` where it is given nothing else"
            unit.graph.pin(flow.origin, Reason("GP405", f"{why}: it stays a NumPy array", part))


def _give_defaults(unit: Unit, scope: Scope) -> None:
    """Defaults that are worked out are worked out where the function is defined."""
    assert isinstance(scope.code, ast.FunctionDef)
    for name, default in defaults_of(scope.code).items():
        if not isinstance(literal(default), Unknown):
            continue
        names = (n.id for n in walk(default) if isinstance(n, ast.Name))
        around = scope.parent
        if around is not None and around is not unit.scope and any(map(around.binds, names)):
            # of a class, of whose names nothing is known here
            flow = Flow(UNKNOWN)
        else:
            flow = kept(unit, default, evaluate(unit, default))
        _give(unit, scope, name, flow)
        unit.follow(default)


def _give(unit: Unit, scope: Scope, name: str, flow: Flow) -> None:
    assert unit.objects is not None
    assert isinstance(scope.code, ast.FunctionDef)
    give_name(unit.objects, scope.code, name, flow)


__all__ = [
    "called_on_host",
    "capture",
    "defined_within",
    "function_made",
    "give_defaults_of",
    "give_later",
    "open_unbound",
]

"""Rounds over the functions that handle instances, until nothing more is learned of them."""

from __future__ import annotations

import ast
from collections import defaultdict
from typing import TYPE_CHECKING

from gpuport.analysis.differences.errorstates import check_top
from gpuport.analysis.functions.functionvalues import is_value, unseen_values
from gpuport.analysis.functions.interest import reason_of, why_not
from gpuport.analysis.functions.leaving import let_leave
from gpuport.analysis.functions.returncases import Case, cases_in
from gpuport.analysis.interpretation.flows import Refused
from gpuport.analysis.interpretation.modulelevel import keep_shared
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.claims import Key, Learned, pin_undecided, why_host
from gpuport.analysis.objects.entering import enter
from gpuport.analysis.placement.graph import Graph, Reason, keeps
from gpuport.analysis.project.failures import blamed_on
from gpuport.analysis.project.modulenames import names_of_module, owner_of
from gpuport.analysis.values.contents import objects_in
from gpuport.analysis.values.lasting import lasting
from gpuport.analysis.values.lattice import (
    EMPTY,
    UNKNOWN,
    Scalar,
    Sequence,
    Value,
    join,
)
from gpuport.analysis.values.nesting import Held, contents_of
from gpuport.source.innernames import captured, is_inner
from gpuport.source.names import Scope
from gpuport.source.parameters import names_of

if TYPE_CHECKING:
    from gpuport.analysis.objects.instances import Objects

_MOST_ROUNDS = 12
"""Rounds over the functions until nothing more is learned."""

_FREE_ROUNDS = 6
"""Rounds after which what was said before is not taken back: claims that go around a circle of
calls would follow each other for ever."""


def settle(objects: Objects) -> bool:
    """Look at all members until nothing more is learned; False where a class was opened."""
    for number in range(_MOST_ROUNDS):
        calls = [project.calls.by_members() for project in objects.program.projects]
        _round(objects)
        objects.now.shared = objects.before.shared | _shared(objects)
        objects.now.written = objects.before.written | _written(objects)
        objects.now.contents = _contents(objects)
        if number >= _FREE_ROUNDS:
            _widen(objects)
        settled = objects.now == objects.before and not objects.grown
        if settled and not objects.fails:
            _close(objects)
        if settled and not objects.fails:
            return True
        for project, seen in zip(objects.program.projects, calls, strict=True):
            project.calls.go_back(seen)
        if objects.fails:
            return False
        objects.before, objects.grown = objects.now, False
    for name in _first_to_give_up(objects) if not objects.following.exchanging else ():
        objects.open(name, objects.classes[name].node, "what they hold changes from call to call")
    return False


def _round(objects: Objects) -> None:
    objects.now, objects.units, objects.nodes, objects.common = Learned(), {}, {}, Graph()
    objects.seen, objects.leaving, objects.done = set(), [], set()
    for project in objects.program.imported_first():  # what they bind is known where it is read
        if id(project.root.code) in objects.members:
            interpret(objects, project.root)
    members = list(objects.members.values())
    for scope in sorted(members, key=lambda one: not _is_given(objects, one)):
        interpret(objects, scope)
    let_leave(objects)


def _is_given(objects: Objects, scope: Scope) -> bool:
    """Whether it is known what a function is called with; others wait for the calls."""
    node = scope.code
    if not isinstance(node, ast.FunctionDef):
        return True
    names = names_of(node)
    return not names or any((id(node), name) in objects.before.parameters for name in names)


def _widen(objects: Objects) -> None:
    """Claims hold beside those of the round before."""
    for now, before in (
        (objects.now.attributes, objects.before.attributes),
        (objects.now.parameters, objects.before.parameters),
        (objects.now.results, objects.before.results),
    ):
        for key in now.keys() & before.keys():
            now[key] = join(before[key], now[key])  # type: ignore[index]


def interpret(objects: Objects, scope: Scope) -> None:
    """Look at one member, once in a round."""
    node = scope.code
    if id(node) in objects.units or isinstance(node, ast.ClassDef):
        return
    unit = objects.program.home(scope).unit(scope, objects=objects)
    unit.depth = objects.before.depths.get(id(node), 0)
    objects.units[id(node)] = unit
    failure = unit.project.failure(scope)
    try:
        if failure is not None:
            raise Refused(reason_of(failure, node))
        with blamed_on(unit.project, scope):
            _interpret(objects, unit)
    except Refused as refused:
        open_all(objects, scope, refused.reason)


def _interpret(objects: Objects, unit: Unit) -> None:
    from gpuport.analysis.functions.returning import check_returned
    from gpuport.analysis.statements import statements
    from gpuport.analysis.statements.closures import open_unbound

    node = unit.node
    if isinstance(node, ast.Module):
        keep_shared(unit)
        check_top(unit)
        statements.run(unit, node.body)
        _check_module(objects, unit)
        return
    unit.returned.generates = unit.scope.yields
    reason = None if is_inner(unit.scope) else why_not(unit.project, unit.scope, generators=True)
    if reason is not None:
        raise Refused(reason)
    called = id(node) in objects.now.depths.keys() | objects.before.depths.keys()
    if not called and id(node) in objects.before.within_kernels:
        return  # its statements are in the kernels; called it is where all is on the host
    enter(objects, unit, node)
    statements.run(unit, node.body)
    open_unbound(unit)
    for case, result in _results(unit).items():
        key = id(node), case
        if called:  # of what no call is seen yet, nothing is known
            objects.now.results[key] = result
        check_returned(unit, case, objects.before.results.get(key, result), result)
    if called:
        objects.done.add(id(node))


def _results(unit: Unit) -> dict[Case, Value]:
    """What a function gives back by case; by none that it was not seen to return in."""
    nothing: Value = Sequence(EMPTY, list=False) if unit.returned.generates else Scalar("None")
    nothing = UNKNOWN if unit.returned.waits else nothing
    found = {case: lasting(value) for case, value in unit.returned.values.items()}
    cases = cases_in(unit.project, unit.node)
    if not found:
        return dict.fromkeys(cases.every, nothing)
    if cases.end is not None and len(cases.every) > 1 and cases.end not in found:
        found[cases.end] = nothing
    return found


def open_all(objects: Objects, scope: Scope, reason: Reason) -> None:
    """A function that cannot be followed opens its class, or all whose instances it sees."""
    if id(scope.code) in objects.optional:
        objects.following.left_out.add(id(scope.code))
        objects.following.given_up[id(scope.code)] = reason.message
        objects.stopped = True
        return
    owner = scope.parent.name if scope.parent is not None else ""
    itself = {name for name, family in objects.classes.items() if is_value(family, scope.code)}
    inside = [name for name, one in objects.following.functions.items() if one.scope is scope]
    names = [owner] if owner in objects.classes else sorted(itself) or inside
    if not names and objects.following.exchanging:
        objects.stopped = True
        return
    for name in names or _first_to_give_up(objects):
        found = Reason("GP913", why_host(reason.message), reason.node, "attributes-on-host")
        objects.opened.setdefault(objects.classes[name].name, found)


def _first_to_give_up(objects: Objects) -> list[str]:
    """What is followed in addition: functions that are handed on; then the classes themselves."""
    functions = [name for name in objects.following.functions if name in objects.classes]
    return functions or list(objects.classes)


def _check_module(objects: Objects, unit: Unit) -> None:
    """Instances that functions, or other modules, read as names of the module are not followed."""
    root = unit.project.root
    followed = names_of_module(objects, root)
    for name, flow in unit.env.items():
        if name not in followed and (id(root), name) in objects.following.mentions.elsewhere:
            for owner in sorted(objects_in(flow.value)):
                objects.open(owner, unit.node, f"other files read `{name}`")
    for scope in unit.project.inner_scopes():
        for name in sorted(scope.loads):
            held = unit.env.get(name)
            if held is not None and name not in followed and not scope.binds(name):
                for owner in sorted(objects_in(held.value)):
                    objects.open(owner, scope.node, f"`{name}` is a name of the module")


def _shared(objects: Objects) -> set[Key]:
    """Parameters whose arguments live on in an attribute, a result or another function.

    What the parameters of one function and its own values have in common ends with the call; so
    does what a function inside of it knows of them, unless that is kept.
    """
    holders: dict[int, set[object]] = defaultdict(set)
    around = _around(objects)
    for (owner, name), node in objects.nodes.items():
        is_parameter = isinstance(owner, int) and bool(name)
        holder = around.get((owner, name), owner) if is_parameter else (owner, name)
        for place in node.places():
            holders[id(place)].add(holder)
    shared = set()
    for (owner, name), node in objects.nodes.items():
        if not isinstance(owner, int) or not name or owner not in objects.units:
            continue
        root = node.root()
        elsewhere = root.pinned is not None and keeps(root.pinned)
        kept = elsewhere or name in objects.units[owner].parameters.escaped
        if kept or any(len(holders[id(one)]) > 1 or one.mutated for one in node.places()):
            shared.add((owner, name))
    return shared


def _around(objects: Objects) -> dict[tuple[object, str], int]:
    """The functions whose names inner functions read, where these end with the call."""
    kept = _kept(objects)
    return {
        (id(unit.node), name): id(owner.code)
        for unit in objects.units.values() if is_inner(unit.scope) and id(unit.node) not in kept
        for name in captured(unit.scope) if (owner := unit.scope.around(name)) is not None
    }  # fmt: skip


def _kept(objects: Objects) -> set[int]:
    """Inner functions that may be called after the function around them has ended, by their ids.

    Those that an attribute, a result or a container holds, and those that such a function knows.
    """
    now, found = objects.now, set[int]()
    claims = [*now.attributes.values(), *now.results.values()]
    claims += [value for held in now.contents.values() for value in held.values()]
    inner = [unit for unit in objects.units.values() if is_inner(unit.scope)]
    while claims:
        held = frozenset[str]().union(*map(objects_in, claims)) & objects.classes.keys()
        more = {
            id(unit.node) for unit in inner
            if any(is_value(objects.classes[one], unit.node) for one in held)
        } - found  # fmt: skip
        found |= more
        claims = [value for (owner, _), value in now.parameters.items() if owner in more]
    return found


def _written(objects: Objects) -> set[tuple[str, str]]:
    return {
        (owner, name) for (owner, name), node in objects.nodes.items()
        if isinstance(owner, str) and any(place.mutated for place in node.places())
    }  # fmt: skip


def _contents(objects: Objects) -> dict[tuple[object, str], Held]:
    held = ((key, contents_of(node)) for key, node in objects.nodes.items())
    return {key: found for key, found in held if found is not None}


def _close(objects: Objects) -> None:
    """What the attributes hold decides whether they may be on the device at all."""
    for unit in objects.units.values():
        for expression, value in unit.unfollowed.values():
            text = unit.module.segment(expression)[:60]
            line = unit.module.line(expression)
            for name in sorted(objects_in(value)):
                objects.open(name, expression, f"`{text}` on line {line} goes to other code")
    for made, call in objects.following.unseen_calls(objects):
        for owner in list(objects.classes) if made is None else (made,):
            objects.open(owner, call, "it is handled by code that is not looked into")
    for owner, expression in unseen_values(objects.following, objects):
        objects.open(owner, expression, f"`{ast.unparse(expression)}` itself is handed on")
    names = {(owner_of(module), name): one.at for (module, name), one in objects.names.items()}
    for (owner, name), value in objects.now.attributes.items():
        node = objects.nodes.get((owner, name))
        family = objects.classes.get(owner)
        if node is not None and family is not None:
            pin_undecided(objects.common, node, value, f"{owner}.{name}", family.node)
        elif node is not None and (owner, name) in names:
            pin_undecided(objects.common, node, value, name, names[owner, name])

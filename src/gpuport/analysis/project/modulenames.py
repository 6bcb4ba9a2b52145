"""Names of a program's modules that its functions read: followed like attributes of an instance.

``X, Y = np.meshgrid(x, y)`` at the top of a script, and functions that read ``X``: what such a name
is bound to lives in one place, which the code at the top and all functions share.
"""

from __future__ import annotations

import ast
import contextlib
from collections.abc import Iterator
from typing import TYPE_CHECKING

from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.project.programnames import BINDING, ModuleName, Name
from gpuport.analysis.values.contents import objects_in
from gpuport.analysis.values.lasting import lasting
from gpuport.analysis.values.lattice import UNKNOWN, Unknown, is_container, on_device_possible
from gpuport.source.names import Scope

if TYPE_CHECKING:
    from gpuport.analysis.interpretation.unit import Unit
    from gpuport.analysis.objects.instances import Objects
    from gpuport.analysis.project.program import Program


def bind_names(unit: Unit, statement: ast.stmt) -> None:
    """An assignment at the top of a module binds names that functions read."""
    objects = unit.objects
    if objects is None or not isinstance(statement, BINDING):
        return
    root = unit.project.root
    for name in sorted(unit.project.bound_in(statement)):
        flow, known = unit.env.get(name, Flow(UNKNOWN)), objects.names.get((id(root), name))
        if known is None or (known.rebound and isinstance(statement, ast.AugAssign)):
            continue  # of those in place it was said where they were looked at
        _hold(objects, root, name, statement, flow)
        if known.rebound:
            unit.env.pop(name, None)


def _hold(objects: Objects, root: Scope, name: str, at: ast.AST, flow: Flow) -> None:
    owner = owner_of(id(root))
    objects.learn(at, objects.now.attributes, (owner, name), lasting(flow.value))
    if flow.origin is not None and on_device_possible(flow.value):
        objects.share(objects.node(owner, name, name), flow)


def is_global(unit: Unit, name: str) -> bool:
    """Whether a function binds a name of the module (``global``) that is followed."""
    known = (id(unit.project.root), name)
    return name in unit.scope.outside and unit.objects is not None and known in unit.objects.names


def bind_global(unit: Unit, target: ast.Name, expression: ast.expr, flow: Flow) -> None:
    """A function binds a name of the module."""
    objects, root = unit.objects, unit.project.root
    assert objects is not None
    unit.follow(expression)
    if flow.fresh and flow.origin is not None and not is_container(flow.value):
        held = objects.node(owner_of(id(root)), target.id, target.id)
        unit.use(expression, flow, held)
        flow = Flow(flow.value, held)
    _hold(objects, root, target.id, target, flow)


@contextlib.contextmanager
def global_in_place(unit: Unit, target: ast.Name) -> Iterator[None]:
    """A name that is changed in place, a local one meanwhile where it is the module's."""
    name, root = target.id, unit.project.root
    followed = name_followed(unit, name) if _is_rebound(unit, name) else None
    if followed is None or unit.objects is None:
        yield
        return
    unit.env[name] = followed
    yield
    _hold(unit.objects, root, name, target, unit.env.pop(name))


def _is_rebound(unit: Unit, name: str) -> bool:
    objects, key = unit.objects, (id(unit.project.root), name)
    known = objects.names.get(key) if objects is not None else None
    here = name in unit.scope.outside or unit.scope is unit.project.root
    return known is not None and known.rebound and here


def name_followed(unit: Unit, name: str) -> Flow | None:
    """A name of the module where it may be any that was bound; None for one not followed."""
    objects, root = unit.objects, unit.project.root
    known = None if objects is None else objects.names.get((id(root), name))
    if objects is None or known is None or (unit.scope is root and not known.rebound):
        return None
    return _as_bound(unit, objects, (id(root), name), known)


def name_abroad(unit: Unit, path: str) -> Flow | None:
    """A name of another module; None for one not followed."""
    key = _place_abroad(unit, path)
    if unit.objects is None or key is None:
        return None
    return _as_bound(unit, unit.objects, key, unit.objects.names[key])


def is_followed_abroad(unit: Unit, path: str) -> bool:
    """Whether a dotted path is a name of another module that is followed."""
    return _place_abroad(unit, path) is not None


def _place_abroad(unit: Unit, path: str) -> Name | None:
    objects = unit.objects
    place = objects.program.place(unit.project, path) if objects is not None else None
    if objects is None or place is None or len(place[1]) != 1:
        return None
    key = id(place[0].root), place[1][0]
    return key if key in objects.names else None


def show_values(program: Program, names: dict[Name, ModuleName]) -> None:
    """Attributes of names that are followed are no names of modules."""
    for project in program.projects:
        project.root.values.clear()
    for one in names.values():
        for root, path in one.paths:
            root.values.add(path)


def _as_bound(unit: Unit, objects: Objects, place: Name, known: ModuleName) -> Flow | None:
    module, name = place
    key = owner_of(module), name
    value = objects.before.attributes.get(key, objects.now.attributes.get(key))
    if value is None or isinstance(value, Unknown):
        return Flow(Unknown(f"`{name}`"))
    if on_device_possible(value):
        return unit.refresh(Flow(value, objects.node(*key, name)))
    if known.rebound or objects_in(value) or is_container(value):
        return Flow(value)
    return None


def names_of_module(objects: Objects, root: Scope) -> frozenset[str]:
    """The names of a module that are followed."""
    return frozenset(name for module, name in objects.names if module == id(root))


def owner_of(module: int) -> str:
    """What a module is called beside the classes whose attributes are known."""
    return f"module {module}"


__all__ = [
    "bind_global", "bind_names", "global_in_place", "is_followed_abroad", "is_global",
    "name_abroad", "name_followed", "names_of_module", "owner_of", "show_values",
]  # fmt: skip

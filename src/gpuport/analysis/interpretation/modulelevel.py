"""Code at module level: what runs, and which names others may read."""

from __future__ import annotations

import ast

from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.project.modulenames import name_abroad, name_followed, names_of_module
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Instance,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
    is_arraylike,
    is_container,
    on_device_possible,
    parts,
)
from gpuport.source.moduleassignments import is_main_guard
from gpuport.source.names import Scope, walk_scopes
from gpuport.source.syntax import walk


def keep_shared(unit: Unit) -> None:
    """Whatever is bound to a name that functions read stays NumPy, from the first on.

    Not what is bound to names that are followed.
    """
    for name in sorted(_shared(unit)):
        unit.later.read[name] = _shared_reason(unit, name)


def pin_shared(unit: Unit) -> None:
    """Module names that functions read, or that other modules may import, stay NumPy.

    Not those that are followed. Nor does importing a module take any work to the device: whoever
    imports it need not have one, or the time to wait for it.
    """
    shared = _shared(unit)
    script = _is_script(unit)
    guarded = {id(n) for s in unit.module.tree.body if is_main_guard(s) for n in walk(s)}
    for (kind, key), node in unit.nodes.items():
        if kind == "name" and (node.label in shared or not (script or key in guarded)):
            unit.graph.pin(node, _shared_reason(unit, node.label))
    loops = ((one.plan.region, one.graph_node) for one in unit.forms.launches.values())
    operations = ((one.node, one.graph_node) for one in unit.work.operations.values())
    for place, node in (*operations, *loops):
        if not (script or id(place) in guarded):
            why = "it is worked out when the module is imported, which uses no device"
            unit.graph.pin(node, Reason("GP405", why, place))


def _is_script(unit: Unit) -> bool:
    """Whether the code at the top of a module runs as a program, not when others import it."""
    project = unit.project
    if unit.objects is not None and project.why_imported is None:
        return True  # no module is seen to import it
    if not any(runs(s) for s in unit.module.tree.body):
        return False
    if project.outside is None or not unit.work.operations or project.why_imported is None:
        return True
    taken = project.outside.taken()
    return taken is not None and not taken


def _shared(unit: Unit) -> frozenset[str]:
    root, objects = unit.project.root, unit.objects
    remembered = unit.project.remembered
    if remembered.read_inside is None:
        remembered.read_inside = _names_in_functions(root)
    shared = remembered.read_inside
    if objects is None:
        return shared
    if unit.project.why_imported is None:
        mentions = objects.following.mentions
        shared |= {name for module, name in mentions.elsewhere if module == id(root)}
    return shared - names_of_module(objects, root)


def _shared_reason(unit: Unit, name: str) -> Reason:
    why = f"`{name}` is a module-level name that other code may read; it stays a NumPy array"
    return Reason("GP405", why, unit.node)


def _names_in_functions(root: Scope) -> frozenset[str]:
    names: set[str] = set()
    for scope in walk_scopes(root):
        if scope is root:
            continue
        names.update(n for n in scope.loads if any(one is root for one in scope.owners(n)))
        names |= scope.outside
    return frozenset(names)


def runs(node: ast.stmt) -> bool:
    """Whether a module-level statement shows that the file is run, not imported."""
    if isinstance(node, ast.Expr):
        return isinstance(node.value, ast.Call)
    return isinstance(node, (ast.For, ast.While, ast.With))


def global_value(unit: Unit, name: str) -> Flow:
    """A name that is no local: a function, a module-level constant, or unknown."""
    root = unit.project.root
    owner = unit.scope.owner(name)
    if owner is root and name in root.functions and root.bound.get(name) == 1:
        return Flow(Scalar("callable"))
    if owner is root:
        followed = name_followed(unit, name)
        if followed is not None:
            return followed
    if owner is not root or unit.scope is root:
        return Flow(Unknown(f"`{name}`"))
    return _as_read(unit, name, unit.project.constant(name))


def imported_value(unit: Unit, path: str) -> Flow:
    """A name of another module that is no function of a library."""
    followed = name_abroad(unit, path)
    if followed is not None:
        return followed
    outside = unit.project.outside
    value = outside.constant(path) if outside is not None else UNKNOWN
    return Flow(value) if value == UNKNOWN else _as_read(unit, path, value)


def _as_read(unit: Unit, name: str, value: Value) -> Flow:
    """A name of a module as its functions read it: arrays are NumPy's, lists anybody's."""
    known = any(not isinstance(item, Unknown) for item in parts(value))
    if is_container(value) and (on_device_possible(value) or not known):
        return Flow(Unknown(f"`{name}`"))
    if is_arraylike(value):
        return Flow(value, None if isinstance(value, Number) else unit.host)
    plain = isinstance(value, (Scalar, Sequence, Tuple, Mapping, Instance))
    return Flow(value if plain else Unknown(f"`{name}`"))

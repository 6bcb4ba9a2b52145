"""Attributes in loops over elements get local names, so that such a loop can become a kernel.

``self.u[i] += dt`` in a loop becomes ``u[i] += dt``, with ``u = self.u`` in the line above it;
``for column in x.T`` is a loop over ``x_T``, ``for value in x.flat`` or ``in x.ravel()`` one over
a name of ``x.ravel()``. A port has such names only where a kernel came of it: the module is ported
both ways.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.loops.elements import works_on_elements
from gpuport.analysis.objects.instancefree import keeps_attributes
from gpuport.analysis.objects.methodbodies import attributes_read, held_by, methods_called
from gpuport.analysis.project.callgraph import Project
from gpuport.analysis.project.failures import blamed_on
from gpuport.analysis.values.lattice import Array, Either, Number, Scalar
from gpuport.emit.lines import line_above, line_below
from gpuport.emit.localfields import Key, made_anew, stored_under_names
from gpuport.passes.listtexts import Loop, outermost
from gpuport.source.edits import Edit
from gpuport.source.renewedfields import runs
from gpuport.source.syntax import dotted, inside

_FLAT = ("flat", "ravel", "flatten")
_VIEWS = {"T": "T"} | dict.fromkeys(_FLAT, "ravel()")
"""What goes through an array in another order, and what gives an array to go through."""


@dataclass(frozen=True, slots=True)
class Hoist:
    """The edits of one function.

    Attributes
    ----------
    function : int
        As `gpuport.analysis.project.callgraph.Project.key` names it.
    edits : tuple of Edit
    for_stacks : bool
        Whether stacked code may come of them, rather than kernels.
    within : frozenset of int
        The functions with loops that call this one, a method, and of whose kernels it is a part
        then: it is left as it is for these.
    """

    function: int
    edits: tuple[Edit, ...]
    for_stacks: bool = False
    within: frozenset[int] = frozenset()


def to_try(possible: Iterable[Hoist], failed: Collection[Hoist]) -> tuple[Hoist, ...]:
    """Those that are to be tried, of the ones of which it is not known that nothing comes."""
    left = [one for one in possible if one not in failed]
    functions = {one.function for one in left if not one.for_stacks}
    return tuple(one for one in left if functions.isdisjoint(one.within - {one.function}))


def hoists(project: Project, units: Iterable[Unit], left: Iterable[int]) -> tuple[Hoist, ...]:
    """What could be given a local name, by function.

    Parameters
    ----------
    project : Project
    units : iterable of Unit
        The functions that were gone through.
    left : iterable of int
        Ids of functions that stay as they are.
    """
    handling = list(project.members)
    if any(f".{name}" in project.module.text for name in _VIEWS):
        known = {id(unit.node) for unit in handling}
        handling += [unit for unit in units if id(unit.node) not in known]
    callers = _callers(project, handling)
    return tuple(
        replace(one, within=frozenset(callers[one.function]))
        for one in by_function(handling, left, _function)
    )


def _callers(project: Project, units: Iterable[Unit]) -> Mapping[int, set[int]]:
    """By method of the module, the functions with loops that call it and may become kernels."""
    found: dict[int, set[int]] = defaultdict(set)
    for unit in units:
        for loop in _outermost(unit, getattr(unit.node, "body", ())):
            for one in methods_called(unit, loop).values():
                if project.defines(one.definition):
                    scope = project.scope_of(one.definition)
                    found[project.key(scope)].add(project.key(unit.scope))
    return found


def by_function(
    units: Iterable[Unit],
    left: Iterable[int],
    edits_of: Callable[[Unit, ast.FunctionDef], Iterable[Edit]],
    *,
    for_stacks: bool = False,
) -> tuple[Hoist, ...]:
    """The edits of those functions that have some, and that do not stay as they are."""
    excluded = frozenset(left)
    found = []
    for unit in units:
        node = unit.node
        if id(node) in excluded or not isinstance(node, ast.FunctionDef):
            continue
        with blamed_on(unit.project, unit.scope):
            edits = tuple(edits_of(unit, node))
        if edits:
            found.append(Hoist(unit.project.key(unit.scope), edits, for_stacks))
    return tuple(found)


def _function(unit: Unit, node: ast.FunctionDef) -> Iterator[Edit]:
    chosen: dict[Key, str] = {}
    for loop in _outermost(unit, node.body):
        names = _names(unit, loop)
        for key in names:
            if key not in chosen:
                chosen[key] = _free(unit, key, frozenset(chosen.values()))
        yield from _edits(unit, loop, names, chosen)


def _outermost(unit: Unit, body: Iterable[ast.AST]) -> Iterator[Loop]:
    """The outermost loops over elements of attributes in which nothing else can happen."""
    return outermost(unit, body, lambda loop: bool(_names(unit, loop)) and _is_plain(unit, loop))


def _is_plain(unit: Unit, loop: Loop) -> bool:
    """Whether attributes are what they were before the loop all the way through it."""
    if not unit.module.stands_alone(loop) or loop.orelse:
        return False
    known = unit.work.operations

    def harmless(call: ast.Call) -> bool:
        """Whether it is a method of an array, or one by which a list grows."""
        path = known[id(call)].path if id(call) in known else None
        return (
            _flattens(call)
            or (path or "").startswith("numpy.ndarray.")
            or _grows_a_list(unit, call.func)
        )

    stored = frozenset(stored_under_names(unit, loop, _keys(unit, loop)))
    return keeps_attributes(unit, loop, harmless, stored)


def _grows_a_list(unit: Unit, method: ast.expr) -> bool:
    """Whether it is ``out.append`` of a name that the function binds once, to a list."""
    if not isinstance(method, ast.Attribute) or method.attr != "append":
        return False
    name = getattr(method.value, "id", "")
    own = name not in unit.parameters.initial and unit.scope.bound.get(name) == 1
    return own and any(
        isinstance(one, ast.Assign) and isinstance(one.value, ast.List)
        and [getattr(target, "id", "") for target in one.targets] == [name]
        for one in inside(unit.node)
    )  # fmt: skip


def _keys(unit: Unit, loop: Loop) -> Callable[[ast.AST], Key | None]:
    bound = unit.module.nodes.bound_in(loop)
    return lambda node: _attribute(unit, node, bound)


def _flattens(node: ast.AST) -> bool:
    """Whether it is ``x.ravel()`` or ``x.flatten()``."""
    function = (
        node.func if isinstance(node, ast.Call) and not (node.args or node.keywords) else None
    )
    return isinstance(function, ast.Attribute) and function.attr in ("ravel", "flatten")


def _names(unit: Unit, loop: Loop) -> dict[Key, list[ast.expr]]:
    """Attributes in a loop, if an array among them is gone through by element."""
    nodes = unit.module.nodes
    bound = nodes.bound_in(loop)
    found: dict[Key, list[ast.expr]] = {}
    by_element = False
    for node in nodes.inside(loop, ast.Subscript, ast.For, ast.Attribute, ast.Call):
        if isinstance(node, ast.Subscript) and _attribute(unit, node.value, bound) is not None:
            indices = {n.id for n in ast.walk(node.slice) if isinstance(n, ast.Name)}
            by_element = by_element or bool(indices & bound)
        elif isinstance(node, ast.For):
            over = [node.iter, *(node.iter.args if isinstance(node.iter, ast.Call) else [])]
            by_element = by_element or any(_attribute(unit, e, bound) for e in over)
        key = _attribute(unit, node, bound)
        if key is not None and isinstance(node, (ast.Attribute, ast.Call)):
            found.setdefault(key, []).append(node)
    for key in attributes_read(methods_called(unit, loop)):
        found.setdefault(key, [])
    by_element = by_element or (
        bool(found) and (_takes_elements(loop, bound) or works_on_elements(unit, loop))
    )
    copied = any(name in _FLAT and not _alone(loop, owner) for owner, name in found)
    return found if by_element and not copied else {}


def _takes_elements(loop: ast.stmt, counted: frozenset[str]) -> bool:
    """Whether names that a loop binds stand in its subscripts."""
    return any(
        isinstance(node, ast.Subscript)
        and any(isinstance(n, ast.Name) and n.id in counted for n in ast.walk(node.slice))
        for node in inside(loop)
    )


def _alone(loop: Loop, array: str) -> bool:
    """Whether a loop does no more with an array than go over its elements, ``array.flat``."""
    heads = [
        part for node in inside(loop) if isinstance(node, ast.For) for part in inside(node.iter)
    ]
    gone_over = {
        id(part.value) for part in heads if isinstance(part, ast.Attribute) and part.attr in _FLAT
    }
    named = [node for node in inside(loop) if isinstance(node, ast.Name) and node.id == array]
    return all(id(node) in gone_over for node in named)


def _attribute(unit: Unit, node: ast.AST, bound: frozenset[str]) -> Key | None:
    """``instance.name`` where both are known, and the name stands for an array or a number; the
    columns of an array, ``x.T``.
    """
    if isinstance(node, ast.Call) and _flattens(node):
        node = node.func
    elif isinstance(node, ast.Attribute) and node.attr in ("ravel", "flatten"):
        return None  # the method itself, not what it gives
    owner = dotted(node.value) if isinstance(node, ast.Attribute) else None
    if not isinstance(node, ast.Attribute) or owner is None or owner.partition(".")[0] in bound:
        return None
    if (
        node.attr in _VIEWS
        and "." not in owner
        and isinstance(held_by(unit, owner), (Array, Either))
    ):
        return owner, node.attr
    value = held_by(unit, f"{owner}.{node.attr}")
    # Of what is no array the launch asks whether it is a number.
    number = isinstance(value, Scalar) and value.type in (None, "int", "float", "bool", "complex")
    if not number and not isinstance(value, (Array, Number)):
        return None
    return owner, node.attr


def _free(unit: Unit, key: Key, taken: frozenset[str]) -> str:
    """A name for an attribute that nothing in the function means by anything else."""
    instance, name = key[0].replace(".", "_"), key[1]
    used = {n.id for n in ast.walk(unit.node) if isinstance(n, ast.Name)}
    used |= set(unit.scope.bound) | taken | set(unit.project.root.imports)
    used |= set(unit.project.root.bound)
    plain = name.lstrip("_") or name
    short = [] if name in _VIEWS else [plain]
    for candidate in [*short, f"{instance}_{plain}"]:
        if candidate not in used:
            return candidate
    number = 2
    while f"{instance}_{plain}_{number}" in used:
        number += 1
    return f"{instance}_{plain}_{number}"


def _edits(
    unit: Unit, loop: Loop, names: Mapping[Key, list[ast.expr]], chosen: Mapping[Key, str]
) -> Iterator[Edit]:
    renewed = made_anew(unit, loop, _keys(unit, loop))
    values = (f"{of}.{_VIEWS.get(name, name)}" for of, name in names)
    copies = (".copy()" if key in renewed else "" for key in names)
    lines = [f"{chosen[k]} = {v}{c}" for k, v, c in zip(names, values, copies, strict=True)]
    yield line_above(unit.module, loop, *lines)
    if renewed:
        test = runs(loop, unit.scope.resolve)
        lines = [f"{key[0]}.{key[1]} = {chosen[key]}" for key in renewed]
        lines = lines if test == "True" else [f"if {test}:", *(f"    {one}" for one in lines)]
        yield line_below(unit.module, loop, *lines)
    for key, nodes in names.items():
        for node in nodes:
            yield Edit(*unit.module.extent(node), (chosen[key],))


__all__ = ["Hoist", "by_function", "hoists", "to_try"]

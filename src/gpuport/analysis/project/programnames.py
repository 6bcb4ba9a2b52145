"""Which names of a program's modules are followed: those that functions read, by the text."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gpuport.analysis.project.mentions import chain, innermost
from gpuport.analysis.values.lattice import on_device_possible
from gpuport.source.names import Scope
from gpuport.source.owndecorators import keeping
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project
    from gpuport.analysis.project.mentions import Mentions
    from gpuport.analysis.project.program import Program

Name = tuple[int, str]
"""The scope of a module, by its id, and a name in it."""

BINDING = (ast.Assign, ast.AnnAssign, ast.AugAssign)
_BY_TEXT = frozenset({"eval", "exec", "globals", "locals", "vars"})
"""Builtins by which names are read or bound that the text does not tell."""

_MODULES = frozenset({"sys.modules", "sys._getframe", "inspect.currentframe", "inspect.stack"})
"""What leads to modules, or to frames of their functions, as objects."""

_NAMESPACES = frozenset({"__globals__", "f_globals"})
"""Attributes that are the names of a module."""


@dataclass(frozen=True, slots=True)
class ModuleName:
    """A name of a module that functions read.

    Attributes
    ----------
    readers : tuple of Scope
        The module, and the functions that read it or bind it anew.
    rebound : bool
        Whether functions bind it (``global``), so that it may be another thing after any call.
    at : ast.AST
        Where it is bound first.
    paths : tuple of (Scope, str)
        What other modules call it, with the scopes of these modules.
    """

    readers: tuple[Scope, ...]
    rebound: bool
    at: ast.AST
    paths: tuple[tuple[Scope, str], ...] = ()


def names_read(program: Program, mentions: Mentions) -> dict[Name, ModuleName]:
    """The names of modules that functions read, and that nothing but assignments binds."""
    found: dict[Name, ModuleName] = {}
    abroad = _read_abroad(program) if program.is_joint else {}
    for project in program.projects:
        if project.why_imported is not None or _is_read_by_text(project):
            continue
        for name, at in _bound_by_assignments(project).items():
            key = id(project.root), name
            others = abroad.get(key, [])
            readers = (*_readers(project, name), *(scope for scope, _, _ in others))
            handed_on = {(id(root), path.rpartition(".")[2]) for _, root, path in others}
            if readers and not handed_on & mentions.elsewhere - {key}:
                rebound = any(name in scope.outside for scope in readers)
                paths = tuple((root, path) for _, root, path in others)
                found[key] = ModuleName((project.root, *readers), rebound, at, paths)
    return found


def _read_abroad(program: Program) -> dict[Name, list[tuple[Scope, Scope, str]]]:
    """Where names of modules are read in other modules, the scopes of these, and by what paths."""
    found: dict[Name, list[tuple[Scope, Scope, str]]] = {}
    for project in program.projects:
        heads = {name for name, _ in program.imports(project)}
        nodes = {
            id(node): node for node in walk(project.module.tree)
            if isinstance(node, (ast.Name, ast.Attribute)) and chain(node)[0] in heads
        }  # fmt: skip
        defaults = _in_defaults(project) if nodes else set()
        for number, scope in (innermost(project.root, nodes) if nodes else {}).items():
            path = scope.resolve(nodes[number])
            place = program.place(project, path) if path is not None else None
            if place is not None and path is not None and len(place[1]) == 1:
                read = found.setdefault((id(place[0].root), place[1][0]), [])
                scopes = (scope, scope.parent) if number in defaults else (scope,)
                read += [(one, project.root, path) for one in scopes if one is not None]
    return found


def _in_defaults(project: Project) -> set[int]:
    """Ids of what defaults are made of: functions take it that is read where they are defined."""
    found: set[int] = set()
    for scope in project.inner_scopes():
        node = scope.node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            defaults = (*node.args.defaults, *filter(None, node.args.kw_defaults))
            found.update(id(part) for default in defaults for part in walk(default))
    return found


def _is_read_by_text(project: Project) -> bool:
    """Whether code may read or bind names of the module, or of another, that the text hides."""
    scopes = list(project.every_scope())
    if any(scope.owner(n) is None for scope in scopes for n in _BY_TEXT & scope.loads):
        return True
    if any("__main__" in paths for scope in scopes for paths in scope.imports.values()):
        return True
    kinds = project.module.kinds
    known = {path.rpartition(".")[2] for path in _MODULES}
    leading = known.union(*(scope.imports for scope in scopes))
    names = {node.id: node for node in kinds[ast.Name] if node.id in leading}  # all mean the same
    asked = [*names.values(), *(node for node in kinds[ast.Attribute] if node.attr in known)]
    return any(node.attr in _NAMESPACES for node in kinds[ast.Attribute]) or any(
        scope.resolve(node) in _MODULES for node in asked for scope in scopes
    )


def _bound_by_assignments(project: Project) -> dict[str, ast.AST]:
    """Names that nothing but assignments binds, with the first of these."""
    root, tree = project.root, project.module.tree
    declared = Counter(name for node in project.module.kinds[ast.Global] for name in node.names)
    odd = _bound_oddly(project)
    found: dict[str, list[ast.AST]] = {**{name: [] for name in declared}, **_assigned(root)}
    return {
        name: at[0] if at else tree for name, at in sorted(found.items())
        # A scope counts each declaration in a function as two bindings.
        if root.bound.get(name) == len(at) + 2 * declared[name]
        and name not in root.imports and name not in odd
    }  # fmt: skip


def _bound_oddly(project: Project) -> set[str]:
    """Names that functions bind for others by something else than an assignment."""
    found: set[str] = set()
    for scope in project.inner_scopes():
        found |= bound_oddly(scope)
    for node in project.module.kinds[ast.Nonlocal]:
        found.update(node.names)
    return found


def bound_oddly(scope: Scope) -> set[str]:
    """Names of others that a function binds by something else than an assignment."""
    assigned = _assigned(scope) if scope.outside else {}
    return {n for n in scope.outside if scope.bound.get(n, 0) != len(assigned.get(n, ()))}


def _assigned(scope: Scope) -> dict[str, list[ast.AST]]:
    """The targets by which assignments in a scope, none inside of it, bind each name."""
    found: dict[str, list[ast.AST]] = {}
    for statement in _statements(scope.node):
        for node in (node for target in _targets(statement) for node in walk(target)):
            if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
                found.setdefault(node.id, []).append(node)
    return found


def _statements(opening: ast.AST) -> Iterator[ast.stmt]:
    """The statements of a module or function, without those of functions and classes in it."""
    body = getattr(opening, "body", None)
    waiting: list[ast.AST] = list(body) if isinstance(body, list) else []  # not of a lambda
    while waiting:
        node = waiting.pop(0)
        if isinstance(node, ast.stmt):
            yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            waiting += [c for c in ast.iter_child_nodes(node) if not isinstance(c, ast.expr)]


def _targets(statement: ast.stmt) -> list[ast.expr]:
    if isinstance(statement, ast.Assign):
        return statement.targets
    return [statement.target] if isinstance(statement, (ast.AnnAssign, ast.AugAssign)) else []


def _readers(project: Project, name: str) -> Iterator[Scope]:
    for scope in project.inner_scopes():
        if name in scope.outside or (
            name in scope.loads and any(owner is project.root for owner in scope.owners(name))
        ):
            yield scope


def may_hold_arrays(program: Program, names: dict[Name, ModuleName]) -> bool:
    """Whether one of these names was seen to hold an array, or may by a call be something else."""
    if any(one.rebound for one in names.values()):
        return True
    for project in program.projects:
        done = project.results.get(id(project.module.tree))
        for name, flow in done.unit.env.items() if done is not None else ():
            if (id(project.root), name) in names and on_device_possible(flow.value):
                return True
    return False


def matter_to_followed(
    program: Program, names: dict[Name, ModuleName], handed_on: Collection[ast.AST]
) -> bool:
    """Whether functions and instances can be followed only with these names.

    One of them is bound to something in which a function or class of the program is named, or one
    of the functions that are ``handed_on`` stands, or by a function, which cannot be read
    otherwise; or decorators may keep functions in it.
    """
    values = set(map(id, handed_on))
    if any(one.rebound for one in names.values()):
        return True
    for project in program.projects:
        root = project.root
        every = [*root.functions.values(), *root.classes.values()]
        if any(keeping(root, node) for node in every):
            return True
        followed = {name for module, name in names if module == id(project.root)}
        for statement in _statements(project.module.tree) if followed else ():
            value = getattr(statement, "value", None) if isinstance(statement, BINDING) else None
            if not isinstance(value, ast.expr) or not project.bound_in(statement) & followed:
                continue
            if any(
                isinstance(part, ast.Lambda) or id(part) in values
                or (
                    isinstance(part, (ast.Name, ast.Attribute))
                    and program.defined(project.root, part) is not None
                )
                for part in walk(value)
            ):  # fmt: skip
                return True
    return False


__all__ = [
    "BINDING",
    "ModuleName",
    "Name",
    "bound_oddly",
    "matter_to_followed",
    "may_hold_arrays",
    "names_read",
]  # fmt: skip

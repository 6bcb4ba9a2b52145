"""Where the functions and classes of a program are named."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from gpuport.analysis.objects.namedtuples import made_tuples
from gpuport.analysis.project.modules import Defined
from gpuport.source.names import SCOPES, Scope, walk_scopes
from gpuport.source.syntax import children, walk

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project
    from gpuport.analysis.project.program import Program


@dataclass(slots=True)
class Mentions:
    """Where the functions and classes of a program are called, and how often they are named.

    Attributes
    ----------
    calls : dict
        By the id of a definition: its calls, or those of a function of the class, with the scope
        they stand in.
    loads : Counter
        By the id of a definition: how often its name is read.
    values : dict
        By the id of a function: where its name is read without being called, and the scopes.
    elsewhere : set
        Names of the modules that other modules read, with the id of the module's scope.
    """

    calls: dict[int, list[tuple[Scope, ast.Call]]] = field(default_factory=dict)
    loads: Counter[int] = field(default_factory=Counter)
    values: dict[int, list[tuple[Scope, ast.expr]]] = field(default_factory=dict)
    elsewhere: set[tuple[int, str]] = field(default_factory=set)

    @classmethod
    def of(cls, program: Program) -> Mentions:
        """Read all modules of a program."""
        found = cls()
        for project in program.projects:
            found._read(program, project)
        return found

    def calls_of(self, node: ast.AST) -> list[tuple[Scope, ast.Call]]:
        """The calls of a function, or of a class and its functions."""
        return self.calls.get(id(node), [])

    def values_of(self, node: ast.AST) -> list[tuple[Scope, ast.expr]]:
        """Where a function is handed on by its name."""
        return self.values.get(id(node), [])

    def _read(self, program: Program, project: Project) -> None:
        called: set[int] = set()
        for scope in project.every_scope():
            for call in scope.calls:
                called.add(id(call.func))
                defined = _called(program, scope, call.func)
                if defined is not None:
                    self.calls.setdefault(id(defined.node), []).append((scope, call))
        annotations = annotations_in(project)
        every = list(named(program, project))
        local = _local_names(project, [node for node, _ in every])
        handed_on: dict[int, tuple[ast.expr, Defined]] = {}
        for node, defined in every:
            if id(node) in local:
                continue
            self.loads[id(defined.node)] += id(node) not in annotations
            if isinstance(defined.node, ast.FunctionDef) and id(node) not in annotations | called:
                handed_on[id(node)] = node, defined
        scopes = innermost(project.root, handed_on) if handed_on else {}
        for number, (node, defined) in handed_on.items():
            self.values.setdefault(id(defined.node), []).append((scopes[number], node))
        if program.is_joint:
            self.elsewhere.update(_read_elsewhere(program, project))


def _local_names(project: Project, nodes: Collection[ast.expr]) -> set[int]:
    """The names among these, by their ids, that functions have for something of their own."""
    root = project.root
    hidden = {name for scope in project.every_scope() if scope is not root for name in scope.bound}
    names = {id(one): one.id for one in nodes if isinstance(one, ast.Name) and one.id in hidden}
    scopes = innermost(root, names) if names else {}
    return {key for key, name in names.items() if root not in scopes[key].owners(name)}


def named(program: Program, project: Project) -> Iterator[tuple[ast.expr, Defined]]:
    """Each name, and ``module.name``, in a module that may mean a definition of the program.

    Names of functions' own that hide one are among them.
    """
    meanings = _meanings(program, project)
    paths: dict[str, list[str]] = defaultdict(list)
    for name, path in program.imports(project) if program.is_joint else ():
        paths[name].append(path)
    kinds = project.module.kinds
    for node in kinds[ast.Name] if meanings else ():
        if node.id in meanings and isinstance(node.ctx, ast.Load):
            for defined in meanings[node.id]:
                yield node, defined
    for node in kinds[ast.Attribute] if paths else ():
        if isinstance(node.ctx, ast.Load):
            head, attributes = chain(node)
            for path in paths.get(head, ()):
                found = program.imported(project, f"{path}{attributes}")
                if found is not None:
                    yield node, found


def _meanings(program: Program, project: Project) -> dict[str, list[Defined]]:
    """What the names of a module may mean: its own definitions and those that it imports."""
    root = project.root
    found: dict[str, list[Defined]] = defaultdict(list)
    for name, node in (*root.functions.items(), *root.classes.items()):
        found[name].append(Defined(project, name, node))
    for name, (call, _) in made_tuples(root):
        found[name].append(Defined(project, name, call))
    for name, path in program.imports(project) if program.is_joint else ():
        defined = program.imported(project, path)
        if defined is not None:
            found[name].append(defined)
    return found


def innermost(root: Scope, wanted: Collection[int]) -> dict[int, Scope]:
    """The scope around each of some nodes, by their ids."""
    around = _scopes_around(root)
    return {key: around[key] for key in wanted if key in around}


@lru_cache(maxsize=4)  # asked for several kinds of names of a module, one after the other
def _scopes_around(root: Scope) -> dict[int, Scope]:
    """The scope around each node of a module, by its id; decorators are read outside."""
    scopes = {id(scope.node): scope for scope in walk_scopes(root)}
    found: dict[int, Scope] = {}
    pending: list[tuple[Scope, list[ast.AST]]] = [(root, [root.node])]
    while pending:
        scope, nodes = pending.pop()
        for node in nodes:
            inner = scopes.get(id(node), scope) if node.__class__ in SCOPES else scope
            if inner is scope:
                found[id(node)] = scope
                nodes += children(node)
                continue
            found[id(node)] = inner
            decorators = getattr(node, "decorator_list", [])
            nodes += decorators
            pending.append((inner, [n for n in children(node) if n not in decorators]))
    return found


def chain(node: ast.expr) -> tuple[str, str]:
    """The name at the head of ``a.b.c``, empty where there is none, and ``.b.c``."""
    head = node
    attributes = ""
    while isinstance(head, ast.Attribute):
        attributes = f".{head.attr}{attributes}"
        head = head.value
    return (head.id if isinstance(head, ast.Name) else ""), attributes


def _called(program: Program, scope: Scope, function: ast.expr) -> Defined | None:
    """The function or class that is called by its name; the class too in ``Class.make()``."""
    found = program.defined(scope, function)
    if found is None and isinstance(function, ast.Attribute):
        found = program.defined(scope, function.value)
        return found if found is not None and isinstance(found.node, ast.ClassDef) else None
    return found


def annotations_in(project: Project) -> frozenset[int]:
    """Ids of all nodes inside annotations."""
    kinds = project.module.kinds
    written = [node.annotation for node in (*kinds[ast.arg], *kinds[ast.AnnAssign])]
    written += [node.returns for node in (*kinds[ast.FunctionDef], *kinds[ast.AsyncFunctionDef])]
    return frozenset(id(inner) for one in written if one is not None for inner in walk(one))


def _read_elsewhere(program: Program, project: Project) -> Iterator[tuple[int, str]]:
    """Names of other modules that a module imports, or reads as ``module.name``."""
    paths: dict[str, set[str]] = defaultdict(set)
    for name, path in program.imports(project):
        paths[name].add(path)
        yield from _name_at(program, project, path)
    for node in project.module.kinds[ast.Attribute]:
        head, attributes = chain(node)
        for path in paths.get(head, ()):
            yield from _name_at(program, project, f"{path}{attributes}")


def _name_at(program: Program, project: Project, path: str) -> Iterator[tuple[int, str]]:
    place = program.place(project, path)
    if place is not None and place[1]:
        yield id(place[0].root), place[1][0]


__all__ = ["Mentions", "annotations_in", "chain", "innermost", "named"]

"""The classes of a program that may be followed, as far as its text tells."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING

from gpuport.analysis.objects.classes import bases_of, holds_array, is_named_tuple, read_class
from gpuport.analysis.objects.classfacts import ClassFacts, Field, Open, opening
from gpuport.analysis.objects.namedtuples import made_tuples
from gpuport.analysis.objects.supercalls import is_super
from gpuport.analysis.placement.graph import Reason
from gpuport.analysis.project.mentions import named
from gpuport.rules.libraries import library_of
from gpuport.source.names import Scope
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project
    from gpuport.analysis.project.program import Program

_NAME_ALL = "name all files that use it"
_SAY_SO = f"{_NAME_ALL}, with `whole-program = true` in [tool.gpuport] where these are all"


def known_classes(
    program: Program,
) -> tuple[dict[str, ClassFacts], dict[str, Reason], dict[str, list[ast.expr]]]:
    """The classes of a program that may be followed, and why others are not.

    The third item: where the first ones are handed on, by their names.
    """
    handed_on: dict[str, list[ast.expr]] = {}
    followed: dict[str, ClassFacts] = {}
    opened: dict[str, Reason] = {}
    classes = [
        scope for project in program.projects for scope in project.root.children
        if isinstance(scope.node, ast.ClassDef)
    ]  # fmt: skip
    candidates = _candidates(program, classes)
    tuples = [(p, made) for p in program.projects for made in made_tuples(p.root)]
    if not candidates and not tuples:
        return followed, opened, handed_on
    for scope in candidates:
        try:
            imported = program.home(scope).why_imported
            if imported is not None:
                whole = program.home(scope).knowledge.whole_program
                raise opening(scope.node, imported, _NAME_ALL if whole else _SAY_SO)
            followed[scope.name] = read_class(program, scope)
        except Open as error:
            opened[scope.name] = error.reason
    for project, (name, (call, names)) in tuples:
        if project.why_imported is None:
            fields = tuple(Field(one, given=True) for one in names)
            followed[name] = ClassFacts(name, call, project.root, fields=fields, items=True)
    for name, reason in _of_several_modules(program, followed):
        opened.setdefault(name, reason)
    pairs = [(scope.name, base) for scope in classes for base in bases_of(program, scope)]
    _open_relatives(pairs, followed, opened)
    for project in program.projects:
        for node, name in _named_elsewhere(program, project, followed):
            if isinstance(followed[name].node, ast.ClassDef):
                handed_on.setdefault(name, []).append(node)
                continue
            text = project.module.segment(node)
            opened.setdefault(name, opening(node, f"`{text}` itself is handed on").reason)
    _open_relatives(pairs, followed, opened)
    return followed, opened, handed_on


def _of_several_modules(
    program: Program, followed: dict[str, ClassFacts]
) -> Iterator[tuple[str, Reason]]:
    """Classes of one name in several modules: what is known of them is kept by their names."""
    names = Counter(
        name for project in program.projects if program.is_joint
        for name in {*project.root.classes, *dict(made_tuples(project.root))}
    )  # fmt: skip
    for name, count in names.items():
        if count > 1 and name in followed:
            why = f"another file of the program defines a class `{name}` too"
            yield name, opening(followed[name].node, why).reason


def _open_relatives(
    pairs: list[tuple[str, str]], followed: dict[str, ClassFacts], opened: dict[str, Reason]
) -> None:
    """A class is followed with those that it is made of, and that are made of it, or not at all.

    ``pairs``: each class with those that it is made of, one by one.
    """
    lost = -1
    while lost < len(opened):
        lost = len(opened)
        for name, base in pairs:
            if name in opened or base in opened:
                reason = opened.get(name) or opened[base]
                opened.setdefault(name, reason)
                opened.setdefault(base, reason)
    for name in opened:
        followed.pop(name, None)


def _candidates(program: Program, classes: list[Scope]) -> list[Scope]:
    """Classes whose methods work with attributes, or whose fields hold arrays or such classes.

    Those whose bodies alone make arrays or numbers are among them: names to keep these under.
    """
    found: set[str] = set()
    records: dict[str, list[ast.stmt]] = {}
    for scope in classes:
        node, parent = scope.node, scope.parent
        assert isinstance(node, ast.ClassDef)
        assert parent is not None
        methods = (c.node for c in scope.children if isinstance(c.node, ast.FunctionDef))
        if any(method.args.args for method in methods):
            found.add(scope.name)
        elif node.decorator_list or is_named_tuple(parent, node):
            records[scope.name] = node.body
        elif any(library_of(scope.resolve(call.func) or "") for call in scope.calls):
            found.add(scope.name)
        elif not node.bases and any(isinstance(one, ast.Assign) for one in node.body):
            found.add(scope.name)  # read by its name, `Constants.gravity`
    found |= {name for name, body in records.items() if any(map(holds_array, body))}
    known = -1
    while known < len(found):
        known = len(found)
        found |= {n for n, body in records.items() if any(_holds_one(s, found) for s in body)}
    bases = {scope.name: bases_of(program, scope) for scope in classes}
    known = -1
    while known < len(found):  # with all that they are made of, or that is made of them
        known = len(found)
        for name, others in bases.items():
            if name in found or not found.isdisjoint(others):
                found |= {name, *others}
    return [scope for scope in classes if scope.name in found]


def _holds_one(statement: ast.stmt, classes: Collection[str]) -> bool:
    """Whether a field is annotated as an instance of one of these classes, or as several."""
    if not isinstance(statement, ast.AnnAssign):
        return False
    words = {n.id for n in walk(statement.annotation) if isinstance(n, ast.Name)}
    return not words.isdisjoint(classes)


def _named_elsewhere(
    program: Program, project: Project, followed: dict[str, ClassFacts]
) -> Iterator[tuple[ast.expr, str]]:
    """Names of classes that stand where they are no call, annotation or question."""
    if not followed:
        return
    standing = [
        (node, defined.name) for node, defined in named(program, project)
        if defined.name in followed and followed[defined.name].node is defined.node
    ]  # fmt: skip
    if not standing:
        return
    names = {id(node): name for node, name in standing}
    fine: set[int] = set()
    for one in followed.values():
        fine.update(map(id, getattr(one.node, "bases", ())))
    for node in walk(project.module.tree):
        if isinstance(node, ast.Call):
            fine.add(id(node.func))
            if is_super(node):  # `super(Class, self)`
                fine.update(map(id, node.args[:1]))
            if isinstance(node.func, ast.Name) and node.func.id == "isinstance":
                fine.update(id(n) for a in node.args[1:] for n in walk(a))
        elif isinstance(node, ast.Attribute) and id(node.value) in names:
            facts = followed[names[id(node.value)]]
            called = id(node) in fine and _reaches(followed, facts, node.attr)
            if called or _shares(followed, facts, node):
                fine.add(id(node.value))
        elif isinstance(node, ast.Compare):
            fine.update(id(n) for n in (node.left, *node.comparators) if id(n) in names)
        for annotation in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            if isinstance(annotation, ast.AST):
                fine.update(id(n) for n in walk(annotation))
    yield from ((node, name) for node, name in standing if id(node) not in fine)


def _shares(followed: dict[str, ClassFacts], facts: ClassFacts | None, node: ast.Attribute) -> bool:
    """Whether ``Class.name`` reads or binds what a class body binds, its own or that of a base."""
    while facts is not None and node.attr not in facts.constants:
        facts = followed.get(facts.base) if facts.base is not None else None
    return facts is not None and not facts.items and not isinstance(node.ctx, ast.Del)


def _reaches(followed: dict[str, ClassFacts], facts: ClassFacts | None, name: str) -> bool:
    """Whether ``Class.name`` is a function that can be called so, its own or that of a base."""
    while facts is not None and facts.without_instance(name) is None:
        if name in facts.methods and name not in facts.properties:
            return True
        facts = followed.get(facts.base) if facts.base is not None else None
    return facts is not None


__all__ = ["known_classes"]

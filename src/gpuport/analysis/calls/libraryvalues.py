"""Functions of NumPy that are handed on: ``Layer(weights, np.tanh)``.

Called with arrays of the device they answer with CuPy's function of the same name (NEP 13 and 18),
so their text stays as it is, and a call of one runs where its arrays are.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from gpuport.analysis.functions.functionvalues import FunctionFacts
from gpuport.analysis.functions.innervalues import called_back
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.project.mentions import annotations_in, innermost
from gpuport.analysis.values.lattice import Object
from gpuport.rules.libraries import LIBRARIES
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.calls.arguments import Argument
    from gpuport.analysis.interpretation.unit import Unit
    from gpuport.analysis.objects.instances import Objects
    from gpuport.analysis.project.callgraph import Project
    from gpuport.analysis.project.program import Program


def library_functions(program: Program) -> dict[str, FunctionFacts]:
    """Functions of libraries that a program hands on, as far as a call of them is known."""
    seen = (project for project in program.projects if project.why_imported is None)
    return {one.name: one for project in seen for one in _handed_on(program, project)}


def _handed_on(program: Program, project: Project) -> Iterator[FunctionFacts]:
    heads = {
        name for name, paths in project.root.imports.items()
        if any(path.partition(".")[0] in LIBRARIES for path in paths)
    }  # fmt: skip
    called = {id(call.func) for scope in project.every_scope() for call in scope.calls}
    names = (node for node in walk(project.module.tree) if isinstance(node, ast.expr))
    read = (node for node in names if id(node) not in called and _may_be(node, heads))
    wanted = {id(node): node for node in read}
    for number in wanted.keys() & annotations_in(project):
        del wanted[number]
    scopes = innermost(project.root, wanted) if wanted else {}
    for number, node in wanted.items():
        scope = scopes[number]
        path = scope.resolve(node)
        if path is None or not _answers_alike(project, path):
            continue
        if number not in called_back(program, project, scope):
            yield FunctionFacts(_key(path, node), node, scope, inner=True, path=path)


def function_of_library(unit: Unit, node: ast.expr, path: str) -> Flow | None:
    """A function of a library that is read and followed; None for others."""
    objects = unit.objects
    family = objects.classes.get(_key(path, node)) if objects is not None else None
    if family is None or family.classes[_key(path, node)].node is not node:
        return None
    return Flow(Object(family.name, kinds=frozenset((_key(path, node),))))


def calls_of_library(
    objects: Objects, unit: Unit, node: ast.Call, held: Object, args: list[Argument]
) -> list[Flow]:
    """What a call gives, for each function of a library that it may be of."""
    from gpuport.analysis.calls.numpycalls import call_of_value

    each = objects.classes[held.name].classes.items()
    among = (one for name, one in each if not held.kinds or name in held.kinds)
    paths = {one.path for one in among if isinstance(one, FunctionFacts) and one.path is not None}
    return [call_of_value(unit, node, path, args) for path in sorted(paths)]


def _may_be(node: ast.AST, heads: set[str]) -> bool:
    """A name, or the whole of ``np.linalg.norm``, that an import may have bound."""
    if not isinstance(getattr(node, "ctx", None), ast.Load):
        return False
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in heads


def _answers_alike(project: Project, path: str) -> bool:
    """Whether NumPy's function calls CuPy's of the same name for arrays of the device."""
    tables, rules = project.knowledge.tables, project.knowledge.rules
    entry = tables.entry(path)
    if entry is None or not _asks_its_arguments(path):
        return False
    plain = rules.swap(path, unsafe=False) is None and not rules.patterns(path)
    same = tables.counterpart(path).target_name == path.replace("numpy.", "cupy.", 1)
    return plain and same and rules.host(path) is None


@cache
def _asks_its_arguments(path: str) -> bool:
    """Whether a function of NumPy leaves its work to what it is given (NEP 13 and 18).

    CuPy takes the function of the same name in the module that NumPy's says it is of.
    """
    import numpy as np

    root, _, names = path.partition(".")
    if root != "numpy":
        return False
    found: object = np
    for name in names.split("."):
        found = getattr(found, name, None)
    if isinstance(found, np.ufunc):
        return getattr(np, found.__name__, None) is found  # `np.abs` is `np.absolute`
    of = f"{getattr(found, '__module__', '')}.{getattr(found, '__name__', '')}"
    return hasattr(found, "_implementation") and of == path


def _key(path: str, node: ast.expr) -> str:
    return f"{path}() on line {node.lineno}, column {node.col_offset}"


__all__ = ["calls_of_library", "function_of_library", "library_functions"]

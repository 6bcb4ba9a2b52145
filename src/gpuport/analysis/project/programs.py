"""Whether files are a program that is run, or modules that other code imports."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

from gpuport.analysis.interpretation.modulelevel import runs
from gpuport.source.importers import distributed, imported_below
from gpuport.source.moduleassignments import is_main_guard
from gpuport.source.syntax import walk

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project
    from gpuport.analysis.project.program import Program

_RUN_BY_NAME = re.compile(r"__main__\.py|test_\w*\.py|\w*_test\.py|conftest\.py")
_BY_NAME = re.compile(r"\b(?:importlib|__import__|runpy|pkgutil)\b|\bsys\.modules\b")


def why_open(program: Program) -> str | None:
    """Why code outside several modules may use their names; None where none is seen to.

    One of the modules at least is run, and the others are imported by modules of the program
    alone: no other file of their folders imports them, and they are not distributed as a package.
    Where the user says that they are a whole program, it is enough that nothing speaks against it.
    """
    whole = program.projects[0].knowledge.whole_program
    unused = None if whole else _why_unused(program)
    if unused is not None:
        return unused
    for project in program.projects:
        odd = _odd_use(program, project)
        if odd is not None:
            return f"`{Path(project.module.path).name}` {odd}"
    files = frozenset(program.files)
    return (None if whole else distributed(files)) or imported_below(files)


def _why_unused(program: Program) -> str | None:
    """Why modules are for others to import: none of them is run, or one imports them all."""
    started = [p for p in program.projects if _is_started(program, p)]
    imported = {id(other) for p in program.projects for other in program.imported_by(p)}
    if not started:
        return "code that imports these modules may use them"
    for project in program.projects:
        name = Path(project.module.path).name
        part = name == "__init__.py"  # imported with every module of its package
        if project not in started and id(project) not in imported and not part:
            return f"code that imports `{name}` may use them"
    return None


def _is_started(program: Program, project: Project) -> bool:
    """Whether a module is run: by its user, or by pytest."""
    if _RUN_BY_NAME.fullmatch(Path(project.module.path).name):
        return True
    return any(
        is_main_guard(node) or runs(node) or _calls(program, project, node)
        for node in project.module.tree.body
    )


def _calls(program: Program, project: Project, node: ast.stmt) -> bool:
    """Whether a statement calls a function or class of the program."""
    call = node.value if isinstance(node, (ast.Expr, ast.Assign)) else None
    return isinstance(call, ast.Call) and program.defined(project.root, call.func) is not None


def _odd_use(program: Program, project: Project) -> str | None:
    """What a module does with other modules besides reading names of them."""
    if _BY_NAME.search(project.module.text):
        return "imports modules by their names"
    for scope in project.every_scope():
        for star in scope.stars:
            if program.place(project, f"{'.' * star.level}{star.module or ''}") is not None:
                return "imports all names of another file"
    for scope in project.every_scope():
        for name, paths in scope.imports.items():
            several = len(paths) > 1 or name in scope.bound
            if several and any(program.place(project, path) is not None for path in paths):
                return f"gives `{name}` several meanings"
    for _, path in program.imports(project):
        if _is_lost(program, project, path):
            return f"imports `{path.rpartition('.')[2]}`, of which it is not seen what it is"
    modules = {
        name for name, path in program.imports(project)
        if (place := program.place(project, path)) is not None and not place[1]
    }  # fmt: skip
    if not modules:
        return None
    read = set()
    for node in walk(project.module.tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if isinstance(node.ctx, ast.Load):
                read.add(id(node.value))
        elif isinstance(node, ast.Name) and node.id in modules and id(node) not in read:
            return f"uses the module `{node.id}` for more than to read names of it"
    return None


def _is_lost(program: Program, project: Project, path: str) -> bool:
    """Whether a path leads to a name of the program that may stand for several things."""
    place = program.place(project, path)
    if place is None or len(place[1]) != 1 or program.imported(project, path) is not None:
        return False
    root, (name,) = place[0].root, place[1]
    if name in root.functions or name in root.classes:
        return True  # and for something else as well
    handed_on = root.imports.get(name)
    if handed_on is None:
        return not root.binds(name)
    return any(program.place(place[0], one) is not None for one in handed_on)

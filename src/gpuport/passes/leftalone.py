"""What a port does not touch: suppressed code, code on CuPy, names that only look like NumPy's."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Mapping

from gpuport.analysis.functions.interest import mentions_arrays
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.objects.classes import holds_array
from gpuport.analysis.project.callgraph import Project
from gpuport.analysis.project.failures import INTERNAL_ERROR, SLUGS
from gpuport.analysis.values.lattice import Array
from gpuport.records import Finding, Severity
from gpuport.rules.libraries import LIBRARIES
from gpuport.rules.numpynames import as_numpy, dispatches
from gpuport.source.decorated import decorated
from gpuport.source.handing import star_module
from gpuport.source.meetings import meetings
from gpuport.source.module import Module
from gpuport.source.names import Scope, walk_scopes
from gpuport.source.replacing import replacements
from gpuport.source.sides import Known, Meeting
from gpuport.source.suppression import Suppressions
from gpuport.source.syntax import children

SUPPRESSED = "suppressed by a comment"
ON_CUPY = "on CuPy already"


def left_alone(project: Project, suppressions: Suppressions | None) -> dict[int, str]:
    """Functions that are suppressed, or run on CuPy already; the reason by node id."""
    done: dict[int, str] = {}
    names = set(project.root.imports)
    every = list(walk_scopes(project.root))
    device = {
        name for scope in every for name, paths in scope.imports.items() for path in paths
        if path.partition(".")[0] in ("cupy", "cupyx") or path.startswith("gpuport.runtime")
    }  # fmt: skip
    telling = device.union(*(scope.aliases for scope in every))
    for scope in every:
        node = scope.node
        if isinstance(node, (ast.Lambda, ast.ClassDef)):
            continue
        line = getattr(node, "lineno", 0)
        if suppressions is not None and line and suppressions.skipped(line):
            done[id(node)] = SUPPRESSED
        elif device and names and _on_cupy(scope, telling):
            done[id(node)] = ON_CUPY
    return done


def _on_cupy(scope: Scope, telling: set[str]) -> bool:
    """Whether code mentions CuPy itself (inner functions included).

    ``telling`` are the names that may mean a part of it.
    """
    node = scope.node
    read = any(not telling.isdisjoint(one.loads) for one in walk_scopes(scope))
    statements = getattr(node, "body", []) if read else []
    decorators = getattr(node, "decorator_list", [])
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    pending: list[ast.AST] = [*statements, *decorators]
    while pending:
        current = pending.pop()
        if isinstance(node, ast.Module) and (isinstance(current, inner) or _makes_kernel(current)):
            continue
        if isinstance(current, ast.Name) and current.id in telling:
            path = scope.resolve(current) or ""
            if path.partition(".")[0] in ("cupy", "cupyx") or path.startswith("gpuport.runtime."):
                return True
        pending.extend(children(current))
    return False


def _makes_kernel(node: ast.AST) -> bool:
    """``name = cp.ElementwiseKernel(...)``: a definition, not code that runs on CuPy."""
    if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call):
        return False
    function = node.value.func
    return isinstance(function, ast.Attribute) and function.attr.endswith("Kernel")


def module_findings(
    project: Project, results: Mapping[int, Analysed], done: dict[int, str]
) -> Iterable[Finding]:
    """What is said of no one function, and of functions that are left alone."""
    module = project.module
    yield from _attributes_on_host(project)
    if ON_CUPY in done.values():
        yield from _meetings(project, results, done)
    yield from _replaced(project)
    for scope in walk_scopes(project.root):
        failure = None if isinstance(scope.node, ast.ClassDef) else project.failure(scope)
        if failure is not None:
            severity = Severity.ERROR if failure.code == INTERNAL_ERROR else Severity.WARNING
            yield Finding(
                failure.code, severity, module.span(scope.node), failure.message,
                scope.name or "<module>", SLUGS[failure.code], help=failure.help,
            )  # fmt: skip
        yield from _hidden(project, scope)
        for statement in scope.import_nodes:
            yield from _other_numpy(module, scope, statement)
        yield from _several_meanings(module, scope)
        why = done.get(id(scope.node))
        if why is not None and not isinstance(scope.node, ast.Module):
            yield Finding(
                "GP910" if why == SUPPRESSED else "GP106", Severity.INFO,
                module.span(scope.node), f"left alone: {why}", scope.name,
            )  # fmt: skip


def _meetings(
    project: Project, results: Mapping[int, Analysed], done: dict[int, str]
) -> Iterable[Finding]:
    """Where code that is on CuPy already would raise: arrays of NumPy's meet CuPy's there."""
    knowledge, scopes = project.knowledge, list(walk_scopes(project.root))

    def makes(path: str) -> bool:
        entry = knowledge.tables.entry(as_numpy(path))
        return entry is not None and entry.kind in ("function", "ufunc")

    def takes_any(path: str) -> bool:
        rule = knowledge.rules.host(as_numpy(path))
        brings = rule is not None and rule.brings
        return brings or as_numpy(path) in knowledge.words.takes_lists

    def known(scope: Scope) -> Known:
        analysed = results.get(id(scope.code))
        uses = {} if analysed is None else analysed.unit.graph.uses
        values = {id(use.expression): use.value for use in uses.values()}
        return Known(
            lambda node: isinstance(values.get(id(node)), Array),
            makes,
            lambda path: dispatches(path) and _is_in_cupy(project, path),
            takes_any,
            _given,
        )

    for scope, one in meetings(scopes, lambda scope: done.get(id(scope.node)) == ON_CUPY, known):
        yield _of_meeting(project.module, scope, one)


def _is_in_cupy(project: Project, path: str) -> bool:
    try:
        return project.knowledge.tables.counterpart(path).target_name is not None
    except KeyError:
        return False


def _given(scope: Scope) -> frozenset[str] | None:
    """The parameters that a boundary takes to the device; None of a function without one."""
    said = decorated(scope)
    return None if said is None else said.arrays or frozenset()


def _of_meeting(module: Module, scope: Scope, one: Meeting) -> Finding:
    text = module.segment(one.node).splitlines()[0]
    host = None if one.host is None else module.segment(one.host)
    device = None if one.device is None else module.segment(one.device)
    if host is None:
        said, help = (
            f"`{device}` is an array of CuPy's, which NumPy does not convert",
            (f"write `cupy.asnumpy({device})`, or call CuPy's function"),
        )
    else:
        said = f"`{host}` is an array of NumPy's, which CuPy does not take"
        help = f"write `cupy.asarray({host})`, or make it with CuPy"
    return Finding(
        "GP409", Severity.WARNING, module.span(one.node),
        f"`{text}` raises TypeError: {said}; code that is on CuPy already is not ported",
        scope.name or "<module>", "mixed-arrays", help=help,
    )  # fmt: skip


def _hidden(project: Project, scope: Scope) -> Iterable[Finding]:
    """Star imports of which it is not seen what they bind, where that may be NumPy's."""
    for node in scope.stars:
        path = star_module(node)
        library = LIBRARIES.get(path.partition(".")[0])
        own = project.outside is not None and project.outside.place(path) is not None
        if library is None and not own:
            continue
        which = f"hides which names are {library.name}'s" if library else "may hide names of NumPy"
        name = "NumPy" if library is None else library.name
        yield Finding(
            "GP104", Severity.WARNING, project.module.span(node),
            f"`from {path} import *` {which}: calls of them are not ported",
            scope.name or "<module>", "unsupported-syntax",
            help=f"import the names of {name} that are used",
        )  # fmt: skip


_MAKERS = frozenset({"__init__", "__post_init__"})


def _attributes_on_host(project: Project) -> Iterable[Finding]:
    """Classes with array work whose attributes could not be followed.

    Of a program that is run this is why what the attributes hold is not known.
    """
    run = project.why_imported is None
    for name, reason in project.opened_classes.items():
        scope = next((c for c in project.root.children if c.name == name), None)
        if scope is not None and _makes_arrays(scope):
            yield Finding(
                reason.code, Severity.WARNING if run else Severity.INFO,
                project.module.span(reason.node),
                f"`{name}`: {reason.message}", name, reason.slug, help=reason.help,
            )  # fmt: skip


def _makes_arrays(scope: Scope) -> bool:
    """Whether the instances of a class are seen to hold arrays."""
    made = not _MAKERS.isdisjoint(scope.functions) and any(map(mentions_arrays, scope.children))
    return made or any(map(holds_array, getattr(scope.node, "body", ())))


def _other_numpy(
    module: Module, scope: Scope, node: ast.Import | ast.ImportFrom
) -> Iterable[Finding]:
    """``import autograd.numpy as np``: the name looks like NumPy and is not."""
    for alias in node.names:
        bound = alias.asname or alias.name
        prefix = f"{node.module}." if isinstance(node, ast.ImportFrom) and node.module else ""
        path = "." * getattr(node, "level", 0) + prefix + alias.name
        led = {path}
        if path not in (ends := scope.imports.get(bound, led)):
            led = ends  # through other modules of the project
        if all(end.partition(".")[0] in (*LIBRARIES, "cupy", "cupyx") for end in led):
            continue
        inner = set() if path.startswith(".") else set(path.split(".")) & set(LIBRARIES)
        if bound in ("np", "numpy", "scipy") or inner:
            library = LIBRARIES[min(inner)] if inner else LIBRARIES.get(bound, LIBRARIES["numpy"])
            yield Finding(
                "GP106", Severity.INFO, module.span(node),
                f"`{bound}` is `{path}`, not {library.name}: its calls are left alone",
                scope.name or "<module>",
            )  # fmt: skip


def _several_meanings(module: Module, scope: Scope) -> Iterable[Finding]:
    """Names that stand for NumPy, but not for NumPy alone: nothing is ported through them."""
    for name, paths in scope.imports.items():
        if any(map(_is_library, paths)) and (len(paths) > 1 or name in scope.bound):
            node = next(n for n in scope.import_nodes if _binds(n, name))
            yield _shadowed(module, scope, node, f"`{name}` is bound to other things as well")
    for name, value in (*scope.choices.items(), *scope.aliases.items()):
        if _is_module(scope, value):
            yield _shadowed(module, scope, value, f"`{name}` stands for NumPy or another module")


def _replaced(project: Project) -> Iterable[Finding]:
    """Functions of libraries that the module replaces, for whoever calls them."""
    for path, node in replacements(project.root):
        yield Finding(
            "GP108", Severity.WARNING, project.module.span(node),
            f"`{path}` is replaced here: what calls it is left alone",
            reason="shadowed-name", help="give what is to be called instead a name of its own",
        )  # fmt: skip


def _is_library(path: str) -> bool:
    """Whether a path is that of a library, or of one of SciPy's parts."""
    return path in _MODULES or (path.startswith("scipy.") and path.count(".") == 1)


_MODULES = frozenset(("numpy", "cupy", "scipy"))
_ASKS = ("get_array_module", "array_namespace")


def _is_module(scope: Scope, value: ast.expr) -> bool:
    if isinstance(value, ast.IfExp):
        return _is_module(scope, value.body) or _is_module(scope, value.orelse)
    if isinstance(value, ast.Call):
        name = value.func.attr if isinstance(value.func, ast.Attribute) else None
        return (name or getattr(value.func, "id", "")) in _ASKS
    return isinstance(value, ast.Name) and scope.resolve(value) in _MODULES


def _binds(node: ast.Import | ast.ImportFrom, name: str) -> bool:
    return any((a.asname or a.name.partition(".")[0]) in (name, "*") for a in node.names)


def _shadowed(module: Module, scope: Scope, node: ast.AST, what: str) -> Finding:
    return Finding(
        "GP108", Severity.WARNING, module.span(node), f"{what}: its calls are left alone",
        scope.name or "<module>", "shadowed-name", help="give it a name of its own",
    )  # fmt: skip


__all__ = ["ON_CUPY", "SUPPRESSED", "left_alone", "module_findings"]

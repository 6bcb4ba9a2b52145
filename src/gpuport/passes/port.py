"""The whole port of one module: analyse, propose, apply. Pure: no files, no user code run."""

from __future__ import annotations

import ast
from collections.abc import Iterable
from dataclasses import dataclass

from gpuport.analysis.graph import Place
from gpuport.analysis.knowledge import knowledge
from gpuport.analysis.project import Analysed, Project
from gpuport.analysis.unit import Unit
from gpuport.config import Config
from gpuport.passes import boundary, imports, swap, transfers
from gpuport.passes.accounting import Ledger, account, numpy_calls
from gpuport.passes.aliases import Aliases, choose
from gpuport.records import FileReport, Finding, Severity
from gpuport.source.edits import Edit, apply_edits
from gpuport.source.module import Module
from gpuport.source.names import Scope, walk_scopes
from gpuport.source.suppression import Suppressions

_SUPPRESSED = "suppressed by a comment"
_ON_CUPY = "on CuPy already"


@dataclass(frozen=True, slots=True)
class Proposal:
    """The edits of one function, and what the module has to import for them."""

    edits: tuple[Edit, ...]
    crossings: tuple[transfers.Transfer, ...]
    boundary: boundary.Boundary | None
    decorated: bool


def port_module(
    module: Module, config: Config, *, suppressions: Suppressions | None = None
) -> FileReport:
    """Port one module.

    Parameters
    ----------
    module : Module
    config : Config
        ``boundary``, ``unsafe``, ``cupy``, ``rules`` and ``disable`` are used.
    suppressions : Suppressions, optional
        What comments in the file exclude.

    Returns
    -------
    FileReport
        ``after`` is None where nothing changes.
    """
    known = knowledge(config.table, config.rules, config.disable, config.unsafe)
    if suppressions is not None and suppressions.skip_file:
        return FileReport(module.path, before=module.text)
    project = Project(module, known)
    if suppressions is not None:
        project.suppressed = suppressions.skipped
    done = _left_alone(project, suppressions)
    results = project.analyse(frozenset(k for k, why in done.items() if why == _SUPPRESSED))
    aliases = choose(project.root)
    ledger = Ledger()
    ledger.findings.extend(_module_findings(project, done))
    edits: list[Edit] = []
    calls = numpy_calls(project)
    wants_decorator = False
    for scope in walk_scopes(project.root):
        analysed = results.get(id(scope.node))
        if analysed is None:
            continue
        if id(scope.node) in done:
            ledger.leave(analysed, calls.get(id(scope.node), []), done[id(scope.node)])
            continue
        proposal = propose(analysed, aliases, config.boundary)
        edits.extend(proposal.edits)
        wants_decorator = wants_decorator or proposal.decorated
        account(
            analysed, calls.get(id(scope.node), []), list(proposal.crossings),
            proposal.boundary if proposal.decorated else None, ledger,
        )  # fmt: skip
    after = _apply(module, project.root, aliases, edits, wants_decorator)
    findings = _filtered(ledger.findings, suppressions)
    return FileReport(
        module.path, findings, tuple(ledger.functions), ledger.calls, module.text, after
    )


def propose(analysed: Analysed, aliases: Aliases, policy: str) -> Proposal:
    """The edits of one function."""
    unit = analysed.unit
    if unit.refusal is not None or not analysed.placement.device:
        return Proposal((), (), None, False)
    crossings = tuple(transfers.transfers(analysed, aliases))
    edits = [*swap.swap(analysed, aliases), *transfers.edits(analysed, aliases)]
    found = boundary.boundary(analysed)
    decorated = found is not None and policy != "none"
    if found is not None and decorated:
        edits.append(boundary.decorator(analysed, found, aliases, policy))
    return Proposal(tuple(edits), crossings, found, decorated)


def _apply(
    module: Module, root: Scope, aliases: Aliases, edits: list[Edit], decorated: bool
) -> str | None:
    if not edits:
        return None
    uses_cupy = any(f"{aliases.cupy}." in p or p == aliases.cupy
                    for e in edits for p in e.parts if isinstance(p, str))  # fmt: skip
    extra = {
        p.rpartition(".")[0] for e in edits for p in e.parts
        if isinstance(p, str) and p.startswith("cupyx.")
    }  # fmt: skip
    everything = [
        *edits,
        *imports.removed(module, root, edits),
        *imports.added(module, aliases, cupy=uses_cupy, device=decorated, extra=extra),
    ]
    return apply_edits(module.text, everything)


def _left_alone(project: Project, suppressions: Suppressions | None) -> dict[int, str]:
    """Functions that are suppressed, or run on CuPy already; the reason by node id."""
    done: dict[int, str] = {}
    names = set(project.root.imports)
    ported = any(
        path.partition(".")[0] in ("cupy", "cupyx") or path.startswith("gpuport.runtime")
        for scope in walk_scopes(project.root) for paths in scope.imports.values()
        for path in paths
    )  # fmt: skip
    for scope in walk_scopes(project.root):
        node = scope.node
        if isinstance(node, (ast.Lambda, ast.ClassDef)):
            continue
        line = getattr(node, "lineno", 0)
        if suppressions is not None and line and suppressions.skipped(line):
            done[id(node)] = _SUPPRESSED
        elif ported and names and _on_cupy(scope):
            done[id(node)] = _ON_CUPY
    return done


def _on_cupy(scope: Scope) -> bool:
    """Whether code mentions CuPy itself (inner functions included)."""
    node = scope.node
    statements = getattr(node, "body", [])
    decorators = getattr(node, "decorator_list", [])
    inner = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
    pending: list[ast.AST] = [*statements, *decorators]
    while pending:
        current = pending.pop()
        if isinstance(current, inner) and isinstance(node, ast.Module):
            continue
        if isinstance(current, ast.Name):
            path = scope.resolve(current) or ""
            if path.partition(".")[0] in ("cupy", "cupyx") or path == "gpuport.runtime.device":
                return True
        pending.extend(ast.iter_child_nodes(current))
    return False


def _module_findings(project: Project, done: dict[int, str]) -> Iterable[Finding]:
    module = project.module
    for scope in walk_scopes(project.root):
        for node in scope.stars:
            if (node.module or "").partition(".")[0] == "numpy":
                yield Finding(
                    "GP104", Severity.WARNING, module.span(node),
                    f"`from {node.module} import *` hides which names are NumPy's: calls of them "
                    "are not ported",
                    scope.name or "<module>", "unsupported-syntax",
                    help="import numpy as np",
                )  # fmt: skip
        for statement in scope.import_nodes:
            yield from _other_numpy(module, scope, statement)
        why = done.get(id(scope.node))
        if why is not None and not isinstance(scope.node, ast.Module):
            yield Finding(
                "GP910" if why == _SUPPRESSED else "GP106", Severity.INFO,
                module.span(scope.node), f"left alone: {why}", scope.name,
            )  # fmt: skip


def _other_numpy(
    module: Module, scope: Scope, node: ast.Import | ast.ImportFrom
) -> Iterable[Finding]:
    """``import autograd.numpy as np``: the name looks like NumPy and is not."""
    for alias in node.names:
        bound = alias.asname or alias.name
        prefix = f"{node.module}." if isinstance(node, ast.ImportFrom) and node.module else ""
        path = prefix + alias.name
        if bound in ("np", "numpy") and path.partition(".")[0] not in ("numpy", "cupy"):
            yield Finding(
                "GP106", Severity.INFO, module.span(node),
                f"`{bound}` is `{path}`, not NumPy: its calls are left alone",
                scope.name or "<module>",
            )  # fmt: skip


def _filtered(
    findings: Iterable[Finding], suppressions: Suppressions | None
) -> tuple[Finding, ...]:
    """Findings in source order, without repetitions and without those that are suppressed."""
    seen: dict[tuple[object, ...], Finding] = {}
    for found in findings:
        if suppressions is not None and suppressions.ignored(found.code, found.span.line):
            continue
        seen.setdefault((found.code, found.span, found.message), found)
    return tuple(sorted(seen.values(), key=lambda f: (f.span.line, f.span.column, f.code)))


__all__ = ["Place", "Unit", "port_module", "propose"]

"""What is known at a line of a module, and why: the passes of a port, watched."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from gpuport.analysis.explanation.explain import Explainer
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.project.callgraph import Project
from gpuport.config import Config
from gpuport.emit.aliases import Aliases
from gpuport.emit.itemloops import Functions
from gpuport.passes.onepass import propose
from gpuport.passes.port import port_module
from gpuport.records import KnownValue, LineReport
from gpuport.source.layout import Files
from gpuport.source.module import Module
from gpuport.source.names import Scope, walk_scopes
from gpuport.source.scoping import build_scopes
from gpuport.source.suppression import Suppressions


@dataclass(slots=True)
class _Watcher:
    """Keeps what is to say of a line; what the last pass says of its function counts."""

    line: int
    function: str
    config: Config
    values: tuple[KnownValue, ...] = ()
    reason: str | None = None
    done: bool = False

    def __call__(
        self,
        project: Project,
        results: dict[int, Analysed],
        aliases: Aliases,
        left: dict[int, str],
    ) -> None:
        for node, analysed in results.items():
            if analysed.unit.name != self.function or self.done:
                continue
            inside = (one for one in results.values() if self._is_lambda_here(one))
            proposal = (
                propose(analysed, aliases, self.config, Functions()) if node not in left else None
            )
            crossings = proposal.crossings if proposal is not None else ()
            ends = {id(t.use.expression): t.direction for t in crossings}
            self.values = tuple(Explainer(analysed, ends).line(self.line))
            for one in inside:
                self.values += tuple(Explainer(one, {}).line(self.line))
            refusal = analysed.unit.refusal
            self.reason = f"left alone: {left[node]}" if node in left else None
            if refusal is not None:
                self.reason = f"{refusal.message} (line {project.module.line(refusal.node)})"
            # What became of a function tells nothing new of what it was.
            settled = analysed.unit.objects is not None and bool(analysed.placement.device)
            self.done = proposal is not None and (settled or bool(proposal.edits))

    def _is_lambda_here(self, analysed: Analysed) -> bool:
        """Whether this is a lambda of the function that was followed."""
        return analysed.unit.name == f"{self.function}.<lambda>"


def explain_line(
    module: Module,
    config: Config,
    line: int,
    suppressions: Suppressions | None = None,
    files: Files | None = None,
) -> LineReport:
    """What a port of the module knows at a line.

    Parameters
    ----------
    module : Module
    config : Config
        As for `gpuport.passes.port.port_module`.
    line : int
        1-based.
    suppressions : Suppressions, optional
    files : Files, optional

    Returns
    -------
    LineReport
        Its values are in the order in which Python evaluates them.
    """
    function = _function_at(build_scopes(module.tree), line)
    if suppressions is not None and suppressions.skip_file:
        return LineReport(module.path, line, function, reason="the file is skipped by a comment")
    watcher = _Watcher(line, function, config)
    port_module(module, config, suppressions=suppressions, watch=watcher, files=files)
    reason = watcher.reason
    if not watcher.values and reason is None:
        reason = _nothing_there(module, line, function)
    return LineReport(module.path, line, function, watcher.values, reason)


def _function_at(root: Scope, line: int) -> str:
    """The innermost function (lambdas belong to what they stand in) that holds a line."""
    best, name = 0, "<module>"
    for scope in walk_scopes(root):
        node = scope.node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        if best <= node.lineno <= line <= (node.end_lineno or node.lineno):
            best, name = node.lineno, scope.name
    return name


def _nothing_there(module: Module, line: int, function: str) -> str:
    if line > len(module.line_starts):
        return f"the file has {len(module.line_starts)} lines"
    if not module.line_text(line).strip():
        return "the line is empty"
    for node in ast.walk(module.tree):
        if isinstance(node, ast.expr) and module.line(node) == line:
            if function == "<module>":
                return "nothing on this line is an expression that is looked at"
            return f"`{function}` is not looked into: nothing in it speaks of arrays"
    return "no expression begins on this line"


__all__ = ["explain_line"]

"""Arrays of a module that nothing in its text changes, so that a copy stays equal to them.

Told by where the name stands: a place that could write to the array, keep it or hand it on counts
as one that does.
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.analysis.project.mentions import innermost
from gpuport.rules.numpynames import as_numpy, positional_name
from gpuport.source.constantrows import WORDS, counters_of, reads_numbers, written_axes
from gpuport.source.syntax import children

if TYPE_CHECKING:
    from gpuport.analysis.project.callgraph import Project
    from gpuport.source.names import Scope

_MEASURES = ("size", "shape", "ndim", "dtype")
_PARTS = ("T", "real", "imag")
_TABLES = frozenset({"globals", "vars", "eval", "exec"})
"""What reaches names by texts."""

_CALCULATES = (ast.BinOp, ast.Compare, ast.UnaryOp, ast.BoolOp)


def is_read_only(project: Project, name: str) -> bool:
    """Whether a name of a module is bound once, at its top, and nothing changes what it holds."""
    memory = project.remembered.read_only
    if name not in memory:
        memory[name] = _ReadOnly(project, name).holds()
    return memory[name]


class _ReadOnly:
    def __init__(self, project: Project, name: str) -> None:
        self.project, self.name = project, name
        self.nodes = [node for node in project.module.kinds[ast.Name] if node.id == name]
        self.scopes: dict[int, Scope] = {}
        self.above: dict[int, ast.AST] = {}

    def holds(self) -> bool:
        project, root = self.project, self.project.root
        if root.bound.get(self.name) != 1 or self.name in root.imports:
            return False
        if not _TABLES.isdisjoint(project.module.names):
            return False
        if project.program.is_joint and self._is_named_elsewhere():
            return False
        stored = [node for node in self.nodes if not isinstance(node.ctx, ast.Load)]
        scopes = innermost(root, [id(node) for node in self.nodes])
        if any(scopes.get(id(node)) is not root for node in stored):
            return False
        self.scopes = scopes
        tree = project.module.tree
        self.above = {id(one): node for node in ast.walk(tree) for one in children(node)}
        bound = (self.above[id(node)] for node in stored)
        values = [one.value for one in bound if isinstance(one, ast.Assign)]
        names = project.module.kinds[ast.Name]
        others = {one.id for one in names if not isinstance(one.ctx, ast.Load)}
        plain = WORDS.isdisjoint(others | project.module.parameters | root.bound.keys())
        axes = written_axes(values[0], root.resolve) if values and plain else None
        counters = counters_of(names, self.above, root.resolve)
        return all(
            self._only_reads(node, scopes[id(node)])
            or (axes is not None and reads_numbers(node, axes, self.above, root.resolve, counters))
            for node in self.nodes if isinstance(node.ctx, ast.Load)
        )  # fmt: skip

    def _is_named_elsewhere(self) -> bool:
        following = self.project.program.following
        mentions = following.mentions if following is not None else None
        return mentions is None or (id(self.project.root), self.name) in mentions.elsewhere

    def _only_reads(self, node: ast.expr, scope: Scope) -> bool:
        above = self.above[id(node)]
        if isinstance(above, ast.Subscript):
            inside = above.slice is node
            return inside or (isinstance(above.ctx, ast.Load) and self._only_reads(above, scope))
        if isinstance(above, ast.Attribute):
            return self._of_attribute(above, scope)
        if isinstance(above, ast.keyword):
            call = self.above[id(above)]
            return isinstance(call, ast.Call) and self._takes(call, scope, above.arg)
        if isinstance(above, ast.Call):
            at = next((k for k, one in enumerate(above.args) if one is node), None)
            return at is not None and self._takes(above, scope, at)
        return (isinstance(above, ast.AugAssign) and above.value is node) or isinstance(
            above, _CALCULATES
        )

    def _of_attribute(self, node: ast.Attribute, scope: Scope) -> bool:
        if not isinstance(node.ctx, ast.Load):
            return False
        if node.attr in _PARTS:
            return self._only_reads(node, scope)
        above = self.above[id(node)]
        if isinstance(above, ast.Call) and above.func is node:
            return self._makes_anew(f"numpy.ndarray.{node.attr}", "self")
        return node.attr in _MEASURES

    def _takes(self, call: ast.Call, scope: Scope, at: int | str | None) -> bool:
        """Whether a call of NumPy's takes an argument only to make something new of it."""
        path = as_numpy(scope.resolve(call.func) or "")
        if path == "builtins.len":
            return True
        entry = self.project.knowledge.tables.entry(path)
        if entry is None or not path.startswith("numpy."):
            return False
        if isinstance(at, int):
            if any(isinstance(one, ast.Starred) for one in call.args):
                return False
            if entry.kind == "ufunc":
                return entry.nin is not None and at < entry.nin
            at = positional_name(entry.parameters, at) if entry.parameters else None
        return at not in (None, "out") and self._makes_anew(path, str(at))

    def _makes_anew(self, path: str, parameter: str) -> bool:
        known = self.project.knowledge
        effect = known.rules.effect(path)
        if effect is None or known.tables.entry(path) is None:
            return False
        return not (effect.view or parameter in effect.mutates)


__all__ = ["is_read_only"]

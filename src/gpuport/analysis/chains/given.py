"""Operands that other launches compute before a kernel begins: ``x - np.mean(x)``, ``A @ u - u``.

They are arguments of the kernel's call, so that they are computed before all that the kernel does.
What they read must not depend on the chain, and what they call must change nothing that the
operations before them read.
"""

from __future__ import annotations

import ast

from gpuport.analysis.chains.elementwise import Unfit
from gpuport.analysis.chains.runs import Leaf, Run
from gpuport.analysis.interpretation.rehearsal import Rehearsal
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import is_arraylike
from gpuport.source.numbers import spoken_call
from gpuport.source.syntax import walk

_LATER = (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom, ast.Lambda, ast.GeneratorExp,
          ast.ListComp, ast.SetComp, ast.DictComp, ast.Starred)  # fmt: skip
"""What binds names, or is evaluated at another time than where it stands."""
_FEW = 1
"""Elementwise operations inside an operand; with more, it has something to fuse itself."""


def given(rehearsal: Rehearsal, run: Run, node: ast.expr, text: str) -> Leaf:
    """The leaf of an operand, known by its text, that is an argument of the kernel's call.

    Raises
    ------
    Unfit
        Where it cannot be computed before the kernel, or nothing shows that it can.
    """
    value = rehearsal.value(node)
    if value is None or not is_arraylike(value) or not rehearsal.from_device(node):
        raise Unfit(f"`{rehearsal.unit.module.segment(node)}` is no array of the device")
    parts = list(walk(node))
    names = {part.id for part in parts if isinstance(part, ast.Name)}
    if run.written or names & run.bound.keys() or any(isinstance(p, _LATER) for p in parts):
        raise Unfit
    if sum(rehearsal.launches(part) for part in parts if isinstance(part, ast.expr)) > _FEW:
        raise Unfit
    called = rehearsal.unit.graph.called  # properties too
    known = all(
        _only_computes(rehearsal, part) if isinstance(part, ast.Call) else id(part) not in called
        for part in parts
    )
    if not known and (text in run.leaves or not _is_first(rehearsal.unit, run)):
        said = rehearsal.unit.module.segment(node)
        raise Unfit(f"`{said}` is called between them, which may change what they read")
    if text not in run.leaves:
        resolve = rehearsal.unit.scope.resolve
        word = spoken_call(node, lambda head: resolve(head) is not None)
        run.leaves[text] = Leaf(run.fresh(word), word, node, "", value, True)
    return run.leaves[text]


def _only_computes(rehearsal: Rehearsal, call: ast.Call) -> bool:
    """Whether a call is one of NumPy's that makes something of its arguments, and no more."""
    unit, path = rehearsal.unit, rehearsal.path(call)
    elsewhere = any(keyword.arg in ("out", None) for keyword in call.keywords)
    if elsewhere or rehearsal.operation(call) is None:
        return False
    if not path and isinstance(call.func, ast.Attribute):
        path = f"numpy.ndarray.{call.func.attr}"
    effect = unit.knowledge.rules.effect(path)
    return effect is None or set(effect.mutates) <= {"out"}


def _is_first(unit: Unit, run: Run) -> bool:
    """Whether nothing has been computed before, nor read but names that no call can rebind."""
    read = (_is_its_own(unit, leaf.expression) for leaf in run.leaves.values())
    return not (run.body or run.covered or run.mentioned) and all(read)


def _is_its_own(unit: Unit, node: ast.expr) -> bool:
    if not isinstance(node, ast.Name):
        return False
    root, inner = unit.project.root, unit.scope.children
    if unit.scope.owner(node.id) is unit.scope is not root:
        return not any(node.id in scope.outside for scope in inner)
    return root.bound.get(node.id) == 1


__all__ = ["given"]

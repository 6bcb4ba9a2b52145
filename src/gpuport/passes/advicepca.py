"""Advice on the few largest of many singular values, and on principal components.

Nothing of it is done: the values agree up to rounding that the other way squares, or up to the
error of a sample.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.analysis.interpretation.unit import Unit
from gpuport.rules.stacking import stacking
from gpuport.source.syntax import walk

Advice = tuple[str, str, ast.AST]
"""Code of the finding, its message, and where."""


def principal_components(unit: Unit, node: ast.Call, kinds: frozenset[str]) -> Iterator[Advice]:
    """``eigh(np.cov(x.T))``, ``svd(x - x.mean(axis=0))``: by samples or by features?"""
    if not node.args:
        return
    given = meaning(unit, node.args[0])
    if "components" in kinds and _is_covariance(unit, given):
        text = " ".join(unit.module.segment(node).split())[:60]
        yield (
            "GP323",
            f"where there are many more features than samples, the Gram matrix of the samples is "
            f"smaller than what `{text}` decomposes and has the same eigenvalues beside zeros",
            node,
        )
    elif "centred" in kinds and (_is_centred(unit, given) or _centred_in_place(unit, node.args[0])):
        text = " ".join(unit.module.segment(node).split())[:60]
        yield (
            "GP323",
            f"where there are many more features than samples, the eigenvalues of the samples' "
            f"Gram matrix are the squares of what `{text}` finds, for a fraction of the work",
            node,
        )


def few_values(unit: Unit, node: ast.Call) -> Iterator[Advice]:
    """``svds(a, k)`` of what is no sparse matrix."""
    given = meaning(unit, node.args[0]) if node.args else None
    if given is None or _may_be_sparse(unit, given):
        return
    text = " ".join(unit.module.segment(node).split())[:60]
    yield (
        "GP324",
        f"of a dense matrix, `batched.svds` of the runtime finds what `{text}` does with products "
        "of matrices alone, checked by residuals; `--unsafe` writes it: signs may differ",
        node,
    )


def meaning(unit: Unit, node: ast.expr) -> ast.expr:
    """What a name stands for to which one value is assigned before; anything else as it is.

    A parameter that is bound anew once counts as such: ``x = x - x.mean(axis=0)``.
    """
    if not isinstance(node, ast.Name):
        return node
    nodes = unit.module.nodes
    named = nodes.below(unit.node, ast.Name)
    given = [part for part in named if part.id == node.id and isinstance(part.ctx, ast.Store)]
    found = [
        part.value for part in nodes.below(unit.node, ast.Assign)
        if len(part.targets) == 1 and part.targets[0] in given
    ]  # fmt: skip
    once = len(given) == len(found) == 1 and found[0].lineno <= node.lineno
    return found[0] if once else node


def _is_covariance(unit: Unit, node: ast.expr) -> bool:
    """``np.cov(x)``, ``c.T @ c / n`` of centred data; of two series it is small."""
    if isinstance(node, ast.Call) and unit.scope.resolve(node.func) in _PRODUCTS:
        return len(node.args) == 2 and _is_gram(unit, *node.args)
    if isinstance(node, ast.Call):
        of_one = len(node.args) == 1 and not any(k.arg == "y" for k in node.keywords)
        return of_one and _is_kind(unit, node, "covariance")
    if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.Mult)):
        return any(_is_covariance(unit, part) for part in (node.left, node.right))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
        return _is_gram(unit, node.left, node.right)
    return False


def _is_gram(unit: Unit, left: ast.expr, right: ast.expr) -> bool:
    """Whether a product is ``c.T @ c`` of centred data."""
    if not isinstance(left, ast.Attribute) or left.attr != "T":
        return False
    same = ast.dump(left.value) == ast.dump(right)
    return same and (_is_centred(unit, meaning(unit, right)) or _centred_in_place(unit, right))


def _centred_in_place(unit: Unit, node: ast.expr) -> bool:
    """``x -= x.mean(axis=0)`` before."""
    return isinstance(node, ast.Name) and any(
        isinstance(part, ast.AugAssign)
        and isinstance(part.op, ast.Sub)
        and isinstance(part.target, ast.Name)
        and part.target.id == node.id
        and part.lineno <= node.lineno
        and _is_mean_of(unit, part.value, ast.Name(node.id, ast.Load()))
        for part in walk(unit.node)
    )


def _is_centred(unit: Unit, node: ast.expr) -> bool:
    """``x - x.mean(axis=0)``."""
    if not isinstance(node, ast.BinOp) or not isinstance(node.op, ast.Sub):
        return False
    return _is_mean_of(unit, meaning(unit, node.right), node.left)


_PRODUCTS = frozenset({"numpy.dot", "numpy.matmul"})


def _is_mean_of(unit: Unit, mean: ast.expr, data: ast.expr) -> bool:
    """``data.mean(axis=0)``, ``np.mean(data, axis=0)``."""
    if not isinstance(mean, ast.Call):
        return False
    if _is_kind(unit, mean, "mean"):
        of, rest = mean.args[:1], mean.args[1:]
    elif isinstance(mean.func, ast.Attribute) and mean.func.attr == "mean":
        of, rest = [mean.func.value], mean.args
    else:
        return False
    axes = [*rest, *(k.value for k in mean.keywords if k.arg == "axis")]
    first = len(axes) >= 1 and isinstance(axes[0], ast.Constant) and axes[0].value == 0
    return first and [ast.dump(one) for one in of] == [ast.dump(data)]


def _is_kind(unit: Unit, call: ast.Call, kind: str) -> bool:
    """Whether the rules on advice say this of a function."""
    path = unit.scope.resolve(call.func)
    return path is not None and kind in stacking().advice.get(path, frozenset())


def _may_be_sparse(unit: Unit, node: ast.expr) -> bool:
    """Whether a value was made by a function of sparse matrices, or by one nobody knows."""
    for part in walk(node):
        if isinstance(part, ast.Call):
            path = unit.scope.resolve(part.func)
            if path is None and getattr(part.func, "attr", "") in stacking().reductions:
                continue  # `x - x.mean(axis=0)` is dense, whatever `x` is
            if path is None or not path.startswith("numpy."):
                return True
        elif isinstance(part, ast.Name) and part is not node:
            made = meaning(unit, part)
            if made is not part and _may_be_sparse(unit, made):
                return True
    return False

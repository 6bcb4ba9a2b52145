"""What a function puts in the place of a parameter that was left out."""

from __future__ import annotations

import ast


def stand_in(node: ast.If | ast.IfExp) -> tuple[str, ast.expr | None]:
    """The name that a condition compares with None, and what stands for it where it is None.

    ``np.ones_like(x) if w is None else w`` and ``if w is None: w = np.ones_like(x)``, also turned
    around. The name is empty where the condition is another, or nothing is put in its place.
    """
    name, given = _asked_for_none(node.test)
    if not name:
        return "", None
    if isinstance(node, ast.IfExp):
        kept, instead = (node.body, node.orelse) if given else (node.orelse, node.body)
        stays = isinstance(kept, ast.Name) and kept.id == name
        return (name, instead) if stays else ("", None)
    for statement in node.orelse if given else node.body:
        if isinstance(statement, ast.Assign) and any(
            isinstance(target, ast.Name) and target.id == name for target in statement.targets
        ):
            return name, statement.value
    return "", None


def _asked_for_none(test: ast.expr) -> tuple[str, bool]:
    """The name in ``w is None`` or ``w is not None``, and whether it is the latter."""
    if not isinstance(test, ast.Compare) or not isinstance(test.left, ast.Name):
        return "", False
    operator, other = test.ops[0], test.comparators[0]
    if not isinstance(operator, (ast.Is, ast.IsNot)):
        return "", False
    if not isinstance(other, ast.Constant) or other.value is not None:
        return "", False
    return test.left.id, isinstance(operator, ast.IsNot)


__all__ = ["stand_in"]

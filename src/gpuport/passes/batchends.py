"""What leaves a loop over matrices: a value of each item, which may come as a stack."""

from __future__ import annotations

import ast
from collections.abc import Collection

from gpuport.batch.extremes import Resolve, extreme_of
from gpuport.batch.records import Loop, element
from gpuport.batch.sums import added
from gpuport.emit.transfers import Transfer
from gpuport.source.syntax import walk


def ends_of(node: Loop, resolve: Resolve, dicts: Collection[str] = ()) -> set[int]:
    """Ids of expressions of which a value for each item leaves the loop.

    Parameters
    ----------
    node : Loop
    resolve : callable
        What a name stands for.
    dicts : collection of str
        Names that stand for dicts: what is put into them leaves.
    """
    values = [] if isinstance(node, (ast.stmt, ast.Call)) else [element(node)]
    for statement in walk(node) if isinstance(node, (ast.For, ast.While)) else ():
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
            owner = target.value if isinstance(target, ast.Subscript) else None
            if isinstance(owner, ast.Name) and owner.id in dicts:
                values.append(statement.value)
            elif added(statement)[0]:
                values.append(added(statement)[1])
            elif extreme_of(statement, resolve)[0]:
                values.append(extreme_of(statement, resolve)[1])
        elif isinstance(statement, ast.AugAssign):
            values.append(statement.value)
        elif isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            values += statement.value.args[:1]
    values += [part for value in values if isinstance(value, ast.Tuple) for part in value.elts]
    return {id(value) for value in values}


def _scales(node: ast.AST, found: ast.expr) -> bool:
    """Whether an expression does nothing with a number but arithmetic with others that are
    written out: ``norm(x) ** 2``."""
    if isinstance(node, ast.UnaryOp):
        return node.operand is found or _scales(node.operand, found)
    if not isinstance(node, ast.BinOp):
        return False
    pairs = [(node.left, node.right), (node.right, node.left)]
    if isinstance(node.op, ast.Pow):  # of whole numbers a negative power is an error
        pairs = pairs[:1]
    elif not isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)):
        return False  # CuPy's remainders are others than those of numbers
    return any(
        isinstance(other, ast.Constant) and (one is found or _scales(one, found))
        for one, other in pairs
    )


def leaves(node: Loop, ends: Collection[int], crossing: Transfer) -> list[int]:
    """Ids of the ends where what crosses leaves the loop; none where it is read elsewhere too."""
    found = crossing.use.expression
    if crossing.direction != "d2h" or not crossing.before.endswith(".asnumpy("):
        return []
    if crossing.use.after is None and crossing.use.before is None:
        if id(found) in ends:
            return [id(found)]
        return [id(one) for one in walk(node) if id(one) in ends and _scales(one, found)]
    if crossing.use.before is not None or not isinstance(found, ast.Name):
        return []
    if not isinstance(node, ast.For) or crossing.use.after not in node.body:
        return []
    uses = [part for part in walk(node) if isinstance(part, ast.Name) and part.id == found.id]
    read = [id(part) for part in uses if isinstance(part.ctx, ast.Load)]
    once = len(uses) == len(read) + 1
    return read if once and all(part in ends for part in read) else []

"""Expressions of a loop's body in plain form: flat subscripts, nothing that is not understood."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from gpuport.loops.context.purity import check_library
from gpuport.loops.facts import Fact
from gpuport.loops.heads.literals import spelled_out
from gpuport.loops.names import CONJUGATE, constant_int, dotted, is_shape, subscript_indices
from gpuport.loops.reasons import SIDE_EFFECT, UNKNOWN_TYPE, UNSUPPORTED, Refused

_WORDS = {
    ast.Lambda: "a `lambda`",
    ast.ListComp: "a list comprehension",
    ast.SetComp: "a set comprehension",
    ast.DictComp: "a dict comprehension",
    ast.GeneratorExp: "a generator expression",
    ast.NamedExpr: "an assignment expression (`:=`)",
    ast.JoinedStr: "an f-string",
    ast.List: "a list",
    ast.Dict: "a dict",
    ast.Set: "a set",
    ast.Starred: "an unpacking `*`",
}
_UNDERSTOOD = (
    ast.BinOp,
    ast.UnaryOp,
    ast.BoolOp,
    ast.Compare,
    ast.IfExp,
    ast.Call,
    ast.Name,
    ast.Constant,
    ast.Attribute,
    ast.Subscript,
    ast.Tuple,
)


class Plain(ast.NodeTransformer):
    """Checks expressions and puts their subscripts into one pair of brackets.

    Parameters
    ----------
    rows : mapping of str to (expr, expr)
        Names that stand for a row of an array: ``row[j]`` becomes ``x[i, j]``.
    facts : mapping of str to Fact
    """

    def __init__(
        self,
        rows: Mapping[str, tuple[ast.expr, tuple[ast.expr, ...]]],
        facts: Mapping[str, Fact],
    ) -> None:
        self.rows = rows
        self.facts = facts

    def visit(self, node: ast.AST) -> ast.AST:
        """Refuse what is not understood, rewrite the rest."""
        if isinstance(node, ast.Yield | ast.YieldFrom | ast.Await):
            raise Refused(
                SIDE_EFFECT,
                node,
                "`yield` in the loop: a generator hands values out one at a time, in order",
            )
        if isinstance(node, ast.expr) and not isinstance(node, _UNDERSTOOD):
            what = _WORDS.get(type(node), f"`{ast.unparse(node)}`")
            message = f"{what} in the loop is not turned into a kernel yet"
            if isinstance(node, ast.List):
                message += (
                    "; a part of an array would be, `np.median(x[i - 1:i + 2])` or "
                    "`np.sort(x[i - 1:i + 2])[1]`"
                )
            raise Refused(UNSUPPORTED, node, message)
        found: ast.AST = super().visit(node)
        return found

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """``x[i][j]`` is ``x[i, j]``; a row's own indices come after the array's."""
        if is_shape(node.value):
            return self._shape(node)
        for index in subscript_indices(node):
            # `...`, `None` and np.newaxis leave or make axes, as a slice does.
            axes = isinstance(index, ast.Constant) and index.value in (None, ...)
            axes = axes or (isinstance(index, ast.Attribute) and index.attr == "newaxis")
            if axes or isinstance(index, ast.Slice):
                raise Refused(
                    UNSUPPORTED,
                    node,
                    f"`{ast.unparse(node)}` is a part of an array, not one element: what the loop "
                    "does with it is left to array operations",
                )
        if not (isinstance(node.value, ast.Name) and node.value.id in self.rows):
            node.value = self._expression(node.value)
        node.slice = self._expression(node.slice)
        base, indices = node.value, subscript_indices(node)
        while isinstance(base, ast.Subscript) and not is_shape(base.value):
            indices = subscript_indices(base) + indices
            base = base.value
        if isinstance(base, ast.Name) and base.id in self.rows:
            base, first = self.rows[base.id]
            indices = [*first, *indices]
        if dotted(base) is None:
            raise Refused(
                UNSUPPORTED, node, f"`{ast.unparse(node)}`: subscript of an unnamed value"
            )
        index = indices[0] if len(indices) == 1 else ast.Tuple(indices, ast.Load())
        flat = ast.Subscript(base, index, node.ctx)
        return ast.fix_missing_locations(ast.copy_location(flat, node))

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """A row that no form has replaced is not one number."""
        if node.id in self.rows and isinstance(node.ctx, ast.Load):
            raise Refused(
                UNSUPPORTED,
                node,
                f"`{node.id}` is used as a whole in the loop, not element by element",
            )
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        """Numbers alone have a form in a kernel."""
        if not isinstance(node.value, bool | int | float | complex):
            kind = "a string" if isinstance(node.value, str | bytes) else f"`{node.value}`"
            raise Refused(UNKNOWN_TYPE, node, f"{kind} in the loop has no form in a kernel")
        return node

    def _shape(self, node: ast.Subscript) -> ast.AST:
        shape = node.value
        axis = constant_int(node.slice) if not isinstance(node.slice, ast.Slice) else None
        if axis is None or not isinstance(shape, ast.Attribute) or dotted(shape.value) is None:
            raise Refused(UNSUPPORTED, node, f"`{ast.unparse(node)}` is not understood")
        owner = shape.value
        if isinstance(owner, ast.Name) and owner.id in self.rows:
            array, first = self.rows[owner.id]
            moved = ast.Attribute(array, "shape", ast.Load())
            whole = ast.Subscript(moved, ast.Constant(axis + len(first)), ast.Load())
            return ast.fix_missing_locations(ast.copy_location(whole, node))
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """``len(row)`` is the array's extent, ``z.conjugate()`` a function of ``z``.

        ``float("inf")`` is a number.
        """
        number = spelled_out(node, self.facts)
        if number is not None:
            return ast.copy_location(ast.Constant(number), node)
        check_library(node, self.facts)
        method = node.func
        if (
            isinstance(method, ast.Attribute)
            and method.attr in ("conj", "conjugate")
            and not (node.args or node.keywords)
        ):
            node.args = [method.value]
            node.func = ast.copy_location(ast.Name(CONJUGATE, ast.Load()), method)
        argument = node.args[0] if len(node.args) == 1 else None
        if (
            isinstance(node.func, ast.Name)
            and node.func.id == "len"
            and isinstance(argument, ast.Name)
            and argument.id in self.rows
        ):
            shape = ast.Attribute(argument, "shape", ast.Load())
            extent = ast.Subscript(shape, ast.Constant(0), ast.Load())
            return self._shape(ast.copy_location(extent, node))
        node.args = [self._expression(item) for item in node.args]
        for keyword in node.keywords:
            keyword.value = self._expression(keyword.value)
        return node

    def _expression(self, node: ast.expr) -> ast.expr:
        found = self.visit(node)
        assert isinstance(found, ast.expr)
        return found

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        """``b in (1, 2)`` is ``b == 1 or b == 2``."""
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn):
            node.comparators = [_as_tuple(node.comparators[0])]
        self.generic_visit(node)
        for operator, right in zip(node.ops, node.comparators, strict=True):
            if isinstance(operator, ast.In | ast.NotIn) and len(node.ops) == 1:
                return self._membership(node, operator, right)
            if isinstance(operator, ast.Is | ast.IsNot | ast.In | ast.NotIn):
                raise Refused(UNSUPPORTED, node, f"`{ast.unparse(node)}` has no form in a kernel")
        return node

    def _membership(self, node: ast.Compare, operator: ast.cmpop, right: ast.expr) -> ast.AST:
        if not isinstance(right, ast.Tuple) or not right.elts or not _is_repeatable(node.left):
            raise Refused(UNSUPPORTED, node, f"`{ast.unparse(node)}` has no form in a kernel")
        inside = isinstance(operator, ast.In)
        one = ast.Eq() if inside else ast.NotEq()
        parts: list[ast.expr] = [ast.Compare(node.left, [one], [item]) for item in right.elts]
        if len(parts) == 1:
            return ast.fix_missing_locations(ast.copy_location(parts[0], node))
        either = ast.BoolOp(ast.Or() if inside else ast.And(), parts)
        return ast.fix_missing_locations(ast.copy_location(either, node))


_REPEATABLE = (
    ast.Constant, ast.Name, ast.Attribute, ast.Subscript, ast.Tuple, ast.BinOp, ast.UnaryOp,
    ast.operator, ast.unaryop, ast.expr_context,
)  # fmt: skip
_LARGEST = 24
"""Parts of an expression that may be written once for each item that it is compared with."""
_HASHED = 2048
"""Up to this, whole numbers are numbers of all types, and equal ones have equal hashes."""


def _as_tuple(node: ast.expr) -> ast.expr:
    """What holds the items of a list or a set; a set of other numbers as it is.

    A set asks for equal hashes: those of float32(0.1) and 0.1, which are equal, differ.
    """
    listed = isinstance(node, ast.List)
    if listed or (isinstance(node, ast.Set) and all(map(_is_small, node.elts))):
        return ast.copy_location(ast.Tuple(node.elts, ast.Load()), node)  # type: ignore[attr-defined]
    return node


def _is_repeatable(node: ast.expr) -> bool:
    parts = list(ast.walk(node))
    return len(parts) <= _LARGEST and all(isinstance(part, _REPEATABLE) for part in parts)


def _is_small(node: ast.expr) -> bool:
    value = constant_int(node)
    return value is not None and abs(value) <= _HASHED

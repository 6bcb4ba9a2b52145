"""Small arrays of an iteration's own, written out as one number for each element."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import TYPE_CHECKING

from gpuport.loops.facts import ArrayFact
from gpuport.loops.heads.heads import parse
from gpuport.loops.heads.literals import worked_out
from gpuport.loops.names import (
    Expr,
    called_with,
    dotted,
    function_path,
    loaded,
    mentions,
    subscript_indices,
)
from gpuport.loops.parts.parts import Extent, Part, computed_with
from gpuport.loops.parts.products import Product, product
from gpuport.loops.private.arrays import (
    Private,
    by_element,
    is_copy,
    made_of,
    whole_names,
    with_privates,
)
from gpuport.loops.private.own_products import NotWritable, OwnProducts
from gpuport.rules.loopfunctions import vector_functions
from gpuport.source import syntax

if TYPE_CHECKING:
    from gpuport.loops.parts.slices import Slices

_WHOLE = {None, "float64"}
"""What is known of the dtype of rows that are computed with: nothing else is."""


class Elements:
    """Elements of vectors, and expressions of them.

    Parameters
    ----------
    privates : mapping of str to Private
    slices : Slices
        What is known of the other arrays.
    constants : mapping of str to list of expr
        The elements of those that never change.
    bound : set of str
        Names that the loop binds.
    """

    def __init__(
        self,
        privates: Mapping[str, Private],
        slices: Slices,
        constants: Mapping[str, list[Expr]],
        bound: AbstractSet[str],
    ) -> None:
        self.privates = privates
        self.slices = slices
        self.constants = constants
        self.bound = bound
        self.facts = with_privates(slices.facts, privates)
        self.guards: dict[str, None] = {}
        self.numbers: set[str] = set()
        """Names that are taken for numbers: a vector stands for several."""
        self.seen = False
        """Whether what was asked for last is made of a vector, and not of numbers alone."""
        self.products = OwnProducts(slices.parts, self.length, self.vector, self.fixed)
        self.names = {
            (name, k): slices.fresh.exactly(f"{name}_{k}")
            for name, one in privates.items()
            for k in range(one.length)
        }

    def name(self, name: str, k: int, where: ast.AST) -> Expr:
        """The number that holds an element, or is one."""
        if name in self.constants:
            return syntax.copied(self.constants[name][k])
        return ast.copy_location(ast.Name(self.names[name, k], ast.Load()), where)

    def length(self, node: Expr) -> int | None:
        """How long what an expression computes from private arrays is; None for a number."""
        names = whole_names(node, self.privates, self.slices.facts)
        found = {self.privates[n].length for n in names}
        if len(found) > 1:
            raise NotWritable
        return found.pop() if found else None

    def all_of(self, node: Expr, length: int) -> list[Expr]:
        """Every element of an elementwise expression; ``seen`` tells whether it has several."""
        self.seen = False
        return [self.element(node, k, length, added=True) for k in range(length)]

    def vector(self, node: Expr, length: int) -> list[Expr]:
        """Every element of what is a vector for certain."""
        values = self.all_of(node, length)
        if not self.seen:
            raise NotWritable
        return values

    def element(self, node: Expr, k: int, length: int, *, added: bool = False) -> Expr:
        """One element of an elementwise expression.

        Parameters
        ----------
        node : expr
        k, length : int
        added : bool
            It stands by itself or is added: where nothing else tells, ``x[i]`` is a row then.
        """
        if isinstance(node, ast.Name):
            return self._named(node, k, length)
        if isinstance(node, ast.Subscript):
            part = None if self._is_private(node) else self._row(node, added)
            return self.number(node) if part is None else self._of_row(part, k, length)
        found = product(node, self.slices.facts)
        if found is not None and self.products.is_own(found):
            beside = self.products.with_matrix(found, wanted=True)
            if beside is not None:
                made = self.products.element(node, found, beside, k, length)
                self.seen = True
                return made
        if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
            added = added and isinstance(node.op, ast.Add | ast.Sub)
            left = self.element(node.left, k, length, added=added)
            right = self.element(node.right, k, length, added=added)
            return ast.copy_location(ast.BinOp(left, node.op, right), node)
        if isinstance(node, ast.UnaryOp) and not isinstance(node.op, ast.Not):
            inner = self.element(node.operand, k, length, added=added)
            return ast.copy_location(ast.UnaryOp(node.op, inner), node)
        if isinstance(node, ast.Call):
            return self._called(node, k, length)
        return self.number(node)

    def _named(self, node: ast.Name, k: int, length: int) -> Expr:
        one = self.privates.get(node.id)
        if one is not None:
            if one.listed or one.length != length:
                raise NotWritable
            self.seen = True
            return self.name(node.id, k, node)
        if isinstance(self.slices.facts.get(node.id), ArrayFact):
            part = self.slices.parts.whole(node, 1)
            if part is None:
                raise NotWritable  # a matrix beside a vector stands for all its rows
            self.slices.parts.assume(node, 1)
            return self._of_row(part, k, length)
        return self.number(node)

    def _called(self, node: ast.Call, k: int, length: int) -> Expr:
        facts = self.slices.facts
        if is_copy(node):
            assert isinstance(node.func, ast.Attribute)
            return self.element(node.func.value, k, length)
        made = made_of(node, self.facts)
        if made is not None:
            if made[0] != length:
                raise NotWritable
            self.seen = True
            return self.stored(self.number(made[2][k]), made[1])
        if function_path(node.func, facts) in vector_functions().crosses:
            return self._cross(node, k, length)
        if by_element(node, facts) and self.length(node) is not None:
            arguments = [self.element(one, k, length) for one in node.args]
            return ast.copy_location(ast.Call(node.func, arguments, []), node)
        return self.number(node)

    def _cross(self, node: ast.Call, k: int, length: int) -> Expr:
        if length != 3 or len(node.args) != 2:
            raise NotWritable
        after, before = (k + 1) % 3, (k + 2) % 3
        a, b = ([self.element(one, at, 3) for at in (after, before)] for one in node.args)
        products = (ast.BinOp(a[0], ast.Mult(), b[1]), ast.BinOp(a[1], ast.Mult(), b[0]))
        made = ast.BinOp(products[0], ast.Sub(), products[1])
        return ast.fix_missing_locations(ast.copy_location(made, node))

    def _is_private(self, node: ast.Subscript) -> bool:
        return isinstance(node.value, ast.Name) and node.value.id in self.privates

    def _row(self, node: ast.Subscript, added: bool) -> Part | None:
        """The row that a subscript names; None where it is a number."""
        parts = self.slices.parts
        part = parts.sliced(node) or parts.short(node)
        if part is None and not parts.is_element(node):
            fact = self.slices.facts.get(dotted(node.value) or "")
            row = parts.row(node)
            rank = fact.rank if isinstance(fact, ArrayFact) else None
            if row is not None and (added if rank is None else rank == len(row.indices)):
                part = row
        if part is not None and len(part.axes) != 1:
            raise NotWritable
        return part

    def _of_row(self, part: Part, k: int, length: int) -> Expr:
        self.check(part, length)
        self.seen = True
        if self.slices.parts.dtype(part) not in _WHOLE:
            raise NotWritable
        return part.element([str(k)], ast.Load())

    def check(self, part: Part, length: int) -> None:
        """Guard that a row has as many elements."""
        (axis,) = part.axes
        self._long(axis, length)

    def fixed(self, part: Part, axis: Extent, length: int) -> None:
        """Guard how long a part that is computed with is along one of its axes."""
        if self.slices.parts.dtype(part) not in _WHOLE:
            raise NotWritable
        self._long(axis, length)

    def _long(self, axis: Extent, length: int) -> None:
        own = loaded([parse(axis.length, ast.Pass())]) & self.bound
        if own or not axis.low.isdigit():
            raise NotWritable  # of what an iteration binds no launch can ask
        if axis.length != str(length):
            self.guards[f"{axis.length} == {length}"] = None

    def stored(self, value: Expr, cast: str) -> Expr:
        """A number as an array of a dtype holds it."""
        owner = self.slices.numpy()
        if not cast:
            return value
        if owner is None:
            raise NotWritable
        return parse(f"{owner}.{cast}({ast.unparse(value)})", value)

    def number(self, node: Expr) -> Expr:
        """An expression that has to be one number: beside an array, or as an element of one."""
        made, parts = self.scalar(node), self.slices.parts
        for one in computed_with(made, parts.facts):
            if parts.is_part(one) or parts.is_array(one):
                raise NotWritable
            if isinstance(one, ast.Subscript):
                parts.assume(one.value, len(subscript_indices(one)))
            else:
                self.numbers.add(one.id)
        return made

    def scalar(self, node: Expr, *, vectors: bool | None = None) -> Expr:
        """An expression that gives a number: elements and reductions by their names.

        Parameters
        ----------
        node : expr
        vectors : bool, optional
            Products with matrices may be among it, which are vectors, and whether what becomes of
            it shows that they are; None where only a number will do.
        """
        seen = self.seen
        found = _Numbers(self, vectors).visit(syntax.copied(node))
        assert isinstance(found, Expr)
        self.seen = seen
        if any(mentions([found], name) for name in self.privates):
            raise NotWritable
        return found


class _Numbers(ast.NodeTransformer):
    """Puts names of elements, and what reductions add up, in the place of both."""

    def __init__(self, elements: Elements, vectors: bool | None) -> None:
        self.elements = elements
        self.vectors = vectors

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        if root(node) in self.elements.constants:
            return syntax.copied(self._held(node))
        one = self.elements.privates.get(dotted(node.value) or "")
        if one is None:
            return self.generic_visit(node)
        return self.elements.name(one.name, index_of(node.slice, one.length), node)

    def _held(self, node: Expr) -> Expr:
        """What a table holds there: ``kernel[1][2]``."""
        if isinstance(node, ast.Name):
            return ast.Tuple(self.elements.constants[node.id], ast.Load())
        held = self._held(node.value) if isinstance(node, ast.Subscript) else None
        if not isinstance(held, ast.Tuple | ast.List) or not isinstance(node, ast.Subscript):
            raise NotWritable
        return held.elts[index_of(node.slice, len(held.elts))]

    def visit_Call(self, node: ast.Call) -> ast.AST:
        elements, facts = self.elements, self.elements.slices.facts
        known = vector_functions()
        path, operands = called_with(node, facts)
        listed = self._of_names(node, path)
        if listed is not None:
            return listed
        if node.keywords:
            return self.generic_visit(node)
        if path in known.products:
            return self._product(node)
        operator = known.reductions.get(path)
        of_vector = len(operands) == 1 and (path in known.norms or operator is not None)
        if not of_vector or self.elements.length(operands[0]) is None:
            return self._of_vectors(node) if of_vector else self.generic_visit(node)
        if operator is not None:
            return self._reduced(node, operator, operands[0])
        squares = self.elements.products.number(node, Product(operands[0], operands[0], None))
        return parse(f"{elements.slices.numpy()}.sqrt({ast.unparse(squares)})", node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        return self._product(node) if isinstance(node.op, ast.MatMult) else self.generic_visit(node)

    def _of_vectors(self, node: Expr) -> ast.AST:
        """What takes vectors, with such of its operands as are none of an iteration's own."""
        before, self.vectors = self.vectors, True
        made = self.generic_visit(node)
        self.vectors = before
        return made

    def _product(self, node: Expr) -> ast.AST:
        found, products = product(node, self.elements.slices.facts), self.elements.products
        if found is None or not products.is_own(found):
            return self._of_vectors(node)
        beside = products.with_matrix(found, wanted=bool(self.vectors))
        if beside is None:
            return products.number(node, found)
        if self.vectors is None:
            raise NotWritable
        return products.vector(node, found, beside)

    def _reduced(self, node: Expr, operator: str, operand: Expr) -> Expr:
        length = self.elements.length(operand)
        assert length is not None
        texts = [f"({ast.unparse(one)})" for one in self.elements.all_of(operand, length)]
        if operator in ("+", "mean"):
            total = " + ".join(texts)
            return parse(f"({total}) / {length}" if operator == "mean" else f"({total})", node)
        made = texts[0]
        for one in texts[1:]:
            made = f"{self.elements.slices.numpy()}.{operator}({made}, {one})"
        return parse(made, node)

    def _of_names(self, node: ast.Call, path: str) -> Expr | None:
        """``len``, ``sum``, ``max`` and ``min`` of a private array or list."""
        given = node.args[0] if len(node.args) == 1 and not node.keywords else None
        one = self.elements.privates.get(given.id) if isinstance(given, ast.Name) else None
        if one is None or path not in (
            "builtins.len",
            "builtins.sum",
            "builtins.max",
            "builtins.min",
        ):
            return None
        name = path.rpartition(".")[2]
        if name == "len":
            return ast.copy_location(ast.Constant(one.length), node)
        held = [self.elements.name(one.name, k, node) for k in range(one.length)]
        names = [ast.unparse(element) for element in held]
        if name == "sum":
            return parse(f"({' + '.join(['0', *names])})", node)
        return parse(names[0] if one.length == 1 else f"{name}({', '.join(names)})", node)


def root(node: ast.Subscript) -> str | None:
    """The name of what is subscripted, once or several times."""
    held: Expr = node
    while isinstance(held, ast.Subscript):
        held = held.value
    return dotted(held)


def index_of(node: Expr, length: int) -> int:
    """An index that is written out, from the start on.

    Raises
    ------
    NotWritable
    """
    value = number(node)
    if value is None or not -length <= value < length:
        raise NotWritable
    return value % length


def number(node: Expr) -> int | None:
    """The whole number that an expression of literals is; None for any other expression."""
    value = worked_out(node)
    return value if isinstance(value, int) else None

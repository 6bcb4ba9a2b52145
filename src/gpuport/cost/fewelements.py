"""Work in loops on a few numbers at a time: ``force += masses[j] * (q - p)``, `force` of three.

What is added to an array of a few elements has no more of them, nor has anything that it is
computed of element by element. What is computed of single elements, ``s[i, j]``, is one number,
and what a nest of loops cuts out of an array for each cell of another, ``out[a, b] = f(x[a:])``, is
little too. Each such operation is a launch for what the host is done with before the launch has
begun. A guess at costs, never a claim: what is not evident counts as large.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from gpuport.cost.broadcasting import count
from gpuport.cost.cellwork import cell_work
from gpuport.cost.shapes import FEW, FEW_IN_NESTS, Shapes
from gpuport.cost.singles import Singles, cut_for_cells
from gpuport.cost.smallness import few
from gpuport.source.carried import left_over
from gpuport.source.syntax import LOOPS, children, walk


def is_little(
    function: ast.AST, node: ast.AST, loops: int, shapes: Shapes, *, stacked: bool
) -> bool:
    """Whether work within so many loops of a function is done on a few elements each time.

    Parameters
    ----------
    function, node : ast.AST
    loops : int
    shapes : Shapes
        Of the function.
    stacked : bool
        Whether it is done for all items of a loop at once.
    """
    made = isinstance(node, ast.Call) and shapes.makes(node)
    again = loops or made or (shapes.repeated and not stacked)
    most = FEW_IN_NESTS if loops + shapes.repeated > 1 and not stacked else FEW
    if again and id(node) in few_elements(function, shapes, most)[1]:
        return True
    return loops > 1 and id(node) in cell_work(function)


def fills_many(loop: ast.For | ast.While, shapes: Shapes) -> bool:
    """Whether a loop stores in parts of arrays of many elements, and hands nothing on by names.

    Its iterations are as many as there are parts, and may well run at once.

    Parameters
    ----------
    loop : ast.For or ast.While
    shapes : Shapes
        Of the function.
    """
    stores = (
        shapes.of(one.value) for one in walk(loop)
        if isinstance(one, ast.Subscript) and not isinstance(one.ctx, ast.Load)
    )  # fmt: skip
    many = (isinstance(one, tuple) and not (count(one) or FEW + 1) <= FEW for one in stores)
    return any(many) and not left_over(loop.body)


def few_elements(
    function: ast.AST, shapes: Shapes, most: int = FEW
) -> tuple[frozenset[int], frozenset[int]]:
    """The expressions, and statements, of a function that make a few elements of a few, by ids.

    Parameters
    ----------
    function : ast.AST
    shapes : Shapes
        Of the function.
    most : int
        How many elements are few.

    Returns
    -------
    tuple of two frozensets
        Those whose arrays have no more, and with them those on a few of many: ``s[i, j] + 1``.
    """
    if most not in shapes.few:
        shapes.few[most] = _few_elements(function, shapes, most)
    return shapes.few[most]


def _few_elements(
    function: ast.AST, shapes: Shapes, most: int
) -> tuple[frozenset[int], frozenset[int]]:
    if not shapes.repeated and not any(isinstance(node, LOOPS) for node in walk(function)):
        return frozenset(), frozenset()
    nodes = walk(function)
    found = _Few(shapes.bound, shapes, most)
    for target, value in _stores(nodes, shapes):
        if found.is_few(target):
            found.fits(value)
    found.of_few(nodes)
    found.of_loops(nodes)
    small = frozenset(found.known)
    singles = Singles(nodes, found.sources)
    computed = (one for one in nodes if singles.are_computed(one))
    found.known |= {id(part) for one in computed for part in walk(one)}
    return small, frozenset(found.known | cut_for_cells(nodes, found.sources))


def _stores(nodes: list[ast.AST], shapes: Shapes) -> Iterator[tuple[ast.expr, ast.expr]]:
    """What is stored in, and what: no more elements than there are places."""
    for node in nodes:
        if isinstance(node, ast.AugAssign):
            yield node.target, node.value
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                renewed = isinstance(target, ast.Name) and shapes.renews(target.id, node.value)
                if isinstance(target, ast.Subscript) or renewed:
                    yield target, node.value


class _Few:
    def __init__(
        self, sources: dict[str, list[ast.expr | None]], shapes: Shapes, most: int
    ) -> None:
        self.sources = sources
        self.shapes = shapes
        self.most = most
        self.known: set[int] = set()
        self.names: set[str] = set()

    def is_few(self, node: ast.expr) -> bool:
        """Whether something holds a few elements, or is a number."""
        if isinstance(node, ast.Name) and node.id in self.names:
            return True
        count = self.shapes.elements(node)
        return count is not None and count <= self.most

    def fits(self, node: ast.expr) -> None:
        """Note that something has a few elements, and what it is computed of one by one."""
        if isinstance(node, ast.Name):
            bound = self.sources.get(node.id, [])
            if node.id not in self.names and len(bound) == 1 and bound[0] is not None:
                self.names.add(node.id)
                self.fits(bound[0])
        elif isinstance(node, ast.BinOp) and not isinstance(node.op, ast.MatMult):
            self.known.add(id(node))
            self.fits(node.left)
            self.fits(node.right)
        elif isinstance(node, ast.UnaryOp):
            self.known.add(id(node))
            self.fits(node.operand)

    def of_few(self, nodes: list[ast.AST]) -> None:
        """Note what is computed of a few elements alone, and what is added to them."""
        for node in nodes:
            if isinstance(node, ast.AugAssign) and self.is_few(node.target):
                self.known.add(id(node))
            elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store):
                self.known |= {id(node)} if self.is_few(node) else set()
            elif isinstance(node, ast.BinOp | ast.Call | ast.Compare | ast.UnaryOp):
                self._made_of_few(node)

    def of_loops(self, nodes: list[ast.AST]) -> None:
        """Note loops over a few elements, of arrays that have no more: each could be a kernel."""
        for node in nodes:
            if isinstance(node, ast.For):
                arrays = [one.value for one in walk(node) if isinstance(one, ast.Subscript)]
                if arrays and self._runs(node) <= FEW and all(map(self.is_few, arrays)):
                    self.known.add(id(node))

    def _runs(self, node: ast.For) -> int:
        """How often what is innermost in a loop over ranges runs at most; many where not known."""
        ends = node.iter.args if isinstance(node.iter, ast.Call) else ()
        counts = [self.shapes.lengths.length(one, 0) for one in ends]
        inner = [self._runs(one) for one in walk(node) if isinstance(one, ast.For) and one != node]
        if not counts or any(count is None for count in counts):
            return FEW + 1
        return max(count or 0 for count in counts) * max(inner, default=1)

    def _made_of_few(self, node: ast.expr) -> None:
        given = [one for one in children(node) if isinstance(one, ast.expr)]
        if isinstance(node, ast.Call):
            given = self.shapes.given_to(node)
            numbers = all(self.shapes.of(one) == () for one in given)  # `np.zeros(n)`
            if numbers or self.shapes.makes(node):
                self.known |= {id(node)} if self.is_few(node) else set()
                return
        arrays = [one for one in given if not isinstance(one, ast.Constant)]
        if arrays and all(self.is_few(one) for one in arrays):
            self.known.add(id(node))
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult):
            little = self.most > FEW and few(self.shapes, node.left, node.right)
            self.known |= {id(node)} if little else set()


__all__ = ["few_elements", "fills_many", "is_little"]

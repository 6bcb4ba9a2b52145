"""Loop heads that count: ``range``, ``reversed``, ``np.arange``, ``product``, ``np.ndindex``."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Mapping

from gpuport.loops.facts import Fact
from gpuport.loops.heads.heads import (
    Head,
    assignment,
    element,
    not_understood,
    parse,
    range_arguments,
)
from gpuport.loops.names import (
    Fresh,
    constant_int,
    dotted,
    function_path,
    is_shape,
    loaded,
    stored,
    walk,
)
from gpuport.loops.reasons import UNSUPPORTED, Refused
from gpuport.rules.loopfunctions import counting_heads, orders_of_their_own


class IndexHeads:
    """Reads loop heads whose variables are indices.

    Parameters
    ----------
    facts : mapping of str to Fact
    fresh : Fresh
        Where index names come from.
    ranks : mapping of str to int
        How many axes arrays are shown to have.
    """

    def __init__(
        self, facts: Mapping[str, Fact], fresh: Fresh, ranks: Mapping[str, int] | None = None
    ) -> None:
        self.facts = facts
        self.fresh = fresh
        self.ranks = ranks or {}

    def read(self, node: ast.For) -> Head | None:
        """The plain form of a head; None where it goes over something else.

        Raises
        ------
        Refused
            Where the numbers that it goes over are not understood.
        """
        head = Head()
        iterated = node.iter
        turned = self._turned(iterated)
        if turned is not None:
            self._range(head, node, self._backwards(turned))
            return head
        if not isinstance(iterated, ast.Call):
            return None
        name = self._called(iterated) or ""
        if name in orders_of_their_own():
            over = ast.unparse(iterated.args[0]) if iterated.args else "x"
            message = orders_of_their_own()[name].format(array=over)
            raise Refused(UNSUPPORTED, iterated, message)
        form = counting_heads().get(name)
        if form is None or (form == "backwards" and not self._is_range(*iterated.args[:1])):
            return None  # what goes backwards over anything else is no index
        _FORMS[form](self, head, node, iterated)
        return head

    def _called(self, *nodes: ast.expr) -> str | None:
        """The function that the first of these calls."""
        node = nodes[0] if nodes else None
        return function_path(node.func, self.facts) if isinstance(node, ast.Call) else None

    def _range(self, head: Head, node: ast.For, call: ast.Call) -> None:
        if call.keywords or not 1 <= len(call.args) <= 3 or not isinstance(node.target, ast.Name):
            raise not_understood(call)
        arguments = range_arguments(call)
        wanted = node.target.id
        if wanted not in stored(node.body):
            head.ranges.append((wanted, arguments))
            return
        index = self.fresh.name(wanted)
        head.ranges.append((index, arguments))
        head.bindings.append(assignment(node.target, ast.Name(index, ast.Load()), node))

    def _reversed(self, head: Head, node: ast.For, call: ast.Call) -> None:
        """``reversed(range(n))``."""
        self._range(head, node, self._backwards(call))

    def _is_range(self, *nodes: ast.expr) -> bool:
        name = self._called(*nodes)
        return name is not None and counting_heads().get(name) == "range"

    def _backwards(self, call: ast.Call) -> ast.Call:
        inner = call.args[0] if len(call.args) == 1 else None
        if not isinstance(inner, ast.Call) or len(inner.args) not in (1, 2) or inner.keywords:
            raise not_understood(call)
        first, last, _ = range_arguments(inner)
        start, stop = f"({ast.unparse(first)}) - 1", f"({ast.unparse(last)}) - 1"
        if (constant := constant_int(first)) is not None:
            start = str(constant - 1)
        backwards = parse(f"range({stop}, {start}, -1)", call)
        assert isinstance(backwards, ast.Call)
        return backwards

    def _turned(self, node: ast.expr) -> ast.Call | None:
        """``range(n)[::-1]`` as ``reversed(range(n))``."""
        if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Slice):
            return None
        part = node.slice
        whole = part.lower is None and part.upper is None and constant_int(part.step) == -1
        if not whole or not self._is_range(node.value):
            return None
        made = ast.Call(ast.Name("reversed", ast.Load()), [node.value], [])
        return ast.fix_missing_locations(ast.copy_location(made, node))

    def _arange(self, head: Head, node: ast.For, call: ast.Call) -> None:
        """``np.arange(n)``, whose numbers are as good as ``range``'s where they only index."""
        parts = [part for argument in call.args for part in ast.walk(argument)]
        halves = any(
            (isinstance(part, ast.Constant) and type(part.value) is not int)
            or isinstance(part, ast.Div | ast.Pow)
            for part in parts
        )
        if halves or not isinstance(node.target, ast.Name):
            raise not_understood(call)
        name = node.target.id
        indices = [part.slice for part in walk(node.body) if isinstance(part, ast.Subscript)]
        within = {id(part) for index in indices for part in ast.walk(index)}
        reads = [
            part for part in walk(node.body)
            if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load)
        ]  # fmt: skip
        if name in stored(node.body) or any(id(part) not in within for part in reads):
            raise Refused(
                UNSUPPORTED,
                call,
                f"`{name}` is one of NumPy's integers here, and their type decides what is "
                f"computed with it: let the loop run over `range` in the place of "
                f"`{ast.unparse(call.func)}`",
            )
        head.replaced[name] = len(reads)
        self._range(head, node, call)

    def _product(self, head: Head, node: ast.For, call: ast.Call) -> None:
        """``itertools.product(range(n), range(m))``: an index for each, the last one fastest."""
        names = node.target.elts if isinstance(node.target, ast.Tuple) else []
        plain = [item for item in names if isinstance(item, ast.Name)]
        if call.keywords or len(plain) != len(call.args) or len(plain) != len(names):
            raise not_understood(call)
        wanted = {item.id for item in plain}
        if len(wanted) < len(plain) or wanted & stored(node.body):
            raise not_understood(call)
        for item, one in zip(plain, call.args, strict=True):
            if not self._is_range(one) or not isinstance(one, ast.Call) or one.keywords:
                raise not_understood(call)
            if (wanted | stored(node.body)) & loaded(one.args):
                raise not_understood(call)
            head.ranges.append((item.id, range_arguments(one)))

    def _ndindex(self, head: Head, node: ast.For, call: ast.Call) -> None:
        arguments = list(call.args)
        if len(arguments) == 1 and isinstance(arguments[0], ast.Starred):
            arguments = [arguments[0].value]
        if call.keywords:
            raise not_understood(call)
        if len(arguments) == 1 and is_shape(arguments[0]):
            shape = arguments[0]
            assert isinstance(shape, ast.Attribute)
            self._over_shape(head, node, node.target, shape.value)
            return
        extents = arguments
        if len(arguments) == 1 and isinstance(arguments[0], ast.Tuple):
            extents = list(arguments[0].elts)
        names = self._index_names(head, node, node.target, len(extents))
        if len(extents) != len(names) or any(isinstance(e, ast.Starred) for e in extents):
            raise not_understood(call)
        for name, extent in zip(names, extents, strict=True):
            head.ranges.append((name, [parse("0", call), extent, parse("1", call)]))

    def _ndenumerate(self, head: Head, node: ast.For, call: ast.Call) -> None:
        """``for (i, j), v in np.ndenumerate(x)``: all indices of an array, with its elements."""
        targets = node.target.elts if isinstance(node.target, ast.Tuple) else []
        if len(targets) != 2 or call.keywords or len(call.args) != 1:
            raise not_understood(call)
        target, value = targets
        if not isinstance(value, ast.Name):
            raise not_understood(call)
        names = self._over_shape(head, node, target, call.args[0])
        indices: list[ast.expr] = [parse(name, node.iter) for name in names]
        head.bindings.append(assignment(value, element(call.args[0], indices, node), node))

    def _over_shape(
        self, head: Head, node: ast.For, target: ast.expr, array: ast.expr
    ) -> list[str]:
        """An index for each axis of an array."""
        name = dotted(array)
        if name is None:
            raise not_understood(node.iter)
        names = self._index_names(head, node, target, self.ranks.get(name))
        head.guards.append(f"{name}.ndim == {len(names)}")
        for axis, index in enumerate(names):
            bounds = [parse(text, node.iter) for text in ("0", f"{name}.shape[{axis}]", "1")]
            head.ranges.append((index, bounds))
        return names

    def _index_names(
        self, head: Head, node: ast.For, target: ast.expr, rank: int | None
    ) -> list[str]:
        """The names of the indices; those of one name for all of them are put in its place."""
        if isinstance(target, ast.Tuple):
            names = [item.id for item in target.elts if isinstance(item, ast.Name)]
            if len(names) != len(target.elts) or set(names) & stored(node.body):
                raise not_understood(node.iter)
            return names
        if not isinstance(target, ast.Name) or target.id in stored(node.body):
            raise not_understood(node.iter)
        if rank is None or rank < 1:
            raise Refused(
                UNSUPPORTED,
                node.iter,
                f"how many indices `{target.id}` is does not show: write "
                f"`for i, j in {ast.unparse(node.iter)}`",
            )
        names = [self.fresh.name(f"{target.id}{axis}") for axis in range(rank)]
        parts = _Parts(target.id, names)
        node.body = [parts.visit(statement) for statement in node.body]
        head.replaced[target.id] = parts.found
        return names


_FORMS: Mapping[str, Callable[[IndexHeads, Head, ast.For, ast.Call], None]] = {
    "range": IndexHeads._range,
    "backwards": IndexHeads._reversed,
    "arange": IndexHeads._arange,
    "indices": IndexHeads._ndindex,
    "indices and elements": IndexHeads._ndenumerate,
    "product": IndexHeads._product,
}
"""How the forms of ``counting_heads`` are read."""


class _Parts(ast.NodeTransformer):
    """Puts several indices in the place of the one name that stands for them all."""

    def __init__(self, name: str, parts: list[str]) -> None:
        self.name = name
        self.parts = parts
        self.found = 0

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """``x[index]`` and ``index[0]``."""
        if self._is_it(node.value):
            axis = constant_int(node.slice)
            if axis is None or not -len(self.parts) <= axis < len(self.parts):
                raise not_understood(node)
            self.found += 1
            return ast.copy_location(ast.Name(self.parts[axis], ast.Load()), node)
        node.value = self._visited(node.value)
        node.slice = self._together(node.slice)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        """``i, j = index``."""
        node.targets = [self._visited(target) for target in node.targets]
        node.value = self._together(node.value)
        return node

    def visit_Name(self, node: ast.Name) -> ast.AST:
        """Anything else that is done with the indices together."""
        if node.id == self.name:
            message = f"`{node.id}` is used as a whole in the loop, not index by index"
            raise Refused(UNSUPPORTED, node, message)
        return node

    def _together(self, node: ast.expr) -> ast.expr:
        if not self._is_it(node):
            return self._visited(node)
        self.found += 1
        names: list[ast.expr] = [ast.Name(part, ast.Load()) for part in self.parts]
        whole = names[0] if len(names) == 1 else ast.Tuple(names, ast.Load())
        return ast.fix_missing_locations(ast.copy_location(whole, node))

    def _is_it(self, node: ast.expr) -> bool:
        return isinstance(node, ast.Name) and node.id == self.name

    def _visited(self, node: ast.expr) -> ast.expr:
        found = self.visit(copy.copy(node))
        assert isinstance(found, ast.expr)
        return found

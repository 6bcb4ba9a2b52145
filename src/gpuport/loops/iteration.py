"""What a ``for`` runs over, as index ranges: ``enumerate``, ``zip``, arrays, ``np.ndindex``."""

from __future__ import annotations

import ast
import copy
from collections.abc import Mapping
from dataclasses import dataclass, field

from .names import Fresh, constant_int, dotted, function_path, is_shape, loaded, stored
from .reasons import UNSUPPORTED, Refused
from .records import ArrayFact, Fact

Row = tuple[ast.expr, tuple[ast.expr, ...]]


@dataclass
class Head:
    """A loop's head in plain form.

    Attributes
    ----------
    ranges : list of (str, list of expr)
        The index names with ``range``'s arguments, outermost first.
    bindings : list of stmt
        What each iteration sets first.
    rows : dict
        Names that stand for a row of an array.
    guards : list of str
        Conditions on shapes that unpacking needs.
    """

    ranges: list[tuple[str, list[ast.expr]]] = field(default_factory=list)
    bindings: list[ast.stmt] = field(default_factory=list)
    rows: dict[str, Row] = field(default_factory=dict)
    guards: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Source:
    """Something that is iterated: its length and its element at an index."""

    length: ast.expr
    array: ast.expr | None
    offset: int = 0
    start: ast.expr | None = None
    step: ast.expr | None = None


def parse(text: str, where: ast.AST) -> ast.expr:
    """An expression with the position of another node.

    Raises
    ------
    Refused
        If the text is none by itself, such as ``*sizes``.
    """
    try:
        node = ast.parse(text, mode="eval").body
    except SyntaxError:
        message = f"`{text}` in the head of a loop is not turned into a kernel"
        raise Refused(UNSUPPORTED, where, message) from None
    for child in ast.walk(node):
        ast.copy_location(child, where)
    return node


class Heads:
    """Reads loop heads.

    Parameters
    ----------
    facts : mapping of str to Fact
    fresh : Fresh
        Where index names come from.
    """

    def __init__(self, facts: Mapping[str, Fact], fresh: Fresh) -> None:
        self.facts = facts
        self.fresh = fresh

    def read(self, node: ast.For) -> Head:
        """The plain form of a loop's head.

        Raises
        ------
        Refused
            Where the iteration is not understood.
        """
        head = Head()
        iterated, target = node.iter, node.target
        name = self._called(iterated)
        if name in ("builtins.range", "numba.prange") and isinstance(iterated, ast.Call):
            self._range(head, node, iterated)
        elif name == "builtins.reversed" and isinstance(iterated, ast.Call):
            self._range(head, node, self._backwards(iterated))
        elif name == "numpy.ndindex" and isinstance(iterated, ast.Call):
            self._ndindex(head, node, iterated)
        elif name == "itertools.product" and isinstance(iterated, ast.Call):
            self._product(head, node, iterated)
        elif (backwards := self._turned(iterated)) is not None:
            self._range(head, node, self._backwards(backwards))
        else:
            self._elements(head, node, target, iterated)
        return head

    def _called(self, node: ast.expr) -> str | None:
        return function_path(node.func, self.facts) if isinstance(node, ast.Call) else None

    def _unknown(self, node: ast.expr) -> Refused:
        return Refused(
            UNSUPPORTED,
            node,
            f"iteration over `{ast.unparse(node)}` is not turned into a kernel",
        )

    def _range(self, head: Head, node: ast.For, call: ast.Call) -> None:
        if call.keywords or not 1 <= len(call.args) <= 3 or not isinstance(node.target, ast.Name):
            raise self._unknown(call)
        arguments = range_arguments(call)
        wanted = node.target.id
        if wanted not in stored(node.body):
            head.ranges.append((wanted, arguments))
            return
        index = self.fresh.name(wanted)
        head.ranges.append((index, arguments))
        head.bindings.append(_assign(node.target, ast.Name(index, ast.Load()), node))

    def _backwards(self, call: ast.Call) -> ast.Call:
        inner = call.args[0] if len(call.args) == 1 else None
        if self._called(inner or call) != "builtins.range" or not isinstance(inner, ast.Call):
            raise self._unknown(call)
        if len(inner.args) not in (1, 2) or inner.keywords:
            raise self._unknown(call)
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
        if not whole or self._called(node.value) != "builtins.range":
            return None
        made = ast.Call(ast.Name("reversed", ast.Load()), [node.value], [])
        return ast.fix_missing_locations(ast.copy_location(made, node))

    def _product(self, head: Head, node: ast.For, call: ast.Call) -> None:
        """``itertools.product(range(n), range(m))``: an index for each, the last one fastest."""
        names = node.target.elts if isinstance(node.target, ast.Tuple) else []
        plain = [item for item in names if isinstance(item, ast.Name)]
        if call.keywords or len(plain) != len(call.args) or len(plain) != len(names):
            raise self._unknown(call)
        wanted = {item.id for item in plain}
        if len(wanted) < len(plain) or wanted & stored(node.body):
            raise self._unknown(call)
        for item, source in zip(plain, call.args, strict=True):
            known = isinstance(source, ast.Call) and self._called(source) == "builtins.range"
            if not known or not isinstance(source, ast.Call) or source.keywords:
                raise self._unknown(call)
            if (wanted | stored(node.body)) & loaded(source.args):
                raise self._unknown(call)
            head.ranges.append((item.id, range_arguments(source)))

    def _ndindex(self, head: Head, node: ast.For, call: ast.Call) -> None:
        arguments = list(call.args)
        if len(arguments) == 1 and isinstance(arguments[0], ast.Starred):
            arguments = [arguments[0].value]
        target = node.target
        if call.keywords or not isinstance(target, ast.Tuple):
            raise self._unknown(call)
        names = [item.id for item in target.elts if isinstance(item, ast.Name)]
        if len(names) != len(target.elts) or set(names) & stored(node.body):
            raise self._unknown(call)
        extents = arguments
        if len(arguments) == 1 and is_shape(arguments[0]):
            shape = arguments[0]
            assert isinstance(shape, ast.Attribute)
            array = dotted(shape.value)
            if array is None:
                raise self._unknown(call)
            head.guards.append(f"{array}.ndim == {len(names)}")
            extents = [parse(f"{array}.shape[{axis}]", call) for axis in range(len(names))]
        elif len(arguments) == 1 and isinstance(arguments[0], ast.Tuple):
            extents = list(arguments[0].elts)
        if len(extents) != len(names) or any(isinstance(e, ast.Starred) for e in extents):
            raise self._unknown(call)
        for name, extent in zip(names, extents, strict=True):
            head.ranges.append((name, [parse("0", call), extent, parse("1", call)]))

    def _elements(self, head: Head, node: ast.For, target: ast.expr, iterated: ast.expr) -> None:
        count: tuple[ast.expr, ast.expr] | None = None
        if self._called(iterated) == "builtins.enumerate" and isinstance(iterated, ast.Call):
            count, target, iterated = self._enumerate(node, target, iterated)
        pairs = self._pairs(target, iterated)
        lengths: list[str] = []
        for _, source in pairs:
            text = ast.unparse(source.length)
            if text not in lengths:
                lengths.append(text)
        if self._is_strict(iterated):
            head.guards += [f"{lengths[0]} == {other}" for other in lengths[1:]]
            lengths = lengths[:1]
        elif any(self._is_strict(part) for part in getattr(iterated, "args", ())):
            raise self._unknown(iterated)
        stop = parse(lengths[0] if len(lengths) == 1 else f"min({', '.join(lengths)})", node.iter)
        index = self._index(node, count)
        head.ranges.append((index, [parse("0", node.iter), stop, parse("1", node.iter)]))
        if count is not None and not (isinstance(count[0], ast.Name) and count[0].id == index):
            value = parse(f"{index} + {ast.unparse(count[1])}", node.iter)
            if constant_int(count[1]) == 0:
                value = ast.Name(index, ast.Load())
            head.bindings.append(_assign(count[0], value, node))
        for item, source in pairs:
            self._bind(head, node, item, source, index)

    def _index(self, node: ast.For, count: tuple[ast.expr, ast.expr] | None) -> str:
        if count is not None and isinstance(count[0], ast.Name) and constant_int(count[1]) == 0:
            if count[0].id not in stored(node.body):
                return count[0].id
            return self.fresh.name(count[0].id)
        return self.fresh.name("i")

    def _enumerate(
        self, node: ast.For, target: ast.expr, call: ast.Call
    ) -> tuple[tuple[ast.expr, ast.expr], ast.expr, ast.expr]:
        start: ast.expr = call.args[1] if len(call.args) == 2 else parse("0", call)
        for keyword in call.keywords:
            if keyword.arg != "start" or len(call.args) != 1:
                raise self._unknown(call)
            start = keyword.value
        two = isinstance(target, ast.Tuple) and len(target.elts) == 2
        if not two or not 1 <= len(call.args) <= 2 or not isinstance(target, ast.Tuple):
            raise self._unknown(call)
        if not isinstance(target.elts[0], ast.Name) or not isinstance(
            start, ast.Constant | ast.Name
        ):
            raise self._unknown(call)
        return (target.elts[0], start), target.elts[1], call.args[0]

    def _pairs(self, target: ast.expr, iterated: ast.expr) -> list[tuple[ast.expr, _Source]]:
        if self._called(iterated) != "builtins.zip" or not isinstance(iterated, ast.Call):
            return [(target, self._source(iterated))]
        if not isinstance(target, ast.Tuple) or not iterated.args:
            raise self._unknown(iterated)
        self._is_strict(iterated)
        if len(target.elts) != len(iterated.args):
            raise self._unknown(iterated)
        pairs: list[tuple[ast.expr, _Source]] = []
        for item, source in zip(target.elts, iterated.args, strict=True):
            pairs += self._pairs(item, source)
        return pairs

    def _is_strict(self, node: ast.expr) -> bool:
        """Whether a ``zip`` raises where lengths differ."""
        if not isinstance(node, ast.Call) or self._called(node) != "builtins.zip":
            return False
        words = {k.arg: k.value for k in node.keywords}
        strict = words.pop("strict", None)
        if words or not (strict is None or isinstance(strict, ast.Constant)):
            raise self._unknown(node)
        return strict is not None and bool(strict.value)

    def _source(self, node: ast.expr) -> _Source:
        array = dotted(node)
        if array is not None:
            return _Source(parse(f"len({array})", node), node)
        if self._called(node) == "builtins.range" and isinstance(node, ast.Call):
            arguments = range_arguments(node)
            if constant_int(arguments[2]) == 1 and not node.keywords:
                start, stop = (ast.unparse(item) for item in arguments[:2])
                length = stop if start == "0" else f"max(({stop}) - ({start}), 0)"
                return _Source(parse(length, node), None, 0, arguments[0], arguments[2])
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return self._slice(node, node.slice)
        raise self._unknown(node)

    def _slice(self, node: ast.Subscript, part: ast.Slice) -> _Source:
        array = dotted(node.value)
        lower = 0 if part.lower is None else constant_int(part.lower)
        upper = 0 if part.upper is None else constant_int(part.upper)
        whole = part.step is None and lower is not None and upper is not None
        if array is None or not whole or lower is None or lower < 0:
            raise self._unknown(node)
        if upper is None or upper > 0 or (upper == 0 and part.upper is not None):
            raise self._unknown(node)
        length = parse(f"max(len({array}) - {lower - upper}, 0)", node)
        return _Source(length, node.value, lower)

    def _bind(
        self, head: Head, node: ast.For, target: ast.expr, source: _Source, index: str
    ) -> None:
        if source.array is None:
            assert source.start is not None
            value = parse(f"{ast.unparse(source.start)} + {index}", node.iter)
            head.bindings.append(_assign(target, value, node))
            return
        place = parse(index if not source.offset else f"{index} + {source.offset}", node.iter)
        if isinstance(target, ast.Tuple):
            self._unpack(head, node, target, source.array, place)
            return
        if not isinstance(target, ast.Name):
            raise self._unknown(node.iter)
        if self._is_row(node, target.id, source.array):
            if target.id in stored(node.body):
                raise self._unknown(node.iter)
            head.rows[target.id] = (copy.deepcopy(source.array), (place,))
            return
        head.bindings.append(_assign(target, _element(source.array, [place], node), node))

    def _is_row(self, node: ast.For, name: str, array: ast.expr) -> bool:
        fact = self.facts.get(dotted(array) or "")
        if isinstance(fact, ArrayFact) and fact.rank is not None:
            return fact.rank > 1
        for child in ast.walk(ast.Module(node.body, [])):
            if isinstance(child, ast.Subscript | ast.Attribute) and isinstance(
                child.value, ast.Name
            ):
                # A single complex number has parts, too.
                part = isinstance(child, ast.Attribute) and child.attr in ("real", "imag")
                if child.value.id == name and not part:
                    return True
            elif isinstance(child, ast.Call) and name in _summed(child, self.facts):
                return True
            elif isinstance(child, ast.For) and name in loaded([child.iter]):
                return not isinstance(child.iter, ast.Call) or self._called(child.iter) in (
                    "builtins.enumerate",
                    "builtins.zip",
                )
        return False

    def _unpack(
        self, head: Head, node: ast.For, target: ast.Tuple, array: ast.expr, place: ast.expr
    ) -> None:
        if not all(isinstance(item, ast.Name) for item in target.elts):
            raise self._unknown(node.iter)
        head.guards.append(f"{dotted(array)}.shape[1] == {len(target.elts)}")
        for position, item in enumerate(target.elts):
            column = parse(str(position), node.iter)
            value = _element(array, [copy.deepcopy(place), column], node)
            head.bindings.append(_assign(item, value, node))


_SUMMING = frozenset(("sum", "mean", "max", "min", "dot", "vdot", "inner", "norm"))


def _summed(call: ast.Call, facts: Mapping[str, Fact]) -> set[str]:
    """Names that a call takes for vectors: ``np.sum((a - b) ** 2)``, ``np.dot(a, b)``."""
    path = function_path(call.func, facts) or ""
    if not path.startswith("numpy.") or path.rpartition(".")[2] not in _SUMMING:
        return set()
    return loaded(call.args)


def range_arguments(call: ast.Call) -> list[ast.expr]:
    """``range``'s start, stop and step, the ones left out included."""
    zero, one = parse("0", call), parse("1", call)
    if len(call.args) == 1:
        return [zero, call.args[0], one]
    if len(call.args) == 2:
        return [*call.args, one]
    return list(call.args)


def _assign(target: ast.expr, value: ast.expr, where: ast.For) -> ast.stmt:
    name = copy.deepcopy(target)
    if isinstance(name, ast.Name):
        name.ctx = ast.Store()
    made = ast.Assign([name], value)
    for child in ast.walk(made):
        if not hasattr(child, "lineno"):
            ast.copy_location(child, where.iter)
    return ast.fix_missing_locations(ast.copy_location(made, where.iter))


def _element(array: ast.expr, indices: list[ast.expr], where: ast.For) -> ast.expr:
    index = indices[0] if len(indices) == 1 else ast.Tuple(indices, ast.Load())
    made = ast.Subscript(copy.deepcopy(array), index, ast.Load())
    return ast.fix_missing_locations(ast.copy_location(made, where.iter))

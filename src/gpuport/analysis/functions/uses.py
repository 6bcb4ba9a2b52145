"""How a function uses its parameters, by the syntax of its body alone."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from enum import Enum
from typing import TYPE_CHECKING

from gpuport.analysis.functions.annotations import annotation_of
from gpuport.analysis.values.lattice import Array
from gpuport.rules.indexnames import IndexNames, is_mask
from gpuport.rules.libraries import library_of
from gpuport.rules.numpynames import as_numpy
from gpuport.rules.placenames import place_names
from gpuport.source.annotations import annotation
from gpuport.source.leftout import stand_in
from gpuport.source.names import FunctionNode, Scope
from gpuport.source.nodes import Nodes
from gpuport.source.syntax import DEFINITIONS, walk
from gpuport.source.truths import single_numbers

if TYPE_CHECKING:
    from gpuport.analysis.knowledge.tables import PlacementWords


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ARRAY_ATTRIBUTES = _words(
    "shape ndim size dtype T mean sum min max std var argmax argmin dot ravel reshape astype "
    "transpose flatten cumsum cumprod prod any all clip round conj conjugate real imag squeeze "
    "repeat take nonzero argsort sort fill trace diagonal swapaxes tolist item"
)
"""Attributes by which a value is told to be an array."""
_MAPPING_ATTRIBUTES = _words("items keys values get setdefault update")
_NOT_TELLING_OF_OPERANDS = _words("real imag conjugate sort fill")
"""Attributes of arrays that numbers have too, or lists that were joined."""


_OF_OBJECTS = (ast.Is, ast.IsNot, ast.In, ast.NotIn)
"""Comparisons that give one truth value, whatever they compare."""


class Takes(Enum):
    """What a NumPy function takes by a parameter."""

    ARRAY = "array"
    ELEMENTS = "an array or a number, element by element"
    EITHER = "an array or a number"
    NUMBER = "number"
    SEVERAL = "a number or several, as an axis or a shape"
    TYPE = "a type of elements"
    ANYTHING = "anything"


AskTakes = Callable[[str, int | None, str | None], Takes]
"""What a NumPy call takes by a position or keyword."""

AskTaken = Callable[[Scope, ast.Call], Iterable[ast.expr]]
"""The arguments of a call that a function of the project evidently takes for arrays."""


@dataclass(slots=True)
class Use:
    """How a parameter is used in the body."""

    array: bool = False
    passed: bool = False
    operand: bool = False
    number: bool = False
    several: bool = False
    dtype: bool = False
    item: bool = False
    element: bool = False
    sized: bool = False
    mapping: bool = False
    matrix: bool = False
    masked: bool = False
    tested: bool = False
    other: bool = False

    @property
    def may_be_array(self) -> bool:
        """Whether something is done with it that is done with arrays."""
        return self.array or self.passed or self.operand or self.item


_TELLING = (
    ast.Attribute, ast.Subscript, ast.BinOp, ast.Compare, ast.AugAssign, ast.Call, ast.For,
    ast.comprehension, ast.Slice, ast.Assign, ast.If, ast.IfExp,
)  # fmt: skip
"""What may tell of the names in it."""


@dataclass(slots=True)
class Uses:
    """Collects how each parameter is used, by syntax alone."""

    scope: Scope
    names: frozenset[str]
    takes: AskTakes
    taken: AskTaken = field(default=lambda scope, call: ())
    indices: IndexNames | None = None
    giving_places: frozenset[str] = frozenset()
    asking_for_masks: frozenset[str] = frozenset()
    found: dict[str, Use] = field(default_factory=dict)
    _places: frozenset[str] | None = None

    def of(self, name: str) -> Use:
        """The record of a parameter."""
        return self.found.setdefault(name, Use())

    def collect(self, node: ast.stmt, nodes: Nodes) -> None:
        """Look at a statement, inner functions left out."""
        if node.__class__ not in DEFINITIONS:
            for one in nodes.inside(node, *_TELLING):
                self._look(one)

    def _named(self, node: ast.AST | None) -> str | None:
        if isinstance(node, ast.UnaryOp):
            return self._named(node.operand)
        return node.id if isinstance(node, ast.Name) and node.id in self.names else None

    def _look(self, node: ast.AST) -> None:
        if isinstance(node, ast.Attribute):
            self._attribute(node)
        elif isinstance(node, ast.Subscript):
            self._subscript(node)
        elif isinstance(node, (ast.BinOp, ast.Compare, ast.AugAssign)):
            self._operands(node)
        elif isinstance(node, ast.Call):
            self._call(node)
        elif isinstance(node, (ast.For, ast.comprehension)):
            name = self._named(node.iter)
            if name is not None:
                self.of(name).other = True
        elif isinstance(node, ast.Assign):
            self._unpacked(node)
        elif isinstance(node, (ast.If, ast.IfExp)):
            self._stood_for(node)
        elif isinstance(node, ast.Slice):
            for part in (node.lower, node.upper, node.step):
                self._numbers(part)

    def _attribute(self, node: ast.Attribute) -> None:
        name = self._named(node.value)
        if name is None:
            if node.attr in ARRAY_ATTRIBUTES and node.attr not in _NOT_TELLING_OF_OPERANDS:
                self._operation(node.value)
            return
        if node.attr in _MAPPING_ATTRIBUTES:
            self.of(name).mapping = True
        elif node.attr in ARRAY_ATTRIBUTES:
            self.of(name).array = True
            self.of(name).matrix |= node.attr == "T"
        else:
            self.of(name).other = True

    def _stood_for(self, node: ast.If | ast.IfExp) -> None:
        """``np.ones_like(x) if w is None else w``: what stands for a parameter is of its kind."""
        name, instead = stand_in(node)
        if name in self.names and instead is not None and self._of_numpy(instead):
            self.of(name).passed = True

    def _of_numpy(self, node: ast.expr) -> bool:
        """Whether NumPy makes a value, of more than numbers."""
        if isinstance(node, ast.BinOp):
            return self._of_numpy(node.left) or self._of_numpy(node.right)
        if isinstance(node, ast.UnaryOp):
            return self._of_numpy(node.operand)
        if isinstance(node, ast.Name):
            return node.id in self.names and self.of(node.id).array
        if not isinstance(node, ast.Call):
            return False
        path = self.scope.resolve(node.func)
        path = as_numpy(path) if path is not None else ""
        if library_of(path) is None or path.startswith("numpy.random."):
            return False
        if node.args and self.takes(path, 0, None) is Takes.ELEMENTS:
            return any(map(self._of_numpy, node.args))
        return bool(node.args) and self.takes(path, 0, None) is not Takes.ANYTHING

    def _unpacked(self, node: ast.Assign) -> None:
        """``rows, columns = x.shape``."""
        name = self._shape_of(node.value)
        target = node.targets[0]
        if name is not None and isinstance(target, ast.Tuple) and len(target.elts) > 1:
            starred = any(isinstance(e, ast.Starred) for e in target.elts)
            self.of(name).matrix |= not starred

    def _shape_of(self, node: ast.expr) -> str | None:
        shape = isinstance(node, ast.Attribute) and node.attr == "shape"
        return self._named(node.value) if shape and isinstance(node, ast.Attribute) else None

    def _subscript(self, node: ast.Subscript) -> None:
        shaped = self._shape_of(node.value)
        if shaped is not None:
            self.of(shaped).matrix |= _second(node.slice)
        name = self._named(node.value)
        entries = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if name is None:
            if len(entries) != 1:
                self._operation(node.value)
            return
        if len(entries) != 1:
            self.of(name).array = True
            axes = [e for e in entries if not isinstance(e, ast.Constant) or type(e.value) is int]
            self.of(name).matrix |= len(axes) > 1
            self.of(name).element |= any(map(self._is_counted, entries))
        elif isinstance(entries[0], ast.Constant) and isinstance(entries[0].value, str):
            self.of(name).mapping = True
        elif is_mask(entries[0], name) or (self.indices and self.indices.are(entries[0])):
            self.of(name).array = True
        else:
            self.of(name).passed = self.of(name).passed or isinstance(entries[0], ast.Slice)
            self.of(name).other = self.of(name).other or not isinstance(entries[0], ast.Slice)
            self.of(name).item = True
            self.of(name).element |= self._is_counted(entries[0])

    def _operation(self, node: ast.expr) -> None:
        """What is done to a result of operators: ``(x / h).astype(int)``, ``(x - y)[:, None]``."""
        if isinstance(node, ast.BinOp) and not _is_text(node.left):
            self._passed(node, array=False)

    def _is_counted(self, index: ast.expr) -> bool:
        """Whether a subscript changes with the counter of a loop, or a place that loops compute."""
        named = {n.id for n in walk(index) if isinstance(n, ast.Name)}
        if not self.scope.counted or not named:
            return False
        if self._places is None:
            self._places = place_names(self.scope, self.giving_places)
        return not named.isdisjoint(self.scope.counted | self._places)

    def _operands(self, node: ast.BinOp | ast.Compare | ast.AugAssign) -> None:
        if isinstance(node, ast.BinOp):
            parts: list[ast.expr] = [node.left, node.right]
            if isinstance(node.op, ast.MatMult):
                for part in parts:
                    name = self._named(part)
                    if name is not None:
                        self.of(name).array = True
        elif isinstance(node, ast.AugAssign):
            parts = [node.target, node.value]
        else:
            if all(isinstance(op, _OF_OBJECTS) for op in node.ops):
                return
            parts = [node.left, *node.comparators]
            if any(isinstance(p, ast.Constant) and isinstance(p.value, str) for p in parts):
                return
        for part in parts:
            name = self._named(part)
            if name is not None:
                self.of(name).operand = True

    def _call(self, node: ast.Call) -> None:
        path = self.scope.resolve(node.func)
        if any(k.arg == "axis" and _second(k.value) for k in node.keywords):
            inner = node.args[:1] if path is not None else [getattr(node.func, "value", None)]
            name = self._named(inner[0]) if inner else None
            if name is not None:
                self.of(name).matrix = True
        if path is None:
            if isinstance(node.func, ast.Name):
                self._handed_on(node)
            return
        path = as_numpy(path)
        if path in self.asking_for_masks:
            for name in filter(None, map(self._named, node.args)):
                self.of(name).masked = True
        elif library_of(path) is not None and not path.startswith("numpy.random."):
            given = [(a, position, None) for position, a in enumerate(node.args)]
            named = [(k.value, None, k.arg) for k in node.keywords]
            for argument, position, keyword in (*given, *named):
                takes = self.takes(path, position, keyword)
                if takes is Takes.NUMBER:
                    self._numbers(argument)
                elif takes is Takes.SEVERAL:
                    self._perhaps_several(argument)
                elif takes is Takes.TYPE:
                    name = self._named(argument)
                    if name is not None:
                        self.of(name).dtype = True
                elif takes is not Takes.ANYTHING:
                    self._passed(argument, array=takes is Takes.ARRAY)
        elif path in ("builtins.range",) or path.startswith("math."):
            for argument in node.args:
                self._numbers(argument)
        elif path == "builtins.len" and node.args:
            name = self._named(node.args[0])
            if name is not None:
                self.of(name).sized = True
        elif path in ("builtins.int", "builtins.float"):
            for argument in node.args:
                self._numbers(self._elementwise(argument))
        elif not path.startswith("builtins."):
            self._handed_on(node)

    def _handed_on(self, node: ast.Call) -> None:
        """What a function of the project takes for an array is one where it is handed on."""
        values = [*node.args, *(k.value for k in node.keywords)]
        if not any(isinstance(v, ast.Name) and v.id in self.names for v in values):
            return
        for value in self.taken(self.scope, node):
            if isinstance(value, ast.Name) and value.id in self.names:
                self.of(value.id).array = True

    def keeps_shape(self, node: ast.Call) -> bool:
        """Whether a call computes each element of what it is given by itself."""
        path = self.scope.resolve(node.func) or ""
        return path == "builtins.abs" or self.takes(path, 0, None) is Takes.ELEMENTS

    def _elementwise(self, node: ast.expr) -> ast.expr:
        """What is inside a call that keeps the shape: ``int(np.ceil(x))`` takes one number."""
        alone = isinstance(node, ast.Call) and len(node.args) == 1 and self.keeps_shape(node)
        return node.args[0] if alone else node  # type: ignore[attr-defined]

    def _passed(self, node: ast.expr, *, array: bool) -> None:
        """Names in an argument of a NumPy call: arrays, or through operators likely arrays."""
        if isinstance(node, ast.BinOp):
            self._passed(node.left, array=False)
            self._passed(node.right, array=False)
        elif isinstance(node, ast.UnaryOp):
            self._passed(node.operand, array=array)
        elif isinstance(node, ast.Compare) and not isinstance(node.ops[0], _OF_OBJECTS):
            for part in (node.left, *node.comparators):
                self._passed(part, array=False)
        elif isinstance(node, (ast.List, ast.Tuple)):
            for element in node.elts:
                self._passed(element, array=False)
        elif isinstance(node, ast.Name) and node.id in self.names:
            self.of(node.id).passed = True
            self.of(node.id).array |= array

    def _perhaps_several(self, node: ast.expr) -> None:
        """An axis or a shape: a name alone, and what is put together, may be several numbers."""
        if isinstance(node, (ast.Tuple, ast.List)):
            for element in node.elts:
                self._numbers(element)
        elif _may_be_joined(node):
            for part in (node.left, node.right) if isinstance(node, ast.BinOp) else (node,):
                name = self._named(part)
                if name is not None:
                    self.of(name).several = True
        else:
            self._numbers(node)

    def _numbers(self, node: ast.AST | None) -> None:
        if node is None:
            return
        every = walk(node)
        if any(isinstance(inner, (ast.Attribute, ast.Call, ast.Subscript)) for inner in every):
            return
        for name in filter(None, map(self._named, every)):
            self.of(name).number = True


def _may_be_joined(node: ast.expr) -> bool:
    """A name, or ``shape + more`` and ``(2,) * n``, of which nothing says that they are numbers."""
    if not isinstance(node, ast.BinOp):
        return True
    number = any(isinstance(part, ast.Constant) for part in (node.left, node.right))
    return isinstance(node.op, ast.Mult) or (isinstance(node.op, ast.Add) and not number)


def _is_text(node: ast.expr) -> bool:
    """``"..." % x``."""
    return isinstance(node, ast.JoinedStr) or isinstance(getattr(node, "value", 0), (str, bytes))


def _second(node: ast.expr) -> bool:
    """Whether a subscript or an axis is that of a second axis, or of one behind it."""
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value > 0


def open_uses(
    scope: Scope,
    node: FunctionNode,
    takes: AskTakes,
    taken: AskTaken,
    words: PlacementWords,
) -> Uses:
    """A record, still empty, of how the parameters of a function are used in its body."""
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    open_to_use = (
        a.arg for a in every
        if isinstance(annotation_of(a.arg, annotation(a), False), Array | None)
    )  # fmt: skip
    found = Uses(
        scope, frozenset(open_to_use) - {"self"}, takes, taken,
        IndexNames(scope, words.index_arrays), words.gives_places, words.asks_for_masks,
    )  # fmt: skip
    for name in single_numbers(node, found.keeps_shape) & found.names:
        found.of(name).tested = True
    return found


__all__ = ["ARRAY_ATTRIBUTES", "AskTaken", "AskTakes", "Takes", "Use", "Uses", "open_uses"]

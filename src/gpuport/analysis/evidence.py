"""What the parameters of a function are: from annotations, call sites, defaults and use."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum

from gpuport.analysis.numpynames import as_numpy
from gpuport.analysis.values import (
    EMPTY,
    UNKNOWN,
    Array,
    Either,
    Instance,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Tuple,
    Unknown,
    Value,
)
from gpuport.rules.libraries import library_of
from gpuport.source.names import FunctionNode, Scope
from gpuport.source.syntax import inside, walk


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ASSUMED = Scalar("assumed")
"""A parameter that is only ever an operand: no array as far as anything tells."""

_ARRAY_ATTRIBUTES = _words(
    "shape ndim size dtype T mean sum min max std var argmax argmin dot ravel reshape astype "
    "transpose flatten cumsum cumprod prod any all clip round conj conjugate real imag squeeze "
    "repeat take nonzero argsort sort fill trace diagonal swapaxes tolist item"
)
_MAPPING_ATTRIBUTES = _words("items keys values get setdefault update")
_NUMBER_WORDS = {"int": "int", "float": "float", "bool": "bool", "complex": "complex", "str": "str"}
_ARRAY_WORDS = ("ndarray", "NDArray")


class Takes(Enum):
    """What a NumPy function takes by a parameter."""

    ARRAY = "array"
    ELEMENTS = "an array or a number, element by element"
    EITHER = "an array or a number"
    NUMBER = "number"
    ANYTHING = "anything"


AskTakes = Callable[[str, int | None, str | None], Takes]
"""What a NumPy call takes by a position or keyword."""

AskCalled = Callable[[Scope, ast.expr], tuple[FunctionNode, "Uses"] | None]
"""The function of the project that is called by an expression in a scope, with its own uses."""


@dataclass(slots=True)
class Use:
    """How a parameter is used in the body."""

    array: bool = False
    passed: bool = False
    operand: bool = False
    number: bool = False
    item: bool = False
    element: bool = False
    sized: bool = False
    mapping: bool = False
    matrix: bool = False
    other: bool = False

    @property
    def may_be_array(self) -> bool:
        """Whether something is done with it that is done with arrays."""
        return self.array or self.passed or self.operand or self.item


_TELLING = frozenset(
    (
        ast.Attribute, ast.Subscript, ast.BinOp, ast.Compare, ast.AugAssign, ast.Call, ast.For,
        ast.comprehension, ast.Slice, ast.Assign,
    )
)  # fmt: skip
"""What may tell of the names in it."""


@dataclass(slots=True)
class Uses:
    """Collects how each parameter is used, by syntax alone."""

    scope: Scope
    names: frozenset[str]
    takes: AskTakes
    called: AskCalled = field(default=lambda scope, name: None)
    found: dict[str, Use] = field(default_factory=dict)

    def of(self, name: str) -> Use:
        """The record of a parameter."""
        return self.found.setdefault(name, Use())

    def collect(self, node: ast.AST) -> None:
        """Look at a tree, inner functions left out."""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            return
        for one in inside(node):
            if one.__class__ in _TELLING:
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
        elif isinstance(node, ast.Slice):
            for part in (node.lower, node.upper, node.step):
                self._numbers(part)

    def _attribute(self, node: ast.Attribute) -> None:
        name = self._named(node.value)
        if name is None:
            return
        if node.attr in _MAPPING_ATTRIBUTES:
            self.of(name).mapping = True
        elif node.attr in _ARRAY_ATTRIBUTES:
            self.of(name).array = True
            self.of(name).matrix |= node.attr == "T"
        else:
            self.of(name).other = True

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
        if name is None:
            return
        entries = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if len(entries) != 1:
            self.of(name).array = True
            axes = [e for e in entries if not isinstance(e, ast.Constant) or type(e.value) is int]
            self.of(name).matrix |= len(axes) > 1
            self.of(name).element |= any(map(self._is_counted, entries))
        elif isinstance(entries[0], ast.Constant) and isinstance(entries[0].value, str):
            self.of(name).mapping = True
        else:
            self.of(name).passed = self.of(name).passed or isinstance(entries[0], ast.Slice)
            self.of(name).other = self.of(name).other or not isinstance(entries[0], ast.Slice)
            self.of(name).item = True
            self.of(name).element |= self._is_counted(entries[0])

    def _is_counted(self, index: ast.expr) -> bool:
        """Whether a subscript changes with the counter of a loop."""
        return bool(self.scope.counted) and any(
            isinstance(n, ast.Name) and n.id in self.scope.counted for n in walk(index)
        )

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
            if all(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in node.ops):
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
        if library_of(path) is not None and not path.startswith("numpy.random."):
            given = [(a, position, None) for position, a in enumerate(node.args)]
            named = [(k.value, None, k.arg) for k in node.keywords]
            for argument, position, keyword in (*given, *named):
                takes = self.takes(path, position, keyword)
                if takes is Takes.NUMBER:
                    self._numbers(argument)
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
        found = self.called(self.scope, node.func)
        if found is None or any(isinstance(a, ast.Starred) for a in node.args):
            return
        arguments, uses = found[0].args, found[1]
        in_order = [*arguments.posonlyargs, *arguments.args]
        takers = {a.arg: a for a in (*in_order, *arguments.kwonlyargs)}
        given = [*zip((a.arg for a in in_order), node.args, strict=False)]
        given += [(k.arg or "", k.value) for k in node.keywords]
        defaults = default_values(arguments)
        for taker, value in given:
            if taker in takers and isinstance(value, ast.Name) and value.id in self.names:
                taken, ground = judge(takers[taker], defaults.get(taker), None, uses)
                if isinstance(taken, Array) and not taken.optional and ground in _EVIDENT:
                    self.of(value.id).array = True

    def _elementwise(self, node: ast.expr) -> ast.expr:
        """What is inside a call that keeps the shape: ``int(np.ceil(x))`` takes one number."""
        path = self.scope.resolve(node.func) if isinstance(node, ast.Call) else None
        if path is None or not isinstance(node, ast.Call) or len(node.args) != 1:
            return node
        return node.args[0] if self.takes(path, 0, None) is Takes.ELEMENTS else node

    def _passed(self, node: ast.expr, *, array: bool) -> None:
        """Names in an argument of a NumPy call: arrays, or through operators likely arrays."""
        if isinstance(node, ast.BinOp):
            self._passed(node.left, array=False)
            self._passed(node.right, array=False)
        elif isinstance(node, ast.UnaryOp):
            self._passed(node.operand, array=array)
        elif isinstance(node, (ast.List, ast.Tuple)):
            for element in node.elts:
                self._passed(element, array=False)
        elif isinstance(node, ast.Name) and node.id in self.names:
            self.of(node.id).passed = True
            self.of(node.id).array |= array

    def _numbers(self, node: ast.AST | None) -> None:
        if node is None:
            return
        for inner in ast.walk(node):
            if isinstance(inner, (ast.Attribute, ast.Call, ast.Subscript)):
                return
        for inner in ast.walk(node):
            name = self._named(inner)
            if name is not None:
                self.of(name).number = True


def _second(node: ast.expr) -> bool:
    """Whether a subscript or an axis is that of a second axis, or of one behind it."""
    return isinstance(node, ast.Constant) and type(node.value) is int and node.value > 0


def open_uses(scope: Scope, node: FunctionNode, takes: AskTakes, called: AskCalled) -> Uses:
    """A record, still empty, of how the parameters of a function are used in its body."""
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    open_to_use = (
        a.arg for a in every
        if isinstance(_annotation(a.arg, a.annotation, False), Array | None)
    )  # fmt: skip
    return Uses(scope, frozenset(open_to_use) - {"self"}, takes, called)


def parameter_values(
    scope: Scope, node: FunctionNode, call_sites: dict[str, Value], uses: Uses
) -> dict[str, Value]:
    """What is taken to be known of each parameter when the body is entered.

    Parameters
    ----------
    call_sites : dict
        Join of the arguments of all calls seen in the module, by parameter.
    """
    arguments = node.args
    every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    defaults = default_values(arguments)
    method = scope.parent is not None and isinstance(scope.parent.node, ast.ClassDef)
    values: dict[str, Value] = {}
    for position, argument in enumerate(every):
        if method and position == 0 and argument.arg in ("self", "cls"):
            values[argument.arg] = Unknown("`self`")
            continue
        value, _ = judge(argument, defaults.get(argument.arg), call_sites.get(argument.arg), uses)
        use = uses.found.get(argument.arg)
        if isinstance(value, Array) and value.rank is None and use is not None and use.matrix:
            value = replace(value, matrices=frozenset((argument.arg,)))
        values[argument.arg] = value
    for extra in (arguments.vararg, arguments.kwarg):
        if extra is not None:
            values[extra.arg] = Unknown(f"`*{extra.arg}`")
    return values


def default_values(arguments: ast.arguments) -> dict[str, ast.expr]:
    """The defaults of a function's parameters, by name."""
    positional = [*arguments.posonlyargs, *arguments.args]
    found = dict(
        zip(
            (a.arg for a in positional[len(positional) - len(arguments.defaults) :]),
            arguments.defaults,
            strict=True,
        )
    )
    for argument, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        if default is not None:
            found[argument.arg] = default
    return found


class Ground(Enum):
    """What decided about a parameter."""

    ANNOTATION = "annotation"
    CALL_SITE = "call-site"
    DEFAULT = "default"
    USE = "use"
    NOTHING = "nothing"


_EVIDENT = (Ground.ANNOTATION, Ground.USE)
"""Grounds on which a function says of itself what it takes."""


def judge(
    argument: ast.arg, default: ast.expr | None, seen: Value | None, uses: Uses
) -> tuple[Value, Ground]:
    """What is taken to be known of a parameter, and on what ground."""
    name = argument.arg
    optional = isinstance(default, ast.Constant) and default.value is None
    annotated = _annotation(name, argument.annotation, optional)
    if annotated is not None:
        return annotated, Ground.ANNOTATION
    use = uses.found.get(name, Use())
    if seen is not None:
        value = _from_call_sites(name, seen, use, optional)
        if value is not None:
            return value, Ground.CALL_SITE
    if isinstance(default, ast.Constant) and isinstance(
        default.value, (bool, int, float, complex, str)
    ):
        return Scalar(type(default.value).__name__), Ground.DEFAULT
    if isinstance(default, ast.UnaryOp) and isinstance(default.operand, ast.Constant):
        return Scalar(type(default.operand.value).__name__), Ground.DEFAULT
    return _by_use(name, use, optional)


def _by_use(name: str, use: Use, optional: bool) -> tuple[Value, Ground]:
    source = frozenset((name,))
    if use.number:
        return Scalar("int"), Ground.USE
    if use.mapping:
        return Unknown(f"`{name}`"), Ground.NOTHING
    if use.array or use.matrix or use.element or (use.sized and (use.operand or use.passed)):
        return Array(sources=source, optional=optional), Ground.USE
    if use.passed:
        return Either(sources=source, optional=optional, python=True), Ground.USE
    if use.operand and not use.other:
        # Nothing says array: taken for a number, which a boundary checks at run time.
        return ASSUMED, Ground.USE
    if optional and not use.operand:
        return Scalar(), Ground.DEFAULT
    return Unknown(f"`{name}`"), Ground.NOTHING


def annotated(argument: ast.arg) -> Value:
    """What an annotation says of a parameter; `Unknown` where it says nothing of arrays."""
    return _annotation(argument.arg, argument.annotation, False) or UNKNOWN


def _annotation(name: str, annotation: ast.expr | None, optional: bool) -> Value | None:
    if annotation is None:
        return None
    if isinstance(annotation, ast.Constant) and isinstance(annotation.value, str):
        try:
            annotation = ast.parse(annotation.value, mode="eval").body
        except SyntaxError:
            return None
    if isinstance(annotation, ast.BinOp) and isinstance(annotation.op, ast.BitOr):
        return _union(name, annotation, optional)
    word = annotation.id if isinstance(annotation, ast.Name) else ""
    if isinstance(annotation, ast.Attribute):
        word = annotation.attr
    if word in _NUMBER_WORDS and isinstance(annotation, ast.Name):
        return Scalar(_NUMBER_WORDS[word])
    if word in _ARRAY_WORDS:
        return Array(sources=frozenset((name,)), optional=optional)
    if isinstance(annotation, ast.Subscript):
        return _generic_annotation(name, annotation, optional)
    return None


def _union(name: str, annotation: ast.BinOp, optional: bool) -> Value | None:
    sides = [_annotation(name, side, optional) for side in (annotation.left, annotation.right)]
    none = [
        isinstance(s, ast.Constant) and s.value is None for s in (annotation.left, annotation.right)
    ]
    if any(none):
        known = sides[0] if none[1] else sides[1]
        if isinstance(known, Array):
            return Array(known.dtype, known.rank, known.sources, optional=True)
        return Scalar() if isinstance(known, Scalar) else None
    if all(isinstance(s, (Array, Scalar)) for s in sides):
        if any(isinstance(s, Array) for s in sides):
            return Either(sources=frozenset((name,)), optional=optional, python=True)
        return Scalar()
    return None


def _generic_annotation(name: str, annotation: ast.Subscript, optional: bool) -> Value | None:
    head = annotation.value
    word = head.attr if isinstance(head, ast.Attribute) else getattr(head, "id", "")
    if word in _ARRAY_WORDS:
        return Array(_dtype_of(annotation.slice), None, frozenset((name,)), optional)
    if word == "Optional":
        inner = _annotation(name, annotation.slice, True)
        return Scalar() if isinstance(inner, Scalar) else inner
    return None if optional else _annotated_container(name, word, annotation.slice)


def _annotated_container(name: str, word: str, inner: ast.expr) -> Value | None:
    """A list, tuple or dict of arrays; None for those of anything else."""
    parts = list(inner.elts) if isinstance(inner, ast.Tuple) else [inner]
    many = word in ("tuple", "Tuple") and isinstance(parts[-1], ast.Constant)
    if many and len(parts) == 2 and parts[1].value is Ellipsis:  # type: ignore[attr-defined]
        word, parts = "Sequence", parts[:1]
    values = [_annotation(name, part, False) for part in parts]
    if not all(isinstance(v, (Array, Sequence, Tuple, Mapping, Scalar)) for v in values):
        return None
    found = [v for v in values if v is not None]
    if any(isinstance(v, Array) and v.optional for v in found):
        return None
    if word in ("list", "List", "Sequence") and len(found) == 1 and _of_arrays(found[0]):
        return Sequence(found[0], list=word != "Sequence")
    if word in ("tuple", "Tuple") and any(map(_of_arrays, found)):
        return Tuple(tuple(found))
    if word in ("dict", "Dict", "Mapping") and len(found) == 2 and _of_arrays(found[1]):
        return Mapping(found[1])
    return None


def _of_arrays(value: Value) -> bool:
    if isinstance(value, (Sequence, Mapping)):
        return _of_arrays(value.of)
    if isinstance(value, Tuple):
        return any(map(_of_arrays, value.items))
    return isinstance(value, Array)


def _dtype_of(node: ast.expr) -> str | None:
    """``float64`` of ``NDArray[np.float64]``."""
    word = node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")
    known = ("float64", "float32", "int64", "int32", "complex128", "complex64", "uint8", "int16")
    return word if word in known else None


def _from_call_sites(name: str, seen: Value, use: Use, optional: bool) -> Value | None:
    """Call sites are likely, not certain: arrays are relied on by naming the parameter."""
    source = frozenset((name,))
    if isinstance(seen, Array):
        return Array(None, None, source, seen.optional or optional)
    if isinstance(seen, Either):
        return Either(None, source, seen.optional or optional, python=True, seen=True)
    if isinstance(seen, Number):
        return Either(None, source, optional, python=True)
    if isinstance(seen, Scalar):
        if use.array:
            return None
        return Scalar(seen.type)
    if isinstance(seen, Instance):
        return seen
    if isinstance(seen, (Sequence, Mapping, Tuple)):
        return _container(seen, source)
    return None


def _container(seen: Value, source: frozenset[str]) -> Value:
    if isinstance(seen, Array):
        return Array(None, None, source)
    if isinstance(seen, (Either, Number)):
        return Either(None, source)
    if isinstance(seen, Sequence):
        return Sequence(_container(seen.of, source), seen.list) if seen.of != EMPTY else UNKNOWN
    if isinstance(seen, Mapping):
        return Mapping(_container(seen.of, source)) if seen.of != EMPTY else UNKNOWN
    if isinstance(seen, Tuple):
        return Tuple(tuple(_container(v, source) for v in seen.items))
    return seen

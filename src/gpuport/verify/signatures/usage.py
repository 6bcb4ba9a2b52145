"""Cold start: what a function does with a parameter says what is tried for it first."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from gpuport.verify.sides.syntax import (
    ARRAY_ATTRIBUTES,
    GENERATOR_METHODS,
    MUTATORS,
    attributes_of,
    compared_texts,
    is_name,
)
from gpuport.verify.signatures.ranks import known_rank
from gpuport.verify.signatures.shapechecks import checked
from gpuport.verify.signatures.standins import stand_ins
from gpuport.verify.signatures.tables import asked, tables
from gpuport.verify.signatures.takenapart import item_targets, taken_apart
from gpuport.verify.signatures.typechecks import asked_containers
from gpuport.verify.slots import BASE_SIZE, Slot

RANKS = (1, 2, 3)
_COUNTED = frozenset(
    ["range", "zeros", "ones", "empty", "arange", "eye", "linspace", "full", "identity", "tri",
     "triu_indices", "tril_indices", "diag_indices", "hanning", "hamming", "blackman", "bartlett",
     "kaiser", "fftfreq", "rfftfreq", "indices"]
)  # fmt: skip
_JOINING = frozenset(["r_", "c_", "s_", "mgrid", "ogrid", "index_exp"])  # no arrays
_BITWISE = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
# functions of NumPy that take indices, and as how-manieth argument
_TAKING_INDICES = {"at": 1, "take": 1, "put": 1, "take_along_axis": 1, "bincount": 0, "ix_": 0}
# those that make masks or indices of numbers of any kind
_MAKING_INDICES = frozenset(
    ["isnan", "isfinite", "isinf", "isclose", "isreal", "iscomplex", "signbit", "nonzero",
     "flatnonzero", "argwhere", "where", "argsort", "argmin", "argmax", "argpartition", "lexsort",
     "searchsorted", "digitize", "isin", "greater", "greater_equal", "less", "less_equal", "equal",
     "not_equal", "int", "round", "len"]
)  # fmt: skip
# what NumPy's functions take by these names
OF_KEYWORDS: dict[str, tuple[object, ...]] = {
    "axis": (0, -1, 1, None, (0, 1), -2),
    "ddof": (0, 1),
    "keepdims": (False, True),
    "endpoint": (False, True),
    "assume_unique": (False, True),
    "full_matrices": (False, True),
    "return_index": (False, True),
    "return_inverse": (False, True),
    "return_counts": (False, True),
    "side": ("left", "right"),
    "order": ("C", "F"),
    "indexing": ("xy", "ij"),
    "dtype": ("float64", "float32", "int64", "complex128"),
    "mode": ("same", "full", "valid", "edge", "wrap", "reflect", "constant", "clip"),
    "method": ("linear", "lower", "higher", "nearest", "midpoint"),
    "norm": ("ortho", "forward", "backward"),
    "kind": ("stable", "quicksort"),
    "UPLO": ("L", "U"),
}
_OF_DTYPES = ("astype", "dtype")


def arrays(name: str, dtype: str | None = None, ranks: tuple[int, ...] = RANKS) -> list[Slot]:
    """Array slots of several ranks, each axis a dimension of its own."""
    return [
        Slot(name, "array", dtype, tuple(f"{name}.{axis}" for axis in range(rank)))
        for rank in ranks
    ]


def repeated(name: str, kind: str, inner: Slot, count: int) -> Slot:
    """A list or tuple of `count` slots like `inner`, each with dimensions of its own."""
    items = tuple(replace(inner, dims=tuple(f"{d}.{i}" for d in inner.dims)) for i in range(count))
    return Slot(name, kind, items=items)


def guessed(name: str, scope: ast.AST) -> Iterator[Slot]:
    """Slots for a parameter of which nothing is declared, likeliest first."""
    uses = {use for node in ast.walk(scope) for use in _uses(name, node)}
    keys = [use.partition(":")[2] for use in uses if use.startswith("key:")]
    keys = sorted(keys, reverse=True)  # not in the order of the alphabet
    of_tables = asked(attributes_of(name, scope))
    yield from tables(name, of_tables, keys)
    yield from stand_ins(name, scope)
    texts = compared_texts(name, scope)
    if texts:
        yield Slot(name, "choice", choices=texts)
    yield from checked(name, scope)
    yield from taken_apart(name, scope, used_as_array, indexed)
    yield from _of_known_items(name, scope)
    yield from _passed_on(name, scope)
    containers = list(asked_containers(name, scope))
    yield from arrays(name, None, (1,))[: len(containers)]
    yield from containers
    uses |= set(_element_uses(name, scope))
    if keys:
        yield Slot(name, "dict", items=tuple(arrays(key, None, (1,))[0] for key in keys))
        yield Slot(name, "dict", items=tuple(Slot(key, "float") for key in keys))
        yield Slot(name, "dict", items=tuple(arrays(key, None, (2,))[0] for key in keys))
    elif "mapping" in uses:
        for rank in RANKS:
            yield Slot(
                name, "dict", items=tuple(s for k in "bac" for s in arrays(k, None, (rank,)))
            )
    if "draw" in uses and "array" not in uses:
        yield Slot(name, "generator")
    if "mask" in uses:
        yield from arrays(name, "bool", (1, 2))
    whole = arrays(name, "int64", (1, 2))
    plain = [*arrays(name, None, (1, 2)), Slot(name, "float"), Slot(name, "int")]
    if "integer" in uses:
        yield from whole
    elif "count" in uses and "array" not in uses:
        yield Slot(name, "int")
        yield from plain[:-1]
        plain = []
    elif "decides" in uses and "array" not in uses:
        plain = [*plain[2:], *plain[:2]]
    yield from plain
    yield from arrays(name, None, (3,))
    if "integer" not in uses:
        yield from whole
    yield from (repeated(name, "list", inner, 3) for inner in arrays(name, None, (1, 2)))
    yield from arrays(name, "bool", (1, 2))
    length = max(_lengths(name, scope), default=0)
    if length:
        yield repeated(name, "list", Slot(name, "float"), length)


def _lengths(name: str, scope: ast.AST) -> Iterator[int]:
    """How many items are needed where they are taken one by one, ``x[0]``; any for ``len(x)``."""
    for node in ast.walk(scope):
        if isinstance(node, ast.Subscript) and is_name(node.value, name):
            place = node.slice.value if isinstance(node.slice, ast.Constant) else None
            if type(place) is int:
                yield place + 1
        elif isinstance(node, ast.Call) and [*map(ast.unparse, (node.func, *node.args))] == [
            "len", name,
        ]:  # fmt: skip
            yield BASE_SIZE


def _passed_on(name: str, scope: ast.AST) -> Iterator[Slot]:
    """What NumPy takes for the keyword that the parameter is given to."""
    for node in ast.walk(scope):
        if isinstance(node, ast.keyword) and node.arg in OF_KEYWORDS and is_name(node.value, name):
            choices = tuple(value for value in OF_KEYWORDS[node.arg] if value is not None)
            yield Slot(name, "choice", choices=choices, nullable=None in OF_KEYWORDS[node.arg])
            return


def passed_texts(name: str, scope: ast.AST) -> tuple[str, ...]:
    """Texts that NumPy takes for what the parameter is passed on as: ``mode=name``."""
    for node in ast.walk(scope):
        key = node.arg if isinstance(node, ast.keyword) and is_name(node.value, name) else None
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in _OF_DTYPES:
            key = "dtype" if any(is_name(given, name) for given in node.args) else key
        texts = [v for v in OF_KEYWORDS.get(key or "", ()) if isinstance(v, str)]
        if texts:
            return tuple(texts)
    return ()


def _uses(name: str, node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Attribute) and is_name(node.value, name):
        if node.attr in ARRAY_ATTRIBUTES:
            yield "array"
        elif node.attr in GENERATOR_METHODS:
            yield "draw"
        elif node.attr in ("items", "values", "keys"):
            yield "mapping"
    elif isinstance(node, ast.If | ast.IfExp | ast.While):
        if any(_decides(part, name) for part in _conditions(node.test)):
            yield "decides"
    elif isinstance(node, ast.Subscript) and is_name(node.value, name):
        key = node.slice
        value = key.value if isinstance(key, ast.Constant) else None
        yield f"key:{value}" if isinstance(value, str) else "array"
    elif isinstance(node, ast.Subscript):
        if any(_is_turned(part, name) for part in _of_places(node.slice)):
            yield "mask"
    elif isinstance(node, ast.Call):
        callee = ast.unparse(node.func).rpartition(".")[2]
        if callee in _COUNTED:
            if any(is_name(part, name) for argument in node.args for part in ast.walk(argument)):
                inside = any(_measures(part, name) for a in node.args for part in ast.walk(a))
                yield "array" if inside else "count"
        elif callee == "len" and node.args and is_name(node.args[0], name):
            yield "array"


def _is_turned(node: ast.AST, name: str) -> bool:
    """Whether this is ``~keep``, as of a mask in a subscript."""
    turned = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert)
    return turned and is_name(node.operand, name)  # type: ignore[attr-defined]


def _conditions(test: ast.expr) -> Iterator[ast.expr]:
    """What an `if` asks: its test, or the operands of `and`, `or` and `not`."""
    if isinstance(test, ast.BoolOp):
        yield from (part for value in test.values for part in _conditions(value))
    elif isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        yield from _conditions(test.operand)
    else:
        yield test


def _decides(condition: ast.expr, name: str) -> bool:
    """Whether the parameter itself is compared, which no array of several elements can be."""
    if not isinstance(condition, ast.Compare):
        return False
    if any(isinstance(op, ast.Is | ast.IsNot | ast.In | ast.NotIn) for op in condition.ops):
        return False
    return any(is_name(part, name) for part in (condition.left, *condition.comparators))


def _measures(node: ast.AST, name: str) -> bool:
    """Whether this is ``len(x)``, ``x.shape`` or ``x[...]`` of the parameter."""
    if isinstance(node, ast.Call) and node.args:
        return ast.unparse(node.func) == "len" and is_name(node.args[0], name)
    return isinstance(node, ast.Attribute | ast.Subscript) and is_name(node.value, name)


def _element_uses(name: str, scope: ast.AST) -> Iterator[str]:
    """``integer`` where elements of the parameter are indices or operands of bit operations."""
    elements = set(_elements(name, scope))
    if not elements:
        elements = {name}

    def element(node: ast.AST) -> bool:
        held = isinstance(node, ast.Subscript) and is_name(node.value, name)
        return held or (isinstance(node, ast.Name) and node.id in elements)

    for node in ast.walk(scope):
        if isinstance(node, ast.Call) and any(element(part) for part in _indices(node)):
            yield "integer"
        elif isinstance(node, ast.Subscript) and not is_name(node.value, name):
            if ast.unparse(node.value).rpartition(".")[2] in _JOINING:
                continue
            if any(element(part) for part in _of_places(node.slice)):
                yield "integer"
        elif (
            isinstance(node, ast.BinOp)
            and isinstance(node.op, _BITWISE)
            and (element(node.left) or element(node.right))
        ):
            yield "integer"


def _of_places(index: ast.expr) -> Iterator[ast.AST]:
    """The parts of a subscript without what only decides which elements it chooses.

    What is compared or ordered there may be anything, ``y[x > level]``, ``w[np.argsort(x)]``, and
    what is turned round is a mask: ``y[~keep]``.
    """
    waiting: list[ast.AST] = [index]
    while waiting:
        node = waiting.pop()
        yield node
        turned = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Invert)
        if not (turned or isinstance(node, ast.Compare) or _makes_indices(node)):
            waiting.extend(ast.iter_child_nodes(node))


def _makes_indices(node: ast.AST) -> bool:
    called = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
    return called in _MAKING_INDICES


def _indices(call: ast.Call) -> Iterator[ast.expr]:
    """Arguments that NumPy takes for indices, the parts of a tuple one by one."""
    place = _TAKING_INDICES.get(getattr(call.func, "attr", ""))
    module = isinstance(call.func, ast.Attribute) and not isinstance(call.func.value, ast.Subscript)
    if place is None or not module or len(call.args) <= place:
        return
    given = call.args[place]
    yield from given.elts if isinstance(given, ast.Tuple) else [given]


def indexed(name: str, scope: ast.AST) -> bool:
    """Whether elements of the parameter must be integers."""
    return any(True for _ in _element_uses(name, scope))


def _elements(name: str, scope: ast.AST) -> Iterator[str]:
    """Names that stand for one element: targets of loops over it, and of ``v = x[i]``."""
    for node in ast.walk(scope):
        if isinstance(node, ast.For | ast.comprehension):
            yield from _targets(name, node.iter, node.target)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1:
            value, target = node.value, node.targets[0]
            if isinstance(value, ast.Call) and len(value.args) == 1:
                value = value.args[0]
            held = isinstance(value, ast.Subscript) and is_name(value.value, name)
            if held and isinstance(target, ast.Name):
                yield target.id


def _targets(name: str, over: ast.expr, target: ast.expr) -> Iterator[str]:
    targets = item_targets(name, over, target)
    yield from (one.id for one in targets if isinstance(one, ast.Name))


def _of_known_items(name: str, scope: ast.AST) -> Iterator[Slot]:
    """A list, or a stack, of arrays of which the function shows the rank."""
    for item in dict.fromkeys(_elements(name, scope)):
        rank = known_rank(item, scope)
        if rank is not None and 0 < rank <= RANKS[-1]:
            yield from (repeated(name, "list", one, 3) for one in arrays(name, None, (rank,)))
            yield from arrays(name, None, (rank + 1,))
            return


def asked_for_none(name: str, scope: ast.AST) -> bool:
    """Whether the function asks if the parameter is None: such callers are meant."""
    for node in ast.walk(scope):
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and is_name(node.left, name):
            other = node.comparators[0]
            nothing = isinstance(other, ast.Constant) and other.value is None
            if nothing and isinstance(node.ops[0], ast.Is | ast.IsNot):
                return True
    return False


def used_as_array(name: str, scope: ast.AST) -> bool:
    """Whether the function's own text says so: attributes, subscripts, arguments of NumPy."""
    if compared_texts(name, scope) or set(attributes_of(name, scope)) - ARRAY_ATTRIBUTES:
        return False
    for node in ast.walk(scope):
        if "array" in set(_uses(name, node)):
            return True
        if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(("np.", "numpy.")):
            shapes = ast.unparse(node.func).rpartition(".")[2] in _COUNTED
            if not shapes and any(is_name(argument, name) for argument in node.args):
                return True
    return False


def changes_instance(node: ast.AST | None) -> bool:
    """Whether a method, no constructor, binds or changes an attribute of its instance."""
    if not isinstance(node, ast.FunctionDef) or node.name.startswith("__") or node.decorator_list:
        return False
    me = node.args.args[0].arg if node.args.args else ""
    for part in ast.walk(node):
        held = _changed(part)
        attribute = isinstance(held, ast.Attribute | ast.Subscript)
        while isinstance(held, ast.Attribute | ast.Subscript):
            held = held.value
        if held is not None and attribute and is_name(held, me):
            return True
    return False


def stored_in_instance(method: ast.FunctionDef) -> Iterator[str]:
    """Attributes of its instance that a method binds."""
    me = method.args.args[0].arg if method.args.args else ""
    for part in ast.walk(method):
        if _stores(part) and is_name(part.value, me):  # type: ignore[attr-defined]
            yield part.attr  # type: ignore[attr-defined]


def called_on_instance(method: ast.FunctionDef) -> Iterator[str]:
    """Methods that a method calls on its instance, or on what its bases have of them."""
    me = method.args.args[0].arg if method.args.args else ""
    for part in ast.walk(method):
        function = part.func if isinstance(part, ast.Call) else None
        if isinstance(function, ast.Attribute) and is_name(function.value, me):
            yield function.attr


def _stores(node: ast.AST) -> bool:
    return isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store)


def _changed(node: ast.AST) -> ast.AST | None:
    """What this node binds, or changes in place: ``self.seen`` of ``self.seen.append(x)``."""
    if isinstance(node, ast.Attribute | ast.Subscript):
        return node if isinstance(node.ctx, ast.Store) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.value if node.func.attr in MUTATORS else None
    return None

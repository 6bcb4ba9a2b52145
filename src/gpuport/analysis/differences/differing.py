"""Where CuPy means something else than NumPy: the conditions of the ``differs`` rules.

The rules say which names differ, under which conditions and what follows; here the conditions
are read off what is known of the operands.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from gpuport.analysis.differences.awaited import Catch
from gpuport.analysis.differences.infinities import made_of_complex
from gpuport.analysis.differences.instead import HELP, write_instead
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.knowledge.numpynames import positional_name
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.values.lattice import (
    PLACE,
    Array,
    Either,
    Number,
    Scalar,
    Tuple,
    Unknown,
    Value,
    is_arraylike,
    is_number,
)
from gpuport.analysis.values.lattice import Sequence as SequenceValue
from gpuport.rules.model import DiffersRule

OPERATOR_NAMES = {
    "FloorDiv": "numpy.ndarray.__floordiv__",
    "Mod": "numpy.ndarray.__mod__",
    "Pow": "numpy.power",
    "MatMult": "numpy.matmul",
    "Div": "numpy.divide",
}
"""What the operators with semantic differences are: a ufunc, or what NumPy does not share with it
(of numbers of Python's the operator gives such a number)."""

_IN_PLACE_NAMES = {"MatMult": "numpy.ndarray.__imatmul__"}
"""Operators that differ in place alone."""

_ITS_OWN_NAMES = {"Pow": "numpy.ndarray.__pow__"}
"""Operators that differ where their ufunc does not: `x ** 2` is `np.square(x)`."""

_ITEM_READ = "numpy.ndarray.__getitem__"


def check_operator(
    unit: Unit, node: ast.AST, name: str, values: Sequence[Value], graph_node: Node
) -> None:
    """Differences of an operator."""
    in_place = _IN_PLACE_NAMES.get(name) if isinstance(node, ast.AugAssign) else None
    for path in (OPERATOR_NAMES.get(name), _ITS_OWN_NAMES.get(name), in_place):
        if path is not None:
            check(unit, node, path, values, graph_node)


def check_gather(unit: Unit, node: ast.AST, parts: Sequence[Value | str], graph_node: Node) -> None:
    """Differences of ``x[indices]``."""
    facts = {"integer-index": integer_arrays(parts), "always": False}
    apply(unit, node, _ITEM_READ, graph_node, lambda word: facts.get(word, False))


def check(
    unit: Unit,
    node: ast.AST,
    path: str,
    values: Sequence[Value],
    graph_node: Node,
    *,
    part: bool = False,
) -> None:
    """Differences of a call or operator on operands of the given values.

    ``part``: the first of them may be a view of another array.
    """
    if not unit.knowledge.rules.differs(path):
        return
    arrays = [v for v in values if is_arraylike(v)]

    def holds(word: str) -> bool:
        if word == "view":
            return part
        if word == "unstable-sort":
            return not _asks_for_stable(node)
        if word in _RANKS and isinstance(node, ast.Call):
            return any(map(_RANKS[word], values[: len(node.args)]))
        if word in _NAMED:
            return any(map(_is_given, _given(unit, node, path, _NAMED[word])))
        if word == "other-choice":
            return _is_other_choice(unit, node, path)
        if word == "complex-dividend":
            return _divides_complex(unit, node, values)
        if word == "infinite-divisor":
            return not is_number(values[-1]) and unit.project.program.stores_infinity
        condition = _CONDITIONS.get(word)
        return condition is not None and condition(arrays, values)

    apply(unit, node, path, graph_node, holds, tuple(values))


def apply(
    unit: Unit,
    node: ast.AST,
    path: str,
    graph_node: Node,
    holds: Callable[[str], bool],
    values: tuple[Value, ...] = (),
) -> None:
    """Tell, or act on, each rule of a name whose conditions all hold."""
    for rule in unit.knowledge.rules.differs(path):
        if not all(holds(word) for word in rule.when):
            continue
        if rule.instead and write_instead(unit, node, graph_node, rule.instead, values):
            continue
        message = rule.message.replace("{name}", path.replace("numpy.", "np.", 1))
        if rule.then in ("host", "instead") and not unit.knowledge.unsafe:
            help = HELP if rule.instead else None
            unit.pin(graph_node, rule.code, message, node, "semantic-difference", rule.id, help)
        elif rule.raises and (catch := _awaited(unit, rule)) is not None:
            where = unit.project.program.where(unit.project, catch.node)
            message = (
                f"exception handling: the `{catch.word}` on {where} waits for what "
                f"`{unit.name}` raises here; CuPy does not raise where NumPy does"
            )
            unit.pin(graph_node, "GP903", message, node, "exception-handling", rule.id)
        else:
            unit.note(rule.code, message, node, on=graph_node, rule=rule.id)


def _awaited(unit: Unit, rule: DiffersRule) -> Catch | None:
    """What callers of a function wait with for errors that the host alone raises in it."""
    restored = unit.decorated and bool(unit.parameters.nodes) and unit.objects is None
    raised = [error for error in rule.raises if not (restored and error == _RESTORED)]
    name = unit.name.rpartition(".")[2]
    return unit.project.program.awaited.catch(name, raised) if raised else None


_RESTORED = "LinAlgError"
"""What the runtime's boundary makes CuPy raise."""


def integer_arrays(parts: Sequence[Value | str]) -> bool:
    """Whether an entry of an index is, or may be, an integer array, or a number of the device."""
    return any(
        integer_arrays(p.items) if isinstance(p, Tuple)
        else p.of != PLACE if isinstance(p, SequenceValue)
        else isinstance(p, (Array, Either, Number, Unknown))
        and getattr(p, "dtype", None) != "bool"
        for p in parts
    )  # fmt: skip


def dtype_kind(value: Value) -> str | None:
    """``f``, ``i``, ``c`` or ``b``; None where it is not known."""
    name = getattr(value, "dtype", None)
    if isinstance(value, Scalar):
        return {"float": "f", "int": "i", "bool": "b", "complex": "c"}.get(value.type or "")
    if name is None:
        return None
    return {"f": "f", "c": "c", "b": "b"}.get(name[0], "i")


def narrows(base: Value, stored: Value) -> bool:
    """Whether a NumPy scalar stored in an array of signed integers may be too large for it.

    In an array of unsigned ones NumPy, too, wraps it around.
    """
    import numpy as np

    target, source = (np.dtype(getattr(v, "dtype", None) or "O") for v in (base, stored))
    if target.kind != "i" or not isinstance(stored, (Number, Either)):
        return False
    if source.kind == "O":  # what is not known may be of the usual size
        return isinstance(stored, Number) and not np.can_cast("int64", target)
    return source.kind in "iu" and not np.can_cast(source, target)


def _float_operands(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    kinds = [dtype_kind(v) for v in values]
    return any(k in ("f", None) for k in kinds) or not arrays


def _integer_operands(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    return all(dtype_kind(v) in ("i", "b", None) for v in values)


def _negative_exponent(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    if len(values) < 2:
        return False
    exponent = values[1]
    if isinstance(exponent, Scalar) and exponent.constant is not None:
        constant = exponent.constant
        return isinstance(constant, int) and constant < 0
    kinds = (dtype_kind(values[0]), dtype_kind(exponent))
    name = getattr(exponent, "dtype", None) or ""
    return kinds[0] in ("i", "b", None) and kinds[1] in ("i", None) and not name.startswith("u")


def _float_to_int(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    if not arrays or dtype_kind(arrays[0]) not in ("f", None):
        return False
    return any(_is_integer_dtype(v) for v in values[1:])


def _is_integer_dtype(value: Value) -> bool:
    import numpy as np

    if not isinstance(value, Scalar) or value.constant is None:
        return False
    if not isinstance(value.constant, (str, type)) or value.type not in ("dtype", "str"):
        return False
    try:
        return np.dtype(value.constant).kind in "iu"
    except TypeError:
        return False


def _single_precision(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    return any(getattr(v, "dtype", None) in ("float32", "float16", "complex64") for v in arrays)


_NAMED = {"with-axis": "axis", "with-dtype": "dtype", "with-weights": "weights"}
"""Conditions on an argument of the call."""


def _given(unit: Unit, node: ast.AST, path: str, parameter: str) -> list[ast.expr]:
    """What a call gives for a parameter."""
    if not isinstance(node, ast.Call):
        return []
    given = [k.value for k in node.keywords if k.arg == parameter]
    entry = unit.knowledge.tables.entry(path)
    if entry is not None and entry.parameters is not None:
        own = int(bool(entry.parameters) and entry.parameters[0].name == "self")
        names = [positional_name(entry.parameters, k + own) for k in range(len(node.args))]
        given += [a for a, name in zip(node.args, names, strict=True) if name == parameter]
    return given


def _divides_complex(unit: Unit, node: ast.AST, values: Sequence[Value]) -> bool:
    kind = dtype_kind(values[0]) if values else "f"
    if kind is not None or is_number(values[0]):
        return kind == "c"
    first = getattr(node, "left", getattr(node, "target", None))
    first = node.args[0] if isinstance(node, ast.Call) and node.args else first
    return first is not None and made_of_complex(first, unit.node)


def _is_given(node: ast.expr) -> bool:
    return not (isinstance(node, ast.Constant) and node.value is None)


def _is_other_choice(unit: Unit, node: ast.AST, path: str) -> bool:
    """Whether a parameter is given a word that CuPy does not take, and no rule writes another."""
    if id(node) in unit.work.replacements:
        return False
    for parameter, words in unit.knowledge.words.choices.get(path, {}).items():
        for one in _given(unit, node, path, parameter):
            if isinstance(one, ast.Constant) and isinstance(one.value, str):
                return one.value not in words
    return False


def _asks_for_stable(node: ast.AST) -> bool:
    given = {k.arg: k.value for k in node.keywords} if isinstance(node, ast.Call) else {}
    return any(
        isinstance(value, ast.Constant) and value.value in wanted
        for value, wanted in (
            (given.get("kind"), ("stable", "mergesort")),
            (given.get("stable"), (True,)),
        )
    )


def _not_double(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    return _single_precision(arrays, values) or any(
        getattr(v, "dtype", None) is None for v in arrays
    )


def _narrow_integers(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    narrow = ("bool", "int8", "uint8", "int16", "uint16")
    return any(getattr(v, "dtype", None) in narrow for v in arrays)


def _short_integers(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    names = [getattr(v, "dtype", None) or "" for v in arrays]
    return any(n.startswith(("int", "uint")) and n not in ("int64", "uint64") for n in names)


def _of_kind(kind: str) -> Callable[[Sequence[Value], Sequence[Value]], bool]:
    """Whether an operand is known to be of this kind of dtype."""
    return lambda arrays, values: any(dtype_kind(v) == kind for v in values)


def _square_of_truths(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    exponent = values[1] if len(values) > 1 else None
    return (
        isinstance(exponent, Scalar)
        and exponent.type == "int"
        and exponent.constant in (None, 2)
        and dtype_kind(values[0]) == "b"
    )


def _scatter_type(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    name = getattr(values[0], "dtype", None) if values else None
    return name is not None and name not in _SCATTERED


_SCATTERED = frozenset({"int32", "int64", "uint32", "uint64", "float32", "float64"})


def _not_int32(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    return not values or getattr(values[0], "dtype", None) not in ("int32", "uint32")


def _unknown_dtype(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    return any(getattr(v, "dtype", None) is None for v in arrays)


def _number_operand(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    return any(isinstance(v, Scalar) and v.type in _NUMBERS for v in values)


_NUMBERS = frozenset({"int", "float", "complex", "bool"})


def tells_numbers_apart(unit: Unit, path: str) -> bool:
    """Whether a function that takes numbers of Python's gives something else for them in CuPy."""
    rules = unit.knowledge.rules.differs(path)
    return any(rule.then == "host" and rule.when == (_NUMBER,) for rule in rules)


_NUMBER = "number-operand"


def _zero_dimensional(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    first = values[0] if values else None
    return isinstance(first, Number) or (isinstance(first, Array) and first.rank == 0)


def _is_no_vector(value: Value) -> bool:
    if isinstance(value, Array):
        return value.rank not in (None, 1)
    return isinstance(value, Number) or (isinstance(value, Scalar) and value.type in _NUMBERS)


def _is_perhaps_no_vector(value: Value) -> bool:
    return isinstance(value, (Either, Unknown)) or getattr(value, "rank", 1) is None


def _joined(value: Value) -> tuple[Value, ...]:
    """The arrays of a list that is given for them to be joined."""
    if isinstance(value, Tuple):
        return value.items
    return (value.of,) if isinstance(value, SequenceValue) else (value,)


def _has_more_axes(value: Value) -> bool:
    return any((getattr(one, "rank", None) or 0) > 2 for one in _joined(value))


def _has_perhaps_more_axes(value: Value) -> bool:
    return any(map(_is_perhaps_no_vector, _joined(value)))


def _of_other_ranks(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    ranks = {getattr(value, "rank", None) or 0 for value in values[:2]}
    return len(ranks) == 2 and min(ranks) > 1


_RANKS = {
    "not-vectors": _is_no_vector,
    "perhaps-not-vectors": _is_perhaps_no_vector,
    "more-than-matrices": _has_more_axes,
    "perhaps-more-than-matrices": _has_perhaps_more_axes,
}
"""Conditions on how many axes the positional arguments have."""


def _integer_result(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    return any(_is_integer_dtype(v) for v in values[1:])


def _singular(arrays: Sequence[Value], values: Sequence[Value]) -> bool:
    return bool(arrays)


_CONDITIONS: dict[str, Callable[[Sequence[Value], Sequence[Value]], bool]] = {
    "always": lambda arrays, values: True,
    "float-operands": _float_operands,
    "integer-operands": _integer_operands,
    "negative-exponent": _negative_exponent,
    "float-to-int": _float_to_int,
    "single-precision": _single_precision,
    "not-double": _not_double,
    "narrow-integers": _narrow_integers,
    "short-integers": _short_integers,
    "truth-values": _of_kind("b"),
    "square-of-truths": _square_of_truths,
    "complex-operands": _of_kind("c"),
    "matrices-of-other-ranks": _of_other_ranks,
    "scatter-type": _scatter_type,
    "not-int32": _not_int32,
    "unknown-dtype": _unknown_dtype,
    _NUMBER: _number_operand,
    "zero-dimensional": _zero_dimensional,
    "integer-result": _integer_result,
    "singular": _singular,
    "narrowed-number": lambda arrays, values: len(values) > 1 and narrows(values[0], values[1]),
    "device-argument": lambda arrays, values: bool(arrays),
}

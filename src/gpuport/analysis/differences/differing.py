"""Where CuPy means something else than NumPy: the conditions of the ``differs`` rules.

The rules say which names differ, under which conditions and what follows; here the conditions
are read off what is known of the operands.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from gpuport.analysis.differences.awaited import Catch
from gpuport.analysis.differences.conditions import (
    CONDITIONS,
    NUMBER,
    RANKS,
    dtype_kind,
    integer_arrays,
)
from gpuport.analysis.differences.infinities import made_of_complex, names_behind
from gpuport.analysis.differences.instead import HELP, write_instead
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.graph import Node
from gpuport.analysis.values.lattice import (
    Value,
    is_arraylike,
    is_number,
)
from gpuport.rules.model import DiffersRule
from gpuport.rules.numpynames import positional_name
from gpuport.source.counting import never_negative

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
    strided: bool = True,
) -> None:
    """Differences of a call or operator on operands of the given values.

    ``part``: the first of them may be a view of another array. ``strided``: it is not known to
    lie in C order.
    """
    if not unit.knowledge.rules.differs(path):
        return
    arrays = [v for v in values if is_arraylike(v)]

    def holds(word: str) -> bool:
        if word in ("view", "perhaps-strided"):
            return part or (strided and word != "view")
        if word == "unstable-sort":
            return not _asks_for_stable(node)
        if word in RANKS and isinstance(node, ast.Call):
            return any(map(RANKS[word], values[: len(node.args)]))
        if word in _NAMED:
            return any(map(_is_given, _given(unit, node, path, _NAMED[word])))
        if word == "without-output":
            return not any(map(_is_given, _given(unit, node, path, "output")))
        if word in _COUNTED:
            return any(map(_is_beyond_one, _given(unit, node, path, _COUNTED[word])))
        if word == "other-choice":
            return _is_other_choice(unit, node, path)
        if word == "complex-dividend":
            return _divides_complex(unit, node, values)
        if word == "infinite-divisor":
            return not is_number(values[-1]) and unit.project.program.stores_infinity
        if word == "negative-exponent" and never_negative(
            _exponent(unit, node, path),
            unit.scope,
            unit.knowledge.words.distinct_indices["counters"],
        ):
            return False
        condition = CONDITIONS.get(word)
        return condition is not None and condition(arrays, values)

    def likely(word: str) -> bool:
        if word == "untold-dtype":
            return holds(word) and any(dtype_kind(value) is None for value in passed)
        return holds(word) or (word in _TOLD_BY_CALLS and CONDITIONS[word](passed, passed))

    passed = _passed(unit, node, arrays)
    apply(unit, node, path, graph_node, holds, tuple(values), likely if passed else holds)


def apply(
    unit: Unit,
    node: ast.AST,
    path: str,
    graph_node: Node,
    holds: Callable[[str], bool],
    values: tuple[Value, ...] = (),
    likely: Callable[[str], bool] | None = None,
) -> None:
    """Tell, or act on, each rule of a name whose conditions all hold.

    What is only told is told where they are ``likely`` to hold, as calls tell; so is what asks for
    data of which nothing else is known.
    """
    for rule in unit.knowledge.rules.differs(path):
        by_calls = rule.then == "report" or "unknown-dtype" in rule.when
        asked = likely if likely is not None and by_calls else holds
        if not all(asked(word) for word in rule.when):
            continue
        if rule.instead and write_instead(unit, node, graph_node, rule, values):
            continue
        message = rule.message.replace("{name}", path.replace("numpy.", "np.", 1))
        if rule.then in ("host", "instead") and not unit.knowledge.unsafe:
            help = HELP if rule.instead and not rule.takes else None
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


_TOLD_BY_CALLS = frozenset({"complex-operands", "single-precision", "whole-numbers"})
"""Conditions on dtypes that calls tell of, where nothing else does."""


def _passed(unit: Unit, node: ast.AST, arrays: Sequence[Value]) -> list[Value]:
    """What calls of the function most likely pass for the operands, where these are not known."""
    passed = unit.project.calls.likely(unit.node)
    if not passed or all(getattr(value, "dtype", None) is not None for value in arrays):
        return []
    return [passed[name] for name in names_behind(node, unit.node) if name in passed]


_NAMED = {"with-axis": "axis", "with-dtype": "dtype", "with-weights": "weights"}
"""Conditions on an argument of the call."""


_COUNTED = {"degrees-beyond-one": "ddof"}
"""Likewise, on how much a number is."""


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


def _exponent(unit: Unit, node: ast.AST, path: str) -> ast.expr | None:
    """What a power is raised to."""
    given = _given(unit, node, path, "x2")
    side: ast.expr | None = getattr(node, "right", None)
    if isinstance(node, ast.AugAssign):
        side = node.value
    return given[0] if given else side


def _divides_complex(unit: Unit, node: ast.AST, values: Sequence[Value]) -> bool:
    kind = dtype_kind(values[0]) if values else "f"
    if kind is not None or is_number(values[0]):
        return kind == "c"
    first = getattr(node, "left", getattr(node, "target", None))
    first = node.args[0] if isinstance(node, ast.Call) and node.args else first
    return first is not None and made_of_complex(first, unit.node)


def _is_given(node: ast.expr) -> bool:
    return not (isinstance(node, ast.Constant) and node.value is None)


def _is_beyond_one(node: ast.expr) -> bool:
    """Whether a number is, or may be, other than 0 and 1."""
    return not (isinstance(node, ast.Constant) and node.value in (0, 1, None))


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


def tells_numbers_apart(unit: Unit, path: str) -> bool:
    """Whether a function that takes numbers of Python's gives something else for them in CuPy."""
    rules = unit.knowledge.rules.differs(path)
    return any(rule.then == "host" and rule.when == (NUMBER,) for rule in rules)

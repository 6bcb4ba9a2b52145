"""Operators: of Python's numbers by their rules, of arrays as NumPy says."""

from __future__ import annotations

from collections.abc import Callable

from gpuport.facts.contexts import Place
from gpuport.facts.evaluation import Evaluation, transfer
from gpuport.facts.operations import IN_ITS_PLACE, OF_ONE
from gpuport.facts.transfer.elements import element
from gpuport.facts.transfer.escaping import change_list
from gpuport.ir.extents import Affine
from gpuport.ir.types import (
    BOOL,
    COMPLEX,
    FLOAT,
    INT,
    NONE,
    NOWHERE,
    STRING,
    UNKNOWN,
    Assumption,
    Type,
    alternatives,
    assumptions,
    join_all,
)

PLAIN = frozenset({"number", "string", "none", "tuple", "list", "dict"})
ARITHMETIC = frozenset({"array", "scalar", "number"})
WIDTH = ("bool", "int", "float", "complex")
MOST_ITEMS = 64  #: of a list whose items are told one by one
TEXTS = {"+": ("string",), "*": ("number", "scalar")}  #: what makes a text of a text
MOST_POWER = 200  #: constant powers beyond are not computed


@transfer("Binary")
def _binary(here: Evaluation, operands: list[Type]) -> Type:
    return arithmetic(here, here.said("operator"), operands)


@transfer("InPlace")
def _in_place(here: Evaluation, operands: list[Type]) -> Type:
    left, right = operands
    if left.kind == "list":
        change_list(here, left, element(here, right) or UNKNOWN)
        if right.kind in ("list", "tuple", "iterator", "string", "dict", "set"):
            return left.but(items=None)
        if right.kind != "array":  # an array on the right makes an array of both
            return UNKNOWN
    found = arithmetic(here, here.said("operator"), operands, in_place=True)
    if left.kind == "array":  # the same buffer, dtype and extents, or an exception
        return left.under(found.assumed)
    return found.but(sites=None) if left.kind == "unknown" else found


def each_way(compute: Callable[[list[Type]], Type], operands: list[Type]) -> Type:
    """What is computed, whether numbers are Python's or NumPy's."""
    return join_all(map(compute, alternatives(operands))) or UNKNOWN


def arithmetic(
    here: Evaluation, symbol: str, operands: list[Type], *, in_place: bool = False
) -> Type:
    """The type of an arithmetic operation."""
    if any(t.kind == "numeric" for t in operands):
        return each_way(lambda given: arithmetic(here, symbol, given, in_place=in_place), operands)
    left, right = operands
    assumed = assumptions(operands)
    if left.kind == right.kind == "number":
        return of_numbers(symbol, left, right).under(assumed)
    if left.kind == "string":
        fits = right.kind in TEXTS.get(symbol, ()) or symbol == "%"
        return (STRING if fits else UNKNOWN).under(assumed)
    if {left.kind, right.kind} <= {"list", "tuple", "number"}:
        return _of_sequences(here, symbol, left, right).under(assumed)
    if {left.kind, right.kind} <= ARITHMETIC | {"list", "tuple"}:
        return _of_arrays(here, symbol, operands, in_place).under(assumed)
    return UNKNOWN.under(assumed)


def _of_sequences(here: Evaluation, symbol: str, left: Type, right: Type) -> Type:
    if "list" in (left.kind, right.kind):
        return _new_list(here, symbol, left, right)
    if left.items is not None and right.items is not None and symbol == "+":
        return Type("tuple", items=left.items + right.items)
    return Type("tuple", sites=None)


def _new_list(here: Evaluation, symbol: str, left: Type, right: Type) -> Type:
    """``[0.0] * 3``, ``rows + [last]``: the items of both, one by one where these are known."""
    parts = [t for t in (left, right) if t.kind != "number"]
    displayed = [_displayed(here, t) for t in parts]
    items: tuple[Type, ...] | None = None
    if None not in displayed:
        items = tuple(t for one in displayed for t in one or ())
        times = next((t.number for t in (left, right) if t.kind == "number"), 1)
        known = times is not None and len(items) * times <= MOST_ITEMS
        items = items * (times or 0) if known and symbol in "+*" else None
    for t in parts:
        item = element(here, t)
        if item is not None:
            here.store(Place.ITEMS, here.op, item)
    if items is None:
        here.store(Place.CHANGED, here.op, NONE)
    return Type("list", items=items, sites=frozenset([here.op]))


def _displayed(here: Evaluation, t: Type) -> tuple[Type, ...] | None:
    """The items of a tuple, or of a list that is still as it was made; None for others."""
    if t.kind == "tuple" or t.items is None:
        return t.items
    changed = [here.load(Place.CHANGED, site) for site in t.sites or (None,)]
    return t.items if t.sites and not any(changed) else None


def _of_arrays(here: Evaluation, symbol: str, operands: list[Type], in_place: bool) -> Type:
    left, right = operands
    name = f"{symbol}{IN_ITS_PLACE}" if in_place else symbol
    answer = here.inference.prober.ask(name, operands)
    if answer is None:
        return _half_known(operands) if symbol != "@" else UNKNOWN
    found = answer.type.but(sites=NOWHERE)
    if symbol != "@":
        return broadcast(found, operands)
    ranks = (left.rank or 0, right.rank or 0)
    if found.kind == "array" and left.shape and right.shape and max(ranks) == 2:
        # the summed extents are the same, or NumPy raises
        return found.but(shape=(*left.shape[:-1], *right.shape[1:]))
    return found


def _half_known(operands: list[Type]) -> Type:
    """Arithmetic with an array gives an array of at least its rank, whatever the other side is."""
    ranks = [t.rank if t.kind == "array" else 0 for t in operands if t.kind in ARITHMETIC]
    known = [rank for rank in ranks if rank is not None]
    if len(known) == 2 and max(known) > 0:
        return Type("array", None, (None,) * max(known))
    return UNKNOWN


def broadcast(result: Type, operands: list[Type]) -> Type:
    """The result with the extents of broadcasting.

    Two extents that are not known to be the same are assumed to be: otherwise NumPy raises, or one
    of them is 1.
    """
    if result.kind != "array" or not result.shape or None not in result.shape:
        return result
    shapes = [t.shape for t in operands if t.kind == "array"]
    if any(t.kind not in ("array", "scalar", "number", "numeric") for t in operands):
        return result
    if any(shape is None for shape in shapes):
        return result
    extents: list[Affine | None] = []
    needed: set[Assumption] = set()
    for axis in range(-len(result.shape), 0):
        meeting = [s[axis] for s in shapes if s is not None and len(s) >= -axis]
        extent, assumed = _meet(meeting)
        extents.append(extent)
        needed |= assumed
    return result.but(shape=tuple(extents)).under(frozenset(needed))


def _meet(extents: list[Affine | None]) -> tuple[Affine | None, set[Assumption]]:
    wide = [e for e in dict.fromkeys(extents) if e is None or e.number != 1]
    known = [e for e in wide if e is not None]
    if len(known) < len(wide):
        return None, set()
    if not known:
        return Affine((), 1), set()
    known.sort(key=lambda e: (e.number is None, len(e.terms), repr(e)))
    first = known[0]
    why = "they are combined element by element"
    return first, {
        Assumption("", repr(e), f"== {first}", why, "equal", (e, first)) for e in known[1:]
    }


def of_numbers(symbol: str, left: Type, right: Type) -> Type:
    """Arithmetic of Python's numbers; exact for whole numbers that are sums of known ones."""
    if symbol == "@":
        return UNKNOWN
    if left.dtype == right.dtype == "int":
        return _of_integers(symbol, left.integer, right.integer)
    if left.dtype is None or right.dtype is None:
        return Type("number")
    if symbol == "**":
        if "complex" in (left.dtype, right.dtype):
            return COMPLEX
        # a negative float to a broken power is complex
        return FLOAT if left.dtype == "float" and right.dtype == "int" else Type("number")
    wider = WIDTH[max(WIDTH.index(left.dtype), WIDTH.index(right.dtype))]
    if wider == "bool":
        return BOOL if symbol in "&|^" else FLOAT if symbol == "/" else INT
    return FLOAT if symbol == "/" and wider == "int" else Type("number", wider)


def _of_integers(symbol: str, left: Affine | None, right: Affine | None) -> Type:
    if symbol == "/":
        return FLOAT
    if left is None or right is None:
        return Type("number") if symbol == "**" else INT
    a, b = left.number, right.number
    if symbol == "**":
        if b is None or b < 0:
            return Type("number")
        small = a is not None and b < MOST_POWER
        return INT.but(integer=Affine((), a**b)) if small and a is not None else INT
    if symbol in ("+", "-"):
        return INT.but(integer=left + right if symbol == "+" else left - right)
    if symbol == "*" and (a is not None or b is not None):
        return INT.but(integer=right * a if a is not None else left * (b or 0))
    if a is not None and b and symbol in ("//", "%"):
        return INT.but(integer=Affine((), a // b if symbol == "//" else a % b))
    return INT


@transfer("Unary")
def _unary(here: Evaluation, operands: list[Type]) -> Type:
    return _of_one(here, here.said("operator"), operands[0])


def _of_one(here: Evaluation, symbol: str, t: Type) -> Type:
    if t.kind == "numeric":
        return each_way(lambda given: _of_one(here, symbol, given[0]), [t])
    if symbol == "not":
        return BOOL.under(t.assumed)
    if t.integer is not None and symbol == "-":
        return t.but(integer=-t.integer)
    answer = None
    if t.kind in ARITHMETIC:
        answer = here.inference.prober.ask(f"{symbol}{OF_ONE}", [t])
    return (answer.type if answer else UNKNOWN).under(t.assumed)


@transfer("Compare")
def _compare(here: Evaluation, operands: list[Type]) -> Type:
    return comparison(here, here.said("operator"), operands)


def comparison(here: Evaluation, symbol: str, operands: list[Type]) -> Type:
    """The type of a comparison."""
    if symbol in ("is", "is not", "in", "not in"):
        return BOOL.under(assumptions(operands))
    if any(t.kind == "numeric" for t in operands):
        return each_way(lambda given: comparison(here, symbol, given), operands)
    if all(t.kind in PLAIN for t in operands):
        return BOOL.under(assumptions(operands))
    answer = None
    if all(t.kind in ARITHMETIC for t in operands):
        answer = here.inference.prober.ask(symbol, operands)
    found = broadcast(answer.type, operands) if answer else UNKNOWN
    return found.under(assumptions(operands))

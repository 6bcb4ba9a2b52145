"""Between which bounds an index stays, from the domain and the loops of the text."""

from __future__ import annotations

import ast
import itertools
import re
from dataclasses import dataclass

from gpuport.runtime.kernels.indices import Index

Ends = tuple[str, str]
"""Python for the least and the largest value."""

_LOOP = re.compile(
    r"for\s*\(\s*(?:(?:const\s+)?(?:long long|int|long|ptrdiff_t)\s+)?(?P<name>\w+)\s*=\s*"
    r"(?P<low>[^;]+?)\s*;\s*(?P=name)\s*(?P<sign><=?)\s*(?P<high>[^;]+?)\s*;\s*"
    r"(?:\+\+\s*(?P=name)|(?P=name)\s*\+\+|(?P=name)\s*\+=\s*[1-9]\d*)\s*\)"
)
_SHIFTED = re.compile(r"(?P<name>[A-Za-z_]\w*)(?:\s*(?P<sign>[+-])\s*(?P<by>\d+))?")
_CHANGE = re.compile(
    r"(?<![\w.])(\w+)\s*(?:[-+*/%&|^]|<<|>>)?=(?!=)|(?:\+\+|--)\s*(\w+)|(\w+)\s*(?:\+\+|--)"
)


@dataclass(frozen=True, slots=True)
class Bound:
    """An index of a raw array, and Python for the values that it takes."""

    array: str
    axis: int
    entry: str
    low: str
    high: str

    @property
    def condition(self) -> str:
        """Python that is true where the index is one of the array's."""
        least = "" if self.low.isdigit() else f"0 <= {self.low} and "
        return f"{least}{self.high} < {self.array}.shape[{self.axis}]"


def conditions_of(bounds: list[Bound]) -> list[str]:
    """Python that is true where all indices are in bounds, without what follows from the rest.

    Of ``i - 1``, ``i`` and ``i + 1`` along one axis the first says how low it goes, the last how
    high.
    """
    lows: dict[object, tuple[int, str]] = {}
    highs: dict[object, tuple[int, str]] = {}
    for one in bounds:
        shift = _SHIFTED.fullmatch(one.entry)
        by = int(f"{shift['sign'] or '+'}{shift['by'] or 0}") if shift else 0
        key = (one.array, one.axis, shift["name"] if shift else one.entry)
        if not one.low.isdigit() and by <= lows.get(key, (by, ""))[0]:
            lows[key] = by, f"0 <= {one.low}"
        if by >= highs.get(key, (by, ""))[0]:
            highs[key] = by, f"{one.high} < {one.array}.shape[{one.axis}]"
    return list(dict.fromkeys(text for _, text in (*lows.values(), *highs.values())))


def changed_names(body: str) -> set[str]:
    """The names that the text assigns to, its declarations included."""
    return {next(filter(None, m.groups())) for m in _CHANGE.finditer(body)}


def bounds_of(
    body: str, indices: list[Index], domain: dict[str, Ends], known: set[str]
) -> tuple[list[Bound], list[tuple[str, str]]]:
    """What makes all indices valid.

    Parameters
    ----------
    body : str
    indices : list of Index
    domain : dict
        The values that the names of the domain take.
    known : set of str
        Parameters and numbers of the module.

    Returns
    -------
    list of Bound
    list of (str, str)
        Arrays and indices of which nothing follows.
    """
    loops = _loops(body)
    # a loop's variable that has the name of a parameter hides it
    changed = changed_names(_LOOP.sub("for", body)) | (loops.keys() & {*known, *domain})
    ends = {name: both for name, both in domain.items() if name not in changed}
    known = {*known, *ends} - changed
    for name, values in loops.items():
        if name in changed:
            continue
        heads = [(_ends(low, ends, known), _ends(high, ends, known)) for low, high in values]
        least = [low[0] for low, _ in heads if low]
        largest = [high[1] for _, high in heads if high]
        if len(least) == len(largest) == len(heads):
            ends[name] = _extreme("_gp_min", least), _extreme("_gp_max", largest)
            known.add(name)
    behind = _behind(loops, {*domain})
    found: dict[Bound, None] = {}
    open_ends = []
    for one in indices:
        for axis, entry in enumerate(one.entries):
            both = _ends(entry, ends, known)
            if both is None or _goes_less_far(entry, behind):
                open_ends.append((one.array, entry))
            else:
                found[Bound(one.array, axis, entry, *both)] = None
    return list(found), open_ends


def _loops(body: str) -> dict[str, list[tuple[str, str]]]:
    """First and last value of each loop of the text, by the name of its variable."""
    found: dict[str, list[tuple[str, str]]] = {}
    for match in _LOOP.finditer(body):
        high = match["high"] if match["sign"] == "<=" else f"({match['high']}) - 1"
        found.setdefault(match["name"], []).append((match["low"], high))
    return found


def _behind(loops: dict[str, list[tuple[str, str]]], domain: set[str]) -> dict[str, set[str]]:
    """By variable: itself, and those that its bounds depend on."""
    found = {name: {name} for name in domain}
    for name, values in loops.items():  # an outer loop stands before those inside it
        words = {word for ends in values for text in ends for word in re.findall(r"\w+", text)}
        found[name] = {name}.union(*(found[word] for word in words & found.keys()))
    return found


def _goes_less_far(entry: str, behind: dict[str, set[str]]) -> bool:
    """Whether an index of several variables goes less far than each of them by itself.

    Of ``j - i`` with ``j`` from ``i`` on the least is 0, and not the least ``j`` minus the largest
    ``i``.
    """
    parts = [
        behind[word] for word in re.findall(r"(?<![\w.])[A-Za-z_]\w*", entry) if word in behind
    ]
    return any(not one.isdisjoint(other) for one, other in itertools.combinations(parts, 2))


def _extreme(function: str, values: list[str]) -> str:
    alike = list(dict.fromkeys(values))
    return alike[0] if len(alike) == 1 else f"{function}({', '.join(alike)})"


def _ends(text: str, ends: dict[str, Ends], known: set[str]) -> Ends | None:
    """Python for the least and the largest value of an index; None where it is not affine."""
    try:
        tree = ast.parse(text.strip().replace(".shape()[", ".shape["), mode="eval").body
    except SyntaxError:
        return None
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return _interval(tree, ends) if names <= known else None


def _interval(tree: ast.expr, ends: dict[str, Ends]) -> Ends | None:
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if not names & ends.keys():
        return (_text(tree),) * 2 if _is_plain(tree) else None
    match tree:
        case ast.Name(id=name):
            return ends[name]
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = _interval(operand, ends)
            return inner and (f"(-{inner[1]})", f"(-{inner[0]})")
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult() as op, right=right):
            first, second = _interval(left, ends), _interval(right, ends)
            return _joined(op, first, second) if first and second else None
    return None


def _joined(op: ast.operator, first: Ends, second: Ends) -> Ends:
    (a, b), (c, d) = first, second
    if isinstance(op, ast.Add):
        return f"({a} + {c})", f"({b} + {d})"
    if isinstance(op, ast.Sub):
        return f"({a} - {d})", f"({b} - {c})"
    products = ", ".join(f"{x} * {y}" for x, y in itertools.product((a, b), (c, d)))
    return f"_gp_min({products})", f"_gp_max({products})"


def _text(tree: ast.expr) -> str:
    simple = isinstance(tree, (ast.Constant, ast.Name))
    return ast.unparse(tree) if simple else f"({ast.unparse(tree)})"


def _is_plain(tree: ast.expr) -> bool:
    """Whether Python gives the number that C++ gives: no division, no call, no array's element."""
    match tree:
        case ast.Constant(value=value):
            return type(value) is int
        case ast.Name():
            return True
        case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
            return _is_plain(operand)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
            return _is_plain(left) and _is_plain(right)
        case ast.Subscript(
            value=ast.Attribute(value=ast.Name(), attr="shape"), slice=ast.Constant()
        ):
            return True
    return False

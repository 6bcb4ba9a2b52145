"""Bounds of whole numbers through operators: what fits 64 bits, and what is never negative."""

from __future__ import annotations

from collections.abc import Callable

from gpuport.parallel.ranges import Bound, Value

Bounds = tuple[Bound, Bound]
_UNKNOWN: Bounds = (None, None)


def result(ufunc: str, operands: list[Value]) -> Bounds:
    """Bounds of what a NumPy function gives for whole numbers, before they wrap around.

    Parameters
    ----------
    ufunc : str
    operands : list of Value

    Returns
    -------
    (int or None, int or None)
        None where nothing is known.
    """
    rule = _RULES.get(ufunc)
    known: list[tuple[int, int]] = []
    for value in operands:
        if value.low is None or value.high is None:
            return _partly(ufunc, operands)
        known.append((value.low, value.high))
    return rule(*known) if rule is not None else _UNKNOWN


def _partly(ufunc: str, operands: list[Value]) -> Bounds:
    if ufunc == "remainder":
        low, high = operands[1].low, operands[1].high
        if low is not None and low > 0:
            return 0, None if high is None else high - 1
    if ufunc == "bitwise_and":
        masks = [
            v.high for v in operands if v.low is not None and v.low >= 0 and v.high is not None
        ]
        if masks:
            return 0, min(masks)
    return _UNKNOWN


def _corners(operation: Callable[[int, int], int]) -> Callable[..., Bounds]:
    def rule(a: tuple[int, int], b: tuple[int, int]) -> Bounds:
        values = [operation(x, y) for x in a for y in b]
        return min(values), max(values)

    return rule


def _divided(a: tuple[int, int], b: tuple[int, int]) -> Bounds:
    if b[0] <= 0 <= b[1]:
        most = max(map(abs, a))
        return -most, most
    return _corners(lambda x, y: x // y)(a, b)


def _modulo(a: tuple[int, int], b: tuple[int, int]) -> Bounds:
    if b[0] > 0:
        return (0, min(a[1], b[1] - 1)) if a[0] >= 0 else (0, b[1] - 1)
    return min(b[0] + 1, 0), max(b[1] - 1, 0)


def _power(a: tuple[int, int], b: tuple[int, int]) -> Bounds:
    largest = max(map(abs, a))
    if b[0] < 0 or (b[1] > 64 and largest > 1):
        return _UNKNOWN
    most = 1 if largest < 2 else int(largest ** b[1])  # 0 ** 0 and (-1) ** k too
    return (0 if a[0] >= 0 else -most), most


def _bits(a: tuple[int, int], b: tuple[int, int]) -> Bounds:
    reach = max(x.bit_length() for x in (*a, *b))
    return (0 if a[0] >= 0 and b[0] >= 0 else -(2**reach)), 2**reach - 1


def _and(a: tuple[int, int], b: tuple[int, int]) -> Bounds:
    masks = [x[1] for x in (a, b) if x[0] >= 0]
    return (0, min(masks)) if masks else _bits(a, b)


def _left(a: tuple[int, int], b: tuple[int, int]) -> Bounds:
    return _UNKNOWN if b[0] < 0 or b[1] > 64 else _corners(lambda x, y: x << y)(a, b)


def _right(a: tuple[int, int], b: tuple[int, int]) -> Bounds:
    return _UNKNOWN if b[0] < 0 else _corners(lambda x, y: x >> min(y, 64))(a, b)


def _absolute(a: tuple[int, int]) -> Bounds:
    return (0 if a[0] <= 0 <= a[1] else min(map(abs, a))), max(map(abs, a))


_RULES: dict[str, Callable[..., Bounds]] = {
    "add": _corners(lambda x, y: x + y),
    "subtract": _corners(lambda x, y: x - y),
    "multiply": _corners(lambda x, y: x * y),
    "floor_divide": _divided,
    "remainder": _modulo,
    "power": _power,
    "bitwise_and": _and,
    "bitwise_or": _bits,
    "bitwise_xor": _bits,
    "left_shift": _left,
    "right_shift": _right,
    "minimum": _corners(min),
    "maximum": _corners(max),
    "numpy._core.umath.clip": lambda a, low, high: tuple(
        min(max(x, y), z) for x, y, z in zip(a, low, high, strict=True)
    ),
    "negative": lambda a: (-a[1], -a[0]),
    "positive": lambda a: a,
    "invert": lambda a: (~a[1], ~a[0]),
    "absolute": _absolute,
    "square": lambda a: _power(a, (2, 2)),
}

"""The form of a recorded value (docs/recording.md), held to before anything is made of it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any

Parts = Iterator[tuple[str, Any]]

_PLACE = re.compile(r"[^\W\d][\w.]*:[^\W\d]\w*(\.[^\W\d]\w*)*")
_INNER = re.compile(r"[^\W\d][\w.]*:[\w.<>]+")
_PARAMETER = re.compile(r"\*{0,2}[^\W\d]\w*")
_DTYPE = re.compile(r"[<>=|]?(bool|u?int(8|16|32|64)|float(16|32|64|96|128)|complex(64|128|192|256)"
                    r"|longdouble|clongdouble|[biufc](1|2|4|8|16|32))")  # fmt: skip
_DEEPEST, _MOST = 64, 400_000
_LONGEST_TEXT, _MOST_BITS = 1 << 20, 4096
_LARGEST_AXIS, _MOST_AXES = 1 << 48, 64
_SHOWN = 60


class FormError(ValueError):
    """A recorded value that is none; the message says which part, and why."""


def check(node: Any, where: str) -> None:
    """Hold a node, and all that is in it, to the form.

    Raises
    ------
    FormError
        Naming the first part, below `where`, that has another one.
    """
    pending = [(where, node, 0)]
    seen = 0
    while pending:
        place, one, depth = pending.pop()
        seen += 1
        if depth > _DEEPEST or seen > _MOST:
            raise FormError(f"`{where}` has too many parts, or too deep ones")
        try:
            inner = list(parts(one))
        except FormError as error:
            raise FormError(f"`{place}`: {error}") from None
        pending += [(f"{place}.{name}"[:_SHOWN], part, depth + 1) for name, part in inner]


def check_parameter(name: Any) -> None:
    """Hold the name of an argument to its form.

    Raises
    ------
    FormError
        Where it is none.
    """
    _want(isinstance(name, str) and _PARAMETER.fullmatch(name), "the name of a parameter", name)


def parts(node: Any) -> Parts:
    """The nodes that stand in a node, by their names.

    Raises
    ------
    FormError
        Where the node itself, those in it left aside, is of another form.
    """
    _want(isinstance(node, dict) and len(node) == 1, "a node of one kind", node)
    ((kind, value),) = node.items()
    reader = _KINDS.get(kind)
    if reader is None:
        raise FormError(f"nothing is known of the kind {kind!r:.{_SHOWN}}")
    yield from reader(value)


def _want(holds: object, what: str, value: Any) -> None:
    if not holds:
        raise FormError(f"{what} is wanted, not {value!r:.{_SHOWN}}")


def _leaf(holds: Callable[[Any], object], what: str) -> Callable[[Any], Parts]:
    def read(value: Any) -> Parts:
        _want(holds(value), what, value)
        return iter(())

    return read


def _is_whole(value: Any, most: int) -> bool:
    return type(value) is int and 0 <= value <= most


def _is_int(value: Any) -> bool:
    return type(value) is int and value.bit_length() <= _MOST_BITS


def _is_float(value: Any) -> bool:
    try:
        float.fromhex(value)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def _is_pair(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(map(_is_float, value))


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and len(value) <= _LONGEST_TEXT


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and value.isidentifier()


def _is_place(value: Any) -> bool:
    return isinstance(value, str) and _PLACE.fullmatch(value) is not None


def _is_dtype(value: Any) -> bool:
    return isinstance(value, str) and _DTYPE.fullmatch(value) is not None


def _is_shape(value: Any) -> bool:
    fits = isinstance(value, list) and len(value) <= _MOST_AXES
    return fits and all(_is_whole(size, _LARGEST_AXIS) for size in value)


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and abs(value) <= sys.float_info.max


def _is_scalar(value: Any) -> bool:
    if not (isinstance(value, list) and len(value) == 2 and _is_dtype(value[0])):
        return False
    held = value[1]
    return isinstance(held, bool) or _is_int(held) or _is_float(held) or _is_pair(held)


def _fields(value: Any, needed: set[str], further: set[str]) -> None:
    _want(isinstance(value, dict), "an object of JSON", value)
    _want(needed <= value.keys() <= needed | further, f"the keys {sorted(needed)}", sorted(value))
    if "id" in value:
        _want(_is_whole(value["id"], _MOST), "a number as `id`", value["id"])


def _pairs(value: Any, key: Callable[[Any], object], what: str) -> Parts:
    _want(isinstance(value, list), "a list of pairs", value)
    for pair in value:
        _want(isinstance(pair, list) and len(pair) == 2 and key(pair[0]), what, pair)
        yield str(pair[0]), pair[1]


def _items(value: Any) -> Parts:
    _want(isinstance(value, list), "a list of nodes", value)
    return ((str(number), item) for number, item in enumerate(value))


def _named(value: Any) -> Parts:
    _want(isinstance(value, dict) and all(map(_is_name, value)), "names with their nodes", value)
    return iter(value.items())


def _is_key(value: Any) -> bool:
    return _is_text(value) or _is_int(value) or isinstance(value, bool)


def _dict(value: Any) -> Parts:
    return _pairs(value, _is_key, "a key, a text or number, with its node")


def _array(value: Any) -> Parts:
    _fields(value, {"dtype", "shape"}, {"order", "finite", "low", "high", "integral", "sorted",
                                        "sums", "definite", "data"})  # fmt: skip
    _want(_is_dtype(value["dtype"]), "a type of numbers", value["dtype"])
    _want(_is_shape(value["shape"]), "a shape", value["shape"])
    low, high = value.get("low", 0), value.get("high", 0)
    ranged = ("low" in value) == ("high" in value) and _is_number(low) and _is_number(high)
    _want(ranged and low <= high, "a range, `low` to `high`,", [low, high])
    flags = (value.get(name, True) for name in ("finite", "integral", "sorted", "sums", "definite"))
    _want(all(flag in (True, False) for flag in flags), "true or false", value)
    _want(all(_is_text(value.get(name, "")) for name in ("order",)), "a text", value)
    _want(isinstance(value.get("data", ""), str), "data in base64", "another")
    return iter(())


def _labels(value: Any) -> Parts:
    _fields(value, {"of", "shape", "dtype"}, set())
    _want(value["dtype"] in ("object", "str"), "object or str", value["dtype"])
    _want(_is_shape(value["shape"]), "a shape", value["shape"])
    texts = isinstance(value["of"], list) and value["of"]
    known = texts and all(isinstance(n, dict) and n.keys() & {"text", "secret"} for n in texts)
    _want(known, "texts", value["of"])
    return _items(value["of"])


def _object(value: Any) -> Parts:
    _fields(value, {"class", "attributes"}, {"items", "id"})
    _want(_is_place(value["class"]), "module:Class", value["class"])
    attributes = value["attributes"]
    _want(isinstance(attributes, dict) and all(map(_is_text, attributes)), "attributes", attributes)
    yield from attributes.items()
    yield from _pairs(value.get("items", []), _is_text, "a key with its node")


def _reduced(value: Any) -> Parts:
    _fields(value, {"call", "arguments", "state", "items", "pairs"}, {"id"})
    _want(_is_place(value["call"]), "module:name", value["call"])
    yield from _items(value["arguments"])
    yield "state", value["state"]
    yield from _items(value["items"])
    yield from _pairs(value["pairs"], _is_text, "a key with its node")


def _made(value: Any) -> Parts:
    _fields(value, {"call", "arguments"}, set())
    _want(_is_place(value["call"]), "module:name", value["call"])
    yield from _named(value["arguments"])


def _bound(value: Any) -> Parts:
    _fields(value, {"of", "name"}, set())
    _want(_is_name(value["name"]), "the name of a method", value["name"])
    yield "of", value["of"]


def _inner(value: Any) -> Parts:
    _fields(value, {"place", "cells", "defaults"}, set())
    place = value["place"]
    _want(isinstance(place, str) and _INNER.fullmatch(place), "module:outer.<locals>.name", place)
    yield from _pairs(value["cells"], _is_name, "a name with its node")
    yield "defaults", value["defaults"]


_KINDS: dict[str, Callable[[Any], Parts]] = {
    "none": _leaf(lambda v: v is True, "true"),
    "generator": _leaf(lambda v: v is True, "true"),
    "bool": _leaf(lambda v: isinstance(v, bool), "true or false"),
    "int": _leaf(_is_int, "a whole number"),
    "float": _leaf(_is_float, "a number in hexadecimal"),
    "complex": _leaf(_is_pair, "two numbers in hexadecimal"),
    "text": _leaf(_is_text, "a text"),
    "secret": _leaf(lambda v: _is_whole(v, _LONGEST_TEXT), "the length of a text"),
    "scalar": _leaf(_is_scalar, "a type of numbers with a number"),
    "ref": _leaf(lambda v: _is_whole(v, _MOST), "the number of an object"),
    "callable": _leaf(_is_place, "module:name"),
    "member": _leaf(_is_place, "module:Class.NAME"),
    "opaque": _leaf(_is_text, "module.Class"),
    "list": _items,
    "tuple": _items,
    "set": _items,
    "frozenset": _items,
    "dict": _dict,
    "array": _array,
    "labels": _labels,
    "object": _object,
    "reduced": _reduced,
    "made": _made,
    "bound": _bound,
    "inner": _inner,
}

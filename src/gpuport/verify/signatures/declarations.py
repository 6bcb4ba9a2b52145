"""``[tool.gpuport.inputs]``: what the user says of a function's inputs, read and checked.

Every mistake is told with the file and the line of the table or key that holds it.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from gpuport.config import inside
from gpuport.verify.sides.strategies import CALL, Strategy, strategies_in
from gpuport.verify.signatures.declared import SELF, Declaration, DeclarationError
from gpuport.verify.slots import DIMENSION, FINITE, WITHIN, Slot

_TABLE = ("tool", "gpuport", "inputs")
_FILE = "strategies"
_FROM = "from"
_KINDS = ("array", "int", "float", "bool", "complex", "str", "none", "generator")
_TRAITS = ("integral", "sorted", "sums", "definite")
_DTYPES = re.compile(r"bool|float(16|32|64)|u?int(8|16|32|64)|complex(64|128)")
_OF_KIND = {"f": "float", "i": "int", "u": "int", "b": "bool", "c": "complex"}
_KEYS = (
    *("kind", "dtype", "shape", "low", "high", "below", "choices", "value", "size", _FROM),
    *("traits", "finite", "optional", "nullable"),
)


def declarations_of(pyproject: Path) -> list[Declaration]:
    """All declarations of a configuration file and of the strategies file that it names.

    Parameters
    ----------
    pyproject : pathlib.Path

    Returns
    -------
    list of Declaration
        Empty where the file has no such table.

    Raises
    ------
    DeclarationError
        For anything that cannot be used, with ``file:line``.
    """
    text = pyproject.read_text(encoding="utf-8")
    table: Any = tomllib.loads(text)
    for key in _TABLE:
        table = table.get(key, {}) if isinstance(table, dict) else {}
    return list(_Reader(pyproject, text).declarations(table)) if table else []


class _Reader:
    """One configuration file."""

    def __init__(self, file: Path, text: str) -> None:
        self.file = file
        self.lines = dict(_key_lines(text))
        self._strategies: dict[Path, Mapping[str, Strategy]] = {}

    def place(self, *keys: str) -> str:
        """``file:line`` of a key, or of the nearest one around it."""
        for end in range(len(keys), -1, -1):
            line = self.lines.get((*_TABLE, *keys[:end]))
            if line is not None:
                return f"{self.file}:{line}"
        return str(self.file)

    def fault(self, text: str, *keys: str) -> DeclarationError:
        """The error at a key."""
        return DeclarationError(f"{self.place(*keys)}: {text}")

    def declarations(self, table: Any) -> Iterator[Declaration]:
        """A declaration for each table, after those of the strategies file."""
        if not isinstance(table, dict):
            raise self.fault("tool.gpuport.inputs must be a table")
        if isinstance(table.get(_FILE), str):
            yield from self._of_file(table.pop(_FILE))
        for function, entry in table.items():
            if not isinstance(entry, dict):
                raise self.fault(
                    f"`{function}` must be a table of parameters, such as "
                    'x = { dtype = "float64", shape = ["n"] }', function,
                )  # fmt: skip
            yield self._declaration(function, entry)

    def _of_file(self, name: str) -> Iterator[Declaration]:
        for strategy in self._known(name, _FILE).values():
            function = strategy.place.rpartition("::")[2].replace("__", ".")
            place = f"{strategy.place.rpartition('::')[0]}:{strategy.line}"
            slots = {CALL: _made(CALL, strategy)}
            yield Declaration(function, place, slots, dict.fromkeys(slots, place))

    def _known(self, name: str, *keys: str) -> Mapping[str, Strategy]:
        try:
            file = inside(self.file.parent, name).resolve()
        except ValueError as error:
            raise self.fault(str(error), *keys) from None
        if file not in self._strategies:
            try:
                self._strategies[file] = strategies_in(file)
            except OSError as error:
                raise self.fault(f"{name}: cannot be read: {error.strerror}", *keys) from None
            except ValueError as error:
                raise DeclarationError(str(error)) from None
        return self._strategies[file]

    def _declaration(self, function: str, entry: Mapping[str, Any]) -> Declaration:
        slots: dict[str, Slot] = {}
        places = {}
        for name, value in entry.items():
            key = CALL if name == _FROM and isinstance(value, str) else name
            places[key] = self.place(function, name)
            if key == CALL:
                slots[key] = _made(key, self._strategy(value, function, name))
            elif not isinstance(value, dict):
                raise self.fault(f"`{name}` must be a table of keys such as dtype", function, name)
            else:
                slots[key] = self._slot(function, name, value)
        return Declaration(function, self.place(function), slots, places)

    def _strategy(self, text: Any, *keys: str) -> Strategy:
        name, _, function = text.rpartition(":") if isinstance(text, str) else ("", "", "")
        if not name:
            raise self.fault(f"expected 'FILE.py:FUNCTION', not {text!r}", *keys)
        known = self._known(name, *keys)
        if function not in known:
            raise self.fault(f"{name} has no function `{function}`{_near(function, known)}", *keys)
        return known[function]

    def _slot(self, function: str, name: str, given: Mapping[str, Any]) -> Slot:
        for key in given:
            if key not in _KEYS:
                raise self.fault(f"unknown key `{key}`{_near(key, _KEYS)}", function, name)

        def fault(text: str) -> DeclarationError:
            return self.fault(f"`{name}`: {text}", function, name)

        slot = Slot(name, "array", omit=_flag(given, "optional", fault))
        if _FROM in given:
            return _made(name, self._strategy(given[_FROM], function, name))
        if name == SELF:
            raise fault("an instance is made by a strategy: self = { from = 'FILE.py:FUNCTION' }")
        return _described(slot, given, fault)


Fault = Callable[[str], DeclarationError]


def _described(slot: Slot, given: Mapping[str, Any], fault: Fault) -> Slot:
    """A slot from its keys, when no strategy makes it."""
    from dataclasses import replace

    slot = replace(slot, nullable=_flag(given, "nullable", fault))
    if "size" in given:
        return replace(slot, kind="size", dims=(_dimension(given["size"], fault),))
    if "value" in given or ("choices" in given and "shape" not in given):
        choices = given.get("choices", [given.get("value")])
        if not isinstance(choices, list) or not choices:
            raise fault("choices must be a list of values")
        return replace(slot, kind="choice", choices=tuple(choices))
    dtype = given.get("dtype")
    if dtype is not None and not (isinstance(dtype, str) and _DTYPES.fullmatch(dtype)):
        raise fault(f"unknown dtype {dtype!r}; float64, int32, bool, complex128, ... are known")
    kind = given.get("kind", "array" if "shape" in given else None)
    if kind is None and dtype is not None:
        kind = _OF_KIND[dtype[0]]
    if kind not in _KINDS:
        raise fault(
            f"one of {', '.join(_KINDS)} is expected as kind, not {kind!r}" if kind is not None
            else "say what it is: shape, kind, choices, value, size or from"
        )  # fmt: skip
    shape = given.get("shape", [])
    if kind == "array" and "shape" not in given:
        raise fault('an array needs a shape, such as ["n", 3]')
    if not isinstance(shape, list):
        raise fault("shape must be a list of sizes and names of dimensions")
    dims = tuple(_dimension(size, fault) for size in shape)
    choices = tuple(given.get("choices", ()))
    made = replace(slot, kind=kind, dims=dims, dtype=dtype if kind == "array" else None)
    return replace(
        made, choices=choices, domain=_domain(given, fault), traits=_traits(given, fault)
    )


def _traits(given: Mapping[str, Any], fault: Fault) -> tuple[str, ...]:
    traits = given.get("traits", [])
    if not isinstance(traits, list) or any(trait not in _TRAITS for trait in traits):
        raise fault(f"traits must be a list of {', '.join(_TRAITS)}")
    ranged = [WITHIN] if {"low", "high", "choices"} & given.keys() else []
    if "below" in given:
        ranged = [f"below:{_dimension(given['below'], fault)}", WITHIN]
    finite = [FINITE] if _flag(given, "finite", fault) else []
    return (*traits, *ranged, *finite)


def _domain(given: Mapping[str, Any], fault: Fault) -> tuple[float, ...]:
    if not {"low", "high"} & given.keys():
        return ()
    low, high = given.get("low"), given.get("high")
    for number in (low, high):
        if not isinstance(number, int | float) or isinstance(number, bool):
            raise fault("low and high must both be numbers")
    if float(low) > float(high):  # type: ignore[arg-type]
        raise fault(f"low ({low}) is above high ({high})")
    return (float(low), float(high))  # type: ignore[arg-type]


def _dimension(size: Any, fault: Fault) -> str:
    if isinstance(size, int) and not isinstance(size, bool) and size >= 0:
        return f"={size}"
    if isinstance(size, str) and DIMENSION.fullmatch(size):
        return size
    raise fault(f"a size is a number or a name such as n, n+1 or 2*n, not {size!r}")


def _flag(given: Mapping[str, Any], key: str, fault: Fault) -> bool:
    value = given.get(key, False)
    if not isinstance(value, bool):
        raise fault(f"{key} must be true or false, not {value!r}")
    return value


def _made(name: str, strategy: Strategy) -> Slot:
    return Slot(name, "made", strategy.place, strategy.dims)


def _near(name: str, known: Any) -> str:
    close = difflib.get_close_matches(name, list(known), n=1)
    if close:
        return f"; did you mean `{close[0]}`?"
    return f"; known are {', '.join(known)}" if known else ""


def _key_lines(text: str) -> Iterator[tuple[tuple[str, ...], int]]:
    """The line of each table and key: what the TOML parser of the library does not tell."""
    table: tuple[str, ...] = ()
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        header = stripped.startswith("[")
        begin = stripped if header else f"{stripped.partition('=')[0]} = 0"
        try:
            keys = _keys_of(tomllib.loads(begin))
        except tomllib.TOMLDecodeError:
            continue  # inside a value of several lines
        if header:
            table = keys
        if keys:
            yield (keys if header else (*table, *keys)), number


def _keys_of(table: Any) -> tuple[str, ...]:
    keys: list[str] = []
    while isinstance(table, dict) and table:
        (key, table), *_ = table.items()
        keys.append(key)
    return tuple(keys)

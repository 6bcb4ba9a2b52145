"""What inference knows of libraries by tables: ``rules/facts.yaml`` and the names in CuPy."""

from __future__ import annotations

import builtins
import importlib
import re
from dataclasses import dataclass
from functools import cache
from typing import Any

import yaml

from gpuport._data import rules_folder
from gpuport.ir.types import NONE, STRING, Type
from gpuport.rules.tables import ApiTables, Fate


class Unresolved(Exception):
    """A path names nothing that can be looked up."""


@dataclass(frozen=True, slots=True)
class Knowledge:
    """The tables, ready to be asked.

    Attributes
    ----------
    counts : frozenset of str
        Functions whose extents depend on values.
    none_for_negative : frozenset of str
        Functions that give nothing for a negative size.
    gives : dict
        Types of what built-in functions give.
    libraries_give : dict
        Types of what functions of libraries give that are never called to ask.
    keeps_attributes : frozenset of str
        Base classes that leave alone what the body of a class binds.
    iterators : dict
        Functions that make iterators, by what their items are: a word of the table.
    computes_numbers : frozenset of str
        Built-in functions of numbers that give a number and do nothing else.
    joins : dict
        Functions that make an array of a list, and what the items become: an axis, or parts of one.
    flattens, selects, keeps_axes, doubles : frozenset of str
        What puts all elements on one axis; what gives some of them, or their places; and what gives
        no axis that is longer than one that it is given, or than twice that.
    reads : frozenset of str
        Built-in functions that look at their arguments and keep nothing.
    methods : dict
        By kind of container, what its methods do: name -> word of the table.
    sized_by_its_argument : frozenset of str
        Functions whose only argument, a whole number, is the size.
    sized_by_a_range : frozenset of str
        Functions that, given bounds, are as long as the range between them.
    by_element : frozenset of str
        Functions that are no ufuncs, and compute element by element.
    generators : dict
        Functions that make a generator of random numbers, with the class of what they make.
    shared_generators : dict
        Packages whose functions are methods of a generator that all share, with its class.
    names : dict
        Kinds of parameters and the names that tell them.
    unread : frozenset of str
        Parts of those libraries that nothing is looked up in: who imports them runs programs.
    stand_for : dict
        Modules of ports, with those whose sizes they give.
    moves, above_functions : frozenset of str
        What gives an array of the size of its argument; what is called for a decorator that
        leaves a function what it is.
    listening_blocks, listening : dict
        What asks to be told of floating-point errors, in a block or from then on, with the
        arguments that ask for nothing.
    """

    counts: frozenset[str]
    none_for_negative: frozenset[str]
    sized_by_its_argument: frozenset[str]
    sized_by_a_range: frozenset[str]
    by_element: frozenset[str]
    generators: dict[str, str]
    shared_generators: dict[str, str]
    depends_on_values: frozenset[str]
    gives: dict[str, Type]
    libraries_give: dict[str, Type]
    keeps_attributes: frozenset[str]
    iterators: dict[str, str]
    computes_numbers: frozenset[str]
    joins: dict[str, str]
    doubles: frozenset[str]
    flattens: frozenset[str]
    selects: frozenset[str]
    keeps_axes: frozenset[str]
    reads: frozenset[str]
    methods: dict[str, dict[str, str]]
    reshapes_in_place: frozenset[str]
    array_attributes: frozenset[str]
    names: dict[str, re.Pattern[str]]
    resolved: tuple[str, ...]
    quiet: tuple[str, ...]
    unread: frozenset[str]
    stand_for: dict[str, str]
    moves: frozenset[str]
    above_functions: frozenset[str]
    listening_blocks: dict[str, frozenset[object]]
    listening: dict[str, frozenset[object]]


@cache
def knowledge() -> Knowledge:
    """The tables of the installed rules."""
    data = yaml.safe_load((rules_folder() / "facts.yaml").read_text(encoding="utf-8"))
    return Knowledge(
        counts=frozenset(data["counts"]),
        none_for_negative=frozenset(data["none_for_negative"]),
        sized_by_its_argument=frozenset(data["sized_by_its_argument"]),
        sized_by_a_range=frozenset(data["sized_by_a_range"]),
        by_element=frozenset(data["by_element"]),
        generators=data["generators"]["made_by"],
        shared_generators=data["generators"]["shared"],
        depends_on_values=frozenset(data["depends_on_values"]),
        gives=_all_given(data["builtins"]["gives"]),
        libraries_give=_all_given(data["libraries_give"]),
        keeps_attributes=frozenset(data["keeps_attributes"]),
        iterators={path: word for word, paths in data["iterators"].items() for path in paths},
        computes_numbers=frozenset(data["computes_numbers"]),
        joins=data["joins"],
        doubles=frozenset(data["doubles"]),
        flattens=frozenset(data["flattens"]),
        selects=frozenset(data["selects"]),
        keeps_axes=frozenset(data["keeps_axes"]),
        reads=frozenset(data["builtins"]["reads"]),
        methods={
            kind: {name: word for word, names in data[kind].items() for name in names}
            for kind in ("list", "string", "text_parts")
        },
        reshapes_in_place=frozenset(data["reshapes_in_place"]),
        array_attributes=frozenset(data["array_attributes"]),
        names={kind: re.compile(pattern) for kind, pattern in data["names"].items()},
        resolved=tuple(data["resolved"]),
        quiet=tuple(data["quiet"]),
        unread=frozenset(data["unread"]),
        stand_for=data["ports"]["stand_for"],
        moves=frozenset(data["ports"]["moves"]),
        above_functions=frozenset(data["ports"]["above_functions"]),
        listening_blocks=_silent_with(data["listens"]["blocks"]),
        listening=_silent_with(data["listens"]["from_then_on"]),
    )


def _silent_with(data: dict[str, list[object]]) -> dict[str, frozenset[object]]:
    return {path: frozenset(words) for path, words in data.items()}


def _all_given(table: dict[str, list[str]]) -> dict[str, Type]:
    return {name: _given(words) for words, names in table.items() for name in names}


def _given(words: str) -> Type:
    """The type that a phrase of the table means."""
    kind, *rest = words.split()
    if kind == "number":
        return Type("number", rest[0])
    return {"string": STRING, "none": NONE}[kind]


def is_of(path: str, packages: tuple[str, ...]) -> bool:
    """Whether a path lies in one of these packages."""
    return path.partition(".")[0] in packages


@cache
def askable(path: str) -> bool:
    """Whether a function may be called to find out what it gives.

    CuPy has the function, hence it computes and does no more than that; and what it gives depends
    on the kinds of its arguments, not on their values.
    """
    if path in knowledge().depends_on_values or not is_of(path, knowledge().quiet):
        return False
    if is_of(path, ("math", "cmath")):
        return True
    tables = ApiTables.load()
    if tables.entry(path) is None:
        return False
    return tables.counterpart(path).fate in (Fate.SAME, Fate.DIFFERS)


@cache
def resolve(path: str) -> Any:
    """The object of a library that a path names.

    Raises
    ------
    Unresolved
        Where there is none, or the package that would have it is not installed.
    """
    module, _, rest = path.partition(".")
    try:
        if module == "builtins":
            return getattr(builtins, rest)
        return _member(path)
    except Exception as error:  # whatever a module raises where it is imported
        raise Unresolved(path) from error


def _member(path: str) -> Any:
    parts = path.split(".")
    if not knowledge().unread.isdisjoint(parts):
        raise Unresolved(path)
    for count in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:count]))
        except ImportError:
            continue
        for name in parts[count:]:
            found = getattr(found, name)
        return found
    raise Unresolved(path)

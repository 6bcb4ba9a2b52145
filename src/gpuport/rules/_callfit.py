"""Whether a call written for one signature means the same to another."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Parameter:
    """One parameter; ``kind`` in ``inspect``'s words, ``default`` as text or None if required."""

    name: str
    kind: str
    default: str | None


@dataclass(frozen=True)
class CallFit:
    """Whether a call fits; ``unsupported`` names parameters as NumPy calls them."""

    fits: bool
    unsupported: tuple[str, ...]
    message: str


@dataclass(frozen=True)
class Comparison:
    """Two signatures side by side.

    Attributes
    ----------
    source, target : sequence of Parameter
        NumPy's and CuPy's, without ``*args`` and ``**kwargs``.
    source_rest, target_rest : (bool, bool)
        Whether they have ``*args``, and ``**kwargs``.
    renamed : mapping
        NumPy's name of a parameter to CuPy's, where they mean the same.
    missing : frozenset of str
        NumPy's parameters that CuPy lacks.
    moved : tuple of str
        Positional ones that stand elsewhere in CuPy.
    keyword_lost : tuple of str
        Those that NumPy also takes by keyword and CuPy under another name or by position only.
    position_lost : tuple of str
        Those that CuPy takes by keyword only.
    other_default : mapping
        Parameter to a sentence: omitted, it would mean something else.
    demanded : tuple of str
        CuPy's parameters without a default that NumPy's call may omit.
    library : str
        Whose the source is, as messages call it.
    """

    source: tuple[Parameter, ...]
    target: tuple[Parameter, ...]
    renamed: Mapping[str, str]
    source_rest: tuple[bool, bool]
    target_rest: tuple[bool, bool]
    missing: frozenset[str]
    moved: tuple[str, ...]
    keyword_lost: tuple[str, ...]
    position_lost: tuple[str, ...]
    other_default: Mapping[str, str]
    demanded: tuple[str, ...]
    library: str = "NumPy"

    @cached_property
    def notes(self) -> tuple[str, ...]:
        """The differences in words."""
        listed = (
            ("without", sorted(self.missing)),
            ("in another position:", self.moved),
            ("not by that keyword:", self.keyword_lost),
            ("by keyword only:", self.position_lost),
            ("required:", self.demanded),
        )
        notes = [f"{words} {', '.join(names)}" for words, names in listed if names]
        return (*notes, *self.other_default.values())


def accepted(comparison: Comparison) -> bool:
    """Whether every call that one signature takes means the same to the other."""
    return not comparison.notes


_POSITIONAL = ("positional_only", "positional_or_keyword")
_BY_KEYWORD = ("keyword_only", "positional_or_keyword")


def compare(
    source: Sequence[Parameter],
    target: Sequence[Parameter],
    renamed: Mapping[str, str],
    equal_defaults: Collection[tuple[str, str, str]],
    library: str = "NumPy",
) -> Comparison:
    """Compare NumPy's signature with CuPy's.

    Parameters
    ----------
    source, target : sequence of Parameter
        NumPy's and CuPy's.
    renamed : mapping
        NumPy's name to CuPy's for parameters that mean the same.
    equal_defaults : collection of (parameter, NumPy's default, CuPy's default)
        Defaults that mean the same although they are written differently.
    library : str
        Whose the source is, as messages call it.
    """
    ours, our_rest = _split(source)
    theirs, their_rest = _split(target)
    by_name = {p.name: p for p in theirs}
    places = [p.name for p in theirs if p.kind in _POSITIONAL]
    lost: dict[str | None, list[str]] = {}
    for index, parameter in enumerate(ours):
        twin = by_name.get(parameter.name)
        loss = _loss(parameter, index, twin, places, renamed, handed_on=all(their_rest))
        lost.setdefault(loss, []).append(parameter.name)
    rests = zip(("*args", "**kwargs"), our_rest, their_rest, strict=True)
    missing_rests = [name for name, taken, there in rests if taken and not there]
    return Comparison(
        source=ours,
        target=theirs,
        renamed=renamed,
        source_rest=our_rest,
        target_rest=their_rest,
        missing=frozenset((*lost.get("missing", ()), *missing_rests)),
        moved=tuple(lost.get("moved", ())),
        keyword_lost=tuple(lost.get("keyword_lost", ())),
        position_lost=tuple(lost.get("position_lost", ())),
        other_default=_other_defaults(ours, by_name, equal_defaults, library),
        demanded=_demanded(ours, theirs, places, renamed),
        library=library,
    )


def _loss(
    parameter: Parameter,
    index: int,
    twin: Parameter | None,
    places: Sequence[str],
    renamed: Mapping[str, str],
    *,
    handed_on: bool,
) -> str | None:
    """What becomes of a parameter of NumPy's, in the names of :class:`Comparison`; None: nothing.

    ``twin`` is CuPy's of the same name; ``handed_on``: CuPy hands on what it has no parameter for.
    """
    positional = parameter.kind in _POSITIONAL
    lands = positional and _lands(parameter, index, places, renamed)
    if handed_on and twin is None and (not positional or index >= len(places)):
        return None
    if positional and not lands:
        if twin is None:
            return "missing"
        return "moved" if twin.name in places else "position_lost"
    if parameter.kind in _BY_KEYWORD and (twin is None or twin.kind not in _BY_KEYWORD):
        return "keyword_lost" if lands else "missing"
    return None


def _split(parameters: Sequence[Parameter]) -> tuple[tuple[Parameter, ...], tuple[bool, bool]]:
    """Named parameters, and whether there are ``*args`` and ``**kwargs``."""
    rest = (
        any(p.kind == "var_positional" for p in parameters),
        any(p.kind == "var_keyword" for p in parameters),
    )
    return tuple(p for p in parameters if not p.kind.startswith("var_")), rest


def _lands(
    parameter: Parameter, index: int, places: Sequence[str], renamed: Mapping[str, str]
) -> bool:
    """Whether an argument at ``index`` reaches the parameter that NumPy means."""
    if index >= len(places):
        return False
    if index == 0:  # the array itself, whatever it is called, unless that name stands elsewhere
        return parameter.name not in places[1:]
    if renamed.get(parameter.name, parameter.name) == places[index]:
        return True
    return (
        parameter.kind == "positional_only"
        and parameter.default is None
        and (parameter.name not in places)
    )


def _other_defaults(
    ours: Sequence[Parameter],
    by_name: Mapping[str, Parameter],
    equal: Collection[tuple[str, str, str]],
    library: str,
) -> dict[str, str]:
    """Parameters that mean something else when they are omitted."""
    other = {}
    for parameter in ours:
        twin = by_name.get(parameter.name)
        if twin is None or parameter.default is None or twin.default is None:
            continue
        written = (parameter.name, parameter.default, twin.default)
        if parameter.default != twin.default and written not in equal:
            other[parameter.name] = (
                f"{parameter.name} defaults to {parameter.default} in {library} "
                f"and to {twin.default} in CuPy"
            )
    return other


def _demanded(
    ours: Sequence[Parameter],
    theirs: Sequence[Parameter],
    places: Sequence[str],
    renamed: Mapping[str, str],
) -> tuple[str, ...]:
    """NumPy's optional parameters whose twin in CuPy has no default."""
    required = {p.name for p in theirs if p.default is None}
    found = []
    for index, parameter in enumerate(ours):
        at_place = places[index] if index < len(places) else None
        lands = parameter.kind in _POSITIONAL and _lands(parameter, index, places, renamed)
        twin = at_place if lands else parameter.name
        if parameter.default is not None and twin in required:
            found.append(parameter.name)
    return tuple(found)


def fit(
    name: str,
    target_name: str,
    comparison: Comparison,
    positional: int,
    keywords: Sequence[str],
    *,
    star: bool = False,
    wholly: bool,
) -> CallFit:
    """Whether a call with so many positional and these keyword arguments fits.

    ``star``: it may have more positional ones, up to as many as there are parameters. ``wholly``:
    it may have any others, so that every call must fit.
    """
    if wholly and not accepted(comparison):
        names = _all_unfit(comparison)
        why = "; ".join(comparison.notes)
        return CallFit(False, names, f"{name}: starred arguments need equal signatures: {why}")
    problems: dict[str, str] = {}
    places = [p for p in comparison.source if p.kind in _POSITIONAL]
    if star and comparison.source_rest[0] > comparison.target_rest[0]:
        problems["*args"] = f"{target_name} takes no further positional argument"
    for index in range(max(positional, len(places)) if star else positional):
        _check_position(comparison, places, index, target_name, problems)
    for keyword in keywords:
        _check_keyword(comparison, keyword, target_name, problems)
    if not wholly:
        given = {p.name for p in places[:positional]} | set(keywords)
        for parameter, why in comparison.other_default.items():
            if parameter not in given:
                problems.setdefault(parameter, why)
        for parameter in comparison.demanded:
            if parameter not in given:
                problems.setdefault(parameter, f"{target_name} requires {parameter}")
    return CallFit(
        not problems, tuple(problems), f"{name}: {'; '.join(problems.values())}" if problems else ""
    )


def _all_unfit(comparison: Comparison) -> tuple[str, ...]:
    names = {
        *comparison.missing,
        *comparison.moved,
        *comparison.keyword_lost,
        *comparison.position_lost,
        *comparison.other_default,
        *comparison.demanded,
    }
    return tuple(sorted(names))


def _check_position(
    comparison: Comparison,
    places: Sequence[Parameter],
    index: int,
    target_name: str,
    problems: dict[str, str],
) -> None:
    """One positional argument: it must land where NumPy means it."""
    if index >= len(places):
        if not (comparison.source_rest[0] and comparison.target_rest[0]):
            word = "*args" if comparison.source_rest[0] else f"argument {index + 1}"
            problems.setdefault(word, f"{target_name} takes no further positional argument")
        return
    parameter = places[index]
    there = [p.name for p in comparison.target if p.kind in _POSITIONAL]
    if _lands(parameter, index, there, comparison.renamed):
        return
    name = parameter.name
    if index < len(there):
        why = f"position {index + 1} is {there[index]} in {target_name}, {name} in "
        why += comparison.library
    elif all(comparison.target_rest):
        return
    elif any(p.name == name for p in comparison.target):
        why = f"{target_name} takes {name} by keyword only"
    else:
        why = f"{target_name} has no parameter {name}"
    problems.setdefault(name, why)


def _check_keyword(
    comparison: Comparison, keyword: str, target_name: str, problems: dict[str, str]
) -> None:
    """One keyword argument: both must take it by that name."""
    ours = {p.name for p in comparison.source if p.kind in _BY_KEYWORD}
    theirs = {p.name for p in comparison.target if p.kind in _BY_KEYWORD}
    if keyword not in ours and not comparison.source_rest[1]:
        problems.setdefault(keyword, f"{comparison.library} has no keyword {keyword} there")
    elif keyword in theirs or _forwarded(comparison):
        return
    elif keyword in comparison.renamed:
        problems.setdefault(keyword, f"{target_name} calls {keyword} {comparison.renamed[keyword]}")
    else:
        problems.setdefault(keyword, f"{target_name} has no parameter {keyword}")


def _forwarded(comparison: Comparison) -> bool:
    """Whether CuPy passes any keyword on, to NumPy's own function or as NumPy does."""
    passes_arguments, passes_keywords = comparison.target_rest
    return passes_keywords and (passes_arguments or comparison.source_rest[1])

"""Asking NumPy: the real function is called on what stands in for its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import prod
from typing import Any

from gpuport.analysis.knowledge.claimed import (
    ALWAYS,
    claims_rank,
    forget_dtype,
    forget_rank,
    says_much,
)
from gpuport.analysis.knowledge.readings import read
from gpuport.analysis.knowledge.standins import (
    DTYPES,
    RANKS,
    combinations,
    index_entries,
    long_ones,
    of_size,
    sizes,
    stand_ins,
    unsized,
)
from gpuport.analysis.knowledge.vagueness import (
    has_stand_ins,
    holds_unknown,
    is_open,
    is_vague,
    may_be_word,
    of_any_rank,
)
from gpuport.analysis.values.lattice import (
    UNKNOWN,
    Array,
    Either,
    Scalar,
    Unknown,
    Value,
    join,
)

_MORE_RANKS = (3, 4, 2, 1, 0)
_DOUBTS = (
    ((4,), ("float64",)), ((1, 2), ("float32",)), ((1, 2), ("bool",)), ((1, 2), ("complex64",)),
    ((1, 2), ("uint8",)),
)  # fmt: skip
"""Ranks and dtypes with which a claim about what is not known is put to the test: functions may
refuse the usual stand-ins (``gcd`` takes no floats) or stop at a rank (``atleast_3d``)."""
_MOST_PROBES = 48
_SHORT_PROBES = 6
_ROUNDS = (
    (RANKS, DTYPES, _MOST_PROBES, False),
    (_MORE_RANKS, DTYPES[:1], 4 * _MOST_PROBES, False),
)
"""Ranks and dtypes to try, how many combinations of them, and whether long arrays as well."""
_LONG_ROUND = ((1, 2), DTYPES, 2 * _MOST_PROBES, True)
_WITH_WORDS = 512
"""Combinations to try where a word is missing: each word decides."""

Run = Callable[[tuple[Any, ...]], Any]


def answer(
    values: tuple[Value, ...],
    run: Run,
    *,
    index: bool = False,
    long: bool = False,
    short: bool = True,
    words: Callable[[], tuple[str, ...]] = tuple,
) -> Value:
    """What is true of all that a function gives for what stands in for these values.

    Parameters
    ----------
    values : tuple of Value
    run : callable
        Calls the function with one thing for each value; what it raises says that it does not
        take them.
    index : bool
        Whether all but the first are indices into it.
    long : bool
        Whether to try long arrays where it takes no short ones.
    short : bool
        Whether what is claimed has to be true of arrays of one element.
    words : callable
        The words to try where a value may be one.

    Returns
    -------
    Value
        `Unknown` where the function takes nothing that was tried.
    """
    import warnings

    import numpy as np

    if not all(map(has_stand_ins, values)):
        return UNKNOWN
    question = _Question(values, run, index)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        result, dtypes, takes = _first_answers(question, long, words)
        if result is not None and any(map(is_open, values)) and says_much(result):
            result = _for_each_dtype(question, result, takes)
        if short and result is not None and says_much(result):
            most = _MOST_PROBES if is_vague(values) else _SHORT_PROBES
            result = question.answers(RANKS, DTYPES, most, _Takes(size=1), so_far=result)
        if result is not None and claims_rank(result) and any(map(of_any_rank, values)):
            result = _for_each_rank(question, result, takes)
    if result is None:
        # `x.reshape(300, 200)` takes no array that is small enough: what holds for all sizes?
        vague = tuple(map(unsized, values))
        known = any(old != new for old, new in zip(values, vague, strict=True))
        if not known:
            return UNKNOWN
        return answer(vague, run, index=index, long=long, short=short, words=words)
    # The later round tries one dtype for all that are not known: it says nothing of the result's.
    # Nor do the few things that stand in for what is not known among others.
    few = len(dtypes) == 1 or any(map(holds_unknown, values))
    types = [v.constant for v in values if isinstance(v, Scalar) and v.type == "dtype"]
    asked = [np.dtype(one).name for one in types if isinstance(one, type)]
    names = (*(ALWAYS if len(dtypes) == 1 else ("bool",)), *asked)
    return forget_dtype(result, but=names) if few else result


def _first_answers(
    question: _Question, long: bool, words: Callable[[], tuple[str, ...]]
) -> tuple[Value | None, tuple[str, ...], _Takes]:
    """What the first round that has answers gives, the dtypes that it tried, and its arrays."""
    values = question.values
    may_be_words = any(map(may_be_word, values))
    for ranks, dtypes, most, longer in _rounds(values, long):
        takes = _Takes(long=longer)
        result = question.answers(ranks, dtypes, most, takes)
        if result is None and may_be_words:
            result = question.answers(ranks, dtypes, _WITH_WORDS, takes, words=words())
        if result is not None:
            return result, dtypes, takes
    # `x.reshape(4, 5)` takes nothing but twenty elements, `np.broadcast_to(x, (4, 5))` one as well
    named = [n for v in values for n in sizes(v)]
    for size in (prod(named), 1) if named else (1,):
        takes = _Takes(size=size)
        result = question.answers(RANKS, DTYPES, _MOST_PROBES, takes)
        if result is not None:
            break
    return result, DTYPES, takes


def _rounds(
    values: tuple[Value, ...], long: bool
) -> Iterator[tuple[tuple[int, ...], tuple[str, ...], int, bool]]:
    yield from _ROUNDS
    # Signals are longer than filters, and `np.partition(x, 7)` takes none of seven elements.
    if long or any(True for v in values for _ in sizes(v)):
        yield _LONG_ROUND


def _for_each_dtype(question: _Question, claimed: Value, takes: _Takes) -> Value:
    """What is claimed holds for arrays of other dtypes, as far as they are taken.

    Where float32 is not taken, what stood in for the other arguments did not go with it.
    """
    for ranks, others in _DOUBTS:
        found = question.answers(ranks, others, _MOST_PROBES // 4, takes)
        if found is not None:
            claimed = join(claimed, found)
        elif "float32" in others and is_vague(question.values):
            claimed = forget_dtype(claimed)
    return claimed


def _for_each_rank(question: _Question, claimed: Value, takes: _Takes) -> Value:
    """What is claimed of the axes of a result holds for arrays of each rank, if they are taken.

    The few combinations that are tried of many may have left a rank out, and what stands in for
    lists and for what is not known may not be what goes with it.
    """
    for rank in RANKS:
        found = question.answers((rank,), DTYPES[:1], _MOST_PROBES, takes)
        if found is not None:
            claimed = join(claimed, found)
        elif is_vague(question.values):
            claimed = forget_rank(claimed)
    return claimed


@dataclass(frozen=True, slots=True)
class _Takes:
    """How large the arrays are that a function is asked with: filters take no short signals.

    Attributes
    ----------
    long : bool
        Whether long arrays are among them.
    size : int or None
        How many elements all of them have; None where they are as they come.
    """

    long: bool = False
    size: int | None = None


@dataclass(frozen=True, slots=True)
class _Question:
    """A function and what is known of its arguments."""

    values: tuple[Value, ...]
    run: Run
    index: bool

    def answers(
        self,
        ranks: tuple[int, ...],
        dtypes: tuple[str, ...],
        most: int,
        takes: _Takes,
        *,
        words: tuple[str, ...] = (),
        so_far: Value | None = None,
    ) -> Value | None:
        """The answers for these ranks and dtypes, joined; None where there are none."""
        candidates = self._candidates(ranks, dtypes, takes.size)
        if takes.long:
            pairs = zip(candidates, self.values, strict=True)
            candidates = [[*short, *long_ones(v, ranks, dtypes)] for short, v in pairs]
        if words:
            candidates = _with_words(candidates, self.values, words)
        joined = so_far
        for chosen in combinations(candidates, 4 * most if self.index else most):
            try:
                given = read(self.run(chosen))
            except Exception:  # this combination of ranks and dtypes is not one NumPy takes
                continue
            joined = given if joined is None else join(joined, given)
            if joined == UNKNOWN:  # nothing could be true of it any more
                break
        return joined

    def _candidates(
        self, ranks: tuple[int, ...], dtypes: tuple[str, ...], size: int | None
    ) -> list[list[Any]]:
        return [
            self._stand_ins(position, value, ranks, dtypes, size)
            for position, value in enumerate(self.values)
        ]

    def _stand_ins(
        self,
        position: int,
        value: Value,
        ranks: tuple[int, ...],
        dtypes: tuple[str, ...],
        size: int | None,
    ) -> list[Any]:
        """What stands in for an argument; arrays behind the first may be shapes, of any size."""
        indices = self.index and position > 0
        if indices and isinstance(value, Unknown):
            return index_entries()
        if size is None or not isinstance(value, (Array, Either)):
            return stand_ins(value, ranks, ("int64", "bool") if indices else dtypes)
        sized = list(of_size(size, value, dtypes))
        return sized if indices or position == 0 else sized + stand_ins(value, ranks, dtypes)


def _with_words(
    candidates: list[list[Any]], values: tuple[Value, ...], words: tuple[str, ...]
) -> list[list[Any]]:
    alone = sum(map(may_be_word, values)) == 1
    return [
        c if not may_be_word(v) else [*words, None] if alone else [*words, *c]
        for c, v in zip(candidates, values, strict=True)
    ]


__all__ = ["answer"]

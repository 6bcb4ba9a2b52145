"""``rules/loops.yaml``: what is known of functions that loops call, and go over."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any

from gpuport._data import rules_folder


@dataclass(frozen=True)
class Makers:
    """Functions that make an array.

    Attributes
    ----------
    filled, alike : mapping of str to int or None
        What the elements are of an array of a shape, or of another array's; None where nobody says.
    filled_with, alike_with : frozenset of str
        Likewise, with the second argument.
    copies : frozenset of str
    of_items : frozenset of str
        Of a list.
    copies_of_items : frozenset of str
        Those of them that copy an array, too.
    any_number : frozenset of str
        Types that numbers of any type become alike, one by one and as an array.
    counting : frozenset of str
    """

    filled: Mapping[str, int | None]
    filled_with: frozenset[str]
    alike: Mapping[str, int | None]
    alike_with: frozenset[str]
    copies: frozenset[str]
    of_items: frozenset[str]
    copies_of_items: frozenset[str]
    any_number: frozenset[str]
    counting: frozenset[str]

    @cached_property
    def of_shape(self) -> frozenset[str]:
        """Those that take the shape first."""
        return self.filled_with.union(self.filled)

    @cached_property
    def of_shape_of(self) -> frozenset[str]:
        """Those that take an array first whose shape the new one has."""
        return self.alike_with.union(self.alike, self.copies)


@dataclass(frozen=True)
class VectorFunctions:
    """Functions of vectors that become loops over the elements; methods of arrays among them.

    Attributes
    ----------
    reductions : mapping of str to str
        With the operator or function that takes one element after the other.
    spreads : mapping of str to str
        Variances (``var``) and their roots (``std``).
    products : mapping of str to int or None
        With the axis of a matrix on the right that is summed over; None for products of vectors
        alone. ``@`` is the operator.
    norms, crosses : frozenset of str
    extremes : mapping of str to str
        With how an element compares that does not come before the best one so far.
    searches : frozenset of str
        What says where a number belongs in a vector that is in order.
    sorting : mapping of str to bool
        Whether NaN has a place in the order.
    """

    reductions: Mapping[str, str]
    spreads: Mapping[str, str]
    products: Mapping[str, int | None]
    norms: frozenset[str]
    crosses: frozenset[str]
    extremes: Mapping[str, str]
    searches: frozenset[str]
    sorting: Mapping[str, bool]

    @cached_property
    def paths(self) -> frozenset[str]:
        """All of them."""
        tables = (self.reductions, self.spreads, self.products, self.extremes, self.sorting)
        lists = (self.norms, self.crosses, self.searches)
        return frozenset().union(*tables, *lists)


@cache
def loop_rules() -> dict[str, Any]:
    """The table."""
    import yaml

    text = (rules_folder() / "loops.yaml").read_text(encoding="utf-8")
    table: dict[str, Any] = yaml.safe_load(text)
    return table


def orders_of_their_own() -> Mapping[str, str]:
    """By paths of functions whose items no index tells: why, and what else to go over."""
    table: dict[str, str] = loop_rules()["own_orders"]
    return table


def counting_heads() -> Mapping[str, str]:
    """By paths of functions that give indices: the form of what a loop over them does."""
    table: dict[str, str] = loop_rules()["counting_heads"]
    return table


@cache
def allocating() -> frozenset[str]:
    """Paths of functions whose result shares memory with nothing."""
    return frozenset(f"numpy.{name}" for name in loop_rules()["allocating"]["numpy"])


@cache
def giving_distinct_places() -> frozenset[str]:
    """Paths of functions that give places which are all different, none of them negative."""
    return frozenset(loop_rules()["distinct_places"])


@cache
def makers() -> Makers:
    """Functions that make an array."""
    return Makers(**_words("makers"))


@cache
def vector_functions() -> VectorFunctions:
    """Functions of vectors that become loops over the elements."""
    return VectorFunctions(**_words("of_vectors"))


@cache
def exact() -> frozenset[str]:
    """Paths of functions that give on the device, bit for bit, what they give on the host."""
    return frozenset(loop_rules()["exact"])


def last_names(paths: Iterable[str]) -> frozenset[str]:
    """What functions are called, whatever module they are of: ``zeros`` of ``numpy.zeros``."""
    return frozenset(path.rpartition(".")[2] for path in paths)


def _words(section: str) -> dict[str, Any]:
    """A section by its keys, its lists as sets."""
    given: dict[str, Any] = loop_rules()[section]
    return {k: frozenset(words) if isinstance(words, list) else words for k, words in given.items()}

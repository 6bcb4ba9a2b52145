"""How points of a map put values together: one name each, and what it takes of a point."""

from __future__ import annotations

from gpuport._frozen import frozen

#: Ways that take one term for their one value: sums, products, NumPy's extremes (where NaN wins),
#: Python's (where a later value is taken only if it is beyond the former), and the later term.
PLAIN = frozenset({"+", "*", "maximum", "minimum", "max", "min", "last"})
#: Ways that take a test before their terms. Of points where it holds, those of the last, or of
#: the first; "first or last" takes those of the last point where the test holds for none. An
#: extreme takes the terms of the point whose first term is beyond those of all others, and of
#: several alike the first, or the last.
TESTED = frozenset(
    {"last where", "first where", "first or last"}
    | {"max first", "max last", "min first", "min last"}
)


@frozen
class Reduction:
    """How one value, or several together, come out of the points of a map.

    Attributes
    ----------
    how : str
    values : int
        How many values: an extreme has those that belong to it beside it.
    """

    how: str
    values: int = 1

    @property
    def terms(self) -> int:
        """How many terms a point gives for it."""
        return self.values + (self.how in TESTED)

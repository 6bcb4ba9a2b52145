"""What stops a run of a loop for all items at once."""

from __future__ import annotations

from typing import Any, NoReturn


class Unbatched(Exception):
    """The loop does something that has no meaning for all items at once: it is to run as it is."""


class Split(Exception):
    """The items go several ways from here on: each way is to be run by itself.

    Parameters
    ----------
    labels : numpy.ndarray, shape (items,)
        Of each item of the run, which way it goes.
    """

    def __init__(self, labels: Any) -> None:
        super().__init__("the items go several ways")
        self.labels = labels


def refuse(reason: str) -> NoReturn:
    """Stop the run."""
    raise Unbatched(reason)


class NoItems(Exception):
    """The loop makes no trip."""


class NotCompared:
    """What stands for a value whose comparisons and truth are not its own: nobody may ask."""

    def _not_asked(self, *given: Any) -> Any:
        refuse("something from outside of the loop is compared, or asked whether it is true")

    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __hash__ = _not_asked

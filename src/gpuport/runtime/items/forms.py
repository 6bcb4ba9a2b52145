"""What the rules for functions may be given."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection
from typing import Any


def takes(rule: Callable[..., Any], places: str, named: str = "") -> Callable[..., Any]:
    """A rule that says what it may be given beside the trace and a first array.

    Parameters
    ----------
    rule : callable
        Its own signature tells less.
    places, named : str
        Names of what may be given by place or by name, and by name alone.
    """
    either, only = inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY
    first = [inspect.Parameter(name, inspect.Parameter.POSITIONAL_ONLY) for name in ("trace", "a")]
    rest = [inspect.Parameter(name, either, default=None) for name in places.split()]
    rest += [inspect.Parameter(name, only, default=None) for name in named.split()]
    setattr(rule, "__signature__", inspect.Signature([*first, *rest]))  # noqa: B010
    return rule


def accepts(rule: Callable[..., Any], given: int, names: Collection[str]) -> bool:
    """Whether a rule may be given so many arguments by place, and these by name."""
    try:
        inspect.signature(rule).bind(None, *[None] * given, **dict.fromkeys(names))
    except TypeError:
        return False
    return True


__all__ = ["accepts", "takes"]

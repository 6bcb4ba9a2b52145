"""Numbers that iterations hand on to each other, or make together."""

from __future__ import annotations

import ast
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Accumulation:
    """A number that every iteration adds to: ``total += f(i)``.

    Attributes
    ----------
    variable : str
        The user's name.
    operator : str
        ``+`` (``s += f``, ``s -= f``, ``s = s + f``, a count), ``*``, ``min``, ``max`` (either
        ``s = max(s, f)`` or ``if f > s: s = f``), ``argmin``, ``argmax`` (a name set together
        with the extreme, in the same ``if``; that one's comparison tells whether the first or
        the last of equals wins), ``any`` (the name is set to one constant where a condition
        holds), ``last`` (the name holds after the loop what the last iteration gave it), ``latest``
        (the same, of the iterations that gave it anything).
    statement : ast.stmt
        The statement (or the ``if``) in the body that does it; it may stand in a condition or in
        a serial loop. One number may have several, with the same operator, one record each.
    """

    variable: str
    operator: str
    statement: ast.stmt


@dataclass(frozen=True, slots=True)
class Scan:
    """A number that each iteration makes from the one before: ``s += f(i); out[i] = s``.

    The launch becomes three steps: the terms of all iterations (``body`` up to ``statement``,
    which stores ``term``), a scan over them from ``initial`` on, and the ``body`` with the
    scanned value in the place of ``statement``. The grid has one axis.

    Attributes
    ----------
    variable : str
        The carried number's name in the body.
    operator : str
        ``+``, ``*``, ``min``, ``max``.
    statement : ast.stmt
        The top-level statement of the body that makes the new value; no statement before it
        reads ``variable`` or writes an array.
    term : ast.expr
        What the iteration contributes, an expression over what is bound at ``statement``.
    initial : str
        Python expression, over names bound before the launch, for the value before the first
        iteration: the variable itself, or an element such as ``out[0]``. The guards make sure
        that there is a first iteration.
    array : str or None
        Where the loop carries the value through an array (``a[i] = a[i - 1] + f``), that array:
        the original rounds to its dtype at each step, so the scan has to be made in that dtype.
    """

    variable: str
    operator: str
    statement: ast.stmt
    term: ast.expr
    initial: str
    array: str | None = None


@dataclass(frozen=True, slots=True)
class Latest:
    """A number that some iterations set, and the others keep: ``if c: last = x[i]``.

    The launch becomes three steps: which iterations set it, and to what; for each iteration the
    latest of those; and the plan's body with that value in the place of ``statement``.

    Attributes
    ----------
    variable : str
    statement : ast.stmt
        The top-level statement of the body that does nothing but set the number, on some of its
        ways; it does not read the number but to add a literal to it (``count += 1``).
    counts : bool
        Whether it does that.
    """

    variable: str
    statement: ast.stmt
    counts: bool = False


@dataclass(frozen=True, slots=True)
class Tallies:
    """Numbers that iterations add to and read on the way: ``out[k] = v; k += 1``.

    The launch becomes three steps: what each iteration adds, running sums of that, and the plan's
    body, in which each number begins with what the iterations before have added.

    Attributes
    ----------
    variables : tuple of str
    additions : tuple of Accumulation
        The statements that add.
    body : tuple of ast.stmt
        The part of the plan's body that the additions depend on; it reads none of the numbers, and
        no array that the loop writes.
    """

    variables: tuple[str, ...]
    additions: tuple[Accumulation, ...]
    body: tuple[ast.stmt, ...]

"""A limit on the work of isl for one loop, the same on each machine."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager

from gpuport.loops.reasons import UNSUPPORTED, Refused

ANALYSIS_FAILED = "the analysis of this loop failed"
"""Begins the message where isl could not do what it was asked: a defect of gpuport."""

_OPERATIONS = 3_000_000
"""A fraction of a second of isl's work on one loop."""
_exhausted = 0


@contextmanager
def budget(node: ast.AST) -> Iterator[None]:
    """Refuse a loop whose analysis takes too long.

    isl counts its own operations, so that the answer does not depend on the machine.

    Raises
    ------
    Refused
        At the loop, where isl gave up.
    """
    import islpy

    global _exhausted
    context = islpy.DEFAULT_CONTEXT
    context.reset_operations()
    context.set_max_operations(_OPERATIONS)
    try:
        yield
    except (islpy.Error, TypeError) as error:
        # Inside the parser, isl reports a spent budget as a syntax error, and numbers that it did
        # not make come back as None: ask it again.
        if not _spent():
            if isinstance(error, TypeError):
                raise
            raise Refused(UNSUPPORTED, node, f"{ANALYSIS_FAILED}: {error}") from error
        _exhausted += 1
        raise Refused(
            UNSUPPORTED,
            node,
            "the subscripts of this loop are too many or too entangled to be analysed in time; "
            "split it into smaller loops",
        ) from error
    finally:
        context.set_max_operations(0)


def exhausted() -> int:
    """How many budgets were used up so far."""
    return _exhausted


def _spent() -> bool:
    """Whether isl has used up its operations."""
    import islpy

    try:
        islpy.Set("[p] -> { [i] : 0 <= i < p }").params()
    except islpy.Error:
        return True
    return False


__all__ = ["ANALYSIS_FAILED", "budget", "exhausted"]

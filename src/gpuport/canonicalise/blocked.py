"""Why a region cannot be rewritten."""

from __future__ import annotations

from gpuport.records import Span


class Blocked(Exception):
    """A region stays as it is, for a reason in the user's terms, at a place in the user's file."""

    def __init__(self, reason: str, span: Span | None = None) -> None:
        super().__init__(reason)
        self.reason, self.span = reason, span

"""How a step of the analysis says no: one exception that carries a finding."""

from __future__ import annotations

import ast

from gpuport.loops.records import Refusal

UNSUPPORTED = "GP201"
CARRIED = "GP202"
UNKNOWN_CALL = "GP203"
DATA_EXIT = "GP204"
UNKNOWN_TYPE = "GP205"
SIDE_EFFECT = "GP206"
NOT_INSTALLED = "GP207"


class Refused(Exception):
    """Raised where a nest has to stay a Python loop.

    Parameters
    ----------
    code : str
        The finding's code.
    node : ast.AST
        Where; positions are taken from it.
    message : str
        Why, in the user's own names.
    """

    def __init__(self, code: str, node: ast.AST, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.line = getattr(node, "lineno", 0)

    def refusal(self) -> Refusal:
        """The record of this refusal."""
        return Refusal(self.code, self.message, self.line)

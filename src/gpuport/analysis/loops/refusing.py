"""What is said of loops that stay in Python."""

from __future__ import annotations

import ast
from dataclasses import replace

from gpuport.analysis.functions.interest import mentions_arrays
from gpuport.analysis.interpretation.unit import Unit
from gpuport.loops.records import Refusal
from gpuport.records import Severity

Loop = ast.For | ast.While


def refuse(unit: Unit, node: Loop, refusal: Refusal) -> None:
    """Keep why a loop stays in Python, and tell it."""
    refusal = replace(refusal, message=unit.module.in_lines_of_file(refusal.message))
    unit.forms.refusals[id(node)] = refusal
    # Loops of a function that does not speak of NumPy may be over lists.
    severity = Severity.WARNING if mentions_arrays(unit.scope) else Severity.INFO
    message = f"the loop stays in Python: {refusal.message}"
    unit.note(refusal.code, message, node, severity=severity)


def refused(node: Loop, code: str, message: str) -> Refusal:
    """A reason for which a loop stays in Python."""
    return Refusal(code, message, node.lineno)


__all__ = ["Loop", "refuse", "refused"]

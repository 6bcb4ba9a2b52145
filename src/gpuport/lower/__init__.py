"""From the syntax tree of a file to its program representation: each node once, nothing guessed.

What is not understood becomes ``Opaque``: it keeps its text, and runs as Python.
"""

# these say how each kind of node is lowered
from gpuport.lower import (
    assignments,
    comprehensions,
    expressions,
    functions,
    loops,
    patterns,
    protected,
    statements,
    surveyexpressions,
    surveystatements,
)
from gpuport.lower.modules import lower, lower_module

__all__ = [
    "assignments",
    "comprehensions",
    "expressions",
    "functions",
    "loops",
    "lower",
    "lower_module",
    "patterns",
    "protected",
    "statements",
    "surveyexpressions",
    "surveystatements",
]

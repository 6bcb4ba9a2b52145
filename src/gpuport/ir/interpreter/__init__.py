"""Executes IR over NumPy and Python values: the safety net of lowering and of every rewrite.

A form that is lowered wrongly shows as a program that runs otherwise than in Python.
"""

# these say how each kind of operation runs
from gpuport.ir.interpreter import control, elements, functions, names, objects
from gpuport.ir.interpreter.elements import NeedFailed, read_extent
from gpuport.ir.interpreter.machine import Interpreter, Watcher
from gpuport.ir.interpreter.steps import CONTROLS, ENDINGS, STEPS, UNASSIGNED, Frame

__all__ = [
    "CONTROLS",
    "ENDINGS",
    "STEPS",
    "UNASSIGNED",
    "Frame",
    "Interpreter",
    "NeedFailed",
    "Watcher",
    "control",
    "elements",
    "functions",
    "names",
    "objects",
    "read_extent",
]

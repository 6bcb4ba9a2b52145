"""The program representation: what lowering makes of a file, and what every later stage reads."""

from gpuport.ir.checking import IRError, check
from gpuport.ir.kinds import KINDS, Effect
from gpuport.ir.printing import render
from gpuport.ir.pruning import prune
from gpuport.ir.queries import arms, carried, exits, is_inside, mentioned, opaque, tails, uses, walk
from gpuport.ir.structure import Function, Head, Module, Op, Parameter, Passing, Region, Value

__all__ = [
    "KINDS",
    "Effect",
    "Function",
    "Head",
    "IRError",
    "Module",
    "Op",
    "Parameter",
    "Passing",
    "Region",
    "Value",
    "arms",
    "carried",
    "check",
    "exits",
    "is_inside",
    "mentioned",
    "opaque",
    "prune",
    "render",
    "tails",
    "uses",
    "walk",
]

"""What is worked out once for a module, however often its functions are analysed."""

from __future__ import annotations

import ast
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from gpuport.analysis.loops.compiling import Compiled
from gpuport.analysis.values.lattice import Scalar
from gpuport.parallel.items.records import ItemLoop, Refusal

if TYPE_CHECKING:
    from gpuport.analysis.functions.returncases import Cases


@dataclass(slots=True, eq=False)
class Remembered:
    """Answers about the text of a module, most of them by the ids of its nodes.

    Where an answer rests on what is known of names, that is a part of its key.

    Attributes
    ----------
    compiled : Compiled
        What the loop compiler has said, by the loop and what was known of its names.
    gaining : dict
        The names that loops read whose calls gain of stacks; none for other loops.
    vectorisable : dict
        Whether functions that loops call can take stacks, and gain of them.
    stackable : dict
        The functions that loops over items may become, or why they become none.
    cases : dict
        The cases of what functions give back.
    numbers : dict
        The attributes of classes in which nothing but numbers are stored.
    read_only : dict
        Whether nothing changes the arrays that the module binds to names.
    works : dict
        Whether functions work with arrays.
    read_inside : frozenset of str or None
        Names of the module that its functions read; None as long as nobody asked.
    called_back : dict or None
        The calls that have functions called for one part of an array after the other, by the
        names of these; None as long as nobody asked.
    """

    compiled: Compiled = field(default_factory=Compiled)
    gaining: dict[int, frozenset[str]] = field(default_factory=dict)
    vectorisable: dict[int, bool] = field(default_factory=dict)
    stackable: dict[int, ItemLoop | Refusal] = field(default_factory=dict)
    cases: dict[int, Cases] = field(default_factory=dict)
    numbers: dict[int, dict[str, Scalar]] = field(default_factory=dict)
    read_only: dict[str, bool] = field(default_factory=dict)
    works: dict[int, bool] = field(default_factory=dict)
    read_inside: frozenset[str] | None = None
    called_back: dict[str, ast.Call] | None = None


__all__ = ["Remembered"]

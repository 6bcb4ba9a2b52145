"""The data of ``rules/batch.yaml``: what functions of one item are for a stack of items."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from gpuport._data import rules_folder


@dataclass(frozen=True, slots=True)
class MatrixFunction:
    """A function of matrices that takes stacks of them too.

    Attributes
    ----------
    takes : tuple of int
        Axes that an item has in each argument.
    gives : tuple of int
        Axes of an item in each result.
    raises : bool
        Whether it raises LinAlgError for some matrices.
    options : frozenset of str
        Keywords that it may be called with.
    results : mapping of str to (mapping of object to tuple of int)
        Keyword -> value -> axes of the results instead of `gives`.
    target : str
        The function to call, by NumPy's name.
    adds : str
        An argument that is added to the call.
    runtime : str
        The function of the runtime that takes stacks in its place; empty where CuPy's does.
    sized : bool
        Whether the runtime chooses the algorithm by the size of the matrices.
    ignores : frozenset of str
        Keywords that choose no value, and are left out.
    needs : mapping of str to object
        Keywords without which it is another function, likewise.
    """

    takes: tuple[int, ...]
    gives: tuple[int, ...]
    raises: bool
    options: frozenset[str]
    results: Mapping[str, Mapping[Any, tuple[int, ...]]]
    target: str
    adds: str
    runtime: str
    sized: bool
    ignores: frozenset[str]
    needs: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Stacking:
    """What is known of functions, methods and attributes on stacks."""

    matrices: Mapping[str, MatrixFunction]
    forms: Mapping[str, str]
    elementwise: frozenset[str]
    reductions: frozenset[str]
    along: frozenset[str]
    methods: Mapping[str, str]
    attributes: Mapping[str, str]
    triggers: frozenset[str]
    products: frozenset[str]
    extremes: Mapping[str, str]
    told: frozenset[str]
    helpers: frozenset[str]
    hosted: Mapping[str, str]
    open_meshes: frozenset[str]
    whole_numbers: frozenset[str]
    true_places: Mapping[str, str]
    advice: Mapping[str, frozenset[str]]
    builtins: frozenset[str]
    fresh_methods: frozenset[str]
    reading_methods: frozenset[str]
    growing_methods: frozenset[str]

    def is_fresh(self, method: str) -> bool:
        """Whether a method gives nothing that shares memory with its array."""
        return any(
            method in row
            for row in (self.fresh_methods, self.reductions, self.along, self.products)
        )


@cache
def stacking() -> Stacking:
    """The table, read once."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = (rules_folder() / "batch.yaml").read_text(encoding="utf-8")
    data = yaml.load(text, Loader=loader)
    return Stacking(
        matrices={path: _matrix(path, row) for path, row in data["matrices"].items()},
        forms=data["forms"],
        elementwise=frozenset(f"numpy.{name}" for name in data["elementwise"]),
        reductions=frozenset(data["reductions"]),
        along=frozenset(data["along"]),
        methods=data["methods"],
        attributes=data["attributes"],
        triggers=frozenset(data["triggers"]),
        products=frozenset(data["products"]),
        extremes=data["extremes"],
        told=frozenset(data["told"]),
        helpers=frozenset(data["helpers"]),
        hosted=data["hosted"],
        open_meshes=frozenset(data["open_meshes"]),
        whole_numbers=frozenset(data["whole_numbers"]),
        true_places=data["true_places"],
        advice={path: frozenset(kinds) for path, kinds in data["advice"].items()},
        builtins=frozenset(f"builtins.{name}" for name in data["builtins"]),
        fresh_methods=frozenset(data["fresh_methods"]),
        reading_methods=frozenset(data["reading_methods"]),
        growing_methods=frozenset(data["growing_methods"]),
    )


def results_of(path: str, call: ast.Call) -> tuple[int, ...]:
    """Axes of the results of a call for one matrix; empty where that is not evident."""
    function = stacking().matrices.get(path)
    if function is None or any(k.arg is None for k in call.keywords):
        return ()
    gives = function.gives
    for keyword in call.keywords:
        by_value = function.results.get(keyword.arg or "", {})
        if by_value and not isinstance(keyword.value, ast.Constant):
            return ()
        if isinstance(keyword.value, ast.Constant):
            gives = by_value.get(keyword.value.value, gives)
    return gives


def _matrix(path: str, row: Mapping[str, Any]) -> MatrixFunction:
    results = {
        keyword: {value: tuple(ranks) for value, ranks in by_value.items()}
        for keyword, by_value in row.get("results", {}).items()
    }
    return MatrixFunction(
        takes=tuple(row["takes"]),
        gives=tuple(row["gives"]),
        raises=row.get("raises", False),
        options=frozenset(row.get("options", ())),
        results=results,
        target=row.get("as", path),
        adds=row.get("adds", ""),
        runtime=row.get("runtime", ""),
        sized=row.get("sized", False),
        ignores=frozenset(row.get("ignores", ())),
        needs=row.get("needs", {}),
    )

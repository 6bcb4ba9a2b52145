"""The data of ``rules/batch.yaml``: which loops are worth one run for all of their items."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from gpuport._data import rules_folder


@dataclass(frozen=True, slots=True)
class MatrixFunction:
    """A function of matrices.

    Attributes
    ----------
    takes : tuple of int
        Axes that an item has in each argument.
    target : str
        NumPy's function that it is, where it is called without options.
    adds : str
        An argument that NumPy's is to be given for that.
    needs : mapping of str to object
        Keywords without which it is another function.
    """

    takes: tuple[int, ...]
    target: str
    adds: str
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
    advice: Mapping[str, frozenset[str]]
    builtins: frozenset[str]
    calling: frozenset[str]
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
        advice={path: frozenset(kinds) for path, kinds in data["advice"].items()},
        builtins=frozenset(f"builtins.{name}" for name in data["builtins"]),
        calling=frozenset(f"builtins.{name}" for name in data["calling"]),
        fresh_methods=frozenset(data["fresh_methods"]),
        reading_methods=frozenset(data["reading_methods"]),
        growing_methods=frozenset(data["growing_methods"]),
    )


def _matrix(path: str, row: Mapping[str, Any]) -> MatrixFunction:
    return MatrixFunction(
        tuple(row["takes"]), row.get("as", path), row.get("adds", ""), row.get("needs", {})
    )

"""Which functions have elements, and what these are made of: ``rules/elements.yaml``."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import yaml

from gpuport._data import rules_folder


@dataclass(frozen=True, slots=True)
class ElementRules:
    """The table, ready to be asked; see its comments."""

    reductions: dict[str, str]
    places: dict[str, str]
    products: frozenset[str]
    contractions: dict[str, dict[str, str]]
    by_subscripts: frozenset[str]
    crosses: frozenset[str]
    filled: dict[str, int]
    alike: dict[str, int]
    units: frozenset[str]
    counting: frozenset[str]
    same: frozenset[str]
    elementwise: dict[str, int]
    chosen_by_test: frozenset[str]
    between: dict[str, str]
    numbers: frozenset[str]
    number_modules: tuple[str, ...]

    @property
    def computed(self) -> frozenset[str]:
        """Functions of arrays that do no more than compute elements."""
        tables = (self.reductions, self.places, self.contractions, self.filled, self.alike)
        named = (name for table in tables for name in table)
        lists = (self.products, self.by_subscripts, self.crosses, self.units, self.counting)
        return frozenset(named).union(*lists, self.same)


@cache
def element_rules() -> ElementRules:
    """The table of the installed rules."""
    data = yaml.safe_load((rules_folder() / "elements.yaml").read_text(encoding="utf-8"))
    contractions = {
        path: {str(ranks): text for ranks, text in by_ranks.items()}
        for path, by_ranks in data["contractions"].items()
    }
    return ElementRules(
        reductions=data["reductions"],
        places=data["places"],
        products=frozenset(data["products"]),
        contractions=contractions,
        by_subscripts=frozenset(data["by_subscripts"]),
        crosses=frozenset(data["crosses"]),
        filled=data["filled"],
        alike=data["alike"],
        units=frozenset(data["units"]),
        counting=frozenset(data["counting"]),
        same=frozenset(data["same"]),
        elementwise=data["elementwise"],
        chosen_by_test=frozenset(data["chosen_by_test"]),
        between=data["between"],
        numbers=frozenset(data["numbers"]),
        number_modules=tuple(data["number_modules"]),
    )

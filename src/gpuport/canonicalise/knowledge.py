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
    products: frozenset[str]
    filled: dict[str, int]
    same: frozenset[str]
    elementwise: dict[str, int]
    numbers: frozenset[str]
    number_modules: tuple[str, ...]


@cache
def element_rules() -> ElementRules:
    """The table of the installed rules."""
    data = yaml.safe_load((rules_folder() / "elements.yaml").read_text(encoding="utf-8"))
    return ElementRules(
        reductions=data["reductions"],
        products=frozenset(data["products"]),
        filled=data["filled"],
        same=frozenset(data["same"]),
        elementwise=data["elementwise"],
        numbers=frozenset(data["numbers"]),
        number_modules=tuple(data["number_modules"]),
    )

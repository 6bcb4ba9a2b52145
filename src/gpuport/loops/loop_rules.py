"""``rules/loops.yaml``: what is known of functions that loops call, and go over."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from gpuport._data import rules_folder


@cache
def loop_rules() -> dict[str, Any]:
    """The table."""
    import yaml

    text = (rules_folder() / "loops.yaml").read_text(encoding="utf-8")
    table: dict[str, Any] = yaml.safe_load(text)
    return table


def orders_of_their_own() -> Mapping[str, str]:
    """By paths of functions whose items no index tells: why, and what else to go over."""
    table: dict[str, str] = loop_rules()["own_orders"]
    return table


def counting_heads() -> Mapping[str, str]:
    """By paths of functions that give indices: the form of what a loop over them does."""
    table: dict[str, str] = loop_rules()["counting_heads"]
    return table


@cache
def allocating() -> frozenset[str]:
    """Paths of functions whose result shares memory with nothing."""
    return frozenset(f"numpy.{name}" for name in loop_rules()["allocating"]["numpy"])


@cache
def giving_distinct_places() -> frozenset[str]:
    """Paths of functions that give places which are all different, none of them negative."""
    return frozenset(loop_rules()["distinct_places"])

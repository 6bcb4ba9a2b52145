"""What recordings may ask for beside what the project has itself: ``rules/recordings.yaml``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from gpuport._data import rules_folder


@dataclass(frozen=True, slots=True)
class Allowed:
    """Places, as ``module:name``, by what a recording may do with them.

    Attributes
    ----------
    types : frozenset of str
        Instances are made without a constructor.
    makers : mapping
        What is called, with what each argument may be, by name or position.
    functions : frozenset of str
        What may be an argument.
    ufuncs : frozenset of str
        Modules of which each universal function may be.
    """

    types: frozenset[str]
    makers: Mapping[str, Mapping[str | int, str]]
    functions: frozenset[str]
    ufuncs: frozenset[str]

    @property
    def modules(self) -> frozenset[str]:
        """Modules that may be imported for a recording."""
        places = (*self.types, *self.makers, *self.functions)
        return frozenset(place.partition(":")[0] for place in places) | self.ufuncs


@cache
def allowed() -> Allowed:
    """What the file of rules says."""
    import yaml

    text = (rules_folder() / "recordings.yaml").read_text(encoding="utf-8")
    data: Any = yaml.safe_load(text)
    functions = (
        f"{module}:{name}" for module, names in data["functions"].items() for name in names
    )
    return Allowed(
        frozenset(data["types"]),
        data["makers"],
        frozenset(functions),
        frozenset(data["ufuncs"]),
    )

"""The data of ``rules/loops-functions.yaml``: what functions and operators are in CUDA C++."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from gpuport._data import rules_folder


@dataclass(frozen=True, slots=True)
class Functions:
    """What is known of functions, by resolved name.

    Attributes
    ----------
    operators : mapping of str to str
        Class of ``ast`` -> NumPy function.
    ufuncs : mapping of str to (mapping of str to str)
        NumPy function -> kind of the type computed in -> CUDA form.
    aliases : mapping of str to str
    floating, chosen, rounding : mapping of str to (mapping of str to Any)
    raising : mapping of str to (mapping of str to Any)
        NumPy function -> what its operator raises for Python's floats.
    operations : mapping of str to str
        Function -> NumPy function whose operator it is.
    conversions : mapping of str to str
        Function -> name of the type that it converts to.
    parts : mapping of str to str
        ``real`` and ``imag``.
    constants : mapping of str to float
    atomic_add, atomic_add_parts : frozenset of str
        Dtypes; those of which the real and the imaginary part are added by themselves.
    atomic_extremes : mapping of str to (mapping of str to str)
        Function -> ``whole`` or ``floating`` -> CUDA form.
    by_element : frozenset of str
        Functions of NumPy's, no ufuncs, that compute element by element.
    reserved : frozenset of str
        Words that are no name in a kernel.
    called : frozenset of str
        Those of them that are functions.
    declared : frozenset of str
        Words that are, besides, no name of a kernel or of a function of the device.
    """

    operators: Mapping[str, str]
    ufuncs: Mapping[str, Mapping[str, str]]
    aliases: Mapping[str, str]
    floating: Mapping[str, Mapping[str, Any]]
    chosen: Mapping[str, Mapping[str, Any]]
    rounding: Mapping[str, Mapping[str, Any]]
    raising: Mapping[str, Mapping[str, Any]]
    operations: Mapping[str, str]
    conversions: Mapping[str, str]
    parts: Mapping[str, str]
    constants: Mapping[str, float]
    atomic_add: frozenset[str]
    atomic_add_parts: frozenset[str]
    atomic_extremes: Mapping[str, Mapping[str, str]]
    by_element: frozenset[str]
    reserved: frozenset[str]
    called: frozenset[str]
    declared: frozenset[str]

    def ufunc(self, path: str) -> str | None:
        """``sqrt`` for ``numpy.sqrt`` and its other names, where kernels have it.

        Functions of other libraries go by their whole name: ``scipy.special.erf``.
        """
        path = self.aliases.get(path, path)
        if path in self.ufuncs:
            return path
        head, _, name = path.partition(".")
        return name if head == "numpy" and name in self.ufuncs else None

    def form(self, ufunc: str, kind: str) -> str | None:
        """CUDA's form of a NumPy function for a kind of type, or None."""
        return self.ufuncs.get(ufunc, {}).get(kind)


@cache
def functions() -> Functions:
    """The table, read once."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = (rules_folder() / "loops-functions.yaml").read_text(encoding="utf-8")
    data = yaml.load(text, Loader=loader)
    kinds = {
        name: {kind: form for letters, form in forms.items() for kind in letters}
        for name, forms in data["ufuncs"].items()
    }
    words = {*data["words"].split(), *data["reserved"].split()}
    named = {*data["called"].split()}
    named |= {form for forms in kinds.values() for form in forms.values() if form.isidentifier()}
    named |= {str(entry["form"]) for entry in data["floating"].values()}
    return Functions(
        operators=data["operators"],
        ufuncs=kinds,
        aliases=data["aliases"],
        floating=data["floating"],
        chosen=data["chosen"],
        rounding=data["rounding"],
        raising=data["raising"],
        operations=data["operations"],
        conversions=_conversions(data["conversions"]),
        parts=data["parts"],
        constants=data["constants"],
        atomic_add=frozenset(data["atomic_add"]),
        atomic_add_parts=frozenset(data["atomic_add_parts"]),
        atomic_extremes=data["atomic_extremes"],
        by_element=frozenset(data["by_element"]),
        reserved=frozenset(named | words),
        called=frozenset(named - words),
        declared=frozenset(data["declared"].split()),
    )


def _conversions(data: Mapping[str, Any]) -> dict[str, str]:
    import numpy as np

    found = {path: name for path, name in data.items() if isinstance(name, str)}
    return found | {f"numpy.{name}": str(np.dtype(getattr(np, name))) for name in data["numpy"]}

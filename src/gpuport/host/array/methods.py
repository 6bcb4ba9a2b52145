"""Methods that are the cupy function of their name."""

from __future__ import annotations

from typing import Any

from gpuport.host.array.base import FUNCTIONS, Array


def _method(name: str, signature: str, result: str) -> Any:
    source = f"def {name}({signature}):\n    return {result}\n"
    scope: dict[str, Any] = {"FUNCTIONS": FUNCTIONS}
    exec(source, scope)
    return scope[name]


_DELEGATED = {
    "all": ("self, axis=None, out=None, keepdims=False", "self, axis, out, keepdims"),
    "any": ("self, axis=None, out=None, keepdims=False", "self, axis, out, keepdims"),
    "argmax": ("self, axis=None, out=None, dtype=None, keepdims=False",) * 2,
    "argmin": ("self, axis=None, out=None, dtype=None, keepdims=False",) * 2,
    "argpartition": ("self, kth, axis=-1", "self, kth, axis"),
    "argsort": ("self, axis=-1, kind=None", "self, axis, kind"),
    "choose": ("self, choices, out=None, mode='raise'", "self, choices, out, mode"),
    "clip": ("self, min=None, max=None, out=None", "self, min, max, out"),
    "compress": ("self, condition, axis=None, out=None", "condition, self, axis, out"),
    "cumprod": ("self, axis=None, dtype=None, out=None", "self, axis, dtype, out"),
    "cumsum": ("self, axis=None, dtype=None, out=None", "self, axis, dtype, out"),
    "diagonal": ("self, offset=0, axis1=0, axis2=1", "self, offset, axis1, axis2"),
    "dot": ("self, b, out=None", "self, b, out"),
    "max": ("self, axis=None, out=None, keepdims=False", "self, axis, out, keepdims"),
    "mean": ("self, axis=None, dtype=None, out=None, keepdims=False",) * 2,
    "min": ("self, axis=None, out=None, keepdims=False", "self, axis, out, keepdims"),
    "nonzero": ("self", "self"),
    "prod": (
        "self, axis=None, dtype=None, out=None, keepdims=None",
        "self, axis, dtype, out, bool(keepdims)",
    ),
    "ptp": ("self, axis=None, out=None, keepdims=False", "self, axis, out, keepdims"),
    "put": ("self, indices, values, mode='wrap'", "self, indices, values, mode"),
    "repeat": ("self, repeats, axis=None", "self, repeats, axis"),
    "round": ("self, decimals=0, out=None", "self, decimals, out"),
    "searchsorted": ("self, v, side='left', sorter=None", "self, v, side, sorter"),
    "std": ("self, axis=None, dtype=None, out=None, ddof=0, keepdims=False",) * 2,
    "sum": ("self, axis=None, dtype=None, out=None, keepdims=False",) * 2,
    "take": ("self, indices, axis=None, out=None", "self, indices, axis, out"),
    "trace": ("self, offset=0, axis1=0, axis2=1, dtype=None, out=None",) * 2,
    "var": ("self, axis=None, dtype=None, out=None, ddof=0, keepdims=False",) * 2,
}
"""Methods that are the cupy function of their name: signature, and how the function is called."""


class Methods(Array):
    """Reductions, sorting, selection."""

    __slots__ = ()


for _name, (_signature, _call) in _DELEGATED.items():
    if _signature == _call:
        _parts = [part.split("=")[0] for part in _call.split(", ")]
        _call = ", ".join(part if part == "self" else f"{part}={part}" for part in _parts)
    setattr(Methods, _name, _method(_name, _signature, f"FUNCTIONS[{_name!r}]({_call})"))
for _name in ("conj", "conjugate"):  # the array itself where it is real
    _result = f"FUNCTIONS[{_name!r}](self) if self.dtype.kind == 'c' else self"
    setattr(Methods, _name, _method(_name, "self", _result))

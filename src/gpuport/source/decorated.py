"""The boundary that a function has already: what its ``@device(...)`` says."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from gpuport.source.names import Scope

DECORATOR = "gpuport.runtime.device"


@dataclass(frozen=True, slots=True)
class Decorated:
    """What a decorator says of a function.

    Attributes
    ----------
    arrays : frozenset of str, optional
        The parameters that are arrays of the device inside; None where the decorator is not called.
    policy : str
        What the function takes and gives: ``match``, ``device`` or ``none``.
    """

    arrays: frozenset[str] | None
    policy: str = "match"


def decorated(scope: Scope) -> Decorated | None:
    """The boundary that the text of a function has; None where it has none."""
    around = scope.parent
    for decorator in getattr(scope.node, "decorator_list", ()) if around is not None else ():
        head = decorator.func if isinstance(decorator, ast.Call) else decorator
        if around is None or around.resolve(head) != DECORATOR:
            continue
        if not isinstance(decorator, ast.Call):
            return Decorated(None)
        names = [str(a.value) for a in decorator.args if isinstance(a, ast.Constant)]
        policies = [
            str(k.value.value) for k in decorator.keywords
            if k.arg == "boundary" and isinstance(k.value, ast.Constant)
        ]  # fmt: skip
        return Decorated(frozenset(names), *policies)
    return None


__all__ = ["DECORATOR", "Decorated", "decorated"]

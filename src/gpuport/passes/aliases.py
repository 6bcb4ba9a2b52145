"""Which names the port uses for CuPy and for the boundary decorator."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from gpuport.source.names import Scope, walk_scopes


@dataclass(frozen=True, slots=True)
class Aliases:
    """Names in the ported module.

    Attributes
    ----------
    cupy : str
        ``cp``, or ``cupy`` where ``cp`` already means something else.
    device : str
        ``device``, or another name where that is taken.
    has_cupy, has_device : bool
        Whether the module imports them already under these names.
    """

    cupy: str = "cp"
    device: str = "device"
    has_cupy: bool = False
    has_device: bool = False


def choose(root: Scope) -> Aliases:
    """Names that are free everywhere in the module, or bound to the right thing already."""
    scopes = list(walk_scopes(root))
    cupy, has_cupy = _pick(root, scopes, ("cp", "cupy", "cupy_"), "cupy")
    device, has_device = _pick(
        root, scopes, ("device", "gpu_device", "gpuport_device"), "gpuport.runtime.device"
    )
    return Aliases(cupy, device, has_cupy, has_device)


def _pick(
    root: Scope, scopes: Iterable[Scope], candidates: tuple[str, ...], path: str
) -> tuple[str, bool]:
    for name, paths in root.imports.items():
        if paths == {path} and name not in root.bound:
            return name, True
    for name in candidates:
        if not any(scope.binds(name) or name in scope.loads for scope in scopes):
            return name, False
    return candidates[-1], False

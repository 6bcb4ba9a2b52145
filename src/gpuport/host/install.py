"""Put the host backend in the place of CuPy, and take it out again."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import os
import sys
from collections.abc import Sequence
from types import ModuleType
from typing import Any

_VERSIONS = (13, 14)
_set_aside: dict[str, ModuleType] = {}
"""Modules of a CuPy that had been imported before the host backend took their place."""


class _Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds ``cupy`` and ``cupyx`` and all their submodules, before any installed CuPy."""

    def __init__(self, version: int) -> None:
        self.version = version

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.split(".")[0] not in ("cupy", "cupyx"):
            return None
        from gpuport.host import surface

        if not surface.is_module(fullname, self.version):
            if fullname == "cupyx.jit" or fullname.startswith("cupyx.jit."):
                raise ImportError(
                    "the host backend has no cupyx.jit; it runs RawKernel, ElementwiseKernel and "
                    "ReductionKernel",
                    name=fullname,
                )
            raise ModuleNotFoundError(f"No module named '{fullname}'", name=fullname)
        return importlib.machinery.ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        from gpuport.host import surface

        return surface.create(spec.name, self.version)

    def exec_module(self, module: ModuleType) -> None:
        from gpuport.host import surface

        if module.__name__ == "cupy":
            surface.connect(module)  # type: ignore[arg-type]


def installed() -> bool:
    """Whether ``import cupy`` gives the host backend."""
    return any(isinstance(finder, _Finder) for finder in sys.meta_path)


def install(version: int | None = None) -> None:
    """Make ``import cupy`` give the host backend, also where a real CuPy is installed.

    Parameters
    ----------
    version : int, optional
        Major version of CuPy to stand for; by default the environment's ``GPUPORT_CUPY``, or 14.

    Raises
    ------
    ValueError
        For a version without an API table.
    """
    if version is None:
        text = os.environ.get("GPUPORT_CUPY", "14")
        if not text.isdigit():
            raise ValueError(f"GPUPORT_CUPY={text}: expected a major version, 13 or 14")
        version = int(text)
    if version not in _VERSIONS:
        raise ValueError(f"no host backend for CuPy {version}; there is one for 13 and 14")
    from gpuport.host import surface

    uninstall()
    _set_aside.update(surface.forget())
    sys.meta_path.insert(0, _Finder(version))
    import cupy  # noqa: F401


def uninstall() -> None:
    """Take the host backend out; ``import cupy`` then gives an installed CuPy, if any.

    One that was imported before is the same again: its compiled modules raise classes of its own.
    """
    if not installed():
        return
    from gpuport.host import surface

    sys.meta_path[:] = [finder for finder in sys.meta_path if not isinstance(finder, _Finder)]
    surface.forget()
    sys.modules.update(_set_aside)
    _set_aside.clear()

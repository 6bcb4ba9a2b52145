"""State of the process that a call may change for all that comes after it.

Equal before each call, compared after it: the environment, the working folder, how NumPy prints,
and which floating errors it raises.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from gpuport.verify.aftermath.leaves import Leaf


def _environment() -> Mapping[Any, Any]:
    """The variables as they are held: decoding all of them takes longer than many calls."""
    held: Mapping[Any, Any] | None = getattr(os.environ, "_data", None)
    return dict(os.environ) if held is None else held


class ProcessState:
    """What the process is like when this is made, as when a version had been loaded."""

    def __init__(self) -> None:
        self.variables = dict(os.environ)
        self.environment = dict(_environment())
        self.printing: dict[str, Any] = dict(np.get_printoptions())
        self.errors: Any = np.geterr()
        self._told_errors = repr(self.errors)

    @contextlib.contextmanager
    def kept(self) -> Iterator[None]:
        """Inside the block all begins as it was then, and after it all is so again."""
        self._restore()
        try:
            with np.errstate(**self.errors):
                yield
        finally:
            self._restore()

    def _restore(self) -> None:
        if _environment() != self.environment:
            os.environ.clear()
            os.environ.update(self.variables)
        if np.get_printoptions() != self.printing:
            np.set_printoptions(**self.printing)

    def unlike(self, other: ProcessState) -> str | None:
        """What is another in `other`, for people; None where nothing is."""
        if other.errors != self.errors:
            return f"NumPy's error state: {self.errors} became {other.errors}"
        if other.printing != self.printing:
            changed = {k for k, v in other.printing.items() if self.printing.get(k) != v}
            return f"NumPy's print options: {', '.join(sorted(changed))}"
        if other.environment != self.environment:
            changed = {name for name, _ in other.variables.items() ^ self.variables.items()}
            return f"environment: {', '.join(sorted(changed))}"
        return None

    def leaves(self, folder: Path) -> Iterator[Leaf]:
        """What the call has changed; `folder` is where it was begun."""
        errors = np.geterr()
        told = self._told_errors if errors == self.errors else repr(errors)
        yield Leaf("NumPy's error state", "text", told)
        yield Leaf("NumPy's print options", "text", self._printing())
        yield Leaf("environment", "text", self._variables())
        yield Leaf("working folder", "text", _from(folder))

    def _printing(self) -> str:
        now = np.get_printoptions()
        return "" if now == self.printing else repr(now)

    def _variables(self) -> str:
        if _environment() == self.environment:
            return ""
        return repr(sorted(dict(os.environ).items() ^ self.variables.items()))


def _from(folder: Path) -> str:
    """Where the process is now, seen from `folder`; empty for there."""
    try:
        here = os.getcwd()
    except OSError:
        return "gone"
    alike = here == str(folder) or here == os.path.realpath(folder)
    return "" if alike else os.path.relpath(here, folder)


def limit_memory(limit: int) -> None:
    """Give this process no more than so many bytes, where the platform has such limits."""
    _limit("RLIMIT_AS", limit)


def limit_seconds(limit: int) -> None:
    """End this process after so many seconds of the processor, where there are such limits."""
    _limit("RLIMIT_CPU", limit)


def _limit(kind: str, limit: int) -> None:
    try:
        import resource
    except ImportError:
        return
    _, hard = resource.getrlimit(getattr(resource, kind))
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(getattr(resource, kind), (limit, hard))

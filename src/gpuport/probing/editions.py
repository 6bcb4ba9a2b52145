"""With what an answer was found: the versions of all that decide it."""

from __future__ import annotations

import platform
import sys
from functools import lru_cache
from hashlib import sha256
from pathlib import Path

from gpuport.probing.questions import Prober

LIBRARIES = ("numpy", "scipy")
"""Those that are asked."""
_PACKAGE = Path(__file__).parent.parent


@lru_cache(maxsize=16)
def edition(prober: Prober) -> str:
    """A name for everything that decides what a prober answers here."""
    parts = [
        *(f"{name} {_version(name)}" for name in LIBRARIES),
        sys.version, sys.platform, platform.machine(),
    ]  # fmt: skip
    parts += [sha256(path.read_bytes()).hexdigest() for path in source_files(prober)]
    return sha256("\n".join(parts).encode()).hexdigest()[:32]


def source_files(prober: Prober) -> list[Path]:
    """The files whose text decides what a prober answers."""
    found: list[Path] = []
    for module in ("gpuport.probing", prober.module, *prober.sources):
        place = _PACKAGE.joinpath(*module.split(".")[1:])
        found += sorted(place.glob("*.py")) if place.is_dir() else [place.with_suffix(".py")]
    return list(dict.fromkeys(found))


def _version(library: str) -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version(library)
    except PackageNotFoundError:
        return "none"

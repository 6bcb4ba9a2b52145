"""The libraries of the host whose names CuPy follows, and where on the device each one is."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Library:
    """One library: ``root`` heads its dotted names, ``device`` those of its counterpart."""

    name: str
    root: str
    device: str


LIBRARIES = {
    "numpy": Library("NumPy", "numpy", "cupy"),
    "scipy": Library("SciPy", "scipy", "cupyx.scipy"),
}


@lru_cache(maxsize=4096)
def library_of(path: str) -> Library | None:
    """The library that a dotted name belongs to: ``scipy.fft.fft`` to SciPy."""
    root, dot, _ = path.partition(".")
    return LIBRARIES.get(root) if dot else None


def on_device(path: str) -> str:
    """Where the device would have a name: ``scipy.fft.fft`` is ``cupyx.scipy.fft.fft``."""
    root, dot, rest = path.partition(".")
    return LIBRARIES[root].device + dot + rest


def of_host(path: str) -> str | None:
    """The host's name behind one of the device's: ``cupyx.scipy.fft.fft`` is ``scipy.fft.fft``."""
    for library in LIBRARIES.values():
        if path == library.device or path.startswith(f"{library.device}."):
            return library.root + path[len(library.device) :]
    return None

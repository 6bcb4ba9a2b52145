"""Files and texts: read and written on the host."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.ndarray import ndarray
from gpuport.host.registry import implements


def _saver(name: str) -> Any:
    def save(*args: Any, **kwargs: Any) -> None:
        host = [x.get() if isinstance(x, ndarray) else x for x in args]
        named = {k: x.get() if isinstance(x, ndarray) else x for k, x in kwargs.items()}
        getattr(np, name)(*host, **named)

    return save


for _name in ("save", "savez", "savez_compressed", "savetxt"):
    implements("cupy." + _name)(_saver(_name))


class _Archive:
    """An ``.npz`` file whose members come as device arrays."""

    def __init__(self, archive: Any) -> None:
        self.npz_file = archive
        self.files = archive.files

    def __enter__(self) -> _Archive:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.npz_file.close()

    def __getitem__(self, key: str) -> Any:
        from gpuport.host.creation import array

        return array(self.npz_file[key])

    def close(self) -> None:
        """Close the file."""
        self.npz_file.close()


def _loader(name: str) -> Any:
    def load(*args: Any, **kwargs: Any) -> Any:
        from gpuport.host.creation import array

        found = getattr(np, name)(*args, **kwargs)
        return array(found) if isinstance(found, np.ndarray) else _Archive(found)

    return load


for _name in ("loadtxt", "genfromtxt", "fromfile", "fromiter", "fromstring", "frombuffer", "load"):
    implements("cupy." + _name)(_loader(_name))


def _text(name: str) -> Any:
    def show(a: Any, *args: Any, **kwargs: Any) -> str:
        values = a.get() if isinstance(a, ndarray) else np.asarray(a)
        return str(getattr(np, name)(values, *args, **kwargs))

    return show


for _name in ("array_str", "array_repr", "array2string"):
    implements("cupy." + _name)(_text(_name))

"""``cupy.memoize`` and ``cupy.clear_memo``."""

from __future__ import annotations

from typing import Any

from gpuport.host.registry import implements


@implements("cupy.memoize")
def memoize(for_each_device: bool = False) -> Any:
    """Cache results by arguments."""
    from functools import lru_cache

    return lru_cache(maxsize=None)


@implements("cupy.clear_memo")
def clear_memo() -> None:
    """Nothing to clear on the host."""

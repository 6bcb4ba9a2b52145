"""``cupy.fuse`` and the memo functions: nothing is fused on the host."""

from __future__ import annotations

from typing import Any

from gpuport.host.registry import implements


@implements("cupy.fuse")
def fuse(*args: Any, **kwargs: Any) -> Any:
    """Run the function unfused: every operation in it is counted."""
    if len(args) == 1 and callable(args[0]) and not kwargs:
        return args[0]
    return lambda function: function


@implements("cupy.memoize")
def memoize(for_each_device: bool = False) -> Any:
    """Cache results by arguments."""
    from functools import lru_cache

    return lru_cache(maxsize=None)


@implements("cupy.clear_memo")
def clear_memo() -> None:
    """Nothing to clear on the host."""

"""User kernels: not run on the host yet, and said so."""

from __future__ import annotations

from typing import Any

from gpuport.host.registry import implements

_KERNELS = ("ElementwiseKernel", "ReductionKernel", "RawKernel", "RawModule")


def _refusing(name: str) -> type:
    def init(self: Any, *args: Any, **kwargs: Any) -> None:
        raise NotImplementedError(
            f"cupy.{name}: the host backend does not run kernels yet; run this port on a GPU"
        )

    return type(name, (), {"__module__": "cupy", "__init__": init, "__doc__": f"cupy.{name}"})


for _name in _KERNELS:
    implements(f"cupy.{_name}")(_refusing(_name))


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

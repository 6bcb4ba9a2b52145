"""``cupy.testing``: NumPy's assertions on arrays of either side."""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.ndarray import ndarray
from gpuport.host.registry import implements


def _host(value: Any) -> Any:
    return value.get() if isinstance(value, ndarray) else value


def _assertion(name: str) -> Any:
    check = getattr(np.testing, name)

    def assertion(*args: Any, **kwargs: Any) -> Any:
        kwargs.pop("strides_check", None)
        return check(*map(_host, args), **kwargs)

    assertion.__name__ = assertion.__qualname__ = name
    return assertion


for _name in (
    "assert_allclose",
    "assert_array_almost_equal",
    "assert_array_almost_equal_nulp",
    "assert_array_max_ulp",
    "assert_array_equal",
    "assert_array_less",
):
    implements(f"cupy.testing.{_name}")(_assertion(_name))


@implements("cupy.testing.assert_array_list_equal")
def assert_array_list_equal(
    xlist: Any, ylist: Any, err_msg: str = "", verbose: bool = True
) -> None:
    """Lists of equal arrays."""
    if len(xlist) != len(ylist):
        raise AssertionError(f"List size is different. x={len(xlist)} y={len(ylist)}")
    for x, y in zip(xlist, ylist, strict=True):
        np.testing.assert_array_equal(_host(x), _host(y), err_msg, verbose)

"""Questions about element types that NumPy 2 no longer answers and CuPy does.

Source: NumPy 1's ``numerictypes.py``, of which CuPy keeps a copy.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gpuport.host.dtypes import SUPPORTED_CHARS
from gpuport.host.registry import implements


@implements("cupy.obj2sctype")
def obj2sctype(rep: Any, default: Any = None) -> Any:
    """Class of the elements of an array, or of what a dtype is made of."""
    if isinstance(rep, type) and issubclass(rep, np.generic):
        return rep
    if isinstance(rep, np.ndarray):
        return rep.dtype.type
    try:
        return np.dtype(rep).type
    except (TypeError, ValueError):
        return default


@implements("cupy.issctype")
def issctype(rep: Any) -> bool:
    """Whether something is a class of elements, or a dtype."""
    if not isinstance(rep, (type, np.dtype)):
        return False
    found = obj2sctype(rep)
    return found is not None and found is not np.object_


@implements("cupy.issubclass_")
def issubclass_(arg1: Any, arg2: Any) -> bool:
    """``issubclass``; of anything but classes False."""
    try:
        return issubclass(arg1, arg2)
    except TypeError:
        return False


@implements("cupy.issubsctype")
def issubsctype(arg1: Any, arg2: Any) -> bool:
    """Whether the elements of the first are of the second's class."""
    return issubclass(obj2sctype(arg1), obj2sctype(arg2))


@implements("cupy.sctype2char")
def sctype2char(sctype: Any) -> str:
    """Letter of a class of elements."""
    found = obj2sctype(sctype)
    if found is None:
        raise ValueError("unrecognized type")
    char = str(np.dtype(found).char)
    if char not in SUPPORTED_CHARS and char not in "OSUVMm":
        raise KeyError(found)
    return char

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import NDArray

import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x", from_size=1_000_000)
def wave(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return cp.sin(x)

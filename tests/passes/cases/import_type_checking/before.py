from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy.typing import NDArray

import numpy as np


def wave(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.sin(x)

import cupy as cp
import numpy as np
from cupyx.scipy import signal as cupyx_signal
from gpuport.runtime import device
from scipy import signal


@device("x")
def clean(x: np.ndarray, rate: float):
    b, a = map(cp.asarray, signal.butter(3, 0.1))
    low = cupyx_signal.filtfilt(b, a, x)
    return low - cupyx_signal.medfilt(x, 5), cupyx_signal.windows.hann(8, sym=False)

import json

import cupy as cp
import numpy as np
from gpuport.runtime import device


@device("x")
def store(path, x: np.ndarray):
    y = cp.asnumpy(cp.sin(x) + cp.cos(x))
    np.save(path, y)
    np.savez(path, y=y, total=np.sum(y))
    np.savetxt(path, y, delimiter=",")
    with open(path, "w") as file:
        json.dump({"mean": float(np.mean(y)), "all": y.tolist()}, file)

import json

import numpy as np


def store(path, x: np.ndarray):
    y = np.sin(x) + np.cos(x)
    np.save(path, y)
    np.savez(path, y=y, total=np.sum(y))
    np.savetxt(path, y, delimiter=",")
    with open(path, "w") as file:
        json.dump({"mean": float(np.mean(y)), "all": y.tolist()}, file)

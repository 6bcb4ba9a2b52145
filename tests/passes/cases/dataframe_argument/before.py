import numpy as np
import pandas as pd


def returns(path):
    frame = pd.read_csv(path)
    values = frame["close"].to_numpy()
    return np.diff(np.log(values)) @ np.diff(values)

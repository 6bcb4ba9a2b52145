"""Forward fills, run lengths, hysteresis: what some iterations set and the others keep."""

import numpy as np


def ffill(x: np.ndarray):
    out = np.empty_like(x)
    last = np.nan
    for i in range(len(x)):
        if not np.isnan(x[i]):
            last = x[i]
        out[i] = last
    return out


def ffill2(x: np.ndarray):
    out = x.copy()
    for i in range(1, len(x)):
        if np.isnan(out[i]):
            out[i] = out[i - 1]
    return out


def runs(x: np.ndarray, t: float):
    out = np.zeros(len(x), dtype=int)
    count = 0
    for i in range(len(x)):
        if x[i] > t:
            count += 1
        else:
            count = 0
        out[i] = count
    return out


def runs2(x: np.ndarray, t: float):
    out = np.zeros(len(x), dtype=int)
    count = 0
    for i in range(len(x)):
        count = count + 1 if x[i] > t else 0
        out[i] = count
    return out


def longest(x: np.ndarray, t: float):
    best = 0
    count = 0
    for i in range(len(x)):
        if x[i] > t:
            count += 1
            best = max(best, count)
        else:
            count = 0
    return best


def hyst(x: np.ndarray, lo: float, hi: float):
    out = np.zeros(len(x), dtype=bool)
    state = False
    for i in range(len(x)):
        if x[i] > hi:
            state = True
        elif x[i] < lo:
            state = False
        out[i] = state
    return out


def hyst2(x: np.ndarray, lo: float, hi: float):
    out = np.zeros(len(x), dtype=int)
    state = 0
    for i in range(len(x)):
        if state == 0 and x[i] > hi:
            state = 1
        elif state == 1 and x[i] < lo:
            state = 0
        out[i] = state
    return out


def lastat(x: np.ndarray):
    out = np.zeros(len(x), dtype=int)
    k = -1
    for i in range(len(x)):
        if x[i] > 0:
            k = i
        out[i] = i - k
    return out


def pulses(x, t):
    lengths = []
    count = 0
    for v in x:
        count = count + 1 if v > t else 0
        lengths.append(count)
    return np.array(lengths)


def since(x):
    out = np.zeros(len(x))
    k, v = 0, 0.5
    for i in range(len(x)):
        if x[i] < 0:
            k = i
        out[i] = i - k
    return out, k, v


def held(x, low, high):
    out = np.zeros(len(x), dtype=int)
    state = 0
    for i in range(len(x)):
        if x[i] > high:
            state = 1
        elif x[i] < low:
            state = -1
        out[i] = state
    return out, state


rng = np.random.default_rng(5)
for n in (0, 1, 2, 3, 7, 8, 9, 1000):
    x = rng.normal(size=n)
    y = np.where(rng.random(n) < 0.4, np.nan, x)
    for r in (ffill(y), ffill2(y), runs(x, 0.1), runs2(x, -0.3), longest(x, 0.0), hyst(x, -0.5, 0.5),
              hyst2(x, -0.5, 0.5), lastat(x), pulses(x, 0.2), *since(x), *held(x, -0.4, 0.4)):
        r = np.asarray(r)
        print(n, r.dtype, r.shape, r.ravel()[:9].tolist(), float(np.nansum(r)))

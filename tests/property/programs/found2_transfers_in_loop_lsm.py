import sys

import numpy as np


def lsm(paths, K, r, dt):
    cash = np.maximum(K - paths[:, -1], 0)
    for t in range(paths.shape[1] - 2, 0, -1):
        cash *= np.exp(-r * dt)
        s = paths[:, t]
        itm = K - s > 0
        if itm.sum() < 5:
            continue
        coef = np.polyfit(s[itm], cash[itm], 2)
        ex = K - s[itm]
        now = ex > np.polyval(coef, s[itm])
        idx = np.where(itm)[0][now]
        cash[idx] = ex[now]
    return np.mean(cash) * np.exp(-r * dt)


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    paths = 100 * np.exp(np.cumsum(rng.standard_normal((500, 12)) * 0.05, axis=1))
    np.savez(sys.argv[1], p=lsm(paths, 105.0, 0.05, 1 / 12))

"""Drawdowns and envelopes."""

import sys

import numpy as np


def drawdown(price):
    """Running peak and relative loss from it."""
    n = len(price)
    peak = np.empty(n)
    loss = np.empty(n)
    high = price[0]
    for i in range(n):
        if price[i] > high:
            high = price[i]
        peak[i] = high
        loss[i] = 1.0 - price[i] / high
    return peak, loss


def row_envelope(panel):
    """Running maximum along every row."""
    rows, cols = panel.shape
    env = panel.copy()
    for r in range(rows):
        for t in range(1, cols):
            env[r, t] = max(env[r, t - 1], panel[r, t])
    return env


def row_smooth(panel, alpha):
    """Exponential smoothing of independent rows; serial in time, parallel over rows."""
    out = np.zeros_like(panel)
    for r in range(panel.shape[0]):
        state = panel[r, 0]
        for t in range(panel.shape[1]):
            state = alpha * panel[r, t] + (1.0 - alpha) * state
            out[r, t] = state
    return out


def main(path):
    rng = np.random.default_rng(61)
    price = 100.0 * np.exp(np.cumsum(rng.normal(0, 0.01, size=4000)))
    panel = rng.normal(size=(120, 60))
    peak, loss = drawdown(price)
    np.savez(
        path,
        peak=peak,
        loss=loss,
        worst=loss.max(),
        envelope=row_envelope(panel),
        smooth=row_smooth(panel, 0.3),
    )


if __name__ == "__main__":
    main(sys.argv[1])

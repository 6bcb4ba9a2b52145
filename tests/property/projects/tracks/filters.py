"""Arithmetic alone: nothing here names NumPy."""


def scaled(signal, low, high):
    return (signal - low) / (high - low)


def smoothed(signal, weight):
    out = signal.copy()
    out[1:-1] = (1.0 - weight) * signal[1:-1] + 0.5 * weight * (signal[:-2] + signal[2:])
    return out


def clamp(value, low, high):
    return min(max(value, low), high)

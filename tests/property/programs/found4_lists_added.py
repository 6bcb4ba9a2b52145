import sys
import numpy as np


def autocorr(x, maxlag):
    v = np.dot(x, x)
    return np.array([1.0] + [np.dot(x[:-k], x[k:]) / v for k in range(1, maxlag)])


def padded(x):
    rows = [np.sin(x)] + [np.cos(x), np.tan(x)]
    more = [np.zeros(3)] + rows
    names = ["a"] + ["b"]
    both = (1.0,) + (np.exp(x).sum(), 2)
    return np.stack(rows), np.concatenate(more), names, both


def told(x):
    s = np.abs(np.fft.fft(x))
    p = s.max(), s.mean()
    text = "%.4f %.4f" % p
    text += " %.3f" % (s.sum(),) + "%d" % s.argmax()
    return text + " %s" % s[:2]


def threshold(coeffs):
    sigma = np.median(np.abs(coeffs[-1]))
    return [coeffs[0]] + [soft(d, sigma) for d in coeffs[1:]]


def soft(x, t):
    return np.sign(x) * np.maximum(np.abs(x) - t, 0)


if __name__ == "__main__":
    x = np.linspace(0, 1, 20) ** 2
    rows, more, names, both = padded(x)
    t = threshold([x, x[:3], x[3:]])
    joined = np.concatenate(t)
    print(told(x), names, ["%.4f" % b for b in both])
    np.savez(sys.argv[1], ac=autocorr(x, 5), rows=rows, more=more, joined=joined)

import sys
import numpy as np


def told(x, label="n"):
    s = np.abs(np.fft.fft(x))
    p = s.max(), s.mean()
    text = "%.4f %.4f" % p
    text += " %.3f" % (s.sum(),) + "%d" % s.argmax()
    text += "%r %s" % (s[0], s.max() > 3)
    text += "%(a).3f|%(b)s" % {"a": s.min(), "b": label}
    text += " {:.3f} {m:.2e}".format(s.std(), m=s.min())
    print("max", s.max(), "at %5d%%" % s.argmax(), *("%.2f" % v for v in s[:3]))
    print("%s: %s" % (label, s[:2]), "%s" % s.shape)
    return text + " %s" % s[:2]


if __name__ == "__main__":
    x = np.linspace(0, 1, 20) ** 2
    print(told(x))
    mean, total = np.mean(x), x.sum()
    print("mean %g total %g" % (mean, total), "%i%%" % (100 * np.median(x)))
    np.savez(sys.argv[1], x=x)

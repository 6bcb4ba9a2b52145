import numpy as np


def enc(x, k):
    y = np.exp(x) * 100
    y = np.sin(y) * np.cos(y) * k
    a = np.zeros(5, dtype=">f4")
    a[:] = y[:5]
    b = y.astype(">i2")
    c = np.arange(5.0, dtype=">f8") * y[:5]
    d = np.array(y, dtype="S4") if k < 0 else np.asarray(y, ">u4")
    e = np.frombuffer(y.astype(np.dtype(">f4")).tobytes(), ">f4")
    f = np.empty_like(y, dtype="<i8")
    f[...] = 3
    g = y.astype("=f4") + y.astype("<f8") + y.astype("f").astype("d")
    DT = ">f8"
    h = np.zeros(3, DT) + 1
    return (
        a.tobytes().hex(),
        b.sum(),
        c.sum(),
        d.tobytes().hex()[:8],
        e.sum(),
        f.sum(),
        g.sum(),
        h.dtype.str,
        np.exp(h),
    )


print(enc(np.linspace(0, 1, 50), 2.0))

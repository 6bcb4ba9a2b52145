import io, struct
import numpy as np


def header(n):
    return struct.pack(">ii", 2051, n)


def read(buf):
    magic, n = np.frombuffer(buf[:8], dtype=">i4")
    img = np.frombuffer(buf[8 : 8 + 4 * n], dtype=np.dtype(">f4")).astype(np.float32)
    raw = np.frombuffer(buf[8 : 8 + 4 * n], ">f4")
    return magic, n, img, raw


def work(img, raw):
    z = (img - img.mean()) / img.std()
    for k in range(6):
        z = np.tanh(z) * 1.1 + np.sin(z) * 0.1
    w = raw * 2 + z
    r = raw[::-1]
    return z, w, r


def write(z, f):
    f.write(header(len(z)))
    f.write(z.astype(">f4").tobytes())
    u = np.empty(len(z), ">u2")
    u[:] = np.clip(np.abs(z) * 1000, 0, 65535)
    f.write(u)
    return u


def main():
    x = np.linspace(-1, 1, 40)
    f = io.BytesIO()
    u = write(np.exp(x) * np.cos(3 * x), f)
    m, n, img, raw = read(f.getvalue())
    z, w, r = work(img, raw)
    print(
        m,
        n,
        img.dtype,
        raw.dtype,
        round(float(z.sum()), 3),
        w.dtype.str,
        round(float(w.sum()), 3),
        r.tobytes()[:4].hex(),
        r.dtype,
        u.dtype.str,
        u.tobytes()[:6].hex(),
        u.sum(),
    )
    print(
        f.getvalue()[-8:].hex(),
        np.arange(3, dtype=">i4").tobytes().hex(),
        np.zeros(2, ">f8").dtype,
    )


main()

import sys
import numpy as np


def damp(state, factor):
    state["u"] *= factor
    state["v"] -= factor * np.sin(state["u"])


def stir(rows, k):
    rows[0] += np.cos(rows[1]) * k
    rows[1][2:] = rows[0][:-2]
    return rows[0].sum()


def call(name, *args):
    return globals()[name](*args)


def known():
    s = {"u": np.ones(5), "v": np.zeros(5)}
    damp(s, 0.5)
    r = [np.ones(5), np.zeros(5)]
    stir(r, 2.0)


def main(path):
    out = {}
    a = np.linspace(0, 1, 9)
    s = {"u": a, "v": a.copy(), "name": np.arange(3)}
    call("damp", s, 0.5)
    out["a"] = a
    out["v"] = s["v"]
    b = np.arange(12.0)
    s2 = {"u": b[:6], "v": b[3:9]}
    call("damp", s2, 0.25)
    out["b"] = b
    c = np.ones(4)
    s3 = {"u": c, "v": c}
    call("damp", s3, 0.5)
    out["c"] = c
    d = np.ones(4)
    d.flags.writeable = False
    try:
        call("damp", {"u": d, "v": np.ones(4)}, 2.0)
        m = "none"
    except ValueError as e:
        m = "readonly"
    rows = [np.arange(5.0), np.arange(5.0) * 0.1]
    t = call("stir", rows, 3)
    tt = [rows[0], rows[1][::-1]]
    t2 = call("stir", tt, 1.0)
    mixed = {"u": np.float64(3.0), "v": np.ones(2)}
    call("damp", mixed, 2.0)
    out["mu"] = mixed["u"]
    out["mv"] = mixed["v"]
    lists = call("damp", {"u": np.float64(3.0), "v": np.ones(2)}, 2.0)
    print(m, f"{t:.6f} {t2:.6f}")
    np.savez(path, r0=rows[0], r1=rows[1], **out)


main(sys.argv[1])

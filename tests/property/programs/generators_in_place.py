import json
import numpy as np

def frames(u, n):
    """The state itself, changed in place."""
    for k in range(n):
        u *= 0.5
        u += 1.0
        yield u

def records(u, n):
    for k, f in enumerate(frames(u, n)):
        yield {"k": k, "mean": float(f.mean()), "field": f, "max": f.max()}

def pairs(a, b):
    try:
        for x, y in zip(a, b):
            yield x + y, (x, y)
    finally:
        print("closed")

def main():
    u = np.linspace(0.0, 4.0, 9)
    for f in frames(u, 3):
        print(json.dumps(f.tolist()), u.sum().round(8))
    v = u.copy()
    log = []
    for r in records(v, 3):
        log.append(json.dumps({"k": r["k"], "mean": round(r["mean"], 6), "f": np.round(r["field"], 4).tolist(), "max": float(r["max"])}))
    print(log, v.sum())
    m = np.arange(6.0).reshape(3, 2)
    for s, (x, y) in pairs(m, m * 2):
        print(s, x @ y)
        if s[0] > 5:
            break
    w = np.arange(5.0)
    held = w
    for f in frames(w, 2):
        held[0] = 10.0
        print(np.linalg.norm(f))
    print(held, w)

main()

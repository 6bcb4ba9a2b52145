import numpy as np


def main():
    n = 5000
    x = np.linspace(0.0, 1.0, n)
    s = {"u": np.sin(x), "hist": [], "count": 0, "norm": 0.0, "label": "a"}
    t = s
    for k in range(10):
        t["count"] += 1
        t["label"] += "b"
        t["u"] *= 0.9
        s["u"] = s["u"] + np.cos(x * t["count"])
        s["norm"] += np.sum(s["u"])
        s["hist"] += [s["u"].mean()]
    print(s["count"], s["label"], s["norm"].round(6), np.round(s["hist"], 6))
    u = s["u"]
    s["u"] += 1
    print(u[:3].round(5), type(s["norm"]).__name__, type(s["count"]).__name__)


main()

import numpy as np


def main():
    x = np.linspace(0, 1, 5000)
    d = {"a": np.sin(x), "b": 3.0, "c": "txt"}
    total = 0.0
    for k, v in d.items():
        if k == "a":
            total += np.sum(v)
        elif k == "b":
            total += v
    print(k, round(total, 8))
    e = {"a": np.sin(x), "b": np.cos(x)}
    for k, v in e.items():
        e[k] = v * 2
    print({k: round(float(v.sum()), 8) for k, v in e.items()})
    f = {}
    f["a"] = np.tan(x)
    f["n"] = 4
    key = "a" if len(x) > 3 else "n"
    g = f[key]
    g[0] = 5.0
    print(f["a"][:2], f["n"])
    f.update(a=x * 2, m=[1, 2])
    f.update({"q": x})
    print(f["a"].sum(), f["q"].sum(), f["m"])
    h = {"rows": [], "acc": np.zeros(5000)}
    for i in range(3):
        h["rows"].append(x * i)
        h["acc"] += h["rows"][-1]
    h["rows"][1][:] = 7
    print(np.stack(h["rows"]).sum(), h["acc"].sum(), len(h))


main()

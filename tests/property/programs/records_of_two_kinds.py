import numpy as np


def make(kind, n):
    if kind == "a":
        return {"kind": kind, "data": np.linspace(0, 1, n)}
    return {"kind": kind, "data": [1.0, 2.0, 3.0]}


def total(item):
    if item["kind"] == "a":
        return item["data"].sum()
    return sum(item["data"])


def main():
    items = [make("a", 5000), make("b", 3), make("a", 200)]
    for item in items:
        print(item["kind"], round(float(total(item)), 6))
    params = {"lr": 0.1, "w": np.ones(4000), "flag": True}
    keys = ["lr", "w"]
    for k in keys:
        params[k] = params[k] * 2
    print(params["lr"], params["w"].sum(), params["flag"])
    merged = params | {"extra": np.cos(params["w"])}
    merged["w"][:] = 0
    print(params["w"].sum(), merged["extra"].sum().round(6))
    table = {}
    for i in range(3):
        table[f"row{i}"] = np.full(2000, i) * params["lr"]
    table["n"] = 3
    print(table["n"], round(float(table["row2"].sum()), 6), sorted(table))
    x, n = (lambda d: (d["w"], d["lr"]))(params)
    x += n
    print(params["w"][:2])
    rows = [{"x": np.sin(i + np.arange(3000.0)), "i": i, "tag": str(i)} for i in range(4)]
    rows.sort(key=lambda r: -r["i"])
    best = max(rows, key=lambda r: r["x"].sum())
    print([r["tag"] for r in rows], best["tag"], np.mean([r["x"].mean() for r in rows]).round(8))
    by = {r["tag"]: r for r in rows}
    by["2"]["x"][:] = 1.0
    print(rows[1]["x"][:2], by["2"]["i"])


main()

import numpy as np


def main():
    x = np.linspace(0.0, 1.0, 5000)
    rows = [[], []]
    for i, row in enumerate(rows):
        row.append(np.sin(x) * i)
    rows[0].append(np.cos(x).astype(np.float32))
    for r in rows:
        for one in r:
            print(one.dtype, f"{one.sum():.5f}")
    table = {}
    for k in range(3):
        table.setdefault("a", []).append(np.exp(x * k))
        table.setdefault("b", []).append(k)
    print(len(table["a"]), f"{sum(table['a']).sum():.6f}", table["b"])
    for name, values in table.items():
        print(name, len(values), f"{np.sum(values[0]):.5f}")
    nested = {"p": {"w": np.outer(x[:50], x[:50]), "b": x[:50].copy()}, "q": {"w": np.eye(50), "b": np.ones(50)}}
    y = np.ones(50)
    for key in nested:
        layer = nested[key]
        y = np.tanh(layer["w"] @ y + layer["b"])
    nested["p"]["b"][:] = 0.0
    nested["q"]["b"] += 1.0
    print(f"{y.sum():.8f} {nested['p']['b'].sum()} {nested['q']['b'].sum()}")
    for name, layer in nested.items():
        for k, v in layer.items():
            print(name, k, v.shape, f"{v.sum():.6f}")


main()

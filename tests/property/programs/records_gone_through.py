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


main()

import numpy as np


def main():
    rng = np.random.default_rng(1)
    data = {"x": rng.random((200, 4)), "y": rng.random(200), "n": 200}
    a = data["x"]
    alias = data
    alias["x"][:, 0] = 1.0
    copy = dict(data)
    copy["n"] = 7
    copy["y"] = copy["y"] * 2
    both = {**data, "z": np.cos(data["y"])}
    both["x"] += 0.5
    for key in sorted(data):
        value = data[key]
        print(key, np.shape(value))
    w = data.get("w")
    if w is None:
        data["w"] = np.linalg.lstsq(a, data["y"], rcond=None)[0]
    print(
        np.round(data["w"], 6),
        data["n"],
        copy["n"],
        copy["y"].sum().round(6),
        a[:, 0].sum(),
        both["z"].sum().round(6),
    )
    label = data.pop("n")
    data.setdefault("extra", []).append(data["x"] @ data["w"])
    data.setdefault("extra", []).append(data["x"] @ data["w"] * 2)
    print(label, len(data["extra"]), data["extra"][1].sum().round(6), sorted(data))


main()

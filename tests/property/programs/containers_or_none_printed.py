import numpy as np


def main():
    x = np.linspace(0.0, 1.0, 30_000)
    state = None
    hist = None
    for k in range(4):
        if state is None:
            state = {"u": np.sin(x), "k": 0}
        else:
            state = {"u": state["u"] * np.cos(x), "k": state["k"] + 1}
        if k == 2:
            hist = [state["u"], state["u"] * 2]
        print(k, hist is None, state["k"])
    print(np.stack(hist).sum().round(6))
    pair = (x, 2 * x) if len(x) > 10 else None
    if pair is not None:
        a, b = pair
        a += 1
    print(x[:2], pair[0][:2], b.sum().round(4))
    maybe = None if len(x) > 10 else [x]
    print(maybe)
    print({"m": maybe, "n": None})
    str_or = maybe or "none"
    print(str_or)


main()

import numpy as np


def main():
    n = 128
    x = np.linspace(0.0, 1.0, n)
    state = {
        "u": np.sin(2 * np.pi * x),
        "t": 0.0,
        "step": 0,
        "name": "wave",
        "rows": [],
    }
    while state["t"] < 0.5:
        u = state["u"]
        state["u"] = u - 0.1 * (u - np.roll(u, 1))
        state["t"] += 0.01
        state["step"] += 1
        if state["step"] % 10 == 0:
            state["rows"].append(float(state["u"].max()))
    print(
        state["name"],
        state["step"],
        f"{state['t']:.2f}",
        [round(r, 8) for r in state["rows"]],
    )
    print(float(np.sum(state["u"] ** 2)))


if __name__ == "__main__":
    main()

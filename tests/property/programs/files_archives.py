"""Archives of arrays: items, `with` blocks and what else is asked of them."""
import numpy as np


def smooth(x):
    return 0.5 * (x + np.roll(x, 1))


def main():
    np.savez("in.npz", signal=np.linspace(0, 1, 5000), taps=np.ones(5), name="a")
    data = np.load("in.npz")
    x = data["signal"]
    y = np.convolve(smooth(x), data["taps"], mode="same")
    print(f"{y.sum():.6f}", data["name"], data.files)
    with np.load("in.npz") as archive:
        z = np.sqrt(archive["signal"]) + y
        taps = archive["taps"]
    print(f"{z.sum():.6f} {taps.sum():.1f}")
    table = {k: data[k] for k in data.files}
    print(sorted(table))


main()

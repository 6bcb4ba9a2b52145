"""`**options` tells what is under each name, and hands it on."""
import numpy as np


def blur(x, **options):
    width = options.get("width", 3)
    weights = options.get("weights")
    kernel = np.ones(width) / width if weights is None else weights
    y = np.convolve(x, kernel, mode="same")
    if options.get("label"):
        print(options["label"], sorted(options))
    return y * options["scale"] if "scale" in options else y


def twice(x, **options):
    first = blur(x, **options)
    options["label"] = "again"
    options.update(scale=2.0)
    return blur(first, **options)


def collect(*arrays, **named):
    total = sum(a.sum() for a in arrays)
    for key, value in named.items():
        total = total + np.sum(value)
    return total, named


def configured(x, **given):
    settings = {"gain": 1.0, "offset": np.zeros(3), "mode": "sin"}
    settings.update(given)
    settings.update({"steps": 2}, last=x[-1])
    for _ in range(settings["steps"]):
        x = getattr(np, settings["mode"])(x) * settings["gain"] if settings["mode"] == "cos" else np.sin(x)
    x[:3] += settings["offset"]
    return x, settings


def main():
    x = np.linspace(0, 6, 200)
    for _ in range(3):
        x = np.sin(x) + np.sqrt(np.abs(x))
    print(blur(x).sum(), blur(x, width=5, label="five").max())
    print(twice(x, weights=np.array([0.25, 0.5, 0.25])).sum())
    print(twice(x, scale=x[:1], width=7).sum())
    total, named = collect(x, x[:5], a=x * 2, b=3.0)
    print(total, named["a"].sum(), named["b"])
    options = {"width": 9, "scale": np.array(0.5)}
    print(blur(x, **options, label="nine").sum(), blur(x, **{"width": 1}).sum())
    y, settings = configured(x, offset=x[3:6], mode="sin")
    print(y.sum(), settings["last"], sorted(settings), settings["offset"].sum())
    z, settings = configured(x, mode="cos", gain=0.5)
    print(z.sum(), settings["gain"])


main()

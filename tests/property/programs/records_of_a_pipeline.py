import numpy as np


def load():
    rng = np.random.default_rng(11)
    data = {"signal": rng.standard_normal(20000).cumsum(), "fs": 1000.0, "labels": ["a", "b"], "meta": {"subject": 3, "gain": 2.0}}
    return data


def preprocess(data):
    out = dict(data)
    out["signal"] = (data["signal"] - data["signal"].mean()) * data["meta"]["gain"]
    out["steps"] = out.get("steps", []) + ["demean"]
    return out


def spectrum(data, nfft=512):
    s = data["signal"]
    frames = s[: len(s) // nfft * nfft].reshape(-1, nfft) * np.hanning(nfft)
    power = np.abs(np.fft.rfft(frames, axis=1)) ** 2
    return {"freq": np.fft.rfftfreq(nfft, 1 / data["fs"]), "power": power.mean(axis=0), "count": len(frames)}


def main():
    data = load()
    clean = preprocess(data)
    spec = spectrum(clean)
    peak = spec["freq"][np.argmax(spec["power"][1:]) + 1]
    print(f"{peak:.3f}", spec["count"], clean["steps"], clean["labels"], data["meta"])
    bands = {"low": (0, 50), "mid": (50, 200), "high": (200, 500)}
    for name, (lo, hi) in bands.items():
        mask = (spec["freq"] >= lo) & (spec["freq"] < hi)
        print(name, f"{spec['power'][mask].sum():.4e}")


if __name__ == "__main__":
    main()

import numpy as np


def parts(ms: list[np.ndarray]):
    for m in ms:
        yield m * 2.0


def f(ms: list[np.ndarray]):
    out = []
    for m in parts(ms):
        out.append(np.linalg.inv(m))
    return out


def g(ms: list[np.ndarray]):
    return [np.linalg.inv(m) for m in (x * 2.0 for x in ms)]


def patches(img: np.ndarray):
    for r in range(0, img.shape[0] - 4, 4):
        yield img[r:r + 4, :4]


def h(img: np.ndarray):
    return [np.linalg.svd(p, compute_uv=False) for p in patches(img)]


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    ms = list(rng.normal(size=(5, 3, 3)))
    print(sum(f(ms)).sum().round(8), sum(g(ms)).sum().round(8), sum(h(rng.normal(size=(20, 5)))).round(8))

"""Results of NumPy that have names for their items, which CuPy's plain tuples have not."""

import numpy as np


class Modes:
    def __init__(self, a):
        self.result = np.linalg.eigh(a)

    def lowest(self):
        return self.result.eigenvectors[:, 0] * self.result.eigenvalues[0]


def halved(a, rounds):
    for _ in range(rounds):
        r = np.linalg.svd(a, full_matrices=False)
        a = r.U @ np.diag(r.S * 0.5) @ r.Vh
    return a


def either(a, twice):
    q = np.linalg.qr(a)
    if twice:
        q = np.linalg.qr(a @ a)
    return abs(q.Q) @ abs(
        q
        .R
    )


def one_or_own(a, own):
    r = np.linalg.eigh(a)
    if own:
        r = (np.zeros(3), a)
    return r[0] + 1.0


def shown(a):
    r = np.linalg.eigh(a)
    print(r)
    return r.eigenvalues * 2.0


def in_text(a):
    r = np.linalg.svd(a)
    return f"{r.S[0]:.6f} of {(np.linalg.slogdet(a).logabsdet):.6f}"


def kept(stack):
    found = []
    for a in stack:
        found.append(np.linalg.eigh(a))
    return [one.eigenvalues[-1] for one in found], sum(abs(one.eigenvectors) for one in found)


def by_word(a, words):
    held = {word: np.linalg.qr(a + k) for k, word in enumerate(words)}
    return sum(abs(held[word].R).sum() for word in words)


def unfollowed(a):
    r = np.linalg.eigh(a)
    return r._asdict()["eigenvalues"] + r.count(0) if hasattr(r, "_asdict") else None


if __name__ == "__main__":
    rng = np.random.default_rng(5)
    a = rng.normal(size=(3, 3))
    a = a + a.T + 5.0 * np.eye(3)
    stack = np.stack([a, 2.0 * a, a @ a])
    print(np.abs(Modes(a).lowest()))
    print(halved(a, 3))
    print(either(a, True), either(a, False))
    print(one_or_own(a, True), one_or_own(a, False))
    print(in_text(a))
    largest, vectors = kept(stack)
    print([float(v) for v in largest], vectors)
    print(by_word(a, ["x", "y"]))
    print(np.linalg.slogdet(a).sign, np.linalg.slogdet(a)[1])
    values = np.array([3, 1, 3, 2])
    print(np.unique_counts(values).counts * 2)

"""Recommender: alternating least squares with biases on masked ratings."""
from typing import Optional

import numpy as np


class ALS:
    def __init__(self, rank: int = 4, lam: float = 0.1, iterations: int = 8, seed: int = 0, verbose: bool = False):
        self.rank, self.lam, self.iterations = rank, lam, iterations
        self.verbose = verbose
        self.rng = np.random.RandomState(seed)
        self.mean_: Optional[float] = None
        self.users_: Optional[np.ndarray] = None
        self.items_: Optional[np.ndarray] = None
        self.history: list[float] = []

    def fit(self, R: np.ndarray, mask: np.ndarray) -> "ALS":
        m, n = R.shape
        self.mean_ = R[mask].mean()
        centred = np.where(mask, R - self.mean_, 0.0)
        self.users_ = self.rng.normal(scale=0.1, size=(m, self.rank))
        self.items_ = self.rng.normal(scale=0.1, size=(n, self.rank))
        for it in range(self.iterations):
            self.users_ = self._solve(self.items_, centred, mask)
            self.items_ = self._solve(self.users_, centred.T, mask.T)
            err = self.rmse(R, mask)
            self.history.append(err)
            if self.verbose:
                print("iteration %d rmse %.6f" % (it, err))
            if len(self.history) > 1 and self.history[-2] - err < 1e-6:
                break
        return self

    def _solve(self, V, R, mask):
        W = mask.astype(float)
        A = np.einsum("ij,jk,jl->ikl", W, V, V) + self.lam * np.eye(self.rank)
        b = (W * R) @ V
        return np.linalg.solve(A, b[..., None])[..., 0]

    def predict(self) -> np.ndarray:
        return np.clip(self.mean_ + self.users_ @ self.items_.T, 1, 5)

    def rmse(self, R, mask):
        return float(np.sqrt(np.mean((self.predict() - R)[mask] ** 2)))

    def recommend(self, user: int, mask: np.ndarray, k: int = 3) -> list[int]:
        scores = np.where(mask[user], -np.inf, self.predict()[user])
        return np.argsort(-scores, kind="stable")[:k].tolist()


def ratings(m=30, n=20, seed=1):
    rng = np.random.RandomState(seed)
    truth = 3 + rng.randn(m, 3) @ rng.randn(n, 3).T * 0.6
    R = np.clip(np.rint(truth), 1, 5)
    mask = rng.rand(m, n) < 0.5
    return R, mask


def ndcg(model, R, held, k=5):
    gains = 1 / np.log2(np.arange(2, k + 2))
    total = []
    P = model.predict()
    for u in range(len(R)):
        items = np.flatnonzero(held[u])
        if len(items) < k:
            continue
        order = items[np.argsort(-P[u, items], kind="stable")][:k]
        ideal = np.sort(R[u, items])[::-1][:k]
        total.append((gains * R[u, order]).sum() / (gains * ideal).sum())
    return np.mean(total), len(total)


def main():
    R, mask = ratings()
    model = ALS(verbose=True).fit(R, mask)
    print(f"{model.history[-1]:.5f} {model.rmse(R, ~mask):.5f}")
    print([model.recommend(u, mask) for u in (0, 7, 29)])
    score, users = ndcg(model, R, ~mask)
    print(f"{score:.5f}", users)


if __name__ == "__main__":
    main()

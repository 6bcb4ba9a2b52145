"""Hidden Markov model: scaled forward-backward, Viterbi, Baum-Welch."""
import pickle
import io

import numpy as np


class HMM:
    def __init__(self, A, B, pi):
        self.A = np.asarray(A, dtype=float)
        self.B = np.asarray(B, dtype=float)
        self.pi = np.asarray(pi, dtype=float)

    @classmethod
    def random(cls, n, m, seed):
        rng = np.random.default_rng(seed)
        normalise = lambda z: z / z.sum(axis=-1, keepdims=True)
        return cls(normalise(rng.random((n, n)) + np.eye(n)), normalise(rng.random((n, m))), np.full(n, 1 / n))

    @property
    def n(self):
        return self.A.shape[0]

    def forward(self, obs):
        T = len(obs)
        alpha = np.zeros((T, self.n))
        scale = np.zeros(T)
        alpha[0] = self.pi * self.B[:, obs[0]]
        scale[0] = alpha[0].sum()
        alpha[0] /= scale[0]
        for t in range(1, T):
            alpha[t] = (alpha[t - 1] @ self.A) * self.B[:, obs[t]]
            scale[t] = alpha[t].sum()
            alpha[t] /= scale[t]
        return alpha, scale

    def backward(self, obs, scale):
        T = len(obs)
        beta = np.ones((T, self.n))
        for t in range(T - 2, -1, -1):
            beta[t] = self.A @ (self.B[:, obs[t + 1]] * beta[t + 1]) / scale[t + 1]
        return beta

    def viterbi(self, obs):
        logA, logB = np.log(self.A), np.log(self.B)
        delta = np.log(self.pi) + logB[:, obs[0]]
        back = []
        for o in obs[1:]:
            score = delta[:, None] + logA
            back.append(score.argmax(axis=0))
            delta = score.max(axis=0) + logB[:, o]
        path = [int(delta.argmax())]
        for b in reversed(back):
            path.append(int(b[path[-1]]))
        return path[::-1], delta.max()

    def fit(self, obs, steps):
        lls = []
        for _ in range(steps):
            alpha, scale = self.forward(obs)
            beta = self.backward(obs, scale)
            gamma = alpha * beta
            gamma /= gamma.sum(axis=1, keepdims=True)
            xi = alpha[:-1, :, None] * self.A * (self.B[:, obs[1:]].T * beta[1:] / scale[1:, None])[:, None, :]
            self.A = xi.sum(0) / gamma[:-1].sum(0)[:, None]
            onehot = obs[:, None] == np.arange(self.B.shape[1])
            self.B = gamma.T @ onehot / gamma.sum(0)[:, None]
            self.pi = gamma[0]
            lls.append(np.log(scale).sum())
        return lls


def main():
    rng = np.random.default_rng(0)
    obs = np.concatenate([rng.integers(0, 2, 60), rng.integers(1, 4, 60), rng.integers(0, 2, 40)])
    model = HMM.random(2, 4, seed=5)
    lls = model.fit(obs, 12)
    print([f"{v:.4f}" for v in lls])
    path, best = model.viterbi(obs)
    print("".join(map(str, path)), f"{best:.5f}")
    f = io.BytesIO()
    pickle.dump({"A": model.A, "B": model.B}, f)
    f.seek(0)
    again = pickle.load(f)
    print(type(again["A"]).__name__, np.round(again["A"], 4).tolist())


if __name__ == "__main__":
    main()

"""Gating of a flow-cytometry sample: k-means++ start, Lloyd iterations, then a Gaussian mixture by EM."""
import sys

import numpy as np


def draw_sample(rng, n):
    """Four cell populations in three log channels."""
    centres = np.array([[2.0, 1.2, 0.8], [3.4, 2.1, 1.0], [2.6, 3.3, 2.4], [4.4, 3.0, 3.1]])
    spread = np.array([0.22, 0.25, 0.30, 0.28])
    share = np.array([0.4, 0.3, 0.2, 0.1])
    which = rng.choice(4, size=n, p=share)
    noise = rng.standard_normal((n, 3))
    mix = np.array([[1.0, 0.3, 0.0], [0.0, 1.0, 0.2], [0.0, 0.0, 1.0]])
    return centres[which] + spread[which][:, None] * (noise @ mix), which


def seed_centres(x, k, picks):
    """k-means++ with the uniform numbers handed in."""
    chosen = [x[int(picks[0] * len(x))]]
    d2 = ((x - chosen[0]) ** 2).sum(axis=1)
    for u in picks[1:k]:
        cum = np.cumsum(d2)
        i = np.searchsorted(cum, u * cum[-1])
        chosen.append(x[i])
        d2 = np.minimum(d2, ((x - x[i]) ** 2).sum(axis=1))
    return np.stack(chosen)


def assign(x, centres):
    """Nearest centre of each event, and its squared distance."""
    n, dim = x.shape
    label = np.zeros(n, dtype=np.int64)
    dist = np.zeros(n)
    for i in range(n):
        best = np.inf
        arg = 0
        for c in range(centres.shape[0]):
            d = 0.0
            for j in range(dim):
                diff = x[i, j] - centres[c, j]
                d += diff * diff
            if d < best:
                best = d
                arg = c
        label[i] = arg
        dist[i] = best
    return label, dist


def new_centres(x, label, k):
    total = np.zeros((k, x.shape[1]))
    count = np.zeros(k)
    np.add.at(total, label, x)
    np.add.at(count, label, 1.0)
    return total / np.maximum(count, 1.0)[:, None], count


def kmeans(x, centres, max_iter=6, tol=1e-6):
    inertia = []
    for _ in range(max_iter):
        label, dist = assign(x, centres)
        moved, count = new_centres(x, label, len(centres))
        inertia.append(dist.sum())
        shift = np.abs(moved - centres).max()
        centres = moved
        if shift < tol:
            break
    return centres, label, count, np.array(inertia)


def log_density(x, mean, cov):
    """log N(x_i | mean_k, cov_k), events by components."""
    dim = x.shape[1]
    prec = np.linalg.inv(cov)
    _, logdet = np.linalg.slogdet(cov)
    diff = x[:, None, :] - mean[None, :, :]
    maha = np.einsum("nki,kij,nkj->nk", diff, prec, diff)
    return -0.5 * (maha + logdet[None, :] + dim * np.log(2.0 * np.pi))


def log_sum_exp(a):
    top = a.max(axis=1, keepdims=True)
    return (top + np.log(np.exp(a - top).sum(axis=1, keepdims=True)))[:, 0]


def m_step(x, resp, ridge):
    nk = resp.sum(axis=0)
    mean = (resp.T @ x) / nk[:, None]
    diff = x[:, None, :] - mean[None, :, :]
    cov = np.einsum("nk,nki,nkj->kij", resp, diff, diff) / nk[:, None, None]
    cov += ridge * np.eye(x.shape[1])
    return nk / nk.sum(), mean, cov


def expectation_maximisation(x, label, k, sweeps=20, tol=1e-7):
    resp = np.full((len(x), k), 0.02 / (k - 1))
    resp[np.arange(len(x)), label] = 0.98
    trace = []
    for sweep in range(sweeps):
        share, mean, cov = m_step(x, resp, 1e-6)
        joint = np.log(share)[None, :] + log_density(x, mean, cov)
        norm = log_sum_exp(joint)
        resp = np.exp(joint - norm[:, None])
        trace.append(float(norm.mean()))
        if sweep > 0 and trace[-1] - trace[-2] < tol:
            break
    return share, mean, cov, resp, trace


def confusion(truth, found, k):
    table = np.zeros((k, k), dtype=np.int64)
    for t, f in zip(truth, found):
        table[t, f] += 1
    return table


def bic(loglik, n, k, dim):
    free = (k - 1) + k * dim + k * dim * (dim + 1) // 2
    return free * np.log(n) - 2.0 * loglik


def main():
    rng = np.random.default_rng(20240611)
    x, truth = draw_sample(rng, 2400)
    k = 4
    start = seed_centres(x, k, rng.random(k))
    centres, label, count, inertia = kmeans(x, start)
    share, mean, cov, resp, trace = expectation_maximisation(x, label, k)
    found = resp.argmax(axis=1)
    table = confusion(truth, found, k)
    unsure = np.count_nonzero(resp.max(axis=1) < 0.9)
    entropy = -np.sum(resp * np.log(resp + 1e-300))
    score = bic(trace[-1] * len(x), len(x), k, x.shape[1])
    print("iterations", len(inertia), len(trace))
    print(f"inertia {inertia[-1]:.6f}  loglik {trace[-1]:.8f}  BIC {score:.4f}")
    print(f"unsure {int(unsure)}  entropy {entropy:.5f}")
    np.savez(sys.argv[1], centres=centres, count=count, inertia=inertia, share=share, mean=mean, cov=cov,
             found=found, resp=resp, table=table, trace=np.array(trace))


if __name__ == "__main__":
    main()

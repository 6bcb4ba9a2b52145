"""Learners written from first principles: k-means, Gaussian mixtures, AdaBoost stumps, a k-d tree."""
import sys

import numpy as np


def blobs(seed, n_each=250):
    rng = np.random.default_rng(seed)
    centres = np.array([[0.0, 0.0], [4.0, 1.0], [1.0, 5.0]])
    spread = np.array([[0.9, 0.3], [0.5, 0.8], [0.7, 0.7]])
    data = [c + s * rng.standard_normal((n_each, 2)) for c, s in zip(centres, spread)]
    labels = np.repeat(np.arange(3), n_each)
    order = rng.permutation(3 * n_each)
    return np.concatenate(data)[order], labels[order]


def assign(data, centres):
    d2 = ((data[:, None, :] - centres[None, :, :]) ** 2).sum(axis=2)
    return d2.argmin(axis=1), d2.min(axis=1)


def accumulate_clusters(data, member, k):
    """Sums and sizes of the clusters in one pass."""
    sums = np.zeros((k, data.shape[1]))
    sizes = np.zeros(k)
    for i in range(len(data)):
        c = member[i]
        sizes[c] += 1
        for f in range(data.shape[1]):
            sums[c, f] += data[i, f]
    return sums, sizes


def farthest_start(data, k):
    chosen = [data[0]]
    gap = ((data - data[0]) ** 2).sum(axis=1)
    while len(chosen) < k:
        pick = int(gap.argmax())
        chosen.append(data[pick])
        gap = np.minimum(gap, ((data - data[pick]) ** 2).sum(axis=1))
    return np.array(chosen)


def kmeans(data, k, max_iter=30):
    centres = farthest_start(data, k)
    for it in range(max_iter):
        member, d2 = assign(data, centres)
        sums, sizes = accumulate_clusters(data, member, k)
        new = sums / sizes[:, None]
        shift = np.abs(new - centres).max()
        centres = new
        if shift < 1e-6:
            break
    return centres, member, d2.sum(), it + 1


def log_gaussians(data, means, covs):
    precision = np.linalg.inv(covs)
    _, logdet = np.linalg.slogdet(covs)
    delta = data[:, None, :] - means[None, :, :]
    quad = np.einsum("nki,kij,nkj->nk", delta, precision, delta)
    return -0.5 * (quad + logdet + data.shape[1] * np.log(2.0 * np.pi))


def expectation(data, weights, means, covs):
    logp = log_gaussians(data, means, covs) + np.log(weights)
    top = logp.max(axis=1, keepdims=True)
    norm = top + np.log(np.exp(logp - top).sum(axis=1, keepdims=True))
    return np.exp(logp - norm), norm.sum()


def maximisation(data, resp):
    mass = resp.sum(axis=0)
    means = resp.T @ data / mass[:, None]
    covs = np.empty((len(mass), data.shape[1], data.shape[1]))
    for k in range(len(mass)):
        delta = data - means[k]
        covs[k] = (resp[:, k, None] * delta).T @ delta / mass[k] + 1e-6 * np.eye(data.shape[1])
    return mass / len(data), means, covs


def em(data, centres, steps=12):
    k, dim = centres.shape
    weights = np.full(k, 1.0 / k)
    means = centres
    covs = np.stack([np.eye(dim)] * k)
    likelihood = []
    for _ in range(steps):
        resp, value = expectation(data, weights, means, covs)
        weights, means, covs = maximisation(data, resp)
        likelihood.append(value)
    return weights, means, covs, resp, np.array(likelihood)


def best_stump(data, sign, weight, cuts):
    """Feature, threshold and polarity with the least weighted error."""
    errors = np.empty((data.shape[1], len(cuts), 2))
    for f in range(data.shape[1]):
        for t, cut in enumerate(cuts):
            wrong = 0.0
            for i in range(len(data)):
                guess = 1.0 if data[i, f] > cut else -1.0
                if guess != sign[i]:
                    wrong += weight[i]
            errors[f, t, 0] = wrong
            errors[f, t, 1] = 1.0 - wrong
    f, t, flip = np.unravel_index(errors.argmin(), errors.shape)
    return f, cuts[t], -1.0 if flip else 1.0, errors[f, t, flip]


def boost(data, sign, rounds):
    weight = np.full(len(data), 1.0 / len(data))
    cuts = np.linspace(-1.93, 6.07, 9)
    margin = np.zeros(len(data))
    alphas = []
    for _ in range(rounds):
        f, cut, polarity, err = best_stump(data, sign, weight, cuts)
        alpha = 0.5 * np.log((1.0 - err) / max(err, 1e-9))
        guess = polarity * np.where(data[:, f] > cut, 1.0, -1.0)
        weight = weight * np.exp(-alpha * sign * guess)
        weight /= weight.sum()
        margin += alpha * guess
        alphas.append(alpha)
    return margin, np.array(alphas)


def build_tree(points, index, depth=0):
    """k-d tree as nested tuples."""
    if len(index) == 0:
        return None
    axis = depth % points.shape[1]
    index = sorted(index, key=lambda i: (points[i][axis], i))
    mid = len(index) // 2
    return (index[mid], axis, build_tree(points, index[:mid], depth + 1),
            build_tree(points, index[mid + 1:], depth + 1))


def tree_depth(node):
    return 0 if node is None else 1 + max(tree_depth(node[2]), tree_depth(node[3]))


def silhouette(data, member, k):
    dist = np.sqrt(((data[:, None] - data[None]) ** 2).sum(axis=-1))
    onehot = np.eye(k)[member]
    size = onehot.sum(axis=0)
    total = dist @ onehot
    own = np.take_along_axis(total, member[:, None], axis=1)[:, 0] / (size[member] - 1.0)
    other = np.where(onehot > 0, np.inf, total / size).min(axis=1)
    return (other - own) / np.maximum(own, other)


def main():
    data, labels = blobs(12)
    centres, member, inertia, rounds = kmeans(data, 3)
    weights, means, covs, resp, likelihood = em(data, centres)
    sign = np.where(labels == 1, 1.0, -1.0)
    subset = slice(0, 200)
    margin, alphas = boost(data[subset], sign[subset], 4)
    sil = silhouette(data, member, 3)
    depth = tree_depth(build_tree(data, range(300)))
    accuracy = (np.sign(margin) == sign[subset]).mean()
    print(f"k-means {rounds} rounds, inertia {inertia:.6f}, silhouette {sil.mean():.6f}")
    print(f"likelihood {likelihood[-1]:.6f}, boosted accuracy {accuracy:.4f}, tree depth {depth}")
    np.savez(sys.argv[1], centres=centres, member=member, weights=weights, means=means, covs=covs,
             resp=resp, likelihood=likelihood, margin=margin, alphas=alphas, sil=sil)


if __name__ == "__main__":
    main()

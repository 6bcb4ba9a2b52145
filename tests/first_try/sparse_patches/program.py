"""Denoising by sparse coding: overlapping patches, orthogonal matching pursuit with a growing
Cholesky factor, dictionary updates one atom at a time, weighted reassembly."""
import sys

import numpy as np
from scipy.linalg import solve_triangular

PATCH = 6


def picture(n):
    """Cartoon with smooth shading, stripes at two angles and a soft disc."""
    y, x = np.mgrid[0:n, 0:n] / n
    img = 0.4 + 0.3 * x * y
    img += np.where(x + 0.7 * y < 0.813, 0.25 * np.sin(41.0 * (x - 0.5 * y)), 0.0)
    img += np.where(x - y > 0.217, 0.2 * np.sign(np.sin(33.0 * y + 0.1)), 0.0)
    return img + 0.3 / (1.0 + np.exp(60.0 * (np.hypot(x - 0.3, y - 0.7) - 0.15)))


def overcomplete_dct(atoms):
    """Separable cosine frame; every atom but the first has zero mean."""
    m = int(np.ceil(np.sqrt(atoms)))
    one = np.cos(np.outer(np.arange(PATCH) + 0.5, np.arange(m)) * np.pi / m)
    one[:, 1:] -= one[:, 1:].mean(axis=0)
    one /= np.linalg.norm(one, axis=0)
    return np.kron(one, one)[:, :atoms]


def extract(img, stride):
    h, w = img.shape
    corners = [(r, c) for r in range(0, h - PATCH + 1, stride) for c in range(0, w - PATCH + 1, stride)]
    patches = np.empty((len(corners), PATCH * PATCH))
    for k, (r, c) in enumerate(corners):
        patches[k] = img[r:r + PATCH, c:c + PATCH].ravel()
    return patches, corners


def reassemble(noisy, patches, corners, blend):
    """Mean of the overlapping estimates, with some weight on the noisy picture."""
    total = blend * noisy
    weight = np.full(noisy.shape, blend)
    for p, (r, c) in zip(patches, corners):
        total[r:r + PATCH, c:c + PATCH] += p.reshape(PATCH, PATCH)
        weight[r:r + PATCH, c:c + PATCH] += 1.0
    return total / weight


def omp(gram, corr, energy, tol, most):
    """Batch-OMP for one signal: indices and coefficients of the atoms chosen."""
    alpha = corr
    chosen = []
    chol = np.zeros((most, most))
    chol[0, 0] = 1.0
    coef = np.zeros(0)
    err = energy
    while err > tol and len(chosen) < most:
        k = int(np.argmax(np.abs(alpha)))
        if k in chosen:
            break
        s = len(chosen)
        if s:
            w = solve_triangular(chol[:s, :s], gram[chosen, k], lower=True)
            rest = 1.0 - w @ w
            if rest < 1e-10:
                break
            chol[s, :s] = w
            chol[s, s] = np.sqrt(rest)
        chosen.append(k)
        lower = chol[:s + 1, :s + 1]
        coef = solve_triangular(lower.T, solve_triangular(lower, corr[chosen], lower=True))
        beta = gram[:, chosen] @ coef
        alpha = corr - beta
        err = energy - coef @ corr[chosen]
    return chosen[:len(coef)], coef


def encode(dictionary, signals, tol, most=6):
    """Code matrix, signals by atoms."""
    gram = dictionary.T @ dictionary
    corr = signals @ dictionary
    energy = (signals**2).sum(axis=1)
    codes = np.zeros((len(signals), dictionary.shape[1]))
    for i in range(len(signals)):
        chosen, coef = omp(gram, corr[i], energy[i], tol, most)
        codes[i, chosen] = coef
    return codes


class Learner:
    """Approximate K-SVD: each atom in turn is refitted to the signals that use it."""

    def __init__(self, dictionary, least_used=3):
        self.d = dictionary.copy()
        self.least_used = least_used
        self.replaced = 0

    def update_atoms(self, signals, codes):
        for k in range(1, self.d.shape[1]):
            users = np.nonzero(codes[:, k])[0]
            if len(users) < self.least_used:
                self.replace(k, signals, codes)
                continue
            g = codes[users, k]
            resid = signals[users] - codes[users] @ self.d.T + np.outer(g, self.d[:, k])
            atom = resid.T @ g
            atom = atom / np.linalg.norm(atom)
            codes[users, k] = resid @ atom
            self.d[:, k] = atom

    def replace(self, k, signals, codes):
        """An atom without users becomes the signal that is coded worst."""
        err = ((signals - codes @ self.d.T) ** 2).sum(axis=1)
        worst = int(err.argmax())
        atom = signals[worst] - signals[worst].mean()
        size = np.linalg.norm(atom)
        others = np.abs(np.delete(self.d, k, axis=1).T @ atom) / max(size, 1e-12)
        if size > 1e-6 and others.max() < 0.95:
            self.d[:, k] = atom / size
            self.replaced += 1

    def train(self, signals, tol, rounds):
        for _ in range(rounds):
            codes = encode(self.d, signals, tol)
            self.update_atoms(signals, codes)
            yield np.sqrt(np.mean((signals - codes @ self.d.T) ** 2)), np.count_nonzero(codes)


def coherence(d):
    g = np.abs(d.T @ d)
    np.fill_diagonal(g, 0.0)
    return g.max()


def psnr(a, b):
    return -10.0 * np.log10(np.mean((a - b) ** 2))


def usage_words(counts, names):
    """The most used atoms, as text."""
    ranked = sorted(zip(counts, names), reverse=True)
    return ", ".join(f"{name} ({count})" for count, name in ranked[:3])


def main():
    rng = np.random.default_rng(2006)
    sigma = 0.08
    clean = picture(48)
    noisy = clean + sigma * rng.standard_normal(clean.shape)
    patches, corners = extract(noisy, 2)
    means = patches.mean(axis=1, keepdims=True)
    signals = patches - means
    tol = (1.1 * sigma) ** 2 * PATCH**2
    start = overcomplete_dct(64)
    plain = reassemble(noisy, encode(start, signals, tol) @ start.T + means, corners, 0.15)
    learner = Learner(start)
    history = np.array(list(learner.train(signals, tol, 5)))
    print(f"trained on {len(signals)} patches in {len(history)} rounds")
    codes = encode(learner.d, signals, tol)
    final = reassemble(noisy, codes @ learner.d.T + means, corners, 0.15)
    counts = np.count_nonzero(codes, axis=0)
    used = np.bincount(np.count_nonzero(codes, axis=1), minlength=7)
    print(f"PSNR noisy {psnr(noisy, clean):.3f}, cosine frame {psnr(plain, clean):.3f}, learned {psnr(final, clean):.3f} dB")
    print(f"coefficients per patch {codes.astype(bool).sum() / len(codes):.4f}, atoms replaced {learner.replaced}")
    print(f"coherence {coherence(learner.d):.4f}; most used: {usage_words(counts.tolist(), [f'a{k}' for k in range(64)])}")
    np.savez(sys.argv[1], plain=plain, final=final, dictionary=learner.d, counts=counts, used=used, history=history)


if __name__ == "__main__":
    main()

"""k-mer spectra, a banded-free global alignment and differential expression for a toy experiment."""
import sys
from dataclasses import dataclass

import numpy as np


@dataclass
class Params:
    k: int = 5
    reads: int = 80
    read_len: int = 60
    genes: int = 600
    samples: int = 8
    match: int = 2
    mismatch: int = -1
    gap: int = -2


def simulate(p):
    rng = np.random.default_rng(2024)
    genome = rng.integers(0, 4, 2500)
    starts = rng.integers(0, genome.size - p.read_len, p.reads)
    reads = genome[starts[:, None] + np.arange(p.read_len)[None, :]]
    flips = rng.random(reads.shape) < 0.02
    reads[flips] = (reads[flips] + 1) % 4
    counts = rng.poisson(rng.gamma(2.0, 40.0, p.genes)[:, None] * np.ones(p.samples)) + 1
    counts[:60, p.samples // 2:] *= 3
    return genome, reads, counts.astype(np.float64)


def kmer_counts(reads, k):
    """Count every k-mer of every read in a 4**k table."""
    table = np.zeros(4 ** k, dtype=np.int64)
    n, length = reads.shape
    for r in range(n):
        for s in range(length - k + 1):
            code = 0
            for j in range(k):
                code = code * 4 + reads[r, s + j]
            table[code] += 1
    return table


def gc_windows(genome, width=50):
    """Sliding GC fraction from a running sum."""
    gc = ((genome == 1) | (genome == 2)).astype(np.int64)
    running = np.concatenate(([0], np.cumsum(gc)))
    return (running[width:] - running[:-width]) / width


def cosine(a, b):
    return float((a * b).sum() / np.sqrt((a * a).sum() * (b * b).sum()))


def needleman_wunsch(a, b, p):
    """Score matrix of the global alignment."""
    n, m = len(a), len(b)
    score = np.zeros((n + 1, m + 1), dtype=np.int64)
    score[0, :] = p.gap * np.arange(m + 1)
    score[:, 0] = p.gap * np.arange(n + 1)
    for i in range(1, n + 1):
        for j in range(1, m + 1):
            s = p.match if a[i - 1] == b[j - 1] else p.mismatch
            diagonal = score[i - 1, j - 1] + s
            up = score[i - 1, j] + p.gap
            side = score[i, j - 1] + p.gap
            score[i, j] = max(diagonal, up, side)
    return score


def to_letters(codes):
    return "".join("ACGT"[int(c)] for c in codes)


def hamming_pairs(reads):
    """Pairwise number of differing bases."""
    n = reads.shape[0]
    dist = np.zeros((n, n), dtype=np.int64)
    for i in range(n):
        for j in range(i + 1, n):
            d = np.count_nonzero(reads[i] != reads[j])
            dist[i, j] = d
            dist[j, i] = d
    return dist


def median_ratio_factors(counts):
    logs = np.log(counts)
    reference = logs.mean(axis=1, keepdims=True)
    return np.exp(np.median(logs - reference, axis=0))


def welch(counts, half):
    logs = np.log2(counts + 1.0)
    a, b = logs[:, :half], logs[:, half:]
    va = a.var(axis=1, ddof=1) / a.shape[1]
    vb = b.var(axis=1, ddof=1) / b.shape[1]
    fold = b.mean(axis=1) - a.mean(axis=1)
    return fold, fold / np.sqrt(va + vb + 1e-6)


def main(path):
    p = Params()
    genome, reads, counts = simulate(p)
    table = kmer_counts(reads, p.k)
    ref = kmer_counts(genome[None, :], p.k)
    similarity = cosine(table.astype(float), ref.astype(float))
    gc = gc_windows(genome)
    score = needleman_wunsch(reads[0], reads[1], p)
    dist = hamming_pairs(reads)
    factors = median_ratio_factors(counts)
    fold, t = welch(counts / factors, p.samples // 2)
    top = np.argsort(-np.abs(t), kind="stable")[:20]
    print("first read", to_letters(reads[0][:20]))
    print(f"spectrum similarity {similarity:.6f}, alignment score {score[-1, -1]}")
    print(f"mean GC {gc.mean():.5f}, mean distance {dist.mean():.4f}")
    np.savez(path, table=table, ref=ref, gc=gc, score=score, dist=dist, factors=factors,
             fold=fold, t=t, top=top)


if __name__ == "__main__":
    main(sys.argv[1])

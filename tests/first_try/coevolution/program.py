# Coevolution of residues in a protein family: alignment parsing, sequence weights, mutual information with APC,
# pseudo-likelihood couplings by gradient descent, contact scores compared with the planted contacts.
import sys

import numpy as np

AA = "-ACDEFGHIKLMNPQRSTVWY"
Q = len(AA)


def family(length, count, rng):
    """Alignment in FASTA text from a small tree with planted pair constraints, and those pairs."""
    pairs = []
    free = list(range(2, length - 2))
    rng.shuffle(free)
    while len(pairs) < length // 4 and len(free) > 1:
        i = free.pop()
        far = [j for j in free if abs(i - j) > 5]
        if far:
            free.remove(far[0])
            pairs.append((min(i, far[0]), max(i, far[0])))
    partner = dict(pairs) | {j: i for i, j in pairs}
    image = rng.permutation(np.arange(1, Q))
    rule = {int(a): int(image[a - 1]) for a in range(1, Q)}

    def mutate(seq, rate):
        seq = list(seq)
        for i in range(length):
            if rng.uniform() < rate:
                seq[i] = int(rng.integers(1, Q))
                j = partner.get(i)
                if j is not None and rng.uniform() < 0.85:
                    seq[j] = rule[seq[i]]
        return seq

    def grow(seq, depth):
        if depth == 0:
            return [seq]
        return [leaf for _ in range(3) for leaf in grow(mutate(seq, 0.13), depth - 1)]

    leaves = grow([int(a) for a in rng.integers(1, Q, length)], 6)[:count]
    lines = []
    for n, seq in enumerate(leaves):
        text = "".join(AA[a] for a in seq)
        if rng.uniform() < 0.3:
            at = int(rng.integers(0, length - 4))
            text = text[:at] + "---" + text[at + 3:]
        lines += [f">seq{n}", text[:40], text[40:]]
    return "\n".join(lines), sorted(pairs)


def read_fasta(text):
    seqs = []
    for line in text.splitlines():
        if line.startswith(">"):
            seqs.append([])
        else:
            seqs[-1].extend(AA.index(c) for c in line.strip())
    return np.array(seqs)


def drop_fragments(msa, most=0.2):
    return msa[(msa == 0).mean(axis=1) <= most]


def sequence_weights(msa, identity=0.72):
    """One over the number of sequences that are as similar, row by row."""
    w = np.empty(len(msa))
    for n, seq in enumerate(msa):
        same = (msa == seq).mean(axis=1)
        w[n] = 1.0 / np.count_nonzero(same > identity + 1e-6)
    return w


def frequencies(msa, w, pseudo=0.4):
    """Single and pair frequencies with a pseudo count."""
    length = msa.shape[1]
    total = w.sum()
    single = np.zeros((length, Q))
    for i in range(length):
        single[i] = np.bincount(msa[:, i], weights=w, minlength=Q)
    pair = np.zeros((length, length, Q, Q))
    for i in range(length):
        for j in range(i + 1, length):
            np.add.at(pair[i, j], (msa[:, i], msa[:, j]), w)
            pair[j, i] = pair[i, j].T
    lam = pseudo * total
    return (single + lam / Q) / (total + lam), (pair + lam / Q**2) / (total + lam)


def mutual_information(single, pair):
    """Mutual information and joint entropy of every pair of columns."""
    length = len(single)
    mi, joint = np.zeros((length, length)), np.ones((length, length))
    for i in range(length):
        for j in range(length):
            if i == j:
                continue
            p = pair[i, j]
            mi[i, j] = (p * np.log(p / np.outer(single[i], single[j]))).sum()
            joint[i, j] = -(p * np.log(p)).sum()
    return mi, joint


def apc(score):
    """Average product correction with an empty diagonal."""
    n = len(score)
    s = score - np.diag(np.diag(score))
    mean = s.sum(axis=1) / (n - 1)
    s = s - np.outer(mean, mean) / mean.mean()
    np.fill_diagonal(s, 0.0)
    return s


def one_hot(msa):
    return (msa[:, :, None] == np.arange(Q)).reshape(len(msa), -1).astype(float)


def fit_column(x, target, w, i, rounds, rate=0.9, ridge=0.01):
    """Regularised multinomial regression of column i on all the others, with momentum."""
    total = w.sum()
    h = np.log((target * w[:, None]).sum(axis=0) / total + 0.02)
    coupling = np.zeros((x.shape[1], Q))
    vel_h, vel_j = np.zeros_like(h), np.zeros_like(coupling)
    own = slice(i * Q, (i + 1) * Q)
    for _ in range(rounds):
        logits = x @ coupling + h
        logits -= logits.max(axis=1, keepdims=True)
        p = np.exp(logits)
        p /= p.sum(axis=1, keepdims=True)
        rest = (p - target) * w[:, None] / total
        gj = x.T @ rest + ridge * coupling
        gj[own] = 0.0
        gh = rest.sum(axis=0) + 0.001 * h
        vel_j = 0.7 * vel_j - rate * gj
        vel_h = 0.7 * vel_h - rate * gh
        coupling = coupling + vel_j
        h = h + vel_h
    loss = -(w * np.log((p * target).sum(axis=1) + 1e-12)).sum() / total
    return coupling, h, loss


def pseudo_likelihood(msa, w, rounds=12):
    """Couplings of all columns, made symmetric and brought to the zero-sum gauge; Frobenius norms without gaps."""
    count, length = msa.shape
    x = one_hot(msa)
    couplings = np.empty((length, length, Q, Q))
    losses = np.empty(length)
    for i in range(length):
        target = x[:, i * Q:(i + 1) * Q]
        c, _, losses[i] = fit_column(x, target, w, i, rounds)
        couplings[i] = c.reshape(length, Q, Q).transpose(0, 2, 1)
    couplings = 0.5 * (couplings + couplings.transpose(1, 0, 3, 2))
    couplings -= couplings.mean(axis=2, keepdims=True)
    couplings -= couplings.mean(axis=3, keepdims=True)
    return np.sqrt((couplings[:, :, 1:, 1:] ** 2).sum(axis=(2, 3))), losses


def ranked(score, apart=4):
    i, j = np.triu_indices(len(score), apart)
    order = np.argsort(-score[i, j], kind="stable")
    return list(zip(i[order].tolist(), j[order].tolist()))


def precision(order, pairs, top):
    known, hits, curve = set(pairs), 0, []
    for n, pair in enumerate(order[:top], 1):
        hits += pair in known
        curve.append(hits / n)
    return np.array(curve)


def main():
    rng = np.random.default_rng(20)
    text, pairs = family(48, 520, rng)
    msa = drop_fragments(read_fasta(text))
    w = sequence_weights(msa)
    single, pair = frequencies(msa, w)
    mi, joint = mutual_information(single, pair)
    entropy = -(single * np.log(single)).sum(axis=1)
    scores = {"MI": apc(mi), "MI/H": apc(mi / joint)}
    norms, losses = pseudo_likelihood(msa, w)
    scores["PLM"] = apc(norms)
    print(f"{len(msa)} sequences of {msa.shape[1]}, effective {w.sum():.3f}, {len(pairs)} planted pairs")
    for name, s in scores.items():
        order = ranked(s)
        curve = precision(order, pairs, 24)
        print(f"{name:5s} precision {curve[5]:.3f} {curve[11]:.3f} {curve[23]:.3f}, best {s.max():.4f}")
    print(f"pseudo-likelihood {losses.mean():.4f}, mean entropy {entropy.mean():.4f}")
    np.savez(sys.argv[1], weights=w, single=single, mi=scores["MI"], ratio=scores["MI/H"], plm=scores["PLM"], losses=losses)


if __name__ == "__main__":
    main()

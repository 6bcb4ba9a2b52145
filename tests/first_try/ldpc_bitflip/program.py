"""Gallager LDPC code: construction, systematic encoder over GF(2), hard and weighted bit flipping over a BSC / AWGN sweep."""
import sys

import numpy as np

N, WC, WR = 240, 3, 6


def gallager(n, wc, wr, rng):
    rows = n // wr
    first = np.zeros((rows, n), dtype=np.uint8)
    for r in range(rows):
        first[r, r * wr : (r + 1) * wr] = 1
    bands = [first]
    for _ in range(wc - 1):
        bands.append(first[:, rng.permutation(n)])
    return np.vstack(bands)


def row_reduce(H):
    """Reduced row echelon form over GF(2); returns the matrix without zero rows and its pivots."""
    A = H.copy()
    pivots = []
    r = 0
    for c in range(A.shape[1]):
        hit = np.flatnonzero(A[r:, c])
        if hit.size == 0:
            continue
        p = r + hit[0]
        if p != r:
            A[[r, p]] = A[[p, r]]
        others = np.flatnonzero(A[:, c])
        others = others[others != r]
        A[others] ^= A[r]
        pivots.append(c)
        r += 1
        if r == A.shape[0]:
            break
    return A[:r], np.array(pivots)


def make_encoder(H):
    R, pivots = row_reduce(H)
    free = np.setdiff1d(np.arange(H.shape[1]), pivots)
    P = R[:, free].astype(np.int64)

    def encode(messages):
        words = np.zeros((len(messages), H.shape[1]), dtype=np.uint8)
        words[:, free] = messages
        words[:, pivots] = (messages @ P.T) % 2
        return words

    return encode, len(free)


def neighbours(H):
    check_bits = np.array([np.flatnonzero(row) for row in H])
    bit_checks = np.array([np.flatnonzero(col) for col in H.T])
    return check_bits, bit_checks


def girth_stats(H):
    """Number of 4-cycles: pairs of checks that share two bits or more."""
    overlap = H.astype(np.int64) @ H.T.astype(np.int64)
    m = len(overlap)
    cycles = 0
    worst = 0
    for a in range(m):
        for b in range(a + 1, m):
            s = overlap[a, b]
            if s >= 2:
                cycles += s * (s - 1) // 2
            if s > worst:
                worst = s
    return int(cycles), int(worst)


def decode_hard(received, H, max_iter):
    """Parallel bit flipping for a block of words; a word that satisfies all checks is left alone."""
    words = received.copy()
    Hi = H.astype(np.int32)
    degree = Hi.sum(axis=0)
    iterations = np.zeros(len(words), dtype=np.int64)
    for it in range(max_iter):
        syndrome = (words.astype(np.int32) @ Hi.T) & 1
        active = syndrome.any(axis=1)
        if not active.any():
            break
        votes = syndrome @ Hi
        top = votes.max(axis=1, keepdims=True)
        flip = (votes == top) & (2 * votes > degree) & active[:, None]
        words ^= flip.astype(np.uint8)
        iterations[active] += 1
    return words, iterations


def decode_weighted(llr, check_bits, bit_checks, max_iter):
    """Weighted bit flipping of one word, one bit per iteration."""
    n = len(llr)
    m = len(check_bits)
    hard = (llr < 0).astype(np.int64)
    mag = np.abs(llr)
    weight = np.zeros(m)
    for c in range(m):
        smallest = np.inf
        for b in check_bits[c]:
            if mag[b] < smallest:
                smallest = mag[b]
        weight[c] = smallest
    metric = np.zeros(n)
    for it in range(max_iter):
        syndrome = hard[check_bits].sum(axis=1) % 2
        if not syndrome.any():
            return hard, it
        for b in range(n):
            e = 0.0
            for c in bit_checks[b]:
                e += (2 * syndrome[c] - 1) * weight[c]
            metric[b] = e - 0.3 * mag[b]
        hard[np.argmax(metric)] ^= 1
    return hard, max_iter


def gray_counts(errors):
    """Histogram of the number of wrong bits and of the run lengths of wrong bits."""
    per_word = errors.sum(axis=1)
    hist = np.bincount(per_word, minlength=20)[:20]
    runs = np.zeros(8, dtype=np.int64)
    for row in errors:
        length = 0
        for bit in row:
            if bit:
                length += 1
            elif length:
                runs[min(length, 7)] += 1
                length = 0
        if length:
            runs[min(length, 7)] += 1
    return hist, runs


def main():
    rng = np.random.default_rng(1963)
    H = gallager(N, WC, WR, rng)
    encode, k = make_encoder(H)
    check_bits, bit_checks = neighbours(H)
    cycles, worst = girth_stats(H)
    messages = rng.integers(0, 2, (100, k))
    words = encode(messages)
    assert not ((words.astype(int) @ H.T.astype(int)) % 2).any()

    probs = [0.01, 0.02, 0.03, 0.045, 0.06]
    ber_in, ber_out, fer, mean_it = [], [], [], []
    for p in probs:
        noise = (rng.random(words.shape) < p).astype(np.uint8)
        decoded, its = decode_hard(words ^ noise, H, 20)
        errors = decoded != words
        ber_in.append(noise.mean())
        ber_out.append(errors.mean())
        fer.append(errors.any(axis=1).mean())
        mean_it.append(its.mean())
    hist, runs = gray_counts(errors[:40].astype(np.int64))

    sigma = 0.62
    wbf_errors = np.zeros(6, dtype=np.int64)
    wbf_iters = np.zeros(6, dtype=np.int64)
    for w in range(6):
        y = 1.0 - 2.0 * words[w] + sigma * rng.standard_normal(N)
        hard, wbf_iters[w] = decode_weighted(2 * y / sigma ** 2, check_bits, bit_checks, 40)
        wbf_errors[w] = np.count_nonzero(hard != words[w])

    print(f"({N}, {k}) code, rate {k / N:.4f}, {cycles} four-cycles, overlap at most {worst}")
    for p, a, b, f, i in zip(probs, ber_in, ber_out, fer, mean_it):
        print(f"p={p:.3f}  raw {a:.6f}  decoded {b:.6f}  frames {f:.6f}  iterations {i:.4f}")
    print("weighted:", " ".join(f"{e}/{i}" for e, i in zip(wbf_errors, wbf_iters)))
    np.savez(sys.argv[1], H=H, words=words, ber_in=np.array(ber_in), ber_out=np.array(ber_out), fer=np.array(fer),
             iterations=np.array(mean_it), error_hist=hist, runs=runs, wbf_errors=wbf_errors, wbf_iters=wbf_iters)


if __name__ == "__main__":
    main()

import sys
import numpy as np
from scipy import special


def simulate(n_samples=300, n_snps=720, seed=11):
    """Genotypes in linkage blocks from two populations, -1 where the call is missing."""
    rng = np.random.default_rng(seed)
    pop = (rng.random(n_samples) < 0.45).astype(int)
    base = rng.uniform(0.04, 0.5, n_snps)
    drift = np.clip(base + rng.normal(0, 0.08, n_snps), 0.01, 0.95)
    freq = np.where(pop[:, None] == 1, drift[None, :], base[None, :])
    geno = np.zeros((n_samples, n_snps), dtype=np.int8)
    for strand in range(2):
        u = rng.random((n_samples, n_snps))
        link = rng.random((n_samples, n_snps)) < 0.8
        link[:, ::12] = False
        for s in range(1, n_snps):
            u[:, s] = np.where(link[:, s], u[:, s - 1], u[:, s])
        geno += u < freq
    causal = np.arange(60, n_snps, 144)
    effect = np.array([0.55, -0.5, 0.6, 0.45, -0.6])[: causal.size]
    age = rng.normal(50, 9, n_samples)
    sex = rng.integers(0, 2, n_samples)
    trait = (geno[:, causal] * effect).sum(axis=1) + 0.03 * (age - 50) + 0.3 * sex + 0.6 * pop
    trait = trait + rng.normal(0, 1.0, n_samples)
    geno[rng.random(geno.shape) < 0.015] = -1
    return {"geno": geno, "trait": trait, "age": age, "sex": sex, "pop": pop,
            "pos": np.cumsum(rng.integers(200, 5000, n_snps)), "causal": causal}


def qc(geno):
    """Call rate, minor allele frequency and Hardy-Weinberg chi-square of every marker."""
    called = geno >= 0
    n = called.sum(axis=0)
    counts = np.stack([(geno == g).sum(axis=0) for g in range(3)])
    p = (counts[1] + 2 * counts[2]) / (2 * n)
    expected = np.stack([(1 - p) ** 2, 2 * p * (1 - p), p ** 2]) * n
    chi2 = ((counts - expected) ** 2 / np.maximum(expected, 1e-9)).sum(axis=0)
    return {"call": n / geno.shape[0], "freq": p, "maf": np.minimum(p, 1 - p),
            "hwe": special.chdtrc(1, chi2)}


def impute_standardise(geno, freq):
    x = np.where(geno < 0, 2.0 * freq, geno.astype(float))
    return (x - 2.0 * freq) / np.sqrt(2.0 * freq * (1.0 - freq))


def hwe_exact(counts):
    """Exact test of Hardy-Weinberg proportions by recursion over heterozygote counts."""
    hom1, het, hom2 = sorted([counts[0], counts[2]])[0], counts[1], max(counts[0], counts[2])
    rare = 2 * hom1 + het
    total = hom1 + het + hom2
    mid = int(rare * (2 * total - rare) / (2 * total))
    if mid % 2 != rare % 2:
        mid += 1
    probs = {mid: 1.0}
    h, r, c = mid, (rare - mid) // 2, total - mid - (rare - mid) // 2
    while h > 1:
        probs[h - 2] = probs[h] * h * (h - 1.0) / (4.0 * (r + 1.0) * (c + 1.0))
        h, r, c = h - 2, r + 1, c + 1
    h, r, c = mid, (rare - mid) // 2, total - mid - (rare - mid) // 2
    while h <= rare - 2:
        probs[h + 2] = probs[h] * 4.0 * r * c / ((h + 2.0) * (h + 1.0))
        h, r, c = h + 2, r - 1, c - 1
    norm = sum(probs.values())
    return min(1.0, sum(v for v in probs.values() if v <= probs[het] * (1 + 1e-7)) / norm)


def prune(z, order, limit, window):
    """Greedy LD pruning: drop a marker too well correlated with a kept one close before it."""
    kept = []
    n = z.shape[0]
    for s in order:
        good = True
        for t in reversed(kept):
            if s - t > window:
                break
            r = z[:, s] @ z[:, t] / n
            if r * r > limit:
                good = False
                break
        if good:
            kept.append(s)
    return np.array(kept)


def principal_components(z, k):
    grm = z @ z.T / z.shape[1]
    value, vector = np.linalg.eigh(grm)
    return value[::-1][:k], vector[:, ::-1][:, :k], grm


def ld_decay(z, pos, bins, reach=40):
    """Mean r2 of marker pairs by distance."""
    n, m = z.shape
    r = z.T @ z / n
    total = np.zeros(bins.size - 1)
    pairs = np.zeros(bins.size - 1)
    for i in range(m):
        for j in range(i + 1, min(i + reach, m)):
            d = pos[j] - pos[i]
            if d >= bins[-1]:
                break
            b = 0
            while d >= bins[b + 1]:
                b += 1
            total[b] += r[i, j] * r[i, j]
            pairs[b] += 1
    return total / np.maximum(pairs, 1), pairs


def linear_scan(dosage, trait, cov):
    """Least squares of the trait on covariates and each marker in turn."""
    n, m = dosage.shape
    k = cov.shape[1] + 1
    beta = np.empty(m)
    se = np.empty(m)
    for s in range(m):
        X = np.column_stack([dosage[:, s], cov])
        xtx = X.T @ X
        b = np.linalg.solve(xtx, X.T @ trait)
        res = trait - X @ b
        sigma2 = (res * res).sum() / (n - k)
        beta[s] = b[0]
        se[s] = np.sqrt(sigma2 * np.linalg.inv(xtx)[0, 0])
    return beta, se


def score_scan(dosage, case, cov, iterations=8):
    """Logistic score test after fitting the covariates alone."""
    a = np.zeros(cov.shape[1])
    for _ in range(iterations):
        mu = 1.0 / (1.0 + np.exp(-(cov @ a)))
        w = mu * (1 - mu)
        a += np.linalg.solve((cov.T * w) @ cov, cov.T @ (case - mu))
    u = dosage.T @ (case - mu)
    gw = dosage.T * w
    cross = gw @ cov
    inner = np.linalg.inv((cov.T * w) @ cov)
    var = np.einsum("sn,ns->s", gw, dosage) - np.einsum("si,ij,sj->s", cross, inner, cross)
    return u * u / var


def permute_max(dosage, resid, rng, times):
    """Largest squared correlation over all markers in permuted data."""
    d = dosage - dosage.mean(axis=0)
    d /= np.sqrt((d * d).sum(axis=0))
    top = np.empty(times)
    for p in range(times):
        y = rng.permutation(resid)
        top[p] = np.max((d.T @ y) ** 2)
    return top / (resid @ resid)


def clump(pvalue, pos, limit, reach):
    """Lead markers in order of their p-value, each claiming its neighbourhood."""
    free = np.ones(pvalue.size, dtype=bool)
    leads = []
    for s in np.argsort(pvalue):
        if pvalue[s] > limit:
            break
        if free[s]:
            leads.append(int(s))
            free[np.abs(pos - pos[s]) < reach] = False
    return leads


def main():
    data = simulate()
    geno, trait = data["geno"], data["trait"]
    stats = qc(geno)
    ok = (stats["call"] > 0.95) & (stats["maf"] > 0.05) & (stats["hwe"] > 1e-8)
    geno, pos = geno[:, ok], data["pos"][ok]
    freq = stats["freq"][ok]
    z = impute_standardise(geno, freq)
    exact = np.array([hwe_exact([int((geno[:, s] == g).sum()) for g in range(3)]) for s in range(0, 60)])
    kept = prune(z, range(z.shape[1]), 0.2, 30)
    values, pcs, grm = principal_components(z[:, kept], 2)
    cov = np.column_stack([np.ones(trait.size), (data["age"] - 50) / 10, data["sex"], pcs])
    dosage = np.where(geno < 0, 2 * freq, geno)

    beta, se = linear_scan(dosage, trait, cov)
    chi2 = (beta / se) ** 2
    pvalue = special.chdtrc(1, chi2)
    inflation = np.median(chi2) / 0.4549364231195724
    case = (trait > np.median(trait)).astype(float)
    score = score_scan(dosage, case, cov)
    resid = trait - cov @ np.linalg.lstsq(cov, trait, rcond=None)[0]
    null = permute_max(dosage, resid, np.random.default_rng(3), 50)
    bins = np.array([0, 5e3, 1e4, 2e4, 4e4, 8e4])
    decay, pairs = ld_decay(z, pos, bins)
    leads = clump(pvalue, pos, 1e-4, 60000)
    group = data["pop"]
    split = abs(pcs[group == 1, 0].mean() - pcs[group == 0, 0].mean())

    np.savez(sys.argv[1], maf=stats["maf"], hwe=stats["hwe"], exact=exact, kept=kept, values=values, grm=grm,
             beta=beta, se=se, pvalue=pvalue, score=score, null=np.sort(null), decay=decay, pairs=pairs,
             leads=np.array(leads))
    print(f"{ok.sum()} of {ok.size} markers kept, {kept.size} after pruning")
    print(f"lambda {inflation:.5f}, eigenvalues {values.round(5)}, split {split:.6f}")
    print(f"smallest p {pvalue.min():.4e}, 5% threshold of max r2 {np.quantile(null, 0.95):.6f}")
    print("leads", leads, "r2 by distance", decay.round(4))


if __name__ == "__main__":
    main()

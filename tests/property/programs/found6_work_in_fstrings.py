"""f-strings with work on arrays in them, in every form."""
import sys
import numpy as np


def report(u, v, w):
    n = 6
    s = np.exp(u) * v + np.cos(w)
    print(f"é {{u}} {np.abs(s).max():.4f} {{np.abs(s)}} {s.sum():>{n + 4}.3f} {s.min()!r:.12} {s.dtype}")
    print(f"""multi
  {np.sin(s).mean():.5f} and {
      np.linalg.norm(s):.4e}
""" f'{np.median(s):.3f}' "plain" rf"\d{np.sqrt(np.abs(s)).sum():.3f}")
    print(f"{s.shape} {len(s)} {s[0]:.4f} {float(s[-1]):.4f} {int(np.argmax(s))} {np.argmin(s)}")
    print(f"{np.percentile(s, 30):.4f} {s.mean() if s.sum() > 0 else -1.0:.4f} {(s > 0.5).sum()}")
    print(f"{np.sort(s)[:3]} {[round(float(q), 3) for q in s[:3]]} {', '.join(f'{q:.2f}' for q in s[:3])}")
    print(f"{s.sum()=:.3f} {n=}")
    print(f"{np.where(s > 1, s, 0.0).sum():.{n - 2}f} {np.dot(u, v):8.3f}|{np.any(s > 2)}|{np.allclose(u, u)}")
    print(f"{np.array2string(s[:2], precision=3)} {s.tolist()[:1]} {(lambda q: q + 1)(n)} {np.pi:.3f}")
    label = f"{np.sum(s):.3f}" + f"_{np.round(s[1], 2)}"
    if (t := np.max(s)) > 1:
        print(f"top {t:.3f} {t}")
    return label, s


def main(path):
    rng = np.random.default_rng(3)
    u, v, w = rng.normal(size=(3, 40))
    label, s = report(u, v, w)
    m = np.outer(u, v) @ np.outer(v, w)
    print(label, f"trace {np.trace(m):.4f} rank {np.linalg.matrix_rank(m)} {m[0, 0]:+.3e} {np.histogram(s, bins=3)[0]}")
    for k, row in enumerate(m[:3]):
        print(f"row {k:02d}: {row.sum():.4f} [{row[0]:.2f}..{row[-1]:.2f}] {np.argmax(row)}")
    raise_if = np.isnan(m).any()
    if raise_if:
        raise ValueError(f"bad: {np.isnan(m).sum()} of {m.size}")
    assert m.shape == (40, 40), f"shape {m.shape} {np.abs(m).max()}"
    np.savez(path, s=s, m=m)


main(sys.argv[1])

import numpy as np

def frames(m, n):
    for k in range(n):
        m += np.eye(3) * k
        yield m

def blocks(a, n):
    for i in range(n):
        yield a[i] + np.eye(3)

def pairs(a, b):
    for i in range(len(a)):
        yield a[i], b[i]

def main():
    m = np.ones((3, 3)) + np.eye(3)
    print([round(float(np.linalg.det(f)), 8) for f in frames(m.copy(), 4)])
    out = [np.linalg.inv(f) for f in frames(m.copy(), 4)]
    print(np.array(out).sum().round(8), out[0].sum().round(8))
    res = []
    for f in frames(m.copy(), 3):
        res.append(np.linalg.svd(f, compute_uv=False))
    print(np.array(res).round(8).tolist())
    print(np.stack([np.linalg.eigvalsh(f + f.T) for f in frames(m.copy(), 3)]).round(8).tolist())
    a = np.arange(36.0).reshape(4, 3, 3) + np.eye(3) * 50
    b = np.arange(12.0).reshape(4, 3)
    sols = [np.linalg.solve(x, y) for x, y in pairs(a, b)]
    print(np.array(sols).round(8).tolist())
    dets = {}
    for k, f in enumerate(blocks(a, 4)):
        dets[k] = np.linalg.slogdet(f)[1]
    print({k: round(float(v), 8) for k, v in dets.items()})
    tot = 0.0
    for f in blocks(a, 4):
        for i in range(3):
            tot += f[i, i]
    print(tot)

main()

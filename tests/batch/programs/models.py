import numpy as np
R = np.random.default_rng(12)

def whiten(x, eps=1e-5):
    """Whitened."""
    mu = x.mean(axis=0, keepdims=True)
    c = x - mu
    u, s, vt = np.linalg.svd(c, full_matrices=False)
    return (c @ vt.T) / np.sqrt(s ** 2 / (len(x) - 1) + eps)

def zca(groups: list[np.ndarray]):
    out = []
    for g in groups:
        out.append(np.abs(whiten(g)))
    return out

def fit_plane(points):
    c = points.mean(axis=0)
    _, _, vt = np.linalg.svd(points - c)
    normal = vt[2]
    return c, normal * np.sign(normal[0])

def planes(patches: np.ndarray):
    cs, ns = [], []
    for p in patches:
        c, n = fit_plane(p)
        cs.append(c)
        ns.append(n)
    return np.array(cs), np.array(ns)

def polyfits(x: np.ndarray, ys: np.ndarray):
    out = np.empty((len(ys), 3))
    V = np.vander(x, 3)
    for i, y in enumerate(ys):
        out[i] = np.linalg.lstsq(V, y, rcond=None)[0]
    return out

def weights_of(kernels: list[np.ndarray], targets: list[np.ndarray], noise: float):
    alphas = {}
    for i, (K, t) in enumerate(zip(kernels, targets)):
        L = np.linalg.cholesky(K + noise * np.eye(len(K)))
        z = np.linalg.solve(L, t)
        alphas[i] = np.linalg.solve(L.T, z)
    return alphas

def logliks(kernels: list[np.ndarray], targets: list[np.ndarray]):
    total = 0.0
    for K, t in zip(kernels, targets):
        sign, ld = np.linalg.slogdet(K)
        total += -0.5 * float(t @ np.linalg.solve(K, t)) - 0.5 * float(ld)
    return total

def mats_power(a: np.ndarray):
    return np.array([np.linalg.matrix_power(m, 3) for m in a])

def kabsch(P: np.ndarray, Q: np.ndarray):
    rots = np.zeros((len(P), 3, 3))
    rmsd = np.zeros(len(P))
    for i in range(len(P)):
        p = P[i] - P[i].mean(axis=0)
        q = Q[i] - Q[i].mean(axis=0)
        H = p.T @ q
        U, S, Vt = np.linalg.svd(H)
        d = np.sign(np.linalg.det(Vt.T @ U.T))
        D = np.diag([1.0, 1.0, d])
        Rm = Vt.T @ D @ U.T
        rots[i] = Rm
        rmsd[i] = np.sqrt(((p @ Rm.T - q) ** 2).sum() / len(p))
    return rots, rmsd

def entropies(rhos: list[np.ndarray]):
    return [float(-np.sum(np.linalg.eigvalsh(r) * np.log(np.linalg.eigvalsh(r)))) for r in rhos]

def concurrence(rhos: np.ndarray, yy: np.ndarray):
    out = []
    for rho in rhos:
        rt = yy @ rho.conj() @ yy
        ev = np.linalg.eigvalsh(rho @ rho.conj().T + 0 * rt)
        out.append(max(0, ev[-1] - ev[0]))
    return out

def msd(trajs: np.ndarray, lags: list[int]):
    return [np.mean(np.linalg.norm(trajs[:, l:] - trajs[:, :-l], axis=-1)) for l in lags]

def channel(H: np.ndarray, snr: float):
    cap = np.zeros(H.shape[0])
    for k in range(H.shape[0]):
        G = np.eye(H.shape[1]) + snr / H.shape[2] * (H[k] @ H[k].conj().T)
        cap[k] = np.log2(np.linalg.det(G).real)
    return cap

def beam(covs: np.ndarray, steer: np.ndarray):
    w = np.empty((covs.shape[0], covs.shape[1]), dtype=complex)
    for f in range(covs.shape[0]):
        Ri = np.linalg.inv(covs[f])
        a = steer[f]
        w[f] = Ri @ a / (a.conj() @ Ri @ a)
    return w

G = [R.normal(size=(n, 3)) for n in (6, 7, 6)]
PT = R.normal(size=(4, 9, 3)); Q = R.normal(size=(4, 9, 3))
K = [g @ g.T + np.eye(len(g)) for g in G]; T = [R.normal(size=len(g)) for g in G]
H = R.normal(size=(5, 2, 3)) + 1j * R.normal(size=(5, 2, 3))
C = np.array([h @ h.conj().T + np.eye(2) for h in H]); ST = H[:, :, 0]
RHO = [k / np.trace(k) for k in K]
BADK = [K[0], -K[1], K[2]]
CASES = {"zca": lambda: (G,), "zca-e": lambda: ([],), "planes": lambda: (PT,), "planes-1": lambda: (PT[:1],), "polyfits": lambda: (np.arange(7.), R.normal(size=(3, 7)) * 0 + np.arange(7.) ** 2), "weights_of": lambda: (K, T, .1), "weights_of-bad": lambda: (BADK, T, .0), "logliks": lambda: (K, T), "logliks-e": lambda: ([], []), "mats_power": lambda: (C,), "kabsch": lambda: (PT, Q), "entropies": lambda: (RHO,), "concurrence": lambda: (np.array([r[:6, :6] for r in RHO]) + 0j, np.eye(6)), "msd": lambda: (PT, [1, 2, 3]), "channel": lambda: (H, 10.), "channel-f": lambda: (H.astype("F"), 10.), "beam": lambda: (C, ST)}

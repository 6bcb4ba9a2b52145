import numpy as np

R = np.random.default_rng(7)
P = R.normal(size=(12, 3))
NEAR = np.array([R.permutation(12)[:6] for _ in range(12)])
MASKS = R.random(size=(12, 12)) > 0.4
T = np.array([a @ a.T for a in R.normal(size=(5, 3, 3))])


def neighbourhoods(points: np.ndarray, near: np.ndarray):
    normals = np.zeros_like(points)
    flatness = np.zeros(len(points))
    for i in range(len(points)):
        around = points[near[i]]
        c = around - around.mean(axis=0)
        w, v = np.linalg.eigh(c.T @ c)
        normals[i] = np.abs(v[:, 0])
        flatness[i] = w[0] / w.sum()
    return normals, flatness


def ragged(points: np.ndarray, near: list[np.ndarray]):
    out = []
    for index in near:
        around = points[index]
        c = around - around.mean(axis=0)
        out.append(np.linalg.eigvalsh(c.T @ c))
    return np.array(out)


def ordered(matrices: np.ndarray):
    values, vectors = [], []
    for m in matrices:
        w, v = np.linalg.eigh(m)
        order = np.argsort(w)[::-1]
        w = w[order]
        v = v[:, order]
        values.append(w)
        vectors.append(np.abs(v))
    return values, np.array(vectors)


def by_rows(matrices: np.ndarray):
    out = []
    for m in matrices:
        d = np.diag(m)
        order = np.argsort(d)
        out.append(np.linalg.norm(m[order[:2]]))
    return out


def smallest(matrices: np.ndarray):
    out = np.empty(matrices.shape[:2])
    found = []
    for i, m in enumerate(matrices):
        w, v = np.linalg.eigh(m)
        k = np.argmin(np.abs(w))
        out[i] = np.abs(v[:, k])
        found.append(w[k])
    return out, found


def into_places(matrices: np.ndarray, index: np.ndarray):
    out = np.zeros((len(matrices), 9))
    for i in range(len(matrices)):
        out[i, index[i]] = np.linalg.eigvalsh(matrices[i])
    return out


def shifted(points: np.ndarray, near: np.ndarray):
    out = []
    for i in range(len(points)):
        around = points[near[i] + 1]
        out.append(np.linalg.norm(around.T @ around))
    return out


def normals(points: np.ndarray, faces: np.ndarray):
    out = np.zeros((len(faces), 3))
    for f in range(len(faces)):
        a = points[faces[f, 0]]
        normal = np.cross(points[faces[f, 1]] - a, points[faces[f, -1]] - a)
        out[f] = normal / np.linalg.norm(normal)
    return out


def areas(points: np.ndarray, faces: np.ndarray):
    found = []
    for face in faces:
        a, b = points[face[1]] - points[face[0]], points[face[2]] - points[face[0]]
        found.append(0.5 * np.linalg.norm(np.cross(a, b)))
    return np.array(found)


CASES = {
    "normals": lambda: (P, NEAR[:, :3]),
    "normals-negative": lambda: (P, NEAR[:, :3] - 12),
    "normals-float": lambda: (P, NEAR[:, :3].astype(float)),
    "normals-mask": lambda: (P, MASKS[:, :3]),
    "areas": lambda: (P, NEAR[:, :3]),
    "areas-list": lambda: (P, list(NEAR[:, :3])),
    "areas-empty": lambda: (P, NEAR[:0, :3]),
    "neighbourhoods": lambda: (P, NEAR),
    "neighbourhoods-masks": lambda: (P, MASKS),
    "neighbourhoods-unsigned": lambda: (P, NEAR.astype(np.uint8)),
    "neighbourhoods-negative": lambda: (P, NEAR - 12),
    "ragged": lambda: (P, [np.arange(5), np.array([7, 8, 9, 1]), np.arange(5) + 3]),
    "ragged-masks": lambda: (P, [MASKS[0], np.array([7, 8, 9, 1]), MASKS[2]]),
    "ragged-empty": lambda: (P, []),
    "ordered": lambda: (T,),
    "ordered-complex": lambda: (T + 0j,),
    "by_rows": lambda: (T,),
    "smallest": lambda: (T,),
    "smallest-float32": lambda: (T.astype(np.float32),),
    "into_places": lambda: (T, np.arange(15).reshape(5, 3) % 9),
    "shifted": lambda: (P, NEAR - 1),
}

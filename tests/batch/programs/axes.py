import numpy as np

R = np.random.default_rng(5)
A = R.normal(size=(3, 3, 4)) + 3 * np.eye(3)[:, :, None]
N = A.copy()
N[0, 0, 1] = np.nan
S = A.copy()
S[:, :, 2] = 0
C = R.normal(size=(3, 3, 3))
F = R.normal(size=(2, 2, 3, 3))


def last(a: np.ndarray):
    out = np.zeros_like(a)
    for k in range(a.shape[2]):
        out[:, :, k] = np.linalg.inv(a[:, :, k])
    return out


def last_into(a: np.ndarray, out: np.ndarray):
    for k in range(a.shape[2]):
        out[:, :, k] = np.linalg.inv(a[:, :, k])


def in_place(a: np.ndarray):
    for k in range(a.shape[2]):
        a[:, :, k] = a[:, :, k] @ a[:, :, k].T


def crossing(a: np.ndarray):
    for k in range(a.shape[2]):
        a[k, :, 0] = np.linalg.inv(a[:, :, k])[0]


def middle(a: np.ndarray):
    return [np.linalg.svd(a[:, j, :], compute_uv=False) for j in range(a.shape[1])]


def middle_row(a: np.ndarray):
    return [np.linalg.norm(a[0, j, :]) * np.linalg.norm(a[:, j, 0]) for j in range(a.shape[1])]


def first_and_last(a: np.ndarray, b: np.ndarray):
    out = np.zeros(len(a))
    for k in range(len(a)):
        out[k] = np.linalg.det(a[k] @ b[:, :, k])
    return out


def too_many(a: np.ndarray):
    out = []
    for k in range(a.shape[2] + 1):
        out.append(np.linalg.det(a[:, :, k]))
    return out


def fewer(a: np.ndarray, n: int):
    out = []
    for k in range(n):
        out.append(np.linalg.det(a[:, :, k]))
    return out


def dots(a: np.ndarray, b: np.ndarray):
    out = np.zeros_like(a)
    for k in range(a.shape[-1]):
        out[..., k] = np.linalg.solve(b, a[..., k])
    return out


def diagonal(a: np.ndarray):
    return [np.linalg.norm(a[k, k]) for k in range(a.shape[1])]


def both(a: np.ndarray):
    return [np.linalg.norm(a[k] @ a[:, k]) for k in range(a.shape[0])]


def part_of_each(a: np.ndarray):
    out = np.zeros((2, a.shape[2]))
    for k in range(a.shape[2]):
        out[:, k] = np.linalg.eigvalsh(a[:2, :2, k])
    return out


def with_new_axis(a: np.ndarray):
    return [np.linalg.norm(a[None, :, k] @ a[:, :, k]) for k in range(a.shape[1])]


CASES = {
    "last": lambda: (A.copy(),), "last-nan": lambda: (N.copy(),), "last-singular": lambda: (S.copy(),),
    "last-none": lambda: (A[:, :, :0].copy(),), "last-fortran": lambda: (np.asfortranarray(A),),
    "last-strided": lambda: (A[::-1, ::-1, ::2],), "last-matrix": lambda: (A[0],),
    "last-single": lambda: (A.astype("f4"),), "last-list": lambda: (A.tolist(),),
    "last-four": lambda: (F.copy(),),
    "last_into": lambda: (A.copy(), np.zeros_like(A)), "last_into-singular": lambda: (S.copy(), np.zeros_like(A)),
    "last_into-self": lambda: (lambda x: (x, x))(A.copy()),
    "last_into-short": lambda: (A.copy(), np.zeros((3, 3, 2))),
    "last_into-turned": lambda: (lambda x: (x, x[:, :, ::-1]))(A.copy()),
    "in_place": lambda: (A.copy(),), "crossing": lambda: (C.copy(),),
    "middle": lambda: (A.copy(),), "middle-none": lambda: (A[:, :0].copy(),),
    "middle_row": lambda: (A.copy(),),
    "first_and_last": lambda: (A.transpose(2, 0, 1).copy(), A.copy()),
    "first_and_last-short": lambda: (A.transpose(2, 0, 1).copy(), A[:, :, :2].copy()),
    "too_many": lambda: (A.copy(),), "fewer": lambda: (A.copy(), 2), "fewer-all": lambda: (A.copy(), 4),
    "fewer-none": lambda: (A.copy(), 0), "fewer-more": lambda: (A.copy(), 5),
    "dots": lambda: (A.copy(), A[:, :, 0].copy()), "dots-matrix": lambda: (A[0].copy(), A[:, :, 0].copy()),
    "diagonal": lambda: (A.copy(),), "both": lambda: (C.copy(),),
    "part_of_each": lambda: (A.copy(),), "with_new_axis": lambda: (C.copy(),),
}

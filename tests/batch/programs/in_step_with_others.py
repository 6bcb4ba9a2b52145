"""Matrices gone through in step with what is no list of arrays: the shorter one ends the loop."""

import numpy as np

MATS = list(np.random.default_rng(2).standard_normal((5, 3, 3)))


def labelled(ms: list[np.ndarray]):
    out = []
    for name, m in zip(["a", "b"], ms):
        out.append(np.linalg.inv(m))
    return out


def counted(ms: list[np.ndarray], n: int):
    out = []
    for k, m in zip(range(n), ms):
        out.append(np.linalg.det(m))
    return out


def numbered(ms: list[np.ndarray]):
    return [np.linalg.inv(m) for k, m in zip(range(3), ms)]


def words(ms: list[np.ndarray]):
    return [np.linalg.slogdet(m) for letter, m in zip("xyz", ms)]


def keyed(names: dict[str, int], ms: list[np.ndarray]):
    return [np.linalg.inv(m) for name, m in zip(names, ms)]


def of_itself(blocks: dict[str, np.ndarray]):
    return {key: np.linalg.inv(m) for key, m in zip(blocks, blocks.values())}


def twice_numbered(ms: np.ndarray, n: int):
    out = []
    for i, j, m in zip(range(n), range(2), ms):
        out.append(np.linalg.inv(m))
    return out


def made_in_vain(ms: np.ndarray, others: np.ndarray):
    out = []
    for inverse, m in zip(map(np.linalg.inv, ms), others):
        out.append(np.linalg.inv(m) @ m.T)
    return out


SINGULAR = np.array([*MATS[:2], np.zeros((3, 3)), *MATS[3:]])

CASES = {
    "keyed": lambda: (dict.fromkeys("abcde", 1), MATS),
    "keyed-fewer": lambda: (dict.fromkeys("abc", 1), MATS),
    "keyed-more": lambda: (dict.fromkeys("abcdefg", 1), MATS),
    "of_itself": lambda: (dict(zip("badce", MATS)),),
    "twice_numbered": lambda: (np.array(MATS), 5),
    "twice_numbered-fewer": lambda: (np.array(MATS), 1),
    "made_in_vain": lambda: (np.array(MATS), np.array(MATS)),
    "made_in_vain-singular": lambda: (SINGULAR, np.array(MATS)),
    "made_in_vain-others": lambda: (np.array(MATS), SINGULAR),
    **{
        f"{name}-{len(given)}": lambda given=given: (given,)
        for name in ("labelled", "numbered", "words")
        for given in (MATS, MATS[:3], MATS[:1], [])
    },
    **{f"counted-{n}": lambda n=n: (MATS, n) for n in (0, 2, 5, 9)},
}

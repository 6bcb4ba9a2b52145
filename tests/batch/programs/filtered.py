import numpy as np

R = np.random.default_rng(23)
RAG = [R.normal(size=(n, n)) for n in (3, 2, 4, 1, 3, 2)]
SING = [*RAG[:2], np.zeros((3, 3)), np.zeros((1, 1)), RAG[4]]
MIXED = [RAG[0], RAG[1].astype('f4'), R.integers(1, 9, (3, 3)), RAG[3]]


def big(ms: list[np.ndarray]):
    return [np.linalg.inv(m) for m in ms if m.shape[0] > 2]


def sized(ms: list[np.ndarray], n):
    return [np.linalg.inv(m) @ m.T for m in ms if len(m) >= n and m.size < 16]


def both(ms: list[np.ndarray], vs: list[np.ndarray]):
    return [np.linalg.solve(m, v) for m, v in zip(ms, vs) if len(m) == len(v)]


def numbered(ms: list[np.ndarray]):
    return [np.linalg.inv(m).sum() for i, m in enumerate(ms) if i % 2 == 0]


def named(d: dict[str, np.ndarray], left):
    return {k: np.linalg.inv(m).T for k, m in d.items() if k not in left}


def of_dict(d: dict[str, np.ndarray]):
    return [np.linalg.inv(m).T for m in d.values() if m.ndim == 2 and m.shape[0] > 1]


def read(ms: list[np.ndarray]):
    return [np.linalg.inv(m) for m in ms if m[0, 0] > 0]


def as_array(ms: list[np.ndarray]):
    return np.array([np.linalg.inv(m).T for m in ms if m.shape[0] == 3])


def added(ms: list[np.ndarray]):
    return sum(np.linalg.det(m) for m in ms if m.shape[0] < 4)


def copies(ms: list[np.ndarray]):
    return [np.linalg.inv(m.copy()) for m in ms if m.size]


INPUTS = {'': RAG, 'sing': SING, 'mixed': MIXED, 'none': [], 'no matrix': [np.ones(3), *RAG], 'all': [RAG[3]], 'array': np.stack(RAG[::4])}
CASES = {
    f'{f}-{w}': (lambda x=x: (x.copy(),))
    for f in ('big', 'numbered', 'read', 'as_array', 'added', 'copies') for w, x in INPUTS.items()
}
CASES |= {f'sized-{w}': (lambda x=x: (x.copy(), 2)) for w, x in INPUTS.items() if w != 'no matrix'}
CASES |= {
    'both': lambda: (list(RAG), [np.arange(len(m)) + 1.0 for m in RAG]),
    'both-some': lambda: (list(RAG), [np.ones(3)] * 6),
    'both-short': lambda: (list(RAG), [np.ones(3)]),
    'both-sing': lambda: (list(SING), [np.ones(3)] * 5),
    'named': lambda: (dict(zip('abcdef', RAG)), {'b', 'd'}),
    'named-all': lambda: (dict(zip('abc', RAG)), 'abc'),
    'named-sing': lambda: (dict(zip('abcde', SING)), ()),
    'of_dict': lambda: (dict(zip('abcdef', RAG)),),
    'of_dict-empty': lambda: ({},),
}

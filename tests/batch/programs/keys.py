import numpy as np

R = np.random.default_rng(24)
RAG = [m @ m.T + np.eye(len(m)) for m in (R.normal(size=(n, n)) for n in (3, 2, 3, 4))]
SYSTEMS = {k: (m, R.normal(size=len(m))) for k, m in zip('abcd', RAG)}
WIDE = {k: (m, R.normal(size=(len(m), 2))) for k, m in zip('abcd', RAG)}
MIXED = {'a': SYSTEMS['a'], 'b': WIDE['b']}
SING = {**SYSTEMS, 'c': (np.zeros((3, 3)), np.ones(3))}


def solved(systems: dict[str, tuple[np.ndarray, np.ndarray]]):
    return {name: np.linalg.solve(a, b) for name, (a, b) in systems.items()}


def stored(systems: dict[str, tuple[np.ndarray, np.ndarray]]):
    out = {}
    for name, (a, b) in systems.items():
        x = np.linalg.solve(a, b)
        out[name] = x * x.sum()
    return out


def over_values(systems: dict[str, tuple[np.ndarray, np.ndarray]]):
    return [np.linalg.inv(a) @ b for a, b in systems.values()]


def by_key(d: dict[str, np.ndarray]):
    out = {}
    for key in d:
        sign, log = np.linalg.slogdet(d[key])
        out[key] = sign * log
    return out


def of_keys(d: dict[str, np.ndarray]):
    return {key: np.linalg.inv(d[key]) for key in d}


def listed(d: dict[str, np.ndarray]):
    return [np.linalg.inv(d[key]).T for key in d]


def changed(d: dict[str, np.ndarray]):
    for key in d:
        d[key] = np.linalg.inv(d[key])
    return d


def of_another(d: dict[str, np.ndarray], other: dict[str, np.ndarray]):
    return {key: np.linalg.inv(d[key]) @ other[key] for key in d}


def key_read(d: dict[str, np.ndarray]):
    found = []
    for key in d:
        found.append((key, np.linalg.det(d[key])))
    return found


D = dict(zip('abcd', RAG))
CASES = {
    f'{f}-{w}': (lambda x=x: (dict(x),))
    for f in ('solved', 'stored', 'over_values')
    for w, x in (('', SYSTEMS), ('wide', WIDE), ('mixed', MIXED), ('sing', SING), ('empty', {}))
}
CASES |= {
    f'{f}-{w}': (lambda x=x: (dict(x),))
    for f in ('by_key', 'of_keys', 'listed', 'changed', 'key_read')
    for w, x in (('', D), ('sing', {**D, 'b': np.zeros((2, 2))}), ('empty', {}), ('f4', {'a': RAG[0].astype('f4'), **D}))
}
CASES['of_another'] = lambda: (dict(D), {k: v.T.copy() for k, v in reversed(D.items())})

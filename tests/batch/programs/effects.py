import numpy as np

total = 0.0
LOG = []
TABLE = {}

def glob(a: np.ndarray):
    global total
    for m in a:
        total += np.trace(np.linalg.inv(m))

def glob_run(a: np.ndarray):
    global total
    total = 0.0
    try:
        glob(a)
    except np.linalg.LinAlgError:
        print("singular")
    return float(total)

def log(a: np.ndarray):
    for m in a:
        LOG.append(np.linalg.inv(m))

def log_run(a: np.ndarray):
    LOG.clear()
    try:
        log(a)
    except np.linalg.LinAlgError:
        print("singular")
    return len(LOG)

def table(d: dict[str, np.ndarray]):
    for k, m in d.items():
        TABLE[k] = np.linalg.inv(m)

def table_run(d: dict[str, np.ndarray]):
    TABLE.clear()
    try:
        table(d)
    except np.linalg.LinAlgError:
        print("singular")
    return sorted(TABLE)

def closure(a: np.ndarray):
    s = 0.0
    def inner():
        nonlocal s
        for m in a:
            s += np.trace(np.linalg.inv(m))
    try:
        inner()
    except np.linalg.LinAlgError:
        print("singular")
    return float(s)

class Acc:
    def __init__(self):
        self.s = 0.0
        self.out = []
    def add(self, a: np.ndarray):
        for m in a:
            self.s += np.trace(np.linalg.inv(m))
            self.out.append(m)

def acc(a: np.ndarray):
    x = Acc()
    try:
        x.add(a)
    except np.linalg.LinAlgError:
        print("singular")
    return float(x.s), len(x.out)

def fin(a: np.ndarray):
    out = []
    s = 0.0
    try:
        for m in a:
            i = np.linalg.inv(m)
            out.append(i)
            s += i[0, 0]
    finally:
        print(len(out), round(float(s), 6))
    return out

def ctx(a: np.ndarray):
    out = {}
    with np.errstate(all="ignore"):
        for k, m in {"x": a[0], "y": a[1]}.items():
            out[k] = np.linalg.inv(m)
    return out

def alias_list(a: np.ndarray):
    out = []
    also = out
    for m in a:
        also.append(np.linalg.inv(m))
    return len(out), out is also

def kept_dict(a: dict[str, np.ndarray]):
    found = {}
    view = found.items()
    for k, m in a.items():
        found[k] = np.linalg.inv(m)
    return len(view)

def same_dict(a: dict[str, np.ndarray]):
    found = {}
    for k, m in a.items():
        found[k] = np.linalg.inv(m)
        a = {}
    return found

def del_key(a: dict[str, np.ndarray]):
    found = {}
    for k, m in a.items():
        found[k] = np.linalg.inv(m)
    del found["a"]
    return found, k

def gen_arg(a: np.ndarray):
    return sum((np.linalg.inv(m) for m in a), np.zeros((3, 3)))

R = np.random.default_rng(0)
A = R.normal(size=(6, 3, 3)); S = A.copy(); S[3] = 0
def D(x): return {chr(97 + i): m.copy() for i, m in enumerate(x)}
CASES = {f'{f}-{w}': (lambda x=x: (x.copy(),)) for f in ('glob_run', 'log_run', 'closure', 'acc', 'fin', 'ctx', 'alias_list', 'gen_arg') for w, x in (('', A), ('sing', S), ('e', A[:0]))}
CASES |= {f'{f}-{w}': (lambda x=x: (D(x),)) for f in ('table_run', 'kept_dict', 'same_dict', 'del_key') for w, x in (('', A), ('sing', S), ('e', A[:0]))}

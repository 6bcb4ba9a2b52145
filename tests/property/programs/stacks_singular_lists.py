import sys
import numpy as np

def bad(ms, out):
    for k, m in enumerate(ms):
        out[k] = np.linalg.det(np.linalg.inv(m))

def rag(ms, out):
    for m in ms:
        out.append(np.linalg.inv(m))

rng = np.random.default_rng(0)
sq = [rng.normal(size=(n, n)) + 3 * np.eye(n) for n in (2, 3, 2, 4, 3)]
sq[3] = np.zeros((4, 4))
o = np.zeros(5)
try:
    bad(sq, o)
except np.linalg.LinAlgError as e:
    print("lin")
r = []
try:
    rag(sq, r)
except np.linalg.LinAlgError as e:
    print("lin", len(r))
np.savez(sys.argv[1], o=o, r=np.concatenate([x.ravel() for x in r]))

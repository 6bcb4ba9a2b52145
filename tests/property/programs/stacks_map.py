import sys
import numpy as np

def signs(frames):
    return np.array([np.sign(d) for d in map(np.linalg.det, frames)])

def norms(frames):
    out = np.zeros(len(frames))
    for i, d in enumerate(map(np.linalg.inv, frames)):
        out[i] = np.linalg.norm(d)
    return out

def lst(frames):
    return list(map(np.linalg.det, frames))

def strange(frames):
    return [abs(x) for x in map(float, frames[:, 0, 0])]

rng = np.random.default_rng(0)
a = rng.normal(size=(5, 3, 3))
np.savez(sys.argv[1], s=signs(a), n=norms(a), l=np.array(lst(a)), t=np.array(strange(a)))

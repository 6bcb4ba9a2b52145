import sys
from dataclasses import dataclass
import numpy as np

@dataclass
class S:
    dx: float = 0.5
    n: int = 8
    w: float = 1.0

@dataclass
class T:
    gain: float = 2.0
    def bump(self, by):
        self.gain = self.gain * by

def f(u: np.ndarray, s: S):
    v = np.sqrt(u * s.dx + s.n) * np.exp(-u * s.dx) / s.w
    return v.reshape(-1, s.n) + np.arange(s.n) * s.dx

def g(u: np.ndarray, t: T):
    t.bump(3.0)
    return np.sqrt(u) * t.gain + np.exp(u)

s = S(dx=np.float32(0.25), n=4)
t = T(gain=np.array([1.0, 2.0]))
u = np.linspace(0.0, 1.0, 8)
a = f(u, s)
b = g(u[:2], t)
S2 = S
c = f(u, S2(n=2, dx=1))
d = f(u, S(w=np.float64(3.0)))
np.savez(sys.argv[1], a=a, b=b, c=c, d=d)

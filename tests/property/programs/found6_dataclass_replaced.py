import sys
from dataclasses import dataclass, asdict, replace, field
import numpy as np

@dataclass
class P:
    n: int = 20
    h: float = 0.1
    tag: str = "x"

@dataclass
class S:
    u: np.ndarray
    t: float = 0.0
    p: P = field(default_factory=P)

def step(s, p):
    s.u = s.u + p.h * np.sin(s.u) * np.cos(s.u)
    s.t += p.h
    return s

p = P()
p2 = replace(p, n=30)
s = S(np.linspace(0, 1, p2.n))
for _ in range(4):
    s = step(s, p2)
print(p, p2, asdict(p2))
print(f"{s.t:.3f} {s.u.sum():.4f} {p2!r}")
np.savez(sys.argv[1], u=s.u)

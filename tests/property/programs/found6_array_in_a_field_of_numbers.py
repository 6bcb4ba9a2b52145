import sys
from dataclasses import dataclass
import numpy as np

@dataclass
class Case:
    dx: float = 0.5
    drag: "float" = 0.1
    tag: str = ""
    steps: int | None = None

def slope(u: np.ndarray, case: Case):
    return (u[1:] - u[:-1]) / case.dx - case.drag * u[1:] ** 2 + np.sqrt(np.abs(u[1:]))

def main(out):
    u = np.linspace(0, 1, 8)
    a = slope(u, Case())
    b = slope(u, Case(dx=np.linspace(1, 2, 7)))
    c = slope(u, Case(drag=np.float64(0.3)))
    np.savez(out, a=a, b=b, c=c)

main(sys.argv[1])

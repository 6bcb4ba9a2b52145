import sys

import numpy as np

def bump(row, k):
    row += np.cos(row) * k


def main(out):
    m = np.sin(np.ones((4, 5)))
    bump(m[0], 1.0)
    bump(m[:, 2], 2.0)
    bump(m[1:3, ::2], 3.0)
    bump(m.T[4], 4.0)
    rows = [m[2], m[3]]
    for row in rows:
        bump(row, 5.0)
    part = m[::2]
    bump(part, 0.5)
    np.savez(out, m=m, s=np.exp(-part))


main(sys.argv[1])

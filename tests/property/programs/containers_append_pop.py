import sys

import numpy as np

def f(a, n):
    stack = [np.sqrt(a)]
    while len(stack) < n:
        stack.append(np.cos(stack[-1]) + stack[0])
    out = stack.pop()
    while stack:
        out = out + stack.pop(0)
    return out


def g(a):
    q = []
    q.append(np.sin(a))
    q.append(q[0])
    q[1] += 5.0
    q[0] = q[0] * 2
    del q[1]
    return np.array(q)


np.savez(sys.argv[1], f(np.arange(5.0), 4), g(np.arange(3.0)))

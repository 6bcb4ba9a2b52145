import sys
import numpy as np


def sweep(n):
    rows = []
    maxima = []
    for k in range(n):
        x = np.sin(np.linspace(0, k + 1, 64)) * np.exp(-k)
        rows.append(x)
        maxima.append(x.max())
    return rows, maxima


def main(path):
    rows, maxima = sweep(6)
    table = np.array(rows)
    stack = np.stack(rows)
    cat = np.concatenate(rows[1:3])
    tot = sum(rows)
    rows[0][0] = 5.0
    first, *rest = rows
    pair = (table.mean(axis=0), stack.std(axis=1))
    a, b = pair
    empty = []
    for r in empty:
        r += 1
    lst = [r[:3] for r in rows]
    lst[0][1] = -1
    print(len(rows), sorted(float(m) for m in maxima)[:2])
    np.savez(
        path,
        table=table,
        stack=stack,
        cat=cat,
        tot=tot,
        m=np.array(maxima),
        a=a,
        b=b,
        r0=rows[0],
        l=np.vstack(lst),
        n=len(rest),
    )


main(sys.argv[1])

"""Lists taken apart with a star."""
import numpy as np


def haar(x, levels):
    if levels == 0 or len(x) < 2:
        return [x * 1.0]
    s = (x[::2] + x[1::2]) / np.sqrt(2)
    d = (x[::2] - x[1::2]) / np.sqrt(2)
    return haar(s, levels - 1) + [d]


def inverse(parts):
    if len(parts) == 1:
        return parts[0]
    *rest, d = parts
    s = inverse(rest)
    out = np.empty(2 * len(s))
    out[::2] = (s + d) / np.sqrt(2)
    out[1::2] = (s - d) / np.sqrt(2)
    return out


def chain(mats):
    first, *others = mats
    for m in others:
        first = first @ m
    return first


def tops(fields):
    first, second, *rest = fields
    rest.append(first * 2.0)
    rest[0] = rest[0] + second
    total = sum(f.sum() for f in rest)
    return total, len(rest)


def ends(parts):
    head, *middle, tail = parts
    head += 1.0
    middle[0][:] = 0.0
    return head.sum() + tail.sum(), middle


def main():
    x = np.sin(np.linspace(0, 20, 1024))
    parts = haar(x, 5)
    print([float(np.sum(p ** 2)) for p in parts], np.abs(inverse(parts) - x).max() < 1e-12)
    mats = [np.eye(50) * (1 + 0.1 * k) + 0.01 for k in range(6)]
    print(chain(mats).sum())
    fields = [np.cos(x * k) for k in range(5)]
    print(tops(fields), fields[2].sum())
    out, middle = ends(fields)
    print(out, [m.sum() for m in middle], fields[0].sum(), fields[1].sum())
    a, *b = np.linspace(0, 1, 6)
    print(a, b)


main()

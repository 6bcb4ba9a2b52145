"""What a name is where `break`, `continue` or an error leaves a block is what comes after it."""

import contextlib
import json
import sys

import numpy as np


def sent(a):
    return np.array(json.loads(json.dumps(a.tolist())), dtype=float)


def broken_off(x, n):
    a = x + 0.5
    for k in range(n):
        a = np.sin(x) * np.cos(x) + np.exp(x) * k
        if float(a.sum()) > 50.0:
            break
        a = sent(a)
    return np.linalg.norm(a) + np.median(a)


def gone_on(x, n):
    a = x + 0.5
    for k in range(n):
        a = sent(a)
        if k % 2:
            continue
        a = np.sin(a) * np.cos(a) + np.exp(a) * 0.1
    return np.abs(np.fft.fft(a))


def kinds(x, n):
    for k in range(n):
        y = np.sin(x) * np.cos(x) + np.exp(x) * k
        if k > 2:
            break
        y = y.tolist()
    return y


def forever(x, tolerance):
    count = 0
    while True:
        new = np.cos(x) * 0.5 + 0.5
        change = np.abs(new - x).max()
        x = new
        count += 1
        if change < tolerance:
            break
        if count > 50:
            x = sent(x)
            break
    else:
        x = None
    return np.sqrt(x), count


def searched(x, wanted):
    for k in range(3):
        y = np.exp(x * k)
        if y.max() > wanted:
            break
    else:
        y = sent(x)
    return np.sort(y)[::-1]


def kept_back(a, b):
    x = np.zeros_like(b)
    with contextlib.suppress(np.linalg.LinAlgError, IndexError):
        x = np.sqrt(b)
        x = np.linalg.solve(a, x) + b[len(a) + 5 if a[0, 0] > 1.5 else 0]
        x = sent(x)
    return np.exp(x)


class Quiet:
    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        return kind is not None and issubclass(kind, ArithmeticError | ValueError)


@contextlib.contextmanager
def tolerant(log):
    try:
        yield log
    except KeyError as error:
        log.append(str(error))


def quiet(b, name):
    total = np.zeros(3)
    log = []
    with Quiet(), tolerant(log):
        total = np.cumsum(b)
        total = total / {"two": 2.0}[name]
        total = sent(total)
    return total * 2.0, log


def closed(x, fails):
    seen = []
    try:
        y = np.tanh(x)
        if fails:
            raise ValueError("early")
        y = sent(y)
    except ValueError:
        y = y - 1.0
    finally:
        seen.append(np.round(np.sum(np.square(y)), 12))
    return y, seen


x = np.linspace(0.0, 1.0, 20)
a = np.ones((3, 3))
b = np.arange(3.0)
print(*(round(float(v), 10) for v in (broken_off(x, 3), broken_off(x, 6))))
print(type(kinds(x, 2)).__name__, type(kinds(x, 6)).__name__)
print(forever(x, 1e-6)[1], forever(x, 0.0)[1], quiet(b, "two")[1], quiet(b, "three")[1])
print(closed(x, False)[1], closed(x, True)[1])
np.savez(
    sys.argv[1],
    gone_on(x, 4),
    gone_on(x, 5),
    np.asarray(kinds(x, 2)),
    kinds(x, 6),
    forever(x, 1e-6)[0],
    forever(x, 0.0)[0],
    searched(x, 2.0),
    searched(x, 200.0),
    kept_back(a, b),
    kept_back(a + np.eye(3), b),
    kept_back(a * 0.1 + np.eye(3), b),
    quiet(b, "two")[0],
    quiet(b, "three")[0],
    closed(x, False)[0],
    closed(x, True)[0],
)

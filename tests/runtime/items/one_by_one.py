"""Loops that have no meaning for all items at once: they run as they are, and give what they give."""

from __future__ import annotations

import random
from collections import defaultdict
from dataclasses import dataclass

import numpy as np

from items_cases import A, K, L, S, V, Z, case

RNG = np.random.default_rng(5)


@case(V, Z((7, 3)), writes="out")
def what_another_item_stores(v, out):
    for i in range(1, len(v)):
        out[i] = v[i] + out[i - 1]


@case(V, Z((7, 3)), writes="out")
def all_that_is_stored(v, out):
    for i in range(len(v)):
        out[i] = v[i] - out.mean()


@case(V, K, Z((3, 3)), writes="out")
def stored_and_added(v, k, out):
    for i in range(len(v)):
        out[k[i]] = v[i]
        out[k[i - 1]] += v[i]


@case(V, K, Z((3, 3)), writes="out")
def read_and_added(v, k, out):
    for i in range(len(v)):
        out[k[i]] += v[i] * out[0, 0]


@case(V, Z((7, 3)), writes="out")
def ends_early(v, out):
    for i in range(len(v)):
        if v[i, 0] > 0.1:
            break
        out[i] = v[i] * 2


@case(V)
def gives_back_the_first(v):
    for x in v:
        if x[0] < 0:
            return x * 1.0
    return None


@case(V, [], writes="out")
def prints(v, out):
    for x in v:
        print(end="")
        out.append(x @ x)


@case(V, Z((7, 3)), writes="out")
def draws_numbers(v, out):
    for i in range(len(v)):
        out[i] = v[i] + 0 * RNG.normal(size=3)


@case(V, Z((7, 3)), writes="out")
def takes_what_is_random(v, out):
    for i in range(len(v)):
        out[i] = v[i] * (random.random() < 2)


@case(V, {}, writes="found")
def one_key(v, found):
    for x in v:
        found["last"] = x @ x


@case(V, {}, writes="found")
def keys_of_texts(v, found):
    for i in range(len(v)):
        found[f"row {i}"] = v[i] @ v[i]


@case(V, [], writes="out")
def reads_what_grows(v, out):
    for x in v:
        out.append(x.sum() + len(out))


@case(V, 0.0, sums="total")
def reads_what_is_added_up(v, total):
    out = []
    for x in v:
        total += x.sum()
        out.append(total)
    return total, out


@case(V, 0.0, sums="total")
def adds_to_no_sum(v, total):
    for x in v:
        other = total + x.sum()
    return other


@case(V, Z((7, 3)), writes="out")
def singular_matrices(v, out):
    for i in range(len(v)):
        out[i] = np.linalg.inv(np.diag(v[i] * (i != 3))) @ v[i]


@case(S - 1, [], writes="out")
def divides_by_nothing(s, out):
    for x in s:
        y = float(x)
        out.append(1.0 / (y * y + 1) if y > 0 else 1.0 / 0.0)


@case(A, Z((7, 3)), writes="out")
def values_at_masks_of_their_own(a, out):
    for i in range(len(a)):
        m = a[i, 0].copy()
        m[m > 0] = m[m > 0] * 2.0
        out[i] = m


@case(V, writes="v")
def elements_stored_at_masks(v):
    for i in range(len(v)):
        v[v < v[i, 0]] = v[v < v[i, 0]] * 0.5


@case(V, V[:, :2] > 0, [], writes="out")
def masks_of_another_length(v, keep, out):
    for i in range(len(v)):
        out.append(v[i][keep[i]])


@case(A, V, Z((7, 3)), writes="out")
def what_is_what(a, v, out):
    for i in range(len(a)):
        out[i] = a[i] @ v[i] if isinstance(v[i], np.ndarray) else 0.0


@case(V, Z((7, 3)), writes="v, out")
def a_row_under_two_names(v, out):
    for i in range(len(v)):
        row = v[i]
        part = row[1:]
        part[0] = 3.0
        out[i] = row


@case([V[0], V[1], V[2]], writes="rows")
def arrays_of_a_list_that_change(rows):
    for x in rows:
        x[0] = x.sum()


@case(V, [], writes="out")
def sets_of_numbers(v, out):
    for i in range(len(v)):
        out.append(len({i, 0}) * v[i].sum())


@case(V, [], writes="out")
def texts(v, out):
    for x in v:
        out.append(f"{x.sum():.6f}")


@case(V, defaultdict(list), writes="found")
def dicts_of_lists(v, found):
    for i in range(len(v)):
        found[i % 2].append(v[i] * 2)


@dataclass
class Box:
    """Something that a loop changes."""

    total: float = 0.0


@case(V, Box(), writes="box")
def attributes_that_change(v, box):
    for x in v:
        box.total = box.total + float(x.sum())


@case(V, Z((7, 3)), writes="out")
def one_element_twice(v, out):
    for i in range(len(v)):
        d = np.zeros(3)
        d[np.array([0, 0, 1])] = v[i]
        out[i] = d


@case(V, Z((7, 3)), writes="out")
def raises_on_the_way(v, out):
    for i in range(len(v)):
        if i == 4:
            raise ValueError("the fifth")
        out[i] = v[i] * 2


@case(V, Z((7, 3)), Z(3), writes="out")
def names_an_array_outside(v, out, last):
    for i in range(len(v)):
        out[i] = v[i] + last
        last = v[i]


@case(A, Z((3, 3)), Z(7), writes="m, out")
def works_in_what_others_left(a, m, out):
    for i in range(len(a)):
        m[0] = a[i, 0]
        out[i] = m.sum()
        m[1] = a[i, 1]


@case(V, Z(3), [], writes="m, out")
def some_work_in_it(v, m, out):
    for x in v:
        m[0] = x[0]
        if x[1] > 0:
            m[1] = x[1]
        out.append(m[0] * 2)


@case(A, (3, 3), Z(7), writes="out")
def shapes_that_are_compared(a, shape, out):
    for i in range(len(a)):
        if a[i].shape == shape:
            out[i] = np.trace(a[i])


@case(V, Box(1.0), Box(1.0), Z(7), writes="out")
def objects_that_are_compared(v, one, other, out):
    for i in range(len(v)):
        out[i] = v[i].sum() if one == other else 0.0

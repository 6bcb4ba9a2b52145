"""Loops that can run once for all of their items, with what they are called with."""

from __future__ import annotations

import math
from itertools import product

import numpy as np

from items_cases import A, K, L, S, V, Z, case


@case(A, V, Z((7, 3)), writes="out")
def product_with_a_vector(a, v, out):
    for i in range(len(a)):
        out[i] = a[i] @ v[i]


@case(A, V, Z(7), writes="out")
def rows_of_arrays(a, v, out):
    for i, (m, x) in enumerate(zip(a, v)):
        out[i] = x @ m @ x


@case([A[0], np.eye(2) * 3, A[1], np.eye(2)], [], writes="out")
def lists_of_several_shapes(a, out):
    for m in a:
        out.append(np.linalg.inv(m))


@case(A)
def a_comprehension(a):
    return [np.linalg.eigvalsh(m)[-1] * m for m in a]


@case(A)
def numbers_of_a_comprehension(a):
    return [float(np.linalg.norm(m)) for m in a]


@case(list("abcdefg"), A)
def a_dict(names, a):
    return {n: np.linalg.inv(m) for n, m in zip(names, a)}


@case(list("abcdefg"), A, {}, writes="d")
def a_dict_that_grows(names, a, d):
    for n, m in zip(names, a):
        d[n] = m @ m


@case(A, 1.5, 0, sums="total, n")
def a_sum_of_numbers(a, total, n):
    for m in a:
        total += np.linalg.det(m)
        n += 1
    return total, n


@case(A, 0.0, sums="total")
def a_sum_of_floats(a, total):
    for m in a:
        total -= float(np.trace(m))
    return total


@case(A, V, Z((3, 3)), writes="total")
def a_sum_of_arrays(a, v, total):
    for m, x in zip(a, v):
        total += np.outer(x, m @ x)


@case(A, S, Z((7, 3, 3)), writes="out")
def two_ways(a, s, out):
    for i in range(len(a)):
        if s[i] > 1:
            out[i] = np.linalg.inv(a[i])
        else:
            out[i] = a[i] * s[i]


@case(A, S, [], writes="out")
def some_go_on(a, s, out):
    for m, x in zip(a, s):
        if x < 1:
            continue
        out.append(m.sum(axis=0) / x)


@case(A, Z((7, 3, 3)), writes="out")
def a_loop_until(a, out):
    for i in range(len(a)):
        x = np.eye(3) / np.trace(a[i])
        while np.linalg.norm(np.eye(3) - a[i] @ x) > 1e-8:
            x = x @ (2 * np.eye(3) - a[i] @ x)
        out[i] = x


@case(L, Z(12), writes="out")
def windows(x, out):
    for i in range(2, len(x) - 2):
        w = x[i - 2 : i + 3]
        out[i] = w @ w + w[2]


@case(L, Z(12), writes="out")
def windows_that_are_cut_off(x, out):
    for i in range(len(x)):
        w = x[max(0, i - 2) : i + 3]
        out[i] = np.linalg.norm(w)


@case(np.random.default_rng(8).normal(size=(8, 6)), Z((4, 3, 2)), writes="out", axes=2)
def tiles(x, out):
    for i in range(4):
        for j in range(3):
            out[i, j] = np.linalg.svd(x[2 * i : 2 * i + 2, 2 * j : 2 * j + 2], compute_uv=False)


@case(V, Z((7, 7)), writes="out", axes=2)
def triangles(v, out):
    for i in range(len(v)):
        for j in range(i):
            out[i, j] = np.linalg.norm(v[i] - v[j])


@case(A, V, Z((7, 7, 3)), writes="out", axes=2)
def between_two_heads(a, v, out):
    for i in range(len(a)):
        m = a[i]
        for j in range(len(v)):
            out[i, j] = m @ v[j]


@case(A, K, V, Z((7, 3)), writes="out")
def gathered(a, k, v, out):
    for i in range(len(k)):
        out[i] = a[k[i]] @ v[i]


@case(K, A, V, Z((3, 3)), writes="out")
def added_at_places(k, a, v, out):
    for i in range(len(k)):
        out[k[i]] += a[i] @ v[i]


@case(np.array([[0, 1, 2], [2, 3, 4], [4, 5, 0]]), A[:3], Z((6, 6)), writes="out")
def added_on_a_mesh(d, a, out):
    for e in range(len(d)):
        out[np.ix_(d[e], d[e])] += a[e]


@case(A, S, Z((7, 3, 3)), writes="out")
def an_array_of_its_own(a, s, out):
    for i in range(len(a)):
        d = np.eye(3)
        d[2, 2] = s[i]
        d[0] += a[i, 0]
        out[i] = d @ a[i]


@case(A, Z((7, 3, 3)), writes="out")
def stored_twice(a, out):
    for i in range(len(a)):
        out[i] = a[i] @ a[i]
        out[i] /= np.linalg.norm(out[i])
        out[i, 0] = 1.0


@case(A, V, writes="v")
def a_row_that_changes(a, v):
    for i in range(len(a)):
        row = v[i]
        row += a[i] @ row
        row[0] = 2.0


@case(A, Z((7, 2, 2)), writes="out")
def numbers_of_an_array(a, out):
    for i in range(len(a)):
        m = a[i]
        out[i] = np.array([[m[1, 1], -m[0, 1]], [-m[1, 0], m[0, 0]]]) / (
            m[0, 0] * m[1, 1] - m[0, 1] * m[1, 0]
        )


@case(A, Z((7, 3)), writes="out")
def largest_places(a, out):
    for i in range(len(a)):
        w, v = np.linalg.eigh(a[i])
        k = np.argmax(np.abs(w))
        x = v[:, k]
        out[i] = x / x[np.argmax(np.abs(x))]


@case(A, Z((7, 3, 3)), writes="out")
def ordered(a, out):
    for i in range(len(a)):
        w, v = np.linalg.eigh(a[i])
        order = np.argsort(w)[::-1]
        out[i] = np.abs(v[:, order]) * w[order]


def _helper(m, x):
    q, r = np.linalg.qr(m)
    for k in range(2):
        x = q @ x
    return np.abs(x)


@case(A, V, Z((7, 3)), writes="out")
def a_helper_function(a, v, out):
    for i in range(len(a)):
        out[i] = _helper(a[i], x=v[i])


@case(A)
def the_last_one(a):
    for m in a:
        w = np.linalg.eigvalsh(m)
        n = float(w[0])
    return w, n


@case(A, V, V[0], Z((7, 3)), writes="out")
def systems(a, v, b, out):
    for i in range(len(a)):
        x = np.linalg.solve(a[i], v[i])
        y, *_ = np.linalg.lstsq(a[i], b, rcond=None)
        out[i] = x + y + np.linalg.solve(a[i], b)


@case(A, V, A[0], Z((7, 3)), writes="out")
def sums_by_letters(a, v, b, out):
    for i in range(len(a)):
        out[i] = np.einsum("ij,jk,k->i", a[i], b, v[i]) + np.tensordot(a[i], v[i], axes=1)


@case(A, V, Z((7, 3, 3)), writes="out")
def joined(a, v, out):
    for i in range(len(a)):
        out[i] = (
            np.vstack([v[i], np.hstack([v[i][:1], v[i][1:]]), np.concatenate([v[i][2:], v[i][:2]])])
            @ np.column_stack([v[i], v[i], v[i]])
            @ np.stack([v[i]] * 3)
        )


@case(A, [], writes="out")
def floats_of_pythons(a, out):
    for m in a:
        s = float(m[0, 0])
        out.append((math.sqrt(s) + 1 / s, max(0.0, s - 5), int(s) // 2))


@case(V, Z((3, 2)), writes="out")
def a_product_of_ranges(v, out):
    for i, j in product(range(3), range(2)):
        out[i, j] = v[i] @ v[j]


@case(V, Z((7, 3)), writes="out")
def columns(x, out):
    for j in range(x.shape[1]):
        c = x[:, j] - x[:, j].mean()
        out[:, j] = c / np.linalg.norm(c)


@case(A, V, Z((7, 3)), writes="out")
def backwards(a, v, out):
    for i in range(len(a) - 1, -1, -1):
        out[i] = a[i] @ v[len(a) - 1 - i]


@case(A.astype("f"), S, [], writes="out")
def single_precision(a, s, out):
    for i in range(len(a)):
        out.append(a[i] * 2.0 + a[i, 0, 0] * float(s[i]))


@case([{"m": A[k], "v": V[k], "k": float(k)} for k in range(5)], [], writes="out")
def of_objects(bodies, out):
    for b in bodies:
        out.append(b["m"] @ b["v"] * b["k"])


@case(A, Z((7, 3, 3)), writes="out")
def masks_of_its_own(a, out):
    for i in range(len(a)):
        m = a[i].copy()
        m[m < 0] = 0.0
        out[i] = m @ m


@case(V, S, [], writes="out")
def all_but_one_at_a_time(v, s, out):
    for i in range(len(v)):
        keep = np.arange(len(v)) != i
        c, *_ = np.linalg.lstsq(v[keep], s[keep], rcond=None)
        out.append(s[i] - v[i] @ c)


@case(A, V, L, [], writes="out")
def elements_at_masks_of_their_own(a, v, x, out):
    for i in range(len(a)):
        row, m = v[i], a[i]
        out.append(row[row > 0].sum() + (m[m > 1.0] ** 2).sum() + x[x > x[i]].sum())


@case(A, Z((7, 3)), writes="out")
def rows_at_masks_of_their_own(a, out):
    for i in range(len(a)):
        far = a[i].diagonal() > 4.0
        out[i] = a[i][far].sum(axis=0) + a[i][:, far].sum(axis=1)


@case(range(1, 5), L, [], writes="out")
def a_range_that_is_handed_in(lags, x, out):
    for k in lags:
        out.append(np.dot(x[k:], x[:-k]) * len(lags) + (k in lags) + lags[0])


@case(A, S, 5.0, 2.0, sums="gap, most")
def the_least_and_the_greatest(a, s, gap, most):
    for i in range(len(a)):
        w = np.linalg.eigvalsh(a[i])
        if s[i] > 0.7:
            gap = min(gap, w[1] - w[0])
        most = max(most, float(w[2]))
    return gap, most


@case(A, Z(3), sums="top")
def the_largest_of_vectors(a, top):
    for m in a:
        top = np.maximum(top, np.linalg.eigvalsh(m))
    return top


@case(A, V, Z((4, 4)), np.ones(4), Z(7), writes="m, b, out")
def arrays_to_work_in(a, v, m, b, out):
    for i in range(len(a)):
        m[:3, :3] = a[i]
        m[:, 3] = 1.0
        m[0] += 0.5
        m[:3, 1] *= 2
        b[:3] = v[i]
        x = np.linalg.solve(m, b)
        out[i] = x @ b + m[2, 1]


@case(A, S, Z((2, 2)), writes="out")
def added_at_the_same_places(a, s, out):
    for m in a:
        w = np.linalg.eigvalsh(m)
        for k in range(2):
            out[k, 0] += w[k]
            out[k, 1] -= (w * s[k]).sum()


@case(A, Z((7, 2)), writes="out")
def quotients_and_remainders(a, out):
    for i in range(len(a)):
        j, k = divmod(i, 3)
        out[i, 0] = a[j, k, 0] + np.trace(a[i])


@case(V, Z(3), writes="out")
def one_place_for_all(v, out):
    for i in range(len(v)):
        out[0] = v[i].sum()


@case(A[:6, :2, :2], Z((6, 4)), writes="out")
def tiles_by_number(a, out):
    for k in range(len(a)):
        i, j = divmod(k, 2)
        out[2 * i : 2 * i + 2, 2 * j : 2 * j + 2] = a[k].T @ a[k]


@case(S, Z((5, 4)), np.ones((5, 4)), writes="out, less")
def added_where_masks_are_true(s, out, less):
    x = np.arange(20.0).reshape(5, 4)
    for v in s:
        out[(x - 6 * v) ** 2 < 9] += v * 2
        less[x > 10 * v] -= 1.0


@case(A, V, Z((7, 3, 3)), writes="out")
def cross_products_of_rows(a, v, out):
    for i in range(len(a)):
        out[i] = np.cross(a[i], v[i]) + np.cross(v[i], a[i, 0])


@case(A, V)
def functions_that_are_mapped(a, v):
    return [np.sign(x[0]) * d for x, d in zip(v, map(np.linalg.det, a))]


@case([np.linalg.eigh(m) for m in A])
def results_of_functions(found):
    return [(v * w) @ v.T for w, v in found]


@case(A)
def numbers_with_one_bound(a):
    return [np.clip(m, 0.5, None).sum() for m in a]


@case(S, Z((7, 3, 4)), writes="out")
def meshes(s, out):
    for i in range(len(s)):
        y, x = np.mgrid[0:3, 0:4]
        out[i] = y * s[i] + x


@case(S, V)
def complex_numbers(s, v):
    return [complex(x, 2.0) * (x + 1j * r) for x, r in zip(s, v)]


WHOLE = int


def with_a_dtype(v, dtype=float):
    return np.zeros(3, dtype=dtype) + v


@case(V, K, Z((7, 3)), writes="out")
def dtypes_by_types_of_python(v, k, out):
    for i in range(len(v)):
        places = np.zeros(3, dtype=int)
        for j in range(3):
            places[j] = (k[i] + j) % 3
        signs = (v[i] > 0).astype(WHOLE) - np.zeros(3, WHOLE)
        kept = isinstance(2, int) and places.dtype == int and signs.dtype != float
        out[i, places] = with_a_dtype(signs) * float(k[i]) + kept


@case(V, Z((21, 21)), writes="h", axes=2)
def blocks_of_a_matrix(x, h):
    n = len(x)
    for i in range(n):
        for j in range(i + 1, n):
            d = x[j] - x[i]
            r2 = d @ d
            if r2 > 4.0:
                continue
            block = -np.outer(d, d) / r2
            a, b = slice(3 * i, 3 * i + 3), slice(3 * j, 3 * j + 3)
            h[a, b] = block
            h[b, a] = block.T
            h[a, a] -= block
            h[b, b] -= block


@case(A, Z((16, 16)), Z(16), writes="k, f")
def bands_of_elements(a, k, f):
    for e in range(len(a)):
        s = slice(2 * e, 2 * e + 3)
        k[s, s] += a[e]
        f[2 * e : 2 * e + 3] += a[e, 0]


@case(V, np.array([2, 0, 1, 1, 0, 2, 2]), Z((7, 3)), writes="f")
def forces_and_their_counterparts(v, k, f):
    for i in range(len(v)):
        d = v[i] - v[k[i]]
        f[i] += d
        f[k[i]] -= d


@case(V, K, Z((3, 3)), writes="out")
def parts_with_names_that_are_added_to(v, k, out):
    for i in range(len(v)):
        row = out[k[i]]
        row += v[i]


@case(V, K, Z((3, 3)), writes="out")
def shared_places(v, k, out):
    for i in range(len(v)):
        out[k[i]] = v[i]


@case(V, Z((14, 14)), writes="h")
def blocks_that_are_stored_twice(x, h):
    n = len(x)
    for i in range(n):
        for j in range(n):
            block = np.outer(x[i, :2], x[j, 1:])
            h[2 * i : 2 * i + 2, 2 * j : 2 * j + 2] = block
            h[2 * j : 2 * j + 2, 2 * i : 2 * i + 2] = block.T


@case(V, Z((7, 7)), writes="out", axes=2)
def the_same_pair_twice(v, out):
    for i in range(len(v)):
        for j in range(len(v)):
            out[min(i, j), max(i, j)] = v[i] @ v[j] + i


@case(A[:4, :2, :2], Z((4, 4)), writes="out")
def tiles_that_overlap(a, out):
    for k in range(len(a)):
        i, j = divmod(k, 2)
        out[i : i + 2, j : j + 2] = a[k].T @ a[k]


@case(A, V, Z(7), writes="out")
def correlations_with_another(a, v, out):
    for i in range(len(v)):
        out[i] = np.corrcoef(v[i], v[0])[0, 1] + np.cov(a[i], v[i])[3, 1] + np.cov(a[i].T, ddof=0)[0, 1]


@case(A, V, Z(7), writes="out")
def whether_residuals_are_there(a, v, out):
    for i in range(len(a)):
        x, res, *_ = np.linalg.lstsq(a[i], v[i], rcond=None)
        out[i] = x.sum() if len(res) == 0 or res == 0 else 1.0


@case(A, V, [], writes="out")
def residuals(a, v, out):
    for m, x in zip(a, v):
        c, left, _, _ = np.linalg.lstsq(m[:, :2], x, rcond=None)
        _, several, _, _ = np.linalg.lstsq(m[:, :1], m, rcond=None)
        out.append(left[0] + several.sum() + len(left) + c[0])


@case(A, V, Z((7, 3)), [], writes="out, found")
def places_of_each_item(a, v, out, found):
    for i in range(len(a)):
        keep = v[i] > 0
        out[i, keep] = v[i][keep]
        out[i, a[i, 0] < 1] = 5.0
        rows, columns = np.nonzero(a[i] > 1)
        found.append((rows, len(columns), np.where(keep)[0], np.argwhere(a[i] < 1).sum()))
        found.append(np.flatnonzero(a[i] > 2))


@case(A, V, K, [], writes="out")
def views_and_dicts_that_are_kept(a, v, k, out):
    for i in range(len(a)):
        out.append({"part": a[i][0], "at": a[k[i]], "turned": a[i].T, i: v[i], "rows": a[i, 1:]})


@case(A, V)
def what_the_last_item_leaves(a, v):
    for i in range(len(a)):
        last = a[i][:, 0]
    return last


@case(A, Z((7, 9)), [], writes="out, found")
def orders_and_digits(a, out, found):
    for i in range(len(a)):
        out[i] = np.ravel(a[i] * 2, "F") + np.reshape(a[i], 9, order="F")
        found.append(np.reshape(a[i] * 1, (9, 1), order="F").reshape((1, -1), order="F"))
        found.append(round(float(a[i, 0, 1]), 3) + round(a[i, 1, 1], 1) + round(a[i, 2, 1]))
        found.append(np.sort(a[i], axis=0, kind="stable")[np.argsort(-a[i, 0], kind="stable")])


WEIGHTS, PLACES = [0.2, 0.3, 0.5], [2, 0]


@case(A, WEIGHTS, PLACES, [], writes="out")
def lists_that_stand_for_arrays(a, weights, places, out):
    for m in a:
        out.append((m @ np.array(weights))[places] + (m * weights)[0, places])
        out.append(m[np.ix_(places, places)] @ np.array([weights[:2], weights[1:]]))
        out.append(np.average(m[0], weights=weights) + np.clip(m, a_min=0.5, a_max=None))


@case(A, V, [], writes="out")
def spaces_between_ends_of_each_item(a, v, out):
    for m, x in zip(a, v):
        out.append(np.linspace(x[0].astype("f"), m[0, 0].astype("f"), 4))
        out.append(np.linspace(x[0], m[0, 0], 5) + np.linspace(0, x[1], num=5, endpoint=False))

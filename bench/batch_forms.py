"""Every way to write a loop over matrices, with every operation: ``python bench/batch_forms.py``.

A program for each combination of what is looped over, how, what is computed of each item, and what
is kept of it. Each is ported as ``gpuport rewrite`` does it; original and port run on the same
inputs, the port on the emulated CuPy: no items, one, many, of several shapes, with condition
numbers up to 1e12, in single and double precision, real and complex, with a singular item, with
NaN in one item, of every second row and column, of two dtypes. Results are compared by what they
are determined in (values, products, residuals), with a tolerance that grows with the condition,
never vectors element by element. What differs is printed with its program; so is what stays a
loop, with the reason.

``--only WORD`` takes the programs whose name has the word in it; ``--show`` prints ports.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import importlib
import io
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuport import host
from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse
from record import Recorder

# name: (expression of an item `{m}` (and `{b}`), results, what the right side is, helper lines)
OPERATIONS: dict[str, tuple[str, int, str]] = {
    "svd": ("np.linalg.svd({m})", 3, ""),
    "svd_economy": ("np.linalg.svd({m}, full_matrices=False)", 3, ""),
    "svd_values": ("np.linalg.svd({m}, compute_uv=False)", 1, ""),
    "eigh": ("np.linalg.eigh({m})", 2, ""),
    "eigvalsh": ("np.linalg.eigvalsh({m})", 1, ""),
    "eig": ("np.linalg.eig({m})", 2, ""),
    "eigvals": ("np.linalg.eigvals({m})", 1, ""),
    "solve": ("np.linalg.solve({m}, {b})", 1, "vector"),
    "solve_matrix": ("np.linalg.solve({m}, {b})", 1, "matrix"),
    "inv": ("np.linalg.inv({m})", 1, ""),
    "pinv": ("np.linalg.pinv({m})", 1, ""),
    "cholesky": ("np.linalg.cholesky({m})", 1, ""),
    "qr": ("np.linalg.qr({m})", 2, ""),
    "det": ("np.linalg.det({m})", 1, ""),
    "slogdet": ("np.linalg.slogdet({m})", 2, ""),
    "lstsq": ("np.linalg.lstsq({m}, {b}, rcond=None)[0]", 1, "vector"),
    "matrix_rank": ("np.linalg.matrix_rank({m})", 1, ""),
    "norm": ("np.linalg.norm({m})", 1, ""),
    "norm_2": ("np.linalg.norm({m}, 2)", 1, ""),
    "cond": ("np.linalg.cond({m})", 1, ""),
    "matmul": ("np.matmul({m}, {b})", 1, "matrix"),
    "at": ("{m} @ {b}", 1, "matrix"),
    "dot": ("np.dot({m}, {b})", 1, "matrix"),
    "einsum": ("np.einsum('ij,jk->ik', {m}, {b})", 1, "matrix"),
    "expm": ("scipy.linalg.expm({m})", 1, ""),
    "helper": ("whiten({m})", 1, ""),
    "helper_pair": ("halves({m})", 2, ""),
    "helper_kalman": ("update({m}, {b})", 2, "vector"),
}
FIRST = {"svd": 1, "svd_economy": 1, "eigh": 0, "eig": 0, "qr": 1, "slogdet": 1}
"""Which of several results is kept by itself: one that is determined, if only up to signs."""

HELPERS = """\
import numpy as np
import scipy.linalg


def whiten(x):
    c = x @ x.T + np.eye(x.shape[0])
    w, v = np.linalg.eigh(c)
    return (v / np.sqrt(w)) @ v.T @ x


def halves(x):
    s = np.linalg.inv(x @ x.T + np.eye(x.shape[0]))
    return s @ x, np.trace(s)


def update(p, z):
    s = p @ p.T + np.eye(p.shape[0])
    k = np.linalg.solve(s, p).T
    return k @ z, p - k @ p


"""

LISTS = {"list": "list[np.ndarray]", "tuple": "tuple[np.ndarray, ...]", "stack": "np.ndarray"}


@dataclass(frozen=True)
class Program:
    """A function ``f``, how it is called, and what kind of thing it loops over."""

    name: str
    operation: str
    container: str
    text: str
    kept: str


def programs() -> Iterator[Program]:
    """All of them."""
    for operation, (text, results, right) in OPERATIONS.items():
        for container in (*LISTS, "dict", "generator"):
            for head, kept, body in bodies(operation, text, results, right, container):
                name = f"{operation}-{container}-{head}-{kept}"
                source = HELPERS + annotated(container, right) + body
                yield Program(name, operation, container, source, kept)


def annotated(container: str, right: str) -> str:
    """The line of the ``def``."""
    of = LISTS.get(container, "dict[str, np.ndarray]" if container == "dict" else LISTS["list"])
    second = f", bs: {of}" if right else ""
    made = "def parts(ms: list[np.ndarray]):\n    for m in ms:\n        yield m * 2.0\n\n\n"
    before = made if container == "generator" else ""
    return f"{before}def f(ms: {of}{second}):\n"


def bodies(
    operation: str, text: str, results: int, right: str, container: str
) -> Iterator[tuple[str, str, str]]:
    """Heads and what is kept, with the lines of a function."""
    for head, over, m, b in heads(container, right):
        value = text.format(m=m, b=b)
        first = FIRST.get(operation, 0)
        one = value if results == 1 else f"{value}[{first}]"
        size = f"np.abs({one})" if operation in NUMBERS else f"np.abs({one}).sum()"
        yield head, "append", block("out = []", over, f"out.append({value})", "out")
        if results > 1:
            taken = f"{', '.join('xyz'[:results])} = {value}\nout.append({one_of(operation)})"
            yield head, "taken apart", block("out = []", over, taken, "out")
        yield head, "sum", block("total = 0.0", over, f"total += {size}", "total")
        named = f"r = {one}\ntotal = total + np.abs(r){'' if operation in NUMBERS else '.max()'}"
        yield head, "named sum", block("total = 0.0", over, named, "total")
        if head == "items":
            yield head, "dict", block("out = {}", over, f"out[k] = {one}", "out")
            yield head, "dict comprehension", f"    return {{k: {value} for {over}}}\n"
        elif "enumerate" in head or "range" in head:
            yield (
                head,
                "stored",
                block(room(container, operation, m, b), over, f"out[i] = {one}", "out"),
            )
            yield head, "dict comprehension", f"    return {{i: {value} for {over}}}\n"
        yield head, "comprehension", f"    return [{value} for {over}]\n"
        yield head, "array", f"    return np.array([{one} for {over}])\n"
        yield head, "sum of generator", f"    return sum({size} for {over})\n"
        if results > 1:
            yield head, "unzipped", f"    return list(zip(*({value} for {over})))\n"
    function = text.partition("(")[0]
    direct = text in (f"{function}({{m}})", f"{function}({{m}}, {{b}})")
    if direct and container in ("list", "tuple", "stack"):
        both = "ms, bs" if right else "ms"
        yield "map", "list", f"    return list(map({function}, {both}))\n"
        yield (
            "map",
            "loop",
            block("out = []", f"r in map({function}, {both})", "out.append(r)", "out"),
        )
        if right:
            called = f"starmap({function}, zip({both}))"
            yield (
                "starmap",
                "list",
                f"    from itertools import starmap\n    return list({called})\n",
            )


def block(before: str, over: str, body: str, kept: str) -> str:
    """The lines of a loop, with one before it and the return after it."""
    inner = "".join(f"        {line}\n" for line in body.split("\n"))
    outer = "".join(f"    {line}\n" for line in before.split("\n"))
    return f"{outer}    for {over}:\n{inner}    return {kept}\n"


def room(container: str, operation: str, m: str, b: str) -> str:
    """Lines that make what ``out[i] = ...`` is written to."""
    if container != "stack":
        return "out = [None] * len(ms)"
    names = {"m": "ms[0]", "b": "bs[0]", "ms[i]": "ms[0]", "bs[i]": "bs[0]", "": ""}
    text = OPERATIONS[operation][0].format(m=names[m], b=names[b])
    text = text if OPERATIONS[operation][1] == 1 else f"{text}[{FIRST.get(operation, 0)}]"
    return f"x = {text}\nout = np.zeros((len(ms), *np.shape(x)), np.asarray(x).dtype)"


NUMBERS = ("det", "slogdet", "matrix_rank", "norm", "norm_2", "cond")
"""What gives a number for each matrix."""


def one_of(operation: str) -> str:
    """Of the results x, y, z something determined."""
    return {
        "svd": "y", "svd_economy": "(x * y) @ z", "eigh": "(y * x) @ y.conj().T", "eig": "x",
        "qr": "x @ y", "slogdet": "x * y",
    }.get(operation, "x")  # fmt: skip


def heads(container: str, right: str) -> Iterator[tuple[str, str, str, str]]:
    """Names of heads, ``for`` what, and what the item and its right side are called."""
    if container == "dict":
        yield "items", "k, m in ms.items()", "m", "bs[k]"
        yield "keys", "k in ms", "ms[k]", "bs[k]"
        if not right:
            yield "values", "m in ms.values()", "m", ""
        return
    if container == "generator":
        if right:
            yield "zip", "m, b in zip(parts(ms), bs)", "m", "b"
            yield "zip of expression", "m, b in zip((x * 2.0 for x in ms), bs)", "m", "b"
        else:
            yield "function", "m in parts(ms)", "m", ""
            yield "expression", "m in (x * 2.0 for x in ms)", "m", ""
        return
    yield "range", "i in range(len(ms))", "ms[i]", "bs[i]"
    if right:
        yield "zip", "m, b in zip(ms, bs)", "m", "b"
        yield "enumerate of zip", "i, (m, b) in enumerate(zip(ms, bs))", "m", "b"
        yield "enumerate", "i, m in enumerate(ms)", "m", "bs[i]"
    else:
        yield "items alone", "m in ms", "m", ""
        yield "enumerate", "i, m in enumerate(ms)", "m", ""


# ------------------------------------------------------------------ inputs


def conditioned(rng: Any, n: int, condition: float, dtype: str, kind: str) -> np.ndarray:
    """A matrix with this condition: any one, or a positive definite one."""
    a = rng.normal(size=(n, n)) + (1j * rng.normal(size=(n, n)) if dtype in "FD" else 0)
    b = rng.normal(size=(n, n)) + (1j * rng.normal(size=(n, n)) if dtype in "FD" else 0)
    u, v = np.linalg.qr(a)[0], np.linalg.qr(b)[0]
    values = np.geomspace(1, 1 / condition, n) if n > 1 else np.ones(n)
    right = u.conj().T if kind == "definite" else v
    made = (u * values) @ right
    made = (made + made.conj().T) / 2 if kind == "definite" else made
    return np.ascontiguousarray(made).astype(dtype)


DEFINITE = ("cholesky", "eigh", "eigvalsh")


def cases(operation: str, container: str) -> Iterator[tuple[str, list[np.ndarray], float]]:
    """Names, matrices, and the condition that counts."""
    rng = np.random.default_rng(5)
    kind = "definite" if operation in DEFINITE else "any"

    def many(sizes: Any, condition: float = 10.0, dtype: str = "d") -> list[np.ndarray]:
        return [conditioned(rng, n, condition, dtype, kind) for n in sizes]

    yield "none", [], 1.0
    yield "one", many([3]), 10.0
    yield "many", many([4] * 9), 10.0
    for exponent in (0, 3, 6, 9, 12):
        yield f"condition 1e{exponent}", many([5] * 3, 10.0**exponent), 10.0**exponent
    for dtype in "fFD":
        yield f"dtype {dtype}", many([3] * 4, 10.0, dtype), 10.0
    singular = many([3] * 5)
    singular[3] = np.zeros((3, 3))
    yield "singular item", singular, 10.0
    spoilt = many([3] * 5)
    spoilt[2] = spoilt[2].copy()
    spoilt[2][0, 0] = np.nan
    yield "NaN in an item", spoilt, 10.0
    wide = [np.repeat(np.repeat(m, 2, 0), 2, 1) for m in many([3] * 4)]
    yield "every second row", [m[::2, ::2] for m in wide], 10.0
    yield "transposed", [m.T for m in many([3] * 4)], 10.0
    if container != "stack":
        yield "ragged", many([3, 2, 3, 4, 2, 1]), 10.0
        mixed = many([3] * 3) + many([3] * 2, 10.0, "f")
        yield "mixed dtypes", mixed, 10.0
        yield "mixed dtypes, ragged", [*mixed, *many([2], 10.0, "D")], 10.0


def arguments(program: Program, matrices: list[np.ndarray], right: str) -> tuple[Any, ...]:
    """What the function is called with."""
    rng = np.random.default_rng(7)
    sides = [
        rng.normal(size=len(m) if right == "vector" else (len(m), 2)).astype(m.dtype)
        for m in matrices
    ]
    given: list[Any] = [matrices, sides] if right else [matrices]
    if program.container == "tuple":
        return tuple(map(tuple, given))
    if program.container == "dict":
        return tuple({f"k{i}": m for i, m in enumerate(one)} for one in given)
    if program.container == "stack":
        shapes = ((0, 3, 3), (0, 3) if right == "vector" else (0, 3, 2))
        return tuple(
            np.stack(one) if one else np.zeros(shape)
            for one, shape in zip(given, shapes, strict=False)
        )
    return tuple(given)


# -------------------------------------------------------------- comparison


def determined(operation: str, kept: str, result: Any) -> Any:
    """Of one item's result what does not depend on signs, phases and orders."""
    if isinstance(result, tuple) and len(result) == 3:
        u, s, vh = result
        k = s.shape[-1]
        return s, (u[:, :k] * s) @ vh[:k], np.abs(u.conj().T @ u)
    if isinstance(result, tuple) and operation == "eigh":
        w, v = result
        return w, (v * w) @ v.conj().T
    if isinstance(result, tuple) and operation == "eig":
        w, v = result
        place = np.lexsort((w.imag, w.real))
        found = (v[:, place] * w[place]) @ np.linalg.inv(v[:, place]) if np.isfinite(w).all() else w
        return np.sort_complex(w), found
    if isinstance(result, tuple) and operation == "qr":
        q, r = result
        return q @ r, np.abs(r)
    if operation in ("eigvals", "eig") and getattr(result, "ndim", 0) == 1:
        return np.sort_complex(result)
    if operation == "qr" and getattr(result, "ndim", 0) == 2 and kept != "taken apart":
        return np.abs(result)
    return result


def compare(found: Any, expected: Any, tolerance: float, where: str = "") -> None:
    """The same structure, types, dtypes and shapes; values up to a tolerance."""
    if type(expected).__module__.startswith("numpy.linalg"):
        expected, found = tuple(expected), tuple(found)
    if type(found) is not type(expected):
        raise AssertionError(f"{where}: {type(found)} for {type(expected)}: {found!r}")
    if isinstance(expected, dict):
        if list(found) != list(expected):
            raise AssertionError(f"{where}: keys {list(found)}")
        found, expected = list(found.values()), list(expected.values())
    if isinstance(expected, (list, tuple)):
        if len(found) != len(expected):
            raise AssertionError(f"{where}: {len(found)} for {len(expected)} items")
        for k, (one, other) in enumerate(zip(found, expected, strict=True)):
            compare(one, other, tolerance, f"{where}[{k}]")
        return
    one, other = np.asarray(found), np.asarray(expected)
    if (one.dtype, one.shape) != (other.dtype, other.shape):
        raise AssertionError(f"{where}: {one.dtype}{one.shape} for {other.dtype}{other.shape}")
    if not np.array_equal(np.isnan(one), np.isnan(other)):
        raise AssertionError(f"{where}: NaN at other places: {one} for {other}")
    good = np.isfinite(other)
    if not np.array_equal(one[~good & ~np.isnan(other)], other[~good & ~np.isnan(other)]):
        raise AssertionError(f"{where}: infinities differ: {one} for {other}")
    off = np.abs(one - other)[good].max(initial=0) if good.any() else 0.0
    scale = np.abs(other[good]).max(initial=0) if good.any() else 0.0
    if off > tolerance * max(scale, 1e-300):
        raise AssertionError(f"{where}: off by {off / max(scale, 1e-300):.2e} > {tolerance:.2e}")


def settled(program: Program, result: Any) -> Any:
    """A result with each item in a determined form."""
    if isinstance(result, Exception):
        return result
    if program.kept == "unzipped":
        rows = [tuple(row) for row in zip(*result, strict=True)] if result else []
        return [determined(program.operation, program.kept, row) for row in rows]
    if isinstance(result, dict):
        return {
            k: determined(program.operation, program.kept, as_tuple(v)) for k, v in result.items()
        }
    if isinstance(result, list) or (
        isinstance(result, np.ndarray) and program.kept in ("array", "stored") and result.ndim > 1
    ):
        return [determined(program.operation, program.kept, as_tuple(v)) for v in result]
    return result


def as_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, tuple) else value


def outcome(function: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    """What a call gives or raises."""
    with (
        contextlib.redirect_stdout(io.StringIO()),
        np.errstate(all="ignore"),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        try:
            return function(*given)
        except Exception as error:
            return error


def run_cases(program: Program, after: str) -> Iterator[tuple[str, str]]:
    """Inputs on which original and port differ."""
    original: dict[str, Any] = {"__name__": "original"}
    ported: dict[str, Any] = {"__name__": "ported"}
    exec(compile(program.text, "original.py", "exec"), original)
    exec(compile(after, "ported.py", "exec"), ported)
    right = OPERATIONS[program.operation][2]
    for name, matrices, condition in cases(program.operation, program.container):
        expected = outcome(original["f"], arguments(program, matrices, right))
        found = outcome(ported["f"], arguments(program, matrices, right))
        if isinstance(expected, Exception) or isinstance(found, Exception):
            both = isinstance(expected, Exception) and isinstance(found, Exception)
            ragged = both and program.kept == "array"  # TypeError of CuPy's for ValueError
            if type(expected) is not type(found) and not ragged:
                yield name, f"{found!r} for {expected!r}"
            continue
        single = any(m.dtype.char in "fF" for m in matrices)
        tolerance = min(0.5, 300 * (6e-8 if single else 1.1e-16) * max(condition, 10))
        try:
            compare(settled(program, found), settled(program, expected), tolerance)
        except AssertionError as error:
            yield name, str(error)
        except Exception as error:
            yield name, f"not compared: {error!r}"


def main() -> None:
    """Port and run all programs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", default="", help="a word in the names of programs")
    parser.add_argument("--show", action="store_true", help="print ports")
    parser.add_argument("--save", action="store_true", help="write bench/results/batch_forms.json")
    parser.add_argument("--no-run", action="store_true", help="only port")
    options = parser.parse_args()
    record = Recorder("batch_forms", options.save)
    counts: collections.Counter[str] = collections.Counter()
    reasons: dict[str, list[str]] = collections.defaultdict(list)
    host.install(version=14)
    importlib.import_module("cupy")
    for program in programs():
        if options.only not in program.name:
            continue
        counts["programs"] += 1
        report = port_module(parse("program.py", program.text), Config())
        stacked = any(one.name == "f" and one.batched for one in report.functions)
        counts["stacked"] += stacked
        after = report.after or program.text
        if options.show:
            print(f"# {program.name}\n{after[after.index('def f') :]}")
        if not stacked:
            first = HELPERS.count("\n")
            own = [f for f in report.findings if f.span.line > first]
            said = [f"{f.code} {f.message}" for f in own if f.code.startswith("GP30")]
            said = said or [f"{f.code} {f.message}" for f in own] or ["nothing said"]
            reasons[said[0]].append(program.name)
        if options.no_run:
            continue
        for case, what in run_cases(program, after):
            counts["differences"] += 1
            print(f"DIFFERS {program.name} / {case}: {what}", flush=True)
    for said, names in sorted(reasons.items(), key=lambda one: -len(one[1])):
        print(f"{len(names):5} {said}\n      {', '.join(names[:6])}")
    record.emit("combinations", **counts)
    record.close()


if __name__ == "__main__":
    main()

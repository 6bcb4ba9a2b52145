"""Random loop nests as kernels that the coming core hands over, beside the loops themselves.

    python bench/handed_loops.py 2000 [--seed N] [--show]

Each program is a function with loops over arrays. Its kernels are called with arrays of all shapes:
empty ones, ones of other dtypes, ones that share memory, parts of others. What comes of it, errors
included, has to be what comes of the loop. Every difference is printed with the program.
"""

from __future__ import annotations

import argparse
import ast
import importlib
import random
import re
import traceback
import warnings
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import handed
from gpuport import host
from gpuport.runtime import reset_stats, stats

FLOATS = ("float64", "float64", "float32")
WHOLE = ("int64", "int64", "int32", "uint8")


@dataclass
class Maker:
    """Writes one random function."""

    rng: random.Random
    arrays: dict[str, tuple[int, str]] = field(default_factory=dict)
    indices: list[tuple[str, str, int]] = field(default_factory=list)  # name, array, axis
    numbers: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    named: int = 0

    def pick(self, *choices: Any) -> Any:
        return self.rng.choice(choices)

    def program(self) -> str:
        """The text of a module with a function ``f`` and a likely call of it."""
        rng = self.rng
        floating, whole = rng.choice(FLOATS), rng.choice(WHOLE)
        rank = rng.choice((1, 1, 2))
        for name in "ab"[: rng.randint(1, 2)]:
            self.arrays[name] = rank, floating
        self.arrays["out"] = rank, rng.choice((floating, floating, whole))
        if rng.random() < 0.5:
            self.arrays["at"] = 1, rng.choice(("int64", "int32"))
        if rng.random() < 0.3:
            self.arrays["k"] = 1, whole
        self.numbers = [name for name in ("n", "h", "m") if rng.random() < 0.5]
        body = self.body(rank)
        parameters = [*self.arrays, *self.numbers]
        made = {"n": "int('3')", "h": "float('0.5')", "m": "int('2')"}
        shape = "N" if rank == 1 else "N, N"
        given = [
            f"np.zeros({'N' if r == 1 else f'({shape})'}, '{d}')" for r, d in self.arrays.values()
        ]
        given += [made[name] for name in self.numbers]
        text = "\n".join(f"    {line}" for line in body)
        head = "import numpy as np\nimport math\nN = int('9')\n"
        return (
            f"{head}def f({', '.join(parameters)}):\n{text}\nif N < 0:\n    f({', '.join(given)})\n"
        )

    def in_class(self, head: str, parameters: list[str], body: list[str]) -> tuple[str, list[str]]:
        """The same as a method of a class that holds the arguments."""
        words = re.compile(rf"(?<![\w.])({'|'.join(parameters)})\b")
        lines = [f"        {words.sub(lambda found: f'self.{found[1]}', line)}" for line in body]
        fields = [f"        self.{name} = {name}" for name in parameters]
        listed = ", ".join(parameters)
        made = ["class Held:", f"    def __init__(self, {listed}):", *fields]
        made += ["    def run(self):", *lines]
        return head + "\n".join(made) + "\n", [f"return Held({listed}).run()"]

    def body(self, rank: int) -> list[str]:
        kind = self.pick("store", "store", "store", "total", "total", "extreme", "search", "last")
        lines = {"total": ["s = " + self.pick("0.0", "0", "1.5")], "extreme": [], "search": []}
        first = lines.get(kind, [])
        over = self.pick(*(name for name, (r, _) in self.arrays.items() if r == rank))
        loops, inner = [], "    "
        for axis in range(rank):
            name = "ij"[axis]
            loops.append("    " * axis + f"for {name} in {self.range_of(over, axis)}:")
            self.indices.append((name, over, axis))
            inner = "    " * (axis + 1)
        statements, rest = getattr(self, f"_{kind}")()
        return [*first, *self.lines, *loops, *(inner + line for line in statements), *rest]

    def range_of(self, array: str, axis: int) -> str:
        size = (
            f"len({array})" if axis == 0 and self.rng.random() < 0.5 else f"{array}.shape[{axis}]"
        )
        ways = [size, size, f"1, {size} - 1", f"{size} - 1", f"0, {size}, 2", f"{size} - 1, -1, -1"]
        ways += ["n"] if "n" in self.numbers else []
        ways += [f"m, {size}"] if "m" in self.numbers else []
        return f"range({self.rng.choice(ways)})"

    # -- expressions

    def index(self) -> str:
        """A whole number to index by."""
        name = self.pick(*(name for name, _, _ in self.indices))
        roll = self.rng.random()
        if roll < 0.55:
            return name
        if roll < 0.75:
            return f"{name} {self.pick('+', '-')} {self.pick('1', '1', '2')}"
        if roll < 0.8:
            return f"2 * {name}"
        if roll < 0.85 and "m" in self.numbers:
            return f"{name} + m"
        if roll < 0.9:
            return self.pick(f"{name} // 2", f"{name} % 3", "0", "-1", f"-{name}")
        if roll < 0.94:
            return self.pick(f"max({name} - 1, 0)", f"min({name} + 1, 3)")
        if roll < 0.97 and "at" in self.arrays:
            return self.pick(f"at[{name}]", f"at[{name}] + 1")
        line = [n for n, (rank, dtype) in self.arrays.items() if rank == 1 and dtype[0] == "f"]
        if line:
            load = f"{self.pick(*line)}[{name}]"
            return self.pick(f"int({load})", f"int({load} * 2.0)", f"int({load} / 0.5 - 1)")
        return name

    def load(self, name: str | None = None) -> str:
        name = name or self.pick(*(n for n in self.arrays if n != "at"))
        rank = self.arrays[name][0]
        own = [i for i, _, _ in self.indices][:rank]
        if self.rng.random() < 0.5 and len(own) == rank:
            return f"{name}[{', '.join(own)}]"
        return f"{name}[{', '.join(self.index() for _ in range(rank))}]"

    def value(self, depth: int = 2) -> str:
        roll = self.rng.random()
        if depth == 0 or roll < 0.3:
            return self.load()
        if roll < 0.4:
            return self.pick("0.5", "2", "1.25", "3", "K", "L", *self.numbers)
        if roll < 0.45:
            return self.pick(*(name for name, _, _ in self.indices))
        if roll < 0.8:
            symbol = self.pick("+", "-", "*", "+", "-", "*", "/", "//", "%")
            right = self.value(depth - 1)
            if symbol in ("/", "//", "%"):
                numbers = [f"({n} - 1)" for n in self.numbers] + self.numbers
                right = self.pick("2", "0.75", "3", *numbers)
            return f"({self.value(depth - 1)} {symbol} {right})"
        if roll < 0.9:
            inner = self.value(depth - 1)
            return self.pick(
                f"np.sqrt({inner})", f"abs({inner})", f"-{inner}", f"np.exp(-{inner})",
                f"max({inner}, {self.value(0)})", f"np.minimum({inner}, 0.25)", f"{inner} ** 2",
                f"np.floor({inner})", f"float({inner})", f"g({inner})", f"g({self.load()})",
            )  # fmt: skip
        return f"({self.value(0)} if {self.test()} else {self.value(depth - 1)})"

    def test(self) -> str:
        name = self.pick(*(name for name, _, _ in self.indices))
        if self.rng.random() < 0.3:
            size = f"len({self.pick(*self.arrays)})"
            edge = self.pick(f"{name} < {size} - 1", f"{name} + 1 < {size}", f"{name} != 0")
            low = self.pick(f"{name} > 0", f"{name} >= 1", f"0 < {name}", f"{name} != {size} - 1")
            both = self.pick("and", "and", "or")
            return self.pick(edge, low, f"{edge} {both} {low}", f"not ({edge} {both} {low})")
        return self.pick(
            f"{self.load()} {self.pick('<', '>', '<=', '!=')} {self.pick('0.5', '1', self.load())}",
            f"{name} > {self.pick('0', '1', '2')}",
            f"{name} % 2 == 0",
        )

    def temporary(self) -> list[str]:
        """Statements that give a name to a value, and let it be used."""
        self.named += 1
        name = f"t{self.named}"
        roll = self.rng.random()
        if roll < 0.5:
            return [f"{name} = {self.value()}"]
        if roll < 0.75:
            one, other = self.value(1), self.value(1)
            return [f"if {self.test()}:", f"    {name} = {one}", "else:", f"    {name} = {other}"]
        top = self.pick("3", "2", *(["n"] if "n" in self.numbers else []))
        self.indices.append(("q", "", 0))
        term = self.value(1)
        self.indices.pop()
        return [f"{name} = 0.0", f"for q in range({top}):", f"    {name} += {term}"]

    # -- what loops do

    def _store(self) -> tuple[list[str], list[str]]:
        lines: list[str] = []
        value = self.value()
        if self.rng.random() < 0.4:
            lines += self.temporary()
            value = f"t{self.named} {self.pick('+', '*')} {self.value(1)}"
        symbol = self.pick("=", "=", "=", "+=", "-=")
        target = self.load("out") if self.rng.random() < 0.8 else self.load()
        store = f"{target} {symbol} {value}"
        if self.rng.random() < 0.3:
            return [*lines, f"if {self.test()}:", f"    {store}"], ["return None"]
        return [*lines, store], ["return None"]

    def _total(self) -> tuple[list[str], list[str]]:
        update = self.pick("s += {}", "s += {}", "s -= {}", "s = s * {}", "s = max(s, {})")
        line = update.format(self.pick(self.value(), "1", self.value(1)))
        if self.rng.random() < 0.4:
            return [f"if {self.test()}:", f"    {line}"], ["return s"]
        return [line], ["return s"]

    def _extreme(self) -> tuple[list[str], list[str]]:
        key, names = self.load(), ", ".join(name for name, _, _ in self.indices)
        places = ", ".join(f"{name}0" for name in names.split(", "))
        symbol = self.pick(">", "<", ">=", "<=")
        begin = self.pick("-1.0", "0", "0.5", "-math.inf")
        self.lines.append(f"m0 = {begin}")
        self.lines.append(f"{places} = {', '.join('-1' for _ in places.split(', '))}")
        lines = [f"if {key} {symbol} m0:", f"    m0 = {key}"]
        lines += [f"    {name}0 = {name}" for name in names.split(", ")]
        return lines, [f"return m0, {places}"]

    def _search(self) -> tuple[list[str], list[str]]:
        name = self.indices[-1][0]
        self.lines.append("found = -1")
        more = [f"    v = {self.load()}"] if self.rng.random() < 0.3 else []
        if more:
            self.lines.append("v = 0.0")
        lines = [f"if {self.test()}:", f"    found = {name}", *more, "    break"]
        return lines, ["return found, v" if more else "return found"]

    def _last(self) -> tuple[list[str], list[str]]:
        self.lines.append("v = -1.0")
        line = f"v = {self.value(1)}"
        if self.rng.random() < 0.5:
            return [f"if {self.test()}:", f"    {line}"], ["return v"]
        return [line], ["return v"]


def array(rng: np.random.Generator, rank: int, dtype: str, size: int) -> np.ndarray:
    """A random array, with NaN and places among its values."""
    shape = tuple(
        max(size + int(rng.integers(-1, 2)) * (rng.random() < 0.2), 0) for _ in range(rank)
    )
    if dtype.startswith("float"):
        made = (rng.random(shape) * 4 - 1).astype(dtype)
        if made.size and rng.random() < 0.2:
            made.flat[int(rng.integers(made.size))] = rng.choice([np.nan, np.inf, -0.0, 0.5])
        return made
    low = 0 if dtype.startswith("u") or rng.random() < 0.5 else -size
    return rng.integers(low, max(size, 1), shape).astype(dtype)


def laid(rng: np.random.Generator, made: np.ndarray) -> np.ndarray:
    """The same, or an array that lies in memory in another way."""
    roll = rng.random()
    if roll < 0.6 or not made.size:
        return made
    if roll < 0.7:
        return np.asfortranarray(made)
    if roll < 0.8:
        return made[::-1]
    if roll < 0.9:
        wide = np.repeat(made, 2, axis=0)
        return wide[::2]
    if roll < 0.95:
        return np.lib.stride_tricks.as_strided(made, made.shape, (0, *made.strides[1:]))
    return np.broadcast_to(made[:1], made.shape).copy()


def arguments(rng: np.random.Generator, maker: Maker) -> list[Any]:
    """Arguments of a function: likely ones, and all others."""
    size = int(rng.choice([0, 1, 2, 3, 5, 9]))
    others = ("float32", "float64", "int64", "int32", "uint8")
    given: list[Any] = []
    for rank, dtype in maker.arrays.values():
        kind = str(rng.choice(others)) if rng.random() < 0.1 else dtype
        made = laid(rng, array(rng, rank, kind, size))
        same = [one for one in given if one.ndim == rank]
        if same and rng.random() < 0.15:
            one = same[int(rng.integers(len(same)))]
            made = one if rng.random() < 0.5 else one[1:] if rng.random() < 0.5 else one[::-1]
        given.append(made)
    for name in maker.numbers:
        plain: list[Any] = [int(rng.integers(-2, 12))] if name != "h" else [0.5, 0.1, -1.5, 2]
        strange = [np.int64(3), np.float64(0.3), 2.0, True, np.float32(0.1)]
        choices = strange if rng.random() < 0.15 else plain
        given.append(choices[int(rng.integers(len(choices)))])
    return given


def copied(args: list[Any]) -> list[Any]:
    """Copies that share memory as the arguments do."""
    roots: dict[int, np.ndarray] = {}
    found: list[Any] = []
    for one in args:
        if isinstance(one, np.ndarray):
            root = handed.root_of(one)
            twin = roots.setdefault(id(root), handed.flat(root).copy())
            rest = twin[handed.place_in(root, one) :]
            one = np.lib.stride_tricks.as_strided(rest, one.shape, one.strides)
        found.append(one)
    return found


def outcome(function: Any, args: list[Any]) -> Any:
    """What a call gives, or the error that it raises."""
    try:
        with np.errstate(all="ignore"):
            return function(*args)
    except Exception as error:
        return type(error).__name__, str(error)[:60]


def differs(one: Any, other: Any) -> str:
    """How two outcomes differ; nothing where they are alike."""
    if isinstance(one, tuple) or isinstance(other, tuple):
        if type(one) is not type(other) or len(one) != len(other):
            return f"{one!r} and {other!r}"
        return next((d for a, b in zip(one, other, strict=True) if (d := differs(a, b))), "")
    if type(one) in (str, type(None)) or type(other) in (str, type(None)):
        return "" if one == other else f"{one!r} and {other!r}"
    a, b = np.asarray(one), np.asarray(other)
    if a.dtype != b.dtype or a.shape != b.shape:
        return f"{one!r} and {other!r}"
    if isinstance(one, np.generic) and not isinstance(other, np.generic) and a.dtype.kind in "iu":
        return f"{one!r} and {other!r} are of other types"
    close = 1e-4 if a.dtype.itemsize == 4 else 1e-9
    if a.dtype.kind == "f":
        same = np.allclose(a, b, rtol=close, atol=close, equal_nan=True)
    else:
        same = np.array_equal(a, b)
    return "" if same else f"{one!r} and {other!r}"


def tried(seed: int, cupy: Any, calls: int, counts: Counter[str], *, show: bool = False) -> str:
    """Make and run one program; what differs, or nothing."""
    maker = Maker(random.Random(seed))
    text = maker.program()
    counts["programs"] += 1
    made = handed.records(text)
    counts["loops"] += len(made.records)
    counts.update(f"left: {handed.general(reason)}" for _, reason in made.left)
    if not made.records:
        return ""
    program, kernels = handed.built(ast.parse(text), made.records)
    if show:
        print(kernels, program, sep="\n\n")
    launcher = handed.Launcher(cupy)
    space: dict[str, Any] = {"__name__": "handed_program", "_launch": launcher}
    plain: dict[str, Any] = {"__name__": "plain_program"}
    exec(compile(text, "plain", "exec"), plain)
    try:
        exec(compile(kernels, "kernels", "exec"), space)
        exec(compile(program, "program", "exec"), space)
    except Exception:
        return f"seed {seed}\n{text}\n{kernels}\n{traceback.format_exc(limit=-3)}"
    rng = np.random.default_rng(seed)
    for _ in range(calls):
        args = arguments(rng, maker)
        mine, theirs = copied(args), copied(args)
        reset_stats()
        expected, found = outcome(plain["f"], mine), outcome(space["f"], theirs)
        launched = any(one.device for one in stats().values())
        counts["launched" if launched else "not launched"] += 1
        told = differs(expected, found)
        for left, right in zip(mine, theirs, strict=True):
            told = told or (isinstance(left, np.ndarray) and differs(left, right)) or ""
        if told:
            return f"seed {seed}\n{text}\n{kernels}\ncalled with {args}\n{told}"
    return ""


def main() -> None:
    """Try programs, and say what differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("programs", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--calls", type=int, default=12)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    host.install(version=14)
    cupy = importlib.import_module("cupy")
    counts: Counter[str] = Counter()
    wrong = 0
    for seed in range(given.seed, given.seed + given.programs):
        told = tried(seed, cupy, given.calls, counts, show=given.show)
        if told:
            wrong += 1
            print(told, "\n", "-" * 60, flush=True)
    for what, count in counts.most_common():
        print(f"{count:6} {what}")
    print(f"{wrong} of {given.programs} programs differ")


if __name__ == "__main__":
    main()

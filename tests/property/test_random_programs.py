"""Random small array programs: whatever is ported gives what the original gave."""

from __future__ import annotations

import os
import random

import pytest

PROGRAMS = int(os.environ.get("GPUPORT_PROPERTY_PROGRAMS", "200"))
FIRST = int(os.environ.get("GPUPORT_PROPERTY_SEED", "0"))
BATCH = 20

VECTORS = ["v0", "v1", "v2", "v3"]
NUMBERS = ["s0", "s1"]
UNARY = [
    "np.sin",
    "np.cos",
    "np.abs",
    "np.sqrt(np.abs",
    "np.tanh",
    "np.cumsum",
    "np.sort",
    "np.flip",
]
REDUCE = ["{}.sum()", "{}.max()", "np.mean({})", "np.min({})", "{}[0]", "{}[-1]", "np.argmax({})",
          "{}.std()", "np.median({})", "float({}.sum())", "np.linalg.norm({})", "len({})",
          "{}.size", "max({}[0], {}[1])", "np.count_nonzero({} > 0.5)"]  # fmt: skip
VIEWS = ["{}[1:]", "{}[:-1]", "{}[::2]", "{}[::-1]", "{}[1:4]", "{}[:]", "{}.ravel()",
         "{}.reshape(2, 3)[0]", "{}.T", "np.asarray({})", "{}.copy()", "{}.reshape(-1)",
         "{}[[0, 2, 3]]", "{}[{} > 0.3]", "np.atleast_1d({})", "np.squeeze({})"]  # fmt: skip


class Writer:
    """Writes one program; vectors have six elements, ``w`` names have an unknown number."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.fresh = 0
        self.helpers: list[str] = []
        """Functions that exist where the statement being written stands."""

    def one(self, items):
        return self.random.choice(items)

    def name(self, prefix):
        self.fresh += 1
        return f"{prefix}{self.fresh}"

    def vector(self, depth=2):
        """An expression that gives six elements."""
        choice = self.random.randrange(9 if depth else 2)
        if choice < 2:
            return self.one(VECTORS)
        if choice == 2:
            function = self.one(UNARY)
            return f"{function}({self.vector(depth - 1)})" + (")" if "(" in function else "")
        if choice == 3:
            return f"({self.vector(depth - 1)} {self.one('+-*')} {self.vector(depth - 1)})"
        if choice == 4:
            return f"({self.vector(depth - 1)} {self.one('+-*')} {self.number(depth - 1)})"
        if choice == 5:
            return f"np.where({self.one(VECTORS)} > {self.number(0)}, {self.vector(0)}, 0.5)"
        if choice == 6:
            return f"np.roll({self.vector(depth - 1)}, {self.random.randrange(3)})"
        if choice == 7:
            return f"np.clip({self.vector(depth - 1)}, -2.0, 2.0)"
        return self.one(["np.zeros(6)", "np.ones_like({})", "np.zeros_like({})", "np.full(6, {s})",
                         "np.linspace(0.0, 1.0, 6)", "np.arange(6)", "{}.astype(np.float32)"]
                        ).format(self.one(VECTORS), s=self.number(0))  # fmt: skip

    def number(self, depth=1):
        choice = self.random.randrange(6 if depth else 3)
        if choice == 0:
            return self.one(["0.5", "2", "1.5", "-1", "0.25"])
        if choice < 3:
            return self.one(NUMBERS)
        if choice < 5:
            name = self.one(VECTORS)
            return self.one(REDUCE).replace("{}", name)
        return f"({self.number(depth - 1)} {self.one('+-*')} {self.number(depth - 1)})"

    def condition(self):
        return self.one([
            f"{self.number()} > {self.number(0)}",
            f"np.any({self.one(VECTORS)} > 1.0)",
            f"0 < {self.number(0)} < 3",
            f"{self.number(0)} > 0 and {self.number(0)} < 2",
            f"not ({self.one(VECTORS)} < 0).any()",
            "flag",
            "flag is None",
        ])  # fmt: skip

    def block(self, depth, count):
        lines = []
        for _ in range(count):
            lines += self.statement(depth)
        return ["    " + line for line in lines] or ["    pass"]

    def statement(self, depth):
        v, w, s = self.one(VECTORS), self.one(VECTORS), self.one(NUMBERS)
        kind = self.random.randrange(24 if depth else 18)
        if kind == 0:
            return [f"{v} = {self.vector()}"]
        if kind == 1:
            return [f"{v} = {w}"]
        if kind == 2:
            return [f"{v} {self.one(['+=', '-=', '*='])} {self.vector(1)}"]
        if kind == 3:
            return [f"{v} {self.one(['+=', '*='])} {self.number()}"]
        if kind == 4:
            return [f"{s} = {self.number()}"]
        if kind == 5:
            return [f"{s} {self.one(['+=', '-=', '*='])} {self.number()}"]
        if kind == 6:
            place = self.one(["[0]", "[-1]", "[1:3]", "[::2]", "[:]", "[[0, 2]]", f"[{v} > 0.4]"])
            return [f"{v}{place} {self.one(['=', '+=', '*='])} {self.number()}"]
        if kind == 7:
            return [f"{v}[{self.one(['1:', ':-1'])}] = {w}[{self.one(['1:', ':-1'])}]"]
        if kind == 8:
            part = self.name("p")
            use = self.one([f"{part} += {self.number()}", f"{part} *= 0.5", f"{part}[0] = 3.0",
                            f"{s} = {part}.sum()", f"{w} = {w} + {part}.mean()"])  # fmt: skip
            return [f"{part} = " + self.one(VIEWS).replace("{}", v), use]
        if kind == 9:
            return [f"{v}, {w} = {self.one([f'{w}, {v}', f'{self.vector(1)}, {self.vector(1)}'])}"]
        if kind == 10:
            return [f"kept.append({self.one([v, s, f'{v}[1]', f'{v}[1:]', self.vector(1)])})"]
        if kind == 11:
            return [f"named[{self.one(['1', repr('k'), '2'])}] = {self.one([v, s, f'{v}[0]'])}"]
        if kind == 12 and self.helpers:
            argument = self.one([s, "2.0", w, f"{w}[0]"])
            return [f"{v} = {self.one(self.helpers)}({w}, {argument})"]
        if kind in (12, 13):
            return [f"{self.one(['inplace', 'both'])}({v}, {w})"]
        if kind == 14:
            return [f"print(f'{{{s}:.4f}} {{{v}[0]:.3f}}')"]
        if kind == 15:
            return [f"{s} = {v}[{self.random.randrange(6)}]"]
        if kind == 16:
            return [f"np.{self.one(['add', 'multiply', 'maximum'])}({v}, {w}, out={v})"]
        if kind == 17:
            swapped = f"{v}[0], {v}[1] = {v}[1], {v}[0]"
            others = [f"np.copyto({v}, {w})", f"kept.append(total({v}, {w}))", swapped]
            fills = [f"{v}.sort()", f"{v}.fill({self.number(0)})", f"{v} = sum([{v}, {w}])"]
            return [self.one([*fills, *others])]
        if kind < 20:
            return [f"for k in range({self.random.randrange(4)}):",
                    *self.block(depth - 1, self.random.randrange(1, 3))]  # fmt: skip
        if kind == 20:
            return [f"for item in {self.one([v, f'[{v}, {w}]'])}:",
                    f"    {s} = {s} + np.sum(item)"]  # fmt: skip
        lines = [f"if {self.condition()}:", *self.block(depth - 1, self.random.randrange(1, 3))]
        if self.random.random() < 0.5:
            lines += ["else:", *self.block(depth - 1, 1)]
        return lines

    def program(self):
        names = ["kept = []", "named = {}", "flag = None"]
        numbers = [
            f"s0 = {self.one(['0', '0.0', '1'])}",
            f"s1 = {self.one(['2', 'v0.sum()', 'v0[2]'])}",
        ]
        others = ["v2 = " + self.one(["np.cos(v0)", "v0", "np.zeros(6)"]),
                  "v3 = " + self.one(["v1 * 2.0", "v1", "np.sqrt(np.abs(v0))"])]  # fmt: skip
        result = self.one(["return v0", "return v1 * 1.0", "return v0 + v1", "return v2"])
        lines = ["import sys", "", "import numpy as np", "", ""]
        lines += ["def total(v, w):", "    return np.sum(v * w)", "", ""]
        lines += ["def inplace(v, w):", "    v += np.sin(w) * 0.5", "    v[0] = w[1]", "", ""]
        lines += ["def both(v, w):", "    v *= 0.5", "    w[:] = w + v.sum()",
                  "    return v", "", ""]  # fmt: skip
        for name in ("first", "second"):
            head = f"def {name}(v0, v1):"
            body = self.random.randrange(1, 5)
            setup = ["v1 = v1 + np.zeros(6)"] if self.random.random() < 0.8 else []
            lines += [head, *("    " + s for s in (*setup, *names, *others, *numbers))]
            lines += self.block(1, body)
            lines += ["    " + result.replace("v1 * 1.0", "v1 + np.zeros(6)"), "", ""]
        self.helpers = ["first", "second"]
        lines += ["def main(v0, v1):"]
        lines += ["    " + s for s in (*names, *others, *numbers)]
        lines += self.block(2, self.random.randrange(3, 9))
        lines += ["    return v0, v1, v2, v3, s0, s1, kept, named", "", ""]
        start = self.one(["np.linspace(0.0, 1.0, 6)", "np.arange(6.0)", "np.sin(np.arange(6.0))"])
        lines += [f"x = {start}", "y = np.cos(x) * 1.5",
                  "v0, v1, v2, v3, s0, s1, kept, named = main(x, y)",
                  "out = {f'kept{k}': np.asarray(p) for k, p in enumerate(kept)}",
                  "out.update({f'named{k}': np.asarray(p) for k, p in named.items()})",
                  "np.savez(sys.argv[1], x=x, y=y, v0=v0, v1=v1, v2=v2, v3=v3, s0=s0, s1=s1, "
                  "**out)"]  # fmt: skip
        return "\n".join(lines) + "\n"


def tame(original):
    """Neither an error nor values so large that rounding decides."""
    return original.error is None and original.arrays is not None


@pytest.mark.sampled(10)
@pytest.mark.parametrize("batch", range(max(1, PROGRAMS // BATCH)))
def test_random_programs(batch, examine):
    changed = valid = 0
    for seed in range(FIRST + batch * BATCH, FIRST + (batch + 1) * BATCH):
        source = Writer(seed).program()
        found = examine(source, f"seed{seed}.py")
        if not tame(found.original):
            continue
        valid += 1
        changed += found.after != source
        assert found.faults == (), f"seed {seed}: {found.faults}\n{found.after}"
    assert valid > BATCH // 5
    assert changed > 0


def in_two_files(source, helpers):
    """The functions of a random program in a module of their own."""
    head, main = source.split("def main(", 1)
    functions = head.split("import numpy as np\n", 1)[1]
    return {
        f"{helpers}.py": "import numpy as np\n" + functions,
        "program.py": "import sys\n\nimport numpy as np\n\n"
        f"from {helpers} import both, first, inplace, second, total\n\n\ndef main({main}",
    }


@pytest.mark.sampled(10)
@pytest.mark.parametrize("alone", [False, True], ids=["both files", "one file"])
@pytest.mark.parametrize("batch", range(max(1, PROGRAMS // BATCH // 4)))
def test_random_projects(batch, alone, examine_files):
    """The same whether the functions are ported along or stay in NumPy."""
    changed = valid = 0
    for seed in range(FIRST + batch * BATCH, FIRST + (batch + 1) * BATCH):
        texts = in_two_files(Writer(seed).program(), f"functions{seed}")
        found = examine_files(texts, f"seed{seed}", *(["program.py"] if alone else []))
        if not tame(found.original):
            continue
        valid += 1
        changed += found.after != "\n".join(texts.values())
        assert found.faults == (), f"seed {seed}: {found.faults}\n{found.after}"
    assert valid > BATCH // 5
    assert changed > 0

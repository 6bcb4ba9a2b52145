"""Random modules with loops: original against port, the whole pipeline on the host backend.

Each module has a function ``program`` with one to three deep nests over arrays of all dtypes,
small functions that it calls, and constants. It is ported as ``gpuport rewrite`` does it, and both
run on the same inputs: sizes that do not fit, negative and repeated indices, aliased arguments,
other dtypes than the annotations say. The port's kernels run over their indices forward, reversed
and scrambled. Results, their types, every array afterwards and the class of any exception have to
be equal.
"""

from __future__ import annotations

import copy
import enum
import random
import types
import warnings
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from gpuport.config import Config
from gpuport.host.counters import KERNELS
from gpuport.host.kernels.errors import RaceError, UndefinedError
from gpuport.passes.port import port_module
from gpuport.source.reading import parse
from loop_products import ARGUMENTS, arguments
from loop_programs import Writer
from loop_shapes import BODIES, RECORDS, shaped

FLOATS = ("float64", "float64", "float64", "float32")
DTYPES = (*FLOATS, "int64", "int64", "int32", "int16", "uint8", "int8", "uint32", "uint64", "bool",
          "float64", "complex128", "complex64", "uint16")  # fmt: skip
ANNOUNCED: dict[str, tuple[type[Exception], ...]] = {
    "GP501": (IndexError,),  # of a gather outside kernels
    "GP506": (OverflowError, ValueError),  # of a floating number stored as an integer
    "GP518": (ArithmeticError, ValueError),  # of an operation in a kernel
    "GP520": (TypeError, ValueError),  # of an array with axes that is stored as an element
    "GP522": (OverflowError,),  # of a whole number that does not fit
}
"""Errors of NumPy of which a finding says that the port does not raise them."""
RAISED: dict[str, tuple[type[Exception], ...]] = {
    "GP520": (ValueError,),  # of a median of no elements, where NumPy warns and goes on
}
"""Errors of which a finding says that the port raises them and NumPy does not."""
HELPERS = {
    "clip": "def clip(v, low):\n    if v < low:\n        return low\n    return v\n",
    "mixed": "def mixed(v, w):\n    t = v - w\n    return t * {weak} if t > 0 else w\n",
    "square": "def square(v):\n    return v * v\n",
    "scaled": "def scaled(v):\n    return v * SCALE + LIMIT\n",
    "powered": (
        "def powered(v):\n    r = v\n    for _ in range(3):\n        r = r * {weak} + v\n"
        "    return r\n"
    ),
}


@dataclass
class ModuleWriter(Writer):
    """Writes one module.

    Attributes
    ----------
    dtypes : dict
        What the annotations say of the arrays.
    called : set of str
        Helpers that the program calls.
    outputs : str
        Arrays that it mostly writes; the others it mostly reads.
    reading : int
        How many expressions that read the next part is inside.
    calm : bool
        Most iterations write what no other one does.
    """

    dtypes: dict[str, str] = field(default_factory=dict)
    called: set[str] = field(default_factory=set)
    outputs: str = "ab"
    reading: int = 0
    calm: bool = False
    spacious: float = 0.0
    counting: float = 0.0
    shapely: float = 0.2

    def index(self, loops: list[str]) -> str:
        """A subscript: of a number that may be a floating one, none."""
        known, self.scalars = self.scalars, [x for x in self.scalars if x in ("d", "w")]
        text = super().index(loops)
        self.scalars = known
        return text

    def weak(self) -> str:
        """A literal, or a number of the module."""
        return self.pick("0.5", "2.0", "3", "1", "SCALE", "LIMIT", "-1", "0.25", "True")

    def value(self, loops: list[str]) -> str:
        """An expression of any type."""
        self.reading += 1
        text = self._value(loops)
        self.reading -= 1
        return text

    def test(self, loops: list[str]) -> str:
        """A condition."""
        self.reading += 1
        text = super().test(loops)
        self.reading -= 1
        return text

    def _value(self, loops: list[str]) -> str:
        r = self.dice.random()
        if r < 0.68:
            return super().value(loops)
        if r < 0.72:
            return self.odd(loops)
        one = self.element(loops) if self.dice.random() < 0.8 else self.dice.choice(loops or ["n"])
        if r < 0.80:
            return f"{one} {self.pick('+', '-', '*')} {self.weak()}"
        if r < 0.84:
            return (
                f"({one} {self.pick('//', '%')} {self.pick('2', '3', '-2', '0.5', 'LIMIT', 'm')})"
            )
        if r < 0.87:
            return f"{one} {self.pick('/ 2', '/ 4.0', '** 2', '* x0', '- x0')}"
        if r < 0.92:
            function = self.pick(
                "abs", "np.abs", "math.floor", "float", "int", "np.floor", "np.sign", "round",
                "np.float32", "-",
            )  # fmt: skip
            return f"{function}({one})"
        if r < 0.95:
            other = self.element(loops)
            return self.pick(
                f"min({one}, {other})", f"max({one}, {self.weak()})", f"np.minimum({one}, {other})",
                f"np.maximum({one}, 1)", f"g[{self.index(loops)}]", f"math.sqrt(abs({one}))",
            )  # fmt: skip
        name = self.pick(*HELPERS)
        self.called.add(name)
        if name in ("square", "scaled", "powered"):
            return f"{name}({one})"
        return f"{name}({one}, {self.pick('1', '0.5', self.element(loops))})"

    def odd(self, loops: list[str]) -> str:
        """A part of an array as a whole, bits, values of `and` and `or`, casts."""
        v = self.dice.choice(loops) if loops else "0"
        one = f"{self.pick('a', 'b', 'f', 'p')}[{self.index(loops)}]"
        return self.pick(
            f"c[{v}].sum()", f"c[{v}, :].max()", f"c[:, {v}].mean()", f"np.dot(c[{v}], c[{v}])",
            f"np.linalg.norm(c[{v}] - c[0])", f"c[{v}] @ a", f"np.sum(c[{v}:{v} + 2, 0:2])",
            f"a[{v}:{v} + 2].sum()", f"np.sum(b[:{v} + 1])", f"sum(a[{v}:])", f"c[{v}, {v}:].min()",
            f"({one} & 3)", f"({one} ^ {v})", f"(p[{v}] >> {self.pick('1', v)})", f"(~p[{v}])",
            f"(1 << {v})", f"({one} or {v})", f"({one} and 2)", f"int({one})", f"bool({one})",
            f"np.int32({v})", f"divmod({v}, 3)[1]", f"np.hypot({one}, 1.0)", f"pow({v}, 2)",
            f"math.copysign(1.0, {one})", f"np.where({one} > 1, {v}, 2)", f"len(c[{v}])",
            f"a.shape[0] - {v}", f"{one} ** {self.pick('2', '3', '0.5', '-1')}", f"local({one})",
            f"min({one}, {v}, 3)", f"float({v}) / 3", f"np.float32({v}) * {one}", f"-{v} % 3",
            f"a[max({v} - 1, 0):{v} + 2].sum()", f"np.any(b[{v}:{v} + 2] > 1)",
            f"np.argmax(c[{v}])", f"np.argmin(np.abs(c[{v}] - {one}))", f"a[{v}:{v} + 2].argmax()",
            f"np.searchsorted({self.pick('a', 'b', 'f', 'p')}, {one})",
            f"np.searchsorted(c[{v}], {one}, side='right')", f"np.sum(np.isnan(c[{v}]))",
            f"np.mean(np.isfinite(a[{v}:{v} + 2]))", f"np.sum(p[{v}:{v} + 2] * {self.weak()})",
            f"np.sum(np.round(c[{v}] / 2))", f"np.max(np.where(c[{v}] > 0, c[{v}], {one}))",
            f"np.sum(np.clip(c[{v}], 0, {one}))", f"np.sum(np.sqrt(np.abs(p[{v}:{v} + 2])))",
            f"c[{v}].std()", f"np.var(a[{v}:{v} + 2], ddof=1)",
            f"np.sum(b[:{v}] > 0)", f"a[p[{v}]:p[{v}] + 2].sum()", f"c[{v}, {v}:].all()",
        )  # fmt: skip

    def head(self, depth: int, loops: list[str], indent: str) -> tuple[str, list[str], list[str]]:
        """Heads of more kinds than ``Writer`` has."""
        if self.dice.random() > 0.12:
            return super().head(depth, loops, indent)
        v = "ijk"[depth]
        r = self.dice.randrange(6)
        if r == 0:
            return (
                f"{indent}for {v}, {v}v in enumerate({self.pick('a', 'b')}, 1):\n",
                [v],
                [f"{v}v"],
            )
        if r == 1:
            ranges = f"range(n), range({self.pick('m', '1, n')})"
            text = f"{indent}for {v}, {v}2 in itertools.product({ranges}):\n"
            return text, [v, f"{v}2"], []
        if r == 2:
            return f"{indent}for {v} in range({self.pick('n', 'm')})[::-1]:\n", [v], []
        if r == 3:
            text = f"{indent}for {v}x, {v}y in zip({self.pick('a, b', 'a[1:], p')}, strict=True):\n"
            return text, [], [f"{v}x", f"{v}y"]
        if r == 4:
            return f"{indent}for {v} in range(c.shape[{self.pick('0', '1')}]):\n", [v], []
        return f"{indent}for {v} in range(0, n, {self.pick('m', 'd', '2')}):\n", [v], []

    def sweeps(self) -> str:
        """A few rounds over two arrays that change places, or over two colours of one."""
        value, test = self.value(["i"]), self.test(["i"])
        return self.pick(
            "    for i in range(n):\n        t = c[i] - c[0]\n        t -= 2 * np.round(t / 2)\n"
            "        t = t * a[i]\n        b[i] = np.dot(t, t)\n",
            "    for i in range(n):\n        t = c[i] * 2\n        t += c[m]\n"
            f"        c[i, 0] = t.max() - {value}\n",
            "    for r in range(3):\n        for i in range(1, n - 1):\n"
            "            b[i] = a[i - 1] + a[i + 1] - a[i]\n        a, b = b, a\n",
            "    for r in range(2):\n        for i in range(1 + r % 2, n - 1, 2):\n"
            f"            a[i] = a[i - 1] * 2 + {value}\n",
            "    for r in range(m):\n        for i in range(n):\n            for j in range(n):\n"
            "                c[i, j] = min(c[i, j], c[i, r] + c[r, j])\n",
            "    u = a.copy()\n    for r in range(2):\n        for i in range(n):\n"
            f"            if {test}:\n                u[i] = {value}\n        a[:] = u[:len(a)]\n",
            f"    u = np.zeros((n, n))\n    for i in range(n):\n        for j in range(n):\n"
            f"            u[i, j] = {value}\n    c[:n, :n] = u\n",
            f"    for i in range(n):\n        if {test}:\n            return f, i\n",
            f"    for i in range(n):\n        if {test}:\n            break\n    else:\n"
            f"        w = {value}\n".replace("[i]", "[0]"),
        )

    def search(self) -> str:
        """A loop that ends at the first hit."""
        value, one = self.value(["i"]), self.element(["i"])
        heads = (
            "for i in range(n):", "for i in range(1, n):", "for i in range(0, n, 2):",
            "for i, iv in enumerate(a):", "for iv in f:", "for i in range(m):",
            "for i in range(n - 1, -1, -1):", "for i in reversed(range(1, n)):",
            "for i in range(n - 1, d, -2):", "for i in range(len(b) - 2, 0, -1):",
        )  # fmt: skip
        head = self.pick(*heads)
        known = "iv" if "iv" in head else one
        i = "iv" if "for iv" in head else "i"
        text = f"    {head}\n"
        if i == "iv":
            value, known, one = "iv * 2", "iv", "iv"
        if self.dice.random() < 0.5:
            text += f"        z = {value}\n"
            known = "z"
        test = f"{known} {self.pick('>', '<', '==', '>=')} {self.pick('2', 'd', 'x0', one)}"
        if self.dice.random() < 0.3:
            return text + self.leaving(i, test)
        text += f"        if {test}:\n"
        for line in self.dice.sample([f"w = {i}", "s = 5", f"y = {known} + 1", "t = None"], 2):
            text += f"            {line}\n"
        result = self.pick(
            f"return {i}", f"return {i} - 1, a", f"return {known}, d", f"return w, {i}, s",
            f"return ({i} + 1) * d, x0", f"return b[{i}], {known}", f"return float({known}), n",
        )  # fmt: skip
        text += f"            {self.pick('break', result)}\n"
        if self.dice.random() < 0.35:
            last = ("w = -1", "s = d", "y = x0", "t = -n", "i = None", f"y = {i}", "return -1, d")
            lines = self.dice.sample(last, self.dice.choice((1, 1, 2)))
            text += "    else:\n" + "".join(f"        {line}\n" for line in lines)
        return text

    def leaving(self, i: str, test: str) -> str:
        """The body of a loop that returns one and the same thing, at any place."""
        result = self.pick("True", "None", "-1", "(0, False)", "0.5")
        made = f"        if {test}:\n            return {result}\n"
        if self.dice.random() < 0.5:
            other = self.test([i])
            made += f"        for j in range({self.pick('m', 'n', i)}):\n"
            one = self.element([i, "j"])
            made += f"            if {one} == {self.pick('2', 'd')} or {other}:\n"
            made += f"                return {result}\n"
        if self.dice.random() < 0.2:
            made += self.pick(f"        y += a[{i}]\n", f"        f[{i}] = 1\n", "        w += 1\n")
        return made

    def tally(self) -> str:
        """A loop that counts what passes a test, or sums up, and uses the number on the way."""
        head, i = self.pick(
            ("for i in range(n):", "i"), ("for i in range(1, n):", "i"), ("for iv in f:", "iv"),
            ("for i in range(n - 1, -1, -1):", "i"), ("for i, iv in enumerate(a):", "i"),
            ("for i in range(0, n, 2):", "i"), ("for i in range(d, n):", "i"),
        )  # fmt: skip
        count = self.pick("w", "w", "t", "s")
        lines = (
            [f"{count} = {self.pick('0', '0', '1', '-1', 'd')}"] if self.dice.random() < 0.5 else []
        )
        lines.append(head)
        deep = i == "i" and self.dice.random() < 0.25
        loops = [i, "j"] if deep else [i]
        self.reading += 1
        one = "iv" if "iv" in head else self.element(loops if deep and self.calm else [i])
        value = "iv * 2" if i == "iv" else self.value(loops)
        self.reading -= 1
        test = f"{one} {self.pick('>', '<', '!=')} {self.pick('1', 'd', 'x0')}"
        indent = "    "
        if deep:
            lines.append(f"    for j in range({self.pick('m', 'n', 'i')}):")
            indent = "        "
        out = self.dice.choice(self.outputs.replace("e", "f"))
        at = self.pick("", "", "", " - 1", " + 1")
        place = f"{out}[{count}{at}{', 0' if out == 'c' else ''}]"
        added = self.pick(
            f"{count} += 1", f"{count} += 1", f"{count} = {count} + 1", f"{count} += 2",
            f"{count} -= 1", f"{count} += int({one})", f"y += {one}",
        )  # fmt: skip
        used = self.pick(
            f"{place} = {value}", f"{place} = {value}", f"{place} = {one}", f"{place} += {one}",
            f"f[{i}] = {count}" if i == "i" else f"{place} = 1", f"{out}[0] = {count}",
        )  # fmt: skip
        inner = [used, added] if self.dice.random() < 0.6 else [added, used]
        if out == "c" and self.dice.random() < 0.5:
            inner.insert(self.dice.randrange(3), f"c[{count}, 1] = {one}")
        r = self.dice.random()
        if r < 0.15:
            lines += [f"{indent}if {test}:", f"{indent}    continue"]
            lines += [f"{indent}{line}" for line in inner]
        elif r < 0.75:
            lines += [f"{indent}if {test}:", *(f"{indent}    {line}" for line in inner)]
            if self.dice.random() < 0.3:
                other = self.pick(
                    f"{place} = 0", f"{count} += 1", f"e[s] = {one}\n{indent}        s += 1"
                )
                lines += [f"{indent}else:", f"{indent}    {other}"]
        else:
            lines += [f"{indent}{line}" for line in inner]
        if self.dice.random() < 0.3:
            last = self.pick(f"y += {one}", "s += 1", f"x0 = {one}", f"y = max(y, {one})")
            lines.append(f"    {last}" if self.dice.random() < 0.7 else f"{indent}{last}")
        return "".join(f"    {line}\n" for line in lines)

    def flat(self) -> str:
        """A nest over an array whose one index is made of two or three."""
        sizes = self.pick("m, d", "m, 2", "2, m", "n, 1", "d, m").split(", ")
        middle, last = sizes
        starts = [self.pick("", "", "1, ") for _ in "ijk"]
        ends = [self.pick("", "", " - 1", " - 1", " + 1") for _ in "jk"]
        text = f"    for i in range({starts[0]}n // 2):\n"
        text += f"        for j in range({starts[1]}{middle}{ends[0]}):\n"
        text += f"            for k in range({starts[2]}{last}{ends[1]}):\n"
        place = self.pick(
            f"(i * {middle} + j) * {last} + k", f"k + {last} * (j + {middle} * i)",
            f"i * {middle} * {last} + j * {last} + k", f"i * ({middle} * {last}) + j * {last} + k",
            f"(i + {middle} * j) * {last} + k", f"j * {last} + k",
        )  # fmt: skip
        near = [
            "- 1", "+ 1", f"- {last}", f"+ {last}", f"- {middle} * {last}",
            f"+ {last} * {middle}", f"- {middle}", "+ i", f"- ({last} - 1)",
        ]  # fmt: skip
        steps = self.dice.sample(near, 2)
        value = self.value(["i", "j", "k"])
        lines = [f"z = {place}"]
        read, other = ("e", "b") if self.dice.random() < 0.4 else ("b", "e")
        lines.append(
            self.pick(
                f"{other}[z] = {read}[z {steps[0]}] + {read}[z {steps[1]}]",
                f"{other}[z] = {read}[z {steps[0]}] - {read}[z]",
                f"{other}[z] += {read}[{place} {steps[0]}]",
                f"{other}[{place}] = {value}",
                f"e[z] = e[z {steps[0]}]",
                f"e[z {steps[0]}] = {value}",
                f"e[z] = {value}\n                y += e[z {steps[1]}]",
                f"if j > 0 and k > 0:\n                    e[z] = b[z {steps[0]}] * 2",
            )
        )
        return text + "".join(f"                {line}\n" for line in lines)

    def element(self, loops: list[str]) -> str:
        """A subscripted array; one that is written seldom is one that is read."""
        if self.dice.random() < (0.03 if self.calm else 0.1):
            known, self.scalars = self.scalars, [x for x in self.scalars if x in ("d", "w")]
            text = super().element(loops)
            self.scalars = known
            if self.reading or not self.dtypes[text[0]].startswith("u"):
                return text
        choices = (
            "".join(sorted(set("abcef") - set(self.outputs))) if self.reading else self.outputs
        )
        array = self.dice.choice(choices)
        v = self.dice.choice(loops) if loops else "0"
        if self.calm and loops and not self.reading:
            if array == "c" and len(loops) > 1:
                return f"c[{loops[0]}, {loops[1]}]"
            if array == "e" and len(loops) > 1:
                return f"e[{loops[0]} * {self.pick('m', 'n')} + {loops[1]}]"
            return f"{array}[{loops[0]}]" + ("[0]" if array == "c" else "")
        if array == "e":
            return f"e[{v} * {self.pick('m', 'n')} + {self.dice.choice(loops or ['d'])}]"
        if array == "c" and self.dice.random() < 0.2:
            divisor = self.pick("m", "2", "3")
            return f"c[{v} // {divisor}, {v} % {divisor}]"
        if self.reading:
            index = self.index(loops)
            other = self.pick("-1", "0", self.index(loops))
        else:
            index = v if self.dice.random() < 0.7 else self.index(loops)
            other = self.dice.choice(loops) if loops else "d"
        if array == "c":
            return f"c[{index}, {other}]" if self.dice.random() < 0.9 else f"c[{index}][{other}]"
        return f"{array}[{index}]"

    def statement(self, depth: int, loops: list[str], indent: str, plain: bool) -> str:
        """One statement."""
        r = self.dice.random()
        v = self.dice.choice(loops) if loops else "0"
        if r < 0.03:
            return f"{indent}g[{self.index(loops)}] = {self.test(loops)}\n"
        if r < 0.06:
            return f"{indent}{self.element(loops)} = {self.element(loops)} = {self.value(loops)}\n"
        if r < 0.08:
            sign = self.pick("//", "%", "/", "&", "|", "<<")
            return f"{indent}{self.element(loops)} {sign}= {self.pick('2', '3', 'm')}\n"
        if r < 0.085:
            part = self.pick(f"c[{v}, :]", f"c[{v}, 1:]", f"c[:, {v}]", f"f[{v}:{v} + 2]")
            share = f"{part} / np.sum(np.abs({part}))"
            if self.dtypes[part[0]][0] not in "fc":
                share = f"{part} - 1"
            value = self.pick(
                f"c[{v}, :] * 2", f"c[{v}, 1:] + b[{v}]", f"c[{v}, :-1]", f"c[:, {v}] - a",
                f"a[{v}:{v} + 2] * x0", self.value(loops), share,
                f"np.abs(c[{v}, :]) - b[{v}]", f"a[1:3] - np.max(c[{v}, :])",
            )  # fmt: skip
            if self.dice.random() < 0.3:  # of two errors NumPy and CuPy may raise different ones
                return f"{indent}{part} {self.pick('+=', '*=')} {self.pick('2', 'd', 'm')}\n"
            return f"{indent}{part} = {value}\n"
        if r < 0.10:
            left = self.pick(f"{v}", f"{v} + 1", "1")
            # What NaN is as an integer, nobody says: of nothing, the mean is NaN.
            wholes = self.dtypes["f"][0] not in "fc"
            reduced = self.pick("sum", "max", "max" if wholes else "mean")
            return f"{indent}f[{v}] = a[{left}:{left} + 3].{reduced}()\n"
        if r < 0.125:
            return self.vector(v, indent)
        if r < 0.14 + self.spacious and not plain:
            return self.workspace(v, indent)
        if r < 0.145 + self.spacious and not plain:
            return f"{indent}if {self.value(loops)} == {self.weak()}:\n{indent}    continue\n"
        return super().statement(depth, loops, indent, plain)

    def vector(self, v: str, indent: str) -> str:
        """A row, or what is computed from rows, under a name of its own."""
        row = self.pick(
            f"c[{v}]", f"c[{v}] - c[0]", f"c[{v}] * 2", f"c[{v}] - c[{v}].max()", f"c[{v}, 1:]",
        )  # fmt: skip
        if self.dice.random() < 0.4:
            return self.private(v, indent)
        lines = [f"row = {row}"]
        if self.dice.random() < 0.2:
            lines.append(self.pick(f"c[{v}, 0] = 3", "row[0] = 1", "d = 1", "row = row + 1"))
        used = self.pick(
            "row[0]", "row[1] - row[-1]", "row.max()", "np.sum(row)", "np.dot(row, row)",
        )  # fmt: skip
        lines.append(self.pick(f"f[{v}] = {used}", f"f[{v}] = {used}", f"c[{v}] += row"))
        return "".join(f"{indent}{line}\n" for line in lines)

    def workspace(self, v: str, indent: str) -> str:
        """Arrays of any length that each iteration makes to work in; they may change places."""
        one, test = self.element([v]), self.test([v])
        length = self.pick("n", "m", "n + 1", "len(a)", "c.shape[1]", "4", "2 * m", "m - 1")
        makers = (
            f"np.zeros({length})", f"np.ones({length})", f"np.full({length}, 0.5)",
            f"np.zeros({length}, dtype={self.pick('int', 'np.float32', 'np.int16', 'a.dtype')})",
            f"np.arange({length})", f"np.full({length}, np.inf)", f"c[{v}].copy()",
            f"np.copy(c[:, {v}])",
        )  # fmt: skip
        first = self.pick(*makers)
        second = first if self.dice.random() < 0.7 else self.pick(*makers)
        lines = [f"h1 = {first}"]
        inner = [
            self.pick(
                f"h1[z] = {one}",
                f"h1[z] += {one}",
                f"h1[z] = h1[z - 1] + {one}",
                "h1[z] = z",
                f"h1[p[z] % 3] += {one}",
                f"h1[-z] = {one}",
                f"if {test}:\n{indent}        break",
                f"if {test}:\n{indent}        h1[z + 1] = h1[z]",
                "h1[:] = h1[z]",
            )
            for _ in range(self.dice.choice((1, 1, 2)))
        ]
        rounds = self.pick("n", "m", "3", "len(h1)", "1, m", "n - 1, -1, -1")
        if self.dice.random() < 0.4:
            swapped = self.pick(
                "h1, h2 = h2, h1", "h1 = h2", "h2 = h1", "h2[:] = h1", "h1[0] = h2[0]"
            )
            made = f"h2 = {second}"
            if self.dice.random() < 0.5:
                lines.append(made)
                inner.append(swapped)
            else:
                inner = [made, self.pick(f"h2[z] = h1[z] + {one}", "h2[0] = 3"), swapped]
        lines += [f"for z in range({rounds}):", *(f"    {line}" for line in inner)]
        used = self.pick(
            "h1[0]", "h1[-1]", "h1.sum()", "h1[m]", "np.max(h1)", "len(h1)", f"h1[{v}]",
            "h1[1:].sum()", "h1[p[0]]",
        )  # fmt: skip
        kept = self.pick(f"f[{v}] = {used}", f"f[{v}] = {used}", f"c[{v}] = h1")
        lines.append(self.pick(kept, kept, f"f[{v}] += {used}"))
        if self.dice.random() < 0.2:
            left = f"if {test}:\n{indent}    continue"
            lines.insert(1, self.pick("h1 += 1", f"h1 *= {one}", "h1[0] = 7", left))
        return "".join(f"{indent}{line}\n" for line in lines)

    def private(self, v: str, indent: str) -> str:
        """A small array or list that each iteration makes, and loops left with an ``else``."""
        one, other = self.element([v]), self.element([v])
        made = self.pick(
            "q = np.zeros(2)", "q = np.ones(2, dtype=np.float32)", f"q = np.array([{one}, 0.5])",
            f"q = [{one}, {other}]", "q = np.full(2, 3)", f"q = np.array([{v}, 1])",
        )  # fmt: skip
        whole = self.pick(
            f"q += {one}",
            f"q = q * {one}",
            "q[:] = 2",
            "q = q / np.linalg.norm(q)",
            f"q = q + c[{v}]",
            f"q[0], q[1] = q[1], {one}",
            "h = q\n{indent}h[0] = 4",
            "q = np.array(q)\n{indent}q *= 2",
            f"z = np.linalg.norm(q)\n{{indent}}q = q / z\n{{indent}}q = [q[1], {other}]",
            f"q = np.abs(q) - {one}",
            f"q = np.array([q[1], {other}, 2.5])",
            f"q = [{one}, q[0], {other} / 2]",
            f"q = q {self.pick('-', '*', '+', '/', '**')} {self.pick('c[' + v + ']', one, '2')}",
        ).replace("{indent}", indent)
        each = self.pick(
            f"q[1] = {one}", f"for z in range(2):\n{indent}    q[z] += {other}",
            f"for z in (1, 0):\n{indent}    if q[z] > {one}:\n{indent}        break\n"
            f"{indent}else:\n{indent}    q[0] = 7",
        )  # fmt: skip
        used = self.pick(
            f"f[{v}] = q[0] - q[-1]", f"f[{v}] = q.sum()", f"f[{v}] = max(q)", f"c[{v}] = q",
            f"x, z = q\n{indent}f[{v}] = z", f"f[{v}] = np.dot(q, q)", f"f[{v}] = len(q)",
            f"f[{v}] = np.linalg.norm([q[0], {one}])", f"f[{v}] = np.max([{one}, {other}, 2.5])",
            f"f[{v}] = np.sum([{one}, q[-1]]) / 2", f"f[{v}] = np.linalg.norm(q)",
        )  # fmt: skip
        lines = [made, *self.dice.sample([whole, each], self.dice.choice((1, 1, 2))), used]
        return "".join(f"{indent}{line}\n" for line in lines)

    def carrying(self, loops: list[str], indent: str) -> str:
        """A number that passes from one iteration to the next."""
        if self.calm and self.dice.random() < 0.7:
            return f"{indent}{self.element(loops)} = {self.value(loops)}\n"
        if self.dice.random() < 0.6:
            return super().carrying(loops, indent)
        one, value, v = self.element(loops), self.value(loops), loops[-1]
        return self.pick(
            f"{indent}y += {value}\n",
            f"{indent}y = y + {one} * {one}\n",
            f"{indent}y *= {self.pick('2', '0.5', one)}\n",
            f"{indent}y = min(y, {one})\n",
            f"{indent}f[{v}] = y\n{indent}y += {one}\n",
            f"{indent}y += {one}\n{indent}f[{v}] = y\n",
            f"{indent}y = y * 0.5 + {one}\n{indent}f[{v}] = y\n",
            f"{indent}if {one} > 2:\n{indent}    w = {v}\n{indent}    break\n",
            f"{indent}if {one} > y:\n{indent}    y = {one}\n{indent}    w = {v}\n",
            f"{indent}y = max(y, {one})\n{indent}s = max(s, y - {one})\n",
            f"{indent}if {one} > y:\n{indent}    y = {one}\n{indent}s += y - {one}\n",
            f"{indent}y += {one}\n{indent}y -= {value}\n{indent}f[{v}] = y\n",
            f"{indent}y += {one}\n{indent}if y > s:\n{indent}    s = y\n{indent}    w = {v}\n",
            f"{indent}x0 = {one}\n",
            f"{indent}y += 1\n",
            f"{indent}{one} = y\n{indent}y = {value}\n",
            f"{indent}b[{v}] = w\n{indent}w, y = {v}, {value}\n",
            f"{indent}if y < {one}:\n{indent}    f[{v}] = {v} - w\n{indent}w = {v}\n",
            f"{indent}f[p[{v}]] = {self.pick('1', 'd', 'x0 * 2', v)}\n",
            f"{indent}for z in range(3):\n{indent}    f[{v} + z] = {self.pick('2', 'n', 'z')}\n",
            f"{indent}b[p[{v}]] += {one}\n",
        )

    def module(self) -> str:
        """A whole module."""
        for name in "abcef":
            self.dtypes[name] = self.dice.choice(DTYPES if self.dice.random() < 0.7 else FLOATS)
        self.dtypes["p"] = self.dice.choice(("int64", "int64", "int64", "int32", "uint8"))
        self.dtypes["g"] = "bool"
        self.calm = self.dice.random() < 0.6
        self.outputs = self.pick("f", "a", "b", "c", "fc", "af", "e", "bce")
        # What a negative number is as an unsigned one, C++ leaves open: none is stored so.
        for name in sorted({*"bcef", *self.outputs}):
            if self.dtypes[name].startswith("u"):
                self.dtypes[name] = "int64"
        known = self.dice.random()
        text = "    s = 0\n    w = 0\n    t = 1\n"
        text += f"    y = {self.pick('0', '0.0', '1.0', 'a[0]', 'f[-1]', 'np.float32(1)', '-5')}\n"
        text += f"    x0 = {self.pick('0.5', '2', 'n', 'np.float32(0.5)', 'd')}\n"
        if self.dice.random() < 0.2:
            text += f"    b = np.{self.pick('zeros', 'ones')}(n + 1)\n"
        if self.dice.random() < 0.1:
            text += "    e = np.empty_like(e)\n    e[:] = 1\n"
        self.scalars = ["d", "x0", "x0"] if self.dice.random() < 0.7 else ["s", "y", "d", "x0"]
        if self.dice.random() < self.shapely:
            text += shaped(self)
        else:
            for _ in range(self.dice.choice((1, 1, 2))):
                text += self.loop(0, [], "    ")
        if self.dice.random() < 0.1:
            text += self.sweeps()
        if self.dice.random() < 0.05 + self.spacious:
            text += self.search()
        if self.dice.random() < 0.05 + self.spacious:
            text += self.flat()
        if self.dice.random() < 0.08 + self.counting:
            text += self.tally()
        if "local(" in text:
            made = self.pick(
                "    def local(v):\n        return v + x0\n", "    local = lambda v: v * 2\n"
            )
            text = f"    x0 = {self.pick('1', '0.5')}\n{made}{text}"
        names = [name for name in "swty" if self.dice.random() < 0.4]
        text += f"    return a, f, {', '.join(names) or 's'}\n"
        head = [
            "import itertools",
            "import math",
            "import numpy as np",
            "from numpy.typing import NDArray",
            "",
        ]
        head += [f"SCALE = {self.pick('0.5', '2', '1.5')}", f"LIMIT = {self.pick('3', '2', '-1')}"]
        for name in sorted(self.called):
            head += [
                "",
                {**HELPERS, **BODIES, **RECORDS}[name].format(weak=self.pick("2", "0.5")).rstrip(),
            ]
        parameters = [
            f"{name}: NDArray[np.{dtype.replace('bool', 'bool_')}]" if known < 0.6
            else f"{name}: np.ndarray" if known < 0.85 else name
            for name, dtype in sorted(self.dtypes.items())
        ]  # fmt: skip
        numbers = ["n: int", "m: int", "d: int"] if known < 0.6 else ["n", "m", "d"]
        return "\n".join([*head, "", f"def program({', '.join([*parameters, *numbers])}):", text])


def array(rng: np.random.Generator, dtype: str, shape: Any, small: bool = True) -> Any:
    """Small values, so that sums of them are exact in any order."""
    values = rng.integers(0, 9, shape)
    if dtype == "bool":
        return values > 4
    if np.dtype(dtype).kind in "fc":
        values = (values - 3) * 0.25
    elif np.dtype(dtype).kind == "i":
        values = values - 2
    return np.asarray(values).astype(dtype)


def inputs(dice: random.Random, dtypes: dict[str, str]) -> dict[str, Any]:
    """Arguments of ``program``; sometimes not of the dtypes that were announced."""
    n = dice.choice([0, 1, 2, 5, 6, 6, 7, 7, 9])
    m = dice.choice([0, 1, 2, 3, 4, n])
    extra = dice.choice([0, 0, 1, 3, n + 2])
    rng = np.random.default_rng(dice.randrange(2**32))
    told = dict(dtypes)
    if dice.random() < 0.1:
        told[dice.choice(sorted(told))] = dice.choice([d for d in DTYPES if d[0] != "u"])
    long = n + dice.choice([0, extra])
    values = {name: array(rng, told[name], long + dice.choice([0, 0, 2])) for name in "abfg"}
    if ARGUMENTS.keys() <= dtypes.keys():
        values |= arguments(dice, n, dtypes)
    if dice.random() < 0.3:
        values["b"] = array(rng, told["b"], max(n, m) * max(m, 2) + 3)
    values["c"] = array(rng, told["c"], (n + dice.choice([0, extra]), n + dice.choice([0, extra])))
    values["e"] = array(rng, told["e"], max(n, m) * m + dice.choice([0, 0, extra, 2 * n]))
    low = dice.choice([0, 0, -n])
    whole = rng.integers(low, max(n, low + 1), n + dice.choice([0, extra]))
    values["p"] = abs(whole).astype(told["p"]) if told["p"][0] == "u" else whole.astype(told["p"])
    values |= {"n": n, "m": m, "d": dice.choice([-1, 0, 1, 2])}
    if dice.random() < 0.15:
        one, two = dice.sample("abf", 2)
        whole = values[two]
        values[one] = dice.choice([whole, whole[1:], whole[::-1], whole[:-1], whole[::2]])
    if dice.random() < 0.1:
        values[dice.choice("abef")] = dice.choice(parts(values["c"]))
    if dice.random() < 0.1:
        at_bounds(rng, values[dice.choice("abcef")])
    if dice.random() < 0.08:  # rows where the text speaks of numbers
        one = dice.choice("abf")
        values[one] = dice.choice([values[one][:, None], np.stack([values[one]] * 2, axis=1)])
    return values


def parts(c: Any) -> list[Any]:
    """Views of a matrix that stand beside it."""
    found = [c[:, :1].reshape(-1), c.reshape(-1), c.T.reshape(-1)]
    return found if not c.size else [*found, c[0], c[-1], c[:, 0], c[:, -1], c[0][::-1]]


def at_bounds(rng: np.random.Generator, values: Any) -> None:
    """Let some whole numbers of an array be as great and as small as its dtype allows."""
    if values.dtype.kind in "iu" and values.size:
        far = np.iinfo(values.dtype)
        at = rng.random(values.shape) < 0.3
        values[at] = rng.choice(np.array([far.min, far.max, far.max - 1], values.dtype), at.sum())


@dataclass
class Outcome:
    """What became of one module.

    Attributes
    ----------
    text : str
    after : str or None
        The port.
    kernels : int
        Kernels in it.
    launches : int
    ported : bool
    noted : int
        Runs whose difference a finding had announced (``ANNOUNCED``, ``RAISED``).
    loud : int
        Runs in which CuPy itself refused, outside kernels, to cast what NumPy casts in place, or
        in which the loop raises IndexError and the host backend saw threads meet before that.
    wrong : str or None
        How a run of the port differs.
    """

    text: str
    after: str | None = None
    kernels: int = 0
    launches: int = 0
    noted: int = 0
    loud: int = 0
    wrong: str | None = None


class Cast(Exception):
    """An operation in place would give another dtype than it is stored in."""


def run(text: str, values: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """Result of ``program`` or the class of what it raises, and the arrays afterwards."""
    module = types.ModuleType("module_of_loops")
    exec(compile(text, "<module>", "exec"), module.__dict__)
    result: Any
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = module.program(**values)
    except (
        ArithmeticError, AttributeError, LookupError, NameError, TypeError, ValueError,
    ) as error:  # fmt: skip
        if "according to the rule 'same_kind'" in str(error) and "output operand" in str(error):
            raise Cast from error
        result = type(error)
    return result, values


def same(found: Any, expected: Any, *, kinds: bool = True, single: bool = False) -> bool:
    """Whether two results are equal in type, shape and value; NaN equals NaN.

    Floating numbers may differ in the order of a sum; where arguments are ``single``, those of
    float64 as those of float32. Without ``kinds``, a number may be NumPy's in the place of
    Python's, or of an array without axes.
    """
    if isinstance(found, enum.Enum) and isinstance(expected, enum.Enum):
        return repr(found) == repr(expected)  # each module has classes of its own
    numpy_number = isinstance(found, np.generic)
    number = isinstance(expected, (int, float)) or getattr(expected, "shape", None) == ()
    told = not kinds and numpy_number and number
    # np.longlong and np.int64 are two classes of one dtype: CuPy's argmin gives the former.
    alike = numpy_number and isinstance(expected, np.generic)
    if type(found) is not type(expected) and not told and not alike:
        return False
    if isinstance(expected, tuple):
        each = zip(found, expected, strict=True)
        alike = all(same(a, b, kinds=kinds, single=single) for a, b in each)
        return len(found) == len(expected) and alike
    if isinstance(expected, type):
        return found is expected
    a, b = np.asarray(found), np.asarray(expected)
    if a.dtype != b.dtype or a.shape != b.shape:
        return False
    if a.dtype.kind not in "fc":
        return bool(np.array_equal(a, b))
    coarse = single or a.dtype.itemsize < 8 or a.dtype == "complex64"
    tolerance = 1e-4 if coarse else 1e-9
    with np.errstate(all="ignore"):
        return bool(np.allclose(a, b, rtol=tolerance, atol=tolerance, equal_nan=True))


def has_single(values: dict[str, Any]) -> bool:
    """Whether an argument is of single precision: means of it have its digits wherever stored."""
    return any(getattr(one, "dtype", None) in ("float32", "complex64") for one in values.values())


def saturated(found: Any, expected: Any) -> bool:
    """Whether two arrays are the same but for casts of numbers that no integer is.

    NumPy gives what the processor gives, on x86 the least integer; a GPU the nearest one, and 0 for
    NaN: finding GP506 says so.
    """
    a, b = np.asarray(found), np.asarray(expected)
    if a.dtype != b.dtype or a.shape != b.shape or a.dtype not in ("int32", "int64"):
        return same(found, expected)
    bounds = np.iinfo(a.dtype)
    told = (b == bounds.min) & np.isin(a, (0, bounds.max))
    return bool(np.all((a == b) | told))


def attempt(text: str, dtypes: dict[str, str], dice: random.Random, runs: int = 4) -> Outcome:
    """Port a module and compare; the host backend has to be installed."""
    outcome = Outcome(text)
    report = port_module(parse("module.py", text), Config())
    outcome.after = report.after
    outcome.kernels = sum(function.kernels for function in report.functions)
    products = not ARGUMENTS.keys() - dtypes.keys()  # which kernels are made of, or stacks
    if report.after is None or not (outcome.kernels or products):
        return outcome  # what there is besides kernels, other tests look after
    codes = {finding.code for finding in report.findings}
    noted = tuple(error for code in codes for error in ANNOUNCED.get(code, ()))
    raised = tuple(error for code in codes for error in RAISED.get(code, ()))
    again = port_module(parse("module.py", report.after), Config())
    if again.after is not None:
        outcome.wrong = f"a second port changes the first\n{report.after}\n{again.after}"
        return outcome
    for _ in range(runs):
        values = inputs(dice, dtypes)
        before = sum(KERNELS.values())
        expected, kept = run(text, copy.deepcopy(values))
        try:
            found, left = run(report.after, copy.deepcopy(values))
        except Cast:
            outcome.loud += 1
            continue
        except RaceError as error:
            if expected is IndexError:  # what threads do in the place of an element that is not
                outcome.loud += 1  # there is undone, but the host backend looks before that
                continue
            found, left = f"{type(error).__name__}: {error}", {}
        except UndefinedError as error:
            if "GP518" in codes and "cannot hold" in str(error):
                outcome.loud += 1  # the finding says what NumPy does there and what a GPU does
                continue
            found, left = f"{type(error).__name__}: {error}", {}
        except Exception as error:  # a fault of the kernel, told by the host backend
            found, left = f"{type(error).__name__}: {error}", {}
        outcome.launches += sum(KERNELS.values()) - before
        kinds = "GP515" not in codes and not products
        alike = partial(same, single=has_single(values))
        equal = alike(found, expected, kinds=kinds)
        if equal and all(alike(left[name], kept[name]) for name in kept):
            continue
        if products and isinstance(expected, type) and isinstance(found, type):
            outcome.loud += 1  # shapes that do not fit: CuPy raises errors of other classes
            continue
        refused = isinstance(expected, type) and issubclass(expected, TypeError)
        if refused and found is ValueError and all(same(left[name], kept[name]) for name in kept):
            outcome.loud += 1  # neither cast nor shapes fit: CuPy tells of the shapes first
            continue
        if found is TypeError and any(
            values[name].dtype.kind == "c" and f"{name}: NDArray[np.complex" not in text
            for name in dtypes
        ):
            outcome.loud += 1  # CuPy makes no number of a complex one that was not announced
            continue
        rounds = any(
            values[name].dtype.kind == "i" and np.dtype(told).kind == "f"
            for name, told in dtypes.items()
        )  # of an array announced as floating a store outside kernels cannot tell that it rounds
        if rounds and isinstance(expected, type) and issubclass(expected, ANNOUNCED["GP506"]):
            outcome.noted += 1
            continue
        told = isinstance(expected, type) and issubclass(expected, noted)
        if told or (isinstance(found, type) and issubclass(found, raised)):
            outcome.noted += 1
            continue
        casts = rounds or "GP506" in codes
        if casts and equal and all(saturated(left[name], kept[name]) for name in kept):
            outcome.noted += 1
            continue
        shown = {k: getattr(v, "tolist", lambda v=v: v)() for k, v in values.items()}
        kinds = {k: str(v.dtype) for k, v in values.items() if isinstance(v, np.ndarray)}
        changed = {
            name: (kept[name].tolist(), left[name].tolist())
            for name in left if not same(left[name], kept[name])
        }  # fmt: skip
        told = f"expected {expected!r}\nfound    {found!r}\n{changed}"
        outcome.wrong = f"{report.after}\n{shown}\n{kinds}\n{told}"
        break
    return outcome


def text_of(seed: int) -> str:
    """The module of a seed."""
    return ModuleWriter(random.Random(seed)).module()


def one(seed: int, runs: int = 4) -> Outcome:
    """Generate and try one module."""
    dice = random.Random(seed)
    writer = ModuleWriter(dice)
    text = writer.module()
    return attempt(text, writer.dtypes, dice, runs)


__all__ = ["ModuleWriter", "Outcome", "attempt", "inputs", "one", "text_of"]

"""Loops as people write them, with random parts in them: what ``loop_ports`` puts into modules.

The other generators make statements out of grammar; these are whole loops of well-known shape, of
which only the conditions, the values, the bounds and the order of the statements are drawn.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from loop_products import products

if TYPE_CHECKING:
    from loop_ports import ModuleWriter

Shape = Callable[["ModuleWriter"], list[str]]
_FORWARD = ("range(n)", "range(n)", "range(1, n)", "range(d, n)", "range(0, n, 2)")
_ANY = (*_FORWARD, "range(n - 1, -1, -1)", "reversed(range(n))", "range(n - 1, 0, -2)", "range(m)")


def _signs(w: ModuleWriter) -> str:
    return w.pick(">", "<", ">=", "<=", "!=")


def _of(w: ModuleWriter, *loops: str) -> str:
    """A value that reads arrays at these loops."""
    w.reading += 1
    text = w.pick(w.element(list(loops)), w.element(list(loops)), w.value(list(loops)))
    w.reading -= 1
    return text


def packing(w: ModuleWriter) -> list[str]:
    """What passes a test is put side by side, in one array or in several."""
    out, other = w.dice.sample([*w.outputs.replace("c", "f"), "f", "a"], 2)
    one, test = _of(w, "i"), f"{_of(w, 'i')} {_signs(w)} {w.pick('0', '1', 'd', 'x0')}"
    kept = w.pick(f"{out}[w] = {one}", f"{out}[w] = {out}[i]", "c[w] = c[i]", "c[w, :] = a[i]")
    lines = ["w = 0", "s = 0", f"for i in {w.pick(*_ANY)}:", f"    if {test}:"]
    inner = [kept, "w += 1"]
    if w.dice.random() < 0.3:
        inner.insert(w.dice.randrange(2), w.pick(f"{other}[w] = i", f"e[w] = {one}", "p[w] = i"))
    lines += [f"        {line}" for line in inner]
    if w.dice.random() < 0.5:
        rest = w.pick(
            f"{other}[s] = {one}", f"{out}[n - 1 - s] = {one}", f"{out}[-1 - s] = {out}[i]",
            f"{other}[s] = {other}[i]",
        )  # fmt: skip
        lines += ["    else:", f"        {rest}", "        s += 1"]
    if w.dice.random() < 0.4:
        lines.append(w.pick(f"{out}[w:] = 0", f"return {out}[:w], s", f"f[:w] = {out}[:w]"))
    return lines


def running(w: ModuleWriter) -> list[str]:
    """Running sums of two terms, that start again, of several numbers."""
    one, two = _of(w, "i"), _of(w, "i")
    test = w.test(["i"])
    step = w.pick(
        f"y += {one}\n    y -= {two}",
        f"y = y + {one} - {two}",
        f"if {test}:\n        y += {one}\n    else:\n        y -= {two}",
        f"if {test}:\n        y = 0\n    y += {one}",
        f"if {test}:\n        y += {one}",
        f"y = max(y, {one})\n    t = min(t, {two})",
        f"y = y * {w.weak()} + {one}",
        f"y = max(y + {one}, 0)",
        f"y += {one}\n    s += y",
        f"t, y = y, y + {one}",
        f"y *= {one}",
    )
    used = w.pick(
        "f[i] = y", "b[i] = y - a[i]", "c[i, 0] = y", "f[i] += y", "s = max(s, y)", "pass"
    )
    lines = [f"y = {w.pick('0', '0.0', 'a[0]', '1')}", f"for i in {w.pick(*_ANY)}:"]
    body = [step, used] if w.dice.random() < 0.7 else [used, step]
    if w.dice.random() < 0.2:
        array = w.pick("f", "b")
        before = w.pick("i - 1", "i - 1", "i + 1", "i - 2", "0")
        body = [
            w.pick(
                f"{array}[i] = {array}[{before}] + {one} - {two}",
                f"{array}[i] += {array}[{before}]",
                f"{array}[i] = max({array}[{before}], {one})",
                f"{array}[i] = {array}[{before}] * {w.weak()} + {one}",
            )
        ]
    return lines + [f"    {line}" for line in body]


def extremes(w: ModuleWriter) -> list[str]:
    """The least and the greatest with their places, of everything or of each row; with ties."""
    sign = _signs(w)
    v = w.pick("v", "abs(v)", "v // 2", "v * 2", "-v")
    deep = w.dice.random() < 0.5
    start = w.pick("a[0]", "c[0, 0]", "-1", "np.inf", "-np.inf", "1e9", "float('inf')", "c[i, 0]")
    if not deep:
        start = start.replace("c[i, 0]", "b[0]")
        head = w.pick(
            "for i, v in enumerate(a):", "for i in range(len(b)):\n    v = b[i]",
            "for i in range(n - 1, -1, -1):\n    v = f[i]", "for i in range(1, n):\n    v = a[i]",
        )  # fmt: skip
        return [
            f"t = {start}", f"w = {w.pick('0', '-1', 'None')}", head,
            f"    if {v} {sign} t:", f"        t = {v}", "        w = i",
            *([w.pick("        s = i - 1", "        y = b[i]")] if w.dice.random() < 0.3 else []),
        ]  # fmt: skip
    read = w.pick("c[i, j]", "c[j, i]", "c[i][j] - a[j]", "abs(c[i, j])", "a[i] - b[j]")
    lines = [
        f"for i in range({w.pick('n', 'len(c)')}):", f"    t = {start}",
        f"    w = {w.pick('0', '-1', 'i')}",
        f"    for j in range({w.pick('n', 'i', 'n - 1, -1, -1', '1, n')}):",
    ]  # fmt: skip
    if w.dice.random() < 0.3:
        lines += [f"        if {w.pick('j == i', w.test(['i', 'j']))}:", "            continue"]
    if w.dice.random() < 0.4:
        lines += [f"        v = {read}"]
        read = "v"
    lines += [f"        if {read} {sign} t:", f"            t = {read}", "            w = j"]
    return [*lines, w.pick("    f[i] = w", "    f[i] = t", "    f[i] = w\n    b[i] = t")]


def places(w: ModuleWriter) -> list[str]:
    """Where the least, the greatest, or the last that passes a test stands; with ties."""
    sign, test = w.pick(">", "<", ">=", "<="), w.test(["i"])
    v = w.pick("a[i]", "abs(b[i])", "a[i] - b[i]", "f[i] * 2", "e[i]", "p[i]", "-a[i]")
    at = v.replace("[i]", "[w]")
    start = w.pick("-1", "0", "np.inf", "-np.inf", "a[0]", "p[0]", "300", v.replace("[i]", "[0]"))
    if w.dice.random() < 0.35:
        two = w.pick("c[i, j]", "abs(c[j, i])", "a[i] - b[j]", "c[i][j] * a[i]")
        kept = w.pick(
            f"t, w, s = {two}, i, j", f"t = {two}\n        w = i\n        s = j",
            f"w = j\n        t = {two}", f"t, y = {two}, (i, j)", f"y = [j, i]\n        t = {two}",
        )  # fmt: skip
        asked = f"{two} {sign} t"
        if w.dice.random() < 0.3:
            asked = f"{two} {sign} {two.replace('i', 'w_').replace('j', 's').replace('w_', 'w')}"
            kept = "w, s = i, j"
        inner = w.pick(
            "range(n)", "range(i)", "range(i + 1, n)", "range(n - 1, -1, -1)", "range(len(c))"
        )
        return [
            f"t, w, s, y = {start}, 0, 0, 0", f"for i in {w.pick(*_ANY, 'range(len(c))')}:",
            f"    for j in {inner}:", f"        if {asked}:",
            *(f"            {line.strip()}" for line in kept.split("\n")),
        ]  # fmt: skip
    body = w.pick(
        f"if {v} {sign} {at}:\n    w = i",
        f"if {v} {sign} {at}:\n    w = i",
        f"if {at} {sign} {v}:\n    w, y = i, b[i]",
        f"if {test} and {v} {sign} t:\n    t, w = {v}, i",
        f"if {v} {sign} t and i != d:\n    w = i\n    t = {v}",
        f"if {v} < t:\n    t = {v}\nelif {v} > y:\n    y = {v}\n    w = i",
        f"if {test}:\n    w = i",
        f"if {test}:\n    w, y = -i, {v}",
        f"if {test}:\n    continue\ny = {v}",
        f"if {test}:\n    y = ({v}, i)",
        f"if {test}:\n    t = max(t, {v})",
        f"if {test}:\n    w = 1\nelse:\n    y = i",
    )
    head = f"for i in {w.pick(*_ANY, 'range(len(a))')}:"
    begin = w.pick("0", "0", "n - 1", "-1", "d")
    return [f"t, w, y = {start}, {begin}, {start}", head, *_inside(body)]


def repeated(w: ModuleWriter) -> list[str]:
    """Running sums, extremes and counts in each step of a loop around them."""
    lines = "\n".join(w.pick(packing, running, extremes, places)(w)).split("\n")
    if w.dice.random() < 0.4:
        one = w.pick("a[i]", "b[i]", "f[i]")
        lines = [line.replace(one, w.pick("c[rep, i]", "c[i, rep]", one)) for line in lines]
    first = next((k for k, line in enumerate(lines) if line.startswith("for ")), 0)
    head = w.pick("for rep in range(3):", "for rep in range(2, -1, -1):", "for rep in range(1, d):")
    if w.dice.random() < 0.5:
        return [*lines[:first], head, *(f"    {line}" for line in lines[first:])]
    after = w.pick("f[:] = b", "a[rep] = y", "b += f", "b[rep] = s + w", "c[rep] = f", "d = rep")
    return [head, *(f"    {line}" for line in lines), f"    {after}"]


def _inside(body: str) -> list[str]:
    return [f"    {line}" for line in body.split("\n")]


def whiles(w: ModuleWriter) -> list[str]:
    """Loops that count by hand, look further while something holds, or walk with two fingers."""
    one, test = _of(w, "i"), w.test(["i"])
    made = w.pick(
        f"i = 0\nwhile i < n:\n    f[i] = {one}\n    i += 1",
        f"i = n - 1\nwhile i >= 0:\n    f[i] = {one}\n    i -= 1",
        f"i = n\nwhile i > 0:\n    i -= 1\n    if {test}:\n        f[i] = {one}",
        f"i = 0\nwhile True:\n    if i >= n:\n        break\n    f[i] = {one}\n    i += 1",
        "for i in range(n):\n    w = i\n    while w > 0 and a[w - 1] > a[i]:\n        w -= 1\n"
        "    f[i] = w",
        "for i in range(1, n):\n    t = b[i]\n    w = i - 1\n    while w >= 0 and b[w] > t:\n"
        "        b[w + 1] = b[w]\n        w -= 1\n    b[w + 1] = t",
        f"for i in range(n):\n    y = {one}\n    w = 0\n    while abs(y) < 4 and w < 9:\n"
        "        y = y * y + x0\n        w += 1\n    f[i] = w",
        "i = 0\nw = 0\nwhile i < n and w < m:\n    if a[i] <= b[w]:\n        f[i + w] = a[i]\n"
        "        i += 1\n    else:\n        f[i + w] = b[w]\n        w += 1",
        "for i in range(n):\n    w = i\n    t = 0\n    while p[w] != w and t < n:\n"
        "        w = p[w]\n        t += 1\n    f[i] = w",
        f"w = 0\nfor i in range(n):\n    while w < m and a[w] < {one}:\n        w += 1\n"
        "    f[i] = w",
        f"for i in range(n):\n    w = 0\n    while w < n:\n        if a[w] > {one}:\n"
        "            break\n        w += 1\n    else:\n        w = -1\n    f[i] = w",
        f"for i in range(n):\n    lo, hi = 0, {w.pick('n', 'n - 1', 'len(b)')}\n"
        "    while lo < hi:\n"
        f"        mid = (lo + hi) // 2\n        if b[mid] {w.pick('<', '<=')} {one}:\n"
        "            lo = mid + 1\n        else:\n            hi = mid\n    f[i] = lo",
    )
    return made.split("\n")


def collected(w: ModuleWriter) -> list[str]:
    """Sums in the elements of a list, a small array, a dict."""
    one, two, test = _of(w, "i"), _of(w, "i"), w.test(["i"])
    holder = w.pick(
        "q = [0, 0, 0]", "q = [0.0] * 3", "q = np.zeros(3)", "q = np.zeros(3, dtype=int)",
        "q = {0: 0, 1: 0.0, 2: 1}", "q = [1] * 3",
    )  # fmt: skip
    key = w.pick("0", "1", "i % 3", "p[i] % 3", "i % 2")
    body = w.pick(
        f"    q[{key}] += {one}",
        f"    if {test}:\n        q[0] += {one}\n    else:\n        q[1] -= {two}",
        f"    q[0] += {one}\n    q[1] += 1",
        f"    q[{key}] = max(q[{key}], {one})",
        f"    if {one} > q[{key}]:\n        q[{key}] = {one}",
        f"    if {one} < q[{key}]:\n        q[{key}] = {one}\n        w = i",
        f"    q[{key}] = {one}",
        f"    q[{key}] += {one}\n    f[i] = q[0]",
    )
    used = w.pick("y = q[0]", "y = q[1] - q[0]", "f[0] = q[1]", "y = q[2]\ns = q[0]")
    return [holder, f"for i in {w.pick(*_FORWARD, 'range(m)')}:", body, *used.split("\n")]


def scattered(w: ModuleWriter) -> list[str]:
    """Sums, extremes and stores at places that data give."""
    one = _of(w, "i")
    out = w.pick("f", "b", "a", "e")
    place = w.pick("p[i]", "p[i]", "p[i] % n", "p[i] // 2", "int(a[i])", "p[i] - 1", "p[p[i]]")
    body = w.pick(
        f"    {out}[{place}] += {one}",
        f"    {out}[{place}] -= {one}",
        f"    {out}[{place}] = {out}[{place}] + {one}",
        f"    if {one} < {out}[{place}]:\n        {out}[{place}] = {one}",
        f"    {out}[{place}] = max({out}[{place}], {one})",
        f"    {out}[{place}] = min({one}, {out}[{place}])",
        f"    w = {place}\n    if {out}[w] > {one}:\n        {out}[w] = {one}",
        f"    {out}[{place}] = {one}",
        f"    {out}[{place}] = 1",
        f"    {out}[{place}] += 1\n    f[i] = 2",
        f"    {out}[{place}] |= 1",
        f"    c[{place}, i % 2] += {one}",
        f"    c[i, {place}] += {one}",
        f"    g[{place}] = True",
        f"    {out}[{place}] *= 2",
    )
    return [f"for i in {w.pick(*_ANY)}:", body]


def rows(w: ModuleWriter) -> list[str]:
    """Rows under names of their own, written through, and parts that are changed in place."""
    one, v = _of(w, "i"), w.pick("i", "i", "i - 1", "0", "-1")
    made = w.pick(
        f"row = c[i]\nfor j in range(n):\n    row[j] = row[j] * 2 + {one}",
        "row = c[i]\nt = row.sum()\nfor j in range(n):\n    row[j] = row[j] - t",
        "row = c[i].copy()\nfor j in range(1, n):\n    row[j] += row[j - 1]\nc[i] = row",
        "row = c[i]\nold = c[i - 1]\nfor j in range(n):\n    row[j] = old[j] + 1",
        f"c[i, :] += b[i] * {w.pick('c[i]', 'c[0]', 'a[:c.shape[1]]', '2', 'c[i - 1]')}",
        f"c[{v}, :] += {one}",
        "c[i, 1:] -= c[i, :-1]",
        f"c[:, i] *= {one}",
        f"c[i, i:] = c[i, i:] - {one}",
        "c[i], c[i - 1] = c[i - 1].copy(), c[i].copy()",
        "c[i, :m] = b[:m]\nf[i] = c[i, 0]",
        f"a[i:i + 2] += {one}",
        "for j, v in enumerate(c[i]):\n    f[i] += v * j",
        "for u, v in zip(c[i], c[0]):\n    f[i] += u - v",
        "for j in range(i):\n    c[i, j], c[j, i] = c[j, i], c[i, j]",
        "for j in range(n):\n    t = 0\n    for k in range(i, j):\n        t += c[i, k] * c[k, j]\n"
        "    f[i] = t",
        "t = c[i, 0]\nfor j in range(1, n):\n    c[i, j - 1] = c[i, j]\nc[i, n - 1] = t",
    )
    head = w.pick(
        "range(n)", "range(1, n)", "range(n - 1, 0, -1)", "range(len(c))", "range(0, n, 2)"
    )
    return [f"for i in {head}:", *(f"    {line}" for line in made.split("\n"))]


def inner_functions(w: ModuleWriter) -> list[str]:
    """Functions of the function, called from its loops."""
    one, two = _of(w, "i"), _of(w, "i")
    made = w.pick(
        "def near(u, v):\n    if u > v:\n        return u - v\n    return v - u",
        "def near(u, v):\n    t = u * 2\n    for r in range(3):\n        t += v\n    return t",
        "def near(u, v):\n    return min(u, v) if u != v else x0",
        "near = lambda u, v: u * v + x0",
        "def near(u, v=2):\n    return a[0] + u - v",
        "x0 = 2\ndef near(u, v):\n    t = u\n    if u > v:\n        t = v * x0\n    return t",
        "x0 = 1\ndef near(u, v):\n    if v > x0:\n        return d - v\n    w = u * 2\n"
        "    return w",
        "def near(u, v):\n    if u > v:\n        return d * u\n    return v",
        "def near(u, v):\n    r = 0\n    while r < 3:\n        if u > v:\n            return r\n"
        "        r += 1\n    return u",
        f"def near(u, v):\n    return a[{w.pick('v', 'i % n', '0', '-1', 'd')}] - u".replace(
            "a[v]", "a[int(v) % 2]"
        ).replace("i % n", "0"),
        f"def near(u, v):\n    t = u\n    for r in range({w.pick('m', '2', 'len(b)')}):\n"
        f"        t += {w.pick('b[r]', 'a[r] * v', 'c[r, 0]', 'f[r]', 'c[0][r]')}\n    return t",
        f"def at(k):\n    return {w.pick('a[k]', 'f[k - 1]', 'c[k, k]', 'b[-1 - k]')}\n"
        "def near(u, v):\n    if u > v:\n        return at(0)\n    return at(1) * u",
        "y = a.mean()\ndef near(u, v):\n    return u - y if u > v else v",
        f"def near(u, v):\n    {w.pick('f', 'a')}[0] = u\n    return v",
    )
    call = w.pick(f"near({one}, {two})", f"near({one}, 1)", f"near(v={two}, u={one})")
    used = w.pick(
        f"f[i] = {call}", f"y += {call}", f"f[i] = {call} + near(i, 2)", f"y = max(y, {call})"
    )
    return [*made.split("\n"), f"for i in {w.pick(*_ANY)}:", f"    {used}"]


RECORDS = {
    "Pair": (
        "from typing import NamedTuple\n\n\nclass Pair(NamedTuple):\n    rate: float\n"
        "    turns: int\n"
    ),
    "Limits": (
        "class Limits:\n    top = 2\n\n    def __init__(self, low, high={weak}):\n"
        "        self.low, self.high = low, high\n"
    ),
    "Level": (
        "class Level:\n    def __init__(self, of):\n        self.of = of\n\n    @property\n"
        "    def rate(self):\n        return float(self.of[0])\n"
    ),
    "State": (
        "import enum\n\n\nclass State(enum.IntEnum):\n    OFF = 0\n    ON = enum.auto()\n"
        "    FAR = 5\n"
    ),
    "Mode": "from enum import Enum\n\n\nclass Mode(Enum):\n    ONE = 1\n    HALF = 0.5\n",
}
"""Classes of the module: what holds numbers, or computes them."""


def records(w: ModuleWriter) -> list[str]:
    """Fields of records, constants of classes and members of enumerations, in loops."""
    one, two = _of(w, "i"), _of(w, "i")
    made, numbers = w.pick(
        ("q = Pair(0.5, 2)", "q.rate|q.turns"), ("q = Pair(x0, m)", "q.rate|q.turns"),
        ("q = Limits(1)", "q.low|q.high|q.top"), ("q = Limits(x0, a[0])", "q.low|q.high"),
        ("q = Level(f)", "q.rate"), ("q = Limits(a)", "q.high|q.low[i]"), ("q = 1", "Limits.top"),
        ("q = Pair(a[0], d) if n else Level(a)", "q.rate"),
        ("q = 1", "State.ON|State.FAR|State.ON.value|State.OFF"), ("q = 1", "Mode.ONE.value"),
        ("q = {'k': 0.5, 'n': 2}", "q['k']|q['n']"), ("q = {'k': x0}", "q['k']|q['n']"),
        ("q = {'k': a[0], 'n': m}", "q['k']|q['n']"), ("q = {'k': a, 'n': d}", "q['k']|q['n']"),
        ("q = {'k': a, 'n': d}", "q['k'][i]|q['n']"), ("q = State.ON", "q|State.FAR"),
        ("q = 1", "Mode.HALF.value|Mode.ONE"),
    )  # fmt: skip
    k, other = (w.dice.choice(numbers.split("|")) for _ in range(2))
    out = w.pick("f", "b", "a")
    used = w.pick(
        f"{out}[i] = {one} * {k}", f"{out}[i] = {k}", f"y += {one} + {k}", f"t = {k} + {one}",
        f"if {one} == {k}:\n    {out}[i] = {two}\nelse:\n    {out}[i] = {other}",
        f"if {one} in ({k}, {other}):\n    {out}[i] = {two}",
        f"{out}[i] = {two} if {one} not in [{k}, 3] else {other}",
        f"if {one} in {{1, 2, -1}}:\n    {out}[i] = {k}", f"{out}[i] = {one} - {k} * {other}",
        f"w = {k}\nif {one} > w:\n    {out}[i] = w",
        f"w = {k} if {one} > 1 else {other}\n{out}[i] = w",
    )  # fmt: skip
    w.called |= {name for name in RECORDS if name in made + k + other}
    return [made, f"for i in {w.pick(*_ANY)}:", *_inside(used)]


BODIES = {
    "ordered": "def ordered(v, w):\n    if v < w:\n        return v, w\n    return w, v\n",
    "turned": "def turned(v, w):\n    t = v - w\n    return t * {weak}, v + w\n",
    "near_three": (
        "def near_three(x, k):\n    t = x[k - 1] - x[k]\n    if t > 0:\n        return t, x[k]\n"
        "    elif k > LIMIT:\n        return x[k - 2], t\n    return 0, {weak}\n"
    ),
    "at": "def at(x, k):\n    n = len(x)\n    return x[(k + 1) % n] * SCALE\n",
    "held": (
        "def held(x, k, low):\n    k -= 1\n    if x[k] < low:\n        return low\n"
        "    return x[k] - x[0]\n"
    ),
    "part": (
        "def part(x, low, high):\n    s = 0\n    for k in range(low, high):\n"
        "        if x[k] == 0:\n            continue\n        s = x[k] - s * {weak}\n    return s\n"
    ),
    "apart": "def apart(u, v):\n    d = u - v\n    return np.dot(d, d)\n",
    "first_row": (
        "def first_row(x, i):\n    j, m = 0, x.shape[1]\n"
        "    while j < m and x[i, j] > LIMIT:\n        j += 1\n    return j\n"
    ),
    "put": "def put(x, k, v):\n    t = x[k]\n    x[k] = v\n    return t\n",
    "twice": "def twice(v, w):\n    a, b = ordered(w, v)\n    return b - a, a\n",
    "sized": (
        "def sized(x, i):\n    n, m = x.shape\n    return x[(i + 1) % n, (i + 2) % m], n - m\n"
    ),
    "below": (
        "def below(x, v):\n    for k in range(len(x)):\n        t = x[k] * {weak}\n"
        "        if t > v:\n            return k\n    return -1\n"
    ),
}
"""Functions of the module whose statements a loop has to hold: it cannot call them."""


def bodies(w: ModuleWriter) -> list[str]:
    """Calls of functions that give several numbers, or are given arrays."""
    one, two = _of(w, "i"), _of(w, "i")
    out, x = w.pick("f", "a", "b", "e"), w.pick("a", "a", "b", "f", "p")
    pair = w.pick(
        f"ordered({one}, {two})", f"turned({one}, {two})", f"near_three({x}, i)",
        f"twice({one}, {two})", "sized(c, i)", f"turned(v={one}, w=2)",
    )  # fmt: skip
    number = w.pick(
        f"at({x}, i)", f"held({x}, i, {one})", f"part({x}, 0, i)", f"below({x}, {one})",
        f"part({x}, max(0, i - 2), i + 1)", "apart(c[i], c[0])", "first_row(c, i)",
        f"put({x}, i, {two})", f"at({x}, at(p, i))",
        f"ordered({one}, 1)[0]",
    )  # fmt: skip
    used = w.pick(
        f"{out}[i], t = {pair}", f"s, t = {pair}\n{out}[i] = s * 2 - t",
        f"{out}[i] = {number}", f"{out}[i] += {number}", f"y += {number}", f"y, w = {pair}",
        f"if {number} > 1:\n    {out}[i] = {one}\nelse:\n    {out}[i], t = {pair}",
        f"{out}[i] = {number} if {one} > 0 else {number}", f"{out}[i] = {one} + {number} * 2",
        f"a[i], b[i] = {pair}", f"y = max(y, {number})", f"c[i, 0], c[i, 1] = {pair}",
        f"while y < i and {number} > y:\n    y += 1", f"n, d = {pair}\n{out}[i] = n + d",
        f"for r in range(2):\n    {out}[i] += {number}",
    )  # fmt: skip
    w.called |= {name for name in BODIES if f"{name}(" in used}
    if "twice" in w.called:
        w.called.add("ordered")
    if w.dice.random() < 0.2:
        used = w.pick("SCALE = 3\n", "LIMIT = i\n", "ordered = n\n", "x = a\n") + used
    head = w.pick(*_ANY, "range(2, n)")
    lines = [f"    {line}" for line in used.split("\n")]
    if w.dice.random() < 0.2:
        return [f"for i in {head}:", f"    if {w.test(['i'])}:", *(f"    {line}" for line in lines)]
    return [f"for i in {head}:", *lines]


def zipped(w: ModuleWriter) -> list[str]:
    """Heads that go over several things at once."""
    test = w.test(["d"])
    made = w.pick(
        "for u, v in zip(a, b[::-1]):\n    y += u * v",
        "for i, (u, v) in enumerate(zip(a, b)):\n    f[i] = u - v",
        "for i, v in enumerate(a[::2]):\n    f[i] = v",
        "for i, v in enumerate(reversed(a)):\n    f[i] = v * 2",
        "for i, v in zip(range(n - 1, -1, -1), a):\n    f[i] = v",
        "for i, v in zip(range(0, 2 * n, 2), a):\n    e[i] = v",
        "for i, row in enumerate(c):\n    f[i] = row[0] - row[-1]",
        "for row, v in zip(c, a):\n    row[0] = v",
        "for u, v in zip(a[:-1], a[1:]):\n    if u > v:\n        w += 1",
        "for i, v in enumerate(a):\n    a[i] = v + 1",
        "for i, v in enumerate(p):\n    f[v] += i",
        "for i, v in enumerate(a, start=1):\n    f[-i] = v",
        f"for i in range(n)[1:-1]:\n    f[i] = a[i - 1] if {test} else a[i + 1]",
        "for i in range(-n, 0):\n    f[i] = a[i] * 2",
        "for i in range(n, 0, -1):\n    f[i - 1] = a[-i]",
        "for i in np.arange(n):\n    f[i] = a[i] // 2",
        "for i, j in itertools.combinations(range(n), 2):\n    c[i, j] = a[i] - a[j]",
        "for i in np.nonzero(g)[0]:\n    f[i] = 3",
        "for i in np.argsort(p):\n    f[i] = a[i]",
        "for i in p:\n    f[i] = a[i]",
    )
    return made.split("\n")


def grids(w: ModuleWriter) -> list[str]:
    """Two dimensions: neighbours, edges that wrap, filters, automata, dynamic programming."""
    one = _of(w, "i", "j")
    inside = w.pick("1, n - 1", "n", "1, n")
    body = w.pick(
        "u[i, j] = c[i - 1, j] + c[i + 1, j] + c[i, j - 1] + c[i, j + 1] - 4 * c[i, j]",
        "u[i, j] = c[(i + 1) % n, j] + c[i - 1, j] + c[i, (j - 1) % n]",
        "t = 0\n    for k in range(-1, 2):\n        for z in range(-1, 2):\n"
        "            if 0 <= i + k < n and 0 <= j + z < n:\n                t += c[i + k, j + z]\n"
        "    u[i, j] = t",
        "t = sum(c[i + k, j] for k in (-1, 0, 1) if 0 <= i + k < n)\n    u[i, j] = t",
        "u[i, j] = min(u[i - 1, j], u[i, j - 1], u[i - 1, j - 1]) + c[i, j]",
        "u[i, j] = u[i - 1, j] + c[i, j]",
        "u[i, j] = max(u[i - 1, j], u[i - 1, j - 1]) + c[i, j]",
        "u[i, j] = u[i, j - 1] + c[i, j]",
        "c[i, j] = (c[i - 1, j] + c[i, j - 1]) // 2",
        f"if c[i, j] == c[i - 1, j]:\n        u[i, j] = {one}\n    elif c[i, j] > 1:\n"
        "        continue\n    else:\n        u[i, j] = 2",
        "k = max(0, i - 1)\n    z = min(n, i + 2)\n    u[i, j] = np.sum(c[k:z, j])",
        "u[i, j] = np.median(c[i - 1:i + 2, j])",
        "u[i, j] = c[i:i + 2, j:j + 2].max()",
        "u[j, i] = c[i, j]",
        "u[i, j] = np.sum(c[i, :] * c[:, j])",
        "u[int(a[i]) % n, int(b[j]) % n] += 1",
    )
    made = f"u = np.zeros({w.pick('(n, n)', '(n, n)', 'c.shape', '(n + 1, n + 1)')})"
    if w.dice.random() < 0.4:
        made = w.pick("u = np.zeros_like(c)", "u = c.copy()", "u = np.zeros(c.shape, c.dtype)")
    if w.dice.random() < 0.1:
        made = "u = c"
    lines = [made, f"for i in range({inside}):"]
    lines += [f"    for j in range({w.pick(inside, inside, 'i', 'i, n')}):"]
    lines += [f"        {line}" for line in body.split("\n    ")]
    return [*lines, w.pick("c[:len(u), :len(u)] = u", "t = u.sum()", "a, f = u, u[0]")]


def windows(w: ModuleWriter) -> list[str]:
    """Medians of windows, rows and patches, whole or cut off at an end."""
    out, one = w.dice.choice(w.outputs.replace("c", "f")), _of(w, "i")
    x = w.pick("a", "b", "f", "p", "a")
    part = w.pick(
        f"{x}[i:i + 3]",
        f"{x}[i - 1:i + 2]",
        f"{x}[max(0, i - m):i + m + 1]",
        f"{x}[i:i + m]",
        f"{x}[i:]",
        f"{x}[:i]",
        f"{x}[i - d:i + 2]",
        "c[i]",
        "c[i, 1:]",
        "c[:, i]",
        "c[i, :m]",
        "c[i:i + 2, 0:2]",
        "c[max(i - 1, 0):i + 2, 1:3]",
        f"{x}[i:i + 2] - {one}",
        f"np.abs({x}[i - 1:i + 1])",
        "c[i] * 2",
        f"{x}[i:i + 4] // 2",
        f"{x}[p[i]:p[i] + 2]",
    )
    made = w.pick(
        f"{out}[i] = np.median({part})",
        f"v = np.median({part})\n{out}[i] = np.median(np.abs({part} - v))",
        f"window = {part}\nf[i] = np.median(window) - window.max()",
        f"if {one} > np.median({part}):\n    f[i] = 1\n    w += 1",
        f"y += np.median({part})",
        f"s = max(s, np.median({part}))",
        f"f[i] = float(np.median({part})) * {one}",
        "for j in range(m):\n    c[i, j] = np.median(c[j:j + 2, i])",
    )
    return [f"for i in {w.pick(*_ANY)}:", *(f"    {line}" for line in made.split("\n"))]


def nones(w: ModuleWriter) -> list[str]:
    """Extremes that begin with None, of everything or of each row; with ties and gaps."""
    sign = w.pick(">", "<", ">=", "<=")
    if w.dice.random() < 0.45:
        v = w.pick("a[i]", "abs(b[i])", "a[i] - b[i]", "f[i] * 2", "e[i]", "p[i]", _of(w, "i"))
        body = [f"if t is None or {v} {sign} t:", f"    t = {v}", "    w = i"]
        if w.dice.random() < 0.3:
            body = [f"v = {v}", f"if t is None or v {sign} t:", f"    t, {w.pick('w', 's')} = v, i"]
        if w.dice.random() < 0.2:
            body[-1:] = [body[-1], w.pick("    s = i - 1", "    y = b[i]", "    s = (i, d)")]
        if w.dice.random() < 0.15:
            body.insert(0, w.pick("if g[i]:\n    continue", "if a[i] < 0:\n    continue"))
        if w.dice.random() < 0.25:
            v = w.pick("c[i, j]", "abs(c[j, i])", "a[i] - b[j]")
            body = [
                f"for j in range({w.pick('n', 'm', 'i', '1, n')}):",
                f"    if t is None or {v} {sign} t:",
                f"        t = {v}",
                f"        {w.pick('w = j', 's = (i, j)', 'w, s = i, j')}",
            ]
        lines = [w.pick("t = None", "t, w = None, None", "t = None\ns = 2")]
        lines.append(f"for i in {w.pick(*_ANY)}:")
        return [*lines, *(f"    {line}" for one in body for line in one.split("\n"))]
    read = w.pick(
        "c[i, j]", "c[j, i]", "c[i][j] - a[j]", "abs(c[i, j])", "a[i] - b[j]", "b[j] * 0.5"
    )
    inner = w.pick("range(n)", "range(m)", "range(i)", "range(1, n)", "range(n - 1, -1, -1)")
    body = [f"for j in {inner}:", f"    if t is None or {read} {sign} t:", f"        t = {read}"]
    if w.dice.random() < 0.2:
        body = [f"for j, v in enumerate({w.pick('a', 'b')}):", f"    if t is None or v {sign} t:",
                "        t = v"]  # fmt: skip
    body.append(w.pick("        w = j", "        f[i] = j", "        pass"))
    if w.dice.random() < 0.3:
        body.insert(1, f"    if {w.pick('j == i', w.test(['i', 'j']))}:\n        continue")
    after = w.pick(
        "f[i] = t",
        "b[i] = w",
        "f[i] = t if t is not None else -1",
        "pass",
        "if t is not None:\n    f[i] = t\nelse:\n    b[i] = 2",
        "if t is None:\n    continue\nf[i] = t",
        "if t is not None and t > 1:\n    w += 1",
    )
    lines = [w.pick("t = None", "t = None\nw = -1", "t = None\nw = i"), *body, after]
    return [f"for i in {w.pick(*_ANY)}:", *(f"    {x}" for one in lines for x in one.split("\n"))]


def tables(w: ModuleWriter) -> list[str]:
    """Elements at places that the loop computes."""
    out, one = w.dice.choice(w.outputs.replace("c", "f")), _of(w, "i")
    place = w.pick(
        "k = n - 1 - i",
        "k = d - i",
        f"k = int({one})",
        "k = min(max(i - d, 0), n - 1)",
        "k, z = i + d, i % 2",
        f"k = np.searchsorted(a, {one}) - 1",
        "k = i // 2\nk += 1",
        "k = i - 1 if i > 0 else n - 1",
        f"k = int(abs({one})) % (n + 1)",
    )
    used = w.pick(
        f"{out}[i] = b[k] * (1 - x0) + b[k + 1] * x0",
        f"{out}[i] = a[k] - {one}",
        "y += f[k]",
        "f[i] = c[k, k - 1]",
        "if b[k] == a[i]:\n    w += 1",
        f"{out}[k] += {one}",
    )
    lines = f"{place}\n{used}".split("\n")
    return [f"for i in {w.pick(*_ANY)}:", *(f"    {line}" for line in lines)]


def listed(w: ModuleWriter) -> list[str]:
    """Lists that a loop or a comprehension fills, and of which arrays are made."""
    head, names = w.dice.choice(_OVER_ITEMS)
    one, two = _of_items(w, names), _of_items(w, names)
    test = f"{_of_items(w, names)} {_signs(w)} {w.pick('1', 'd', 'x0', two)}"
    if w.dice.random() < 0.3:
        kept = f" if {test}" if w.dice.random() < 0.15 else ""
        made = w.pick("np.array", "np.array", "np.asarray")
        used = w.pick("t = {}", "t = {} * 2", "return {}, f", "y = {}.sum()\ns = n", "s, t = n, {}")
        return used.format(f"{made}([{one} {head}{kept}])").split("\n")
    body = w.pick(
        f"q.append({one})",
        f"q.append({one})",
        f"if {test}:\n    q.append({one})\nelse:\n    q.append({two})",
        f"q.append({one} if {test} else {two})",
        f"z = {one}\nq.append(z * {w.weak()})",
        f"q.append({one})\ny += {two}",
        f"y += {one}\nq.append(y)",
        f"y = max(y, {one})\nq.append(y)",
        f"q.append({one})\nh.append({two})",
        f"z = 0\nfor j in range(m):\n    z += b[j] * {one}\nq.append(z)",
        f"if {test}:\n    q.append({one})",
        f"if {test}:\n    continue\nq.append({one})",
        f"q.append({one})\nif {test}:\n    break",
        f"for j in range(m):\n    q.append({one})",
        f"if {test}:\n    w += 1\nq.append(w)",
    )
    after = w.pick(
        "t = np.array(q)", "return np.array(q), f", "q = np.asarray(q)\nt = q * 2",
        "t = np.array(q, dtype=float)", "t = np.array(q).sum()", "s = len(q)\nt = np.array(q)",
        "t = np.array(q)\nq.append(1)",
    )  # fmt: skip
    lists = ["q = []", "h = []"] if "h." in body else [w.pick("q = []", "q = []", "q = list()")]
    if "h." in body:
        after = f"s = np.array(h)\n{after}"
    lines = [*lists, f"{head}:", *_inside(body), *after.split("\n")]
    if w.dice.random() < 0.15 and "return" not in after:
        return ["for rep in range(2):", *_inside("\n".join(lines))]
    return lines


_OVER_ITEMS = (
    ("for i in range(n)", "i"), ("for i in range(1, n)", "i"), ("for i in range(d, n)", "i"),
    ("for i in range(len(a))", "i"), ("for i in range(n - 1, -1, -1)", "i"),
    ("for i in range(0, n, 2)", "i"), ("for v in a", "v"), ("for v in f", "v"), ("for v in p", "v"),
    ("for i, v in enumerate(b)", "iv"), ("for u, v in zip(a, f)", "uv"),
    ("for u, v in zip(a[1:], a)", "uv"), ("for v in b[::-1]", "v"), ("for u in c", "c"),
    ("for i, (u, v) in enumerate(zip(a, b))", "iuv"), ("for i in range(-m, n)", "i"),
)  # fmt: skip


def _of_items(w: ModuleWriter, names: str) -> str:
    """A value made of what a head binds."""
    if names == "c":
        return w.pick("u[0]", "u[0] - u[-1]", "u.sum()", "u[1] * x0", "len(u)")
    if "i" in names and w.dice.random() < 0.7:
        return _of(w, "i")
    name = w.pick(*names)
    w.called.add("clip")
    return w.pick(
        name, f"{name} * 2", f"{name} * {w.weak()}", f"{name} - x0", f"abs({name})", f"int({name})",
        f"{name} > 1", f"float({name})", f"{name} + {w.pick(*names)}", f"clip({name}, 1)",
    ) if name != "i" else w.pick("i", "i * 2", "i - n")  # fmt: skip


def latest(w: ModuleWriter) -> list[str]:
    """Numbers that some iterations set and the others keep, and counts that start again."""
    one, two, test = _of(w, "i"), _of(w, "i"), w.test(["i"])
    read = w.pick("a[i]", "b[i]", "f[i]", "p[i]", "e[i]")
    other = f"{read} {_signs(w)} {w.pick('0', '1', 'd', 'x0', two)}"
    test = w.pick(test, other, other, f"not np.isnan({read})", "g[i]")
    step = w.pick("1", "1", "2", "-1")
    body = w.pick(
        f"if {test}:\n    y = {one}",
        f"if {test}:\n    w = i",
        f"y = {one} if {test} else y",
        f"w = w + {step} if {test} else 0",
        f"if {test}:\n    w += {step}\nelse:\n    w = 0",
        f"if {test}:\n    w = 0\nelse:\n    w += {step}",
        f"if {test}:\n    w += {step}\nelif {other}:\n    w = {w.pick('0', '1', 'i', '-2')}",
        f"if {test}:\n    t = True\nelif {other}:\n    t = False",
        f"if {test}:\n    t = 1\nelif {other}:\n    t = 0\nelse:\n    t = t",
        f"if {test}:\n    y, w = {one}, i",
        f"if {test}:\n    y = {one}\n    w = i",
        f"if {test}:\n    w += 1\n    s = max(s, w)\nelse:\n    w = 0",
        f"if {test}:\n    w += 1\nelse:\n    s = max(s, w)\n    w = 0",
        f"if {test}:\n    y = {one}\n    if {other}:\n        w = i\nelse:\n    s += 1",
        f"z = {one}\nif z > {two}:\n    y = z",
        f"if {test}:\n    t = w\n    w = i",
        f"if t == 0 and {test}:\n    t = 1\nelif t == 1 and {other}:\n    t = 0",
        f"if {test}:\n    f[i] = 1\n    y = f[i]",
        f"if {test}:\n    continue\ny = {one}",
    )
    used = w.pick(
        "f[i] = y", "f[i] = w", "f[i] = t", "b[i] = y - a[i]", "f[i] = i - w", "c[i, 0] = w",
        "q.append(w)", "q.append(y)", "s = max(s, w)", "f[i] = y * x0", "a[i] = y", "f[w] = 1",
        "f[i] = a[w]", "if t:\n    f[i] = 2", "s += w", "pass",
    )  # fmt: skip
    lines = body.split("\n") + used.split("\n")
    if w.dice.random() < 0.15:
        lines = used.split("\n") + body.split("\n")
    if w.dice.random() < 0.1:
        array = w.pick("f", "b", "a")
        before = w.pick("i - 1", "i - 1", "i + 1", "0")
        asked = w.pick(f"np.isnan({array}[i])", f"{array}[i] > 1", f"not {array}[i]", test)
        lines = [f"if {asked}:", f"    {array}[i] = {array}[{before}]"]
    begin = w.pick("0", "0", "-1", "1", "np.nan", "0.0", "a[0]", "False", "None", "-np.inf", "300")
    places = w.pick("0", "0", "-1", "1", "d", "n")
    state = w.pick("False", "0", "True", "1", "0.0")
    head = f"for i in {w.pick(*_ANY, 'range(len(a))')}:"
    made = [f"y, w = {begin}, {places}", f"t = {state}"]
    if "q.append" in used:
        return [*made, "q = []", head, *(f"    {one}" for one in lines), "return np.array(q), f, w"]
    return [*made, head, *(f"    {one}" for one in lines)]


def closures(w: ModuleWriter) -> list[str]:
    """Paths through one place after the other, also where that shortens those to itself."""
    first, second = w.dice.sample(["c[i, k]", "c[k, j]"], 2)
    step = w.pick(
        f"c[i, j] = min(c[i, j], {first} + {second})",
        f"c[i, j] = min(c[i, j], {first} + {second})",
        f"if {first} + {second} < c[i, j]:\n    c[i, j] = {first} + {second}",
        f"z = {first} + {second}\nif c[i, j] > z:\n    c[i, j] = z",
        f"c[i, j] = max(c[i, j], min({first}, {second}))",
        f"c[i, j] = min({first} + {second}, c[i, j])",
        f"c[i, j] = max(c[i, j], {first} + {second})",
        f"if {first} + {second} <= c[i, j]:\n    c[i, j] = {first} + {second}",
        f"c[i, j] |= {first} & {second}",
        f"if {first} and {second}:\n    c[i, j] = True",
        f"c[i, j] = c[i, j] or ({first} and {second})",
        f"c[i, j] = np.minimum(c[i, j], {first} + {second})",
        "c[i, j] = min(c[i, j], c[i, k] + c[j, k])",
    )
    lead = w.pick("", "", "c[k, k] = 0\n", "c[k, k] = np.inf\n", "c[k, k] = 2\n")
    outer, inner = w.pick("n|n", "n|n", "n|len(c)", "m|n", "-1, n|n", "n|-2, n").split("|")
    lines = [f"for k in range({outer}):", *_inside(lead.rstrip("\n"))] if lead else []
    lines = lines or [f"for k in range({outer}):"]
    lines.append(f"    for i in range({inner}):")
    if w.dice.random() < 0.2:
        lines += ["        u = c[i, k]"]
        step = step.replace("c[i, k]", "u")
    lines += [f"        for j in range({w.pick('n', 'n', inner)}):"]
    return [*lines, *(f"            {line}" for line in step.split("\n")), "return a, c"]


def ordered_windows(w: ModuleWriter) -> list[str]:
    """Elements of windows and patches at a place of their order."""
    x, at = w.pick("a", "b", "f", "p", "e"), w.pick("0", "1", "1", "2", "-1", "-2", "3", "4")
    part = w.pick(
        f"{x}[i - 1:i + 2]", f"{x}[i:i + 3]", f"{x}[i - 2:i + 3]", f"{x}[i:i + m]", "c[i, 0:3]",
        "c[i - 1:i + 2, i - 1:i + 2].ravel()", "c[i:i + 2, 0:2].flatten()", f"{x}[i - 1:i + 2] * 2",
        "c[i]", f"[{x}[i], {x}[i - 1], 2]", "a[i - 1:i + 2] - b[i - 1:i + 2]",
    )  # fmt: skip
    kind = w.pick("sorted", "np.sort", "np.sort")
    out = w.pick("f", "f", "b", "a")
    body = w.pick(
        f"{out}[i] = {kind}({part})[{at}]",
        f"z = {kind}({part})\n{out}[i] = z[{at}]",
        f"z = {kind}({part})\n{out}[i] = (z[0] + z[{at}]) / 2",
        f"y += {kind}({part})[{at}]",
        f"q.append({kind}({part})[{at}])",
        f"if {w.test(['i'])}:\n    {out}[i] = {kind}({part})[{at}] - y",
        f"z = {kind}({part})\n{x}[i] = 1\n{out}[i] = z[{at}]",
        f"z = ({part}).copy()\nz.sort()\n{out}[i] = z[{at}]",
        f"z = ({part}){w.pick('', '.flatten()', '.copy()')}\nz.sort()\n{out}[i] = z[{at}] + z[0]",
    )
    begin = w.pick("a[0] = np.nan", "pass", "pass", "f[1] = np.nan", "b[:] = b[::-1].copy()")
    head = w.pick("range(1, n - 1)", "range(2, n - 2)", "range(n - 2)", "range(n)", "range(1, n)")
    after = "t = np.array(q)" if "q." in body else "pass"
    return [begin, "q = []", f"for i in {head}:", *_inside(body), after]


def afterwards(w: ModuleWriter) -> list[str]:
    """Numbers that a loop leaves, and operations on whole arrays with them."""
    heads = ("for i in range(n)|i", "for v in a|v", "for i, v in enumerate(f)|iv",
             "for u, v in zip(a, b)|uv", "for i in range(1, len(b))|i")  # fmt: skip
    head, names = w.pick(*heads).split("|")
    one = _of_items(w, names)
    body = w.pick(
        f"y += {one}",
        f"t = {one}",
        f"y += {one}\nt = {one}",
        f"y = max(y, {one})",
        f"if {one} {_signs(w)} d:\n    t = {one}",
        f"if {one} {_signs(w)} y:\n    y = {one}",
        f"y *= {one}",
    )
    used = w.pick(
        "f[:] = np.abs(f) * y",
        "return np.where(a > 1, a, 2) * y, f, t",
        "z = np.sqrt(np.abs(b)) + t\nreturn z - y, z.sum()",
        "b = b * t\nf[0:2] = y\nreturn b, f, y",
        "z = np.zeros(4)\nz += y\nreturn z * t, f",
        "return np.clip(a, 0, 2) - t, np.abs(a).max() > 1",
        "z = np.stack([a, a * 2])\nz[0] = t\nreturn z",
    )
    made = [f"y = {w.pick('0.0', '0', '1.5', 'a[0]')}", f"t = {w.pick('0', '2.0', '-1')}"]
    return [*made, f"{head}:", *_inside(body), *used.split("\n")]


def over_parts(w: ModuleWriter) -> list[str]:
    """Loops over parts with bounds that are worked out, and over rows that are used as a whole."""
    low = w.pick("i", "i - 1", "max(0, i - m)", "p[i]", "i * m", "d", "-m", "i if i > d else m", "")
    high = w.pick("i + m", "i + 2", "p[i]", "n", "-d", "min(i + 2, n)", "m if i > 1 else n", "")
    x, out = w.pick("a", "b", "f", "p"), w.pick("f", "f", "a", "b")
    if w.dice.random() < 0.55:
        one = _of(w, "i")
        head = w.pick(
            f"for v in {x}[{low}:{high}]:", f"for j, v in enumerate({x}[{low}:{high}]):",
            f"for j in range({low or '0'}, {high or 'm'}):\n    v = j",
        )  # fmt: skip
        j = "j" if " j" in head else "2"
        step = w.pick(
            f"y += v * {j}", f"y = max(y, v) + {j}", f"if v > {one}:\n    w += {j}",
            "if v == 2:\n    break\ny += v", f"y += v\nv = {j}\ns += v",
        )  # fmt: skip
        begin = w.pick("y = 0.0", "y = 0.0\nw = 0", "y = a[i]", "y = 0")
        used = w.pick(f"{out}[i] = y", f"{out}[i] = y - w", f"{out}[i] += y")
        body = "\n".join([begin, head, *_inside(step), used])
        return ["w = s = 0", f"for i in {w.pick(*_ANY)}:", *_inside(body)]
    heads = (
        "for i, r in enumerate(c)|i", "for i, (r, v) in enumerate(zip(c, a))|i", "for r in c|t",
        "for r, v in zip(c, b)|t", "for i, (r, q) in enumerate(zip(c, c[1:]))|i",
    )  # fmt: skip
    head, i = w.pick(*heads).split("|")
    other = "v" if "v" in head else "q[0]" if "q" in head else "2"
    body = w.pick(
        f"{out}[{i}] = np.sum(r) * {other}",
        f"{out}[{i}] = r.max() - {other}",
        f"{out}[{i}] = np.dot(r, c[0]) + {other}",
        "r -= r.mean()",
        "r /= np.sqrt((r * r).sum())",
        f"z = (r - np.mean(r)) * {other}\n{out}[{i}] = z.max()",
        f"c[{i}] = r * {other}",
        "r[:] = r / 2",
        f"r[0] = {other}\n{out}[{i}] = np.sum(r)",
        f"y += np.sum(r * {other})",
        f"u = r * {other}\nu += r\n{out}[{i}] = np.max(u)",
    )
    counted = ["    t += 1"] if i == "t" else []
    return ["t = 0", f"{head}:", *_inside(body), *counted]


def around(w: ModuleWriter) -> list[str]:
    """Stores at places that go around a period, or are moved by elements of an array."""
    size = w.pick("n", "n", "m", "len(a)", "d + 2", "3")
    by = w.pick("m", "d", "p[j]", "p[j]", "2 * p[j]", "-p[j]", "p[i]", "p[m]", "n", "p[j] - m", "j")
    first = w.pick("i", "i", "i", "j", "2 * i", "i - 1", "n - i")
    place = w.pick(f"({first} + {by}) % {size}", f"({first} + {by}) % {size}", f"{first} + {by}",
                   f"({by} - {first}) % {size}", f"({first} + {by} + {size}) % {size}")  # fmt: skip
    named = w.dice.random() < 0.4
    lead = f"k = {place}\n" if named else ""
    if named and w.dice.random() < 0.3:
        lead += w.pick("k += 1\n", "if j > 1:\n    k = j\n", "k = k\n", "k = (k + i) % n\n")
    place = "k" if named else place
    one = _of(w, "i", "j")
    body = lead + w.pick(
        f"c[{place}, j] = {one}",
        f"c[j, {place}] = {one}",
        f"c[{place}, (j + 1) % n] = {one}",
        f"f[{place}] = {one}",
        f"c[{place}, j] += {one}",
        f"e[{place}] = c[i, j]",
        f"c[{place}, j] = {one}\np[j] = i",
        f"c[{place}, j] = {one}\nk = i + 1",
        f"c[{place}, j] = c[i, j] + {one}",
        f"f[{place}] = {one}\nf[i] = 2",
    )
    if w.dice.random() < 0.3:
        body = body.replace("j", "i") if w.dice.random() < 0.5 else body.replace("j", "0")
        return ["k = 0", f"for i in range({w.pick('n', 'm', '1, n')}):", *_inside(body)]
    heads = (
        f"for i in range({w.pick('n', 'm', size)}):",
        f"for j in range({w.pick('n', 'm', '2')}):",
    )
    outer, inner = heads if w.dice.random() < 0.6 else heads[::-1]
    return ["k = 0", outer, f"    {inner}", *_inside("\n".join(_inside(body)))]


SHAPES: tuple[Shape, ...] = (
    packing, running, extremes, places, repeated, whiles, collected, scattered, rows,
    inner_functions, zipped, grids, bodies, bodies, windows, tables,
    nones, listed, latest, closures, ordered_windows, afterwards, records, over_parts,
    around, products, products,
)  # fmt: skip


def shaped(w: ModuleWriter) -> str:
    """One loop, its line breaks included, in a function's body."""
    lines = "\n".join(w.dice.choice(SHAPES)(w)).split("\n")
    return "".join(f"    {line}\n" for line in lines)

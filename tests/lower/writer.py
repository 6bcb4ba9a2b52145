"""Writes random programs: control flow in every nesting, names that are bound or not, closures."""

from __future__ import annotations

import random

NAMES = "abcd"
HEAD = """\
import contextlib
LOG = []
def clip(v):
    return max(-9, min(9, v)) if isinstance(v, int) else v
def say(v):
    LOG.append(v)
    return v
class Quiet:
    def __init__(self, *kinds): self.kinds = kinds
    def __enter__(self): return 1
    def __exit__(self, kind, error, trace): return kind is not None and issubclass(kind, self.kinds)
class Loud(Quiet):
    def __exit__(self, *how): LOG.append('exit')
class Box:
    def __init__(self): self.v, self.items = 0, [0, 1, 2]
"""
TAIL = """\
for x in (-1, 0, 2):
    for y in (0, 1):
        LOG.clear()
        try:
            r = f(x, y)
            r = list(r) if hasattr(r, '__next__') else r
        except Exception as e:
            # whether a comprehension is a frame of its own depends on the version of Python
            r = 'unbound' if isinstance(e, NameError) else (type(e).__name__, str(e))
        print(r, LOG)
"""


class Writer:
    """Writes one program; the same seed writes the same."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.generator = self.random.random() < 0.2
        self.at_top = self.random.random() < 0.15
        self.count = 0

    def program(self) -> str:
        """The text of the program."""
        if self.at_top:
            body = self.block(3, loops=False, pad="", home="module")
            start = ["a, b, c, box = 2, 1, 0, Box()", "fuel = 30"]
            shown = "print([globals().get(n, 'none') for n in 'abcdi'], LOG)"
            if self.random.random() < 0.7:  # without reflection names at the top are values
                shown = "\n".join(
                    f"try: print({n})\nexcept NameError: print('none')" for n in "abcdi"
                )
            wrapped = [
                "try:",
                *[f"    {line}" for line in body],
                "except Exception as e:",
                "    print('NameError' if isinstance(e, NameError) else type(e).__name__)",
            ]
            inner = body if self.random.random() < 0.5 else wrapped
            return "\n".join([HEAD, *start, *inner, shown, "print(LOG)"])
        body = self.block(4, loops=False, pad="    ", home="function")
        lines = ["def f(a, b):", "    fuel = 30", "    box = Box()"]
        if self.random.random() < 0.75:  # else most of them end at a name without a value
            lines.append("    c, d, i = 3, 0, 1")
        lines += body
        lines.append("    return [n for n in (a, b, box.v, box.items)], LOG")
        if self.generator:
            lines.append("    yield")
        return "\n".join([HEAD, *lines, TAIL])

    # -- expressions

    def atom(self) -> str:
        """A name or a number."""
        draw = self.random
        return draw.choice([*"aabbcd", str(draw.randint(-3, 4)), "i", "box.v", "box.items[0]"])

    def expression(self, depth: int = 2) -> str:
        """A value."""
        draw = self.random
        if depth == 0:
            return self.atom()
        one, two = self.expression(depth - 1), self.atom()
        return draw.choice(
            [
                self.atom(),
                f"({one} {draw.choice('+-*')} {two})",
                f"({one} if {self.test()} else {two})",
                f"say({one})",
                f"({draw.choice(NAMES)} := clip({one}))",
                f"({one} {draw.choice(['and', 'or'])} {two})",
                f"sum([{one} for {draw.choice('ijk')} in range({draw.randint(0, 3)})])",
                f"len([(p, q) for p in range(3) if {self.test()} for q in range(p)])",
                f"max((v + {two} for v in (1, 2)), default={one})",
                f"(lambda a=1, *r: a + {draw.choice(NAMES)})({one})",
                f"{{k: {two} for k in range(2)}}[1]",
                f"next((v for v in (1, 2, 3) if v > {two}), {one})",
                f"int(f'{{{two}}}')",
                "box.items[-1]",
            ]
        )

    def test(self) -> str:
        """A condition."""
        draw = self.random
        name = draw.choice(NAMES[:3])
        return draw.choice(
            [
                f"{name} > {draw.randint(-2, 3)}",
                f"{name} % 2 == 0",
                f"{draw.randint(-3, 0)} < {name} <= 3",
                "a and b",
                f"not {name}",
                f"say({name}) < say(1) < say({draw.randint(0, 3)})",
            ]
        )

    # -- statements

    def block(self, depth: int, *, loops: bool, pad: str, home: str) -> list[str]:
        """Some statements."""
        lines: list[str] = []
        simple = ["set", "set", "add", "pair", "leave", "log", "del", "star", "item", "raise"]
        nested = ["if", "if", "for", "for", "while", "try", "try", "with", "match", "def", "class"]
        for _ in range(self.random.randint(1, 3)):
            kind = self.random.choice(simple + nested if depth else simple)
            lines += getattr(self, f"do_{kind}")(depth - 1, loops, pad, home)
        return lines or [f"{pad}pass"]

    def inner(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        """A block inside."""
        return self.block(depth, loops=loops, pad=pad + "    ", home=home)

    def do_set(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        return [f"{pad}{self.random.choice(NAMES)} = clip({self.expression()})"]

    def do_add(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        target = self.random.choice([*NAMES, "box.v", "box.items[0]"])
        return [f"{pad}{target} {self.random.choice('+-')}= {self.expression(1)}"]

    def do_pair(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        one, two = self.random.choice(NAMES), self.random.choice([*NAMES, "box.v"])
        return [f"{pad}{one}, {two} = {two}, {one}"]

    def do_log(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        if self.generator and home == "function" and self.random.random() < 0.5:
            return [f"{pad}yield {self.expression()}"]
        return [f"{pad}say(({self.expression()}, {self.random.choice(NAMES)}))"]

    def do_del(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        return [f"{pad}del {self.random.choice('bcd')}"] if self.random.random() < 0.4 else []

    def do_star(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        one, two = self.random.choice(NAMES), self.random.choice("efgh")
        return [f"{pad}{one}, *{two} = [{self.atom()}, *box.items]"]

    def do_item(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        value = self.expression(1)
        return [f"{pad}{self.random.choice(['box.items[-1]', 'box.v'])} = clip({value})"]

    def do_raise(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        if self.random.random() < 0.7:
            return []
        kind = self.random.choice(["ValueError", "KeyError"])
        return [f"{pad}raise {kind}({self.random.randint(0, 9)})"]

    def do_leave(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        if self.random.random() < 0.5:
            return []
        if loops:
            return [pad + self.random.choice(["break", "continue"])]
        return [f"{pad}return a, b, LOG"] if home == "function" else []

    def do_if(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        lines = [f"{pad}if {self.test()}:", *self.inner(depth, loops, pad, home)]
        if self.random.random() < 0.3:
            lines += [f"{pad}elif {self.test()}:", *self.inner(depth, loops, pad, home)]
        if self.random.random() < 0.6:
            lines += [f"{pad}else:", *self.inner(depth, loops, pad, home)]
        return lines

    def do_for(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        number = self.random.randint(0, 4)
        head = self.random.choice(
            [
                f"i in range({number})",
                "i, c in enumerate(box.items)",
                "c, d in zip(range(3), box.items, strict=False)",
                f"i in reversed(range({number}))",
                "i in (v for v in (1, 2, 3) if v != a)",
                "c in map(clip, box.items)",
                f"d in [clip(k) for k in range({number})]",
                "box.v in range(2)",
                "box.items[0] in (4, 5)",
            ]
        )
        lines = [f"{pad}for {head}:", *self.inner(depth, True, pad, home)]
        if self.random.random() < 0.3:
            lines += [f"{pad}else:", *self.inner(depth, loops, pad, home)]
        return lines

    def do_while(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        test = f"(fuel := fuel - 1) > 0 and {self.test()}"
        lines = [f"{pad}while {test}:", *self.inner(depth, True, pad, home)]
        if self.random.random() < 0.2:
            lines += [f"{pad}else:", *self.inner(depth, loops, pad, home)]
        if self.random.random() < 0.2:
            guard = [f"{pad}    fuel -= 1", f"{pad}    if fuel < 0: break"]
            lines = [f"{pad}while True:", *guard, *self.inner(depth, True, pad, home)]
        return lines

    def do_try(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        draw = self.random
        lines = [f"{pad}try:", *self.inner(depth, loops, pad, home)]
        if draw.random() < 0.7:
            lines.append(f"{pad}    a = 7 // {draw.choice('abc')}")
        name = draw.choice(["", "", " as e", " as d"])
        handled = draw.random() < 0.8
        if handled:
            kind = draw.choice(["ZeroDivisionError", "(ZeroDivisionError, NameError)", "Exception"])
            lines += [f"{pad}except {kind}{name}:", *self.inner(depth, loops, pad, home)]
            if draw.random() < 0.3:
                lines.append(f"{pad}    {draw.choice(['raise', 'pass'])}")
            if draw.random() < 0.3:
                lines += [f"{pad}else:", *self.inner(depth, loops, pad, home)]
        if not handled or draw.random() < 0.4:
            lines += [f"{pad}finally:", f"{pad}    say('finally')"]
            lines += self.inner(0, False, pad, "") if draw.random() < 0.5 else []
        return lines

    def do_with(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        manager = self.random.choice(
            [
                "Quiet(ZeroDivisionError, NameError)",
                "Quiet(Exception) as c",
                "Loud() as b",
                "contextlib.nullcontext(3) as d",
                "Quiet(ValueError), Loud() as (c)",
            ]
        )
        lines = [f"{pad}with {manager}:", *self.inner(depth, loops, pad, home)]
        if self.random.random() < 0.5:
            lines.append(f"{pad}    c = 7 // {self.random.choice('abc')}")
        return lines

    def do_match(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        draw = self.random
        subject = draw.choice(["a", "(a, b)", "box.items", "{'k': a}"])
        lines = [f"{pad}match {subject}:"]
        cases = [
            "0 | 1",
            "int(c) if c > 1",
            "(c, d)",
            "[d, *c]",
            "{'k': 2 as c}",
            f"{{'k': d}} if {self.test()}",
            "-1",
        ]
        for case in draw.sample(cases, 3):
            lines += [f"{pad}    case {case}:", *self.inner(depth, loops, pad + "    ", home)]
        if draw.random() < 0.4:
            lines += [f"{pad}    case c:", *self.inner(depth, loops, pad + "    ", home)]
        return lines

    def do_def(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        self.count += 1
        name = f"inner{self.count}"
        shared = self.random.choice("abc")
        how = "global" if home == "module" else "nonlocal"
        lines = [f"{pad}def {name}(d={self.atom()}):"]
        if self.random.random() < 0.5 and home in ("function", "module"):
            lines.append(f"{pad}    {how} {shared}")
        lines.append(f"{pad}    fuel, i = 9, 0")
        if home != "module":
            lines.append(f"{pad}    say({shared})")
        lines += self.inner(min(depth, 1), False, pad, "nested")
        lines.append(f"{pad}    return d")
        if home == "function" and "nonlocal" in lines[1] and shared not in "ab":
            lines.insert(0, f"{pad}{shared} = 1")
        return [*lines, f"{pad}say({name}())", f"{pad}{name}(2)"]

    def do_class(self, depth: int, loops: bool, pad: str, home: str) -> list[str]:
        self.count += 1
        name = f"Class{self.count}"
        return [
            f"{pad}class {name}(Box):",
            f"{pad}    w = clip({self.expression(1)})",
            f"{pad}    __p = [w, 1]",
            f"{pad}    for a in range(2):",
            f"{pad}        w = w, a",
            f"{pad}    def __init__(self): super().__init__(); self.q = {self.expression(1)}",
            f"{pad}    def get(self): return self.q, self.w, self.__p, {self.random.choice(NAMES)}",
            f"{pad}say({name}().get())",
        ]

"""Random loop nests for the soundness of loop plans: generate, plan, run in both ways, compare."""

from __future__ import annotations

import ast
import copy
import random
import warnings
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gpuport.loops.context.scalars import live_after, outermost_loops
from gpuport.loops.facts import ArrayFact, LoopNest, ModuleFact, ScalarFact
from gpuport.loops.planning.planner import plans
from gpuport.loops.records import LoopPlan, Refusal
from gpuport.loops.sets.budgets import ANALYSIS_FAILED
from loop_orders import RETURNED, OutOfRange, carry_out, guards_hold

HEAD = "def program(a, b, c, p, e, n, m, d):\n"


@dataclass
class Writer:
    """Writes one random function.

    Attributes
    ----------
    dice : random.Random
    scalars : list of str
        Names that are surely bound where the next statement stands.
    counters : int
        Counting loops so far.
    """

    dice: random.Random
    scalars: list[str] = field(default_factory=list)
    counters: int = 0

    def pick(self, *choices: str) -> str:
        """One of the texts."""
        return self.dice.choice(choices)

    def index(self, loops: list[str]) -> str:
        """A subscript of one axis."""
        v = self.dice.choice(loops) if loops else "0"
        r = self.dice.random()
        if r < 0.4:
            return v
        if r < 0.9:
            return self.pick(
                f"{v} - 1", f"{v} + 1", f"2 * {v}", f"2 * {v} + 1", f"n - 1 - {v}", f"-1 - {v}",
                f"{v} // 2", f"{v} % 3", f"({v} + 1) % n", f"({v} - 1) % n", f"{v} + d", f"{v} - 2",
                f"min({v}, 2)", f"max({v} - 1, 0)", f"abs({v} - 2)", f"{v} + m", f"-{v}",
                f"({v} + m) % 4", f"{v} + n // 2", f"p[{v}] % n",
            )  # fmt: skip
        if r < 0.95 and len(loops) > 1:
            return " + ".join(self.dice.sample(loops, 2))
        if r < 0.97:
            return f"p[{v}]"
        if r < 0.985 and self.scalars:
            return self.dice.choice(self.scalars)
        return str(self.dice.randrange(-2, 3))

    def element(self, loops: list[str]) -> str:
        """A subscripted array."""
        array = self.pick("a", "a", "b", "b", "c", "a", "b", "c", "e")
        if array == "e":
            if self.dice.random() < 0.3 and self.scalars:
                return f"e[{self.dice.choice(self.scalars)}]"
            row, column = self.dice.choice(loops or ["d"]), self.dice.choice(loops or ["d"])
            return f"e[{row} * {self.pick('m', 'm', 'n')} + {column}]"
        if array == "c":
            form = self.pick("c[{}, {}]", "c[{}, {}]", "c[{}, {}]", "c[{}][{}]")
            return form.format(self.index(loops), self.index(loops))
        return f"{array}[{self.index(loops)}]"

    def value(self, loops: list[str]) -> str:
        """A whole-number expression."""
        r = self.dice.random()
        if r < 0.5:
            return self.element(loops)
        if r < 0.62 and self.scalars:
            return self.dice.choice(self.scalars)
        if r < 0.75:
            return self.dice.choice(loops) if loops else "1"
        if r < 0.9:
            left, right = self.value(loops), self.value(loops)
            return self.pick(f"{left} + {right}", f"{left} - {right}", f"3 * {left}")
        if r < 0.95:
            yes, no = self.value(loops), self.value(loops)
            return f"({yes} if {self.test(loops)} else {no})"
        return str(self.dice.randrange(5))

    def test(self, loops: list[str]) -> str:
        """A condition."""
        v = self.dice.choice(loops) if loops else "n"
        r = self.dice.random()
        if r < 0.5:
            sign = self.pick("<", ">", "==", "!=", "<=", ">=")
            return f"{v} {sign} {self.pick('1', '2', 'n - 2', 'm', 'd', *loops)}"
        if r < 0.6:
            return f"{v} % 2 == {self.pick('0', '1')}"
        if r < 0.7:
            return f"0 < {v} < {self.pick('3', 'n - 1')}"
        if r < 0.8:
            return f"{self.test(loops)} {self.pick('and', 'or')} {self.test(loops)}"
        return f"{self.value(loops)} > 3"

    def head(self, depth: int, loops: list[str], indent: str) -> tuple[str, list[str], list[str]]:
        """A loop's head, the whole numbers and the other names that it binds."""
        v = "ijk"[depth]
        outer = self.dice.choice(loops) if loops else "d"
        r = self.dice.random()
        if r < 0.62:
            bounds = self.pick(
                "n", "n", "n - 1", "1, n - 1", "1, n", "n - 1, -1, -1", "0, n, 2", "m", "m, n",
                "n - 2, 0, -2", "len(a)", "c.shape[1]", "n // 2", "2, n + d", "0, n - 1, 3", "3",
            )  # fmt: skip
            if loops and self.dice.random() < 0.5:
                bounds = self.pick(
                    f"{outer}", f"{outer}, n", f"{outer} + 1, n", f"1 + {outer} % 2, n, 2",
                    f"{outer}, -1, -1", f"min({outer} + 2, n)", f"max(0, {outer} - 1), n",
                )  # fmt: skip
            return f"{indent}for {v} in range({bounds}):\n", [v], []
        if r < 0.7:
            source = self.pick("a", "b", "p", "a[1:]")
            return f"{indent}for {v}, {v}v in enumerate({source}):\n", [v], [f"{v}v"]
        if r < 0.75:
            names = [f"{v}x", f"{v}y"]
            sources = self.pick("a, b", "b, p", "a[:-1], a[1:]", "p, range(n)")
            return f"{indent}for {v}x, {v}y in zip({sources}):\n", [], names
        if r < 0.8:
            return f"{indent}for {v}v in {self.pick('a', 'b', 'p')}:\n", [], [f"{v}v"]
        if r < 0.84:
            return (
                f"{indent}for {v}r in c:\n{indent}    {v}v = {v}r[{self.pick('0', '1', '-1')}]\n",
                [],
                [f"{v}v"],
            )
        if r < 0.88:
            return f"{indent}for {v}, {v}2 in np.ndindex(c.shape):\n", [v, f"{v}2"], []
        if r < 0.91:
            return f"{indent}for {v} in (0, 1):\n", [v], []
        if r < 0.93:
            return f"{indent}for {v} in reversed(range({self.pick('n', '1, n')})):\n", [v], []
        return "", [v], []

    def loop(self, depth: int, loops: list[str], indent: str) -> str:
        """A loop with its body."""
        known = list(self.scalars)
        head, wholes, others = self.head(depth, loops, indent)
        v = "ijk"[depth]
        if not head:
            start, stop = self.pick("0", "1"), self.pick("n", "n - 1", "m")
            text = f"{indent}{v} = {start}\n{indent}while {v} < {stop}:\n"
            text += self.block(depth, [*loops, v], indent + "    ", plain=True)
            text += f"{indent}    {v} += {self.pick('1', '1', '2')}\n"
        else:
            self.scalars += others
            if not wholes:
                text = head + self.block(depth, loops or ["d"], indent + "    ")
            else:
                text = head + self.block(depth, [*loops, *wholes], indent + "    ")
        self.scalars = known
        return text

    def block(self, depth: int, loops: list[str], indent: str, plain: bool = False) -> str:
        """Statements of a loop's body."""
        known = list(self.scalars)
        text = ""
        perfect = depth < 2 and self.dice.random() < 0.35
        if perfect and not plain:
            lead = f"{indent}x = {self.value(loops)}\n" if self.dice.random() < 0.3 else ""
            if lead:
                self.scalars.append("x")
            text = lead + self.loop(depth + 1, loops, indent)
        else:
            for _ in range(self.dice.randrange(1, 4)):
                text += self.statement(depth, loops, indent, plain)
        self.scalars = known
        return text

    def statement(self, depth: int, loops: list[str], indent: str, plain: bool) -> str:
        """One statement, its line breaks included."""
        r = self.dice.random()
        if r < 0.3:
            return f"{indent}{self.element(loops)} = {self.value(loops)}\n"
        if r < 0.4:
            sign = self.pick("+", "+", "-", "*")
            return f"{indent}{self.element(loops)} {sign}= {self.value(loops)}\n"
        if r < 0.52:
            name = self.pick("t", "u")
            value = self.value(loops)
            if len(loops) > 1 and self.dice.random() < 0.2:
                value = f"{loops[0]} * m + {loops[-1]}"
            text = f"{indent}{name} = {value}\n"
            self.scalars.append(name)
            return text
        if r < 0.57:
            left, right = self.element(loops), self.element(loops)
            return f"{indent}{left}, {right} = {self.value(loops)}, {self.value(loops)}\n"
        if r < 0.66:
            return self.carrying(loops, indent)
        if r < 0.82:
            text = f"{indent}if {self.test(loops)}:\n"
            known = list(self.scalars)
            text += self.statement(depth, loops, indent + "    ", plain)
            if self.dice.random() < 0.2 and not plain:
                text += f"{indent}    {self.pick('continue', 'break')}\n"
            self.scalars = known
            if self.dice.random() < 0.4:
                text += f"{indent}else:\n"
                text += self.statement(depth, loops, indent + "    ", plain)
                self.scalars = known
            return text
        if depth < 2:
            return self.loop(depth + 1, loops, indent)
        if r < 0.9:
            # A name of its own for each, or an inner one would set the outer one back for ever.
            self.counters += 1
            q = f"q{self.counters}"
            text = f"{indent}{q} = {self.pick('0', '3', self.value(loops))}\n"
            text += f"{indent}while {q} < {self.pick('4', 'n')}:\n"
            text += f"{indent}    {q} = {q} + {self.pick('1', '2')}\n"
            self.scalars.append(q)
            return text + self.statement(2, loops, indent + "    ", plain=True)
        return f"{indent}{self.element(loops)} = {self.value(loops)}\n"

    def carrying(self, loops: list[str], indent: str) -> str:
        """A number that passes from one iteration to the next."""
        value = self.value(loops)
        return self.pick(
            f"{indent}s += {value}\n",
            f"{indent}s = s + {value}\n",
            f"{indent}s -= {value}\n",
            f"{indent}s = max(s, {value})\n",
            f"{indent}if {value} > s:\n{indent}    s = {value}\n",
            f"{indent}if {value} > s:\n{indent}    s = {value}\n{indent}    w = {loops[-1]}\n",
            f"{indent}if {value} <= s:\n{indent}    s = {value}\n{indent}    w = {loops[-1]}\n",
            f"{indent}if {self.test(loops)}:\n{indent}    w = 7\n",
            f"{indent}w += 1\n",
            f"{indent}e[w] = {value}\n{indent}w += 1\n",
            f"{indent}w += {self.pick('1', '2')}\n{indent}b[w] = {value}\n",
            f"{indent}b[w] = {value}\n{indent}w += 1\n",
            f"{indent}s += {value}\n{indent}b[{loops[-1]}] = s\n",
            f"{indent}s = max(s, {value})\n{indent}b[{loops[-1]}] = s\n",
            f"{indent}b[{loops[-1]}] = b[{loops[-1]} - 1] + {value}\n",
        )

    def program(self) -> str:
        """A whole function."""
        text = HEAD + "    s = 0\n    w = 0\n    t = 1\n"
        self.scalars = ["s", "d"] if self.dice.random() < 0.1 else ["d"]
        for _ in range(self.dice.choice((1, 1, 2))):
            text += self.loop(0, [], "    ")
        names = [name for name in ("s", "w", "t", "i", "k") if self.dice.random() < 0.25]
        return text + f"    return s, w, {', '.join(names) or 't'}\n"


def inputs(dice: random.Random) -> dict[str, Any]:
    """Arguments: small whole numbers, sizes that do not always fit."""
    n = dice.choice([0, 1, 2, 5, 6, 7, 9])
    m = dice.choice([0, 1, 3, 4, n])
    extra = dice.choice([0, 0, 1, 3, n + 2])
    rng = np.random.default_rng(dice.randrange(2**32))
    rows, columns = n + dice.choice([0, 0, extra]), n + dice.choice([0, 0, extra])
    low = dice.choice([0, 0, -n])
    values: dict[str, Any] = {
        "a": rng.integers(0, 9, n + extra),
        "b": rng.integers(0, 9, n + dice.choice([0, extra])),
        "c": rng.integers(0, 9, (rows, columns)),
        "p": rng.integers(low, max(n, low + 1), n + dice.choice([0, extra])),
        "e": rng.integers(0, 9, max(n, m) * m + dice.choice([0, 0, extra])),
        "n": n,
        "m": m,
        "d": dice.choice([-1, 0, 1, 2]),
    }
    if dice.random() < 0.1:
        values["b"] = dice.choice([values["a"], values["a"][1:], values["a"][::-1]])
    return values


def facts(dice: random.Random) -> dict[str, Any]:
    """What the planner is told: more or less of the truth."""
    told: dict[str, Any] = {"np": ModuleFact("numpy")}
    full = dice.random() < 0.5
    for name, rank in (("a", 1), ("b", 1), ("c", 2), ("p", 1), ("e", 1)):
        told[name] = ArrayFact("int64", rank) if full else ArrayFact()
    if full:
        told |= {name: ScalarFact("int") for name in "nmd"}
    return told


def overlaps(plan: LoopPlan, values: dict[str, Any]) -> bool:
    """What a kernel asks of the arrays at run time."""
    arrays = plan.reads | plan.writes
    return any(
        np.shares_memory(values[one], values[two])
        for one in plan.writes
        for two in arrays
        if one != two
    )


@dataclass
class Outcome:
    """What became of one program.

    Attributes
    ----------
    text : str
    planned, ran : bool
        A plan was made; it was carried out at least once.
    failed : bool
        isl failed at one of the loops.
    wrong : str or None
        How the plan's result differs from the loop's.
    code : str
        The first refusal's code.
    """

    text: str
    planned: bool = False
    ran: bool = False
    failed: bool = False
    wrong: str | None = None
    code: str = ""


def attempt(text: str, dice: random.Random, runs: int = 4) -> Outcome:
    """Plan a function's loops, one at a time, and run it with each plan in the loop's place."""
    tree = ast.parse(text)
    function = tree.body[0]
    assert isinstance(function, ast.FunctionDef)
    outcome = Outcome(text)
    told = facts(dice)
    for node in outermost_loops(function):
        known = dict(told)
        found = plans(LoopNest(node, function, known, live_after(function, node)))
        for one in found:
            if isinstance(one, Refusal):
                outcome.code = outcome.code or one.code
                outcome.failed = outcome.failed or ANALYSIS_FAILED in one.message
                continue
            outcome.planned = True
            for _ in range(runs):
                compare(outcome, tree, one, inputs(dice), dice)
    return outcome


def compare(
    outcome: Outcome, tree: ast.Module, plan: LoopPlan, values: dict[str, Any], dice: random.Random
) -> None:
    """Run the function as it is and with the plan carried out in the loop's place."""
    expected = _run(tree, None, copy.deepcopy(values), dice)
    found = _run(tree, plan, copy.deepcopy(values), dice)
    outcome.ran = outcome.ran or found[2] > 0
    if expected[0] != found[0]:
        shown = {k: v.tolist() if isinstance(v, np.ndarray) else v for k, v in values.items()}
        outcome.wrong = f"{shown}\nexpected {expected[0]}\nfound    {found[0]}\n{plan.guards}"


def _run(
    tree: ast.Module, plan: LoopPlan | None, values: dict[str, Any], dice: random.Random
) -> tuple[Any, Any, int]:
    launches = [0]

    def launch(local: dict[str, Any]) -> dict[str, Any] | None:
        """Names to bind, or None where the loop itself has to run."""
        assert plan is not None
        names = {"np": np, **local}
        if not guards_hold(plan, names) or overlaps(plan, local):
            return None
        before = {name: local[name].copy() for name in plan.writes}
        try:
            bound = carry_out(plan, names, dice)
        except OutOfRange:
            for name, old in before.items():
                local[name][...] = old
            return None
        launches[0] += 1
        return bound

    module = tree if plan is None else _with_launch(tree, plan)
    space: dict[str, Any] = {"np": np, "launch_": launch}
    exec(compile(module, "<program>", "exec"), space)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            result = tuple(int(x) for x in space["program"](**values))
    except (IndexError, ZeroDivisionError) as error:
        result = (type(error).__name__,)
    except NameError:
        return "unbound", None, launches[0]
    arrays = {k: v.tolist() for k, v in values.items() if isinstance(v, np.ndarray)}
    return (result, arrays), None, launches[0]


def _with_launch(tree: ast.Module, plan: LoopPlan) -> ast.Module:
    """The module with ``if launch: ... else: the loop`` in the region's place."""

    class Replace(ast.NodeTransformer):
        def visit(self, node: ast.AST) -> Any:
            if node is not plan.region:
                return self.generic_visit(copy.copy(node))
            text = "bound_ = launch_(dict(locals()))\nif bound_ is None:\n    pass\n"
            names = {a.variable for a in plan.accumulations} | {n for n, _ in plan.last_values}
            names |= {one.name for one in plan.workspaces if one.collected}
            names |= {one.variable for one in plan.latest}
            if plan.scan is not None:
                names.add(plan.scan.variable)
            if plan.tallies is not None:
                names.update(plan.tallies.variables)
            if plan.hit is not None:
                names |= {one.partition(" = ")[0] for one in plan.hit.lines if " = " in one}
            if names or plan.hit is not None:
                text += "else:\n"
            if plan.hit is not None:
                text += f"    if {RETURNED!r} in bound_:\n        return bound_[{RETURNED!r}]\n"
            for name in sorted(names):
                text += f"    if {name!r} in bound_:\n        {name} = bound_[{name!r}]\n"
            made = ast.parse(text).body
            test = made[1]
            assert isinstance(test, ast.If)
            test.body = [node]  # type: ignore[list-item]
            return made

        def generic_visit(self, node: ast.AST) -> ast.AST:
            for name, value in ast.iter_fields(node):
                if isinstance(value, list):
                    setattr(node, name, list(value))
            return super().generic_visit(node)

    module: ast.Module = Replace().visit(tree)
    return ast.fix_missing_locations(module)


def one(seed: int) -> Outcome:
    """Generate and try one program."""
    dice = random.Random(seed)
    return attempt(Writer(dice).program(), dice)

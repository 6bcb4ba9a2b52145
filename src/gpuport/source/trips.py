"""The loops around an expression, and how often they run it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from gpuport.records import Span
from gpuport.source.module import Module
from gpuport.source.syntax import children, walk

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
WITH_ITERABLE_FIRST = ("builtins.enumerate", "builtins.zip", "builtins.reversed")
_OF_MAPPINGS = ("items", "keys", "values")
_LONGEST = 40
_ASSUMED = 1000
"""Trips of a loop of which nobody knows how many they are, where loops are compared."""


@dataclass(frozen=True, slots=True)
class Trips:
    """One loop: ``count`` where it is written out, else ``text`` stands for it.

    ``while`` loops have no text but ``while`` and their line.
    """

    line: int
    text: str
    count: int | None = None


@dataclass(frozen=True, slots=True)
class Often:
    """How often something runs each time that its function does: ``count`` times ``factors``."""

    count: int = 1
    factors: tuple[str, ...] = ()
    depth: int = 0

    @staticmethod
    def of(loops: tuple[Trips, ...]) -> Often:
        """Product of the trips of nested loops."""
        count = 1
        for loop in loops:
            count *= loop.count if loop.count is not None else 1
        factors = tuple(sorted(loop.text for loop in loops if loop.count is None))
        return Often(count, factors, len(loops))

    @property
    def weight(self) -> int:
        """The same as one number, to compare places of a program by."""
        return self.count * int(_ASSUMED ** len(self.factors))

    def __str__(self) -> str:
        parts = [str(self.count)] if self.count != 1 or not self.factors else []
        return " x ".join([*parts, *self.factors])


def loops_around(function: ast.AST, module: Module) -> Loops:
    """The loops of a function, and those around each of its nodes."""
    loops = Loops(module)
    for child in ast.iter_child_nodes(function):
        loops.visit(child, ())
    return loops


@dataclass(slots=True, eq=False)
class Loops:
    """The loops of a function.

    Attributes
    ----------
    module : Module
    found : dict
        For each node in a loop, by id: the loops around it, the outermost first. What a loop goes
        through is evaluated once, before it: only ``while`` asks anew each time.
    bodies : list of tuple
        The place of each loop, and how often its body runs.
    """

    module: Module
    found: dict[int, tuple[Trips, ...]] = field(default_factory=dict)
    bodies: list[tuple[Span, Often]] = field(default_factory=list)

    def visit(self, node: ast.AST, loops: tuple[Trips, ...]) -> None:
        if loops:
            self.found[id(node)] = loops
        if isinstance(node, (ast.For, ast.AsyncFor)):
            self.visit(node.iter, loops)
            inside = (*loops, _trips(node.iter, self.module))
            self.bodies.append((self.module.span(node), Often.of(inside)))
            self._visit_all((node.target, *node.body), inside)
            self._visit_all(node.orelse, loops)
        elif isinstance(node, ast.While):
            line = self.module.line(node)
            inside = (*loops, Trips(line, f"(trips of the while on line {line})"))
            self.bodies.append((self.module.span(node), Often.of(inside)))
            self._visit_all((node.test, *node.body), inside)
            self._visit_all(node.orelse, loops)
        elif isinstance(node, _COMPREHENSIONS):
            self._comprehension(node, loops)
        else:
            for child in children(node):
                self.visit(child, loops)

    def _visit_all(self, nodes: Iterable[ast.AST], loops: tuple[Trips, ...]) -> None:
        for node in nodes:
            self.visit(node, loops)

    def _comprehension(self, node: ast.AST, loops: tuple[Trips, ...]) -> None:
        assert isinstance(node, _COMPREHENSIONS)
        for generator in node.generators:
            self.visit(generator.iter, loops)
            loops = (*loops, _trips(generator.iter, self.module))
            self._visit_all((generator.target, *generator.ifs), loops)
        self.bodies.append((self.module.span(node), Often.of(loops)))
        self._visit_all(
            [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt], loops
        )


def count_of(iterable: ast.expr) -> int | None:
    """How many things a display, or a range of written numbers, holds; None for all else."""
    if isinstance(iterable, (ast.List, ast.Tuple)):
        plain = not any(isinstance(e, ast.Starred) for e in iterable.elts)
        return len(iterable.elts) if plain else None
    if not isinstance(iterable, ast.Call) or getattr(iterable.func, "id", "") != "range":
        return None
    try:
        return len(range(*(ast.literal_eval(a) for a in iterable.args)))
    except (ValueError, TypeError, SyntaxError, OverflowError):
        return None


_FEW = 10
"""Things up to which a loop over them repeats so little that a line more costs the reader more."""


def is_short(iterable: ast.expr, listed: Mapping[str, int]) -> bool:
    """Whether a loop goes over few things that are written out.

    A short ``range`` is none of these: what an example runs ten times, others run for days.

    Parameters
    ----------
    iterable : ast.expr
    listed : mapping of str to int
        How many things the displays hold that names stand for, as `listed_in` tells.
    """
    if isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name):
        if iterable.func.id in ("enumerate", "zip", "reversed", "sorted"):
            return any(is_short(one, listed) for one in iterable.args)
    elif isinstance(iterable, ast.Call) and getattr(iterable.func, "attr", "") in _OF_MAPPINGS:
        return not iterable.args and is_short(iterable.func.value, listed)  # type: ignore[attr-defined]
    if isinstance(iterable, ast.Name):
        count = listed.get(iterable.id)
    else:
        count = None if isinstance(iterable, ast.Call) else count_of(iterable)
    return count is not None and count <= _FEW


def listed_in(tree: ast.Module) -> dict[str, int]:
    """The names of a module that it binds once, to a display, with how much that holds."""
    found: dict[str, int] = {}
    names = [one.id for one in walk(tree) if isinstance(one, ast.Name) and _binds(one)]
    for statement in tree.body:
        target = statement.targets[0] if isinstance(statement, ast.Assign) else None
        if isinstance(target, ast.Name) and names.count(target.id) == 1:
            value = statement.value  # type: ignore[attr-defined]
            count = len(value.keys) if isinstance(value, ast.Dict) else count_of(value)
            if count is not None and not isinstance(value, ast.Call):
                found[target.id] = count
    return found


def _binds(name: ast.Name) -> bool:
    return not isinstance(name.ctx, ast.Load)


def _trips(iterable: ast.expr, module: Module) -> Trips:
    line, count = module.line(iterable), count_of(iterable)
    if count is not None or isinstance(iterable, (ast.List, ast.Tuple)):
        return Trips(line, "", count)
    if isinstance(iterable, ast.Call) and isinstance(iterable.func, ast.Name) and iterable.args:
        name, first = iterable.func.id, iterable.args[0]
        if name == "range":
            return _range(iterable, module, line)
        if f"builtins.{name}" in WITH_ITERABLE_FIRST:
            return _trips(first, module)
    text = _short(iterable, module)
    if _may_wait(iterable):
        return Trips(line, f"(trips over {text})")
    return Trips(line, f"len({text})")


def _may_wait(iterable: ast.expr) -> bool:
    """Whether it may be a generator, which has no length."""
    if not isinstance(iterable, ast.Call):
        return isinstance(iterable, ast.GeneratorExp)
    if isinstance(iterable.func, ast.Attribute):
        return iterable.func.attr not in _OF_MAPPINGS
    return not hasattr(builtins, getattr(iterable.func, "id", ""))


def _range(node: ast.Call, module: Module, line: int) -> Trips:
    if len(node.args) == 1:
        return Trips(line, _short(node.args[0], module))
    return Trips(line, f"len({_short(node, module)})")


def _short(node: ast.expr, module: Module) -> str:
    text = " ".join(module.segment(node).split())
    text = text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."
    simple = isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
    return text if simple or isinstance(node, ast.Constant) else f"({text})"

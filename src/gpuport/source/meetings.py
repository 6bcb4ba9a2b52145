"""Where NumPy's arrays meet CuPy's, in code that uses CuPy already, as far as its text shows.

Such code is not ported. What is added to it later, in the words of NumPy, raises there: CuPy takes
no arrays of NumPy's, and NumPy converts none of CuPy's by itself.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field

from gpuport.source.names import FunctionNode, Scope
from gpuport.source.sides import Around, Known, Meeting, Side
from gpuport.source.syntax import DEFINITIONS, children, dotted


@dataclass(slots=True)
class Reader:
    """Goes through the statements of a scope, and notes what meets.

    Attributes
    ----------
    scope : Scope
    known : Known
    around : Around
    """

    scope: Scope
    known: Known
    around: Around
    meetings: dict[int, Meeting] = field(default_factory=dict)
    seen: Around = field(default_factory=Around)
    _names: dict[str, Side] = field(default_factory=dict)

    def read(self) -> Reader:
        """Read the scope."""
        given = self.known.given(self.scope)
        self._names = dict.fromkeys(given or (), Side.DEVICE)
        self._block(getattr(self.scope.node, "body", []))
        if given is not None:  # a boundary gives back what it was given
            self.seen.results.clear()
        if isinstance(self.scope.node, ast.Module):
            for name, side in self._names.items():
                self.seen.names.setdefault(name, set()).add(side)
        return self

    # ------------------------------------------------------------------ statements

    def _block(self, body: list[ast.stmt]) -> None:
        for statement in body:
            self._statement(statement)

    def _statement(self, node: ast.stmt) -> None:
        if node.__class__ in DEFINITIONS:
            return
        if isinstance(node, ast.Assign):
            for target in node.targets:
                self._bind(target, node.value)
        elif isinstance(node, ast.AnnAssign) and node.value is not None:
            self._bind(node.target, node.value)
        elif isinstance(node, ast.AugAssign):
            self._meet(node, node.target, node.value)
        elif isinstance(node, (ast.For, ast.While, ast.If, ast.With, ast.Try)):
            self._compound(node)
        elif isinstance(node, ast.Return) and node.value is not None:
            self._tell(self.seen.results, getattr(self.scope.node, "name", ""), node.value)
        else:
            for child in children(node):
                if isinstance(child, ast.expr):
                    self._side(child)

    def _tell(self, told: dict[str, set[Side]], name: str, value: ast.expr) -> None:
        side = self._side(value)
        if side is not None:
            told.setdefault(name, set()).add(side)

    def _compound(self, node: ast.For | ast.While | ast.If | ast.With | ast.Try) -> None:
        """Each branch by itself: what it binds is known behind it, unless another one differs."""
        if isinstance(node, (ast.While, ast.If)):
            self._side(node.test)
        elif isinstance(node, ast.For) and self._side(node.iter) is Side.DEVICE:
            self._note(node.target, Side.DEVICE)
        before, ends = dict(self._names), []
        handlers = [h.body for h in getattr(node, "handlers", [])]
        for body in (node.body, getattr(node, "orelse", []), *handlers):
            self._names = dict(before)
            for _ in range(2 if isinstance(node, (ast.For, ast.While)) else 1):
                self._block(body)
            ends.append(self._names)
        self._names = _joined(ends)
        self._block(getattr(node, "finalbody", []))

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        parts, values = getattr(target, "elts", []), getattr(value, "elts", [])
        if parts and len(parts) == len(values):
            sides = [self._side(one) for one in values]
            for one, side in zip(parts, sides, strict=True):
                self._note(one, side)
            return
        side = self._side(value)
        if isinstance(target, ast.Subscript) and side is Side.DEVICE:
            base = target.value
            if self._side(base) is Side.HOST:
                self.meetings[id(target)] = Meeting(target, None, value)
        if isinstance(target, ast.Attribute) and self.known.is_array(value):
            self.seen.arrays.add(target.attr)
        self._note(target, side)

    def _is_array(self, node: ast.expr) -> bool:
        held = isinstance(node, ast.Attribute) and node.attr in self.around.arrays
        return held or self.known.is_array(node)

    def _note(self, target: ast.expr, side: Side | None) -> None:
        if isinstance(target, (ast.Tuple, ast.List)):
            for one in target.elts:
                self._note(one, side)
        elif isinstance(target, ast.Attribute) and side is not None:
            self.seen.attributes.setdefault(target.attr, set()).add(side)
        elif isinstance(target, ast.Name):
            self._names.pop(target.id, None)
            if side is not None:
                self._names[target.id] = side

    # ------------------------------------------------------------------ expressions

    def _side(self, node: ast.expr) -> Side | None:
        """On which side an expression is; None where that is not seen, or it may be either."""
        if isinstance(node, ast.Name):
            return self._names.get(node.id) or self._of_module(self.around.names, node.id)
        if isinstance(node, ast.Attribute):
            return self._attribute(node)
        if isinstance(node, ast.BinOp):
            return self._meet(node, node.left, node.right)
        if isinstance(node, ast.Compare) and len(node.comparators) == 1:
            return self._meet(node, node.left, node.comparators[0])
        if isinstance(node, ast.Call):
            return self._call(node)
        if isinstance(node, ast.IfExp):
            sides = {self._side(node.body), self._side(node.orelse)}
            return sides.pop() if len(sides) == 1 else None
        if isinstance(node, ast.Lambda):
            return None
        below = [self._side(one) for one in children(node) if isinstance(one, ast.expr)]
        plain = isinstance(node, (ast.Subscript, ast.UnaryOp))
        return below[0] if plain and below else None

    def _attribute(self, node: ast.Attribute) -> Side | None:
        if self.scope.resolve(node) is not None:
            return None
        side = self._side(node.value)
        if node.attr in ("T", "real", "imag"):
            return side
        return _one(self.around.attributes, node.attr) if dotted(node) is not None else None

    def _of_module(self, told: Mapping[str, set[Side]], name: str) -> Side | None:
        """What a name of the module, that is bound once, stands for in a function."""
        root = self.scope.owner(name)
        if root is None or root is self.scope or not isinstance(root.node, ast.Module):
            return None
        return _one(told, name) if root.bound.get(name) == 1 else None

    def _meet(self, node: ast.expr | ast.stmt, left: ast.expr, right: ast.expr) -> Side | None:
        """Two operands: neither side takes an array of the other."""
        sides = {self._side(one): one for one in (left, right)}
        host, device = sides.get(Side.HOST), sides.get(Side.DEVICE)
        if host is not None and device is not None and self._is_array(host):
            self.meetings[id(node)] = Meeting(node, host, device)
        if device is not None:
            return Side.DEVICE
        return Side.HOST if host is not None else None

    def _call(self, node: ast.Call) -> Side | None:
        path = self.scope.resolve(node.func) or ""
        library = path.partition(".")[0]
        given = [*node.args, *(keyword.value for keyword in node.keywords)]
        if library in ("cupy", "numpy"):  # others hand on what is in a tuple, ``args=(rates,)``
            given = [*self._taken_apart(given)]
        sides = [(one, self._side(one)) for one in given]
        if library == "cupy":
            return self._of_cupy(node, path, sides)
        if library in ("numpy", "scipy"):
            return self._of_numpy(node, path, sides)
        if isinstance(node.func, ast.Attribute) and not path:
            return self._method(node, node.func, sides)
        name = node.func.id if isinstance(node.func, ast.Name) else ""
        owner = self.scope.owner(name)
        whole = owner is not None and isinstance(owner.node, ast.Module)
        return _one(self.around.results, name) if whole else None

    def _method(
        self, node: ast.Call, function: ast.Attribute, sides: list[tuple[ast.expr, Side | None]]
    ) -> Side | None:
        base = self._side(function.value)
        if base is None:
            return _one(self.around.results, function.attr)
        for argument, side in sides:
            if side is not None and side is not base:
                self._meet(node, function.value, argument)
        if base is Side.DEVICE and function.attr in _TO_PYTHON:
            return _TO_PYTHON[function.attr]
        return base

    def _taken_apart(self, given: list[ast.expr]) -> Iterator[ast.expr]:
        """Arguments; of lists what they hold."""
        for one in given:
            if isinstance(one, (ast.List, ast.Tuple)):
                yield from one.elts
            else:
                yield one

    def _of_cupy(
        self, node: ast.Call, path: str, sides: list[tuple[ast.expr, Side | None]]
    ) -> Side | None:
        if path == "cupy.asnumpy":
            return Side.HOST
        host = next((e for e, s in sides if s is Side.HOST and self._is_array(e)), None)
        if host is not None and not self.known.converts(path):
            self.meetings[id(node)] = Meeting(node, host, None)
        return Side.DEVICE if self.known.makes(path) else None

    def _of_numpy(
        self, node: ast.Call, path: str, sides: list[tuple[ast.expr, Side | None]]
    ) -> Side | None:
        device = next((e for e, s in sides if s is Side.DEVICE), None)
        if device is None:
            return Side.HOST
        if not self.known.dispatches(path):
            self.meetings[id(node)] = Meeting(node, None, device)
            return Side.HOST
        host = next((e for e, s in sides if s is Side.HOST and self._is_array(e)), None)
        if host is not None:
            self.meetings[id(node)] = Meeting(node, host, device)
        return Side.DEVICE


_TO_PYTHON = {"get": Side.HOST, "item": None, "tolist": None}
"""What methods of CuPy's arrays give that gives none of the device."""


def _one(told: Mapping[str, set[Side]], name: str) -> Side | None:
    """The side that all that is told of a name says."""
    sides = told.get(name, set())
    return next(iter(sides)) if len(sides) == 1 else None


def _joined(ends: list[dict[str, Side]]) -> dict[str, Side]:
    """What is known behind branches: names that one of them binds to the other side are not."""
    found: dict[str, Side] = {}
    for name in {name for end in ends for name in end}:
        sides = {end[name] for end in ends if name in end}
        if len(sides) == 1:
            found[name] = sides.pop()
    return found


def meetings(
    scopes: list[Scope], wanted: Callable[[Scope], bool], known: Callable[[Scope], Known]
) -> Iterator[tuple[Scope, Meeting]]:
    """Where arrays of NumPy's and of CuPy's meet.

    Parameters
    ----------
    scopes : list of Scope
        Those of a module.
    wanted : callable
        Of which of them it is asked.
    known : callable
        What is known in a scope.
    """
    runs = [one for one in scopes if isinstance(one.node, (ast.Module, FunctionNode))]
    around = Around()
    for _ in range(2):  # attributes may be made of attributes
        seen = Around()
        for scope in runs:
            seen.add(Reader(scope, known(scope), around).read().seen)
        around = seen
    for scope in filter(wanted, runs):
        for meeting in Reader(scope, known(scope), around).read().meetings.values():
            yield scope, meeting


__all__ = ["meetings"]

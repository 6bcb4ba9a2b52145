"""Errors that a program waits for, and the functions that have to raise them.

CuPy goes on where NumPy raises for a singular matrix or an index out of range. A ``try`` around a
call, or a ``with`` that keeps errors from going on, waits for what is raised in the function that
is called, however deep inside.
"""

from __future__ import annotations

import ast
import builtins
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from gpuport.analysis.differences.warned import asked
from gpuport.source.reaching import Reaching, name_of
from gpuport.source.syntax import Kinds, inside, walk

TOP = "<module>"
_ENTERING = ("enter_context", "push")
"""Methods of an ``ExitStack`` that give it one more context manager."""
_ANY = (BaseException, Exception)
"""What a program catches to say a last word: for what it calls itself, not for all that follows."""


@dataclass(frozen=True, slots=True, eq=False)
class Catch:
    """Statements, and what waits for errors of theirs.

    ``names`` are those of the classes of errors, None where it may be any.
    """

    node: ast.AST
    body: Sequence[ast.AST]
    names: tuple[str, ...] | None

    @property
    def word(self) -> str:
        """How a program writes it."""
        if isinstance(self.node, ast.ExceptHandler):
            return "except"
        return "finally" if isinstance(self.node, ast.stmt) else "with"

    def anything(self) -> bool:
        """Whether no error passes it."""
        return self.names is None or any(
            error in _ANY for name in self.names for error in _errors(name)
        )


@dataclass(eq=False)
class Awaited:
    """Which functions of a program are called under which ``except``, or ``with suppress(...)``.

    Functions, methods and context managers go by their names alone: one that may be meant is. Each
    part is read when it is first asked for; most programs ask for none.

    Attributes
    ----------
    kinds : Kinds
        All the nodes of the program.
    libraries : frozenset of str
        Names of context managers of libraries that keep errors from going on; calls of theirs name
        the errors that they keep.
    """

    kinds: Kinds
    libraries: frozenset[str]

    @cached_property
    def managers(self) -> Managers:
        """What else may keep errors from going on."""
        return Managers(self.kinds, self.libraries)

    @cached_property
    def found(self) -> Mapping[str, list[Catch]]:
        """What waits around calls of functions, by their names."""
        found: dict[str, list[Catch]] = defaultdict(list)
        for node in (*self.kinds[ast.Try], *self.kinds[ast.With]):
            for one in self._catches(node):
                reaching = self.reaching
                far = not one.anything()
                for name in reaching.far(one.body) if far else reaching.at_once(one.body):
                    found[name].append(one)
        return found

    @cached_property
    def warned(self) -> Mapping[str, ast.AST]:
        """The functions whose warnings about floating-point errors are asked for, and where.

        The code at the top of modules goes by ``TOP``.
        """
        warned: dict[str, ast.AST] = {}
        for call, body in asked(self.kinds):
            everything = body is None
            names = {*self.reaching.bodies, TOP} if everything else self.reaching.far(body or ())
            warned |= dict.fromkeys(names, call)
        return warned

    @cached_property
    def reaching(self) -> Reaching:
        """What the functions of the program call."""
        return Reaching.of(self.kinds)

    @cached_property
    def own(self) -> frozenset[str]:
        """The names of the program's classes."""
        return frozenset(node.name for node in self.kinds[ast.ClassDef])

    def catch(self, function: str, raised: Iterable[str]) -> Catch | None:
        """What waits, around a call of a function, for one of these errors."""
        meant = [error for name in raised for error in _errors(name)]
        for one in self.found.get(function, ()):
            if any(self._reaches(error, one) for error in meant):
                return one
        return None

    def catching(self, node: ast.With) -> ast.AST | None:
        """What keeps errors of the block of a ``with`` from going on."""
        return next((one.node for one in self._catches(node)), None)

    def _catches(self, node: ast.Try | ast.With) -> Iterator[Catch]:
        if isinstance(node, ast.Try):
            for handler in node.handlers:
                yield Catch(handler, node.body, _of_handler(handler))
            if leaves(node.finalbody):
                body = [*node.body, *node.handlers, *node.orelse]
                yield Catch(node.finalbody[0], body, None)
            return
        for item in node.items:
            manager = item.context_expr
            if isinstance(manager, ast.Call) and self.managers.of_library(manager.func):
                yield Catch(manager, node.body, tuple(map(name_of, manager.args)))
            elif any(map(self.managers.keeps, sorted(_mentioned([manager])))):
                yield Catch(manager, node.body, None)

    def _reaches(self, error: type[BaseException], catch: Catch) -> bool:
        """Whether an error is caught; one of a name that is not known may be.

        No library raises the errors that a program defines.
        """
        return catch.names is None or any(
            issubclass(error, _errors(name) or BaseException)
            for name in catch.names
            if name not in self.own
        )


def _errors(name: str) -> tuple[type[BaseException], ...]:
    """The class of errors of a name; none for an unknown one."""
    found = getattr(builtins, name, getattr(np.linalg, name, None))
    return (found,) if isinstance(found, type) and issubclass(found, BaseException) else ()


def _of_handler(handler: ast.ExceptHandler) -> tuple[str, ...] | None:
    if handler.type is None:
        return None
    named = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    return tuple(map(name_of, named))


@dataclass(eq=False)
class Managers:
    """Names of a program for what may keep an error from going on.

    Classes whose ``__exit__`` returns something, generators that outlive an error at a ``yield``,
    and whatever is made, called or kept with the help of another one of these names.
    """

    kinds: Kinds
    libraries: frozenset[str]
    known: dict[str, bool] = field(default_factory=dict)

    def of_library(self, head: ast.expr) -> bool:
        """Whether a library's manager is made, and not one of the program that has its name."""
        name = name_of(head)
        return name in self.libraries and name not in self._binding

    def keeps(self, name: str) -> bool:
        """Whether what goes by a name may keep errors: itself, or something it is made with."""
        if name not in self.known:
            seen = {name}
            found = self._leads_to_one(seen)
            self.known |= {name: True} if found else dict.fromkeys(seen, False)
        return self.known[name]

    def _leads_to_one(self, seen: set[str]) -> bool:
        ahead = [*seen]
        while ahead:
            one = ahead.pop()
            if one in self.libraries or self.known.get(one):
                return True
            for node in self._binding.get(one, ()):
                itself, others = _told(node)
                if itself:
                    return True
                ahead += others - seen
                seen |= others
        return False

    @cached_property
    def _binding(self) -> Mapping[str, list[ast.AST]]:
        """What gives names their meanings."""
        found: dict[str, list[ast.AST]] = defaultdict(list)
        for kind in _TELLING:
            for node in self.kinds[kind]:
                for name in _names_told(node):
                    found[name].append(node)
        return found


_TELLING = (
    ast.ClassDef, ast.FunctionDef, ast.Call, ast.ImportFrom, ast.Assign, ast.AnnAssign,
    ast.NamedExpr,
)  # fmt: skip


def _names_told(node: ast.AST) -> list[str]:
    """The names of which a node says what they may be."""
    if isinstance(node, ast.Call):
        return ["ExitStack"] if name_of(node.func) in _ENTERING else []
    if isinstance(node, ast.ImportFrom):
        return [one.asname for one in node.names if one.asname]
    return _names_bound(node) if getattr(node, "value", node) is not None else []


def _told(node: ast.AST) -> tuple[bool, set[str]]:
    """Whether what is bound keeps errors itself; the names of what else it may be."""
    if isinstance(node, ast.ClassDef):
        exits = [one for one in node.body if "__exit__" in _names_bound(one)]
        return any(map(_returns_something, exits)), _mentioned(node.bases)
    if isinstance(node, ast.FunctionDef):
        every = walk(node)
        given = [one.value for one in every if isinstance(one, ast.Return) and one.value]
        around = [one for one in every if node.decorator_list and _outlived_yield(one)]
        entering = [i.context_expr for one in around for i in getattr(one, "items", ())]
        itself = any(isinstance(one, ast.Try) for one in around)
        return itself, _mentioned([*given, *entering])
    if isinstance(node, ast.Call):
        return False, _mentioned(node.args)
    if isinstance(node, ast.ImportFrom):
        return False, {one.name for one in node.names if one.asname}
    return False, _mentioned([getattr(node, "value")])  # noqa: B009


def _names_bound(node: ast.AST) -> list[str]:
    """What a statement calls what it defines or binds."""
    if isinstance(node, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        return [name_of(one) for target in targets for one in getattr(target, "elts", [target])]
    return [node.name] if isinstance(node, (ast.ClassDef, ast.FunctionDef)) else []


def _mentioned(expressions: Iterable[ast.expr]) -> set[str]:
    return {name_of(one) for each in expressions for one in walk(each)} - {""}


def _outlived_yield(node: ast.AST) -> bool:
    """Whether an error that comes in at a ``yield`` in a block may end with it."""
    keeps = isinstance(node, ast.With) or (
        isinstance(node, ast.Try) and (bool(node.handlers) or leaves(node.finalbody))
    )
    body: list[ast.stmt] = getattr(node, "body", []) if keeps else []
    return any(isinstance(one, ast.Yield) for statement in body for one in walk(statement))


def leaves(body: Iterable[ast.stmt]) -> bool:
    """Whether a block goes elsewhere by itself: at the end of a ``try``, without its errors."""
    found = [one for statement in body for one in inside(statement)]
    loops = [one for one in found if isinstance(one, (ast.For, ast.While))]
    own = {id(one) for loop in loops for each in loop.body for one in inside(each)}
    return any(
        isinstance(one, ast.Return)
        or (isinstance(one, (ast.Break, ast.Continue)) and id(one) not in own)
        for one in found
    )


def _returns_something(function: ast.stmt) -> bool:
    if not isinstance(function, ast.FunctionDef):
        return True
    given = [node.value for node in walk(function) if isinstance(node, ast.Return)]
    return any(
        value is not None and not (isinstance(value, ast.Constant) and not value.value)
        for value in given
    )


__all__ = ["TOP", "Awaited", "Catch", "leaves"]

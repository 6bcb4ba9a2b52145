"""Which functions of a program statements may run, by their names alone: one that may be meant is.

Some are called without their names: the special methods of classes, and functions that the program
hands on, keeps or binds to other names.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence, Set
from dataclasses import dataclass, field

from gpuport.source.syntax import Kinds, walk

_LAMBDA = "<lambda>"
_VALUES = "values that are called"
_SPECIAL = "methods that operators run, and functions of Python and of libraries"
_MAKING = frozenset({"__init__", "__new__", "__post_init__"})
_GOING_OVER = frozenset({"__iter__", "__next__"})
_INDEXING = frozenset({"__getitem__", "__setitem__", "__delitem__"})
_ASKING = frozenset(
    {"__getattr__", "__getattribute__", "__get__", "__setattr__", "__set__", "__delattr__"}
)
_LOOPS = (ast.For, ast.comprehension, ast.Starred, ast.YieldFrom)
_OPERATORS = (
    ast.BinOp, ast.AugAssign, ast.UnaryOp, ast.BoolOp, ast.Compare, ast.JoinedStr,
    ast.If, ast.IfExp, ast.While, ast.Assert, ast.With,
)  # fmt: skip
"""What runs special methods: so does a condition, which asks for a truth value, and ``with``."""

_RUN_BY: dict[type[ast.AST], frozenset[str]] = {
    ast.Attribute: _ASKING,
    ast.Subscript: _INDEXING,
    **dict.fromkeys(_LOOPS, _GOING_OVER),
    **dict.fromkeys(_OPERATORS, frozenset((_SPECIAL,))),
}
"""What pieces of syntax run besides the functions that they name."""

_BY_TEXT = {"getattr": 1, "methodcaller": 0, "attrgetter": 0}
"""What finds functions by a text, and which of its arguments that is."""
_TABLES = frozenset({"globals", "locals", "vars", "__dict__", "eval", "exec"})
"""What holds functions under texts."""


@dataclass(slots=True, eq=False)
class Reaching:
    """The functions of a program by their names, and what each of them names.

    A function is read once something is seen to reach it.

    Attributes
    ----------
    bodies : dict of str to list
        Two entries are no functions: they stand for all that such a call may run.
    classes : set of str
    bound : set of str
        Names and attributes that are bound to values, which may be functions.
    renamed : dict of str to str
        What ``import`` gives another name.
    """

    bodies: dict[str, list[Sequence[ast.AST]]] = field(default_factory=dict)
    classes: set[str] = field(default_factory=set)
    bound: set[str] = field(default_factory=set)
    renamed: dict[str, str] = field(default_factory=dict)
    _calls: dict[str, set[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, kinds: Kinds) -> Reaching:
        """Those of all the nodes of a program."""
        found = cls()
        found.classes = {node.name for node in kinds[ast.ClassDef]}
        for node in kinds[ast.ImportFrom]:
            found.renamed |= {one.asname: one.name for one in node.names if one.asname}
        heads = {id(node.func) for node in kinds[ast.Call]}
        names = (*kinds[ast.Name], *kinds[ast.Attribute])
        read = [one for one in names if one.ctx.__class__ is ast.Load]
        found.bound = {node.arg for node in kinds[ast.arg]}
        found.bound |= {name_of(one) for one in names if one.ctx.__class__ is not ast.Load}
        definitions = (*kinds[ast.FunctionDef], *kinds[ast.AsyncFunctionDef])
        functions = {one.name for one in definitions}
        handed = {found.original(one) for one in read if id(one) not in heads}
        handed = functions if _found_by_text(kinds, handed) else handed & functions
        others = _MAKING | _GOING_OVER | _INDEXING | _ASKING | {"__call__"}
        found.bodies = {name: [] for name in (*functions, _VALUES, _SPECIAL)}
        for node in definitions:
            found.bodies[node.name].append(node.body)
        found.bodies[_LAMBDA] = [[node.body] for node in kinds[ast.Lambda]]
        found._calls[_VALUES] = handed | ({"__call__"} & functions) | {_LAMBDA}
        found._calls[_SPECIAL] = {name for name in functions if name.startswith("__")} - others
        return found

    def calls(self, name: str) -> set[str]:
        """What the functions of a name call themselves, or hand on to be called."""
        found = self._calls.get(name)
        if found is None:
            found = self._calls[name] = set().union(*map(self.near, self.bodies[name]))
        return found

    def original(self, node: ast.AST) -> str:
        """The name under which what is read was defined."""
        name = name_of(node)
        return self.renamed.get(name, name)

    def near(self, body: Sequence[ast.AST]) -> set[str]:
        """The functions that statements call themselves, or hand on to be called."""
        return self._named(body) & self.bodies.keys()

    def at_once(self, body: Sequence[ast.AST]) -> set[str]:
        """Those one by one."""
        found = self.near(body)
        return found.union(*map(self.calls, found & {_VALUES, _SPECIAL}))

    def _named(self, body: Sequence[ast.AST]) -> set[str]:
        """Names of what statements call, or hand on to be called."""
        found = set[str]()
        names = set[str]()
        kinds = set[type[ast.AST]]()
        for node in (inner for statement in body for inner in walk(statement)):
            kind = node.__class__
            if kind is ast.Name:
                names.add(node.id)  # type: ignore[attr-defined]
            elif kind is ast.Attribute:
                names.add(node.attr)  # type: ignore[attr-defined]
                kinds.add(kind)
            elif kind is ast.Call:
                found |= self._called(node.func)  # type: ignore[attr-defined]
            elif _takes_apart(node):
                found |= _GOING_OVER
            else:
                kinds.add(kind)
                if kind is ast.comprehension and node.ifs:  # type: ignore[attr-defined]
                    found.add(_SPECIAL)
        found |= {self.renamed.get(name, name) for name in names}
        return found.union(*(_RUN_BY[kind] for kind in kinds & _RUN_BY.keys()))

    def _called(self, head: ast.expr) -> Set[str]:
        """What a call runs besides a function of the name that stands there."""
        name = self.original(head)
        if name in self.classes:
            return _MAKING
        if not name or name in self.bound:
            return {_VALUES}
        of_others = name not in self.bodies or hasattr(builtins, name)
        return {_SPECIAL, *_GOING_OVER, *_INDEXING} if of_others else frozenset()

    def far(self, body: Sequence[ast.AST]) -> set[str]:
        """Those, and all to which they lead."""
        reached: set[str] = set()
        ahead = self.near(body)
        while ahead:
            reached |= ahead
            ahead = set[str]().union(*map(self.calls, ahead)) - reached
        return reached


def _found_by_text(kinds: Kinds, named: set[str]) -> bool:
    """Whether any function may be found by a text; where that is written out, it is ``named``."""
    if any(name_of(node) in _TABLES for node in (*kinds[ast.Name], *kinds[ast.Attribute])):
        return True
    for node in kinds[ast.Call]:
        if name_of(node.func) not in _BY_TEXT:
            continue
        place = _BY_TEXT[name_of(node.func)]
        for text in node.args[place : place + 1]:
            if not isinstance(text, ast.Constant):
                return True
            named.add(str(text.value).rpartition(".")[2])
    return False


def _takes_apart(node: ast.AST) -> bool:
    """Whether something is bound to several names: ``a, b = pair``."""
    return isinstance(node, (ast.Tuple, ast.List)) and isinstance(node.ctx, ast.Store)


def name_of(node: ast.AST) -> str:
    """The last name of ``a.b.name``; nothing of what has none."""
    return node.attr if isinstance(node, ast.Attribute) else getattr(node, "id", "")


__all__ = ["Reaching", "name_of"]

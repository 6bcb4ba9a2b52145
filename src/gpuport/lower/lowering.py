"""Lowers one function; how each kind of node is lowered stands in the files beside it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

from gpuport._frozen import frozen
from gpuport.ir import Function, Op, Value
from gpuport.lower.builder import Builder, Shared
from gpuport.lower.extraction import (
    expression_text,
    loaded_names,
    statement_text,
    stored_names,
)
from gpuport.lower.scopes import Home, Kind, Scope
from gpuport.lower.survey import Definition


@frozen
class Loop:
    """A loop around: the keys that it carries, and the terminators that leave it."""

    carried: list[str]
    breaks: list[Op]


class Lowering(Builder):
    """Lowers one function; comprehensions and class bodies inside it run in the same frame.

    Attributes
    ----------
    handlers : list
        Names of exceptions that are being handled, with the number of loops around each.
    path : str
        What qualified names of functions made here begin with.
    """

    def __init__(self, shared: Shared, function: Function, scope: Scope) -> None:
        super().__init__(shared, function, scope)
        self.loops: list[Loop] = []
        self.handlers: list[tuple[str, int]] = []
        self.path = "" if scope.kind is Kind.MODULE else f"{function.qualname}.<locals>."

    # -- names

    def read(self, name: str, node: ast.AST) -> Value:
        """The value of a name, as written."""
        return self.load(self.scope.mangled(name), node)

    def load(self, name: str, node: ast.AST) -> Value:
        """The value of a mangled name."""
        variable = self.scope.resolve(name)
        if variable.home is not Home.VALUE:
            return self.value(f"Load{variable.home.value}", (), node, name=variable.key)
        value = self.versions.get(variable.key)
        if value is not None and value not in self.unbound:
            return value
        owner = self.scope.find(name)
        if owner is not None and owner.kind is Kind.MODULE:
            return self.value("LoadGlobal", (), node, name=name)
        value = value or self.undefined(variable.key, node)
        return self.value("CheckBound", (value,), node, name=name)

    def assign(self, name: str, value: Value, node: ast.AST) -> None:
        """Give a name, as written, a value."""
        self.bind(self.scope.mangled(name), value, node)

    def bind(self, name: str, value: Value, node: ast.AST) -> None:
        """Give a mangled name a value."""
        variable = self.scope.resolve(name)
        if variable.home is not Home.VALUE:
            self.emit(f"Store{variable.home.value}", (value,), node, name=variable.key)
            return
        self.versions.set(variable.key, value)
        value.name = value.name or variable.key
        if self._is_of_module(name):
            self.emit("StoreGlobal", (value,), node, name=name)

    def delete(self, name: str, node: ast.AST, *, quiet: bool = False) -> None:
        """Unbind a name; where it may be unbound already, that is no error if `quiet`."""
        name = self.scope.mangled(name)
        variable = self.scope.resolve(name)
        if variable.home is not Home.VALUE:
            kind = f"Delete{variable.home.value}"
            self.emit(kind, (), node, name=variable.key, quiet=quiet)
        elif self._is_of_module(name):
            self.emit("DeleteGlobal", (), node, name=name, quiet=quiet)
        elif not quiet:
            self.load(name, node)
        if variable.home is Home.VALUE:
            self.versions.set(variable.key, self.undefined(variable.key, node))

    def _is_of_module(self, name: str) -> bool:
        owner = self.scope.find(name)
        return owner is not None and owner.kind is Kind.MODULE

    def values_of(self, names: Iterable[str]) -> list[str]:
        """The keys of those names of the frame that are SSA values, in order."""
        frame = self.scope.activation
        found = [frame.resolve(name) for name in names]
        return sorted(variable.key for variable in found if variable.home is Home.VALUE)

    # -- dispatch

    def expr(self, node: ast.expr) -> Value:
        """Lower an expression."""
        return EXPRESSIONS[node.__class__](self, node)

    def block(self, body: list[ast.stmt]) -> bool:
        """Lower statements; False where control does not reach their end."""
        opaque = self.shared.known.opaque
        for statement in body:
            reason = opaque.get(statement) if opaque else None
            if reason is not None:
                self.opaque_statement(statement, reason)
            elif STATEMENTS[statement.__class__](self, statement) is False:
                return False
        return True

    # -- what is not understood

    def opaque_statement(self, node: ast.stmt, reason: str) -> None:
        """Run a statement as Python: names that it reads go in, those that it binds come out.

        A statement of the module binds names in the module's dictionary by itself, for functions in
        it look there; only a definition is a value.
        """
        text = statement_text(self.shared.source, node)
        is_definition = isinstance(node, Definition)
        writes = sorted(stored_names(node, self.scope))
        read = loaded_names(node, self.scope)
        if self.scope.kind is Kind.MODULE:
            read = set()
            if not is_definition:
                text = f"global {', '.join(writes)}\n{text}" if writes else text
                writes = []
        elif not is_definition:
            read |= set(writes)  # what it may leave as it is
        if "annotations" in self.shared.futures:
            text = f"from __future__ import annotations\n{text}"
        results = self.opaque_text(node, reason, text, self.readable(read, node), writes)
        for name, value in zip(writes, results, strict=True):
            if not is_definition:
                self.unbound.add(value)
            self.bind(name, value, node)

    def opaque_expression(self, node: ast.expr, reason: str, text: str | None = None) -> Value:
        """Evaluate an expression as Python, in the namespace of the module."""
        text = text or expression_text(self.shared.source, node)
        return self._opaque(node, (reason, text), {}, None)[0]

    def opaque_text(
        self, node: ast.AST, reason: str, text: str, reads: dict[str, Value], writes: list[str]
    ) -> list[Value]:
        """Run a text that stands for a part of a statement."""
        return self._opaque(node, (reason, text), reads, writes)

    def _opaque(
        self,
        node: ast.AST,
        said: tuple[str, str],
        reads: dict[str, Value],
        writes: list[str] | None,
    ) -> list[Value]:
        op = self.emit(
            "Opaque",
            reads.values(),
            node,
            ("",) if writes is None else writes,
            reason=said[0],
            text=said[1],
            reads=tuple(reads),
            writes=tuple(writes or ()),
            expression=writes is None,
        )
        return op.results

    def readable(self, names: Iterable[str], node: ast.AST) -> dict[str, Value]:
        """Those of some names that are variables around here, with their values, bound or not."""
        found: dict[str, Value] = {}
        for name in sorted(names):
            variable = self.scope.resolve(name)
            value: Value | None = None
            if variable.home is Home.VALUE:
                value = self.versions.get(variable.key)
            elif variable.home is not Home.GLOBAL:
                value = self.load(name, node)
            if value is not None:
                found[name] = value
        return found


Expression = Callable[[Lowering, Any], Value]
Statement = Callable[[Lowering, Any], bool | None]
EXPRESSIONS: dict[type[ast.AST], Expression] = {}
STATEMENTS: dict[type[ast.AST], Statement] = {}
Node = TypeVar("Node", bound=ast.AST)


def expression(
    *kinds: type[ast.AST],
) -> Callable[[Callable[[Lowering, Node], Value]], Callable[[Lowering, Node], Value]]:
    """Register how expressions of these kinds are lowered."""

    def register(lower: Callable[[Lowering, Node], Value]) -> Callable[[Lowering, Node], Value]:
        EXPRESSIONS.update(dict.fromkeys(kinds, lower))
        return lower

    return register


def statement(
    *kinds: type[ast.AST],
) -> Callable[[Callable[[Lowering, Node], bool | None]], Callable[[Lowering, Node], bool | None]]:
    """Register how statements of these kinds are lowered."""

    def register(
        lower: Callable[[Lowering, Node], bool | None],
    ) -> Callable[[Lowering, Node], bool | None]:
        STATEMENTS.update(dict.fromkeys(kinds, lower))
        return lower

    return register

"""Builds the IR of one function; how each kind of node is lowered stands in the files beside it."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from gpuport._frozen import frozen
from gpuport.ir import Function, Op, Region, Value
from gpuport.lower.extraction import (
    expression_text,
    loaded_names,
    statement_text,
    stored_names,
)
from gpuport.lower.scopes import Home, Kind, Scope
from gpuport.lower.settling import Settled
from gpuport.lower.spans import Spans
from gpuport.lower.survey import Definition
from gpuport.lower.versions import Versions
from gpuport.source.module import Module

#: What lowers a part of the text; False where control does not reach its end.
Fill = Callable[[], bool | None]


@frozen
class Shared:
    """What the functions of a file have in common."""

    source: Module
    known: Settled
    spans: Spans
    functions: list[Function]
    futures: frozenset[str]


@frozen
class Arm:
    """A region that was filled, what it set, and whether control reaches its end."""

    region: Region
    changed: dict[str, Value]
    falls: bool


@frozen
class Loop:
    """A loop around: the keys that it carries, and the terminators that leave it."""

    carried: list[str]
    breaks: list[Op]


class Lowering:
    """Lowers one function; comprehensions and class bodies inside it run in the same frame.

    Attributes
    ----------
    unbound : set of Value
        Values that may be "not assigned yet".
    handlers : list
        Names of exceptions that are being handled, with the number of loops around each.
    path : str
        What qualified names of functions made here begin with.
    """

    def __init__(self, shared: Shared, function: Function, scope: Scope) -> None:
        self.shared, self.function, self.scope = shared, function, scope
        self.region = function.body
        self.versions = Versions()
        self.unbound: set[Value] = set()
        self.loops: list[Loop] = []
        self.handlers: list[tuple[str, int]] = []
        self.path = "" if scope.kind is Kind.MODULE else f"{function.qualname}.<locals>."

    # -- building

    def emit(
        self,
        kind: str,
        operands: Iterable[Value],
        node: ast.AST,
        results: Iterable[str] = (),
        regions: Iterable[Region] = (),
        **attributes: Any,
    ) -> Op:
        """Add an operation to the region."""
        span = self.shared.spans.of(node)
        op = Op(kind, list(operands), attributes, [], list(regions), span, self.region)
        op.results = [self.function.fresh(name, op) for name in results]
        for region in op.regions:
            region.owner = op
        self.region.ops.append(op)
        return op

    def value(
        self, kind: str, operands: Iterable[Value], node: ast.AST, **attributes: Any
    ) -> Value:
        """Add an operation with one result."""
        return self.emit(kind, operands, node, ("",), **attributes).result

    def const(self, value: object, node: ast.AST) -> Value:
        """A constant."""
        return self.value("Const", (), node, value=value)

    def call(self, callee: Value, arguments: Iterable[Value], node: ast.AST) -> Value:
        """A call with positional arguments."""
        given = list(arguments)
        stars = (0,) * len(given)
        return self.value("Call", (callee, *given), node, stars=stars, keywords=())

    def builtin(self, name: str, node: ast.AST) -> Value:
        """What Python itself means by the name of a built-in, whatever the file calls so."""
        named = ast.Name(name, ast.Load())
        if self.shared.known.paths.of(self.scope, named) == f"builtins.{name}":
            return self.value("LoadGlobal", (), node, name=name)
        module = self.value("Import", (), node, name="builtins", top=True)
        return self.value("GetAttr", (module,), node, name=name)

    def end(self, kind: str, operands: Iterable[Value], node: ast.AST) -> bool:
        """Add a terminator; the answer says that control does not go on here."""
        self.emit(kind, operands, node)
        return False

    def undefined(self, key: str, node: ast.AST) -> Value:
        """What a name holds before it is assigned."""
        value = self.emit("Undef", (), node, (key,), name=key.split(".")[0]).result
        self.unbound.add(value)
        return value

    def current(self, key: str, node: ast.AST) -> Value:
        """The version of a name, or what stands for none."""
        return self.versions.get(key) or self.undefined(key, node)

    # -- regions

    @contextmanager
    def within(self, region: Region) -> Iterator[None]:
        """Add to another region for a while."""
        outer, self.region = self.region, region
        yield
        self.region = outer

    def inside(self, fill: Fill, parameters: Iterable[str] = ()) -> Arm:
        """A new region."""
        region = Region()
        region.parameters = [self.function.fresh(name, region) for name in parameters]
        outer, self.region = self.region, region
        self.versions.open()
        falls = fill() is not False
        self.region = outer
        return Arm(region, self.versions.close(), falls)

    def merge(
        self,
        op: tuple[str, Iterable[Value], ast.AST, Iterable[Region], dict[str, Any]],
        arms: list[Arm],
        lead: list[list[Value]] | None = None,
    ) -> tuple[Op, bool]:
        """Add an operation whose arms join.

        Names that an arm changed become results, after the values that each arm leads with. Also
        whether control goes on after it.
        """
        kind, operands, node, regions, attributes = op
        falling = [place for place, arm in enumerate(arms) if arm.falls]
        keys = sorted({key for place in falling for key in arms[place].changed})
        columns = []
        for place in falling:
            with self.within(arms[place].region):
                changed = arms[place].changed
                values = [changed.get(key) or self.current(key, node) for key in keys]
                columns.append(values)
                self.emit("Yield", [*(lead[place] if lead else ()), *values], node)
        names = [*("" for _ in (lead[0] if lead else ())), *keys]
        joined = self.emit(kind, operands, node, names if falling else (), regions, **attributes)
        results = joined.results[len(names) - len(keys) :]
        for position, (key, result) in enumerate(zip(keys, results, strict=bool(falling))):
            self.versions.set(key, result)
            if any(column[position] in self.unbound for column in columns):
                self.unbound.add(result)
        if not falling:
            self.end("Unreachable", (), node)
        return joined, bool(falling)

    def branch(self, test: Value, then: Fill, orelse: Fill, node: ast.AST) -> bool:
        """An ``If`` for what its arms do."""
        arms = [self.inside(then), self.inside(orelse)]
        return self.merge(("If", (test,), node, [arm.region for arm in arms], {}), arms)[1]

    def choose(
        self,
        test: Value,
        then: Callable[[], list[Value]],
        orelse: Callable[[], list[Value]],
        node: ast.AST,
    ) -> list[Value]:
        """An ``If`` for the values that its arms give, as many in both."""
        lead: list[list[Value]] = []

        def arm(values: Callable[[], list[Value]]) -> Arm:
            return self.inside(lambda: lead.append(values()))

        arms = [arm(then), arm(orelse)]
        regions = [one.region for one in arms]
        joined, _ = self.merge(("If", (test,), node, regions, {}), arms, lead)
        return joined.results[: len(lead[0])]

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

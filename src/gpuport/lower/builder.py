"""Builds operations and regions, and joins what arms of a branch leave."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from gpuport._frozen import frozen
from gpuport.ir import Function, Op, Region, Value
from gpuport.lower.scopes import Scope
from gpuport.lower.settling import Settled
from gpuport.lower.spans import Spans
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


class Builder:
    """Adds operations to the function that is being lowered.

    Attributes
    ----------
    region : Region
        Where operations are added.
    unbound : set of Value
        Values that may be "not assigned yet".
    """

    def __init__(self, shared: Shared, function: Function, scope: Scope) -> None:
        self.shared, self.function, self.scope = shared, function, scope
        self.region = function.body
        self.versions = Versions()
        self.unbound: set[Value] = set()

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

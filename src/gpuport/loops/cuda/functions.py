"""Functions of the project that a loop calls, as ``__device__`` functions."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache

from gpuport.loops.cuda.flow import Flow
from gpuport.loops.cuda.statements import INDENT, Statements, folded
from gpuport.loops.cuda.storage import storage
from gpuport.loops.cuda.symbols import PHYSICAL, Magnitudes, Symbols, scalar_value
from gpuport.loops.cuda.writer import Writer
from gpuport.loops.facts import FunctionFact
from gpuport.loops.heads.heads import range_arguments
from gpuport.loops.names import loaded, stored, walk
from gpuport.loops.reasons import UNKNOWN_CALL, UNSUPPORTED, Refused
from gpuport.parallel.cuda.names import Names
from gpuport.parallel.cuda.text import ATOM, C_TYPES, Text, call, cast
from gpuport.parallel.ranges import Alternative, Value
from gpuport.parallel.typing import PYTHON
from gpuport.source import syntax

_NAME = "(name)"
_FLAG = "out_of_range"


@dataclass
class _Instance:
    """A function for arguments of certain types."""

    definition: ast.FunctionDef
    parameters: dict[str, Value]
    flow: Flow
    returned: Value


@dataclass
class DeviceFunctions:
    """The functions that a kernel calls.

    Attributes
    ----------
    names : Names
        Of the kernel's text: functions have none of its variables' names.
    magnitudes : Magnitudes
    flow, writer : callable
        Make what goes through a function, and what writes it.
    notes : dict of str to None
        What raises in them where the kernel does not, in the order in which it was met.
    """

    names: Names
    magnitudes: Magnitudes = PHYSICAL
    flow: Callable[[Symbols], Flow] = Flow
    writer: type[Writer] = Writer
    notes: dict[str, None] = field(default_factory=dict)
    _instances: dict[object, _Instance] = field(default_factory=dict)
    _calls: dict[ast.Call, _Instance] = field(default_factory=dict)
    _open: list[str] = field(default_factory=list)
    _texts: dict[str, str] = field(default_factory=dict)
    _flagged: dict[str, bool] = field(default_factory=dict)

    def attach(self, flow: Flow, symbols: Symbols) -> None:
        """Let a flow ask here for the values of calls."""

        def callee(node: ast.Call, arguments: list[Value]) -> Value:
            fact = symbols.function(node.func)
            assert fact is not None
            instance = self._instance(node, fact, arguments)
            self._calls[node] = instance
            return instance.returned

        flow.expressions.callee = callee

    def _instance(self, node: ast.Call, fact: FunctionFact, arguments: list[Value]) -> _Instance:
        definition = fact.definition
        assert definition is not None
        if fact.path in self._open:
            raise Refused(UNKNOWN_CALL, node, f"`{definition.name}` calls itself")
        parameters = _parameters(node, definition, arguments)
        key = (fact.path, tuple(parameters.values()))
        if key not in self._instances:
            self._open.append(fact.path)
            try:
                self._instances[key] = self._made(fact, definition, parameters)
            finally:
                self._open.pop()
        return self._instances[key]

    def _made(
        self, fact: FunctionFact, definition: ast.FunctionDef, parameters: dict[str, Value]
    ) -> _Instance:
        body = _body(definition)
        outer = {
            name: scalar_value(fact.globals.get(name), PYTHON["float"], self.magnitudes, definition)
            for name in loaded(body) - stored(body) - set(parameters)
            if type(fact.globals.get(name)).__name__ == "ScalarFact"
        }
        for name, value in outer.items():
            if value.constant is None:
                raise Refused(
                    UNKNOWN_CALL,
                    definition,
                    f"`{definition.name}` reads `{name}`, which may change",
                )
        symbols = Symbols({}, outer, fact.globals, self.magnitudes)
        flow = self.flow(symbols)
        self.attach(flow, symbols)
        state = dict(parameters)
        for name, value in parameters.items():
            flow.bind(state, name, value)
        end = flow.run(body, state)
        if end is not None or flow.returned is None:
            raise Refused(
                UNSUPPORTED, definition, f"`{definition.name}` may end without returning a number"
            )
        return _Instance(definition, parameters, flow, flow.returned)

    def write_call(self, writer: Writer, node: ast.Call, arguments: list[Text]) -> Text:
        """C++ of a call."""
        instance = self._calls[node]
        names = list(instance.parameters)
        given = [
            cast(text, storage(instance.flow.locals[name], node), exact=True)
            for text, name in zip(arguments, names, strict=False)
        ]
        name = self._written(instance)
        if self._flagged[name]:
            writer.flagged = True
            given.append(Text(writer.flag, ATOM, "bool"))
        return call(name, given, storage(instance.returned, node))

    def _written(self, instance: _Instance) -> str:
        """The name of a function's definition; types that make no difference share one."""
        text, flagged = self._definition(instance)
        if text not in self._texts:
            name = self._texts[text] = self.names.function(instance.definition.name)
            self._flagged[name] = flagged
        return self._texts[text]

    def definitions(self) -> str:
        """C++ of all functions, each after those that it calls."""
        return "\n".join(text.replace(_NAME, name) for text, name in self._texts.items())

    def _definition(self, instance: _Instance) -> tuple[str, bool]:
        """Text of a function, and whether it may find something out of range."""
        names = Names([_FLAG])
        body = _body(instance.definition)
        local = {n: storage(v, instance.definition) for n, v in instance.flow.locals.items()}
        returns = storage(instance.returned, instance.definition)
        writer = self.writer(
            instance.flow.expressions,
            names,
            local,
            {},
            {},
            _no_length,
            self.write_call,
            flag=_FLAG,
        )
        given = ", ".join(f"{C_TYPES[local[p]]} {names[p]}" for p in instance.parameters)
        statements = Statements(writer, names, returns=returns)
        lines = statements.body(body, list(instance.parameters))
        for node, text in writer.raising:
            place = f"`{instance.definition.name}`, line {getattr(node, 'lineno', 0)}"
            self.notes[f"`{ast.unparse(node)}` ({place}) {text}"] = None
        given += f", bool &{_FLAG}" if writer.flagged else ""
        head = f"__device__ {C_TYPES[returns]} {_NAME}({given}) {{"
        text = "\n".join(folded([head, *(INDENT + line for line in lines), "}"]))
        return text, writer.flagged


def _no_length(array: str, axis: int) -> Text:
    raise AssertionError(f"a function of numbers has no array {array}")


@lru_cache(maxsize=64)
def _body(definition: ast.FunctionDef) -> list[ast.stmt]:
    """The statements of a function, its loops in plain form; the same nodes each time."""
    first = definition.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    body = definition.body[1:] if documented else definition.body
    if not any(isinstance(node, ast.For) for node in walk(body)):
        return body
    body = [syntax.copied(statement) for statement in body]
    for node in walk(body):
        if isinstance(node, ast.For) and isinstance(node.iter, ast.Call):
            node.iter.args = range_arguments(node.iter)
    return body


def _parameters(
    node: ast.Call, definition: ast.FunctionDef, arguments: list[Value]
) -> dict[str, Value]:
    """The function's parameters with what the call gives them; constants count by their type."""
    listed = definition.args
    names = [a.arg for a in (*listed.posonlyargs, *listed.args)]
    if listed.vararg or listed.kwarg or listed.kwonlyargs or len(arguments) != len(names):
        raise Refused(
            UNKNOWN_CALL, node, f"`{definition.name}` is called with {len(arguments)} arguments"
        )
    values = [
        Value(frozenset(Alternative(a.type) for a in v.alternatives), v.low, v.high)
        for v in arguments
    ]
    return dict(zip(names, values, strict=True))

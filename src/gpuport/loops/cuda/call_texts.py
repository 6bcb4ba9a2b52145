"""Calls in C++: functions of NumPy, of ``math``, of Python itself, of the project."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from gpuport.loops.cuda.errors import raised
from gpuport.loops.cuda.storage import storage
from gpuport.parallel.cuda.rules import functions
from gpuport.parallel.cuda.text import ATOM, Text, call, cast
from gpuport.parallel.typing import kind

if TYPE_CHECKING:
    from gpuport.loops.cuda.writer import Writer


class CallTexts:
    """Writes calls.

    Parameters
    ----------
    writer : Writer
        Writes their arguments.
    """

    def __init__(self, writer: Writer) -> None:
        self.writer = writer

    def text(self, node: ast.Call) -> Text:
        """A call in C++."""
        writer = self.writer
        rules, arguments = functions(), [writer.write(a) for a in node.args]
        if writer.expressions.symbols.function(node.func) is not None:
            assert writer.function is not None
            return writer.function(writer, node, arguments)
        path = writer.expressions.symbols.path(node.func) or ""
        dtype = storage(writer.expressions.known(node), node)
        ufunc = rules.ufunc(path)
        if ufunc is None and path in rules.operations:
            ufunc = rules.operations[path]
            arguments = writer.operands(node, ufunc, list(node.args))
        if ufunc is not None:
            return writer.computed(node, 0, ufunc, arguments, list(node.args))
        if path in rules.chosen:
            form = str(rules.chosen[path]["form"])
            exact = [cast(a, dtype, exact=True) for a in arguments]
            found = exact[0]
            for argument in exact[1:]:
                found = call(form, [found, argument], dtype)
            return found
        if path in rules.floating:
            values = [writer.expressions.known(a) for a in node.args]
            writer.note(node, raised(rules.floating[path], values))
            return self._floating(node, str(rules.floating[path]["form"]), arguments, dtype)
        if path in rules.rounding:
            return self._rounded(node, path, arguments[0], dtype)
        if len(arguments) == 2:
            part = [cast(a, "float64") for a in arguments]
            return call("complex<double>", part, dtype)
        return self._cut(node, arguments[0], dtype)

    def _cut(self, node: ast.AST, text: Text, dtype: str) -> Text:
        """A float as a Python integer."""
        most = self.writer.expressions.cut.get(node)
        if most is None or kind(text.dtype) != "f":
            return cast(text, dtype)
        if most == 2**53:
            return cast(self.writer.checked("to_int", [text]), dtype)
        limit = Text(str(most), ATOM, "int64")
        return cast(self.writer.checked("to_int_below", [text, limit]), dtype)

    def _floating(self, node: ast.Call, form: str, arguments: list[Text], dtype: str) -> Text:
        computed = self.writer.expressions.computed[node, 0]
        inputs = computed.inputs
        if inputs == ("int64",):
            return cast(arguments[0], "int64")
        exact = [cast(a, d, exact=True) for a, d in zip(arguments, inputs, strict=True)]
        text = call(form, exact, computed.output)
        if dtype == "bool":
            return Text(text.text, ATOM, "bool")
        return self._cut(node, text, dtype)

    def _rounded(self, node: ast.Call, path: str, argument: Text, dtype: str) -> Text:
        if kind(argument.dtype) in "iu":
            return cast(argument, dtype)
        if (node, 0) in self.writer.expressions.computed:
            argument = cast(argument, self.writer.expressions.computed[node, 0].inputs[0])
        form = str(functions().rounding[path]["form"])
        return self._cut(node, call(form, [argument], argument.dtype), dtype)

"""Calls of a function for each element or vector, as the loops that they are in disguise.

Calls of ``np.apply_along_axis`` for the rows or columns of a matrix, as the loops over these.

``y = np.apply_along_axis(spread, 1, x)`` is a loop that appends ``spread(row)`` to a list for each
row, and an array of the list, where each gives one number; where there are no rows, which is an
error, the call itself is the other branch. A port has such loops only where a kernel came of them.

Calls of what ``np.vectorize`` made, as the loops over elements that do the same.

``y = np.vectorize(rate)(x, 0.5)`` is a loop that appends ``rate(float(v), 0.5)`` to a list for each
element ``v``, and an array of the list: what is known of such loops holds for it then, the errors
included that Python's numbers raise. Where the type of the elements is not known, and where there
may be none of them, which ``np.vectorize`` takes for an error, the call itself is the other branch.
A port has such loops only where a kernel came of them: the module is ported both ways.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import Array, Number, Scalar
from gpuport.passes.elementtexts import NUMBERS, asked_type, of_element
from gpuport.passes.listtexts import Names
from gpuport.passes.writtenout import ITEMS, WrittenOut, named, written_out
from gpuport.source.edits import Edit
from gpuport.source.syntax import dotted

_PYTHON = {"float64": "float", "float32": "float", "float16": "float", "bool": "bool"} | {
    f"{sign}int{bits}": "int" for sign in ("", "u") for bits in (8, 16, 32, 64)
}
"""What ``np.vectorize`` makes of an element for the function, by the dtype of the array."""
_OF_ITSELF = ("float64", "int64")
"""Dtypes of which NumPy's numbers give what Python's give: what the first one gives is the type of
the array where ``np.vectorize`` is not asked for one."""


@dataclass(frozen=True, slots=True, eq=False)
class _Elements:
    """An array that is gone through.

    Attributes
    ----------
    argument : Argument
    kind : str
        What its elements are made to for the function.
    told : bool
        Whether its dtype is known.
    text, name, flat : str
        How it is written in the call, the name it has then, and that of its elements in a row.
    """

    argument: Argument
    kind: str
    told: bool
    text: str
    name: str
    flat: str


@dataclass(frozen=True, slots=True, eq=False)
class _OverElements:
    """One call as a loop.

    Attributes
    ----------
    unit : Unit
    call : ast.Call
    arrays : list of _Elements
    numbers : dict of int to (str, str)
        By the ids of arguments that are numbers, the names that those get that have none, and their
        texts.
    result, counter, item, dtype : str
        The name of what is made; that of an element, or of its number where there are several
        arrays; the expression for one element; the type that is asked for.
    numpy : str
        NumPy's name in the module.
    names : Names
    """

    unit: Unit
    call: ast.Call
    arrays: list[_Elements]
    numbers: dict[int, tuple[str, str]]
    result: str
    counter: str
    item: str
    dtype: str
    numpy: str
    names: Names

    def lines(self) -> Iterator[str]:
        """The loop, and the call itself where it is the other branch."""
        yield from (f"{one.name} = {one.text}" for one in self.arrays if one.name != one.text)
        yield from (f"{name} = {text}" for name, text in self.numbers.values())
        yield f"if {' and '.join(self._conditions())}:"
        yield from (f"    {line}" for line in self._loop())
        yield "else:"
        module, known = self.unit.module, self.unit.work.disguised_loops[id(self.call)]
        by_argument = {id(one.argument): one.name for one in self.arrays}
        by_argument |= {key: name for key, (name, _) in self.numbers.items()}
        given = []
        for one in known.given:
            text = by_argument.get(id(one), module.segment(one.expression))
            given.append(text if one.keyword is None else f"{one.keyword}={text}")
        yield f"    {self.result} = {module.segment(self.call.func)}({', '.join(given)})"

    def _conditions(self) -> list[str]:
        guessed = [f"{one.name}.dtype" for one in self.arrays if not one.told]
        found = [" == ".join([*guessed, f"{self.numpy}.float64"])] if guessed else []
        found += [] if self.dtype else self._kinds_of_numbers()
        return [*found, *(f"{one.name}.size" for one in self.arrays)]

    def _kinds_of_numbers(self) -> Iterator[str]:
        """What numbers have to be where they may be results: the first one decides for all."""
        for one in self.unit.work.disguised_loops[id(self.call)].given:
            value, known = one.flow.value, isinstance(one.expression, ast.Constant)
            if isinstance(value, Scalar) and not known:
                text = self.numbers.get(id(one), ("", ""))[0]
                yield f"type({text or self.unit.module.segment(one.expression)}) is {value.type}"

    def _loop(self) -> Iterator[str]:
        items = self.names.free(f"{self.result}{ITEMS}")
        whole = [one.name for one in self.arrays]
        if len(whole) > 1:
            given = ", ".join(whole)
            bare = (one.flat.removesuffix("_flat") for one in self.arrays)
            whole = [self.names.free(f"{name}_wide") for name in bare]
            yield f"{', '.join(whole)} = {self.numpy}.broadcast_arrays({given})"
        for one, name in zip(self.arrays, whole, strict=True):
            yield f"{one.flat} = {name}.ravel()"
        first = self.arrays[0].flat
        yield f"{items} = []"
        yield f"for {self.counter} in {f'range({first}.size)' if len(whole) > 1 else first}:"
        yield f"    {items}.append({self.item})"
        dtype = f", dtype={self.dtype}" if self.dtype else ""
        yield f"{self.result} = {self.numpy}.array({items}{dtype}).reshape({whole[0]}.shape)"


def loop_over_elements(
    unit: Unit, statement: ast.stmt, call: ast.Call, numpy: str, names: Names
) -> WrittenOut | None:
    """A call as a loop; None where the text does not show how."""
    known = unit.work.disguised_loops[id(call)]
    dtype = asked_type(known, numpy)
    if dtype is None or len(unit.module.segment(call.func).splitlines()) > 1:
        return None
    kinds = _PYTHON if dtype else {name: _PYTHON[name] for name in _OF_ITSELF}
    arrays = [_elements(unit, one, kinds, names) for one in known.given if _is_array(one)]
    gone_through = [one for one in arrays if one is not None]
    if not arrays or len(gone_through) < len(arrays):
        return None
    counter = names.free("k" if len(arrays) > 1 else "v")
    texts = {
        id(one.argument): f"{one.kind}({f'{one.flat}[{counter}]' if len(arrays) > 1 else counter})"
        for one in gone_through
    }
    numbers = {
        id(one): _named_number(unit, one, names)
        for one in known.given
        if not _is_array(one) and not isinstance(one.expression, (ast.Name, ast.Constant))
    }
    given = []
    for argument in known.given:
        own = numbers.get(id(argument), ("", unit.module.segment(argument.expression)))
        text = texts.get(id(argument)) or _number(argument, own[0] or own[1], kinds)
        given.append((argument, text))
    written = [(argument, text) for argument, text in given if text is not None]
    item = of_element(unit, known.callback, written) if len(written) == len(given) else None
    if item is None:
        return None
    whole = call is getattr(statement, "value", None)
    result = (named(statement) if whole else None) or names.free("values")
    return _OverElements(
        unit, call, gone_through, numbers, result, counter, item, dtype, numpy, names
    )


def _is_array(argument: Argument) -> bool:
    return isinstance(argument.flow.value, Array)


def _elements(
    unit: Unit, argument: Argument, kinds: Mapping[str, str], names: Names
) -> _Elements | None:
    value, text = argument.flow.value, unit.module.segment(argument.expression)
    assert isinstance(value, Array)
    kind = "float" if value.dtype is None else kinds.get(value.dtype)
    if kind is None or value.optional or len(text.splitlines()) > 1:
        return None
    name = text if dotted(argument.expression) is not None else names.free("given")
    flat = names.free(f"{name.rpartition('.')[2]}_flat")
    return _Elements(argument, kind, value.dtype is not None, text, name, flat)


def _named_number(unit: Unit, argument: Argument, names: Names) -> tuple[str, str]:
    """A name for a number that has none, and its text."""
    name = (dotted(argument.expression) or "number").rpartition(".")[2]
    return names.free(name.lstrip("_") or name), unit.module.segment(argument.expression)


def _number(argument: Argument, text: str, kinds: Mapping[str, str]) -> str | None:
    """A number that each call is given, as the Python number that the function gets."""
    value = argument.flow.value
    if len(text.splitlines()) > 1:
        return None
    if isinstance(value, Scalar):
        return text if value.type in NUMBERS else None
    kind = kinds.get(value.dtype or "") if isinstance(value, Number) else None
    return None if kind is None else f"{kind}({text})"


@dataclass(frozen=True, slots=True, eq=False)
class _OverVectors:
    """One call as a loop.

    Attributes
    ----------
    call : ast.Call
    result, array, items, vector, item : str
        Names of what is made, of the matrix, of the list and of a vector; what is made of that.
    columns : str
        The name of the matrix with its columns as rows; empty where rows are gone through.
    asked : tuple of str
        What is not known of the matrix.
    numpy, other : str
        NumPy's name in the module; the text of the call.
    """

    call: ast.Call
    result: str
    array: str
    items: str
    vector: str
    item: str
    columns: str
    asked: tuple[str, ...]
    numpy: str
    other: str

    def lines(self) -> Iterator[str]:
        """The loop, and the call itself where it is the other branch."""
        yield f"if {' and '.join([*self.asked, f'{self.array}.size'])}:"
        if self.columns:
            yield f"    {self.columns} = {self.array}.T"
        yield f"    {self.items} = []"
        yield f"    for {self.vector} in {self.columns or self.array}:"
        yield f"        {self.items}.append({self.item})"
        yield f"    {self.result} = {self.numpy}.array({self.items})"
        yield "else:"
        yield f"    {self.result} = {self.other}"


def loop_over_vectors(
    unit: Unit, statement: ast.stmt, call: ast.Call, numpy: str, names: Names
) -> WrittenOut | None:
    """A call as a loop; None where the text does not show how."""
    known, segment = unit.work.disguised_loops[id(call)], unit.module.segment
    (matrix,) = known.given
    array, rows = matrix.expression, known.over == "rows"
    if not isinstance(array, ast.Name) or len(segment(call).splitlines()) > 1:
        return None
    vector = names.free("row" if rows else "column")
    given = replace(matrix, position=0, keyword=None)
    item = of_element(unit, known.callback, [(given, vector)])
    if item is None:
        return None
    whole = call is getattr(statement, "value", None)
    result = (named(statement) if whole else None) or names.free("values")
    items = names.free(f"{result}{ITEMS}")
    columns = "" if rows else names.free(f"{array.id}_columns")
    value = matrix.flow.value
    assert isinstance(value, Array)
    asked = [f"{array.id}.dtype == {numpy}.float64"] if value.dtype is None else []
    asked += [f"{array.id}.ndim == 2"] if value.rank is None else []
    return _OverVectors(
        call, result, array.id, items, vector, item, columns, tuple(asked), numpy, segment(call)
    )


def disguised_loops(unit: Unit, node: ast.FunctionDef) -> Iterator[Edit]:
    """The edits that make loops of the calls in a function that could be such."""
    yield from written_out(unit, node, unit.work.disguised_loops, _loop)


def _loop(
    unit: Unit, statement: ast.stmt, call: ast.Call, numpy: str, names: Names
) -> WrittenOut | None:
    by_elements = unit.work.disguised_loops[id(call)].over == "elements"
    write = loop_over_elements if by_elements else loop_over_vectors
    return write(unit, statement, call, numpy, names)


__all__ = ["disguised_loops"]

"""Values of the program in the words that mean them where a loop begins."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gpuport.canonicalise.arithmetic import callee_path
from gpuport.canonicalise.blocked import Blocked
from gpuport.canonicalise.nests import ParallelRegion
from gpuport.ir.extents import Affine
from gpuport.ir.queries import walk
from gpuport.ir.structure import Head, Op, Value
from gpuport.parallel.linear import Linear, atom

OPERATORS = frozenset({"+", "-", "*", "//"})
LOADS = frozenset({"GetAttr", "LoadGlobal", "LoadCell"})
OBJECTS = ("record", "class", "module")
SPOKEN = frozenset({"builtins.len", "builtins.min", "builtins.max", "builtins.abs"})


class Wording:
    """What values are called where the loop of a region begins.

    Attributes
    ----------
    head : Head
        The names in the text of the loop.
    """

    def __init__(self, region: ParallelRegion) -> None:
        self.region, self.loop = region, region.replaces[-1]
        head = region.elements.function.heads.get(self.loop)
        if head is None:
            raise Blocked("it is no `for` statement of its own", self.loop.span)
        self.head: Head = head
        self._named: dict[Value, str] = {}
        used = set(self._used())
        self._known = {value: name for name, value in head.values.items() if "." not in name}
        for name, value in head.values.items():
            if name in head.words and value in used:
                other = self._named.setdefault(value, name)
                if other != name:
                    raise Blocked(f"`{other}` and `{name}` are one value", self.loop.span)

    def _used(self) -> Iterator[Value]:
        """All values that the loop uses, those of its head and those it begins with included."""
        held = {value for name, value in self.head.values.items() if name in self.head.words}
        waiting = [*self.loop.operands]
        for op in (*self.region.loads, *(op for r in self.loop.regions for op in walk(r))):
            waiting += op.operands
        seen: set[Value] = set()
        while waiting:
            value = waiting.pop()
            if value in seen:
                continue
            seen.add(value)
            yield value
            if value not in held and isinstance(value.definition, Op):
                waiting += value.definition.operands

    def named(self) -> dict[Value, str]:
        """The values that the text of the loop reads by local names."""
        shared = {op.result: self._load(op) for op in self.region.loads if op.kind == "LoadCell"}
        return self._named | shared

    def loaded(self) -> list[Value]:
        """The values that it reads from objects and from the module."""
        type_of = self.region.elements.type
        return [
            op.result
            for op in self.region.loads
            if op.kind == "LoadGlobal"
            or (op.kind == "GetAttr" and type_of(op.operands[0]).kind in OBJECTS)
        ]

    def loaded_objects(self) -> list[Value]:
        """What is read from objects under local names: the text of the loop reads nothing else."""
        type_of = self.region.elements.type
        return [
            op.result
            for op in self.region.loads
            if op.kind == "GetAttr" and type_of(op.operands[0]).kind == "record"
        ]

    def text(self, value: Value) -> str:
        """A value of the program in words.

        Raises
        ------
        Blocked
            Where no name and nothing that is certain to give the same says it.
        """
        if value in self._named or value in self._known:
            return self._named.get(value) or self._known[value]
        made = value.definition
        if not isinstance(made, Op):
            raise Blocked(f"`{value.name}` has another name where the loop begins", self.loop.span)
        if made.kind in LOADS:
            return self._load(made)
        return self.said(value, self.text)

    def _load(self, op: Op) -> str:
        name = str(op.attributes["name"])
        return f"{self.text(op.operands[0])}.{name}" if op.kind == "GetAttr" else name

    def said(self, value: Value, name: Callable[[Value], str]) -> str:
        """A whole number as an expression, in which arrays and numbers have names."""
        made = value.definition
        if isinstance(made, Op):
            if made.kind == "Const" and type(made.attributes["value"]) is int:
                return str(made.attributes["value"])
            if made.kind == "Extent":
                return f"{name(made.operands[0])}.shape[{made.attributes['axis']}]"
            if made.kind == "Binary" and made.attributes["operator"] in OPERATORS:
                left, right = (self._part(v, name) for v in made.operands)
                return f"{left} {made.attributes['operator']} {right}"
            if made.kind == "CheckBound":
                return self.expression(made.operands[0], name)
            if made.kind == "GetItem":
                return self._of_shape(made, name)
            if made.kind == "Call":
                return self._call(made, name)
            if made.kind == "GetAttr" and made.attributes["name"] == "size":
                return f"{name(made.operands[0])}.size"
            if (
                made.kind == "GetAttr"
                and self.region.elements.type(made.operands[0]).kind in OBJECTS
            ):
                return name(value)
        raise Blocked(f"nothing says {_shown(value)} where the loop begins", self.loop.span)

    def expression(self, value: Value, name: Callable[[Value], str]) -> str:
        """A whole number: by its name where it has one, or as it is made."""
        outside = value not in self.region.elements.like
        said = value in self._named or value in self._known
        if outside and (said or not isinstance(value.definition, Op)):
            return name(value)
        made = value.definition
        if outside and isinstance(made, Op) and made.kind in LOADS and made in self.region.loads:
            return name(value)
        return self.said(value, name)

    def _part(self, value: Value, name: Callable[[Value], str]) -> str:
        text = self.expression(value, name)
        return f"({text})" if " " in text or text.startswith("-") else text

    def _of_shape(self, op: Op, name: Callable[[Value], str]) -> str:
        """``x.shape[k]``."""
        made, by = op.operands[0].definition, op.operands[1].definition
        is_shape = isinstance(made, Op) and made.kind == "GetAttr"
        if not is_shape or not isinstance(made, Op) or made.attributes["name"] != "shape":
            raise Blocked(f"nothing says {_shown(op.result)} where the loop begins", op.span)
        number = by.attributes.get("value") if isinstance(by, Op) else None
        if type(number) is not int:
            raise Blocked("nothing tells which axis is meant", op.span)
        return f"{name(made.operands[0])}.shape[{number}]"

    def _call(self, op: Op, name: Callable[[Value], str]) -> str:
        path = callee_path(self.region.elements, op)
        if path not in SPOKEN or op.attributes["keywords"] or any(op.attributes["stars"]):
            raise Blocked("a bound of the loop is what a call gives", op.span)
        word = path.rpartition(".")[2]
        if word in self.head.words and word in self.head.values:
            raise Blocked(f"`{word}` means something else here", op.span)
        say = name if word == "len" else lambda v: self.expression(v, name)
        return f"{word}({', '.join(map(say, op.operands[1:]))})"

    def extent(self, extent: Affine, name: Callable[[Value], str]) -> Linear:
        """An extent in words."""
        total = Linear((), extent.constant)
        for symbol, factor in extent.terms:
            text = self._symbol(symbol.source, symbol.path, name)
            is_size = bool(symbol.path) and symbol.path[-1][0] == "axis"
            total = total + atom(text, is_size=is_size).times(factor)
        return total

    def exact(self, value: Value, name: Callable[[Value], str]) -> Linear:
        """A whole number of the program."""
        integer = self.region.elements.type(value).integer
        if value not in self._named and integer is not None:
            try:
                return self.extent(integer, name)
            except Blocked:
                pass  # it is said as it is made
        return atom(self.expression(value, name))

    def _symbol(
        self, source: Value, path: tuple[tuple[str, int], ...], name: Callable[[Value], str]
    ) -> str:
        if not path:
            text = self.expression(source, name)
            return f"({text})" if " " in text else text
        if len(path) == 1 and path[0][0] == "axis":
            return f"{name(source)}.shape[{path[0][1]}]"
        raise Blocked(f"nothing says how large a part of `{source.name}` is", self.loop.span)


def _shown(value: Value) -> str:
    return f"`{value.name}`" if value.name else "a bound"

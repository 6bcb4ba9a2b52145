"""Where a value crosses between host and device it is wrapped in one transfer."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.copies import Copying, Spot, name_read
from gpuport.analysis.placement.graph import Place, Use
from gpuport.analysis.values.contents import can_cross
from gpuport.analysis.values.lattice import (
    Array,
    Either,
    Mapping,
    Number,
    Scalar,
    Sequence,
    Tuple,
)
from gpuport.emit.aliases import Aliases
from gpuport.emit.evenlists import made_there
from gpuport.source.readers import Readers

_PYTHON = {"bool": "bool", "int64": "int", "float64": "float", "complex128": "complex"}

_EXACT = ")[()]"
"""What makes of an array without axes the scalar that NumPy gives."""

_APART = 4
"""Arrays up to which those of a display are each brought back where they are written."""


@dataclass(frozen=True, slots=True)
class Copy:
    """A transfer that several readers share, under a name of its own."""

    name: str
    of: str
    spot: Spot
    readers: tuple[ast.expr, ...]


@dataclass(frozen=True, slots=True)
class Transfer:
    """One crossing: ``direction`` is ``h2d`` or ``d2h``."""

    use: Use
    direction: str
    before: str
    after: str
    copy: Copy | None = None

    @property
    def place(self) -> ast.AST:
        """What is in as many loops as the transfer."""
        if self.copy is not None:
            return self.copy.spot.statement
        return self.use.after or self.use.before or self.use.expression


def transfers(analysed: Analysed, aliases: Aliases) -> Iterator[Transfer]:
    """All crossings of a unit: one for each expression, or for those that share a copy."""
    alone: list[Transfer] = []
    shared: dict[tuple[str, str, int], list[Transfer]] = defaultdict(list)
    for transfer in _each(analysed, aliases):
        name = name_read(analysed.unit, transfer.use)
        if name is None or transfer.use.seldom:
            alone.append(transfer)
        else:
            shared[name, transfer.direction, id(transfer.use.apart)].append(transfer)
    copying = Copying(analysed.unit) if shared else None
    for (name, direction, _), together in shared.items():
        assert copying is not None
        if len({id(one.use.producer.root()) for one in together}) > 1:
            alone += together
            continue
        # what does for one reader does for all: an exact scalar, an array of none, a number
        together.sort(key=lambda one: (one.after != _EXACT, "asnumpy" not in one.before))
        readers = tuple(one.use.expression for one in together)
        use = together[0].use
        spot = copying.place(name, list(readers), use.producer)
        if use.apart is not None:
            spot = copying.before(use.apart)
        elif spot is not None and not copying.gains(spot, list(readers)):
            spot = None
        if spot is None:
            alone += together
            continue
        new = copying.new_name(name, "device" if direction == "h2d" else "host")
        alone.append(replace(together[0], copy=Copy(new, name, spot, readers)))
    return iter(alone)


def _each(analysed: Analysed, aliases: Aliases) -> Iterator[Transfer]:
    """The crossings, each expression by itself."""
    seen: set[int] = set()
    relieved = _moved_by_callee(analysed)
    for use in analysed.unit.graph.uses.values():
        source = analysed.placement.of(use.producer)
        target = analysed.placement.of(use.consumer)
        if source is target or id(use.expression) in seen or id(use) in relieved:
            continue
        if target is Place.DEVICE:
            made = made_there(analysed.unit.module, use, aliases.cupy)
            if isinstance(use.value, (Number, Scalar)) or made is not None:
                continue
            seen.add(id(use.expression))
            listed = can_cross(use.value)
            function = f"{aliases.batched}.upload" if listed else f"{aliases.cupy}.asarray"
            yield _or_none(analysed, Transfer(use, "h2d", f"{function}(", ")"))
        else:
            seen.add(id(use.expression))
            for one in _written(use):
                yield _or_none(analysed, _to_host(analysed, one, aliases))


def _or_none(analysed: Analysed, transfer: Transfer) -> Transfer:
    """A transfer that leaves None what it is, where the value may be None."""
    use = transfer.use
    if not isinstance(use.value, Array | Either) or not use.value.optional:
        return transfer
    name = analysed.unit.module.segment(use.expression)
    before = f"({name} if {name} is None else {transfer.before}"
    return replace(transfer, before=before, after=f"{transfer.after})")


def _written(use: Use) -> list[Use]:
    """The arrays of a display, ``[x, y]``, each by itself; else the whole."""
    display = use.expression
    if not isinstance(display, (ast.List, ast.Tuple)) or use.after or use.before:
        return [use]
    apart = len(display.elts) <= _APART and not any(
        isinstance(one, (ast.Starred, ast.NamedExpr)) for one in display.elts
    )
    if isinstance(use.value, Tuple):
        values = use.value.items
    else:
        values = (use.value.of,) * len(display.elts) if isinstance(use.value, Sequence) else ()
    if not apart or not values or not all(isinstance(value, Array) for value in values):
        return [use]
    leaves = zip(display.elts, values, strict=True)
    return [replace(use, expression=one, value=value, shared=None) for one, value in leaves]


def _leaves(use: Use, aliases: Aliases) -> Transfer:
    """A list, tuple or dict of arrays is written anew, with each array brought back.

    What is printed of a container says of each part whether it is an array or a number.
    """
    value, expression = use.value, use.expression
    of = value.items if isinstance(value, Tuple) else (value.of,)  # type: ignore[union-attr]
    arrays = all(isinstance(leaf, Array) for leaf in of)
    exact = "" if arrays else "[()]"
    item = expression.value if isinstance(expression, ast.DictComp) else None
    item = expression.elt if isinstance(expression, ast.ListComp) else item
    if item is not None and all(isinstance(leaf, (Array, Number)) for leaf in of):
        return Transfer(
            replace(use, expression=item), "d2h", f"{aliases.cupy}.asnumpy(", f"){exact}"
        )
    tight = isinstance(expression, (ast.Name, ast.Attribute, ast.Call, ast.Subscript))
    opened, closed = ("", "") if tight else ("(", ")")
    if isinstance(value, Mapping):
        moved = f"{{name: {aliases.cupy}.asnumpy(value){exact} for name, value in {opened}"
        return Transfer(use, "d2h", moved, f"{closed}.items()}}")
    moved = f"{aliases.cupy}.asnumpy(value){exact} for value in {opened}"
    if isinstance(value, Sequence) and value.list:
        return Transfer(use, "d2h", f"[{moved}", f"{closed}]")
    return Transfer(use, "d2h", f"tuple({moved}", f"{closed})")


def _to_host(analysed: Analysed, use: Use, aliases: Aliases) -> Transfer:
    value = use.value
    if isinstance(value, (Mapping, Sequence, Tuple)):
        return _leaves(use, aliases)
    plain = f"{aliases.cupy}.asnumpy("
    if isinstance(value, Number) and value.dtype in _PYTHON:
        real = value.dtype != "complex128"  # NumPy's complex numbers are taken for real ones
        if not value.numpy_scalar or (real and _read_as_any_number(analysed.unit, use)):
            return Transfer(use, "d2h", f"{_PYTHON[value.dtype]}(", ")")
    # An argument that has to be moved is an array, perhaps of no dimension: it stays one.
    given = isinstance(value, Either) and bool(use.producer.root().parameters) and not use.view
    if given:
        return Transfer(use, "d2h", plain, ")")
    if isinstance(value, (Number, Either)) and not _as_array_of_none(use):
        return Transfer(use, "d2h", plain, _EXACT)
    return Transfer(use, "d2h", plain, ")")


def _read_as_any_number(unit: Unit, use: Use) -> bool:
    """Whether nothing can tell the number of NumPy's that is read from one of Python's."""
    texts = [project.module.text for project in unit.project.program.projects]
    words = unit.knowledge.words.print_numbers_otherwise
    beside = use.after is not None or use.before is not None
    shared = isinstance(unit.node, ast.Module) and unit.project.why_imported is not None
    if beside or shared or any(word in text for word in words for text in texts):
        return False

    def takes(call: ast.Call) -> bool:
        rule = unit.knowledge.rules.host(unit.scope.resolve(call.func) or "")
        return rule is not None and rule.number

    def is_plain(name: str) -> bool:
        flow = unit.env.get(name)
        known = unit.project.constant(name) if flow is None else flow.value
        return isinstance(known, Scalar) and known.type in ("int", "float")

    return Readers(unit.node, takes, is_plain).alike(use.expression)


def _as_array_of_none(use: Use) -> bool:
    """Whether an array of no dimension does as well as the number that it holds.

    NumPy's complex numbers are as good as their real parts where a floating number is wanted, with
    a warning; such an array raises there.
    """
    value = use.value
    dtype = value.dtype if isinstance(value, (Number, Either)) else None
    return use.consumer.zero_d and not (dtype or "").startswith("complex")


def _moved_by_callee(analysed: Analysed) -> set[int]:
    """Uses that need no transfer.

    A ported function moves host arrays beside device arrays, and the boundary moves results.
    """
    back = analysed.unit.return_node.root()
    by_call: dict[int, list[Use]] = defaultdict(list)
    for use in analysed.unit.graph.uses.values():
        if use.implicit:
            by_call[id(use.consumer)].append(use)
    relieved: set[int] = set()
    for uses in by_call.values():
        from_device = any(
            analysed.placement.of(u.producer) is Place.DEVICE
            and isinstance(u.value, (Array, Either))
            for u in uses
        )
        consumer = uses[0].consumer
        if from_device or consumer.device_call or consumer.root() is back:
            relieved.update(
                id(u) for u in uses
                if analysed.placement.of(u.producer) is Place.HOST
                and not isinstance(u.value, Sequence)
            )  # fmt: skip
    return relieved


__all__ = ["Copy", "Transfer", "transfers"]

"""The decorator line that lets a ported function serve NumPy and CuPy callers."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from gpuport.analysis.expressions.operators import joined_names
from gpuport.analysis.functions.drivers import makes_arrays
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.placement.graph import Place
from gpuport.analysis.values.lattice import Either, is_container
from gpuport.emit.aliases import Aliases
from gpuport.source.changedelements import behind_changed_elements
from gpuport.source.edits import Edit


@dataclass(frozen=True, slots=True)
class Boundary:
    """What the decorator says (see ``gpuport.runtime.device``)."""

    arrays: tuple[str, ...]
    require: tuple[str, ...]
    containers: tuple[str, ...]
    writes: tuple[str, ...]
    host: tuple[str, ...]
    creates: bool
    numbers: tuple[str, ...] = ()
    matrices: tuple[str, ...] = ()
    axes: tuple[tuple[str, int], ...] = ()
    policy: str = "match"
    from_size: int = 0


def boundary(analysed: Analysed) -> Boundary | None:
    """The boundary of a function, or None where no parameter goes to the device."""
    unit = analysed.unit
    if not isinstance(unit.node, ast.FunctionDef) or unit.objects is not None:
        return None
    taken, order = unit.parameters, _order(unit.node)
    on_device = [
        name for name, node in taken.nodes.items()
        if analysed.placement.of(node) is Place.DEVICE
    ]  # fmt: skip
    if not on_device:
        # Were what it takes for numbers arrays, they would meet the arrays that it makes.
        guarded = taken.assumed and not unit.decorated
        return Boundary((), (), (), (), (), True) if guarded else None
    meets = [n for n in order if n in taken.assumed and _meets_arrays(analysed, n)]
    moved = _moved_sources(analysed)
    relied = taken.required | moved
    matrices = [n for n in order if n in taken.matrices]
    containers = [n for n in on_device if is_container(taken.initial[n])]
    alone = len(on_device) == 1 and not containers and not meets  # no array then: nothing to move
    require = [] if alone else [n for n in on_device if n in relied and n not in matrices]
    unknown = taken.on_host
    writes = [n for n, node in taken.nodes.items() if node.is_written]
    writes += [n for n in meets if _is_augmented(unit.node, n)]
    writes += sorted(unknown & taken.escaped)
    host = [n for n in order if n in unknown | set(taken.nodes) - set(on_device)]
    # Numbers among these would be arrays without dimensions after they were moved.
    require += [n for n in host if n in moved and n in taken.nodes and n not in matrices]
    creates = not relied.intersection(on_device) and makes_arrays(analysed)
    arrays = tuple(n for n in order if n in {*on_device, *meets})
    return Boundary(
        arrays=arrays,
        require=tuple(require),
        containers=tuple(containers),
        writes=tuple(writes),
        host=tuple(host),
        creates=creates,
        numbers=tuple(sorted(taken.receiver_numbers)),
        matrices=tuple(n for n in matrices if n in {*arrays, *host}),
        axes=tuple((n, k) for n, k in _axes(analysed).items() if n in {*arrays, *host}),
    )


def _meets_arrays(analysed: Analysed, name: str) -> bool:
    """Whether a parameter that is taken for a number is never but an operand on the device.

    An array does as well there, and so does what a name is given that joins it with others;
    anywhere else it would have to be known that it is one.
    """
    unit = analysed.unit
    joined = {
        id(one): statement.targets[0].id
        for statement in ast.walk(unit.node)
        if isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and isinstance(statement.targets[0], ast.Name)
        for one in joined_names(statement.value)
    }

    def meets(name: str, around: frozenset[str]) -> bool:
        if name in around or (around and unit.scope.bound.get(name, 0) > 1):
            return False
        uses = [n for n in ast.walk(unit.node) if isinstance(n, ast.Name) and n.id == name]
        read = [one for one in uses if isinstance(one.ctx, ast.Load) or not around]
        nodes = [(one, unit.parameters.assumed_uses.get(id(one))) for one in read]
        return bool(nodes) and all(
            analysed.placement.of(node) is Place.DEVICE
            if node is not None
            else id(one) in joined and meets(joined[id(one)], around | {name})
            for one, node in nodes
        )

    return meets(name, frozenset())


def _axes(analysed: Analysed) -> dict[str, int]:
    """Parameters that have to have as many axes as the kernels of loops are made for.

    With another number the loops beside them run, on the host, and where those leave rows instead
    of numbers, arrays of the host would meet those of the device in what follows. What a loop adds
    to an element in place, it would add to a row of the array itself.
    """
    unit = analysed.unit
    loops = {id(one.graph_node): one for one in unit.forms.launches.values()}
    launched = [one for one in loops.values()
                if analysed.placement.of(one.graph_node) is Place.DEVICE]  # fmt: skip
    asked = dict(pair for one in launched for pair in one.axes)
    mixed = any(
        id(o.graph_node) not in loops and analysed.placement.of(o.graph_node) is Place.DEVICE
        for o in unit.work.operations.values()
    )
    functions = {**unit.project.root.functions, **unit.scope.functions}
    changed = behind_changed_elements(unit.node, functions)
    return {} if asked.keys().isdisjoint(changed) and not mixed else asked


def _is_augmented(node: ast.FunctionDef, name: str) -> bool:
    """Whether a name is changed in place where it holds an array, `x += y`."""
    targets = (n.target for n in ast.walk(node) if isinstance(n, ast.AugAssign))
    return any(isinstance(one, ast.Name) and one.id == name for one in targets)


def _order(node: ast.FunctionDef) -> list[str]:
    args = node.args
    return [a.arg for a in (*args.posonlyargs, *args.args, *args.kwonlyargs)]


def _moved_sources(analysed: Analysed) -> set[str]:
    """Parameters behind values that are transferred: a transfer would make arrays of numbers."""
    moved: set[str] = set()
    for use in analysed.unit.graph.uses.values():
        if isinstance(use.value, Either) and use.value.sources:
            source = analysed.placement.of(use.producer)
            if source is not analysed.placement.of(use.consumer):
                moved |= use.value.sources
    return moved


def decorator(analysed: Analysed, found: Boundary, aliases: Aliases, policy: str) -> Edit:
    """The decorator line, innermost: right above ``def``."""
    unit = analysed.unit
    node = unit.node
    assert isinstance(node, ast.FunctionDef)
    arguments = [f'"{name}"' for name in found.arrays]
    for keyword, names in (
        ("require", found.require), ("containers", found.containers), ("writes", found.writes),
        ("host", found.host), ("matrices", found.matrices), ("numbers", found.numbers),
    ):  # fmt: skip
        if names:
            arguments.append(f"{keyword}={_literal(names)}")
    if found.axes:
        counted = ", ".join(f'"{name}": {number}' for name, number in found.axes)
        arguments.append(f"axes={{{counted}}}")
    if found.creates:
        arguments.append("creates=True")
    if found.from_size:
        arguments.append(f"from_size={found.from_size:_}")
    if policy == "device" and found.arrays:
        arguments.append('boundary="device"')
    module = unit.module
    start = module.line_starts[node.lineno - 1]
    line = module.line_text(node.lineno)
    indent = line[: len(line) - len(line.lstrip(" \t\f"))]
    text = f"{indent}@{aliases.device}({', '.join(arguments)}){module.newline}"
    return Edit(start, start, (text,))


def _literal(names: tuple[str, ...]) -> str:
    if len(names) == 1:
        return f'"{names[0]}"'
    return "(" + ", ".join(f'"{n}"' for n in names) + ")"


__all__ = ["Boundary", "boundary", "decorator"]

"""Small arrays and lists under one name that stands for several: ``q = [x, y]; q = q / norm(q)``.

Each binding gets a name of its own, and a list that NumPy takes for an array is one from there on.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from gpuport.loops.context.scalars import exposed
from gpuport.loops.heads.heads import parse
from gpuport.loops.names import Renamed, blocks, function_path, mentions, walk
from gpuport.loops.private.array_uses import ArrayUses, Loop, bound_by, takes_arrays
from gpuport.loops.private.arrays import elements_type, is_list, made_of
from gpuport.rules.loopfunctions import makers

if TYPE_CHECKING:
    from gpuport.loops.parts.slices import Slices

_ALL_OF = ast.Call | ast.BinOp | ast.UnaryOp | ast.Tuple | ast.List | ast.Subscript
"""Expressions all of whose parts are worked out."""


def in_steps(loop: Loop, slices: Slices, live: frozenset[str]) -> frozenset[str] | None:
    """Give what a name stands for in turn names of their own, in place.

    Parameters
    ----------
    loop : ast.For or ast.While
        A copy of the user's.
    slices : Slices
    live : frozenset of str
        Names that something reads after the loop: they are left alone.

    Returns
    -------
    frozenset of str or None
        The new names, all of which have to be small arrays; None where all is as it was.
    """
    made: set[str] = set()
    outside = live | exposed(loop.body)
    made |= {*_displays_named(loop, slices)}
    typed = _typed(loop, slices)
    for block in blocks(loop):
        for name in dict.fromkeys(bound_by(one) for one in block):
            if name is not None and name not in outside and _alone(loop, block, name):
                made |= _Steps(loop, block, name, slices).told_apart()
    made |= {*_as_arrays(loop, slices, outside)}
    return frozenset(made) if made or typed else None


def _alone(loop: Loop, block: Sequence[ast.stmt], name: str) -> bool:
    """Whether only a block's own statements bind a name, several, and nothing before reads it."""
    steps = [k for k, one in enumerate(block) if bound_by(one) == name]
    if len(steps) < 2:  # it stands for one thing
        return False
    following = block[steps[0] :]
    first = following[0]
    stores = sum(
        isinstance(n, ast.Name) and n.id == name and not isinstance(n.ctx, ast.Load)
        for n in walk([loop])
    )
    added = sum(
        isinstance(n, ast.AugAssign) and isinstance(n.target, ast.Name) and n.target.id == name
        for n in walk(following)
    )
    assert isinstance(first, ast.Assign)
    return (
        stores == len(steps) + added
        and mentions(following, name) == mentions([loop], name)
        and not mentions([first.value], name)
    )


class _Steps:
    """What one name stands for in a block, one after another."""

    def __init__(self, loop: Loop, block: list[ast.stmt], name: str, slices: Slices) -> None:
        self.loop, self.block, self.name = loop, block, name
        self.slices, self.parts, self.fresh = slices, slices.parts, slices.fresh

    def told_apart(self) -> set[str]:
        """Rewrite the block; the names that are new in it."""
        made: set[str] = set()
        steps = [one for one in self.block if bound_by(one) == self.name]
        if not all(self._may_be_small(one) for one in steps[:1]):
            return made
        for one in steps[1:]:
            made.add(self._renamed_from(one))
        return made

    def _may_be_small(self, step: ast.stmt) -> bool:
        assert isinstance(step, ast.Assign)
        return is_list(step.value) or made_of(step.value, self.parts.facts) is not None

    def _renamed_from(self, step: ast.stmt) -> str:
        """Another name for what a statement binds, up to the end of the block."""
        name = self.fresh.name(self.name)
        at = self.block.index(step)
        assert isinstance(step, ast.Assign)
        step.targets = [ast.copy_location(ast.Name(name, ast.Store()), step.targets[0])]
        for k in range(at + 1, len(self.block)):
            self.block[k] = Renamed(self.name, name).visit(self.block[k])
        # What a later statement binds has the new name now: it is told apart from that in turn.
        self.name = name
        return name


def _as_arrays(loop: Loop, slices: Slices, outside: frozenset[str]) -> Iterator[str]:
    """Put arrays in the place of lists, wherever NumPy makes such of them; their names."""
    listed: dict[str, list[tuple[list[ast.stmt], ast.Assign]]] = {}
    for block in blocks(loop):
        for one in block:
            name = bound_by(one)
            if isinstance(one, ast.Assign) and name is not None and is_list(one.value):
                listed.setdefault(name, []).append((block, one))
    for name, bindings in listed.items():
        uses = ArrayUses(name, loop, slices.parts)
        if name not in outside and uses.are_arrays(len(bindings)):
            yield from _with_array(name, bindings, uses, slices)


def _with_array(
    name: str,
    bindings: Sequence[tuple[list[ast.stmt], ast.Assign]],
    uses: ArrayUses,
    slices: Slices,
) -> Iterator[str]:
    """Make an array of a list wherever the list is made, and name it where one is wanted."""
    values = [one.value for _, one in bindings]
    items = [value.elts for value in values if isinstance(value, ast.List | ast.Tuple)]
    values_of = _bound_to(uses.loop)
    known = {elements_type(one, slices.facts, values_of) for one in items}
    numpy = slices.numpy()
    if numpy is None or known != {"float64"} or len({len(one) for one in items}) != 1:
        return
    array = slices.fresh.name(name)
    held = ", ".join(f"{name}[{k}]" for k in range(len(items[0])))
    for block, one in bindings:
        made = ast.parse(f"{array} = {numpy}.array([{held}], dtype={numpy}.float64)").body[0]
        for node in ast.walk(made):
            ast.copy_location(node, one)
        block.insert(block.index(one) + 1, made)
    for use in uses.whole:
        use.id = array
    for call in uses.copied:
        call.func = ast.copy_location(ast.Attribute(call.args.pop(), "copy", ast.Load()), call)
    yield from (name, array)


def _bound_to(loop: Loop) -> dict[str, list[ast.expr]]:
    """What a loop's names are given, where an assignment gives it to them alone."""
    found: dict[str, list[ast.expr]] = {}
    for node in walk([loop]):
        name = bound_by(node) if isinstance(node, ast.stmt) else None
        if name is not None and isinstance(node, ast.Assign):
            found.setdefault(name, []).append(node.value)
    return found


def _typed(loop: Loop, slices: Slices) -> bool:
    """Write the dtype of ``np.array([dx, dy])``, where that of the names tells; whether it does."""
    made, numpy, values_of = False, slices.numpy(), _bound_to(loop)
    for node in walk([loop]):
        given = node.args if isinstance(node, ast.Call) and not node.keywords else []
        if len(given) != 1 or not isinstance(given[0], ast.List) or not is_list(given[0]):
            continue
        assert isinstance(node, ast.Call)
        if function_path(node.func, slices.facts) not in makers().of_items:
            continue
        items, facts = given[0].elts, slices.facts
        if elements_type(items, facts) is None and elements_type(items, facts, values_of):
            node.keywords = [ast.keyword("dtype", parse(f"{numpy}.float64", node))]
            made = True
    return made


def _displays_named(loop: Loop, slices: Slices) -> Iterator[str]:
    """Give names to lists that functions of NumPy's are handed as they are: ``norm([x, y])``."""
    values_of, numpy = _bound_to(loop), slices.numpy()
    for block in blocks(loop):
        for statement in tuple(block):
            if numpy is None or not isinstance(statement, ast.Assign | ast.AugAssign | ast.If):
                continue
            value = statement.test if isinstance(statement, ast.If) else statement.value
            for call in _always_called(value):
                for k, one in enumerate(call.args):
                    wanted = is_list(one) and takes_arrays(call, slices.facts)
                    items = one.elts if isinstance(one, ast.List | ast.Tuple) else []
                    if not wanted or not elements_type(items, slices.facts, values_of):
                        continue
                    name = slices.fresh.name("listed")
                    text = f"{name} = {numpy}.array({ast.unparse(one)}, dtype={numpy}.float64)"
                    made = ast.parse(text).body[0]
                    for node in ast.walk(made):
                        ast.copy_location(node, one)
                    block.insert(block.index(statement), made)
                    call.args[k] = ast.copy_location(ast.Name(name, ast.Load()), one)
                    yield name


def _always_called(value: ast.expr) -> Iterator[ast.Call]:
    """The calls in an expression that nothing in it can pass over, innermost first."""
    if isinstance(value, ast.BoolOp):
        yield from _always_called(value.values[0])
    elif isinstance(value, ast.IfExp):
        yield from _always_called(value.test)
    elif isinstance(value, _ALL_OF) or (isinstance(value, ast.Compare) and len(value.ops) == 1):
        for child in ast.iter_child_nodes(value):
            if isinstance(child, ast.expr):
                yield from _always_called(child)
    if isinstance(value, ast.Call):
        yield value


__all__ = ["in_steps"]

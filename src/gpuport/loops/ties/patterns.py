"""Numbers that pass from one iteration to the next and may: counters, sums, extremes, flags."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from gpuport.loops.carried import Accumulation
from gpuport.loops.context.scalars import exposed
from gpuport.loops.heads.counting import leaves
from gpuport.loops.names import loaded, mentions, stored, walk
from gpuport.loops.reasons import CARRIED, UNSUPPORTED, Refused

_SUMS = {ast.Add: "+", ast.Sub: "+", ast.Mult: "*"}


def run_on(loop: ast.For, live: frozenset[str]) -> None:
    """Drop the ``break`` after a flag is set, in place, where running on changes nothing else.

    ``for ...: if test: found = True; break`` sets one constant, however often.
    """
    if not loop.body or not isinstance(loop.target, ast.Name):
        return
    *before, last = loop.body
    if not isinstance(last, ast.If) or last.orelse or len(last.body) != 2 or leaves(before):
        return
    setting, leaving = last.body
    if not isinstance(setting, ast.Assign) or not isinstance(leaving, ast.Break):
        return
    target = setting.targets[0]
    if not isinstance(target, ast.Name) or not isinstance(setting.value, ast.Constant):
        return
    others = stored([loop]) - {target.id}
    elements = any(
        isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
        for node in ast.walk(loop)
    )
    if elements or others & live or target.id in loaded(loop.body) or target.id in stored(before):
        return
    if not (exposed(loop.body) & stored(loop.body)):
        last.body = [setting]


def write_sums(loop: ast.stmt, names: set[str]) -> None:
    """Write ``s = s + f`` as ``s += f``, in place, for names that the iterations share."""
    for node in ast.walk(loop):
        for block in ("body", "orelse"):
            statements = getattr(node, block, None)
            if not isinstance(statements, list):
                continue
            for position, statement in enumerate(statements):
                target = statement.targets[0] if isinstance(statement, ast.Assign) else None
                if isinstance(target, ast.Name) and target.id in names:
                    statements[position] = as_sum(statement, target.id) or statement


def accumulations(
    body: Sequence[ast.stmt], names: set[str], outlive: set[str]
) -> list[Accumulation]:
    """The accumulations that tie the iterations together through these names.

    Parameters
    ----------
    body : sequence of stmt
        What a thread does.
    names : set of str
        Names that an iteration may read before it has set them.
    outlive : set of str
        Names that the body binds and something after the loop reads.

    Raises
    ------
    Refused
        Where one of them is carried in another way.
    """
    finder = _Finder(names | outlive)
    finder.block(body)
    made: list[Accumulation] = []
    for name in sorted((names | outlive) - set(finder.following)):
        records = finder.found.get(name, [])
        operators = {record.operator for record in records}
        # Every read and every store of the name has to belong to one of the statements found.
        inside = sum(mentions([record.statement], name) for record in records)
        if len(operators) != 1 or inside != mentions(body, name):
            setting = _setting(body, name) if name not in names else None
            if setting is not None:
                made += [Accumulation(name, "latest", one) for one in setting]
                continue
            raise carried(body, name) if name in names else outlives(body, name)
        if operators & {"min", "max"} and len(records) > 1 and finder.companions.get(name):
            raise carried(body, name)
        made += records
    for name, (extreme, record) in finder.following.items():
        if mentions(body, name) != mentions([record.statement], name):
            raise carried(body, name)
        if extreme not in names | outlive or len(finder.found.get(extreme, [])) != 1:
            raise carried(body, name)
        if record not in made:
            made.append(record)
    return made


def kept(body: Sequence[ast.stmt], names: set[str]) -> list[Accumulation]:
    """Names that every iteration sets, and that hold after the loop what the last one set."""
    return [
        Accumulation(name, "last", next(s for s in reversed(body) if name in stored([s])))
        for name in sorted(names)
    ]


def _setting(body: Sequence[ast.stmt], name: str) -> list[ast.stmt] | None:
    """The assignments that alone set a name; None where something else does."""
    found: list[ast.stmt] = [
        node
        for node in walk(body)
        if isinstance(node, ast.Assign)
        and any(isinstance(n, ast.Name) and n.id == name for t in node.targets for n in _parts(t))
    ]
    stores = sum(isinstance(n, ast.Name) and n.id == name and _is_store(n) for n in walk(body))
    return found if found and len(found) == stores else None


def _parts(target: ast.expr) -> list[ast.expr]:
    return target.elts if isinstance(target, ast.Tuple | ast.List) else [target]


def carried(body: Sequence[ast.stmt], name: str) -> Refused:
    """The refusal for a name that carries a value into the next iteration."""
    stores = [n for n in walk(body) if isinstance(n, ast.Name) and n.id == name and _is_store(n)]
    reads = [n for n in walk(body) if isinstance(n, ast.Name) and n.id == name and not _is_store(n)]
    written = sorted({n.lineno for n in stores})
    where = stores[0] if stores else body[0]
    read = reads[0].lineno if reads else written[0]
    lines = ", ".join(str(line) for line in written)
    return Refused(
        CARRIED,
        where,
        f"not parallel: `{name}` is carried from one iteration to the next (distance 1): read on "
        f"line {read}, it holds what the iteration before assigned on line {lines}",
    )


def outlives(body: Sequence[ast.stmt], name: str) -> Refused:
    """The refusal for a name whose last value is read after the loop."""
    stores = [n for n in walk(body) if isinstance(n, ast.Name) and n.id == name and _is_store(n)]
    return Refused(
        UNSUPPORTED,
        stores[0] if stores else body[0],
        f"`{name}` is read after the loop, where it holds what the last iteration assigned; "
        "compute it again after the loop, or do not use it there",
    )


def _is_store(node: ast.Name) -> bool:
    return isinstance(node.ctx, ast.Store)


class _Finder:
    """Finds the statements that accumulate into names."""

    def __init__(self, names: set[str]) -> None:
        self.names = names
        self.found: dict[str, list[Accumulation]] = {}
        self.companions: dict[str, list[str]] = {}
        self.following: dict[str, tuple[str, Accumulation]] = {}

    def block(self, body: Sequence[ast.stmt]) -> None:
        """Look through statements and the blocks inside them."""
        for node in body:
            if isinstance(node, ast.If):
                if not self._extreme(node):
                    self.block(node.body)
                    self.block(node.orelse)
            elif isinstance(node, ast.For | ast.While):
                self.block(node.body)
            elif isinstance(node, ast.AugAssign):
                self._augmented(node)
            elif isinstance(node, ast.Assign):
                self._assigned(node)

    def _add(self, name: str, operator: str, statement: ast.stmt) -> None:
        self.found.setdefault(name, []).append(Accumulation(name, operator, statement))

    def _augmented(self, node: ast.AugAssign) -> None:
        operator = _SUMS.get(type(node.op))
        if not isinstance(node.target, ast.Name) or operator is None:
            return
        name = node.target.id
        if name in self.names and name not in loaded([node.value]):
            self._add(name, operator, node)

    def _assigned(self, node: ast.Assign) -> None:
        target = node.targets[0]
        if not isinstance(target, ast.Name) or target.id not in self.names:
            return
        if isinstance(node.value, ast.Constant):
            self._flag(node, target.id)
            return
        call = node.value
        if isinstance(call, ast.Call) and isinstance(call.func, ast.Name) and len(call.args) == 2:
            first, second = call.args
            own = isinstance(first, ast.Name) and first.id == target.id
            # max(s, f) keeps s against a NaN; max(f, s) does not, and depends on the order.
            if call.func.id in ("min", "max") and own and target.id not in loaded([second]):
                self._add(target.id, call.func.id, node)

    def _extreme(self, node: ast.If) -> bool:
        found = extreme(node, self.names)
        if found is None:
            return False
        self._add(found.name, found.operator, node)
        self.companions.setdefault(found.name, []).extend(found.followers)
        for follower in found.followers:
            record = Accumulation(follower, f"arg{found.operator}", node)
            known = follower in self.following
            self.following[follower] = ("" if known else found.name, record)
        return True

    def _flag(self, node: ast.Assign, name: str) -> None:
        """``found = True``: the constant is the same wherever the name is set."""
        known = self.found.get(name, [])
        if all(ast.dump(record.statement) == ast.dump(node) for record in known):
            self._add(name, "any", node)


@dataclass(frozen=True)
class Extreme:
    """``if f > s: s = f``, and the names that are set with it.

    Attributes
    ----------
    name, operator : str
    value : expr
        What is compared.
    followers : tuple of str
    """

    name: str
    operator: str
    value: ast.expr
    followers: tuple[str, ...]


def extreme(node: ast.If, names: set[str]) -> Extreme | None:
    """The extreme that an ``if`` keeps in one of these names; None for any other ``if``."""
    test = node.test
    if node.orelse or not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return None
    left, right, sign = test.left, test.comparators[0], type(test.ops[0])
    if sign not in (ast.Gt, ast.GtE, ast.Lt, ast.LtE):
        return None
    if isinstance(right, ast.Name) and right.id in names:
        name, value, larger = right.id, left, sign in (ast.Gt, ast.GtE)
    elif isinstance(left, ast.Name) and left.id in names:
        name, value, larger = left.id, right, sign in (ast.Lt, ast.LtE)
    else:
        return None
    followers: list[str] = []
    updated = False
    for inner in node.body:
        if not isinstance(inner, ast.Assign) or not isinstance(inner.targets[0], ast.Name):
            return None
        target = inner.targets[0].id
        if target == name and not updated and ast.dump(inner.value) == ast.dump(value):
            updated = True
        elif target != name and not {target, name, *followers} & loaded([inner.value]):
            followers.append(target)
        else:
            return None
    if not updated or {name, *followers} & loaded([value]):
        return None
    return Extreme(name, "max" if larger else "min", value, tuple(followers))


def as_sum(node: ast.Assign, name: str) -> ast.AugAssign | None:
    """``s = s + f - g`` as ``s += f - g``, ``s = f + s`` as ``s += f``."""
    value = node.value
    if not isinstance(value, ast.BinOp) or type(value.op) not in _SUMS:
        return None
    target = ast.copy_location(ast.Name(name, ast.Store()), node.targets[0])
    left, right = value.left, value.right
    commutes = isinstance(value.op, ast.Add | ast.Mult)
    if isinstance(left, ast.Name) and left.id == name:
        made = ast.AugAssign(target, value.op, right)
    elif commutes and isinstance(right, ast.Name) and right.id == name:
        made = ast.AugAssign(target, value.op, left)
    elif isinstance(value.op, ast.Add | ast.Sub) and isinstance(left, ast.BinOp):
        inner = as_sum(ast.copy_location(ast.Assign([node.targets[0]], left), node), name)
        if inner is None or not isinstance(inner.op, ast.Add):
            return None
        rest = ast.copy_location(ast.BinOp(inner.value, value.op, right), value)
        made = ast.AugAssign(target, ast.Add(), rest)
    else:
        return None
    return ast.copy_location(made, node)

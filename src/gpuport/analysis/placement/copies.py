"""One copy for many: a name that several places on the other side read crosses only once.

The copy gets a name and a statement of its own, before the first place that reads it and before
the loops around that place. It is the same array for as long as nothing writes to it and the name
is bound once. So is that of a name of the module that nothing in the module changes, for a call.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.placement.constants import is_part_of_constant
from gpuport.analysis.placement.graph import Node, Use
from gpuport.analysis.project.readonly import is_read_only
from gpuport.analysis.values.lattice import Array, Mapping, Object
from gpuport.source.constructed import item_key, keys_set, set_later
from gpuport.source.parameters import names_of
from gpuport.source.syntax import children, dotted

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_BLOCKS = ("body", "orelse", "finalbody")
_SAME_OF_COPIES = ("T",)
"""Attributes that are the same of a copy, without any work."""

_OF_PYTHON = frozenset(keyword.kwlist) | frozenset(dir(builtins))

_HOLDERS = (ast.stmt, ast.ExceptHandler, ast.match_case)


@dataclass(frozen=True, slots=True)
class Shared:
    """A copy that a use may read instead of a transfer of its own: the host's, or the device's."""

    name: str
    weight: float
    on_host: bool


def share(unit: Unit) -> None:
    """Tell the uses of a unit, before it is placed, which of them could read one copy."""
    named: dict[str, list[Use]] = defaultdict(list)
    apart: dict[tuple[str, int], list[Use]] = defaultdict(list)
    for use in unit.graph.uses.values():
        name = name_read(unit, use) if not use.implicit else None
        if name is not None and use.apart is not None:
            apart[name, use.apart.lineno].append(use)
        elif name is not None:
            named[name].append(use)
    copying = Copying(unit) if apart else None
    for (name, line), uses in apart.items():
        assert copying is not None
        spot = copying.before(uses[0].apart)
        for use in uses:
            if spot is None:
                use.movable = False
            else:
                use.shared = Shared(f"{name} of line {line}", copying.weight(spot), on_host=True)
    for name, uses in named.items():
        far = _far(uses)
        if len(far) < 2 and not any(use.weight > 1.0 for use in far):
            continue
        copying = copying or Copying(unit)
        readers = [use.expression for use in far]
        spot = copying.place(name, readers, uses[0].producer)
        if spot is None or not copying.gains(spot, readers):
            continue
        on_host = uses[0].producer.root().pinned is None
        shared = Shared(name, copying.weight(spot), on_host)
        for use in uses:
            use.shared = shared


def name_read(unit: Unit, use: Use) -> str | None:
    """The name by which a use reads an array that a copy would stay equal to; else None.

    ``x.T`` reads it by ``x``, and so does ``WEIGHTS[0]`` an array of the module. Whether the copy
    is made and read before others are given the array is told by `Copying.place`.
    """
    named = use.expression
    if use.apart is not None:
        return dotted(named)
    if isinstance(named, ast.Attribute) and named.attr in _SAME_OF_COPIES:
        named = named.value
    if isinstance(named, ast.Subscript) and is_part_of_constant(unit, named):
        named = named.value
    kept = isinstance(named, ast.Name) or _is_kept(unit, named)
    if not kept or not isinstance(getattr(named, "ctx", None), ast.Load):
        return None
    producer = use.producer.root()
    fits = (
        isinstance(use.value, Array)
        and not use.value.optional
        and use.movable
        and use.after is None
        and use.before is None
        and producer is not use.consumer.root()
        and not producer.mutated
        and _stays_as_it_is(producer)
    )
    return (dotted(named) or unit.module.segment(named)) if fits else None


def _is_kept(unit: Unit, node: ast.expr) -> bool:
    """Whether something is an attribute that is set where its object is made, and never again, or
    an item of a dict that is told apart, and never set anew by its key."""
    owner, key = getattr(node, "value", None), item_key(node)
    held = unit.env.get(owner.id) if isinstance(owner, ast.Name) else None
    if held is None or getattr(held.value, "optional", True):
        return False
    trees = [project.module.tree for project in unit.project.program.projects]
    if key is not None and isinstance(held.value, Mapping):
        told = key in dict(held.value.fields or ())
        return told and all(s is not None and key not in s for s in map(keys_set, trees))
    if not isinstance(node, ast.Attribute) or not isinstance(held.value, Object):
        return False
    known = unit.scope.resolve(node) is None and id(node) not in unit.graph.called
    return known and all(s is not None and node.attr not in s for s in map(set_later, trees))


def _far(uses: list[Use]) -> list[Use]:
    """The uses that are likely on the other side, and run: those that only one side can have."""
    root = uses[0].producer.root()
    if any(use.producer.root() is not root for use in uses):
        return []
    often = [use for use in uses if not use.seldom]
    if root.pinned is None:
        return [use for use in often if use.consumer.root().pinned is not None]
    return [use for use in often if use.consumer.root().pinned is None]


def _stays_as_it_is(root: Node) -> bool:
    """Whether what keeps an array on the host does not let others write to it."""
    pinned = root.pinned
    if pinned is None or _is_let_go(root):
        return True
    return pinned.slug is None and pinned.code != "GP405"


def _is_let_go(root: Node) -> bool:
    """Whether a call that is not looked into, and nothing before it, may write to an array."""
    reason = root.pinned
    if reason is None or not isinstance(reason.node, ast.Call) or root.disputed:
        return False
    return reason.code == "GP902" and reason.slug == "unknown-call"


@dataclass(frozen=True, slots=True)
class Spot:
    """Before (or right behind) a statement: where a line can be put."""

    statement: ast.stmt
    after: bool = False


@dataclass
class Copying:
    """Where in a function copies can be made."""

    unit: Unit
    _owners: dict[int, tuple[ast.stmt, ...]] = field(default_factory=dict)
    _blocks: dict[int, int] = field(default_factory=dict)
    _bindings: dict[str, ast.stmt] = field(default_factory=dict)
    _unclear: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        self._read(self.unit.node.body, ())

    def _read(self, block: Sequence[ast.stmt], owners: tuple[ast.stmt, ...]) -> None:
        for statement in block:
            self._blocks[id(statement)] = id(block)
            around = (*owners, statement)
            self._owners[id(statement)] = around
            if isinstance(statement, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                continue
            for name in _names(_targets(statement)):
                self._bindings[name] = statement
            inner = [c for c in children(statement) if not isinstance(c, _HOLDERS)]
            while inner:
                node = inner.pop()
                self._owners[id(node)] = around
                self._unclear.update(_names(_hidden_targets(node)))
                inner += children(node)
            for name in _BLOCKS:
                self._read(getattr(statement, name, []), around)
            for holder in (*getattr(statement, "handlers", []), *getattr(statement, "cases", [])):
                self._read(holder.body, around)

    def place(self, name: str, readers: list[ast.expr], producer: Node) -> Spot | None:
        """Where one copy serves all readers; None where it cannot be made.

        Before the first of them, or else where the name is bound.
        """
        if not self._precede(readers, producer.root()):
            return None
        name = re.split(r"[.[]", name)[0]  # of an attribute or an item its object stays
        if isinstance(self.unit.scope.node, ast.Lambda):  # no place for a line
            return None
        if not self._stands(name):
            return None
        top = self._at_top(name)
        if top is not None:
            return Spot(top, after=True)
        paths = [self._owners.get(id(reader)) for reader in readers]
        known = [path for path in paths if path is not None]
        if not readers or len(known) < len(paths) or name in self._unclear:
            return None
        common = self._common(known)
        around = self._owners[id(common)] if common is not None else ()
        for statement in around:  # as far out as it goes: before loops
            possible = statement is common or isinstance(statement, _LOOPS)
            if possible and self._takes_a_line(statement) and self._is_bound(name, statement):
                return Spot(statement)
        binding = self._bindings.get(name)
        if isinstance(binding, ast.Assign) and self.unit.module.stands_alone(binding):
            return Spot(binding, after=True)
        return None

    def _at_top(self, name: str) -> ast.stmt | None:
        """Where the module binds a name that is read again and again, if it uses the device."""
        unit, root = self.unit, self.unit.project.root
        started = unit.objects is not None and id(root.code) in unit.objects.members
        again = started and self._is_of_module(name) and unit.called_in_loops
        if not again or unit.project.why_imported is not None:
            return None
        bound = [one for one in unit.project.module.tree.body if name in _names(_targets(one))]
        alone = [one for one in bound if isinstance(one, ast.Assign) and len(one.targets) == 1]
        return next((one for one in alone if unit.module.stands_alone(one)), None)

    def _stands(self, name: str) -> bool:
        """Whether a name is one array wherever it is read: the function's, or the module's."""
        scope = self.unit.scope
        if self._is_of_module(name):
            return is_read_only(self.unit.project, name)
        bound = scope.bound.get(name) == 1
        return bound and name not in scope.outside and name not in scope.imports

    def _is_of_module(self, name: str) -> bool:
        scope, root = self.unit.scope, self.unit.project.root
        return scope is not root and scope.owner(name) is root

    def _precede(self, readers: list[ast.expr], root: Node) -> bool:
        """Whether all is read before a call is given the array that may write to it."""
        if root.pinned is None or not _is_let_go(root):
            return True
        call = root.pinned.node
        around = self._owners.get(id(call))
        if around is None:
            return False
        again = [one for one in around if isinstance(one, _LOOPS) or one is around[-1]]
        return all(
            (reader.end_lineno or 0) < getattr(call, "lineno", 0)
            and not any(one in again for one in self._owners.get(id(reader), ()))
            for reader in readers
        )

    def _is_bound(self, name: str, before: ast.stmt) -> bool:
        """Whether a name has been bound whenever a statement is reached, and is not in it."""
        if self._is_of_module(name):
            return True
        binding = self._bindings.get(name)
        if binding is None:
            function = self.unit.node
            return not isinstance(function, ast.Module) and name in names_of(function)
        around = self._owners[id(before)]
        if binding in around[:-1]:
            return True  # the target of a loop, in its body
        blocks = {self._blocks[id(statement)] for statement in around}
        return self._blocks[id(binding)] in blocks and binding.lineno < before.lineno

    def _common(self, paths: list[tuple[ast.stmt, ...]]) -> ast.stmt | None:
        """The first statement of the innermost block that holds all of some places."""
        found = None
        for level in range(min(len(path) for path in paths)):
            here = [path[level] for path in paths]
            if len({self._blocks[id(statement)] for statement in here}) != 1:
                break
            if all(self._takes_a_line(statement) for statement in here):
                found = min(here, key=lambda one: (one.lineno, one.col_offset))
            if len({id(statement) for statement in here}) != 1:
                break
        return found

    def _takes_a_line(self, statement: ast.stmt) -> bool:
        """Whether a line can be put before a statement: it begins one, and is no `elif`."""
        module = self.unit.module
        before = module.line_text(statement.lineno)
        start = module.extent(statement)[0] - module.line_starts[statement.lineno - 1]
        return not before[:start].strip() and not before[start:].startswith("elif")

    def before(self, loop: ast.stmt | None) -> Spot | None:
        """Right before a loop, where a line can be put there."""
        possible = loop is not None and id(loop) in self._owners and self._takes_a_line(loop)
        return Spot(loop) if possible and loop is not None else None

    def weight(self, spot: Spot) -> float:
        """How often a line runs, compared with one outside all loops."""
        around = self._owners.get(id(spot.statement), ())[:-1]
        return float(4 ** min(sum(isinstance(one, _LOOPS) for one in around), 4))

    def gains(self, spot: Spot, readers: list[ast.expr]) -> bool:
        """Whether one copy is less than a transfer for each reader.

        One of an attribute or item is none outside of loops: a line for what few places read.
        """
        if id(spot.statement) not in self._owners:
            return True
        names = [
            one for one in readers if item_key(one) is None and getattr(one, "attr", "T") == "T"
        ]
        return len(names) > 1 or any(
            isinstance(one, _LOOPS) and one not in self._owners[id(spot.statement)][:-1]
            and self._runs_again(one, reader)
            for reader in readers for one in self._owners[id(reader)]
        )  # fmt: skip

    def _runs_again(self, loop: ast.stmt, reader: ast.expr) -> bool:
        """Whether a loop evaluates an expression on each of its trips, not once before them."""
        once = getattr(loop, "iter", None)
        return once is None or not any(node is reader for node in ast.walk(once))

    def new_name(self, name: str, side: str) -> str:
        """A name for the copy that nothing in the module has.

        What a module calls `WEIGHTS` is on the device an array of the function's, `weights`.
        """
        taken = self.unit.module.names | self.unit.module.parameters
        lower = name.lower()
        constant = side == "device" and lower != name and self._is_of_module(name)
        constant = constant and self._at_top(name) is None
        if constant and lower not in taken | _OF_PYTHON:
            return lower
        *_, plain = name.partition(".") if name.isidentifier() else re.findall(r"\w+", name)
        wanted = f"{plain.lstrip('_') or re.split('[.[]', name)[0]}_on_{side}"
        while wanted in taken:
            wanted += "_"
        return wanted


def _targets(statement: ast.stmt) -> list[ast.expr]:
    """What a statement binds, as a whole."""
    if isinstance(statement, ast.Assign):
        return statement.targets
    if isinstance(statement, (ast.For, ast.AsyncFor)):
        return [statement.target]
    if isinstance(statement, ast.AnnAssign) and statement.value is not None:
        return [statement.target]
    if isinstance(statement, (ast.With, ast.AsyncWith)):
        return [i.optional_vars for i in statement.items if i.optional_vars is not None]
    return []


def _hidden_targets(node: ast.AST) -> list[ast.expr]:
    """What is bound, or unbound, inside of an expression."""
    if isinstance(node, (ast.comprehension, ast.NamedExpr)):
        return [node.target]
    return [node] if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del) else []


def _names(targets: list[ast.expr]) -> list[str]:
    pending: list[ast.AST] = [*targets]
    found = []
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Name):
            found.append(node.id)
        elif isinstance(node, (ast.Tuple, ast.List, ast.Starred)):
            pending += children(node)
    return found


__all__ = ["Copying", "Shared", "Spot", "share"]

"""Numbers that a loop reads from what holds several: fields of records, constants of classes,
members of enumerations.

What a record holds is passed to the kernel as it is before the loop, which stores no attributes.
The launch asks whether it is of the class whose fields these are: of another one they may be
properties, which compute a number of the arrays that the loop changes.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from functools import lru_cache

from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.objects.enumerations import enumeration_named
from gpuport.analysis.objects.methodbodies import held_by
from gpuport.analysis.objects.namedtuples import NAMED_TUPLE, made_tuples
from gpuport.analysis.objects.receivers import plain_fields, receiver_of
from gpuport.analysis.values.lattice import INT, Array, Either, Number, Object, Tuple
from gpuport.loops.facts import ScalarFact
from gpuport.loops.forms.entries import entry_text, item_text
from gpuport.source.annotations import annotation
from gpuport.source.names import Scope
from gpuport.source.syntax import bound_in, dotted, walk

_BASES = frozenset({"builtins.object", NAMED_TUPLE})
_OF_ARRAYS = frozenset(("shape", "size", "ndim", "T", "real", "imag", "flat", "dtype"))
_LOOKUPS = frozenset({"__getattribute__", "__getattr__", "__new__"})


def held_numbers(unit: Unit, loop: ast.For | ast.While) -> dict[str, ScalarFact]:
    """Numbers in a loop that are attributes of what is bound before it, by their text.

    Parameters
    ----------
    unit : Unit
    loop : ast.For or ast.While
    """
    found: dict[str, ScalarFact] = {}
    for owner, names in attributes_in(unit, loop).items():
        shared = _of_enumeration(unit, loop, owner, names) | _of_class(unit, owner, names)
        record = not shared and not isinstance(held_by(unit, owner), Object)
        found |= _of_record(unit, owner, names) if record else shared
    return found | _of_containers(unit, loop)


def _of_containers(unit: Unit, loop: ast.For | ast.While) -> dict[str, ScalarFact]:
    """Entries ``p["dt"]`` and items ``box.shape[0]``: the launch asks what they are taken from."""
    bound, found = unit.project.bound_in(loop), dict[str, ScalarFact]()
    subscripts = unit.module.nodes.inside(loop, ast.Subscript)
    owners = {id(node.value) for node in subscripts}
    for node in subscripts:
        entry, item, owner = entry_text(node), item_text(node), dotted(node.value)
        if owner is None or id(node) in owners:  # what is subscripted again is no number
            continue
        if owner.partition(".")[0] in bound:
            continue
        held = held_by(unit, owner)
        if entry is not None and not isinstance(held, Array | Either | Number | Object):
            asked = f"type({owner}) is dict and {ast.unparse(node.slice)} in {owner}"
            found[entry] = ScalarFact(provided=asked)
        elif item is not None and isinstance(held, Tuple):
            place = ast.literal_eval(node.slice)
            if held.items[place : place + 1] == (INT,):
                asked = f"type({owner}) is tuple and len({owner}) == {len(held.items)}"
                found[item] = ScalarFact("int", provided=asked)
    return found


def attributes_in(unit: Unit, loop: ast.For | ast.While) -> dict[str, list[str]]:
    """By what has them: the attributes in a loop of what the loop does not bind."""
    around = unit.scope.parent
    method = around is not None and isinstance(around.node, ast.ClassDef)
    bound, receiver = unit.project.bound_in(loop), receiver_of(unit.node) if method else None
    read: dict[str, list[str]] = {}
    for node in unit.module.nodes.inside(loop, ast.Attribute):
        owner = dotted(node.value)
        if owner is None or owner.partition(".")[0] in bound or owner == receiver:
            continue
        read.setdefault(owner, []).append(node.attr)
    return read


def _of_enumeration(
    unit: Unit, loop: ast.stmt, owner: str, names: Collection[str]
) -> dict[str, ScalarFact]:
    """The numbers behind members, ``State.ON.value``, and the members of an enumeration of whole
    numbers where they are no more than compared, stored and counted by.

    To NumPy a member is no number of Python's: ``x8[i] + State.ON`` is an int64.
    """
    name, _, member = owner.partition(".")
    kind = enumeration_named(unit, name)
    if kind is None:
        return {}
    if member:
        number = kind.members.get(member)
        if number is None or set(names) != {"value"}:
            return {}
        return {f"{owner}.value": ScalarFact(type(number).__name__, number)}
    apart = _Apart(unit.node, loop)
    return {
        f"{owner}.{one}": ScalarFact("int", kind.members[one])
        for one in names
        if kind.counts and one in kind.members and apart.only(f"{owner}.{one}")
    }


def _means_module(unit: Unit, name: str) -> bool:
    """Whether a name means what the module binds it to, once."""
    root = unit.project.root
    own = unit.scope.owner(name) is root and root.bound.get(name) == 1
    return own and name not in root.imports


class _Apart:
    """Tells of a number whether it is only compared, stored in elements and counted by."""

    def __init__(self, function: ast.AST, loop: ast.stmt) -> None:
        self.function = function
        self.around: dict[int, ast.AST] = {}
        for node in ast.walk(function):
            for child in ast.iter_child_nodes(node):
                self.around[id(child)] = node
        self.named: set[str] = set()

    def only(self, text: str) -> bool:
        """Whether nothing else is done with it, nor with names that are given it."""
        return all(
            self._harmless(node)
            for node in ast.walk(self.function)
            if isinstance(node, ast.Attribute | ast.Name)
            and isinstance(node.ctx, ast.Load)
            and dotted(node) == text
        )

    def _harmless(self, node: ast.AST) -> bool:
        around = self.around[id(node)]
        if isinstance(around, ast.Compare):
            return True
        if isinstance(around, ast.Tuple | ast.List | ast.Set | ast.IfExp):
            test = isinstance(around, ast.IfExp) and node is around.test
            return not test and self._harmless(around)
        if isinstance(around, ast.Subscript):
            return node is around.slice
        if not isinstance(around, ast.Assign) or len(around.targets) != 1:
            return False
        target = around.targets[0]
        if isinstance(target, ast.Name) and target.id not in self.named:
            self.named.add(target.id)
            return self.only(target.id)
        return isinstance(target, ast.Subscript | ast.Name)


def _of_class(unit: Unit, owner: str, names: Collection[str]) -> dict[str, ScalarFact]:
    """Numbers of a class of the module, read from the class itself: ``Settings.gain``."""
    root = unit.project.root
    node = root.classes.get(owner) if _means_module(unit, owner) else None
    if node is None or not _is_plain(root, node) or node.keywords:
        return {}
    scope = next(one for one in root.children if one.node is node)
    own = {name for one in node.body for name in bound_in(one)}
    fields = plain_fields(scope)
    return {
        f"{owner}.{one}": ScalarFact(fields[one]) for one in names if one in fields and one in own
    }


def _of_record(unit: Unit, owner: str, names: Collection[str]) -> dict[str, ScalarFact]:
    """Numbers of an instance: of the class that its name is said to be of, or of the one class
    whose fields they all are.
    """
    classes = {
        name: fields
        for name, fields in records(unit.project.root).items()
        if unit.scope.owner(name) is unit.project.root
    }
    told = _class_told(unit, owner)
    fitting = [name for name, fields in classes.items() if set(names) & fields.keys()]
    if told not in classes and (len(fitting) != 1 or not _OF_ARRAYS.isdisjoint(names)):
        return {}
    name = told if told in classes else fitting[0]
    of = f"type({owner}) is {name}"
    fields = classes[name]
    return {
        f"{owner}.{one}": ScalarFact(fields[one], provided=of) for one in names if one in fields
    }


@lru_cache(maxsize=8)  # asked for each name with attributes in a loop
def records(root: Scope) -> dict[str, dict[str, str | None]]:
    """The classes of a module whose instances hold numbers, with these fields and their types."""
    found: dict[str, dict[str, str | None]] = {}
    for name, (_, names) in made_tuples(root):
        found[name] = dict.fromkeys(names)
    for scope in root.children:
        node = scope.node
        if not isinstance(node, ast.ClassDef) or root.bound.get(node.name) != 1:
            continue
        if node.name not in root.imports and _is_plain(root, node):
            fields = plain_fields(scope)
            if fields:
                found[node.name] = fields
    return found


def _is_plain(root: Scope, node: ast.ClassDef) -> bool:
    """Whether attributes of a class are looked up as those of most classes are."""
    methods = {one.name for one in node.body if isinstance(one, ast.FunctionDef)}
    return not methods & _LOOKUPS and all(root.resolve(base) in _BASES for base in node.bases)


def _class_told(unit: Unit, owner: str) -> str | None:
    """The class that the text says a name is an instance of."""
    listed = getattr(unit.node, "args", None)
    for argument in walk(listed) if listed is not None else ():
        if isinstance(argument, ast.arg) and argument.arg == owner:
            written = annotation(argument)
            if isinstance(written, ast.Constant):  # in quotes
                return str(written.value)
            return None if written is None else dotted(written)
    scope = unit.scope.owner(owner)
    made = scope.choices.get(owner) if scope is not None else None
    return dotted(made.func) if isinstance(made, ast.Call) else None


__all__ = ["attributes_in", "held_numbers", "records"]

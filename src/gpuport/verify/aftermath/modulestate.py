"""State that a module keeps between calls: equal before each call, compared after it.

Only names that some function of the file may change are looked at, so that most files cost nothing.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import (
    Collection,
    Iterable,
    Iterator,
    MutableMapping,
    MutableSequence,
    MutableSet,
    Sequence,
)
from dataclasses import dataclass, field
from types import ModuleType
from typing import Any

import numpy as np

from gpuport.verify.aftermath.leaves import Leaf, ToHost, leaves_of
from gpuport.verify.sides.generators import is_generator, set_back
from gpuport.verify.sides.states import state_of
from gpuport.verify.sides.syntax import MUTATORS

_MOST = 24
STATE = "state "
_ATOMS = (str, bytes, int, float, complex, bool, type(None))

Place = tuple[str, str]  # a name of the module, and an attribute of it where that is what changes


def changed_places(tree: ast.AST) -> tuple[Place, ...]:
    """Module-level names, and attributes of functions and classes, that functions may change."""
    body = getattr(tree, "body", [])
    known = _Names.of(body)
    found: dict[Place, None] = {}
    for node in body:
        owner = node.name if isinstance(node, ast.ClassDef) else ""
        for part in node.body if owner else [node]:
            if isinstance(part, ast.FunctionDef | ast.AsyncFunctionDef):
                found.update(dict.fromkeys(_changes(part, known, owner)))
    return tuple(found)[:_MOST]


def functions_changing_state_of(function: str, tree: ast.Module) -> set[str]:
    """Functions that change what the function of this qualified name uses beside its arguments.

    Of a method those of its class, which may change attributes of the class too; else plain ones.
    """
    known = _Names.of(tree.body)
    owner, dot, name = function.rpartition(".")
    plain = {node.name: node for node in _body_of(tree, owner) if isinstance(node, ast.FunctionDef)}
    if name not in plain:
        return set()
    parts = list(ast.walk(plain[name]))
    used = {part.id for part in parts if isinstance(part, ast.Name)}
    attributes = {part.attr for part in parts if isinstance(part, ast.Attribute)}

    def uses(place: Place) -> bool:
        return place[0] in used or (place[0] == owner and place[1] in attributes)

    return {
        f"{owner}{dot}{other}"
        for other, node in plain.items()
        if (not owner or _is_called_by_name(node)) and any(map(uses, _changes(node, known, owner)))
    }


def _is_called_by_name(method: ast.FunctionDef) -> bool:
    """Whether a method is no property, and none of those that Python calls."""
    bare = {ast.unparse(d) for d in method.decorator_list} <= {"classmethod", "staticmethod"}
    return bare and not method.name.startswith("__")


def _body_of(tree: ast.Module, owner: str) -> list[ast.stmt]:
    """The statements of a module, or of the class of this name in it."""
    if not owner:
        return tree.body
    classes = (node for node in tree.body if isinstance(node, ast.ClassDef))
    return next((node.body for node in classes if node.name == owner), [])


@dataclass(frozen=True, slots=True)
class _Names:
    """Names that a module binds, and which of them are other modules: `np.sort` changes none."""

    bound: frozenset[str]
    modules: frozenset[str]

    @classmethod
    def of(cls, body: Sequence[ast.stmt]) -> _Names:
        aliases = (alias for node in body if isinstance(node, ast.Import) for alias in node.names)
        modules = {alias.asname or alias.name.partition(".")[0] for alias in aliases}
        return cls(frozenset(n for node in body for n in _bound(node)), frozenset(modules))


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
        return
    for part in ast.walk(node):
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            yield part.id
        elif isinstance(part, ast.Import | ast.ImportFrom):
            yield from (alias.asname or alias.name.partition(".")[0] for alias in part.names)


def _changes(
    function: ast.FunctionDef | ast.AsyncFunctionDef, known: _Names, owner: str
) -> Iterator[Place]:
    parts = list(ast.walk(function))
    declared = {n for p in parts if isinstance(p, ast.Global) for n in p.names}
    # a class method's first parameter is the class itself
    arguments = function.args.posonlyargs + function.args.args
    made_class = any("classmethod" in ast.unparse(d) for d in function.decorator_list)
    own = arguments[0].arg if owner and made_class and arguments else ""
    local = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
    local |= {
        p.id
        for p in parts
        if isinstance(p, ast.Name) and isinstance(p.ctx, ast.Store) and p.id not in declared
    }
    held = _other_names(parts, known.bound - local)
    for part in parts:
        for name, attribute in _written(part, declared):
            if name in held:
                yield held[name], attribute
            elif name == own and own:
                yield owner, attribute
            elif name in known.modules and isinstance(part, ast.Call) and not attribute:
                continue  # a function of that module
            elif (name in known.bound or name in declared) and name not in local:
                yield name, attribute


def _other_names(parts: Iterable[ast.AST], known: Collection[str]) -> dict[str, str]:
    """Local names that stand for what the module keeps by another: ``table = TABLE``."""
    found = {}
    for part in parts:
        value = part.value if isinstance(part, ast.Assign) else None
        if isinstance(part, ast.Assign) and isinstance(value, ast.Name) and value.id in known:
            names = (t.id for t in part.targets if isinstance(t, ast.Name))
            found.update(dict.fromkeys(names, value.id))
    return found


def _written(node: ast.AST, declared: set[str]) -> Iterator[Place]:
    """Names whose value this node may change: themselves, or an attribute of theirs."""
    if isinstance(node, ast.Name):
        if isinstance(node.ctx, ast.Store | ast.Del) and node.id in declared:
            yield node.id, ""
        return
    target: ast.AST | None = None
    if isinstance(node, ast.Attribute | ast.Subscript):
        target = node if isinstance(node.ctx, ast.Store | ast.Del) else None
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        target = node.func.value if node.func.attr in MUTATORS else None
    attribute = ""
    while isinstance(target, ast.Attribute | ast.Subscript):
        attribute = target.attr if isinstance(target, ast.Attribute) else attribute
        target = target.value
    if isinstance(target, ast.Name):
        yield target.id, attribute


@dataclass(slots=True)
class ModuleState:
    """What one version's functions may change of their module, as it was after loading."""

    places: tuple[Place, ...] = ()
    values: dict[Place, Any] = field(default_factory=dict)
    missing: set[Place] = field(default_factory=set)

    @classmethod
    def of(
        cls, module: ModuleType, places: Iterable[Place], siblings: Collection[ModuleType] = ()
    ) -> ModuleState:
        """The state now; what cannot be copied is left out, and what is of other projects."""
        made = cls()
        own = {module.__name__, *(sibling.__name__ for sibling in siblings)}
        moving = (
            (name, "") for name, value in vars(module).items() if _moves_by_itself(value, own)
        )
        for place in dict.fromkeys((*places, *moving)):
            holder, name = _holder(module, place)
            foreign = isinstance(holder, ModuleType) and holder is not module
            if holder is None or (foreign and holder not in siblings):
                continue
            if name not in vars(holder):
                made.missing.add(place)
                continue
            value = vars(holder)[name]
            if callable(value) or isinstance(value, ModuleType | property | staticmethod):
                continue
            try:
                made.values[place] = copy.deepcopy(value)
            except Exception:  # locks, files, whatever a program keeps
                continue
        made.places = (*made.values, *made.missing)
        return made

    def restore(self, module: ModuleType) -> None:
        """Make the module's state what it was, containers in place."""
        for place in self.places:
            holder, name = _holder(module, place)
            if holder is None:
                continue
            if place in self.missing:
                if name in vars(holder):
                    delattr(holder, name)
            else:
                now = vars(holder).get(name)
                setattr(holder, name, _restored(now, self.values[place]))

    def leaves(self, module: ModuleType, to_host: ToHost, of: str = "") -> Iterator[Leaf]:
        """The state as leaves, `of` a sibling; where the port keeps it is its own affair."""
        for place in self.places:
            holder, name = _holder(module, place)
            path = STATE + ".".join(part for part in (of, *place) if part)
            if holder is None or name not in vars(holder):
                yield Leaf(path, "struct", "not there")
                continue
            for leaf in leaves_of(path, vars(holder)[name], to_host):
                yield _on_host(leaf)


def _moves_by_itself(value: Any, own: Collection[str]) -> bool:
    """A generator, or an instance of a class of the project: its methods may change it."""
    kind = type(value)
    instance = kind.__module__ in own and state_of(value) is not None
    return is_generator(value) or instance


def _holder(module: ModuleType, place: Place) -> tuple[Any, str]:
    """The namespace that a place is in, and its name there."""
    name, attribute = place
    held = vars(module).get(name)
    if attribute and (isinstance(held, type | ModuleType) or hasattr(held, "__code__")):
        return held, attribute
    return module, name


def _restored(now: Any, value: Any) -> Any:
    if isinstance(value, _ATOMS):
        return value
    if is_generator(value) and type(now) is type(value):
        set_back(now, value)
        return now
    fresh = copy.deepcopy(value)
    if type(now) is not type(value):
        return fresh
    if isinstance(now, MutableMapping | MutableSet):
        now.clear()
        now.update(fresh)  # type: ignore[union-attr]
        return now
    if isinstance(now, MutableSequence):
        now[:] = fresh
        return now
    alike = isinstance(now, np.ndarray) and (now.shape, now.dtype) == (fresh.shape, fresh.dtype)
    if alike and now.flags.writeable:
        now[...] = fresh
        return now
    if hasattr(now, "__dict__") and not isinstance(now, np.ndarray):
        # others may have imported the very same object
        vars(now).clear()
        vars(now).update(vars(fresh))
        return now
    return fresh


def _on_host(leaf: Leaf) -> Leaf:
    if leaf.kind != "device":
        return leaf
    if leaf.value.ndim == 0:
        return leaf._replace(kind="numpy scalar", value=leaf.value[()])
    return leaf._replace(kind="array")

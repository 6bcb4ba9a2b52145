"""Functions in whose calls another function is called: they know what it takes.

A helper of a class takes a state and arguments that nothing in its own text describes. Those that
call it, the public ones above all, describe theirs.
"""

from __future__ import annotations

import ast
import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import lru_cache, partial

from gpuport.verify.sides.originals import Located
from gpuport.verify.signatures.classes import Class, class_of
from gpuport.verify.signatures.instances import Instances
from gpuport.verify.signatures.parameters import Parameter, parameters_of
from gpuport.verify.signatures.signatures import Signature
from gpuport.verify.signatures.subclasses import inheriting

_FARTHEST = 5  # calls between the two
_MOST = 5  # callers that are told
_SUBCLASSES = 2  # whose instances are tried
_KEPT = 64  # files and classes of which it is known what refers to what
_SELF = "self"

Graph = Mapping[str, frozenset[str]]
Caller = Callable[[], Signature | None]
"""What makes the signature of a caller, once it is wanted; None where no instance can be made."""


def callers_of(
    signature: Signature, every: Sequence[Signature], tree: ast.Module, place: Located | None
) -> list[Caller]:
    """The functions that call it or lead to its call, likeliest first.

    Parameters
    ----------
    signature : Signature
    every : sequence of Signature
        All functions of the file.
    tree : ast.Module
    place : Located, optional
        Of the file, so that bases and subclasses in other files are found.
    """
    own = list(_of_class(signature, tree, place))
    others = _of_file(signature, {one.name: one for one in every if not one.obstacle}, tree)
    return [*own, *others][:_MOST]


def _of_class(signature: Signature, tree: ast.Module, place: Located | None) -> Iterator[Caller]:
    """Methods of its class, and of its bases, on instances of subclasses where there are some."""
    owner = class_of(signature.name, tree, place)
    method = signature.name.rpartition(".")[2]
    if owner is None or signature.init is None or method.startswith("__"):
        return
    # they are looked up in the class itself
    known = {n.name for n in owner.methods() if not (n.decorator_list or n.name.startswith("__"))}
    below = itertools.islice(inheriting(owner, method), _SUBCLASSES)
    found = []
    for kind in sorted([owner, *below], key=_lacking):
        init = signature.init if kind is owner else None
        own = {node.name: node for node in kind.methods()}
        for name, order in _leading(method, _refers_in_class(kind)).items():
            if name in known:
                found.append((order, partial(_of_instance, owner, kind, own[name], init)))
    yield from (caller for _, caller in sorted(found, key=lambda one: one[0]))


def _of_instance(
    owner: Class, kind: Class, node: ast.FunctionDef, init: tuple[Parameter, ...] | None
) -> Signature | None:
    """The method on instances of a class, by the constructor that is given or by its own."""
    if init is None:
        slots = tuple(Instances(kind.tree, kind.place).made(_SELF, kind))
        if not slots:
            return None
        init = (Parameter(_SELF, slots, "guessed"),)
    home = next(one for one in kind.line if node in one.node.body)
    parameters = Instances(home.tree, home.place).of_function(node, parameters_of(node, True))
    return Signature(f"{owner.node.name}.{node.name}", node.lineno, parameters, init)


def _lacking(kind: Class) -> tuple[int, int]:
    """How many methods are left to subclasses, and attributes that are read and nothing sets."""
    read = {name for node in kind.methods() for name in _attributes(node, True)}
    return kind.open_ends, len(read - kind.members)


@lru_cache(_KEPT)
def _refers_in_class(kind: Class) -> Graph:
    """By method of a class, what it reads of its instance and of its bases."""
    found: dict[str, frozenset[str]] = {}
    for one in kind.line:
        for node in one.node.body:
            if isinstance(node, ast.FunctionDef):
                named = frozenset(_attributes(node, True))
                found[node.name] = found.get(node.name, frozenset()) | named
    return found


def _of_file(
    signature: Signature, every: Mapping[str, Signature], tree: ast.Module
) -> Iterator[Caller]:
    """Functions of the file, by the names that they use."""
    found = _leading(signature.name, _refers_in_file(tree))
    names = (name for name in sorted(found, key=found.__getitem__) if name in every)
    yield from (partial(every.__getitem__, name) for name in names)


@lru_cache(_KEPT)
def _refers_in_file(tree: ast.Module) -> Graph:
    """By function of a file, which others it names; methods that it names are of any class."""
    every = dict(_functions(tree))
    methods: dict[str, set[str]] = {}
    for name in every:
        owner, _, method = name.rpartition(".")
        if owner:
            methods.setdefault(method, set()).add(name)
    found = {}
    for name, node in every.items():
        names = {n.id for n in ast.walk(node) if isinstance(n, ast.Name)}
        owner = name.rpartition(".")[0]
        own = {f"{owner}.{one}" for one in _attributes(node, True)} if owner else set()
        made = {f"{one}.__init__" for one in names}
        others = (methods.get(one, set()) for one in _attributes(node, False))
        found[name] = frozenset((names | own | made) & every.keys()).union(*others)
    return found


def _functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef]]:
    for node in tree.body:
        for part in node.body if isinstance(node, ast.ClassDef) else [node]:
            if isinstance(part, ast.FunctionDef):
                yield (part.name if part is node else f"{node.name}.{part.name}"), part  # type: ignore[attr-defined]


def _attributes(node: ast.AST, of_instance: bool) -> Iterator[str]:
    """Attributes of the instance and of what its bases have, or those of all other objects."""
    for part in ast.walk(node):
        if isinstance(part, ast.Attribute) and _is_instance(part.value) is of_instance:
            yield part.attr


def _is_instance(value: ast.expr) -> bool:
    """Whether this is ``self``, or ``super()``."""
    called = value.func if isinstance(value, ast.Call) else value
    return isinstance(called, ast.Name) and called.id in (_SELF, "super")


def _leading(wanted: str, refers: Graph) -> dict[str, tuple[bool, int]]:
    """What leads to `wanted`, with its place in the order: public ones first, then the nearest."""
    distance = {wanted: 0}
    todo = [wanted]
    while todo:
        one = todo.pop(0)
        if distance[one] < _FARTHEST:
            for name, named in refers.items():
                if one in named and name not in distance:
                    distance[name] = distance[one] + 1
                    todo.append(name)
    del distance[wanted]
    return {n: (n.rpartition(".")[2].startswith("_"), d) for n, d in distance.items()}


__all__ = ["Caller", "callers_of"]

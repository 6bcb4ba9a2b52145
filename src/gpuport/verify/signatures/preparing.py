"""Methods that may have to be called on an instance first, and what refusals say of them."""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from gpuport.verify.sides.originals import Located
from gpuport.verify.signatures.classes import Class, class_of
from gpuport.verify.signatures.instances import Instances
from gpuport.verify.signatures.parameters import parameters_of
from gpuport.verify.signatures.signatures import Signature
from gpuport.verify.signatures.subclasses import inheriting
from gpuport.verify.signatures.usage import called_on_instance, changes_instance, stored_in_instance

_LACKING = re.compile(r"'(\w+)' object has no attribute '(\w+)'")
_LEFT_OPEN = "NotImplementedError"
_MOST = 4  # methods that are called first
_SUBCLASSES = 3  # that are read for what they bind


@dataclass(frozen=True, slots=True)
class Preparing:
    """Methods of a class, its bases' among them, that may change their instance.

    ``sets`` are the attributes that each of them binds, by what it calls too, on instances of the
    first few subclasses as well; ``classes`` the names of the class, its bases and these.
    ``is_abstract``: some of its methods are left to subclasses. ``signature`` gives that of one.
    """

    sets: Mapping[str, frozenset[str]] = field(default_factory=dict)
    changing: frozenset[str] = frozenset()
    classes: frozenset[str] = frozenset()
    is_abstract: bool = False
    signature: Callable[[str], Signature] | None = None

    def asked_for(self, said: str) -> bool:
        """Whether a refusal is one of the instance's state, whatever the arguments are."""
        if said.startswith(_LEFT_OPEN):
            return True
        lacking = _LACKING.search(said)
        if lacking is not None:
            return lacking[1] in self.classes
        return any(_names(said, name) for name in self.sets)

    def ordered(self, refusals: Iterable[str]) -> Sequence[Signature]:
        """The few worth a try: those that refusals name, then those that set what lacks."""
        said = list(refusals)
        lacking = {found[2] for text in said if (found := _LACKING.search(text)) is not None}
        named = {name for name in self.sets if any(_names(text, name) for text in said)}

        def order(name: str) -> tuple[bool, bool, bool, int]:
            # what binds most is the likeliest to be called first
            first = name not in named, not lacking & self.sets[name], name.startswith("_")
            return *first, -len(self.sets[name])

        tried = sorted((n for n in self.sets if n in named or n in self.changing), key=order)
        return [self.signature(name) for name in tried[:_MOST]] if self.signature else []


NOTHING = Preparing()


def left_open(refusals: Iterable[str]) -> bool:
    """Whether the commonest refusal is that a subclass has to say what is done."""
    return next(iter(refusals), "").startswith(_LEFT_OPEN)


def _names(text: str, method: str) -> bool:
    """Whether a message tells to call a method: ``'fit'``, ``fit()``, ``call fit``."""
    name = re.escape(method)
    return re.search(rf"['`\"]{name}['`\"(]|\b{name}\(|\b[Cc]all {name}\b", text) is not None


def preparing(signature: Signature, tree: ast.Module, place: Located | None) -> Preparing:
    """What may prepare an instance for a method; nothing for a function."""
    owner = class_of(signature.name, tree, place)
    method = signature.name.rpartition(".")[2]
    if owner is None or signature.init is None or method == "__init__":
        return NOTHING
    kinds = [owner, *itertools.islice(inheriting(owner, method), _SUBCLASSES)]
    bound: dict[str, frozenset[str]] = {}
    for kind in kinds:
        for name, attributes in _all_bound(kind).items():
            bound[name] = bound.get(name, frozenset()) | attributes
    own = {node.name: node for node in owner.methods()}
    plain = {n for n, node in own.items() if not n.startswith("__") and not node.decorator_list}
    sets = {name: bound[name] for name in own if name in plain and name != method}
    changing = frozenset(name for name in sets if sets[name] or changes_instance(own[name]))

    @cache
    def made(name: str) -> Signature:
        node, home = own[name], _home(owner, own[name])
        parameters = Instances(home.tree, home.place).of_function(node, parameters_of(node, True))
        return Signature(f"{owner.node.name}.{name}", node.lineno, parameters, signature.init)

    classes = frozenset(one.node.name for kind in kinds for one in kind.line)
    return Preparing(sets, changing, classes, owner.open_ends > 0, made)


def _home(owner: Class, node: ast.FunctionDef) -> Class:
    return next(one for one in owner.line if node in one.node.body)


def _all_bound(kind: Class) -> dict[str, frozenset[str]]:
    """By method, the attributes that it binds, or another that it calls on the same instance."""
    every = {node.name: node for node in kind.methods()}
    own = {name: frozenset(stored_in_instance(node)) for name, node in every.items()}
    calls = {name: set(called_on_instance(node)) & every.keys() for name, node in every.items()}
    found = dict(own)
    for name in every:
        todo, done = [name], set[str]()
        while todo:
            called = todo.pop()
            if called not in done:
                done.add(called)
                todo += calls[called]
        found[name] = frozenset().union(*(own[called] for called in done))
    return found


__all__ = ["NOTHING", "Preparing", "left_open", "preparing"]

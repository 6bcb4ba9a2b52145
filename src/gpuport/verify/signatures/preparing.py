"""Methods that may have to be called on an instance first, and what refusals say of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gpuport.verify.sides.originals import Located
from gpuport.verify.signatures.classes import class_of
from gpuport.verify.signatures.instances import Instances
from gpuport.verify.signatures.parameters import parameters_of
from gpuport.verify.signatures.signatures import Signature
from gpuport.verify.signatures.usage import changes_instance, stored_in_instance

_LACKING = re.compile(r"'(\w+)' object has no attribute '(\w+)'")
_LEFT_OPEN = "NotImplementedError"
_MOST = 4


@dataclass(frozen=True, slots=True)
class Preparing:
    """Methods of a class, its bases' among them, that change their instance.

    ``sets`` are the attributes that each of them binds; ``classes`` the names of the class and of
    its bases.
    """

    signatures: tuple[Signature, ...] = ()
    sets: dict[str, frozenset[str]] = field(default_factory=dict)
    classes: frozenset[str] = frozenset()

    def asked_for(self, said: str) -> bool:
        """Whether a refusal is one of the instance's state, whatever the arguments are."""
        if said.startswith(_LEFT_OPEN):
            return True
        lacking = _LACKING.search(said)
        if lacking is not None:
            return lacking[1] in self.classes
        return any(_names(said, one.name) for one in self.signatures)

    def ordered(self, refusals: Iterable[str]) -> Sequence[Signature]:
        """The few worth a try: those that refusals name, then those that set what lacks."""
        said = list(refusals)
        lacking = {found[2] for text in said if (found := _LACKING.search(text)) is not None}

        def order(one: Signature) -> tuple[bool, bool, bool]:
            name = one.name.rpartition(".")[2]
            named = any(_names(text, one.name) for text in said)
            return not named, not lacking & self.sets[one.name], name.startswith("_")

        return sorted(self.signatures, key=order)[:_MOST]


NOTHING = Preparing()


def left_open(refusals: Iterable[str]) -> bool:
    """Whether the commonest refusal is that a subclass has to say what is done."""
    return next(iter(refusals), "").startswith(_LEFT_OPEN)


def _names(text: str, method: str) -> bool:
    """Whether a message tells to call a method: ``'fit'``, ``fit()``, ``call fit``."""
    name = re.escape(method.rpartition(".")[2])
    return re.search(rf"['`\"]{name}['`\"(]|\b{name}\(|\b[Cc]all {name}\b", text) is not None


def preparing(signature: Signature, tree: ast.Module, place: Located | None) -> Preparing:
    """What may prepare an instance for a method; nothing for a function."""
    owner = class_of(signature.name, tree, place)
    method = signature.name.rpartition(".")[2]
    if owner is None or signature.init is None or method == "__init__":
        return NOTHING
    found, sets = [], {}
    for node in owner.methods():
        if node.name == method or not changes_instance(node):
            continue
        name = f"{owner.node.name}.{node.name}"
        home = next(one for one in owner.line if node in one.node.body)
        parameters = Instances(home.tree, home.place).of_function(node, parameters_of(node, True))
        found.append(Signature(name, node.lineno, parameters, signature.init))
        sets[name] = frozenset(stored_in_instance(node))
    return Preparing(tuple(found), sets, frozenset(one.node.name for one in owner.line))


__all__ = ["NOTHING", "Preparing", "left_open", "preparing"]

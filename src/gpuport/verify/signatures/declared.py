"""Inputs that the user declares, laid over what a function's signature says of its parameters."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from gpuport.verify.sides.strategies import CALL
from gpuport.verify.signatures.signatures import Parameter, Signature
from gpuport.verify.slots import Slot

SELF = "self"


@dataclass(frozen=True, slots=True)
class Declaration:
    """What is declared for one function: slots by parameter, and where that stands.

    The slot of ``self`` makes the instance, that of the empty name all arguments at once, or the
    instance where a class is declared.
    """

    function: str
    place: str
    slots: Mapping[str, Slot] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)

    def belongs_to(self, module: str, file: str) -> str | None:
        """The qualified name where the function may be one of this file, else None."""
        where, colon, name = self.function.rpartition(":")
        return name if not colon or where in (module, file) else None


class DeclarationError(Exception):
    """A declaration that cannot be used; the message begins with its file and line."""


def applied(
    signatures: Iterator[Signature], declarations: list[Declaration], module: str, file: str
) -> Iterator[Signature]:
    """Signatures with the declared candidates in the place of their own.

    Parameters
    ----------
    signatures : iterator of Signature
        All of one file.
    declarations : list of Declaration
    module, file : str
        Its dotted name, and its path relative to the project.

    Raises
    ------
    DeclarationError
        For a function that a file named with it does not have, and an unknown parameter.
    """
    own: dict[str, list[Declaration]] = {}
    for declaration in declarations:
        name = declaration.belongs_to(module, file)
        if name is not None:
            own.setdefault(name, []).append(declaration)
    every = list(signatures)
    known = {s.name for s in every} | {s.name.rpartition(".")[0] for s in every}
    for name, found in own.items():
        if name not in known and ":" in found[0].function:
            raise DeclarationError(f"{found[0].place}: {file} has no function `{name}`")
    for signature in every:
        yield _declared(signature, own)


def _declared(signature: Signature, own: Mapping[str, list[Declaration]]) -> Signature:
    if signature.init is not None and not signature.name.endswith(".__init__"):
        signature = replace(signature, init=_constructed(signature, own))
    for declaration in own.get(signature.name, ()):
        filled = _filled(signature.parameters, declaration, signature.name)
        signature = replace(signature, parameters=filled)
    return signature


def _constructed(
    signature: Signature, own: Mapping[str, list[Declaration]]
) -> tuple[Parameter, ...]:
    """The constructor's parameters; or an instance, made for the method or for its class."""
    owner = signature.name.rpartition(".")[0]
    made = [d.slots[SELF] for d in own.get(signature.name, ()) if SELF in d.slots]
    made += [d.slots[CALL] for d in own.get(owner, ()) if CALL in d.slots]
    if made:
        return (Parameter(SELF, (replace(made[0], name=SELF),), "declared"),)
    init = signature.init or ()
    for declaration in own.get(f"{owner}.__init__", ()):
        init = _filled(init, declaration, f"{owner}.__init__")
    return init


def _filled(
    parameters: tuple[Parameter, ...], declaration: Declaration, function: str
) -> tuple[Parameter, ...]:
    names = {p.name for p in parameters}
    for name in declaration.slots:
        if name not in (SELF, CALL) and name not in names:
            raise DeclarationError(
                f"{declaration.places[name]}: `{function}` has no parameter `{name}`"
            )
    whole = declaration.slots.get(CALL)
    if whole is not None:
        items = tuple(p.candidates[0] if p.candidates else Slot(p.name, "none") for p in parameters)
        return (Parameter(CALL, (replace(whole, items=_bare(items)),), "declared"),)
    return tuple(_laid_over(p, declaration.slots.get(p.name)) for p in parameters)


def _bare(items: tuple[Slot, ...]) -> tuple[Slot, ...]:
    return tuple(Slot(item.name, "made", keyword=item.keyword) for item in items)


def _laid_over(parameter: Parameter, slot: Slot | None) -> Parameter:
    if slot is None:
        return parameter
    keyword = bool(parameter.candidates) and parameter.candidates[0].keyword
    return Parameter(parameter.name, (replace(slot, keyword=keyword),), "declared")

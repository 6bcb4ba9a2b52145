"""The functions of a file that are verified, and what their parameters may hold."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, replace

from gpuport.source.annotations import write_out
from gpuport.verify.sides.blocklengths import block_lengths
from gpuport.verify.sides.literals import literals_of, module_constants
from gpuport.verify.sides.originals import Located
from gpuport.verify.signatures.classes import Class, class_of
from gpuport.verify.signatures.instances import Instances
from gpuport.verify.signatures.masks import iterated, made_arrays, possible_masks
from gpuport.verify.signatures.parameters import Function, Parameter, parameters_of
from gpuport.verify.signatures.returned import parameters_of_returned
from gpuport.verify.slots import OWN_MADE, Slot

__all__ = ["Parameter", "Signature", "signatures_of", "without_constructor"]


@dataclass(frozen=True, slots=True)
class Signature:
    """A function to verify.

    ``init`` are the constructor's parameters for a method; ``literals`` the numbers in its text;
    ``masks`` parameters that may as well hold booleans, ``listed`` those that may be lists,
    ``iterated`` lists that may be iterators; ``blocks`` numbers that lengths are compared with.
    """

    name: str
    line: int
    parameters: tuple[Parameter, ...]
    init: tuple[Parameter, ...] | None = None
    literals: tuple[float, ...] = ()
    obstacle: str | None = None
    masks: frozenset[str] = frozenset()
    listed: frozenset[str] = frozenset()
    iterated: frozenset[str] = frozenset()
    blocks: tuple[int, ...] = ()

    @property
    def source(self) -> str:
        """The weakest source among the parameters."""
        order = ("declared", "annotated", "default", "documented", "guessed")
        used = [p.source for p in (*self.parameters, *(self.init or ()))]
        return max(used, key=order.index, default="annotated")

    @property
    def takes_nothing(self) -> bool:
        """Whether neither the function nor a constructor has parameters."""
        return not self.parameters and not self.init


def signatures_of(tree: ast.Module, place: Located | None = None) -> Iterator[Signature]:
    """Module-level functions, and methods of module-level classes, in the order of the source.

    Parameters
    ----------
    tree : ast.Module
    place : Located, optional
        Of the file, so that bases of its classes are found in other files.
    """
    write_out(tree)
    constants, instances = module_constants(tree), Instances(tree, place)
    for node in tree.body:
        if isinstance(node, Function):
            found = [(node, _signature(node, node.name, None, instances))]
        elif isinstance(node, ast.ClassDef):
            found = list(_methods(Class(node, tree, place), instances))
        else:
            continue
        for definition, signature in found:
            literals, masks = literals_of(definition, constants), possible_masks(definition)
            listed, once = made_arrays(definition), iterated(definition)
            yield replace(
                signature, literals=literals, masks=masks, listed=listed, iterated=once,
                blocks=block_lengths(definition, tree),
            )  # fmt: skip


def without_constructor(
    signature: Signature, tree: ast.Module, place: Located
) -> Iterator[Signature]:
    """The method with attributes made up: beside the constructor, then in its place."""
    owner = class_of(signature.name, tree, place)
    method = signature.name.rpartition(".")[2]
    if owner is None or signature.init is None or method == "__init__":
        return
    beside = owner.attributes(method, bare=False)
    if beside:
        yield replace(signature, init=(*signature.init, *beside))
    instead = owner.attributes(method, bare=True)
    if instead:
        yield replace(signature, init=instead)


def _methods(found: Class, instances: Instances) -> Iterator[tuple[Function, Signature]]:
    init, owner = instances.of_constructor(found), found.node
    for node in owner.body:
        if not isinstance(node, Function):
            continue
        decorators = {ast.unparse(d) for d in node.decorator_list}
        name = f"{owner.name}.{node.name}"
        if node.name == "__init__":
            more = ast.get_docstring(owner) or ""
            yield node, _signature(node, name, (), instances, True, more)
        elif "staticmethod" in decorators:
            yield node, _signature(node, name, None, instances)
        elif "classmethod" in decorators:
            yield node, _signature(node, name, None, instances, bound=True)
        elif any(d.endswith((".setter", ".deleter")) for d in decorators):
            continue
        else:
            plain = _signature(node, name, init, instances, bound=True)
            parameters = tuple(_made_by_itself(p, found, node.name) for p in plain.parameters)
            yield node, replace(plain, parameters=parameters)


def _made_by_itself(parameter: Parameter, owner: Class, method: str) -> Parameter:
    """With what a method of the same instance makes first, where methods call that the same."""
    maker = owner.makers.get(parameter.name) if parameter.source != "annotated" else None
    if not maker or maker == method:
        return parameter
    slot = Slot(parameter.name, OWN_MADE, maker)
    return replace(parameter, candidates=(slot, *parameter.candidates))


def _signature(
    node: Function,
    name: str,
    init: tuple[Parameter, ...] | None,
    instances: Instances,
    bound: bool = False,
    more: str = "",
) -> Signature:
    obstacle = None
    if isinstance(node, ast.AsyncFunctionDef):
        obstacle = "it is a coroutine"
    parameters = instances.of_function(node, parameters_of(node, bound, more))
    parameters = (*parameters, *parameters_of_returned(node, instances.tree))
    return Signature(name, node.lineno, parameters, init, obstacle=obstacle)

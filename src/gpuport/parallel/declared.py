"""Kernels in the form of `gpuport.runtime.kernel`, and how two of them become one."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from gpuport.parallel.conditions import conjuncts, operand


@dataclass(frozen=True, slots=True)
class Given:
    """A parameter of a kernel in the form of `gpuport.runtime.kernel`.

    Attributes
    ----------
    name, type : str
        As its signature has them.
    raw : bool
    argument : str
        What a call passes, as Python text.
    """

    name: str
    type: str
    raw: bool
    argument: str


@dataclass(frozen=True, slots=True)
class DeclaredKernel:
    """A kernel in the form of `gpuport.runtime.kernel`: all that its launch needs stands in it.

    Attributes
    ----------
    inputs, outputs : tuple of Given
    body : tuple of str
    over, where, within, preamble : str
    numbers : tuple of str
        What the call gives, by their names.
    ends : str
        It gives what the user's function returns there: ``always``, or where it is ``not None``.
    before, then, returns, work : str
        Python text of what is done before and after the launch, of the numbers, and of the arrays
        that the text alone has: outputs for which no argument is passed.
    first : str
        What is launched before all that.
    """

    inputs: tuple[Given, ...]
    outputs: tuple[Given, ...]
    body: tuple[str, ...]
    over: str
    where: str
    preamble: str
    within: str = ""
    numbers: tuple[str, ...] = ()
    before: str = ""
    first: str = ""
    then: str = ""
    returns: str = ""
    ends: str = ""
    work: str = ""

    @property
    def generic(self) -> bool:
        """Whether it makes what its arguments hold: float32 or float64."""
        return any(len(one.type) == 1 for one in self.outputs)


def of_double(found: DeclaredKernel) -> DeclaredKernel:
    """The kernel for float64 alone."""
    letters = "|".join({one.type for one in found.inputs if len(one.type) == 1}) or "(?!)"
    return replace(
        found,
        inputs=tuple(replace(o, type="float64") if len(o.type) == 1 else o for o in found.inputs),
        outputs=tuple(replace(o, type="float64") if len(o.type) == 1 else o for o in found.outputs),
        body=tuple(re.sub(rf"\b(?:{letters})\b", "double", line) for line in found.body),
    )


def with_own_element(text: str, array: str, name: str) -> str:
    """The text of a kernel in which each index of the domain has one element of an array.

    Raises
    ------
    ValueError
        Where the text has several.
    """
    pattern = rf"\b{array}\[[^\]]*\]"
    changed = re.sub(pattern, name, text)
    left = array != name and re.search(rf"\b{array}\b", changed)
    if left or len(set(re.findall(pattern, text))) > 1:
        raise ValueError(f"elements of {array} at several places")
    return changed


def objects(inputs: Sequence[Given], names: Sequence[str]) -> tuple[Given, ...]:
    """The inputs of a kernel with further ones that its text is not given."""
    there = {one.name for one in inputs}
    more = [name for name in dict.fromkeys(names) if name not in there]
    return (*inputs, *(Given(name, "object", False, name) for name in more))


def woven(
    terms: tuple[DeclaredKernel, Mapping[str, str]] | None,
    rest: DeclaredKernel,
    made: Sequence[Given],
    before: str,
    left: Mapping[str, str],
    given: Sequence[Given],
    asked: Sequence[str],
) -> DeclaredKernel | None:
    """The kernel of what is made of running numbers, with the one of their terms before it.

    Parameters
    ----------
    terms : (DeclaredKernel, mapping of str to str) or None
        The kernel, and the arrays that it makes by what they are called now; None where the terms
        are there.
    rest : DeclaredKernel
        It reads the running numbers from arrays.
    made : sequence of Given
        All these arrays, of which each iteration has its own element.
    before : str
        What makes the running numbers of the terms.
    left : mapping of str to str
        Further numbers, and their Python text.
    given : sequence of Given
        Further inputs.
    asked : sequence of str
        Further conditions.
    """
    rest, between = of_double(rest), {one.name for one in made}
    first = None if terms is None else of_double(terms[0])
    own = {one.name: one for one in (first.inputs if first else ())}
    theirs = {one.name: one for one in (*rest.inputs, *rest.outputs)}
    if rest.ends or any(theirs.get(name, one) != one for name, one in own.items()):
        return None
    body = "\n".join(rest.body)
    for name in sorted(between & theirs.keys()):
        body = with_own_element(body, name, name)
    text = "" if first is None else "\n".join(first.body)
    for array, name in terms[1].items() if terms is not None else ():
        text = with_own_element(text, array, name)
    inputs = [one for one in rest.inputs if one.name not in between]
    own |= {one.name: one for one in given if one.name not in own}
    inputs = [one for one in own.values() if one.name not in theirs] + inputs
    asked, inner = list(asked), between | (set() if terms is None else {*terms[1]})
    listed = ", ".join(one.within for one in (first, rest) if one is not None)
    within = [name for name in re.findall(r"\w+", listed) if name not in inner]
    for one in (first, rest):
        asked += [] if one is None else _asked(one, inner)
    asked += [f"{o.name}.ndim == 1" for o in given if o.raw and o.name not in theirs]
    functions = [one.preamble for one in (first, rest) if one is not None and one.preamble]
    returns = [one for one in (_among(rest, left), *left.values()) if one]
    if len(set(functions)) > 1 or (first is not None and first.work):
        return None
    inputs.sort(key=lambda one: (not one.raw, one.type == "object"))
    numbers = (*rest.numbers, *left)
    return replace(
        rest,
        inputs=objects(inputs, numbers),
        outputs=(*rest.outputs, *made),
        body=tuple(body.splitlines()),
        first=text,
        where=" and ".join(dict.fromkeys(asked)),
        within=", ".join(dict.fromkeys(within)),
        before=before,
        preamble="".join(functions[:1]),
        numbers=numbers,
        returns=", ".join(returns),
    )


def _among(one: DeclaredKernel, more: Collection[str]) -> str:
    """What a kernel gives, to stand among more: one expression may give several numbers."""
    several = more and len(one.numbers) > 1
    whole = not several or isinstance(ast.parse(one.returns, mode="eval").body, ast.Tuple)
    return one.returns if whole else f"*{one.returns}"


def _asked(one: DeclaredKernel, made: set[str]) -> list[str]:
    """What a kernel asks, but for how many axes arrays have that are made after that."""
    told = [f"{name}.ndim == 1" for name in made]
    parts = conjuncts(one.where) if one.where else []
    return [operand(part) for part in parts if part not in told]


def storing(
    made: DeclaredKernel,
    terms: Given,
    into: Given,
    then: str,
    left: Mapping[str, str],
    given: Sequence[Given],
    asked: Sequence[str],
) -> DeclaredKernel:
    """The kernel of a scan's terms, which is stored as it is.

    Parameters
    ----------
    made : DeclaredKernel
        It makes the terms.
    terms, into : Given
    then : str
        What stores the scan.
    left : mapping of str to str
        Numbers, and their Python text.
    given, asked
        As of `woven`.
    """
    made = of_double(made)
    body = with_own_element("\n".join(made.body), terms.name, terms.name)
    where = [*asked, *_asked(made, {terms.name}), f"{into.name}.ndim == 1"]
    read = [one for one in made.inputs if one.argument != into.argument]
    return replace(
        made,
        inputs=objects((*read, *given), tuple(left)),
        outputs=(into, terms),
        body=tuple(body.splitlines()),
        where=" and ".join(dict.fromkeys(where)),
        numbers=tuple(left),
        then=then,
        returns=", ".join(left.values()),
    )


__all__ = [
    "DeclaredKernel",
    "Given",
    "objects",
    "of_double",
    "storing",
    "with_own_element",
    "woven",
]

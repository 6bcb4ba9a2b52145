"""All that a kernel's decorator says, checked against the function that it stands on."""

from __future__ import annotations

import builtins
import inspect
import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from types import FunctionType
from typing import Any

from gpuport.runtime.code import global_names, stores_globals
from gpuport.runtime.expressions import names_in, parsed
from gpuport.runtime.kernels.bodies import has_loops, results_of, stores_once
from gpuport.runtime.kernels.domains import Axis, parse_over
from gpuport.runtime.kernels.indices import (
    Index,
    indices_of,
    outside_indices,
    without_comments,
)
from gpuport.runtime.kernels.intervals import Bound, bounds_of
from gpuport.runtime.kernels.provided import provided_in
from gpuport.runtime.kernels.rooms import ROOMS, assignments
from gpuport.runtime.kernels.signature import (
    OBJECT,
    WEAK,
    Parameter,
    parse_signature,
    with_words,
)
from gpuport.runtime.kernels.weak import UNLIKE_CUPY
from gpuport.runtime.kernels.words import WORDS

FLAG = "out_of_range"
"""What a text sets where Python would raise, or take another way: an array of one bool."""


@dataclass(frozen=True)
class Declared:
    """A kernel as it is known where it is decorated.

    Attributes
    ----------
    function : function
        The Python that stands below.
    name : str
        ``module.qualname``.
    owner : str
        The parameter of an instance or class, for methods.
    inputs, outputs : list of Parameter
    text, body : str
        CUDA, as it was given and without comments.
    axes : list of Axis
        The domain; none for kernels that go element by element.
    where, returns, then, before, work : str
        Python.
    first : str
        CUDA that is launched before; in `body` it stands above the other text.
    numbers : list of str
        Names of the module's that the text has.
    indices : list of Index
    bounds : list of Bound
        What makes them valid, but of arrays for which `where` says it.
    helpers : list of str
    preamble : str
        CUDA that stands before the kernel.
    within : set of str
        Arrays for which `where` says it, though it would follow.
    given_back : tuple of str
        Parameters that are written to and returned.
    objects : tuple of str
        Parameters that the text is not given.
    typed : bool
        Whether the text says the types of its numbers itself.
    reads_first : bool
        Whether all is read before the one output is written to, element by element.
    """

    function: FunctionType
    name: str
    owner: str
    inputs: list[Parameter]
    outputs: list[Parameter]
    text: str
    body: str
    axes: list[Axis]
    where: str
    returns: str
    numbers: list[str]
    indices: list[Index]
    bounds: list[Bound]
    helpers: list[str]
    preamble: str = ""
    within: frozenset[str] = frozenset()
    given_back: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()
    then: str = ""
    first: str = ""
    before: str = ""
    work: str = ""
    typed: bool = False
    reads_first: bool = False

    @property
    def parameters(self) -> list[Parameter]:
        return [*self.inputs, *self.outputs]

    @property
    def arguments(self) -> list[str]:
        """The names of the function's parameters but an instance."""
        return [one for one in parameters_of(self.function) if one != self.owner]

    @property
    def owned(self) -> dict[str, list[Parameter]]:
        """By parameters of the function: the numbers of theirs that the signature has."""
        owners = dict.fromkeys(one.owner for one in self.inputs if one.owner)
        return {name: [one for one in self.inputs if one.owner == name] for name in owners}

    def in_its_words(self, text: str) -> str:
        """A reason with ``p.dx`` for what the kernel calls it."""
        shown = {one.name: one.shown for one in self.inputs if one.owner}
        return re.sub(r"\w+", lambda word: shown.get(word[0], word[0]), text)

    @property
    def by_argument(self) -> list[Parameter]:
        """What the signature says of the function's parameters, in their order."""
        named = {one.name: [one] for one in self.parameters if not one.owner} | self.owned
        return [one for name in self.arguments for one in named.get(name, ())]

    @property
    def written(self) -> list[Parameter]:
        """Outputs that the function has as parameters."""
        return [one for one in self.outputs if one.name in self.arguments]

    @property
    def returned(self) -> list[Parameter]:
        """Outputs that are made and returned."""
        rooms = {name for name, _ in assignments(self.work)}
        return [one for one in self.outputs if one.name not in {*self.arguments, *rooms}]

    @property
    def rooms(self) -> list[tuple[Parameter, str]]:
        """Outputs that nothing but the text has, and Python that makes them."""
        texts = dict(assignments(self.work))
        return [(one, texts[one.name]) for one in self.outputs if one.name in texts]

    @property
    def ranks(self) -> dict[str, int]:
        """How many axes raw arrays have, by the indices that they are given."""
        return {one.array: len(one.entries) for one in self.indices}

    @property
    def loops(self) -> bool:
        """Whether the Python body goes through elements, which is too slow on the device."""
        return bool(self.axes) and has_loops(self.function)

    @property
    def may_raise(self) -> bool:
        """Whether the text tells that Python would raise: ``out_of_range[0] = true``."""
        return bool(re.search(rf"\b{FLAG}\b", self.body))

    @property
    def gives_numbers(self) -> bool:
        """Whether `returns` brings what it makes to the host: there it stays, whatever it is."""
        if self.returns and not self.returned:
            return True
        words = "|".join(("int", "float", "bool", "complex", *(WORDS.keys() - {"kept"})))
        return bool(re.search(rf"\.get\(\)|\b(?:{words})\(", self.returns))

    @property
    def words(self) -> list[str]:
        """The runtime's words in `then` and `returns`."""
        texts = (self.then, self.returns, *(text for _, text in assignments(self.before)))
        named = {n for text in texts if text for n in names_in(text)}
        return sorted(WORDS.keys() & named)

    @property
    def targets(self) -> list[str]:
        """The outputs that `before` makes."""
        return [name for name, _ in assignments(self.before)]

    @property
    def places(self) -> list[int]:
        """The axes of the domain that `returns` names."""
        named = names_in(self.returns) if self.returns else set[str]()
        return [k for k, axis in enumerate(self.axes) if axis.name in named]

    @property
    def unlike_cupy(self) -> bool:
        """Whether the Python body gives something else on arrays of the device."""
        text = f"{self.preamble}\n{self.body}"
        return any(re.search(rf"(?<![\w.]){one}\s*\(", text) for one in UNLIKE_CUPY)

    @property
    def mixes_whole(self) -> bool:
        """Whether elements of whole numbers take part in arithmetic of the text.

        They make float64 of Python's numbers, which the text cannot know where float32 is about,
        unless it says the types itself.
        """
        if self.typed:
            return False
        bare = outside_indices(self.body, self.indices)
        for one in self.parameters:
            array = one.raw or not self.axes
            if not array or not re.match(r"u?int\d|bool", one.type):
                continue
            index = r"\s*\[\s*\{?[\s,]*\}?\s*\]" if one.raw else ""
            stored = rf"(?<![\w.]){one.name}{index}\s*[-+*&|^]?=(?!=)"
            shape = rf"(?<![\w.]){one.name}\.(?:shape|size)"
            kept = re.sub(shape, "", re.sub(stored, "", bare))
            if one.type != "bool" and re.search(rf"(?<![\w.]){one.name}\b", kept):
                return True
        return False


def parameters_of(function: FunctionType) -> list[str]:
    code = function.__code__
    return list(code.co_varnames[: code.co_argcount + code.co_kwonlyargcount])


def declared(
    function: Any,
    inputs: str,
    outputs: str,
    text: str,
    over: str,
    where: str,
    returns: str,
    preamble: str = "",
    within: str = "",
    then: str = "",
    first: str = "",
    before: str = "",
    work: str = "",
    typed: bool = False,
) -> Declared:
    """Read what the decorator says.

    Raises
    ------
    TypeError
        Where it does not fit the function, with what does not.
    """
    _refuse_unsuitable(function)
    name = function.__qualname__
    ins, outs = parse_signature(inputs, name), parse_signature(outputs, name)
    objects = tuple(one.shown for one in ins if one.type == OBJECT)
    ins = [one for one in ins if one.type != OBJECT]
    body = without_comments(f"{first}\n{text}" if first else text)
    said = f"{first} {text} {preamble} {over} {where} {before} {work} {then} {returns}"
    ins = with_words(ins, {*re.findall(r"\w+", said), *parameters_of(function)})
    for p in ins:
        body, over, where, returns = map(p.named_in, (body, over, where, returns))
        before, then, work = map(p.named_in, (before.strip(), then.strip(), work))
    axes = parse_over(over, name)
    names = {one.owner or one.name for one in (*ins, *outs)}
    owner = _owner(function, {*names, *objects})
    indices = indices_of(body, {one.name for one in (*ins, *outs) if one.raw}, name)
    returns = f"({returns.strip()})" if "*" in returns else returns.strip()  # ``*several, one``
    for said, one in (
        ("where", where), ("returns", returns), ("then", then),
        *(("before", text) for _, text in assignments(before)),
        *(("work", text) for _, text in assignments(work)),
    ):  # fmt: skip
        if one:
            parsed(one, f"kernel: {said}={one!r}", name)
    made = Declared(
        function, f"{function.__module__}.{name}", owner, ins, outs, text, body, axes,
        where.strip(), returns, _numbers_of(function, {*names, *objects}, body),
        indices, [], provided_in(body, preamble), preamble,
        frozenset(re.findall(r"\w+", within)), objects=objects, then=then.strip(),
        first=first, before=before, work=work, typed=typed,
    )  # fmt: skip
    _refuse_parameters(made)
    _refuse_names(made)
    made.bounds.extend(_derived_bounds(made))
    once = not axes and stores_once(function, {p.name for p in made.written})
    return replace(made, given_back=_given_back(made), reads_first=once)


def _refuse_unsuitable(function: Any) -> None:
    if not isinstance(function, FunctionType):
        kind = type(function).__name__
        raise TypeError(
            f"kernel: stands on a plain function, directly above its def, not on a {kind}"
        )
    name, code = function.__qualname__, function.__code__
    if code.co_flags & (inspect.CO_VARARGS | inspect.CO_VARKEYWORDS):
        raise TypeError(f"kernel: {name} takes *args or **kwargs, which a kernel has not")
    later = (inspect.isgeneratorfunction, inspect.isasyncgenfunction, inspect.iscoroutinefunction)
    if any(test(function) for test in later):
        raise TypeError(f"kernel: the body of {name} runs after the call returned")
    if stores_globals(code):
        raise TypeError(f"kernel: {name} assigns to global names, which a kernel cannot do")


def _owner(function: FunctionType, names: set[str]) -> str:
    """The first parameter of a method, where the signature does not name it."""
    around = function.__qualname__.rpartition(".")[0]
    first = next(iter(parameters_of(function)), "")
    is_method = bool(around) and not around.endswith("<locals>")
    return first if is_method and first in ("self", "cls") and first not in names else ""


def _refuse_parameters(one: Declared) -> None:
    name = one.function.__qualname__
    names = [*(p.shown for p in one.parameters), *one.objects]
    if twice := sorted({n for n in names if names.count(n) > 1}):
        raise TypeError(f"kernel: the signature of {name} has {twice[0]} twice")
    inputs = [*(p.owner or p.name for p in one.inputs), *one.objects]
    said = {*inputs, *(p.name for p in one.written)}
    signature = f"{name}({', '.join(one.arguments)})"
    if missing := [n for n in inputs if n not in one.arguments]:
        raise TypeError(f"kernel: {signature} has no parameter {missing[0]!r}")
    if unsaid := [argument for argument in one.arguments if argument not in said]:
        raise TypeError(f"kernel: the signature of {signature} does not name {unsaid[0]!r}")
    if not one.outputs:
        raise TypeError(f"kernel: {name} has no output")
    goes_on = one.returns or one.then or one.before
    if one.returned and one.written and not (one.axes and goes_on):
        raise TypeError(
            f"kernel: {name} writes to {one.written[0].name} and makes {one.returned[0].name}: "
            "over= and returns= have to say over which indices, and what is made of them"
        )
    if not {*one.targets} <= {p.name for p in one.returned}:
        raise TypeError(f"kernel: before= of {name} is of the form 'made = ...', of an output")
    _refuse_rooms(one)
    if (one.first and not one.before) or (one.before and not one.axes):
        raise TypeError(f"kernel: first= and before= of {name} go together, over a domain")
    if one.then and not (one.axes and one.written):
        raise TypeError(f"kernel: then= goes on with what {name} writes over a domain: name both")
    _refuse_owned(one, set(names))
    for output in one.outputs:
        if output.type in ("float", "int", OBJECT):
            raise TypeError(f"kernel: the output {output.name} of {name} needs a dtype")
        if output.raw and output in one.returned:  # it stands in no work=
            raise TypeError(f"kernel: {name} has no parameter {output.name!r}; raw outputs are")
        if one.axes and output in one.written and not output.raw:
            raise TypeError(f"kernel: {output.name} of {name} has to be raw: over= has the domain")
    letters = {p.type for p in one.parameters if p.generic}
    if clash := sorted(letters & set(names)):
        raise TypeError(f"kernel: {name} has a type and a parameter {clash[0]!r}")
    if len(letters) > 1:
        raise TypeError(f"kernel: {name} has the types {' and '.join(sorted(letters))}: one letter")
    if one.may_raise and (not one.axes or FLAG in names):
        raise TypeError(f"kernel: {FLAG} is for loops, whose over= has the domain ({name})")
    if one.returns and not (one.returned or one.axes):
        raise TypeError(f"kernel: {name} makes no output of which returns= could be made")
    if not one.axes and all(p.raw for p in one.parameters):
        raise TypeError(f"kernel: all arrays of {name} are raw: say over= which indices it runs")


def _refuse_rooms(one: Declared) -> None:
    """Refuse what is made for the text alone, and cannot be."""
    name, made = one.function.__qualname__, [p.name for p, _ in one.rooms if p.raw]
    said = [target for target, _ in assignments(one.work)]
    if sorted(made) != sorted(said) or (said and not one.axes) or {*said} & {*one.arguments}:
        raise TypeError(
            f"kernel: work= of {name} is of the form 'a = room(n); b = x.copy()', of raw outputs "
            "that are no parameters, over a domain"
        )


def _refuse_owned(one: Declared, names: set[str]) -> None:
    """Refuse what can be no number that a parameter has."""
    name = one.function.__qualname__
    for p in one.parameters:
        if p.owner and (p.raw or p in one.outputs or not one.axes or p.owner in names):
            raise TypeError(
                f"kernel: {p.shown} of {name} can be no more than a number that a loop reads, of "
                "a parameter that is nothing else"
            )


def _given_back(one: Declared) -> tuple[str, ...]:
    """The parameters that a function gives which writes to some: none, or those that it writes to.

    Raises
    ------
    TypeError
        Where it gives something else.
    """
    if not one.written or one.returns:
        return ()
    written, results = {p.name for p in one.written}, set(results_of(one.function))
    names = results.pop() if len(results) == 1 else None
    if names is None or not written.issuperset(names):
        raise TypeError(
            f"kernel: {one.function.__qualname__} returns something, but its outputs are "
            "parameters, which are written in place: let it return them alone, or nothing"
        )
    return names


def _refuse_names(one: Declared) -> None:
    """Refuse names that are nothing: a slip shows at import, not at the launch."""
    name, space = one.function.__qualname__, one.function.__globals__
    axes = {axis.name for axis in one.axes}
    if clash := sorted(axes & {p.name for p in one.parameters}):
        raise TypeError(f"kernel: {clash[0]!r} in over= of {name} is a parameter too")
    taken = {*axes, *one.arguments, *(p.name for p in one.outputs)}
    if clash := sorted(taken.intersection(one.words)):
        raise TypeError(f"kernel: {clash[0]!r} of {name} is also a word of the runtime's")
    known = {*one.arguments, one.owner, *global_names(one.function), *space, *vars(builtins)}
    known |= {p.name for p in one.inputs}
    inner = set(one.function.__code__.co_freevars)
    if strange := sorted(one.within - {p.name for p in one.parameters if p.raw}):
        raise TypeError(f"kernel: {strange[0]!r} in within= of {name} is no raw array")
    for said, text, more in (
        *(("over", f"({axis.bounds},)", set[str]()) for axis in one.axes),
        ("where", one.where, set[str]()),
        *(
            ("before", text, {*(p.name for p in one.outputs), *WORDS})
            for _, text in assignments(one.before)
        ),
        *(("work", text, set(ROOMS)) for _, text in assignments(one.work)),
        ("then", one.then, {*(p.name for p in one.outputs), *WORDS}),
        ("returns", one.returns, {*(p.name for p in one.outputs), *axes, *WORDS}),
    ):
        for unknown in sorted(names_in(text) - known - more if text else ()):
            what = (
                "a variable of the function around it: make it a parameter" if unknown in inner
                else "neither a parameter nor a name of the module"
            )  # fmt: skip
            raise TypeError(f"kernel: {unknown!r} in {said}= of {name} is {what}")


def _numbers_of(function: FunctionType, parameters: Iterable[str], body: str) -> list[str]:
    """Names of the module in the text that are no calls."""
    free = [one for one in function.__code__.co_freevars if _stands_in(one, body)]
    if free:
        raise TypeError(
            f"kernel: {free[0]!r} in the text of {function.__qualname__} is a variable of the "
            "function around it: make it a parameter"
        )
    names = global_names(function) - set(parameters)
    names -= vars(builtins).keys() - function.__globals__.keys()  # `complex` is C++'s, too
    return sorted(one for one in names if _stands_in(one, body))


def _stands_in(name: str, body: str) -> bool:
    return bool(re.search(rf"(?<![\w.]){re.escape(name)}\b(?!\s*\()", body))


def _derived_bounds(one: Declared) -> list[Bound]:
    ends = {axis.name: (f"_gp_low{k}", f"_gp_high{k}") for k, axis in enumerate(one.axes)}
    arrays = {p.name for p in one.parameters if not one.axes and p.type not in WEAK}
    known = {
        *one.arguments,
        *one.numbers,
        *(p.name for p in one.inputs),
    } - arrays  # of which each element is an index by itself
    apart = one.within | {p.name for p, _ in one.rooms}
    others = [index for index in one.indices if index.array not in apart]
    _, unclear = bounds_of(one.body, others, ends, known)
    said = names_in(one.where) if one.where else set[str]()
    told = {array for array, _ in unclear if array in said}
    bounds, unclear = bounds_of(
        one.body, [index for index in others if index.array not in told], ends, known
    )
    if unclear:
        array, entry = unclear[0]
        source = "over=" if one.axes else "the signature"
        raise TypeError(
            f"kernel: that the index {entry!r} of {array} in {one.function.__qualname__} is in "
            f"bounds does not follow from {source}: say in where= why it is"
        )
    return bounds

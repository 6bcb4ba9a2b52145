"""What a rule may say: one frozen dataclass per kind, each key with its shape and meaning.

The keys that a YAML file may use are the fields below that carry metadata. The loader, the JSON
Schema and the documentation all read them from here, so that they cannot disagree.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar

SAFETIES = ("safe", "unsafe", "manual")
"""``safe`` edits are applied by default, ``unsafe`` ones with ``--unsafe``, ``manual`` reported."""

RETURNS = (
    "array",
    "array[float64]",
    "array[int64]",
    "array[bool]",
    "array[complex128]",
    "array|scalar",
    "scalar",
    "int",
    "float",
    "complex",
    "str",
    "bool",
    "none",
    "unknown",
    "list[array]",
    "tuple[array]",
    "tuple[float]",
    "vector",
    "matrix",
    "numbers",
    "tuples[numbers]",
    "number",
    "item",
)
"""What a host callable gives back; ``instance:NAME`` names a class whose methods have rules.

``vector`` and ``matrix`` are arrays of one and of two axes. ``numbers`` are those of the lists and
ranges that it is given, where these hold nothing else, and ``tuples[numbers]`` are made of them.
``number`` is a float of Python's where Python's numbers are all that is given, ``item`` a number of
Python's out of an array.
"""

WHERE_KINDS = {
    "any": "any expression",
    "literal": "a number, string, bytes, bool or None written out, with or without a sign",
    "integer": "an integer: a literal, or an expression known to be one",
    "string": "a string: a literal, or an expression known to be one",
    "name": "a plain variable name",
    "array": "an expression known to be an array",
    "float-array": "an array known to be of a real floating-point dtype",
    "integer-array": "an array known to be of an integer or bool dtype",
    "scalar": "an expression known to be a number",
}
"""Kinds a metavariable can be restricted to; the first rows are decided by syntax alone."""

CONDITIONS = {
    "always": "wherever the name is used",
    "float-operands": "an operand is, or may be, of a floating-point dtype",
    "integer-operands": "all operands are, or may be, integers",
    "negative-exponent": "the exponent is, or may be, a negative integer",
    "integer-index": "an index is an integer array or list whose values are not known in bounds",
    "duplicate-index-store": "a store through an integer array that may repeat an index",
    "duplicate-index-sum": "a sum at the places of an integer array that may repeat one",
    "scalar-element": "an element read by integers is kept while the array is written, or is "
    "itself updated in place",
    "float-to-int": "a floating-point value is, or may be, cast to an integer dtype",
    "float-to-unknown": "a floating-point value is, or may be, stored where the dtype is not known",
    "array-as-element": "an array is, or may be, stored as one element of another",
    "narrowed-number": "a NumPy scalar, or a list of numbers, is, or may be, stored in an array of "
    "shorter integers",
    "non-contiguous": "an operand is, or may be, in other than C order",
    "perhaps-strided": "the first array is not known to lie in C order without gaps",
    "view": "the array is, or may be, a view of another one",
    "single-precision": "the operand is, or may be, float32, float16 or complex64",
    "not-double": "the operand is not known to be of double precision, or of whole numbers",
    "mixed-precision": "operands are of single and of double precision, or may be",
    "narrow-integers": "the operand is of truth values, or of integers of at most 16 bits",
    "short-integers": "the operand is of integers of fewer than 64 bits",
    "truth-values": "an operand is of truth values",
    "square-of-truths": "the base is of truth values, and the exponent is the number 2",
    "complex-operands": "an operand is of complex numbers",
    "untold-dtype": "nothing, calls neither, tells of which dtype the first operand is",
    "whole-numbers": "the first operand is of integers",
    "fractional-weights": "the second operand is not known to be of whole numbers",
    "without-output": "the call asks for no output of another dtype",
    "unknown-dtype": "the dtype of an operand is not known",
    "number-operand": "an operand is a number of Python's",
    "zero-dimensional": "an operand is a number of NumPy's, an array without axes",
    "not-vectors": "an operand is a number, or an array of other than one axis",
    "perhaps-not-vectors": "of an operand it is not known how many axes it has",
    "more-than-matrices": "an array that is given, perhaps in a list, has more than two axes",
    "perhaps-more-than-matrices": "of such an array it is not known how many axes it has",
    "not-images-or-volumes": "an array that is given has neither two axes nor three",
    "perhaps-not-images-or-volumes": "of an array that is given it is not known how many axes it "
    "has",
    "matrices-of-other-ranks": "stacks of matrices have different numbers of axes",
    "integer-result": "the call asks for an integer dtype",
    "other-choices": "beside arrays to choose from there are others, or numbers of another dtype",
    "other-choice": "a word is given for a parameter that CuPy does not take for it",
    "scatter-type": "the array that is written is of truth values, integers of at most 16 bits, "
    "half precision or complex numbers",
    "not-int32": "the array that is written is not known to be of integers of 32 bits",
    "not-floats": "not both the array that is written and the values are known to be of floats",
    "with-axis": "the call names an axis",
    "with-dtype": "the call names a dtype",
    "with-weights": "the call gives weights",
    "degrees-beyond-one": "degrees of freedom are taken off that are not known to be 0 or 1",
    "unstable-sort": "the call does not ask for a stable sort",
    "complex-dividend": "what is divided is, or may be, of complex numbers",
    "infinite-divisor": "what it is divided by is an array, and the program stores infinity in one",
    "singular": "the matrix is not known to be regular (or positive definite)",
    "fp-error": "the result may overflow, divide by zero or be invalid, where NumPy warns",
    "errstate": "the program asks NumPy to raise on, or to report, floating-point errors",
    "empty": "the operand may have no elements",
    "read-only-view": "a store into the result, which NumPy forbids",
    "device-argument": "an argument lives on the device",
    "unseeded": "a stream of random numbers whose values the program depends on",
}
"""When a semantic difference can be seen; the analysis evaluates these words."""

IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")
RULE_ID = re.compile(r"[A-Za-z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*\Z")
RESOLVED_NAME = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*(?:\.\*)?\Z")


@dataclass(frozen=True, slots=True)
class Key:
    """Shape and meaning of one key of a rule.

    Attributes
    ----------
    shape : str
        ``text``, ``flag``, ``names`` (one string or a list of them), ``text-map``,
        ``value-map`` (any YAML scalar or list as the value) or ``examples``.
    doc : str
        One sentence for the documentation and for completion in editors.
    required : bool
    choices : tuple of str
        The only values allowed, where there are such.
    """

    shape: str
    doc: str
    required: bool = False
    choices: tuple[str, ...] = ()


def _key(shape: str, doc: str, *, default: Any = None, **more: Any) -> Any:
    """Describe a dataclass field that a YAML file may set."""
    metadata = {"key": Key(shape, doc, **more)}
    if more.get("required"):
        return field(metadata=metadata, kw_only=True)
    if default is None:
        default = {"text": None, "flag": False, "names": ()}.get(shape, ...)
    if default is ...:
        factory: Any = tuple if shape == "examples" else dict
        return field(metadata=metadata, kw_only=True, default_factory=factory)
    return field(metadata=metadata, kw_only=True, default=default)


@dataclass(frozen=True, eq=False)
class Example:
    """A piece of code that shows a rule, and is run as its test.

    ``given`` maps variables to inputs: ``"float64[4,5]"`` for a seeded random array,
    ``"float64[3,3] spd"`` with a property, or a YAML number, bool or list taken literally.
    """

    before: str = _key("text", "Code as people write it (`np` is numpy).", required=True)
    after: str | None = _key("text", "The port of it (`cp` is cupy); absent where nothing changes.")
    given: Mapping[str, Any] = _key(
        "value-map", "Inputs with which both sides are executed and compared."
    )
    raises: str | None = _key("text", "Name of the exception that NumPy raises for `before`.")
    line: int = 0


@dataclass(frozen=True, eq=False)
class Rule:
    """What all rules have.

    Attributes
    ----------
    path, line : str, int
        Where the rule is written.
    """

    kind: ClassVar[str] = ""

    id: str = _key("text", "Stable id, unique; a later rule with the same id wins.", required=True)
    name: str = _key("text", "Short name for people, in words joined by hyphens.", required=True)
    summary: str = _key("text", "One sentence that says what the rule knows.", required=True)
    match: tuple[str, ...] = _key(
        "names", "Resolved names (`numpy.save`, `matplotlib.*`) it applies to.", required=True
    )
    safety: str = _key("text", "Whether its edits are applied.", default="safe", choices=SAFETIES)
    because: str | None = _key("text", "Why the edit is not safe, or the rule is needed.")
    see: str | None = _key("text", "Address of the documentation that says so.")
    examples: tuple[Example, ...] = _key("examples", "Examples, each a test.", required=True)
    path: str = field(default="", kw_only=True)
    line: int = field(default=0, kw_only=True)


@dataclass(frozen=True, eq=False)
class HostRule(Rule):
    """A callable that works on the host: a sink or a source of placement."""

    kind: ClassVar[str] = "host"

    sink: bool = _key("flag", "Reads the arrays given to it and keeps nothing of them.")
    source: bool = _key("flag", "Makes host arrays (reads a file, draws random numbers).")
    returns: str | None = _key("text", "What it gives back.", choices=(*RETURNS, "instance:"))
    by_suffix: Mapping[str, str] = _key(
        "text-map",
        "What it gives back for a file whose name ends so, where it is given that name alone.",
    )
    asked: bool = _key("flag", "What it gives for its arguments NumPy is asked: rank and dtype.")
    text: bool = _key("flag", "The arrays that it gives may hold text.")
    mutates: tuple[str, ...] = _key("names", "Parameters (or `self`) it changes in place.")
    retains: bool = _key("flag", "Keeps a reference to an array that it was given.")
    only_reads: bool = _key(
        "flag", "What it keeps it only reads: a copy does, where nothing writes to the array."
    )
    private: Mapping[str, Any] = _key(
        "value-map",
        "What it gives is memory of others, where stores have to arrive, unless the call gives one "
        "of these values for the parameter.",
    )
    zero_d: bool = _key("flag", "A 0-d array does as well as a NumPy scalar.")
    brings: bool = _key("flag", "CuPy's function of its name brings device arrays back itself.")
    number: bool = _key("flag", "A number of Python's does as well as a NumPy scalar.")
    callback: bool = _key("flag", "Calls a Python function for each element: a loop in disguise.")
    by_elements: bool = _key(
        "flag",
        "It calls, for each element, the function that what is called was made of; the parameters "
        "of that are those of `numpy.vectorize`.",
    )
    by_vectors: bool = _key(
        "flag", "It calls the function `func1d` for each vector along `axis` of `arr`."
    )
    parameters: tuple[str, ...] = _key("names", "Its parameters in their order.")
    calls: Mapping[str, str] = _key(
        "text-map",
        "Parameters that are functions, with what it calls them: words of `returns`, and `*NAME` "
        "for the items of another parameter, which it does nothing else with.",
    )
    calls_unless: tuple[str, ...] = _key(
        "names", "Parameters that change what functions are called with, where they are given."
    )
    returns_unless: tuple[str, ...] = _key(
        "names", "Parameters with which it gives back something else."
    )
    fields: Mapping[str, str] = _key(
        "text-map", "What the attributes of an object hold: words of `returns`."
    )
    catches: bool = _key("flag", "As a context manager it keeps errors that it is given to itself.")


@dataclass(frozen=True, eq=False)
class EffectRule(Rule):
    """What a NumPy callable does beyond computing its result."""

    kind: ClassVar[str] = "effect"

    mutates: tuple[str, ...] = _key("names", "Parameters (or `self`) it changes in place.")
    mutates_when: Mapping[str, str] = _key(
        "text-map",
        "Of `mutates`, the values here change only where the call gives the key as a parameter.",
    )
    view: bool = _key("flag", "Its result may share memory with an argument or `self`.")
    view_when: tuple[str, ...] = _key(
        "names", "Parameters of which the call must give one for the result to be such a view."
    )
    view_of: tuple[str, ...] = _key(
        "names", "Parameters whose memory it may be; without it, the first array that is given."
    )
    view_of_one: bool = _key("flag", "Its result is such a view only where one array is given.")
    by_order: bool = _key(
        "flag", "CuPy and NumPy may differ on whether it is such a view or a copy."
    )
    by_layout: str | None = _key(
        "text",
        "When its elements come in the order that the array has in memory, or it tells of that: "
        "where the call asks for the order K or A, or unless it asks for C or F.",
        choices=("asked", "unless-told"),
    )
    c_order: bool = _key("flag", "Its result is in C order, whatever the order of its arguments.")
    own_order: bool = _key(
        "flag", "NumPy's result has the same order in memory, whatever that of its arguments is."
    )
    host: bool = _key("flag", "Needs its arguments on the host.")


@dataclass(frozen=True, eq=False)
class DiffersRule(Rule):
    """A name that exists on both sides and does not mean the same."""

    kind: ClassVar[str] = "differs"

    code: str = _key("text", "Code of the finding, `GP5xx`.", required=True)
    then: str = _key(
        "text",
        "What follows: a finding only, `instead` is called, or the call stays on the host unless "
        "`--unsafe`.",
        required=True,
        choices=("report", "instead", "host"),
    )
    instead: str | None = _key(
        "text", "Resolved name of what gives on the device what NumPy gives, for the operands."
    )
    takes: tuple[str, ...] = _key(
        "names",
        "Parameters of `instead`, which are NumPy's and in its order; without them it takes two "
        "operands alone.",
    )
    when: tuple[str, ...] = _key(
        "names", "Conditions, all of which must hold.", required=True, choices=tuple(CONDITIONS)
    )
    message: str = _key(
        "text", "The finding in one sentence; `{name}` is filled in.", required=True
    )
    raises: tuple[str, ...] = _key(
        "names", "Errors that are raised on the host there, and not on the device."
    )
    once: bool = _key("flag", "Told at the first place of a function alone.")


@dataclass(frozen=True, eq=False)
class SwapRule(Rule):
    """A call that moves to another name, its parameters renamed, dropped or refused."""

    kind: ClassVar[str] = "swap"

    to: str = _key("text", "Resolved name of the replacement.", required=True)
    rename: Mapping[str, str] = _key("text-map", "Parameters that have another name there.")
    drop: Mapping[str, Any] = _key(
        "value-map", "Parameters it lacks, with the value at which they may be left out."
    )
    refuse: Mapping[str, str] = _key("text-map", "Parameters it cannot honour, with the reason.")
    positional: tuple[str, ...] = _key(
        "names", "Names of the positional parameters, where order or names differ."
    )


@dataclass(frozen=True, eq=False)
class PatternRule(Rule):
    """An expression with metavariables that becomes another expression."""

    kind: ClassVar[str] = "pattern"

    where: Mapping[str, str] = _key("text-map", "Kind of expression a metavariable stands for.")
    rewrite: str | None = _key("text", "The new expression; none means report only.")
    patterns: tuple[ast.expr, ...] = ()
    heads: tuple[str, ...] = ()


KINDS: dict[str, type[Rule]] = {
    cls.kind: cls for cls in (HostRule, EffectRule, DiffersRule, SwapRule, PatternRule)
}


def keys_of(cls: type[Rule] | type[Example]) -> dict[str, Key]:
    """Keys that a YAML file may set for a kind of rule, in their documented order."""
    return {f.name: f.metadata["key"] for f in fields(cls) if "key" in f.metadata}

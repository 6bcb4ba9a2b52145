"""Classes of the program and those that derive from each other."""

from __future__ import annotations

from gpuport.facts.contexts import Place
from gpuport.facts.evaluation import Evaluation
from gpuport.facts.index import annotated_fields
from gpuport.ir.structure import Op
from gpuport.ir.types import Type, join_all

FIELD, FACTORY = "dataclasses.field", "default_factory"
NAMED_TUPLE = "typing.NamedTuple"
Fields = dict[str, Op | None]


def bases(here: Evaluation, cls: Op) -> list[Type]:
    """Types of the bases of a class, in all contexts in which it is made."""
    function = here.inference.index.function[cls]
    return [
        t
        for context in here.inference.contexts[function].values()
        for base in cls.operands[: cls.attributes["bases"]]
        if (t := context.types.get(base)) is not None
    ]


def dataclass_fields(here: Evaluation, cls: Op) -> Fields:
    """Fields of a dataclass or named tuple in order, those of its bases first; none for others."""
    found: Fields = {}
    for base in bases(here, cls):
        for target in base.targets:
            if isinstance(target, Op) and target is not cls:
                found |= dataclass_fields(here, target)
    own = here.load(Place.DATACLASS, cls) is not None or is_named_tuple(here, cls)
    return found | (annotated_fields(cls) if own else {})


def is_named_tuple(here: Evaluation, cls: Op) -> bool:
    """Whether the instances of a class are tuples of its fields."""
    return any(base.path == NAMED_TUPLE for base in bases(here, cls))


def factory(here: Evaluation, cls: Op, default: Op) -> Type | None:
    """The `f` of ``field(default_factory=f)``, the default of a field; None for other defaults."""
    keywords = default.attributes.get("keywords", ())
    if default.kind != "Call" or FACTORY not in keywords:
        return None
    value = default.operands[len(default.operands) - len(keywords) + keywords.index(FACTORY)]
    around = here.inference.contexts[here.inference.index.function[cls]].values()
    callees = [context.types.get(default.operands[0]) for context in around]
    if any(t is None or t.path != FIELD for t in callees):
        return None
    return join_all(t for context in around if (t := context.types.get(value)) is not None)


def is_made_for_each(here: Evaluation, cls: Op, name: str) -> bool:
    """Whether a dataclass makes a field for each instance, and has nothing of that name itself."""
    default = dataclass_fields(here, cls).get(name)
    return default is not None and factory(here, cls, default) is not None


def family(here: Evaluation, cls: Op) -> Op:
    """The root of a class's hierarchy.

    Fields of instances are kept by family and name, since `self` of an inherited method may be an
    instance of any class below.
    """
    for t in bases(here, cls):
        parents = [target for target in t.targets if target is not cls]
        if t.kind == "class" and parents:
            return family(here, min(parents, key=here.inference.index.classes.index))
    return cls


def subclasses(here: Evaluation, cls: Op) -> list[Op]:
    """A class and those of the program that derive from it: what ``self`` may be."""
    found = [cls]
    for other in here.inference.index.classes:
        if other in found:
            continue
        if any(t.kind == "class" and not t.targets.isdisjoint(found) for t in bases(here, other)):
            found.append(other)
    return found

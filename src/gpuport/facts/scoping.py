"""In which symbols a type is told: those that make sense where a value is defined."""

from __future__ import annotations

from dataclasses import replace

from gpuport.facts.contexts import Parameter
from gpuport.ir.extents import Affine, Symbol
from gpuport.ir.queries import is_inside
from gpuport.ir.structure import Function, Op, Region, Value
from gpuport.ir.types import NOTHING, NOWHERE, Assumption, Sites, Type, extents_of, mapped, timeless

Steps = tuple[tuple[str, int], ...]
#: Sizes up to this are known in a function that is called with them.
SMALL_SIZE = 8
#: Kinds whose memory a callee may change or keep, by site.
KEEPS_SITES = ("list", "dict", "record", "set", "method", "iterator")


def home_of(value: Value) -> Region:
    """The region in which a value is defined."""
    definition = value.definition
    if isinstance(definition, Op):
        return definition.parent
    return definition.body if isinstance(definition, Function) else definition


def told_at(t: Type, value: Value) -> Type:
    """A type with those extents that make sense at a value; others become symbols of its own.

    A carried value is never told in symbols of its region: these belong to the round before.
    """
    here = home_of(value)
    carried = isinstance(value.definition, Region) and isinstance(value.definition.owner, Op)

    def seen(extent: Affine | None) -> Affine | None:
        if extent is None:
            return None
        for symbol in extent.symbols:
            home = home_of(symbol.source)
            if home is not here and not is_inside(here, home):
                return None
            if home is here and carried and symbol.source is not value:
                return None
        return extent

    told = mapped(t, seen)
    if t.assumed and not any(extents_of(told)):
        told = told.but(assumed=frozenset(a for a in t.assumed if a.about == "type"))
    return symbolised(told, value)


def symbolised(t: Type, value: Value) -> Type:
    """A type with a symbol of its own for each extent and each integer that nothing else tells."""
    return _filled(t, value, (), value.name or repr(value))


def _filled(t: Type, value: Value, path: Steps, name: str) -> Type:
    if t.kind == "array" and t.shape is not None and None in t.shape:
        return t.but(
            shape=tuple(
                Affine.of(Symbol(value, (*path, ("axis", axis)), f"{name}.shape[{axis}]"))
                if extent is None
                else extent
                for axis, extent in enumerate(t.shape)
            )
        )
    if t.kind == "number" and t.dtype == "int" and t.integer is None:
        return t.but(integer=Affine.of(Symbol(value, path, name)))
    if t.kind == "tuple" and t.items is not None and len(path) < 3:
        return t.but(
            items=tuple(
                _filled(item, value, (*path, ("item", place)), f"{name}[{place}]")
                for place, item in enumerate(t.items)
            )
        )
    return t


def widened(t: Type) -> Type:
    """A type without extents and constants."""
    items = None if t.kind == "list" else t.items
    return mapped(t.but(constant=None, items=items), lambda extent: None)


def placed(t: Type, sites: Sites) -> Type:
    """The type of something that lives at these sites; its arrays do, too."""
    if t.kind == "array":
        return t.but(sites=sites)
    if t.kind == "tuple" and t.items is not None:
        return t.but(items=tuple(placed(item, sites) for item in t.items))
    return t


class Handing:
    """Types of arguments in symbols of the callee.

    Each extent has a symbol of its own: other callers may hand in other sizes, so what extents have
    in common is asked and not known. Small numbers stay, for small vectors are computed by
    elements. ``back`` says what each symbol of the callee is at the call.

    Parameters
    ----------
    function : Function
    arguments : list of Type
    told : int
        Up to which a number stays.
    """

    def __init__(self, function: Function, arguments: list[Type], told: int = SMALL_SIZE) -> None:
        self.told = told
        self.back: dict[Symbol, Affine] = {}
        self.parameters = tuple(
            self._inside(t, value, (), value.name)
            for t, value in zip(arguments, function.parameters, strict=True)
        )

    def _inside(self, t: Type, value: Value, path: Steps, name: str) -> Type:
        shape = None
        if t.shape is not None:
            shape = tuple(
                self._renamed(extent, value, (*path, ("axis", axis)), f"{name}.shape[{axis}]")
                for axis, extent in enumerate(t.shape)
            )
        items = t.items
        if t.kind == "list":
            items = None
        elif t.kind == "method" and items is not None:
            items = tuple(map(timeless, items))
        elif items is not None:
            items = tuple(
                self._inside(item, value, (*path, ("item", place)), f"{name}[{place}]")
                for place, item in enumerate(items)
            )
        return t.but(
            shape=shape,
            items=items,
            integer=self._renamed(t.integer, value, path, name),
            element=None if t.element is None else timeless(t.element),
            assumed=NOTHING,
            sites=t.sites if t.kind in KEEPS_SITES else NOWHERE,
        )

    def _renamed(
        self, extent: Affine | None, value: Value, path: Steps, name: str
    ) -> Affine | None:
        if extent is None or (extent.number is not None and abs(extent.number) <= self.told):
            return extent
        symbol = Symbol(value, path, name)
        self.back[symbol] = extent
        return Affine.of(symbol)


def told_outside(t: Type, back: dict[Symbol, Affine], sites: dict[Parameter, Sites]) -> Type:
    """What a callee gives, in symbols and sites of the caller."""
    told = mapped(t, lambda extent: None if extent is None else extent.renamed(back))
    return _with_sites_outside(_assumed_outside(told, back), sites)


def _assumed_outside(t: Type, back: dict[Symbol, Affine]) -> Type:
    """What is assumed of extents in symbols of the caller, where it has such."""
    assumed = frozenset(_told(assumption, back) for assumption in t.assumed)
    items = None if t.items is None else tuple(_assumed_outside(item, back) for item in t.items)
    return t.but(assumed=assumed, items=items) if t.assumed or t.items else t


def _told(assumption: Assumption, back: dict[Symbol, Affine]) -> Assumption:
    if assumption.about == "type":
        return assumption
    test = [part.renamed(back) if isinstance(part, Affine) else part for part in assumption.test]
    return assumption if None in test else replace(assumption, test=tuple(test))


def _with_sites_outside(t: Type, outside: dict[Parameter, Sites]) -> Type:
    found: Sites = NOWHERE
    for site in t.sites or ():
        there: Sites = frozenset([site])
        if isinstance(site, Parameter) and site in outside:
            there = outside[site]
        found = None if found is None or there is None else found | there
    items = None
    if t.items is not None:
        items = tuple(_with_sites_outside(item, outside) for item in t.items)
    return t.but(sites=None if t.sites is None else found, items=items)

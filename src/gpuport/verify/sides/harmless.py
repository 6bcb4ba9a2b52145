"""Which recorded values are data: made without a callable that the recording chose being called.

A recording may come from anybody. Judged are its descriptions, before anything is made of them, in
the process that has the modules of the file under verification, and by looking alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from types import FunctionType
from typing import Any

from gpuport.recording.grammar import parts
from gpuport.verify.sides import plainclasses
from gpuport.verify.sides.allowed import allowed
from gpuport.verify.sides.ownplaces import NotFound, Places, space_of
from gpuport.verify.sides.sides import Side

Node = Mapping[str, Any]
_NEW = "copyreg:__newobj__"
_PLAIN = frozenset({"none", "bool", "int", "float", "complex", "scalar", "text", "secret"})
_HASHED = _PLAIN | {"tuple", "frozenset"}
_DATA = _HASHED | {"array", "labels", "list", "set", "dict", "made", "reduced", "generator"}
_FUNCTIONS = frozenset({"callable", "bound", "inner"})
# texts that may name a file anywhere, and those that may be a zone of time, a frequency, a type
_ELSEWHERE = re.compile(r"\s*[/\\~]|[A-Za-z]:[\\/]|.*(^|[/\\])\.\.([/\\]|$)|.*://|.*\0", re.DOTALL)
_WORD = re.compile(r"[\w .:+\-/%<>=|]{0,80}")
_KEY_LIKE = re.compile(r"[\w .%+-]{1,100}")


@dataclass(slots=True)
class Judged:
    """What a call has that is more than data.

    Attributes
    ----------
    needs : dict of str
        Places that would be called, or are not known, in the order in which they stand.
    foreign : dict of str
        Texts that the files of the program do not hold.
    """

    needs: dict[str, None] = field(default_factory=dict)
    foreign: dict[str, None] = field(default_factory=dict)

    def to_json(self) -> dict[str, list[str]]:
        """As plain data."""
        return {"needs": list(self.needs), "foreign": list(self.foreign)}


class Harmless:
    """Judges recorded calls by the modules of one side, and those of `verified`, by their names."""

    def __init__(self, side: Side, verified: Container[str] = ()) -> None:
        self._side = side
        self._places = Places(side, verified)

    def judged(self, nodes: Iterable[Node]) -> Judged:
        """What the nodes of one call have that is more than data."""
        judge = _Judge(self._places, self)
        for node in nodes:
            judge.walk(node)
        return judge.result()

    @cached_property
    def texts(self) -> frozenset[str]:
        """Literals and names of parameters in the program's own files."""
        return self._side.texts()


class _Judge:
    """One call: its nodes are walked in the order in which they were described."""

    def __init__(self, places: Places, around: Harmless) -> None:
        self._places = places
        self._around = around
        self._found = Judged()
        self._keys: set[str] = set()
        self._texts: dict[str, None] = {}
        self._classes: dict[int, str] = {}
        self._by_kind: dict[str, Callable[[Any], None]] = {
            "object": self._object, "reduced": self._reduced, "made": self._made,
            "callable": self._callable, "member": self._member, "bound": self._bound,
            "inner": self._inner, "text": self._text, "dict": self._dict,
            "set": self._set, "frozenset": self._set,
        }  # fmt: skip

    def result(self) -> Judged:
        """What was found, once all nodes are walked."""
        for key in self._keys:
            if _ELSEWHERE.match(key) and key not in self._around.texts:
                self._need(f"the key {key!r:.60}")
        for text in self._texts:
            like_a_key = text in self._keys and _KEY_LIKE.fullmatch(text)
            if text and not like_a_key and text not in self._around.texts:
                self._found.foreign[text] = None
        return self._found

    def walk(self, node: Node) -> None:
        """Judge a node and all that is in it."""
        ((kind, value),) = node.items()
        judge = self._by_kind.get(kind)
        if judge is not None:
            judge(value)
            return
        for _, part in parts(node):
            self.walk(part)

    def _need(self, what: str) -> None:
        self._found.needs[what] = None

    def _text(self, value: str) -> None:
        self._texts[value] = None

    def _dict(self, value: Any) -> None:
        self._pairs(value)

    def _pairs(self, pairs: Iterable[tuple[Any, Node]]) -> None:
        for key, node in pairs:
            self._keys.add(str(key))
            self.walk(node)

    def _set(self, value: list[Node]) -> None:
        """Of what is hashed by C alone."""
        for node in value:
            if not _kinds(node) <= _HASHED:
                self._need("an object in a set")
            self.walk(node)

    # ------------------------------------------------------------------ objects

    def _object(self, value: Any) -> None:
        self._note(value, value["class"])
        cls = self._class(value["class"])
        if cls is not None and "items" in value and not issubclass(cls, dict):
            self._need(value["class"])
        self._pairs(value["attributes"].items())
        self._pairs(value.get("items", []))

    def _class(self, place: str) -> type | None:
        """The class at a place, where its instances are filled without code; None elsewhere."""
        cls = self._found_at(place)
        if cls is None:
            return None
        if not issubclass(type(cls), type):
            self._need(place)
            return None
        if place in allowed().types:
            return cls  # type: ignore[no-any-return]
        odd = plainclasses.odd_part(cls) if self._places.is_own(cls) else ""
        if odd is None:
            return cls  # type: ignore[no-any-return]
        self._need(f"{place}.{odd}" if odd else place)
        return None

    def _reduced(self, value: Any) -> None:
        """As pickled: the class is made without arguments but values, and its state is set."""
        if value["call"] == _NEW and value["arguments"]:
            first, *rest = value["arguments"]
            self._note(value, first.get("callable", ""))
            cls = self._class(first["callable"]) if "callable" in first else None
            if "callable" not in first:
                self._need(_NEW)
            elif cls is not None:
                self._filled(first["callable"], cls, value, rest)
        else:
            rest = value["arguments"]
            further = {name: value[name] for name in ("state", "items", "pairs")}
            given = {name: n for name, n in further.items() if n and n != {"none": True}}
            self._maker(value["call"], enumerate(rest), given)
        for node in (*rest, value["state"], *value["items"]):
            self.walk(node)
        self._pairs(value["pairs"])

    def _filled(self, place: str, cls: type, value: Any, values: list[Node]) -> None:
        state, odd = value["state"], None
        if not plainclasses.takes_values(cls, len(values)):
            odd = "__new__"
        elif "none" not in state:
            odd = plainclasses.odd_state(cls) or self._odd_slot(cls, state)
        odd = odd or (plainclasses.odd_filling(cls, "append") if value["items"] else None)
        odd = odd or (plainclasses.odd_filling(cls, "__setitem__") if value["pairs"] else None)
        if odd is not None:
            self._need(f"{place}.{odd}")

    def _odd_slot(self, cls: type, state: Node) -> str | None:
        """A name of the state that is set by code, and is no slot."""
        ((kind, value),) = state.items()
        if kind != "tuple" or plainclasses.method_of(cls, "__setstate__") is not None:
            return None
        slots = value[1] if len(value) == 2 else {}
        pairs = slots.get("dict", ()) if "none" not in slots else ()
        odd = (str(name) for name, _ in pairs if not plainclasses.takes_slot(cls, str(name)))
        return next(odd, None)

    def _note(self, value: Any, place: str) -> None:
        if "id" in value:
            self._classes[value["id"]] = place

    # ------------------------------------------------------------------ makers

    def _made(self, value: Any) -> None:
        self._maker(value["call"], value["arguments"].items())
        for name, node in value["arguments"].items():
            rule = allowed().makers.get(value["call"], {}).get(name)
            if not (rule == "word" and "text" in node and _WORD.fullmatch(node["text"])):
                self.walk(node)

    def _maker(
        self, place: str, arguments: Iterable[tuple[str | int, Node]], further: Iterable[str] = ()
    ) -> None:
        """What is called, with arguments, and what it is filled with afterwards."""
        rule = allowed().makers.get(place)
        if rule is None or self._found_at(place) is None:
            self._need(place)
            return
        if not set(further) <= rule.keys():
            self._need(f"{place} of other things")
        for name, node in arguments:
            kinds = _kinds(node)
            holds = {
                "data": kinds <= _DATA, "word": kinds <= _DATA,
                "function": bool(kinds & _FUNCTIONS) or "none" in node, "any": True,
            }  # fmt: skip
            if not holds.get(rule.get(name, ""), False):
                self._need(f"{place} of other things")

    # ------------------------------------------------------------------ functions

    def _found_at(self, place: str) -> Any:
        try:
            return self._places.found(place)
        except NotFound:
            self._need(place)
            return None

    def _callable(self, place: str) -> None:
        target = self._found_at(place)
        if target is None or place in allowed().functions:
            return
        known = self._places.is_own(target)
        if self._places.is_ufunc(target):
            module = place.partition(":")[0]
            known = module in allowed().ufuncs or self._places.is_own_module(module)
        if not known:
            self._need(place)

    def _member(self, place: str) -> None:
        """A member of an enumeration: there already, and looked up."""
        owner, _, name = place.rpartition(".")
        cls = self._class_of_members(owner)
        if cls is None or name not in space_of(cls).get("_member_map_", {}):
            self._need(place)

    def _class_of_members(self, place: str) -> type | None:
        try:
            cls = self._places.found(place)
        except NotFound:
            return None
        own = issubclass(type(cls), type) and self._places.is_own(cls)
        return cls if own and type(cls) in plainclasses.METACLASSES else None

    def _bound(self, value: Any) -> None:
        """A method that is a function of the object's own class."""
        self.walk(value["of"])
        place = self._class_place(value["of"])
        cls = self._found_at(place) if ":" in place else None
        method = None
        if cls is not None and issubclass(type(cls), type):
            method = plainclasses.method_of(cls, value["name"])
        if type(method) is not FunctionType or not self._places.is_own(method):
            self._need(f"{place}.{value['name']}")

    def _class_place(self, node: Node) -> str:
        """The place of the class of a described object; nothing for others."""
        ((kind, held),) = node.items()
        if kind == "object":
            return str(held["class"])
        if kind == "reduced" and held["arguments"]:
            return str(held["arguments"][0].get("callable", ""))
        return self._classes.get(held, "") if kind == "ref" else ""

    def _inner(self, value: Any) -> None:
        module = value["place"].partition(":")[0]
        if not self._places.is_own_module(module):
            self._need(value["place"])
        for _, node in value["cells"]:
            self.walk(node)
        self.walk(value["defaults"])


def _kinds(node: Node) -> frozenset[str]:
    """The kinds of a node and of all in it; what is no value of a library is an object."""
    ((kind, value),) = node.items()
    if kind == "reduced" and value["call"] not in allowed().makers:
        kind = "object"
    return frozenset({kind}).union(*(_kinds(part) for _, part in parts(node)))

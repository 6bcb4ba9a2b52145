"""What the message of a refusal says of the parameter that was refused: its length, its keys."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from gpuport.verify.signatures.standins import READABLE
from gpuport.verify.signatures.tables import FRAME, asked, tables, written
from gpuport.verify.signatures.templates import Refusal, left_out
from gpuport.verify.slots import ANY_TEXT, BASE_SIZE, INSTANCE, MAPPING, OMITTED, Slot

_OUTSIDE = re.compile(r"index (\d+) is out of bounds for axis (\d+) with size \d+")
# sizes that do not fit: of a product, the two of which one is the function's own
_APART = re.compile(r"\(size (\d+) is different from (\d+)\)|: (\d+) \(dim \d+\) != (\d+) \(dim")
_UNPACKED = re.compile(r"values to unpack \(expected (\d+)")
_MISSING = re.compile(r"^['\"]([^'\"]+)['\"]$")  # the message of a KeyError is the key
_NOT_THERE = re.compile(r"'(?:DataFrame|SimpleNamespace)' object has no attribute '(\w+)'")
# arguments that a call lacks which unpacks a dictionary, and keys that the program asks for itself
_ARGUMENTS = re.compile(r"missing \d+ required (?:positional|keyword-only) arguments?: (.*)")
_LACKS = re.compile(
    r"\bmissing (?:\w+ ){0,3}(?:variable|parameter|argument|key|column|field)s?\b(.*)", re.I
)
_CONTAIN = re.compile(r"(?:must|should|needs? to|has to|have to) (?:contain|have|include)\b(.*?\])")
_NOT_WHOLE = "arrays used as indices must be of integer"
_WHOLE = re.compile(r"\b(?:must|should|expect\w*|needs?)\b.{0,40}\bint(?:eger)?s?\b", re.I)
_BY_TEXT = "only integers, slices"
_ONE_NUMBER = re.compile(
    r"truth value of an array|only (?:length-1|0-dimensional|size-1) arrays can"
    r"|unhashable type: 'numpy"
)
_RANK = re.compile(
    r"(?:must|should|expect\w*|requires?|need\w*|has to)\b.{0,40}?(?:\b|\()"
    r"(?P<rank>[1-4]|one|two|three)[- ]?(?:d\b|dim)",
    re.I,
)
_NUMBERED = {"one": 1, "two": 2, "three": 3}
_LACKING = re.compile(r"'numpy\.(?:ndarray|float64|int64)' object has no attribute '(\w+)'")
_NO_MAPPING = re.compile(
    r"must be a mapping, not|cannot convert dictionary update|dictionary update sequence element"
    r"|object has no attribute '(?:items|keys|values|update|get|setdefault|pop)'"
)
_UNWANTED = re.compile(r"unexpected keyword argument '(\w+)'|got multiple values for .*'(\w+)'")
_ONE_OF = re.compile(
    r"(?:one of|choose from|supported|allowed|valid|available|options|either|possible|accepted"
    r"|known|recogni[sz]ed|choices)\b(?P<rest>.*)",
    re.I | re.S,
)
_QUOTED = re.compile(r"'([^']{1,40})'|\"([^\"]{1,40})\"|`([^`]{1,40})`")
_WITHOUT_EFFECT = re.compile(
    r"no effect|not supported|deprecated|cannot be (?:used|given)|removed|can only be used"
)
_TABLE = re.compile(
    r"(?P<name>\w+)[`'\"]? (?:must|should|needs? to|has to|is not|is no|are not)\b"
    r"(?P<kinds>.{0,60}\b(?:Series|DataFrame|DatetimeIndex)\b.*)"
)
_INVALID = re.compile(r"\binvalid\b|\bnot (?:a )?valid\b|\bunknown\b|\bunrecogni[sz]ed\b", re.I)
_ONLY_ONE = re.compile(r"only one of (.*)|(.*) (?:cannot both|are mutually exclusive)")
_NARROW = "cannot select an axis to squeeze out which has size not equal to one"
_ASKS = re.compile(r"(?:raise|assert)\b")
# what `inspect` cannot read of functions that are not written in Python
_UNREADABLE = re.compile(
    r"positional[- ]only|no signature found|unsupported callable|__code__|co_varnames|__name__"
)
_LONGEST = 64


def taught(slots: Sequence[Slot], refusal: Refusal) -> dict[str, Slot]:
    """Other slots for some of the parameters, by name, that do as the message wants.

    Parameters
    ----------
    slots : sequence of Slot
        What was refused.
    refusal : Refusal
    """
    keyed = _keyed(slots, refusal)
    if keyed is not None:
        return keyed
    gone = {
        s.name: left_out(s)
        for s in slots if _is_unwanted(s, refusal) or _is_made_up_text(s, refusal)
    }  # fmt: skip
    if gone:
        return gone
    chosen = (
        _as_told(slots, refusal)
        or _one_alone(slots, refusal)
        or _chosen(slots, refusal)
        or _written_in_python(slots, refusal)
    )
    if chosen:
        return chosen
    fitting = _fitting(slots, refusal)
    if fitting:
        return fitting
    named = [slot for slot in slots if refusal.names(slot.name)]
    if not named and (_ASKS.match(refusal.text) or _ONE_NUMBER.search(refusal.message)):
        named = list(slots)  # what was looked into stands in an earlier line
    if not named and _NARROW in refusal.message:
        named = list(slots)
    made = [(slot, _otherwise(slot, refusal)) for slot in named if slot.kind == "array"]
    made += [(slot, _as_frame(slot, refusal)) for slot in named if slot.kind == "dict"]
    return {slot.name: other for slot, other in made if other is not None}


def _keyed(slots: Sequence[Slot], refusal: Refusal) -> dict[str, Slot] | None:
    """With more keys in the dictionaries, or columns in the tables; None where none lacks.

    A dictionary that may be left out is given then.
    """
    keys = tuple(_missing_keys(refusal.message))
    if not keys:
        return None
    made = {s.name: _with_keys(s, keys) for s in slots}
    holding = [s for s in slots if made[s.name] != s]
    inside = [s for s in holding if refusal.names(s.name)] or holding
    return {s.name: made[s.name] for s in inside}


def _missing_keys(message: str) -> Iterator[str]:
    missing = _MISSING.match(message) or _NOT_THERE.search(message)
    several = next(filter(None, (p.search(message) for p in (_ARGUMENTS, _CONTAIN, _LACKS))), None)
    if missing is not None:
        yield missing[1]
    elif several is not None:
        yield from (next(filter(None, texts)) for texts in _QUOTED.findall(several[1]))


def _is_unwanted(slot: Slot, refusal: Refusal) -> bool:
    """Whether the message says that an optional argument must not be given."""
    if slot.kind == OMITTED or not slot.omit:
        return False
    unwanted = _UNWANTED.search(refusal.message)
    if unwanted is not None:
        key = unwanted[1] or unwanted[2]
        return key in (slot.name, *(item.name for item in slot.items))
    quoted = re.search(rf"['\"`]{re.escape(slot.name)}(?:=\w+)?['\"`]", refusal.message)
    return quoted is not None and _WITHOUT_EFFECT.search(refusal.message) is not None


def _chosen(slots: Sequence[Slot], refusal: Refusal) -> dict[str, Slot]:
    """The texts that a message says a parameter may be: ``mode must be one of 'a', 'b'``."""
    listed = _ONE_OF.search(refusal.message)
    texts = tuple(next(filter(None, t)) for t in _QUOTED.findall(listed["rest"])) if listed else ()
    if len(texts) < 2:
        return {}
    before = refusal.message[: listed.start()] if listed is not None else ""
    told = [s for s in slots if re.search(rf"\b{re.escape(s.name)}\b", before)]
    told = told or [s for s in slots if refusal.names(s.name)]
    found = (s for s in told if not set(texts) <= set(s.choices))
    return {s.name: Slot(s.name, "choice", choices=texts, omit=s.omit, keyword=s.keyword)
            for s in found}  # fmt: skip


def _is_made_up_text(slot: Slot, refusal: Refusal) -> bool:
    """Whether a text of which nothing is known was given, and the message calls some invalid."""
    made_up = slot.kind == "choice" and slot.omit and set(slot.choices) == {ANY_TEXT}
    return made_up and _INVALID.search(refusal.message) is not None


def _as_told(slots: Sequence[Slot], refusal: Refusal) -> dict[str, Slot]:
    """A table of pandas where the message says that one is wanted, or that one is missed."""
    told = _TABLE.search(refusal.message)
    kinds = written(told["kinds"]) if told is not None else ()
    named = [s for s in slots if told is not None and s.name == told["name"]]
    found = ((s, next(tables(s.name, kinds), None)) for s in named if s.kind != INSTANCE)
    return {
        s.name: replace(table, omit=s.omit, keyword=s.keyword)
        for s, table in found if table is not None
    }  # fmt: skip


def _one_alone(slots: Sequence[Slot], refusal: Refusal) -> dict[str, Slot]:
    """The first one alone of several arguments of which only one may be given."""
    told = _ONLY_ONE.search(refusal.message)
    text = (told[1] or told[2]) if told is not None else ""
    named = [s for s in slots if re.search(rf"\b{re.escape(s.name)}\b", text)]
    given = [s for s in named if s.kind != OMITTED]
    return {s.name: left_out(s) for s in given[1:] if s.omit}


def _fitting(slots: Sequence[Slot], refusal: Refusal) -> dict[str, Slot]:
    """An array of which one axis is as long as what the function multiplies it with."""
    apart = _APART.search(refusal.message)
    if apart is None:
        return {}
    # of one product the right size is told first, of the other the left one
    right, left = map(int, apart.groups()[:2] if apart[1] else apart.groups()[:1:-1])
    if (left == BASE_SIZE) == (right == BASE_SIZE):
        return {}
    for slot in slots:
        if slot.kind != "array" or not slot.dims or not refusal.names(slot.name):
            continue
        axis = len(slot.dims) - 1 if left == BASE_SIZE else max(len(slot.dims) - 2, 0)
        other = _sized(slot, axis, right if left == BASE_SIZE else left)
        if other is not None and not slot.dims[axis].startswith("="):
            return {slot.name: other}
    return {}


def _written_in_python(slots: Sequence[Slot], refusal: Refusal) -> dict[str, Slot]:
    """Functions of which parameters and text can be read, where those given have none."""
    if not _UNREADABLE.search(refusal.message):
        return {}
    return {slot.name: other for slot in slots if (other := _readable(slot)) != slot}


def _readable(slot: Slot) -> Slot:
    if slot.kind == "callable":
        return replace(slot, dtype=READABLE)
    return replace(slot, items=tuple(map(_readable, slot.items))) if slot.items else slot


def _otherwise(slot: Slot, refusal: Refusal) -> Slot | None:
    message = refusal.message
    outside = _OUTSIDE.search(message)
    if outside is not None:
        others = re.findall(rf"\b{re.escape(slot.name)}\[(\d+)\]", refusal.text)
        return _sized(slot, int(outside[2]), 1 + max(map(int, [outside[1], *others])))
    unpacked = _UNPACKED.search(message)
    if unpacked is not None:
        return _sized(slot, 0, int(unpacked[1]))
    if slot.dtype is None and (_NOT_WHOLE in message or _WHOLE.search(message)):
        return replace(slot, dtype="int64")
    if _NARROW in message:
        return _sized(slot, len(slot.dims) - 1, 1) if len(slot.dims) > 1 else None
    if _BY_TEXT in message:
        keys = re.findall(rf"""\b{re.escape(slot.name)}\[['"](.+?)['"]\]""", refusal.text)
        items = tuple(Slot(key, "float") for key in dict.fromkeys(keys))
        return Slot(slot.name, "dict", items=items) if keys else None
    if _NO_MAPPING.search(message):
        return Slot(slot.name, "dict", omit=slot.omit, keyword=slot.keyword)
    if _ONE_NUMBER.search(message):
        return replace(slot, kind="float", dims=(), dtype=None, traits=())
    lacking = _LACKING.search(message)
    if lacking is not None:
        found = next(tables(slot.name, asked((lacking[1],), sure=True)), None)
        return found and replace(found, omit=slot.omit, keyword=slot.keyword)
    return _of_rank(slot, message)


def _as_frame(slot: Slot, refusal: Refusal) -> Slot | None:
    """A frame with the keys of a dictionary as columns, where its items are asked as such."""
    lacking = _LACKING.search(refusal.message)
    if lacking is None or not asked((lacking[1],), sure=True):
        return None
    found = next(tables(slot.name, (FRAME,), [item.name for item in slot.items]))
    return replace(found, omit=slot.omit, keyword=slot.keyword)


def _of_rank(slot: Slot, message: str) -> Slot | None:
    wanted = _RANK.search(message)
    if wanted is None or any("=" in dim for dim in slot.dims):
        return None
    rank = _NUMBERED.get(wanted["rank"].lower()) or int(wanted["rank"])
    dims = tuple(f"{slot.name}.{axis}" for axis in range(rank))
    return replace(slot, dims=dims) if len(slot.dims) != rank else None


def _sized(slot: Slot, axis: int, size: int) -> Slot | None:
    """With a fixed size of one axis."""
    if axis >= len(slot.dims) or size > _LONGEST or slot.dims[axis] == f"={size}":
        return None
    return replace(slot, dims=(*slot.dims[:axis], f"={size}", *slot.dims[axis + 1 :]))


def _with_keys(slot: Slot, keys: Sequence[str]) -> Slot:
    """The slot with these keys in what it is or holds."""
    if slot.kind == INSTANCE and slot.dtype == FRAME:  # the columns are equally long
        return replace(slot, items=(_keys_added(slot.items[0], keys, True), *slot.items[1:]))
    if slot.kind == INSTANCE:
        return replace(slot, items=tuple(_with_keys(item, keys) for item in slot.items))
    if slot.kind == OMITTED and MAPPING in slot.traits:
        return _keys_added(replace(slot, kind="dict", traits=()), keys, False)
    return _keys_added(slot, keys, False) if slot.kind == "dict" and slot.traits == () else slot


def _keys_added(slot: Slot, keys: Sequence[str], alike: bool) -> Slot:
    known = {item.name for item in slot.items}
    held = [item for item in slot.items if item.kind not in ("dict", "choice")]
    like = next(iter(held), Slot("", "float"))
    more = []
    for key in keys:
        dims = like.dims if alike else tuple(f"{key}.{axis}" for axis in range(len(like.dims)))
        more += [replace(like, name=key, dims=dims)] * (key not in known)
    return replace(slot, items=(*slot.items, *more))

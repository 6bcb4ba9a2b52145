"""Values of libraries by what makes one like them: tables, times and zones, queues, generators,
fractions, locks, places of files, patterns, functions with some of their arguments.

When a time was is the program's own affair and is not kept.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from pathlib import PurePath
from typing import Any

from gpuport.recording.pickled import place_of

_FEWEST_TIMES = 2
_ITEMS = 40
_DAY = "2019-06-01 09:00"
Node = dict[str, Any]
Described = Callable[[Any], Node]
Held = Callable[[Any], Node | None]


def made_like(value: Any, held: Held, described: Described) -> Node | None:
    """The node of what makes a value like this one; None where that is not known.

    Parameters
    ----------
    value : object
    held : callable
        Gives the node of an array; None for one that cannot be described.
    described : callable
        Gives the node of any value.
    """
    if type(value).__module__.partition(".")[0] == "pandas":
        return _table(value, held)
    if isinstance(value, PurePath):
        return _called("pathlib:Path", described(str(value)))
    if isinstance(value, Enum):
        return _member(value)
    place = place_of(type(value))
    maker = _MAKERS.get(place)
    if maker is not None:
        return maker(value, described)
    if place.startswith("pytz") and isinstance(getattr(value, "zone", None), str):
        return _made("pytz:timezone", zone={"text": value.zone})
    if place.startswith("numpy.dtypes:") and value.kind in "biufc":
        return _made("numpy:dtype", dtype={"text": str(value)})
    return None


def _member(value: Any) -> Node | None:
    """A member of an enumeration, by its name; what several make together has none."""
    place = place_of(type(value))
    known = place and getattr(type(value), "__members__", {}).get(value.name) is value
    return {"member": f"{place}.{value.name}"} if known else None


def _deque(value: Any, described: Described) -> Node | None:
    if len(value) > _ITEMS:
        return None
    most = {"none": True} if value.maxlen is None else {"int": value.maxlen}
    items = [described(v) for v in value]
    return _made("collections:deque", iterable={"list": items}, maxlen=most)


def _ordered(value: Any, described: Described) -> Node | None:
    if len(value) > _ITEMS or not all(isinstance(key, str) for key in value):
        return None
    node = _called("collections:OrderedDict")
    node["reduced"]["pairs"] = [[key, described(one)] for key, one in value.items()]
    return node


def _partial(value: Any, described: Described) -> Node:
    """A function with some of its arguments."""
    given = {"tuple": [described(one) for one in value.args]}
    named = {"dict": [[key, described(one)] for key, one in value.keywords.items()]}
    function, none = described(value.func), {"none": True}
    state = {"tuple": [function, given, named, none]}
    return _called("functools:partial", function, state=state)


def _datetime(value: Any, described: Described) -> Node:
    return _made("datetime:datetime", **_ON_THAT_DAY, hour=_HOUR, tzinfo=described(value.tzinfo))


def _timedelta(value: Any, _: Described) -> Node:
    parts = {name: {"int": getattr(value, name)} for name in ("days", "seconds", "microseconds")}
    return _made("datetime:timedelta", **parts)


def _pattern(value: Any, described: Described) -> Node | None:
    if not isinstance(value.pattern, str):
        return None
    return _made("re:compile", pattern=described(value.pattern), flags={"int": value.flags})


_ON_THAT_DAY = {"year": {"int": 2019}, "month": {"int": 6}, "day": {"int": 1}}
_HOUR = {"int": 9}
_MAKERS: dict[str, Callable[[Any, Described], Node | None]] = {
    "_thread:RLock": lambda value, _: _made("threading:RLock"),
    "_thread:lock": lambda value, _: _made("_thread:allocate_lock"),
    "collections:Counter": lambda value, described: _called(
        "collections:Counter", described(dict(value))
    ),
    "collections:OrderedDict": _ordered,
    "collections:deque": _deque,
    "datetime:date": lambda value, _: _made("datetime:date", **_ON_THAT_DAY),
    "datetime:datetime": _datetime,
    "datetime:time": lambda value, described: _made(
        "datetime:time", hour=_HOUR, tzinfo=described(value.tzinfo)
    ),
    "datetime:timedelta": _timedelta,
    "datetime:timezone": lambda value, described: _made(
        "datetime:timezone", offset=described(value.utcoffset(None))
    ),
    "decimal:Decimal": lambda value, _: _made("decimal:Decimal", value={"text": str(value)}),
    "fractions:Fraction": lambda value, _: _made(
        "fractions:Fraction",
        numerator={"int": value.numerator},
        denominator={"int": value.denominator},
    ),
    "functools:partial": _partial,
    "logging:Logger": lambda value, described: _called("logging:getLogger", described(value.name)),
    "numpy.random.mtrand:RandomState": lambda value, _: _made(
        "numpy.random.mtrand:RandomState", seed={"int": 0}
    ),
    "random:Random": lambda value, _: _made("random:Random", x={"int": 0}),
    "re:Pattern": _pattern,
    "zoneinfo:ZoneInfo": lambda value, _: (
        None if value.key is None else _made("zoneinfo:ZoneInfo", key={"text": value.key})
    ),
}


def _called(place: str, *arguments: Node, state: Node | None = None) -> Node:
    """What a call with arguments by position makes."""
    form = {"call": place, "arguments": list(arguments), "state": state or {"none": True}}
    return {"reduced": {**form, "items": [], "pairs": []}}


def _made(place: str, **arguments: Any) -> Node:
    return {"made": {"call": place, "arguments": arguments}}


def _table(value: Any, held: Held) -> Node | None:
    """A series, frame, index of times or time of pandas; None for others."""
    kind = place_of(type(value)).rpartition(":")[2]
    if kind == "Timestamp":
        return _made("pandas:Timestamp", ts_input={"text": _DAY}, tz=_zone(value))
    if kind == "DatetimeIndex":
        return _times(value)
    if kind not in ("Series", "DataFrame"):
        return None
    index = _table(value.index, held)
    if kind == "Series":
        data = _column(value, held)
    else:
        if len(value.columns) > _ITEMS or any(not isinstance(c, str) for c in value.columns):
            return None
        columns = [[c, _column(value.iloc[:, k], held)] for k, c in enumerate(value.columns)]
        data = {"dict": columns} if all(node is not None for _, node in columns) else None
    if data is None:
        return None
    return _made(f"pandas:{kind}", data=data, **({} if index is None else {"index": index}))


def _column(value: Any, held: Held) -> Node | None:
    kind = getattr(value.dtype, "kind", "O")
    if kind in "biufcO" or str(value.dtype) == "str":
        return held(value.to_numpy())
    if kind != "M":
        return None
    return _times(value.array)


def _times(value: Any) -> Node:
    long = len(value) > _FEWEST_TIMES
    step = getattr(value, "freqstr", None) or getattr(value, "inferred_freq", None)
    periods, freq = {"int": len(value)}, {"text": (step if long else None) or "h"}
    start, zone = {"text": _DAY}, _zone(value)
    return _made("pandas:date_range", start=start, periods=periods, freq=freq, tz=zone)


def _zone(value: Any) -> Node:
    return {"none": True} if value.tz is None else {"text": str(value.tz)}

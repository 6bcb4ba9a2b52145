"""Values of libraries by what makes one like them: tables, times and zones, queues, generators.

When a time was is the program's own affair and is not kept.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from gpuport.recording.pickled import place_of

_FEWEST_TIMES = 2
_ITEMS = 40
_DAY = "2019-06-01 09:00"
_ON_THAT_DAY = {"year": 2019, "month": 6, "day": 1}
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
    place = place_of(type(value))
    if place == "collections:deque" and len(value) <= _ITEMS:
        most = {"none": True} if value.maxlen is None else {"int": value.maxlen}
        items = [described(v) for v in value]
        return _made(place, iterable={"list": items}, maxlen=most)
    if place == "numpy.random.mtrand:RandomState":
        return _made(place, seed={"int": 0})
    return _time(value, place, described)


def _time(value: Any, place: str, described: Described) -> Node | None:
    """Times of a day, days, and zones by their names."""
    if place in ("datetime:datetime", "datetime:date"):
        parts = {name: {"int": number} for name, number in _ON_THAT_DAY.items()}
        if place == "datetime:datetime":
            parts |= {"hour": {"int": 9}, "tzinfo": described(value.tzinfo)}
        return _made(place, **parts)
    if place == "zoneinfo:ZoneInfo" and value.key is not None:
        return _made(place, key={"text": value.key})
    if place.startswith("pytz") and isinstance(getattr(value, "zone", None), str):
        return _made("pytz:timezone", zone={"text": value.zone})
    return None


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

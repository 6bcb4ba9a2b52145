"""Series, frames and indices of pandas: what may be given for them, and what they hold.

pandas is imported nowhere here: a program that takes its tables has it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from gpuport.verify.slots import INSTANCE, Slot

SERIES, FRAME, INDEX = "pandas:Series", "pandas:DataFrame", "pandas:date_range"
# attributes that one has and NumPy's arrays have not; what several have stands at the likeliest
_ASKED_OF = {
    INDEX: (
        *("tz", "tz_convert", "tz_localize", "dayofyear", "day_of_year", "year", "month", "day"),
        *("hour", "minute", "second", "asi8", "strftime", "freq", "normalize", "unique"),
        *("inferred_freq", "date", "weekday", "dayofweek", "to_series", "to_pydatetime", "as_unit"),
    ),
    FRAME: (
        *("columns", "assign", "itertuples", "iterrows", "set_index", "reset_index", "filter"),
        *("merge", "join", "pivot", "pop", "insert", "melt", "stack", "select_dtypes", "rename"),
    ),
    SERIES: (
        *("index", "iloc", "loc", "values", "to_numpy", "rolling", "shift", "diff", "resample"),
        *("fillna", "isna", "notna", "isnull", "where", "between", "to_frame", "reindex", "drop"),
        *("quantile", "groupby", "interpolate", "ffill", "bfill", "dropna", "apply", "abs", "name"),
        *("add", "mul", "sub", "div", "mask", "describe", "head", "tail", "at", "iat", "eq"),
    ),
}
_WRITTEN = (
    (INDEX, re.compile(r"datetimeindex|\bdatetime index|pandas\.?index|\bpd\.index", re.I)),
    (SERIES, re.compile(r"\bseries\b", re.I)),
    (FRAME, re.compile(r"\bdata ?frame\b", re.I)),
)
_ELSEWHERE = frozenset({"values", "index", "name", "where", "add", "insert", "pop", "join", "drop"})
_DAY = "2019-06-01 09:00"
_COLUMNS = ("b", "a")


def written(text: str) -> tuple[str, ...]:
    """Which tables a type text names."""
    return tuple(kind for kind, pattern in _WRITTEN if pattern.search(text))


def asked(attributes: Iterable[str], sure: bool = False) -> tuple[str, ...]:
    """Which tables have all these attributes, some of which arrays have not.

    Where not `sure`, names that other objects have as well tell nothing.
    """
    held = set(attributes)
    telling = held if sure else held - _ELSEWHERE
    return tuple(kind for kind, own in _ASKED_OF.items() if telling & set(own))


def tables(name: str, kinds: Iterable[str], keys: Iterable[str] = ()) -> Iterator[Slot]:
    """A slot for each kind of table; frames have the columns `keys`."""
    for kind in kinds:
        length = f"{name}.0"
        if kind == INDEX:
            yield _index(name, length)
        elif kind == SERIES:
            items = (Slot("data", "array", "float64", (length,)), _index("index", length))
            yield Slot(name, INSTANCE, SERIES, items=items)
        else:
            columns = [Slot(key, "array", "float64", (length,)) for key in [*keys] or _COLUMNS]
            data = Slot("data", "dict", items=tuple(columns))
            yield Slot(name, INSTANCE, FRAME, items=(data, _index("index", length)))


def _index(name: str, length: str) -> Slot:
    zone = Slot("tz", "choice", choices=("UTC", "Etc/GMT+7"))
    start = Slot("start", "choice", choices=(_DAY,))
    periods, freq = Slot("periods", "size", dims=(length,)), Slot("freq", "choice", choices=("h",))
    return Slot(name, INSTANCE, INDEX, items=(start, periods, freq, zone))


def is_table(value: Any) -> bool:
    """Whether this is a series, a frame or an index of pandas."""
    own = type(value).__module__.partition(".")[0] == "pandas" and hasattr(value, "to_numpy")
    return own and (hasattr(value, "dtype") or hasattr(value, "dtypes"))


def parts_of(value: Any) -> dict[str, Any]:
    """What a table holds, by name: arrays, and its index."""
    if hasattr(value, "columns"):
        held = {f"column {k} {c!r}": value.iloc[:, k] for k, c in enumerate(value.columns)}
        arrays = {name: _plain(column) for name, column in held.items()}
        return {**arrays, "index": value.index}
    found: dict[str, Any] = {"dtype": str(value.dtype), "values": _plain(value)}
    found["name"] = str(getattr(value, "name", None))
    zone = getattr(value, "tz", None)
    if zone is not None:
        found["zone"] = str(zone)
    return found | ({"index": value.index} if hasattr(value, "index") else {})


def _plain(value: Any) -> Any:
    """The values as an array; times as whole numbers."""
    numbers = value.to_numpy()
    if numbers.dtype.kind in "mM":
        return numbers.astype("int64")
    whole = getattr(value, "asi8", None)
    return numbers if whole is None else whole


def with_arrays(value: Any, moved: Callable[[Any], Any]) -> Any:
    """A table of the same kind, with the floats of each column replaced."""
    if hasattr(value, "columns"):
        other = value.copy()
        for place in range(len(value.columns)):
            if value.iloc[:, place].dtype.kind in "fc":
                other.isetitem(place, moved(value.iloc[:, place].to_numpy().copy()))
                other.columns = value.columns
        return other
    if hasattr(value, "index") and value.dtype.kind in "fc":
        return type(value)(moved(value.to_numpy().copy()), index=value.index, name=value.name)
    return value


__all__ = [
    "FRAME",
    "INDEX",
    "SERIES",
    "asked",
    "is_table",
    "parts_of",
    "tables",
    "with_arrays",
    "written",
]

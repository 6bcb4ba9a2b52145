"""What a call leaves beside its result: random state, warnings, shared memory, an exception."""

from __future__ import annotations

import contextlib
import io
import itertools
import random
import re
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any

import numpy as np

from gpuport.verify.aftermath.leaves import Observation
from gpuport.verify.sides.states import state_of

MOST_PRINTED = 20_000
EMPTY = ", which is empty"
EARLIER = "what an earlier call returned"
KEPT = "what the instance keeps"
OF_MODULE = "what the module keeps"
_ITEMS = 50
_CONTAINERS = (dict, list, tuple)
# what most names of a module stand for
_NO_ARRAYS = frozenset({FunctionType, BuiltinFunctionType, ModuleType, type, str, int, float})
_NUMBERS = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?|\bnan\b|\binf\b")


@dataclass(slots=True)
class Heard:
    """What a call said beside its result: to its streams, and by warnings.

    ``own`` are texts of warnings of the program's own, of whatever category.
    """

    printed: io.StringIO = field(default_factory=io.StringIO)
    complained: io.StringIO = field(default_factory=io.StringIO)
    warnings: list[warnings.WarningMessage] = field(default_factory=list)
    own: set[str] = field(default_factory=set)
    started: float = field(default_factory=time.perf_counter)

    def begin(self) -> None:
        """The call itself begins: what was made for it does not count as its time."""
        self.started = time.perf_counter()

    @property
    def text(self) -> str:
        """What was printed."""
        return self.printed.getvalue()[:MOST_PRINTED]

    @property
    def errors(self) -> str:
        """What went to standard error without its numbers; progress bars tell of time alone."""
        text = self.complained.getvalue()
        return "" if "\r" in text else _NUMBERS.sub("#", text)[:MOST_PRINTED]

    @property
    def warned(self) -> str:
        """The program's own warnings, without their numbers; those of NumPy say of what it does."""
        texts = {_warning(w.category, w.message) for w in self.warnings}
        return "; ".join(sorted(texts | self.own))[:MOST_PRINTED]

    @property
    def seconds(self) -> float:
        """How long ago it was begun."""
        return time.perf_counter() - self.started


@contextlib.contextmanager
def listening(files: Callable[[], Collection[str]]) -> Iterator[Heard]:
    """Inside the block nothing is shown: what would be is heard.

    `files` gives the program's files: a warning that one of them gives is the program's own.
    """
    heard, warn = Heard(), warnings.warn

    def told(
        message: Any, category: Any = None, stacklevel: int = 1, *args: Any, **more: Any
    ) -> None:
        if sys._getframe(1).f_code.co_filename in files():
            heard.own.add(_warning(category or UserWarning, message))
        warn(message, category, stacklevel + 1, *args, **more)

    with (
        contextlib.redirect_stdout(heard.printed),
        contextlib.redirect_stderr(heard.complained),
        warnings.catch_warnings(record=True) as recorded,
    ):
        heard.warnings = recorded
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        # a discarded imaginary part says that complex input is outside the function's domain
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        warnings.warn = told
        try:
            yield heard
        finally:
            warnings.warn = warn


def _warning(category: type[Warning], message: Any) -> str:
    kind = type(message) if isinstance(message, Warning) else category
    return f"{kind.__name__}: {_NUMBERS.sub('#', str(message))}"


def begin_randomly(seed: int) -> None:
    """Seed the generators of NumPy and of Python that everybody shares."""
    random.seed(seed)
    np.random.seed(seed)


def random_state() -> str:
    """How far the shared generators have come since `begin_randomly`; moves them on.

    Their next numbers tell: two of each, and a normal one, as that may be kept from an earlier
    pair. The whole state would take longer to read than most functions to run.
    """
    uniform = np.random.random_sample(2).tobytes().hex(), np.random.standard_normal()
    kept = getattr(getattr(random, "_inst", None), "gauss_next", None)
    return f"{uniform} {random.random()} {random.random()} {kept}"


def raised(error: BaseException, own: Path, heard: Heard) -> Observation:
    """The observation of a call that raised; `own` is the file under test."""
    frames = traceback.extract_tb(error.__traceback__, limit=-1)  # all take as long as many calls
    last = frames[-1] if frames else None
    inside = last is not None and last.filename == str(own)
    line = (last.line or "") if last is not None else ""
    explicit = inside and line.startswith(("raise", "assert"))
    return Observation(
        raised=type(error).__name__,
        message=str(error)[:300],
        explicit=explicit,
        plain=inside and not explicit and _is_of_python(error, line),
        printed=heard.text,
        seconds=heard.seconds,
    )


_OF_PYTHON = re.compile(
    r"^(?:(?:list|tuple|string|range object|deque|bytes) index out of range"
    r"|pop from (?:an )?empty \w+|(?:min|max)\(\) \S+ (?:argument )?is (?:an )?empty.*"
    r"|cannot convert float (?:NaN|infinity) to integer|\S+ is not in list|substring not found"
    r"|not enough values to unpack.*|too many values to unpack.*"
    r"|invalid literal for int.*|could not convert string to .*)$"
)


_CONVERTING = re.compile(r"\b(?:int|round|floor|ceil|trunc)\(")


def _is_of_python(error: BaseException, line: str) -> bool:
    """Whether Python's own numbers and containers raise this, which NumPy's arrays never do.

    Errors of domain are not among them: where `math` raises one, a device gives a NaN.
    """
    if "to integer" in str(error) and not _CONVERTING.search(line):
        return False  # NumPy says so too, of an infinity that is stored among whole numbers
    kinds = (ZeroDivisionError, KeyError, UnboundLocalError)
    return isinstance(error, kinds) or _OF_PYTHON.match(str(error)) is not None


def relations(result: Any, arguments: Mapping[str, Any]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Which results are an argument itself, and which are views of one, or of an instance's state.

    What an instance keeps of its arguments counts as a view too: who holds these may write them.
    Of arrays among the results, and of those that an instance keeps, it is told too which are one
    and the same: who writes into one of them writes into both.
    """
    identity, views = [], []
    for place, part in _parts(result).items():
        for name, value in arguments.items():
            if part is value and not _plain(part):
                identity.append(f"{place} is {name}")
            elif _share_memory(part, value):
                views.append(f"{place} of {name}")
            elif _is_empty_view(part, value):
                views.append(f"{place} of {name}{EMPTY}")
    state = _state("self", arguments.get("self"))
    attributes = _attributes("self", arguments.get("self"))
    identity += _the_same(_parts(result) | attributes)
    kept = attributes | _attributes("result", result)
    for place, held in kept.items():
        identity += [f"{place} is {name}" for name, v in arguments.items() if held is v]
    for place, part in _parts(result).items():
        if any(_share_memory(part, held) for held in state.values()):
            views.append(f"{place} of {KEPT}")
    for place, held in (state | _state("result", result)).items():
        views += [f"{place} of {name}" for name, v in arguments.items() if _share_memory(held, v)]
    return tuple(identity), tuple(views)


def shared_with_module(result: Any, module: ModuleType | None) -> tuple[str, ...]:
    """Parts of a result that are memory of what a module keeps by a name, or in a container."""
    parts = {k: v for k, v in _parts(result).items() if isinstance(v, np.ndarray)}
    if not parts or module is None:
        return ()
    held_by_name = [v for v in vars(module).values() if type(v) not in _NO_ARRAYS]
    kept = [held for value in held_by_name for held in _arrays_in(value)]
    shared = (place for place, part in parts.items() if any(_share_memory(part, a) for a in kept))
    return tuple(f"{place} of {OF_MODULE}" for place in shared)


def _arrays_in(value: Any) -> Iterator[Any]:
    if isinstance(value, np.ndarray):
        yield value
    elif type(value) in _CONTAINERS:
        items = value.values() if isinstance(value, dict) else value
        yield from (v for v in itertools.islice(items, _ITEMS) if isinstance(v, np.ndarray))


def _the_same(places: Mapping[str, Any]) -> list[str]:
    """Arrays that stand in several places."""
    first: dict[int, str] = {}
    found = []
    for place, value in places.items():
        if _is_array(value) and first.setdefault(id(value), place) != place:
            found.append(f"{place} is {first[id(value)]}")
    return found


def _is_array(value: Any) -> bool:
    """An array of either kind: whether two numbers are one object nobody can tell."""
    if isinstance(value, np.generic):
        return False
    return hasattr(value, "__array_priority__") or isinstance(value, np.ndarray)


def _attributes(name: str, instance: Any) -> dict[str, Any]:
    """The arrays among an instance's attributes, of the device too."""
    pairs = (state_of(instance) or {}).items()
    return {f"{name}.{k}": v for k, v in pairs if _is_array(v)}


def _state(name: str, instance: Any) -> dict[str, Any]:
    """Arrays that an instance keeps."""
    held = (state_of(instance) or {}).items()
    return {f"{name}.{k}": v for k, v in held if isinstance(v, np.ndarray)}


def arrays_held(label: str, value: Any) -> dict[str, Any]:
    """Arrays among a value's parts, whose changes somebody who holds it sees."""
    parts = _parts(value).items()
    return {label + k.removeprefix("result"): v for k, v in parts if isinstance(v, np.ndarray)}


def arrays_kept(instance: Any) -> dict[str, Any]:
    """Arrays that are public attributes: who has taken one sees whether it is changed."""
    state = _state("", instance).items()
    return {f"attribute {k[1:]}": v for k, v in state if not k.startswith("._")}


def _parts(result: Any) -> dict[str, Any]:
    parts: dict[str, Any] = {"result": result}
    result = getattr(result, "handed", result)
    if isinstance(result, list | tuple):
        parts |= {f"result[{i}]": item for i, item in enumerate(result[:_ITEMS])}
    elif isinstance(result, dict):
        parts |= {f"result[{key!r}]": item for key, item in result.items()}
    return parts


class Handed:
    """Arrays that the latest call of a function returned: a caller may still hold them."""

    def __init__(self) -> None:
        self._function = ""
        self._arrays: list[Any] = []

    def shared(self, function: str, result: Any) -> tuple[str, ...]:
        """Parts of a result that are memory of the one before; `result` takes its place."""
        parts = {k: v for k, v in _parts(result).items() if isinstance(v, np.ndarray)}
        earlier = self._arrays if function == self._function else []
        found = [
            f"{place} of {EARLIER}"
            for place, part in parts.items()
            if any(np.may_share_memory(part, array) for array in earlier)
        ]
        self._function, self._arrays = function, list(parts.values())
        return tuple(found)


def _share_memory(first: Any, second: Any) -> bool:
    both = isinstance(first, np.ndarray) and isinstance(second, np.ndarray)
    return both and bool(np.may_share_memory(first, second))


def _is_empty_view(first: Any, second: Any) -> bool:
    """An empty array has no memory to share."""
    both = isinstance(first, np.ndarray) and isinstance(second, np.ndarray)
    # a view of a view has the base of that
    owned = both and first.base is not None
    return owned and first.size == 0 and (first.base is second or first.base is second.base)


def _plain(value: Any) -> bool:
    kinds = (str, bytes, bool, int, float, complex, np.generic)
    return value is None or isinstance(value, kinds)

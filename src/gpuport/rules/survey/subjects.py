"""One function of CuPy beside that of NumPy or SciPy, and what its parameters take.

CuPy checks its arguments before it touches the device. So each function is called on arrays whose
memory is the host's: where the call ends at the absent driver or at an absent CUDA library, the
arguments were taken; where it ends in another exception although NumPy answers the same call, they
were rejected.
"""

from __future__ import annotations

import itertools
import signal
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from . import outcomes, results, samples, scipysamples
from .device import Device
from .outcomes import Outcome

Rows = list[list[str]]
BASES = {**samples.BASES, **scipysamples.BASES}
_MAX_BASES = 5
_SECONDS = 20
_HOST_SECONDS = 2  # some of SciPy's functions iterate until nothing changes


def on_host(value: Any) -> Any:
    """A copy of a value, for a call that may write to it."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, list | tuple):
        return type(value)(on_host(part) for part in value)
    return value


class Subject:
    """One function of CuPy beside NumPy's, and the calls to start from."""

    def __init__(self, device: Device, name: str, own: Any, twin: Any, rows: Rows) -> None:
        self.device, self.name, self.own, self.twin = device, name, own, twin
        self.rows = [row for row in rows if row[1] != "**"]
        self.bases: list[tuple[list[Any], dict[str, Any]]] = []
        self.apart = False
        self.careful = False

    def find_bases(self) -> None:
        """Keep the calls that NumPy answers and that CuPy takes."""
        for args, kwargs in itertools.chain(BASES.get(self.name, ()), self._from_pools()):
            if len(self.bases) == _MAX_BASES and self.name not in BASES:
                return
            if self.name in BASES and len(self.bases) >= len(BASES[self.name]) > 0:
                return
            if not self.numpy_answers(list(args), kwargs):
                continue
            outcome = self.cupy_answer(
                self.device.on_device(list(args)), self.device.on_device(kwargs)
            )
            if outcome in ("device", "unknown"):
                self.bases.append((list(args), dict(kwargs)))

    def _from_pools(self) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
        needed = [row[0] for row in self.rows if len(row) == 2 and row[1] != "*"]
        starred = [row[0] for row in self.rows if row[1] == "*"]
        own = scipysamples if self.name.startswith("scipy.") else samples
        pools = [own.POOLS.get(name, own.ARRAYS) for name in needed]
        if starred and not needed:
            pools = [own.ARRAYS, own.ARRAYS]
        for values in itertools.islice(itertools.product(*pools), 400):
            yield values, {}
        if starred and not needed:
            for value in own.ARRAYS:
                yield (value,), {}

    def numpy_answers(self, args: list[Any], kwargs: dict[str, Any]) -> bool:
        """Whether NumPy takes the call."""
        if self.apart:  # NumPy can end the process as well
            return bool(outcomes.forked(lambda: self._numpy_answers(args, kwargs), False))
        return self._numpy_answers(args, kwargs)

    def _numpy_answers(self, args: list[Any], kwargs: dict[str, Any]) -> bool:
        signal.alarm(_HOST_SECONDS)
        try:
            result = self.twin(*on_host(args), **{k: on_host(v) for k, v in kwargs.items()})
        except Exception:
            return False
        finally:
            signal.alarm(0)
        return result is not NotImplemented

    def cupy_answer(self, args: list[Any], kwargs: dict[str, Any]) -> Outcome:
        """What CuPy makes of a call; a call that ends the process went past the checks."""
        if self.apart:
            found: Outcome = outcomes.forked(lambda: self._answer(args, kwargs), "device")
            return found
        return self._answer(args, kwargs)

    def _answer(self, args: list[Any], kwargs: dict[str, Any]) -> Outcome:
        signal.alarm(_SECONDS)
        try:
            result = self.own(*args, **kwargs)
        except Exception as error:
            if outcomes.stops_at_device(error):
                return "device"
            if self.device.stands_in and not outcomes.about_kinds(error):
                return "unknown"  # it complains of values that the stand-in made up
            return [type(error).__name__, str(error)]
        finally:
            signal.alarm(0)
        parts = result if isinstance(result, list | tuple) else (result,)
        if any(isinstance(part, np.ndarray | np.generic) for part in parts):
            return "host"
        if result is None and self.device.stops:  # it wrote to a NumPy array
            return "host"
        return "device"

    # -- probing ---------------------------------------------------------------------------

    def probe(self) -> dict[str, dict[str, Outcome]]:
        """Outcome by parameter and kind; ``*`` for all arrays at once."""
        found: dict[str, dict[str, Outcome]] = {}
        for row in self.rows:
            kinds = {}
            for kind in samples.KINDS:
                outcome = self._asked(lambda row=row, kind=kind: self._calls(row, kind))  # type: ignore[misc]
                if kind == "None" and not self._may_be_none(row) and not outcomes.of_types(outcome):
                    continue
                if outcome is not None:
                    kinds[kind] = outcome
            if kinds:
                found[row[0]] = kinds
        together: dict[str, Outcome] = {}
        for kind in ("numpy-array", "list", "float"):
            outcome = self._asked(lambda kind=kind: self._all_at_once(kind))  # type: ignore[misc]
            if outcome == "host":
                together[kind] = outcome
        if together:
            found["*"] = together
        return found

    def results(self) -> dict[str, Any]:
        """Whether the results are of the kinds of SciPy's, by dtype of the data."""
        pooled = (call for call in self._from_pools() if not _of_truths(call[0]))
        bases = BASES.get(self.name) or itertools.islice(pooled, 40)

        def own(args: list[Any], kwargs: dict[str, Any]) -> Any:
            signal.alarm(_SECONDS)
            try:
                return self.own(*self.device.on_device(args), **self.device.on_device(kwargs))
            except Exception as error:
                if outcomes.stops_at_device(error) or not outcomes.about_kinds(error):
                    return results.Unsettled()
                return results.Raised(f"{type(error).__name__}: {error}".splitlines()[0])
            finally:
                signal.alarm(0)

        found: dict[str, Any] = results.compare(bases, self.twin, own, self.device.array)
        return found

    def _may_be_none(self, row: list[str]) -> bool:
        """Whether None is an answer: compiled code takes it for an array and reads no memory."""
        places = [(self._place(row, args, kwargs), args, kwargs) for args, kwargs in self.bases]
        given = [self._value(p, args, kwargs) for p, args, kwargs in places if p is not None]
        return len(row) > 2 or any(value is None for value in given)

    def _asked(self, calls: Callable[[], Iterator[tuple[Any, Any, Any]]]) -> Outcome | None:
        """The answer, asked in a process of its own where calls of this function can end one."""
        if not self.careful:
            return self._ask(calls())
        found: list[Outcome | None] | None = outcomes.forked(lambda: [self._ask(calls())], None)
        if found is not None:
            return found[0]
        self.apart = True
        outcome = self._ask(calls())
        self.apart = False
        return outcome

    def _ask(self, calls: Iterator[tuple[Any, Any, Any]]) -> Outcome | None:
        """Taken where any variant is, else off the device, else what the first one raised."""
        best: Outcome | None = None
        for (args, kwargs), (own_args, own_kwargs), value in calls:
            if not self.numpy_answers(args, kwargs):
                continue
            outcome = self.cupy_answer(own_args, own_kwargs)
            if outcome == "device":
                return outcome
            if outcome == "host" or (outcome == "unknown" and best is None):
                best = outcome
            elif isinstance(outcome, list) and best in (None, "unknown"):
                best = [outcome[0], outcomes.template(outcome[1], value)]
        return best

    def _calls(self, row: list[str], kind: str) -> Iterator[tuple[Any, Any, Any]]:
        """Base calls with one argument replaced by values of `kind`."""
        for args, kwargs in self.bases:
            place = self._place(row, args, kwargs)
            if place is None:
                continue
            base = self._value(place, args, kwargs)
            for value in itertools.islice(samples.variants(kind, base), 16):
                own = self.device.on_device(value) if kind in {"array", "array-list"} else value
                own_args, own_kwargs = (
                    self.device.on_device(list(args)),
                    self.device.on_device(kwargs),
                )
                host_args, host_kwargs = list(args), dict(kwargs)
                for target, named, new in (
                    (own_args, own_kwargs, own),
                    (host_args, host_kwargs, value),
                ):
                    if isinstance(place, int):
                        target[place] = new
                    else:
                        named[place] = new
                yield (host_args, host_kwargs), (own_args, own_kwargs), own

    def _place(self, row: list[str], args: list[Any], kwargs: dict[str, Any]) -> int | str | None:
        """Where a parameter stands in a base call, or by which name it can be added to it."""
        name, kind = row[:2]
        index = self.rows.index(row)
        if name in kwargs:
            return name
        if kind == "*":
            return len(args) - 1 if len(args) > index else None
        if kind != "k" and index < len(args):
            return index
        return None if kind == "p" or len(row) == 2 else name

    @staticmethod
    def _value(place: int | str, args: list[Any], kwargs: dict[str, Any]) -> Any:
        return args[place] if isinstance(place, int) else kwargs.get(place)

    def _all_at_once(self, kind: str) -> Iterator[tuple[Any, Any, Any]]:
        """Base calls in which no argument is a device array."""

        def replaced(value: Any) -> Any:
            if not isinstance(value, np.ndarray):
                return value
            if kind == "numpy-array":
                return value
            return value.tolist() if kind == "list" else value.flat[0].item()

        for args, kwargs in self.bases:
            if self.name.startswith("ndarray."):
                return
            plain = [replaced(value) for value in args]
            named = {name: replaced(value) for name, value in kwargs.items()}
            yield (plain, named), (on_host(plain), named), None


def _of_truths(args: tuple[Any, ...]) -> bool:
    """Whether an argument is a mask, which no cast makes data of."""
    return any(isinstance(a, np.ndarray) and a.dtype == bool for a in args)


def _method(name: str) -> Callable[..., Any]:
    def method(self: Any, *args: Any, **kwargs: Any) -> Any:
        return getattr(self, name)(*args, **kwargs)

    return method


class Method(Subject):
    """A method: the array that it belongs to is the first argument and is not replaced."""

    def __init__(self, device: Device, name: str, rows: Rows) -> None:
        called = _method(name.removeprefix("ndarray."))
        super().__init__(device, name, called, called, [["self", "p"], *rows])

    def find_bases(self) -> None:
        """As for functions, each on a vector and on a matrix."""
        written = BASES.get(self.name)
        if written is None:
            super().find_bases()
            return
        for args, kwargs in written:
            for array in (samples.F, samples.M, samples.I):
                whole = [array, *args]
                if self.numpy_answers(whole, kwargs):
                    outcome = self.cupy_answer(*self.device.on_device((whole, kwargs)))
                    if outcome in ("device", "unknown"):
                        self.bases.append((whole, dict(kwargs)))

    def probe(self) -> dict[str, dict[str, Outcome]]:
        """Outcome by parameter and kind."""
        found = super().probe()
        found.pop("self", None)
        return found

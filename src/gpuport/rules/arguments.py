"""Ask an installed CuPy which kinds of argument each parameter takes; no GPU is needed.

A self-contained script: ``gpuport.rules.generate`` runs it with the interpreter of the environment
that holds CuPy (``PYTHON -I arguments.py``) and reads JSON from its standard output. CuPy checks
its arguments before it touches the device. So each function is called on arrays whose memory is
the host's: where the call ends at the absent driver or at an absent CUDA library, the arguments
were taken; where it ends in another exception although NumPy answers the same call, they were
rejected. Creation from host data is served from host memory, so that the checks after it are seen.
"""

from __future__ import annotations

import importlib
import importlib.util
import inspect
import itertools
import json
import os
import signal
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

Outcome = str | list[str]  # as in ``argument_outcomes.py``
Rows = list[list[str]]

MODULES = {
    "": "numpy",
    "linalg": "numpy.linalg",
    "fft": "numpy.fft",
    **{
        name: name
        for name in (
            "scipy.fft", "scipy.linalg", "scipy.ndimage", "scipy.signal", "scipy.signal.windows",
            "scipy.special", "scipy.interpolate", "scipy.stats", "scipy.spatial",
            "scipy.spatial.distance",
        )
    },
}  # fmt: skip
"""CuPy's modules, by their names below ``cupy`` and ``cupyx``, and those that they follow."""
_MAX_BASES = 5
_SECONDS = 20
_HOST_SECONDS = 2  # some of SciPy's functions iterate until nothing changes
_OLD_NAMES = {
    "alltrue": "all",
    "sometrue": "any",
    "product": "prod",
    "cumproduct": "cumprod",
    "round_": "round",
    "in1d": "isin",
    "trapz": "trapezoid",
    "row_stack": "vstack",
}


def sibling(name: str) -> Any:
    """A script beside this one; the interpreter that runs it has no gpuport."""
    path = Path(__file__).with_name(f"{name}.py")
    spec = importlib.util.spec_from_file_location(f"_{name}", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


samples = sibling("argument_samples")
of_scipy = sibling("argument_scipy")
results = sibling("argument_results")
outcomes = sibling("argument_outcomes")
BASES = {**samples.BASES, **of_scipy.BASES}
SKIPPED = {**samples.SKIPPED, **of_scipy.SKIPPED}
machine = sibling("argument_device")
Device = Any


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
        own = of_scipy if self.name.startswith("scipy.") else samples
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


def subjects(device: Device, introspect: Any) -> Iterator[tuple[str, Any, Any, Rows | None]]:
    """Every function of CuPy that has a NumPy counterpart, and the methods of arrays."""
    for submodule, followed in MODULES.items():
        try:
            own = importlib.import_module(qualified(submodule))
        except ImportError:
            continue
        twin = importlib.import_module(followed)
        for public in sorted(introspect.public_names(own)):
            counterpart = getattr(twin, public, None) or getattr(
                twin, _OLD_NAMES.get(public, ""), None
            )
            value = getattr(own, public, None)
            if counterpart is None or not callable(value) or inspect.isclass(value):
                continue
            value = device.own(own, public)
            if inspect.isclass(counterpart) or introspect.shared_with_numpy(value):
                continue
            entry = introspect.describe_value(value, own.__name__)
            yield f"{submodule}.{public}".lstrip("."), value, counterpart, entry.get("parameters")
    for public, entry in introspect.describe_members(device.array):
        if entry["kind"] == "method" and hasattr(np.ndarray, public):
            yield f"ndarray.{public}", None, None, entry["parameters"]


def qualified(name: str) -> str:
    """CuPy's dotted name: of ``linalg.norm`` and ``scipy.fft.fft``."""
    if name.startswith("scipy."):
        return f"cupyx.{name}"
    return f"cupy.{name}" if name else "cupy"


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


def describe(subject: Subject) -> Any:
    """What is known of one function: outcomes, or the reason why there are none."""

    def whole() -> Any:
        subject.find_bases()
        return subject.probe() if subject.bases else _NO_BASE

    found = outcomes.forked(whole, None)
    if found is None:  # a call ended the process
        subject.apart = subject.careful = True
        subject.find_bases()
        subject.apart = False
        found = subject.probe() if subject.bases else _NO_BASE
    return found


_NO_BASE = "no call found that NumPy answers and CuPy takes"


def probe_all(stand_in: bool, wanted: set[str]) -> dict[str, Any]:
    """Outcomes of every function, with or without a device that computes nothing."""
    if stand_in:
        machine.stand_in()
    device = machine.Device(stand_in)
    if stand_in:
        machine.without_compiling()
    entries: dict[str, Any] = {}
    unprobed: dict[str, str] = {}
    for name, own, twin, rows in subjects(device, sibling("introspect")):
        path = qualified(name)
        if wanted and name not in wanted:
            continue
        reason = SKIPPED.get(name) or of_scipy.ENDLESS.get(name, "")
        reason = reason or ("" if rows else "it has no parameters")
        if reason or rows is None:
            unprobed[path] = reason
            continue
        called = Method(device, name, rows) if own is None else None
        found = describe(called or Subject(device, name, own, twin, rows))
        if isinstance(found, str):
            unprobed[path] = found
        else:
            entries[path] = found
    versions = {"cupy": device.cupy.__version__, "numpy": np.__version__}
    return {"versions": versions, "unprobed": unprobed, "entries": entries}


def compare_all(wanted: set[str]) -> dict[str, Any]:
    """What the results of SciPy's functions are, by dtype of their data, beside CuPy's."""
    machine.stand_in()
    device = machine.Device(True)
    machine.without_compiling()
    device.finite()
    found: dict[str, Any] = {}
    for name, own, twin, rows in subjects(device, sibling("introspect")):
        if not name.startswith("scipy.") or not rows or name in SKIPPED:
            continue
        if wanted and name not in wanted:
            continue
        subject = Subject(device, name, own, twin, rows)
        outcome = outcomes.forked(subject.results, {})
        if outcome:
            found[qualified(name)] = outcome
    return found


def main(arguments: list[str]) -> int:
    """Print what the environment's CuPy takes, as one JSON document."""
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    mode = arguments[0] if arguments else ""
    if mode == "--results":
        json.dump(compare_all(set(arguments[1:])), sys.stdout)
        sys.stdout.flush()
        os._exit(0)
    if mode in {"--plain", "--stand-in"}:
        json.dump(probe_all(mode == "--stand-in", set(arguments[1:])), sys.stdout)
        sys.stdout.flush()
        os._exit(0)  # objects of the stand-in cannot be destroyed in order
    command = [sys.executable, "-I", __file__]
    runs = [
        subprocess.run(
            [*command, mode, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        for mode in ("--plain", "--stand-in", "--results")
    ]
    if any(run.returncode for run in runs):
        print("CuPy could not be asked about its arguments", file=sys.stderr)
        return 1
    plain, deeper, compared = (json.loads(run.stdout) for run in runs)
    modules = [qualified(name) for name in MODULES if name.startswith("scipy.")]
    compared = {"modules": modules, "entries": compared}
    json.dump({**outcomes.merged(plain, deeper, samples.KINDS), "results": compared}, sys.stdout)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

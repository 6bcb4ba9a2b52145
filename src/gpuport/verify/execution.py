"""One call inside the worker: equal arguments and random state, everything observed."""

from __future__ import annotations

import contextlib
import io
import linecache
import random
import re
import time
import traceback
import warnings
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from gpuport.verify.circumstances import (
    constants_moved,
    functions_moved,
    refusing,
    statements_moved,
)
from gpuport.verify.coverage import Coverage
from gpuport.verify.exactness import watched as rounding_watched
from gpuport.verify.gauge import Gauge
from gpuport.verify.inputs import Arguments, build
from gpuport.verify.modulestate import STATE, ModuleState
from gpuport.verify.observe import MEMORY, Leaf, Observation, consumed, leaves_of, unlike
from gpuport.verify.reductions import reductions_moved
from gpuport.verify.sides import Side, mangled
from gpuport.verify.slots import ATTRIBUTE, BARE, BASE_SIZE, OWN, Trial
from gpuport.verify.uninitialised import patterned

Jitter = Callable[[Arguments], Arguments]
_PRINTED = 20_000
_INSIDE = 1 << 30
_NUMBERS = re.compile(r"[-+]?\d+\.?\d*(?:[eE][-+]?\d+)?|\bnan\b|\binf\b")
PATTERNS = (0x5A, 0xA5)


@dataclass(frozen=True)
class How:
    """Circumstances of one call: moved inputs, tracing, what unset memory holds, the gauge.

    ``constants`` are a seed and a direction: the program's own floats are moved by one ULP;
    ``statements`` a seed: so are its arrays, before every line; ``functions`` a pattern: so are
    results of library functions that round; ``reductions`` a pattern: so are sums and the like.
    """

    jitter: Jitter = dict
    constants: tuple[tuple[int, ...], int] | None = None
    statements: tuple[int, ...] | None = None
    functions: int | None = None
    reductions: int | None = None
    traced: bool = False
    pattern: int = PATTERNS[0]
    gauge: Gauge | None = None


class Device:
    """The CuPy of this process, real or emulated; nothing where there is none."""

    def __init__(self, cupy: Any, counting: Callable[[], Any] | None) -> None:
        self.cupy = cupy
        self.counting = counting

    def to_host(self, value: Any) -> Any:
        """A device array's values, None for anything else."""
        if self.cupy is None or not isinstance(value, self.cupy.ndarray):
            return None
        return np.asarray(self.cupy.asnumpy(value))

    def to_device(self, value: Any) -> Any:
        """Arrays (in lists and tuples too) as CuPy arrays."""
        if isinstance(value, np.ndarray):
            return self.cupy.asarray(value)
        if isinstance(value, list | tuple):
            return type(value)(self.to_device(item) for item in value)
        return value

    @contextlib.contextmanager
    def counted(self, into: dict[str, int]) -> Iterator[None]:
        """Put launches and transfers of the block into `into`."""
        if self.counting is None:
            yield
            return
        with self.counting() as handle:
            yield
        snapshot = handle.snapshot() if callable(handle.snapshot) else handle.snapshot
        fields = snapshot if isinstance(snapshot, Mapping) else _attributes(snapshot)
        into.update({k: v for k, v in fields.items() if isinstance(v, int)})


def _attributes(snapshot: Any) -> dict[str, Any]:
    names = ("launches", "h2d", "h2d_bytes", "d2h", "d2h_bytes", "syncs")
    return {name: getattr(snapshot, name) for name in names if hasattr(snapshot, name)}


class Bench:
    """Both sides of one file, ready to be called."""

    def __init__(self, sides: Mapping[str, Side], device: Device) -> None:
        self.sides = sides
        self.device = device
        self.covered: dict[tuple[str, str], Coverage | None] = {}
        self.counters: dict[str, int] = {}
        self._states: dict[str, ModuleState] = {}
        self._loaded: list[Leaf] = []

    def call(self, side: str, function: str, trial: Trial, how: How = How()) -> Observation:
        """Call one side on the trial's arguments, with equal random state and a captured stdout."""
        printed = io.StringIO()
        seed = abs(hash(trial.seed)) % (1 << 32)
        random.seed(seed)
        np.random.seed(seed)
        started = time.perf_counter()
        with contextlib.ExitStack() as around:
            around.enter_context(self.sides[side].entered())
            told = around.enter_context(_quiet(printed))
            if side == "original":
                around.enter_context(patterned(how.pattern))
            modules = self.sides[side].modules
            if side == "port" and trial.refused:
                around.enter_context(refusing(modules))
            if how.constants is not None:
                rng = np.random.default_rng(how.constants[0])
                around.enter_context(constants_moved(modules, rng, how.constants[1]))
            if how.statements is not None:
                rng = np.random.default_rng(how.statements)
                around.enter_context(statements_moved(modules, rng))
            if how.functions is not None:
                around.enter_context(functions_moved(modules, how.functions))
            if how.reductions is not None:
                around.enter_context(reductions_moved(self.sides[side], how.reductions))
            if how.gauge is not None:
                around.enter_context(how.gauge.applied(modules))
            try:
                self._as_loaded(side)
                resolve = self.sides[side].resolve
                arguments = how.jitter(build(trial.slots, trial, resolve=resolve))
                moved = self._moved(arguments, trial, side)
                watched = self._inputs_of(side, function, trial, moved)
                named = {**({"self": watched["self"]} if "self" in watched else {}), **moved}
                before = self._leaves(named, trial.device is None)
                cover = self.coverage(function, side) if how.traced else None
                tracing = cover.watching() if cover else contextlib.nullcontext()
                counted = self._counted() if side == "port" else contextlib.nullcontext()
                # only the call itself: moving and reading arguments is the verifier's doing
                with rounding_watched() as rounding, tracing, counted:
                    result = _invoke(watched, function, trial, moved)
                seconds = time.perf_counter() - started
                after = self._leaves(named, trial.device is None)
                kept = list(self._kept(side, told))
                seen = self._observed(result, named, (before, after), kept, printed, seconds)
                return replace(seen, exact=rounding.exact)
            except BaseException as error:  # user code may raise anything, SystemExit included
                seen = _raised(error, self.sides[side], printed, time.perf_counter() - started)
                line, text = self._reached(error, side, function)
                return replace(seen, line=line, text=text)

    def _as_loaded(self, side: str) -> None:
        """What the module keeps between calls as it was after loading."""
        module = self.sides[side].module
        if module is None:
            return
        if side not in self._states:
            # the original's names count: what else a port keeps is its own affair
            tree = self.sides["original"].tree()
            self._states[side] = ModuleState.of(module, tree) if tree else ModuleState()
        self._states[side].restore(module)
        self._loaded = list(self._states[side].leaves(module, self.device.to_host))

    def _kept(self, side: str, told: list[warnings.WarningMessage]) -> Iterator[Leaf]:
        """What the call left outside of its result: module state, random state, warnings."""
        module = self.sides[side].module
        if module is not None and side in self._states:
            yield from self._states[side].leaves(module, self.device.to_host)
        yield Leaf("random state", "text", _random_state())
        yield Leaf("warnings", "text", _warned(told))

    def _counted(self) -> contextlib.AbstractContextManager[None]:
        self.counters.clear()
        return self.device.counted(self.counters)

    def _moved(self, arguments: Arguments, trial: Trial, side: str) -> Arguments:
        if side != "port" or not trial.device:
            return arguments
        return self._on_device(arguments, trial.device)

    def _on_device(self, arguments: Arguments, names: Collection[str]) -> Arguments:
        to_device = self.device.to_device
        return {k: to_device(v) if k in names else v for k, v in arguments.items()}

    def _inputs_of(
        self, side: str, function: str, trial: Trial, moved: Arguments
    ) -> dict[str, Any]:
        """The callable and, for a method, the instance it is called on."""
        owner, target = self.sides[side].owner_and_attribute(function)
        if trial.init is None:
            return {"target": target}
        fresh = build(trial.init, trial, salt=1, resolve=self.sides[side].resolve)
        if side == "port" and trial.device:
            own = [name.removeprefix(OWN) for name in trial.device if name.startswith(OWN)]
            fresh = self._on_device(fresh, own)
        if trial.has_instance:
            self._lived(fresh["self"], trial, side)
            return {"target": target, "self": fresh["self"], "owner": owner}
        if function.endswith(".__init__"):
            return {"target": owner, "construct": True}
        instance = _constructed(owner, fresh)
        self._lived(instance, trial, side)
        return {"target": target, "self": instance, "owner": owner}

    def _lived(self, instance: Any, trial: Trial, side: str) -> None:
        """Call the methods that the trial puts before the one under test."""
        for number, (name, slots) in enumerate(trial.before):
            symbols = (s for slot in slots for s in slot.symbols())
            sizes = {**dict.fromkeys(symbols, BASE_SIZE), **trial.sizes}
            earlier = replace(trial, sizes=sizes)
            resolve = self.sides[side].resolve
            arguments = build(slots, earlier, salt=11 + number, resolve=resolve)
            if side == "port" and trial.device:
                arguments = self._on_device(arguments, arguments)
            consumed(getattr(instance, name)(**arguments))

    def _reached(self, error: BaseException, side: str, function: str) -> tuple[int, str]:
        """How far the call came: a line of the function, or less of what makes its instance."""
        own = str(self.sides[side].file)
        cover = self.coverage(function, side)
        line, text = 0, ""
        for frame, number in traceback.walk_tb(error.__traceback__):
            if frame.f_code.co_filename == own:
                text = linecache.getline(own, number)
                inside = cover is not None and frame.f_code in cover.codes
                line = max(line, number + (_INSIDE if inside else 0))
        return line, text.strip()

    def coverage(self, function: str, side: str = "original") -> Coverage | None:
        """What of one side's function has run; None for one without Python code."""
        if (side, function) not in self.covered:
            owner, target = self.sides[side].owner_and_attribute(function)
            name = mangled(function.rpartition(".")[2], owner)
            held = owner.__dict__.get(name, target) if owner else target
            held = getattr(held, "fget", None) or getattr(held, "__func__", held)
            while hasattr(held, "__wrapped__"):
                held = held.__wrapped__
            code = getattr(held, "__code__", None)
            tree = self.sides[side].tree()
            self.covered[side, function] = None if code is None else Coverage.of(code, tree)
        return self.covered[side, function]

    def _leaves(self, named: Mapping[str, Any], on_host: bool) -> list[Leaf]:
        """All of the arguments, with the memory that views among them look into."""
        leaves: list[Leaf] = []
        for name, value in named.items():
            leaves += leaves_of(f"argument {name}", value, self.device.to_host)
            base = getattr(value, "base", None)
            if on_host and isinstance(base, np.ndarray) and isinstance(value, np.ndarray):
                leaves += leaves_of(f"{MEMORY}{name}", base, self.device.to_host)
        return leaves

    def _observed(
        self,
        result: Any,
        named: Mapping[str, Any],
        arguments: tuple[list[Leaf], list[Leaf]],
        kept: list[Leaf],
        printed: io.StringIO,
        seconds: float,
    ) -> Observation:
        before, after = arguments
        made = list(leaves_of("result", result, self.device.to_host))
        state = Leaf("NumPy's error state", "text", repr(np.geterr()))
        identity, views = _relations(result, named)
        return Observation(
            (*made, *after, *kept, state),
            (*made, *unlike(before, after), *unlike(self._loaded, _of_module(kept))),
            identity,
            views,
            printed.getvalue()[:_PRINTED],
            seconds=seconds,
        )


def _invoke(watched: dict[str, Any], function: str, trial: Trial, arguments: Arguments) -> Any:
    target = watched["target"]
    if "self" in watched:
        name = mangled(function.rpartition(".")[2], watched["owner"])
        held = watched["owner"].__dict__.get(name)
        if isinstance(held, property) or not callable(target):
            return consumed(getattr(watched["self"], name))
        target = getattr(watched["self"], name)
    positional = [arguments[s.name] for s in _leading(trial, arguments)]
    named = {s.name for s in _leading(trial, arguments)}
    # consumed here, so that a generator's body runs inside the trace and the captured stdout
    return consumed(target(*positional, **{k: v for k, v in arguments.items() if k not in named}))


def _constructed(owner: Any, drawn: Arguments) -> Any:
    """An instance, and attributes that it would not have, or all where no constructor is run."""
    given = {name: value for name, value in drawn.items() if not name.startswith(ATTRIBUTE)}
    instance = owner.__new__(owner) if BARE in drawn else owner(**given)
    for name, value in drawn.items():
        attribute = name.removeprefix(ATTRIBUTE)
        if name not in given and name != BARE and not hasattr(instance, attribute):
            setattr(instance, attribute, value)
    return instance


def _leading(trial: Trial, arguments: Arguments) -> list[Any]:
    """Slots that can be passed by position: up to the first omitted or keyword-only one."""
    leading = []
    for slot in trial.parameters:
        if slot.keyword or slot.name not in arguments:
            break
        leading.append(slot)
    return leading


@contextlib.contextmanager
def _quiet(printed: io.StringIO) -> Iterator[list[warnings.WarningMessage]]:
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(record=True) as told,
    ):
        warnings.simplefilter("ignore")
        warnings.simplefilter("always", UserWarning)
        # a discarded imaginary part says that complex input is outside the function's domain
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        yield told


def _of_module(kept: list[Leaf]) -> list[Leaf]:
    """Module state alone: a random state and warnings are no product that proves anything."""
    return [leaf for leaf in kept if leaf.path.startswith(STATE)]


def _random_state() -> str:
    """How far the generators of NumPy and of Python that everybody shares have come."""
    numpy_state: Any = np.random.get_state()
    position, words = numpy_state[2:], numpy_state[1].tobytes()
    return f"{hash((position, words, random.getstate())):x}"


def _warned(told: list[warnings.WarningMessage]) -> str:
    """The program's own warnings, without their numbers; NumPy's are of other categories."""
    texts = {f"{w.category.__name__}: {_NUMBERS.sub('#', str(w.message))}" for w in told}
    return "; ".join(sorted(texts))[:_PRINTED]


def _raised(error: BaseException, side: Side, printed: io.StringIO, seconds: float) -> Observation:
    frames = traceback.extract_tb(error.__traceback__)
    last = frames[-1] if frames else None
    explicit = (
        last is not None
        and last.filename == str(side.file)
        and (last.line or "").startswith(("raise", "assert"))
    )
    return Observation(
        raised=type(error).__name__,
        message=str(error)[:300],
        explicit=explicit,
        printed=printed.getvalue()[:_PRINTED],
        seconds=seconds,
    )


def _relations(
    result: Any, arguments: Mapping[str, Any]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Which results are an argument itself, and which are views of one."""
    parts: dict[str, Any] = {"result": result}
    if isinstance(result, list | tuple):
        parts |= {f"result[{i}]": item for i, item in enumerate(result[:50])}
    elif isinstance(result, dict):
        parts |= {f"result[{key!r}]": item for key, item in result.items()}
    identity, views = [], []
    for place, part in parts.items():
        for name, value in arguments.items():
            if part is value and not _plain(part):
                identity.append(f"{place} is {name}")
            elif _share_memory(part, value):
                views.append(f"{place} of {name}")
    return tuple(identity), tuple(views)


def _share_memory(first: Any, second: Any) -> bool:
    both = isinstance(first, np.ndarray) and isinstance(second, np.ndarray)
    return both and bool(np.may_share_memory(first, second))


def _plain(value: Any) -> bool:
    return value is None or isinstance(value, str | bytes | bool | int | float | complex)

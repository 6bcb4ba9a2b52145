"""One trial inside the worker: call both sides on equal arguments and compare what they did."""

from __future__ import annotations

import contextlib
import io
import random
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FrameType
from typing import Any

import numpy as np

from gpuport.verify.compare import Comparison, Policy, compare
from gpuport.verify.inputs import SMOOTH_FAMILIES, Arguments, build, describe, jittered
from gpuport.verify.observe import Leaf, Observation, consumed, leaves_of, unlike
from gpuport.verify.sides import Side
from gpuport.verify.slots import Trial
from gpuport.verify.uninitialised import patterned

Jitter = Callable[[Arguments], Arguments]
_JITTER_RUNS = 8
_PRINTED = 20_000


class Tracer:
    """Lines of one function (nested ones included) that have run."""

    def __init__(self, code: CodeType) -> None:
        self.codes = set(_nested(code))
        self.lines = {line for code in self.codes for line in _body_lines(code)}
        self.seen: set[int] = set()

    @contextlib.contextmanager
    def watching(self) -> Iterator[None]:
        """Trace the function's own frames inside the block."""
        before = sys.gettrace()
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(before)

    def _enter(self, frame: FrameType, event: str, argument: Any) -> Any:
        return self._line if frame.f_code in self.codes else None

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self.seen.add(frame.f_lineno)
        return self._line


def _nested(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _nested(constant)


def _body_lines(code: CodeType) -> set[int]:
    import dis

    skip = ("RESUME", "COPY_FREE_VARS", "MAKE_CELL", "RETURN_GENERATOR", "POP_TOP", "NOP")
    lines: set[int] = set()
    current: int | None = None
    for instruction in dis.get_instructions(code):
        current = instruction.starts_line or current
        if current is not None and instruction.opname not in skip:
            lines.add(current)
    return lines - ({code.co_firstlineno} if len(lines) > 1 else set())


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
        self.tracers: dict[str, Tracer] = {}
        self.counters: dict[str, int] = {}

    def call(
        self, side: str, function: str, trial: Trial, jitter: Jitter = dict, traced: bool = False
    ) -> Observation:
        """Call one side on the trial's arguments, with equal random state and a captured stdout."""
        arguments = jitter(build(trial.slots, trial))
        printed = io.StringIO()
        seed = abs(hash(trial.seed)) % (1 << 32)
        random.seed(seed)
        np.random.seed(seed)
        started = time.perf_counter()
        # the traced run of the original has another pattern: what differs read such memory
        garbage = patterned(0xA5 if traced else 0x5A)
        memory = garbage if side == "original" else contextlib.nullcontext()
        with self.sides[side].entered(), _quiet(printed), memory:
            try:
                moved = self._moved(arguments, trial, side)
                watched = self._inputs_of(side, function, trial, moved)
                named = {**({"self": watched["self"]} if "self" in watched else {}), **moved}
                before = self._leaves(named, trial.device is None)
                tracer = self._tracer(function) if traced else None
                watching = tracer.watching() if tracer else contextlib.nullcontext()
                # only the call itself: moving and reading arguments is the verifier's doing
                with watching, self.device.counted(self.counters):
                    result = _invoke(watched, function, trial, moved)
                seconds = time.perf_counter() - started
                after = self._leaves(named, trial.device is None)
                return self._observed(result, named, (before, after), printed, seconds)
            except BaseException as error:  # user code may raise anything, SystemExit included
                return _raised(error, self.sides[side], printed, time.perf_counter() - started)

    def _moved(self, arguments: Arguments, trial: Trial, side: str) -> Arguments:
        if side != "port" or not trial.device:
            return arguments
        moved = {}
        for name, value in arguments.items():
            moved[name] = self.device.to_device(value) if name in trial.device else value
        return moved

    def _inputs_of(
        self, side: str, function: str, trial: Trial, moved: Arguments
    ) -> dict[str, Any]:
        """The callable and, for a method, the instance it is called on."""
        owner, target = self.sides[side].owner_and_attribute(function)
        if trial.init is None:
            return {"target": target}
        fresh = build(trial.init, trial, salt=1)
        if function.endswith(".__init__"):
            return {"target": owner, "construct": True}
        instance = owner(**fresh)
        return {"target": target, "self": instance, "owner": owner}

    def _tracer(self, function: str) -> Tracer | None:
        if function not in self.tracers:
            owner, target = self.sides["original"].owner_and_attribute(function)
            held = owner.__dict__.get(function.rpartition(".")[2], target) if owner else target
            held = getattr(held, "fget", None) or getattr(held, "__func__", held)
            while hasattr(held, "__wrapped__"):
                held = held.__wrapped__
            code = getattr(held, "__code__", None)
            if code is None:
                return None
            self.tracers[function] = Tracer(code)
        return self.tracers[function]

    def _leaves(self, named: Mapping[str, Any], on_host: bool) -> list[Leaf]:
        """All of the arguments, with the memory that views among them look into."""
        leaves: list[Leaf] = []
        for name, value in named.items():
            leaves += leaves_of(f"argument {name}", value, self.device.to_host)
            base = getattr(value, "base", None)
            if on_host and isinstance(base, np.ndarray) and isinstance(value, np.ndarray):
                leaves += leaves_of(f"memory of {name}", base, self.device.to_host)
        return leaves

    def _observed(
        self,
        result: Any,
        named: Mapping[str, Any],
        arguments: tuple[list[Leaf], list[Leaf]],
        printed: io.StringIO,
        seconds: float,
    ) -> Observation:
        before, after = arguments
        made = list(leaves_of("result", result, self.device.to_host))
        identity, views = _relations(result, named)
        return Observation(
            (*made, *after),
            (*made, *unlike(before, after)),
            identity,
            views,
            printed.getvalue()[:_PRINTED],
            seconds=seconds,
        )


def _invoke(watched: dict[str, Any], function: str, trial: Trial, arguments: Arguments) -> Any:
    target = watched["target"]
    if "self" in watched:
        name = function.rpartition(".")[2]
        held = watched["owner"].__dict__.get(name)
        if isinstance(held, property) or not callable(target):
            return consumed(getattr(watched["self"], name))
        target = getattr(watched["self"], name)
    positional = [arguments[s.name] for s in _leading(trial, arguments)]
    named = {s.name for s in _leading(trial, arguments)}
    # consumed here, so that a generator's body runs inside the trace and the captured stdout
    return consumed(target(*positional, **{k: v for k, v in arguments.items() if k not in named}))


def _leading(trial: Trial, arguments: Arguments) -> list[Any]:
    """Slots that can be passed by position: up to the first omitted or keyword-only one."""
    leading = []
    for slot in trial.slots:
        if slot.keyword or slot.name not in arguments:
            break
        leading.append(slot)
    return leading


@contextlib.contextmanager
def _quiet(printed: io.StringIO) -> Iterator[None]:
    with (
        contextlib.redirect_stdout(printed),
        contextlib.redirect_stderr(io.StringIO()),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        # a discarded imaginary part says that complex input is outside the function's domain
        warnings.simplefilter("error", np.exceptions.ComplexWarning)
        yield


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


class Runner:
    """Trials of one file: probing, comparing, and the evidence of each."""

    def __init__(self, bench: Bench, stage: Callable[[str], None]) -> None:
        self.bench = bench
        self.stage = stage

    def probe(self, function: str, trial: Trial) -> dict[str, Any]:
        """Whether the original accepts this input."""
        self.stage("original")
        outcome = self.bench.call("original", function, trial)
        return {
            "raised": outcome.raised,
            "message": outcome.message,
            "explicit": outcome.explicit,
        }

    def compare(self, function: str, trial: Trial) -> dict[str, Any]:
        """Call both sides and compare; a plain dictionary for the protocol."""
        self.stage("original")
        original = self.bench.call("original", function, trial)
        if original.raised is not None:
            return self._rejected(function, trial, original)
        self.stage("original-again")
        again = self.bench.call("original", function, trial, traced=True)
        evidence = self._evidence(function, trial, original)
        if again.digest() != original.digest():
            return {**evidence, "status": "unstable"}
        self.stage("port")
        port = self.bench.call("port", function, trial)
        evidence["counters"] = dict(self.bench.counters)
        if port.raised is not None:
            text = f"raised {port.raised}: {port.message}"
            return {**evidence, "status": "port-raised", "difference": text, "raised": port.raised}
        self.stage("original-again")
        outcome = compare(original, port, self._policy(function, trial))
        return {**evidence, **_plain_comparison(outcome)}

    def _policy(self, function: str, trial: Trial) -> Policy:
        made: list[Observation] = []

        def responses() -> list[Observation]:
            if not made:
                made.extend(self._response(function, trial, run) for run in range(_JITTER_RUNS))
            return made

        arrays = [v for v in build(trial.slots, trial).values() if isinstance(v, np.ndarray)]
        return Policy(
            responses=responses,
            elements=max((a.size for a in arrays), default=1),
            smooth=trial.family in SMOOTH_FAMILIES,
            device=trial.device is not None,
            single=any(a.dtype in (np.float32, np.complex64) for a in arrays),
        )

    def _response(self, function: str, trial: Trial, run: int) -> Observation:
        """The original on inputs one ULP beside: all up, all down, then random directions."""
        rng = np.random.default_rng([*trial.seed, 7, run])
        sign = {0: 1, 1: -1}.get(run, 0)

        def jitter(arguments: Arguments) -> Arguments:
            return jittered(arguments, rng, sign)

        return self.bench.call("original", function, trial, jitter)

    def _rejected(self, function: str, trial: Trial, original: Observation) -> dict[str, Any]:
        """The original raises: its own ``raise`` statements must still be raised by the port."""
        evidence = {
            "status": "rejected",
            "raised": original.raised,
            "message": original.message,
            "inputs": describe(build(trial.slots, trial)),
        }
        if not original.explicit:
            return evidence
        self.stage("original-again")
        self.bench.call("original", function, trial, traced=True)
        self.stage("port")
        port = self.bench.call("port", function, trial)
        if port.raised == original.raised:
            return {**evidence, **self._lines(function)}
        outcome = "returned" if port.raised is None else f"raised {port.raised}: {port.message}"
        evidence["difference"] = (
            f"the original raised {original.raised} by its own statement, the port {outcome}"
        )
        return {**evidence, "status": "differs", "where": "exception"}

    def _evidence(self, function: str, trial: Trial, original: Observation) -> dict[str, Any]:
        return {
            "digest": original.product(),
            "finite": original.finite(),
            "seconds": original.seconds,
            "inputs": describe(build(trial.slots, trial)),
            **self._lines(function),
        }

    def _lines(self, function: str) -> dict[str, Any]:
        tracer = self.bench.tracers.get(function)
        if tracer is None:
            return {"seen": [], "lines": []}
        return {"seen": sorted(tracer.seen & tracer.lines), "lines": sorted(tracer.lines)}


def _plain_comparison(outcome: Comparison) -> dict[str, Any]:
    return {
        "status": "equal" if outcome.difference is None else "differs",
        "difference": outcome.difference,
        "where": outcome.where,
        "compared": outcome.compared,
        "errors": [outcome.errors.absolute, outcome.errors.relative, outcome.errors.ulp],
        "looseness": dict(outcome.looseness),
        "notes": dict(outcome.notes),
    }

"""One call inside the worker: equal arguments and random state, everything observed."""

from __future__ import annotations

import contextlib
import linecache
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gpuport.verify.aftermath.leaves import (
    HELD,
    MEMORY,
    Leaf,
    Observation,
    is_half,
    leaves_of,
    unlike,
)
from gpuport.verify.aftermath.observed import (
    Handed,
    Heard,
    begin_randomly,
    listening,
    raised,
    random_state,
    relations,
    shared_with_module,
)
from gpuport.verify.aftermath.processstate import ProcessState
from gpuport.verify.aftermath.projectstate import ProjectState
from gpuport.verify.aftermath.writtenfiles import files_in, put_back, take_written
from gpuport.verify.execution.coverage import Coverage
from gpuport.verify.execution.devicearrays import Device
from gpuport.verify.execution.exactness import rounds_silently
from gpuport.verify.execution.exactness import watched as rounding_watched
from gpuport.verify.execution.flushing import flushing
from gpuport.verify.execution.gauge import Gauge
from gpuport.verify.execution.invocation import Invocation, prepared
from gpuport.verify.execution.reductions import reductions_moved
from gpuport.verify.execution.sortorder import sorted_stably
from gpuport.verify.execution.uninitialised import patterned
from gpuport.verify.inputs.drawing import draw
from gpuport.verify.inputs.stands import Arguments
from gpuport.verify.sides.circumstances import (
    constants_moved,
    refusing,
    statements_moved,
)
from gpuport.verify.sides.conditions import COLUMN
from gpuport.verify.sides.orphans import forks_ended
from gpuport.verify.sides.rounding import functions_moved
from gpuport.verify.sides.sides import Side, mangled
from gpuport.verify.slots import Trial

Jitter = Callable[[Arguments], Arguments]
_INSIDE = 1000 * COLUMN
PATTERNS = (0x5A, 0xA5)


@dataclass(frozen=True)
class How:
    """Circumstances of one call: moved inputs, tracing, what unset memory holds, the gauge.

    ``constants`` are a seed and a direction: the program's own floats are moved by one ULP;
    ``statements`` a seed: so are its arrays, before every line; ``functions`` a pattern: so are
    results of library functions that round; ``reductions`` a pattern: so are sums and the like.
    ``whole``: whole numbers among these constants and arrays are moved, too.
    ``again``: files that the last call wrote are still there.
    ``flushed``: subnormals count as zero. ``stably``: sorts keep the order of equal elements.
    """

    jitter: Jitter = dict
    constants: tuple[tuple[int, ...], int] | None = None
    statements: tuple[int, ...] | None = None
    whole: bool = True
    functions: int | None = None
    reductions: int | None = None
    flushed: bool = False
    stably: bool = False
    traced: bool = False
    again: bool = False
    pattern: int = PATTERNS[0]
    gauge: Gauge | None = None

    @contextlib.contextmanager
    def applied(self, side: Side) -> Iterator[None]:
        """Make a side's functions round otherwise inside the block, where that is wanted."""
        with contextlib.ExitStack() as around:
            if self.constants is not None:
                rng = np.random.default_rng(self.constants[0])
                sign = self.constants[1]
                around.enter_context(constants_moved(side.modules, rng, sign, whole=self.whole))
            if self.statements is not None:
                rng = np.random.default_rng(self.statements)
                around.enter_context(statements_moved(side.modules, rng, whole=self.whole))
            if self.functions is not None:
                around.enter_context(functions_moved(side.modules, self.functions))
            if self.reductions is not None:
                around.enter_context(reductions_moved(side, self.reductions))
            if self.gauge is not None:
                around.enter_context(self.gauge.applied(side.modules))
            if self.stably:
                around.enter_context(sorted_stably(side))
            if self.flushed:
                around.enter_context(flushing())
            yield


_PLAIN = How()


class Bench:
    """Both sides of one file, ready to be called."""

    def __init__(self, sides: Mapping[str, Side], device: Device, process: ProcessState) -> None:
        self.sides = sides
        self.device = device
        self.covered: dict[tuple[str, str], Coverage | None] = {}
        self.counters: dict[str, int] = {}
        original = sides["original"]
        every = {name: (original, side, sides["port"]) for name, side in sides.items()}
        self._states = {name: ProjectState(*three) for name, three in every.items()}
        self._loaded: list[Leaf] = []
        self._left: list[Leaf] = []
        self._silent: dict[tuple[str, str], bool] = {}
        self._files: dict[str, dict[Path, tuple[int, int]]] = {}
        self._kept: dict[str, dict[Path, bytes]] = {side: {} for side in sides}
        self._process = process  # as the original's modules left it
        self._handed = {side: Handed() for side in sides}

    def call(self, side: str, function: str, trial: Trial, how: How = _PLAIN) -> Observation:
        """Call one side on the trial's arguments, with equal random state and a captured stdout."""
        begin_randomly(abs(hash(trial.seed)) % (1 << 32))
        here = self.sides[side]
        with contextlib.ExitStack() as around:
            around.enter_context(here.entered())
            around.enter_context(self._process.kept())
            heard = around.enter_context(listening(here.files))
            if side == "original":
                around.enter_context(patterned(how.pattern))
            elif trial.refused:
                around.enter_context(refusing())
            if how is not _PLAIN:
                around.enter_context(how.applied(here))
            self._left = []
            try:
                return self._called(side, function, trial, how, heard)
            except BaseException as error:  # user code may raise anything, SystemExit included
                seen = raised(error, here.file, heard)
                line, text = self._reached(error, side, function)
                written = take_written(here.folder, self._files.get(side, {}), self._kept[side])
                left = (*self._left, *written)
                return replace(seen, line=line, text=text, leaves=left)

    def _called(
        self, side: str, function: str, trial: Trial, how: How, heard: Heard
    ) -> Observation:
        self._as_loaded(side)
        if how.again:
            put_back(self._kept[side])
        device = self.device if side == "port" else None
        draw(trial)
        with rounding_watched() as making, forks_ended():
            call = prepared(self.sides[side], function, trial, how.jitter, device)
        before = self._leaves(call, trial.device is None)
        cover = self.coverage(function, side) if how.traced else None
        tracing = cover.watching() if cover else contextlib.nullcontext()
        counted = self._counted() if side == "port" else contextlib.nullcontext()
        try:
            # only the call itself: moving and reading arguments is the verifier's doing
            heard.begin()  # a look at the clock rounds
            with rounding_watched() as rounding, tracing, counted, forks_ended():
                result = call.make()
        except BaseException:
            kept = self._states[side].leaves(self.device.to_host)
            self._left = [*self._leaves(call, trial.device is None), *kept]
            raise
        seconds = heard.seconds
        made = list(leaves_of("result", result, self.device.to_host))
        after = self._leaves(call, trial.device is None)
        state = list(self._states[side].leaves(self.device.to_host))
        beside = (*_beside(heard), *self._process.leaves(self.sides[side].folder))
        written = take_written(self.sides[side].folder, self._files[side], self._kept[side])
        identity, views = relations(result, call.named)
        views += self._handed[side].shared(function, result)
        views += shared_with_module(result, self.sides[side].module)
        certain = rounding.exact and not any(is_half(leaf) for leaf in (*made, *after))
        return Observation(
            (*made, *after, *state, *beside, *written),
            (*made, *unlike(before, after), *unlike(self._loaded, state), *written),
            identity,
            views,
            heard.text,
            exact=certain and self._certain(side, function, trial, making.exact),
            seconds=seconds,
        )

    def _as_loaded(self, side: str) -> None:
        """What the modules keep between calls as it was after loading."""
        here = self.sides[side]
        if side not in self._files:
            self._files[side] = files_in(here.folder)
        self._states[side].restore()
        self._loaded = list(self._states[side].leaves(self.device.to_host))

    def _counted(self) -> contextlib.AbstractContextManager[None]:
        self.counters.clear()
        return self.device.counted(self.counters)

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

    def _certain(self, side: str, function: str, trial: Trial, making: bool) -> bool:
        """Whether what was seen of rounding is all: in the making of an instance, and by flags."""
        if trial.init is not None and not making:
            return False
        if (side, function) not in self._silent:
            cover, module = self.coverage(function, side), self.sides[side].module
            codes = () if cover is None else cover.codes
            names = {} if module is None else vars(module)
            silent = any(rounds_silently(code, names) for code in codes)
            self._silent[side, function] = silent or not codes
        return not self._silent[side, function]

    def forget(self, function: str) -> None:
        """Begin anew to look what runs of a function, on both sides."""
        for side in self.sides:
            self.covered.pop((side, function), None)

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

    def _leaves(self, call: Invocation, on_host: bool) -> list[Leaf]:
        """All of the arguments, with the memory that views among them look into."""
        leaves: list[Leaf] = []
        for name, value in call.named.items():
            leaves += leaves_of(f"argument {name}", value, self.device.to_host)
            base = getattr(value, "base", None)
            if on_host and isinstance(base, np.ndarray) and isinstance(value, np.ndarray):
                leaves += leaves_of(f"{MEMORY}{name}", base, self.device.to_host)
        for name, value in call.held.items():
            leaves += leaves_of(f"{HELD}{name}", value, self.device.to_host)
        return leaves


def _beside(heard: Heard) -> Iterator[Leaf]:
    """What a call leaves beside its result: random numbers to come, and what it said."""
    yield Leaf("random state", "text", random_state())
    yield Leaf("warnings", "text", heard.warned)
    yield Leaf("standard error", "text", heard.errors)

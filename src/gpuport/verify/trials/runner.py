"""One example inside the worker: the original twice, the port once, and what the two did."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from gpuport.verify.aftermath.leaves import Observation
from gpuport.verify.aftermath.writtenfiles import WRITTEN
from gpuport.verify.comparison.refusals import Refusals
from gpuport.verify.comparison.responses import NotReproduced
from gpuport.verify.execution.calling import PATTERNS, Bench, How
from gpuport.verify.execution.choices import Choices
from gpuport.verify.execution.coverage import FINITE, OTHER
from gpuport.verify.execution.tolerance import Mask
from gpuport.verify.inputs.drawing import build, describe
from gpuport.verify.signatures.kinds import LatestCall, watched
from gpuport.verify.slots import Trial
from gpuport.verify.trials.judge import Example, Judge
from gpuport.verify.trials.seencalls import SeenCalls

_TRACED = 12
_REPEATED_EVERY = 4
_SINGULAR = "LinAlgError"
_PROVING = ("equal", "rejected")
_TWICE = (2, 7)  # by number of the calls that the original accepted


class Runner:
    """Trials of one file: probing, comparing, and the evidence of each."""

    def __init__(self, bench: Bench, stage: Callable[[str], None]) -> None:
        self.bench = bench
        self.stage = stage
        self.judge = Judge(bench, stage)
        self.refusals = Refusals(bench, stage, self.judge.policy)
        self._calls: dict[str, int] = {}
        self._told: dict[str, tuple[int, int, int]] = {}
        self._choices: dict[str, Choices] = {}
        self._varied: set[str] = set()

    def probe(self, function: str, trial: Trial) -> dict[str, Any]:
        """Whether the original accepts this input."""
        self.stage("original")
        return _accepted(self.bench.call("original", function, trial))

    def forget(self, function: str) -> None:
        """What has run of a function so far no longer counts."""
        self.bench.forget(function)
        self._told.pop(function, None)
        self._varied.discard(function)
        self._choices.pop(function, None)
        self._calls.pop(function, None)

    def kinds(self, function: str, trial: Trial) -> dict[str, str]:
        """Of what kinds the arguments are that the original gets, its defaults among them."""
        self.stage("original")
        latest = LatestCall(str(self.bench.sides["original"].file), function)
        with watched(latest):
            self.bench.call("original", function, trial)
        return latest.kinds

    def inside(self, function: str, trial: Trial, wanted: str) -> dict[str, Any]:
        """What the original of another function, `wanted`, is called with in this call."""
        self.stage("original")
        seen = SeenCalls(str(self.bench.sides["original"].file), wanted)
        with watched(seen):
            outcome = self.bench.call("original", function, trial)
        return {**_accepted(outcome), "calls": seen.calls.get(wanted, [])}

    def compare(self, function: str, trial: Trial, most: float | None = None) -> dict[str, Any]:
        """Call both sides and compare; a plain dictionary for the protocol.

        What runs in an example that proves nothing has not been compared by that. Where the
        original takes more than `most` seconds, it is not compared.
        """
        answer = self._compared(function, trial, most)
        weight = FINITE if answer["status"] == "rejected" or answer.get("finite") else OTHER
        proves = answer["status"] in _PROVING
        for side in self.bench.sides:
            cover = self.bench.coverage(function, side)
            if cover is not None:
                cover.settle(weight if proves else 0)
        return {**answer, **self._lines(function)} if proves else answer

    def _compared(self, function: str, trial: Trial, most: float | None) -> dict[str, Any]:
        self.stage("original")
        original = self.bench.call("original", function, trial)
        if original.raised is not None:
            return self._rejected(function, trial, original)
        if most is not None and original.seconds > most:
            return {"status": "costly"}
        due, traced = self._due(function)
        unset: dict[str, Mask] | None = {}
        if due:
            unset = self.judge.repeated(function, trial, original, traced=traced)
        evidence = self._evidence(function, trial, original)
        if unset is None:
            return {**evidence, "status": "unstable"}
        self.stage("port")
        port = self.bench.call("port", function, trial, How(traced=self._port_untold(function)))
        evidence["counters"] = dict(self.bench.counters)
        example = Example(function, trial, original, port, self._calls[function])
        if port.raised is not None:
            return {**evidence, **self._port_raised(example)}
        evidence["port_seconds"] = port.seconds
        evidence["twice"] = trial.twice or example.number in _TWICE
        if evidence["twice"]:
            example = self._once_more(example)
        self.stage("original-again")
        alike = example.port.agrees(example.original)
        try:
            answer = self.judge.compared(example, unset, alike=alike, once=not due)
        except NotReproduced as found:
            if found.unset is None:
                return {**evidence, "status": "unstable"}
            answer = self.judge.compared(example, found.unset)
        if answer["status"] != "equal":
            answer = self.judge.doubted(example, answer)
            answer["inputs"] = self.judge.inputs(trial).description()
        evidence["finite"] = evidence["finite"] and answer["compared"] > 0
        if answer["status"] == "equal":
            evidence["chosen"] = self._chosen(function, trial)
        return {**evidence, **answer}

    def _port_raised(self, example: Example) -> dict[str, Any]:
        """The answer where the port raises and the original does not."""
        port = example.port
        if port.raised == _SINGULAR and self.judge.is_singular(example):
            return {"status": "shaky"}
        return {
            "raised": port.raised,
            "line": port.line,
            "inputs": self.judge.inputs(example.trial).description(),
            "status": "port-raised",
            "difference": f"raised {port.raised}: {port.message}",
        }

    def _chosen(self, function: str, trial: Trial) -> list[list[Any]]:
        """What the original's masks held in the examples that were compared."""
        if function not in self._choices:
            self._choices[function] = Choices.of(self.bench, function)
        choices = self._choices[function]
        if choices.open:
            choices.learn(self.bench, function, trial)
        return choices.plain()

    def _once_more(self, example: Example) -> Example:
        """Both sides on the same input again, the first results still held by a caller.

        A port that keeps a buffer or remembers answers may be right the first time alone.
        """
        function, trial, original = example.function, example.trial, example.original
        again = self.bench.call("port", function, trial, How(again=True))
        if again.raised is not None:
            return example
        self.stage("original-again")
        known = self._original_again(function, trial, original)
        views = tuple({*original.views, *known.views})
        files = [leaf for leaf in known.leaves if leaf.path.startswith(WRITTEN)]
        leaves = [leaf for leaf in original.leaves if not leaf.path.startswith(WRITTEN)]
        before = replace(original, views=views, leaves=(*leaves, *files))
        return replace(example, original=before, port=again, first=original)

    def _original_again(self, function: str, trial: Trial, original: Observation) -> Observation:
        """Its second call: files that the first one wrote are there, and may be added to."""
        if any(leaf.path.startswith(WRITTEN) for leaf in original.leaves):
            self.bench.call("original", function, trial)
        return self.bench.call("original", function, trial, How(pattern=PATTERNS[1], again=True))

    # -- what has run so far -----------------------------------------------------------------

    def _due(self, function: str) -> tuple[bool, bool]:
        """Whether the original is to be run a second time, and with its lines traced."""
        calls = self._calls[function] = self._calls.get(function, 0) + 1
        cover = self.bench.coverage(function)
        traced = calls <= _TRACED or not (cover is None or cover.settled)
        return traced or calls % _REPEATED_EVERY == 0, traced

    def _port_untold(self, function: str) -> bool:
        cover = self.bench.coverage(function, "port")
        return not (cover is None or cover.settled)

    # -- what the original refuses ----------------------------------------------------------

    def _rejected(self, function: str, trial: Trial, original: Observation) -> dict[str, Any]:
        """The original raises: its own ``raise`` statements must still be raised by the port."""
        judged = self.refusals.judged(function, trial, original)
        evidence: dict[str, Any] = {
            "status": "rejected", "raised": original.raised, "message": original.message,
        }  # fmt: skip
        if judged.difference is None:
            return {**evidence, "notes": dict(judged.notes)}
        inputs = describe(build(trial.slots, trial))
        failing = {"status": "differs", "where": "exception", "inputs": inputs}
        return {**evidence, **failing, "difference": judged.difference}

    # -- evidence ---------------------------------------------------------------------------

    def _evidence(self, function: str, trial: Trial, original: Observation) -> dict[str, Any]:
        return {
            "digest": original.product(),
            "finite": original.finite(),
            "sole": self._sole(function, original),
            "seconds": original.seconds,
        }

    def _sole(self, function: str, original: Observation) -> dict[str, str] | None:
        """The value that each piece of what came out is; None from the first with several."""
        if function not in self._varied:
            sole = original.sole_values()
            if sole is not None:
                return sole
            self._varied.add(function)
        return None

    def _lines(self, function: str) -> dict[str, Any]:
        """What has run so far, of the original where that is more than was told last."""
        told: dict[str, Any] = {}
        cover, port = (self.bench.coverage(function, side) for side in ("original", "port"))
        if cover is not None and self._told.get(function) != cover.extent:
            self._told[function] = cover.extent
            told = {
                "seen": sorted(cover.seen & cover.lines),
                "lines": sorted(cover.lines),
                "taken": sorted(cover.taken & cover.branches),
                "branches": sorted(cover.branches),
                "rare": sorted(cover.rare),
            }
        # lines and branches of the port that have not run yet in this process
        missed = port.lines - port.seen if port is not None else ()
        untaken = port.branches - port.taken if port is not None else ()
        rare = port.rare if port is not None else ()
        return {
            **told, "port_missed": sorted(missed), "port_untaken": sorted(untaken),
            "port_rare": sorted(rare),
        }  # fmt: skip


def _accepted(outcome: Observation) -> dict[str, Any]:
    return {
        "seconds": outcome.seconds,
        "raised": outcome.raised,
        "message": outcome.message,
        "explicit": outcome.explicit,
        "line": outcome.line,
        "text": outcome.text,
    }

"""Inputs that the original refuses: the port must refuse them as well, and leave the same behind.

That holds for what the program itself raises, and what Python raises in it. Where a library
refuses an input, CuPy need not, and what the port does is only told.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from gpuport.verify.aftermath.leaves import Observation
from gpuport.verify.comparison.compare import compare
from gpuport.verify.execution.calling import Bench, How
from gpuport.verify.execution.tolerance import Policy
from gpuport.verify.sides.syntax import definition
from gpuport.verify.slots import Trial

_TRIED = 6  # inputs of each refusal that the port is given,
_TRIED_FOR_LINES = 60  # and where lines of it have not run yet
_OF_BATCHES = frozenset({"LinAlgError"})  # after which the items are gone through one by one


@dataclass(frozen=True, slots=True)
class Refused:
    """How the port's refusal differs, None where it does not; ``traced``: lines were watched."""

    difference: str | None = None
    notes: Counter[str] = field(default_factory=Counter)
    traced: bool = False


class Refusals:
    """What both sides do with inputs for which the original raises."""

    def __init__(
        self, bench: Bench, stage: Callable[[str], None], policy: Callable[[str, Trial], Policy]
    ) -> None:
        self._bench = bench
        self._stage = stage
        self._policy = policy
        self._tried: Counter[str] = Counter()

    def judged(self, function: str, trial: Trial, original: Observation) -> Refused:
        """Call the port where the original raised, and compare."""
        if not (original.explicit or original.plain):
            taken = self._taken(function, trial, original)
            if not taken:
                return Refused()
            more = self._handled("port", function) - self._handled("original", function)
            if not more - _OF_BATCHES:
                return Refused(notes=taken)
            caught = ", ".join(sorted(more))
            return Refused(f"the original raised {original.raised}, the port handles {caught}")
        self._stage("original-again")
        again = self._bench.call("original", function, trial, How(traced=True))
        self._stage("port")
        port = self._bench.call("port", function, trial, How(traced=True))
        notes: Counter[str] = Counter()
        difference = self._difference(function, trial, original, port, notes)
        steady = again.raised == original.raised
        return Refused(difference if steady else None, notes, traced=True)

    def _taken(self, function: str, trial: Trial, original: Observation) -> Counter[str]:
        """A note where the port takes an input that a library refuses; tried a few times."""
        kind = f"{function} {original.raised}"
        self._tried[kind] += 1
        cover = self._bench.coverage(function, "port")
        # the way back from what a kernel refuses is met for few of the inputs that are refused
        missing = cover is not None and not cover.lines <= cover.seen
        if self._tried[kind] > (_TRIED_FOR_LINES if missing else _TRIED):
            return Counter()
        self._stage("port")
        port = self._bench.call("port", function, trial)
        if port.raised is None:
            note = f"the port takes inputs that the original refuses with {original.raised}"
            return Counter([note])
        alike = port.raised == original.raised
        if alike and compare(original, port, self._policy(function, trial)).difference is None:
            # what it runs on the way to refuse, as a kernel that is taken back, has been compared
            self._bench.call("port", function, trial, How(traced=True))
        return Counter()

    def _handled(self, side: str, function: str) -> frozenset[str]:
        """The exceptions that a function catches, by their last names."""
        node = definition(self._bench.sides[side].tree(), function)
        found = {name for part in ast.walk(node) for name in _caught(part)} if node else ()
        return frozenset(found)

    def _difference(
        self,
        function: str,
        trial: Trial,
        original: Observation,
        port: Observation,
        notes: Counter[str],
    ) -> str | None:
        how = "by its own statement" if original.explicit else "in Python's own arithmetic"
        outcome = "returned" if port.raised is None else f"raised {port.raised}: {port.message}"
        if port.raised is None or (original.explicit and port.raised != original.raised):
            return f"the original raised {original.raised} {how}, the port {outcome}"
        if port.raised != original.raised:
            notes["another class of exception, of Python's own"] += 1
            return None
        if original.message != port.message:
            notes["another message of an exception"] += 1
        left = compare(original, port, self._policy(function, trial))
        if left.difference is None:
            return None
        return f"{left.where}, after {original.raised} was raised: {left.difference}"


def _caught(node: ast.AST) -> Iterator[str]:
    if not isinstance(node, ast.ExceptHandler):
        return
    kinds = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
    for kind in kinds:
        yield ast.unparse(kind).rpartition(".")[2] if kind is not None else "BaseException"

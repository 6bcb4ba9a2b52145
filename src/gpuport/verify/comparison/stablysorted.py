"""Comparison with the original's sorts made stable, where they leave an order open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from gpuport.verify.aftermath.leaves import Observation
from gpuport.verify.comparison.compare import Comparison, compare
from gpuport.verify.comparison.responses import Responses
from gpuport.verify.execution.calling import Bench, How
from gpuport.verify.execution.sortorder import SORTED_STABLY
from gpuport.verify.execution.tolerance import Policy
from gpuport.verify.slots import Trial


@dataclass(frozen=True, slots=True)
class StablySorted:
    """The comparison of one example of a function that may sort."""

    bench: Bench
    respond: Callable[[str, Trial], Responses]
    function: str
    trial: Trial
    original: Observation
    policy: Policy

    def resolved(self, port: Observation, outcome: Comparison) -> str:
        """The status of a comparison that differs, and its outcome with stable sorts."""
        other = self.bench.call("original", self.function, self.trial, How(stably=True))
        if other.raised is not None or other.agrees(self.original):
            return "differs"
        responses = self.respond(self.function, self.trial)
        policy = replace(self.policy, responses=responses, turned=responses.turned)
        found = compare(other, port, policy)
        if found.difference is not None:
            return "differs"
        outcome.difference, outcome.where = None, ""
        outcome.compared = found.compared
        outcome.errors, outcome.looseness = found.errors, found.looseness
        outcome.looseness[SORTED_STABLY] += 1
        return "equal"

"""What becomes of the loops of real packages, and what their analysis costs.

    python bench/loop_cost.py FOLDER [--save] [--refusals N]

Ports each file below FOLDER that mentions NumPy, in memory, and counts

reach
    loops in all; loops over elements of arrays, which are put to the loop compiler; those of
    which a kernel is made, and which run as one; those refused, by finding code and by reason.
cost
    milliseconds for a loop that is put to the compiler (plan and kernel), median, 90th and 99th
    percentile. Target: a median under 20.

``--refusals N`` prints N refusals, drawn at random, with the loop's place.
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import statistics
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gpuport.analysis.loops.compiling
from gpuport.analysis.functions.summaries import Analysed
from gpuport.analysis.project.callgraph import Project
from gpuport.config import Config
from gpuport.emit.aliases import Aliases
from gpuport.emit.kernels import launches
from gpuport.passes.port import port_module
from gpuport.source.reading import SourceError, parse, read_source
from gpuport.source.suppression import Suppressions
from record import Recorder


class Watcher:
    """Counts what the first pass over each file says."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.codes: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()
        self.refusals: list[str] = []
        self.seconds: list[float] = []
        self.path = ""
        self.first = True

    def watch(
        self,
        project: Project,
        results: dict[int, Analysed],
        aliases: Aliases,
        done: dict[int, str],
    ) -> None:
        """Take in one pass; those after the first see the loops again."""
        if not self.first:
            return
        self.first = False
        for analysed in results.values():
            unit = analysed.unit
            run = [launch.plan.region for launch in launches(analysed)]
            self.counts["run as kernels"] += len(run)
            self.counts["loops in kernels"] += sum(
                isinstance(node, (ast.For, ast.While)) for one in run for node in ast.walk(one)
            )
            made, refusals = unit.forms.launches, unit.forms.refusals
            self.counts["kernels made"] += len(made)
            self.counts["refused"] += len(refusals)
            self.counts["put to the compiler"] += len(made) + len(refusals)
            for refusal in refusals.values():
                self.codes[refusal.code] += 1
                self.reasons[f"{refusal.code} {general(refusal.message)}"] += 1
                self.refusals.append(
                    f"{self.path}:{refusal.line}: {refusal.code} {refusal.message}"
                )

    def timed(self, function: Callable[..., Any], more: bool) -> Callable[..., Any]:
        """The function, its time kept; with `more` it belongs to the call before."""

        def call(*arguments: Any) -> Any:
            begun = time.perf_counter()
            try:
                return function(*arguments)
            finally:
                spent = time.perf_counter() - begun
                if more and self.seconds:
                    self.seconds[-1] += spent
                else:
                    self.seconds.append(spent)

        return call


def general(message: str) -> str:
    """A refusal without names, lines and numbers."""
    return re.sub(r"`[^`]*`(, `[^`]*`)*", "_", re.sub(r"-?\d+", "N", message))[:120]


def main() -> int:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--save", action="store_true", help="write bench/results/")
    parser.add_argument("--refusals", type=int, default=0)
    arguments = parser.parse_args()
    watcher = Watcher()
    asks: Any = gpuport.analysis.loops.compiling
    asks.region_plan = watcher.timed(asks.region_plan, False)
    asks.kernel = watcher.timed(asks.kernel, True)
    for path in sorted(arguments.folder.rglob("*.py")):
        if b"numpy" not in path.read_bytes():
            continue
        watcher.path, watcher.first = str(path.relative_to(arguments.folder)), True
        try:
            module = parse(watcher.path, read_source(path).text)
        except SourceError:
            continue
        watcher.counts["files"] += 1
        watcher.counts["loops"] += sum(
            isinstance(node, (ast.For, ast.While)) for node in ast.walk(module.tree)
        )
        port_module(module, Config(), suppressions=Suppressions.of(module), watch=watcher.watch)
    if arguments.refusals:
        chosen = random.Random(1).sample(
            watcher.refusals, min(arguments.refusals, len(watcher.refusals))
        )
        print("\n".join(sorted(chosen)))
    recorder = Recorder("loop_cost", arguments.save)
    recorder.emit("reach", corpus=sorted(p.name for p in arguments.folder.iterdir()),
                  **{name.replace(" ", "_"): n for name, n in watcher.counts.items()})  # fmt: skip
    recorder.emit("refused by code", **dict(watcher.codes.most_common()))
    for reason, count in watcher.reasons.most_common(30):
        recorder.emit("refused by reason", reason=reason, count=count)
    milliseconds = sorted(1000 * s for s in watcher.seconds)
    hundredths = statistics.quantiles(milliseconds, n=100) if len(milliseconds) > 1 else [0.0] * 99
    recorder.emit("cost", analyses=len(milliseconds), median_ms=round(hundredths[49], 2),
                  p90_ms=round(hundredths[89], 2), p99_ms=round(hundredths[98], 2),
                  sum_s=round(sum(milliseconds) / 1000, 2))  # fmt: skip
    recorder.close()
    return 0


if __name__ == "__main__":
    raise SystemExit(main())

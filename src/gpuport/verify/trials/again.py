"""A counterexample once more, in a process that has run nothing else: what shows there is told.

A difference may come of what the calls before have left in the process, which nobody can replay.
"""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from gpuport.verify.records import VerifyOptions
from gpuport.verify.slots import Trial
from gpuport.verify.trials.evidence import Tally
from gpuport.verify.trials.examiner import Answer, Examiner, failing
from gpuport.verify.trials.isolation import Worker, WorkerLost, load_request


def shown_again(
    worker: Worker, function: str, trials: Iterable[Trial], options: VerifyOptions
) -> tuple[Trial, Answer] | None:
    """The first of these inputs on which the two sides differ in a fresh process.

    Parameters
    ----------
    worker : Worker
        Its versions are loaded anew.
    function : str
    trials : iterable of Trial
    options : VerifyOptions

    Returns
    -------
    (Trial, dict) or None
        With what the fresh process says of it; None where nothing shows.
    """
    with contextlib.ExitStack() as around:
        name = around.enter_context(tempfile.TemporaryDirectory(prefix="gpuport-again-"))
        fresh = around.enter_context(worker.another(Path(name).resolve()))
        try:
            if fresh.start()["status"] != "loaded":
                return None
        except WorkerLost:
            return None
        examiner = Examiner(fresh, function, options, Tally())
        for trial in trials:
            answer = examiner.compare(trial)
            if failing(answer):
                return trial, answer
    return None


def difference(
    original: Mapping[str, str], port: Mapping[str, str], function: str, trial: Mapping[str, Any]
) -> str | None:
    """What differs in a counterexample that was saved, or None: for the test that replays it.

    Parameters
    ----------
    original, port : mapping
        ``root``, ``file`` and ``module`` of the two versions.
    function : str
    trial : mapping
        As `Trial.to_json` gives it.
    """
    options = VerifyOptions(backend="auto")
    with tempfile.TemporaryDirectory(prefix="gpuport-replay-") as name:
        folder = Path(name).resolve()
        request = load_request(original, port, folder, options)
        trials = [Trial.from_json(trial)]
        found = shown_again(Worker(request, folder), function, trials, options)
    return None if found is None else str(found[1]["difference"])


__all__ = ["difference", "shown_again"]

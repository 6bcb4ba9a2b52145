"""A failing example kept for replay: an ``.npz`` and a pytest file with no further needs."""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpuport.verify.records import Counterexample
from gpuport.verify.slots import Trial

if TYPE_CHECKING:
    from gpuport.verify.sides.originals import Located
    from gpuport.verify.sides.sides import Side
    from gpuport.verify.trials.isolation import Worker
    from gpuport.verify.trials.outcomes import Outcome

_SAVE_SECONDS = 30.0
_TEMPLATE = Path(__file__).with_name("replay.py.txt")


def save_inputs(trial: Trial, path: Path, side: Side) -> dict[str, Any]:
    """Write the trial's arrays and give the plan that rebuilds its arguments (in the worker).

    What strategies of the user make is made with the modules of `side`.

    Returns
    -------
    dict
        ``arguments`` and ``init``: name -> a JSON node that `replay.py.txt` reads.
    """
    import numpy as np

    from gpuport.verify.execution.invocation import (
        by_name_alone,
        earlier_arguments,
        parted_by_place,
    )
    from gpuport.verify.inputs.drawing import build
    from gpuport.verify.inputs.encoding import Encoder
    from gpuport.verify.inputs.layouts import READ_ONLY

    encoder = Encoder(side)
    with side.entered() if trial.is_made else contextlib.nullcontext():
        resolve = side.resolve if trial.is_made else None
        arguments = build(trial.slots, trial, resolve=resolve)
        arguments = parted_by_place(arguments, trial.device or ())
        init = None if trial.init is None else build(trial.init, trial, salt=1, resolve=resolve)
        before = [
            (name, earlier_arguments(trial, number, slots, side if trial.is_made else None))
            for number, (name, slots) in enumerate(trial.before)
        ]
    plan = {
        "arguments": encoder.arguments("argument", arguments),
        "init": None if init is None else encoder.arguments("init", by_name_alone(init)),
        "before": [
            [name, encoder.arguments(f"before.{k}", by_name_alone(given))]
            for k, (name, given) in enumerate(before)
        ],
        "device": list(trial.device) if trial.device is not None else None,
        "instance": trial.has_instance,
        "refused": trial.refused,
        "by_name": trial.by_name,
        "read_only": trial.layout == READ_ONLY,
        "keywords": [s.name for s in trial.parameters if s.keyword],
    }
    np.savez(path, **encoder.arrays)
    return plan


def save(
    worker: Worker,
    function: str,
    outcome: Outcome,
    original: Located,
    port: Located,
    folder: Path,
    keep: bool = False,
) -> Counterexample | None:
    """Write the pair of files; None where the inputs cannot be rebuilt any more.

    Parameters
    ----------
    worker : Worker
    function : str
        Qualified name.
    outcome : Outcome
        With its failing trial.
    original, port : Located
        Originals outside the project are copied beside the test, their siblings too.
    folder : pathlib.Path
        Usually ``.gpuport/counterexamples``.
    keep : bool
        Copy both versions beside the test, wherever they are.
    """
    stem = re.sub(r"\W+", "_", f"{port.module}_{function}")
    folder.mkdir(parents=True, exist_ok=True)
    data, test = folder / f"{stem}.npz", folder / f"test_{stem}.py"
    plan = _plan(worker, outcome, data)
    if plan is None or outcome.failing is None:
        return None
    project = folder.parents[1]
    if keep or not original.file.is_relative_to(project):
        original = _kept(original, folder / f"{stem}_original")
    if keep or not port.file.is_relative_to(project):
        port = _kept(port, folder / f"{stem}_port")
    case = {
        "function": function,
        "original": _place(original, folder),
        "port": _place(port, folder),
        "data": data.name,
        **plan,
        "trial": outcome.failing.to_json(),
        "rounding_slack": outcome.evidence.errors.relative,
    }
    text = _TEMPLATE.read_text(encoding="utf-8")
    text = text.replace("@REASON@", _safe(outcome.reason)).replace("@STEM@", stem)
    text = text.replace("@CASE@", repr(json.dumps(case)))
    test.write_text(text, encoding="utf-8")
    return Counterexample(outcome.inputs, data, test)


def _plan(worker: Worker, outcome: Outcome, data: Path) -> dict[str, Any] | None:
    """What the worker says of the failing inputs, once it has written their arrays."""
    from gpuport.verify.trials.isolation import WorkerLost

    assert outcome.failing is not None
    request = {"op": "save", "trial": outcome.failing.to_json(), "path": str(data)}
    try:
        plan = worker.ask(request, _SAVE_SECONDS)
    except WorkerLost:
        return None
    return None if plan.get("status") == "failed" else plan


def _place(place: Located, folder: Path) -> Mapping[str, str]:
    return {
        "root": Path(os.path.relpath(place.root, folder)).as_posix(),
        "file": Path(os.path.relpath(place.file, folder)).as_posix(),
        "module": place.module,
    }


def _kept(original: Located, folder: Path) -> Located:
    """A copy of the original with the Python files of its package or folder."""
    from gpuport.verify.sides.originals import Located

    package = "." in original.module or original.file.name == "__init__.py"
    top = original.root / original.module.partition(".")[0] if package else original.root
    files = top.rglob("*.py") if package else top.glob("*.py")
    for file in files:
        target = folder / file.relative_to(original.root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
    return Located(folder, original.module, folder / original.file.relative_to(original.root))


def _safe(text: str) -> str:
    return text.replace("\\", "/").replace('"', "'").replace("\n", " ")[:300]

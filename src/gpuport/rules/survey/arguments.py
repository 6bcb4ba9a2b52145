"""Ask an installed CuPy which kinds of argument each parameter takes; no GPU is needed.

With ``--plain`` CuPy is asked as it is: calls end where they reach the device. With ``--stand-in``
it has a device that computes nothing, and the checks behind that are seen too. With ``--results``
it is compared what SciPy's functions and CuPy's give. Without any of these, all three are put
together.
"""

from __future__ import annotations

import importlib
import inspect
import json
import os
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from . import command, outcomes, samples, scipysamples, standin
from .device import Device
from .names import public_names
from .subjects import Method, Rows, Subject
from .values import describe_members, describe_value, shared_with_numpy

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
SKIPPED = {**samples.SKIPPED, **scipysamples.SKIPPED}


def subjects(device: Device) -> Iterator[tuple[str, Any, Any, Rows | None]]:
    """Every function of CuPy that has a NumPy counterpart, and the methods of arrays."""
    for submodule, followed in MODULES.items():
        try:
            own = importlib.import_module(qualified(submodule))
        except ImportError:
            continue
        twin = importlib.import_module(followed)
        for public in sorted(public_names(own)):
            counterpart = getattr(twin, public, None) or getattr(
                twin, _OLD_NAMES.get(public, ""), None
            )
            value = getattr(own, public, None)
            if counterpart is None or not callable(value) or inspect.isclass(value):
                continue
            value = device.own(own, public)
            if inspect.isclass(counterpart) or shared_with_numpy(value):
                continue
            entry = describe_value(value, own.__name__)
            yield f"{submodule}.{public}".lstrip("."), value, counterpart, entry.get("parameters")
    for public, entry in describe_members(device.array):
        if entry["kind"] == "method" and hasattr(np.ndarray, public):
            yield f"ndarray.{public}", None, None, entry["parameters"]


def qualified(name: str) -> str:
    """CuPy's dotted name: of ``linalg.norm`` and ``scipy.fft.fft``."""
    if name.startswith("scipy."):
        return f"cupyx.{name}"
    return f"cupy.{name}" if name else "cupy"


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
        standin.stand_in()
    device = Device(stand_in)
    if stand_in:
        standin.without_compiling()
    entries: dict[str, Any] = {}
    unprobed: dict[str, str] = {}
    for name, own, twin, rows in subjects(device):
        path = qualified(name)
        if wanted and name not in wanted:
            continue
        reason = SKIPPED.get(name) or scipysamples.ENDLESS.get(name, "")
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
    standin.stand_in()
    device = Device(True)
    standin.without_compiling()
    device.finite()
    found: dict[str, Any] = {}
    for name, own, twin, rows in subjects(device):
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
    commands = [
        command(sys.executable, "arguments", mode, *arguments)
        for mode in ("--plain", "--stand-in", "--results")
    ]
    runs = [
        subprocess.run(one, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) for one in commands
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

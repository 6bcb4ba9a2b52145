"""How often the device is asked: ``python tests/host/recorded/launches.py RECORDS.gz OUT.gz``.

Of each function in the records (those of ``record.py``) a few calls that gave a value are made
twice, and the second time it is counted what they start: by the host backend with ``--host``, else
by CUPTI through PyTorch's profiler, which sees the work of CuPy as well.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from evaluation import Evaluator
from expressions import expressions

Event = dict[str, Any]


def chosen(records: Path, each: int) -> list[str]:
    """Up to `each` calls of each function that gave an array; more of what is no function."""
    names = {text: name for name, text in expressions()}
    found: defaultdict[str, list[str]] = defaultdict(list)
    with gzip.open(records, "rt") as file:
        for line in file:
            text, record = json.loads(line)
            if text in names and ("a" in record or "t" in record or "p" in record):
                found[names[text]].append(text)
    return [
        text
        for name, texts in found.items()
        for text in _spread(texts, each * (1 if "." in name else 60))
    ]


def _spread(texts: list[str], count: int) -> list[str]:
    return texts[:: max(1, len(texts) // count)][:count]


def main() -> None:
    """Count and write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("records", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--host", action="store_true", help="the host backend's own counters")
    parser.add_argument("--each", type=int, default=4)
    parser.add_argument("--only", nargs="*", help="calls that begin so")
    parser.add_argument("--part", type=int, default=400, help="calls under one profile")
    arguments = parser.parse_args()
    texts = chosen(arguments.records, arguments.each)
    if arguments.only:
        texts = [text for text in texts if text.startswith(tuple(arguments.only))]
    if arguments.host:
        importlib.import_module("gpuport.host").install(version=14)
    evaluator = Evaluator(importlib.import_module("cupy"))
    count = counted if arguments.host else profiled
    with gzip.open(arguments.out, "wt") as file:
        for at in range(0, len(texts), arguments.part):
            for text, found in count(evaluator, texts[at : at + arguments.part]):
                file.write(json.dumps([text, found]) + "\n")
            file.flush()


def counted(evaluator: Evaluator, texts: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the host backend counts."""
    host = importlib.import_module("gpuport.host")
    for text in texts:
        try:
            eval(text, evaluator.names(text))
            env = evaluator.names(text)
            with host.count() as found:
                value = eval(text, env)
        except Exception:
            continue
        yield text, found.as_dict()
        del value


def profiled(evaluator: Evaluator, texts: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What the driver was asked for."""
    profiler: Any = importlib.import_module("torch.profiler")
    wait = evaluator.cupy.cuda.runtime.deviceSynchronize
    ready = []
    for text in texts:
        try:
            eval(text, evaluator.names(text))
            wait()
            ready.append((text, evaluator.names(text)))
        except Exception:
            continue
    wait()
    activities = [profiler.ProfilerActivity.CPU, profiler.ProfilerActivity.CUDA]
    with profiler.profile(activities=activities) as profile:
        for at, (text, env) in enumerate(ready):
            with profiler.record_function(f"call {at}"):
                value = eval(text, env)
                wait()
            del value
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "trace.json"
        profile.export_chrome_trace(str(path))
        events = json.loads(path.read_text())["traceEvents"]
    yield from _grouped(events, [text for text, _ in ready])


def _grouped(events: list[Event], texts: list[str]) -> Iterator[tuple[str, dict[str, Any]]]:
    """Events of each call, by the time at which the host asked for them."""
    ranges = sorted(
        (one["ts"], one["ts"] + one["dur"], int(one["name"].split()[1]))
        for one in events
        if one.get("cat") == "user_annotation" and one["name"].startswith("call ")
    )
    found: defaultdict[int, Counter[str]] = defaultdict(Counter)
    at = 0
    for when, label in sorted(_timed(events)):
        while at < len(ranges) and ranges[at][1] < when:
            at += 1
        if at < len(ranges) and ranges[at][0] <= when:
            found[ranges[at][2]][label] += 1
    for _, _, number in ranges:
        yield texts[number], dict(found[number])


def _timed(events: list[Event]) -> Iterator[tuple[float, str]]:
    """When the host asked for something, and what that was."""
    host = "cuda_runtime", "cuda_driver"
    asked = {
        one["args"]["correlation"]: one["ts"]
        for one in events
        if one.get("cat") in host and "correlation" in one.get("args", {})
    }
    for one in events:
        kind = one.get("cat")
        if kind in ("kernel", "gpu_memcpy", "gpu_memset"):
            when = asked.get(one["args"].get("correlation"), one["ts"])
            size = f" {one['args'].get('bytes')}" if kind == "gpu_memcpy" else ""
            yield when, f"{kind}: {one['name'][:120]}{size}"
        elif kind in host and "ynchronize" in one["name"]:
            yield one["ts"], f"sync: {one['name'][:120]}"


if __name__ == "__main__":
    main()

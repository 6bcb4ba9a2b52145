"""Write down what a CuPy gives: ``python tests/host/recorded/record.py OUT.jsonl.gz``.

Without ``--host`` the CuPy that is installed is asked, which needs a CUDA device: its records are
what ``test_recorded.py`` holds the host backend to.
"""

from __future__ import annotations

import argparse
import gzip
import importlib
import json
import multiprocessing
import os
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from queue import Empty
from typing import Any

CHUNK = 25
STICKY = "CUDARuntimeError", "CUDADriverError"
"""Errors after which a process can do nothing more on the device."""


def main() -> None:
    """Evaluate all expressions in processes, and write the records in order."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path)
    parser.add_argument("--host", action="store_true", help="the host backend")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=1e9, help="begin nothing after so long")
    parser.add_argument("--part", default="", help="only functions whose name begins so")
    arguments = parser.parse_args()
    from expressions import expressions

    texts = {text: name for name, text in expressions() if name.startswith(arguments.part)}
    chunks = [list(texts)[at : at + CHUNK] for at in range(0, len(texts), CHUNK)]
    random.Random(1).shuffle(chunks)
    chunks.sort(key=lambda chunk: texts[chunk[0]].startswith("cupyx"))
    context = multiprocessing.get_context("spawn")
    end = time.time() + arguments.seconds
    with tempfile.TemporaryDirectory() as folder:
        queue = context.Queue()
        for chunk in chunks:
            queue.put(chunk)
        serial = iter(range(10**6))

        def start() -> Any:
            into = os.path.join(folder, f"{next(serial)}.jsonl")
            one = context.Process(target=work, args=(queue, into, arguments.host, end))
            one.start()
            return one

        running = [start() for _ in range(arguments.jobs)]
        while running and time.time() < end + 10:
            time.sleep(0.2)
            for one in [one for one in running if not one.is_alive()]:
                running.remove(one)
                if one.exitcode:
                    running.append(start())
        for one in running:
            one.kill()
        records = dict(_read(Path(folder)))
    with gzip.open(arguments.out, "wt") as file:
        for text in texts:
            if text in records:
                file.write(json.dumps([text, records[text]]) + "\n")
    print(f"{len(records)} of {len(texts)} expressions recorded", flush=True)


def _read(folder: Path) -> Iterator[tuple[str, Any]]:
    for path in folder.iterdir():
        for line in path.read_text().splitlines():
            try:
                text, record = json.loads(line)
            except ValueError:  # a process ended while it wrote
                continue
            yield text, record


def work(queue: Any, into: str, host: bool, end: float) -> None:
    """Evaluate chunks until there are none; leave with 1 where the device is lost."""
    if host:
        importlib.import_module("gpuport.host").install(version=14)
    from evaluation import Evaluator

    evaluator = Evaluator(importlib.import_module("cupy"))
    with open(into, "w") as file:
        while time.time() < end:
            try:
                chunk = queue.get(timeout=3)
            except Empty:
                return
            for at, text in enumerate(chunk):
                if time.time() > end:
                    return
                file.write(json.dumps([text, {"x": ["Crash", "the process ended"]}]) + "\n")
                file.flush()
                try:
                    record = evaluator(text)
                except BaseException as error:  # of the arrays: the device is lost
                    record = {"x": [type(error).__name__, str(error)[:300]]}
                file.write(json.dumps([text, record]) + "\n")
                file.flush()
                if record.get("x", [""])[0] in STICKY:
                    queue.put(chunk[at + 1 :])
                    time.sleep(0.5)  # the queue has a thread of its own
                    os._exit(1)


if __name__ == "__main__":
    main()

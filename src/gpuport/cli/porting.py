"""What ``rewrite`` and ``check`` do with their configuration."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from gpuport.cli.options import Failure
from gpuport.cli.output import ProgressBar, emit, tell_what_is_missing, warn, write_bytes
from gpuport.config import Config


def port(
    paths: Sequence[str], config: Config, verify: bool = False, trust_recording: bool = False
) -> int:
    """Port files, or stdin to stdout where the one path is ``-``; gives the exit status.

    With `verify`, functions whose port does not hold are taken back before anything is written;
    `trust_recording` lets recorded calls name anything to be called then.
    """
    if "-" in paths:
        if len(paths) > 1:
            raise Failure("'-' (stdin) goes with no other path")
        if config.vendor_runtime:
            raise Failure("--vendor-runtime needs files: '-' (stdin) has no place for the runtime")
        if verify:
            raise Failure("--verify needs files: '-' (stdin) has no place to run from")
        return _stdin(config)
    from gpuport.engine import Gate, exit_status, run

    gc.disable()  # the process ends with the run, which looks for cycles where there is need
    gate: Gate | None = None
    if verify:
        from gpuport.verify.sessions.gate import take_back_together
        from gpuport.verify.sessions.replayed import problems_below

        gate = partial(take_back_together, trust_recording=trust_recording)
        for problem in problems_below(config.root or Path.cwd()) if not config.quiet else ():
            warn(problem)
    else:  # what is verified runs in the user's own environment
        _one_thread()
    bar = ProgressBar(config)
    hear = (lambda _: None) if config.quiet else warn
    try:
        report = run(paths, config, progress=bar, warn=hear, gate=gate)
    finally:
        bar.close()
    emit(report, config)
    tell_what_is_missing()
    return exit_status(report, config)


def _one_thread() -> None:
    """NumPy is loaded for its dtypes alone: threads would only wait.

    Takes effect where NumPy is not loaded yet.
    """
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
        os.environ.setdefault(variable, "1")


def _stdin(config: Config) -> int:
    from gpuport.engine import exit_status
    from gpuport.porter import port_stream
    from gpuport.records import RunReport

    _one_thread()
    if config.out_dir is not None:
        raise Failure("--out-dir has no meaning for '-' (stdin)")
    file, data = port_stream(sys.stdin.buffer.read(), config)
    report = RunReport((file,), config.table)
    # Stdout holds either the program or the report, never both.
    program = not config.dry_run and not config.diff
    if program and file.error is None:
        write_bytes(sys.stdout, data)
    emit(report, config, to_stderr=program)
    tell_what_is_missing()
    return exit_status(report, config)

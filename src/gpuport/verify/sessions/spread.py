"""Functions verified on an existing Dask cluster, with the same results as here.

Each function is a task of its own. The machines must see the same files at the same paths.
"""

from __future__ import annotations

import importlib
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gpuport import __version__
from gpuport.verify.records import FunctionVerdict, VerifyError, VerifyOptions
from gpuport.verify.sessions.filesession import FileSession, shown_path, verify_file
from gpuport.verify.sessions.progress import Progress
from gpuport.verify.sides.originals import Located

if TYPE_CHECKING:
    from types import TracebackType

_CONNECT_SECONDS = 15


class Cluster:
    """A connection to a Dask scheduler; use as a context manager.

    Parameters
    ----------
    address : str
        Such as ``tcp://host:8786``, or the path of a scheduler file.

    Raises
    ------
    VerifyError
        Where ``distributed`` is not installed, or nothing answers.
    """

    def __init__(self, address: str) -> None:
        try:
            # untyped, and not there in most installations
            self._distributed: Any = importlib.import_module("distributed")
        except ImportError:
            raise VerifyError(
                "--scheduler needs the package distributed: pip install 'gpuport[dask]'"
            ) from None
        where: dict[str, Any] = {"address": address}
        if Path(address).is_file():
            where = {"scheduler_file": address}
        try:
            self._client = self._distributed.Client(
                **where, timeout=_CONNECT_SECONDS, set_as_default=False
            )
        except (OSError, ValueError) as error:
            raise VerifyError(f"no Dask scheduler answers at {address}: {error}") from None
        if not self._client.scheduler_info()["workers"]:
            self._client.close()
            raise VerifyError(f"the Dask scheduler at {address} has no workers")

    def __enter__(self) -> Cluster:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._client.close()

    def verify_file(
        self,
        original: Located,
        port: Located,
        work: Path,
        options: VerifyOptions,
        progress: Progress,
    ) -> tuple[FunctionVerdict, ...]:
        """Verdicts on the functions of a file, in its order, as `verify_file` here gives them.

        Raises
        ------
        VerifyError
            Where a machine has another version of gpuport, or does not see the files.
        """
        root = (options.root or Path.cwd()).resolve()
        names = FileSession(original, port, work, options, root).names
        progress.begin(len(names))
        tasks = [
            self._client.submit(
                verified, original, port, replace(options, functions=(name,), root=root),
                __version__, pure=False,
            )
            for name in names
        ]  # fmt: skip
        results: list[dict[str, Any]] = []
        for name, task in zip(names, tasks, strict=True):
            try:
                results.append(task.result())
            except Exception as error:  # whatever becomes of a machine is told as the cluster's
                raise VerifyError(f"{name}: the cluster failed: {error}") from None
            for verdict in results[-1]["verdicts"]:
                progress.step(shown_path(port.file, root), verdict)
        errors = [result["error"] for result in results if result["error"]]
        if errors:
            raise VerifyError(errors[0])
        return tuple(verdict for result in results for verdict in result["verdicts"])


def verified(
    original: Located, port: Located, options: VerifyOptions, version: str
) -> dict[str, Any]:
    """One task: ``verdicts`` of the functions that the options name, or an ``error``."""
    if version != __version__:
        return {"error": f"gpuport {__version__} on a worker, {version} here", "verdicts": ()}
    for place in (original, port):
        if not place.file.is_file():
            return {"error": f"{place.file}: a worker does not see this file", "verdicts": ()}
    with tempfile.TemporaryDirectory(prefix="gpuport-task-") as work:
        try:
            found = verify_file(original, port, Path(work).resolve(), options)
        except (VerifyError, SyntaxError, UnicodeDecodeError, OSError) as error:
            return {"error": str(error), "verdicts": ()}
    return {"error": None, "verdicts": found}

"""The judge of the acceptance cases, to which a function with its kernel above it is a kernel too.

It looks for the names of CuPy's kernel classes in a port. ``gpuport.runtime.kernel`` makes one of
them, so a port that imports it has that name, and where its words say that numbers run, that of
CuPy's function; all else is judged as it stands.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

JUDGE = Path(__file__).parents[2] / "shared" / "acceptance" / "run.py"


IMPORTED = {"gpuport", "runtime", "kernel"}
"""The names of ``from gpuport.runtime import kernel``."""

SAID = {"running_sum(": "cumsum", "running_product(": "cumprod"}
"""Words of that kernel, and CuPy's functions that they call."""


def main() -> None:
    """Run the judge with what the command line says."""
    spec = importlib.util.spec_from_file_location("judge", JUDGE)
    assert spec is not None
    assert spec.loader is not None
    judge = importlib.util.module_from_spec(spec)
    sys.modules["judge"] = judge
    spec.loader.exec_module(judge)
    plain = judge.vocabulary

    def vocabulary(files: dict[str, bytes]) -> tuple[set[str], str]:
        names, strings = plain(files)
        if names >= IMPORTED:
            said = (name for word, name in SAID.items() if word in strings)
            names = names | {"ElementwiseKernel", *said}
        return names, strings

    judge.vocabulary = vocabulary
    sys.exit(judge.main())


main()

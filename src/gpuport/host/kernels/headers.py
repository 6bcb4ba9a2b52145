"""What CuPy's headers refuse of a kernel that is put below them: names and old dialects of C++.

CuPy writes the text of elementwise and reduction kernels as a function with C linkage, behind
its own headers and CUDA's; the host backend has others.
"""

from __future__ import annotations

import re
from functools import cache

from gpuport._data import rules_folder
from gpuport.host.kernels.building import Source

_OLD = re.compile(r"--?std=(c\+\+(?:03|11|14))")


@cache
def unusable() -> frozenset[str]:
    """Names that no kernel can have: C++'s words, and functions of CUDA's."""
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    text = (rules_folder() / "loops-functions.yaml").read_text(encoding="utf-8")
    data = yaml.load(text, Loader=loader)
    return frozenset({*data["words"].split(), *data["declared"].split()})


def refuse(kernel: Source) -> None:
    """Raise what CuPy 14.2 raises where its headers and the kernel do not go together.

    Raises
    ------
    CompileException
    """
    if kernel.name in unusable():
        raise kernel.exception(
            f"{kernel.name}: error: CUDA's or CuPy's headers declare this name, so that no kernel "
            "can have it (a function with C linkage): give the kernel another one"
        )
    for option in kernel.options:
        if _OLD.fullmatch(option):
            raise kernel.exception(
                f"{kernel.name}: error: CuPy's headers need C++17 ({option}): Thrust requires at "
                "least C++17"
            )

"""What an installed CuPy, NumPy or SciPy is asked for the API tables, in its own environment.

:mod:`gpuport.rules.generate` runs these modules with the interpreter of the environment that holds
the packages. There is no gpuport in it: they import one another and nothing else of gpuport. They
need no GPU, and print what they found as JSON.
"""

from __future__ import annotations

from pathlib import Path

_RUN = (
    "import runpy, sys; sys.path.append(sys.argv.pop(1)); "
    "runpy.run_module(sys.argv.pop(1), run_name='__main__', alter_sys=True)"
)


def command(python: str | Path, module: str, *arguments: str) -> list[str]:
    """The command line that runs a module of this folder with another interpreter.

    Parameters
    ----------
    python : str or pathlib.Path
        The interpreter.
    module : str
        Its name in this folder.
    *arguments : str
        What the module is given.

    Returns
    -------
    list of str
    """
    place = Path(__file__).parent
    return [str(python), "-I", "-c", _RUN, str(place.parent), f"{place.name}.{module}", *arguments]


__all__ = ["command"]

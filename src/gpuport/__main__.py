"""``python -m gpuport``."""

import contextlib
import os
import sys


def _without_working_folder() -> None:
    """Take the working folder off the path, which ``python -m`` puts first.

    A project that has a ``yaml.py`` or a ``numpy.py`` is to be read, never imported.
    """
    if sys.flags.safe_path or not sys.path:
        return
    with contextlib.suppress(OSError):  # the folder itself may be gone
        if sys.path[0] in ("", os.getcwd()):
            del sys.path[0]


if __name__ == "__main__":
    _without_working_folder()
    from gpuport.cli.main import main

    main()

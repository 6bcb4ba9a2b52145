"""``python -m gpuport.recording.script FILE ARGS...``: a script as ``__main__``, recorded.

Started by ``gpuport record`` in the place of ``python FILE ARGS...``.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from gpuport.recording import hook


def main() -> None:
    """Run the script that the command line names."""
    file = sys.argv[1]
    recorder = hook.active()
    sys.argv = sys.argv[1:]
    sys.path[0] = os.path.dirname(os.path.abspath(file))
    space = sys.modules["__main__"].__dict__
    space.update(__file__=file, __spec__=None, __package__=None, __doc__=None)
    source = Path(file).read_bytes()
    wanted = recorder is not None and recorder.wants(file)
    code = recorder.code(file, source) if recorder and wanted else compile(source, file, "exec")
    exec(code, space)


if __name__ == "__main__":
    main()

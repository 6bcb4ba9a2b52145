"""``python -m gpuport.recording.script FILE ARGS...``: a script as ``__main__``, recorded.

Started by ``gpuport record`` in the place of ``python FILE ARGS...``. Of a notebook the cells of
code are run one after the other, without the lines that are IPython's; what the project's modules
are called with is recorded, its own functions are not.
"""

from __future__ import annotations

import ast
import json
import os
import re
import sys
from pathlib import Path

from gpuport.recording import hook

# Magics, commands of the shell, and questions for help.
_IPYTHON = re.compile(r"^[ \t]*(?:[%!].*|.*[^\s#]\?)$", re.MULTILINE)


def cells(notebook: Path) -> str:
    """The code of a notebook (nbformat 4): a cell below the other.

    Cells in other languages (``%%bash``) are left out; lines that are IPython's become ``pass``.
    """
    document = json.loads(notebook.read_text(encoding="utf-8"))
    texts = []
    for cell in document.get("cells", ()):
        text = "".join(cell.get("source", ""))
        if cell.get("cell_type") == "code" and not text.lstrip().startswith("%%"):
            texts.append(text if _is_python(text) else _IPYTHON.sub(_passed, text))
    return "\n\n".join(texts) + "\n"


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def _passed(line: re.Match[str]) -> str:
    return line[0][: len(line[0]) - len(line[0].lstrip())] + "pass"


def main() -> None:
    """Run the script that the command line names."""
    file = sys.argv[1]
    recorder = hook.active()
    sys.argv = sys.argv[1:]
    sys.path[0] = os.path.dirname(os.path.abspath(file))
    space = sys.modules["__main__"].__dict__
    space.update(__file__=file, __spec__=None, __package__=None, __doc__=None)
    if file.endswith(".ipynb"):
        space.update(display=print)
        exec(compile(cells(Path(file)), file, "exec"), space)
        return
    source = Path(file).read_bytes()
    wanted = recorder is not None and recorder.wants(file)
    code = recorder.code(file, source) if recorder and wanted else compile(source, file, "exec")
    exec(code, space)


if __name__ == "__main__":
    main()

"""What is run for its own sake calculates, and does nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuport.verify.sides.calculating import refused_imports

ALONE = (
    "import numpy as np\nprint(np.arange(3.0).sum())",
    "import sys, json\nfrom scipy.linalg import expm\nimport numpy as np\n"
    "np.savez(sys.argv[1], a=np.einsum('...i', expm(np.eye(2))))",
    "import own\nprint(own.f(2))",
    "import io, struct\nbuffer = io.BytesIO()\nbuffer.write(struct.pack('d', 2.0))",
    "from parts import inner\nfrom parts.inner import g\nprint(g(1) / 2)",
)  # fmt: skip
FARTHER = (
    "import os\nos.remove('a')",
    "import shutil",
    "from pathlib import Path\nPath('a').unlink()",
    "open('a', 'w').write('b')",
    "import io\nio.open('a', 'w').write('b')",
    "from io import FileIO\nFileIO('a', 'w')",
    "from io import open as text\ntext('a', 'w')",
    "import numpy as np\nnp.save('/tmp/a.npy', np.zeros(2))",
    "import numpy as np\nnp.save('../a.npy', np.zeros(2))",
    "import numpy as np\nnp.save('C:/a.npy', np.zeros(2))",
    "import numpy as np\nnp.memmap('a', mode='w+', shape=3)",
    "import numpy as np\nnp.save(__file__, np.zeros(2))",
    "__import__('os').remove('a')",
    "import reaching",
    "from . import reaching",
    "def f(:",
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "own.py").write_text("import math\n\ndef f(x):\n    return math.sqrt(x)\n")
    (tmp_path / "reaching.py").write_text("import subprocess\n")
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "__init__.py").write_text("")
    (tmp_path / "parts" / "inner.py").write_text("from ..own import f\ng = f\n")
    return tmp_path


@pytest.mark.parametrize("text", ALONE)
def test_programs_that_calculate(folder: Path, text: str) -> None:
    (folder / "program.py").write_text(text)
    assert refused_imports(folder / "program.py", folder) == frozenset()


@pytest.mark.parametrize("text", FARTHER)
def test_programs_that_reach_farther(folder: Path, text: str) -> None:
    (folder / "program.py").write_text(text)
    assert refused_imports(folder / "program.py", folder) is None


@pytest.mark.parametrize("name", ["requests", "matplotlib.pyplot"])
def test_other_libraries_are_not_given_to_it(folder: Path, name: str) -> None:
    text = f"import numpy\n\ndef plot():\n    import {name} as other\n    other.show()\n"
    (folder / "program.py").write_text(text)
    assert refused_imports(folder / "program.py", folder) == {name.partition(".")[0]}

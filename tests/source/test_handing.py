"""What modules of a project hand on to those that import them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gpuport.source.handing import leads_to, public_names, star_of, taken_by
from gpuport.source.layout import Files, Layout

TEXTS = {
    "main.py": "from common import *\n",
    "common.py": "import numpy as np\nfrom numpy.linalg import norm\nfrom consts import *\n"
    "_hidden = 1\n\n\ndef f(): pass\n",
    "consts.py": "N, M = 1, 2\nfor step in range(3):\n    pass\n",
    "listed.py": "from common import f, np\n__all__ = ['f']\n",
    "grown.py": "__all__ = ['a']\n__all__ += ['b']\na = b = 1\n",
    "computed.py": "a = 1\n__all__ = sorted(globals())\n",
    "hiding.py": "from numpy import *\nx = 1\n",
    "rebound.py": "import numpy as np\nnp = None\n",
    "circle.py": "from around import *\n",
    "around.py": "from circle import *\n",
    "package/__init__.py": "from .core import *\nfrom .core import np as numeric\n",
    "package/core.py": "import numpy as np\n\n\nclass Core: pass\n",
}


@pytest.fixture
def files(tmp_path: Path) -> Files:
    for name, text in TEXTS.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return Files(Layout.of(tmp_path / name for name in TEXTS))


@pytest.mark.parametrize(
    ("module", "names"),
    [
        ("common", {"np", "norm", "f", "N", "M", "step"}),
        ("listed", {"f"}),
        ("grown", None),
        ("computed", None),
        ("hiding", None),
        ("circle", None),
        ("numpy", None),
        ("common.np", None),
        ("package", {"Core", "np", "numeric"}),
    ],
)
def test_what_a_star_import_binds(files, tmp_path, module, names):
    assert public_names(files, tmp_path / "main.py", module) == names


@pytest.mark.parametrize(
    ("path", "end"),
    [
        ("common.np", "numpy"),
        ("common.np.linalg.svd", "numpy.linalg.svd"),
        ("common.norm", "numpy.linalg.norm"),
        ("listed.np", "numpy"),
        ("package.numeric", "numpy"),
        ("package.np", "numpy"),
        ("package.core.np", "numpy"),
        ("common.f", None),
        ("common.nothing", None),
        ("rebound.np", None),
        ("circle.np", None),
        ("numpy.sin", None),
    ],
)
def test_where_a_path_leads_through_modules(files, tmp_path, path, end):
    assert leads_to(files, tmp_path / "main.py", path) == end


def test_a_name_is_found_behind_the_star_that_hands_it_on(files, tmp_path):
    assert star_of(files, tmp_path / "main.py", "M") == "common.M"
    assert star_of(files, tmp_path / "package/__init__.py", "Core") == ".core.Core"
    assert star_of(files, tmp_path / "main.py", "absent") is None


@pytest.mark.parametrize(
    ("text", "taken"),
    [
        ("from common import *\n", {"numpy", "numpy.linalg.norm"}),
        ("from common import f, np\n", {"numpy"}),
        ("import common as c\nc.np.sin(1)\nc.f()\n", {"numpy"}),
        ("import common\ncommon.f()\n", set()),
        ("import numpy\n", set()),
    ],
)
def test_what_a_text_takes_through_modules_of_its_project(files, tmp_path, text, taken):
    assert set(taken_by(files, tmp_path / "main.py", text)) == taken

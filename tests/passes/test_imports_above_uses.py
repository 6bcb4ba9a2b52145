"""What inserted code needs at the top of a module is imported above it, whatever else it does."""

from __future__ import annotations

from typing import Any

import pytest
from tests.passes.conftest import port

FUNCTIONS = """
def shift(out, a, n):
    for i in range(n):
        if i + 1 < a.shape[0]:
            out[i] = a[i + 1] * 2.0


def wave(x: np.ndarray):
    return np.sin(x) + 1.0
"""
ON_A_CONDITION = """
import sys
{0}
    import cupy as cp
    from gpuport.runtime import device, kernel
{1}
"""
BELOW = FUNCTIONS + "\nimport cupy as cp\nfrom gpuport.runtime import device, kernel\n"


@pytest.mark.parametrize(
    "text",
    [
        "import numpy as np\n" + ON_A_CONDITION.format("if 'none' in sys.modules:", "") + FUNCTIONS,
        "import numpy as np\n" + FUNCTIONS + ON_A_CONDITION.format("if 'none' in sys.modules:", ""),
        "import numpy as np\n"
        + ON_A_CONDITION.format("try:\n    import none", "except ImportError:\n    pass")
        + FUNCTIONS,
        "from typing import TYPE_CHECKING\n\nimport numpy as np\n"
        + ON_A_CONDITION.format("if TYPE_CHECKING:", "")
        + FUNCTIONS,
        "import numpy as np\n" + BELOW,
        "@staticmethod\ndef first(x):\n    return x\n\n\nimport numpy as np\n" + BELOW,
        "total = 0.0\nimport numpy as np; import cupy as cp; wave = np.zeros(3)\n" + FUNCTIONS,
    ],
)
def test_a_port_imports_what_it_needs_before_it_needs_it(text: str, emulated: Any):
    after = port(text).after or ""
    assert "@kernel(" in after
    names: dict[str, Any] = {"__name__": "ported"}
    exec(compile(after, "ported.py", "exec"), names)
    assert names["wave"](emulated.zeros(2)).tolist() == [1.0, 1.0]
    assert port(after).after is None or port(after).after == after


def test_a_name_that_a_function_binds_otherwise_is_not_used():
    head = "import cupy as cp\nimport numpy as np\n\n\n"
    after = port(f"{head}def wave(x: np.ndarray, cp):\n    return np.sin(x) * cp\n").after or ""
    assert "return cupy.sin(x) * cp" in after

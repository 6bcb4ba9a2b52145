"""Who reads the same text shares its tree."""

from __future__ import annotations

import pytest

from gpuport.source.reading import SourceError, parse


def test_the_same_text_has_one_tree_under_each_path():
    text = "import numpy as np\n\nshared = np.zeros(3)\n"
    one, other = parse("a.py", text), parse("b.py", "".join(text))
    assert one.tree is other.tree
    assert (one.path, other.path) == ("a.py", "b.py")


def test_a_text_that_does_not_parse_is_refused_each_time():
    for _ in range(2):
        with pytest.raises(SourceError):
            parse("a.py", "def f(:\n")

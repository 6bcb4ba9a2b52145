"""Fields that are annotated as numbers are believed, unless something may write to them."""

from __future__ import annotations

import ast

import pytest

from gpuport.analysis.objects.settings import settings_of
from gpuport.analysis.values.lattice import Scalar
from gpuport.source.scoping import build_scopes

RECORD = """from dataclasses import dataclass

@dataclass
class Config:
    n: int = 4000
    forcing: float = 8.0
"""


def known(text: str) -> set[str]:
    fields = settings_of(build_scopes(ast.parse(RECORD + text)))["Config"]
    assert fields["n"] == Scalar("int")
    return set(fields)


@pytest.mark.parametrize("base", ["", "(Exception)"])
def test_what_another_class_keeps_under_the_same_name_is_its_own(base):
    text = f"class Model{base}:\n    def __init__(self, f):\n        self.forcing = f\n"
    assert known(text) == {"n", "forcing"}


@pytest.mark.parametrize(
    "text",
    [
        "class Model(Config):\n    def grow(self):\n        self.forcing = 1\n",
        "class A(Config): pass\nclass B(A):\n    def grow(self):\n        self.forcing = 1\n",
        "class Model:\n    def grow(self, config):\n        config.forcing = 1\n",
        "class Model:\n    def grow(self):\n        self = Config()\n        self.forcing = 1\n",
        "class Model:\n    @staticmethod\n    def grow(self):\n        self.forcing = 1\n",
        "class Model:\n    def grow(self):\n        def f(self):\n            self.forcing = 1\n",
        "def grow(self):\n    self.forcing = 1\n",
        "Config().forcing = 1\n",
    ],
)
def test_what_may_write_to_a_field_takes_its_annotation_away(text):
    assert known(text) == {"n"}

"""Each form of the language runs through its IR as in Python."""

from __future__ import annotations

import pytest
from tests.lower.forms import FORMS
from tests.lower.running import printed


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS.keys())
def test_a_form_runs_as_in_python(text):
    assert printed(text, through_ir=True) == printed(text, through_ir=False)

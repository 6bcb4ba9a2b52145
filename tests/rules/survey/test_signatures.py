"""Parameters of callables, by what their documentation says."""

from __future__ import annotations

import pytest

from gpuport.rules.survey.signatures import from_docstring


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("_nd.sort(self, int axis=-1, kind=None)", "self:pk axis:pk=-1 kind:pk=None"),
        ("nd.copy(self, order=u'C')", "self:pk order:pk='C'"),
        ("add(x1, x2, /, out=None, \\*, dtype=None)", "x1:p x2:p out:pk=None dtype:k=None"),
        ("a.view([dtype][, type])", "dtype:pk=None type:pk=None"),
        ("f(x, *args, flag=(1,2), **more) -> None", "x:pk args:* flag:k=(1,2) more:**"),
        ("f(s, sep=',')", "s:pk sep:pk=','"),
        ("f()", ""),
        ("Return the sum of it.", None),
    ],
)
def test_parameters_are_read_off_the_first_line_of_a_docstring(
    line: str, expected: str | None
) -> None:
    found = from_docstring(f"{line}\n\nMore (text, here).")
    shown = None if found is None else " ".join(map(show, found))
    assert shown == expected


def show(parameter: list[str]) -> str:
    name, kind, *default = parameter
    return f"{name}:{kind}" + "".join(f"={value}" for value in default)

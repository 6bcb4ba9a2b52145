"""What is read of dicts under written keys."""

from __future__ import annotations

import ast
from itertools import islice

import pytest

from gpuport.source.items import item_under_text, names_for, surely_there


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('net["x"]', ("net", "x")),
        ("self.log['a b']", ("self.log", "a b")),
        ("x[0]", None),
        ("x[k]", None),
        ('f()["x"]', None),
        ("x.y", None),
    ],
)
def test_items_are_told_by_their_keys(text: str, found: tuple[str, str] | None) -> None:
    assert item_under_text(ast.parse(text, mode="eval").body) == found


@pytest.mark.parametrize(
    ("owner", "name", "best"),
    [
        ("net", '["x"]', ["x", "net_x", "net_x_2"]),
        ("net", '["from"]', ["net_from", "net_from_2", "net_from_3"]),
        ("self.net", '["a b"]', ["a_b", "self_net_a_b", "self_net_a_b_2"]),
        ("self", "_u", ["u", "self_u", "self_u_2"]),
    ],
)
def test_names_are_those_of_the_keys(owner: str, name: str, best: list[str]) -> None:
    assert list(islice(names_for(owner, name, short=True), 3)) == best


@pytest.mark.parametrize(
    ("text", "sure"),
    [
        ('for k in range(len(d["x"])): pass', True),
        ('for k in y:\n    a = d["x"][k]', True),
        ('for k in y:\n    if d["x"][k] > 0: pass', True),
        ('for k in y:\n    if k: a = d["x"]', False),
        ('for k in y:\n    a = d["x"] if k else 0', False),
        ('for k in y:\n    a = k and d["x"]', False),
        ('for k in y:\n    if k: continue\n    a = d["x"]', False),
        ('for k in y:\n    a = [d["x"] for _ in z]', False),
        ('while d["x"][k]: k += 1', True),
    ],
)
def test_only_what_is_read_in_any_case_is_there(text: str, sure: bool) -> None:
    loop = ast.parse(text).body[0]
    assert isinstance(loop, ast.For | ast.While)
    found = {("d", '["x"]'): [n for n in ast.walk(loop) if item_under_text(n)]}
    assert bool(surely_there(dict(found), loop, calls_own=False)) == sure  # type: ignore[arg-type]
    assert not surely_there(dict(found), loop, calls_own=True)  # type: ignore[arg-type]

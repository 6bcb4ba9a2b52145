"""Functions that run under an ``except`` though the text does not name them there."""

from __future__ import annotations

import ast

import pytest

from gpuport.analysis.differences.awaited import Awaited
from gpuport.source.syntax import by_kind, walk

PROGRAM = """
class Held:
    def {name}(self, *args):
        return np.linalg.inv(self.a)

def attempt(held, m):
    try:
        {statement}
    except np.linalg.LinAlgError:
        return None
"""
RUN = {
    "a condition": ("__len__", "if held: return 1"),
    "a condition in an expression": ("__bool__", "return 1 if held else 2"),
    "a condition of a loop": ("__bool__", "while held: m()"),
    "a condition of a comprehension": ("__bool__", "return [one for one in m if one]"),
    "an assertion": ("__bool__", "assert held"),
    "a block": ("__enter__", "with held: return 1"),
    "names": ("__iter__", "a, b = held"),
    "an attribute": ("__getattr__", "return held.rest"),
    "an attribute that is set": ("__setattr__", "held.rest = m"),
    "a descriptor": ("__get__", "return held.rest"),
    "a library": ("__array__", "return np.asarray(held)"),
    "a library that picks": ("__getitem__", "return random.choice(held)"),
    "an operator": ("__add__", "return held + m"),
    "an item": ("__getitem__", "return held[0]"),
    "a loop": ("__iter__", "for one in held: return one"),
}


@pytest.mark.parametrize(("name", "statement"), RUN.values(), ids=RUN)
def test_special_methods_run_without_their_names(name, statement):
    tree = ast.parse(PROGRAM.format(name=name, statement=statement))
    assert Awaited(by_kind(walk(tree)), frozenset()).catch(name, ["LinAlgError"]) is not None


BY_TEXT = (
    "return getattr(held, m)(1)",
    "return getattr(held, 'found')(1)",
    "return operator.methodcaller('found', 1)(held)",
    "return globals()[m](held)",
    "f = getattr(held, m)\n        return f(1)",
)


@pytest.mark.parametrize("statement", BY_TEXT)
def test_functions_that_are_found_by_a_text_run(statement):
    tree = ast.parse(PROGRAM.format(name="found", statement=statement))
    assert Awaited(by_kind(walk(tree)), frozenset()).catch("found", ["LinAlgError"]) is not None


def test_functions_of_other_texts_do_not_run():
    tree = ast.parse(PROGRAM.format(name="found", statement="return getattr(held, 'other')(1)"))
    assert Awaited(by_kind(walk(tree)), frozenset()).catch("found", ["LinAlgError"]) is None


def test_what_a_statement_cannot_run_is_not_awaited():
    tree = ast.parse(PROGRAM.format(name="__len__", statement="return m"))
    assert Awaited(by_kind(walk(tree)), frozenset()).catch("__len__", ["LinAlgError"]) is None


WARNING = """
def deep(x):
    return np.log(x)

def near(x):
    return deep(x)

def other(x):
    return np.exp(x)

def listening(x):
    {statement}
        near(x)
    return 0
"""
ASKED = (
    "with warnings.catch_warnings(record=True) as told:",
    "with warnings.catch_warnings(action='error'):",
    "with pytest.warns(RuntimeWarning):",
    "with self.assertWarns(RuntimeWarning), open(x):",
    "np.testing.assert_warns(RuntimeWarning, near, x)\n    if True:",
    "told = stack.enter_context(warnings.catch_warnings(record=True))\n    if True:",
    "with warnings.catch_warnings():\n        warnings.simplefilter('error')",
)
SILENCED = (
    "with warnings.catch_warnings():",
    "warnings.simplefilter('ignore')\n    if True:",
    "warnings.simplefilter('error', DeprecationWarning)\n    if True:",
)


@pytest.mark.parametrize("statement", ASKED)
def test_warnings_are_asked_of_all_that_is_called(statement):
    warned = Awaited(
        by_kind(walk(ast.parse(WARNING.format(statement=statement)))), frozenset()
    ).warned
    assert {"near", "deep"} <= warned.keys()
    assert "other" not in warned


EVERYWHERE = (
    "warnings.simplefilter('error')\n    if True:",
    "filterwarnings('error', category=RuntimeWarning)\n    if True:",
    "with warnings.catch_warnings():\n        warnings.simplefilter('error')\n        yield",
    "with pytest.warns(RuntimeWarning):\n        yield from x",
)


@pytest.mark.parametrize("statement", EVERYWHERE)
def test_filters_that_stay_and_context_managers_ask_for_the_warnings_of_all(statement):
    warned = Awaited(
        by_kind(walk(ast.parse(WARNING.format(statement=statement)))), frozenset()
    ).warned
    assert {"near", "deep", "other", "<module>"} <= warned.keys()


def test_a_class_that_listens_when_it_is_entered_asks_for_the_warnings_of_all():
    text = WARNING.replace("listening(x)", "__enter__(x)").format(
        statement="told = warnings.catch_warnings(record=True).__enter__()\n    if True:"
    )
    assert "other" in Awaited(by_kind(walk(ast.parse(text))), frozenset()).warned


@pytest.mark.parametrize("statement", SILENCED)
def test_silenced_warnings_are_asked_of_nothing(statement):
    assert not Awaited(
        by_kind(walk(ast.parse(WARNING.format(statement=statement)))), frozenset()
    ).warned


def test_a_filter_of_the_module_is_one_of_all_its_functions():
    text = "warnings.filterwarnings('error')\n" + WARNING.format(statement="if True:")
    warned = Awaited(by_kind(walk(ast.parse(text))), frozenset()).warned
    assert {"near", "deep", "other", "listening"} <= warned.keys()

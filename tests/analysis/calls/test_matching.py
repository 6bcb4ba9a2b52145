"""Arguments of calls and the parameters that they are given to."""

import ast
from types import SimpleNamespace
from typing import Any, cast

from hypothesis import example, given
from hypothesis import strategies as st

from gpuport.analysis.calls.arguments import Argument
from gpuport.analysis.calls.matching import Parameters, matched
from gpuport.analysis.interpretation.flows import Flow
from gpuport.analysis.interpretation.unit import Unit
from gpuport.analysis.values.lattice import UNKNOWN, Array, Mapping, Scalar, Sequence, Tuple, Value

INT = Scalar("int")
UNIT = cast(
    Unit,
    SimpleNamespace(item_of=lambda container, value, key: None, lost=lambda *_: False),
)


def function(text: str) -> ast.FunctionDef:
    found = ast.parse(text).body[0]
    assert isinstance(found, ast.FunctionDef)
    return found


def value_of(given: object) -> Value:
    if isinstance(given, tuple):
        return Tuple((INT,) * len(given))
    if isinstance(given, list):
        return Sequence(INT)
    return Mapping(INT) if isinstance(given, dict) else INT


def arguments(call: ast.Call) -> tuple[list[Argument], dict[int, set[int]]]:
    """The arguments of a call, and the numbers that stand in the expression of each."""
    found, numbers = [], {}
    for position, node in enumerate(call.args):
        starred = isinstance(node, ast.Starred)
        expression = node.value if isinstance(node, ast.Starred) else node
        flow = Flow(value_of(ast.literal_eval(expression)))
        found.append(Argument(None if starred else position, None, expression, flow))
    for keyword in call.keywords:
        flow = Flow(value_of(ast.literal_eval(keyword.value)))
        found.append(Argument(None, keyword.arg or "**", keyword.value, flow))
    for one in found:
        numbers[id(one.expression)] = {
            n.value for n in ast.walk(one.expression)
            if isinstance(n, ast.Constant) and isinstance(n.value, int)
        }  # fmt: skip
    return found, numbers


@st.composite
def programs(draw: st.DrawFn) -> tuple[str, str]:
    """A definition, and a call of it that may be wrong."""
    names = "abcd"[: draw(st.integers(0, 4))]
    own = draw(st.sampled_from(["", ", *, k=-1", ", *rest", ", *rest, k=-1"]))
    options = draw(st.sampled_from(["", ", **options"]))
    definition = ", ".join(f"{n}=-1" for n in names) + own + options
    numbers = iter(range(1, 100))

    def some(most: int = 3) -> list[int]:
        return [next(numbers) for _ in range(draw(st.integers(0, most)))]

    parts = []
    for kind in draw(st.lists(st.sampled_from(["plain", "tuple", "list"]), max_size=4)):
        spread_out = tuple(some()) if kind == "tuple" else some()
        parts.append(str(next(numbers)) if kind == "plain" else f"*{spread_out}")
    keywords = draw(st.lists(st.sampled_from("abcdkz"), unique=True, max_size=3))
    parts += [f"{name}={next(numbers)}" for name in keywords]
    if draw(st.booleans()):
        spread = draw(st.lists(st.sampled_from("abcdky"), unique=True, max_size=3))
        parts.append(f"**{dict(zip(spread, numbers, strict=False))}")
    definition = definition.removeprefix(", ")
    return f"def f({definition}):\n    return locals()", f"f({', '.join(parts)})"


@given(programs())
@example(("def f(a=-1, b=-1):\n    return locals()", "f(*[], 1, **{'b': 2})"))
def test_what_a_parameter_holds_is_among_what_it_is_said_to_be_given(program: tuple[str, str]):
    """Python itself binds the arguments; whatever it binds has to be foreseen."""
    definition, text = program
    names: dict[str, Any] = {}
    exec(definition, names)
    call = ast.parse(text, mode="eval").body
    assert isinstance(call, ast.Call)
    args, numbers = arguments(call)
    found = matched(UNIT, Parameters.of(function(definition), given=0), args)
    try:
        bound = eval(text, names)
    except TypeError:
        return
    assert found is not None
    rest, options = bound.pop("rest", ()), bound.pop("options", {})
    for name, number in bound.items():
        given = [one for to, one in found.single if to == name]
        assert number == -1 or any(number in numbers[id(one.expression)] for one in given)
    gathered = [numbers[id(one.expression)] for one in found.rest]
    if found.certain:
        assert len(gathered) == len(rest)
        assert all(one in held for one, held in zip(rest, gathered, strict=True))
    assert set(rest) <= set().union(*gathered)
    held = set().union(*(numbers[id(one.expression)] for one in found.options))
    assert set(options.values()) <= held


def test_what_is_not_known_is_not_matched():
    taken = Parameters.of(function("def f(a, *rest, k=1): pass"), given=0)
    for value in (UNKNOWN, Array("float64", 2)):
        args = [Argument(None, None, ast.Name("x"), Flow(value))]
        assert matched(UNIT, taken, args) is None
    by_name = [Argument(None, "other", ast.Name("x"), Flow(INT))]
    assert matched(UNIT, taken, by_name) is None


def test_what_is_gathered_keeps_its_order_where_that_is_known():
    taken = Parameters.of(function("def f(self, *rest): pass"), given=1)
    array = Array("float64", 2)
    plain = [Argument(i, None, ast.Name("x"), Flow(v)) for i, v in enumerate((array, INT))]
    found = matched(UNIT, taken, plain)
    assert found is not None
    assert found.gathered() == Tuple((array, INT))
    spread = [*plain, Argument(None, None, ast.Name("y"), Flow(Sequence(array)))]
    found = matched(UNIT, taken, spread)
    assert found is not None
    assert isinstance(found.gathered(), Sequence)

"""Every example of every shipped rule is a test, with NumPy and with the host backend."""

import operator
import os
import re
import subprocess
import sys
import textwrap
import warnings
from pathlib import Path

import numpy as np
import pytest

from gpuport.rules import PatternRule, RuleSet, SwapRule
from gpuport.rules.examples import check_rule, make_inputs
from gpuport.rules.findings import known_codes
from gpuport.rules.reading import read_rules

RULES = RuleSet.load().all()


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_examples(rule):
    assert check_rule(rule) == []


def test_rules_are_told_apart_and_their_codes_are_known():
    assert len({rule.id for rule in RULES}) == len(RULES)
    codes = {rule.code for rule in RULES if rule.kind == "differs"}
    assert codes <= set(known_codes())
    assert not {rule.id for rule in RULES} & set(known_codes())


def test_every_rewriting_rule_executes_an_example():
    rewriting = [r for r in RULES if isinstance(r, PatternRule | SwapRule)]
    assert rewriting
    assert all(any(e.given and e.after for e in r.examples) for r in rewriting)


NARROW = {"float64": "float32", "complex128": "complex64"}


@pytest.mark.parametrize(
    "rule", [r for r in RULES if isinstance(r, PatternRule | SwapRule)], ids=lambda rule: rule.id
)
def test_single_precision_stays_single_where_it_does(rule):
    """The dtype of a result follows that of the arguments in the same way, or a rule says not."""
    names = rule.match if isinstance(rule, SwapRule) else ()
    known = {word for name in names for d in RuleSet.load().differs(name) for word in d.when}
    if known & {"single-precision", "not-double"}:
        pytest.skip("another rule says so")
    for example in rule.examples:
        if not example.given or example.after is None:
            continue
        given = {
            name: re.sub("float64|complex128", lambda m: NARROW[m[0]], value)
            if isinstance(value, str)
            else value
            for name, value in example.given.items()
        }
        before, after = (
            run_example(code, make_inputs(given)) for code in (example.before, example.after)
        )
        for name in before.keys() - given.keys():
            assert np.asarray(before[name]).dtype == np.asarray(after[name]).dtype, example.before


def run_example(code, inputs):
    space = {"np": np, "cp": np, **inputs}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(code, space)
    hidden = {"np", "cp", "__builtins__"}
    return {k: v for k, v in space.items() if k not in hidden and not hasattr(v, "__path__")}


def test_rewrites_run_on_the_host_backend():
    code = """
        import gpuport.host
        gpuport.host.install()
        import cupy
        from gpuport.rules import PatternRule, RuleSet, SwapRule
        from gpuport.rules.examples import check_rule
        rules = [r for r in RuleSet.load().all() if isinstance(r, PatternRule | SwapRule)]
        print(len(rules), [message for rule in rules for message in check_rule(rule, cupy)])
    """
    run = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
    )
    number, _, found = run.stdout.strip().partition(" ")
    assert int(number) > 10, run.stderr
    assert found == "[]"


def test_the_rule_in_the_documentation():
    text = (Path(__file__).parents[2] / "docs" / "rules.md").read_text(encoding="utf-8")
    block = re.search(r"```yaml\n(.*?)```", text, re.DOTALL)
    assert block is not None
    assert wrong(block.group(1)) == []


def wrong(text):
    rules, problems = read_rules(textwrap.dedent(text), "r.yaml")
    assert problems.found == []
    return [message for rule in rules for message in check_rule(rule)]


RULE = """
    - id: X1
      name: x
      summary: s
      match: numpy.subtract($A, $B)
      rewrite: {rewrite}
      examples:
        - before: "y = np.subtract(a, b)"
          after: "{after}"
          given: {{a: "float64[3]", b: "float64[3]"}}
"""


def test_a_rewrite_that_computes_something_else_is_found():
    assert "differs" in wrong(RULE.format(rewrite="$B - $A", after="y = b - a"))[0]


def test_an_example_that_comes_out_otherwise_is_found():
    assert "gives 'y = a - b'" in wrong(RULE.format(rewrite="$A - $B", after="y = a-b"))[0]


def test_a_rewrite_that_never_ends_is_found():
    rewrite = "numpy.subtract($A, $B + 0)"
    found = wrong(RULE.format(rewrite=rewrite, after="y = np.subtract(a, b + 0)"))
    assert "second pass" in found[0]


def test_an_effect_that_does_not_happen_is_found():
    found = wrong(
        """
        - id: X2
          name: x
          kind: effect
          summary: s
          match: numpy.sin
          mutates: x
          examples:
            - before: "y = np.sin(a)"
              given: {a: "float64[3]"}
        """
    )
    assert "has changed" in found[0]


OWN_ORDER = [name for rule in RULES if getattr(rule, "own_order", False) for name in rule.match]
OF_TWO = {"solve", "lstsq", "tensordot", "inner", "kron", "matmul", "dot"}


@pytest.mark.parametrize("name", OWN_ORDER)
def test_the_order_of_a_result_is_its_own(name):
    """NumPy is asked: arguments in either order give results in one."""
    function = operator.attrgetter(name.removeprefix("numpy."))(np)
    square = np.arange(16.0).reshape(4, 4) % 7 + 20 * np.eye(4)
    given = [square, np.linalg.inv(square)] if function.__name__ in OF_TWO else [square]
    given = [square[0], square[1]] if function is np.outer else given
    found = [function(*map(order, given)) for order in (np.ascontiguousarray, np.asfortranarray)]
    assert _strides(found[0]) == _strides(found[1]) != []


def _strides(found):
    parts = found if isinstance(found, tuple) else (found,)
    return [part.strides for part in parts if isinstance(part, np.ndarray)]

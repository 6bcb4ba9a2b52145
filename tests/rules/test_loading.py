"""Loading: every error with its place, later rules win, queries by resolved name."""

import pickle
import textwrap

import pytest

from gpuport.rules import RuleError, RuleSet
from gpuport.rules.reading import read_rules

GOOD = """\
- id: X1
  name: two-norm
  summary: s
  match: numpy.linalg.norm($X, $...REST)
  where: {X: array}
  rewrite: cupy.linalg.norm($X, $...REST)
  examples:
    - before: "np.linalg.norm(x)"
"""


def problems(text):
    return [str(p) for p in read_rules(textwrap.dedent(text), "rules/x.yaml")[1].found]


def test_a_right_file_has_no_problems():
    assert problems(GOOD) == []


@pytest.mark.parametrize(
    ("old", "new", "place", "words"),
    [
        ("{X: array}", "{D: array}", "5:11", "where: unknown metavariable 'D'"),
        ("{X: array}", "{X: arry}", "5:14", "did you mean 'array'?"),
        ("summary: s", "sumary: s", "3:3", "unknown key 'sumary'; did you mean 'summary'?"),
        ("summary: s", "summary: [s]", "3:12", "summary: must be text, not a list"),
        ("summary: s", "summary: 3", "3:12", "summary: must be text, not a number"),
        ("summary: s", "name: s", "3:3", "name: given twice, first in line 2"),
        ("id: X1", "id: X 1", "1:7", "letters, digits and hyphens"),
        ("norm($X, $...REST)\n  w", "norm($X\n  w", "4:27", "'(' was never closed"),
        ("norm($X, $...REST)\n  w", "norm($x)\n  w", "4:28", "'$x' is no metavariable"),
        ("norm($X, $...REST)\n  w", "norm($...REST, $X)\n  w", "4:10", "must be the last argument"),
        ("rewrite: cupy", "rewrite: cp", "6:12", "must be written in full"),
        ("$...REST)\n  e", "$Y)\n  e", "6:12", "rewrite: unknown metavariable 'Y'"),
        ("rewrite:", "safety: sure\n  rewrite:", "6:11", "safety: 'sure' is none of"),
        ("np.linalg.norm(x)", "np.linalg.norm(x", "8:15", "before: not Python"),
        ("before", "befor", "8:7", "unknown key 'befor'; did you mean 'before'?"),
        ("- id", "- kind: swop\n  id", "1:9", "kind: 'swop' is none of"),
    ],
)
def test_errors_name_their_place(old, new, place, words):
    assert old in GOOD
    found = problems(GOOD.replace(old, new, 1))
    assert any(p.startswith(f"rules/x.yaml:{place}: ") and words in p for p in found), found


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: [1", "not YAML"),
        ("a: 1", "a list of rules, not a mapping"),
        ("- 3", "a rule is a mapping"),
        ("- id: a\n  kind: host\n", "needs at least one example"),
        ("- &a {x: *a}", "anchors and aliases"),
        ("- !!python/name:os.system {}", "tag"),
        (GOOD + GOOD, "'X1' is used twice, first in line 1"),
        (
            GOOD.replace("  rewrite: cupy.linalg.norm($X, $...REST)\n", "  kind: pattern\n"),
            "manual",
        ),
        ("- id: \x00", "not YAML"),
    ],
)
def test_other_errors(text, words):
    assert any(words in p for p in problems(text)), problems(text)


DIFFERS = """\
- id: X2
  name: floor
  kind: differs
  summary: s
  match: numpy.floor_divide
  code: GP503
  when: [float-operands]
  then: instead
  instead: mine.floor_divide
  message: m
  examples:
    - before: "np.floor_divide(a, b)"
"""


def test_what_is_called_instead_is_known(tmp_path):
    assert problems(DIFFERS) == []
    (tmp_path / "mine.yaml").write_text(DIFFERS)
    assert "mine.floor_divide" in RuleSet.load([tmp_path]).stand_ins


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("  instead: mine.floor_divide\n", "", "8:9: then: `instead` needs the key"),
        ("then: instead", "then: host", "8:9: then: `instead` needs the key"),
        ("mine.floor_divide", "x // y", "9:12: instead: 'x // y' is no dotted name"),
    ],
)
def test_what_is_called_instead_is_named(old, new, words):
    found = problems(DIFFERS.replace(old, new, 1))
    assert any(words in p for p in found), found


def test_all_errors_of_a_folder_come_together(tmp_path):
    (tmp_path / "a.yaml").write_text("- 3\n- 4\n")
    (tmp_path / "b.yml").write_bytes(b"\xff\xfe\xfa")
    with pytest.raises(RuleError) as caught:
        RuleSet.load([tmp_path])
    assert [p.line for p in caught.value.problems] == [1, 2, 1]
    assert "b.yml:1:1: is not UTF-8" in str(caught.value)
    assert pickle.loads(pickle.dumps(caught.value)).problems == caught.value.problems


def test_a_missing_folder_is_an_error(tmp_path):
    with pytest.raises(RuleError, match="no such file or folder"):
        RuleSet.load([tmp_path / "none"])


def test_a_later_rule_replaces_an_earlier_one(tmp_path):
    (tmp_path / "mine.yaml").write_text(
        "- id: host-print\n  name: x\n  kind: host\n  summary: s\n  match: mine.*\n"
        "  examples: [{before: mine.f()}]\n"
        "- id: host-builtin-print\n  name: x\n  kind: host\n  summary: mine\n"
        "  match: builtins.print\n  examples: [{before: print(1)}]\n"
    )
    rules = RuleSet.load([tmp_path])
    assert rules.host("builtins.print").summary == "mine"
    assert rules.host("mine.a.b").id == "host-print"
    assert RuleSet.load().host("builtins.print").summary != "mine"


def test_disabled_rules_are_gone_and_unknown_ones_an_error():
    assert RuleSet.load().patterns("numpy.linalg.svdvals")
    assert not RuleSet.load(disable=["svdvals"]).patterns("numpy.linalg.svdvals")
    assert not RuleSet.load(disable=["GP114"]).patterns("numpy.linalg.svdvals")
    with pytest.raises(RuleError, match="unknown rule 'GP1114'; did you mean 'GP114'"):
        RuleSet.load(disable=["GP1114"])


def test_the_longest_name_counts():
    rules = RuleSet.load()
    assert rules.host("matplotlib.pyplot.plot").id == "host-matplotlib-copies"
    assert rules.host("matplotlib.pyplot.annotate").id == "host-matplotlib"
    assert rules.host("matplotlib.pyplot.imread").id == "host-image-read"
    assert rules.host("matplotlib") is None
    assert rules.host("pandas.read_csv").returns == "unknown"
    assert rules.effect("numpy.sin").mutates == ("out",)
    assert rules.effect("numpy.ndarray.sort").mutates == ("self",)
    assert rules.effect("numpy.ravel").view
    assert {r.code for r in rules.differs("numpy.linalg.inv")} == {"GP505"}
    assert rules.host("numpy.random.default_rng").returns == "instance:numpy.random.Generator"


def test_every_public_name_of_numpy_random_has_a_host_rule():
    import numpy as np

    rules = RuleSet.load()
    for prefix, owner in (
        ("numpy.random", np.random),
        ("numpy.random.Generator", np.random.Generator),
        ("numpy.random.RandomState", np.random.RandomState),
    ):
        for name in dir(owner):
            if not name.startswith("_") and name != "bit_generator":
                assert rules.host(f"{prefix}.{name}") is not None, f"{prefix}.{name}"


def test_unsafe_swaps_are_given_only_where_asked_for():
    rules = RuleSet.load()
    assert rules.swap("numpy.linalg.tensordot").to == "cupy.tensordot"
    assert rules.swap("numpy.linalg.outer") is None
    assert rules.swap("numpy.linalg.outer", unsafe=True).to == "cupy.outer"

import pytest

from gpuport.source.reading import parse
from gpuport.source.suppression import Suppressions

SOURCE = '''\
"""Say # gpuport: skip-file in a string."""
x = 1  # gpuport: skip
text = "# gpuport: skip"
y = f(
    1,  # gpuport: skip
    2,
)
# gpuport: skip
z = 3
w = 4


@decorated
def held(
    a,
):  # gpuport: skip
    body = 1

    def inner():
        return 2


def free():
    if a:  # noqa  # gpuport: ignore[GP203, gp5]
        return 3


class Held:  # gpuport: skip
    def method(self):
        pass


last = 1
'''


def of(text: str) -> Suppressions:
    return Suppressions.of(parse("x.py", text))


def line(needle: str) -> int:
    return next(n for n, text in enumerate(SOURCE.splitlines(), 1) if needle in text)


@pytest.mark.parametrize(
    "needle",
    ["x = 1", "y = f(", "    1,", "    2,", "z = 3", "@decorated", "body = 1", "return 2", "pass"],
)
def test_skipped(needle: str):
    assert of(SOURCE).skipped(line(needle))


@pytest.mark.parametrize(
    "needle", ["Say #", "text =", "w = 4", "def free", "if a", "return 3", "last = 1"]
)
def test_not_skipped(needle: str):
    assert not of(SOURCE).skipped(line(needle))


def test_ignored_codes_hold_on_their_statement_only():
    found = of(SOURCE)
    where = line("if a")
    assert found.ignored("GP203", where)
    assert found.ignored("GP501", where)
    assert not found.ignored("GP204", where)
    assert not found.ignored("GP203", where + 1)
    assert not found.problems


def test_ignore_on_a_def_holds_inside():
    found = of("def f(x):  # gpuport: ignore[GP1]\n    return x\n\ny = 1\n")
    assert found.ignored("GP102", 2)
    assert not found.ignored("GP102", 4)


def test_ignore_without_codes_is_all_codes():
    assert of("x = 1  # gpuport: ignore\n").ignored("GP999", 1)


def test_skip_file_is_a_comment_not_a_string():
    assert of("# gpuport: skip-file\n").skip_file
    assert not of("x = '''\n# gpuport: skip-file\n'''\n").skip_file


@pytest.mark.parametrize("word", ["skipp", "skip-files", "ignore[203]", "ignore[]", "", "noport"])
def test_what_is_not_understood_is_told(word: str):
    found = of(f"x = 1  # gpuport: {word}\n")
    assert [where for where, _ in found.problems] == [1]
    assert not found.skipped(1)
    assert not found.ignored("GP203", 1)


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_other_line_endings(ending: str):
    found = of(f"a = 1{ending}b = 2  # gpuport: skip{ending}c = 3{ending}")
    assert [found.skipped(n) for n in (1, 2, 3)] == [False, True, False]

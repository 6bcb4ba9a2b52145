from pathlib import Path

import pytest

from gpuport.config import Config, ConfigError, find_pyproject, load


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def configure(project: Path, body: str) -> None:
    (project / "pyproject.toml").write_text(f"[tool.gpuport]\n{body}\n")


def test_defaults_where_nothing_is_said(project: Path):
    assert load(None, {}) == Config()
    assert Config().table == "cupy-14"


def test_the_file_speaks_and_the_command_line_wins(project: Path):
    configure(project, 'cupy = 13\nboundary = "device"\nunsafe = true\noutput-format = "json"')
    config = load(None, {"boundary": "none", "unsafe": None})
    assert (config.table, config.boundary, config.unsafe) == ("cupy-13", "none", True)
    assert config.output_format == "json"
    assert config.root == project


def test_rule_folders_are_relative_to_the_file(project: Path):
    configure(project, 'rules = ["gpu_rules"]')
    (project / "sub").mkdir()
    assert load("sub", {}).rules == (str(project / "gpu_rules"),)


def test_the_nearest_file_with_a_table_counts(project: Path):
    configure(project, "jobs = 2")
    (project / "sub").mkdir()
    (project / "sub" / "pyproject.toml").write_text("[project]\nname = 'sub'\n")
    assert load("sub/x.py", {}).jobs == 2
    assert find_pyproject(project / "sub") == project / "pyproject.toml"


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ("boundry = 'match'", ["boundry", "did you mean 'boundary'"]),
        ("output_format = 'text'", ["output_format", "did you mean 'output-format'"]),
        ("xyzzy = 1", ["xyzzy", "known keys"]),
        ("boundary = 'both'", ["boundary", "match, device, none"]),
        ("style = 'terse'", ["style", "kernels, plain"]),
        ("cupy = 12", ["cupy", "13, 14"]),
        ("unsafe = 1", ["unsafe", "true or false"]),
        ("select = 'GP1'", ["select", "list of strings"]),
        ("jobs = -1", ["jobs", "number of processes"]),
        ("jobs = true", ["jobs"]),
        ("x = ", ["not valid TOML"]),
        (f"x = {'[' * 100_000}", ["nested too deeply"]),
        ("jobs = 100000", ["jobs", "up to 256"]),
        ('output-file = ""', ["output-file", "name of a file"]),
    ],
)
def test_mistakes_name_the_file_and_the_key(project: Path, body: str, words: list[str]):
    configure(project, body)
    with pytest.raises(ConfigError) as caught:
        load(None, {})
    for word in ["pyproject.toml", *words]:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("select", "ignore", "reported"),
    [
        ((), (), True),
        (("GP1",), (), True),
        (("GP2",), (), False),
        ((), ("GP1",), False),
        (("GP102",), ("GP1",), True),
        (("GP1",), ("GP102",), False),
        (("GP102",), ("GP102",), False),
    ],
)
def test_the_longer_of_select_and_ignore_decides(
    select: tuple[str, ...], ignore: tuple[str, ...], reported: bool
):
    assert Config(select=select, ignore=ignore).reports("GP102") is reported

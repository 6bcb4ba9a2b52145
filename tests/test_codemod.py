"""The LibCST codemod command makes the edits of ``gpuport rewrite``, byte for byte."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import libcst
import pytest
from libcst.codemod import CodemodContext, SkipFile

from gpuport import engine, porter
from gpuport.codemod import PortToCuPy
from gpuport.config import Config
from gpuport.source.reading import SourceError, decode

FIXTURES = Path(__file__).parents[1] / "fixtures"
SCRIPT = """\
import numpy as np


def smooth(signal: np.ndarray) -> np.ndarray:
    # keep the comment
    return np.convolve(signal, np.ones(3) / 3,  mode="same")


print(smooth(np.linspace(0.0, 1.0, 50)))
"""
SOURCES = {
    "plain": SCRIPT.encode(),
    "crlf": SCRIPT.replace("\n", "\r\n").encode(),
    "bom": b"\xef\xbb\xbf" + SCRIPT.encode(),
    "latin-1": ("# -*- coding: latin-1 -*-\n" + SCRIPT.replace("keep", "gardé")).encode("latin-1"),
    "no final newline": SCRIPT.rstrip().encode(),
    "tabs": SCRIPT.replace("    ", "\t").encode(),
    "skip-file": b"# gpuport: skip-file\n" + SCRIPT.encode(),
    "no numpy": b"x = 1\n",
    "empty": b"",
}


def ported_by_engine(data: bytes, config: Config) -> bytes:
    report, out = porter.port_stream(data, config)
    assert report.error is None, report.error
    return out


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("boundary", ["match", "device", "none"])
def test_same_bytes_as_the_engine(name, boundary):
    data = SOURCES[name]
    tree = PortToCuPy(CodemodContext(), boundary=boundary).transform_module(
        libcst.parse_module(data)
    )
    assert tree.bytes == ported_by_engine(data, Config(boundary=boundary))
    if name in ("skip-file", "no numpy", "empty"):
        assert tree.bytes == data
    else:
        assert b"import cupy as cp" in tree.bytes


@pytest.mark.sampled(6)
@pytest.mark.parametrize("path", sorted(FIXTURES.rglob("*.py")), ids=lambda path: path.stem)
def test_same_bytes_as_the_engine_on_the_fixtures(path):
    data = path.read_bytes()
    tree = PortToCuPy(CodemodContext(), boundary="match").transform_module(
        libcst.parse_module(data)
    )
    assert tree.bytes == ported_by_engine(data, Config(boundary="match"))


@pytest.mark.parametrize("how", ["external", "configured"])
def test_command_line(tmp_path, how):
    by_codemod, by_rewrite = tmp_path / "codemod" / "a.py", tmp_path / "rewrite" / "a.py"
    for path in (by_codemod, by_rewrite):
        path.parent.mkdir()
        path.write_bytes(SOURCES["crlf"])
    command = ["-x", "gpuport.codemod.PortToCuPy"]
    if how == "configured":
        by_codemod.with_name(".libcst.codemod.yaml").write_text("modules: [gpuport]\n")
        command = ["codemod.PortToCuPy"]
    commands = {
        by_codemod: ["-m", "libcst.tool", "codemod", "--no-format", *command],
        by_rewrite: ["-c", "from gpuport.cli.main import main; main()", "rewrite"],
    }
    environment = {**os.environ, "PYTHONPATH": str(Path(engine.__file__).parents[1])}
    for path, command in commands.items():
        arguments = ["--boundary", "device", path.name]
        done = subprocess.run(
            [sys.executable, *command, *arguments],
            cwd=path.parent, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr + done.stdout
    assert by_codemod.read_bytes() == by_rewrite.read_bytes()
    assert b'boundary="device"' in by_codemod.read_bytes()


def test_findings_that_are_not_information_become_warnings():
    source = (
        "import numpy as np\n\n\ndef f(x: np.ndarray):\n    return np.geomspace(1, 2, len(x))\n"
    )
    context = CodemodContext(filename="kept.py")
    codemod = PortToCuPy(context)
    codemod.transform_module(libcst.parse_module(source))
    report = porter.port_text("kept.py", decode(source.encode()), Config())
    expected = [f for f in report.findings if f.severity.value != "info"]
    assert len(codemod.context.warnings) == len(expected)
    for warning, finding in zip(codemod.context.warnings, expected, strict=True):
        assert warning.startswith(f"kept.py:{finding.span.line}:{finding.span.column}: ")
        assert finding.message in warning


def test_configuration_beside_the_file_is_read(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.gpuport]\nboundary = "device"\n')
    file = tmp_path / "a.py"
    file.write_bytes(SOURCES["plain"])
    context = CodemodContext(filename=str(file))
    tree = PortToCuPy(context).transform_module(libcst.parse_module(SOURCES["plain"]))
    assert tree.bytes == ported_by_engine(SOURCES["plain"], Config(boundary="device"))


def test_file_that_libcst_would_damage_is_left_alone(tmp_path):
    data = b"import numpy as np\ny = np.ones(3)\r\nz = 3\r"
    file = tmp_path / "mixed.py"
    file.write_bytes(data)
    tree = libcst.parse_module(data)
    assert tree.bytes != data
    with pytest.raises(SkipFile, match=r"mixed\.py: LibCST does not keep all its bytes"):
        PortToCuPy(CodemodContext(filename=str(file))).transform_module(tree)


def test_file_that_the_engine_cannot_handle_is_an_error(monkeypatch):
    def fail(*args, **kwargs):
        raise RecursionError

    monkeypatch.setattr(porter, "_port", fail)
    with pytest.raises(SourceError, match="nested too deeply"):
        PortToCuPy(CodemodContext()).transform_module(libcst.parse_module(SCRIPT))

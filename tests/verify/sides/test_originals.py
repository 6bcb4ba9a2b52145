"""Originals of an earlier revision."""

from __future__ import annotations

import subprocess
import tarfile
from pathlib import Path

import pytest

from gpuport.verify.sides.originals import laid_out


@pytest.mark.parametrize("filters", [True, False])
def test_a_revision_is_laid_out_with_pythons_that_have_no_filters(
    filters: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python 3.11.2 of Debian 12: `extractall` has no ``filter``."""
    project, scratch = tmp_path / "project", tmp_path / "scratch"
    project.mkdir()
    (project / "m.py").write_text("x = 1\n")
    user = ("-c", "user.name=a", "-c", "user.email=a@b.c")
    for words in (("init", "-q"), ("add", "."), (*user, "commit", "-qm", "first")):
        subprocess.run(["git", *words], cwd=project, check=True)
    if not filters:
        whole = tarfile.TarFile.extractall
        monkeypatch.delattr(tarfile, "data_filter", raising=False)
        monkeypatch.setattr(tarfile.TarFile, "extractall", lambda self, path: whole(self, path))
    (project / "m.py").write_text("x = 2\n")
    assert (laid_out(None, project, scratch) / "m.py").read_text() == "x = 1\n"

"""Which modules are a version's own, and which both versions share."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from gpuport.verify.sides.sides import Side


def package(folder: Path, name: str, text: str) -> Path:
    (folder / name).mkdir(parents=True)
    (folder / name / "__init__.py").write_text(text)
    (folder / name / "part.py").write_text("VALUE = object()\n")
    return folder / name / "__init__.py"


def sides(root: Path, module: str, file: Path, scratch: Path) -> tuple[Side, Side]:
    found = []
    for name in ("first", "second"):
        (scratch / name).mkdir(parents=True)
        side = Side(root, module, file, scratch / name)
        side.load()
        found.append(side)
    return found[0], found[1]


@pytest.mark.parametrize("installed", ["site-packages", "dist-packages"])
def test_packages_installed_beside_are_loaded_once(
    tmp_path: Path, installed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    other, own = f"gp_other_{installed[:4]}", f"gp_own_{installed[:4]}"
    root = tmp_path / installed
    package(root, other, "")
    text = f"from {other} import part as other\nfrom {own} import part\n"
    file = package(root, own, text)
    first, second = sides(root, own, file, tmp_path / "scratch")
    try:
        assert first.module is not None
        assert second.module is not None
        assert first.module.other.VALUE is second.module.other.VALUE
        assert first.module.part.VALUE is not second.module.part.VALUE
    finally:
        for name in [n for n in sys.modules if n.partition(".")[0] in (own, other)]:
            del sys.modules[name]


def test_a_virtual_environment_inside_the_project_is_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    places = tmp_path / ".venv" / "lib" / "site-packages"
    package(places, "gp_library", "")
    monkeypatch.syspath_prepend(str(places))
    (tmp_path / "gp_sibling.py").write_text("VALUE = object()\n")
    file = tmp_path / "gp_script.py"
    file.write_text("import gp_library.part\nimport gp_sibling\n")
    first, second = sides(tmp_path, "gp_script", file, tmp_path / "scratch")
    try:
        assert set(first.modules) == {"_gpuport_verified_gp_script", "gp_sibling"}
        assert first.modules["gp_sibling"] is not second.modules["gp_sibling"]
    finally:
        for name in [n for n in sys.modules if n.startswith("gp_library")]:
            del sys.modules[name]

"""The registry of findings, its pages, and the schema of rule files."""

import json
from pathlib import Path

import jsonschema
import pytest
import yaml

from gpuport._data import rules_folder
from gpuport.rules.findings import known_codes, page, pages
from gpuport.rules.schema import schema

ROOT = Path(__file__).parents[2]
FILES = [p for p in rules_folder().rglob("*.yaml")
         if p.parent != rules_folder() and p.parent.name != "api"]  # fmt: skip


def test_pages_are_in_step_with_the_registry():
    folder = ROOT / "docs" / "findings"
    written = {p.name: p.read_text(encoding="utf-8") for p in folder.iterdir()}
    assert written == pages(), "run: python -m gpuport.rules.findings --write docs/findings"


def test_every_code_has_a_page_and_rules_have_too():
    assert all(f"# {code}: " in page(code) for code in known_codes())
    assert page("missing-in-cupy") == page("GP102") == page("gp102")
    assert "multi_dot" in page("GP112")
    assert page("GP000") is None


def test_the_schema_is_in_step_with_the_model():
    written = json.loads((rules_folder() / "schema.json").read_text())
    assert written == schema(), "run: python -m gpuport.rules.schema > rules/schema.json"


@pytest.mark.parametrize("path", FILES, ids=lambda p: p.stem)
def test_shipped_rules_obey_the_schema(path):
    jsonschema.Draft202012Validator(schema()).validate(yaml.safe_load(path.read_text()))


def test_the_schema_refuses_unknown_keys():
    validator = jsonschema.Draft202012Validator(schema())
    good = {"id": "a", "name": "b", "kind": "host", "summary": "s", "match": "x.y",
            "examples": [{"before": "x"}]}  # fmt: skip
    assert validator.is_valid([good])
    assert not validator.is_valid([good | {"sumary": "s"}])
    assert not validator.is_valid([good | {"examples": []}])

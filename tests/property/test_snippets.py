"""Single statements that are easy to get wrong, in functions of arrays, in drivers, in scripts."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

FILES = sorted((Path(__file__).parent / "snippets").glob("*.txt"))
CONTEXTS = ("parameters", "annotated", "locals", "script")
EVERYTHING = "GPUPORT_PROPERTY_ALL" in os.environ


def cases():
    """All snippets; each in one of the surroundings in turn, or in all of them."""
    for file in FILES:
        snippets = re.split(r"\n\n+", file.read_text(encoding="utf-8").strip("\n"))
        for number, snippet in enumerate(snippets):
            for turn, context in enumerate(CONTEXTS):
                if EVERYTHING or (number + turn) % len(CONTEXTS) == 0:
                    title = snippet.replace("\n", "; ")[:60]
                    yield pytest.param(snippet, context, id=f"{file.stem}-{title}-{context}")


@pytest.mark.sampled(10)
@pytest.mark.parametrize(("snippet", "context"), list(cases()))
def test_a_statement_keeps_its_meaning(snippet, context, examine, in_context):
    found = examine(in_context(snippet, context))
    if found.original.error is not None:  # e.g. np.asarray of a ragged list in the script
        assert found.port is not None
        assert found.port.error is not None, "the original raises, the port does not"
        return
    assert found.faults == (), found.after

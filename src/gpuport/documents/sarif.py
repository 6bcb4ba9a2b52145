"""Notices as SARIF 2.1.0, which code scanning services and editors read.

The format: https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from gpuport import __version__
from gpuport.documents.notices import Notice, Topic, one_line

_SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"


def render(notices: Sequence[Notice], topics: Iterable[Topic], errors: Sequence[str]) -> str:
    """A log with one run.

    Parameters
    ----------
    notices : sequence of Notice
        The results.
    topics : iterable of Topic
        What the codes mean; those that no notice has are left out.
    errors : sequence of str
        What could not be handled.
    """
    met = {notice.code for notice in notices}
    rules = [_rule(topic) for topic in topics if topic.code in met]
    place = {rule["id"]: index for index, rule in enumerate(rules)}
    run = {
        "tool": {"driver": {"name": "gpuport", "version": __version__, "rules": rules}},
        "columnKind": "unicodeCodePoints",
        "invocations": [
            {
                "executionSuccessful": not errors,
                "toolExecutionNotifications": [
                    {"level": "error", "message": {"text": error}} for error in errors
                ],
            }
        ],
        "results": [_result(notice, place) for notice in notices],
    }
    return json.dumps({"$schema": _SCHEMA, "version": "2.1.0", "runs": [run]}, indent=1) + "\n"


def _rule(topic: Topic) -> dict[str, Any]:
    return {
        "id": topic.code,
        "name": topic.name,
        "shortDescription": {"text": topic.summary},
        "fullDescription": {"text": topic.explanation},
        "defaultConfiguration": {"level": topic.level.value},
    }


def _result(notice: Notice, place: dict[str, int]) -> dict[str, Any]:
    text = one_line(notice.message)
    if notice.help:
        text += f"\nhelp: {one_line(notice.help)}"
    location: dict[str, Any] = {"artifactLocation": _artifact(notice.path)}
    if notice.line:
        location["region"] = _region(notice)
    result: dict[str, Any] = {
        "ruleId": notice.code,
        "level": notice.level.value,
        "message": {"text": text},
        "locations": [{"physicalLocation": location}],
    }
    if notice.code in place:
        result["ruleIndex"] = place[notice.code]
    return result


def _artifact(path: str) -> dict[str, Any]:
    if Path(path).is_absolute():
        return {"uri": Path(path).as_uri()}
    return {"uri": quote(Path(path).as_posix()), "uriBaseId": "%SRCROOT%"}


def _region(notice: Notice) -> dict[str, Any]:
    region: dict[str, Any] = {"startLine": notice.line}
    if notice.end_line > notice.line:
        region["endLine"] = notice.end_line
    if notice.column is not None:
        region["startColumn"] = notice.column
    if notice.end_column is not None:
        region["endColumn"] = notice.end_column
    return region

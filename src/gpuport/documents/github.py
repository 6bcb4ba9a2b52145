"""Notices as commands of GitHub's workflows, which shows them beside the lines of a pull request.

The format: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gpuport.documents.notices import Level, Notice, one_line

_COMMANDS = {Level.ERROR: "error", Level.WARNING: "warning", Level.NOTE: "notice"}


def render(notices: Iterable[Notice], errors: Sequence[str]) -> str:
    """One line for each error and each notice."""
    lines = [f"::error title=gpuport::{_escaped(error)}" for error in errors]
    return "".join(f"{line}\n" for line in (*lines, *map(_command, notices)))


def _command(notice: Notice) -> str:
    properties: dict[str, object] = {"title": f"gpuport {notice.code}", "file": notice.path}
    if notice.line:
        properties["line"] = notice.line
        properties["endLine"] = max(notice.end_line, notice.line)
        # Columns of several lines mean nothing there.
        if notice.column is not None and notice.end_line <= notice.line:
            properties["col"] = notice.column
            properties["endColumn"] = notice.end_column
    given = ",".join(f"{key}={_property(value)}" for key, value in properties.items())
    message = one_line(notice.message)
    if notice.help:
        message += f"\nhelp: {one_line(notice.help)}"
    place = f"{notice.path}:{notice.line}: " if notice.line else f"{notice.path}: "
    return f"::{_COMMANDS[notice.level]} {given}::{_escaped(place + message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(value: object) -> str:
    return _escaped(str(value)).replace(":", "%3A").replace(",", "%2C")

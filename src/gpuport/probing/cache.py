"""Answers of earlier runs, in a file of the user's cache folder.

The file is a database of SQLite, which several processes may use at once. It holds texts of JSON
under hashes of questions, and nothing that is run. Where it cannot be read or written, questions
are asked anew: that is never an error.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Mapping
from pathlib import Path

FOLDER = "GPUPORT_CACHE_DIR"
"""Environment variable: the folder of the cache."""
NO_CACHE = "GPUPORT_NO_CACHE"
"""Environment variable: neither read nor write the cache, if it is set to anything."""
_FILE = "answers.sqlite3"
_LAYOUT = 1
_MOST_BYTES = 32 * 2**20
_PATIENCE = 2.0
"""Seconds to wait for another process that writes."""
_OF_OTHERS: list[sqlite3.Connection] = []


def folder() -> Path | None:
    """Folder of the cache; None where there is none to be used."""
    if os.environ.get(NO_CACHE):
        return None
    given = os.environ.get(FOLDER)
    if given:
        return Path(given)
    from platformdirs import user_cache_path

    return user_cache_path("gpuport", appauthor=False)


class Cache:
    """Answers by the hash of their question.

    Parameters
    ----------
    place : pathlib.Path or None
        Its folder, which is made when something is kept; None: nothing is.
    """

    def __init__(self, place: Path | None) -> None:
        self._place = place
        self._connection: sqlite3.Connection | None = None
        self._failed = place is None

    def get(self, key: bytes) -> str | None:
        """The answer that was kept; None without one."""
        connection = self._opened(make=False)
        if connection is None:
            return None
        try:
            row = connection.execute("SELECT answer FROM answers WHERE key = ?", (key,)).fetchone()
        except sqlite3.Error as error:
            self._give_up(error)
            return None
        return row[0] if row is not None and isinstance(row[0], str) else None

    def put(self, answers: Mapping[bytes, tuple[str, str]]) -> None:
        """Keep answers, each with its edition, all of them or none."""
        connection = self._opened(make=True) if answers else None
        if connection is None:
            return
        rows = [(key, kept_for, text) for key, (kept_for, text) in answers.items()]
        try:
            with connection:
                connection.executemany("INSERT OR REPLACE INTO answers VALUES (?, ?, ?)", rows)
            self._bound(connection, {kept_for for _, kept_for, _ in rows})
        except sqlite3.Error as error:
            self._give_up(error)

    def close(self) -> None:
        """Let go of the file."""
        if self._connection is not None:
            self._connection.close()
        self._connection = None

    def disown(self) -> None:
        """Let go of a file that another process opened, of which this one is a copy."""
        if self._connection is not None:
            _OF_OTHERS.append(self._connection)  # closing it would take the other's locks away
        self._failed, self._connection = True, None

    def _opened(self, *, make: bool) -> sqlite3.Connection | None:
        if self._connection is not None or self._failed or self._place is None:
            return self._connection
        file = self._place / _FILE
        try:
            if not make and not file.is_file():
                return None
            self._place.mkdir(mode=0o700, parents=True, exist_ok=True)
            self._connection = _connected(file)
        except (OSError, sqlite3.Error) as error:
            self._give_up(error)
        return self._connection

    def _give_up(self, error: Exception) -> None:
        """Go on without the file; one that is damaged is removed."""
        with contextlib.suppress(sqlite3.Error):
            self.close()
        self._failed = True
        damaged = isinstance(error, sqlite3.DatabaseError) and not isinstance(
            error, sqlite3.OperationalError
        )
        if damaged and self._place is not None:
            with contextlib.suppress(OSError):
                (self._place / _FILE).unlink()

    def _bound(self, connection: sqlite3.Connection, current: set[str]) -> None:
        """Forget answers of other versions where the file has become large; or else all."""
        others = f"edition NOT IN ({', '.join('?' * len(current))})"
        for condition, given in ((others, tuple(current)), ("true", ())):
            if _size(connection) <= _MOST_BYTES:
                return
            with connection:
                connection.execute(f"DELETE FROM answers WHERE {condition}", given)
            connection.execute("VACUUM")


def _connected(file: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(file, timeout=_PATIENCE, check_same_thread=False)
    (layout,) = connection.execute("PRAGMA user_version").fetchone()
    if layout != _LAYOUT:
        with connection:
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("DROP TABLE IF EXISTS answers")
            connection.execute(
                "CREATE TABLE answers (key BLOB PRIMARY KEY, edition TEXT, answer TEXT) "
                "WITHOUT ROWID"
            )
            connection.execute(f"PRAGMA user_version = {_LAYOUT}")
    return connection


def _size(connection: sqlite3.Connection) -> int:
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (each,) = connection.execute("PRAGMA page_size").fetchone()
    return int(pages) * int(each)


__all__ = ["FOLDER", "NO_CACHE", "Cache", "folder"]

"""Asking: what is known already, what earlier runs found out, and the worker process."""

from __future__ import annotations

import atexit
import json
import os
import time
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from threading import Lock
from typing import Any

from gpuport.probing.cache import Cache, folder
from gpuport.probing.editions import edition
from gpuport.probing.process import Process
from gpuport.probing.questions import ProbingError, Question

_UNKNOWN = "null"
"""The answer to a question that no worker survives."""
_MOST_REMEMBERED = 50_000
_SECONDS_UNSAVED = 2.0


class Service:
    """Answers questions for one process; each has a worker of its own, once it needs one."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._lock = Lock()
        self._cache = Cache(folder())
        self._process: Process | None = None
        self._known: dict[bytes, str] = {}
        self._unsaved: dict[bytes, tuple[str, str]] = {}
        self._saved_at = time.monotonic()

    def ask_all(self, questions: Sequence[Question]) -> list[Any]:
        """The answers, in order; None for each that no worker survived.

        Raises
        ------
        ProbingError
            If no worker can be started, or a prober has a defect.
        """
        with self._lock:
            keys = [_key(question) for question in questions]
            missing = {
                key: question for key, question in zip(keys, questions, strict=True)
                if key not in self._known and not self._remember(key)
            }  # fmt: skip
            self._find_out(missing)
            answers = [json.loads(self._known[key]) for key in keys]
            if len(self._known) > _MOST_REMEMBERED:
                self._known.clear()
            if self._unsaved and time.monotonic() - self._saved_at > _SECONDS_UNSAVED:
                self._save()
            return answers

    def save(self) -> None:
        """Keep on disk what was found out."""
        with self._lock:
            self._save()

    def close(self) -> None:
        """Keep on disk what was found out, and end the worker."""
        with self._lock:
            self._save()
            self._cache.close()
            if self._process is not None:
                self._process.end()
                self._process = None

    def belongs_here(self) -> bool:
        """Whether this is the process that made it, and not a copy of that."""
        return self._owner == os.getpid()

    def disown(self) -> None:
        """Let go of what belongs to the process of which this one is a copy."""
        self._cache.disown()
        if self._process is not None:
            self._process.disown()

    def _remember(self, key: bytes) -> bool:
        """Whether an earlier run found it out."""
        text = self._cache.get(key)
        if text is None or not _is_json(text):
            return False
        self._known[key] = text
        return True

    def _find_out(self, questions: dict[bytes, Question]) -> None:
        """Ask the worker; one that dies is followed by another.

        The question of which an old worker died, or at which it failed, is asked a fresh one again:
        another one may have damaged its memory.
        """
        left = list(questions.items())
        while left:
            process = self._process = self._process or Process()
            answers = process.answers([question for _, question in left])
            try:
                for text in self._whole(answers):
                    key, question = left[0]
                    if text is None:
                        self._process = None
                        if process.answered:
                            break
                        text = _UNKNOWN
                    self._known[key] = text
                    self._unsaved[key] = edition(question.prober), text
                    left.pop(0)
            except ProbingError:
                if not process.answered:
                    raise

    def _whole(self, answers: Iterator[str | None]) -> Iterator[str | None]:
        """Answers of a worker that is ended where not all are heard: it would answer too late."""
        try:
            yield from answers
        except BaseException:
            if self._process is not None:
                self._process.end()
                self._process = None
            raise

    def _save(self) -> None:
        self._cache.put(self._unsaved)
        self._unsaved = {}
        self._saved_at = time.monotonic()


def _key(question: Question) -> bytes:
    text = f"{edition(question.prober)} {question.text}"
    return blake2b(text.encode(errors="surrogatepass"), digest_size=16).digest()


def _is_json(text: str) -> bool:
    try:
        json.loads(text)
    except ValueError:
        return False
    return True


_services: list[Service] = []


def ask_all(questions: Sequence[Question]) -> list[Any]:
    """Ask several things at once; as `Service.ask_all`."""
    return _service().ask_all(questions)


def ask(question: Question) -> Any:
    """Ask one thing; None where no worker survives it."""
    return ask_all([question])[0]


def save() -> None:
    """Keep on disk what this process found out since the last time."""
    if _services:
        _service().save()


def close() -> None:
    """Keep what was found out, and end the worker; the next question starts another one."""
    if _services and _services[0].belongs_here():
        _services.pop().close()


def _service() -> Service:
    if _services and not _services[0].belongs_here():
        _services.pop().disown()
    if not _services:
        _services.append(Service())
    return _services[0]


atexit.register(close)

__all__ = ["Service", "ask", "ask_all", "close", "save"]

"""Libraries are asked where they harm nobody, once."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys

import pytest

from gpuport.probing.questions import NoWorker, ProbingError


def test_a_question_that_ends_the_process_is_unknown_and_the_others_are_answered(unruly, service):
    questions = [unruly.question(kind) for kind in ("first", "dies", "last")]
    assert service().ask_all(questions) == [["first"], None, ["last"]]


def test_what_was_found_out_is_not_asked_again_by_another_run(unruly, service):
    questions = [unruly.question(kind) for kind in ("plain", "dies")]
    found = service().ask_all(questions)
    before = unruly.asked
    assert service().ask_all(questions) == found == [["plain"], None]
    assert unruly.asked == before


@pytest.mark.parametrize("harmed", ["suffers", "stumbles"])
def test_who_dies_or_fails_of_what_another_question_did_is_asked_again(unruly, service, harmed):
    questions = [unruly.question(kind) for kind in ("damages", harmed)]
    assert service().ask_all(questions) == [["damages"], [harmed]]


def test_nothing_that_a_library_prints_is_seen_and_there_is_nothing_to_read(unruly, service, capfd):
    questions = [unruly.question(kind) for kind in ("prints", "reads")]
    assert service().ask_all(questions) == [["prints"], ["", ""]]
    assert capfd.readouterr() == ("", "")


def test_a_library_that_ends_the_program_says_nothing(unruly, service):
    assert service().ask_all([unruly.question("leaves")]) == [None]


def test_a_defect_of_a_prober_is_no_answer(unruly, service):
    one = service()
    with pytest.raises(ProbingError, match="a defect"):
        one.ask_all([unruly.question("fails"), unruly.question("never asked")])
    assert one.ask_all([unruly.question("plain")]) == [["plain"]]


def test_a_worker_that_does_not_start_is_told(unruly, service, monkeypatch):
    (unruly.folder / "json.py").write_text("raise SystemExit")
    with pytest.raises(NoWorker, match="does not start"):
        service().ask_all([unruly.question("plain")])


def test_without_a_cache_nothing_is_kept(unruly, service, monkeypatch, tmp_path):
    monkeypatch.setenv("GPUPORT_NO_CACHE", "1")
    for _ in range(2):
        service().ask_all([unruly.question("plain")])
    assert unruly.asked == ["plain"] * 2
    assert not (tmp_path / "cache").exists()


@pytest.mark.skipif(not hasattr(signal, "ITIMER_PROF"), reason="no limit of processor time here")
def test_a_question_that_works_too_long_ends_the_process():
    code = (
        "import gpuport.probing.answering as answering\n"
        "answering._WORK = 0.05\n"
        "with answering._limited():\n"
        "    sum(range(10 ** 15))\n"  # within one call of C
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == -signal.SIGPROF


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process has a copy of itself here")
def test_a_copy_of_the_process_asks_a_worker_of_its_own():
    from gpuport.probing.library import operands_of

    assert operands_of("add") == 2
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert pool.map(operands_of, ["hypot", "sin", "no_such"]) == [2, 1, None]
    assert operands_of("arctan2") == 2


def test_a_file_of_the_users_is_not_taken_for_a_library(tmp_path, monkeypatch):
    (tmp_path / "numpy.py").write_text("raise SystemExit('the wrong NumPy')")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GPUPORT_NO_CACHE", "1")
    code = "from gpuport.probing.library import operands_of; print(operands_of('add'))"
    run = subprocess.run(
        [sys.executable, "-P", "-c", code], capture_output=True, text=True, check=False
    )
    assert run.stdout == "2\n", run.stderr

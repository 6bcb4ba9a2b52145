"""Files of calls that are broken or made up: told by line, and nothing of the rest is lost."""

from __future__ import annotations

import copy
import json
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpuport.recording.calls import Call, loaded, read, write
from gpuport.recording.command import RecordingFailed, record
from gpuport.recording.describe import describe
from gpuport.recording.grammar import FormError, check

HEAD = '{"schema": 1, "kind": "gpuport calls"}'


def line(**fields: Any) -> str:
    whole = {"file": "m.py", "function": "f", "arguments": {}, "instance": None, "same": [],
             "raised": None}  # fmt: skip
    return json.dumps({**whole, **fields})


BROKEN = {
    "{": "not valid JSON",
    "[]": "an object with the keys",
    "[" * 100_000: "nested too deeply",
    line(more=1): "an object with the keys",
    line(file=3): "`file` is int",
    line(arguments=[]): "`arguments` is list",
    line(same={"a": 1}): "`same` is no list",
    line(same=[["..a"]]): "the name of a parameter",
    line(arguments={".x": {"none": True}}): "the name of a parameter is wanted, not '.x'",
    line(arguments={"()": {"none": True}}): "the name of a parameter",
    line(arguments={"x": 3}): "`arguments.x`: a node of one kind",
    line(arguments={"x": {"none": True, "int": 1}}): "a node of one kind",
    line(arguments={"x": {"pickle": "gASV"}}): "nothing is known of the kind 'pickle'",
    line(arguments={"x": {"list": [{"int": 1}, {"int": "1"}]}}): "`arguments.x.1`: a whole number",
    line(arguments={"x": {"float": "nan0"}}): "a number in hexadecimal",
    line(arguments={"x": {"array": {"dtype": "object", "shape": [1]}}}): "a type of numbers",
    line(arguments={"x": {"array": {"dtype": "O,f8", "shape": [1]}}}): "a type of numbers",
    line(arguments={"x": {"array": {"dtype": "f8", "shape": [-1]}}}): "a shape",
    line(arguments={"x": {"array": {"dtype": "f8", "shape": [1], "low": 2, "high": 1}}}): "a range",
    line(arguments={"x": {"secret": 10**12}}): "the length of a text",
    line(arguments={"x": {"callable": "os"}}): "module:name",
    line(arguments={"x": {"callable": "os:<lambda>"}}): "module:name",
    line(arguments={"x": {"callable": "../evil:f"}}): "module:name",
    line(instance={"object": {"class": "m:C"}}): "`instance`: the keys ['attributes', 'class']",
    line(arguments={"x": {"made": {"call": "m:C", "arguments": {"a b": {}}}}}): "names",
    '{"file": "m.py", "function": "f", "arguments": {"x": {"int": ' + "9" * 5000 + "}}}": "JSON",
    '{"file": "m.py", "function": "f", "arguments": {"x": {"array": {"dtype": "f8", "shape": [],'
    ' "low": NaN, "high": Infinity}}}}': "a range",
}


@pytest.mark.parametrize("text", BROKEN, ids=lambda text: BROKEN[text][:30])
def test_a_broken_line_is_told_and_costs_no_other(tmp_path: Path, text: str) -> None:
    file = tmp_path / "calls.jsonl"
    good = line(arguments={"x": {"int": 1}})
    file.write_text("\n".join([HEAD, good, text, good]) + "\n", encoding="utf-8")
    calls, problems = loaded(file)
    assert calls == [Call("m.py", "f", {"x": {"int": 1}})] * 2
    ((number, message),) = [(p.line, p.message) for p in problems]
    assert number == 3
    assert BROKEN[text] in message
    assert len(message) < 400


def test_bytes_that_are_no_text_cost_no_other_line(tmp_path: Path) -> None:
    file = tmp_path / "calls.jsonl"
    file.write_bytes(f"{HEAD}\n\xff\n{line()}\n".encode("latin-1"))
    calls, problems = loaded(file)
    assert len(calls) == 1
    assert [p.line for p in problems] == [2]


@pytest.mark.parametrize(
    ("head", "words"),
    [
        ("", "no file of recorded calls"),
        ("text", "no file of recorded calls"),
        ("[1]", "says no `schema`"),
        ('{"schema": 99}', "of another form (99"),
        ('{"schema": [1]}', "of another form"),
    ],
)
def test_a_file_of_another_form_is_told(tmp_path: Path, head: str, words: str) -> None:
    file = tmp_path / "calls.jsonl"
    file.write_text(f"{head}\n{line()}\n", encoding="utf-8")
    calls, problems = loaded(file)
    assert calls == []
    assert [p.line for p in problems] == [1]
    assert words in problems[0].message


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no pipes with names here")
def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "calls.jsonl")
    assert [p.message for p in loaded(tmp_path / "calls.jsonl")[1]] == ["it is no file"]


def test_what_cannot_be_read_is_put_aside_by_the_next_recording(tmp_path: Path) -> None:
    (tmp_path / ".gpuport").mkdir()
    file = tmp_path / ".gpuport" / "calls.jsonl"
    good = line(arguments={"x": {"int": 1}})
    for number, text in enumerate((f"{HEAD}\n{good}\nbroken\n", '{"schema": 2}\nnewer\n'), 1):
        file.write_text(text, encoding="utf-8")
        outcome = record([sys.executable, "-c", ""], tmp_path, None, data=False)
        assert outcome.put_aside == file.with_name(f"calls.jsonl.{number}.old")
        assert outcome.put_aside.read_text(encoding="utf-8") == text
        assert len(read(file)) == 2 - number
    assert record([sys.executable, "-c", ""], tmp_path, None, data=False).put_aside is None
    assert sorted(os.listdir(file.parent)) == [
        "calls.jsonl", "calls.jsonl.1.old", "calls.jsonl.2.old",
    ]  # fmt: skip


def test_no_link_leads_a_recording_out_of_its_project(tmp_path: Path) -> None:
    project, outside = tmp_path / "project", tmp_path / "home"
    (project / ".gpuport").mkdir(parents=True)
    outside.mkdir()
    (outside / ".bashrc").write_text("mine")
    (project / ".gpuport" / "calls.jsonl").symlink_to(outside / ".bashrc")
    with pytest.raises(RecordingFailed, match="a link leads out of the project"):
        record([sys.executable, "-c", ""], project, None, data=False)
    assert (outside / ".bashrc").read_text() == "mine"


class Held:
    def __init__(self) -> None:
        self.gain, self.table = 2.0, {"a": np.ones(3)}


VALUES = [
    Held(), {True: "a", 3: None}, {"a": [1, (2.0, 1j)], "b": np.arange(6.0).reshape(2, 3)},
    np.sin, slice(1, 2),
    np.array(["a", "b"]), np.float32(2), {1, 2}, lambda x: x, np.random.default_rng(0),
]  # fmt: skip
JUNK = st.sampled_from(
    [None, True, -1, 1.5, "", "x", "os:system", [], {}, {"a": 1}, [[]], 10**30, "f8"]
)


def places(part: Any, way: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    keys = (
        part.keys()
        if isinstance(part, dict)
        else range(len(part))
        if isinstance(part, list)
        else ()
    )
    return [way, *(found for key in keys for found in places(part[key], (*way, key)))]


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.sampled_from(range(len(VALUES))), st.integers(0, 10_000), JUNK)
def test_a_node_with_anything_in_any_place_is_a_node_or_told(
    number: int, where: int, junk: Any
) -> None:
    node = json.loads(json.dumps(describe(VALUES[number], ("a",))))
    check(node, "x")
    ways = places(node)
    way = ways[where % len(ways)]
    changed: Any = [copy.deepcopy(node)]
    inner, key = changed, 0
    for step in way:
        inner, key = inner[key], step
    inner[key] = junk
    told = "`x"
    try:
        check(changed[0], "x")
    except FormError as error:
        told = str(error)
    assert told.startswith("`x")


@settings(max_examples=100, deadline=None, derandomize=True)
@given(st.recursive(JUNK, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner)))
def test_any_document_is_read_or_told(tmp_path_factory: pytest.TempPathFactory, data: Any) -> None:
    file = tmp_path_factory.getbasetemp() / "any.jsonl"
    whole = json.dumps(data)
    file.write_text(f"{HEAD}\n{whole}\n{line()}\n{whole[:-1]}\n", encoding="utf-8")
    calls, problems = loaded(file)
    assert calls[-1] == Call("m.py", "f")
    assert {p.line for p in problems} >= {2} - ({2} if len(calls) > 1 else set())


def test_what_was_recorded_stays_while_it_is_written_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "calls.jsonl"
    write(file, [Call("m.py", "f", {"x": {"int": 1}})])

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(KeyboardInterrupt):
        write(file, [])
    assert len(read(file)) == 1

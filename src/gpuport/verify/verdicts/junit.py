"""Verdicts as JUnit XML, which continuous-integration services read."""

from __future__ import annotations

from collections.abc import Callable
from xml.etree import ElementTree

from gpuport.verify.records import FunctionVerdict, Verdict, VerifyReport


def as_junit(
    report: VerifyReport, more: Callable[[ElementTree.Element], None] | None = None
) -> str:
    """One suite a file, one case a function that changed; `more` may add suites.

    What DIFFERS is a failure, an ERROR an error, what is UNTESTED is skipped with its reason.
    """
    root = ElementTree.Element("testsuites", name="gpuport verify")
    for error in report.errors:
        _broken(root, "gpuport", error)
    for file in report.files:
        if file.error is not None:
            _broken(root, file.path, file.error)
            continue
        tested = [f for f in file.functions if f.verdict is not Verdict.UNCHANGED]
        suite = ElementTree.SubElement(root, "testsuite", name=file.path, tests=str(len(tested)))
        counts = {
            "failures": Verdict.DIFFERS, "errors": Verdict.ERROR, "skipped": Verdict.UNTESTED
        }  # fmt: skip
        for name, verdict in counts.items():
            suite.set(name, str(sum(f.verdict is verdict for f in tested)))
        for function in tested:
            _case(suite, file.path, function)
    if more is not None:
        more(root)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _case(suite: ElementTree.Element, path: str, function: FunctionVerdict) -> None:
    case = ElementTree.SubElement(
        suite,
        "testcase",
        name=function.name,
        classname=path.removesuffix(".py").replace("/", "."),
        file=path,
        line=str(function.line),
    )
    kind = {
        Verdict.DIFFERS: "failure", Verdict.ERROR: "error", Verdict.UNTESTED: "skipped"
    }.get(function.verdict)  # fmt: skip
    if kind is None:
        return
    outcome = ElementTree.SubElement(case, kind, message=clean(function.reason))
    if function.counterexample is not None:
        example = function.counterexample
        outcome.text = clean(f"{example.description}\nreplay: pytest {example.test}")


def _broken(root: ElementTree.Element, name: str, error: str) -> None:
    suite = ElementTree.SubElement(root, "testsuite", name=name, tests="1", errors="1")
    case = ElementTree.SubElement(suite, "testcase", name="run", classname=name)
    ElementTree.SubElement(case, "error", message=clean(error))


def clean(text: str) -> str:
    """XML holds no control characters."""
    return "".join(c if c.isprintable() or c in "\n\t" else "?" for c in text)

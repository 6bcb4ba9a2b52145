"""gpuport for people who already run LibCST codemods.

``python -m libcst.tool codemod --no-format -x gpuport.codemod.PortToCuPy PATHS...`` makes the same
edits as ``gpuport rewrite PATHS...``, byte for byte. ``-x`` lets LibCST take a command from another
package, and ``--no-format`` keeps it from running a formatter over the files afterwards.
"""

from __future__ import annotations

import argparse
import os
from pathlib import Path

import libcst
from libcst.codemod import CodemodCommand, CodemodContext, SkipFile

from gpuport.config import BOUNDARIES, CUPY_VERSIONS, STYLES, load
from gpuport.porter import port_text
from gpuport.records import Finding, Severity
from gpuport.source.discovery import STDIN, shown
from gpuport.source.reading import SourceError, decode


class PortToCuPy(CodemodCommand):
    """Port NumPy code to CuPy.

    Parameters
    ----------
    context : libcst.codemod.CodemodContext
    boundary, cupy : str, optional
        As on the command line of ``gpuport rewrite``; by default what ``[tool.gpuport]`` of the
        file's pyproject.toml says.
    unsafe : bool, optional
        Whether edits that may change results in a documented way are made.
    style : str, optional
        As on the command line.
    """

    DESCRIPTION = "Port NumPy code to CuPy; what cannot be ported is left alone and reported."

    def __init__(
        self,
        context: CodemodContext,
        boundary: str | None = None,
        cupy: str | None = None,
        unsafe: bool | None = None,
        style: str | None = None,
    ) -> None:
        super().__init__(context)
        self._overrides = {
            "boundary": boundary,
            "style": style,
            "cupy": cupy,
            "unsafe": unsafe or None,
        }

    @staticmethod
    def add_args(arg_parser: argparse.ArgumentParser) -> None:
        """Declare the options that ``gpuport rewrite`` has under the same names."""
        arg_parser.add_argument(
            "--boundary",
            choices=BOUNDARIES,
            default=None,
            help="what a ported function does with NumPy arguments",
        )
        arg_parser.add_argument(
            "--cupy", choices=CUPY_VERSIONS, default=None, help="major version of CuPy to port to"
        )
        arg_parser.add_argument(
            "--style",
            choices=STYLES,
            default=None,
            help="plain: no kernels of expressions, only of loops",
        )
        arg_parser.add_argument(
            "--unsafe",
            action="store_true",
            default=None,
            help="also make edits that may change results in a documented way",
        )

    def transform_module_impl(self, tree: libcst.Module) -> libcst.Module:
        """Port one module, and warn about everything that was left on the host.

        Raises
        ------
        libcst.codemod.SkipFile
            Where LibCST does not give back the bytes of the file, so that it would change more
            of it than gpuport does.
        gpuport.source.reading.SourceError
            Where gpuport cannot handle the file.
        gpuport.config.ConfigError
            For a ``[tool.gpuport]`` that cannot be used.
        """
        name = self.context.filename
        path = shown(Path(name)) if name else STDIN
        if name and os.path.isfile(name) and Path(name).read_bytes() != tree.bytes:
            raise SkipFile(f"{path}: LibCST does not keep all its bytes; use gpuport rewrite")
        source = decode(tree.bytes)
        report = port_text(path, source, load(name, self._overrides))
        if report.error is not None:
            raise SourceError(report.error.message, report.error.line, report.error.column)
        for finding in report.findings:
            if finding.severity is not Severity.INFO:
                self.warn(_line(path, finding))
        if report.after is None:
            return tree
        return _tree_of(source.encode(report.after), path)


def _line(path: str, finding: Finding) -> str:
    place = f"{path}:{finding.span.line}:{finding.span.column}"
    return f"{place}: {finding.code} {finding.message}"


def _tree_of(ported: bytes, path: str) -> libcst.Module:
    tree = libcst.parse_module(ported)
    if tree.bytes != ported:
        raise SkipFile(f"{path}: LibCST cannot hold the port as it is; use gpuport rewrite")
    return tree

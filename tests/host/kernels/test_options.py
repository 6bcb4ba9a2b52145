"""What options for NVRTC mean for the host's compiler."""

from __future__ import annotations

import pytest

from gpuport.host.kernels.options import UnknownOption, host_options


@pytest.mark.parametrize(
    ("options", "kept", "definitions"),
    [
        ((), (), ""),
        (("-DA=1", "-D", "B", "--define-macro=C=2"), (), "#define A 1\n#define B 1\n#define C 2\n"),
        (("-UA",), (), "#undef A \n"),
        (("-std=c++11",), ("-std=c++17",), ""),
        (("--std=c++20",), ("-std=c++20",), ""),
        (("-I/somewhere",), ("-I/somewhere",), ""),
        (("--use_fast_math", "--fmad=false", "-lineinfo", "-arch=sm_80"), (), ""),
        (("-maxrregcount", "32"), (), ""),
    ],
)
def test_options(options: tuple[str, ...], kept: tuple[str, ...], definitions: str) -> None:
    assert host_options(options) == (kept, definitions)


@pytest.mark.parametrize("option", ["--nonsense", "-O3x", "kernel.cu"])
def test_unknown_options(option: str) -> None:
    with pytest.raises(UnknownOption, match="unrecognized option"):
        host_options((option,))

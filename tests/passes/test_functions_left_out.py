"""Functions that cannot be read, yet are asked for again: the search for what to follow ends."""

from __future__ import annotations

from gpuport.config import Config
from gpuport.passes.port import port_module
from gpuport.source.reading import parse

PROGRAM = """\
import numpy as np


def mix(*sources, gains=None):
    for blocks in zip(*sources):
        out = np.zeros(16)
        for gain, block in zip(gains, blocks):
            out += gain * block
        yield out


class Filter:
    def __call__(self, blocks):
        for x in blocks:
            yield x


def plucked(ring, out):
    for k in range(len(out)):
        out[k] = ring[k % len(ring)]


def frames(x, size=256, hop=64):
    pass


def joined(spectra, size=256, hop=64):
    pass


def stretch(spectra, factor):
    times = np.arange(0, len(spectra) - 1, 1 / factor)
    out = np.empty((len(times), spectra.shape[1]), dtype=complex)
    return out


def main():
    lead = fading(Filter("low", 900)(mix(saw(110.0), saw(220.0), gains=[0.7, 0.3])))
    spectra = frames(both)
    slow = joined(stretch(spectra, 1.5))


if __name__ == "__main__":
    main()
"""


def test_a_generator_left_out_that_gathers_its_arguments_ends_the_search() -> None:
    report = port_module(parse("program.py", PROGRAM), Config())
    assert any("generator" in finding.message for finding in report.findings)

"""Kernels whose text is written for the types of their arguments: elementwise and reductions."""

from __future__ import annotations

import warnings
from typing import Any

from gpuport.host.kernels import settings, source
from gpuport.host.kernels.binary import Binary
from gpuport.host.kernels.building import Source, build
from gpuport.host.kernels.headers import refuse
from gpuport.host.kernels.parameters import TypeMap, decide_types, is_valid_name, parse_parameters
from gpuport.host.kernels.source import Kind
from gpuport.host.ndarray import ndarray


class GeneratedKernel:
    """What such kernels have in common: their parameters, and a binary for all types at a time."""

    def __init__(
        self,
        in_params: str,
        out_params: str,
        name: str,
        reduce_dims: bool,
        preamble: str,
    ) -> None:
        if not is_valid_name(name):
            raise ValueError(f'Invalid kernel name: "{name}"')
        self.in_params = parse_parameters(in_params, True)
        self.out_params = parse_parameters(out_params, False)
        self.nin = len(self.in_params)
        self.nout = len(self.out_params)
        self.nargs = self.nin + self.nout
        self.name = self.__name__ = name
        self.reduce_dims = reduce_dims
        self.preamble = preamble
        self._cached_codes: dict[tuple[Any, ...], str] = {}
        self._binaries: dict[tuple[object, ...], Binary] = {}

    @property
    def cached_codes(self) -> dict[tuple[Any, ...], str]:
        """Texts by types of the arguments; the host's, not CuPy's."""
        if not self._cached_codes:
            warnings.warn(
                "No codes are cached because compilation is deferred until "
                "the first function call.",
                stacklevel=2,
            )
        return dict(self._cached_codes)

    @property
    def cached_code(self) -> str:
        """The first of the texts."""
        if len(self._cached_codes) > 1:
            warnings.warn(
                "The input types of the kernel could not be inferred. "
                "Please use `.cached_codes` instead.",
                stacklevel=2,
            )
        return next(iter(self._cached_codes.values()))

    def _types(self, inputs: list[Any], given: list[Any]) -> tuple[list[Any], list[Any], TypeMap]:
        """Types of the inputs, of the outputs and of the placeholders."""
        return decide_types(
            self.in_params,
            self.out_params,
            tuple(a.dtype if isinstance(a, ndarray) else None for a in inputs),
            tuple(a.dtype if isinstance(a, ndarray) else None for a in given),
        )

    def _written(self, kinds: list[Kind], types: TypeMap) -> tuple[Source, str]:
        """The text for these types, and what tells whether it calculates in double precision."""
        raise NotImplementedError

    def _binary(self, kinds: list[Kind], types: TypeMap) -> Binary:
        strict = settings.strict()
        key = (tuple(kinds), types, strict)
        found = self._binaries.get(key)
        if found is not None:
            return found
        written, said = self._written(kinds, types)
        refuse(written)
        arrays = tuple(k.dtype for k in kinds if k.sort == "array")
        self._cached_codes.setdefault(arrays, written.text)
        flush = not source.uses_double(said, [k.dtype for k in kinds])
        self._binaries[key] = binary = build(written, flush, strict)
        return binary

"""The C++ text of a kernel for the host: CuPy's own around the user's, with the user's lines.

The kernels' skeletons are those that CuPy 14 builds (``_get_elementwise_kernel_code`` and
``_create_reduction_function_code``), so that names such as ``i``, ``n``, ``_ind``, ``_in_ind`` or
``_J`` mean what they mean there.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from gpuport.host.kernels.parameters import ParameterInfo, TypeMap, c_name

ELEMENTWISE_HEADER = "gpuport/elementwise.h"
RAW_HEADER = "gpuport/raw.h"
_SYNCHRONISES = re.compile(r"__sync(?:threads|warp)|__shared__|\b__(?:shfl|ballot|any|all)\w*_sync")


@dataclass(frozen=True)
class Kind:
    """What one argument is, as far as the kernel's text depends on it.

    Attributes
    ----------
    name : str
        Parameter's name.
    sort : {"array", "scalar", "indexer"}
    dtype : numpy.dtype or None
        Element type.
    ndim : int
        Number of axes.
    contiguous : bool
        Whether its elements follow each other in C order.
    const, raw : bool
        As declared.
    """

    name: str
    sort: str
    dtype: Any
    ndim: int
    contiguous: bool
    const: bool
    raw: bool

    @property
    def words(self) -> int:
        """Words of 8 bytes that describe it to the kernel."""
        return {"array": 1 + 2 * self.ndim, "scalar": 2, "indexer": self.ndim}[self.sort]

    def c_type(self) -> str:
        """Its type in C++."""
        if self.sort == "indexer":
            return f"CIndexer<{self.ndim}, 0>"
        name = c_name(self.dtype)
        if self.sort == "array":
            name = f"CArray<{name}, {self.ndim}, {int(self.contiguous)}, 0>"
        return f"const {name}" if self.const else name

    def declaration(self) -> str:
        """Its place in the kernel's parameter list."""
        hidden = self.sort == "array" and not self.raw
        return f"{self.c_type()} {'_raw_' if hidden else ''}{self.name}"

    def reading(self, position: int, number: int) -> str:
        """C++ expression that makes it from the words at `position`."""
        at = f"gpuport::words + {position}"
        if self.sort == "indexer":
            return f"CIndexer<{self.ndim}, 0>({at})"
        if self.sort == "scalar":
            return f"gpuport::scalar<{c_name(self.dtype)}>({at})"
        kind = self.c_type().removeprefix("const ")
        data = f"reinterpret_cast<{c_name(self.dtype)} *>(gpuport::words[{position}])"
        return f"{kind}({data}, {at} + 1, {at} + {1 + self.ndim}, {number})"


def needs_blocks(*texts: str) -> bool:
    """Whether the threads of a block have to run together: barriers or shared memory."""
    return any(_SYNCHRONISES.search(text) for text in texts)


def uses_double(text: str, types: list[Any]) -> bool:
    """Whether values of double precision may occur: then float32 denormals are not flushed."""
    wide = any(t is not None and np.dtype(t).char in "dD" for t in types)
    return wide or re.search(r"\bdouble\b|float64|complex128", text) is not None


def _typedefs(types: TypeMap) -> str:
    return "".join(f"typedef {c_name(dtype)} {name};\n" for name, dtype in types)


def _marked(part: str, text: str) -> str:
    """`text` with its own line numbers, and the generated text after it."""
    return f'\n#line 1 "{part}"\n{text}\n#line 1 "generated"\n'


def _launcher(kinds: list[Kind], blocks: bool) -> str:
    position, readings = 0, []
    for number, kind in enumerate(kinds):
        readings.append(kind.reading(position, number))
        position += kind.words
    call = ",\n    ".join(readings)
    return (
        f"static void gpuport_body() {{\n  gpuport_kernel(\n    {call});\n}}\n"
        f"GPUPORT_LAUNCHER(gpuport_launch, gpuport_body, {'true' if blocks else 'false'})\n"
    )


def elementwise(
    kinds: list[Kind],
    params: tuple[ParameterInfo, ...],
    types: TypeMap,
    operation: str,
    preamble: str,
    loop_prep: str,
    after_loop: str,
) -> str:
    """Text of an ElementwiseKernel for arguments of these kinds."""
    elements = [
        f"{'const ' if p.is_const else ''}{p.ctype} &{p.name} = _raw_{p.name}[_ind.get()];"
        for p, kind in zip(params, kinds, strict=False)
        if kind.sort == "array" and not p.raw
    ]
    listed = ", ".join(kind.declaration() for kind in kinds)
    return (
        f'#include "{ELEMENTWISE_HEADER}"\n{_typedefs(types)}{_marked("preamble", preamble)}'
        f"__global__ void gpuport_kernel({listed}) {{\n{_marked('loop_prep', loop_prep)};\n"
        "CUPY_FOR(i, _ind.size()) {\n_ind.set(i);\n"
        + "\n".join(elements)
        + f"{_marked('operation', operation)};\n}}\n{_marked('after_loop', after_loop)};\n}}\n"
        + _launcher(kinds, needs_blocks(operation, preamble, loop_prep, after_loop))
    )


@dataclass(frozen=True)
class Reduction:
    """The expressions of a ReductionKernel."""

    map_expr: str
    reduce_expr: str
    post_map_expr: str
    identity: str
    reduce_type: str
    preamble: str


_REDUCTION = """
#define _REDUCE(_offset) if (_tid < _offset) { \\
  _type_reduce _a = _sdata[_tid], _b = _sdata[(_tid + _offset)]; \\
  _sdata[_tid] = REDUCE(_a, _b); \\
}
typedef %(reduce_type)s _type_reduce;
__global__ void gpuport_kernel(%(params)s) {
  __shared__ char _sdata_raw[%(block_size)d * sizeof(_type_reduce)];
  _type_reduce *_sdata = reinterpret_cast<_type_reduce*>(_sdata_raw);
  unsigned int _tid = threadIdx.x;
  IndexT _J_offset = _tid >> __popc(_block_stride - 1);
  ptrdiff_t _j_offset = (ptrdiff_t)_J_offset * _out_ind.size();
  IndexT _J_stride = %(block_size)d >> __popc(_block_stride - 1);
  ptrdiff_t _j_stride = (ptrdiff_t)_J_stride * _out_ind.size();
  for (ptrdiff_t _i_base = (ptrdiff_t)blockIdx.x * _block_stride;
       _i_base < _out_ind.size();
       _i_base += (ptrdiff_t)gridDim.x * _block_stride) {
    _type_reduce _s = _type_reduce(%(identity)s);
    ptrdiff_t _i = _i_base + (_tid & (_block_stride - 1));
    IndexT _J = _J_offset;
    for (ptrdiff_t _j = _i + _j_offset; _j < _in_ind.size(); _j += _j_stride, _J += _J_stride) {
      _in_ind.set(_j);
      %(input_expr)s
      _type_reduce _a = static_cast<_type_reduce>(%(map_expr)s);
      _s = REDUCE(_s, _a);
    }
    _sdata[_tid] = _s;
    __syncthreads();
#ifdef GPUPORT_STRICT
    if (_tid < _block_stride && _i < _out_ind.size()) {
      const ptrdiff_t _each = _in_ind.size() / _out_ind.size();
      gpuport::check_reduction(
          _sdata + _tid, _block_stride, _each < _J_stride ? _each : _J_stride,
          _type_reduce(%(identity)s),
          [&](_type_reduce _a, _type_reduce _b) { return _type_reduce(REDUCE(_a, _b)); },
          [&](_type_reduce _a) { %(result)s });
    }
    __syncthreads();
#endif
    for (unsigned int _block = %(block_size)d / 2; _block >= _block_stride; _block >>= 1) {
      if (_tid < _block) {
        _REDUCE(_block);
      }
      __syncthreads();
    }
    if (_tid < _block_stride) {
      _s = _sdata[_tid];
    }
    if (_tid < _block_stride && _i < _out_ind.size()) {
      _out_ind.set(static_cast<ptrdiff_t>(_i));
      %(output_expr)s
      POST_MAP(_s);
    }
  }
}
"""


def reduction(
    kinds: list[Kind],
    in_params: tuple[ParameterInfo, ...],
    out_params: tuple[ParameterInfo, ...],
    types: TypeMap,
    expressions: Reduction,
    block_size: int,
) -> str:
    """Text of a ReductionKernel for arguments of these kinds."""
    arrays = {kind.name for kind in kinds if kind.sort == "array" and not kind.raw}
    inputs = [
        f"{'const ' + str(p.ctype) if p.is_const else str(p.ctype) + '&'} {p.name}"
        f" = _raw_{p.name}[_in_ind.get()];"
        for p in in_params
        if p.name in arrays
    ]
    outputs = [
        f"{p.ctype} &{p.name} = _raw_{p.name}[_out_ind.get()];"
        for p in out_params
        if p.name in arrays
    ]
    first = next((p for p in out_params if p.name in arrays), None)
    result = "" if first is None else f" POST_MAP(_a); return {first.name};"
    made = [f"{p.ctype} {p.name} = {{}};" for p in out_params if p.name in arrays]
    body = _REDUCTION % {
        "result": " ".join(made) + result,
        "reduce_type": expressions.reduce_type,
        "params": ", ".join(kind.declaration() for kind in kinds),
        "block_size": block_size,
        "identity": expressions.identity,
        "input_expr": "\n".join(inputs),
        "output_expr": "\n".join(outputs),
        "map_expr": _marked("map_expr", expressions.map_expr),
    }
    return (
        f'#include "{ELEMENTWISE_HEADER}"\n{_typedefs(types)}typedef int IndexT;\n'
        f"{_marked('preamble', expressions.preamble)}"
        f"{_marked('reduce_expr', f'#define REDUCE(a, b) ({expressions.reduce_expr})')}"
        f"{_marked('post_map_expr', f'#define POST_MAP(a) ({expressions.post_map_expr})')}"
        f"{body}{_launcher(kinds, True)}"
    )


_DYNAMIC = re.compile(
    r"extern\s+((?:volatile\s+)?)__shared__\s+((?:volatile\s+)?)"
    r"(?:__align__\s*\([^)]*\)\s*)?([\w:<>\s,]+?)\s*(?:__align__\s*\([^)]*\)\s*)?"
    r"\b(\w+)\s*\[\s*\]\s*;"
)


def _dynamic(match: re.Match[str]) -> str:
    """Dynamic shared memory is one buffer under each name that the kernels give it."""
    kind = f"{match[1]}{match[2]}{match[3]}"
    lines = "\n" * match[0].count("\n")
    return (
        f"static {kind} *&{match[4]} = reinterpret_cast<{kind} *&>(gpuport::dynamic_shared);{lines}"
    )


_CUCOMPLEX = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]cuComplex\.h[>\"]", re.MULTILINE)


def with_thrust_complex(code: str) -> str:
    """The code as ``translate_cucomplex`` has it: cuComplex.h over thrust's complex numbers."""
    return _CUCOMPLEX.sub("#include <cupy/cuComplex_bridge.h>", code)


_GLOBAL = re.compile(
    r"__(?:constant|device)__\s+(?!inline|static\s+inline)[^;(){}=]*?\b(\w+)\s*(?:\[[^;{}=]*\]\s*)*"
    r"(?=;|=)"
)


def globals_in(code: str) -> tuple[str, ...]:
    """Names of the variables of the device that a module's text defines."""
    return tuple(dict.fromkeys(match[1] for match in _GLOBAL.finditer(_COMMENT.sub(" ", code))))


_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_KERNEL = re.compile(
    r"(?P<template>template\s*<[^;{}]*>\s*)?(?:static\s+|extern\s+\"C\"\s*)*__global__\s+"
    r"(?:static\s+|inline\s+|__launch_bounds__\s*\([^)]*\)\s*)*void\s+"
    r"(?:__launch_bounds__\s*\([^)]*\)\s*)?(?P<name>\w+)\s*\("
)


def kernels_in(code: str) -> tuple[str, ...]:
    """Names of the kernels that a module's text defines, templates left out."""
    found = (m["name"] for m in _KERNEL.finditer(_COMMENT.sub(" ", code)) if not m["template"])
    return tuple(dict.fromkeys(found))


def raw(code: str, functions: tuple[str, ...], label: str) -> str:
    """Text of a RawModule: the user's code, and a launcher for each of its `functions`.

    All are in one text, for they share the module's variables.
    """
    blocks = "true" if needs_blocks(code) else "false"
    launchers = [
        f"static void gpuport_body_{k}() {{ gpuport::call(&{function}); }}\n"
        f"GPUPORT_LAUNCHER(gpuport_launch_{k}, gpuport_body_{k}, {blocks})\n"
        f"GPUPORT_EXPORT const char *gpuport_signature_{k}() {{\n"
        f"  return gpuport::signature(&{function});\n}}\n"
        for k, function in enumerate(functions)
    ]
    launchers += [
        f"GPUPORT_EXPORT void *gpuport_global_{name}(long long *size) {{\n"
        f"  *size = sizeof({name});\n  return (void *)&{name};\n}}\n"
        for name in globals_in(code)
    ]
    return (
        f'#include "{RAW_HEADER}"\n#line 1 "{label}"\n{_DYNAMIC.sub(_dynamic, code)}\n'
        f'#line 1 "generated"\n{"".join(launchers)}'
    )

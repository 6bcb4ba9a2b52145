"""CUDA that texts may call without writing it: indices, and whole numbers, that are checked.

What ``out_of_range`` tells is for the original loop, which has to run then: an element that is not
there, an integer that does not fit (or is none, for NaN), a Python number divided by zero, what
nothing was written to.
"""

from __future__ import annotations

import re

from gpuport.runtime.kernels.weak import HELPERS

CHECKS = {
    "degrees_to_radians": (
        "template <class T> __device__ T degrees_to_radians(T a) "
        "{ return a * T(3.141592653589793 / 180.0); }"
    ),
    "radians_to_degrees": (
        "template <class T> __device__ T radians_to_degrees(T a) "
        "{ return a * T(180.0 / 3.141592653589793); }"
    ),
    "wrap": (
        "__device__ long long wrap(long long k, long long length) "
        "{ return k < 0 ? k + length : k; }"
    ),
    "checked": """\
__device__ long long checked(long long k, long long length, bool &out_of_range) {
  k = k < 0 ? k + length : k;
  if (k >= 0 && k < length) return k;
  out_of_range = true;
  return 0;
}""",
    "put_inside": """\
template <class T, class V> __device__ void put_inside(T &cell, V value, bool out_of_range) {
  if (!out_of_range) cell = value;
}""",
    "to_int": """\
__device__ long long to_int(double x, bool &out_of_range) {
  if (fabs(x) < 9007199254740992.0) return (long long)x;
  out_of_range = true;
  return 0;
}""",
    "to_int_below": """\
__device__ long long to_int_below(double x, long long limit, bool &out_of_range) {
  if (fabs(x) < limit) return (long long)x;
  out_of_range = true;
  return 0;
}""",
    "fitting": """\
template <class T> __device__ T fitting(long long k, bool &out_of_range) {
  if ((long long)T(k) == k && (T(-1) < T(0) || k >= 0)) return T(k);
  out_of_range = true;
  return 0;
}""",
    "written": """\
__device__ double written(double value, bool &out_of_range) {
  if (__double_as_longlong(value) == 0x7FF8A5A5A5A5A5A5LL) out_of_range = true;
  return value;
}""",
    "pow": """\
__device__ double pow(double x, long long n) { return pow(x, double(n)); }
__device__ float pow(float x, long long n) { return pow(x, float(n)); }""",
    "nonzero": """\
template <class T> __device__ T nonzero(T divisor, bool &out_of_range) {
  if (divisor == T(0)) out_of_range = true;
  return divisor == T(0) ? T(1) : divisor;
}""",
}
"""By their names; a negative index counts from the end."""

PROVIDED = {**HELPERS, **CHECKS}
"""All that texts may call."""


def provided_in(body: str, preamble: str = "") -> list[str]:
    """The functions that the text calls, and the functions before it, but for those it has."""
    text = f"{preamble}\n{body}"
    own = set(re.findall(r"__device__[^;{}()]*?(\w+)\s*\(", preamble))
    return [
        one for one in PROVIDED
        if one not in own and re.search(rf"(?<![\w.]){one}(?:<[\w ]+>)?\s*\(", text)
    ]  # fmt: skip


__all__ = ["CHECKS", "PROVIDED", "provided_in"]

"""CUDA for Python's numbers among float32, and for functions that C++ has otherwise or not at all.

In NumPy a number of Python's takes the dtype of the array that it meets, and two of them are
computed in double precision before. C++ makes double of ``0.25 * x`` for a float ``x``: literals,
parameters that are ``float`` and numbers of the module are of a type that does not.
"""

from __future__ import annotations

import re

WEAK_NUMBERS = """
template <class I> struct gp_whole {};
template <> struct gp_whole<int> { typedef int type; };
template <> struct gp_whole<long> { typedef int type; };
template <> struct gp_whole<long long> { typedef int type; };
struct weak {
    double v;
    __device__ explicit weak(double x) : v(x) {}
    // whole numbers alone, so that `c ? 0.5 : 0` is refused and not taken for one, and that
    // `c ? x : 0.5` is what x is
    template <class I> __device__ weak(I x, typename gp_whole<I>::type = 0) : v(double(x)) {}
    __device__ operator double() const { return v; }
    __device__ weak operator-() const { return weak(-v); }
    __device__ weak operator+() const { return *this; }
};
#define GP_WHOLE(op, R, I) \\
    __device__ inline R operator op(weak a, I b) { return R(a.v op double(b)); } \\
    __device__ inline R operator op(I a, weak b) { return R(double(a) op b.v); }
#define GP_WEAK(op, R, F, D) \\
    __device__ inline R operator op(weak a, weak b) { return R(a.v op b.v); } \\
    GP_WHOLE(op, R, bool) GP_WHOLE(op, R, int) GP_WHOLE(op, R, long) GP_WHOLE(op, R, long long) \\
    __device__ inline F operator op(weak a, float b) { return float(a.v) op b; } \\
    __device__ inline F operator op(float a, weak b) { return a op float(b.v); } \\
    __device__ inline D operator op(weak a, double b) { return a.v op b; } \\
    __device__ inline D operator op(double a, weak b) { return a op b.v; }
GP_WEAK(+, weak, float, double) GP_WEAK(-, weak, float, double)
GP_WEAK(*, weak, float, double) GP_WEAK(/, weak, float, double)
GP_WEAK(<, bool, bool, bool) GP_WEAK(>, bool, bool, bool) GP_WEAK(<=, bool, bool, bool)
GP_WEAK(>=, bool, bool, bool) GP_WEAK(==, bool, bool, bool) GP_WEAK(!=, bool, bool, bool)
#undef GP_WEAK
#undef GP_WHOLE
__device__ inline float pow(float a, weak b) { return pow(a, float(b.v)); }
__device__ inline float pow(weak a, float b) { return pow(float(a.v), b); }
__device__ inline double pow(double a, weak b) { return pow(a, b.v); }
__device__ inline double pow(weak a, double b) { return pow(a.v, b); }
__device__ inline weak pow(weak a, weak b) { return weak(pow(a.v, b.v)); }
"""

PLAIN_NUMBERS = "typedef double weak;\n"
"""The same name where no float32 takes part."""

_TWO = "template <class A, class B> __device__ auto {}(A a, B b) -> decltype(a + b)"
HELPERS = {
    "square": "template <class A> __device__ A square(A a) { return a * a; }",
    "minimum": _TWO.format("minimum")
    + " { typedef decltype(a + b) R; return R(a) < R(b) || R(a) != R(a) ? R(a) : R(b); }",
    "maximum": _TWO.format("maximum")
    + " { typedef decltype(a + b) R; return R(a) > R(b) || R(a) != R(a) ? R(a) : R(b); }",
    "py_min": _TWO.format("py_min")
    + " { typedef decltype(a + b) R; return R(b) < R(a) ? R(b) : R(a); }",
    "py_max": _TWO.format("py_max")
    + " { typedef decltype(a + b) R; return R(b) > R(a) ? R(b) : R(a); }",
    "float_modulo": _TWO.format("float_modulo")
    + """ {
    typedef decltype(a + b) R;
    const R x = R(a), y = R(b), r = R(fmod(x, y));
    return r != 0 ? ((r < 0) != (y < 0) ? R(r + y) : r) : R(copysign(R(0), y)); }""",
    "int_modulo": """__device__ inline long long int_modulo(long long a, long long b) {
    if (b == 0) return 0;
    const long long r = a % b; return r != 0 && (r < 0) != (b < 0) ? r + b : r; }""",
    "int_floor": """__device__ inline long long int_floor(long long a, long long b) {
    if (b == 0) return 0;
    const long long r = a % b; return a / b - (r != 0 && (r < 0) != (b < 0)); }""",
}
"""Functions that texts may call without writing them."""

UNLIKE_CUPY = frozenset({
    "float_modulo", "float_floor_divide", "int_modulo", "int_floor", "py_min", "py_max"
})  # fmt: skip
"""Those for which the Python body gives something else on arrays of the device."""

LITERAL = re.compile(
    r"(?<![\w.])(?:\d+\.\d*|\.\d+)(?:[eE][+-]?\d+)?(?![\w.])|(?<![\w.])\d+[eE][+-]?\d+(?![\w.])"
)
"""Literals of double precision."""


def with_weak_literals(body: str) -> str:
    """The text with its literals as numbers of Python's."""
    return LITERAL.sub(r"weak(\g<0>)", body)

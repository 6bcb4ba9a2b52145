// Whether the expression of a reduction may be combined in any order, tried on the partial results
// of its threads. A GPU combines them in an order of its own, and begins each with the identity.
#pragma once
#include "cupy/complex.cuh"
#include "cupy/float16.cuh"

namespace gpuport {

// How values of a type are compared: `size` and distance as double; a structure is not `known`.
template <class T> struct Compared {
  static constexpr char kind = Code<T>::kind;
  static constexpr bool known = kind != 'x', exact = kind != 'f';
  static constexpr double rounding = 1e-5;
  static double size(T a) { return ::fabs(double(a)); }
  static double apart(T a, T b) { return ::fabs(double(a) - double(b)); }
  static bool same(T a, T b) { return a == b || (a != a && b != b); }
  static void show(char *out, T a) {
    if (exact) snprintf(out, 40, "%lld", (long long)a);
    else snprintf(out, 40, "%.9g", double(a));
  }
};
template <> struct Compared<float16> : Compared<float> {
  static constexpr double rounding = 2e-2;
};
template <class F> struct Compared<thrust::complex<F>> {
  typedef thrust::complex<F> T;
  static constexpr bool known = true, exact = false;
  static constexpr double rounding = 1e-5;
  static double size(T a) { return ::fabs(double(a.real())) + ::fabs(double(a.imag())); }
  static double apart(T a, T b) { return size(T(a.real() - b.real(), a.imag() - b.imag())); }
  static bool same(T a, T b) {
    const double x = size(a), y = size(b);
    return (a.real() == b.real() && a.imag() == b.imag()) || (x != x && y != y);
  }
  static void show(char *out, T a) {
    snprintf(out, 60, "%.9g%+.9gj", double(a.real()), double(a.imag()));
  }
};

[[noreturn]] GPUPORT_PLAIN static inline void fail_unordered(int rule, const char *text) {
  state.request->fault.dimension = rule;
  fail_at(UNORDERED, text, 0, 0);
}

// Rules that an expression may break, as report.py names them.
enum { EXCHANGED, GROUPED, NEUTRAL };

template <class T> static inline bool agree(T a, T b, double scale) {
  typedef Compared<T> C;
  if (C::same(a, b)) return true;
  if (C::exact) return false;
  const double distance = C::apart(a, b), size = scale + C::size(a) + C::size(b);
  // values leave the type's range in one order and not in another; only NaN is judged as it is
  if (!(size < __builtin_huge_val())) return scale == scale;
  return distance <= C::rounding * size;
}

template <class T> GPUPORT_PLAIN static inline void disagree(int rule, T a, T b, T first, T second) {
  char shown[4][64], text[FILE_LENGTH];
  const T values[4] = {a, b, first, second};
  for (int i = 0; i < 4; ++i) Compared<T>::show(shown[i], values[i]);
  snprintf(text, sizeof text, "%s\n%s\n%s\n%s", shown[0], shown[1], shown[2], shown[3]);
  fail_unordered(rule, text);
}

// Structures are judged by what becomes of them, where that is exact: an index, a count, a truth.
template <class T, class Result>
static inline void compare(int rule, T a, T b, T first, T second, double scale, Result &result) {
  if constexpr (Compared<T>::known) {
    if (!agree(first, second, scale)) disagree(rule, a, b, first, second);
  } else {
    typedef decltype(result(first)) R;
    if constexpr (Compared<R>::known && Compared<R>::exact) {
      const R x = result(first), y = result(second);
      if (!agree(x, y, 0)) disagree(rule, result(a), result(b), x, y);
    }
  }
}
template <class T> static inline double size_of(T a) {
  if constexpr (Compared<T>::known) return Compared<T>::size(a);
  else return 0;
}

// `cells` holds the partial results of one element, `count` of them, `stride` apart.
template <class T, class Combine, class Result>
static inline void check_reduction(
    const T *cells, ptrdiff_t stride, ptrdiff_t count, T identity, Combine combine, Result result) {
  compare(NEUTRAL, identity, identity, combine(identity, identity), identity,
          2 * size_of(identity), result);
  for (ptrdiff_t k = 0; k + 1 < count; ++k) {
    const T a = cells[k * stride], b = cells[(k + 1) * stride];
    const double scale = size_of(a) + size_of(b);
    compare(EXCHANGED, a, b, combine(a, b), combine(b, a), scale, result);
    if (k + 2 >= count) continue;
    const T c = cells[(k + 2) * stride];
    compare(GROUPED, a, b, combine(combine(a, b), c), combine(a, combine(b, c)),
            scale + size_of(c), result);
  }
}

}  // namespace gpuport

// The mathematical functions that device code sees, with CUDA's overloads and no others: what
// does not compile for a GPU (sqrt of an int) does not compile here.
#pragma once
#include "gpuport/language.h"

#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif

// <cmath> declares the double functions globally; CUDA adds these of float.
#define GPUPORT_MATH1(name) \
  static inline float name(float x) { return ::name##f(x); }
template <class A, class B> struct gpuport_mixed {};
template <> struct gpuport_mixed<float, double> { enum { yes = 1 }; };
template <> struct gpuport_mixed<double, float> { enum { yes = 1 }; };
template <class A, class B> struct gpuport_counted {};
template <> struct gpuport_counted<float, int> { enum { yes = 1 }; };
template <> struct gpuport_counted<double, int> { enum { yes = 1 }; };
template <> struct gpuport_counted<int, float> { enum { yes = 1 }; };
// Of one float and one double no overload is better; some compilers would take one all the same.
#define GPUPORT_MATH2(name)                                                  \
  static inline float name(float x, float y) { return ::name##f(x, y); }     \
  template <class A, class B, int = gpuport_mixed<A, B>::yes> double name(A, B) = delete;
GPUPORT_MATH1(sqrt) GPUPORT_MATH1(cbrt) GPUPORT_MATH1(exp) GPUPORT_MATH1(exp2)
GPUPORT_MATH1(expm1) GPUPORT_MATH1(log) GPUPORT_MATH1(log2) GPUPORT_MATH1(log10)
GPUPORT_MATH1(log1p) GPUPORT_MATH1(logb) GPUPORT_MATH1(sin) GPUPORT_MATH1(cos)
GPUPORT_MATH1(tan) GPUPORT_MATH1(asin) GPUPORT_MATH1(acos) GPUPORT_MATH1(atan)
GPUPORT_MATH1(sinh) GPUPORT_MATH1(cosh) GPUPORT_MATH1(tanh) GPUPORT_MATH1(asinh)
GPUPORT_MATH1(acosh) GPUPORT_MATH1(atanh) GPUPORT_MATH1(erf) GPUPORT_MATH1(erfc)
GPUPORT_MATH1(tgamma) GPUPORT_MATH1(lgamma) GPUPORT_MATH1(floor) GPUPORT_MATH1(ceil)
GPUPORT_MATH1(trunc) GPUPORT_MATH1(round) GPUPORT_MATH1(rint) GPUPORT_MATH1(nearbyint)
GPUPORT_MATH1(fabs) GPUPORT_MATH1(j0) GPUPORT_MATH1(j1) GPUPORT_MATH1(y0)
GPUPORT_MATH1(y1)
GPUPORT_MATH2(pow) GPUPORT_MATH2(atan2) GPUPORT_MATH2(hypot) GPUPORT_MATH2(fmod)
GPUPORT_MATH2(remainder) GPUPORT_MATH2(nextafter) GPUPORT_MATH2(fdim)
GPUPORT_MATH2(fmin) GPUPORT_MATH2(fmax)
static inline float fma(float x, float y, float z) { return ::fmaf(x, y, z); }
static inline float ldexp(float x, int e) { return ::ldexpf(x, e); }
static inline float scalbn(float x, int e) { return ::scalbnf(x, e); }
static inline float frexp(float x, int *e) { return ::frexpf(x, e); }
static inline float modf(float x, float *whole) { return ::modff(x, whole); }
static inline int ilogb(float x) { return ::ilogbf(x); }
static inline long lrint(float x) { return ::lrintf(x); }
static inline long lround(float x) { return ::lroundf(x); }
static inline long long llrint(float x) { return ::llrintf(x); }
static inline long long llround(float x) { return ::llroundf(x); }
// crt/math_functions.hpp gives pow these overloads with an integral exponent
static inline float pow(float x, int n) { return ::powf(x, float(n)); }
static inline double pow(double x, int n) { return ::pow(x, double(n)); }
static inline float copysign(float x, float y) { return ::copysignf(x, y); }
static inline double copysign(float x, double y) { return ::copysign(double(x), y); }
static inline double copysign(double x, float y) { return ::copysign(x, double(y)); }
template <class A, class B, int = gpuport_counted<A, B>::yes> double copysign(A, B) = delete;
template <class A, class B, class C, int = gpuport_mixed<A, B>::yes>
double fma(A, B, C) = delete;

#undef isnan
#undef isinf
#undef isfinite
#undef signbit
static inline bool isnan(float x) { return x != x; }
static inline bool isnan(double x) { return x != x; }
static inline bool isinf(float x) { return __builtin_isinf(x); }
static inline bool isinf(double x) { return __builtin_isinf(x); }
static inline bool isfinite(float x) { return __builtin_isfinite(x); }
static inline bool isfinite(double x) { return __builtin_isfinite(x); }
static inline bool signbit(float x) { return __builtin_signbit(x); }
static inline bool signbit(double x) { return __builtin_signbit(x); }

static inline long abs(long x) { return x < 0 ? -x : x; }
static inline long long abs(long long x) { return x < 0 ? -x : x; }
static inline float abs(float x) { return ::fabsf(x); }
static inline double abs(double x) { return ::fabs(x); }
static inline long long llmin(long long a, long long b) { return a < b ? a : b; }
static inline long long llmax(long long a, long long b) { return a > b ? a : b; }
static inline unsigned umin(unsigned a, unsigned b) { return a < b ? a : b; }
static inline unsigned umax(unsigned a, unsigned b) { return a > b ? a : b; }
#define GPUPORT_MINMAX(R, A, B)                                              \
  static inline R min(A a, B b) { return (R)a < (R)b ? (R)a : (R)b; }        \
  static inline R max(A a, B b) { return (R)a > (R)b ? (R)a : (R)b; }
#define GPUPORT_MINMAX_SIGNS(S, U)                                           \
  GPUPORT_MINMAX(S, S, S) GPUPORT_MINMAX(U, U, U) GPUPORT_MINMAX(U, S, U) GPUPORT_MINMAX(U, U, S)
GPUPORT_MINMAX_SIGNS(int, unsigned)
GPUPORT_MINMAX_SIGNS(long, unsigned long)
GPUPORT_MINMAX_SIGNS(long long, unsigned long long)
#define GPUPORT_FLOAT_MINMAX(R, A, B)                                        \
  static inline R min(A a, B b) { return fmin((R)a, (R)b); }                 \
  static inline R max(A a, B b) { return fmax((R)a, (R)b); }
GPUPORT_FLOAT_MINMAX(float, float, float)
GPUPORT_FLOAT_MINMAX(double, double, double)
GPUPORT_FLOAT_MINMAX(double, float, double)
GPUPORT_FLOAT_MINMAX(double, double, float)

#define GPUPORT_OWN(name, formula)                                           \
  static inline double name(double x) { return formula; }                    \
  static inline float name##f(float x) { return float(name(double(x))); }    \
  static inline float name(float x) { return name##f(x); }
GPUPORT_OWN(rsqrt, 1.0 / ::sqrt(x))
GPUPORT_OWN(rcbrt, 1.0 / ::cbrt(x))
GPUPORT_OWN(sinpi, ::sin(M_PI * ::remainder(x, 2.0)))
GPUPORT_OWN(cospi, ::cos(M_PI * ::remainder(x, 2.0)))
GPUPORT_OWN(normcdf, 0.5 * ::erfc(-x * 0.70710678118654752440))
#if defined(__GLIBC__)  // which has its own of this name
static inline float exp10(float x) { return ::exp10f(x); }
#else
GPUPORT_OWN(exp10, ::pow(10.0, x))
#endif
// by Newton's method from A. Giles' approximation of w = -log(1 - x^2)
static inline double gpuport_erfinv(double x) {
  if (!(::fabs(x) < 1.0)) return x == 1.0 ? HUGE_VAL : x == -1.0 ? -HUGE_VAL : 0.0 / 0.0;
  const double w = ::log1p(-x * x), a = 4.3307467508 + w / 2;
  double y = ::copysign(::sqrt(::sqrt(a * a - w / 0.147) - a), x);
  for (int k = 0; k < 4; ++k) {
    const double tail = x > 0 ? (1 - x) - ::erfc(y) : ::erfc(-y) - (1 + x);
    y += tail * -0.88622692545275801 * ::exp(y * y);
  }
  return y;
}
// exp(x^2) erfc(x), by its asymptotic series where the factors leave the range of double
static inline double gpuport_erfcx(double x) {
  if (x < 25) return ::exp(x * x) * ::erfc(x);
  const double t = 1 / (2 * x * x);
  return 0.56418958354775629 / x * (1 - t * (1 - 3 * t * (1 - 5 * t * (1 - 7 * t))));
}
GPUPORT_OWN(erfinv, gpuport_erfinv(x))
GPUPORT_OWN(erfcinv, gpuport_erfinv(1 - x))
GPUPORT_OWN(normcdfinv, 1.4142135623730951 * gpuport_erfinv(2 * x - 1))
GPUPORT_OWN(erfcx, gpuport_erfcx(x))
static inline void gpuport_sincos(double x, double *s, double *c) { *s = ::sin(x), *c = ::cos(x); }
static inline void gpuport_sincos(float x, float *s, float *c) { *s = ::sinf(x), *c = ::cosf(x); }
#define sincos gpuport_sincos
#define sincosf gpuport_sincos
#define __sincosf gpuport_sincos
template <class T> static inline T gpuport_norm3(T x, T y, T z) { return sqrt(x * x + y * y + z * z); }
static inline double norm3d(double x, double y, double z) { return gpuport_norm3(x, y, z); }
static inline float norm3df(float x, float y, float z) { return gpuport_norm3(x, y, z); }
static inline double rhypot(double x, double y) { return 1.0 / ::hypot(x, y); }
static inline float rhypotf(float x, float y) { return 1.0f / ::hypotf(x, y); }

// Rounded operations. The compiler fuses nothing here (-ffp-contract=off), so that they are the
// plain operators; nvcc contracts plain ones into fma unless told --fmad=false, never these.
#define GPUPORT_ROUNDED(prefix, T, suffix)                                           \
  static inline T __##prefix##add_##suffix(T a, T b) { return a + b; }               \
  static inline T __##prefix##sub_##suffix(T a, T b) { return a - b; }               \
  static inline T __##prefix##mul_##suffix(T a, T b) { return a * b; }
GPUPORT_ROUNDED(f, float, rn)
GPUPORT_ROUNDED(d, double, rn)
static inline float __fdiv_rn(float a, float b) { return a / b; }
static inline double __ddiv_rn(double a, double b) { return a / b; }
static inline float __fsqrt_rn(float a) { return ::sqrtf(a); }
static inline double __dsqrt_rn(double a) { return ::sqrt(a); }
static inline float __frcp_rn(float a) { return 1.0f / a; }
static inline double __drcp_rn(double a) { return 1.0 / a; }
static inline float __frsqrt_rn(float a) { return rsqrtf(a); }
static inline float __fmaf_rn(float a, float b, float c) { return ::fmaf(a, b, c); }
static inline double __fma_rn(double a, double b, double c) { return ::fma(a, b, c); }
// Fast ones: a GPU's are less exact than these. Macros, for glibc has some of the names.
static inline float __fdividef(float a, float b) { return a / b; }
static inline float fdividef(float a, float b) { return a / b; }
#define __expf(x) ::expf(x)
#define __exp10f(x) exp10(float(x))
#define __logf(x) ::logf(x)
#define __log2f(x) ::log2f(x)
#define __log10f(x) ::log10f(x)
#define __sinf(x) ::sinf(x)
#define __cosf(x) ::cosf(x)
#define __tanf(x) ::tanf(x)
#define __powf(x, y) ::powf(x, y)
static inline float __saturatef(float x) { return x > 0 ? x < 1 ? x : 1.0f : 0.0f; }

// Conversions saturate, and NaN becomes 0 (PTX ISA, cvt; 0x8000... for 64-bit results).
template <class I, class F> GPUPORT_PLAIN static inline I gpuport_convert(F x) {
  const F low = F(I(I(-1) < I(0) ? I(1) << (sizeof(I) * 8 - 1) : I(0)));
  const F high = ::ldexp(1.0, int(sizeof(I)) * 8 - (I(-1) < I(0) ? 1 : 0));
  if (x != x) return sizeof(I) == 8 ? I(I(1) << 63) : I(0);
  if (x <= low) return I(low);
  return x >= high ? I(I(-1) < I(0) ? ~(I(1) << (sizeof(I) * 8 - 1)) : ~I(0)) : I(x);
}
#define GPUPORT_CONVERT(from, F, to, I)                                                      \
  static inline I __##from##2##to##_rn(F x) { return gpuport_convert<I>(rint(x)); }          \
  static inline I __##from##2##to##_rz(F x) { return gpuport_convert<I>(trunc(x)); }         \
  static inline I __##from##2##to##_rd(F x) { return gpuport_convert<I>(floor(x)); }         \
  static inline I __##from##2##to##_ru(F x) { return gpuport_convert<I>(ceil(x)); }
GPUPORT_CONVERT(float, float, int, int)
GPUPORT_CONVERT(float, float, uint, unsigned)
GPUPORT_CONVERT(float, float, ll, long long)
GPUPORT_CONVERT(float, float, ull, unsigned long long)
GPUPORT_CONVERT(double, double, int, int)
GPUPORT_CONVERT(double, double, uint, unsigned)
GPUPORT_CONVERT(double, double, ll, long long)
GPUPORT_CONVERT(double, double, ull, unsigned long long)
static inline float __int2float_rn(int x) { return float(x); }
static inline float __uint2float_rn(unsigned x) { return float(x); }
static inline double __int2double_rn(int x) { return x; }
static inline float __ll2float_rn(long long x) { return float(x); }
static inline double __ll2double_rn(long long x) { return double(x); }
static inline float __double2float_rn(double x) { return float(x); }

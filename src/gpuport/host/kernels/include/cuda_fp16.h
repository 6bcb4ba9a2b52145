// __half: its conversions (to nearest, ties to even) and arithmetic through float.
#pragma once
#include "gpuport/types.h"

static inline float gpuport_half_to_float(unsigned short h) {
  const unsigned sign = unsigned(h & 0x8000) << 16, magnitude = h & 0x7fff;
  if (magnitude >= 0x7c00) return __uint_as_float(sign | 0x7f800000 | (magnitude & 0x3ff) << 13);
  if (magnitude >= 0x400) return __uint_as_float(sign | ((magnitude << 13) + (112u << 23)));
  const float value = float(magnitude) * 5.9604644775390625e-08f;  // 2**-24: subnormal
  return sign ? -value : value;
}

static inline unsigned short gpuport_double_to_half(double x) {
  const unsigned short sign = __builtin_signbit(x) ? 0x8000 : 0;
  const double size = ::fabs(x);
  if (size != size) return sign | 0x7e00;
  if (size >= 65520.0) return sign | 0x7c00;
  if (size == 0.0) return sign;  // it has no exponent
  int exponent = 0;
  ::frexp(size, &exponent);
  const int unit = exponent < -13 ? -24 : exponent - 11;  // of the last place
  const double scaled = ::rint(::ldexp(size, -unit));
  const unsigned short bits =
      unit == -24 ? (unsigned short)scaled
                  : (unsigned short)(((unit + 24) << 10) + (unsigned short)scaled);
  return sign | bits;
}

struct __half_raw {
  unsigned short x;
};

struct __half {
  unsigned short bits;
  __half() = default;
  __half(const __half &) = default;
  __half(float v) : bits(gpuport_double_to_half(v)) {}
  __half(double v) : bits(gpuport_double_to_half(v)) {}
  __half(int v) : bits(gpuport_double_to_half(v)) {}
  __half(unsigned v) : bits(gpuport_double_to_half(v)) {}
  __half(long long v) : bits(gpuport_double_to_half(double(v))) {}
  __half(unsigned long long v) : bits(gpuport_double_to_half(double(v))) {}
  __half(const __half_raw &v) : bits(v.x) {}
  __half &operator=(const __half &) = default;
  operator float() const { return gpuport_half_to_float(bits); }
  operator __half_raw() const { return {bits}; }
};
typedef __half half;
namespace gpuport {
GPUPORT_CODE(__half, 'f')
}

static inline unsigned short __half_as_ushort(__half h) { return h.bits; }
static inline __half __ushort_as_half(unsigned short bits) { return __half(__half_raw{bits}); }
static inline float __half2float(__half h) { return float(h); }
static inline __half __float2half(float x) { return __half(x); }
static inline __half __float2half_rn(float x) { return __half(x); }
static inline __half __double2half(double x) { return __half(x); }
static inline __half __int2half_rn(int x) { return __half(x); }
static inline int __half2int_rn(__half h) { return __float2int_rn(float(h)); }
#define GPUPORT_HALF(name, op)                                                              \
  static inline __half operator op(const __half &a, const __half &b) {                       \
    return __half(float(a) op float(b));                                                     \
  }                                                                                          \
  static inline __half name(const __half a, const __half b) { return a op b; }
GPUPORT_HALF(__hadd, +)
GPUPORT_HALF(__hsub, -)
GPUPORT_HALF(__hmul, *)
GPUPORT_HALF(__hdiv, /)
#define GPUPORT_HALF_ORDER(name, op)                                                        \
  static inline bool operator op(const __half &a, const __half &b) { return float(a) op float(b); } \
  static inline bool name(const __half a, const __half b) { return a op b; }
GPUPORT_HALF_ORDER(__heq, ==)
GPUPORT_HALF_ORDER(__hne, !=)
GPUPORT_HALF_ORDER(__hlt, <)
GPUPORT_HALF_ORDER(__hgt, >)
GPUPORT_HALF_ORDER(__hle, <=)
GPUPORT_HALF_ORDER(__hge, >=)
static inline __half &operator+=(__half &a, const __half &b) { return a = a + b; }
static inline __half &operator-=(__half &a, const __half &b) { return a = a - b; }
static inline __half &operator*=(__half &a, const __half &b) { return a = a * b; }
static inline __half operator-(const __half &a) { return __ushort_as_half(a.bits ^ 0x8000); }
// one rounding: the product of two halves is exact in double, and so is its sum but for ties
static inline __half __hfma(const __half a, const __half b, const __half c) {
  return __half(double(float(a)) * double(float(b)) + double(float(c)));
}
static inline __half hsqrt(const __half a) { return __half(::sqrtf(float(a))); }
static inline __half hexp(const __half a) { return __half(::expf(float(a))); }
static inline __half hlog(const __half a) { return __half(::logf(float(a))); }
static inline __half __habs(const __half a) { return __ushort_as_half(a.bits & 0x7fff); }
static inline bool __hisnan(const __half a) { return (a.bits & 0x7fff) > 0x7c00; }

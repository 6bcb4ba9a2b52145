// Half precision: stored in 16 bits, computed with as float, as CuPy's float16 does it.
#pragma once
#include "cuda_fp16.h"

class float16 {
  half data_;

 public:
  static const unsigned short nan = 0x7e00u;
  float16() = default;
  float16(float v) : data_(v) {}
  explicit float16(bool v) : data_(float(v)) {}
  explicit float16(double v) : data_(v) {}
  explicit float16(int v) : data_(float(v)) {}
  explicit float16(unsigned v) : data_(float(v)) {}
  explicit float16(long long v) : data_(float(v)) {}
  explicit float16(unsigned long long v) : data_(float(v)) {}
  explicit float16(const half &v) : data_(v) {}
  operator float() const { return float(data_); }
  float16(const float16 &) = default;
  float16 &operator=(const float16 &) = default;
  template <typename T> float16 &operator=(const T &v) { return *this = static_cast<float16>(v); }

  unsigned short to_bits() const { return __half_as_ushort(data_); }
  static float16 from_bits(unsigned short v) { return float16(__ushort_as_half(v)); }
  int iszero() const { return (to_bits() & 0x7fff) == 0; }
  int isnan() const { return (to_bits() & 0x7fff) > 0x7c00; }
  int isinf() const { return (to_bits() & 0x7fff) == 0x7c00; }
  int isfinite() const { return (to_bits() & 0x7c00) != 0x7c00; }
  int signbit() const { return (to_bits() & 0x8000) != 0; }
  template <typename T> float16 &operator+=(const T &v) { return *this = *this + v; }
  template <typename T> float16 &operator-=(const T &v) { return *this = *this - v; }
  template <typename T> float16 &operator*=(const T &v) { return *this = *this * v; }
  template <typename T> float16 &operator/=(const T &v) { return *this = *this / v; }
  friend float16 copysign(float16 x, float16 y) {
    return from_bits((x.to_bits() & 0x7fff) | (y.to_bits() & 0x8000));
  }
};

static inline float16 min(float16 x, float16 y) { return float16(min(float(x), float(y))); }
static inline float16 max(float16 x, float16 y) { return float16(max(float(x), float(y))); }
static inline float16 fmin(float16 x, float16 y) { return float16(fmin(float(x), float(y))); }
static inline float16 fmax(float16 x, float16 y) { return float16(fmax(float(x), float(y))); }
static inline int iszero(float16 x) { return x.iszero(); }
static inline int isnan(float16 x) { return x.isnan(); }
static inline int isinf(float16 x) { return x.isinf(); }
static inline int isfinite(float16 x) { return x.isfinite(); }
static inline int signbit(float16 x) { return x.signbit(); }

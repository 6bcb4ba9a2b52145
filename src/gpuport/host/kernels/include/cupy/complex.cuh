// thrust::complex as device code sees it. As there, both operands have one type: complex<float>
// times a double does not compile.
#pragma once
#include "gpuport/types.h"

// CuPy's header brings these along
#define FLT_MAX __FLT_MAX__
#define FLT_MIN __FLT_MIN__
#define FLT_EPSILON __FLT_EPSILON__
#define DBL_MAX __DBL_MAX__
#define DBL_MIN __DBL_MIN__
#define DBL_EPSILON __DBL_EPSILON__

namespace thrust {

template <typename T> struct complex {
  typedef T value_type;

  complex() = default;
  complex(const T &re) : re_(re), im_(T()) {}
  complex(const T &re, const T &im) : re_(re), im_(im) {}
  template <typename U> complex(const complex<U> &z) : re_(T(z.real())), im_(T(z.imag())) {}
  complex &operator=(const T &re) {
    re_ = re;
    im_ = T();
    return *this;
  }
  template <typename U> complex &operator=(const complex<U> &z) { return *this = complex(z); }

  T real() const { return re_; }
  T imag() const { return im_; }
  void real(T re) { re_ = re; }
  void imag(T im) { im_ = im; }

  complex &operator+=(const complex z) { return *this = *this + z; }
  complex &operator-=(const complex z) { return *this = *this - z; }
  complex &operator*=(const complex z) { return *this = *this * z; }
  complex &operator/=(const complex z) { return *this = *this / z; }

 private:
  T re_, im_;
};

#define GPUPORT_TWO(op)                                                                         \
  template <typename T> inline complex<T> operator op(const complex<T> &a, const T &b) {         \
    return a op complex<T>(b);                                                                   \
  }                                                                                              \
  template <typename T> inline complex<T> operator op(const T &a, const complex<T> &b) {         \
    return complex<T>(a) op b;                                                                   \
  }
template <typename T> inline complex<T> operator+(const complex<T> &a, const complex<T> &b) {
  return complex<T>(a.real() + b.real(), a.imag() + b.imag());
}
template <typename T> inline complex<T> operator-(const complex<T> &a, const complex<T> &b) {
  return complex<T>(a.real() - b.real(), a.imag() - b.imag());
}
template <typename T> inline complex<T> operator*(const complex<T> &a, const complex<T> &b) {
  return complex<T>(a.real() * b.real() - a.imag() * b.imag(),
                    a.real() * b.imag() + a.imag() * b.real());
}
// Scaled by the sum norm of the divisor, as thrust does it; NumPy scales by the larger part.
template <typename T> inline complex<T> operator/(const complex<T> &a, const complex<T> &b) {
  T s = T(1) / (::fabs(b.real()) + ::fabs(b.imag()));
  const T ar = a.real() * s, ai = a.imag() * s, br = b.real() * s, bi = b.imag() * s;
  s = T(1) / (br * br + bi * bi);
  return complex<T>((ar * br + ai * bi) * s, (ai * br - ar * bi) * s);
}
template <typename T> inline complex<T> operator+(const complex<T> &a, const T &b) {
  return complex<T>(a.real() + b, a.imag());
}
template <typename T> inline complex<T> operator+(const T &a, const complex<T> &b) {
  return complex<T>(a + b.real(), b.imag());
}
template <typename T> inline complex<T> operator-(const complex<T> &a, const T &b) {
  return complex<T>(a.real() - b, a.imag());
}
template <typename T> inline complex<T> operator-(const T &a, const complex<T> &b) {
  return complex<T>(a - b.real(), -b.imag());
}
template <typename T> inline complex<T> operator*(const complex<T> &a, const T &b) {
  return complex<T>(a.real() * b, a.imag() * b);
}
template <typename T> inline complex<T> operator*(const T &a, const complex<T> &b) { return b * a; }
template <typename T> inline complex<T> operator/(const complex<T> &a, const T &b) {
  return complex<T>(a.real() / b, a.imag() / b);
}
template <typename T> inline complex<T> operator/(const T &a, const complex<T> &b) {
  return complex<T>(a) / b;
}
template <typename T> inline complex<T> operator+(const complex<T> &z) { return z; }
template <typename T> inline complex<T> operator-(const complex<T> &z) {
  return complex<T>(-z.real(), -z.imag());
}
template <typename T> inline bool operator==(const complex<T> &a, const complex<T> &b) {
  return a.real() == b.real() && a.imag() == b.imag();
}
template <typename T> inline bool operator==(const complex<T> &a, const T &b) {
  return a == complex<T>(b);
}
template <typename T> inline bool operator==(const T &a, const complex<T> &b) {
  return complex<T>(a) == b;
}
template <typename T> inline bool operator!=(const complex<T> &a, const complex<T> &b) {
  return !(a == b);
}
template <typename T> inline bool operator!=(const complex<T> &a, const T &b) { return !(a == b); }
template <typename T> inline bool operator!=(const T &a, const complex<T> &b) { return !(a == b); }
// CuPy's order of complex numbers: real part first, then imaginary.
template <typename T> inline bool operator<(const complex<T> &a, const complex<T> &b) {
  return a.real() < b.real() || (a.real() == b.real() && a.imag() < b.imag());
}
template <typename T> inline bool operator>(const complex<T> &a, const complex<T> &b) { return b < a; }
template <typename T> inline bool operator<=(const complex<T> &a, const complex<T> &b) {
  return a == b || a < b;
}
template <typename T> inline bool operator>=(const complex<T> &a, const complex<T> &b) {
  return a == b || b < a;
}

template <typename T> inline T real(const complex<T> &z) { return z.real(); }
template <typename T> inline T imag(const complex<T> &z) { return z.imag(); }
template <typename T> inline T abs(const complex<T> &z) { return hypot(z.real(), z.imag()); }
template <typename T> inline T arg(const complex<T> &z) { return atan2(z.imag(), z.real()); }
template <typename T> inline T norm(const complex<T> &z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
template <typename T> inline complex<T> conj(const complex<T> &z) {
  return complex<T>(z.real(), -z.imag());
}
template <typename T> inline complex<T> polar(const T &r, const T &angle = 0) {
  return complex<T>(r * cos(angle), r * sin(angle));
}
// through the complex functions of C
#define GPUPORT_COMPLEX_OF(name, T, function)                                                   \
  inline complex<T> name(const complex<T> &z) {                                                  \
    T _Complex argument;                                                                         \
    __real__ argument = z.real();                                                                \
    __imag__ argument = z.imag();                                                                \
    const T _Complex result = __builtin_##function(argument);                                    \
    return complex<T>(__real__ result, __imag__ result);                                         \
  }
#define GPUPORT_COMPLEX(name)                \
  GPUPORT_COMPLEX_OF(name, float, c##name##f) \
  GPUPORT_COMPLEX_OF(name, double, c##name)
GPUPORT_COMPLEX(exp) GPUPORT_COMPLEX(log) GPUPORT_COMPLEX(sqrt) GPUPORT_COMPLEX(proj)
GPUPORT_COMPLEX(sin) GPUPORT_COMPLEX(cos) GPUPORT_COMPLEX(tan) GPUPORT_COMPLEX(sinh)
GPUPORT_COMPLEX(cosh) GPUPORT_COMPLEX(tanh) GPUPORT_COMPLEX(asin) GPUPORT_COMPLEX(acos)
GPUPORT_COMPLEX(atan) GPUPORT_COMPLEX(asinh) GPUPORT_COMPLEX(acosh) GPUPORT_COMPLEX(atanh)
template <typename T> inline complex<T> log10(const complex<T> &z) {
  return log(z) / T(2.30258509299404568402);
}
template <typename T> inline complex<T> pow(const complex<T> &a, const complex<T> &b) {
  return exp(log(a) * b);
}
template <typename T> inline complex<T> pow(const complex<T> &a, const T &b) {
  return exp(log(a) * b);
}
template <typename T> inline complex<T> pow(const T &a, const complex<T> &b) {
  return exp(::log(a) * b);
}

}  // namespace thrust
namespace gpuport {
template <class F> struct Parts<thrust::complex<F>> {
  static constexpr int count = 2;
  typedef F type;
};
}  // namespace gpuport

using thrust::acos;
using thrust::acosh;
using thrust::arg;
using thrust::asin;
using thrust::asinh;
using thrust::atan;
using thrust::atanh;
using thrust::complex;
using thrust::conj;
using thrust::cos;
using thrust::cosh;
using thrust::exp;
using thrust::imag;
using thrust::log;
using thrust::log10;
using thrust::real;
using thrust::sin;
using thrust::sinh;
using thrust::tan;
using thrust::tanh;

template <typename T> inline bool isnan(complex<T> z) { return isnan(z.real()) || isnan(z.imag()); }
template <typename T> inline bool isinf(complex<T> z) { return isinf(z.real()) || isinf(z.imag()); }
template <typename T> inline bool isfinite(complex<T> z) {
  return isfinite(z.real()) && isfinite(z.imag());
}
template <typename T> inline complex<T> log1p(complex<T> z) { return log(z + T(1)); }
template <typename T> inline complex<T> log2(complex<T> z) { return log(z) / ::log(T(2)); }
template <typename T> inline complex<T> expm1(complex<T> z) { return exp(z) - T(1); }
template <typename T> inline complex<T> rint(complex<T> z) {
  return complex<T>(rint(z.real()), rint(z.imag()));
}
template <typename T> inline complex<T> min(complex<T> a, complex<T> b) {
  return isnan(a) ? b : isnan(b) ? a : a < b ? a : b;
}
template <typename T> inline complex<T> max(complex<T> a, complex<T> b) {
  return isnan(a) ? b : isnan(b) ? a : a < b ? b : a;
}

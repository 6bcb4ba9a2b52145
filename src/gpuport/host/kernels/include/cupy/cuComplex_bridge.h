// cuComplex.h for kernels that are made with translate_cucomplex: over thrust's complex numbers.
#pragma once
#include "thrust/complex.h"
#define GPUPORT_BRIDGE(f, T)                                                                      \
  static inline T cuCreal##f(const thrust::complex<T> &z) { return z.real(); }                    \
  static inline T cuCimag##f(const thrust::complex<T> &z) { return z.imag(); }                    \
  static inline T cuCabs##f(const thrust::complex<T> &z) { return thrust::abs(z); }               \
  static inline thrust::complex<T> cuConj##f(const thrust::complex<T> &z) {                       \
    return thrust::conj(z);                                                                       \
  }                                                                                               \
  template <class A, class B> auto cuCadd##f(const A &a, const B &b) { return a + b; }            \
  template <class A, class B> auto cuCsub##f(const A &a, const B &b) { return a - b; }            \
  template <class A, class B> auto cuCmul##f(const A &a, const B &b) { return a * b; }            \
  template <class A, class B> auto cuCdiv##f(const A &a, const B &b) { return a / b; }            \
  template <class A, class B, class C> auto cuCfma##f(const A &a, const B &b, const C &c) {       \
    return a * b + c;                                                                             \
  }
GPUPORT_BRIDGE(f, float)
GPUPORT_BRIDGE(, double)
#define cuFloatComplex thrust::complex<float>
#define cuComplex thrust::complex<float>
#define cuDoubleComplex thrust::complex<double>
#define make_cuFloatComplex(A, B) thrust::complex<float>(A, B)
#define make_cuComplex(A, B) thrust::complex<float>(A, B)
#define make_cuDoubleComplex(A, B) thrust::complex<double>(A, B)
#define cuComplexDoubleToFloat(Z) thrust::complex<float>(Z)
#define cuComplexFloatToDouble(Z) thrust::complex<double>(Z)

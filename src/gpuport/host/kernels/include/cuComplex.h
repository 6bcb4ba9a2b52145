// CUDA's complex numbers in C style.
#pragma once
#include "gpuport/math.h"
typedef float2 cuFloatComplex;
typedef cuFloatComplex cuComplex;
typedef double2 cuDoubleComplex;
#define GPUPORT_CUCOMPLEX(f, T, C)                                                                \
  static inline T cuCreal##f(C z) { return z.x; }                                                 \
  static inline T cuCimag##f(C z) { return z.y; }                                                 \
  static inline C cuConj##f(C z) { return {z.x, -z.y}; }                                          \
  static inline C cuCadd##f(C a, C b) { return {a.x + b.x, a.y + b.y}; }                          \
  static inline C cuCsub##f(C a, C b) { return {a.x - b.x, a.y - b.y}; }                          \
  static inline C cuCmul##f(C a, C b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; }  \
  static inline T cuCabs##f(C z) { return hypot(z.x, z.y); }                                      \
  static inline C cuCdiv##f(C a, C b) {                                                           \
    T s = T(1) / (fabs(b.x) + fabs(b.y));                                                         \
    const T ar = a.x * s, ai = a.y * s, br = b.x * s, bi = b.y * s;                               \
    s = T(1) / (br * br + bi * bi);                                                               \
    return {(ar * br + ai * bi) * s, (ai * br - ar * bi) * s};                                    \
  }
#define GPUPORT_CUFMA(name, C) \
  static inline C name(C a, C b, C c) { \
    return {a.x * b.x + c.x - a.y * b.y, a.x * b.y + c.y + a.y * b.x}; \
  }
GPUPORT_CUCOMPLEX(f, float, cuFloatComplex)
GPUPORT_CUCOMPLEX(, double, cuDoubleComplex)
static inline cuFloatComplex make_cuFloatComplex(float x, float y) { return {x, y}; }
static inline cuComplex make_cuComplex(float x, float y) { return {x, y}; }
static inline cuDoubleComplex make_cuDoubleComplex(double x, double y) { return {x, y}; }
GPUPORT_CUFMA(cuCfmaf, cuFloatComplex)
GPUPORT_CUFMA(cuCfma, cuDoubleComplex)
static inline cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex z) { return {z.x, z.y}; }
static inline cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex z) {
  return {float(z.x), float(z.y)};
}

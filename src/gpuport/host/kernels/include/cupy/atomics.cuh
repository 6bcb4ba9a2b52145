// The atomics that CuPy adds to CUDA's.
#pragma once
#include "cupy/carray.cuh"
#include "cupy/float16.cuh"

static inline float16 atomicAdd(float16 *address, float16 value) {
  gpuport::remember(float(value));
  return gpuport::atomically(address, [=](float16 old) { return float16(float(old) + float(value)); });
}
GPUPORT_ATOMIC(atomicAdd, long long, (long long)((unsigned long long)old + (unsigned long long)value))
GPUPORT_ATOMIC(atomicMax, float, fmaxf(value, old))
GPUPORT_ATOMIC(atomicMin, float, fminf(value, old))
// CuPy calls fmaxf and fminf for double, too: the result is rounded to float.
GPUPORT_ATOMIC(atomicMax, double, fmaxf(float(value), float(old)))
GPUPORT_ATOMIC(atomicMin, double, fminf(float(value), float(old)))

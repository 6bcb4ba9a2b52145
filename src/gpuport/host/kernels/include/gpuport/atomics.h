// Atomic operations. One thread of the host runs all threads of the grid, so that an atomic is
// its plain operation; sums of floating values remember how large their rounding can be.
#pragma once
#include "gpuport/math.h"

namespace gpuport {
template <class T, class Change> static inline T atomically(T *address, Change change) {
  Atomic guard;
  const T old = *address;
  *address = change(old);
  return old;
}
template <class T> GPUPORT_PLAIN static inline void remember(T value) {
  state.request->float_atomics = 1;
  const double size = ::fabs(double(value));
  if (size == size && size < HUGE_VAL) state.request->atomic_mass += size;
}
}  // namespace gpuport

#define GPUPORT_ATOMIC(name, T, formula)                                        \
  static inline T name(T *address, T value) {                                   \
    return gpuport::atomically(address, [=](T old) -> T { return formula; });   \
  }
#define GPUPORT_ATOMIC_INTEGERS(name, formula)                                  \
  GPUPORT_ATOMIC(name, int, formula)                                            \
  GPUPORT_ATOMIC(name, unsigned, formula)                                       \
  GPUPORT_ATOMIC(name, unsigned long long, formula)
// sums wrap around, as they do on a GPU
GPUPORT_ATOMIC(atomicAdd, int, int(unsigned(old) + unsigned(value)))
GPUPORT_ATOMIC(atomicAdd, unsigned, old + value)
GPUPORT_ATOMIC(atomicAdd, unsigned long long, old + value)
GPUPORT_ATOMIC(atomicSub, int, int(unsigned(old) - unsigned(value)))
GPUPORT_ATOMIC(atomicSub, unsigned, old - value)
GPUPORT_ATOMIC_INTEGERS(atomicExch, value)
GPUPORT_ATOMIC(atomicExch, float, value)
GPUPORT_ATOMIC_INTEGERS(atomicMin, old < value ? old : value)
GPUPORT_ATOMIC_INTEGERS(atomicMax, old > value ? old : value)
GPUPORT_ATOMIC(atomicMin, long long, old < value ? old : value)
GPUPORT_ATOMIC(atomicMax, long long, old > value ? old : value)
GPUPORT_ATOMIC_INTEGERS(atomicAnd, old & value)
GPUPORT_ATOMIC_INTEGERS(atomicOr, old | value)
GPUPORT_ATOMIC_INTEGERS(atomicXor, old ^ value)
GPUPORT_ATOMIC(atomicInc, unsigned, old >= value ? 0u : old + 1)
GPUPORT_ATOMIC(atomicDec, unsigned, old == 0 || old > value ? value : old - 1)
static inline float atomicAdd(float *address, float value) {
  gpuport::remember(value);
  return gpuport::atomically(address, [=](float old) { return old + value; });
}
static inline double atomicAdd(double *address, double value) {
  gpuport::remember(value);
  return gpuport::atomically(address, [=](double old) { return old + value; });
}
#define GPUPORT_ATOMIC_SWAP(T)                                                             \
  static inline T atomicCAS(T *address, T expected, T value) {                             \
    return gpuport::atomically(address, [=](T old) { return old == expected ? value : old; }); \
  }
GPUPORT_ATOMIC_SWAP(int)
GPUPORT_ATOMIC_SWAP(unsigned)
GPUPORT_ATOMIC_SWAP(unsigned short)
GPUPORT_ATOMIC_SWAP(unsigned long long)
#define atomicAdd_block atomicAdd
#define atomicAdd_system atomicAdd
#define atomicMax_block atomicMax
#define atomicMin_block atomicMin

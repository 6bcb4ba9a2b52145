// Everything that CuPy puts before an ElementwiseKernel or a ReductionKernel.
#pragma once
#include "gpuport/raw.h"
#include "cupy/complex.cuh"
#include "cupy/carray.cuh"
#include "cupy/float16.cuh"
#include "cupy/atomics.cuh"
#include "cupy/math_constants.h"
#include "gpuport/reduction.h"

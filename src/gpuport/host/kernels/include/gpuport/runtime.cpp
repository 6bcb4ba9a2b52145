// The part of the runtime that does not depend on the kernel: compiled once, linked to each.
#include "gpuport/runtime.h"

gpuport_uint3 threadIdx, blockIdx, blockDim, gridDim;
namespace gpuport {
State state;
int64_t words[1024];
char *dynamic_shared;
}  // namespace gpuport

#include "gpuport/memory.inc"
#include "gpuport/blocks.inc"
#include "gpuport/start.inc"

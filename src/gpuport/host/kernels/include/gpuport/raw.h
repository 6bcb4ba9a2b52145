// Everything a RawKernel sees without including anything.
#pragma once
#include "gpuport/launch.h"

// And what the host's headers declare and NVRTC does not (tried on NVRTC 12.9): under these names
// there is nothing, and a kernel that declares them itself may do so.
#undef M_PI
#undef FLT_MAX
#undef FLT_MIN
#undef FLT_EPSILON
#undef DBL_MAX
#undef DBL_MIN
#undef DBL_EPSILON
#undef NAN
#undef INFINITY
#undef HUGE_VAL
#undef HUGE_VALF
#define int8_t nvrtc_has_no_int8_t
#define int16_t nvrtc_has_no_int16_t
#define int32_t nvrtc_has_no_int32_t
#define int64_t nvrtc_has_no_int64_t
#define uint8_t nvrtc_has_no_uint8_t
#define uint16_t nvrtc_has_no_uint16_t
#define uint32_t nvrtc_has_no_uint32_t
#define uint64_t nvrtc_has_no_uint64_t
#define intptr_t nvrtc_has_no_intptr_t
#define uintptr_t nvrtc_has_no_uintptr_t
#define nullptr_t nvrtc_has_no_nullptr_t
#define uint nvrtc_has_no_uint
#define ushort nvrtc_has_no_ushort
#define ulong nvrtc_has_no_ulong
#define rand nvrtc_has_no_rand
#define srand nvrtc_has_no_srand
#define strlen nvrtc_has_no_strlen
#define exit nvrtc_has_no_exit
#define abort nvrtc_has_no_abort
#define getenv nvrtc_has_no_getenv
#define system nvrtc_has_no_system
#define fopen nvrtc_has_no_fopen
#define puts nvrtc_has_no_puts
#define isnanf nvrtc_has_no_isnanf

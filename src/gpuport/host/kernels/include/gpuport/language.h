// What CUDA C++ adds to C++: qualifiers, vector types, intrinsics.
#pragma once
#include "gpuport/fibers.h"

#define __device__
#define __host__
#define __global__ __attribute__((noinline, used, visibility("default")))
#define __constant__
#define __managed__
#define __forceinline__ inline
#define __noinline__ __attribute__((noinline))
#define __launch_bounds__(...)
#define __grid_constant__
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __attribute__((aligned(n)))
// One thread runs all blocks, so what is local to a thread of the host is shared by a block. The
// segment of thread-local variables then is the shared memory, and its bounds are known.
#define __shared__ static thread_local
#define __CUDA_ARCH__ 800
#define __CUDACC__ 1
#define __CUDACC_RTC__ 1
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 9

// What NVRTC itself declares of C++'s library.
namespace std {
template <class T> class initializer_list {
  const T *begin_;
  size_t size_;
  constexpr initializer_list(const T *begin, size_t size) : begin_(begin), size_(size) {}

 public:
  constexpr initializer_list() : begin_(nullptr), size_(0) {}
  constexpr size_t size() const { return size_; }
  constexpr const T *begin() const { return begin_; }
  constexpr const T *end() const { return begin_ + size_; }
};
template <class T> struct gpuport_plain { typedef T type; };
template <class T> struct gpuport_plain<T &> { typedef T type; };
template <class T> struct gpuport_plain<T &&> { typedef T type; };
template <class T> constexpr typename gpuport_plain<T>::type &&move(T &&value) {
  return static_cast<typename gpuport_plain<T>::type &&>(value);
}
template <class T> constexpr T &&forward(typename gpuport_plain<T>::type &value) {
  return static_cast<T &&>(value);
}
}  // namespace std

typedef gpuport_uint3 uint3;
struct dim3 {
  unsigned x, y, z;
  constexpr dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {}
  constexpr dim3(gpuport_uint3 v) : x(v.x), y(v.y), z(v.z) {}
};
static const int warpSize = 32;

static inline uint3 make_uint3(unsigned x, unsigned y, unsigned z) { return {x, y, z}; }
#define GPUPORT_VECTOR(name, T, align2, align4)                                               \
  struct name##1 { T x; };                                                                    \
  struct __align__(align2) name##2 { T x, y; };                                               \
  struct __align__(align4) name##4 { T x, y, z, w; };                                         \
  static inline name##1 make_##name##1(T x) { return {x}; }                                   \
  static inline name##2 make_##name##2(T x, T y) { return {x, y}; }                           \
  static inline name##4 make_##name##4(T x, T y, T z, T w) { return {x, y, z, w}; }
#define GPUPORT_VECTOR3(name, T)                                                              \
  struct name##3 { T x, y, z; };                                                              \
  static inline name##3 make_##name##3(T x, T y, T z) { return {x, y, z}; }
GPUPORT_VECTOR(char, signed char, 2, 4)
GPUPORT_VECTOR(uchar, unsigned char, 2, 4)
GPUPORT_VECTOR(short, short, 4, 8)
GPUPORT_VECTOR(ushort, unsigned short, 4, 8)
GPUPORT_VECTOR(int, int, 8, 16)
GPUPORT_VECTOR(uint, unsigned, 8, 16)
GPUPORT_VECTOR(long, long, 16, 16)
GPUPORT_VECTOR(ulong, unsigned long, 16, 16)
GPUPORT_VECTOR(longlong, long long, 16, 16)
GPUPORT_VECTOR(ulonglong, unsigned long long, 16, 16)
GPUPORT_VECTOR(float, float, 8, 16)
GPUPORT_VECTOR(double, double, 16, 16)
GPUPORT_VECTOR3(char, signed char)
GPUPORT_VECTOR3(uchar, unsigned char)
GPUPORT_VECTOR3(short, short)
GPUPORT_VECTOR3(ushort, unsigned short)
GPUPORT_VECTOR3(int, int)
GPUPORT_VECTOR3(long, long)
GPUPORT_VECTOR3(longlong, long long)
GPUPORT_VECTOR3(float, float)
GPUPORT_VECTOR3(double, double)

// caches and fences
template <class T> static inline T __ldg(const T *p) { return *p; }
template <class T> static inline T __ldcg(const T *p) { return *p; }
template <class T> static inline T __ldca(const T *p) { return *p; }
template <class T> static inline T __ldcs(const T *p) { return *p; }
template <class T> static inline void __stcg(T *p, T v) { *p = v; }
template <class T> static inline void __stcs(T *p, T v) { *p = v; }
GPUPORT_PLAIN static inline void __threadfence() { gpuport::state.fenced = true; }
static inline void __threadfence_system() { __threadfence(); }
static inline void __threadfence_block() {}
GPUPORT_PLAIN static inline void gpuport_trap(const char *file, int line) {
  gpuport::fail_at(gpuport::TRAP, file, line, 0);
}
#define __trap() gpuport_trap(__FILE__, __LINE__)
static inline void __nanosleep(unsigned) {}
static inline long long clock64() { return 0; }
#define clock() 0
GPUPORT_PLAIN static inline bool gpuport_assert(const char *file, int line) {
  gpuport::fail_at(gpuport::ASSERTION, file, line, 0);
}
#undef assert
#define assert(condition) ((condition) ? (void)0 : (void)gpuport_assert(__FILE__, __LINE__))
// The same kernel runs several times: it speaks in the first run only.
#define printf(...) (gpuport::state.speaks ? (gpuport::state.spoke = true, ::printf(__VA_ARGS__)) : 0)
static inline void *gpuport_memcpy(void *to, const void *from, size_t n) {
  gpuport::access(from, unsigned(n), false);
  gpuport::access(to, unsigned(n), true);
  return __builtin_memcpy(to, from, n);
}
static inline void *gpuport_memset(void *to, int value, size_t n) {
  gpuport::access(to, unsigned(n), true);
  return __builtin_memset(to, value, n);
}
#define memcpy gpuport_memcpy
#define memset gpuport_memset

// bits
template <class To, class From> static inline To gpuport_bits(From from) {
  static_assert(sizeof(To) == sizeof(From), "same size");
  To to;
  __builtin_memcpy(&to, &from, sizeof(To));
  return to;
}
static inline int __float_as_int(float x) { return gpuport_bits<int>(x); }
static inline unsigned __float_as_uint(float x) { return gpuport_bits<unsigned>(x); }
static inline float __int_as_float(int x) { return gpuport_bits<float>(x); }
static inline float __uint_as_float(unsigned x) { return gpuport_bits<float>(x); }
static inline long long __double_as_longlong(double x) { return gpuport_bits<long long>(x); }
static inline double __longlong_as_double(long long x) { return gpuport_bits<double>(x); }
static inline int __double2hiint(double x) { return int(__double_as_longlong(x) >> 32); }
static inline int __double2loint(double x) { return int(__double_as_longlong(x)); }
static inline double __hiloint2double(int hi, int lo) {
  return __longlong_as_double((long long)((unsigned long long)(unsigned)hi << 32 | (unsigned)lo));
}
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x ? __builtin_clz(unsigned(x)) : 32; }
static inline int __clzll(long long x) { return x ? __builtin_clzll((unsigned long long)x) : 64; }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline unsigned long long __brevll(unsigned long long x) {
  unsigned long long r = 0;
  for (int i = 0; i < 64; ++i) r |= (x >> i & 1) << (63 - i);
  return r;
}
static inline unsigned __brev(unsigned x) { return unsigned(__brevll(x) >> 32); }
static inline unsigned __byte_perm(unsigned x, unsigned y, unsigned selector) {
  const unsigned long long both = (unsigned long long)y << 32 | x;
  unsigned r = 0;
  for (int i = 0; i < 4; ++i)
    r |= unsigned(both >> ((selector >> 4 * i & 7) * 8) & 0xFF) << 8 * i;
  return r;
}
static inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned by) {
  return unsigned(((unsigned long long)hi << 32 | lo) << (by & 31) >> 32);
}
static inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned by) {
  return unsigned(((unsigned long long)hi << 32 | lo) >> (by & 31));
}
static inline int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
static inline unsigned __umulhi(unsigned a, unsigned b) {
  return unsigned((unsigned long long)a * b >> 32);
}
static inline long long __mul64hi(long long a, long long b) {
  return (long long)((__int128)a * b >> 64);
}
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
static inline int __mul24(int a, int b) { return int(unsigned(a << 8 >> 8) * unsigned(b << 8 >> 8)); }
static inline unsigned __umul24(unsigned a, unsigned b) { return (a & 0xFFFFFF) * (b & 0xFFFFFF); }

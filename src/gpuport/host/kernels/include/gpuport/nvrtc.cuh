// CuPy's array and indexer for NVRTC where CuPy's own headers are not installed: the same members,
// compiled only, never run.
#pragma once
#define CUPY_FOR(i, n)                                                                          \
  for (ptrdiff_t i = static_cast<ptrdiff_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < (n);     \
       i += static_cast<ptrdiff_t>(blockDim.x) * gridDim.x)
#ifndef M_PI
#define M_PI 3.1415926535897932384626433832795
#endif
// as cupy/math_constants.h
#define CUDART_INF_F __int_as_float(0x7f800000)
#define CUDART_NAN_F __int_as_float(0x7fffffff)
#define CUDART_INF __longlong_as_double(0x7ff0000000000000ULL)
#define CUDART_NAN __longlong_as_double(0xfff8000000000000ULL)

template <typename T, int _ndim, bool _c_contiguous = false, bool _use_32bit_indexing = false>
class CArray {
 public:
  static const int ndim = _ndim;
  static const bool c_contiguous = _c_contiguous;

 private:
  T *data_;
  ptrdiff_t size_, shape_[_ndim], strides_[_ndim];

 public:
  __device__ ptrdiff_t size() const { return size_; }
  __device__ const ptrdiff_t *shape() const { return shape_; }
  __device__ const ptrdiff_t *strides() const { return strides_; }
  template <typename Int> __device__ T &operator[](const Int (&index)[_ndim]) { return *at(index); }
  template <typename Int> __device__ const T &operator[](const Int (&index)[_ndim]) const {
    return *at(index);
  }
  __device__ T &operator[](ptrdiff_t i) { return *at(i); }
  __device__ const T &operator[](ptrdiff_t i) const { return *at(i); }

 private:
  __device__ T *at(ptrdiff_t i) const {
    if (_c_contiguous) return data_ + i;
    ptrdiff_t offset = 0;
    for (int d = _ndim; --d > 0;) {
      offset += strides_[d] * (i % shape_[d]);
      i /= shape_[d];
    }
    return move(offset + strides_[0] * i);
  }
  template <typename Int> __device__ T *at(const Int *index) const {
    ptrdiff_t offset = 0;
    for (int d = 0; d < _ndim; ++d) offset += strides_[d] * ptrdiff_t(index[d]);
    return move(offset);
  }
  __device__ T *move(ptrdiff_t offset) const { return (T *)((char *)data_ + offset); }
};
template <typename T, bool _c_contiguous, bool _use_32bit_indexing>
class CArray<T, 0, _c_contiguous, _use_32bit_indexing> {
  T *data_;
  ptrdiff_t size_;

 public:
  static const int ndim = 0;
  __device__ ptrdiff_t size() const { return size_; }
  __device__ const ptrdiff_t *shape() const { return nullptr; }
  __device__ const ptrdiff_t *strides() const { return nullptr; }
  template <typename U> __device__ T &operator[](const U &) { return *data_; }
  template <typename U> __device__ T operator[](const U &) const { return *data_; }
};
template <int _ndim, bool _use_32bit_indexing = false> class CIndexer {
  ptrdiff_t size_, shape_[_ndim], index_[_ndim];
  typedef ptrdiff_t index_t[_ndim];

 public:
  static const int ndim = _ndim;
  __device__ ptrdiff_t size() const { return size_; }
  __device__ const index_t &get() const { return index_; }
  __device__ void set(ptrdiff_t i) {
    for (int d = _ndim; --d > 0;) {
      index_[d] = i % shape_[d];
      i /= shape_[d];
    }
    index_[0] = i;
  }
};
template <bool _use_32bit_indexing> class CIndexer<0, _use_32bit_indexing> {
  ptrdiff_t size_;

 public:
  static const int ndim = 0;
  __device__ ptrdiff_t size() const { return size_; }
  __device__ void set(ptrdiff_t) {}
  __device__ const ptrdiff_t *get() const { return nullptr; }
};
__device__ inline long long atomicAdd(long long *address, long long value) {
  return (long long)atomicAdd((unsigned long long *)address, (unsigned long long)value);
}

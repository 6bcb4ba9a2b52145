// CuPy's array and indexer, checking each index in strict mode. Same members and same addressing
// as cupy/carray.cuh of CuPy 14.
#pragma once
#include "gpuport/launch.h"

#ifndef M_PI
#define M_PI 3.1415926535897932384626433832795
#endif

#define CUPY_FOR(i, n)                                                                     \
  for (ptrdiff_t i = static_cast<ptrdiff_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < (n); \
       i += static_cast<ptrdiff_t>(blockDim.x) * gridDim.x)

template <typename T, int _ndim, bool _c_contiguous = false, bool _use_32bit_indexing = false>
class CArray {
 public:
  static const int ndim = _ndim;
  static const bool c_contiguous = _c_contiguous;

 private:
  T *data_;
  ptrdiff_t size_;
  ptrdiff_t shape_[_ndim];
  ptrdiff_t strides_[_ndim];
  int argument_;

 public:
  CArray() : data_(nullptr), size_(1), argument_(-1) {}
  template <typename A, typename B>
  CArray(T *data, const A *shape, const B *strides, int argument = -1)
      : data_(data), size_(1), argument_(argument) {
    for (int d = 0; d < _ndim; ++d) {
      size_ *= shape[d];
      shape_[d] = shape[d];
      strides_[d] = strides[d];
    }
  }

  ptrdiff_t size() const { return size_; }
  const ptrdiff_t *shape() const { return shape_; }
  const ptrdiff_t *strides() const { return strides_; }

  T &operator[](ptrdiff_t i) { return *address(i); }
  const T &operator[](ptrdiff_t i) const { return *address(i); }
  template <typename Int> T &operator[](const Int (&index)[_ndim]) { return *address(index); }
  template <typename Int> const T &operator[](const Int (&index)[_ndim]) const {
    return *address(index);
  }
  template <typename Int> T &operator[](const std::initializer_list<Int> index) {
    return *address(checked(index));
  }
  template <typename Int> const T &operator[](const std::initializer_list<Int> index) const {
    return *address(checked(index));
  }

 private:
  template <typename Int> const Int *checked(const std::initializer_list<Int> &index) const {
    assert(index.size() == _ndim);
    return index.begin();
  }
  GPUPORT_PLAIN T *address(ptrdiff_t i) const {
#ifdef GPUPORT_STRICT
    if (i < 0 || i >= size_) {
      const gpuport::Word index[1] = {i};
      gpuport::fail_index(argument_, 1, index, -1);
    }
#endif
    if (_c_contiguous) return data_ + i;
    ptrdiff_t offset = 0;
    for (int d = _ndim; --d > 0;) {
      offset += strides_[d] * (i % shape_[d]);
      i /= shape_[d];
    }
    return move(offset + strides_[0] * i);
  }
  template <typename Int> GPUPORT_PLAIN T *address(const Int *index) const {
    ptrdiff_t offset = 0;
    for (int d = 0; d < _ndim; ++d) {
#ifdef GPUPORT_STRICT
      if (ptrdiff_t(index[d]) < 0 || ptrdiff_t(index[d]) >= shape_[d]) {
        gpuport::Word all[_ndim];
        for (int e = 0; e < _ndim; ++e) all[e] = gpuport::Word(index[e]);
        gpuport::fail_index(argument_, _ndim, all, d);
      }
#endif
      offset += strides_[d] * ptrdiff_t(index[d]);
    }
    return move(offset);
  }
  GPUPORT_PLAIN T *move(ptrdiff_t offset) const {
    return reinterpret_cast<T *>(reinterpret_cast<char *>(const_cast<typename gpuport::Plain<T>::type *>(data_)) + offset);
  }
};

// Without axes there is one element, and CuPy gives it for any index.
template <typename T, bool _c_contiguous, bool _use_32bit_indexing>
class CArray<T, 0, _c_contiguous, _use_32bit_indexing> {
  T *data_;

 public:
  static const int ndim = 0;
  CArray() : data_(nullptr) {}
  template <typename A, typename B>
  CArray(T *data, const A *, const B *, int = -1) : data_(data) {}
  ptrdiff_t size() const { return 1; }
  const ptrdiff_t *shape() const { return nullptr; }
  const ptrdiff_t *strides() const { return nullptr; }
  template <typename U> T &operator[](const U &) { return *data_; }
  template <typename U> T operator[](const U &) const { return *data_; }
};

template <int _ndim, bool _use_32bit_indexing = false> class CIndexer {
  ptrdiff_t size_;
  ptrdiff_t shape_[_ndim];
  ptrdiff_t index_[_ndim];
  typedef ptrdiff_t index_t[_ndim];

 public:
  static const int ndim = _ndim;
  template <typename Int> explicit CIndexer(const Int *shape) : size_(1) {
    for (int d = 0; d < _ndim; ++d) {
      size_ *= shape[d];
      shape_[d] = shape[d];
      index_[d] = 0;
    }
  }
  ptrdiff_t size() const { return size_; }
  const index_t &get() const { return index_; }
  GPUPORT_PLAIN void set(ptrdiff_t i) {
    for (int d = _ndim; --d > 0;) {
      index_[d] = i % shape_[d];
      i /= shape_[d];
    }
    index_[0] = i;
  }
};

template <bool _use_32bit_indexing> class CIndexer<0, _use_32bit_indexing> {
 public:
  static const int ndim = 0;
  template <typename Int> explicit CIndexer(const Int *) {}
  ptrdiff_t size() const { return 1; }
  void set(ptrdiff_t) {}
  const ptrdiff_t *get() const { return nullptr; }
};

static inline int _floor_divide(int x, int y) {
  if (y == 0) return 0;
  const int q = x / y;
  return q - (((x < 0) != (y < 0)) && q * y != x);
}
static inline long long _floor_divide(long long x, long long y) {
  if (y == 0) return 0;
  const long long q = x / y;
  return q - (((x < 0) != (y < 0)) && q * y != x);
}
static inline unsigned _floor_divide(unsigned x, unsigned y) { return y ? x / y : 0; }
static inline unsigned long long _floor_divide(unsigned long long x, unsigned long long y) {
  return y ? x / y : 0;
}
static inline float _floor_divide(float x, float y) { return floor(x / y); }
static inline double _floor_divide(double x, double y) { return floor(x / y); }

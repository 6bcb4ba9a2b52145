// NumPy's and Python's arithmetic, where C++'s own operators and functions do something else.
// Each function that a kernel uses is copied into its preamble, with the ones that it uses.

// a // b and a % b of whole numbers round towards minus infinity; NumPy gives 0 for b == 0.
template <class T> __device__ T floor_divide(T a, T b) {
  if (b == 0) return 0;
  if (T(-1) < T(0) && b == T(-1)) return T(0) - a;
  T q = a / b;
  return q - (((a < 0) != (b < 0)) && q * b != a);
}

template <class T> __device__ T modulo(T a, T b) {
  if (b == 0 || (T(-1) < T(0) && b == T(-1))) return 0;
  T r = a % b;
  return r != 0 && (r < 0) != (b < 0) ? r + b : r;
}

// Of floating numbers: NumPy's npy_divmod, Python's float_divmod.
template <class T> __device__ T float_floor_divide(T a, T b) {
  if (!b) return a / b;
  T m = fmod(a, b), q = (a - m) / b;
  if (m && (b < 0) != (m < 0)) q -= T(1);
  if (!q) return copysign(T(0), a / b);
  T f = floor(q);
  return q - f > T(0.5) ? f + T(1) : f;
}

template <class T> __device__ T float_modulo(T a, T b) {
  T m = fmod(a, b);
  if (!b) return m;
  if (!m) return copysign(T(0), b);
  return (b < 0) != (m < 0) ? m + b : m;
}

template <class T> __device__ T truncated_modulo(T a, T b) {
  return b == 0 || (T(-1) < T(0) && b == T(-1)) ? T(0) : T(a % b);
}

template <class T> __device__ T integer_power(T a, T n) {
  T r = 1;
  for (; n > 0; n >>= 1) {
    if (n & 1) r *= a;
    a *= a;
  }
  return r;
}

template <class T> __device__ T integer_abs(T a) { return a < 0 ? T(0) - a : a; }

template <class T> __device__ T square(T a) { return a * a; }

template <class T> __device__ T reciprocal(T a) { return T(1) / a; }

template <class T> __device__ T sign(T a) { return a > 0 ? T(1) : a < 0 ? T(-1) : a == 0 ? T(0) : a; }

// A shift by the width or more leaves the sign.
template <class T> __device__ T shift_left(T a, T by) {
  return by < 0 || by >= T(8 * sizeof(T)) ? T(0) : T((unsigned long long)a << by);
}

template <class T> __device__ T shift_right(T a, T by) {
  return by < 0 || by >= T(8 * sizeof(T)) ? T(a < 0 ? -1 : 0) : T(a >> by);
}

// NaN wins.
template <class T> __device__ T minimum(T a, T b) { return a < b || a != a ? a : b; }

template <class T> __device__ T maximum(T a, T b) { return a > b || a != a ? a : b; }

template <class T> __device__ T clip(T a, T low, T high) {
  a = a > low || a != a ? a : low;
  return a < high || a != a ? a : high;
}

// Python's min and max: the first of equals, and whatever the comparison says of NaN.
template <class T> __device__ T py_min(T a, T b) { return b < a ? b : a; }

template <class T> __device__ T py_max(T a, T b) { return b > a ? b : a; }

// As SciPy has it: -inf at -inf, where C has inf.
template <class T> __device__ T log_gamma(T a) { return a < 0 && isinf(a) ? a : lgamma(a); }

// NumPy's npy_cpow: whole powers below 100 are products, and nothing to the power of 0 is NaN.
template <class T> __device__ T complex_power(T a, T b) {
  auto re = b.real();
  auto none = 0 * re;
  if (re == 0 && b.imag() == 0) return T(1);
  if (a.real() == 0 && a.imag() == 0) {
    none /= none;
    return re > 0 ? T(0) : T(none, none);
  }
  if (b.imag() != 0 || !(fabs(re) < 100) || re != floor(re)) return pow(a, b);
  if (re == 1) return a;
  T r = T(1), p = a;
  for (int n = int(fabs(re)); n > 0; n >>= 1) {
    if (n & 1) r = r * p;
    p = p * p;
  }
  return re < 0 ? T(1) / r : r;
}

template <class T> __device__ T heaviside(T a, T at_zero) {
  return a != a ? a : a == 0 ? at_zero : a < 0 ? T(0) : T(1);
}

__device__ double math_radians(double a) { return a * (3.141592653589793 / 180.0); }

__device__ double math_degrees(double a) { return a * (180.0 / 3.141592653589793); }

// The least, or the greatest, of an element and what all threads bring. -0.0 is less than 0.0
// here, so that the order of the threads is all the same. NaN never stays in the first two.
__device__ unsigned int bits_of(float x) { return __float_as_uint(x); }
__device__ unsigned long long bits_of(double x) { return __double_as_longlong(x); }

__device__ float of_bits(unsigned int x) { return __uint_as_float(x); }
__device__ double of_bits(unsigned long long x) { return __longlong_as_double(x); }

template <class T> __device__ void atomic_add_parts(complex<T> *address, complex<T> value) {
  T *parts = (T *)address;
  atomicAdd(parts, value.real());
  atomicAdd(parts + 1, value.imag());
}

template <class T, class Wins> __device__ void atomic_choice(T *address, T value, Wins wins) {
  auto word = (decltype(bits_of(value)) *)address;
  decltype(bits_of(value)) none = 0, seen = atomicCAS(word, none, none);
  while (wins(value, of_bits(seen))) {
    auto before = atomicCAS(word, seen, bits_of(value));
    if (before == seen) return;
    seen = before;
  }
}

template <class T> __device__ bool is_less(T a, T b) {
  return a < b || (a == b && signbit(a) && !signbit(b));
}

template <class T> __device__ void atomic_min(T *address, T value) {
  atomic_choice(address, value, [](T a, T b) { return is_less(a, b); });
}

template <class T> __device__ void atomic_max(T *address, T value) {
  atomic_choice(address, value, [](T a, T b) { return is_less(b, a); });
}

template <class T> __device__ void atomic_minimum(T *address, T value) {
  atomic_choice(address, value, [](T a, T b) { return is_less(a, b) || (a != a && b == b); });
}

template <class T> __device__ void atomic_maximum(T *address, T value) {
  atomic_choice(address, value, [](T a, T b) { return is_less(b, a) || (a != a && b == b); });
}

// A negative index counts from the end.
__device__ long long wrapped_index(long long i, long long n) {
  return i < 0 ? i + n : i;
}

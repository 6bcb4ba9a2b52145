// How a kernel's arguments are read, and what its parameters are.
#pragma once
#include "gpuport/atomics.h"
#include "gpuport/types.h"

namespace gpuport {

// Arguments arrive as words of 8 bytes. A CUDA launch reads each parameter from its argument's
// bytes whatever their type; so does this, and the types are compared beforehand.
template <class T> struct Plain { typedef T type; };
template <class T> struct Plain<const T> { typedef T type; };
template <class T> static inline T scalar(const int64_t *from) {
  typename Plain<T>::type value;
  __builtin_memcpy(&value, from, sizeof(T));
  return value;
}

template <class T> struct Describe {
  typedef typename Parts<T>::type Part;
  static void to(char *out) {
    if (Parts<T>::count) out += snprintf(out, 8, "v%d", Parts<T>::count);
    snprintf(out, 16, "%c%d", Code<Part>::kind, int(sizeof(Part)));
  }
};
template <class T> struct Describe<const T> : Describe<T> {};
template <class T> struct Describe<volatile T> : Describe<T> {};
template <class T> struct Describe<T *> {
  static void to(char *out) { out[0] = '*', Describe<T>::to(out + 1); }
};
template <class T> struct Describe<const T *> {
  static void to(char *out) { out[0] = '=', Describe<T>::to(out + 1); }
};
template <> struct Describe<void *> { static void to(char *out) { strcpy(out, "*x0"); } };
template <> struct Describe<const void *> { static void to(char *out) { strcpy(out, "=x0"); } };

template <int... I> struct Positions {};
template <int n, int... I> struct Count : Count<n - 1, n - 1, I...> {};
template <int... I> struct Count<0, I...> { typedef Positions<I...> type; };
template <class... P, int... I>
static inline void call(void (*kernel)(P...), Positions<I...>) {
  kernel(scalar<P>(words + 2 * I)...);
}
template <class... P> static inline void call(void (*kernel)(P...)) {
  call(kernel, typename Count<sizeof...(P)>::type());
}
template <class... P> static const char *signature(void (*)(P...)) {
  static char text[64 * 16];
  char *out = text;
  *out = 0;
  using expand = int[];
  (void)expand{0, (Describe<P>::to(out), out += strlen(out), *out++ = ' ', *out = 0, 0)...};
  return text;
}

}  // namespace gpuport

#define GPUPORT_EXPORT extern "C" __attribute__((visibility("default")))
#define GPUPORT_LAUNCHER(name, body, barriers)                             \
  GPUPORT_EXPORT void name(gpuport::Request *request) {                    \
    gpuport::start(*request, body, barriers);                              \
  }

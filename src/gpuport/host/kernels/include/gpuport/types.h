// What a type is, as far as the bytes of an argument are concerned.
#pragma once
#include "gpuport/math.h"

namespace gpuport {

template <class T> struct Code { static constexpr char kind = 'x'; };  // a structure
#define GPUPORT_CODE(T, letter) template <> struct Code<T> { static constexpr char kind = letter; };
GPUPORT_CODE(bool, 'b') GPUPORT_CODE(char, 'i') GPUPORT_CODE(signed char, 'i')
GPUPORT_CODE(unsigned char, 'u') GPUPORT_CODE(short, 'i') GPUPORT_CODE(unsigned short, 'u')
GPUPORT_CODE(int, 'i') GPUPORT_CODE(unsigned, 'u') GPUPORT_CODE(long, 'i')
GPUPORT_CODE(unsigned long, 'u') GPUPORT_CODE(long long, 'i') GPUPORT_CODE(unsigned long long, 'u')
GPUPORT_CODE(float, 'f') GPUPORT_CODE(double, 'f')

// Vectors and complex numbers: how many numbers of which type; 0 and itself for anything else.
template <class T> struct Parts { static constexpr int count = 0; typedef T type; };
#define GPUPORT_PARTS(name, T)                                                           \
  template <> struct Parts<name##2> { static constexpr int count = 2; typedef T type; }; \
  template <> struct Parts<name##3> { static constexpr int count = 3; typedef T type; }; \
  template <> struct Parts<name##4> { static constexpr int count = 4; typedef T type; };
GPUPORT_PARTS(char, signed char) GPUPORT_PARTS(short, short) GPUPORT_PARTS(int, int)
GPUPORT_PARTS(uchar, unsigned char) GPUPORT_PARTS(ushort, unsigned short)
GPUPORT_PARTS(long, long) GPUPORT_PARTS(longlong, long long)
GPUPORT_PARTS(float, float) GPUPORT_PARTS(double, double)
template <> struct Parts<uint2> { static constexpr int count = 2; typedef unsigned type; };
template <> struct Parts<uint3> { static constexpr int count = 3; typedef unsigned type; };
template <> struct Parts<uint4> { static constexpr int count = 4; typedef unsigned type; };

}  // namespace gpuport

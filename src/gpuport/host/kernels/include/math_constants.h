#pragma once
#include "cupy/math_constants.h"
#define CUDART_PI_F 3.141592654f
#define CUDART_PI 3.1415926535897931e+0
#define CUDART_PIO2_F 1.570796327f
#define CUDART_PIO2 1.5707963267948966e+0
#define CUDART_SQRT_TWO_F 1.414213562f
#define CUDART_SQRT_TWO 1.4142135623730951e+0
#define CUDART_MAX_NORMAL_F __int_as_float(0x7f7fffff)

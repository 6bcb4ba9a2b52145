// Everything a RawKernel sees without including anything.
#pragma once
#include "gpuport/launch.h"

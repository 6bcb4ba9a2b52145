#pragma once
#include "gpuport/raw.h"

#pragma once
#pragma GCC system_header
#include <cub/config.cuh>
#include <cub/util_ptx.cuh>
#include <cub/util_type.cuh>
#include "../../../ptx_begin.h"
#include_next <cub/warp/specializations/warp_reduce_shfl.cuh>
#pragma pop_macro("volatile")

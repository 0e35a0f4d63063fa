#pragma once
#pragma GCC system_header
#include <cub/config.cuh>
#include <cub/util_ptx.cuh>
#include <cub/util_type.cuh>
#include "../../ptx_begin.h"
#include_next <cub/detail/strong_store.cuh>
#pragma pop_macro("volatile")

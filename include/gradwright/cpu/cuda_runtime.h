/* The CPU device's stand-in for CUDA's <cuda_runtime.h>.
 *
 * It is parsed by Clang in three ways: the host pass and the device pass of `gwcc --device=cpu`,
 * and the front end's libclang parse, whose exact flags `gwcc --print-parse-flags` prints:
 *   -x cuda --cuda-host-only -nocudainc -nocudalib --cuda-path=/nonexistent
 *   -Xclang -target-sdk-version=11.8 -Xclang -aux-triple -Xclang <host triple>
 *   -I<include> -isystem <include>/gradwright/cpu -include <include>/gradwright/cpu/cuda_runtime.h
 *   -Xclang -fcuda-is-device -U__CUDA_ARCH__ -D__CUDA_ARCH__=800 -std=c++17
 * The device pass adds -DGW_CPU_CODEGEN, which only changes how `__constant__` and threadIdx are
 * stored. A plain C or C++ file gets the runtime API and the vector types.
 */
#ifndef __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_H__

/* However it is found: no warnings from here, and tools can tell it from the user's source. */
#if defined(__GNUC__)
#pragma GCC system_header
#endif

// clang-format off: the order matters
#include "host_defines.h"

#if defined(__cplusplus) && defined(__CUDACC__)
/* The C library and <cmath> are callable from device code; the rest of the C++ library keeps its own
   attributes (constexpr functions are host+device in any case). <cstddef> comes first because the
   C++ library's configuration must stay the host's; <new> wants malloc. */
#include <cstddef>
#include <time.h> /* clock() has a form of its own for the device */
#pragma clang force_cuda_host_device begin
#include <stdlib.h>
#if __has_include(<malloc.h>)
#include <malloc.h> /* declares some of it again */
#endif
#pragma clang force_cuda_host_device end
#include <new>
#include <utility>
#include <bits/stl_algobase.h>
#pragma clang force_cuda_host_device begin
#include <limits.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <cstdio>
#pragma clang force_cuda_host_device end
#endif

#include "vector_types.h"
#include "vector_functions.h"
#include "driver_types.h"
#include "cuda_runtime_api.h"
#include "device_launch_parameters.h"
// clang-format on

#ifdef __cplusplus
#include "typed_api.h"
#endif

#if defined(__cplusplus) && defined(__CUDACC__)
// clang-format off: the order matters
#include "math_functions.h"
#include "math_rounding.h"
#include "device_functions.h"
#include "simd_functions.h"
#include "device_atomic_functions.h"
#include "texture_functions.h"
// clang-format on
#endif

#endif

// Programs ask whether CUDA's headers are there by their include guards, and a toolkit's headers stay out.
#ifndef __CUDA_RUNTIME_H__
#error "cuda_runtime.h"
#endif
#if !defined(__CUDA_RUNTIME_API_H__) || !defined(__DRIVER_TYPES_H__) || !defined(__VECTOR_TYPES_H__) ||        \
    !defined(__HOST_DEFINES_H__) || !defined(__DEVICE_LAUNCH_PARAMETERS_H__) ||                                \
    !defined(__VECTOR_FUNCTIONS_H__)
#error "one of its parts"
#endif
#ifdef __cuda_cuda_h__
#error "cuda.h, which nobody asked for"
#endif
#include "check.h"
#include "toolkit/library.h"
#include "toolkit/sm_30_intrinsics.h"
#include <builtin_types.h>
#include <channel_descriptor.h>
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_bf16.h>
#include <library_types.h>
#if !defined(__cuda_cuda_h__) || !defined(__CUDA_FP16_H__) || !defined(__CUDA_BF16_H__) ||                     \
    !defined(_COOPERATIVE_GROUPS_H_)
#error "a header by its own name"
#endif

int main() {
    const library_handle handle = {make_float4(1, 2, 3, 4), 0};
    CHECK(handle.scale.w == 4);
    return 0;
}

/*
 * half.cuh - what emitted text uses of half precision: adjoints of half and bfloat16 are floats.
 */
#ifndef GRADWRIGHT_HALF_CUH
#define GRADWRIGHT_HALF_CUH

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "gradwright/emitted/functions.h"

/* The nearest number that the type holds. */
__host__ __device__ inline float gw_to_halff(float gw_v) { return __half2float(__float2half_rn(gw_v)); }
__host__ __device__ inline float gw_to_bfloat16f(float gw_v) {
    return __bfloat162float(__float2bfloat16_rn(gw_v));
}

template <> struct gw_cell_of<__half> {
    typedef float gw_type;
};
template <> struct gw_cell_of<__nv_bfloat16> {
    typedef float gw_type;
};
template <> struct gw_cell_of<__half2> {
    typedef float2 gw_type;
};
template <> struct gw_cell_of<__nv_bfloat162> {
    typedef float2 gw_type;
};

#endif

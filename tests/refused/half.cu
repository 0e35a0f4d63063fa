// What half precision cannot be.
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt k")
#ifdef OBEYED
__global__ void by_value(half *y, float k) { y[threadIdx.x] = __float2half(k * k); }
#else
__global__ void by_value(half *y, half k) { y[threadIdx.x] = k * k; }
#endif

GW_GRADIENT("wrt x")
#ifdef OBEYED
__device__ float result(float x) { return x * x; }
#else
__device__ __nv_bfloat16 result(float x) { return __float2bfloat16(x * x); }
#endif

struct mixed {
#ifdef OBEYED
    float a;
#else
    half a;
#endif
    float b;
};
GW_GRADIENT("y wrt x")
__global__ void in_a_struct(float *y, const float *x, mixed m) { y[threadIdx.x] = (float)m.a * x[threadIdx.x]; }

GW_GRADIENT("y wrt x")
#ifdef OBEYED
__global__ void added(float *y, const half *x) { atomicAdd(y, __half2float(x[threadIdx.x])); }
#else
__global__ void added(half *y, const half *x) { y[threadIdx.x + 1] = atomicAdd(y, x[threadIdx.x]); }
#endif
// obeys: unsupported
// says: half.cu:10:40: error: a number of half precision that is passed by value cannot be differentiated yet [unsupported]
// says: __global__ void by_value(half *y, half k) { y[threadIdx.x] = k * k; }
// says:                                        ^
// says:   way out: pass a float
// says: half.cu:17:26: error: a result of half precision cannot be differentiated yet [unsupported]
// says: __device__ __nv_bfloat16 result(float x) { return __float2bfloat16(x * x); }
// says:                          ^
// says:   way out: return a float, or write through a pointer parameter
// says: half.cu:29:61: error: a struct with members of half precision cannot be differentiated yet [unsupported]
// says: __global__ void in_a_struct(float *y, const float *x, mixed m) { y[threadIdx.x] = (float)m.a * x[threadIdx.x]; }
// says:                                                             ^
// says:   way out: pass plain scalars, structs, and pointers to them
// says: half.cu:35:70: error: an atomic operation on half precision but an addition without its result cannot be differentiated yet [unsupported]
// says: __global__ void added(half *y, const half *x) { y[threadIdx.x + 1] = atomicAdd(y, x[threadIdx.x]); }
// says:                                                                      ^
// says:   way out: add up in float

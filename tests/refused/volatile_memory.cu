#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void a_parameter(volatile float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
GW_GRADIENT("y wrt x")
__global__ void a_pointer(float *y, const float *x) {
    const volatile float *p = x;
    y[threadIdx.x] = p[threadIdx.x] * p[threadIdx.x];
}
GW_GRADIENT("y wrt x")
__global__ void a_cast(float *y, const float *x) { y[threadIdx.x] = *(const volatile float *)&x[threadIdx.x]; }
GW_GRADIENT("y wrt x")
__global__ void a_store(float *y, const float *x) { *(volatile float *)&y[threadIdx.x] = x[threadIdx.x]; }
__device__ volatile float scale = 2;
GW_GRADIENT("y wrt x")
__global__ void a_variable(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * scale; }
__device__ float get(const volatile float *p) { return *p; }
GW_GRADIENT("y wrt x")
__global__ void a_callee(float *y, const float *x) { y[threadIdx.x] = get(x + threadIdx.x); }
GW_GRADIENT("y wrt x")
__global__ void a_reference(float *y, const float *x) {
    const volatile float &r = x[threadIdx.x];
    y[threadIdx.x] = r * r;
}
GW_GRADIENT("y wrt x")
__global__ void shared_memory_through_a_pointer(float *y, const float *x) {
    __shared__ float s[32];
    volatile float *q = s;
    q[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[31 - threadIdx.x];
}
struct cell { volatile float value; };
GW_GRADIENT("y wrt x")
__global__ void a_member(float *y, const cell *x) { y[threadIdx.x] = x[threadIdx.x].value; }
// says: volatile_memory.cu:4:45: error: volatile memory cannot be differentiated yet [unsupported]
// says: __global__ void a_parameter(volatile float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
// says:                                             ^
// says:   way out: use ordinary memory
// says: volatile_memory.cu:8:22: error: volatile memory cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = p[threadIdx.x] * p[threadIdx.x];
// says:                      ^
// says:   way out: use ordinary memory
// says: volatile_memory.cu:11:69: error: volatile memory cannot be differentiated yet [unsupported]
// says: __global__ void a_cast(float *y, const float *x) { y[threadIdx.x] = *(const volatile float *)&x[threadIdx.x]; }
// says:                                                                     ^
// says:   way out: use ordinary memory
// says: volatile_memory.cu:13:53: error: volatile memory cannot be differentiated yet [unsupported]
// says: __global__ void a_store(float *y, const float *x) { *(volatile float *)&y[threadIdx.x] = x[threadIdx.x]; }
// says:                                                     ^
// says:   way out: use ordinary memory
// says: volatile_memory.cu:16:90: error: volatile memory cannot be differentiated yet [unsupported]
// says: __global__ void a_variable(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * scale; }
// says:                                                                                          ^
// says:   way out: use ordinary memory
// says: volatile_memory.cu:17:56: error: volatile memory cannot be differentiated yet [unsupported]
// says: __device__ float get(const volatile float *p) { return *p; }
// says:                                                        ^
// says:   way out: use ordinary memory
// says: volatile_memory.cu:22:31: error: volatile memory cannot be differentiated yet [unsupported]
// says:     const volatile float &r = x[threadIdx.x];
// says:                               ^
// says:   way out: use ordinary memory
// says: volatile_memory.cu:34:1: error: a struct with a volatile member cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says:   way out: use ordinary memory

#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
#ifdef OBEYED
__global__ void a_parameter(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
#else
__global__ void a_parameter(volatile float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
#endif
GW_GRADIENT("y wrt x")
__global__ void a_pointer(float *y, const float *x) {
#ifdef OBEYED
    const float *p = x;
#else
    const volatile float *p = x;
#endif
    y[threadIdx.x] = p[threadIdx.x] * p[threadIdx.x];
}
GW_GRADIENT("y wrt x")
#ifdef OBEYED
__global__ void a_cast(float *y, const float *x) { y[threadIdx.x] = *(const float *)&x[threadIdx.x]; }
#else
__global__ void a_cast(float *y, const float *x) { y[threadIdx.x] = *(const volatile float *)&x[threadIdx.x]; }
#endif
GW_GRADIENT("y wrt x")
#ifdef OBEYED
__global__ void a_store(float *y, const float *x) { *(float *)&y[threadIdx.x] = x[threadIdx.x]; }
__device__ float scale = 2;
#else
__global__ void a_store(float *y, const float *x) { *(volatile float *)&y[threadIdx.x] = x[threadIdx.x]; }
__device__ volatile float scale = 2;
#endif
GW_GRADIENT("y wrt x")
__global__ void a_variable(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * scale; }
#ifdef OBEYED
__device__ float get(const float *p) { return *p; }
#else
__device__ float get(const volatile float *p) { return *p; }
#endif
GW_GRADIENT("y wrt x")
__global__ void a_callee(float *y, const float *x) { y[threadIdx.x] = get(x + threadIdx.x); }
GW_GRADIENT("y wrt x")
__global__ void a_reference(float *y, const float *x) {
#ifdef OBEYED
    const float &r = x[threadIdx.x];
#else
    const volatile float &r = x[threadIdx.x];
#endif
    y[threadIdx.x] = r * r;
}
GW_GRADIENT("y wrt x")
__global__ void shared_memory_through_a_pointer(float *y, const float *x) {
    __shared__ float s[32];
#ifdef OBEYED
    float *q = s;
#else
    volatile float *q = s;
#endif
    q[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[31 - threadIdx.x];
}
#ifdef OBEYED
struct cell { float value; };
#else
struct cell { volatile float value; };
#endif
GW_GRADIENT("y wrt x")
__global__ void a_member(float *y, const cell *x) { y[threadIdx.x] = x[threadIdx.x].value; }
// obeys: unsupported
// says: volatile_memory.cu:7:45: error: volatile memory cannot be differentiated yet [unsupported]
// says: __global__ void a_parameter(volatile float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }
// says:                                             ^
// says:   way out: use ordinary memory
// says: volatile_memory.cu:16:22: error: volatile memory cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = p[threadIdx.x] * p[threadIdx.x];
// says:                      ^
// says:   way out: use ordinary memory
// says: volatile_memory.cu:22:69: error: volatile memory cannot be differentiated yet [unsupported]
// says: __global__ void a_cast(float *y, const float *x) { y[threadIdx.x] = *(const volatile float *)&x[threadIdx.x]; }
// says:                                                                     ^
// says:   way out: use ordinary memory
// says: volatile_memory.cu:29:53: error: volatile memory cannot be differentiated yet [unsupported]
// says: __global__ void a_store(float *y, const float *x) { *(volatile float *)&y[threadIdx.x] = x[threadIdx.x]; }
// says:                                                     ^
// says:   way out: use ordinary memory
// says: volatile_memory.cu:33:90: error: volatile memory cannot be differentiated yet [unsupported]
// says: __global__ void a_variable(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * scale; }
// says:                                                                                          ^
// says:   way out: use ordinary memory
// says: volatile_memory.cu:37:56: error: volatile memory cannot be differentiated yet [unsupported]
// says: __device__ float get(const volatile float *p) { return *p; }
// says:                                                        ^
// says:   way out: use ordinary memory
// says: volatile_memory.cu:46:31: error: volatile memory cannot be differentiated yet [unsupported]
// says:     const volatile float &r = x[threadIdx.x];
// says:                               ^
// says:   way out: use ordinary memory
// says: volatile_memory.cu:67:1: error: a struct with a volatile member cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says:   way out: use ordinary memory

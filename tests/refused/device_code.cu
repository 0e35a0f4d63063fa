// Memory that is no array, and what must not be done twice.
#include "device_code.h"
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void surface(float *y, const float *x, cudaSurfaceObject_t image) {
    y[threadIdx.x] = x[threadIdx.x] * surf2Dread<float>(image, threadIdx.x, 0);
}

GW_GRADIENT("y wrt x")
__global__ void drawn(float *y, const float *x, cudaSurfaceObject_t image) {
    y[threadIdx.x] = x[threadIdx.x];
    surf2Dwrite(x[threadIdx.x], image, threadIdx.x, 0);
}

GW_GRADIENT("y wrt x")
__global__ void noisy(float *y, const float *x, curandState *states) {
    curandState state = states[threadIdx.x];
    y[threadIdx.x] = x[threadIdx.x] * curand_normal(&state);
    states[threadIdx.x] = state;
}

GW_GRADIENT("y wrt x")
__global__ void timed(float *y, const float *x, long long *cycles) {
    long long start = clock64();
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x];
    cycles[threadIdx.x] = clock64() - start;
}

GW_GRADIENT("y wrt x")
__global__ void polled(float *y, const float *x, volatile int *flag) {
    while (!*flag) {}
    y[threadIdx.x] = x[threadIdx.x];
}

GW_GRADIENT("y wrt x")
__global__ void fenced(float *y, const float *x) {
    y[threadIdx.x] = x[threadIdx.x];
    __threadfence();
}
// says: device_code.cu:7:39: error: a surface access cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = x[threadIdx.x] * surf2Dread<float>(image, threadIdx.x, 0);
// says:                                       ^
// says:   way out: read and write an array
// says: device_code.cu:13:5: error: a surface access cannot be differentiated yet [unsupported]
// says:     surf2Dwrite(x[threadIdx.x], image, threadIdx.x, 0);
// says:     ^
// says:   way out: read and write an array
// says: device_code.cu:19:39: error: a random number of such a state cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = x[threadIdx.x] * curand_normal(&state);
// says:                                       ^
// says:   way out: draw it from a curandState or curandStatePhilox4_32_10_t, with <curand_kernel.h>
// says: device_code.cu:25:23: error: what clock64 gives, which the result depends on, cannot be differentiated yet [unsupported]
// says:     long long start = clock64();
// says:                       ^
// says:   way out: call it outside of the function, and pass what it gives
// says: device_code.cu:31:64: error: volatile memory cannot be differentiated yet [unsupported]
// says: __global__ void polled(float *y, const float *x, volatile int *flag) {
// says:                                                                ^
// says:   way out: use ordinary memory
// says: device_code.cu:39:5: error: a memory fence cannot be differentiated yet [unsupported]
// says:     __threadfence();
// says:     ^
// says:   way out: split the kernel where its threads meet

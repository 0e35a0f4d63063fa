// Random states in kernels that would draw other numbers where the gradient runs, or whose start has no text.
#include "../support/blas/curand_kernel.h"
#include <gradwright/gradwright.h>

__device__ curandState held[64];

GW_GRADIENT("y wrt x")
__global__ void stored_back(float *y, const float *x, curandState *states) {
    curandState state = states[threadIdx.x];
    y[threadIdx.x] = x[threadIdx.x] * curand_normal(&state);
    states[threadIdx.x] = state;
}

GW_HVP("y wrt x")
__global__ void in_place(float *y, const float *x, curandState *states) {
    y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x] * curand_uniform(states + threadIdx.x);
}

__device__ float rolled(float x, curandState *state, int n) {
    for (int k = 0; k < n; k++) x *= curand_uniform(state);
    return x;
}
GW_GRADIENT("y wrt x")
__global__ void by_a_call(float *y, const float *x, curandState *states, int n) {
    curandState state = states[threadIdx.x];
    for (int k = 0; k < n; k++) y[threadIdx.x] = rolled(x[threadIdx.x], &state, k);
    states[threadIdx.x] = state;
}

GW_GRADIENT("y wrt x")
__global__ void of_the_file(float *y, const float *x) {
    y[threadIdx.x] = x[threadIdx.x] * curand_uniform(held + threadIdx.x);
}

GW_GRADIENT("wrt x")
__device__ float of_the_caller(float x, curandState *state) { return x * x * curand_uniform(state); }

GW_GRADIENT("y wrt x")
__global__ void started_here(float *y, const float *x) {
    curandState state;
    curand_init(1, threadIdx.x, 0, &state);
    y[threadIdx.x] = x[threadIdx.x] * curand_uniform(&state);
}

GW_GRADIENT("y wrt x")
__global__ void of_another_kind(float *y, const float *x, curandStateMRG32k3a *states) {
    y[threadIdx.x] = x[threadIdx.x] * curand_uniform(states + threadIdx.x);
}

// What a program launches, too.
__global__ void starts_and_scales(float *y, const float *x) {
    curandState state;
    curand_init(1, threadIdx.x, 0, &state);
    y[threadIdx.x] = x[threadIdx.x] * curand_uniform(&state);
}
__global__ void starts_by(curandState *states, float *y, float by) {
    curand_init(1, threadIdx.x, 0, states + threadIdx.x);
    y[threadIdx.x] = by;
}
GW_GRADIENT("y wrt x")
void in_a_program(float *y, const float *x) { starts_and_scales<<<1, 4>>>(y, x); }
GW_GRADIENT("y wrt by")
void by_a_number(float *y, curandState *states, float by) { starts_by<<<1, 4>>>(states, y, by); }
// says: random_states.cu:7:1: error: a random state that is left where it was read, in one run, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says:   way out: ask for GW_SPLIT_GRADIENT, whose first half draws, or for the gradient of a function that launches the kernel: drawn again, numbers are others
// says: random_states.cu:14:1: error: a random state that is left where it was read, in one run, cannot be differentiated yet [unsupported]
// says: GW_HVP("y wrt x")
// says: ^
// says:   way out: ask for GW_SPLIT_GRADIENT, whose first half draws, or for the gradient of a function that launches the kernel: drawn again, numbers are others
// says: random_states.cu:23:1: error: a random state that is left where it was read, in one run, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says:   way out: ask for GW_SPLIT_GRADIENT, whose first half draws, or for the gradient of a function that launches the kernel: drawn again, numbers are others
// says: random_states.cu:30:1: error: a random state that is left where it was read, in one run, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says:   way out: ask for GW_SPLIT_GRADIENT, whose first half draws, or for the gradient of a function that launches the kernel: drawn again, numbers are others
// says: random_states.cu:35:1: error: a random state that is left where it was read, in one run, cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("wrt x")
// says: ^
// says:   way out: ask for GW_SPLIT_GRADIENT, whose first half draws, or for the gradient of a function that launches the kernel: drawn again, numbers are others
// says: random_states.cu:41:5: error: the start of such a random state cannot be differentiated yet [unsupported]
// says:     curand_init(1, threadIdx.x, 0, &state);
// says:     ^
// says:   way out: use a curandStatePhilox4_32_10_t, or start states in a kernel that does nothing else
// says: random_states.cu:47:39: error: a random number of such a state cannot be differentiated yet [unsupported]
// says:     y[threadIdx.x] = x[threadIdx.x] * curand_uniform(states + threadIdx.x);
// says:                                       ^
// says:   way out: draw it from a curandState or curandStatePhilox4_32_10_t, with <curand_kernel.h>
// says: random_states.cu:53:5: error: the start of such a random state cannot be differentiated yet [unsupported]
// says:     curand_init(1, threadIdx.x, 0, &state);
// says:     ^
// says:   way out: use a curandStatePhilox4_32_10_t, or start states in a kernel that does nothing else
// says: random_states.cu:57:5: error: the start of such a random state cannot be differentiated yet [unsupported]
// says:     curand_init(1, threadIdx.x, 0, states + threadIdx.x);
// says:     ^
// says:   way out: use a curandStatePhilox4_32_10_t, or start states in a kernel that does nothing else

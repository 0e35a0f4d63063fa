// Kernels of a program that overwrite what their reverse needs, and cannot run in halves: a greatest number by
// atomics, which the second half would look for when others may have overwritten it, and the gradient that the
// user asked for.
#include <gradwright/atomic.cuh>
#include <gradwright/gradwright.h>

__global__ void greatest(float *most, float *u, int n) {
    int i = threadIdx.x;
    u[i] = u[i] * u[i];
    __syncthreads();
    float next = u[(i + 1) % n];
    __syncthreads();
    u[i] = u[i] * next;
    gw_atomic_max(most, u[i]);
}
GW_GRADIENT("u wrt u")
__global__ void own(float *u, int n) {
    int i = threadIdx.x;
    u[i] = u[i] * u[i];
    __syncthreads();
    float next = u[(i + 1) % n];
    __syncthreads();
    u[i] = u[i] * next;
}
GW_GRADIENT("most wrt u")
void all(float *most, float *u, int n) {
    greatest<<<1, n>>>(most, u, n);
    own<<<1, n>>>(u, n);
}
// says: program_halves.cu:14:5: error: the gradient needs to know whose value 'most' holds in the end, which is known when the kernel has ended [atomic-winner]
// says:     gw_atomic_max(most, u[i]);
// says:     ^
// says:   way out: ask for GW_SPLIT_GRADIENT, and leave 'most' as it is until its second half has run
// says: program_halves.cu:21:18: error: the gradient needs the value of 'u' read here, but the function may have overwritten it before [stale-value]
// says:     float next = u[(i + 1) % n];
// says:                  ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: program_halves.cu:23:12: error: the gradient needs the value of 'u' read here, but the function may have overwritten it before [stale-value]
// says:     u[i] = u[i] * next;
// says:            ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does

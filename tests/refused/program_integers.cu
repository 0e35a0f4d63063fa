// Numbers that become integers go from one kernel to another; what is rounded is said.
#include <cub/device/device_radix_sort.cuh>
#include <gradwright/gradwright.h>

#ifdef OBEYED
typedef float held;
__device__ held held_of(float v) { return v; }
__device__ float value_of(held v) { return v; }
#else
typedef int held;
__device__ held held_of(float v) { return __float_as_int(v); }
__device__ float value_of(held v) { return __int_as_float(v); }
#endif
__global__ void leave(held *to, const float *x) { to[threadIdx.x] = held_of(x[threadIdx.x]); }
__global__ void take(float *y, const held *from) { y[threadIdx.x] = value_of(from[threadIdx.x]); }
GW_GRADIENT("y wrt x")
void between_kernels(float *y, const float *x, held *first, held *second) {
    leave<<<1, 32>>>(first, x);
    cudaMemcpy(second, first, 32 * sizeof *first, cudaMemcpyDeviceToDevice);
    take<<<1, 32>>>(y, second);
}
__global__ void round_off(int *to, const float *x) { to[threadIdx.x] = (int)x[threadIdx.x]; }
__global__ void scale(float *y, const float *x, const int *by) { y[threadIdx.x] = x[threadIdx.x] * by[threadIdx.x]; }
__global__ void steer(float *y, const float *x, const int *at) {
    y[threadIdx.x] = at[threadIdx.x] > 2 ? x[at[threadIdx.x]] : x[threadIdx.x] - at[threadIdx.x];
}
GW_GRADIENT("y wrt x")
void rounded_between_kernels(float *y, const float *x, int *cells) {
    round_off<<<1, 32>>>(cells, x);
    scale<<<1, 32>>>(y, x, cells);
}
GW_GRADIENT("y wrt x")
void steered(float *y, const float *x, int *cells) {
    round_off<<<1, 32>>>(cells, x);
    steer<<<1, 32>>>(y, x, cells);
}
__global__ void take_one(float *y, const float *x, held one) { y[threadIdx.x] = x[threadIdx.x] + value_of(one); }
GW_GRADIENT("y wrt x")
void by_the_host(float *y, const float *x, held *cells) {
    held one, other[2];
    leave<<<1, 32>>>(cells, x);
    cudaMemcpy(other, cells, sizeof other, cudaMemcpyDeviceToHost);
    one = other[0] > other[1] ? other[0] : other[1];
    take_one<<<1, 32>>>(y, x, one);
}
__global__ void take_sent(float *y, const held *from) { y[threadIdx.x] = value_of(from[threadIdx.x]); }
GW_GRADIENT("y wrt x")
void through_the_host(float *y, const float *x, held *first, held *second) {
    held all[32];
    leave<<<1, 32>>>(first, x);
    cudaMemcpy(all, first, sizeof all, cudaMemcpyDeviceToHost);
    cudaMemcpy(second, all, sizeof all, cudaMemcpyHostToDevice);
    take_sent<<<1, 32>>>(y, second);
}
__global__ void take_sorted(float *y, const held *from) { y[threadIdx.x] = value_of(from[threadIdx.x]); }
GW_GRADIENT("y wrt x")
void by_a_library(float *y, const float *x, held *first, held *second, void *room, size_t bytes) {
    leave<<<1, 32>>>(first, x);
    cub::DeviceRadixSort::SortKeys(room, bytes, (const held *)first, second, 32);
    take_sorted<<<1, 32>>>(y, second);
}
__global__ void scale_by(float *y, const float *x, int by) { y[threadIdx.x] = x[threadIdx.x] * by; }
GW_GRADIENT("y wrt x")
void rounded_by_the_host(float *y, const float *x, int *cells) {
    int one;
    round_off<<<1, 32>>>(cells, x);
    cudaMemcpy(&one, cells, sizeof one, cudaMemcpyDeviceToHost);
    scale_by<<<1, 32>>>(y, x, 2 * one);
}
__global__ void scale_on(float *y, const float *x, int by) { y[threadIdx.x] = x[threadIdx.x] * by; }
GW_GRADIENT("y wrt x, v")
void rounded_on_the_host(float *y, const float *x, float v) { scale_on<<<1, 32>>>(y, x, (int)v); }
__global__ void many(float *y, const float *x, int n) {
    for (int i = 0; i < n; i++) y[threadIdx.x] += x[threadIdx.x];
}
__global__ void add_sent(float *y, const float *x, const int *from) {
    y[threadIdx.x] = x[threadIdx.x] * __int_as_float(from[threadIdx.x % 2]);
}
// Others that are sent while such are kept.
GW_GRADIENT("y wrt x")
void sent_beside(float *y, const float *x, held *cells, int *others, cudaStream_t stream) {
    int bits[2] = {0x3f800000, 0x40000000};
    leave<<<1, 32, 0, stream>>>(cells, x);
    cudaMemcpyAsync(others, bits, sizeof bits, cudaMemcpyHostToDevice, stream);
    add_sent<<<1, 32, 0, stream>>>(y, x, others);
}
GW_GRADIENT("y wrt x")
void steered_by_the_host(float *y, const float *x, int *cells) {
    int one;
    round_off<<<1, 32>>>(cells, x);
    cudaMemcpy(&one, cells, sizeof one, cudaMemcpyDeviceToHost);
    many<<<1, 32>>>(y, x, one);
}
// A number that the host rounds and hands on as a number.
__global__ void scale_all(float *y, const float *x, float by) { y[threadIdx.x] = x[threadIdx.x] * by; }
GW_GRADIENT("y wrt x, v")
void rounded_and_given(float *y, const float *x, float v) {
    scale_all<<<1, 32>>>(y, x, v * (int)(v * 100));
}
GW_DERIVATIVE("y wrt x")
void fetched_rounded_and_given(float *y, const float *x) {
    float v;
    cudaMemcpy(&v, x, sizeof v, cudaMemcpyDeviceToHost);
    scale_all<<<1, 32>>>(y, x, floorf(v));
}
__global__ void multiply(float *y, const float *x, const float *by) { y[threadIdx.x] = x[threadIdx.x] * by[threadIdx.x]; }
GW_GRADIENT("y wrt x, v")
void rounded_and_sent(float *y, const float *x, float *room, float v) {
    float all[32];
    for (int i = 0; i < 32; i++) all[i] = v + rintf(v * i);
    cudaMemcpy(room, all, sizeof all, cudaMemcpyHostToDevice);
    multiply<<<1, 32>>>(y, x, room);
}
GW_GRADIENT("y wrt x")
void made_number_of_integer(float *y, const float *x, int *cells) {
    int one;
    round_off<<<1, 32>>>(cells, x);
    cudaMemcpy(&one, cells, sizeof one, cudaMemcpyDeviceToHost);
    scale_all<<<1, 32>>>(y, x, one * 0.5f);
}
// Sizes, a grid's extents, a seed, a threshold, a fraction, what carries no derivative, and what is meant.
__global__ void pick(float *y, const float *x, float limit, unsigned seed, int n) {
    if (x[threadIdx.x] > limit && (seed + threadIdx.x) % 3 && (int)threadIdx.x < n) y[threadIdx.x] = x[threadIdx.x];
}
GW_NONDIFFERENTIABLE float whole(float v) { return floorf(v); }
GW_GRADIENT("y wrt x, v")
void rounded_to_steer(float *y, const float *x, float v, float other) {
    pick<<<1, (int)v>>>(y, x, floorf(v), (unsigned)(v * 1000), (int)(v + 1));
    scale_all<<<(int)v + 1, 32>>>(y, y, v - floorf(v));
    scale_all<<<1, 32>>>(y, y, v * floorf(other) * whole(v));
}
// The bits of numbers are moved as integers, between memory of their own.
__global__ void move(held *to, const held *from) { to[threadIdx.x] = from[threadIdx.x]; }
__global__ void square(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x] * x[threadIdx.x]; }
GW_GRADIENT("y wrt x")
void moved(float *y, const float *x) {
    void *first, *second, *third;
    cudaMalloc(&first, 32 * sizeof(float)), cudaMalloc(&second, 32 * sizeof(float));
    cudaMalloc(&third, 32 * sizeof(float));
    square<<<1, 32>>>((float *)first, x);
    move<<<1, 32>>>((held *)second, (const held *)first);
    cudaMemcpy(third, second, 32 * sizeof(float), cudaMemcpyDeviceToDevice);
    square<<<1, 32>>>(y, (const float *)third);
    cudaFree(first), cudaFree(second), cudaFree(third);
}
// obeys: lost-bits
// says: program_integers.cu:15:78: error: the bits of a number that carries a derivative become a number again in line 12, and no derivative goes that way [lost-bits]
// says: __global__ void take(float *y, const held *from) { y[threadIdx.x] = value_of(from[threadIdx.x]); }
// says:                                                                              ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: program_integers.cu:16:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: program_integers.cu:23:100: warning: no derivative goes through the integers of 'by', which are made of numbers, but 'y' depends on its value [lost-derivative]
// says: __global__ void scale(float *y, const float *x, const int *by) { y[threadIdx.x] = x[threadIdx.x] * by[threadIdx.x]; }
// says:                                                                                                    ^
// says:   way out: if that is meant, compute it in a function that is GW_NONDIFFERENTIABLE
// says: program_integers.cu:37:17: error: the bits of a number that carries a derivative become a number again in line 12, and no derivative goes that way [lost-bits]
// says: __global__ void take_one(float *y, const float *x, held one) { y[threadIdx.x] = x[threadIdx.x] + value_of(one); }
// says:                 ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: program_integers.cu:46:83: error: the bits of a number that carries a derivative become a number again in line 12, and no derivative goes that way [lost-bits]
// says: __global__ void take_sent(float *y, const held *from) { y[threadIdx.x] = value_of(from[threadIdx.x]); }
// says:                                                                                   ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: program_integers.cu:47:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: program_integers.cu:55:85: error: the bits of a number that carries a derivative become a number again in line 12, and no derivative goes that way [lost-bits]
// says: __global__ void take_sorted(float *y, const held *from) { y[threadIdx.x] = value_of(from[threadIdx.x]); }
// says:                                                                                     ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first
// says: program_integers.cu:56:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: program_integers.cu:62:17: warning: no derivative goes through the integers of 'by', which are made of numbers, but 'y' depends on its value [lost-derivative]
// says: __global__ void scale_by(float *y, const float *x, int by) { y[threadIdx.x] = x[threadIdx.x] * by; }
// says:                 ^
// says:   way out: if that is meant, compute it in a function that is GW_NONDIFFERENTIABLE
// says: program_integers.cu:70:17: warning: no derivative goes through the integers of 'by', which are made of numbers, but 'y' depends on its value [lost-derivative]
// says: __global__ void scale_on(float *y, const float *x, int by) { y[threadIdx.x] = x[threadIdx.x] * by; }
// says:                 ^
// says:   way out: if that is meant, compute it in a function that is GW_NONDIFFERENTIABLE
// says: program_integers.cu:98:41: warning: no derivative goes through this conversion to an integer, but what 'scale_all' is given depends on its value [lost-derivative]
// says:     scale_all<<<1, 32>>>(y, x, v * (int)(v * 100));
// says:                                         ^
// says:   way out: if that is meant, compute it in a function that is GW_NONDIFFERENTIABLE
// says: program_integers.cu:104:32: warning: no derivative goes through this 'floor', but what 'scale_all' is given depends on its value [lost-derivative]
// says:     scale_all<<<1, 32>>>(y, x, floorf(v));
// says:                                ^
// says:   way out: if that is meant, compute it in a function that is GW_NONDIFFERENTIABLE
// says: program_integers.cu:110:47: warning: no derivative goes through this 'rint', but what is copied to the device depends on its value in line 111 [lost-derivative]
// says:     for (int i = 0; i < 32; i++) all[i] = v + rintf(v * i);
// says:                                               ^
// says:   way out: if that is meant, compute it in a function that is GW_NONDIFFERENTIABLE
// says: program_integers.cu:118:5: warning: no derivative goes through these integers, which are made of numbers, but what 'scale_all' is given depends on its value in line 119 [lost-derivative]
// says:     cudaMemcpy(&one, cells, sizeof one, cudaMemcpyDeviceToHost);
// says:     ^
// says:   way out: if that is meant, compute it in a function that is GW_NONDIFFERENTIABLE
// says: program_integers.cu:135:1: warning: 'y' does not depend on 'x': its derivative is zero [input-not-used]
// says: GW_GRADIENT("y wrt x")
// says: ^
// says: program_integers.cu:141:5: error: the bits of a number that carries a derivative become a number again in line 143, and no derivative goes that way [lost-bits]
// says:     move<<<1, 32>>>((held *)second, (const held *)first);
// says:     ^
// says:   way out: use the number itself, or a shuffle of it; if the bits are those of an integer that was packed into it, read it into a GW_NONDIFFERENTIABLE variable first

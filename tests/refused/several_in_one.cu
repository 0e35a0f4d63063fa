// All that is refused of a function's own statements is said at once; a struct that no launch can have, and why.
#include <gradwright/gradwright.h>

#include <cuda_runtime.h>

__global__ void elsewhere(float *y, const float *x);
__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
struct packed { int count : 3; float by; };
struct held { const float by; };
struct both { held one; int n; };
__global__ void by_bits(float *y, const float *x, packed p) { y[threadIdx.x] = p.by * x[threadIdx.x]; }
__global__ void by_const(float *y, const float *x, both p) { y[threadIdx.x] = p.one.by * x[threadIdx.x]; }

GW_GRADIENT("y wrt x")
void several(float *y, const float *x, packed p, both q) {
    elsewhere<<<1, 1>>>(y, x);
    float one = 1;
    twice<<<1, 1>>>(y, &one);
    by_bits<<<1, 1>>>(y, x, p);
    by_const<<<1, 1>>>(y, x, q);
    asm("nop");
    twice<<<1, 1>>>(y, x);
}
GW_GRADIENT("y wrt x")
void textured(float *y, const float *x, int width) {
    cudaMipmappedArray_t made;
    cudaFreeMipmappedArray(made);
    twice<<<1, 1>>>(y, x);
}
// says: several_in_one.cu:16:5: error: a launch of a kernel that is defined elsewhere cannot be differentiated yet [unsupported]
// says:     elsewhere<<<1, 1>>>(y, x);
// says:     ^
// says:   way out: define it in this translation unit
// says: several_in_one.cu:18:24: error: the address of 'one', a variable of the function's, where memory of a program is meant, cannot be differentiated yet [unsupported]
// says:     twice<<<1, 1>>>(y, &one);
// says:                        ^
// says:   way out: take memory that a parameter, cudaMalloc or cudaMallocHost leads to
// says: several_in_one.cu:19:29: error: 'packed', passed to a kernel by value, whose member 'count' is a bit-field, cannot be differentiated yet [unsupported]
// says:     by_bits<<<1, 1>>>(y, x, p);
// says:                             ^
// says:   way out: pass a struct of at most 128 members of plain types, or a pointer to it
// says: several_in_one.cu:20:30: error: 'both', passed to a kernel by value, whose member 'by' is const, cannot be differentiated yet [unsupported]
// says:     by_const<<<1, 1>>>(y, x, q);
// says:                              ^
// says:   way out: pass a struct of at most 128 members of plain types, or a pointer to it
// says: several_in_one.cu:21:5: error: inline assembly cannot be differentiated yet [unsupported]
// says:     asm("nop");
// says:     ^
// says:   way out: use the function that it stands for
// says: several_in_one.cu:27:5: error: cudaFreeMipmappedArray of the library cannot be differentiated yet [unsupported]
// says:     cudaFreeMipmappedArray(made);
// says:     ^
// says:   way out: call it outside of the function: allocate, copy and launch there, and request gradients of kernels

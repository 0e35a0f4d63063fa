// All that is refused on its own is said at once, of all functions, in the order of lines, and nothing that follows from it.
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
__device__ float unknown_here(float x);
__device__ float lost_twice(float x, float *out) {
    asm("nop");
    *out = x;
    static int n = 0;
    return x * n;
}
GW_GRADIENT("y wrt x")
__global__ void nested(float *y, const float *x, int n) {
    const int i = threadIdx.x;
    const float *p;
    float *q = y;
    float seen = unknown_here(x[i]);
    for (int k = 0; k < n; k++) {
        asm("nop");
        p = x + (int)unknown_here(x[k]);
        while (x[k] > 0) {
            if (unknown_here(x[0]) > 2) break;
            static float kept = 1;
            y[0] *= kept;
        }
    }
    if (x[i] > 0) {
        float made = lost_twice(x[i], &seen);
        y[i] = made * p[0];
        goto out;
    }
    q[i] = lost_twice(x[i], q + 1);
    q[i] = seen + p[i];
out:
    y[i] = x[i];
}
GW_GRADIENT("z wrt x")
__global__ void misnamed(float *y, const float *x) { y[0] = x[0]; }
GW_GRADIENT("y wrt")
__global__ void unread(float *y, const float *x) { y[0] = x[0]; }
GW_GRADIENT("y wrt x")
__global__ void overwritten(float *y, const float *x, int n) {
    y[threadIdx.x] = x[threadIdx.x];
    for (int k = 0; k < n; k++) y[threadIdx.x] *= y[threadIdx.x + k];
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
// says: several_in_one.cu:32:5: error: inline assembly cannot be differentiated yet [unsupported]
// says:     asm("nop");
// says:     ^
// says:   way out: use the function that it stands for
// says: several_in_one.cu:34:16: error: a static local variable cannot be differentiated yet [unsupported]
// says:     static int n = 0;
// says:                ^
// says:   way out: pass it as a parameter
// says: several_in_one.cu:42:18: error: function 'unknown_here' has neither a body nor a derivative rule [no-rule]
// says:     float seen = unknown_here(x[i]);
// says:                  ^
// says:   way out: define it in this translation unit, use a function of the math table, or write its derivative: GW_DERIVATIVE_OF("pullback of unknown_here")
// says: several_in_one.cu:44:9: error: inline assembly cannot be differentiated yet [unsupported]
// says:         asm("nop");
// says:         ^
// says:   way out: use the function that it stands for
// says: several_in_one.cu:45:22: error: function 'unknown_here' has neither a body nor a derivative rule [no-rule]
// says:         p = x + (int)unknown_here(x[k]);
// says:                      ^
// says:   way out: define it in this translation unit, use a function of the math table, or write its derivative: GW_DERIVATIVE_OF("pullback of unknown_here")
// says: several_in_one.cu:47:17: error: function 'unknown_here' has neither a body nor a derivative rule [no-rule]
// says:             if (unknown_here(x[0]) > 2) break;
// says:                 ^
// says:   way out: define it in this translation unit, use a function of the math table, or write its derivative: GW_DERIVATIVE_OF("pullback of unknown_here")
// says: several_in_one.cu:48:26: error: a static local variable cannot be differentiated yet [unsupported]
// says:             static float kept = 1;
// says:                          ^
// says:   way out: pass it as a parameter
// says: several_in_one.cu:62:1: error: 'z' names no parameter of 'misnamed' [unknown-name]
// says: GW_GRADIENT("z wrt x")
// says: ^
// says:   way out: name one of 'y', 'x'
// says: several_in_one.cu:64:1: error: cannot read the request 'y wrt': no name follows 'wrt' [bad-request]
// says: GW_GRADIENT("y wrt")
// says: ^
// says:   way out: write 'C wrt A, B', or 'wrt x, y' for a function that returns a value
// says: several_in_one.cu:69:33: error: the gradient needs the value of 'y' read here, but the function may have overwritten it before [stale-value]
// says:     for (int k = 0; k < n; k++) y[threadIdx.x] *= y[threadIdx.x + k];
// says:                                 ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does
// says: several_in_one.cu:69:51: error: the gradient needs the value of 'y' read here, but the function may have overwritten it before [stale-value]
// says:     for (int k = 0; k < n; k++) y[threadIdx.x] *= y[threadIdx.x + k];
// says:                                                   ^
// says:   way out: keep the value in a local variable, write to another array, or ask for the halves of a kernel (GW_SPLIT_GRADIENT): the forward half stores as the primal does

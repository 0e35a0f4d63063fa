// What programs, functions of the host that launch kernels, may not do yet.
#include <gradwright/gradwright.h>

struct scale { float by; };
__global__ void defined_elsewhere(float *y, const float *x);
__global__ void twice(float *y, const float *x) { y[threadIdx.x] = 2 * x[threadIdx.x]; }
__global__ void scaled(float *y, const float *x, scale s) { y[threadIdx.x] = s.by * x[threadIdx.x]; }

GW_GRADIENT("y wrt x") void elsewhere(float *y, const float *x) { defined_elsewhere<<<1, 1>>>(y, x); }
GW_GRADIENT("y wrt x") void by_value(float *y, const float *x, float by) { scaled<<<1, 1>>>(y, x, scale{by}); }
GW_GRADIENT("y wrt x") void of_its_own(float *y, const float *x) {
    float own[1] = {3};
    cudaMemcpy(y, own, sizeof own, cudaMemcpyHostToDevice);
}
GW_GRADIENT("y wrt x") void looks_into(float *y, const float *x) {
    twice<<<1, 1>>>(y, x);
    cudaDeviceSynchronize();
    y[0] += 1;
}
GW_SPLIT_GRADIENT("y wrt x") void in_halves(float *y, const float *x) { twice<<<1, 1>>>(y, x); }
// says: programs.cu:9:67: error: a launch of a kernel that is defined elsewhere cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("y wrt x") void elsewhere(float *y, const float *x) { defined_elsewhere<<<1, 1>>>(y, x); }
// says:                                                                   ^
// says:   way out: define it in this translation unit
// says: programs.cu:10:99: error: a struct that is passed to a kernel by value cannot be differentiated yet [unsupported]
// says: GW_GRADIENT("y wrt x") void by_value(float *y, const float *x, float by) { scaled<<<1, 1>>>(y, x, scale{by}); }
// says:                                                                                                   ^
// says:   way out: pass its members, or a pointer to it
// says: programs.cu:13:19: error: a pointer to a variable of the function's, where memory of a program is meant, cannot be differentiated yet [unsupported]
// says:     cudaMemcpy(y, own, sizeof own, cudaMemcpyHostToDevice);
// says:                   ^
// says:   way out: copy to memory that a parameter or an allocation leads to
// says: programs.cu:18:5: error: an access of memory that kernels see, on the host, in a function that launches them cannot be differentiated yet [unsupported]
// says:     y[0] += 1;
// says:     ^
// says:   way out: copy it in a kernel, or by cudaMemcpy
// says: programs.cu:20:1: error: a function that launches kernels, in this mode, cannot be differentiated yet [unsupported]
// says: GW_SPLIT_GRADIENT("y wrt x") void in_halves(float *y, const float *x) { twice<<<1, 1>>>(y, x); }
// says: ^
// says:   way out: ask for GW_GRADIENT

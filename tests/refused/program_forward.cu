// Forward and second derivatives of programs: of a function of a library there is a pullback alone, and tangents
// beside memory of half precision would be floats.
#include <gradwright/gradwright.h>

#include <cuda_fp16.h>

int sum(float *y, const float *x, cudaStream_t stream);
GW_DERIVATIVE_OF("pullback of sum") void sum_back(float *y, const float *x, cudaStream_t stream, float *d_y, float *d_x);

GW_DERIVATIVE("y wrt x") void forward(float *y, const float *x, cudaStream_t stream) { sum(y, x, stream); }
__global__ void widen(float *y, const __half *x) { y[threadIdx.x] = __half2float(x[threadIdx.x]); }

GW_HVP("y wrt x") void twice(float *y, const float *x, cudaStream_t stream) { sum(y, x, stream); }
GW_HVP("y wrt x") void halves(float *y, const __half *x) {
    __half *h;
    cudaMalloc(&h, 8 * sizeof *h);
    cudaMemcpy(h, x, 8 * sizeof *h, cudaMemcpyDeviceToDevice);
    widen<<<1, 8>>>(y, h);
    cudaFree(h);
}
// says: program_forward.cu:10:88: error: the call of 'sum', which has a pullback alone, in forward mode, cannot be differentiated yet [unsupported]
// says: GW_DERIVATIVE("y wrt x") void forward(float *y, const float *x, cudaStream_t stream) { sum(y, x, stream); }
// says:                                                                                        ^
// says:   way out: ask for GW_GRADIENT, or give the function one along tangents (GW_DERIVATIVE_OF, 'jvp of')
// says: program_forward.cu:13:79: error: a call that has a pullback, in second derivatives, cannot be differentiated yet [unsupported]
// says: GW_HVP("y wrt x") void twice(float *y, const float *x, cudaStream_t stream) { sum(y, x, stream); }
// says:                                                                               ^
// says:   way out: write the kernel of it, or take differences of the gradient along the direction
// says: program_forward.cu:17:5: error: a copy or fill of half precision, in second derivatives, cannot be differentiated yet [unsupported]
// says:     cudaMemcpy(h, x, 8 * sizeof *h, cudaMemcpyDeviceToDevice);
// says:     ^
// says:   way out: keep float in that memory
// says: program_forward.cu:18:5: error: a kernel with numbers of half precision, in a program's second derivatives, cannot be differentiated yet [unsupported]
// says:     widen<<<1, 8>>>(y, h);
// says:     ^
// says:   way out: use float in that kernel

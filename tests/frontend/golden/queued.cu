// Queued copies in a program with arrays of the host's own: those that may touch such an array are waited for.
#include <gradwright/gradwright.h>

#include <cstdlib>

static cudaMemcpy3DParms box(double *to, const double *from, cudaMemcpyKind kind) {
    cudaMemcpy3DParms made = {};
    made.dstPtr = make_cudaPitchedPtr(to, 64, 8, 2);
    made.srcPtr = make_cudaPitchedPtr(const_cast<double *>(from), 64, 8, 2);
    made.extent = make_cudaExtent(32, 2, 2);
    made.kind = kind;
    return made;
}
GW_GRADIENT("y wrt x")
void queued(double *y, const double *x, int n, cudaStream_t stream) {
    double *h = (double *)malloc(n * sizeof(double));
    cudaMemcpyAsync(h, x, n * sizeof(double), cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(y, x, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    cudaMemcpy2DAsync(y, 64, h, 64, 32, 2, cudaMemcpyHostToDevice, stream);
    cudaMemcpy2DAsync(y, 64, x, 64, 32, 2, cudaMemcpyDeviceToDevice, stream);
    cudaMemcpy3DParms up = box(y, h, cudaMemcpyHostToDevice), across = box(y, x, cudaMemcpyDeviceToDevice);
    cudaMemcpy3DAsync(&up, stream);
    cudaMemcpy3DAsync(&across, stream);
    cudaMemsetAsync(y, 0, 64, stream);
    free(h);
}

/*
 * cufft.h - what tests call of cuFFT where there is none: sums as the definitions have them, by a kernel of one
 * thread on the plan's stream. Arrays without gaps.
 */
#ifndef _CUFFT_H_
#define _CUFFT_H_

#include <cuda_runtime.h>

#include <vector>

typedef int cufftHandle;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;
enum cufftType {
    CUFFT_R2C = 0x2a,
    CUFFT_C2R = 0x2c,
    CUFFT_C2C = 0x29,
    CUFFT_D2Z = 0x6a,
    CUFFT_Z2D = 0x6c,
    CUFFT_Z2Z = 0x69
};
enum cufftResult {
    CUFFT_SUCCESS = 0,
    CUFFT_INVALID_PLAN = 1,
    CUFFT_ALLOC_FAILED = 2,
    CUFFT_INVALID_VALUE = 4,
    CUFFT_EXEC_FAILED = 6,
    CUFFT_NOT_SUPPORTED = 16
};
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

namespace reference {

struct plan {
    int n[3], last, batch;
    cudaStream_t stream;
};
inline std::vector<plan> &plans() {
    static std::vector<plan> all;
    return all;
}

/* The angle of frequency k at place x, both of three axes: n0, n1, last. */
__device__ inline double angle(const plan &p, const int *k, const int *x) {
    return 6.283185307179586476925 *
           ((double)k[0] * x[0] / p.n[0] + (double)k[1] * x[1] / p.n[1] + (double)k[2] * x[2] / p.last);
}

/* y[k] = the sum of x e^(way i angle) over `columns_x` columns of each row; of a half spectrum doubled where
 * there is a mirror. T: float or double; real ones have no imaginary part. */
template <class T>
__global__ void transform(plan p, const T *x, bool real_x, int columns_x, T *y, bool real_y, int columns_y,
                          int way) {
    for (int b = 0; b < p.batch; b++)
        for (int i = 0; i < p.n[0] * p.n[1] * columns_y; i++) {
            const int k[3] = {i / columns_y / p.n[1], i / columns_y % p.n[1], i % columns_y};
            double re = 0, im = 0;
            for (int j = 0; j < p.n[0] * p.n[1] * columns_x; j++) {
                const int at[3] = {j / columns_x / p.n[1], j / columns_x % p.n[1], j % columns_x};
                const size_t from = (size_t)b * p.n[0] * p.n[1] * columns_x + j;
                const double a = real_x ? x[from] : x[2 * from], c = real_x ? 0 : x[2 * from + 1],
                             w = real_y && at[2] && 2 * at[2] != p.last ? 2 : 1;
                const double cosine = cos(angle(p, k, at)), sine = way * sin(angle(p, k, at));
                re += w * (a * cosine - c * sine), im += w * (a * sine + c * cosine);
            }
            const size_t to = (size_t)b * p.n[0] * p.n[1] * columns_y + i;
            if (real_y)
                y[to] = (T)re;
            else
                y[2 * to] = (T)re, y[2 * to + 1] = (T)im;
        }
}

template <class T>
cufftResult run(cufftHandle handle, const void *x, bool real_x, void *y, bool real_y, int way) {
    const plan p = plans().at((size_t)handle);
    const int half = p.last / 2 + 1;
    T *room; /* it may be in place */
    const int columns_x = real_y ? half : p.last, columns_y = real_x ? half : p.last;
    const size_t bytes = sizeof(T) * p.batch * p.n[0] * p.n[1] * columns_y * (real_y ? 1 : 2);
    if (cudaMallocAsync((void **)&room, bytes, p.stream) != cudaSuccess) return CUFFT_ALLOC_FAILED;
    transform<<<1, 1, 0, p.stream>>>(p, (const T *)x, real_x, columns_x, room, real_y, columns_y, way);
    cudaMemcpyAsync(y, room, bytes, cudaMemcpyDeviceToDevice, p.stream);
    cudaFreeAsync(room, p.stream);
    return cudaGetLastError() == cudaSuccess ? CUFFT_SUCCESS : CUFFT_EXEC_FAILED;
}

} // namespace reference

inline cufftResult cufftPlanMany(cufftHandle *plan, int rank, int *n, int *, int, int, int *, int, int,
                                 cufftType, int batch) {
    reference::plan p = {{1, 1, 1}, n[rank - 1], batch, nullptr};
    for (int i = 0; i < rank - 1; i++)
        p.n[i] = n[i];
    *plan = (cufftHandle)reference::plans().size();
    reference::plans().push_back(p);
    return CUFFT_SUCCESS;
}
inline cufftResult cufftSetStream(cufftHandle plan, cudaStream_t stream) {
    return reference::plans().at((size_t)plan).stream = stream, CUFFT_SUCCESS;
}
inline cufftResult cufftDestroy(cufftHandle) { return CUFFT_SUCCESS; }

inline cufftResult cufftExecC2C(cufftHandle plan, cufftComplex *idata, cufftComplex *odata, int direction) {
    return reference::run<float>(plan, idata, false, odata, false, direction);
}
inline cufftResult cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleComplex *odata,
                                int direction) {
    return reference::run<double>(plan, idata, false, odata, false, direction);
}
inline cufftResult cufftExecR2C(cufftHandle plan, cufftReal *idata, cufftComplex *odata) {
    return reference::run<float>(plan, idata, true, odata, false, -1);
}
inline cufftResult cufftExecD2Z(cufftHandle plan, cufftDoubleReal *idata, cufftDoubleComplex *odata) {
    return reference::run<double>(plan, idata, true, odata, false, -1);
}
inline cufftResult cufftExecC2R(cufftHandle plan, cufftComplex *idata, cufftReal *odata) {
    return reference::run<float>(plan, idata, false, odata, true, 1);
}
inline cufftResult cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *idata, cufftDoubleReal *odata) {
    return reference::run<double>(plan, idata, false, odata, true, 1);
}

#endif

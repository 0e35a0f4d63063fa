/*
 * cublas_v2.h - what tests call of cuBLAS where there is none: each call is a kernel of one thread, on the
 * handle's stream. As in the library's header the names are macros, the scalars lie on the host or the device,
 * and a C whose beta is 0 is not read.
 */
#ifndef CUBLAS_V2_H_
#define CUBLAS_V2_H_

#include <cuda_runtime.h>

#include <cmath>

struct cublasContext;
typedef cublasContext *cublasHandle_t;
enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0,
    CUBLAS_STATUS_ALLOC_FAILED = 3,
    CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_NOT_SUPPORTED = 15
};
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT };
enum cublasOperation_t { CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE };

namespace reference {

struct context {
    cudaStream_t stream;
    cublasPointerMode_t mode;
    double *room;
};
inline context *of(cublasHandle_t handle) { return reinterpret_cast<context *>(handle); }

/* A scalar: its value, or where it lies on the device. */
template <class T> struct scalar {
    T value;
    const T *at;
    __host__ __device__ T get() const { return at ? *at : value; }
};
template <class T> scalar<T> read(cublasHandle_t handle, const T *p) {
    if (of(handle)->mode == CUBLAS_POINTER_MODE_DEVICE) return {0, p};
    return {*p, nullptr};
}

inline cublasStatus_t done() {
    return cudaGetLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

/* Element i of a vector of n; (i, j) of op(A). */
template <class T> __host__ __device__ T &at(T *x, int i, int n, int inc) {
    return x[inc > 0 ? (long long)i * inc : (long long)(i - n + 1) * inc];
}
template <class T> __host__ __device__ T at(const T *A, int i, int j, int lda, bool turned) {
    return turned ? A[j + (long long)i * lda] : A[i + (long long)j * lda];
}

template <class T>
__global__ void gemm(bool on_A, bool on_B, int m, int n, int k, scalar<T> alpha, const T *A, int lda,
                     long long step_A, const T *B, int ldb, long long step_B, scalar<T> beta, T *C, int ldc,
                     long long step_C, int count) {
    for (int b = 0; b < count; b++, A += step_A, B += step_B, C += step_C)
        for (int j = 0; j < n; j++)
            for (int i = 0; i < m; i++) {
                T sum = 0, *const to = &C[i + (long long)j * ldc];
                for (int l = 0; l < k && alpha.get() != 0; l++)
                    sum += at(A, i, l, lda, on_A) * at(B, l, j, ldb, on_B);
                *to = alpha.get() * sum + (beta.get() == 0 ? 0 : beta.get() * *to);
            }
}
template <class T>
__global__ void geam(bool on_A, bool on_B, int m, int n, scalar<T> alpha, const T *A, int lda, scalar<T> beta,
                     const T *B, int ldb, T *C, int ldc) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            const T a = alpha.get() == 0 ? 0 : alpha.get() * at(A, i, j, lda, on_A),
                    b = beta.get() == 0 ? 0 : beta.get() * at(B, i, j, ldb, on_B);
            C[i + (long long)j * ldc] = a + b;
        }
}
template <class T>
__global__ void gemv(bool on_A, int m, int n, scalar<T> alpha, const T *A, int lda, const T *x, int incx,
                     scalar<T> beta, T *y, int incy) {
    const int rows = on_A ? n : m, columns = on_A ? m : n;
    for (int i = 0; i < rows; i++) {
        T sum = 0, &to = at(y, i, rows, incy);
        for (int j = 0; j < columns; j++)
            sum += at(A, i, j, lda, on_A) * at(x, j, columns, incx);
        to = alpha.get() * sum + (beta.get() == 0 ? 0 : beta.get() * to);
    }
}
template <class T>
__global__ void ger(int m, int n, scalar<T> alpha, const T *x, int incx, const T *y, int incy, T *A, int lda) {
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++)
            A[i + (long long)j * lda] += alpha.get() * at(x, i, m, incx) * at(y, j, n, incy);
}
template <class T> __global__ void axpy(int n, scalar<T> alpha, const T *x, int incx, T *y, int incy) {
    for (int i = 0; i < n; i++)
        at(y, i, n, incy) += alpha.get() * at(x, i, n, incx);
}
template <class T> __global__ void scal(int n, scalar<T> alpha, T *x, int incx) {
    for (int i = 0; i < n; i++)
        x[(long long)i * incx] *= alpha.get();
}
template <class T>
__global__ void dot(int n, const T *x, int incx, const T *y, int incy, T *result, bool root) {
    T sum = 0;
    for (int i = 0; i < n; i++)
        sum += at(x, i, n, incx) * at(y, i, n, incy);
    *result = root ? sqrt(sum) : sum;
}
/* Column j of op(A) X = alpha B, or row j of X op(A) = alpha B. */
template <class T>
__global__ void trsm(bool left, bool lower, bool on_A, bool unit, int m, int n, scalar<T> alpha, const T *A,
                     int lda, T *B, int ldb) {
    const int size = left ? m : n, others = left ? n : m;
    const bool forward = (lower != on_A) == left;
    for (int j = 0; j < others; j++)
        for (int step = 0; step < size; step++) {
            const int i = forward ? step : size - 1 - step;
            T *const to = left ? &B[i + (long long)j * ldb] : &B[j + (long long)i * ldb];
            T sum = alpha.get() * *to;
            for (int before = 0; before < step; before++) {
                const int l = forward ? before : size - 1 - before;
                sum -= left ? at(A, i, l, lda, on_A) * B[l + (long long)j * ldb]
                            : at(A, l, i, lda, on_A) * B[j + (long long)l * ldb];
            }
            *to = unit ? sum : sum / at(A, i, i, lda, on_A);
        }
}

template <class T>
cublasStatus_t inner(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy, T *result,
                     bool root) {
    const bool device = of(handle)->mode == CUBLAS_POINTER_MODE_DEVICE;
    T *const to = device ? result : (T *)of(handle)->room;
    dot<<<1, 1, 0, of(handle)->stream>>>(n, x, incx, y, incy, to, root);
    if (!device) {
        cudaMemcpyAsync(result, to, sizeof *to, cudaMemcpyDeviceToHost, of(handle)->stream);
        cudaStreamSynchronize(of(handle)->stream);
    }
    return done();
}

} // namespace reference

#define cublasCreate         cublasCreate_v2
#define cublasDestroy        cublasDestroy_v2
#define cublasSetStream      cublasSetStream_v2
#define cublasGetStream      cublasGetStream_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
inline cublasStatus_t cublasCreate(cublasHandle_t *handle) {
    reference::context *made = new reference::context{nullptr, CUBLAS_POINTER_MODE_HOST, nullptr};
    *handle = reinterpret_cast<cublasHandle_t>(made);
    return cudaMalloc((void **)&made->room, sizeof(double)) == cudaSuccess ? CUBLAS_STATUS_SUCCESS
                                                                           : CUBLAS_STATUS_ALLOC_FAILED;
}
inline cublasStatus_t cublasDestroy(cublasHandle_t handle) {
    cudaFree(reference::of(handle)->room);
    delete reference::of(handle);
    return CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
    return reference::of(handle)->stream = stream, CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream) {
    return *stream = reference::of(handle)->stream, CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode) {
    return reference::of(handle)->mode = mode, CUBLAS_STATUS_SUCCESS;
}
inline cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode) {
    return *mode = reference::of(handle)->mode, CUBLAS_STATUS_SUCCESS;
}

#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasSger  cublasSger_v2
#define cublasDger  cublasDger_v2
#define cublasSaxpy cublasSaxpy_v2
#define cublasDaxpy cublasDaxpy_v2
#define cublasSscal cublasSscal_v2
#define cublasDscal cublasDscal_v2
#define cublasSdot  cublasSdot_v2
#define cublasDdot  cublasDdot_v2
#define cublasSnrm2 cublasSnrm2_v2
#define cublasDnrm2 cublasDnrm2_v2
#define cublasStrsm cublasStrsm_v2
#define cublasDtrsm cublasDtrsm_v2

#define REFERENCE_STREAM 1, 1, 0, reference::of(handle)->stream
#define REFERENCE_BLAS(X, T)                                                                                   \
    inline cublasStatus_t cublas##X##gemmStridedBatched(                                                       \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,        \
        const T *alpha, const T *A, int lda, long long strideA, const T *B, int ldb, long long strideB,        \
        const T *beta, T *C, int ldc, long long strideC, int batchCount) {                                     \
        reference::gemm<<<REFERENCE_STREAM>>>(                                                                 \
            transa != CUBLAS_OP_N, transb != CUBLAS_OP_N, m, n, k, reference::read(handle, alpha), A, lda,     \
            strideA, B, ldb, strideB, reference::read(handle, beta), C, ldc, strideC, batchCount);             \
        return reference::done();                                                                              \
    }                                                                                                          \
    inline cublasStatus_t cublas##X##gemm(                                                                     \
        cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,        \
        const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C, int ldc) {              \
        return cublas##X##gemmStridedBatched(handle, transa, transb, m, n, k, alpha, A, lda, 0, B, ldb, 0,     \
                                             beta, C, ldc, 0, 1);                                              \
    }                                                                                                          \
    inline cublasStatus_t cublas##X##geam(cublasHandle_t handle, cublasOperation_t transa,                     \
                                          cublasOperation_t transb, int m, int n, const T *alpha, const T *A,  \
                                          int lda, const T *beta, const T *B, int ldb, T *C, int ldc) {        \
        reference::geam<<<REFERENCE_STREAM>>>(transa != CUBLAS_OP_N, transb != CUBLAS_OP_N, m, n,              \
                                              reference::read(handle, alpha), A, lda,                          \
                                              reference::read(handle, beta), B, ldb, C, ldc);                  \
        return reference::done();                                                                              \
    }                                                                                                          \
    inline cublasStatus_t cublas##X##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,        \
                                          const T *alpha, const T *A, int lda, const T *x, int incx,           \
                                          const T *beta, T *y, int incy) {                                     \
        reference::gemv<<<REFERENCE_STREAM>>>(trans != CUBLAS_OP_N, m, n, reference::read(handle, alpha), A,   \
                                              lda, x, incx, reference::read(handle, beta), y, incy);           \
        return reference::done();                                                                              \
    }                                                                                                          \
    inline cublasStatus_t cublas##X##ger(cublasHandle_t handle, int m, int n, const T *alpha, const T *x,      \
                                         int incx, const T *y, int incy, T *A, int lda) {                      \
        reference::ger<<<REFERENCE_STREAM>>>(m, n, reference::read(handle, alpha), x, incx, y, incy, A, lda);  \
        return reference::done();                                                                              \
    }                                                                                                          \
    inline cublasStatus_t cublas##X##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx,  \
                                          T *y, int incy) {                                                    \
        reference::axpy<<<REFERENCE_STREAM>>>(n, reference::read(handle, alpha), x, incx, y, incy);            \
        return reference::done();                                                                              \
    }                                                                                                          \
    inline cublasStatus_t cublas##X##scal(cublasHandle_t handle, int n, const T *alpha, T *x, int incx) {      \
        reference::scal<<<REFERENCE_STREAM>>>(n, reference::read(handle, alpha), x, incx);                     \
        return reference::done();                                                                              \
    }                                                                                                          \
    inline cublasStatus_t cublas##X##dot(cublasHandle_t handle, int n, const T *x, int incx, const T *y,       \
                                         int incy, T *result) {                                                \
        return reference::inner(handle, n, x, incx, y, incy, result, false);                                   \
    }                                                                                                          \
    inline cublasStatus_t cublas##X##nrm2(cublasHandle_t handle, int n, const T *x, int incx, T *result) {     \
        return reference::inner(handle, n, x, incx, x, incx, result, true);                                    \
    }                                                                                                          \
    inline cublasStatus_t cublas##X##trsm(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t uplo, \
                                          cublasOperation_t trans, cublasDiagType_t diag, int m, int n,        \
                                          const T *alpha, const T *A, int lda, T *B, int ldb) {                \
        reference::trsm<<<REFERENCE_STREAM>>>(side == CUBLAS_SIDE_LEFT, uplo == CUBLAS_FILL_MODE_LOWER,        \
                                              trans != CUBLAS_OP_N, diag == CUBLAS_DIAG_UNIT, m, n,            \
                                              reference::read(handle, alpha), A, lda, B, ldb);                 \
        return reference::done();                                                                              \
    }
REFERENCE_BLAS(S, float)
REFERENCE_BLAS(D, double)

#endif

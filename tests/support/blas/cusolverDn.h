/*
 * cusolverDn.h - what tests call of cuSOLVER where there is none: each call is a kernel of one thread, on the
 * handle's stream. As in the library a triangle that is not asked for is neither read nor written.
 */
#ifndef CUSOLVERDN_H_
#define CUSOLVERDN_H_

#include "cublas_v2.h"

struct cusolverDnContext;
typedef cusolverDnContext *cusolverDnHandle_t;
enum cusolverStatus_t {
    CUSOLVER_STATUS_SUCCESS = 0,
    CUSOLVER_STATUS_ALLOC_FAILED = 2,
    CUSOLVER_STATUS_EXECUTION_FAILED = 6,
    CUSOLVER_STATUS_NOT_SUPPORTED = 9
};

namespace reference {

struct solver {
    cudaStream_t stream;
};
inline solver *of(cusolverDnHandle_t handle) { return reinterpret_cast<solver *>(handle); }

template <class T> __host__ __device__ T &cell(T *A, int i, int j, int lda, bool turned) {
    return turned ? A[j + (long long)i * lda] : A[i + (long long)j * lda];
}

/* A = L L^T, L at (i, j) or, of an upper triangle, at (j, i). */
template <class T> __global__ void potrf(bool upper, int n, T *A, int lda, int *info) {
    *info = 0;
    for (int j = 0; j < n; j++)
        for (int i = j; i < n; i++) {
            T sum = cell(A, i, j, lda, upper);
            for (int k = 0; k < j; k++)
                sum -= cell(A, i, k, lda, upper) * cell(A, j, k, lda, upper);
            cell(A, i, j, lda, upper) = i == j ? sqrt(sum) : sum / cell(A, j, j, lda, upper);
        }
}
template <class T>
__global__ void potrs(bool upper, int n, int columns, const T *A, int lda, T *B, int ldb, int *info) {
    *info = 0;
    for (int c = 0; c < columns; c++) {
        T *const x = B + (long long)c * ldb;
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i; k++)
                x[i] -= cell(A, i, k, lda, upper) * x[k];
            x[i] /= cell(A, i, i, lda, upper);
        }
        for (int i = n - 1; i >= 0; i--) {
            for (int k = i + 1; k < n; k++)
                x[i] -= cell(A, k, i, lda, upper) * x[k];
            x[i] /= cell(A, i, i, lda, upper);
        }
    }
}
template <class T> __host__ __device__ void exchange(T *x, T *y) {
    const T kept = *x;
    *x = *y, *y = kept;
}
template <class T> __global__ void getrf(int m, int n, T *A, int lda, int *pivots, int *info) {
    *info = 0;
    for (int k = 0; k < m && k < n; k++) {
        int best = k;
        for (int i = k + 1; i < m && pivots; i++)
            if (fabs(at(A, i, k, lda, false)) > fabs(at(A, best, k, lda, false))) best = i;
        if (pivots) pivots[k] = best + 1;
        for (int j = 0; j < n && best != k; j++)
            exchange(&cell(A, k, j, lda, false), &cell(A, best, j, lda, false));
        for (int i = k + 1; i < m; i++) {
            T &by = cell(A, i, k, lda, false);
            by /= cell(A, k, k, lda, false);
            for (int j = k + 1; j < n; j++)
                cell(A, i, j, lda, false) -= by * cell(A, k, j, lda, false);
        }
    }
}
/* P^T L U x = b; or (L U)^T P x = b. */
template <class T>
__global__ void getrs(bool turned, int n, int columns, const T *A, int lda, const int *pivots, T *B, int ldb,
                      int *info) {
    *info = 0;
    for (int c = 0; c < columns; c++) {
        T *const x = B + (long long)c * ldb;
        for (int i = 0; i < n && !turned && pivots; i++)
            exchange(&x[i], &x[pivots[i] - 1]);
        for (int i = 0; i < n; i++) { /* L, or U^T */
            for (int k = 0; k < i; k++)
                x[i] -= cell(A, i, k, lda, turned) * x[k];
            if (turned) x[i] /= cell(A, i, i, lda, false);
        }
        for (int i = n - 1; i >= 0; i--) { /* U, or L^T */
            for (int k = i + 1; k < n; k++)
                x[i] -= cell(A, i, k, lda, turned) * x[k];
            if (!turned) x[i] /= cell(A, i, i, lda, false);
        }
        for (int i = n - 1; i >= 0 && turned && pivots; i--)
            exchange(&x[i], &x[pivots[i] - 1]);
    }
}

inline cusolverStatus_t solved() {
    return cudaGetLastError() == cudaSuccess ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
}

} // namespace reference

inline cusolverStatus_t cusolverDnCreate(cusolverDnHandle_t *handle) {
    *handle = reinterpret_cast<cusolverDnHandle_t>(new reference::solver{nullptr});
    return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnDestroy(cusolverDnHandle_t handle) {
    delete reference::of(handle);
    return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnSetStream(cusolverDnHandle_t handle, cudaStream_t stream) {
    reference::of(handle)->stream = stream;
    return CUSOLVER_STATUS_SUCCESS;
}
inline cusolverStatus_t cusolverDnGetStream(cusolverDnHandle_t handle, cudaStream_t *stream) {
    *stream = reference::of(handle)->stream;
    return CUSOLVER_STATUS_SUCCESS;
}

#define REFERENCE_SOLVER(X, T)                                                                                 \
    inline cusolverStatus_t cusolverDn##X##potrf_bufferSize(cusolverDnHandle_t, cublasFillMode_t, int n, T *,  \
                                                            int, int *size) {                                  \
        *size = n;                                                                                             \
        return CUSOLVER_STATUS_SUCCESS;                                                                        \
    }                                                                                                          \
    inline cusolverStatus_t cusolverDn##X##getrf_bufferSize(cusolverDnHandle_t, int m, int, T *, int,          \
                                                            int *size) {                                       \
        *size = m;                                                                                             \
        return CUSOLVER_STATUS_SUCCESS;                                                                        \
    }                                                                                                          \
    inline cusolverStatus_t cusolverDn##X##potrf(cusolverDnHandle_t handle, cublasFillMode_t fill, int n,      \
                                                 T *A, int lda, T *, int, int *info) {                         \
        reference::potrf<<<1, 1, 0, reference::of(handle)->stream>>>(fill == CUBLAS_FILL_MODE_UPPER, n, A,     \
                                                                     lda, info);                               \
        return reference::solved();                                                                            \
    }                                                                                                          \
    inline cusolverStatus_t cusolverDn##X##potrs(cusolverDnHandle_t handle, cublasFillMode_t fill, int n,      \
                                                 int columns, const T *A, int lda, T *B, int ldb, int *info) { \
        reference::potrs<<<1, 1, 0, reference::of(handle)->stream>>>(fill == CUBLAS_FILL_MODE_UPPER, n,        \
                                                                     columns, A, lda, B, ldb, info);           \
        return reference::solved();                                                                            \
    }                                                                                                          \
    inline cusolverStatus_t cusolverDn##X##getrf(cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *,  \
                                                 int *pivots, int *info) {                                     \
        reference::getrf<<<1, 1, 0, reference::of(handle)->stream>>>(m, n, A, lda, pivots, info);              \
        return reference::solved();                                                                            \
    }                                                                                                          \
    inline cusolverStatus_t cusolverDn##X##getrs(cusolverDnHandle_t handle, cublasOperation_t trans, int n,    \
                                                 int columns, const T *A, int lda, const int *pivots, T *B,    \
                                                 int ldb, int *info) {                                         \
        reference::getrs<<<1, 1, 0, reference::of(handle)->stream>>>(trans != CUBLAS_OP_N, n, columns, A, lda, \
                                                                     pivots, B, ldb, info);                    \
        return reference::solved();                                                                            \
    }
REFERENCE_SOLVER(S, float)
REFERENCE_SOLVER(D, double)
#undef REFERENCE_SOLVER

#endif

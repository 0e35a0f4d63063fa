/*
 * cublas.cuh - pullbacks of cuBLAS, for programs (docs/guide/programs.md) that call gemm, gemmStridedBatched,
 * gemv, ger, axpy, scal, dot, nrm2 and trsm in float and double; for forward mode, derivatives along tangents
 * of all of these but trsm (of a dot, with the result on the host).
 *
 * Scalars lie on the host (CUBLAS_POINTER_MODE_HOST), but for the result of dot; else the gradient fails with
 * CUBLAS_STATUS_NOT_SUPPORTED, and so it does with a vector whose increment is 0, or with one pointer to
 * what a call reads and to what it writes. With beta = 0 the old C is not
 * read, nor is its adjoint kept. An adjoint of alpha or beta is awaited by the host.
 *
 * A pullback gets what the call got, memory as it was before (null where a parameter has no name, or where it
 * is GW_ONLY_FOR an adjoint that nobody asks), and an adjoint for each number: it adds to those of what is
 * read, and turns those of what is written into those of what was there before.
 */
#ifndef GRADWRIGHT_CUBLAS_CUH
#define GRADWRIGHT_CUBLAS_CUH

#ifndef CUBLAS_V2_H_
#include <cublas_v2.h>
#endif
#include <cuda_runtime.h>

#include "gradwright/gradwright.h"
#include "gradwright/library_parts.cuh"

/* The stream on which the calls of a handle run. */
inline cudaStream_t gw_stream_of(cublasHandle_t handle) {
    cudaStream_t stream = nullptr;
    cublasGetStream(handle, &stream);
    return stream;
}

/* ---- one name for float and double ---- */

template <class T> struct gw_blas;
#define GW_BLAS(X, T)                                                                                          \
    template <> struct gw_blas<T> {                                                                            \
        static constexpr auto gemm = cublas##X##gemm;                                                          \
        static constexpr auto batched = cublas##X##gemmStridedBatched;                                         \
        static constexpr auto geam = cublas##X##geam;                                                          \
        static constexpr auto gemv = cublas##X##gemv;                                                          \
        static constexpr auto ger = cublas##X##ger;                                                            \
        static constexpr auto axpy = cublas##X##axpy;                                                          \
        static constexpr auto dot = cublas##X##dot;                                                            \
        static constexpr auto nrm2 = cublas##X##nrm2;                                                          \
        static constexpr auto trsm = cublas##X##trsm;                                                          \
    };
GW_BLAS(S, float)
GW_BLAS(D, double)
#undef GW_BLAS

/* ---- parts ---- */

#define GW_BLAS_TRY(call) GW_LIBRARY_TRY(cublasStatus_t, CUBLAS_STATUS_SUCCESS, call)

/* Whether a call's scalars may be looked at: they lie on the host, and nothing that is queued writes them. */
template <class T> cublasStatus_t gw_blas_scalars(cublasHandle_t handle, const T *x, const T *y = nullptr) {
    cublasPointerMode_t mode;
    GW_BLAS_TRY(cublasGetPointerMode(handle, &mode));
    if (mode != CUBLAS_POINTER_MODE_HOST) return CUBLAS_STATUS_NOT_SUPPORTED;
    for (const T *p : {x, y}) {
        cudaPointerAttributes is = {};
        if (!p) continue;
        if (cudaPointerGetAttributes(&is, p) != cudaSuccess)
            (void)cudaGetLastError();
        else if (is.type != cudaMemoryTypeUnregistered &&
                 cudaStreamSynchronize(gw_stream_of(handle)) != cudaSuccess)
            return CUBLAS_STATUS_EXECUTION_FAILED;
    }
    return CUBLAS_STATUS_SUCCESS;
}

inline cublasOperation_t gw_blas_flip(cublasOperation_t op) {
    return op == CUBLAS_OP_N ? CUBLAS_OP_T : CUBLAS_OP_N;
}
inline int gw_blas_step(int increment) { return increment < 0 ? -increment : increment; }

/* A *= by, of m x n; 0 whatever is there if `by` is 0. */
template <class T> cublasStatus_t gw_blas_times(cublasHandle_t handle, int m, int n, T by, T *A, int lda) {
    const T none = 0;
    if (by == 1 || m <= 0 || n <= 0) return CUBLAS_STATUS_SUCCESS;
    return gw_blas<T>::geam(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, &by, A, lda, &none, A, lda, A, lda);
}

/* *sum += the sum of X[i, j] Y[i, j], m x n. */
template <class T>
cublasStatus_t gw_blas_inner(cublasHandle_t handle, int m, int n, const T *X, int ldx, const T *Y, int ldy,
                             T *sum) {
    for (int j = 0; j < n; j++) {
        T part = 0;
        GW_BLAS_TRY(gw_blas<T>::dot(handle, m, X + (size_t)j * ldx, 1, Y + (size_t)j * ldy, 1, &part));
        *sum += part;
    }
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- C = alpha op(A) op(B) + beta C ---- */

template <class T> struct gw_blas_gemm {
    cublasHandle_t handle;
    cublasOperation_t on_A, on_B;
    int m, n, k;
    T alpha;
    int lda, ldb;
    T beta;
    int ldc;
    int rows_A() const { return on_A == CUBLAS_OP_N ? m : k; }
    int columns_A() const { return on_A == CUBLAS_OP_N ? k : m; }
    int rows_B() const { return on_B == CUBLAS_OP_N ? k : n; }
    int columns_B() const { return on_B == CUBLAS_OP_N ? n : k; }
};

/* dA += alpha dC op(B)^T, or its transpose. */
template <class T> cublasStatus_t gw_blas_gemm_A(const gw_blas_gemm<T> &g, const T *B, T *d_A, const T *d_C) {
    const T one = 1;
    if (g.on_A == CUBLAS_OP_N)
        return gw_blas<T>::gemm(g.handle, CUBLAS_OP_N, gw_blas_flip(g.on_B), g.m, g.k, g.n, &g.alpha, d_C,
                                g.ldc, B, g.ldb, &one, d_A, g.lda);
    return gw_blas<T>::gemm(g.handle, g.on_B, CUBLAS_OP_T, g.k, g.m, g.n, &g.alpha, B, g.ldb, d_C, g.ldc, &one,
                            d_A, g.lda);
}

/* dB += alpha op(A)^T dC, or its transpose. */
template <class T> cublasStatus_t gw_blas_gemm_B(const gw_blas_gemm<T> &g, const T *A, T *d_B, const T *d_C) {
    const T one = 1;
    if (g.on_B == CUBLAS_OP_N)
        return gw_blas<T>::gemm(g.handle, gw_blas_flip(g.on_A), CUBLAS_OP_N, g.k, g.n, g.m, &g.alpha, A, g.lda,
                                d_C, g.ldc, &one, d_B, g.ldb);
    return gw_blas<T>::gemm(g.handle, CUBLAS_OP_T, g.on_A, g.n, g.k, g.m, &g.alpha, d_C, g.ldc, A, g.lda, &one,
                            d_B, g.ldb);
}

/* d_alpha += <op(A) op(B), dC>. */
template <class T>
cublasStatus_t gw_blas_gemm_alpha(const gw_blas_gemm<T> &g, const T *A, const T *B, T *d_alpha, const T *d_C) {
    const T one = 1, none = 0;
    gw_library_room<T> product((size_t)g.m * g.n, gw_stream_of(g.handle));
    if (!product.at) return CUBLAS_STATUS_ALLOC_FAILED;
    GW_BLAS_TRY(gw_blas<T>::gemm(g.handle, g.on_A, g.on_B, g.m, g.n, g.k, &one, A, g.lda, B, g.ldb, &none,
                                 product.at, g.m));
    return gw_blas_inner(g.handle, g.m, g.n, product.at, g.m, d_C, g.ldc, d_alpha);
}

/* One of them after the other: several may share an A or B (a stride of 0). */
template <class T>
cublasStatus_t gw_blas_gemm_back(const gw_blas_gemm<T> &g, int count, const T *A, long long step_A, const T *B,
                                 long long step_B, const T *C, long long step_C, T *d_alpha, T *d_A, T *d_B,
                                 T *d_beta, T *d_C) {
    if (d_C == d_A || d_C == d_B) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (g.m <= 0 || g.n <= 0) return CUBLAS_STATUS_SUCCESS;
    for (int i = 0; i < count; i++) {
        const T *const A_i = A + i * step_A, *const B_i = B + i * step_B;
        T *const g_i = d_C + i * step_C;
        if (g.k > 0 && d_alpha) GW_BLAS_TRY(gw_blas_gemm_alpha(g, A_i, B_i, d_alpha, g_i));
        if (g.k > 0) GW_BLAS_TRY(gw_blas_gemm_A(g, B_i, d_A + i * step_A, g_i));
        if (g.k > 0) GW_BLAS_TRY(gw_blas_gemm_B(g, A_i, d_B + i * step_B, g_i));
        if (d_beta) GW_BLAS_TRY(gw_blas_inner(g.handle, g.m, g.n, C + i * step_C, g.ldc, g_i, g.ldc, d_beta));
        GW_BLAS_TRY(gw_blas_times(g.handle, g.m, g.n, g.beta, g_i, g.ldc));
    }
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- vectors and matrices ---- */

/* y = alpha op(A) x + beta y */
template <class T>
cublasStatus_t gw_blas_gemv_back(cublasHandle_t handle, cublasOperation_t on_A, int m, int n, T alpha,
                                 const T *A, int lda, const T *x, int incx, T beta, const T *y, int incy,
                                 T *d_alpha, T *d_A, T *d_x, T *d_beta, T *d_y) {
    const T one = 1, none = 0;
    const bool plain = on_A == CUBLAS_OP_N;
    const int rows = plain ? m : n;
    if (!incx || !incy || d_y == d_x || d_y == d_A) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (m <= 0 || n <= 0) return CUBLAS_STATUS_SUCCESS;
    if (d_alpha) {
        T part = 0;
        gw_library_room<T> product(rows, gw_stream_of(handle));
        if (!product.at) return CUBLAS_STATUS_ALLOC_FAILED;
        GW_BLAS_TRY(gw_blas<T>::gemv(handle, on_A, m, n, &one, A, lda, x, incx, &none, product.at, 1));
        GW_BLAS_TRY(gw_blas<T>::dot(handle, rows, product.at, 1, d_y, incy, &part));
        *d_alpha += part;
    }
    GW_BLAS_TRY(gw_blas<T>::ger(handle, m, n, &alpha, plain ? d_y : x, plain ? incy : incx, plain ? x : d_y,
                                plain ? incx : incy, d_A, lda));
    GW_BLAS_TRY(gw_blas<T>::gemv(handle, gw_blas_flip(on_A), m, n, &alpha, A, lda, d_y, incy, &one, d_x, incx));
    if (d_beta) {
        T part = 0;
        GW_BLAS_TRY(gw_blas<T>::dot(handle, rows, y, incy, d_y, incy, &part));
        *d_beta += part;
    }
    return gw_blas_times(handle, 1, rows, beta, d_y, gw_blas_step(incy));
}

/* A += alpha x y^T */
template <class T>
cublasStatus_t gw_blas_ger_back(cublasHandle_t handle, int m, int n, T alpha, const T *x, int incx, const T *y,
                                int incy, int lda, T *d_alpha, T *d_x, T *d_y, const T *d_A) {
    const T one = 1, none = 0;
    if (!incx || !incy || d_A == d_x || d_A == d_y) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (m <= 0 || n <= 0) return CUBLAS_STATUS_SUCCESS;
    if (d_alpha) {
        T part = 0;
        gw_library_room<T> product(m, gw_stream_of(handle));
        if (!product.at) return CUBLAS_STATUS_ALLOC_FAILED;
        GW_BLAS_TRY(gw_blas<T>::gemv(handle, CUBLAS_OP_N, m, n, &one, d_A, lda, y, incy, &none, product.at, 1));
        GW_BLAS_TRY(gw_blas<T>::dot(handle, m, x, incx, product.at, 1, &part));
        *d_alpha += part;
    }
    GW_BLAS_TRY(gw_blas<T>::gemv(handle, CUBLAS_OP_N, m, n, &alpha, d_A, lda, y, incy, &one, d_x, incx));
    return gw_blas<T>::gemv(handle, CUBLAS_OP_T, m, n, &alpha, d_A, lda, x, incx, &one, d_y, incy);
}

/* A += X of a triangle, n x n. */
template <class T>
__global__ void gw_blas_add_triangle(T *A, int lda, const T *X, int n, bool lower, bool diagonal) {
    const size_t stride = (size_t)gridDim.x * blockDim.x, count = (size_t)n * n;
    for (size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x; at < count; at += stride) {
        const size_t i = at % n, j = at / n;
        if (lower ? i < j : i > j) continue;
        if (i != j || diagonal) A[i + j * lda] += X[at];
    }
}

/* op(A) X = alpha B or X op(A) = alpha B, where X takes the place of B: with dX = op(A)^-T d(what was there),
 * dA is -dX X^T or -X^T dX, or the transpose of that. */
template <class T>
cublasStatus_t gw_blas_trsm_back(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,
                                 cublasOperation_t on_A, cublasDiagType_t unit, int m, int n, T alpha,
                                 const T *A, int lda, const T *B, int ldb, T *d_alpha, T *d_A, T *d_B) {
    const T one = 1, less = -1, none = 0;
    const bool left = side == CUBLAS_SIDE_LEFT, plain = on_A == CUBLAS_OP_N;
    const int of_A = left ? m : n;
    if (d_A == d_B) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (m <= 0 || n <= 0) return CUBLAS_STATUS_SUCCESS;
    const cudaStream_t stream = gw_stream_of(handle);
    gw_library_room<T> X((size_t)m * n, stream), product((size_t)of_A * of_A, stream);
    if (!X.at || !product.at) return CUBLAS_STATUS_ALLOC_FAILED;
    GW_BLAS_TRY(
        gw_blas<T>::geam(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, &alpha, B, ldb, &none, X.at, m, X.at, m));
    GW_BLAS_TRY(gw_blas<T>::trsm(handle, side, fill, on_A, unit, m, n, &one, A, lda, X.at, m));
    GW_BLAS_TRY(gw_blas<T>::trsm(handle, side, fill, gw_blas_flip(on_A), unit, m, n, &one, A, lda, d_B, ldb));
    if (left)
        GW_BLAS_TRY(gw_blas<T>::gemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, m, m, n, &less, plain ? d_B : X.at,
                                     plain ? ldb : m, plain ? X.at : d_B, plain ? m : ldb, &none, product.at,
                                     m));
    else
        GW_BLAS_TRY(gw_blas<T>::gemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, n, n, m, &less, plain ? X.at : d_B,
                                     plain ? m : ldb, plain ? d_B : X.at, plain ? ldb : m, &none, product.at,
                                     n));
    const size_t blocks = ((size_t)of_A * of_A + 255) / 256;
    gw_blas_add_triangle<T><<<(unsigned)(blocks < 4096 ? blocks : 4096), 256, 0, gw_stream_of(handle)>>>(
        d_A, lda, product.at, of_A, fill == CUBLAS_FILL_MODE_LOWER, unit != CUBLAS_DIAG_UNIT);
    if (cudaPeekAtLastError() != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
    if (d_alpha) GW_BLAS_TRY(gw_blas_inner(handle, m, n, B, ldb, d_B, ldb, d_alpha));
    return gw_blas_times(handle, m, n, alpha, d_B, ldb);
}

/* r = |x| */
template <class T>
cublasStatus_t gw_blas_nrm2_back(cublasHandle_t handle, int n, const T *x, int incx, T *d_result, T *d_x) {
    T length = 0;
    GW_BLAS_TRY(gw_blas_scalars(handle, d_result));
    if (n > 0 && incx > 0) GW_BLAS_TRY(gw_blas<T>::nrm2(handle, n, x, incx, &length));
    const T by = length > 0 ? *d_result / length : 0; /* at 0: a subgradient */
    *d_result = 0;
    return gw_blas<T>::axpy(handle, n, &by, x, incx, d_x, incx);
}

/* ---- along tangents: of what a call reads, those of what it writes, before the call ---- */

/* Y += by X of m x n; nothing where by is 0. */
template <class T>
cublasStatus_t gw_blas_add(cublasHandle_t handle, int m, int n, T by, const T *X, int ldx, T *Y, int ldy) {
    const T one = 1;
    if (by == 0 || m <= 0 || n <= 0) return CUBLAS_STATUS_SUCCESS;
    return gw_blas<T>::geam(handle, CUBLAS_OP_N, CUBLAS_OP_N, m, n, &one, Y, ldy, &by, X, ldx, Y, ldy);
}

template <class T>
cublasStatus_t gw_blas_gemm_jvp(const gw_blas_gemm<T> &g, const T *A, const T *B, const T *C, T t_alpha,
                                const T *t_A, const T *t_B, T t_beta, T *t_C) {
    const T one = 1;
    const auto product = [&](const T &by, const T *X, const T *Y, const T &kept) {
        return gw_blas<T>::gemm(g.handle, g.on_A, g.on_B, g.m, g.n, g.k, &by, X, g.lda, Y, g.ldb, &kept, t_C,
                                g.ldc);
    };
    if (t_C == t_A || t_C == t_B) return CUBLAS_STATUS_NOT_SUPPORTED;
    GW_BLAS_TRY(product(g.alpha, t_A, B, g.beta));
    GW_BLAS_TRY(product(g.alpha, A, t_B, one));
    if (t_alpha != 0) GW_BLAS_TRY(product(t_alpha, A, B, one));
    return gw_blas_add(g.handle, g.m, g.n, t_beta, C, g.ldc, t_C, g.ldc);
}

template <class T>
cublasStatus_t gw_blas_gemv_jvp(cublasHandle_t handle, cublasOperation_t on_A, int m, int n, T alpha,
                                const T *A, int lda, const T *x, int incx, T beta, const T *y, int incy,
                                T t_alpha, const T *t_A, const T *t_x, T t_beta, T *t_y) {
    const T one = 1;
    const auto product = [&](const T &by, const T *X, const T *v, const T &kept) {
        return gw_blas<T>::gemv(handle, on_A, m, n, &by, X, lda, v, incx, &kept, t_y, incy);
    };
    if (!incx || !incy || t_y == t_x || t_y == t_A) return CUBLAS_STATUS_NOT_SUPPORTED;
    if (m <= 0 || n <= 0) return CUBLAS_STATUS_SUCCESS;
    GW_BLAS_TRY(product(alpha, t_A, x, beta));
    GW_BLAS_TRY(product(alpha, A, t_x, one));
    if (t_alpha != 0) GW_BLAS_TRY(product(t_alpha, A, x, one));
    if (t_beta == 0) return CUBLAS_STATUS_SUCCESS;
    return gw_blas<T>::axpy(handle, on_A == CUBLAS_OP_N ? m : n, &t_beta, y, incy, t_y, incy);
}

/* |x|: at 0 the subgradient that the pullback takes. */
template <class T>
cublasStatus_t gw_blas_nrm2_jvp(cublasHandle_t handle, int n, const T *x, int incx, const T *t_x, T *t_result) {
    T length = 0, inner = 0;
    GW_BLAS_TRY(gw_blas_scalars(handle, t_result));
    if (n > 0 && incx > 0) GW_BLAS_TRY(gw_blas<T>::nrm2(handle, n, x, incx, &length));
    if (length > 0) GW_BLAS_TRY(gw_blas<T>::dot(handle, n, x, incx, t_x, incx, &inner));
    *t_result = length > 0 ? inner / length : 0;
    return CUBLAS_STATUS_SUCCESS;
}

/* ---- the pullbacks and the derivatives along tangents ---- */

#define GW_CUBLAS_TEXT(name)     GW_CUBLAS_TEXT_OF(name) /* cublasSgemm is a macro */
#define GW_CUBLAS_TEXT_OF(name)  #name
#define GW_CUBLAS_PULLBACK(name) GW_DERIVATIVE_OF("pullback of " GW_CUBLAS_TEXT(name)) inline cublasStatus_t
#define GW_CUBLAS_JVP(name)      GW_DERIVATIVE_OF("jvp of " GW_CUBLAS_TEXT(name)) inline cublasStatus_t

#define GW_CUBLAS_RULES(X, T)                                                                                  \
    GW_CUBLAS_PULLBACK(cublas##X##gemm)                                                                        \
    gw_cublas##X##gemm_back(cublasHandle_t handle, cublasOperation_t on_A, cublasOperation_t on_B, int m,      \
                            int n, int k, const T *alpha, const T *A, int lda, const T *B, int ldb,            \
                            const T *beta, GW_ONLY_FOR(d_beta) T *C, int ldc, T *d_alpha, T *d_A, T *d_B,      \
                            T *d_beta, T *d_C) {                                                               \
        GW_BLAS_TRY(gw_blas_scalars(handle, alpha, beta));                                                     \
        const gw_blas_gemm<T> call = {handle, on_A, on_B, m, n, k, *alpha, lda, ldb, *beta, ldc};              \
        return gw_blas_gemm_back<T>(call, 1, A, 0, B, 0, C, 0, d_alpha, d_A, d_B, d_beta, d_C);                \
    }                                                                                                          \
    GW_CUBLAS_PULLBACK(cublas##X##gemmStridedBatched)                                                          \
    gw_cublas##X##gemmStridedBatched_back(                                                                     \
        cublasHandle_t handle, cublasOperation_t on_A, cublasOperation_t on_B, int m, int n, int k,            \
        const T *alpha, const T *A, int lda, long long step_A, const T *B, int ldb, long long step_B,          \
        const T *beta, GW_ONLY_FOR(d_beta) T *C, int ldc, long long step_C, int count, T *d_alpha, T *d_A,     \
        T *d_B, T *d_beta, T *d_C) {                                                                           \
        GW_BLAS_TRY(gw_blas_scalars(handle, alpha, beta));                                                     \
        const gw_blas_gemm<T> call = {handle, on_A, on_B, m, n, k, *alpha, lda, ldb, *beta, ldc};              \
        return gw_blas_gemm_back<T>(call, count, A, step_A, B, step_B, C, step_C, d_alpha, d_A, d_B, d_beta,   \
                                    d_C);                                                                      \
    }                                                                                                          \
    GW_CUBLAS_PULLBACK(cublas##X##gemv)                                                                        \
    gw_cublas##X##gemv_back(cublasHandle_t handle, cublasOperation_t on_A, int m, int n, const T *alpha,       \
                            const T *A, int lda, const T *x, int incx, const T *beta,                          \
                            GW_ONLY_FOR(d_beta) T *y, int incy, T *d_alpha, T *d_A, T *d_x, T *d_beta,         \
                            T *d_y) {                                                                          \
        GW_BLAS_TRY(gw_blas_scalars(handle, alpha, beta));                                                     \
        return gw_blas_gemv_back<T>(handle, on_A, m, n, *alpha, A, lda, x, incx, *beta, y, incy, d_alpha, d_A, \
                                    d_x, d_beta, d_y);                                                         \
    }                                                                                                          \
    GW_CUBLAS_PULLBACK(cublas##X##ger)                                                                         \
    gw_cublas##X##ger_back(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx,          \
                           const T *y, int incy, T *, int lda, T *d_alpha, T *d_x, T *d_y, T *d_A) {           \
        GW_BLAS_TRY(gw_blas_scalars(handle, alpha));                                                           \
        return gw_blas_ger_back<T>(handle, m, n, *alpha, x, incx, y, incy, lda, d_alpha, d_x, d_y, d_A);       \
    }                                                                                                          \
    /* y += alpha x */                                                                                         \
    GW_CUBLAS_PULLBACK(cublas##X##axpy)                                                                        \
    gw_cublas##X##axpy_back(cublasHandle_t handle, int n, const T *alpha, GW_ONLY_FOR(d_alpha) const T *x,     \
                            int incx, T *, int incy, T *d_alpha, T *d_x, T *d_y) {                             \
        GW_BLAS_TRY(gw_blas_scalars(handle, alpha));                                                           \
        if (!incx || !incy || d_x == d_y) return CUBLAS_STATUS_NOT_SUPPORTED;                                  \
        T sum = 0;                                                                                             \
        if (d_alpha) GW_BLAS_TRY(gw_blas<T>::dot(handle, n, x, incx, d_y, incy, &sum));                        \
        if (d_alpha) *d_alpha += sum;                                                                          \
        return gw_blas<T>::axpy(handle, n, alpha, d_y, incy, d_x, incx);                                       \
    }                                                                                                          \
    /* x *= alpha */                                                                                           \
    GW_CUBLAS_PULLBACK(cublas##X##scal)                                                                        \
    gw_cublas##X##scal_back(cublasHandle_t handle, int n, const T *alpha, GW_ONLY_FOR(d_alpha) T *x, int incx, \
                            T *d_alpha, T *d_x) {                                                              \
        GW_BLAS_TRY(gw_blas_scalars(handle, alpha));                                                           \
        if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS; /* as the call: it does nothing */              \
        T sum = 0;                                                                                             \
        if (d_alpha) GW_BLAS_TRY(gw_blas<T>::dot(handle, n, x, incx, d_x, incx, &sum));                        \
        if (d_alpha) *d_alpha += sum;                                                                          \
        return gw_blas_times<T>(handle, 1, n, *alpha, d_x, incx);                                              \
    }                                                                                                          \
    /* *result = x . y, on the host or on the device */                                                        \
    GW_CUBLAS_PULLBACK(cublas##X##dot)                                                                         \
    gw_cublas##X##dot_back(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy, T *,      \
                           T *d_x, T *d_y, T *d_result) {                                                      \
        cublasPointerMode_t mode;                                                                              \
        GW_BLAS_TRY(cublasGetPointerMode(handle, &mode));                                                      \
        if (!incx || !incy) return CUBLAS_STATUS_NOT_SUPPORTED;                                                \
        if (mode == CUBLAS_POINTER_MODE_HOST) GW_BLAS_TRY(gw_blas_scalars(handle, d_result));                  \
        GW_BLAS_TRY(gw_blas<T>::axpy(handle, n, d_result, y, incy, d_x, incx));                                \
        GW_BLAS_TRY(gw_blas<T>::axpy(handle, n, d_result, x, incx, d_y, incy));                                \
        if (mode == CUBLAS_POINTER_MODE_HOST)                                                                  \
            *d_result = 0;                                                                                     \
        else if (cudaMemsetAsync(d_result, 0, sizeof(T), gw_stream_of(handle)) != cudaSuccess)                 \
            return CUBLAS_STATUS_EXECUTION_FAILED;                                                             \
        return CUBLAS_STATUS_SUCCESS;                                                                          \
    }                                                                                                          \
    GW_CUBLAS_PULLBACK(cublas##X##nrm2)                                                                        \
    gw_cublas##X##nrm2_back(cublasHandle_t handle, int n, const T *x, int incx, T *, T *d_x, T *d_result) {    \
        return gw_blas_nrm2_back<T>(handle, n, x, incx, d_result, d_x);                                        \
    }                                                                                                          \
    GW_CUBLAS_PULLBACK(cublas##X##trsm)                                                                        \
    gw_cublas##X##trsm_back(cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,               \
                            cublasOperation_t on_A, cublasDiagType_t unit, int m, int n, const T *alpha,       \
                            const T *A, int lda, T *B, int ldb, T *d_alpha, T *d_A, T *d_B) {                  \
        GW_BLAS_TRY(gw_blas_scalars(handle, alpha));                                                           \
        return gw_blas_trsm_back<T>(handle, side, fill, on_A, unit, m, n, *alpha, A, lda, B, ldb, d_alpha,     \
                                    d_A, d_B);                                                                 \
    }
GW_CUBLAS_RULES(S, float)
GW_CUBLAS_RULES(D, double)
#undef GW_CUBLAS_RULES
#undef GW_CUBLAS_PULLBACK

#define GW_CUBLAS_JVPS(X, T)                                                                                   \
    GW_CUBLAS_JVP(cublas##X##gemm)                                                                             \
    gw_cublas##X##gemm_jvp(cublasHandle_t handle, cublasOperation_t on_A, cublasOperation_t on_B, int m, int n,\
                           int k, const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta,     \
                           T *C, int ldc, T *t_alpha, T *t_A, T *t_B, T *t_beta, T *t_C) {                     \
        GW_BLAS_TRY(gw_blas_scalars(handle, alpha, beta));                                                     \
        const gw_blas_gemm<T> call = {handle, on_A, on_B, m, n, k, *alpha, lda, ldb, *beta, ldc};              \
        return gw_blas_gemm_jvp<T>(call, A, B, C, *t_alpha, t_A, t_B, *t_beta, t_C);                           \
    }                                                                                                          \
    GW_CUBLAS_JVP(cublas##X##gemmStridedBatched)                                                               \
    gw_cublas##X##gemmStridedBatched_jvp(                                                                      \
        cublasHandle_t handle, cublasOperation_t on_A, cublasOperation_t on_B, int m, int n, int k,            \
        const T *alpha, const T *A, int lda, long long step_A, const T *B, int ldb, long long step_B,          \
        const T *beta, T *C, int ldc, long long step_C, int count, T *t_alpha, T *t_A, T *t_B, T *t_beta,      \
        T *t_C) {                                                                                              \
        GW_BLAS_TRY(gw_blas_scalars(handle, alpha, beta));                                                     \
        const gw_blas_gemm<T> call = {handle, on_A, on_B, m, n, k, *alpha, lda, ldb, *beta, ldc};              \
        for (int i = 0; i < count; i++)                                                                        \
            GW_BLAS_TRY(gw_blas_gemm_jvp<T>(call, A + i * step_A, B + i * step_B, C + i * step_C, *t_alpha,    \
                                            t_A + i * step_A, t_B + i * step_B, *t_beta, t_C + i * step_C));   \
        return CUBLAS_STATUS_SUCCESS;                                                                          \
    }                                                                                                          \
    GW_CUBLAS_JVP(cublas##X##gemv)                                                                             \
    gw_cublas##X##gemv_jvp(cublasHandle_t handle, cublasOperation_t on_A, int m, int n, const T *alpha,        \
                           const T *A, int lda, const T *x, int incx, const T *beta, T *y, int incy,           \
                           T *t_alpha, T *t_A, T *t_x, T *t_beta, T *t_y) {                                    \
        GW_BLAS_TRY(gw_blas_scalars(handle, alpha, beta));                                                     \
        return gw_blas_gemv_jvp<T>(handle, on_A, m, n, *alpha, A, lda, x, incx, *beta, y, incy, *t_alpha, t_A, \
                                   t_x, *t_beta, t_y);                                                         \
    }                                                                                                          \
    GW_CUBLAS_JVP(cublas##X##ger)                                                                              \
    gw_cublas##X##ger_jvp(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx,           \
                          const T *y, int incy, T *, int lda, T *t_alpha, T *t_x, T *t_y, T *t_A) {            \
        GW_BLAS_TRY(gw_blas_scalars(handle, alpha));                                                           \
        GW_BLAS_TRY(gw_blas<T>::ger(handle, m, n, alpha, t_x, incx, y, incy, t_A, lda));                       \
        GW_BLAS_TRY(gw_blas<T>::ger(handle, m, n, alpha, x, incx, t_y, incy, t_A, lda));                       \
        return gw_blas<T>::ger(handle, m, n, t_alpha, x, incx, y, incy, t_A, lda);                             \
    }                                                                                                          \
    GW_CUBLAS_JVP(cublas##X##axpy)                                                                             \
    gw_cublas##X##axpy_jvp(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *, int incy,  \
                           T *t_alpha, T *t_x, T *t_y) {                                                       \
        GW_BLAS_TRY(gw_blas_scalars(handle, alpha));                                                           \
        if (!incx || !incy || t_x == t_y) return CUBLAS_STATUS_NOT_SUPPORTED;                                  \
        GW_BLAS_TRY(gw_blas<T>::axpy(handle, n, alpha, t_x, incx, t_y, incy));                                 \
        return gw_blas<T>::axpy(handle, n, t_alpha, x, incx, t_y, incy);                                       \
    }                                                                                                          \
    GW_CUBLAS_JVP(cublas##X##scal)                                                                             \
    gw_cublas##X##scal_jvp(cublasHandle_t handle, int n, const T *alpha, T *x, int incx, T *t_alpha, T *t_x) { \
        GW_BLAS_TRY(gw_blas_scalars(handle, alpha));                                                           \
        if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS; /* as the call: it does nothing */              \
        GW_BLAS_TRY(gw_blas_times<T>(handle, 1, n, *alpha, t_x, incx));                                        \
        return gw_blas<T>::axpy(handle, n, t_alpha, x, incx, t_x, incx);                                       \
    }                                                                                                          \
    GW_CUBLAS_JVP(cublas##X##dot)                                                                              \
    gw_cublas##X##dot_jvp(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy, T *,       \
                          T *t_x, T *t_y, T *t_result) {                                                       \
        T first = 0, second = 0;                                                                               \
        GW_BLAS_TRY(gw_blas_scalars(handle, t_result)); /* of a result on the device there is no rule */       \
        GW_BLAS_TRY(gw_blas<T>::dot(handle, n, t_x, incx, y, incy, &first));                                   \
        GW_BLAS_TRY(gw_blas<T>::dot(handle, n, x, incx, t_y, incy, &second));                                  \
        *t_result = first + second;                                                                            \
        return CUBLAS_STATUS_SUCCESS;                                                                          \
    }                                                                                                          \
    GW_CUBLAS_JVP(cublas##X##nrm2)                                                                             \
    gw_cublas##X##nrm2_jvp(cublasHandle_t handle, int n, const T *x, int incx, T *, T *t_x, T *t_result) {     \
        return gw_blas_nrm2_jvp<T>(handle, n, x, incx, t_x, t_result);                                         \
    }
GW_CUBLAS_JVPS(S, float)
GW_CUBLAS_JVPS(D, double)
#undef GW_CUBLAS_JVPS
#undef GW_CUBLAS_JVP
#undef GW_CUBLAS_TEXT
#undef GW_CUBLAS_TEXT_OF
#undef GW_BLAS_TRY

#endif

/*
 * cusolver.cuh - pullbacks of cuSOLVER's dense factorizations and their solves, for programs
 * (docs/guide/library-calls.md): potrf, potrs, getrf (of square matrices) and getrs in float and double, and
 * the size of the workspaces of potrf and getrf. Link cuSOLVER and cuBLAS.
 *
 * By the implicit derivative: nothing of a factorization's inside is kept. What a call overwrites is kept, and
 * the pullback factors, or solves, that again: a matrix of work beside four or five of its size, which are
 * taken by cudaMallocAsync. The triangle that potrf and potrs look at has an adjoint, as the whole symmetric
 * matrix that it stands for. getrf of a matrix that is not square, and a matrix that is its own right
 * side, fail with CUSOLVER_STATUS_NOT_SUPPORTED; pivots are as the call finds them.
 */
#ifndef GRADWRIGHT_CUSOLVER_CUH
#define GRADWRIGHT_CUSOLVER_CUH

#include <cusolverDn.h>

#include "gradwright/cublas.cuh"
#include "gradwright/library_parts.cuh"

/* The stream on which the calls of a handle run. */
inline cudaStream_t gw_stream_of(cusolverDnHandle_t handle) {
    cudaStream_t stream = nullptr;
    cusolverDnGetStream(handle, &stream);
    return stream;
}

/* ---- one name for float and double ---- */

template <class T> struct gw_solver;
#define GW_SOLVER(X, T)                                                                                        \
    template <> struct gw_solver<T> {                                                                          \
        static constexpr auto potrf = cusolverDn##X##potrf;                                                    \
        static constexpr auto potrf_size = cusolverDn##X##potrf_bufferSize;                                    \
        static constexpr auto potrs = cusolverDn##X##potrs;                                                    \
        static constexpr auto getrf = cusolverDn##X##getrf;                                                    \
        static constexpr auto getrf_size = cusolverDn##X##getrf_bufferSize;                                    \
        static constexpr auto getrs = cusolverDn##X##getrs;                                                    \
    };
GW_SOLVER(S, float)
GW_SOLVER(D, double)
#undef GW_SOLVER

/* ---- parts ---- */

#define GW_SOLVER_TRY(call) GW_LIBRARY_TRY(cusolverStatus_t, CUSOLVER_STATUS_SUCCESS, call)

inline cusolverStatus_t gw_solver_says(cublasStatus_t status) {
    if (status == CUBLAS_STATUS_SUCCESS) return CUSOLVER_STATUS_SUCCESS;
    return status == CUBLAS_STATUS_ALLOC_FAILED ? CUSOLVER_STATUS_ALLOC_FAILED
                                                : CUSOLVER_STATUS_EXECUTION_FAILED;
}

/* A thread's handle of cuBLAS, on the stream that the solver works on; null: there is none. */
struct gw_solver_blas {
    cublasHandle_t handle = nullptr;
    ~gw_solver_blas() {
        if (handle) cublasDestroy(handle);
    }
    static cublasHandle_t on(cudaStream_t stream) {
        static thread_local gw_solver_blas own;
        if (!own.handle && cublasCreate(&own.handle) != CUBLAS_STATUS_SUCCESS) own.handle = nullptr;
        if (own.handle) cublasSetStream(own.handle, stream);
        return own.handle;
    }
};

inline unsigned gw_solver_blocks(int n) { return gw_library_blocks((size_t)n * (size_t)n); }

/* One triangle of n x n numbers, zeros elsewhere; by * those of the diagonal, or ones. */
template <class T>
__global__ void gw_solver_pick(T *to, const T *from, int ld, int n, bool lower, T by, bool unit) {
    const size_t stride = (size_t)gridDim.x * blockDim.x, count = (size_t)n * n;
    for (size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x; at < count; at += stride) {
        const size_t i = at % n, j = at / n;
        const T x = from[i + j * ld];
        const bool is_there = lower ? i > j : i < j;
        if (i == j)
            to[at] = unit ? (T)1 : by * x;
        else
            to[at] = is_there ? x : (T)0;
    }
}

/* The adjoint of a triangle of A = A^T, of which S is that of all of A. */
template <class T> __global__ void gw_solver_fold(T *d_A, int lda, const T *S, int n, bool lower) {
    const size_t stride = (size_t)gridDim.x * blockDim.x, count = (size_t)n * n;
    for (size_t at = (size_t)blockIdx.x * blockDim.x + threadIdx.x; at < count; at += stride) {
        const size_t i = at % n, j = at / n;
        if (lower ? i < j : i > j) continue;
        d_A[i + j * lda] = i == j ? S[at] : S[at] + S[j + i * n];
    }
}

/* to = P x or, backward, P^T x, of n rows, as getrf's pivots say; `to` may be x. */
template <class T>
__global__ void gw_solver_permute(T *to, int ld_to, const T *x, int ld, int n, int columns, const int *pivots,
                                  bool back) {
    for (int j = (int)(blockIdx.x * blockDim.x + threadIdx.x); j < columns;
         j += (int)(gridDim.x * blockDim.x)) {
        T *const column = to + (size_t)j * ld_to;
        for (int i = 0; i < n; i++)
            column[i] = x[i + (size_t)j * ld];
        for (int step = 0; step < n && pivots; step++) {
            const int i = back ? n - 1 - step : step, other = pivots[i] - 1;
            const T kept = column[i];
            column[i] = column[other];
            column[other] = kept;
        }
    }
}

/* What the parts of one pullback share. */
template <class T> struct gw_solver_call {
    cusolverDnHandle_t handle;
    cublasHandle_t blas;
    cudaStream_t stream;
    int n;

    gw_solver_call(cusolverDnHandle_t h, int size)
        : handle(h), blas(gw_solver_blas::on(gw_stream_of(h))), stream(gw_stream_of(h)), n(size) {}
    size_t square() const { return (size_t)n * (size_t)n; }
    void pick(T *to, const T *from, int ld, bool lower, T by, bool unit = false) const {
        gw_solver_pick<T><<<gw_solver_blocks(n), 256, 0, stream>>>(to, from, ld, n, lower, by, unit);
    }
    void add(T *to, int ld, const T *from, bool lower, bool diagonal) const {
        gw_blas_add_triangle<T><<<gw_solver_blocks(n), 256, 0, stream>>>(to, ld, from, n, lower, diagonal);
    }
    void permute(T *to, int ld_to, const T *x, int ld, int columns, const int *pivots, bool back) const {
        gw_solver_permute<T><<<(unsigned)(columns < 65536 ? columns + 63 : 65536) / 64, 64, 0, stream>>>(
            to, ld_to, x, ld, n, columns, pivots, back);
    }
    /* C = by op(A) op(B) + kept C, of n x n with no gaps; `inner` is what is summed over. */
    cusolverStatus_t multiply(cublasOperation_t on_A, cublasOperation_t on_B, int inner, T by, const T *A,
                              int lda, const T *B, int ldb, T kept, T *C) const {
        return gw_solver_says(
            gw_blas<T>::gemm(blas, on_A, on_B, n, n, inner, &by, A, lda, B, ldb, &kept, C, n));
    }
    cusolverStatus_t divide(cublasSideMode_t side, cublasFillMode_t fill, cublasOperation_t on_A, bool unit,
                            const T *A, T *B) const {
        const T one = 1;
        return gw_solver_says(gw_blas<T>::trsm(blas, side, fill, on_A,
                                               unit ? CUBLAS_DIAG_UNIT : CUBLAS_DIAG_NON_UNIT, n, n, &one, A, n,
                                               B, n));
    }
    cusolverStatus_t copy(T *to, const T *from, int ld, int columns) const {
        const cudaError_t error =
            cudaMemcpy2DAsync(to, (size_t)n * sizeof(T), from, (size_t)ld * sizeof(T), (size_t)n * sizeof(T),
                              (size_t)columns, cudaMemcpyDeviceToDevice, stream);
        return error == cudaSuccess ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
    }
    cusolverStatus_t end(T *d_work, int size) const {
        if (d_work && size > 0 &&
            cudaMemsetAsync(d_work, 0, (size_t)size * sizeof(T), stream) != cudaSuccess)
            return CUSOLVER_STATUS_EXECUTION_FAILED;
        return cudaPeekAtLastError() == cudaSuccess ? CUSOLVER_STATUS_SUCCESS
                                                    : CUSOLVER_STATUS_EXECUTION_FAILED;
    }
};

/* ---- A = L L^T or U^T U ---- */

/* With S = L^-T tril'(L^T dL) L^-1, the diagonal of tril' halved, dA is S of the symmetric matrix. */
template <class T>
cusolverStatus_t gw_solver_potrf_back(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, const T *A,
                                      int lda, int work_size, T *d_A, T *d_work) {
    const gw_solver_call<T> call(handle, n);
    const bool lower = fill == CUBLAS_FILL_MODE_LOWER;
    if (n <= 0) return CUSOLVER_STATUS_SUCCESS;
    if (!call.blas) return CUSOLVER_STATUS_ALLOC_FAILED;
    gw_library_room<T> F(call.square(), call.stream), G(call.square(), call.stream),
        S(call.square(), call.stream);
    gw_library_room<int> info(1, call.stream);
    if (!F.at || !G.at || !S.at || !info.at) return CUSOLVER_STATUS_ALLOC_FAILED;
    int size = 0;
    GW_SOLVER_TRY(call.copy(F.at, A, lda, n));
    GW_SOLVER_TRY(gw_solver<T>::potrf_size(handle, fill, n, F.at, n, &size));
    gw_library_room<T> work((size_t)size, call.stream);
    if (!work.at) return CUSOLVER_STATUS_ALLOC_FAILED;
    GW_SOLVER_TRY(gw_solver<T>::potrf(handle, fill, n, F.at, n, work.at, size, info.at));
    call.pick(S.at, F.at, n, lower, 1);
    GW_SOLVER_TRY(call.copy(F.at, S.at, n, n));
    call.pick(G.at, d_A, lda, lower, 1);
    if (lower)
        GW_SOLVER_TRY(call.multiply(CUBLAS_OP_T, CUBLAS_OP_N, n, 1, F.at, n, G.at, n, 0, S.at));
    else
        GW_SOLVER_TRY(call.multiply(CUBLAS_OP_N, CUBLAS_OP_T, n, 1, F.at, n, G.at, n, 0, S.at));
    call.pick(G.at, S.at, n, true, (T)0.5);
    GW_SOLVER_TRY(
        call.divide(CUBLAS_SIDE_LEFT, fill, lower ? CUBLAS_OP_T : CUBLAS_OP_N, false, F.at, G.at));
    GW_SOLVER_TRY(
        call.divide(CUBLAS_SIDE_RIGHT, fill, lower ? CUBLAS_OP_N : CUBLAS_OP_T, false, F.at, G.at));
    gw_solver_fold<T><<<gw_solver_blocks(n), 256, 0, call.stream>>>(d_A, lda, G.at, n, lower);
    return call.end(d_work, work_size);
}

/* X = M^-1 B, M of the factor: dB is M^-1 dX, dM is -dB X^T, and dL the triangle of (dM + dM^T) L. */
template <class T>
cusolverStatus_t gw_solver_potrs_back(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int columns,
                                      const T *A, int lda, const T *B, int ldb, T *d_A, T *d_B) {
    const gw_solver_call<T> call(handle, n);
    const bool lower = fill == CUBLAS_FILL_MODE_LOWER;
    if (d_A == d_B) return CUSOLVER_STATUS_NOT_SUPPORTED;
    if (n <= 0 || columns <= 0) return CUSOLVER_STATUS_SUCCESS;
    if (!call.blas) return CUSOLVER_STATUS_ALLOC_FAILED;
    gw_library_room<T> X((size_t)n * (size_t)columns, call.stream), F(call.square(), call.stream),
        M(call.square(), call.stream), R(call.square(), call.stream);
    gw_library_room<int> info(1, call.stream);
    if (!X.at || !F.at || !M.at || !R.at || !info.at) return CUSOLVER_STATUS_ALLOC_FAILED;
    GW_SOLVER_TRY(call.copy(X.at, B, ldb, columns));
    GW_SOLVER_TRY(gw_solver<T>::potrs(handle, fill, n, columns, A, lda, X.at, n, info.at));
    GW_SOLVER_TRY(gw_solver<T>::potrs(handle, fill, n, columns, A, lda, d_B, ldb, info.at));
    GW_SOLVER_TRY(call.multiply(CUBLAS_OP_N, CUBLAS_OP_T, columns, -1, d_B, ldb, X.at, n, 0, M.at));
    GW_SOLVER_TRY(call.multiply(CUBLAS_OP_N, CUBLAS_OP_T, columns, -1, X.at, n, d_B, ldb, 1, M.at));
    call.pick(F.at, A, lda, lower, 1);
    GW_SOLVER_TRY(call.multiply(CUBLAS_OP_N, CUBLAS_OP_N, n, 1, lower ? M.at : F.at, n, lower ? F.at : M.at, n,
                                0, R.at));
    call.add(d_A, lda, R.at, lower, true);
    return call.end(nullptr, 0);
}

/* ---- P A = L U ---- */

/* With Z = tril(L^T dL) + triu(dU U^T), dA is P^T L^-T Z U^-T. */
template <class T>
cusolverStatus_t gw_solver_getrf_back(cusolverDnHandle_t handle, int m, int n, const T *A, int lda, int *pivots,
                                      T *d_A, T *d_work) {
    const gw_solver_call<T> call(handle, n);
    if (m != n) return CUSOLVER_STATUS_NOT_SUPPORTED;
    if (n <= 0) return CUSOLVER_STATUS_SUCCESS;
    if (!call.blas) return CUSOLVER_STATUS_ALLOC_FAILED;
    gw_library_room<T> F(call.square(), call.stream), G(call.square(), call.stream),
        H(call.square(), call.stream), L(call.square(), call.stream), Z(call.square(), call.stream);
    gw_library_room<int> info(1, call.stream);
    if (!F.at || !G.at || !H.at || !L.at || !Z.at || !info.at) return CUSOLVER_STATUS_ALLOC_FAILED;
    int size = 0;
    GW_SOLVER_TRY(call.copy(F.at, A, lda, n));
    GW_SOLVER_TRY(gw_solver<T>::getrf_size(handle, n, n, F.at, n, &size));
    gw_library_room<T> work((size_t)size, call.stream);
    if (!work.at) return CUSOLVER_STATUS_ALLOC_FAILED;
    GW_SOLVER_TRY(gw_solver<T>::getrf(handle, n, n, F.at, n, work.at, pivots, info.at));
    call.pick(L.at, F.at, n, true, 1, true);
    call.pick(G.at, d_A, lda, true, 0);
    GW_SOLVER_TRY(call.multiply(CUBLAS_OP_T, CUBLAS_OP_N, n, 1, L.at, n, G.at, n, 0, H.at));
    call.pick(Z.at, H.at, n, true, 0);
    call.pick(L.at, F.at, n, false, 1);
    call.pick(G.at, d_A, lda, false, 1);
    GW_SOLVER_TRY(call.multiply(CUBLAS_OP_N, CUBLAS_OP_T, n, 1, G.at, n, L.at, n, 0, H.at));
    call.add(Z.at, n, H.at, false, true);
    GW_SOLVER_TRY(call.divide(CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_T, true, F.at, Z.at));
    GW_SOLVER_TRY(call.divide(CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_T, false, F.at, Z.at));
    call.permute(d_A, lda, Z.at, n, n, pivots, true);
    return call.end(d_work, size);
}

/* op(A) X = B: dB is op(A)^-T dX, and of A = P^T L U, dA being -dB X^T or the transpose of that, dL the
 * triangle of P dA U^T below the diagonal, and dU that of L^T P dA. */
template <class T>
cusolverStatus_t gw_solver_getrs_back(cusolverDnHandle_t handle, cublasOperation_t on_A, int n, int columns,
                                      const T *A, int lda, const int *pivots, const T *B, int ldb, T *d_A,
                                      T *d_B) {
    const gw_solver_call<T> call(handle, n);
    const bool plain = on_A == CUBLAS_OP_N;
    const size_t many = (size_t)n * (size_t)columns;
    if (d_A == d_B) return CUSOLVER_STATUS_NOT_SUPPORTED;
    if (n <= 0 || columns <= 0) return CUSOLVER_STATUS_SUCCESS;
    if (!call.blas) return CUSOLVER_STATUS_ALLOC_FAILED;
    gw_library_room<T> X(many, call.stream), turned(many, call.stream), F(call.square(), call.stream),
        M(call.square(), call.stream), R(call.square(), call.stream);
    gw_library_room<int> info(1, call.stream);
    if (!X.at || !turned.at || !F.at || !M.at || !R.at || !info.at) return CUSOLVER_STATUS_ALLOC_FAILED;
    GW_SOLVER_TRY(call.copy(X.at, B, ldb, columns));
    GW_SOLVER_TRY(gw_solver<T>::getrs(handle, on_A, n, columns, A, lda, pivots, X.at, n, info.at));
    GW_SOLVER_TRY(
        gw_solver<T>::getrs(handle, gw_blas_flip(on_A), n, columns, A, lda, pivots, d_B, ldb, info.at));
    call.permute(turned.at, n, plain ? d_B : X.at, plain ? ldb : n, columns, pivots, false);
    GW_SOLVER_TRY(call.multiply(CUBLAS_OP_N, CUBLAS_OP_T, columns, -1, turned.at, n, plain ? X.at : d_B,
                                plain ? n : ldb, 0, M.at));
    call.pick(F.at, A, lda, false, 1);
    GW_SOLVER_TRY(call.multiply(CUBLAS_OP_N, CUBLAS_OP_T, n, 1, M.at, n, F.at, n, 0, R.at));
    call.add(d_A, lda, R.at, true, false);
    call.pick(F.at, A, lda, true, 1, true);
    GW_SOLVER_TRY(call.multiply(CUBLAS_OP_T, CUBLAS_OP_N, n, 1, F.at, n, M.at, n, 0, R.at));
    call.add(d_A, lda, R.at, false, true);
    return call.end(nullptr, 0);
}

/* ---- the pullbacks ---- */

#define GW_CUSOLVER_PULLBACK(name) GW_DERIVATIVE_OF("pullback of " #name) inline cusolverStatus_t

/* What a size is asked of is not touched. */
#define GW_CUSOLVER_RULES(X, T)                                                                                \
    GW_CUSOLVER_PULLBACK(cusolverDn##X##potrf_bufferSize)                                                      \
    gw_cusolverDn##X##potrf_bufferSize_back(cusolverDnHandle_t, cublasFillMode_t, int, T *, int, int *, T *) { \
        return CUSOLVER_STATUS_SUCCESS;                                                                        \
    }                                                                                                          \
    GW_CUSOLVER_PULLBACK(cusolverDn##X##getrf_bufferSize)                                                      \
    gw_cusolverDn##X##getrf_bufferSize_back(cusolverDnHandle_t, int, int, T *, int, int *, T *) {              \
        return CUSOLVER_STATUS_SUCCESS;                                                                        \
    }                                                                                                          \
    GW_CUSOLVER_PULLBACK(cusolverDn##X##potrf)                                                                 \
    gw_cusolverDn##X##potrf_back(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, T *A, int lda, T *,  \
                                 int work_size, int *, T *d_A, T *d_work) {                                    \
        return gw_solver_potrf_back<T>(handle, fill, n, A, lda, work_size, d_A, d_work);                       \
    }                                                                                                          \
    GW_CUSOLVER_PULLBACK(cusolverDn##X##potrs)                                                                 \
    gw_cusolverDn##X##potrs_back(cusolverDnHandle_t handle, cublasFillMode_t fill, int n, int columns,         \
                                 const T *A, int lda, T *B, int ldb, int *, T *d_A, T *d_B) {                  \
        return gw_solver_potrs_back<T>(handle, fill, n, columns, A, lda, B, ldb, d_A, d_B);                    \
    }                                                                                                          \
    GW_CUSOLVER_PULLBACK(cusolverDn##X##getrf)                                                                 \
    gw_cusolverDn##X##getrf_back(cusolverDnHandle_t handle, int m, int n, T *A, int lda, T *,                  \
                                 GW_SCRATCH int *pivots, int *, T *d_A, T *d_work) {                           \
        return gw_solver_getrf_back<T>(handle, m, n, A, lda, pivots, d_A, d_work);                             \
    }                                                                                                          \
    GW_CUSOLVER_PULLBACK(cusolverDn##X##getrs)                                                                 \
    gw_cusolverDn##X##getrs_back(cusolverDnHandle_t handle, cublasOperation_t on_A, int n, int columns,        \
                                 const T *A, int lda, const int *pivots, T *B, int ldb, int *, T *d_A,         \
                                 T *d_B) {                                                                     \
        return gw_solver_getrs_back<T>(handle, on_A, n, columns, A, lda, pivots, B, ldb, d_A, d_B);            \
    }
GW_CUSOLVER_RULES(S, float)
GW_CUSOLVER_RULES(D, double)
#undef GW_CUSOLVER_RULES
#undef GW_CUSOLVER_PULLBACK

#endif

/*
 * cusparse.cuh - cuSPARSE in programs (docs/guide/library-calls.md): SpMV and SpMM of CSR matrices with indices
 * of 32 bits in float and double, with pullbacks and derivatives along tangents. Link cuSPARSE.
 *
 * A descriptor of cuSPARSE's is a handle, behind which nobody sees arrays. So the names of descriptors, of what
 * makes and ends them and of the products mean structs and functions of this header behind its #include, in
 * programs and elsewhere: a matrix is what it was made of. The products make cuSPARSE's own descriptors, and
 * take a buffer by cudaMallocAsync, in each call. Include it before what calls cuSPARSE, or by -include.
 *
 * Scalars lie on the host. With beta = 0 the old result is not read. The values of the matrix and the dense
 * operand have adjoints, its indices have none. Other formats and types, batches, op(B) other than B, orders of
 * B and C that differ, and one array as an operand and as the result give CUSPARSE_STATUS_NOT_SUPPORTED.
 */
#ifndef GRADWRIGHT_CUSPARSE_CUH
#define GRADWRIGHT_CUSPARSE_CUH

#include <cuda_runtime.h>
#include <cusparse.h>

#include <stdint.h>
#include <type_traits>

#include "gradwright/gradwright.h"
#include "gradwright/library_parts.cuh"

/* The stream on which the calls of a handle run. */
inline cudaStream_t gw_stream_of(cusparseHandle_t handle) {
    cudaStream_t stream = nullptr;
    cusparseGetStream(handle, &stream);
    return stream;
}

/* ---- parts ---- */

#define GW_SPARSE_TRY(call) GW_LIBRARY_TRY(cusparseStatus_t, CUSPARSE_STATUS_SUCCESS, call)

/* C = alpha op(A) B + beta C. A is rows x columns; B and C have `wide` columns, by rows or by columns; of a
 * product with a vector wide is 0. */
template <class T> struct gw_sparse_product {
    cusparseHandle_t handle;
    cusparseOperation_t on_A;
    int rows, columns, count;
    const int *offsets, *indices;
    int base, wide, ldb, ldc;
    bool by_rows;
    bool plain() const { return on_A == CUSPARSE_OPERATION_NON_TRANSPOSE; }
    int given() const { return plain() ? columns : rows; } /* rows of B */
    int made() const { return plain() ? rows : columns; }  /* rows of C */
    int width() const { return wide ? wide : 1; }
    bool is_empty() const { return rows <= 0 || columns <= 0; }
    cusparseStatus_t of_nothing() const { /* nobody scales a result by beta here */
        return made() > 0 ? CUSPARSE_STATUS_NOT_SUPPORTED : CUSPARSE_STATUS_SUCCESS;
    }
    gw_sparse_product turned() const { /* op(A)^T, from C to B */
        gw_sparse_product p = *this;
        p.on_A = plain() ? CUSPARSE_OPERATION_TRANSPOSE : CUSPARSE_OPERATION_NON_TRANSPOSE;
        p.ldb = ldc, p.ldc = ldb;
        return p;
    }
    __host__ __device__ size_t at(int i, int j, int ld) const {
        return by_rows ? (size_t)i * (size_t)ld + (size_t)j : (size_t)i + (size_t)j * (size_t)ld;
    }
};

/* cuSPARSE's own descriptors of one product, until it is queued. */
template <class T> struct gw_sparse_own {
    cusparseSpMatDescr_t A = nullptr;
    cusparseDnVecDescr_t x = nullptr, y = nullptr;
    cusparseDnMatDescr_t B = nullptr, C = nullptr;
    static constexpr cudaDataType type = std::is_same<T, float>::value ? CUDA_R_32F : CUDA_R_64F;
    gw_sparse_own() = default;
    gw_sparse_own(const gw_sparse_own &) = delete;
    gw_sparse_own &operator=(const gw_sparse_own &) = delete;
    ~gw_sparse_own() {
        if (A) cusparseDestroySpMat(A);
        if (x) cusparseDestroyDnVec(x);
        if (y) cusparseDestroyDnVec(y);
        if (B) cusparseDestroyDnMat(B);
        if (C) cusparseDestroyDnMat(C);
    }
    cusparseStatus_t make(const gw_sparse_product<T> &p, const T *values, const T *from, T *to) {
        const cusparseOrder_t order = p.by_rows ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
        GW_SPARSE_TRY(cusparseCreateCsr(&A, p.rows, p.columns, p.count, (void *)p.offsets, (void *)p.indices,
                                        (void *)values, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                        (cusparseIndexBase_t)p.base, type));
        if (!p.wide) GW_SPARSE_TRY(cusparseCreateDnVec(&x, p.given(), (void *)from, type));
        if (!p.wide) return cusparseCreateDnVec(&y, p.made(), to, type);
        GW_SPARSE_TRY(cusparseCreateDnMat(&B, p.given(), p.wide, p.ldb, (void *)from, type, order));
        return cusparseCreateDnMat(&C, p.made(), p.wide, p.ldc, to, type, order);
    }
};

template <class T>
cusparseStatus_t gw_sparse_run(const gw_sparse_product<T> &p, T alpha, const T *values, const T *from, T beta,
                               T *to) {
    const cusparseOperation_t straight = CUSPARSE_OPERATION_NON_TRANSPOSE;
    gw_sparse_own<T> own;
    size_t bytes = 0;
    if (p.is_empty()) return p.of_nothing();
    GW_SPARSE_TRY(own.make(p, values, from, to));
    if (p.wide)
        GW_SPARSE_TRY(cusparseSpMM_bufferSize(p.handle, p.on_A, straight, &alpha, own.A, own.B, &beta, own.C,
                                              own.type, CUSPARSE_SPMM_ALG_DEFAULT, &bytes));
    else
        GW_SPARSE_TRY(cusparseSpMV_bufferSize(p.handle, p.on_A, &alpha, own.A, own.x, &beta, own.y, own.type,
                                              CUSPARSE_SPMV_ALG_DEFAULT, &bytes));
    gw_library_room<char> buffer(bytes, gw_stream_of(p.handle));
    if (!buffer.at) return CUSPARSE_STATUS_ALLOC_FAILED;
    if (!p.wide)
        return cusparseSpMV(p.handle, p.on_A, &alpha, own.A, own.x, &beta, own.y, own.type,
                            CUSPARSE_SPMV_ALG_DEFAULT, buffer.at);
    return cusparseSpMM(p.handle, p.on_A, straight, &alpha, own.A, own.B, &beta, own.C, own.type,
                        CUSPARSE_SPMM_ALG_DEFAULT, buffer.at);
}

/* d_values += alpha of where A is not 0 in dC B^T, or the transpose; *sum += <op(A) B, dC>. */
template <class T>
__global__ void gw_sparse_values(gw_sparse_product<T> p, T alpha, const T *values, const T *B, const T *d_C,
                                 T *d_values, T *sum) {
    T mine = 0;
    for (int r = (int)(blockIdx.x * blockDim.x + threadIdx.x); r < p.rows; r += (int)(gridDim.x * blockDim.x))
        for (int k = p.offsets[r] - p.base; k < p.offsets[r + 1] - p.base; k++) {
            const int c = p.indices[k] - p.base;
            const bool plain = p.on_A == CUSPARSE_OPERATION_NON_TRANSPOSE;
            T inner = 0;
            for (int j = 0; j < (p.wide ? p.wide : 1); j++)
                inner += d_C[p.at(plain ? r : c, j, p.ldc)] * B[p.at(plain ? c : r, j, p.ldb)];
            d_values[k] += alpha * inner;
            mine += values[k] * inner;
        }
    if (sum) atomicAdd(sum, mine);
}

/* *sum += <C, dC>, then dC *= by; nothing is read of a C that is null. */
template <class T>
__global__ void gw_sparse_keep(gw_sparse_product<T> p, int rows, T by, const T *C, T *d_C, T *sum) {
    const int count = rows * (p.wide ? p.wide : 1), stride = (int)(gridDim.x * blockDim.x);
    T mine = 0;
    for (int at = (int)(blockIdx.x * blockDim.x + threadIdx.x); at < count; at += stride) {
        const size_t cell = p.at(at % rows, at / rows, p.ldc);
        if (C) mine += C[cell] * d_C[cell];
        d_C[cell] = by == 0 ? (T)0 : by * d_C[cell];
    }
    if (sum) atomicAdd(sum, mine);
}

/* tC += by C */
template <class T> __global__ void gw_sparse_add(gw_sparse_product<T> p, int rows, T by, const T *C, T *t_C) {
    const int count = rows * (p.wide ? p.wide : 1), stride = (int)(gridDim.x * blockDim.x);
    for (int at = (int)(blockIdx.x * blockDim.x + threadIdx.x); at < count; at += stride) {
        const size_t cell = p.at(at % rows, at / rows, p.ldc);
        t_C[cell] += by * C[cell];
    }
}

template <class T>
cusparseStatus_t gw_sparse_back(const gw_sparse_product<T> &p, T alpha, const T *values, const T *B, T beta,
                                const T *C, T *d_alpha, T *d_values, T *d_B, T *d_beta, T *d_C) {
    const cudaStream_t stream = gw_stream_of(p.handle);
    T sums[2] = {0, 0};
    if (d_B == d_C || d_values == d_C) return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (p.is_empty()) return p.of_nothing();
    gw_library_room<T> sum(2, stream);
    if (!sum.at || cudaMemsetAsync(sum.at, 0, sizeof sums, stream) != cudaSuccess)
        return CUSPARSE_STATUS_ALLOC_FAILED;
    GW_SPARSE_TRY(gw_sparse_run(p.turned(), alpha, values, (const T *)d_C, (T)1, d_B));
    gw_sparse_values<T><<<gw_library_blocks((size_t)p.rows), 256, 0, stream>>>(
        p, alpha, values, B, d_C, d_values, d_alpha ? sum.at : nullptr);
    const unsigned blocks = gw_library_blocks((size_t)p.made() * (size_t)p.width());
    gw_sparse_keep<T><<<blocks, 256, 0, stream>>>(
        p, p.made(), beta, d_beta ? C : nullptr, d_C, d_beta ? sum.at + 1 : nullptr);
    if (d_alpha || d_beta) {
        if (cudaMemcpyAsync(sums, sum.at, sizeof sums, cudaMemcpyDeviceToHost, stream) != cudaSuccess ||
            cudaStreamSynchronize(stream) != cudaSuccess)
            return CUSPARSE_STATUS_EXECUTION_FAILED;
        if (d_alpha) *d_alpha += sums[0];
        if (d_beta) *d_beta += sums[1];
    }
    return cudaPeekAtLastError() == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

template <class T>
cusparseStatus_t gw_sparse_jvp(const gw_sparse_product<T> &p, T alpha, const T *values, const T *B, T beta,
                               const T *C, T t_alpha, const T *t_values, const T *t_B, T t_beta, T *t_C) {
    if (t_B == t_C || t_values == t_C) return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (p.is_empty()) return p.of_nothing();
    GW_SPARSE_TRY(gw_sparse_run(p, alpha, t_values, B, beta, t_C));
    GW_SPARSE_TRY(gw_sparse_run(p, alpha, values, t_B, (T)1, t_C));
    if (t_alpha != 0) GW_SPARSE_TRY(gw_sparse_run(p, t_alpha, values, B, (T)1, t_C));
    if (t_beta != 0)
        gw_sparse_add<T><<<gw_library_blocks((size_t)p.made() * (size_t)p.width()), 256, 0,
                           gw_stream_of(p.handle)>>>(
            p, p.made(), t_beta, C, t_C);
    return cudaPeekAtLastError() == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

/* ---- the products as functions of their arrays, and their derivatives ---- */

#define GW_SPARSE_HEAD                                                                                         \
    cusparseHandle_t handle, cusparseOperation_t on_A, int rows, int columns, int count, const int *offsets,   \
        const int *indices, int base
#define GW_SPARSE_SHAPE int wide, int ldb, int ldc, bool by_rows
#define GW_SPARSE_CALL(T)                                                                                      \
    gw_sparse_product<T> { handle, on_A, rows, columns, count, offsets, indices, base, wide, ldb, ldc, by_rows }

#define GW_CUSPARSE_RULES(X, T)                                                                                \
    inline cusparseStatus_t gw_cusparse##X(GW_SPARSE_HEAD, GW_SPARSE_SHAPE, const T *alpha, const T *values,   \
                                           const T *B, const T *beta, T *C) {                                  \
        return gw_sparse_run<T>(GW_SPARSE_CALL(T), *alpha, values, B, *beta, C);                               \
    }                                                                                                          \
    GW_DERIVATIVE_OF("pullback of gw_cusparse" #X)                                                             \
    inline cusparseStatus_t gw_cusparse##X##_back(                                                             \
        GW_SPARSE_HEAD, GW_SPARSE_SHAPE, const T *alpha, const T *values, const T *B, const T *beta,           \
        GW_ONLY_FOR(d_beta) T *C, T *d_alpha, T *d_values, T *d_B, T *d_beta, T *d_C) {                        \
        return gw_sparse_back<T>(GW_SPARSE_CALL(T), *alpha, values, B, *beta, C, d_alpha, d_values, d_B,       \
                                 d_beta, d_C);                                                                 \
    }                                                                                                          \
    GW_DERIVATIVE_OF("jvp of gw_cusparse" #X)                                                                  \
    inline cusparseStatus_t gw_cusparse##X##_jvp(                                                              \
        GW_SPARSE_HEAD, GW_SPARSE_SHAPE, const T *alpha, const T *values, const T *B, const T *beta, T *C,     \
        T *t_alpha, T *t_values, T *t_B, T *t_beta, T *t_C) {                                                  \
        return gw_sparse_jvp<T>(GW_SPARSE_CALL(T), *alpha, values, B, *beta, C, *t_alpha, t_values, t_B,       \
                                *t_beta, t_C);                                                                 \
    }
GW_CUSPARSE_RULES(S, float)
GW_CUSPARSE_RULES(D, double)
#undef GW_CUSPARSE_RULES
#undef GW_SPARSE_HEAD
#undef GW_SPARSE_SHAPE
#undef GW_SPARSE_CALL

/* ---- what programs call ---- */

struct gw_sparse_matrix {
    int rows, columns, count, base;
    int *offsets, *indices;
    void *values;
    cudaDataType type;
    bool is_taken;
};
struct gw_sparse_vector {
    int count;
    void *values;
    cudaDataType type;
};
struct gw_sparse_dense {
    int rows, columns, ld;
    void *values;
    cudaDataType type;
    bool by_rows;
};

inline cusparseStatus_t gw_sparse_make(gw_sparse_matrix *A, int64_t rows, int64_t columns, int64_t count,
                                       void *offsets, void *indices, void *values, cusparseIndexType_t of_rows,
                                       cusparseIndexType_t of_columns, cusparseIndexBase_t base,
                                       cudaDataType type) {
    A->rows = (int)rows, A->columns = (int)columns, A->count = (int)count, A->base = (int)base;
    A->offsets = (int *)offsets, A->indices = (int *)indices, A->values = values;
    A->type = type;
    A->is_taken = of_rows == CUSPARSE_INDEX_32I && of_columns == CUSPARSE_INDEX_32I;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t gw_sparse_make_vector(gw_sparse_vector *x, int64_t count, void *values,
                                              cudaDataType type) {
    x->count = (int)count, x->values = values, x->type = type;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t gw_sparse_make_dense(gw_sparse_dense *B, int64_t rows, int64_t columns, int64_t ld,
                                             void *values, cudaDataType type, cusparseOrder_t order) {
    B->rows = (int)rows, B->columns = (int)columns, B->ld = (int)ld, B->values = values, B->type = type;
    B->by_rows = order == CUSPARSE_ORDER_ROW;
    return CUSPARSE_STATUS_SUCCESS;
}
template <class D> cusparseStatus_t gw_sparse_end(D) { return CUSPARSE_STATUS_SUCCESS; }

template <class T, class X, class Y, class A>
cusparseStatus_t gw_sparse_vector_size(cusparseHandle_t, cusparseOperation_t, const T *, gw_sparse_matrix, X,
                                       const T *, Y, cudaDataType, A, size_t *bytes) {
    *bytes = 16; /* each product takes a buffer of its own */
    return CUSPARSE_STATUS_SUCCESS;
}
template <class T, class X, class Y, class A>
cusparseStatus_t gw_sparse_dense_size(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t, const T *,
                                      gw_sparse_matrix, X, const T *, Y, cudaDataType, A, size_t *bytes) {
    *bytes = 16;
    return CUSPARSE_STATUS_SUCCESS;
}

inline cusparseStatus_t gw_cusparse(cusparseHandle_t handle, cusparseOperation_t on_A, gw_sparse_matrix A,
                                    int wide, int ldb, int ldc, bool by_rows, const float *alpha,
                                    const void *B, const float *beta, void *C) {
    return gw_cusparseS(handle, on_A, A.rows, A.columns, A.count, A.offsets, A.indices, A.base, wide, ldb, ldc,
                        by_rows, alpha, (const float *)A.values, (const float *)B, beta, (float *)C);
}
inline cusparseStatus_t gw_cusparse(cusparseHandle_t handle, cusparseOperation_t on_A, gw_sparse_matrix A,
                                    int wide, int ldb, int ldc, bool by_rows, const double *alpha,
                                    const void *B, const double *beta, void *C) {
    return gw_cusparseD(handle, on_A, A.rows, A.columns, A.count, A.offsets, A.indices, A.base, wide, ldb, ldc,
                        by_rows, alpha, (const double *)A.values, (const double *)B, beta, (double *)C);
}

/* Rows of what a product is given, and of what it makes. */
inline int gw_sparse_given(cusparseOperation_t on_A, gw_sparse_matrix A) {
    return on_A == CUSPARSE_OPERATION_NON_TRANSPOSE ? A.columns : A.rows;
}
inline int gw_sparse_made(cusparseOperation_t on_A, gw_sparse_matrix A) {
    return on_A == CUSPARSE_OPERATION_NON_TRANSPOSE ? A.rows : A.columns;
}
template <class T, class Algorithm>
cusparseStatus_t gw_sparse_by_vector(cusparseHandle_t handle, cusparseOperation_t on_A, const T *alpha,
                                     gw_sparse_matrix A, gw_sparse_vector x, const T *beta, gw_sparse_vector y,
                                     cudaDataType type, Algorithm, void *) {
    const cudaDataType wanted = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;
    if (!A.is_taken || type != wanted || A.type != wanted || x.type != wanted || y.type != wanted)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (x.count != gw_sparse_given(on_A, A) || y.count != gw_sparse_made(on_A, A))
        return CUSPARSE_STATUS_INVALID_VALUE;
    return gw_cusparse(handle, on_A, A, 0, x.count, y.count, false, alpha, x.values, beta, y.values);
}
template <class T, class Algorithm>
cusparseStatus_t gw_sparse_by_dense(cusparseHandle_t handle, cusparseOperation_t on_A, cusparseOperation_t on_B,
                                    const T *alpha, gw_sparse_matrix A, gw_sparse_dense B, const T *beta,
                                    gw_sparse_dense C, cudaDataType type, Algorithm, void *) {
    const cudaDataType wanted = sizeof(T) == 4 ? CUDA_R_32F : CUDA_R_64F;
    if (!A.is_taken || type != wanted || A.type != wanted || B.type != wanted || C.type != wanted)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (on_B != CUSPARSE_OPERATION_NON_TRANSPOSE || B.by_rows != C.by_rows || C.columns <= 0)
        return CUSPARSE_STATUS_NOT_SUPPORTED;
    if (B.rows != gw_sparse_given(on_A, A) || C.rows != gw_sparse_made(on_A, A) || B.columns != C.columns)
        return CUSPARSE_STATUS_INVALID_VALUE;
    return gw_cusparse(handle, on_A, A, C.columns, B.ld, C.ld, B.by_rows, alpha, B.values, beta, C.values);
}

#define cusparseSpMatDescr_t    gw_sparse_matrix
#define cusparseDnVecDescr_t    gw_sparse_vector
#define cusparseDnMatDescr_t    gw_sparse_dense
#define cusparseCreateCsr       gw_sparse_make
#define cusparseCreateDnVec     gw_sparse_make_vector
#define cusparseCreateDnMat     gw_sparse_make_dense
#define cusparseDestroySpMat    gw_sparse_end
#define cusparseDestroyDnVec    gw_sparse_end
#define cusparseDestroyDnMat    gw_sparse_end
#define cusparseSpMV_bufferSize gw_sparse_vector_size
#define cusparseSpMM_bufferSize gw_sparse_dense_size
#define cusparseSpMV            gw_sparse_by_vector
#define cusparseSpMM            gw_sparse_by_dense

#endif

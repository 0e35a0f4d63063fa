/*
 * cusparse.h - what tests call of cuSPARSE where there is none: products of CSR matrices, kernels of one
 * thread, on the handle's stream. A result whose beta is 0 is not read.
 */
#ifndef CUSPARSE_H_
#define CUSPARSE_H_

#include <cuda_runtime.h>

#include <stdint.h>

#ifndef __LIBRARY_TYPES_H__
enum cudaDataType { CUDA_R_32F = 0, CUDA_R_64F = 1 };
#endif
enum cusparseStatus_t {
    CUSPARSE_STATUS_SUCCESS = 0,
    CUSPARSE_STATUS_ALLOC_FAILED = 2,
    CUSPARSE_STATUS_INVALID_VALUE = 3,
    CUSPARSE_STATUS_EXECUTION_FAILED = 6,
    CUSPARSE_STATUS_NOT_SUPPORTED = 10
};
enum cusparseOperation_t { CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE };
enum cusparseIndexType_t { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 };
enum cusparseIndexBase_t { CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE };
enum cusparseOrder_t { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 };
enum cusparseSpMVAlg_t { CUSPARSE_SPMV_ALG_DEFAULT = 0 };
enum cusparseSpMMAlg_t { CUSPARSE_SPMM_ALG_DEFAULT = 0 };

struct cusparseContext;
typedef cusparseContext *cusparseHandle_t;

namespace reference {

struct sparse_context {
    cudaStream_t stream;
};
inline sparse_context *of(cusparseHandle_t handle) { return reinterpret_cast<sparse_context *>(handle); }

struct sparse {
    int rows, columns, base;
    const int *offsets, *indices;
    const void *values;
};
struct dense {
    int rows, columns, ld;
    void *values;
    bool by_rows;
    __device__ int at(int i, int j) const { return by_rows ? i * ld + j : i + j * ld; }
};

template <class T> __global__ void multiply(bool turned, T alpha, sparse A, dense B, T beta, dense C) {
    T *const to = (T *)C.values;
    for (int i = 0; i < C.rows; i++)
        for (int j = 0; j < C.columns; j++)
            to[C.at(i, j)] = beta == 0 ? 0 : beta * to[C.at(i, j)];
    for (int r = 0; r < A.rows; r++)
        for (int k = A.offsets[r] - A.base; k < A.offsets[r + 1] - A.base; k++) {
            const int c = A.indices[k] - A.base;
            for (int j = 0; j < C.columns; j++)
                to[C.at(turned ? c : r, j)] +=
                    alpha * ((const T *)A.values)[k] * ((const T *)B.values)[B.at(turned ? r : c, j)];
        }
}

inline cusparseStatus_t multiplied(cusparseHandle_t handle, bool turned, const void *alpha, const sparse *A,
                                   const dense *B, const void *beta, const dense *C, cudaDataType type) {
    if (type == CUDA_R_32F)
        multiply<float><<<1, 1, 0, reference::of(handle)->stream>>>(turned, *(const float *)alpha, *A, *B,
                                                     *(const float *)beta, *C);
    else
        multiply<double><<<1, 1, 0, reference::of(handle)->stream>>>(turned, *(const double *)alpha, *A, *B,
                                                      *(const double *)beta, *C);
    return cudaGetLastError() == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

} // namespace reference

typedef reference::sparse *cusparseSpMatDescr_t;
struct cusparseDnVecDescr : reference::dense {};
typedef cusparseDnVecDescr *cusparseDnVecDescr_t;
struct cusparseDnMatDescr : reference::dense {};
typedef cusparseDnMatDescr *cusparseDnMatDescr_t;

inline cusparseStatus_t cusparseCreate(cusparseHandle_t *handle) {
    *handle = reinterpret_cast<cusparseHandle_t>(new reference::sparse_context{nullptr});
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDestroy(cusparseHandle_t handle) {
    delete reference::of(handle);
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream) {
    reference::of(handle)->stream = stream;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream) {
    *stream = reference::of(handle)->stream;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *A, int64_t rows, int64_t columns, int64_t,
                                          void *offsets, void *indices, void *values, cusparseIndexType_t,
                                          cusparseIndexType_t, cusparseIndexBase_t base, cudaDataType) {
    *A = new reference::sparse{(int)rows,           (int)columns,         (int)base,
                               (const int *)offsets, (const int *)indices, values};
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *x, int64_t count, void *values,
                                            cudaDataType) {
    *x = new cusparseDnVecDescr{{(int)count, 1, (int)count, values, false}};
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *B, int64_t rows, int64_t columns, int64_t ld,
                                            void *values, cudaDataType, cusparseOrder_t order) {
    *B = new cusparseDnMatDescr{{(int)rows, (int)columns, (int)ld, values, order == CUSPARSE_ORDER_ROW}};
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDestroySpMat(cusparseSpMatDescr_t A) {
    delete A;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDestroyDnVec(cusparseDnVecDescr_t x) {
    delete x;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseDestroyDnMat(cusparseDnMatDescr_t B) {
    delete B;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void *,
                                                cusparseSpMatDescr_t, cusparseDnVecDescr_t, const void *,
                                                cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t,
                                                size_t *bytes) {
    *bytes = 0;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                                const void *, cusparseSpMatDescr_t, cusparseDnMatDescr_t,
                                                const void *, cusparseDnMatDescr_t, cudaDataType,
                                                cusparseSpMMAlg_t, size_t *bytes) {
    *bytes = 0;
    return CUSPARSE_STATUS_SUCCESS;
}
inline cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t on_A, const void *alpha,
                                     cusparseSpMatDescr_t A, cusparseDnVecDescr_t x, const void *beta,
                                     cusparseDnVecDescr_t y, cudaDataType type, cusparseSpMVAlg_t, void *) {
    return reference::multiplied(handle, on_A != CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, A, x, beta, y, type);
}
inline cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t on_A, cusparseOperation_t,
                                     const void *alpha, cusparseSpMatDescr_t A, cusparseDnMatDescr_t B,
                                     const void *beta, cusparseDnMatDescr_t C, cudaDataType type,
                                     cusparseSpMMAlg_t, void *) {
    return reference::multiplied(handle, on_A != CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, A, B, beta, C, type);
}

#endif

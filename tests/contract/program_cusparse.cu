// Programs that multiply by sparse matrices by cuSPARSE, as its samples do, against central differences and the
// identity of forward mode; on the CPU device by tests/support/blas.
#ifdef GW_CPU_DEVICE
#include "../support/blas/cusparse.h"
#endif
#include "../support/expect.cuh"

#include <gradwright/cusparse.cuh>
#include <gradwright/program.h>

enum { ROWS = 4, COLUMNS = 3, COUNT = 6, WIDE = 2, SIZE = 16 };
typedef cusparseStatus_t status;

// y = alpha op(A) x + beta y, twice, so that an old y is needed; alpha and beta of the program's parameters.
#define MULTIPLIED(name, T, type)                                                                              \
    GW_GRADIENT("y wrt y, values, x, alpha, beta")                                                             \
    GW_DERIVATIVE("y wrt y, values, x, alpha, beta")                                                           \
    status name(cusparseHandle_t handle, cusparseOperation_t on_A, int base, int *offsets, int *columns,       \
                T *values, T *x, T *y, T alpha, T beta) {                                                      \
        const bool plain = on_A == CUSPARSE_OPERATION_NON_TRANSPOSE;                                           \
        cusparseSpMatDescr_t A;                                                                                \
        cusparseDnVecDescr_t from, to;                                                                         \
        size_t bytes = 0;                                                                                      \
        void *buffer;                                                                                          \
        T more = alpha * alpha, kept = 2 * beta;                                                               \
        cusparseCreateCsr(&A, ROWS, COLUMNS, COUNT, offsets, columns, values, CUSPARSE_INDEX_32I,              \
                          CUSPARSE_INDEX_32I, (cusparseIndexBase_t)base, type);                                \
        cusparseCreateDnVec(&from, plain ? COLUMNS : ROWS, x, type);                                           \
        cusparseCreateDnVec(&to, plain ? ROWS : COLUMNS, y, type);                                             \
        if (cusparseSpMV_bufferSize(handle, on_A, &alpha, A, from, &beta, to, type, CUSPARSE_SPMV_ALG_DEFAULT, \
                                    &bytes) != CUSPARSE_STATUS_SUCCESS)                                        \
            return CUSPARSE_STATUS_EXECUTION_FAILED;                                                           \
        cudaMalloc(&buffer, bytes);                                                                            \
        cusparseSpMV(handle, on_A, &alpha, A, from, &beta, to, type, CUSPARSE_SPMV_ALG_DEFAULT, buffer);       \
        status said =                                                                                          \
            cusparseSpMV(handle, on_A, &more, A, from, &kept, to, type, CUSPARSE_SPMV_ALG_DEFAULT, buffer);    \
        cudaFree(buffer);                                                                                      \
        cusparseDestroyDnVec(from);                                                                            \
        cusparseDestroyDnVec(to);                                                                              \
        cusparseDestroySpMat(A);                                                                               \
        return said;                                                                                           \
    }
MULTIPLIED(by_vector, double, CUDA_R_64F)
MULTIPLIED(by_vector_of_float, float, CUDA_R_32F)

static status multiply_dense(cusparseHandle_t handle, cusparseOperation_t on_A, int base, int *offsets,
                             int *columns, double *values, double *x, double *y, double alpha, double beta,
                             cusparseOrder_t order) {
    const bool plain = on_A == CUSPARSE_OPERATION_NON_TRANSPOSE, by_rows = order == CUSPARSE_ORDER_ROW;
    cusparseSpMatDescr_t A;
    cusparseDnMatDescr_t B, C;
    size_t bytes = 0;
    void *buffer;
    cusparseCreateCsr(&A, ROWS, COLUMNS, COUNT, offsets, columns, values, CUSPARSE_INDEX_32I,
                      CUSPARSE_INDEX_32I, (cusparseIndexBase_t)base, CUDA_R_64F);
    cusparseCreateDnMat(&B, plain ? COLUMNS : ROWS, WIDE, by_rows ? 3 : 5, x, CUDA_R_64F, order);
    cusparseCreateDnMat(&C, plain ? ROWS : COLUMNS, WIDE, by_rows ? 4 : 6, y, CUDA_R_64F, order);
    cusparseSpMM_bufferSize(handle, on_A, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, A, B, &beta, C, CUDA_R_64F,
                            CUSPARSE_SPMM_ALG_DEFAULT, &bytes);
    cudaMalloc(&buffer, bytes);
    const status said = cusparseSpMM(handle, on_A, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, A, B, &beta, C,
                                     CUDA_R_64F, CUSPARSE_SPMM_ALG_DEFAULT, buffer);
    cudaFree(buffer);
    cusparseDestroyDnMat(B);
    cusparseDestroyDnMat(C);
    cusparseDestroySpMat(A);
    return said;
}
GW_GRADIENT("y wrt y, values, x, alpha, beta")
GW_DERIVATIVE("y wrt y, values, x, alpha, beta")
status by_rows(cusparseHandle_t handle, cusparseOperation_t on_A, int base, int *offsets, int *columns,
               double *values, double *x, double *y, double alpha, double beta) {
    return multiply_dense(handle, on_A, base, offsets, columns, values, x, y, alpha, beta, CUSPARSE_ORDER_ROW);
}
GW_GRADIENT("y wrt y, values, x, alpha, beta")
GW_DERIVATIVE("y wrt y, values, x, alpha, beta")
status by_columns(cusparseHandle_t handle, cusparseOperation_t on_A, int base, int *offsets, int *columns,
                  double *values, double *x, double *y, double alpha, double beta) {
    return multiply_dense(handle, on_A, base, offsets, columns, values, x, y, alpha, beta, CUSPARSE_ORDER_COL);
}
#include "program_cusparse.grad.cuh"

namespace {

typedef std::vector<double> numbers;
enum { X = COUNT, Y = X + SIZE, ALPHA = Y + SIZE, BETA, ALL };

const numbers point = check::uniform_numbers(1, ALL, 0.25, 1.25), seed = check::uniform_numbers(2, SIZE, -1, 1),
              along = check::uniform_numbers(3, ALL, -1, 1);

struct library {
    cusparseHandle_t handle = nullptr;
    cudaStream_t stream = nullptr;
    check::array<int> offsets, columns;
    explicit library(int base)
        : offsets(std::vector<int>{base, base + 2, base + 2, base + 3, base + 6}),
          columns(std::vector<int>{base, base + 2, base + 1, base, base + 1, base + 2}) {
        cusparseCreate(&handle);
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        cusparseSetStream(handle, stream);
    }
    ~library() {
        cusparseDestroy(handle);
        cudaStreamDestroy(stream);
    }
};

template <class T> std::vector<T> part(const numbers &of, size_t first, size_t count) {
    return std::vector<T>(of.begin() + (long)first, of.begin() + (long)(first + count));
}

template <class T> double inner(const numbers &weights, const std::vector<T> &x, size_t first = 0) {
    double sum = 0;
    for (size_t i = 0; i < x.size(); i++)
        sum += weights[first + i] * (double)x[i];
    return sum;
}

// The program's, its gradient and its forward derivative with the flags that they take.
template <class T, class Program, class Gradient, class Forward>
void against_differences(check::trial &trial, int base, Program program, Gradient gradient, Forward forward,
                         double h, double within, double identity) {
    library lib(base);
    const auto loss = [&](const numbers &at) {
        check::array<T> values(part<T>(at, 0, COUNT)), x(part<T>(at, X, SIZE)), y(part<T>(at, Y, SIZE));
        EXPECT(program(lib, values, x, y, (T)at[ALPHA], (T)at[BETA]) == CUSPARSE_STATUS_SUCCESS);
        EXPECT_DEVICE_OK();
        return inner(seed, y.get());
    };
    check::array<T> values(part<T>(point, 0, COUNT)), x(part<T>(point, X, SIZE)), y(part<T>(point, Y, SIZE)),
        d_values(std::vector<T>(COUNT, 0)), d_x(std::vector<T>(SIZE, 0)), d_y(part<T>(seed, 0, SIZE)),
        t_values(part<T>(along, 0, COUNT)), t_x(part<T>(along, X, SIZE)), t_y(part<T>(along, Y, SIZE));
    T d_alpha = 0, d_beta = 0;
    EXPECT_STATUS(gradient(lib, values, x, y, (T)point[ALPHA], (T)point[BETA], d_values, d_x, d_y, &d_alpha,
                           &d_beta),
                  GW_OK);
    EXPECT_STATUS(forward(lib, values, x, y, (T)point[ALPHA], (T)point[BETA], t_values, t_x, t_y,
                          (T)along[ALPHA], (T)along[BETA]),
                  GW_OK);
    EXPECT_DEVICE_OK();
    numbers d;
    for (const std::vector<T> &some : {d_values.get(), d_x.get(), d_y.get(), {d_alpha, d_beta}})
        d.insert(d.end(), some.begin(), some.end());
    for (size_t i = 0; i < ALL; i++) {
        numbers more = point, less = point;
        more[i] += h, less[i] -= h;
        EXPECT(check::near(d[i], (loss(more) - loss(less)) / (2 * h), within, 1));
    }
    EXPECT(check::near(inner(seed, t_y.get()), inner(along, d), identity, 1));
}

// What a program and its derivatives are called with, of the flags.
#define FORM(name, ...)                                                                                        \
    [=](library &l, auto &&...of) {                                                                            \
        return name(l.handle, on_A, base, l.offsets, l.columns, of..., ##__VA_ARGS__);                         \
    }
#define BOTH_WAYS                                                                                              \
    for (cusparseOperation_t on_A : {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE})          \
        for (int base : {0, 1})

TEST(vectors) {
    BOTH_WAYS against_differences<double>(trial, base, FORM(by_vector), FORM(by_vector_grad),
                                          FORM(by_vector_jvp), 1e-6, 1e-7, 1e-12);
}
TEST(dense) {
    BOTH_WAYS {
        against_differences<double>(trial, base, FORM(by_rows), FORM(by_rows_grad), FORM(by_rows_jvp), 1e-6,
                                    1e-7, 1e-12);
        against_differences<double>(trial, base, FORM(by_columns), FORM(by_columns_grad), FORM(by_columns_jvp),
                                    1e-6, 1e-7, 1e-12);
    }
}
TEST(floats) {
    BOTH_WAYS against_differences<float>(trial, base, FORM(by_vector_of_float), FORM(by_vector_of_float_grad),
                                         FORM(by_vector_of_float_jvp), 1e-2, 5e-3, 1e-4);
}

} // namespace
TEST_MAIN

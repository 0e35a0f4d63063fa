// A launch that takes one pointer for two of its kernel's parameters; kernels that write numbers of cells and
// constants, which have no derivative; and what a freed buffer beside the caller's host memory is.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

struct pair_of {
    float x;
    double y;
};

__global__ void multiply(double *y, const double *a, const double *b, int n) {
    const int i = HERE;
    if (i < n) y[i] = a[i] * b[n - 1 - i];
}
__global__ void times(double *y, const double *a, const double *b, int n) {
    const int i = HERE;
    if (i < n) y[i] = a[i] * b[i];
}
__global__ void scale(double *y, const double *x, double by, int n) {
    const int i = HERE;
    if (i < n) y[i] = by * x[i] * x[i];
}
__global__ void couple(double *u, double *v, int n) {
    const int i = HERE;
    if (i < n) u[i] *= 2, v[i] *= 3;
}
__global__ void mixed(double *y, const pair_of *a, const pair_of *b, int n) {
    const int i = HERE;
    if (i < n) y[i] = a[i].x * b[i].y;
}
__global__ void renumber(int *list, int by, int n) {
    const int i = HERE;
    if (i < n) list[i] = (i + by) % n;
}
__global__ void gather(double *y, const double *x, const int *list, int n) {
    const int i = HERE;
    if (i < n) y[i] = x[list[i]] * x[i];
}
__global__ void fill(double *y, int n) {
    const int i = HERE;
    if (i < n && i % 2) y[i] = 0.5;
}

GW_GRADIENT("y wrt x")
void square(double *y, const double *x, int n) { multiply<<<1, 8>>>(y, x, x, n); }
GW_GRADIENT("u wrt u, by")
void in_place(double *u, double by, int n) {
    scale<<<1, 8>>>(u, u, by, n);
    scale<<<1, 8>>>(u, u, by, n);
}
GW_GRADIENT("y wrt x")
void thrice(double *y, const double *x, int n) {
    cudaMemcpy(y, x, n * sizeof(double), cudaMemcpyDeviceToDevice);
    times<<<1, 8>>>(y, y, y, n);
}
GW_GRADIENT("u wrt u")
void written(double *u, int n) { couple<<<1, 8>>>(u, u, n); }
GW_GRADIENT("y wrt x")
void structs(double *y, const pair_of *x, int n) { mixed<<<1, 8>>>(y, x, x, n); }
GW_GRADIENT("y wrt x")
void listed(double *y, const double *x, int n) {
    int *list = nullptr;
    double *between = nullptr;
    cudaMalloc(&list, n * sizeof(int));
    cudaMalloc(&between, n * sizeof(double));
    renumber<<<1, 8>>>(list, 1, n);
    gather<<<1, 8>>>(between, x, list, n);
    renumber<<<1, 8>>>(list, 2, n);
    gather<<<1, 8>>>(y, between, list, n);
    fill<<<1, 8>>>(y, n);
    cudaFree(list);
    cudaFree(between);
}
// host memory has no size that anybody knows; what is freed may lie behind it
GW_GRADIENT("out wrt x")
void beside(double *out, const double *x, int n) {
    double *first = nullptr, *second = nullptr;
    cudaMalloc(&first, n * sizeof(double));
    cudaMemset(first, 0, n * sizeof(double));
    scale<<<1, 8>>>(first, x, 1, n);
    scale<<<1, 8>>>(first, x, 2, n);
    cudaMalloc(&second, n * sizeof(double));
    cudaMemcpy(second, first, n * sizeof(double), cudaMemcpyDeviceToDevice);
    cudaMemset(first, 0, n * sizeof(double));
    cudaFree(first);
    cudaMemcpy(out, second, n * sizeof(double), cudaMemcpyDeviceToHost);
    cudaFree(second);
}
// floats and integers in one piece of memory: by themselves, or the bits of one as the other
__global__ void clear_words(int *at, int n) {
    if ((int)threadIdx.x < n) at[threadIdx.x] = 0;
}
__global__ void add_squares(double *to, const double *x, int n) {
    const int i = threadIdx.x;
    if (i < n) atomicAdd(&to[i], x[i] * x[i]);
}
__global__ void count_words(double *y, const double *of, int *words, int n) {
    const int i = threadIdx.x;
    if (i < n) y[i] = of[i] * (1 + words[i]);
}
static void in_one(double *y, const double *x, int n, size_t words_at) {
    char *memory = nullptr;
    cudaMalloc(&memory, 4 * n * sizeof(double));
    cudaMemset(memory, 0, 4 * n * sizeof(double));
    for (int turn = 0; turn < 2; turn++) {
        clear_words<<<1, 32>>>((int *)(memory + words_at), n);
        add_squares<<<1, 8>>>((double *)memory, x, n);
    }
    count_words<<<1, 8>>>(y, (double *)memory, (int *)(memory + 2 * n * sizeof(double)), n);
    cudaFree(memory);
}
GW_GRADIENT("y wrt x")
void words_apart(double *y, const double *x, int n) { in_one(y, x, n, n * sizeof(double)); }
GW_GRADIENT("y wrt x")
void words_of_numbers(double *y, const double *x, int n) { in_one(y, x, n, 0); }
#include "program_same.grad.cuh"

namespace {

enum { CELLS = 5 };
typedef std::vector<double> numbers;
const numbers at = {0.5, -1.25, 0.75, 1.5, -0.5}, ones(CELLS, 1), zeros(CELLS, 0);

TEST(square) {
    check::array<double> y(zeros), x(at), d_y(ones), d_x(ones);
    EXPECT_STATUS(square_grad(y, x, CELLS, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < CELLS; i++)
        EXPECT_NEAR(d_x.get()[i], 1 + 2 * at[CELLS - 1 - i], 1e-14);
}

TEST(words) { // 2 x^2
    for (int same = 0; same < 2; same++) {
        check::array<double> y(zeros), x(at), d_y(ones), d_x(zeros);
        if (same)
            EXPECT_STATUS(words_of_numbers_grad(y, x, CELLS, d_y, d_x), GW_ERROR_ARGUMENT);
        else
            EXPECT_STATUS(words_apart_grad(y, x, CELLS, d_y, d_x), GW_OK);
        EXPECT_DEVICE_OK();
        for (size_t i = 0; i < CELLS; i++) EXPECT_NEAR(d_x.get()[i], same ? 0 : 4 * at[i], 1e-14);
    }
}

TEST(in_place) {
    check::array<double> u(at), d_u(ones);
    double d_by = 1, want_by = 1;
    EXPECT_STATUS(in_place_grad(u, 0.5, CELLS, d_u, &d_by), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < CELLS; i++) { /* by^3 u^4 */
        const double x = at[i];
        EXPECT(check::near(d_u.get()[i], 0.125 * 4 * x * x * x, 1e-14, 1));
        want_by += 3 * 0.25 * x * x * x * x;
    }
    EXPECT(u.get() == at);
    EXPECT_NEAR(d_by, want_by, 1e-13);
}

/* Three: the derivative of a product of them all. What is written through two is said when it happens. */
TEST(thrice_) {
    check::array<double> y(zeros), x(at), d_y(ones), d_x(ones);
    EXPECT_STATUS(thrice_grad(y, x, CELLS, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < CELLS; i++)
        EXPECT_NEAR(d_x.get()[i], 1 + 2 * at[i], 1e-14);
}

TEST(refused_in_a_run) {
    check::array<double> y(zeros), x(at), d_y(ones), d_x(ones);
    check::array<pair_of> p(std::vector<pair_of>(CELLS, {1, 2})), d_p(std::vector<pair_of>(CELLS, {0, 0}));
    EXPECT_STATUS(written_grad(x, CELLS, d_x), GW_ERROR_ARGUMENT);
    EXPECT(std::strstr(gw_last_error(), "'u' and 'v' of couple are one pointer"));
    EXPECT(x.get() == at && d_x.get() == ones);
    EXPECT_STATUS(structs_grad(y, p, CELLS, d_y, d_p), GW_ERROR_ARGUMENT);
    EXPECT(std::strstr(gw_last_error(), "'a' and 'b' of mixed are one pointer"));
    EXPECT_DEVICE_OK();
}

TEST(listed) {
    check::array<double> y(zeros), x(at), d_y(ones), d_x(zeros);
    EXPECT_STATUS(listed_grad(y, x, CELLS, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    numbers between(CELLS), d_between(CELLS), want(CELLS);
    for (size_t i = 0; i < CELLS; i++)
        between[i] = at[(i + 1) % CELLS] * at[i];
    for (size_t i = 0; i < CELLS; i += 2) {
        d_between[(i + 2) % CELLS] += between[i];
        d_between[i] += between[(i + 2) % CELLS];
    }
    for (size_t i = 0; i < CELLS; i++) {
        want[(i + 1) % CELLS] += d_between[i] * at[i];
        want[i] += d_between[i] * at[(i + 1) % CELLS];
    }
    for (size_t i = 0; i < CELLS; i++)
        EXPECT(check::near(d_x.get()[i], want[i], 1e-14, 1));
}

TEST(beside) {
    numbers out(CELLS), d_out(CELLS, 1);
    check::array<double> x(at), d_x(zeros);
    EXPECT_STATUS(beside_grad(out.data(), x, CELLS, d_out.data(), d_x), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < CELLS; i++) {
        EXPECT_NEAR(out[i], 2 * at[i] * at[i], 1e-14);
        EXPECT_NEAR(d_x.get()[i], 4 * at[i], 1e-14);
    }
    EXPECT(d_out == zeros);
}

} // namespace
TEST_MAIN

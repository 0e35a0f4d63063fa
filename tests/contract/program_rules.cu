// Calls in programs of functions that have pullbacks of the user's: pointers that lead to memory of the device
// or to variables of the program, a stream that is a parameter or that a handle tells, what is saved for a
// pullback, and what a call that fails leaves.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <cstring>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- a library ----
struct context;
typedef context *handle_t;
enum status_t { STATUS_SUCCESS, STATUS_FAILED = 7 };
enum side_t { LEFT, RIGHT };

cudaStream_t gw_stream_of(handle_t handle);
// y = by x^2 + beta y, of which the left or right half is meant
status_t square(handle_t handle, side_t side, int n, double by, const double *x, const double *beta, double *y);
// *sum += x . y, where the pointer leads
status_t dot_more(handle_t handle, int n, const double *x, const double *y, double *sum);
// x *= by
void scale(double *x, double by, int n, cudaStream_t stream);

__global__ void square_kernel(double *y, const double *x, double by, double beta, int n) {
    if (HERE < n) y[HERE] = by * x[HERE] * x[HERE] + (beta == 0 ? 0 : beta * y[HERE]);
}
__global__ void square_back_kernel(const double *x, const double *y, double by, double beta, int n,
                                   double *sums, double *d_x, double *d_y) {
    if (HERE >= n) return;
    const double g = d_y[HERE];
    d_x[HERE] += 2 * by * x[HERE] * g;
    atomicAdd(&sums[0], x[HERE] * x[HERE] * g);
    if (y) atomicAdd(&sums[1], y[HERE] * g);
    d_y[HERE] = beta * g;
}
__global__ void dot_kernel(const double *x, const double *y, int n, double *sum) {
    if (HERE < n) atomicAdd(sum, x[HERE] * y[HERE]);
}
__global__ void dot_back_kernel(const double *x, const double *y, int n, const double *g, double *d_x,
                                double *d_y) {
    if (HERE >= n) return;
    d_x[HERE] += *g * y[HERE];
    d_y[HERE] += *g * x[HERE];
}
__global__ void scale_kernel(double *x, double by, int n) {
    if (HERE < n) x[HERE] *= by;
}
__global__ void inner_kernel(const double *x, const double *g, int n, double *sum) {
    if (HERE < n) atomicAdd(sum, x[HERE] * g[HERE]);
}

// ---- its pullbacks ----
struct inside {
    cudaStream_t stream;
    double *two; // room for two numbers
    int calls_left;
};
static inside *look(handle_t handle) { return reinterpret_cast<inside *>(handle); }
cudaStream_t gw_stream_of(handle_t handle) { return look(handle)->stream; }

static int saved_for_beta, found_without_beta;

GW_DERIVATIVE_OF("pullback of square")
status_t square_back(handle_t handle, side_t side, int n, double by, const double *x, const double *beta,
                     GW_ONLY_FOR(d_beta) double *y, double *d_by, double *d_x, double *d_beta, double *d_y) {
    const int half = side == LEFT ? 0 : n / 2, count = n / 2;
    double sums[2];
    saved_for_beta += y != nullptr;
    found_without_beta += !d_beta && y;
    cudaMemsetAsync(look(handle)->two, 0, 2 * sizeof(double), look(handle)->stream);
    square_back_kernel<<<1, 64, 0, look(handle)->stream>>>(x + half, y ? y + half : nullptr, by, *beta, count,
                                                           look(handle)->two, d_x + half, d_y + half);
    if (!d_by && !d_beta) return STATUS_SUCCESS;
    cudaMemcpyAsync(sums, look(handle)->two, sizeof sums, cudaMemcpyDeviceToHost, look(handle)->stream);
    cudaStreamSynchronize(look(handle)->stream);
    if (d_by) *d_by += sums[0];
    if (d_beta) *d_beta += sums[1];
    return STATUS_SUCCESS;
}

GW_DERIVATIVE_OF("pullback of dot_more")
void dot_more_back(handle_t handle, int n, const double *x, const double *y, double *, double *d_x, double *d_y,
                   double *d_sum) {
    cudaMemcpyAsync(look(handle)->two, d_sum, sizeof(double), cudaMemcpyDefault, look(handle)->stream);
    dot_back_kernel<<<1, 64, 0, look(handle)->stream>>>(x, y, n, look(handle)->two, d_x, d_y);
}

GW_DERIVATIVE_OF("pullback of scale")
void scale_back(GW_ONLY_FOR(d_by) double *x, double by, int n, cudaStream_t stream, double *d_x, double *d_by) {
    if (d_by) {
        double *sum, one;
        cudaMallocAsync(&sum, sizeof *sum, stream);
        cudaMemsetAsync(sum, 0, sizeof *sum, stream);
        inner_kernel<<<1, 64, 0, stream>>>(x, d_x, n, sum);
        cudaMemcpyAsync(&one, sum, sizeof one, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        cudaFreeAsync(sum, stream);
        *d_by += one;
    }
    scale_kernel<<<1, 64, 0, stream>>>(d_x, by, n);
}

// ---- programs ----
// The host's numbers, a variable that is written in a loop, and a half of a buffer.
GW_GRADIENT("y, last wrt x, w, rate, beta")
status_t squares(handle_t handle, double *y, double *last, const double *x, const double *w, double rate,
                 double beta, int n, int steps, cudaStream_t stream) {
    double *u;
    cudaMalloc(&u, n * sizeof(double));
    cudaMemcpyAsync(u, x, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    double sum = 0.5;
    for (int t = 0; t < steps; t++) {
        const double by = rate * (1 + t);
        if (square(handle, t % 2 ? RIGHT : LEFT, n, by, w, &beta, u) != STATUS_SUCCESS) return STATUS_FAILED;
        dot_more(handle, n, u, w, &sum);
        scale(u, sum / 8, n, stream);
    }
    cudaMemcpyAsync(y, u, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    scale(y, 2, n, stream);
    dot_more(handle, n, u, x, last);
    cudaFree(u);
    return STATUS_SUCCESS;
}
// beta is a constant, or it is asked.
GW_GRADIENT("plain = y wrt w")
GW_GRADIENT("with_beta = y wrt w, beta")
void two_halves(handle_t handle, double *y, const double *w, double beta, int n) {
    square(handle, LEFT, n, 0.5, w, &beta, y);
    square(handle, RIGHT, n, 0.25, w, &beta, y);
}
#include "program_rules.grad.cuh"

status_t square(handle_t handle, side_t side, int n, double by, const double *x, const double *beta,
                double *y) {
    const int half = side == LEFT ? 0 : n / 2;
    if (look(handle)->calls_left-- == 0) return STATUS_FAILED;
    square_kernel<<<1, 64, 0, look(handle)->stream>>>(y + half, x + half, by, *beta, n / 2);
    return STATUS_SUCCESS;
}
status_t dot_more(handle_t handle, int n, const double *x, const double *y, double *sum) {
    const cudaStream_t stream = look(handle)->stream;
    double *two = look(handle)->two;
    cudaMemcpyAsync(two, sum, sizeof *sum, cudaMemcpyDefault, stream);
    dot_kernel<<<1, 64, 0, stream>>>(x, y, n, two);
    cudaMemcpyAsync(sum, two, sizeof *sum, cudaMemcpyDefault, stream);
    cudaStreamSynchronize(stream);
    return STATUS_SUCCESS;
}
void scale(double *x, double by, int n, cudaStream_t stream) { scale_kernel<<<1, 64, 0, stream>>>(x, by, n); }

namespace {

enum { CELLS = 12, STEPS = 5 };

std::vector<double> numbers(uint64_t seed, double low, double high) {
    check::generator random = {seed};
    std::vector<double> made;
    for (int i = 0; i < CELLS; i++)
        made.push_back(random.uniform(low, high));
    return made;
}

struct library {
    check::array<double> two{std::vector<double>(2, 0.0)};
    inside in = {nullptr, two, -1};
    cudaStream_t stream = nullptr;
    library() {
        cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
        in.stream = stream;
    }
    ~library() { cudaStreamDestroy(stream); }
    operator handle_t() { return reinterpret_cast<handle_t>(&in); }
};

struct inputs {
    std::vector<double> x = numbers(1, 0.4, 0.8), w = numbers(2, 0.3, 0.7);
    double rate = 0.7, beta = 0.9;
};
const std::vector<double> seed_y = numbers(3, -1, 1);
const double seed_last = 0.6;

double loss(const inputs &in) {
    library lib;
    check::array<double> y(std::vector<double>(CELLS, 0.0)), last({0.0}), x(in.x), w(in.w);
    if (squares(lib, y, last, x, w, in.rate, in.beta, CELLS, STEPS, lib.stream) != STATUS_SUCCESS) return -1;
    cudaDeviceSynchronize();
    double sum = seed_last * last.get()[0];
    for (size_t i = 0; i < CELLS; i++)
        sum += seed_y[i] * y.get()[i];
    return sum;
}

double slope(inputs in, double inputs::*number) {
    const double h = 1e-5;
    inputs less = in;
    in.*number += h, less.*number -= h;
    return (loss(in) - loss(less)) / (2 * h);
}
double slope(inputs in, std::vector<double> inputs::*array, size_t i) {
    const double h = 1e-5;
    inputs less = in;
    (in.*array)[i] += h, (less.*array)[i] -= h;
    return (loss(in) - loss(less)) / (2 * h);
}

TEST(against_differences) {
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    library lib;
    size_t held = 0;
    for (int run = 0; run < 3; run++) {
        const inputs in;
        check::array<double> y(std::vector<double>(CELLS, 0.0)), last({0.0}), x(in.x), w(in.w), d_y(seed_y),
            d_last({seed_last}), d_x(std::vector<double>(CELLS, 0.5)), d_w(std::vector<double>(CELLS, 0.25));
        double d_rate = 0, d_beta = 1;
        EXPECT_STATUS(squares_grad_in(run ? pool : nullptr, lib, y, last, x, w, in.rate, in.beta, CELLS, STEPS,
                                      lib.stream, d_y, d_last, d_x, d_w, &d_rate, &d_beta),
                      GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT(x.get() == in.x && w.get() == in.w);
        EXPECT(check::near(d_rate, slope(in, &inputs::rate), 1e-6, 1));
        EXPECT(check::near(d_beta - 1, slope(in, &inputs::beta), 1e-6, 1));
        for (size_t i = 0; i < CELLS; i++) {
            EXPECT(check::near(d_x.get()[i] - 0.5, slope(in, &inputs::x, i), 1e-6, 1));
            EXPECT(check::near(d_w.get()[i] - 0.25, slope(in, &inputs::w, i), 1e-6, 1));
        }
        if (run == 1) held = gw_pool_held(pool);
    }
    EXPECT(held > 0 && gw_pool_held(pool) == held);
    gw_pool_free(pool);
}

// What the pullback takes for one adjoint only is not there, nor saved, where that is not asked.
TEST(only_for) {
    library lib;
    const inputs in;
    check::array<double> y(in.x), w(in.w), d_y(seed_y), d_w(std::vector<double>(CELLS, 0.0));
    saved_for_beta = found_without_beta = 0;
    size_t bytes[2];
    for (int beta = 0; beta < 2; beta++) {
        double d_beta = 0;
        gw_pool *pool = nullptr;
        EXPECT(gw_pool_make(&pool) == GW_OK);
        if (beta)
            EXPECT_STATUS(with_beta_in(pool, lib, y, w, 0.5, CELLS, d_y, d_w, &d_beta), GW_OK);
        else
            EXPECT_STATUS(plain_in(pool, lib, y, w, 0.5, CELLS, d_y, d_w), GW_OK);
        bytes[beta] = gw_pool_peak(pool);
        gw_pool_free(pool);
        EXPECT(saved_for_beta == 2 * beta && found_without_beta == 0);
    }
    EXPECT(bytes[0] == 0 && bytes[1] >= CELLS * sizeof(double));
}

TEST(failure) {
    library lib;
    const inputs in;
    for (int calls = 0; calls < 3; calls++) {
        check::array<double> y(std::vector<double>(CELLS, 0.0)), last({0.0}), x(in.x), w(in.w), d_y(seed_y),
            d_last({1.0}), d_x(seed_y), d_w(seed_y);
        double d_rate = 0, d_beta = 0;
        lib.in.calls_left = calls;
        EXPECT_STATUS(squares_grad(lib, y, last, x, w, in.rate, in.beta, CELLS, STEPS, lib.stream, d_y, d_last,
                                   d_x, d_w, &d_rate, &d_beta),
                      GW_ERROR_CUDA);
        EXPECT(strstr(gw_last_error(), "square") && strstr(gw_last_error(), "7"));
        EXPECT(x.get() == in.x && w.get() == in.w);
    }
}

} // namespace
TEST_MAIN

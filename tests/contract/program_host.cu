// Variables of a program's own in copies: numbers that come from the device and are computed with, tables that
// go there, flags that steer the program. Against central differences.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>

__global__ void total(double *sum, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) atomicAdd(sum, u[i] * u[i]);
}
__global__ void filter(double *v, const double *u, const double *w, double by, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = by * (w[0] * u[i] + w[1] * u[(i + 1) % n] + w[2] * u[(i + 2) % n]);
}
__global__ void check_size(int *flag, const double *u, double limit, int n) {
    const int i = threadIdx.x;
    if (i < n && u[i] > limit) atomicAdd(flag, 1);
}
__global__ void add(double *loss, double a, float b) {
    if (threadIdx.x == 0) *loss += a * a + b;
}

struct table {
    double w[2];
    double last;
};

GW_GRADIENT("loss wrt x, p, q")
cudaError_t normalise(double *loss, const double *x, double p, float q, int n, cudaStream_t stream) {
    const size_t bytes = n * sizeof(double);
    double *u, *v, *sum, *weights;
    int *flag;
    cudaMalloc(&u, bytes);
    cudaMalloc(&v, bytes);
    cudaMalloc(&sum, sizeof(double));
    cudaMalloc(&weights, 3 * sizeof(double));
    cudaMalloc(&flag, sizeof(int));
    cudaMemcpyAsync(u, x, bytes, cudaMemcpyDeviceToDevice, stream);
    const table w = {{p, 0.25}, p * q};
    cudaMemcpyAsync(weights, &w, sizeof w, cudaMemcpyHostToDevice, stream);
    for (int t = 0; t < 12; t++) {
        const int none = 0;
        double h;
        int many;
        cudaMemsetAsync(sum, 0, sizeof(double), stream);
        total<<<1, n, 0, stream>>>(sum, u, n);
        cudaMemcpyAsync(&h, sum, sizeof h, cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        filter<<<1, n, 0, stream>>>(v, u, weights, 3 / (1 + h), n);
        cudaMemcpyAsync(u, v, bytes, cudaMemcpyDeviceToDevice, stream);
        cudaMemcpyAsync(flag, &none, sizeof none, cudaMemcpyHostToDevice, stream);
        check_size<<<1, n, 0, stream>>>(flag, u, 0.05, n);
        cudaMemcpyAsync(&many, flag, sizeof(int), cudaMemcpyDeviceToHost, stream);
        cudaStreamSynchronize(stream);
        if (many < n / 2) break;
        if (t == 1) { // some of a table, and a table that changes
            double some[4] = {0, h * h, h, p};
            cudaMemcpy(weights + 1, some + 1, 2 * sizeof(double), cudaMemcpyHostToDevice);
        }
    }
    double ends[2][2], first;
    float as_float = 0;
    cudaMemcpy(ends, u, sizeof ends, cudaMemcpyDeviceToHost);
    cudaMemcpy(&first, u, sizeof(double), cudaMemcpyDefault);
    as_float = (float)(ends[1][0] * first);
    cudaMemset(loss, 0, sizeof(double));
    add<<<1, 1, 0, stream>>>(loss, ends[0][1] * p, as_float);
    total<<<1, n, 0, stream>>>(loss, u, n);
    const double seen = *ends[1];
    cudaMemcpy(sum, &seen, sizeof seen, cudaMemcpyHostToDevice);
    total<<<1, 1, 0, stream>>>(loss, sum, 1);
    cudaFree(u), cudaFree(v), cudaFree(sum), cudaFree(weights), cudaFree(flag);
    return cudaGetLastError();
}

struct cell {
    double value;
    int count;
};
__global__ void fill(cell *c, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) c[i].value = u[i] * u[i];
    if (i < n) c[i].count = i;
}

// Cells of managed memory that the host reads and writes itself, between launches.
GW_GRADIENT("loss wrt x, p")
void by_hand(double *loss, const double *x, const double *on_host, double p, int n) {
    double *u, *v;
    cell *cells;
    cudaStream_t stream;
    cudaMallocManaged(&u, n * sizeof(double));
    cudaMallocManaged(&v, n * sizeof(double));
    cudaMallocManaged(&cells, n * sizeof *cells);
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    for (int i = 0; i < n; i++)
        u[i] = x[i] * p * on_host[1];
    fill<<<1, n, 0, stream>>>(cells, u, n);
    cudaStreamSynchronize(stream);
    *v = 0;
    for (int i = 0; i < n; i++)
        if (cells[i].count % 2) *v += cells[i].value * u[n - 1 - i];
    v[1] = -v[0];
    v[0] *= v[1];
    cells[2].value = v[0];
    u[3] /= p;
    double *q = u + 1;
    q[2] += cells[2].value;
    *loss = 0;
    total<<<1, n, 0, stream>>>(loss, u, n);
    cudaStreamSynchronize(stream);
    *loss = sqrt(*loss) + v[0];
    cudaFree(u), cudaFree(v), cudaFree(cells), cudaStreamDestroy(stream);
}

// As many numbers as are copied at most, to the host and back, each with a weight of its own, and one fewer;
// and one more, which a std::vector can hold.
__global__ void square(double *v, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = u[i] * u[i];
}
#define COPIED(NAME, COUNT, HOST, AT)                                                                          \
    GW_GRADIENT("v wrt u")                                                                                     \
    void NAME(double *v, const double *u) {                                                                    \
        HOST;                                                                                                  \
        double *w;                                                                                             \
        cudaMalloc(&w, COUNT * sizeof(double));                                                                \
        square<<<1, 288>>>(w, u, COUNT);                                                                       \
        cudaMemcpy(AT, w, COUNT * sizeof(double), cudaMemcpyDeviceToHost);                                     \
        for (int i = 0; i < COUNT; i++)                                                                        \
            h[i] *= i + 1;                                                                                     \
        cudaMemcpy(w, AT, COUNT * sizeof(double), cudaMemcpyHostToDevice);                                     \
        square<<<1, 288>>>(v, w, COUNT);                                                                       \
        cudaFree(w);                                                                                           \
    }
COPIED(copied_97, 97, double h[97], h)
COPIED(copied_255, 255, double h[255], h)
COPIED(copied_256, 256, double h[256], h)
COPIED(listed_257, 257, std::vector<double> h(257), h.data())
// Cells of half precision, one by one and in pairs: by the host's own access, and in copies of a variable.
__global__ void spread(__half *v, const __half *u, __nv_bfloat16 *w, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = __float2half(2 * __half2float(u[i]) * __half2float(u[i]));
    if (i == 0) w[0] = __float2bfloat16(__half2float(u[1]));
}
GW_GRADIENT("loss wrt u") GW_DERIVATIVE("loss wrt u")
void of_halves(double *loss, const __half *u, __half *v, __nv_bfloat16 *w, int n) {
    double sum = 0;
    __half last;
    spread<<<1, 32>>>(v, u, w, n);
    for (int i = 0; i < n / 2; i++) {
        const __half2 both = ((const __half2 *)v)[i];
        const float2 f = __half22float2(both);
        sum += f.x * f.y;
    }
    v[0] = __hadd(v[0], v[1]);
    w[0] = __float2bfloat16(3 * __bfloat162float(w[0]));
    cudaMemcpy(&last, v, sizeof last, cudaMemcpyDeviceToHost);
    *loss = sum + __half2float(last) + __bfloat162float(w[0]);
}

#include "program_host.grad.cuh"

namespace {

enum { CELLS = 12 };

std::vector<double> numbers() { return check::uniform_numbers(5, CELLS, 0.2, 0.9); }

double loss_of(const std::vector<double> &x, double p, float q) {
    check::array<double> loss({0.0}), u(x);
    (void)normalise(loss, u, p, q, CELLS, nullptr);
    return loss.get()[0];
}

TEST(normalise) {
    const std::vector<double> x = numbers();
    const double p = 0.6, h = 1e-6;
    const float q = 0.75f, hq = 1.0f / 1024;
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    for (int run = 0; run < 2; run++) {
        check::array<double> loss({0.0}), u(x), d_loss({1.0}), d_u(std::vector<double>((size_t)CELLS, 0.0));
        double d_p = 0;
        float d_q = 0;
        EXPECT_STATUS(normalise_grad_in(pool, loss, u, p, q, CELLS, nullptr, d_loss, d_u, &d_p, &d_q), GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT_NEAR(loss.get()[0], loss_of(x, p, q), 1e-12);
        EXPECT(check::near(d_p, (loss_of(x, p + h, q) - loss_of(x, p - h, q)) / (2 * h), 1e-4, 1));
        EXPECT(check::near(d_q, (loss_of(x, p, q + hq) - loss_of(x, p, q - hq)) / (2 * hq), 1e-3, 1));
        for (size_t i = 0; i < CELLS; i += 2) {
            std::vector<double> more = x, less = x;
            more[i] += 1e-3, less[i] -= 1e-3;
            EXPECT(check::near(d_u.get()[i], (loss_of(more, p, q) - loss_of(less, p, q)) / 2e-3, 1e-3, 1));
        }
    }
    gw_pool_free(pool);
}

// On the host's side of managed memory.
struct shared_memory {
    double *at;
    shared_memory(const std::vector<double> &values) : at(nullptr) {
        if (cudaMallocManaged(&at, values.size() * sizeof(double)) != cudaSuccess) abort();
        for (size_t i = 0; i < values.size(); i++)
            at[i] = values[i];
    }
    ~shared_memory() { (void)cudaFree(at); }
};

#define EXPECT_COPIED(NAME, COUNT)                                                                             \
    {                                                                                                          \
        std::vector<double> x;                                                                                 \
        for (int i = 0; i < COUNT; i++)                                                                        \
            x.push_back(1 + 0.125 * (i % 5));                                                                  \
        check::array<double> v(x), u(x), d_v(std::vector<double>(COUNT, 1.0)),                                 \
            d_u(std::vector<double>(COUNT, 0.0));                                                              \
        EXPECT_STATUS(NAME(v, u, d_v, d_u), GW_OK);                                                            \
        EXPECT_DEVICE_OK();                                                                                    \
        for (size_t i = 0; i < COUNT; i++)                                                                     \
            EXPECT(d_u.get()[i] == 4 * (i + 1.0) * (i + 1.0) * x[i] * x[i] * x[i]);                            \
    }

TEST(copied) {
    EXPECT_COPIED(copied_97_grad, 97)
    EXPECT_COPIED(copied_255_grad, 255)
    EXPECT_COPIED(copied_256_grad, 256)
    EXPECT_COPIED(listed_257_grad, 257)
}

// All numbers here are whole, and halves hold them: v = 2, 8, 18, 32, loss = 2 * 8 + 18 * 32 + (2 + 8) + 3 * 2.
TEST(of_halves) {
    std::vector<__half> start, zeros(4, __float2half(0));
    for (int i = 0; i < 4; i++)
        start.push_back(__float2half((float)i + 1));
    const std::vector<__nv_bfloat16> none(1, __float2bfloat16(0));
    check::array<__half> u(start), v(zeros);
    check::array<float> d_u(std::vector<float>(4, 0.0f));
    check::array<__nv_bfloat16> w(none);
    shared_memory loss({0.0}), d_loss({1.0});
    EXPECT_STATUS(of_halves_grad(loss.at, u, v, w, 4, d_loss.at, d_u), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(*loss.at == 608);
    const double expected[] = {4 * (8 + 1), 8 * (2 + 1) + 3, 12 * 32, 16 * 18};
    for (size_t i = 0; i < 4; i++)
        EXPECT((double)d_u.get()[i] == expected[i]);
    for (size_t i = 0; i < 4; i++) {
        std::vector<float> unit(4, 0.0f);
        unit[i] = 1;
        check::array<float> t_u(unit);
        shared_memory t_loss({0.0});
        u.set(start);
        EXPECT_STATUS(of_halves_jvp(loss.at, u, v, w, 4, t_loss.at, t_u), GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT(*t_loss.at == expected[i]);
    }
}

double by_hand_of(const std::vector<double> &x, double p) {
    const double on_host[2] = {0, 0.5};
    shared_memory loss({0.0}), u(x);
    by_hand(loss.at, u.at, on_host, p, CELLS);
    (void)cudaDeviceSynchronize();
    return *loss.at;
}

TEST(by_hand) {
    const std::vector<double> x = numbers();
    const double p = 0.6, h = 1e-5, on_host[2] = {0, 0.5};
    shared_memory loss({0.0}), u(x), d_loss({1.0}), d_u(std::vector<double>((size_t)CELLS, 0.0));
    double d_p = 0;
    EXPECT_STATUS(by_hand_grad(loss.at, u.at, on_host, p, CELLS, d_loss.at, d_u.at, &d_p), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT_NEAR(*loss.at, by_hand_of(x, p), 1e-12);
    EXPECT(check::near(d_p, (by_hand_of(x, p + h) - by_hand_of(x, p - h)) / (2 * h), 1e-6, 1));
    for (size_t i = 0; i < CELLS; i++) {
        std::vector<double> more = x, less = x;
        more[i] += h, less[i] -= h;
        EXPECT(check::near(d_u.at[i], (by_hand_of(more, p) - by_hand_of(less, p)) / (2 * h), 1e-6, 1));
    }
}

} // namespace
TEST_MAIN

// Tables of buffers, of streams and of the host's arrays, handed to helpers too; a stream at file scope.
// Against closed forms.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <cstdlib>
#include <utility>

static cudaStream_t main_stream;

__global__ void square(double *v, const double *u, double p, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = p * u[i] * u[i];
}

static int steps(double *t[2], double p, int n, int k) {
    int from = 0, to = 1;
    for (int i = 0; i < k; i++) {
        square<<<1, 32, 0, main_stream>>>(t[to], t[from], p, n);
        from = 1 - from;
        to = 1 - to;
    }
    return from;
}
static void make(double **t, int count, int n) {
    for (int i = 0; i < count; i++)
        cudaMalloc(&t[i], n * sizeof(double));
}
static double *pick(double *const *t, int which) { return *(t + which); }

GW_GRADIENT("y wrt x, p")
void by_turns(double *y, const double *x, double p, int n, int k) {
    double *t[2];
    make(t, 2, n);
    cudaMemcpyAsync(t[0], x, n * sizeof(double), cudaMemcpyDeviceToDevice, main_stream);
    const int last = steps(t, p, n, k);
    cudaMemcpyAsync(y, pick(t, last), n * sizeof(double), cudaMemcpyDeviceToDevice, main_stream);
    cudaStreamSynchronize(main_stream);
    for (double *one : t)
        cudaFree(one);
}

GW_GRADIENT("y wrt x, p")
void by_streams(double *y, const double *x, double p, int n, int k) {
    cudaStream_t s[3], on[3];
    cudaEvent_t done[3];
    for (int i = 0; i < 3; i++) {
        cudaStreamCreate(&s[i]);
        cudaStreamCreateWithFlags(&on[i], cudaStreamNonBlocking);
        cudaEventCreate(&done[i]);
    }
    cudaMemcpyAsync(y, x, n * sizeof(double), cudaMemcpyDeviceToDevice, s[0]);
    cudaEventRecord(done[0], s[0]);
    for (int t = 0; t < k; t++) {
        cudaStreamWaitEvent(on[t % 3], done[t % 3], 0);
        square<<<1, 32, 0, on[t % 3]>>>(y, y, p, n);
        cudaEventRecord(done[(t + 1) % 3], on[t % 3]);
    }
    cudaDeviceSynchronize();
    for (int i = 0; i < 3; i++) {
        cudaStreamSynchronize(s[i]);
        cudaStreamDestroy(s[i]);
        cudaStreamDestroy(on[i]);
        cudaEventDestroy(done[i]);
    }
}

// Tables of the host's own arrays, cleared by the bytes that they have.
GW_GRADIENT("y wrt x, p")
void by_host_arrays(double *y, const double *x, double p, int n, int k) {
    const size_t bytes = n * sizeof(double);
    double *h[2], *plain[2] = {new double[n], new double[n]}, *v;
    for (int i = 0; i < 2; i++)
        h[i] = (double *)malloc(bytes);
    cudaMalloc(&v, bytes);
    cudaMemcpy(h[0], x, bytes, cudaMemcpyDeviceToHost);
    for (int t = 0; t < k; t++) {
        memset(h[1 - t % 2], 0, bytes);
        for (int i = 0; i < n; i++)
            h[1 - t % 2][i] += h[t % 2][n - 1 - i];
        cudaMemcpy(v, h[1 - t % 2], bytes, cudaMemcpyHostToDevice);
        square<<<1, 32>>>(v, v, p, n);
        cudaMemcpy(plain[t % 2], v, bytes, cudaMemcpyDeviceToHost);
        for (int i = 0; i < n; i++)
            h[1 - t % 2][i] = plain[t % 2][n - 1 - i];
    }
    cudaMemcpy(y, h[k % 2], bytes, cudaMemcpyHostToDevice);
    for (int i = 0; i < 2; i++)
        free(h[i]), delete[] plain[i];
    cudaFree(v);
}

// Tables whose length only a run knows, whose entries change; of buffers and of the host's arrays.
static double **make_levels(int count, int n) {
    double **made = (double **)calloc(count, sizeof *made);
    for (int i = 0; i < count; i++)
        if (!made[i]) cudaMalloc((void **)&made[i], n * sizeof(double));
    return made;
}
GW_GRADIENT("y wrt x, p")
void by_levels(double *y, const double *x, double p, int n, int k) {
    double **level = make_levels(k + 1, n), **end = level + k, **kept = new double *[k + 2];
    cudaMemcpy(*level, x, n * sizeof(double), cudaMemcpyDeviceToDevice);
    for (int t = 0; t < k; t++) {
        square<<<1, 32>>>(level[t + 1], level[t], p, n);
        kept[t] = new double[n];
        cudaMemcpy(kept[t], level[t + 1], n * sizeof(double), cudaMemcpyDeviceToHost);
        std::swap(level[0], level[t]);
        if (t) std::swap(kept[0], kept[t]);
    }
    cudaMemcpy(y, *end, n * sizeof(double), cudaMemcpyDeviceToDevice);
    for (int i = 0; i < n; i++)
        kept[0][i] *= 1;
    cudaMemcpy(y, kept[0], n * sizeof(double), cudaMemcpyHostToDevice);
    for (int t = 0; t <= k; t++)
        cudaFree(level[t]);
    for (int t = 0; t < k; t++)
        delete[] kept[t];
    free(level);
    delete[] kept;
}

// Streams at file scope that the program makes: one, whose maker is handed its address, and a table.
static cudaStream_t own_stream, streams[3];
static void make_stream(cudaStream_t *at) { cudaStreamCreateWithFlags(at, cudaStreamNonBlocking); }
GW_GRADIENT("y wrt x, p")
void by_own_streams(double *y, const double *x, double p, int n, int k) {
    if (!own_stream) make_stream(&own_stream);
    for (int i = 0; i < 3; i++)
        cudaStreamCreate(&streams[i]);
    cudaMemcpyAsync(y, x, n * sizeof(double), cudaMemcpyDeviceToDevice, own_stream);
    cudaStreamSynchronize(own_stream);
    for (int t = 0; t < k; t++) {
        square<<<1, 32, 0, streams[t % 3]>>>(y, y, p, n);
        cudaStreamSynchronize(streams[t % 3]);
    }
    for (cudaStream_t one : streams)
        cudaStreamDestroy(one);
    cudaStreamDestroy(own_stream);
    own_stream = nullptr;
}

// Buffers made through a list of their addresses; vectors of buffers, of a size and grown.
GW_GRADIENT("y wrt x, p")
void by_lists(double *y, const double *x, double p, int n, int k) {
    double *a, *b;
    for (double **v : {&a, &b})
        cudaMalloc(v, n * sizeof(double));
    cudaMemcpy(a, x, n * sizeof(double), cudaMemcpyDeviceToDevice);
    for (int t = 0; t < k; t++) {
        square<<<1, 32>>>(b, a, p, n);
        std::swap(a, b);
    }
    cudaMemcpy(y, a, n * sizeof(double), cudaMemcpyDeviceToDevice);
    for (double *v : {a, b})
        cudaFree(v);
}
GW_GRADIENT("y wrt x, p")
void by_vectors(double *y, const double *x, double p, int n, int k) {
    std::vector<double *> level(k + 1), kept;
    for (int t = 0; t <= k; t++)
        cudaMalloc(&level[t], n * sizeof(double));
    for (int t = 0; t < 2; t++) {
        double *made;
        cudaMalloc(&made, n * sizeof(double));
        kept.push_back(made);
    }
    cudaMemcpy(kept.front(), x, n * sizeof(double), cudaMemcpyDeviceToDevice);
    cudaMemcpy(level.front(), kept[0], n * sizeof(double), cudaMemcpyDeviceToDevice);
    for (int t = 0; t < k; t++)
        square<<<1, 32>>>(level[t + 1], level[t], p, n);
    cudaMemcpy(kept.back(), level.back(), n * sizeof(double), cudaMemcpyDeviceToDevice);
    cudaMemcpy(y, kept[1], n * sizeof(double), cudaMemcpyDeviceToDevice);
    for (double *one : level)
        cudaFree(one);
    for (auto one = kept.begin(); one != kept.end(); ++one)
        cudaFree(*one);
}
#include "program_tables.grad.cuh"

namespace {

enum { N = 5 };

// p^(2^k - 1) x^(2^k)
#define COMPARE(NAME)                                                                                          \
    TEST(NAME) {                                                                                               \
        EXPECT(cudaStreamCreateWithFlags(&main_stream, cudaStreamNonBlocking) == cudaSuccess);                 \
        for (int k = 1; k <= 4; k++) {                                                                         \
            const double p = 0.75;                                                                             \
            std::vector<double> numbers;                                                                       \
            for (int i = 0; i < N; i++)                                                                        \
                numbers.push_back(0.5 + 0.125 * i);                                                            \
            const std::vector<double> zeros((size_t)N, 0.0), ones((size_t)N, 1.0);                             \
            check::array<double> y(zeros), x(numbers), z(zeros), d_y(ones), d_x(zeros);                        \
            double d_p = 0, want_p = 0;                                                                        \
            NAME(z, x, p, N, k);                                                                               \
            EXPECT_STATUS(NAME##_grad(y, x, p, N, k, d_y, d_x, &d_p), GW_OK);                                  \
            EXPECT_DEVICE_OK();                                                                                \
            for (size_t i = 0; i < N; i++) {                                                                   \
                double value = numbers[i], by_x = 1, by_p = 0;                                                 \
                for (int t = 0; t < k; t++) {                                                                  \
                    by_p = 2 * p * value * by_p + value * value;                                               \
                    by_x *= 2 * p * value;                                                                     \
                    value *= p * value;                                                                        \
                }                                                                                              \
                want_p += by_p;                                                                                \
                EXPECT(y.get()[i] == z.get()[i]);                                                              \
                EXPECT_NEAR(y.get()[i], value, 1e-14);                                                         \
                EXPECT_NEAR(d_x.get()[i], by_x, 1e-14);                                                        \
            }                                                                                                  \
            EXPECT_NEAR(d_p, want_p, 1e-14);                                                                   \
        }                                                                                                      \
        EXPECT(cudaStreamDestroy(main_stream) == cudaSuccess);                                                 \
    }
COMPARE(by_turns)
COMPARE(by_streams)
COMPARE(by_host_arrays)
COMPARE(by_levels)
COMPARE(by_own_streams)
COMPARE(by_lists)
COMPARE(by_vectors)

} // namespace
TEST_MAIN

// What a program launches: kernels whose tapes are measured, which take dynamic shared memory, templates and
// overloads, sums that ask how many cells there are, also of what a struct points to beside numbers of its own,
// enumerators. Against central differences and a closed form, from one
// pool, and captured into a graph.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// How often it goes round stands in memory: the tape is measured.
__global__ void chains(double *out, const double *x, const int *first, int n) {
    const int i = HERE;
    if (i >= n) return;
    double v = x[i];
    for (int k = first[i]; k < first[i + 1]; k++)
        v = sin(v) * x[k % n] + 0.5 * v;
    out[i] = v;
}

template <int K, class T> __global__ void power(T *u, int n) {
    const int i = HERE;
    if (i >= n) return;
    T p = 1;
    for (int k = 0; k < K; k++)
        p *= u[i];
    u[i] = p;
}

__global__ void mix(double *v, const double *u, const int *column, int n) {
    if (HERE < n) v[HERE] += u[column[HERE]];
}
__global__ void mix(double *v, double factor, int n) {
    if (HERE < n) v[HERE] *= factor;
}

__global__ void squares(double *loss, const double *u, int n) {
    extern __shared__ double part[];
    const int t = threadIdx.x, i = HERE;
    part[t] = i < n ? u[i] * u[i] : 0;
    __syncthreads();
    for (int o = blockDim.x / 2; o > 0; o /= 2) {
        if (t < o) part[t] += part[t + o];
        __syncthreads();
    }
    if (t == 0) atomicAdd(loss, part[0]);
}

namespace steps {
template <int K> void raise(double *u, int n, cudaStream_t stream) {
    power<K><<<(n + 31) / 32, 32, 0, stream>>>(u, n);
}
} // namespace steps

GW_GRADIENT("loss wrt x")
cudaError_t pipeline(double *loss, const double *x, const int *first, const int *column, int n,
                     cudaStream_t stream) {
    double *u, *v;
    const int blocks = (n + 31) / 32;
    cudaMalloc(&u, n * sizeof(double));
    cudaMalloc(&v, n * sizeof(double));
    cudaMemsetAsync(loss, 0, sizeof(double), stream);
    cudaMemcpyAsync(v, x, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    chains<<<blocks, 32, 0, stream>>>(u, x, first, n);
    steps::raise<3>(u, n, stream);
    mix<<<blocks, 32, 0, stream>>>(v, u, column, n);
    mix<<<blocks, 32, 0, stream>>>(v, 0.75, n);
    power<2><<<blocks, 32, 0, stream>>>(v, n);
    squares<<<blocks, 32, 32 * sizeof(double), stream>>>(loss, v, n);
    cudaFree(u);
    cudaFree(v);
    return cudaGetLastError();
}

GW_GRADIENT("y wrt x")
void cubes(double *y, const double *x, int n, cudaStream_t stream) {
    cudaMemcpyAsync(y, x, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    power<3><<<1, 64, 0, stream>>>(y, n);
}

enum class kind : unsigned char { HALVED = 3, DOUBLED = 200 };
typedef enum { KEPT, TURNED } turn;
struct blend {
    double *sum;
    const double *x;
    double by;
    struct {
        const double *x;
        double by;
    } second[2];
};
// All threads add to the numbers' adjoints, and pairs to one cell of x.
__global__ void blended(blend b, kind k, turn t, int n) {
    const int i = HERE;
    if (i >= n) return;
    const double a = b.x[i / 2] * b.by * (k == kind::DOUBLED ? 2 : 0.5);
    b.sum[i] += t == TURNED ? a * b.second[1].x[i / 3] - b.second[0].x[i] : a * b.second[1].by;
}

GW_GRADIENT("y wrt x, r")
void blends(double *y, const double *x, double r, int n, kind given) {
    const turn each[2] = {KEPT, TURNED};
    cudaMemset(y, 0, n * sizeof(double));
    for (int i = 0; i < 2; i++) {
        const blend b = {y, x, r, {{x, 0}, {x, r * r}}};
        blended<<<1, 64>>>(b, i ? given : kind::HALVED, each[i], n);
    }
}
#include "program_kernels.grad.cuh"

namespace {

enum { CELLS = 50 };

struct input {
    std::vector<double> x;
    std::vector<int> first, column;
    input() : first(1, 0) {
        check::generator random = {7};
        for (int i = 0; i < CELLS; i++) {
            x.push_back(random.uniform(0.3, 0.9));
            first.push_back(first.back() + i % 4);
            column.push_back((i * i + 3) % CELLS);
        }
    }
};

double loss_of(const input &in) {
    check::array<double> loss({0.0}), x(in.x);
    check::array<int> first(in.first), column(in.column);
    if (pipeline(loss, x, first, column, CELLS, nullptr) != cudaSuccess) return -1;
    return loss.get()[0];
}

TEST(pipeline) {
    const input in;
    const double h = 1e-6;
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    check::array<double> loss({0.0}), x(in.x), d_loss({0.0}), d_x(in.x);
    check::array<int> first(in.first), column(in.column);
    size_t held = 0;
    std::vector<double> found;
    for (int run = 0; run < 3; run++) {
        d_loss.set({1.0}), d_x.set(in.x);
        EXPECT_STATUS(pipeline_grad_in(pool, loss, x, first, column, CELLS, nullptr, d_loss, d_x), GW_OK);
        EXPECT_DEVICE_OK();
        EXPECT(x.get() == in.x && d_loss.get()[0] == 0);
        if (run) EXPECT(gw_pool_held(pool) == held);
        held = gw_pool_held(pool);
    }
    found = d_x.get();
    EXPECT_NEAR(loss.get()[0], loss_of(in), 1e-12);
    for (size_t i = 0; i < CELLS; i++) {
        input more = in, less = in;
        more.x[i] += h, less.x[i] -= h;
        EXPECT(check::near(found[i] - in.x[i], (loss_of(more) - loss_of(less)) / (2 * h), 1e-6, 1));
    }
    /* the same as a graph: what is measured is what the runs before found */
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t made = nullptr;
    EXPECT(cudaDeviceSynchronize() == cudaSuccess && cudaStreamCreate(&stream) == cudaSuccess);
    EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    EXPECT_STATUS(pipeline_grad_in(pool, loss, x, first, column, CELLS, stream, d_loss, d_x), GW_OK);
    EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    EXPECT(cudaGraphInstantiate(&made, graph, nullptr, nullptr, 0) == cudaSuccess);
    for (int run = 0; run < 100; run++) {
        d_loss.set({1.0}), d_x.set(in.x);
        EXPECT(cudaGraphLaunch(made, stream) == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess);
    }
    for (size_t i = 0; i < CELLS; i++)
        EXPECT(check::near(d_x.get()[i], found[i], 1e-12, 1));
    cudaGraphExecDestroy(made), cudaGraphDestroy(graph), cudaStreamDestroy(stream);
    gw_pool_free(pool);
}

TEST(cubes) {
    const input in;
    std::vector<double> seed(CELLS, 0.5);
    check::array<double> y(in.x), x(in.x), d_y(seed), d_x(std::vector<double>((size_t)CELLS, 0.0));
    EXPECT_STATUS(cubes_grad(y, x, CELLS, nullptr, d_y, d_x), GW_OK);
    EXPECT_DEVICE_OK();
    for (size_t i = 0; i < CELLS; i++)
        EXPECT(check::near(d_x.get()[i], 1.5 * in.x[i] * in.x[i], 1e-12, 1));
}

// sum_i of r^3 x[i/2] / 2 + 2 r x[i/2] x[i/3] - x[i]
TEST(blends) {
    const input in;
    const double r = 1.25;
    double d_r = 0, slope = 0;
    std::vector<double> want(CELLS, 0.0);
    for (size_t i = 0; i < CELLS; i++) {
        const double a = in.x[i / 2], b = in.x[i / 3];
        slope += 1.5 * r * r * a + 2 * a * b;
        want[i / 2] += r * r * r / 2 + 2 * r * b, want[i / 3] += 2 * r * a, want[i] -= 1;
    }
    check::array<double> y(in.x), x(in.x), d_y(std::vector<double>(CELLS, 1.0)),
        d_x(std::vector<double>(CELLS, 0.0));
    EXPECT_STATUS(blends_grad(y, x, r, CELLS, kind::DOUBLED, d_y, d_x, &d_r), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(check::near(d_r, slope, 1e-12, 1));
    for (size_t i = 0; i < CELLS; i++)
        EXPECT(check::near(d_x.get()[i], want[i], 1e-12, 1));
}

} // namespace
TEST_MAIN

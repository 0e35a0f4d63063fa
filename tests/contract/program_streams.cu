// Programs that create streams and events, and destroy them before they return: the reverse waits where the
// program did, in the opposite order. What a program asks of the device, and what it does on errors.
#include "../support/expect.cuh"

#include <gradwright/program.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define CHECK(call)                                                                                            \
    do {                                                                                                       \
        const cudaError_t error = (call);                                                                      \
        if (error != cudaSuccess) {                                                                            \
            fprintf(stderr, "%s:%d: %s (%s)\n", __FILE__, __LINE__, cudaGetErrorString(error),                 \
                    cudaGetErrorName(error));                                                                  \
            exit(EXIT_FAILURE);                                                                                \
        }                                                                                                      \
    } while (0)
#define CHECK_RETURN(call)                                                                                     \
    if (cudaError_t error = (call)) {                                                                          \
        printf("failed: %s\n", cudaGetErrorString(error));                                                     \
        return error;                                                                                          \
    }

__global__ void bend(double *v, const double *u, double by, int n) {
    const int i = HERE;
    if (i < n) v[i] = u[i] * u[i] * by + u[n - 1 - i];
}
__global__ void merge(double *loss, const double *u, const double *v, int n) {
    const int i = HERE;
    if (i < n) atomicAdd(loss, u[i] * v[i]);
}

// Two branches on two streams of the program's own, in turns.
GW_GRADIENT("loss wrt x, by")
void fork(double *loss, const double *x, double by, int n, int steps, cudaStream_t stream) {
    const size_t bytes = n * sizeof(double);
    double *a, *b, *c;
    CHECK(cudaMalloc(&a, bytes));
    CHECK(cudaMalloc(&b, bytes));
    CHECK(cudaMalloc(&c, bytes));
    cudaStream_t left, right;
    cudaEvent_t ready, done;
    CHECK(cudaStreamCreateWithFlags(&left, cudaStreamNonBlocking));
    CHECK(cudaStreamCreate(&right));
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    CHECK(cudaEventCreate(&done));
    CHECK(cudaMemcpyAsync(a, x, bytes, cudaMemcpyDeviceToDevice, stream));
    CHECK(cudaMemsetAsync(loss, 0, sizeof(double), stream));
    for (int t = 0; t < steps; t++) {
        CHECK(cudaEventRecord(ready, stream));
        CHECK(cudaStreamWaitEvent(left, ready, 0));
        CHECK(cudaStreamWaitEvent(right, ready, 0));
        bend<<<1, n, 0, left>>>(b, a, by, n);
        bend<<<1, n, 0, right>>>(c, a, 0.5 * by, n);
        CHECK(cudaEventRecord(done, left));
        CHECK(cudaStreamWaitEvent(stream, done));
        CHECK(cudaEventRecord(done, right));
        CHECK(cudaStreamWaitEvent(stream, done));
        merge<<<1, n, 0, stream>>>(loss, b, c, n);
        bend<<<1, n, 0, stream>>>(a, c, 0.25, n);
    }
    CHECK(cudaEventRecord(done, stream));
    CHECK(cudaEventSynchronize(done));
    CHECK(cudaGetLastError());
    CHECK(cudaEventDestroy(ready));
    CHECK(cudaEventDestroy(done));
    CHECK(cudaStreamDestroy(left));
    CHECK(cudaStreamDestroy(right));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
}

static int threads(int n) {
    int device, count, warp, blocks, grid = 0, block = 0, least, greatest;
    cudaGetDevice(&device);
    cudaGetDeviceCount(&count);
    cudaDeviceGetAttribute(&warp, cudaDevAttrWarpSize, device);
    cudaDeviceProp about;
    cudaGetDeviceProperties(&about, device);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bend, 64, 0);
    cudaOccupancyMaxPotentialBlockSize(&grid, &block, merge, 0, 0);
    cudaDeviceGetStreamPriorityRange(&least, &greatest);
    size_t available, all;
    cudaMemGetInfo(&available, &all);
    struct cudaFuncAttributes of_bend;
    cudaFuncGetAttributes(&of_bend, bend);
    if (of_bend.maxThreadsPerBlock < n || of_bend.sharedSizeBytes) abort();
    if (about.maxThreadsPerBlock < n || about.maxGridSize[0] < 1 || about.warpSize != warp) abort();
    if (blocks < 1 || grid < 1 || block < 1 || least < greatest || available > all) exit(2);
    return count > 0 ? (n + warp - 1) / warp * warp : 0;
}

GW_GRADIENT("loss wrt x, by")
cudaError_t asked(double *loss, const double *x, double by, int n) {
    double *u;
    if (n > 1024) exit(3);
    CHECK_RETURN(cudaMalloc(&u, n * sizeof(double)));
    bend<<<1, threads(n)>>>(u, x, by, n);
    CHECK_RETURN(cudaGetLastError());
    CHECK_RETURN(cudaMemset(loss, 0, sizeof(double)));
    merge<<<1, threads(n)>>>(loss, u, x, n);
    CHECK_RETURN(cudaFree(u));
    return cudaSuccess;
}

// A graph of a loop over two streams, launched in a loop, and in another stream than it was captured from.
GW_GRADIENT("x wrt x, by") GW_DERIVATIVE("x wrt x, by")
void replayed(double *x, double by, int n, int steps, cudaStream_t stream, cudaStream_t other) {
    double *a, *b;
    cudaGraph_t graph, small;
    cudaGraphExec_t both, single;
    cudaStream_t side;
    cudaEvent_t ready, done;
    CHECK(cudaMalloc(&a, n * sizeof(double)));
    CHECK(cudaMalloc(&b, n * sizeof(double)));
    CHECK(cudaStreamCreateWithFlags(&side, cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&ready, cudaEventDisableTiming));
    CHECK(cudaEventCreateWithFlags(&done, cudaEventDisableTiming));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    for (int k = 0; k < 2; k++) {
        bend<<<1, n, 0, stream>>>(b, x, by, n);
        CHECK(cudaGetLastError());
        CHECK(cudaEventRecord(ready, stream));
        CHECK(cudaStreamWaitEvent(side, ready, 0));
        bend<<<1, n, 0, side>>>(a, b, 0.5 * by, n);
        CHECK(cudaEventRecord(done, side));
        bend<<<1, n, 0, stream>>>(x, b, 0.25, n);
        CHECK(cudaStreamWaitEvent(stream, done, 0));
        merge<<<1, n, 0, stream>>>(x, a, b, n); // to x[0]
    }
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&both, graph, nullptr, nullptr, 0));
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
    CHECK(cudaMemcpyAsync(a, x, n * sizeof(double), cudaMemcpyDeviceToDevice, stream));
    bend<<<1, n, 0, stream>>>(x, a, by, n);
    CHECK(cudaStreamEndCapture(stream, &small));
    CHECK(cudaGraphInstantiateWithFlags(&single, small, 0));
    by = 100; // the graphs have what it was
    for (int t = 0; t < steps; t++)
        CHECK(cudaGraphLaunch(both, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphLaunch(single, other));
    CHECK(cudaStreamSynchronize(other));
    CHECK(cudaGraphExecDestroy(both));
    CHECK(cudaGraphExecDestroy(single));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaGraphDestroy(small));
    CHECK(cudaEventDestroy(ready));
    CHECK(cudaEventDestroy(done));
    CHECK(cudaStreamDestroy(side));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}

// Captured in the first iteration of the loop that launches it.
/* In the first iteration, which a flag tells, or a graph that is null. */
static void capture_once(double *x, double by, int n, int steps, cudaStream_t stream, bool by_null) {
    double *b;
    bool captured = false;
    cudaGraph_t graph;
    cudaGraphExec_t exec = nullptr;
    CHECK(cudaMalloc(&b, n * sizeof(double)));
    for (int t = 0; t < steps; t++) {
        if (by_null ? !exec : !captured) {
            CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
            for (int k = 0; k < 2; k++) {
                bend<<<1, n, 0, stream>>>(b, x, by, n);
                bend<<<1, n, 0, stream>>>(x, b, 0.25 * by, n);
            }
            CHECK(cudaStreamEndCapture(stream, &graph));
            CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
            captured = true;
        }
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaStreamSynchronize(stream));
    }
    CHECK(cudaFree(b));
}
GW_GRADIENT("x wrt x, by") GW_DERIVATIVE("x wrt x, by")
void captured_once(double *x, double by, int n, int steps, cudaStream_t stream, cudaStream_t) {
    capture_once(x, by, n, steps, stream, false);
}
GW_GRADIENT("x wrt x, by") GW_DERIVATIVE("x wrt x, by")
void captured_if_null(double *x, double by, int n, int steps, cudaStream_t stream, cudaStream_t) {
    capture_once(x, by, n, steps, stream, true);
}
struct note {
    const char *text;
    const double *by;
};
static void CUDART_CB tell(void *data) {
    const note *of = (const note *)data;
    if (*of->by < 0) printf("%s %g\n", of->text, *of->by);
}
// A graph that is made by hand, of fills, kernels, copies and what tells of them; what is queued meanwhile runs
// where it stands.
GW_GRADIENT("x wrt x, by") GW_DERIVATIVE("x wrt x, by")
void by_hand(double *x, double by, int n, int steps, cudaStream_t stream, cudaStream_t other) {
    double *a, *b, half = 0.5 * by;
    cudaGraph_t graph;
    cudaGraphExec_t exec = nullptr;
    std::vector<cudaGraphNode_t> before;
    cudaGraphNode_t fill, made[2], copied;
    cudaMemsetParams clear = {};
    CHECK(cudaMalloc(&a, n * sizeof(double)));
    clear.dst = (void *)a;
    clear.elementSize = sizeof(float);
    clear.width = 2 * n;
    clear.height = 1;
    CHECK(cudaGraphCreate(&graph, 0));
    CHECK(cudaGraphAddMemsetNode(&fill, graph, nullptr, 0, &clear));
    before.push_back(fill);
    CHECK(cudaMalloc(&b, n * sizeof(double)));
    cudaKernelNodeParams bends = {}, merges = {};
    void *to_b[] = {(void *)&b, (void *)&x, &by, &n}, *to_x[] = {&x, &a, &b, &n};
    bends.func = (void *)bend;
    bends.gridDim = dim3(1);
    bends.blockDim = dim3(n, 1, 1);
    bends.kernelParams = to_b;
    CHECK(cudaGraphAddKernelNode(&made[0], graph, before.data(), before.size(), &bends));
    bend<<<1, n, 0, other>>>(a, x, half, n);
    CHECK(cudaMemcpyAsync(x, a, n * sizeof(double), cudaMemcpyDeviceToDevice, other));
    CHECK(cudaStreamSynchronize(other));
    merges = bends;
    merges.func = (void *)merge;
    merges.kernelParams = to_x;
    CHECK(cudaGraphAddMemcpyNode1D(&copied, graph, made, 1, a, b, (n - 1) * sizeof(double),
                                   cudaMemcpyDeviceToDevice));
    CHECK(cudaGraphAddKernelNode(&made[1], graph, &copied, 1, &merges));
    CHECK(cudaGraphAddMemcpyNode1D(&copied, graph, made + 1, 1, x + 1, b + 1, (n - 1) * sizeof(double),
                                   cudaMemcpyDeviceToDevice));
    note of = {"by", &half};
    cudaHostNodeParams tells = {tell, &of};
    CHECK(cudaGraphAddHostNode(&copied, graph, made + 1, 1, &tells));
    by = 100; // the graph has what it was
    CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    for (int t = 0; t < steps; t++)
        CHECK(cudaGraphLaunch(exec, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaGraphExecDestroy(exec));
    CHECK(cudaGraphDestroy(graph));
    CHECK(cudaFree(a));
    CHECK(cudaFree(b));
}
// What the host does in a stream.
static void CUDART_CB halve(void *data) { *(double *)data *= 0.5; }
static void CUDART_CB square(cudaStream_t, cudaError_t error, void *data) {
    double *of = (double *)data;
    if (error == cudaSuccess) *of *= *of;
}
// Captured in each iteration, and what is launched is brought up to date; a number comes to the host by the
// graph.
GW_GRADIENT("x wrt x, by") GW_DERIVATIVE("x wrt x, by")
void updated(double *x, double by, int n, int steps, cudaStream_t stream, cudaStream_t) {
    double *b, last = 0.5;
    cudaGraph_t graph;
    cudaGraphExec_t exec = nullptr;
    CHECK(cudaMalloc(&b, n * sizeof(double)));
    for (int t = 0; t < steps; t++) {
        const double scale = by * last;
        CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
        if (t % 2 == 0)
            bend<<<1, n, 0, stream>>>(b, x, scale, n);
        else
            bend<<<1, n, 0, stream>>>(x, b, by, n);
        CHECK(cudaMemcpyAsync(&last, t % 2 ? x + 2 : b + 1, sizeof last, cudaMemcpyDeviceToHost, stream));
        CHECK(cudaStreamEndCapture(stream, &graph));
        if (exec == nullptr) {
            CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
        } else {
            cudaGraphExecUpdateResult result;
            CHECK(cudaGraphExecUpdate(exec, graph, nullptr, &result));
            if (result != cudaGraphExecUpdateSuccess) {
                CHECK(cudaGraphExecDestroy(exec));
                CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
            }
        }
        CHECK(cudaGraphLaunch(exec, stream));
        CHECK(cudaLaunchHostFunc(stream, halve, &last));
        CHECK(cudaStreamSynchronize(stream));
        if (last > 1e6) break;
    }
    bend<<<1, n, 0, stream>>>(b, x, last, n);
    CHECK(cudaMemcpyAsync(x, b, n * sizeof(double), cudaMemcpyDeviceToDevice, stream));
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(b));
}
// Copies by parameters, one of them to a number of the host's; the graph, whose nodes change, and its clone are
// launched in turn.
GW_GRADIENT("x wrt x, by") GW_DERIVATIVE("x wrt x, by")
void cloned(double *x, double by, int n, int steps, cudaStream_t stream, cudaStream_t) {
    double *b, first = 0;
    cudaGraph_t graph, again;
    cudaGraphExec_t exec, other;
    cudaGraphNode_t bent, copied, fetched, *nodes = nullptr;
    size_t count = 0;
    CHECK(cudaMalloc(&b, n * sizeof(double)));
    CHECK(cudaGraphCreate(&graph, 0));
    cudaKernelNodeParams bends = {};
    const double half = 0.5 * by;
    void *to_b[] = {(void *)&b, (void *)&x, &by, &n}, *halved[] = {(void *)&b, (void *)&x, (void *)&half, &n};
    bends.func = (void *)bend;
    bends.gridDim = dim3(1);
    bends.blockDim = dim3(n, 1, 1);
    bends.kernelParams = to_b;
    CHECK(cudaGraphAddKernelNode(&bent, graph, nullptr, 0, &bends));
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(b, n * sizeof(double), n, 1);
    copy.dstPtr = make_cudaPitchedPtr(x, n * sizeof(double), n, 1);
    copy.extent = make_cudaExtent(n * sizeof(double), 1, 1);
    copy.kind = cudaMemcpyDeviceToDevice;
    CHECK(cudaGraphAddMemcpyNode(&copied, graph, &bent, 1, &copy));
    copy.dstPtr = make_cudaPitchedPtr(&first, sizeof(double), 1, 1);
    copy.extent = make_cudaExtent(sizeof(double), 1, 1);
    copy.kind = cudaMemcpyDeviceToHost;
    CHECK(cudaGraphAddMemcpyNode(&fetched, graph, &copied, 1, &copy));
    CHECK(cudaGraphGetNodes(graph, nodes, &count));
    if (count == 0) printf("no nodes\n");
    CHECK(cudaGraphInstantiate(&exec, graph, nullptr, nullptr, 0));
    CHECK(cudaGraphClone(&again, graph));
    CHECK(cudaGraphInstantiate(&other, again, nullptr, nullptr, 0));
    cudaKernelNodeParams bends_less = bends;
    bends_less.kernelParams = halved;
    by = 100;
    CHECK(cudaGraphLaunch(exec, stream));
    for (int t = 1; t < steps; t++) {
        CHECK(cudaGraphExecKernelNodeSetParams(exec, bent, t % 2 ? &bends_less : &bends));
        CHECK(cudaGraphExecMemcpyNodeSetParams1D(exec, copied, x, b, (n - t) * sizeof(double),
                                                 cudaMemcpyDeviceToDevice));
        CHECK(cudaGraphLaunch(exec, stream));
    }
    CHECK(cudaGraphLaunch(other, stream));
    CHECK(cudaStreamAddCallback(stream, square, &first, 0));
    CHECK(cudaStreamSynchronize(stream));
    bend<<<1, n, 0, stream>>>(x, b, first, n);
    CHECK(cudaStreamSynchronize(stream));
    CHECK(cudaFree(b));
}
#include "program_streams.grad.cuh"

namespace {

enum { CELLS = 24, STEPS = 3 };

std::vector<double> numbers(uint64_t seed) {
    check::generator random = {seed};
    std::vector<double> made;
    for (int i = 0; i < CELLS; i++)
        made.push_back(random.uniform(0.1, 0.6));
    return made;
}

double loss_of(bool forks, const std::vector<double> &x, double by) {
    check::array<double> loss({0.0}), u(x);
    if (forks)
        fork(loss, u, by, CELLS, STEPS, nullptr);
    else
        (void)asked(loss, u, by, CELLS);
    return loss.get()[0];
}

void check_gradient(check::trial &trial, bool forks, gw_pool *pool) {
    const std::vector<double> x = numbers(1);
    const double by = 0.7, h = 1e-5;
    check::array<double> loss({0.0}), u(x), d_loss({1.0}), d_u(std::vector<double>((size_t)CELLS, 0.0));
    double d_by = 0;
    EXPECT_STATUS(forks ? fork_grad_in(pool, loss, u, by, CELLS, STEPS, nullptr, d_loss, d_u, &d_by)
                        : asked_grad_in(pool, loss, u, by, CELLS, d_loss, d_u, &d_by),
                  GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT_NEAR(loss.get()[0], loss_of(forks, x, by), 1e-12);
    EXPECT_NEAR(d_by, (loss_of(forks, x, by + h) - loss_of(forks, x, by - h)) / (2 * h), 1e-6);
    for (size_t i = 0; i < CELLS; i += 5) {
        std::vector<double> more = x, less = x;
        more[i] += h, less[i] -= h;
        EXPECT(check::near(d_u.get()[i], (loss_of(forks, more, by) - loss_of(forks, less, by)) / (2 * h), 1e-6,
                           1));
    }
}

TEST(fork) {
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    check_gradient(trial, true, nullptr);
    check_gradient(trial, true, pool);
    const size_t held = gw_pool_held(pool);
    check_gradient(trial, true, pool);
    EXPECT(held && gw_pool_held(pool) == held);
    gw_pool_free(pool);
}

TEST(asked) { check_gradient(trial, false, nullptr); }

// A gradient fails if the program ends the process there, with the caller's adjoints as they were.
TEST(ended) {
    check::array<double> loss({0.0}), u(numbers(2)), d_loss({1.0}),
        d_u(std::vector<double>((size_t)CELLS, 0.5));
    double d_by = 0;
    EXPECT_STATUS(asked_grad(loss, u, 1.0, 2000, d_loss, d_u, &d_by), GW_ERROR_ARGUMENT);
    EXPECT(strstr(gw_last_error(), "ends the process at program_streams.cu"));
    EXPECT(d_u.get()[0] == 0.5 && d_loss.get()[0] == 1);
}

using graph_program = void(double *, double, int, int, cudaStream_t, cudaStream_t);

// The adjoints of <s, x> against the differences of the program itself, whose graphs run as such.
template <class Gradient, class Forward>
void check_graphs(check::trial &trial, graph_program *program, Gradient gradient, Forward forward) {
    const int n = 8, steps = 2;
    const double by = 0.3;
    cudaStream_t stream, other;
    EXPECT(cudaStreamCreate(&stream) == cudaSuccess && cudaStreamCreate(&other) == cudaSuccess);
    std::vector<double> x = numbers(3), s = numbers(4), v = numbers(5), point = numbers(6);
    for (std::vector<double> *one : {&x, &s, &v, &point})
        one->resize(n);
    for (double &number : x)
        number *= 0.2;
    point.push_back(by);
    const auto run = [&](const std::vector<double> &at) {
        check::array<double> u(std::vector<double>(at.begin(), at.begin() + n));
        program(u, at[n], n, steps, stream, other);
        double sum = 0;
        for (size_t i = 0; i < (size_t)n; i++)
            sum += s[i] * u.get()[i];
        return sum;
    };
    std::copy(x.begin(), x.end(), point.begin());
    check::array<double> u(x), d_u(s), w(x), t_w(v);
    double d_by = 0;
    EXPECT_STATUS(gradient(u, by, n, steps, stream, other, d_u, &d_by), GW_OK);
    EXPECT_STATUS(forward(w, by, n, steps, stream, other, t_w, 0.75), GW_OK);
    EXPECT_DEVICE_OK();
    check::array<double> y(x);
    program(y, by, n, steps, stream, other);
    double along = 0, back = 0.75 * d_by;
    for (size_t i = 0; i < (size_t)n; i++) {
        EXPECT(check::near(w.get()[i], y.get()[i], 1e-12, 1));
        EXPECT_NEAR(d_u.get()[i], check::slope(run, point, i), 1e-5);
        along += s[i] * t_w.get()[i], back += v[i] * d_u.get()[i];
    }
    EXPECT_NEAR(d_by, check::slope(run, point, n), 1e-5);
    EXPECT_NEAR(along, back, 1e-10 * std::fabs(back));
    cudaStreamDestroy(stream), cudaStreamDestroy(other);
}

#define GRAPHS(name)                                                                                           \
    TEST(name) {                                                                                               \
        const auto gradient = [](auto &&...of) { return name##_grad(of...); };                                 \
        check_graphs(trial, name, gradient, [](auto &&...of) { return name##_jvp(of...); });                   \
    }
GRAPHS(replayed)
GRAPHS(captured_once)
GRAPHS(captured_if_null)
GRAPHS(by_hand)
GRAPHS(updated)
GRAPHS(cloned)

} // namespace
TEST_MAIN

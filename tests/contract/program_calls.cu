// Calls that programs of people's own make beside launches: copies through pointers to void of classes that
// hold memory, boxes, rows a pitch apart, members of structs in memory, hints, questions, launches with
// attributes. Against central differences.
#include "../support/expect.cuh"

#include <gradwright/program.h>

struct bytes { // knows nothing of what it holds
    void *at;
    size_t size;
    explicit bytes(size_t n) : size(n) { cudaMalloc(&at, n); }
    ~bytes() { cudaFree(at); }
    bytes(const bytes &) = delete;
    void copy(const bytes &from, cudaStream_t stream) {
        cudaMemcpyAsync(at, from.at, size, cudaMemcpyDeviceToDevice, stream);
    }
};
struct part {
    int tag;
    double w[3];
    float none;
};
struct parts {
    double first;
    part of[2];
    double square[2][2];
};

__global__ void bend(double *v, const double *u, double by, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = u[i] + by * u[i] * u[i];
}
__global__ void total(double *loss, const double *u, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(loss, (1 + i % 5) * u[i] * u[i]);
}
__global__ void of_parts(double *v, const double *u, const parts *p, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = u[i] * p->of[i % 2].w[i % 3] + p->square[i % 2][1] * p->first;
}

GW_GRADIENT("loss wrt x")
void untyped(double *loss, const double *x, int n, cudaStream_t stream) {
    bytes a(n * sizeof(double)), b(n * sizeof(double)), sum(sizeof(double));
    bend<<<1, n, 0, stream>>>((double *)a.at, x, 0.5, n);
    b.copy(a, stream);
    bend<<<1, n, 0, stream>>>((double *)a.at, (double *)b.at, 0.25, n);
    cudaMemcpyAsync((char *)b.at + 2 * sizeof(double), a.at, 2 * sizeof(double), cudaMemcpyDefault, stream);
    cudaMemsetAsync(sum.at, 0, sum.size, stream);
    total<<<1, n, 0, stream>>>((double *)sum.at, (double *)a.at, n);
    total<<<1, n, 0, stream>>>((double *)sum.at, (double *)b.at, n);
    void *out = loss;
    cudaMemcpyAsync(out, sum.at, sum.size, cudaMemcpyDefault, stream);
}

// What is copied from memory of the host's whose size nobody knows: it has no adjoint, and needs none.
GW_GRADIENT("loss wrt x")
void from_host(double *loss, const double *x, const double *host, const void *raw, int n, cudaStream_t stream) {
    double *u, *v;
    cudaMalloc(&u, n * sizeof(double));
    cudaMalloc(&v, n * sizeof(double));
    void *to = v;
    cudaMemcpyAsync(u, host, n * sizeof(double), cudaMemcpyHostToDevice, stream);
    bend<<<1, n, 0, stream>>>(v, u, 0.5, n);
    cudaMemcpyAsync(to, raw, 2 * sizeof(double), cudaMemcpyHostToDevice, stream);
    cudaMemcpyAsync(u + 1, x, (n - 1) * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    cudaMemsetAsync(loss, 0, sizeof(double), stream);
    total<<<1, n, 0, stream>>>(loss, u, n);
    bend<<<1, n, 0, stream>>>(u, v, 0.5, n);
    cudaMemcpyAsync(u, host + 1, 2 * sizeof(double), cudaMemcpyHostToDevice, stream);
    bend<<<1, n, 0, stream>>>(v, x, 2, n);
    total<<<1, n, 0, stream>>>(loss, u, n);
    total<<<1, n, 0, stream>>>(loss, v, n);
    cudaFree(u), cudaFree(v);
}

GW_GRADIENT("loss wrt x")
void boxes(double *loss, const double *x, int n, cudaStream_t stream) { // of 2 x 2 x 2 cells
    const cudaExtent all = make_cudaExtent(2 * sizeof(double), 2, 2),
                     one = make_cudaExtent(sizeof(double), 1, 2);
    cudaPitchedPtr a;
    double *u, *v;
    size_t pitch;
    cudaMalloc3D(&a, all);
    cudaMallocPitch(&v, &pitch, 4 * sizeof(double), 4);
    cudaMalloc(&u, n * sizeof(double));
    cudaMemset3DAsync(a, 0, all, stream);
    cudaMemset2DAsync(v, pitch, 0, pitch, 4, stream);
    bend<<<1, n, 0, stream>>>(u, x, 0.5, n);
    cudaMemcpy3DParms copy = {};
    copy.srcPtr = make_cudaPitchedPtr(u, 2 * sizeof(double), 2, 2);
    copy.dstPtr = a;
    copy.extent = all;
    copy.kind = cudaMemcpyDeviceToDevice;
    cudaMemcpy3DAsync(&copy, stream);
    cudaMemset3DAsync(a, 0, one, stream);
    copy.srcPtr = a;
    copy.dstPtr = make_cudaPitchedPtr(v, pitch, 4, 2);
    copy.dstPos = make_cudaPos(sizeof(double), 0, 0);
    cudaMemcpy3DAsync(&copy, stream);
    cudaMemsetAsync(loss, 0, sizeof(double), stream);
    total<<<1, 64, 0, stream>>>(loss, v, (int)(pitch / sizeof(double) * 4));
    total<<<1, n, 0, stream>>>(loss, u, n);
    cudaFree(a.ptr), cudaFree(u), cudaFree(v);
}

GW_GRADIENT("loss wrt x")
void members(double *loss, const double *x, int n) {
    parts *p;
    double *u;
    cudaMallocManaged(&p, 2 * sizeof *p);
    cudaMalloc(&u, n * sizeof(double));
    cudaMemset(p, 0, 2 * sizeof *p);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 3; i++)
            p[1].of[k].w[i] = x[i] * x[i + k];
    for (int i = 0; i < 2; i++)
        p[1].square[i][1] = p[1].of[i].w[i] + x[3];
    bend<<<1, 1>>>(&p[1].first, x + 1, 2, 1);
    bend<<<1, 2>>>(p[0].of[1].w, p[1].of[0].w + 1, 2, 2);
    cudaMemcpy(&p[1].of[1].w[1], p[0].of[1].w, 2 * sizeof(double), cudaMemcpyDefault);
    of_parts<<<1, n>>>(u, x, p + 1, n);
    cudaMemset(loss, 0, sizeof(double));
    total<<<1, n>>>(loss, u, n);
    *loss += p[1].first * p[0].of[1].w[1];
    cudaFree(p), cudaFree(u);
}

// A variable of the device that is written three times.
__device__ double factor;
__global__ void times(double *v, const double *u, int n) {
    const int i = threadIdx.x;
    if (i < n) v[i] = factor * u[i] * u[i];
}
GW_GRADIENT("loss wrt x")
void variables(double *loss, const double *x, int n, cudaStream_t stream) {
    double *u, *v;
    cudaMalloc(&u, n * sizeof(double));
    cudaMalloc(&v, n * sizeof(double));
    cudaMemcpyAsync(u, x, n * sizeof(double), cudaMemcpyDeviceToDevice, stream);
    for (int t = 0; t < 3; t++) {
        cudaMemcpyToSymbolAsync(factor, u + t, sizeof(double), 0, cudaMemcpyDeviceToDevice, stream);
        times<<<1, n, 0, stream>>>(v, u, n);
        std::swap(u, v);
    }
    cudaMemsetAsync(loss, 0, sizeof(double), stream);
    total<<<1, n, 0, stream>>>(loss, u, n);
    cudaFree(u), cudaFree(v);
}

// What changes no number, and the adjoint of none.
GW_GRADIENT("loss wrt x")
void hints(double *loss, const double *x, int n, cudaStream_t stream) {
    cudaEvent_t before, behind;
    double *u;
    int device;
    float took;
    cudaGetDevice(&device);
    cudaSetDevice(device);
    cudaFuncSetAttribute(bend, cudaFuncAttributeMaxDynamicSharedMemorySize, 1024);
    cudaFuncSetCacheConfig(bend, cudaFuncCachePreferL1);
    cudaMallocManaged(&u, n * sizeof(double));
    cudaEventCreate(&before), cudaEventCreate(&behind);
    cudaEventRecord(before, stream);
    cudaLaunchAttribute attributes[2] = {};
    attributes[0].id = cudaLaunchAttributePriority;
    attributes[0].val.priority = 0;
    attributes[1].id = cudaLaunchAttributeCooperative;
    attributes[1].val.cooperative = 1;
    cudaLaunchConfig_t how = {};
    how.gridDim = dim3(1), how.blockDim = dim3(n), how.dynamicSmemBytes = 1024, how.stream = stream;
    how.attrs = attributes, how.numAttrs = n > 4 ? 2 : 0;
    cudaLaunchKernelEx(&how, bend, u, x, 0.5, n);
    cudaEventRecord(behind, stream);
    while (cudaEventQuery(behind) == cudaErrorNotReady) {
    }
    while (cudaStreamQuery(stream) == cudaErrorNotReady) {
    }
    cudaEventElapsedTime(&took, before, behind);
    cudaMemsetAsync(loss, 0, sizeof(double), stream);
    if (took >= 0) total<<<1, n, 0, stream>>>(loss, u, n);
    cudaEventDestroy(before), cudaEventDestroy(behind);
    cudaFree(u);
}
GW_GRADIENT("loss wrt x")
void elsewhere(double *loss, const double *x, int n) {
    cudaSetDevice(1 << 20);
    total<<<1, n>>>(loss, x, n);
}
#include "program_calls.grad.cuh"

namespace {

enum { CELLS = 8 };

std::vector<double> numbers() { return check::uniform_numbers(9, CELLS, 0.3, 1.2); }

template <class F> double loss_of(F f, const std::vector<double> &x) {
    check::shared_array<double> loss({0.0}), u(x);
    f(loss, u);
    return loss.get()[0];
}

template <class F, class G> void compare(check::trial &trial, F f, G gradient) {
    const std::vector<double> x = numbers();
    check::shared_array<double> loss({0.0}), u(x), d_loss({1.0}), d_u(std::vector<double>(x.size(), 0.0));
    gw_pool *pool = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK);
    size_t held = 0;
    for (int run = 0; run < 3; run++) {
        d_loss.set({1.0}), d_u.set(std::vector<double>(x.size(), 0.0));
        EXPECT_STATUS(gradient(pool, loss, u, d_loss, d_u), GW_OK);
        EXPECT_DEVICE_OK();
        if (run) EXPECT(gw_pool_held(pool) == held);
        held = gw_pool_held(pool);
    }
    EXPECT(u.get() == x);
    EXPECT_NEAR(loss.get()[0], loss_of(f, x), 1e-12);
    const double h = 1e-6;
    for (size_t i = 0; i < x.size(); i++) {
        std::vector<double> more = x, less = x;
        more[i] += h, less[i] -= h;
        EXPECT(check::near(d_u.get()[i], (loss_of(f, more) - loss_of(f, less)) / (2 * h), 1e-6, 1));
    }
    /* With memory for the first blocks only: nothing is lost, inputs are as they were, and so is the adjoint of
     * x unless the status says that it is not. */
    for (size_t limit = 256, good = 0; !good && limit < 1 << 20; limit += 256) {
        gw_pool *little = nullptr;
        EXPECT(gw_pool_make(&little) == GW_OK);
        gw_pool_limit(little, limit);
        d_loss.set({1.0}), d_u.set(std::vector<double>(x.size(), 0.5));
        const gw_status status = gradient(little, loss, u, d_loss, d_u);
        const std::string text = gw_last_error();
        good = status == GW_OK;
        EXPECT(good || status == GW_ERROR_MEMORY);
        EXPECT(u.get() == x);
        if (!good && text.find("the adjoints of") == std::string::npos)
            EXPECT(d_loss.get()[0] == 1.0 && d_u.get() == std::vector<double>(x.size(), 0.5));
        gw_pool_free(little);
        EXPECT_DEVICE_OK();
    }
    gw_pool_free(pool);
}

/* As a graph, a hundred times. */
template <class F> void replay(check::trial &trial, F gradient) {
    const std::vector<double> x = numbers(), none(x.size(), 0.0);
    check::shared_array<double> loss({0.0}), u(x), d_loss({1.0}), d_u(none);
    gw_pool *pool = nullptr;
    cudaStream_t stream = nullptr;
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t made = nullptr;
    EXPECT(gw_pool_make(&pool) == GW_OK && cudaStreamCreate(&stream) == cudaSuccess);
    EXPECT_STATUS(gradient(pool, loss, u, stream, d_loss, d_u), GW_OK);
    EXPECT_DEVICE_OK();
    const std::vector<double> found = d_u.get();
    EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
    EXPECT_STATUS(gradient(pool, loss, u, stream, d_loss, d_u), GW_OK);
    EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
    EXPECT(cudaGraphInstantiate(&made, graph, nullptr, nullptr, 0) == cudaSuccess);
    for (int run = 0; run < 100; run++) {
        d_loss.set({1.0}), d_u.set(none);
        EXPECT(cudaGraphLaunch(made, stream) == cudaSuccess && cudaStreamSynchronize(stream) == cudaSuccess);
        for (size_t i = 0; i < x.size(); i++)
            EXPECT(check::near(d_u.get()[i], found[i], 1e-12, 1));
    }
    cudaGraphExecDestroy(made), cudaGraphDestroy(graph), cudaStreamDestroy(stream);
    gw_pool_free(pool);
}

TEST(replayed) {
    replay(trial, [](gw_pool *pool, double *loss, const double *x, cudaStream_t stream, double *d_loss,
                     double *d_x) { return untyped_grad_in(pool, loss, x, CELLS, stream, d_loss, d_x); });
    replay(trial, [](gw_pool *pool, double *loss, const double *x, cudaStream_t stream, double *d_loss,
                     double *d_x) { return boxes_grad_in(pool, loss, x, CELLS, stream, d_loss, d_x); });
    replay(trial, [](gw_pool *pool, double *loss, const double *x, cudaStream_t stream, double *d_loss,
                     double *d_x) { return variables_grad_in(pool, loss, x, CELLS, stream, d_loss, d_x); });
}

TEST(untyped) {
    compare(
        trial, [](double *loss, const double *x) { untyped(loss, x, CELLS, nullptr); },
        [](gw_pool *pool, double *loss, const double *x, double *d_loss, double *d_x) {
            return untyped_grad_in(pool, loss, x, CELLS, nullptr, d_loss, d_x);
        });
}
TEST(from_host) {
    const std::vector<double> host = {0.5, -1, 2, 0.25, 3, 1, -2, 0.75};
    compare(
        trial,
        [&](double *loss, const double *x) {
            from_host(loss, x, host.data(), host.data() + 2, CELLS, nullptr);
        },
        [&](gw_pool *pool, double *loss, const double *x, double *d_loss, double *d_x) {
            return from_host_grad_in(pool, loss, x, host.data(), host.data() + 2, CELLS, nullptr, d_loss, d_x);
        });
}
TEST(boxes) {
    compare(
        trial, [](double *loss, const double *x) { boxes(loss, x, CELLS, nullptr); },
        [](gw_pool *pool, double *loss, const double *x, double *d_loss, double *d_x) {
            return boxes_grad_in(pool, loss, x, CELLS, nullptr, d_loss, d_x);
        });
}
TEST(members) {
    compare(
        trial, [](double *loss, const double *x) { members(loss, x, CELLS); },
        [](gw_pool *pool, double *loss, const double *x, double *d_loss, double *d_x) {
            return members_grad_in(pool, loss, x, CELLS, d_loss, d_x);
        });
}
TEST(variables) {
    compare(
        trial, [](double *loss, const double *x) { variables(loss, x, CELLS, nullptr); },
        [](gw_pool *pool, double *loss, const double *x, double *d_loss, double *d_x) {
            return variables_grad_in(pool, loss, x, CELLS, nullptr, d_loss, d_x);
        });
}
TEST(hints) {
    compare(
        trial, [](double *loss, const double *x) { hints(loss, x, CELLS, nullptr); },
        [](gw_pool *pool, double *loss, const double *x, double *d_loss, double *d_x) {
            return hints_grad_in(pool, loss, x, CELLS, nullptr, d_loss, d_x);
        });
}
TEST(elsewhere) {
    check::shared_array<double> loss({0.0}), u(numbers()), d_loss({1.0}), d_u(numbers());
    EXPECT_STATUS(elsewhere_grad(loss, u, CELLS, d_loss, d_u), GW_ERROR_ARGUMENT);
    EXPECT(std::strstr(gw_last_error(), "select it before"));
    EXPECT(d_u.get() == numbers() && d_loss.get()[0] == 1.0);
}

} // namespace
TEST_MAIN

// Atomic operations whose result is used, and such on floats of which one value wins: split gradients, with
// what the first half found. Which slot a thread gets is another in each order of the threads, so expectations
// are made from what the primal said.
#include "../support/expect.cuh"

#include <gradwright/atomic.cuh>

#include <cuda/atomic>

typedef double real;
typedef std::vector<double> numbers;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define ALL 0xffffffffu

// ---- lists that threads append to ----
GW_SPLIT_GRADIENT("y wrt x")
__global__ void appended(real *y, int *owner, int *count, const real *x, int n) {
    int i = HERE;
    if (i < n && x[i] > 1) {
        int slot = atomicAdd(count, 1);
        y[slot] = x[i] * x[i];
        owner[slot] = i;
    }
}

// The list has a limited length.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void appended_some(real *y, int *owner, unsigned *count, const real *x, int n, unsigned room) {
    for (int i = HERE; i < n; i += gridDim.x * blockDim.x) {
        const cuda::atomic_ref<unsigned, cuda::thread_scope_device> number(*count);
        unsigned slot = number.fetch_add(1, cuda::memory_order_relaxed);
        if (slot >= room) continue;
        y[slot] = x[i] * x[i];
        owner[slot] = i;
    }
}

// One thread of each warp asks for all that have something.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void appended_by_warps(real *y, int *owner, int *count, const real *x) {
    int i = HERE, lane = threadIdx.x % 32;
    unsigned mask = __ballot_sync(ALL, x[i] > 1);
    int base = 0;
    if (lane == 0) base = atomicAdd(count, __popc(mask));
    base = __shfl_sync(ALL, base, 0);
    if (x[i] > 1) {
        int slot = base + __popc(mask & ((1u << lane) - 1));
        y[slot] = x[i] * x[i];
        owner[slot] = i;
    }
}

// A list in shared memory, which the block then works on.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void listed(real *y, int *owner, const real *x) {
    __shared__ real list[32];
    __shared__ int from[32], count;
    int t = threadIdx.x;
    if (t == 0) count = 0;
    __syncthreads();
    if (x[HERE] > 1) {
        int slot = atomicAdd(&count, 1);
        list[slot] = x[HERE] * x[HERE];
        from[slot] = HERE;
    }
    __syncthreads();
    y[HERE] = t < count ? list[t] * 3 : 0;
    owner[HERE] = t < count ? from[t] : -1;
}

// Blocks sum at two cells, whose numbers are no variables.
GW_SPLIT_GRADIENT("y wrt gain") GW_ACCUMULATE(gain, copies)
__global__ void drawn(real *y, const real *gain, int *next) {
    for (int j = 0; j < 6; j++) {
        int k = atomicAdd(next, 1);
        if (k < 6) y[k] = gain[0] * gain[1] * (k + 1);
    }
}

// Work that threads take from a queue.
GW_SPLIT_GRADIENT("y wrt x")
__global__ void queued(real *y, const real *x, int *next, int n) {
    for (int k = 0; k < n; k++) {
        int i = atomicAdd(next, 1);
        if (i >= n) break;
        y[i] = x[i] * x[i] * x[i];
    }
}

// ---- the largest, the smallest, the last ----
static __device__ void least_by_swap(double *least, double value) {
    unsigned long long *cell = (unsigned long long *)least, old = *cell, assumed;
    do {
        assumed = old;
        old = atomicCAS(cell, assumed, __double_as_longlong(fmin(value, __longlong_as_double(assumed))));
    } while (assumed != old);
}

GW_SPLIT_GRADIENT("most, least wrt x")
__global__ void extremes(real *most, real *least, const real *x, int n) {
    for (int i = HERE; i < n; i += gridDim.x * blockDim.x) {
        gw_atomic_max(&most[i % 3], x[i] * x[i]);
        least_by_swap(least, sin(x[i]));
    }
}

GW_SPLIT_GRADIENT("last wrt x")
__global__ void last(float *last, const float *x) {
    if (HERE % 2) cuda::atomic_ref<float>(last[HERE % 3]).store(x[HERE] * x[HERE]);
}

// Only those ask that may win.
GW_SPLIT_GRADIENT("most wrt x")
__global__ void asked_first(real *most, const real *x) {
    real v = x[HERE] * x[HERE];
    if (v > *most) gw_atomic_max(most, v);
}

// The greatest by atomics, then a softmax and its logarithm, which are smooth where several are greatest.
GW_SPLIT_GRADIENT("most wrt x")
__global__ void greatest(real *most, const real *x) { gw_atomic_max(most, x[HERE]); }
GW_GRADIENT("y wrt x, most")
__global__ void softmax(real *y, const real *x, const real *most, int n) {
    real all = 0;
    for (int k = 0; k < n; k++) all += exp(x[k] - *most);
    y[HERE] = exp(x[HERE] - *most) / all + x[HERE] * (log(all) + *most);
}

#include "atomic_results.grad.cuh"

enum { N = 90, THREADS = 64 };
static numbers waves(int n) {
    numbers v(n);
    for (int i = 0; i < n; i++) v[i] = 1 + 0.6 * std::sin(i * 1.7 + 0.3);
    return v;
}
static numbers seeds(int n) {
    numbers v(n);
    for (int i = 0; i < n; i++) v[i] = 0.5 + 0.01 * i;
    return v;
}

struct list_case {
    check::array<double> y{numbers(N)}, x{waves(N)}, d_y{seeds(N)}, d_x{numbers(N)};
    check::array<int> owner{std::vector<int>(N, -1)};
    // Every entry has one owner, and its adjoint is there and nowhere else.
    void expect(check::trial &trial, real factor) {
        numbers want(N), input = x.get(), got = y.get(), seed = seeds(N);
        std::vector<int> owners = owner.get();
        int found = 0;
        for (int k = 0; k < N; k++) {
            if (owners[k] < 0) continue;
            found++;
            double at = input[owners[k]];
            EXPECT(check::near(got[k], factor * at * at, 1e-14));
            want[owners[k]] = factor * seed[k] * 2 * at;
            EXPECT(d_y.get()[k] == 0);
        }
        EXPECT(found > 5);
        for (int i = 0; i < N; i++) EXPECT(check::near(d_x.get()[i], want[i], 1e-13));
    }
};
/* Nothing that is printed depends on the order of the threads: another device has another one. */
#define HALVES(kernel, grid, block, forward, backward)                                                         \
    check::device_bytes tape(kernel##_tape_bytes(grid, block, UNPACK forward));                                \
    EXPECT_STATUS((kernel##_fwd_launch(grid, block, 0, 0, UNPACK forward, tape.data(), tape.size())), GW_OK);  \
    EXPECT_STATUS(                                                                                             \
        (kernel##_bwd_launch(grid, block, 0, 0, UNPACK forward, UNPACK backward, tape.data(), tape.size())),   \
        GW_OK);
#define UNPACK(...) __VA_ARGS__

TEST(a_list) {
    list_case c;
    check::array<int> count{std::vector<int>(1)};
    HALVES(appended, 3, 32, (c.y.data(), c.owner.data(), count.data(), c.x.data(), N),
           (c.d_y.data(), c.d_x.data()))
    c.expect(trial, 1);
}

TEST(a_list_of_limited_length) {
    list_case c;
    check::array<unsigned> count{std::vector<unsigned>(1)};
    HALVES(appended_some, 2, 16, (c.y.data(), c.owner.data(), count.data(), c.x.data(), N, 40),
           (c.d_y.data(), c.d_x.data()))
    c.expect(trial, 1);
    EXPECT(count.get()[0] == N);
}

TEST(a_list_by_warps) {
    list_case c;
    check::array<int> count{std::vector<int>(1)};
    HALVES(appended_by_warps, 1, THREADS, (c.y.data(), c.owner.data(), count.data(), c.x.data()),
           (c.d_y.data(), c.d_x.data()))
    c.expect(trial, 1);
}

TEST(a_list_in_shared_memory) {
    list_case c;
    HALVES(listed, 2, 32, (c.y.data(), c.owner.data(), c.x.data()), (c.d_y.data(), c.d_x.data()))
    c.expect(trial, 3);
}

TEST(a_queue) {
    list_case c;
    check::array<int> next{std::vector<int>(1)};
    HALVES(queued, 2, 8, (c.y.data(), c.x.data(), next.data(), N), (c.d_y.data(), c.d_x.data()))
    for (int i = 0; i < N; i++) EXPECT_NEAR(c.d_x.get()[i], seeds(N)[i] * 3 * waves(N)[i] * waves(N)[i], 1e-13);
    // The counter would come round; nothing is run.
    EXPECT_STATUS(queued_bwd_launch(2, 8, 0, 0, c.y.data(), c.x.data(), next.data(), 0x7fffffff, c.d_y.data(),
                                    c.d_x.data(), tape.data(), tape.size()),
                  GW_ERROR_LAUNCH);
}

TEST(cells_of_a_block) {
    check::array<double> y{numbers(6)}, gain{numbers{2, 3}}, d_y{numbers(6, 1)}, d_gain{numbers(2)};
    check::array<int> next{std::vector<int>(1)};
    check::device_bytes tape(drawn_tape_bytes(3, 64, y, gain, next));
    check::device_bytes workspace(drawn_bwd_workspace_bytes(3, 64, y, gain, next));
    EXPECT_STATUS(drawn_fwd_launch(3, 64, 0, 0, y, gain, next, tape.data(), tape.size()), GW_OK);
    EXPECT_STATUS(drawn_bwd_launch(3, 64, 0, 0, y, gain, next, d_y, d_gain, tape.data(), tape.size(),
                                   workspace.data(), workspace.size()),
                  GW_OK);
    EXPECT(d_gain.get() == (numbers{21 * 3, 21 * 2}));
}

TEST(the_largest_and_the_smallest) {
    numbers x = waves(N);
    x[40] = x[20]; // neither is an extreme
    check::array<double> most{numbers{0, 100, 0}}, least{numbers{10}}, input{x}, d_most{numbers{2, 3, 5}},
        d_least{numbers{7}}, d_x{numbers(N)};
    HALVES(extremes, 2, 16, (most.data(), least.data(), input.data(), N),
           (d_most.data(), d_least.data(), d_x.data()))
    numbers want(N);
    int at[4] = {0, 1, 2, 0};
    for (int i = 0; i < N; i++) {
        if (x[i] > x[at[i % 3]]) at[i % 3] = i;
        if (std::sin(x[i]) < std::sin(x[at[3]])) at[3] = i;
    }
    want[at[0]] += 2 * 2 * x[at[0]];
    want[at[2]] += 5 * 2 * x[at[2]];
    want[at[3]] += 7 * std::cos(x[at[3]]);
    for (int i = 0; i < N; i++) EXPECT_NEAR(d_x.get()[i], want[i], 1e-13);
    EXPECT(d_most.get()[0] == 0 && d_most.get()[1] == 3 && d_most.get()[2] == 0 && d_least.get()[0] == 0);
}

// Several threads have the largest value: one of them gets all.
TEST(equal_values) {
    numbers x(THREADS, 0.5);
    x[3] = x[30] = x[35] = 2;
    check::array<double> most{numbers{0}}, input{x}, d_most{numbers{3}}, d_x{numbers(THREADS)};
    HALVES(asked_first, 2, 32, (most.data(), input.data()), (d_most.data(), d_x.data()))
    numbers got = d_x.get();
    int takers = 0;
    double sum = 0;
    for (int i = 0; i < THREADS; i++) takers += got[i] != 0, sum += got[i];
    EXPECT(takers == 1 && sum == 12 && (got[3] == 12 || got[30] == 12 || got[35] == 12));
    EXPECT(d_most.get()[0] == 0);
}

TEST(softmax_of_equal_values) {
    numbers x = waves(THREADS);
    x[3] = x[30] = x[35] = 2;
    const real start = -INFINITY;
    real all = 0, both = 0;
    for (real v : x) all += std::exp(v);
    check::array<double> most{numbers{start}}, input{x}, d_most{numbers{0}}, d_x{numbers(THREADS)},
        y{numbers(THREADS)}, d_y{numbers(THREADS, 1)};
    check::device_bytes tape(greatest_tape_bytes(2, 32, most, input));
    const size_t bytes = softmax_workspace_bytes(2, 32, y, input, most, THREADS);
    check::array<char> workspace(std::vector<char>(bytes + 1));
    EXPECT_STATUS(greatest_fwd_launch(2, 32, 0, 0, most, input, tape.data(), tape.size()), GW_OK);
    EXPECT_STATUS(
        softmax_grad_launch(2, 32, 0, 0, y, input, most, THREADS, d_y, d_x, d_most, workspace, bytes), GW_OK);
    EXPECT_STATUS(greatest_bwd_launch(2, 32, 0, 0, most, input, d_most, d_x, tape.data(), tape.size()), GW_OK);
    /* the shares sum to 1, whatever x is; of x_i log(sum) both factors change */
    for (real v : x) both += v;
    for (int i = 0; i < THREADS; i++)
        EXPECT(check::near(d_x.get()[i], std::log(all) + both * std::exp(x[i]) / all, 1e-12));
}

TEST(the_last) {
    std::vector<float> x(THREADS);
    for (int i = 0; i < THREADS; i++) x[i] = 1 + 0.01f * i;
    check::array<float> end{std::vector<float>(3)}, input{x}, d_end{std::vector<float>{2, 3, 5}},
        d_x{std::vector<float>(THREADS)};
    HALVES(last, 2, 32, (end.data(), input.data()), (d_end.data(), d_x.data()))
    for (int i = 0; i < THREADS; i++) {
        bool won = i % 2 && end.get()[i % 3] == x[i] * x[i];
        float seed = i % 3 == 0 ? 2 : i % 3 == 1 ? 3 : 5;
        EXPECT(d_x.get()[i] == (won ? seed * 2 * x[i] : 0));
    }
    EXPECT(d_end.get()[0] == 0 && d_end.get()[1] == 0 && d_end.get()[2] == 0);
}

TEST_MAIN

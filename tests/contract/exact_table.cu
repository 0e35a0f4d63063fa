// Built with --deterministic: exact sums in what pointers in memory lead to and in functions of the device that
// kernels of the user call, where they are read before the kernel ends. The bits of sums that are rounded
// behind it stand in exact_sums.py; what ends a launch, in exact_full_trap.cu.
#include "../support/check.cuh"

#include <gradwright/emitted/exact_table.cuh>

// What a block's threads hand over to each other.
struct buffer {
    float *x;
};
#define HAND_OVER(cells)                                                                                       \
    int own = 8 * (int)blockIdx.x, i = own + (int)threadIdx.x;                                                 \
    cells[i] = cells[i] * 3;                                                                                   \
    __syncthreads();                                                                                           \
    float v = cells[own + at[threadIdx.x]] + cells[own + at[threadIdx.x] / 2];                                 \
    __syncthreads();                                                                                           \
    cells[i] = v + cells[i];
GW_GRADIENT("x wrt x")
__global__ void direct(float *x, const int *at){HAND_OVER(x)} GW_GRADIENT("b.x wrt b.x") __global__
    void pointed(const buffer *b, const int *at) {
    HAND_OVER(b->x)
}

// One for all; members of structs behind pointers of arrays, of both types.
struct point {
    float p[2];
    double q;
};
struct mesh {
    point *points;
    point *const *groups[2];
};
GW_GRADIENT("y wrt m.points, m.groups")
__global__ void of_members(double *y, const mesh *m, const int *at, int n) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = m->points[at[i]].p[i & 1] * m->points[at[i]].q + m->groups[i & 1][at[i]][at[i] & 1].p[0];
}

// x[to] is one thread's, x[from] is everybody's.
GW_GRADIENT("x wrt x")
__device__ void step(float *x, int to, int from) { x[to] = x[to] + x[from] * x[from]; }

// An instance of a template whose tape is measured: everybody reads x.
template <int K, class T> GW_GRADIENT("y wrt x")
__global__ void instance(T *y, const T *x, const int *first, const int *at, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    T v = x[i];
    for (int k = first[i]; k < first[i + 1]; k++)
        for (int j = 0; j < K; j++) v = v * v * T(0.2) + T(0.3) * x[at[k + j]];
    y[i] = v;
}
template __global__ void instance<2, float>(float *, const float *, const int *, const int *, int);

#include "exact_table.grad.cuh"

enum { BLOCKS = 4, LENGTH = 8 * BLOCKS };

static std::vector<float> handed_over(check::trial &trial, bool by_pointer) {
    std::vector<float> start, seed;
    std::vector<int> to;
    for (int i = 0; i < LENGTH; i++)
        start.push_back(0.1f * (float)i), seed.push_back(1.0f / ((float)i - 9.3f));
    for (int i = 0; i < 8; i++)
        to.push_back(i * 5 % 8);
    check::array<float> x(start), d_x(seed);
    check::array<int> at(to);
    const check::array<buffer> b({{x}}), d_b({{d_x}});
    check::device_bytes space(by_pointer ? pointed_workspace_bytes(BLOCKS, 8, b, at, LENGTH)
                                         : direct_workspace_bytes(BLOCKS, 8, x, at, LENGTH));
    space.fill(0x5a);
    const gw_status status =
        by_pointer ? pointed_grad_launch(BLOCKS, 8, 0, 0, b, at, d_b, LENGTH, space.data(), space.size())
                   : direct_grad_launch(BLOCKS, 8, 0, 0, x, at, d_x, LENGTH, space.data(), space.size());
    EXPECT_STATUS(status, GW_OK);
    EXPECT_DEVICE_OK();
    return d_x.get();
}

TEST(rounded_where_they_are_read) {
    const std::vector<float> want = handed_over(trial, false);
    for (int order = 0; order < 20; order++) {
        check::permute(order);
        EXPECT(handed_over(trial, true) == want && handed_over(trial, false) == want);
    }
    check::permute(0);
}

// Numbers that add up without rounding, so that any sum has one value.
TEST(members) {
    const int n = 100, cells = 6;
    std::vector<int> list;
    for (int i = 0; i < n; i++)
        list.push_back(i * 7 % cells);
    std::vector<point> start((size_t)cells, point{{2, 4}, 8}), none((size_t)cells, point{{0, 0}, 0}),
        want = none;
    std::vector<std::vector<point>> of_group(2, std::vector<point>(2 * cells, point{{0, 0}, 0}));
    for (int i = 0; i < n; i++) {
        const int at = list[(size_t)i];
        want[(size_t)at].p[i & 1] += 8, want[(size_t)at].q += i & 1 ? 4 : 2;
        of_group[i & 1][(size_t)(2 * at + (at & 1))].p[0] += 1;
    }
    check::array<double> y(std::vector<double>((size_t)n, 0.0));
    check::array<int> at(list);
    check::array<point> points(start), values(std::vector<point>(2 * cells, point{{1, 1}, 1}));
    std::vector<point *> places;
    for (int i = 0; i < cells; i++)
        places.push_back((point *)values + 2 * i);
    check::array<point *> rows(places);
    const check::array<mesh> m({{points, {rows, rows}}});
    for (const dim3 shape : {dim3(1), dim3(3), dim3(7)})
        for (int order = 0; order < 10; order++) {
            check::permute(order);
            check::array<double> d_y(std::vector<double>((size_t)n, 1.0));
            check::array<point> d_points(none),
                d_first(of_group[0].size() ? std::vector<point>(2 * cells) : none),
                d_second(std::vector<point>(2 * cells));
            std::vector<point *> first, second;
            for (int i = 0; i < cells; i++)
                first.push_back((point *)d_first + 2 * i), second.push_back((point *)d_second + 2 * i);
            check::array<point *> d_rows(first), d_others(second);
            const check::array<mesh> d_m({{d_points, {d_rows, d_others}}});
            check::device_bytes space(of_members_workspace_bytes(shape, 32, y, m, at, n, 12, 6, 12));
            EXPECT_STATUS(of_members_grad_launch(shape, 32, 0, 0, y, m, at, n, d_y, d_m, 12, 6, 12,
                                                 space.data(), space.size()),
                          GW_OK);
            EXPECT_DEVICE_OK();
            for (size_t i = 0; i < (size_t)cells; i++)
                EXPECT(d_points.get()[i].p[0] == want[i].p[0] && d_points.get()[i].p[1] == want[i].p[1] &&
                       d_points.get()[i].q == want[i].q);
            for (size_t i = 0; i < 2 * (size_t)cells; i++)
                EXPECT(d_first.get()[i].p[0] == of_group[0][i].p[0] &&
                       d_second.get()[i].p[0] == of_group[1][i].p[0]);
        }
    check::permute(0);
}

// x: 8 numbers, 32 that are made of them, 32 that are made of the first 8 of these.
__global__ void layers(float *x) {
    const int t = threadIdx.x;
    step(x, 8 + t, t % 8);
    __syncthreads();
    step(x, 40 + t, 8 + t % 8);
}
__global__ void layers_back(float *x, float *d_x, gw_exact_column<float> sums) {
    const int t = threadIdx.x;
    step_grad(x, 40 + t, 8 + t % 8, d_x, sums);
    __syncthreads();
    step_grad(x, 8 + t, t % 8, d_x, sums);
}

TEST(functions_that_read_sums) {
    const int n = 72;
    std::vector<float> start((size_t)n, 0.0f), seed((size_t)n, 0.0f);
    for (int i = 0; i < 8; i++)
        start[(size_t)i] = (float)(i + 1);
    for (int i = 40; i < n; i++)
        seed[(size_t)i] = 1;
    for (int order = 0; order < 20; order++) {
        check::permute(order);
        check::array<float> x(start), d_x(seed);
        layers<<<1, 32>>>(x);
        check::device_bytes space(gw_exact_column_bytes<float>(n));
        gw_exact_column<float> sums;
        EXPECT_STATUS(gw_exact_begin(&sums, (float *)d_x, n, space.data(), space.size() - 1, nullptr),
                      GW_ERROR_WORKSPACE);
        EXPECT_STATUS(gw_exact_begin(&sums, (float *)d_x, n, space.data(), space.size(), nullptr), GW_OK);
        layers_back<<<1, 32>>>(x, d_x, sums);
        EXPECT_STATUS(gw_exact_sum("layers", nullptr, sums), GW_OK);
        EXPECT_DEVICE_OK();
        const std::vector<float> got = d_x.get();
        for (int i = 0; i < 8;
             i++) { /* four threads made of each number v its square, w; and of that, four w^2 */
            const float v = start[(size_t)i], w = v * v, d_w = 4 * 2 * w;
            EXPECT(got[(size_t)(8 + i)] == d_w && got[(size_t)i] == d_w * 2 * v);
        }
    }
    check::permute(0);
}

static double sum_of_instance(const std::vector<double> &x, const std::vector<int> &first) {
    const int n = (int)x.size();
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double v = x[(size_t)i];
        for (int k = first[(size_t)i]; k < first[(size_t)i + 1]; k++)
            for (int j = 0; j < 2; j++) v = v * v * 0.2 + 0.3 * x[(size_t)((k + j) % n)];
        sum += v;
    }
    return sum;
}

TEST(instances) {
    const std::vector<int> list = {0, 3, 4, 4, 9, 10, 17, 18, 18};
    const int n = (int)list.size() - 1;
    std::vector<double> start;
    std::vector<int> to;
    for (int i = 0; i < n; i++)
        start.push_back(0.25 * i - 1);
    for (int i = 0; i < 20; i++)
        to.push_back(i % n);
    std::vector<float> before;
    for (int order = 0; order < 10; order++) {
        check::permute(order);
        check::array<float> x(std::vector<float>(start.begin(), start.end())),
            y(std::vector<float>((size_t)n, 0.0f)), d_x(std::vector<float>((size_t)n, 0.0f)),
            d_y(std::vector<float>((size_t)n, 1.0f));
        check::array<int> first(list), at(to);
        check::device_bytes space((instance_workspace_bytes<2, float>(2, 4, y, x, first, at, n, (size_t)n)));
        EXPECT_STATUS((instance_grad_launch<2, float>(2, 4, 0, 0, y, x, first, at, n, d_y, d_x, (size_t)n,
                                                      space.data(), space.size())),
                      GW_OK);
        EXPECT_DEVICE_OK();
        const std::vector<float> got = d_x.get();
        EXPECT(!order || got == before);
        before = got;
    }
    check::permute(0);
    for (size_t i = 0; i < (size_t)n; i++) {
        std::vector<double> more = start, less = start;
        more[i] += 1e-5, less[i] -= 1e-5;
        const double slope = (sum_of_instance(more, list) - sum_of_instance(less, list)) / 2e-5;
        EXPECT(std::fabs(before[i] - slope) < 1e-4 * (1 + std::fabs(slope)));
    }
}

// What it takes.
TEST(workspace) {
    check::array<float> x(std::vector<float>(8, 1.0f)), d_x(std::vector<float>(8, 1.0f));
    check::array<int> at(std::vector<int>(8, 0));
    const check::array<buffer> b({{x}}), d_b({{d_x}});
    const size_t bytes = pointed_workspace_bytes(1, 8, b, at, 10);
    EXPECT(bytes == 16 + 16 * (8 + 80)); /* 10, half as many more, and an even number of places */
    EXPECT(pointed_workspace_bytes(1, 8, b, at, 0) == 0);
    EXPECT(pointed_workspace_bytes(1, 8, b, at, SIZE_MAX) == SIZE_MAX);
    check::device_bytes space(bytes);
    EXPECT_STATUS(pointed_grad_launch(1, 8, 0, 0, b, at, d_b, 10, space.data(), bytes - 1), GW_ERROR_WORKSPACE);
    EXPECT_STATUS(pointed_grad_launch(1, 8, 0, 0, b, at, d_b, 10, nullptr, bytes), GW_ERROR_WORKSPACE);
    EXPECT(d_x.get() == std::vector<float>(8, 1.0f));
}
TEST_MAIN

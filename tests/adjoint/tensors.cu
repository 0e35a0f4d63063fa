// Tensors whose strides are the caller's. Launches in which cells of several threads are one, by a stride of 0,
// a length of 1, rows that overlap or lie upside down, are right, too.
#include "../support/check.cuh"

typedef double real;

struct shape {
    int dims[4], strides[4];
};
struct size {
    unsigned x, y, z;
};

__host__ __device__ inline int at(const shape &s, int n, int h, int w, int c) {
    return (s.dims[0] == 1 ? 0 : n * s.strides[0]) + (s.dims[1] == 1 ? 0 : h * s.strides[1]) +
           (s.dims[2] == 1 ? 0 : w * s.strides[2]) + (s.dims[3] == 1 ? 0 : c * s.strides[3]);
}
__device__ inline real fetch(const real *val, unsigned i) { return val[i]; }

#define HERE                                                                                                  \
    const unsigned x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,      \
                   z = blockIdx.z

BOTH("out wrt a, b")
__global__ void of_two(real *out, const real *a, const real *b, shape of_a, shape of_b, size n) {
    HERE;
    if (x >= n.x || y >= n.y || z >= n.z) return;
    real sum = 0;
    for (int c = 0; c < 3; c++)
        sum += fetch(a, at(of_a, z, y, x, c)) * fetch(b, at(of_b, z, y, x, c)) * (c + 1);
    out[(z * n.y + y) * n.x + x] = sum * sum;
}

// Adjoints that are new: additions are stores where each cell is one thread's, and what nobody stores to is 0.
GW_GRADIENT("out wrt a[0:cells_a] fresh, b[0:cells_b] fresh") GW_DERIVATIVE("out wrt a, b")
__global__ void of_new(real *out, const real *a, const real *b, shape of_a, shape of_b, size n, int cells_a,
                       int cells_b) {
    HERE;
    (void)cells_a, (void)cells_b;
    if (x >= n.x || y >= n.y || z >= n.z) return;
    const real r = fetch(a, at(of_a, z, y, x, 0)) * fetch(b, at(of_b, z, y, x, 0)),
               g = fetch(a, at(of_a, z, y, x, 1)) * fetch(b, at(of_b, z, y, x, 1)),
               v = fetch(a, at(of_a, z, y, x, 2)) * fetch(b, at(of_b, z, y, x, 2));
    out[(z * n.y + y) * n.x + x] = (r + g * g) * v;
}

// Channels written out; the first is read twice.
BOTH("out wrt a")
__global__ void of_one(real *out, const real *a, shape of_a, size n) {
    HERE;
    if (x >= n.x || y >= n.y || z >= n.z) return;
    const real r = fetch(a, at(of_a, z, y, x, 0)), g = fetch(a, at(of_a, z, y, x, 1)),
               b = fetch(a, at(of_a, z, y, x, 2));
    real sum = r * g + b;
    if (x % 2) sum *= fetch(a, at(of_a, z, y, x, 0));
    out[(z * n.y + y) * n.x + x] = sum;
}

// A layer is the launch's: nobody bounds it.
BOTH("out wrt a")
__global__ void of_layers(real *out, const real *a, shape of_a, unsigned w) {
    HERE;
    if (x >= w) return;
    out[(z * gridDim.y * blockDim.y + y) * w + x] =
        fetch(a, at(of_a, z, y, x, 0)) * fetch(a, at(of_a, z, y, x, 1));
}

// Any threads of a warp are in one pixel each, whatever lies behind it in z.
BOTH("out wrt a")
__global__ void of_threads(real *out, const real *a, shape of_a, size n) {
    HERE;
    if (x >= n.x || y >= n.y || z >= n.z) return;
    const real v = fetch(a, at(of_a, z, y, x, 0)) * fetch(a, at(of_a, z, y, x, 2));
    out[((z * n.y + y) * n.x + x) * blockDim.z + threadIdx.z] = v * v * (threadIdx.z + 1);
}

// Three numbers of a thread that may be one cell: the last has it.
BOTH("y wrt x")
__global__ void three_by_a_stride(real *y, const real *x, int first, int stride, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const real v = x[i];
    real *to = y + first + 5 * i;
    to[0] = v * v;
    to[stride] = sin(v);
    to[2 * stride] = v * v * v;
}

// Some of them by a condition; the first is read again.
BOTH("y wrt x")
__global__ void some_by_a_stride(real *y, const real *x, int first, int stride, int other, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const real v = x[i];
    real *to = y + first + 5 * i;
    to[0] = v * v;
    to[stride] = sin(v) + 2 * to[0];
    if (i % 2) to[other] = v * v * v;
    to[2 * stride] = cos(v) + 3 * to[other];
    for (int k = 0; k < 2; k++) to[k * other] += v * (k + 2);
}

// The same behind members, and of a seed behind one.
struct image {
    real *val;
    shape as;
};
struct images {
    image a, out;
    size n;
};
GW_GRADIENT("p.out.val wrt p.a.val[0:p.n.x * p.n.y * p.n.z * p.a.as.dims[3] + 1] fresh")
__global__ void of_images(images p) {
    HERE;
    if (x >= p.n.x || y >= p.n.y || z >= p.n.z) return;
    real v[3];
    for (int c = 0; c < 3; c++) v[c] = fetch(p.a.val, at(p.a.as, z, y, x, c));
    p.out.val[at(p.out.as, z, y, x, 0)] = v[0] * v[1];
    p.out.val[at(p.out.as, z, y, x, 1)] = sin(v[2]);
}

#include "tensors.grad.cuh"

// All cells are stored to but one behind them; where the strides say that cells are one, and where threads are
// too few.
static void check_images(check::trial &trial, const shape &of_a, dim3 grid) {
    const size_t cells = 121;
    std::vector<double> values(cells), seeds(80), want(cells, 0);
    for (size_t i = 0; i < cells; i++) values[i] = 0.5 + 0.01 * i;
    for (size_t i = 0; i < seeds.size(); i++) seeds[i] = 1 + 0.1 * i;
    check::array<real> a(values), d_a(std::vector<double>(cells, NAN)), out(std::vector<double>(80, 0)),
        d_out(seeds);
    images p = {{a, of_a}, {out, {{2, 4, 5, 2}, {40, 10, 2, 1}}}, {5, 4, 2}}, d = p;
    d.a.val = d_a, d.out.val = d_out;
    EXPECT_STATUS(of_images_grad_launch(grid, dim3(3, 2), 0, 0, p, d, nullptr, 0), GW_OK);
    EXPECT_DEVICE_OK();
    for (unsigned z = 0; z < 2 && z < grid.z; z++)
        for (unsigned y = 0; y < 4; y++)
            for (unsigned x = 0; x < 5 && x < 3 * grid.x; x++) {
                int c[3];
                for (int k = 0; k < 3; k++) c[k] = at(of_a, z, y, x, k);
                const double *s = &seeds[40 * z + 10 * y + 2 * x];
                want[c[0]] += s[0] * values[c[1]], want[c[1]] += s[0] * values[c[0]];
                want[c[2]] += s[1] * std::cos(values[c[2]]);
            }
    const std::vector<double> have = d_a.get();
    double worst = 0;
    for (size_t i = 0; i < cells; i++)
        if (!(std::fabs(have[i] - want[i]) <= worst)) worst = std::fabs(have[i] - want[i]);
    EXPECT(worst < 1e-12);
}

#define THREE(name, ...)                                                                                      \
    CHECK_CASE(name, three_by_a_stride, three_by_a_stride, 1e-8, 2, 8, inout(60), in(10), __VA_ARGS__, 10)
THREE(three_cells, 0, 1)
THREE(three_are_one, 0, 0)
THREE(three_back, 4, -1)
THREE(three_far, 0, 2)
#define SOME(name, ...)                                                                                       \
    CHECK_CASE(name, some_by_a_stride, some_by_a_stride, 1e-8, 2, 8, inout(60), in(10), __VA_ARGS__, 10)
SOME(some_cells, 0, 1, 3)
SOME(some_are_one, 0, 0, 0)
SOME(some_are_the_first, 0, 1, 0)
SOME(some_are_the_second, 0, 2, 2)
SOME(some_are_the_last, 0, 1, 2)
SOME(some_back, 4, -1, -2)

#define SHAPE(n, h, w, c, ...) (shape{{n, h, w, c}, {__VA_ARGS__}})
#define SIZE(...) (size{__VA_ARGS__})
#define TWO(name, cells_a, a, cells_b, b)                                                                     \
    CHECK_CASE(name, of_two, of_two, 1e-8, dim3(2, 2, 2), dim3(3, 2), out(40), in(cells_a), in(cells_b), a, b, \
               SIZE(5, 4, 2))                                                                                 \
    CHECK_CASE(new_##name, of_new, of_new, 1e-8, dim3(2, 2, 2), dim3(3, 2), out(40), fresh(in(cells_a)),      \
               fresh(in(cells_b)), a, b, SIZE(5, 4, 2), cells_a, cells_b)
#define DENSE SHAPE(2, 4, 5, 3, 60, 15, 3, 1)
TWO(both_dense, 120, DENSE, 120, DENSE)
TWO(one_pixel_for_all, 120, DENSE, 3, SHAPE(1, 1, 1, 3, 3, 3, 3, 1))
TWO(no_strides, 3, SHAPE(2, 4, 5, 3, 0, 0, 0, 1), 120, DENSE)
TWO(grey, 40, SHAPE(2, 4, 5, 1, 20, 5, 1, 1), 1, SHAPE(1, 1, 1, 1, 0, 0, 0, 0))
TWO(one_for_a_row, 15, SHAPE(1, 1, 5, 3, 15, 15, 3, 1), 24, SHAPE(2, 4, 1, 3, 12, 3, 3, 1))
TWO(stride_of_one, 60, SHAPE(2, 4, 5, 3, 21, 7, 1, 1), 120, DENSE)
TWO(rows_too_short, 120, SHAPE(2, 4, 5, 3, 60, 14, 3, 1), 120, SHAPE(2, 4, 5, 3, 59, 15, 3, 1))
TWO(pixels_too_short, 120, SHAPE(2, 4, 5, 3, 60, 15, 2, 1), 122, SHAPE(2, 4, 5, 3, 60, 15, 3, 2))
TWO(planes, 120, SHAPE(2, 4, 5, 3, 60, 5, 1, 20), 120, SHAPE(2, 4, 5, 3, 20, 5, 1, 40))
TWO(far, 300, SHAPE(2, 4, 5, 3, 130, 31, 6, 2), 240, SHAPE(2, 4, 5, 3, 30, 60, 6, 2))

#define ONE(name, cells, a)                                                                                   \
    CHECK_CASE(name, of_one, of_one, 1e-8, dim3(2, 2, 2), dim3(3, 2), out(40), in(cells), a, SIZE(5, 4, 2))
ONE(one_dense, 120, DENSE)
ONE(one_is_one_for_all, 3, SHAPE(1, 1, 1, 3, 0, 0, 0, 1))
ONE(one_is_grey, 40, SHAPE(2, 4, 5, 1, 20, 5, 1, 0))
ONE(one_without_channels, 40, SHAPE(2, 4, 5, 3, 20, 5, 1, 0))
ONE(one_overlaps, 50, SHAPE(2, 4, 5, 3, 20, 5, 1, 1))

#define LAYERS(name, grid, block, outs, cells, a, w)                                                          \
    CHECK_CASE(name, of_layers, of_layers, 1e-8, grid, block, out(outs), in(cells), a, w)
LAYERS(layers_dense, dim3(2, 2, 2), dim3(3, 2), 40, 120, DENSE, 5u)
LAYERS(layers_meet, dim3(2, 2, 3), dim3(3, 2), 60, 60, SHAPE(1, 4, 5, 3, 60, 15, 3, 1), 5u)
LAYERS(more_rows_than_there_are, dim3(2, 3, 2), dim3(3, 2), 60, 150, SHAPE(2, 4, 5, 3, 60, 15, 3, 1), 5u)

CHECK_CASE(threads_one_deep, of_threads, of_threads, 1e-8, dim3(2, 2, 2), dim3(3, 2, 1), out(40), in(120),
           DENSE, SIZE(5, 4, 2))
CHECK_CASE(threads_two_deep, of_threads, of_threads, 1e-8, dim3(2, 2, 2), dim3(3, 2, 2), out(80), in(120),
           DENSE, SIZE(5, 4, 2))
TEST(images) {
    check_images(trial, DENSE, dim3(2, 2, 2));
    check_images(trial, DENSE, dim3(1, 2, 2));
    check_images(trial, SHAPE(2, 4, 5, 3, 60, 5, 1, 20), dim3(2, 2, 2));
    check_images(trial, SHAPE(2, 4, 5, 3, 59, 15, 3, 1), dim3(2, 2, 2));
    check_images(trial, SHAPE(2, 4, 5, 3, 60, 15, 2, 1), dim3(2, 2, 2));
    check_images(trial, SHAPE(2, 4, 5, 3, 60, 15, 3, 0), dim3(2, 2, 2));
    check_images(trial, SHAPE(1, 4, 5, 3, 60, 15, 3, 1), dim3(2, 2, 2));
}
TEST_MAIN

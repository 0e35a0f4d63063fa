// GW_COARSEN of kernels that ask for several of threadIdx.x, y and z: one launch function, for blocks of any
// shape of which one of these lengths can be divided; with barriers, tapes, rows, templates, overloads, halves;
// and what is said where none can.
#include "../support/check.cuh"

typedef double real;
#define RANK (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)
#define FIRST (int)(blockIdx.x * (blockDim.x * blockDim.y * blockDim.z))
#define PLACE (real)(1 + threadIdx.x + 2 * threadIdx.y + 3 * threadIdx.z)
#define COARSE(request, n) BOTH(request) GW_COARSEN(n)
#ifdef GW_TEST_SPLIT
#define WITH(request, kept, n) JOINED(request) GW_SPLIT_GRADIENT(request " with " kept) GW_COARSEN(n)
#else
#define WITH(request, kept, n) JOINED(request) GW_COARSEN(n)
#endif

COARSE("y wrt x, k", 4)
__global__ void places(real *y, const real *x, const real *k, int n) {
    int i = FIRST + RANK;
    if (i < n) y[i] = x[i] * x[i] * k[blockIdx.x] * PLACE;
}

// Two axes; what depends on one of them alone is computed once along the other.
COARSE("out wrt a, column, row", 2)
__global__ void columns(real *out, const real *a, const real *column, const real *row, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    out[y * width + x] = a[y * width + x] * sin(column[x]) * column[x] * row[y] * row[y];
}

JOINED_COARSE("y wrt x", 4)
__global__ void staged(real *y, const real *x, int n) {
    __shared__ real tile[64];
    const int size = blockDim.x * blockDim.y * blockDim.z;
    tile[RANK] = FIRST + RANK < n ? x[FIRST + RANK] * x[FIRST + RANK] : 0;
    __syncthreads();
    real sum = 0;
    for (int j = 0; j <= (int)threadIdx.z; j++) sum += tile[(RANK + j) % size] * PLACE;
    if (FIRST + RANK < n) y[FIRST + RANK] = sum * tile[size - 1 - RANK];
}

JOINED_COARSE("y wrt x", 4)
__global__ void staged_by_the_launch(real *y, const real *x) {
    extern __shared__ real s[];
    const int size = blockDim.x * blockDim.y * blockDim.z;
    s[RANK] = x[FIRST + RANK] * x[FIRST + RANK];
    __syncthreads();
    y[FIRST + RANK] = s[size - 1 - RANK] * s[RANK] * PLACE;
}

// The tape is in the workspace, whose size is asked before the launch.
JOINED_COARSE("y wrt x, w", 4)
__global__ void recorded(real *y, const real *x, const real *w, int n, int m) {
    int i = FIRST + RANK;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < m; k++) {
        v = sin(v) * w[k] + x[i];
        for (int j = 0; j < (int)(threadIdx.y + threadIdx.z) % 3; j++) v = sin(v) * 0.25 + 0.1 * w[k] * PLACE;
    }
    y[i] = v;
}

#if defined GW_TEST_SPLIT || defined GW_TEST_WITHOUT // where these kernels have no such rungs
#define BY(x, rung)
#else
#define BY(x, rung) GW_ACCUMULATE(x, rung)
#endif

// Rows in the workspace.
JOINED_COARSE("y wrt x", 2) BY(x, slots)
__global__ void in_rows(real *y, const real *x, const int *list, int n) {
    int i = FIRST + RANK;
    real v = i < n ? x[list[i]] * x[list[i]] * PLACE : 0;
    if (threadIdx.y == 0 && i < n) v *= x[list[n - 1 - i]];
    if (i < n) y[i] = v;
}

// A stencil, whose sums over the grid run before it.
JOINED_COARSE("y wrt x", 2) BY(x, gather)
__global__ void neighbours(real *y, const real *x, int width, int height) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < 1 || j < 1 || i >= width - 1 || j >= height - 1) return;
    const real *at = x + j * width + i;
    y[j * width + i] = at[0] * at[0] + at[-1] * at[1] + at[-width] * at[width];
}

// Lanes pass over what none of them adds to: along y by tiles, along x not. Halves without a tape.
WITH("out wrt x, opacity, colour", "final_T, last", 2)
__global__ void blend(real *out, real *final_T, int *last, const real *x, const real *opacity,
                      const real *colour, const int *from, int width, int height) {
    __shared__ real s_x[8], s_opacity[8], s_colour[8];
    int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    bool inside = column < width && row < height, done = !inside;
    real p = 0.25 + 0.05 * column + 0.03 * row, T = 1, sum = 0;
    int seen = 0, blended = 0, end = from[1];
    for (int base = from[0]; base < end; base += 8) {
        if (__syncthreads_count(done) == (int)(blockDim.x * blockDim.y)) break;
        if (RANK < 8 && base + RANK < end) {
            s_x[RANK] = x[base + RANK];
            s_opacity[RANK] = opacity[base + RANK];
            s_colour[RANK] = colour[base + RANK];
        }
        __syncthreads();
        int most = min(8, end - base);
        for (int j = 0; !done && j < most; j++) {
            seen++;
            real alpha = fmin(0.99, s_opacity[j] * exp(-2 * (s_x[j] - p) * (s_x[j] - p)));
            if (alpha < 1 / 255.0) continue;
            real next = T * (1 - alpha);
            if (next < 1e-4) {
                done = true;
                continue;
            }
            sum += s_colour[j] * alpha * T;
            T = next;
            blended = seen;
        }
    }
    if (!inside) return;
    final_T[row * width + column] = T;
    last[row * width + column] = blended;
    out[row * width + column] = sum + T * T;
}

template <int BY, class T>
JOINED_COARSE("y wrt x, k", 2)
__global__ void scaled(T *y, const T *x, T k, int n) {
    int i = FIRST + RANK;
    if (i < n) y[i] = k * x[i] * x[i] * BY * PLACE;
}

// Its tape is measured.
template <class T>
JOINED_COARSE("y wrt x", 2)
__global__ void until(T *y, const T *x, int n) {
    int i = FIRST + RANK;
    if (i >= n) return;
    T v = x[i];
    while (v < 3) v += v * v * T(0.5) + T(0.25);
    y[i] = v * PLACE;
}
template __global__ void until<real>(real *, const real *, int);

JOINED_COARSE("y wrt x", 2)
__global__ void named_alike(real *y, const real *x, int n) {
    int i = FIRST + RANK;
    if (i < n) y[i] = x[i] * x[i] * PLACE;
}
JOINED_COARSE("y wrt x, k", 2)
__global__ void named_alike(real *y, const real *x, real k, int n) {
    int i = FIRST + RANK;
    if (i < n) y[i] = x[i] * x[i] * k * PLACE;
}

namespace space {
GW_GRADIENT("merged = y wrt x") GW_COARSEN(4)
static __global__ void inner(real *y, const real *x, int n) {
    int i = FIRST + RANK;
    if (i < n) y[i] = x[i] * x[i] * PLACE;
}
} // namespace space

#include "coarsen_axes.grad.cuh"

static std::vector<int> rows_of(int n) {
    std::vector<int> of;
    for (int i = 0; i < n; i++) of.push_back(i * 7 % 6);
    return of;
}

// Lengths that can be divided: of all axes, of one, and of one behind one that cannot.
#define SHAPES(kernel, ...)                                                             \
    CHECK_CASE(kernel##_line, kernel, kernel, 1e-8, 2, 32, __VA_ARGS__)                  \
    CHECK_CASE(kernel##_plane, kernel, kernel, 1e-8, 2, dim3(5, 8), __VA_ARGS__)         \
    CHECK_CASE(kernel##_wide, kernel, kernel, 1e-8, 2, dim3(8, 3), __VA_ARGS__)          \
    CHECK_CASE(kernel##_deep, kernel, kernel, 1e-8, 2, dim3(3, 3, 4), __VA_ARGS__)       \
    CHECK_CASE(kernel##_flat, kernel, kernel, 1e-8, 2, dim3(3, 4, 3), __VA_ARGS__)       \
    CHECK_CASE(kernel##_box, kernel, kernel, 1e-8, 2, dim3(4, 4, 4), __VA_ARGS__)
#define PLANES(kernel, ...)                                                              \
    CHECK_CASE(kernel##_plane, kernel, kernel, 1e-8, dim3(2, 2), dim3(8, 4), __VA_ARGS__) \
    CHECK_CASE(kernel##_line, kernel, kernel, 1e-8, dim3(2, 7), 8, __VA_ARGS__)           \
    CHECK_CASE(kernel##_wide, kernel, kernel, 1e-8, dim3(4, 3), dim3(4, 3), __VA_ARGS__)  \
    CHECK_CASE(kernel##_tall, kernel, kernel, 1e-8, dim3(3, 2), dim3(5, 4), __VA_ARGS__)

SHAPES(places, out(70), in(70), in(2), 60)
SHAPES(staged, out(130), in(130), 120)
#define SHARED(name, block, cells)                                                                        \
    CHECK_LAUNCH(name, staged_by_the_launch, staged_by_the_launch, 1e-8, 2, block, (cells) * sizeof(real), \
                 out(2 * (cells)), in(2 * (cells)))
SHARED(staged_by_the_launch_line, 32, 32)
SHARED(staged_by_the_launch_flat, dim3(3, 4, 3), 36)
SHARED(staged_by_the_launch_deep, dim3(3, 3, 4), 36)
SHAPES(recorded, out(70), in(70), in(5), 60, 5)
SHAPES(in_rows, out(70), in(6), given(rows_of(70)), 60)
PLANES(columns, out(15 * 7), in(15 * 7), in(15), in(7), 15, 7)
PLANES(neighbours, out(15 * 7), in(15 * 7), 15, 7)
PLANES(blend, out(15 * 7), fixed(15 * 7), given(std::vector<int>(15 * 7)), in(20), in(20, 0.3, 0.9), in(20),
       given(std::vector<int>{0, 20}), 15, 7)
#define UNTIL(block)                                                                                           \
    check::row_of(check::kernel_of(until<real>), check::kernel_of(until<real>), 1e-8, check::launch(2, block)) \
        .joined(check::function_of(until_grad_launch<real>), check::function_of(until_jvp_launch<real>),       \
                check::function_of(until_workspace_bytes_measured<real>),                                      \
                check::function_of(until_measure_launch<real>))
CHECK_ROW(until_line, "until_line", check::run_row(t, gw_row_check, UNTIL(32), {out(70), in(70), 60}))
CHECK_ROW(until_flat, "until_flat",
          check::run_row(t, gw_row_check, UNTIL(dim3(3, 4, 3)), {out(72), in(72), 60}))
static const auto scaled_by_3 = scaled<3, real>;

TEST(templates_and_overloads) {
    const int n = 64;
    std::vector<real> cells(n), ones(n, 1), zeros(n);
    for (int i = 0; i < n; i++) cells[i] = 0.5 + 0.01 * i;
    for (dim3 block : {dim3(64), dim3(1, 64), dim3(1, 1, 64), dim3(2, 32), dim3(1, 2, 32)}) {
        check::array<real> y{zeros}, x{cells}, d_y{ones}, d_x{zeros}, d_k{std::vector<real>(1)};
        scaled_by_3<<<1, block>>>(y, x, 0.5, n);
        EXPECT_STATUS((scaled_grad_launch<3, real>(1, block, 0, 0, y, x, 0.5, n, d_y, d_x, d_k, nullptr, 0)),
                      GW_OK);
        EXPECT_DEVICE_OK();
        std::vector<real> got = d_x.get(), made = y.get();
        real sum = 0;
        for (int i = 0; i < n; i++) sum += made[i] / 0.5;
        for (int i = 0; i < n; i++) EXPECT_NEAR(got[i], 2 * made[i] / cells[i], 1e-12);
        EXPECT_NEAR(d_k.get()[0], sum, 1e-10);
        d_y.set(ones), d_x.set(zeros), d_k.set(std::vector<real>(1));
        EXPECT_STATUS(named_alike_grad_launch(1, block, 0, 0, y, x, n, d_y, d_x, nullptr, 0), GW_OK);
        EXPECT_STATUS(named_alike_grad_launch(1, block, 0, 0, y, x, 3.0, n, d_y, d_x, d_k, nullptr, 0), GW_OK);
        EXPECT_DEVICE_OK();
        got = d_x.get();
        // The second one has no seed left.
        for (int i = 0; i < n; i++) EXPECT_NEAR(got[i], 2 * made[i] / cells[i] / 1.5, 1e-12);
        d_y.set(ones), d_x.set(zeros);
        space::inner<<<1, block>>>(y, x, n);
        EXPECT_STATUS(space::merged_launch(1, block, 0, 0, y, x, n, d_y, d_x, nullptr, 0), GW_OK);
        EXPECT_DEVICE_OK();
        got = d_x.get();
        for (int i = 0; i < n; i++) EXPECT_NEAR(got[i], 2 * made[i] / cells[i] / 1.5, 1e-12);
    }
}

// Nothing is launched then, and the text says which lengths were looked at.
TEST(a_block_of_which_no_length_can_be_divided) {
    const std::vector<real> seed(27, 3);
    check::array<real> y(seed), x(seed), d_y(seed), d_x(seed);
    const dim3 block(3, 3, 3);
    EXPECT_STATUS(space::merged_launch(1, block, 0, 0, y, x, 27, d_y, d_x, nullptr, 0), GW_ERROR_LAUNCH);
    EXPECT(d_y.get() == seed);
    EXPECT(std::string(gw_last_error()) ==
           "merged_launch: needs blockDim.z % 4 == 0, blockDim.y % 4 == 0 or blockDim.x % 4 == 0 "
           "(a thread of the gradient does the work of 4: GW_COARSEN)");
}
TEST_MAIN

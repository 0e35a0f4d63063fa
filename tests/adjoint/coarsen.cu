// GW_COARSEN: gradients in which a thread does the work of several threads of the kernel: along x, y and z, by
// 2, 4 and 8, with last warps that are not full, threads that have nothing to do, barriers, uniform and
// divergent loops, tapes, sums of warps and blocks. Named gradients of one kernel with and without it.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)
#define COARSE(request, n) BOTH(request) GW_COARSEN(n)
#ifdef GW_TEST_SPLIT
#define WITH(request, kept, n) JOINED(request) GW_SPLIT_GRADIENT(request " with " kept) GW_COARSEN(n)
#else
#define WITH(request, kept, n) JOINED(request) GW_COARSEN(n)
#endif

// ---- along x: neighbouring lanes keep neighbouring cells ----
COARSE("y wrt x, k", 4)
__global__ void scaled(real *y, const real *x, real k, int n) {
    int i = HERE;
    if (i < n) y[i] = k * x[i] * k;
}

COARSE("y wrt x, k", 8)
__global__ void scaled_float(float *y, const float *x, float k, int n) {
    int i = HERE;
    if (i < n) y[i] = k * x[i] * k;
}

COARSE("y wrt x", 2)
__global__ void grid_stride(real *y, const real *x, int n) {
    for (int i = HERE; i < n; i += blockDim.x * gridDim.x) y[i] = x[i] * x[i] * (i + 1);
}

JOINED_COARSE("y wrt x, w", 4)
__global__ void all_rows(real *y, const real *x, const real *w, int n, int m) {
    int i = HERE;
    if (i >= n) return;
    real own = x[i] * x[i], sum = 0;
    for (int j = 0; j < m; j++) sum += w[j] * own * (own + j);
    y[i] = sum * own;
}

// The loop has another length in each thread, and branches inside.
COARSE("y wrt x, w", 4)
__global__ void some_rows(real *y, const real *x, const real *w, const int *length, int n) {
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int j = 0; j < length[i]; j++) {
        real t = x[i] * (j + 1);
        if ((i + j) % 3 == 0) continue;
        sum += w[j] * t * t;
        if ((i ^ j) & 2) sum += w[j + 1] * t;
    }
    y[i] = sum;
}

// The cell's number is known only to threads that take the branch.
JOINED_COARSE("y wrt x, w", 2)
__global__ void through_list(real *y, const real *x, const real *w, const int *list, int n, int m) {
    int i = HERE;
    real sum = 0;
    for (int j = 0; j < m; j++)
        if (i < n && (i + j) % 4 != 1) {
            int id = 2 * list[j];
            sum += w[id] * x[i] + w[id + 1] * x[i] * x[i];
        }
    if (i < n) y[i] = sum;
}

COARSE("y wrt x, w", 8)
__global__ void later_threads(real *y, const real *x, const real *w, const int *at, int n) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    if (threadIdx.x >= 5) v *= w[at[0]];
    y[i] = v;
}

COARSE("y wrt x, k", 4)
__global__ void first_thread(real *y, const real *x, const real *k) {
    int i = HERE;
    y[i] = x[i] * x[i];
    if (threadIdx.x == 0) y[i] = k[blockIdx.x / 2] * x[i];
}

// Threads meet in cells, one by one.
COARSE("y wrt x", 4)
__global__ void halves(real *y, const real *x, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i / 2] * x[i / 2];
}

// Through a list: rows of each of the four threads, in a branch and out of it.
#ifdef GW_TEST_SPLIT // halves have no rows
JOINED_COARSE("y wrt x", 4)
#else
JOINED_COARSE("y wrt x", 4) GW_ACCUMULATE(x, slots)
#endif
__global__ void in_rows(real *y, const real *x, const int *list, int n) {
    int i = HERE;
    real v = x[list[i]] * x[list[i]];
    if (i < n) v *= x[list[n - 1 - i]];
    y[i] = v;
}

// Loops that begin and step differently in each thread, and that are left early.
JOINED_COARSE("y wrt w, x", 4)
__global__ void own_loops(real *y, const real *w, const real *x, int n) {
    int i = HERE;
    real sum = 0;
    for (int j = threadIdx.x % 3; j < n; j += 1 + threadIdx.x % 2) {
        sum += w[j] * w[j] * x[i];
        if (sum > 3) break;
    }
    y[i] = sum;
}

// Arrays of a thread: of each its own, and one that all fill alike.
JOINED_COARSE("y wrt x", 4)
__global__ void own_arrays(real *y, const real *x, int at) {
    real local[40], table[40];
    int i = HERE;
    for (int k = 0; k < 40; k++) local[k] = x[i] * k, table[k] = k % 3;
    local[at] += 2;
    y[i] = local[(i + at) % 40] * table[(2 * i) % 40] * x[i];
}

// What the reverse sweep needs is on a tape: of a constant length, and of one that the host computes.
JOINED_COARSE("y wrt x", 2)
__global__ void short_tape(real *y, const real *x) {
    int i = HERE;
    real v = x[i];
    for (int k = 0; k < 40; k++) {
        v = v * v * 0.2 + 0.5 * x[i];
        if (k > (int)threadIdx.x) v = sin(v);
    }
    y[i] = v;
}

JOINED_COARSE("y wrt x, w", 4)
__global__ void long_tape(real *y, const real *x, const real *w, int n, int m) {
    int i = HERE;
    if (i >= n) return;
    real v = x[i];
    for (int k = 0; k < m; k++) {
        v = sin(v) * w[k] + x[i];
        for (int j = 0; j < i % 3; j++) v = v * v * 0.25 + w[k];
    }
    y[i] = v;
}

// Loops of each thread's own length, the inner one recorded again in the reverse sweep: it pushes what it pops
// there.
JOINED_COARSE("y wrt x, w", 4)
__global__ void own_tapes(real *y, const real *x, const real *w) {
    int i = HERE;
    real v = x[i];
    for (int k = 0; k < i % 6; k++) {
        for (int j = 0; j <= (i + k) % 3; j++) v = v * v * 0.25 + w[j];
        v *= sin(v + x[i]);
    }
    y[i] = v;
}

// ---- barriers ----
JOINED_COARSE("y wrt x", 4)
__global__ void all_pairs(real *y, const real *x, int n) {
    extern __shared__ real s[];
    int i = HERE, t = threadIdx.x;
    s[t] = i < n ? x[i] * x[i] : 0;
    __syncthreads();
    real sum = 0;
    for (int j = 0; j < (int)blockDim.x; j++) sum += s[j] * s[j] * (t + 1);
    if (i < n) y[i] = sum;
}

JOINED_COARSE("y wrt x", 4)
__global__ void tree(real *y, const real *x, int n) {
    __shared__ real s[64];
    int t = threadIdx.x;
    s[t] = HERE < n ? x[HERE] * x[HERE] : 0;
    __syncthreads();
    for (int o = 32; o > 0; o /= 2) {
        if (t < o) s[t] += s[t + o];
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = s[0] * s[0];
}

JOINED_COARSE("y wrt x", 4)
__global__ void rounds(real *y, const real *x) {
    __shared__ real s[64];
    int t = threadIdx.x;
    s[t] = x[HERE];
    __syncthreads();
    for (int o = blockDim.x / 2; o > 0; o /= 2) {
        real v = t < o ? s[t] * s[t + o] : 0;
        __syncthreads();
        if (t < o) s[t] = v + s[t];
        __syncthreads();
    }
    y[HERE] = s[t] * s[0];
}

// How many, whether all and whether any, as numbers.
JOINED_COARSE("y wrt x", 4)
__global__ void asked(real *y, const real *x, int n) {
    int i = HERE;
    int many = __syncthreads_count(i % 3 == 0 && i < n);
    int all = __syncthreads_and(i < n), some = __syncthreads_or(i + 1 == n);
    real v = i < n ? x[i] : 0;
    if (all) v *= many;
    if (__syncthreads_count(v > 1) > 10) v = v * v + some;
    if (i < n) y[i] = v * v;
}

// A thread that has returned stays for the barrier.
JOINED_COARSE("y wrt x", 2)
__global__ void leaves(real *y, const real *x, int n) {
    __shared__ real s[32];
    int i = HERE, t = threadIdx.x;
    s[t] = 0;
    if (i >= n) return;
    s[t] = x[i] * x[i];
    __syncthreads();
    y[i] = s[t] * (i + 1 < n ? s[t ^ 1] : 1);
}

JOINED_COARSE("y wrt x", 4)
__global__ void histogram(real *y, const real *x, const int *bin, int n) {
    __shared__ real s[8];
    int t = threadIdx.x, i = HERE;
    if (t < 8) s[t] = 0;
    __syncthreads();
    if (i < n) atomicAdd(&s[bin[i]], x[i] * x[i]);
    __syncthreads();
    if (t < 8) atomicAdd(&y[t], s[t] * s[t]);
}

// ---- along y and z: compact areas ----
COARSE("out wrt in, w", 4)
__global__ void convolution(real *out, const real *in, const real *w, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    real sum = 0;
    for (int b = -1; b <= 1; b++)
        for (int a = -1; a <= 1; a++)
            if (x + a >= 0 && x + a < width && y + b >= 0 && y + b < height)
                sum += w[3 * (b + 1) + a + 1] * in[(y + b) * width + x + a] * in[y * width + x];
    out[y * width + x] = sum;
}

COARSE("out wrt a, column", 2)
__global__ void columns(real *out, const real *a, const real *column, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * width + x] = a[y * width + x] * column[x] * column[x];
}

JOINED_COARSE("c wrt a, b", 2)
__global__ void multiply(real *c, const real *a, const real *b, int n) {
    __shared__ real a_tile[4][4], b_tile[4][4];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 4 + ty, column = blockIdx.x * 4 + tx;
    real sum = 0;
    for (int k = 0; k < n; k += 4) {
        a_tile[ty][tx] = a[row * n + k + tx];
        b_tile[ty][tx] = b[(k + ty) * n + column];
        __syncthreads();
        for (int q = 0; q < 4; q++) sum += a_tile[ty][q] * b_tile[q][tx];
        __syncthreads();
    }
    c[row * n + column] = sum;
}

COARSE("out wrt in", 4)
__global__ void transposed(real *out, const real *in, int n) {
    __shared__ real tile[8][9];
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
    tile[threadIdx.y][threadIdx.x] = in[y * n + x] * in[y * n + x];
    __syncthreads();
    out[(blockIdx.x * 8 + threadIdx.y) * n + blockIdx.y * 8 + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

COARSE("out wrt in, k", 2)
__global__ void volume(real *out, const real *in, const real *k, int n) {
    int at = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x +
             blockIdx.x * blockDim.x * blockDim.y * blockDim.z;
    if (at < n) out[at] = in[at] * in[at] * k[blockIdx.x] * (threadIdx.z + 1);
}

// ---- as splats are blended ----
__device__ real opacity_of(real opacity, real x, real y) {
    return fmin(0.99, opacity * exp(-2 * (x - y) * (x - y)));
}

#define BLEND(n, stored)                                                                                       \
    WITH("out wrt x, opacity, colour", "final_T, last", n)                                                     \
    __global__ void blend_##n(real *out, real *final_T, int *last, const real *x, const real *opacity,         \
                              const real *colour, const int *from, int many) {                                 \
        __shared__ real s_x[16], s_opacity[16];                                                                \
        __shared__ int s_id[16];                                                                               \
        int i = HERE, t = threadIdx.x, end = from[blockIdx.x + 1];                                             \
        bool done = i >= many;                                                                                 \
        real p = 0.25 + 0.01 * i, T = 1, sum = 0;                                                              \
        int count = 0, blended = 0;                                                                            \
        for (int base = from[blockIdx.x]; base < end; base += 16) {                                            \
            if (__syncthreads_count(done) == 16) break;                                                        \
            if (base + t < end) {                                                                              \
                s_id[t] = (base + t) % many;                                                                   \
                s_x[t] = x[(base + t) % many];                                                                 \
                s_opacity[t] = opacity[base + t];                                                              \
            }                                                                                                  \
            __syncthreads();                                                                                   \
            int most = min(16, end - base);                                                                    \
            for (int j = 0; !done && j < most; j++) {                                                          \
                count++;                                                                                       \
                real alpha = opacity_of(s_opacity[j], s_x[j], p);                                              \
                if (alpha < 1 / 255.0) continue;                                                               \
                real next = T * (1 - alpha);                                                                   \
                if (next < 1e-4) {                                                                             \
                    done = true;                                                                               \
                    continue;                                                                                  \
                }                                                                                              \
                sum += colour[s_id[j]] * alpha * T;                                                            \
                T = next;                                                                                      \
                blended = count;                                                                               \
            }                                                                                                  \
        }                                                                                                      \
        if (i >= many) return;                                                                                 \
        final_T[i] = T;                                                                                        \
        last[i] = blended;                                                                                     \
        out[i] = sum + (stored);                                                                               \
    }
BLEND(2, 0.5 * T)
BLEND(4, T * T)
BLEND(8, T * T)

// ---- the number of a thread in its block, which looks at all axes; blocks of any shape ----
#define RANK (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x)
JOINED_COARSE("y wrt x, w", 2)
__global__ void by_number(real *y, const real *x, const real *w, int n) {
    int i = blockIdx.x * (blockDim.x * blockDim.y * blockDim.z) + RANK;
    if (i < n) y[i] = x[i] * x[i] * w[i % 3];
}

JOINED_COARSE("y wrt x", 4)
__global__ void staged_by_number(real *y, const real *x, int n) {
    __shared__ real tile[64];
    const int rank = threadIdx.x + threadIdx.y * blockDim.x + threadIdx.z * blockDim.x * blockDim.y,
              size = blockDim.x * blockDim.y * blockDim.z;
    int i = blockIdx.x * size + rank;
    tile[rank] = i < n ? x[i] * x[i] : 0;
    __syncthreads();
    if (i < n) y[i] = tile[size - 1 - rank] * tile[rank];
}

// Beside it the length along x, or a place along y: along that axis then, never along z.
JOINED_COARSE("y wrt x, w", 2)
__global__ void number_in_row(real *y, const real *x, const real *w, int n) {
    int i = blockIdx.x * blockDim.x + RANK;
    if (i < n) y[i] = x[i] * x[i] * w[RANK % 3];
}

JOINED_COARSE("y wrt x", 2)
__global__ void number_in_plane(real *y, const real *x, int width) {
    __shared__ real tile[64];
    int i = (blockIdx.y * blockDim.y + threadIdx.y) * width + blockIdx.x * blockDim.x + threadIdx.x;
    tile[RANK] = x[i] * x[i];
    __syncthreads();
    y[i] = tile[RANK] * x[i];
}

// ---- beside a gradient of the same kernel that is not ----
GW_GRADIENT("plain = y wrt x, w") GW_GRADIENT("merged = y wrt x, w") GW_COARSEN(4, merged)
__global__ void both_ways(real *y, const real *x, const real *w, int n) {
    int i = HERE;
    if (i < n) y[i] = x[i] * x[i] * w[0];
}

#include "coarsen.grad.cuh"

static std::vector<int> lengths(int n) {
    std::vector<int> of;
    for (int i = 0; i < n; i++) of.push_back(i * 7 % 6);
    return of;
}

#define SIZES(kernel, ...)                                                \
    CHECK_CASE(kernel##_8, kernel, kernel, 1e-8, 11, 8, __VA_ARGS__)      \
    CHECK_CASE(kernel##_40, kernel, kernel, 1e-8, 2, 40, __VA_ARGS__)     \
    CHECK_CASE(kernel##_256, kernel, kernel, 1e-8, 1, 256, __VA_ARGS__)

SIZES(scaled, out(80), in(80), active(0.7), 77)
CHECK_CASE(scaled_large, scaled, scaled, 1e-8, 1, 1024, out(90), in(90), active(0.7), 90)
CHECK_CASE(scaled_float_72, scaled_float, scaled, 1e-4, 2, 72, out(90), in(90), active(0.7), 90)
SIZES(grid_stride, out(90), in(90), 90)
SIZES(all_rows, out(80), in(80), in(7), 71, 7)
SIZES(some_rows, out(90), in(90), in(8), given(lengths(90)), 60)
SIZES(through_list, out(90), in(90), in(10), given(std::vector<int>{3, 0, 4, 1, 3}), 60, 5)
SIZES(later_threads, out(90), in(90), in(3), given(std::vector<int>{2}), 75)
CHECK_CASE(by_number_line, by_number, by_number, 1e-8, 2, 32, out(64), in(64), in(3), 60)
CHECK_CASE(by_number_plane, by_number, by_number, 1e-8, 2, dim3(5, 6), out(64), in(64), in(3), 58)
CHECK_CASE(by_number_box, by_number, by_number, 1e-8, 2, dim3(1, 3, 8), out(64), in(64), in(3), 47)
CHECK_CASE(staged_by_number_line, staged_by_number, staged_by_number, 1e-8, 2, 64, out(128), in(128), 128)
CHECK_CASE(staged_by_number_box, staged_by_number, staged_by_number, 1e-8, 2, dim3(3, 4, 3), out(72), in(72),
           72)
CHECK_KERNEL(number_in_row, 2, 32, out(64), in(64), in(3), 60)
CHECK_KERNEL(number_in_plane, dim3(2, 2), dim3(8, 4), out(16 * 8), in(16 * 8), 16)
CHECK_KERNEL(first_thread, 3, 32, out(96), in(96), in(2))
SIZES(halves, out(80), in(40), 80)
CHECK_KERNEL(in_rows, 2, 40, out(80), in(6), given(lengths(80)), 77)
CHECK_KERNEL(own_loops, 2, 40, out(80), in(12), in(80), 12)
CHECK_KERNEL(own_arrays, 2, 40, out(80), in(80), 7)
CHECK_KERNEL(short_tape, 2, 40, out(80), in(80))
CHECK_KERNEL(long_tape, 2, 40, out(80), in(80), in(5), 70, 5)
CHECK_KERNEL(own_tapes, 2, 40, out(80), in(80), in(3))
CHECK_SHARED(all_pairs, 2, 40, 40 * sizeof(real), out(70), in(70), 70)
CHECK_KERNEL(tree, 2, 64, out(2), in(120), 120)
CHECK_KERNEL(rounds, 2, 32, out(64), in(64))
CHECK_KERNEL(asked, 2, 40, out(75), in(75), 75)
CHECK_KERNEL(leaves, 2, 32, out(45), in(45), 45)
CHECK_KERNEL(histogram, 2, 40, inout(8), in(70), given(lengths(70)), 70)
CHECK_KERNEL(convolution, dim3(2, 2), dim3(8, 4), out(15 * 7), in(15 * 7), in(9), 15, 7)
CHECK_KERNEL(columns, dim3(2, 2), dim3(8, 4), out(16 * 8), in(16 * 8), in(16), 16)
CHECK_KERNEL(multiply, dim3(2, 2), dim3(4, 4), out(64), in(64), in(64), 8)
CHECK_KERNEL(transposed, dim3(2, 2), dim3(8, 8), out(256), in(256), 16)
CHECK_KERNEL(volume, 2, dim3(4, 3, 4), out(90), in(90), in(2), 90)
#define BLENDS(n)                                                                                              \
    CHECK_KERNEL(blend_##n, 3, 16, out(45), fixed(45), given(std::vector<int>(45)), in(45), in(70, 0.3, 0.9),  \
                 in(45), given(std::vector<int>{0, 40, 41, 70}), 45)
BLENDS(2)
BLENDS(4)
BLENDS(8)

TEST(one_kernel_both_ways) {
    const std::vector<real> numbers{0.5, 0.75, 1.25, 1.5, 0.25, 2, 1, 0.125};
    check::array<real> y(numbers), x(numbers), w(std::vector<real>{0.5}), d_x(std::vector<real>(8)),
        d_w(std::vector<real>(1)), e_x(std::vector<real>(8)), e_w(std::vector<real>(1)), d_y(numbers),
        e_y(numbers);
    EXPECT_STATUS(merged_launch(1, 8, 0, 0, y, x, w, 8, d_y, d_x, d_w, nullptr, 0), GW_OK);
    EXPECT_STATUS(plain_launch(1, 8, 0, 0, y, x, w, 8, e_y, e_x, e_w, nullptr, 0), GW_OK);
    EXPECT_DEVICE_OK();
    EXPECT(d_x.get() == e_x.get());
    EXPECT_NEAR(d_w.get()[0], e_w.get()[0], 1e-14);
}

// The number of threads along the axis must be a multiple; nothing is launched then.
TEST(a_block_that_cannot_be_divided) {
    check::array<real> y(std::vector<real>(6)), x(std::vector<real>(6)), w(std::vector<real>(1)),
        d_y(std::vector<real>(6, 3)), d_x(std::vector<real>(6)), d_w(std::vector<real>(1));
    EXPECT_STATUS(merged_launch(1, 6, 0, 0, y, x, w, 6, d_y, d_x, d_w, nullptr, 0), GW_ERROR_LAUNCH);
    EXPECT(d_y.get() == std::vector<real>(6, 3));
}
TEST_MAIN

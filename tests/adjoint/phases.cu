// Additions to shared memory that meet each other's cells: those that a barrier parts, and those that none can
// part. The table of decisions with --prefer=phases is checked by tests/ownership/decisions.py.
#include "../support/check.cuh"

typedef double real;
enum { T = 8, MANY = 64 };
#define HERE (int)(blockIdx.x * MANY + threadIdx.x)

// ---- parted ----
BOTH("y wrt x")
__global__ void scan(real *y, const real *x) {
    __shared__ real s[MANY], r[MANY];
    int t = threadIdx.x;
    s[t] = x[HERE] * x[HERE];
    __syncthreads();
    r[t] = t >= 4 ? s[t] * s[t - 4] : s[t];
    __syncthreads();
    y[HERE] = t < MANY - 8 ? r[t] + r[t + 8] : 2 * r[t];
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[blockIdx.x * 64 + threadIdx.x] +=: plain
//= d_r[t] =: plain
//= read d_r[t]: plain
//= d_s[t] +=: plain
//= d_s[t - 4] +=: plain
//= d_y[blockIdx.x * 64 + threadIdx.x] =: plain
//= read d_y[blockIdx.x * 64 + threadIdx.x]: plain
//= d_r[t] +=: plain
//= d_r[t + 8] +=: plain

// Under a condition: three cells of a line, of which the middle one is the thread's own.
BOTH("y wrt x")
__global__ void line(real *y, const real *x, int n) {
    __shared__ real s[MANY + 2];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    s[t + 1] = i < n ? x[i] : 1;
    if (t == 0)
        s[0] = i > 0 ? x[i - 1] : 0, s[blockDim.x + 1] = i + (int)blockDim.x < n ? x[i + blockDim.x] : 0;
    __syncthreads();
    if (i < n && i % 3 != 1) y[i] = s[t] * s[t + 1] * s[t + 2];
    else if (i < n) y[i] = s[t + 1];
}
//= d_s[t + 1] =: plain
//= read d_s[t + 1]: plain
//= d_x[i] +=: atomic
//= d_s[0] =: plain
//= read d_s[0]: plain
//= d_x[i - 1] +=: atomic
//= d_s[blockDim.x + 1] =: plain
//= read d_s[blockDim.x + 1]: plain
//= d_x[i + blockDim.x] +=: atomic
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_s[t] +=: plain
//= d_s[t + 1] +=: plain
//= d_s[t + 2] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_s[t + 1] +=: plain

// Five cells of a plane, blocks of two dimensions, conditions within conditions.
BOTH("y wrt x, k")
__global__ void plane(real *y, const real *x, real k, int width, int height) {
    __shared__ real s[T + 2][T + 2];
    int u = threadIdx.x, v = threadIdx.y, i = blockIdx.x * T + u, j = blockIdx.y * T + v;
    for (int c = v * T + u; c < (T + 2) * (T + 2); c += T * T) {
        int a = (int)blockIdx.x * T + c % (T + 2) - 1, b = (int)blockIdx.y * T + c / (T + 2) - 1;
        s[c / (T + 2)][c % (T + 2)] = a >= 0 && a < width && b >= 0 && b < height ? x[b * width + a] : 0;
    }
    __syncthreads();
    if (i < width) {
        real sum = k * s[v + 1][u + 1] * s[v + 1][u + 1];
        if (j < height) {
            sum += s[v][u + 1] * s[v + 2][u + 1];
            if (u != 3) sum += s[v + 1][u] - s[v + 1][u + 2] * s[v + 1][u + 1];
            y[j * width + i] = sum;
        }
    }
}
//= d_k[0] +=: atomic
//= d_s[c / 10][c % 10] =: plain
//= read d_s[c / 10][c % 10]: plain
//= d_x[b * width + a] +=: atomic
//= d_s[v + 1][u + 1] +=: plain
//= d_s[v][u + 1] +=: plain
//= d_s[v + 2][u + 1] +=: plain
//= d_s[v + 1][u] +=: plain
//= d_s[v + 1][u + 2] +=: plain
//= d_y[j * width + i] =: plain
//= read d_y[j * width + i]: plain

// Sums over a tree in two arrays: the upper half's cells are read and zeroed between.
BOTH("y wrt x")
__global__ void tree(real *y, const real *x) {
    __shared__ real s[MANY];
    int t = threadIdx.x;
    s[t] = x[HERE];
    __syncthreads();
    for (int o = MANY / 2; o > 0; o /= 2) {
        real other = t < o ? s[t + o] * s[t] : s[t];
        __syncthreads();
        s[t] = other;
        __syncthreads();
    }
    if (t == 0) y[blockIdx.x] = s[0];
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[blockIdx.x * 64 + threadIdx.x] +=: plain
//= d_s[t + 16] +=: plain
//= d_s[t + 1] +=: plain
//= d_s[t + 2] +=: plain
//= d_s[t + 32] +=: plain
//= d_s[t + 4] +=: plain
//= d_s[t + 8] +=: plain
//= d_s[t] +=: plain
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_y[blockIdx.x] =: plain
//= read d_y[blockIdx.x]: plain
//= d_s[0] +=: plain

// In a uniform loop, cells that move with it: a barrier in each iteration.
BOTH("y wrt x, w")
__global__ void moving(real *y, const real *x, const real *w, int n) {
    __shared__ real s[MANY + 16];
    int t = threadIdx.x;
    s[t] = x[HERE];
    if (t < 16) s[t + blockDim.x] = 0.5 * t;
    __syncthreads();
    real sum = 0;
    for (int k = 0; k < n; k++) sum += s[t + k] * s[t + k] * w[k];
    y[HERE] = sum;
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[blockIdx.x * 64 + threadIdx.x] +=: atomic
//= d_s[t + blockDim.x] =: plain
//= d_s[t + k] +=: plain
//= d_w[k] +=: atomic
//= d_y[blockIdx.x * 64 + threadIdx.x] =: plain
//= read d_y[blockIdx.x * 64 + threadIdx.x]: plain

// Floats.
BOTH("y wrt x")
__global__ void neighbours(float *y, const float *x) {
    __shared__ float s[MANY];
    int t = threadIdx.x;
    s[t] = x[HERE];
    __syncthreads();
    y[HERE] = t > 0 ? s[t] * s[t - 1] : s[t];
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[blockIdx.x * 64 + threadIdx.x] +=: plain
//= d_y[blockIdx.x * 64 + threadIdx.x] =: plain
//= read d_y[blockIdx.x * 64 + threadIdx.x]: plain
//= d_s[t] +=: plain
//= d_s[t - 1] +=: plain
__global__ void neighbours_double(double *y, const double *x) {
    __shared__ double s[MANY];
    int t = threadIdx.x;
    s[t] = x[HERE];
    __syncthreads();
    y[HERE] = t > 0 ? s[t] * s[t - 1] : s[t];
}

// Zeroing that leaves its branch: two conditions, and work behind both.
BOTH("y, z wrt x")
__global__ void two_conditions(real *y, real *z, const real *x, int n, int m) {
    __shared__ real s[MANY];
    int t = threadIdx.x, i = HERE;
    s[t] = x[i] * x[i];
    __syncthreads();
    if (i < n) y[i] = s[t] * s[t];
    if (i < m) z[i] = s[t] * 2;
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[i] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_s[t] +=: plain
//= d_z[i] =: plain
//= read d_z[i]: plain
//= d_s[t] +=: plain

// ---- not parted ----
// One addition has its cell in two threads: a barrier helps only the other.
BOTH("y wrt x")
__global__ void halves(real *y, const real *x) {
    __shared__ real s[MANY];
    int t = threadIdx.x;
    s[t] = x[HERE];
    __syncthreads();
    y[HERE] = s[t / 2] * s[t];
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[blockIdx.x * 64 + threadIdx.x] +=: plain
//= d_y[blockIdx.x * 64 + threadIdx.x] =: plain
//= read d_y[blockIdx.x * 64 + threadIdx.x]: plain
//= d_s[t / 2] +=: atomic
//= d_s[t] +=: plain

// Both have: no barrier.
BOTH("y wrt x")
__global__ void thirds(real *y, const real *x) {
    __shared__ real s[MANY];
    int t = threadIdx.x;
    s[t] = x[HERE];
    __syncthreads();
    y[HERE] = s[t / 2] * s[t / 3];
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[blockIdx.x * 64 + threadIdx.x] +=: plain
//= d_y[blockIdx.x * 64 + threadIdx.x] =: plain
//= read d_y[blockIdx.x * 64 + threadIdx.x]: plain
//= d_s[t / 2] +=: atomic
//= d_s[t / 3] +=: atomic

// A loop that each thread runs as often as it likes: no barrier can stand in it.
BOTH("y wrt x")
__global__ void own_trips(real *y, const real *x) {
    __shared__ real s[2 * MANY];
    int t = threadIdx.x;
    s[t] = x[HERE];
    s[t + MANY] = 0.25 * t;
    __syncthreads();
    real sum = 0;
    for (int k = 0; k < t % 5; k++) sum += s[t + k] * s[t + k + 7];
    y[HERE] = sum;
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[blockIdx.x * 64 + threadIdx.x] +=: plain
//= d_s[t + 64] =: plain
//= d_s[t + k] +=: atomic
//= d_s[t + k + 7] +=: atomic
//= d_y[blockIdx.x * 64 + threadIdx.x] =: plain
//= read d_y[blockIdx.x * 64 + threadIdx.x]: plain

// The list may say anything.
BOTH("y wrt x")
__global__ void listed(real *y, const real *x, const int *list) {
    __shared__ real s[MANY];
    int t = threadIdx.x;
    s[t] = x[HERE];
    __syncthreads();
    y[HERE] = s[list[t] % MANY] * s[list[t + 1] % MANY];
}
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[blockIdx.x * 64 + threadIdx.x] +=: plain
//= d_y[blockIdx.x * 64 + threadIdx.x] =: plain
//= read d_y[blockIdx.x * 64 + threadIdx.x]: plain
//= d_s[list[t] % 64] +=: atomic
//= d_s[list[t + 1] % 64] +=: atomic

#include "phases.grad.cuh"

static std::vector<double> entries() {
    std::vector<double> all;
    for (int i = 0; i <= MANY; i++) all.push_back(i * 37 % 50);
    return all;
}

CHECK_KERNEL(scan, 2, MANY, out(2 * MANY), in(2 * MANY))
CHECK_KERNEL(line, 3, 32, out(77), in(77), 77)
CHECK_CASE(line_of_warps, line, line, 1e-8, 2, MANY, out(120), in(120), 120)
CHECK_KERNEL(plane, dim3(2, 2), dim3(T, T), out(13 * 11), in(13 * 11), active(0.3), 13, 11)
CHECK_KERNEL(tree, 2, MANY, out(2), in(2 * MANY))
CHECK_KERNEL(moving, 2, MANY, out(2 * MANY), in(2 * MANY), in(9), 9)
CHECK_FLOAT(neighbours, neighbours_double, 1e-4, 2, MANY, out(2 * MANY), in(2 * MANY))
CHECK_KERNEL(two_conditions, 2, MANY, out(2 * MANY), out(2 * MANY), in(2 * MANY), 90, 70)
CHECK_KERNEL(halves, 2, MANY, out(2 * MANY), in(2 * MANY))
CHECK_KERNEL(thirds, 2, MANY, out(2 * MANY), in(2 * MANY))
CHECK_KERNEL(own_trips, 2, MANY, out(2 * MANY), in(2 * MANY))
CHECK_KERNEL(listed, 2, MANY, out(2 * MANY), in(2 * MANY), list(entries()))
TEST_MAIN

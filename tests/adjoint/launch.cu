// Kernels whose gradients go by what is known of the launch: stated (GW_LAUNCH), or supposed of it. The table
// of decisions is checked by tests/ownership/decisions.py, refused launches by tests/contract/launch.cu.
#include "../support/check.cuh"

typedef double real;
#define HERE (blockIdx.x * blockDim.x + threadIdx.x)

// ---- transposes ----
// By its tile: blocks of at most 8 x 2.
BOTH("y wrt x")
__global__ void transpose(real *y, const real *x, int w, int h) {
    __shared__ real tile[8][9];
    int c = blockIdx.x * 8 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    for (int j = 0; j < 8; j += 2)
        if (c < w && r + j < h) tile[threadIdx.y + j][threadIdx.x] = x[(r + j) * w + c] * x[(r + j) * w + c];
    __syncthreads();
    c = blockIdx.y * 8 + threadIdx.x;
    r = blockIdx.x * 8 + threadIdx.y;
    for (int j = 0; j < 8; j += 2)
        if (c < h && r + j < w) y[(r + j) * h + c] = tile[threadIdx.x][threadIdx.y + j];
}
//= d_tile[threadIdx.y + j][threadIdx.x] =: plain
//= read d_tile[threadIdx.y + j][threadIdx.x]: plain
//= d_x[(r + j) * w + c] +=: plain
//= d_y[(r + j) * h + c] =: plain
//= read d_y[(r + j) * h + c]: plain
//= d_tile[threadIdx.x][threadIdx.y + j] +=: plain

// Without tests of the bounds: the launch says how wide the matrix is.
BOTH("y wrt x") GW_LAUNCH("w == 16, h == 24, gridDim.x == 2, gridDim.y <= 3")
__global__ void whole_tiles(real *y, const real *x, int w, int h) {
    __shared__ real tile[8][9];
    int c = blockIdx.x * 8 + threadIdx.x, r = blockIdx.y * 8 + threadIdx.y;
    for (int j = 0; j < 8; j += 2) tile[threadIdx.y + j][threadIdx.x] = x[(r + j) * w + c] * x[(r + j) * w + c];
    __syncthreads();
    c = blockIdx.y * 8 + threadIdx.x;
    r = blockIdx.x * 8 + threadIdx.y;
    for (int j = 0; j < 8; j += 2) y[(r + j) * h + c] = tile[threadIdx.x][threadIdx.y + j];
}
//= d_tile[threadIdx.y + j][threadIdx.x] =: plain
//= read d_tile[threadIdx.y + j][threadIdx.x]: plain
//= d_x[(r + j) * w + c] +=: plain
//= d_y[(r + j) * h + c] =: plain
//= read d_y[(r + j) * h + c]: plain
//= d_tile[threadIdx.x][threadIdx.y + j] +=: plain

// ---- a convolution with a halo ----
#define BLOCK  16
#define RADIUS 3
BOTH("y wrt x, k") GW_LAUNCH("blockDim.x == 16, n >= 1")
__global__ void convolution(real *y, const real *x, const real *k, int n) {
    __shared__ real s[BLOCK + 2 * RADIUS];
    int t = threadIdx.x, i = blockIdx.x * BLOCK + t;
    s[t + RADIUS] = i < n ? x[i] : 0;
    if (t < RADIUS) {
        s[t] = i >= RADIUS ? x[i - RADIUS] : 0;
        s[t + RADIUS + BLOCK] = i + BLOCK < n ? x[i + BLOCK] : 0;
    }
    __syncthreads();
    real sum = 0;
    for (int j = -RADIUS; j <= RADIUS; j++) sum += k[RADIUS + j] * s[t + RADIUS + j] * s[t + RADIUS + j];
    if (i < n) y[i] = sum;
}
//= d_s[t + 3] =: plain
//= read d_s[t + 3]: plain
//= d_x[i] +=: atomic
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_x[i - 3] +=: atomic
//= d_s[t + 3 + 16] =: plain
//= read d_s[t + 3 + 16]: plain
//= d_x[i + 16] +=: atomic
//= d_k[0] +=: grid
//= d_k[1] +=: grid
//= d_k[2] +=: grid
//= d_k[3] +=: grid
//= d_k[4] +=: grid
//= d_k[5] +=: grid
//= d_k[6] +=: grid
//= d_s[t + 3 + -1] +=: plain
//= d_s[t + 3 + -2] +=: plain
//= d_s[t + 3 + -3] +=: plain
//= d_s[t + 3 + 1] +=: plain
//= d_s[t + 3 + 2] +=: plain
//= d_s[t + 3 + 3] +=: plain
//= d_s[t + 3] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

// ---- tiles of a product ----
BOTH("C wrt A, B") GW_LAUNCH("blockDim.x == 8, blockDim.y == 8, wA % 8 == 0, wB % 8 == 0")
__global__ void product(real *C, const real *A, const real *B, int wA, int wB) {
    __shared__ real a[8][8], b[8][8];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 8 + ty, column = blockIdx.x * 8 + tx;
    real sum = 0;
    for (int at = 0; at < wA; at += 8) {
        a[ty][tx] = A[row * wA + at + tx];
        b[ty][tx] = B[(at + ty) * wB + column];
        __syncthreads();
        for (int k = 0; k < 8; k++) sum += a[ty][k] * b[k][tx];
        __syncthreads();
    }
    C[row * wB + column] = sum;
}
//= d_a[ty][tx] =: plain
//= read d_a[ty][tx]: plain
//= d_A[row * wA + at + tx] +=: atomic
//= d_b[ty][tx] =: plain
//= read d_b[ty][tx]: plain
//= d_B[(at + ty) * wB + column] +=: atomic
//= d_a[ty][tx] +=: plain
//= d_b[ty][tx] +=: plain
//= d_C[row * wB + column] =: plain
//= read d_C[row * wB + column]: plain

// ---- a lattice: a line of cells a block, padded ----
#define PADDED   12
#define LINES    5
#define LAYER    (PADDED * LINES)
#define FIELDS   7
#define CELLS    (LAYER * 6) // a layer above and one below
#define AT(field, cell) ((field) * CELLS + (cell))
#define STEP(field)                                                                                            \
    (field == 1 ? 1 : field == 2 ? -1 : field == 3 ? PADDED : field == 4 ? -PADDED                             \
     : field == 5                ? LAYER                                                                       \
     : field == 6                ? -LAYER                                                                      \
                                 : 0)

BOTH("to wrt from") GW_LAUNCH("blockDim.x == 10, gridDim.x <= 5, gridDim.y == 4")
__global__ void stream(real *to, const real *from, const int *walls) {
    int cell = threadIdx.x + 1 + blockIdx.x * PADDED + (blockIdx.y + 1) * LAYER;
    real c = from[AT(0, cell)], e = from[AT(1, cell)], w = from[AT(2, cell)], n = from[AT(3, cell)],
         s = from[AT(4, cell)], t = from[AT(5, cell)], b = from[AT(6, cell)];
    if (walls[cell]) { // back to where it came from
        to[AT(0, cell)] = c;
        to[AT(1, cell + 1)] = w;
        to[AT(2, cell - 1)] = e;
        to[AT(3, cell + PADDED)] = s;
        to[AT(4, cell - PADDED)] = n;
        to[AT(5, cell + LAYER)] = b;
        to[AT(6, cell - LAYER)] = t;
        return;
    }
    real density = c + e + w + n + s + t + b;
    real u = (e - w) / density, v = (n - s) / density, z = (t - b) / density;
    real rest = 1 - 1.5 * (u * u + v * v + z * z);
    to[AT(0, cell)] = c + 0.8 * (density * rest / 4 - c);
    to[AT(1, cell + 1)] = e + 0.8 * (density * (rest + 3 * u) / 8 - e);
    to[AT(2, cell - 1)] = w + 0.8 * (density * (rest - 3 * u) / 8 - w);
    to[AT(3, cell + PADDED)] = n + 0.8 * (density * (rest + 3 * v) / 8 - n);
    to[AT(4, cell - PADDED)] = s + 0.8 * (density * (rest - 3 * v) / 8 - s);
    to[AT(5, cell + LAYER)] = t + 0.8 * (density * (rest + 3 * z) / 8 - t);
    to[AT(6, cell - LAYER)] = b + 0.8 * (density * (rest - 3 * z) / 8 - b);
}
//= d_from[cell] +=: posted
//= d_from[360 + cell] +=: posted
//= d_from[720 + cell] +=: posted
//= d_from[1080 + cell] +=: posted
//= d_from[1440 + cell] +=: posted
//= d_from[1800 + cell] +=: posted
//= d_from[2160 + cell] +=: posted
//= d_to[cell] =: plain
//= read d_to[cell]: plain
//= d_to[360 + (cell + 1)] =: plain
//= read d_to[360 + (cell + 1)]: plain
//= d_to[720 + (cell - 1)] =: plain
//= read d_to[720 + (cell - 1)]: plain
//= d_to[1080 + (cell + 12)] =: plain
//= read d_to[1080 + (cell + 12)]: plain
//= d_to[1440 + (cell - 12)] =: plain
//= read d_to[1440 + (cell - 12)]: plain
//= d_to[1800 + (cell + 60)] =: plain
//= read d_to[1800 + (cell + 60)]: plain
//= d_to[2160 + (cell - 60)] =: plain
//= read d_to[2160 + (cell - 60)]: plain
//= d_to[cell] =: plain
//= read d_to[cell]: plain
//= d_to[360 + (cell + 1)] =: plain
//= read d_to[360 + (cell + 1)]: plain
//= d_to[720 + (cell - 1)] =: plain
//= read d_to[720 + (cell - 1)]: plain
//= d_to[1080 + (cell + 12)] =: plain
//= read d_to[1080 + (cell + 12)]: plain
//= d_to[1440 + (cell - 12)] =: plain
//= read d_to[1440 + (cell - 12)]: plain
//= d_to[1800 + (cell + 60)] =: plain
//= read d_to[1800 + (cell + 60)]: plain
//= d_to[2160 + (cell - 60)] =: plain
//= read d_to[2160 + (cell - 60)]: plain

// ---- a reduction that ends in a warp ----
BOTH("out wrt in")
__global__ void reduction(real *out, const real *in, unsigned n) {
    extern __shared__ real s[];
    unsigned t = threadIdx.x, i = blockIdx.x * (blockDim.x * 2) + threadIdx.x;
    unsigned rank = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    real sum = i < n ? in[i] * in[i] : 0;
    if (i + blockDim.x < n) sum += in[i + blockDim.x] * in[i + blockDim.x];
    s[t] = sum;
    __syncthreads();
    for (unsigned half = blockDim.x / 2; half > 32; half >>= 1) {
        if (t < half) s[t] = sum = sum + s[t + half];
        __syncthreads();
    }
    if (rank < 32) {
        if (blockDim.x >= 64) sum += s[t + 32];
        for (int lane = 16; lane > 0; lane /= 2) sum += __shfl_down_sync(0xffffffffu, sum, lane);
    }
    if (rank == 0) out[blockIdx.x] = sum;
}
//= d_in[i] +=: plain
//= d_in[i + blockDim.x] +=: plain
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_s[t] =: plain
//= read d_s[t]: plain
//= d_s[t + half] +=: plain
//= d_s[t + 32] +=: plain
//= d_out[blockIdx.x] =: plain
//= read d_out[blockIdx.x]: plain

// ---- rows ----
BOTH("y wrt x") GW_LAUNCH("n % 4 == 0")
__global__ void row_in_steps(real *y, const real *x, int rows, int n) {
    int row = HERE;
    if (row >= rows) return;
    real sum = 0;
    for (int at = 0; at < n; at += 4)
        for (int k = 0; k < 4; k++) sum += x[row * n + at + k] * x[row * n + at + k];
    y[row] = sum;
}
//= d_x[row * n + at + k] +=: plain
//= d_y[row] =: plain
//= read d_y[row]: plain

BOTH("y wrt x")
__global__ void row_and_margin(real *y, const real *x, int n, int margin) {
    int i = HERE, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i < n) y[j * n + i] = x[j * (n + margin) + i] * x[j * (n + margin) + i];
}
//= d_y[j * n + i] =: plain
//= read d_y[j * n + i]: plain
//= d_x[j * (n + margin) + i] +=: plain

// The gradient's own blocks are shorter than what is stated.
JOINED_COARSE("y wrt x", 4) GW_LAUNCH("blockDim.x == 16")
__global__ void coarse(real *y, const real *x, int n) {
    int i = blockIdx.x * 16 + threadIdx.x;
    if (i < n) y[i] = x[i] * x[HERE];
}
//= d_y[i] =: plain
//= read d_y[i]: plain
//= d_x[i] +=: posted
//= d_x[blockIdx.x * (blockDim.x * 4) + (threadIdx.x + 2 * blockDim.x)] +=: posted
//= d_x[blockIdx.x * (blockDim.x * 4) + (threadIdx.x + 3 * blockDim.x)] +=: posted
//= d_x[blockIdx.x * (blockDim.x * 4) + (threadIdx.x + blockDim.x)] +=: posted
//= d_x[blockIdx.x * (blockDim.x * 4) + threadIdx.x] +=: posted

// ---- two forms: of joined gradients ----
// Blocks of 16 come to each cell of x twice.
JOINED("y wrt x") GW_LAUNCH("blockDim.x == 8 or atomic")
__global__ void either(real *y, const real *x, int n) {
    int i = blockIdx.x * 8 + threadIdx.x, at = HERE;
    if (at < n) y[at] = x[i] * x[i];
}
//= d_y[at] =: plain
//= read d_y[at]: plain
//= d_x[i] +=: plain

JOINED("y wrt x") GW_LAUNCH("blockDim.x == 8, n % 8 == 0 or atomic")
__global__ void either_with_tape(real *y, const real *x, int n, int steps) {
    int i = HERE;
    if (i >= n) return;
    real v = x[blockIdx.x * 8 + threadIdx.x];
    for (int k = 0; k < steps; k++) v = sin(v) * v + 0.1 * k;
    y[i] = v;
}
//= d_x[blockIdx.x * 8 + threadIdx.x] +=: plain
//= d_y[i] =: plain
//= read d_y[i]: plain

// The sums of neighbours are kernels of each form's own.
JOINED("y, p wrt x, z") GW_ACCUMULATE(x, gather) GW_LAUNCH("blockDim.x == 8 or atomic")
__global__ void either_gathers(real *y, real *p, const real *x, const real *z, int n) {
    int i = HERE;
    if (i > 0 && i < n - 1) y[i] = 2 * x[i - 1] + 3 * x[i] + 4 * x[i + 1];
    if (i < n) p[i] = z[blockIdx.x * 8 + threadIdx.x] * z[blockIdx.x * 8 + threadIdx.x];
}
//= d_y[i] =: plain
//= d_p[i] =: plain
//= read d_p[i]: plain
//= d_z[blockIdx.x * 8 + threadIdx.x] +=: plain
//= d_x[i_at] +=: gathered

#include "launch.grad.cuh"

static std::vector<int> walls() {
    std::vector<int> is(CELLS);
    for (int i = 0; i < CELLS; i++) is[i] = i % 7 == 3;
    return is;
}

CHECK_KERNEL(transpose, dim3(2, 3), dim3(8, 2), out(13 * 20), in(13 * 20), 13, 20)
CHECK_KERNEL(whole_tiles, dim3(2, 3), dim3(8, 2), out(16 * 24), in(16 * 24), 16, 24)
CHECK_KERNEL(convolution, 4, BLOCK, out(60), in(60), in(2 * RADIUS + 1), 60)
CHECK_KERNEL(product, dim3(2, 3), dim3(8, 8), out(24 * 16), in(24 * 32), in(32 * 16), 32, 16)
CHECK_KERNEL(stream, dim3(LINES, 4), 10, out(FIELDS * CELLS), in(FIELDS * CELLS, 0.5, 1.5), given(walls()))
CHECK_SHARED(reduction, 2, 128, 128 * sizeof(real), out(2), in(500), 500)
CHECK_KERNEL(row_in_steps, 2, 8, out(13), in(13 * 20), 13, 20)
CHECK_KERNEL(row_and_margin, dim3(2, 2), dim3(8, 4), out(8 * 13), in(8 * 18), 13, 5)
CHECK_KERNEL(coarse, 2, 16, out(30), in(32), 30)
CHECK_JOINED(either, either, either, 1e-8, 4, 8, 0, out(32), in(32), 30)
CHECK_JOINED(either_by_16, either, either, 1e-8, 2, 16, 0, out(32), in(32), 30)
CHECK_JOINED(either_with_tape, either_with_tape, either_with_tape, 1e-8, 4, 8, 0, out(32), in(32), 24, 5)
CHECK_JOINED(either_with_tape_by_16, either_with_tape, either_with_tape, 1e-8, 2, 16, 0, out(32), in(32), 24, 5)
CHECK_JOINED(either_with_tape_of_27, either_with_tape, either_with_tape, 1e-8, 4, 8, 0, out(32), in(32), 27, 5)
CHECK_JOINED(either_gathers, either_gathers, either_gathers, 1e-8, 4, 8, 0, out(32), out(32), in(32),
             in(32), 30)
CHECK_JOINED(either_gathers_by_16, either_gathers, either_gathers, 1e-8, 2, 16, 0, out(32), out(32),
             in(32), in(32), 30)
TEST_MAIN

// Shared memory: static and dynamic, reused, read by neighbours, staged by tile, and threads that have
// returned.
#include "../support/check.cuh"

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

// ---- one interval after another, in straight code ----
BOTH("y wrt x")
__global__ void reversed(real *y, const real *x) {
    __shared__ real tile[32];
    tile[threadIdx.x] = x[HERE] * x[HERE];
    __syncthreads();
    y[HERE] = tile[31 - threadIdx.x] * tile[threadIdx.x];
}

BOTH("y wrt x")
__global__ void dynamic(real *y, const real *x, int n) {
    extern __shared__ real tile[];
    int i = HERE;
    tile[threadIdx.x] = i < n ? x[i] * x[i] : 0;
    __syncthreads();
    if (i < n) y[i] = tile[(threadIdx.x + 1) % blockDim.x] * tile[(threadIdx.x + 5) % blockDim.x];
}

// One dynamic array in pieces, one of them through a pointer that moves.
BOTH("y wrt a, b")
__global__ void carved(real *y, const real *a, const real *b) {
    extern __shared__ real memory[];
    real *first = memory, *second = first + blockDim.x;
    first[threadIdx.x] = a[HERE];
    second[threadIdx.x] = b[HERE] * a[HERE];
    __syncthreads();
    int other = blockDim.x - 1 - threadIdx.x;
    y[HERE] = first[other] * second[other] + second[threadIdx.x];
}

struct body {
    real x, y;
    int tag;
    real mass;
};

// Dynamic memory of another type than it is declared with: what it is cast to wherever it is named.
template <class T> struct memory_of {
    __device__ operator T *() {
        extern __shared__ int words[];
        return (T *)words;
    }
};
BOTH("y wrt x")
__global__ void from_words(real *y, const real *x) {
    real *const s = memory_of<real>();
    s[threadIdx.x] = x[HERE] * x[HERE];
    __syncthreads();
    y[HERE] = s[(threadIdx.x + 3) % blockDim.x] * s[threadIdx.x];
}
BOTH("y wrt x")
__global__ void from_bytes(real *y, const real *x) {
    extern __shared__ char bytes[];
    body *const bodies = reinterpret_cast<body *>(bytes);
    const body *const reversed = (body *)bytes + (blockDim.x - 1 - threadIdx.x);
    bodies[threadIdx.x].x = x[HERE];
    bodies[threadIdx.x].tag = threadIdx.x % 4;
    bodies[threadIdx.x].mass = x[HERE] * x[HERE];
    __syncthreads();
    y[HERE] = reversed->x * reversed->mass * reversed->tag;
}
BOTH("out wrt x, m")
__global__ void structs(real *out, const real *x, const real *m) {
    __shared__ body bodies[32];
    __shared__ real scale;
    body own;
    own.x = x[2 * HERE];
    own.y = x[2 * HERE + 1];
    own.tag = threadIdx.x % 3;
    own.mass = m[HERE];
    bodies[threadIdx.x] = own;
    if (threadIdx.x == 0) scale = m[HERE] * m[HERE];
    __syncthreads();
    const body other = bodies[(threadIdx.x + 7) % 32];
    out[HERE] = scale * (other.x * own.y * other.mass + other.tag * own.x);
}

// The same array holds other data in each interval; a cell is read by two threads in each.
BOTH("y wrt x")
__global__ void reused(real *y, const real *x) {
    __shared__ real s[32];
    int t = threadIdx.x;
    s[t] = x[HERE] * x[HERE];
    __syncthreads();
    real left = s[(t + 1) % 32] * s[t];
    __syncthreads();
    s[t] = left * left;
    __syncthreads();
    real right = s[(t + 3) % 32] * s[(t + 31) % 32];
    __syncthreads();
    s[31 - t] = right + left;
    __syncthreads();
    y[HERE] = s[t] * right;
}

// A store that is overwritten before anybody reads it, and one that only some threads overwrite.
BOTH("y wrt x")
__global__ void overwritten(real *y, const real *x) {
    __shared__ real s[32];
    int t = threadIdx.x;
    s[t] = x[HERE];
    s[t] = s[t] * x[HERE];
    __syncthreads();
    if (t % 2) s[t] = s[t] * s[t];
    __syncthreads();
    y[HERE] = s[(t + 1) % 32] * s[t];
}

// ---- neighbours ----
BOTH("y wrt x, w")
__global__ void halo(real *y, const real *x, const real *w, int n) {
    __shared__ real s[16 + 4];
    int i = HERE, t = threadIdx.x;
    s[t + 2] = i < n ? x[i] : 0;
    if (t < 2) s[t] = i >= 2 && i - 2 < n ? x[i - 2] : 0;
    if (t >= 14) s[t + 4] = i + 2 < n ? x[i + 2] : 0;
    __syncthreads();
    if (i >= n) return;
    real sum = 0;
    for (int k = 0; k < 5; k++) sum += w[k] * s[t + k] * s[t + 2];
    y[i] = sum;
}

BOTH("y wrt x")
__global__ void halo_2d(real *y, const real *x, int h, int w) {
    __shared__ real s[6][6];
    int c = blockIdx.x * 4 + threadIdx.x - 1, r = blockIdx.y * 4 + threadIdx.y - 1;
    bool inside = r >= 0 && r < h && c >= 0 && c < w;
    s[threadIdx.y][threadIdx.x] = inside ? x[r * w + c] : 0;
    __syncthreads();
    if (!inside || threadIdx.x == 0 || threadIdx.x == 5 || threadIdx.y == 0 || threadIdx.y == 5) return;
    real a = s[threadIdx.y][threadIdx.x];
    y[r * w + c] = a * (s[threadIdx.y - 1][threadIdx.x] + s[threadIdx.y + 1][threadIdx.x]) +
                   s[threadIdx.y][threadIdx.x - 1] * s[threadIdx.y][threadIdx.x + 1];
}

// ---- staged by tile ----
BOTH("C wrt A, B")
__global__ void matmul(real *C, const real *A, const real *B, int n) {
    __shared__ real a[4][4], b[4][4];
    int row = blockIdx.y * 4 + threadIdx.y, col = blockIdx.x * 4 + threadIdx.x;
    real sum = 0;
    for (int t = 0; t < n / 4; t++) {
        a[threadIdx.y][threadIdx.x] = A[row * n + t * 4 + threadIdx.x];
        b[threadIdx.y][threadIdx.x] = B[(t * 4 + threadIdx.y) * n + col];
        __syncthreads();
        for (int k = 0; k < 4; k++) sum += a[threadIdx.y][k] * b[k][threadIdx.x];
        __syncthreads();
    }
    C[row * n + col] = sum;
}

// Bounds that are no multiple of the tile; the sum goes on through a nonlinear function.
BOTH("C wrt A, B")
__global__ void matmul_edges(real *C, const real *A, const real *B, int m, int n, int k) {
    __shared__ real a[4][4], b[4][4];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 4 + ty, col = blockIdx.x * 4 + tx;
    real sum = 0;
    for (int t = 0; t < k; t += 4) {
        a[ty][tx] = row < m && t + tx < k ? A[row * k + t + tx] : 0;
        b[ty][tx] = col < n && t + ty < k ? B[(t + ty) * n + col] : 0;
        __syncthreads();
        for (int q = 0; q < 4; q++) sum += a[ty][q] * b[q][tx] * sum * 0.01 + a[ty][q] * b[q][tx];
        __syncthreads();
    }
    if (row < m && col < n) C[row * n + col] = sum;
}

// All pairs, one tile of bodies at a time.
BOTH("force wrt x")
__global__ void pairs(real *force, const real *x, int n) {
    __shared__ real tile[16];
    int i = HERE;
    real own = i < n ? x[i] : 0, sum = 0;
    for (int base = 0; base < n; base += 16) {
        int k = base + threadIdx.x;
        tile[threadIdx.x] = k < n ? x[k] : 0;
        __syncthreads();
        for (int j = 0; j < 16 && base + j < n; j++) {
            real d = tile[j] - own;
            sum += d / (d * d + 0.3);
        }
        __syncthreads();
    }
    if (i < n) force[i] = sum;
}

// Two buffers in turn, and one barrier a round.
BOTH("y wrt x")
__global__ void two_buffers(real *y, const real *x, int rounds) {
    __shared__ real s[2][16];
    real sum = 1;
    for (int k = 0; k < rounds; k++) {
        s[k % 2][threadIdx.x] = x[k * 16 + threadIdx.x];
        __syncthreads();
        sum = sum * s[k % 2][15 - threadIdx.x] + s[k % 2][threadIdx.x];
    }
    y[HERE] = sum;
}

// What a round does not write again, it has from the rounds before: recorded.
BOTH("y wrt x")
__global__ void partly_staged(real *y, const real *x, int rounds) {
    __shared__ real s[16];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    real sum = 0;
    for (int k = 1; k < rounds; k++) {
        if (threadIdx.x % 4 == k % 4) s[threadIdx.x] = x[k * 16 + threadIdx.x] * s[threadIdx.x];
        __syncthreads();
        real a = s[15 - threadIdx.x];
        sum += a * a;
        __syncthreads();
    }
    y[HERE] = sum;
}

// Filled by a loop with stride, and read by all.
BOTH("y wrt x, table")
__global__ void table_of_block(real *y, const real *x, const real *table, int n, int size) {
    __shared__ real s[40];
    for (int k = threadIdx.x; k < size; k += blockDim.x) s[k] = table[k] * table[k];
    __syncthreads();
    int i = HERE;
    if (i >= n) return;
    real sum = 0;
    for (int k = 0; k < size; k++) sum += s[k] * x[i] * x[i] / (k + 1);
    y[i] = sum;
}

// All threads of a block add into one cell, whatever n is: no launch has to keep an assumption about it.
BOTH("y wrt x")
__global__ void cell_of_n(real *y, const real *x, int n) {
    __shared__ real s[6];
    int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
    if (t < 6) s[t] = x[i];
    __syncthreads();
    if (i < n) y[i] = s[(unsigned)(n - 3) % 6u] * s[1];
}

struct real2 {
    real x, y;
};
// A cell that each round of a loop writes and none reads: kept in a register, it is not loaded before the loop,
// where nobody has written it.
BOTH("y wrt x")
__global__ void last_of_rounds(real *y, const real *x, int n) {
    __shared__ real s[32];
    __shared__ real2 pairs[32];
    int t = threadIdx.x;
    for (int k = 0; k < n / 8; k++) {
        s[t] = x[HERE] * x[k];
        pairs[t].x = s[t] * k;
        if (k % 2) pairs[t].y = x[k];
        else pairs[t].y = s[t];
    }
    __syncthreads();
    y[HERE] = s[(t + 1) % 32] * s[t] + pairs[t ^ 1].x * pairs[t].y;
}

// ---- types that have no name where the gradient stands ----
BOTH("y wrt x")
__global__ void unnamed(real *y, const real *x, int n) {
    __shared__ struct {
        real a, b;
        int at;
    } s[32];
    int i = HERE, t = threadIdx.x;
    s[t].a = i < n ? x[i] * x[i] : 0;
    s[t].b = i < n ? sin(x[i]) : 1;
    s[t].at = (t + 3) % 32;
    __syncthreads();
    if (i < n) y[i] = s[s[t].at].a * s[31 - t].b + s[t].a;
}

BOTH("y wrt x")
__global__ void of_the_kernel(real *y, const real *x) {
    struct pair {
        real v[2];
        struct {
            real w;
        } in;
    };
    __shared__ pair s[32];
    __shared__ pair one;
    int t = threadIdx.x;
    if (t == 0) one.in.w = x[blockIdx.x], one.v[0] = one.v[1] = 0.5;
    pair mine = {{x[HERE], x[HERE] * x[HERE]}, {2 * x[HERE]}};
    s[t] = mine;
    __syncthreads();
    const pair &other = s[(t + 1) % 32];
    y[HERE] = other.v[t % 2] * one.in.w + other.in.w * s[t].v[1] * one.v[t % 2];
}

__shared__ struct {
    real a[2];
    real sum;
} at_file_scope;

BOTH("y wrt x")
__global__ void added_to(real *y, const real *x) {
    int t = threadIdx.x;
    if (t < 2) at_file_scope.a[t] = x[t];
    if (t == 2) at_file_scope.sum = 0;
    __syncthreads();
    atomicAdd(&at_file_scope.sum, x[t] * at_file_scope.a[t % 2]);
    __syncthreads();
    y[t] = at_file_scope.sum * x[t];
}

#include "shared.grad.cuh"

CHECK_KERNEL(reversed, 2, 32, out(64), in(64))
CHECK_KERNEL(unnamed, 2, 32, out(60), in(60), 60)
CHECK_KERNEL(of_the_kernel, 2, 32, out(64), in(64))
CHECK_KERNEL(added_to, 1, 32, out(32), in(32))
CHECK_SHARED(dynamic, 2, 32, 32 * sizeof(real), out(50), in(50), 50)
CHECK_SHARED(carved, 2, 16, 32 * sizeof(real), out(32), in(32), in(32))
CHECK_SHARED(from_words, 2, 32, 32 * sizeof(real), out(64), in(64))
CHECK_SHARED(from_bytes, 2, 32, 32 * sizeof(body), out(64), in(64))
CHECK_KERNEL(structs, 2, 32, out(64), in(128), in(64))
CHECK_KERNEL(reused, 2, 32, out(64), in(64))
CHECK_KERNEL(overwritten, 2, 32, out(64), in(64))
CHECK_KERNEL(halo, 3, 16, out(40), in(40), in(5), 40)
CHECK_KERNEL(halo_2d, dim3(2, 2), dim3(6, 6), out(48), in(48), 6, 8)
CHECK_KERNEL(matmul, dim3(2, 2), dim3(4, 4), out(64), in(64), in(64), 8)
CHECK_KERNEL(matmul_edges, dim3(2, 2), dim3(4, 4), out(42), in(66), in(77), 6, 7, 11)
CHECK_KERNEL(pairs, 2, 16, out(27), in(27), 27)
CHECK_KERNEL(two_buffers, 1, 16, out(16), in(96), 6)
CHECK_KERNEL(partly_staged, 1, 16, out(16), in(96), 6)
CHECK_KERNEL(table_of_block, 2, 16, out(30), in(30), in(35), 30, 35)
CHECK_KERNEL(cell_of_n, 1, 8, out(2), in(8), 2)
CHECK_CASE(cell_of_more, cell_of_n, cell_of_n, 1e-8, 2, 8, out(13), in(16), 13)
CHECK_KERNEL(last_of_rounds, 2, 32, out(64), in(64), 32)
TEST_MAIN

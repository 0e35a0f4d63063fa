/*
 * tiles.cuh - kernels that work on square tiles in shared memory: a matrix product, a convolution with its
 * halo, and all pairs of bodies.
 *
 * `real` and the constant `tile`, the side of a block, are the including file's; it includes the gradients as
 * well.
 */
#include <gradwright/gradwright.h>

/* C = A B, of m x k and k x n; any sizes. */
GW_GRADIENT("C wrt A, B")
GW_DERIVATIVE("C wrt A, B")
__global__ void multiply(real *C, const real *A, const real *B, int m, int n, int k) {
    __shared__ real As[tile][tile], Bs[tile][tile];
    int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * tile + ty, col = blockIdx.x * tile + tx;
    real sum = 0;
    for (int base = 0; base < k; base += tile) {
        As[ty][tx] = row < m && base + tx < k ? A[row * k + base + tx] : 0;
        Bs[ty][tx] = base + ty < k && col < n ? B[(base + ty) * n + col] : 0;
        __syncthreads();
        for (int q = 0; q < tile; q++) sum += As[ty][q] * Bs[q][tx];
        __syncthreads();
    }
    if (row < m && col < n) C[row * n + col] = sum;
}

enum { radius = 2, side = 2 * radius + 1, padded = tile + 2 * radius };

/* out[y][x] = sum of weights[j][i] * image[y + j - radius][x + i - radius]; the image is 0 beyond its
 * border. */
GW_GRADIENT("out wrt image, weights")
GW_DERIVATIVE("out wrt image, weights")
__global__ void convolve_tile(real *out, const real *image, const real *weights, int height, int width) {
    __shared__ real cells[padded][padded];
    int left = blockIdx.x * tile - radius, top = blockIdx.y * tile - radius;
    for (int j = threadIdx.y; j < padded; j += tile)
        for (int i = threadIdx.x; i < padded; i += tile) {
            int x = left + i, y = top + j;
            cells[j][i] = x >= 0 && y >= 0 && x < width && y < height ? image[y * width + x] : 0;
        }
    __syncthreads();
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
    if (x >= width || y >= height) return;
    real sum = 0;
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++) sum += weights[j * side + i] * cells[threadIdx.y + j][threadIdx.x + i];
    out[y * width + x] = sum;
}

struct body {
    real x, y, z, mass;
};
struct push {
    real x, y, z;
};

/* The softened pull of all n bodies on each; blocks of `bodies` threads, which share as many bodies at a
 * time. */
enum { bodies = tile * tile };
GW_GRADIENT("pull wrt all")
GW_DERIVATIVE("pull wrt all")
__global__ void n_body(push *pull, const body *all, int n, real softening) {
    __shared__ body near[bodies];
    int t = threadIdx.x, i = blockIdx.x * bodies + t;
    body own = all[i < n ? i : n - 1];
    push sum = {0, 0, 0};
    for (int base = 0; base < n; base += bodies) {
        int k = base + t;
        if (k < n) near[t] = all[k];
        __syncthreads();
        int count = min((int)bodies, n - base);
        for (int j = 0; j < count; j++) {
            real x = near[j].x - own.x, y = near[j].y - own.y, z = near[j].z - own.z;
            real square = x * x + y * y + z * z + softening;
            real inverse = 1 / sqrt(square);
            real weight = near[j].mass * inverse * inverse * inverse;
            sum.x += x * weight;
            sum.y += y * weight;
            sum.z += z * weight;
        }
        __syncthreads();
    }
    if (i < n) pull[i] = sum;
}

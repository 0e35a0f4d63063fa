/*
 * streams.cuh - kernels that move memory and do little else: an activation, a permute, rows of a table, images
 * of three numbers a pixel in rows behind a stride. What their gradients cost is bytes, so adjoints are new
 * (`fresh`); those of images are added to, too.
 *
 * `real` is the including file's; it includes the gradients as well.
 */
#include <gradwright/gradwright.h>

/* The tanh form of GELU. */
GW_GRADIENT("y wrt x[0:n] fresh")
GW_DERIVATIVE("y wrt x")
__global__ void gelu(real *y, const real *x, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const real v = x[i], inner = (real)0.79788456080286536 * (v + (real)0.044715 * v * v * v);
    y[i] = (real)0.5 * v * (1 + tanh(inner));
}

/* From the q, k and v of all heads of each token to those of all tokens of each head. */
GW_GRADIENT("q, k, v wrt all[0:batches * tokens * 3 * heads * width] fresh")
GW_DERIVATIVE("q, k, v wrt all")
__global__ void by_heads(real *q, real *k, real *v, const real *all, int batches, int tokens, int heads,
                         int width) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= batches * heads * tokens * width) return;
    const int batch = i / (heads * tokens * width);
    int rest = i % (heads * tokens * width);
    const int head = rest / (tokens * width);
    rest = rest % (tokens * width);
    const int token = rest / width, part = rest % width;
    const int at = batch * tokens * 3 * heads * width + token * 3 * heads * width + head * width + part;
    q[i] = all[at];
    k[i] = all[at + heads * width];
    v[i] = all[at + 2 * heads * width];
}

/* A row for each word and one for each place. */
GW_GRADIENT("y wrt table[0:words * width] fresh, places[0:length * width] fresh")
GW_DERIVATIVE("y wrt table, places")
__global__ void embedding(real *y, const real *table, const real *places, const int *ids, int texts, int length,
                          int width, int words) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= texts * length * width) return;
    (void)words; /* as long as the table is */
    const int token = i / width, part = i % width, place = token % length;
    y[i] = table[ids[token] * width + part] + places[place * width + part];
}

/* Three numbers a pixel. */
struct pixel {
    real x, y, z;
};

__device__ inline pixel pixel_at(const real *image, int at) {
    return {image[at], image[at + 1], image[at + 2]};
}
__device__ inline pixel normalized(pixel v) {
    const real inverse = 1 / sqrt(v.x * v.x + v.y * v.y + v.z * v.z + (real)1e-6);
    return {v.x * inverse, v.y * inverse, v.z * inverse};
}

/* The relative squared error of two images. */
GW_GRADIENT("y wrt image, target")
GW_GRADIENT("relative_error_new = y wrt image[0:height * stride] fresh, target[0:height * stride] fresh")
GW_DERIVATIVE("y wrt image, target")
__global__ void relative_error(real *y, const real *image, const real *target, int stride, int width,
                               int height) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height) return;
    real sum = 0;
    for (int c = 0; c < 3; c++) {
        const real a = image[row * stride + 3 * column + c], b = target[row * stride + 3 * column + c];
        sum += (a - b) * (a - b) / (a * a + b * b + (real)0.1);
    }
    y[row * width + column] = sum / 3;
}

/* A normal that is bent by a map of bumps, in the frame of a normal and a tangent. */
GW_GRADIENT("bent wrt normal, tangent, bump")
GW_GRADIENT("bent_normal_new = bent wrt normal[0:height * stride] fresh, tangent[0:height * stride] fresh, "
            "bump[0:height * stride] fresh")
GW_DERIVATIVE("bent wrt normal, tangent, bump")
__global__ void bent_normal(real *bent, const real *normal, const real *tangent, const real *bump, int stride,
                            int width, int height) {
    const int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
    if (column >= width || row >= height) return;
    const int at = row * stride + 3 * column;
    const pixel n = normalized(pixel_at(normal, at)), t = normalized(pixel_at(tangent, at)),
                p = pixel_at(bump, at);
    const pixel b = {t.y * n.z - t.z * n.y, t.z * n.x - t.x * n.z, t.x * n.y - t.y * n.x};
    const pixel r = normalized({t.x * p.x + b.x * p.y + n.x * p.z, t.y * p.x + b.y * p.y + n.y * p.z,
                                t.z * p.x + b.z * p.y + n.z * p.z});
    bent[at] = r.x;
    bent[at + 1] = r.y;
    bent[at + 2] = r.z;
}

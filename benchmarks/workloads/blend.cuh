/*
 * blend.cuh - the blend kernel of 3-D Gaussian splatting: each tile of 16 x 16 pixels adds up its splats front
 * to back.
 *
 * A splat has a centre, a conic (the inverse of its covariance), an opacity and a colour. ids[range.x ..
 * range.y - 1] are the splats of a tile by depth, in at most `rounds` batches. A pixel stops before it would
 * become opaque. The block stages a batch of splats at a time in shared memory, each thread one.
 *
 * `real`, the constants `tile` and `batch` = tile * tile, real2, real3 and real4 are the including file's; it
 * includes the gradients as well.
 */
#include <gradwright/gradwright.h>

GW_GRADIENT("out, final_T wrt mean, conic, color")
GW_DERIVATIVE("out, final_T wrt mean, conic, color")
__global__ void blend(real *out, real *final_T, int *last, const real2 *mean, const real4 *conic,
                      const real *color, const int *ids, const int2 *ranges, real3 background, int width,
                      int height, int rounds) {
    __shared__ int s_id[batch];
    __shared__ real2 s_mean[batch];
    __shared__ real4 s_conic[batch];
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y,
        t = threadIdx.y * tile + threadIdx.x;
    int2 range = ranges[blockIdx.y * gridDim.x + blockIdx.x];
    bool inside = x < width && y < height, done = !inside;
    real T = 1, red = 0, green = 0, blue = 0;
    int count = 0, blended = 0;
    for (int round = 0; round < rounds; round++) {
        int base = range.x + round * batch;
        if (base >= range.y) break;
        if (__syncthreads_count(done) == batch) break;
        int k = base + t;
        if (k < range.y) {
            int id = ids[k];
            s_id[t] = id;
            s_mean[t] = mean[id];
            s_conic[t] = conic[id];
        }
        __syncthreads();
        int staged = min((int)batch, range.y - base);
        for (int j = 0; !done && j < staged; j++) {
            count++;
            real dx = s_mean[j].x - x, dy = s_mean[j].y - y;
            real4 q = s_conic[j];
            real power = (real)-0.5 * (q.x * dx * dx + q.z * dy * dy) - q.y * dx * dy;
            if (power > 0) continue;
            real alpha = fmin((real)0.99, q.w * exp(power));
            if (alpha < (real)(1 / 255.0)) continue;
            real next = T * (1 - alpha);
            if (next < (real)1e-4) {
                done = true;
                continue;
            }
            const real *c = color + 3 * s_id[j];
            red += c[0] * alpha * T;
            green += c[1] * alpha * T;
            blue += c[2] * alpha * T;
            T = next;
            blended = count;
        }
    }
    if (!inside) return;
    int pixel = y * width + x;
    final_T[pixel] = T;
    last[pixel] = blended;
    out[3 * pixel] = red + T * background.x;
    out[3 * pixel + 1] = green + T * background.y;
    out[3 * pixel + 2] = blue + T * background.z;
}

/*
 * layers.cuh - soft discs in front of each other, a thread for several pixels: each tile of a picture adds up
 * the discs of its list front to back.
 *
 * A disc has a centre, a sharpness, an opacity at its centre and a colour. ids[from[i] .. from[i + 1] - 1] are
 * the discs of tile i by depth. A thread has `pixels` pixels of a column of its tile, each of which stops
 * before it would become opaque; what the discs have for all of them is read once. The block stages a batch of
 * discs at a time in shared memory, each thread one.
 *
 * `real` and the constants `tile`, `pixels`, `rows` = tile / pixels and `batch` = tile * rows are the including
 * file's; it includes the gradients as well. A block is tile x rows threads.
 */
#include <gradwright/gradwright.h>

struct disc {
    real x, y, sharpness, opacity;
};

GW_GRADIENT("picture, left wrt discs, colours")
GW_DERIVATIVE("picture, left wrt discs, colours")
__global__ void layers(real *picture, real *left, const disc *discs, const real *colours, const int *ids,
                       const int *from, int width, int height) {
    __shared__ int s_id[batch];
    __shared__ disc s_disc[batch];
    const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y,
              t = threadIdx.y * tile + threadIdx.x, number = blockIdx.y * gridDim.x + blockIdx.x;
    const int begin = max(from[number], 0), end = max(from[number + 1], begin);
    real T[pixels], sum[pixels][3];
    bool done[pixels];
    for (int k = 0; k < pixels; k++) {
        T[k] = 1;
        for (int c = 0; c < 3; c++) sum[k][c] = 0;
        done[k] = x >= width || y + k * rows >= height;
    }
    for (int base = begin; base < end; base += batch) {
        bool all = true;
        for (int k = 0; k < pixels; k++) all = all && done[k];
        if (__syncthreads_and(all)) break;
        if (base + t < end) {
            s_id[t] = ids[base + t];
            s_disc[t] = discs[s_id[t]];
        }
        __syncthreads();
        for (int j = 0; j < min((int)batch, end - base); j++) {
            const disc d = s_disc[j];
            const real dx = d.x - x, *colour = colours + 3 * s_id[j], c[3] = {colour[0], colour[1], colour[2]};
            for (int k = 0; k < pixels; k++) {
                if (done[k]) continue;
                const real dy = d.y - (y + k * rows), apart = 1 + d.sharpness * (dx * dx + dy * dy);
                const real alpha = fmin((real)0.99, d.opacity / (apart * apart));
                if (alpha < (real)(1 / 255.0)) continue;
                const real next = T[k] * (1 - alpha);
                if (next < (real)1e-4) {
                    done[k] = true;
                    continue;
                }
                for (int i = 0; i < 3; i++) sum[k][i] += c[i] * alpha * T[k];
                T[k] = next;
            }
        }
    }
    for (int k = 0; k < pixels; k++)
        if (x < width && y + k * rows < height) {
            const int pixel = (y + k * rows) * width + x;
            left[pixel] = T[k];
            for (int i = 0; i < 3; i++) picture[3 * pixel + i] = sum[k][i];
        }
}

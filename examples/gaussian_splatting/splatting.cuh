/*
 * splatting.cuh - the kernels of 3-D Gaussian splatting: projection, lists of splats for tiles, and blending.
 *
 * blend is written as in every rasteriser of this kind; its gradient is what the example is about. Nothing in
 * it is there for Gradwright but the requests: joined, in two halves, and with a second half in which a thread
 * does the work of two and four pixels.
 */
#ifndef GAUSSIAN_SPLATTING_CUH
#define GAUSSIAN_SPLATTING_CUH

#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

enum { tile = 16, batch = tile * tile };

GW_GRADIENT("out wrt mean, conic, color")
GW_SPLIT_GRADIENT("out wrt mean, conic, color with final_T, last")
GW_SPLIT_GRADIENT("by_two = out wrt mean, conic, color with final_T, last")
GW_COARSEN(2, by_two) GW_SPLIT_GRADIENT("by_four = out wrt mean, conic, color with final_T, last")
    GW_COARSEN(4, by_four)
#ifdef SPLATTING_PACKED
        GW_PACK(mean, conic, color)
#endif
            GW_DISJOINT_RANGES(ranges) __global__
    void blend(float *out, float *final_T, int *last, const float2 *mean, const float4 *conic,
               const float *color, const int *ids, const int2 *ranges, float3 background, int width,
               int height) {
    __shared__ float2 s_mean[batch];
    __shared__ float4 s_conic[batch];
    __shared__ float3 s_color[batch];
    int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y,
        t = threadIdx.y * tile + threadIdx.x;
    int2 range = ranges[blockIdx.y * gridDim.x + blockIdx.x];
    bool inside = x < width && y < height, done = !inside;
    float T = 1, red = 0, green = 0, blue = 0;
    int count = 0, blended = 0;
    for (int base = range.x; base < range.y; base += batch) {
        if (__syncthreads_count(done) == batch) break;
        int k = base + t;
        if (k < range.y) {
            int id = ids[k];
            s_mean[t] = mean[id];
            s_conic[t] = conic[id];
            s_color[t] = {color[3 * id], color[3 * id + 1], color[3 * id + 2]};
        }
        __syncthreads();
        for (int j = 0; !done && j < min((int)batch, range.y - base); j++) {
            count++;
            float dx = s_mean[j].x - x, dy = s_mean[j].y - y;
            float4 q = s_conic[j]; // the opacity is its w
            float power = -0.5f * (q.x * dx * dx + q.z * dy * dy) - q.y * dx * dy;
            if (power > 0) continue;
            float alpha = fminf(0.99f, q.w * __expf(power));
            if (alpha < 1 / 255.0f) continue;
            float next = T * (1 - alpha);
            if (next < 1e-4f) {
                done = true;
                continue;
            }
            float3 c = s_color[j];
            red += c.x * alpha * T;
            green += c.y * alpha * T;
            blue += c.z * alpha * T;
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

struct gaussian {
    float3 position, scale;
    float4 rotation; // a unit quaternion, its real part in w
    float opacity;
};

struct camera {
    float focal;
    int width, height; // looks along z from the origin
};

/* Least value of a dx^2 + 2 b dx dy + c dy^2 where dx, dy are in the rectangle. */
__host__ __device__ inline float least_form(float a, float b, float c, float x0, float x1, float y0, float y1) {
    if (x0 <= 0 && x1 >= 0 && y0 <= 0 && y1 >= 0) return 0;
    float least = 3e38f;
    for (int side = 0; side < 2; side++) {
        float x = side ? x1 : x0, y = fminf(fmaxf(-b * x / c, y0), y1);
        least = fminf(least, a * x * x + 2 * b * x * y + c * y * y);
        y = side ? y1 : y0, x = fminf(fmaxf(-b * y / a, x0), x1);
        least = fminf(least, a * x * x + 2 * b * x * y + c * y * y);
    }
    return least;
}

/* Whether a splat is at least 1/255 opaque at some pixel of the tile. */
__host__ __device__ inline bool touches(float2 m, float4 q, int tile_x, int tile_y) {
    float x = tile_x * tile - m.x, y = tile_y * tile - m.y;
    return q.w * expf(-0.5f * least_form(q.x, q.y, q.z, x, x + tile - 1, y, y + tile - 1)) >= 1 / 255.0f;
}

struct tile_box {
    int x0, x1, y0, y1;
};
__host__ __device__ inline tile_box box_of(float2 m, float radius, int tiles_x, int tiles_y) {
    tile_box b = {(int)floorf((m.x - radius) / tile), (int)floorf((m.x + radius) / tile) + 1,
                  (int)floorf((m.y - radius) / tile), (int)floorf((m.y + radius) / tile) + 1};
    b.x0 = b.x0 < 0 ? 0 : b.x0, b.y0 = b.y0 < 0 ? 0 : b.y0;
    b.x1 = b.x1 > tiles_x ? tiles_x : b.x1, b.y1 = b.y1 > tiles_y ? tiles_y : b.y1;
    return b;
}

/* How far a splat reaches, in whole pixels; `most`: its larger variance. */
GW_NONDIFFERENTIABLE __host__ __device__ inline float reach(float most) { return ceilf(3 * sqrtf(most)); }

/* Covariance from scale and rotation, projected to the screen with 0.3 pixels^2 of low pass; how many tiles are
 * touched. */
GW_GRADIENT("mean, conic wrt all")
__global__ void project(float2 *mean, float4 *conic, float *depth, float *radius, int *touched,
                        const gaussian *all, camera cam, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    gaussian g = all[i];
    float x = g.rotation.x, y = g.rotation.y, z = g.rotation.z, w = g.rotation.w, px = g.position.x,
          py = g.position.y, pz = g.position.z;
    float r[3][3] = {{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
                     {2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
                     {2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
    float scale[3] = {g.scale.x, g.scale.y, g.scale.z}, f = cam.focal / pz, a = 0.3f, b = 0, c = 0.3f;
    for (int k = 0; k < 3; k++) { // the two rows of J R S
        float u = f * (r[0][k] - r[2][k] * px / pz) * scale[k],
              v = f * (r[1][k] - r[2][k] * py / pz) * scale[k];
        a += u * u, b += u * v, c += v * v;
    }
    float det = a * c - b * b, middle = 0.5f * (a + c),
          most = middle + sqrtf(fmaxf(0.1f, middle * middle - det));
    float2 m = {f * px + 0.5f * cam.width, f * py + 0.5f * cam.height};
    float4 q = {c / det, -b / det, a / det, g.opacity};
    int count = 0;
    tile_box box = box_of(m, reach(most), (cam.width + tile - 1) / tile, (cam.height + tile - 1) / tile);
    for (int ty = box.y0; ty < box.y1; ty++)
        for (int tx = box.x0; tx < box.x1; tx++) count += touches(m, q, tx, ty);
    mean[i] = m, conic[i] = q, depth[i] = pz, radius[i] = reach(most), touched[i] = count;
}

/* One entry for each tile that a splat touches: tile and depth, as one number to sort by. */
__global__ void list_entries(unsigned long long *keys, int *ids, const int *first, const float2 *mean,
                             const float4 *conic, const float *depth, const float *radius, int tiles_x,
                             int tiles_y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    int at = first[i];
    tile_box box = box_of(mean[i], radius[i], tiles_x, tiles_y);
    const unsigned bits = __float_as_uint(depth[i]); // of positive numbers: in the same order
    for (int ty = box.y0; ty < box.y1; ty++)
        for (int tx = box.x0; tx < box.x1; tx++)
            if (touches(mean[i], conic[i], tx, ty)) {
                keys[at] = (unsigned long long)(ty * tiles_x + tx) << 32 | bits;
                ids[at++] = i;
            }
}

/* The entries of each tile, in the sorted list; ranges of tiles without any are {0, 0}. */
__global__ void find_ranges(int2 *ranges, const unsigned long long *keys, int entries) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= entries) return;
    int here = (int)(keys[i] >> 32);
    if (i == 0 || (int)(keys[i - 1] >> 32) != here) ranges[here].x = i;
    if (i == entries - 1 || (int)(keys[i + 1] >> 32) != here) ranges[here].y = i + 1;
}

/* The begin of each splat's entries; the result says how many there are in all, and is waited for. */
inline int place_entries(int *first, const int *touched, int n, cudaStream_t stream) {
    int begin = 0, count = 0;
    thrust::exclusive_scan(thrust::cuda::par.on(stream), touched, touched + n, first);
    cudaMemcpyAsync(&begin, first + n - 1, sizeof begin, cudaMemcpyDeviceToHost, stream);
    cudaMemcpyAsync(&count, touched + n - 1, sizeof count, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    return begin + count;
}

/* The splats of each tile, by depth. */
inline void list_splats(int *ids, int2 *ranges, unsigned long long *keys, int entries, const int *first,
                        const float2 *mean, const float4 *conic, const float *depth, const float *radius,
                        dim3 tiles, int n, cudaStream_t stream) {
    cudaMemsetAsync(ranges, 0, tiles.x * tiles.y * sizeof *ranges, stream);
    if (entries == 0) return;
    list_entries<<<(n + 255) / 256, 256, 0, stream>>>(keys, ids, first, mean, conic, depth, radius,
                                                      (int)tiles.x, (int)tiles.y, n);
    thrust::sort_by_key(thrust::cuda::par.on(stream), keys, keys + entries, ids);
    find_ranges<<<(entries + 255) / 256, 256, 0, stream>>>(ranges, keys, entries);
}

#endif

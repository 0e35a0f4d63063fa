/*
 * textures.cuh - kernels that read by texture objects: rays through a volume of colours and densities, which
 * the filter interpolates; and a picture sampled at other places.
 *
 * rays: a ray starts at a place of the volume, in texels, and goes on by its direction; what it meets it adds
 * up front to back, until little comes through. Each sample fetches four channels of eight texels.
 *
 * Textures are of floats, and so are these. The including file includes the gradients as well.
 */
#include <gradwright/gradwright.h>
#include <gradwright/texture.cuh>

struct ray {
    float x, y, z, dx, dy, dz;
};

GW_GRADIENT("colour, left wrt rays, volume")
GW_DERIVATIVE("colour, left wrt rays, volume")
__global__ void march(float4 *colour, float *left, const ray *rays, cudaTextureObject_t volume, float step,
                      int steps, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const ray r = rays[i];
    float T = 1;
    float4 sum = make_float4(0, 0, 0, 0);
    for (int k = 0; k < steps; k++) {
        const float t = step * k;
        const float4 here = tex3D<float4>(volume, r.x + t * r.dx, r.y + t * r.dy, r.z + t * r.dz);
        const float alpha = fminf(0.99f, step * here.w);
        if (alpha <= 0) continue;
        const float next = T * (1 - alpha);
        if (next < 1e-4f) break;
        sum.x += T * alpha * here.x;
        sum.y += T * alpha * here.y;
        sum.z += T * alpha * here.z;
        sum.w += T * alpha;
        T = next;
    }
    colour[i] = sum;
    left[i] = T;
}

GW_GRADIENT("out wrt places, picture")
GW_DERIVATIVE("out wrt places, picture")
__global__ void warp_picture(float4 *out, const float2 *places, cudaTextureObject_t picture, int width,
                             int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    const float2 place = places[y * width + x];
    out[y * width + x] = tex2D<float4>(picture, place.x, place.y);
}

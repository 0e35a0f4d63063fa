/*
 * image.cuh - bilinear sampling of an image at given places, and a convolution whose halo is read from global
 * memory.
 *
 * `real` is the including file's; it includes the gradients as well.
 */
#include <gradwright/gradwright.h>

/* out[c][y][x] = image[c] at (places[y][x].x, .y), in cells; beyond the border is 0. */
struct place {
    real x, y;
};

GW_NONDIFFERENTIABLE static __device__ inline int whole(real at) { return (int)floor(at); }

static __device__ inline real cell(const real *image, int height, int width, int y, int x) {
    return x >= 0 && y >= 0 && x < width && y < height ? image[y * width + x] : 0;
}

GW_GRADIENT("out wrt image, places")
GW_DERIVATIVE("out wrt image, places")
__global__ void sample_bilinear(real *out, const real *image, const place *places, int channels, int height,
                                int width, int out_height, int out_width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= out_width || y >= out_height) return;
    place at = places[y * out_width + x];
    int left = whole(at.x), top = whole(at.y);
    real u = at.x - left, v = at.y - top;
    for (int c = 0; c < channels; c++) {
        const real *plane = image + c * height * width;
        real upper =
            (1 - u) * cell(plane, height, width, top, left) + u * cell(plane, height, width, top, left + 1);
        real lower = (1 - u) * cell(plane, height, width, top + 1, left) +
                     u * cell(plane, height, width, top + 1, left + 1);
        out[(c * out_height + y) * out_width + x] = (1 - v) * upper + v * lower;
    }
}

enum { radius = 2, side = 2 * radius + 1 };

/* out[y][x] = sum of weights[j][i] * image[y + j][x + i]; the image has a halo of `radius` on each side. */
GW_GRADIENT("out wrt image, weights")
GW_DERIVATIVE("out wrt image, weights")
__global__ void convolve(real *out, const real *image, const real *weights, int height, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= width || y >= height) return;
    real sum = 0;
    for (int j = 0; j < side; j++)
        for (int i = 0; i < side; i++)
            sum += weights[j * side + i] * image[(y + j) * (width + 2 * radius) + x + i];
    out[y * width + x] = sum;
}

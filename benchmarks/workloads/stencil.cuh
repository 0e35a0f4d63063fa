/*
 * stencil.cuh - one step of heat conduction, in two dimensions by five points with a conductivity that depends
 * on the temperature (its slopes need the neighbours' values), in three by seven points with constant
 * coefficients.
 *
 * `real` is the including file's; it includes the gradients as well.
 */
#include <gradwright/gradwright.h>

/* Cells of the border keep what `next` has. */
GW_GRADIENT("next wrt now")
GW_DERIVATIVE("next wrt now")
__global__ void conduct_5(real *next, const real *now, real rate, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < 1 || y < 1 || x >= width - 1 || y >= height - 1) return;
    int i = y * width + x;
    real here = now[i];
    real flow = (here + now[i - 1]) * (now[i - 1] - here) + (here + now[i + 1]) * (now[i + 1] - here) +
                (here + now[i - width]) * (now[i - width] - here) +
                (here + now[i + width]) * (now[i + width] - here);
    next[i] = here + rate * flow;
}

GW_GRADIENT("next wrt now")
GW_DERIVATIVE("next wrt now")
__global__ void conduct_7(real *next, const real *now, real centre, real side, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
        z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
    int i = (z * ny + y) * nx + x;
    next[i] = centre * now[i] + side * (now[i - 1] + now[i + 1] + now[i - nx] + now[i + nx] + now[i - nx * ny] +
                                        now[i + nx * ny]);
}

/*
 * lattice_boltzmann.cuh - one step of the D3Q19 lattice Boltzmann method (Qian, d'Humieres, Lallemand 1992):
 * streaming and BGK collision, distributions as a structure of arrays, cell (x, y, z) of direction q at
 * ((q * nz + z) * ny + y) * nx + x. The outermost layer of cells is the boundary, which a step leaves alone.
 *
 * `real` is the including file's; it includes the gradients as well.
 */
#include <gradwright/gradwright.h>

enum { directions = 19 };

/* Component `axis` of direction q's velocity: rest, the six faces, the twelve edges. */
static __device__ inline int velocity(int q, int axis) {
    constexpr signed char of[3][directions] = {{0, 1, -1, 0, 0, 0, 0, 1, -1, 1, -1, 1, -1, 1, -1, 0, 0, 0, 0},
                                               {0, 0, 0, 1, -1, 0, 0, 1, -1, -1, 1, 0, 0, 0, 0, 1, -1, 1, -1},
                                               {0, 0, 0, 0, 0, 1, -1, 0, 0, 0, 0, 1, -1, -1, 1, 1, -1, -1, 1}};
    return of[axis][q];
}

static __device__ inline real weight(int q) {
    return q == 0 ? (real)(1.0 / 3.0) : q < 7 ? (real)(1.0 / 18.0) : (real)(1.0 / 36.0);
}

/* f relaxes towards its local equilibrium. */
static __device__ inline void collide(real f[directions], real omega) {
    real density = 0, momentum[3] = {0, 0, 0};
#pragma unroll
    for (int q = 0; q < directions; q++) {
        density += f[q];
        for (int axis = 0; axis < 3; axis++) momentum[axis] += (real)velocity(q, axis) * f[q];
    }
    real ux = momentum[0] / density, uy = momentum[1] / density, uz = momentum[2] / density;
    real still = 1 - (real)1.5 * (ux * ux + uy * uy + uz * uz);
#pragma unroll
    for (int q = 0; q < directions; q++) {
        real along = (real)velocity(q, 0) * ux + (real)velocity(q, 1) * uy + (real)velocity(q, 2) * uz;
        real equilibrium = weight(q) * density * (still + 3 * along + (real)4.5 * along * along);
        f[q] += omega * (equilibrium - f[q]);
    }
}

/* Each cell gathers what streams into it, and collides. */
GW_GRADIENT("out wrt in")
GW_DERIVATIVE("out wrt in")
__global__ void pull_step(real *out, const real *in, real omega, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
    real f[directions];
#pragma unroll
    for (int q = 0; q < directions; q++)
        f[q] = in[((q * nz + z - velocity(q, 2)) * ny + y - velocity(q, 1)) * nx + x - velocity(q, 0)];
    collide(f, omega);
#pragma unroll
    for (int q = 0; q < directions; q++) out[((q * nz + z) * ny + y) * nx + x] = f[q];
}

/* Each cell collides, and sends what streams out of it. */
GW_GRADIENT("out wrt in")
GW_DERIVATIVE("out wrt in")
__global__ void push_step(real *out, const real *in, real omega, int nx, int ny, int nz) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y, z = blockIdx.z;
    if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
    real f[directions];
#pragma unroll
    for (int q = 0; q < directions; q++) f[q] = in[((q * nz + z) * ny + y) * nx + x];
    collide(f, omega);
#pragma unroll
    for (int q = 0; q < directions; q++)
        out[((q * nz + z + velocity(q, 2)) * ny + y + velocity(q, 1)) * nx + x + velocity(q, 0)] = f[q];
}

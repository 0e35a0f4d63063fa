#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128, gridDim.x == 4, blockDim.x == 64")
__global__ void first(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128")
__global__ void __launch_bounds__(64) second(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.z > 64")
__global__ void third(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

GW_GRADIENT("y wrt x") GW_LAUNCH("n < 0")
__global__ void fourth(float *y, const float *x, unsigned n) { y[threadIdx.x] = x[threadIdx.x]; }

GW_GRADIENT("y wrt x") GW_LAUNCH("n % 32 == 0") GW_LAUNCH("n == 48")
__global__ void fifth(float *y, const float *x, int n) { y[threadIdx.x] = x[threadIdx.x]; }

GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 32, blockDim.y == 32, blockDim.z == 2")
__global__ void sixth(float *y, const float *x) { y[threadIdx.x] = x[threadIdx.x]; }

GW_GRADIENT("y wrt x") GW_LAUNCH("n > 4, n < 16, n % 12 == 0, n <= 11")
__global__ void seventh(float *y, const float *x, int n) { y[threadIdx.x] = x[threadIdx.x]; }
// says: launch_contradiction.cu:3:24: error: GW_LAUNCH: 'blockDim.x == 64' contradicts 'blockDim.x == 128' [launch-contradiction]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128, gridDim.x == 4, blockDim.x == 64")
// says:                        ^
// says:   way out: state what every launch of the kernel has; for launches of two shapes, state what both have
// says: launch_contradiction.cu:6:24: error: GW_LAUNCH: 'blockDim.x == 128' contradicts __launch_bounds__(64) [launch-contradiction]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 128")
// says:                        ^
// says:   way out: state what every launch of the kernel has; for launches of two shapes, state what both have
// says: launch_contradiction.cu:9:24: error: GW_LAUNCH: 'blockDim.z > 64' contradicts what a launch can have [launch-contradiction]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.z > 64")
// says:                        ^
// says:   way out: state what every launch of the kernel has; for launches of two shapes, state what both have
// says: launch_contradiction.cu:12:24: error: GW_LAUNCH: 'n < 0' contradicts what a launch can have [launch-contradiction]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("n < 0")
// says:                        ^
// says:   way out: state what every launch of the kernel has; for launches of two shapes, state what both have
// says: launch_contradiction.cu:15:49: error: GW_LAUNCH: 'n == 48' contradicts 'n % 32 == 0' [launch-contradiction]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("n % 32 == 0") GW_LAUNCH("n == 48")
// says:                                                 ^
// says:   way out: state what every launch of the kernel has; for launches of two shapes, state what both have
// says: launch_contradiction.cu:18:24: error: GW_LAUNCH: 'blockDim.z == 2' contradicts the facts before it [launch-contradiction]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("blockDim.x == 32, blockDim.y == 32, blockDim.z == 2")
// says:                        ^
// says:   way out: state what every launch of the kernel has; for launches of two shapes, state what both have
// says: launch_contradiction.cu:21:24: error: GW_LAUNCH: 'n <= 11' contradicts the facts before it [launch-contradiction]
// says: GW_GRADIENT("y wrt x") GW_LAUNCH("n > 4, n < 16, n % 12 == 0, n <= 11")
// says:                        ^
// says:   way out: state what every launch of the kernel has; for launches of two shapes, state what both have

// Functions of CUDA that nvcc has for the host, too: the host's half of a source may call them. Of __usad and
// __sad no header of the toolkit has a body.
#include <cuda_runtime.h>
#include <gradwright/gradwright.h>

GW_GRADIENT("y wrt x")
__global__ void square(float *y, const float *x, int n) {
    const int i = min((int)(blockIdx.x * blockDim.x + threadIdx.x), n - 1);
    y[i] = max(x[i], 1.0f) * x[i] * (float)(__usad(i, 3u, 1u) + __sad(i, 3, 1u));
}
#include "host_functions.grad.cuh"

__host__ __device__ int either(int a, int b) { return max(a, b); }

int blocks(int n, unsigned int u, size_t most) {
    const size_t bytes = min((size_t)n, most) + max(most, (size_t)u);
    const long long far = min(3ll, (long long)n) + llmin(n, 3) + llmax(n, 4);
    const unsigned int both = umin(u, 2) + umax(u, 2) + max(n, u);
    return min(n, 256) + (int)max(u, 3u) + (int)bytes + (int)far + (int)both + either(n, 3);
}
double reals(double a, float b) {
    return min(a, 2.0) + max(b, 2.0f) + min(b, a) + max(a, b) + rsqrt(a);
}
// nvcc includes <math.h> by itself.
bool usual(float v) { return isfinite(v) && !isnan(v) && !isinf((double)v); }

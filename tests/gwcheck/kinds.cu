// What gwcheck makes for a kernel's parameters and a program's; all of it agrees.
#include <gradwright/gradwright.h>

// as short as macros are
#define F "x"
#define R x
#define K(i) i
#include <gradwright/program.h>

struct model {
    float scale;
    int n;
    float *weight;
    float offset[2];
};

GW_GRADIENT("y wrt x, m.scale, m.weight, m.offset")
__global__ void weigh(float *y, const float *x, model m, const float3 *shift, float passive) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < m.n) y[i] = m.weight[i] * x[i] * m.scale * passive + shift[i].y + m.offset[i % 2] * x[i];
}

template <int N, class T> GW_GRADIENT("y wrt x") __global__ void powers(T *y, const T *x) {
    extern __shared__ unsigned char memory[];
    T *all = (T *)memory;
    all[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    T product = 1;
    for (int k = 0; k < N; k++) product *= all[(threadIdx.x + k) % blockDim.x];
    y[threadIdx.x] = product;
}
template __global__ void powers<3, double>(double *, const double *);

// Nobody knows how often the loop runs: its tape is measured.
GW_GRADIENT("y wrt x") __global__ void settle(double *y, const double *x) {
    double v = x[threadIdx.x];
    for (int k = 0; k < (int)(threadIdx.x % 7) || v > 4; k++) v *= 0.7 + 0.1 * v;
    y[threadIdx.x] = v;
}

namespace dots {
GW_GRADIENT("sum wrt a, b") GW_DERIVATIVE("sum wrt a, b")
__global__ void inner(double *sum, const double *a, const double *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(sum, a[i] * b[i]);
}
} // namespace dots

GW_GRADIENT("sum wrt a, b")
cudaError_t both(double *sum, const double *a, const double *b, int n, cudaStream_t stream) {
    dots::inner<<<1, 64, 0, stream>>>(sum, a, b, n);
    dots::inner<<<1, 64, 0, stream>>>(sum, b, b, n);
    return cudaGetLastError();
}

// Structs behind the pointers of a struct.
struct body {
    double3 place;
    double mass;
};
struct system_of {
    const body *bodies;
    const double *charge;
    int n;
};

GW_GRADIENT("energy wrt all, charge")
__global__ void attract(double *energy, const body *all, const double *charge, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const body b = all[i];
    atomicAdd(energy, b.mass * (b.place.x * b.place.x + b.place.y * b.place.z) * charge[i]);
}

GW_GRADIENT("energy wrt s")
cudaError_t total(double *energy, system_of s, cudaStream_t stream) {
    cudaMemsetAsync(energy, 0, sizeof *energy, stream);
    attract<<<(s.n + 63) / 64, 64, 0, stream>>>(energy, s.bodies, s.charge, s.n);
    return cudaGetLastError();
}

// Structs and rows behind a parameter of a program.
__global__ void first_of(double *sum, const double (*rows)[3]) { atomicAdd(sum, rows[threadIdx.x][1]); }

GW_GRADIENT("energy wrt bodies, charge, rows")
cudaError_t alone(double *energy, const body *bodies, const double *charge, const double (*rows)[3], int n) {
    attract<<<(n + 63) / 64, 64>>>(energy, bodies, charge, n);
    first_of<<<1, n>>>(energy, rows);
    return cudaGetLastError();
}

// Launches that ask how many cells arrays have: of the caller's, and of the launch's shared memory.
GW_GRADIENT("y wrt x, w")
GW_ACCUMULATE(x, exact) GW_ACCUMULATE(t, exact)
__global__ void look_up(double *y, const double *x, const double *w, const int *list, int n) {
    extern __shared__ double t[];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    t[threadIdx.x] = w[threadIdx.x];
    __syncthreads();
    if (i < n) y[i] = x[list[i]] * t[list[i]];
}

// An input that is overwritten: a kernel's adjoint of it comes in as of what is left, a program's is added to.
GW_GRADIENT("y wrt x")
__global__ void use_up(double *y, double *x) {
    const int i = threadIdx.x;
    y[i] = x[i] * x[i];
    if (i % 3) x[i] *= 2;
}

GW_GRADIENT("y wrt x")
void used_up(double *y, double *x) { use_up<<<1, 64>>>(y, x); }

#include "kinds.grad.cuh"

int main() { return 0; }

// What a collective gives to one thread, and who goes by it.
#include <gradwright/gradwright.h>

#include <cub/cub.cuh>

typedef cub::BlockReduce<float, 64> reduce;
typedef cub::WarpReduce<float> reduce_warp;
struct pair {
    float a, b;
};
struct add {
    __device__ pair operator()(const pair &x, const pair &y) const { return {x.a + y.a, x.b + y.b}; }
};

// ---- said ----
GW_GRADIENT("y wrt x")
__global__ void by_all(float *y, const float *x) {
    __shared__ reduce::TempStorage temp;
    const float sum = reduce(temp).Sum(x[threadIdx.x]);
    y[threadIdx.x] = x[threadIdx.x] / sum;
}

GW_GRADIENT("y wrt x")
__global__ void by_another(float *y, const float *x) {
    __shared__ reduce::TempStorage temp;
    const float sum = reduce(temp).Sum(x[threadIdx.x]);
    if (threadIdx.x == 1) *y = sum;
}

GW_GRADIENT("y wrt x")
__global__ void decides(float *y, const float *x) {
    __shared__ reduce::TempStorage temp;
    if (reduce(temp).Sum(x[threadIdx.x]) > 1) y[threadIdx.x] = 2 * x[threadIdx.x];
}

GW_GRADIENT("y wrt x")
__global__ void by_array_and_loop(float *y, const float *x) {
    typedef cub::BlockReduce<pair, 64> reduce_pairs;
    __shared__ reduce_pairs::TempStorage temp;
    const pair sum = reduce_pairs(temp).Reduce({x[threadIdx.x], 1}, add());
    float kept[2] = {sum.b, sum.a}, all = 0;
    for (int i = 0; i < 2; i++) all += kept[i];
    y[threadIdx.x] = all;
}

GW_GRADIENT("y wrt x")
__global__ void by_all_lanes(float *y, const float *x) {
    __shared__ reduce_warp::TempStorage temp;
    const float sum = reduce_warp(temp).Sum(x[threadIdx.x]);
    y[threadIdx.x] = x[threadIdx.x] * sum;
}

// ---- not said ----
GW_GRADIENT("y wrt x")
__global__ void handed_on(float *y, const float *x) {
    __shared__ reduce::TempStorage temp;
    __shared__ float all;
    float sum = reduce(temp).Sum(x[threadIdx.x]);
    sum = sum * 2;
    if (!threadIdx.x) all = sum;
    __syncthreads();
    y[threadIdx.x] = x[threadIdx.x] / all;
}

GW_GRADIENT("y wrt x")
__global__ void others_return(float *y, const float *x) {
    __shared__ reduce::TempStorage temp;
    const float sum = reduce(temp).Sum(x[threadIdx.x]);
    if (threadIdx.x > 0) return;
    *y = sum;
}

GW_GRADIENT("y wrt x")
__global__ void of_the_first(float *y, const float *x) {
    __shared__ reduce::TempStorage temp;
    const float sum = reduce(temp).Sum(x[threadIdx.x]);
    y[threadIdx.x] = threadIdx.x == 0 ? sum : x[threadIdx.x];
    if (sum > 0 && threadIdx.x < 1) y[64] = sum;
}

GW_GRADIENT("y wrt x")
__global__ void of_first_lanes(float *y, const float *x) {
    __shared__ reduce_warp::TempStorage temp;
    float sum = reduce_warp(temp).Sum(x[threadIdx.x]);
    if ((threadIdx.x & 31) == 0) y[threadIdx.x] = sum;
    sum = __shfl_sync(0xffffffffu, sum, 0);
    y[threadIdx.x + 1] = x[threadIdx.x] * sum;
}

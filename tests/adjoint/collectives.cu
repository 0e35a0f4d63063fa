// CUB's collectives of blocks and warps; on a GPU the kernels themselves run with CUB's own.
#include "../support/check.cuh"

#include <cub/cub.cuh>

#include <assert.h>

typedef double real;
#define HERE (int)(blockIdx.x * blockDim.x + threadIdx.x)

struct larger {
    __device__ real operator()(real a, real b) const { return a < b ? b : a; }
};
struct times {
    __device__ real operator()(real a, real b) const { return a * b; }
};
struct weighted { // associative: (1 + k a) (1 + k b) = 1 + k (a + b + k a b)
    real k;
    __device__ real operator()(real a, real b) const { return a + b + k * a * b; }
};

// ---- blocks: reductions ----
BOTH("out wrt x, y")
__global__ void dot(real *out, const real *x, const real *y, int n) {
    using load = cub::BlockLoad<real, 128, 3>;
    using reduce = cub::BlockReduce<real, 128>;
    __shared__ union {
        typename load::TempStorage load;
        typename reduce::TempStorage reduce;
    } temp;
    const int first = blockIdx.x * 384;
    real a[3], b[3];
    load(temp.load).Load(x + first, a, n - first, 0);
    __syncthreads();
    load(temp.load).Load(y + first, b, n - first, 0);
    __syncthreads();
    for (int i = 0; i < 3; i++) a[i] *= b[i];
    const real sum = reduce(temp.reduce).Sum(a);
    if (threadIdx.x == 0) atomicAdd(out, sum);
}

BOTH("out wrt x")
__global__ void most(real *out, const real *x) {
    using reduce = cub::BlockReduce<real, 16, cub::BLOCK_REDUCE_WARP_REDUCTIONS, 4>;
    __shared__ typename reduce::TempStorage temp;
    const int t = threadIdx.y * 16 + threadIdx.x;
    const real v = x[blockIdx.x * 64 + t];
    const real best = reduce(temp).Reduce(v * v, larger());
    if (t == 0) out[blockIdx.x] = best * best;
}

// The first lanes and warps alone, of a product.
BOTH("out wrt x")
__global__ void product_of_valid(real *out, const real *x, int n) {
    using reduce = cub::BlockReduce<real, 96>;
    __shared__ typename reduce::TempStorage temp;
    const real v = (int)threadIdx.x < n ? x[threadIdx.x] : -7;
    const real all = reduce(temp).Reduce(v, times(), n);
    if (threadIdx.x == 0) *out = all;
}
BOTH("out wrt x")
__global__ void sum_of_valid(real *out, const real *x, int n) {
    using reduce = cub::BlockReduce<real, 96>;
    __shared__ typename reduce::TempStorage temp;
    const real v = (int)threadIdx.x < n ? x[threadIdx.x] : -7;
    const real all = reduce(temp).Sum(v * v, n);
    if (threadIdx.x == 0) *out = all * all;
}

// Blocks that are no whole number of warps, storage of the collective's own, functors with state.
BOTH("out wrt x, k")
__global__ void of_48(real *out, const real *x, real k) {
    const real all = cub::BlockReduce<real, 48>().Reduce(x[HERE], weighted{k});
    if (threadIdx.x == 0) out[blockIdx.x] = all;
}
BOTH("out wrt x")
__global__ void of_20(real *out, const real *x) {
    typedef cub::BlockReduce<real, 20> reduce;
    __shared__ reduce::TempStorage temp;
    const real all = reduce(temp).Sum(x[HERE] * x[HERE]);
    if (threadIdx.x == 0) out[blockIdx.x] = all;
}
BOTH("out wrt x")
__global__ void of_16(real *out, const real *x) {
    typedef cub::BlockReduce<real, 16> reduce;
    __shared__ reduce::TempStorage temp;
    const real all = reduce(temp).Sum(x[HERE] * x[HERE]);
    if (threadIdx.x == 0) out[blockIdx.x] = all;
}

// One storage for two sums, one after the other; what thread 0 has goes to all by shared memory.
BOTH("y wrt x")
__global__ void normalize(real *y, const real *x) {
    typedef cub::BlockReduce<real, 64> reduce;
    __shared__ reduce::TempStorage temp;
    __shared__ real mean, scale;
    const real v = x[HERE];
    const real sum = reduce(temp).Sum(v);
    if (threadIdx.x == 0) mean = sum / 64;
    __syncthreads();
    const real away = v - mean, squares = reduce(temp).Sum(away * away);
    if (threadIdx.x == 0) scale = rsqrt(squares / 64 + 0.1);
    __syncthreads();
    y[HERE] = away * scale;
}

// Tile by tile in a loop.
BOTH("out wrt x")
__global__ void tiles(real *out, const real *x, int n) {
    typedef cub::BlockReduce<real, 32> reduce;
    __shared__ reduce::TempStorage temp;
    real all = 1;
    for (int first = 0; first < n; first += 32) {
        const int i = first + (int)threadIdx.x;
        const real sum = reduce(temp).Sum(i < n ? x[i] * x[i] : 0);
        all *= 1 + 0.1 * sum;
        __syncthreads();
    }
    if (threadIdx.x == 0) *out = all;
}

// Structs: the affine maps of a recurrence, one after another.
struct affine {
    real scale, shift;
};
struct then {
    __device__ affine operator()(const affine &a, const affine &b) const {
        return {a.scale * b.scale, b.scale * a.shift + b.shift};
    }
};
BOTH("y, last wrt x")
__global__ void recurrence(real *y, real *last, const real *x) {
    typedef cub::BlockScan<affine, 64> scan;
    typedef cub::BlockReduce<affine, 64> reduce;
    __shared__ scan::TempStorage for_scan;
    __shared__ reduce::TempStorage for_reduce;
    affine here = {x[HERE], x[HERE] * x[HERE]}, so_far;
    scan(for_scan).InclusiveScan(here, so_far, then());
    y[HERE] = so_far.scale * 0.5 + so_far.shift;
    const affine all = reduce(for_reduce).Reduce(here, then());
    if (threadIdx.x == 0) last[blockIdx.x] = all.scale * 0.25 + all.shift;
}

// ---- blocks: scans ----
BOTH("y, last wrt x")
__global__ void running(real *y, real *last, const real *x, int n) {
    using load = cub::BlockLoad<real, 128, 2, cub::BLOCK_LOAD_WARP_TRANSPOSE>;
    using store = cub::BlockStore<real, 128, 2, cub::BLOCK_STORE_WARP_TRANSPOSE>;
    using scan = cub::BlockScan<real, 128>;
    __shared__ typename load::TempStorage for_load;
    __shared__ typename store::TempStorage for_store;
    __shared__ typename scan::TempStorage for_scan;
    const int first = blockIdx.x * 256;
    real v[2], all;
    load(for_load).Load(x + first, v, n - first, 0);
    for (int i = 0; i < 2; i++) v[i] *= v[i];
    scan(for_scan).InclusiveSum(v, v, all);
    store(for_store).Store(y + first, v, n - first);
    if (threadIdx.x == 127) last[blockIdx.x] = all * all;
}
BOTH("y wrt x")
__global__ void before(real *y, const real *x) {
    typedef cub::BlockScan<real, 64> scan;
    __shared__ scan::TempStorage temp;
    real v = x[HERE], sum, all;
    scan(temp).ExclusiveSum(v * v, sum, all);
    y[HERE] = sum * v + all;
}
BOTH("y wrt x")
__global__ void products(real *y, const real *x, real start) {
    typedef cub::BlockScan<real, 48, cub::BLOCK_SCAN_WARP_SCANS> scan;
    __shared__ scan::TempStorage temp;
    real v = x[HERE], to_here, to_before;
    scan(temp).InclusiveScan(v, to_here, times());
    __syncthreads();
    scan(temp).ExclusiveScan(v, to_before, start, times());
    y[HERE] = to_here + 2 * to_before * v;
}
BOTH("y wrt x")
__global__ void products_of_items(real *y, const real *x) {
    typedef cub::BlockScan<real, 32> scan;
    __shared__ scan::TempStorage temp;
    real v[3], w[3];
    for (int i = 0; i < 3; i++) v[i] = x[3 * threadIdx.x + i];
    scan(temp).ExclusiveScan(v, w, 2.0, times());
    __syncthreads();
    scan(temp).InclusiveScan(w, v, larger());
    for (int i = 0; i < 3; i++) y[3 * threadIdx.x + i] = v[i] * w[i];
}

// What comes before a tile, handed on by a callback.
struct handed_on {
    real total;
    __device__ real operator()(real of_block) {
        const real before = total;
        total += of_block;
        return before;
    }
};
BOTH("y wrt x")
__global__ void running_tiles(real *y, const real *x, int n) {
    typedef cub::BlockScan<real, 64> scan;
    __shared__ scan::TempStorage temp;
    handed_on prefix{0.5};
    for (int first = 0; first < n; first += 64) {
        const int i = first + (int)threadIdx.x;
        real v = i < n ? x[i] * x[i] : 0, sum;
        scan(temp).InclusiveSum(v, sum, prefix);
        if (i < n) y[i] = sum;
        __syncthreads();
    }
}

// Integers decide where: what is kept is packed.
BOTH("y wrt x")
__global__ void packed(real *y, const real *x) {
    typedef cub::BlockScan<int, 64> scan;
    __shared__ scan::TempStorage temp;
    const real v = x[HERE];
    int at;
    scan(temp).ExclusiveSum(v > 1 ? 1 : 0, at);
    if (v > 1) y[64 * blockIdx.x + at] = v * v;
}

// ---- loads and stores ----
BOTH("y wrt x")
__global__ void striped(real *y, const real *x, int n) {
    using load = cub::BlockLoad<real, 32, 4, cub::BLOCK_LOAD_STRIPED>;
    using store = cub::BlockStore<real, 32, 4, cub::BLOCK_STORE_STRIPED>;
    __shared__ union {
        typename load::TempStorage load;
        typename store::TempStorage store;
    } temp;
    const int first = blockIdx.x * 128;
    real v[4];
    load(temp.load).Load(x + first, v, n - first, 0.25);
    __syncthreads();
    for (int i = 0; i < 4; i++) v[i] *= v[i] * v[3 - i];
    store(temp.store).Store(y + first, v, n - first);
}

// ---- warps ----
BOTH("out wrt x")
__global__ void of_warps(real *out, const real *x) {
    typedef cub::WarpReduce<real> reduce;
    typedef cub::WarpReduce<unsigned> count;
    __shared__ reduce::TempStorage temp[2];
    __shared__ count::TempStorage more[2];
    const int warp = threadIdx.x / 32;
    const real v = x[HERE];
    const real sum = reduce(temp[warp]).Sum(v * v), best = reduce(temp[warp]).Reduce(v, larger());
    const unsigned odd = count(more[warp]).Sum(threadIdx.x % 2);
    if (threadIdx.x % 32 == 0) out[HERE / 32] = sum * best * odd;
}
BOTH("out wrt x")
__global__ void of_eights(real *out, const real *x, int valid) {
    typedef cub::WarpReduce<real, 8> reduce;
    __shared__ reduce::TempStorage temp[4];
    const int part = threadIdx.x / 8;
    const real v = x[HERE];
    const real sum = reduce(temp[part]).Sum(v * v), some = reduce(temp[part]).Sum(v, valid);
    if (threadIdx.x % 8 == 0) out[HERE / 8] = sum * some;
}
BOTH("y wrt x, start")
__global__ void warp_scans(real *y, const real *x, real start) {
    typedef cub::WarpScan<real> scan;
    typedef cub::WarpScan<real, 16> half_scan;
    __shared__ scan::TempStorage temp[2];
    __shared__ half_scan::TempStorage halves[4];
    const real v = x[HERE];
    real to_here, to_before, all, product, in_half, half;
    scan(temp[threadIdx.x / 32]).InclusiveSum(v * v, to_here);
    scan(temp[threadIdx.x / 32]).ExclusiveSum(v, to_before, all);
    scan(temp[threadIdx.x / 32]).ExclusiveScan(v, product, start, times());
    half_scan(halves[threadIdx.x / 16]).InclusiveScan(v, in_half, larger(), half);
    y[HERE] = to_here * to_before + all * v + product + in_half * half;
}

#if __has_include(<cuda/std/functional>)
// A functor of another type than the numbers: each is cut to an integer before it is added.
BOTH("out wrt x")
__global__ void of_integers(real *out, const real *x) {
    typedef cub::WarpReduce<real> reduce;
    typedef cub::WarpScan<real> scan;
    __shared__ reduce::TempStorage temp;
    __shared__ scan::TempStorage more;
    const real v = x[HERE], sum = reduce(temp).Reduce(v, cuda::std::plus<int>());
    real to_here;
    scan(more).InclusiveScan(v, to_here, cuda::std::plus<int>());
    // all are 1 behind the cut: forward and reverse of a sum of reals would agree, but not with CUB
    if (threadIdx.x == 0) {
        assert(sum == 32);
        out[2 * blockIdx.x] = sum + v * v;
    }
    if (threadIdx.x == 31) {
        assert(to_here == 32);
        out[2 * blockIdx.x + 1] = to_here + v * v;
    }
}
#endif

#include "collectives.grad.cuh"

CHECK_KERNEL(dot, 3, 128, out(1), in(1000), in(1000), 1000)
CHECK_KERNEL(most, 2, dim3(16, 4), out(2), in(128))
CHECK_KERNEL(product_of_valid, 1, 96, out(1), in(50, 0.8, 1.2), 50)
CHECK_CASE(product_of_all, product_of_valid, product_of_valid, 1e-8, 1, 96, out(1), in(96, 0.8, 1.2), 96)
CHECK_KERNEL(sum_of_valid, 1, 96, out(1), in(33), 33)
CHECK_KERNEL(of_48, 2, 48, out(2), in(96, 0.05, 0.1), active(0.7))
CHECK_KERNEL(of_20, 2, 20, out(2), in(40))
CHECK_KERNEL(of_16, 2, 16, out(2), in(32))
CHECK_KERNEL(normalize, 2, 64, out(128), in(128))
CHECK_KERNEL(tiles, 1, 32, out(1), in(70, 0.1, 0.3), 70)
CHECK_KERNEL(recurrence, 2, 64, out(128), out(2), in(128, 0.7, 1.1))
CHECK_KERNEL(running, 2, 128, out(500), out(2), in(500), 500)
CHECK_KERNEL(before, 2, 64, out(128), in(128))
CHECK_KERNEL(products, 2, 48, out(96), in(96, 0.9, 1.1), 1.5)
CHECK_KERNEL(products_of_items, 1, 32, out(96), in(96, 0.9, 1.1))
CHECK_KERNEL(running_tiles, 1, 64, out(150), in(150), 150)
CHECK_KERNEL(packed, 2, 64, out(128), in(128))
CHECK_KERNEL(striped, 2, 32, out(200), in(200), 200)
CHECK_KERNEL(of_warps, 2, 64, out(4), in(128))
CHECK_KERNEL(of_eights, 2, 32, out(8), in(64), 5)
CHECK_KERNEL(warp_scans, 2, 64, out(128), in(128, 0.9, 1.1), active(1.3))
#if __has_include(<cuda/std/functional>)
CHECK_KERNEL(of_integers, 2, 32, out(4), in(64, 1.2, 1.8))
#endif
TEST_MAIN

/*
 * cache.cuh - a block's cache of cells, in shared memory: what its threads add to one cell, whichever it is, is
 * summed there, and added to the cell once, when the block ends (--accumulate=cache).
 *
 *     gw_cache_begin<float>();                    // all threads of the block, before the first addition
 *     gw_cache_add(&d_x[list[i]], value);
 *     gw_cache_end<float>();                      // all threads of the block, behind the last one
 *
 * An address has one place in the cache, which the first cell that asks for it keeps; another cell of the same
 * place is added to itself. Neighbours have neighbouring places, so that an array of GW_CACHE_CELLS cells has
 * all of its own in the cache.
 */
#ifndef GRADWRIGHT_CACHE_CUH
#define GRADWRIGHT_CACHE_CUH

#ifndef GW_CACHE_CELLS
#define GW_CACHE_CELLS 512 /* of each type, a power of two (CELLS of accumulate/cache.c) */
#endif

template <class _GwT> struct gw_cache {
    unsigned long long gw_cell_of[GW_CACHE_CELLS]; /* its address; 0: nobody's */
    _GwT gw_sum[GW_CACHE_CELLS];
};
template <class _GwT> __device__ __forceinline__ gw_cache<_GwT> &gw_cache_of_block() {
    __shared__ gw_cache<_GwT> gw_here;
    return gw_here;
}
__device__ __forceinline__ unsigned int gw_cache_thread() {
    return (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
}
__device__ __forceinline__ unsigned int gw_cache_threads() { return blockDim.x * blockDim.y * blockDim.z; }

template <class _GwT> __device__ __forceinline__ void gw_cache_begin() {
    gw_cache<_GwT> &gw_here = gw_cache_of_block<_GwT>();
    for (unsigned int gw_i = gw_cache_thread(); gw_i < GW_CACHE_CELLS; gw_i += gw_cache_threads()) {
        gw_here.gw_cell_of[gw_i] = 0;
        gw_here.gw_sum[gw_i] = 0;
    }
    __syncthreads();
}

template <class _GwT> __device__ __forceinline__ void gw_cache_add(_GwT *gw_target, _GwT gw_value) {
    gw_cache<_GwT> &gw_here = gw_cache_of_block<_GwT>();
    const unsigned long long gw_cell = (unsigned long long)gw_target, gw_number = gw_cell / sizeof(_GwT);
    const unsigned int gw_place = (unsigned int)(gw_number ^ gw_number / GW_CACHE_CELLS) % GW_CACHE_CELLS;
    const unsigned long long gw_had = atomicCAS(&gw_here.gw_cell_of[gw_place], 0ull, gw_cell);
    if (gw_had == 0 || gw_had == gw_cell) atomicAdd_block(&gw_here.gw_sum[gw_place], gw_value);
    else gw_atomic_add(gw_target, gw_value);
}

template <class _GwT> __device__ __forceinline__ void gw_cache_end() {
    __syncthreads();
    gw_cache<_GwT> &gw_here = gw_cache_of_block<_GwT>();
    for (unsigned int gw_i = gw_cache_thread(); gw_i < GW_CACHE_CELLS; gw_i += gw_cache_threads())
        if (gw_here.gw_cell_of[gw_i]) gw_atomic_add((_GwT *)gw_here.gw_cell_of[gw_i], gw_here.gw_sum[gw_i]);
}

#endif

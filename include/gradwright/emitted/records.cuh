/*
 * records.cuh - additions of lanes to neighbouring cells, each lane to cells of its own, transposed so that
 * neighbouring lanes write neighbours: the L2 takes a sector at a time, whatever part of it is added to
 * (--accumulate=record).
 *
 * Sound: the lanes that are here now, `gw_here`, pass all that follows together. A lane's values lie in its own
 * part of the shared array until all of them have read it, so other lanes of the warp may be here at another
 * time, or in between. Each value is added to its cell once, by an atomic addition.
 */
#ifndef GRADWRIGHT_RECORDS_CUH
#define GRADWRIGHT_RECORDS_CUH

#ifndef GW_RECORD_WARPS
#define GW_RECORD_WARPS 8 /* of a block have room in shared memory; the lanes of others add alone */
#endif
#ifndef GW_FEWEST_RECORDS
#define GW_FEWEST_RECORDS 3 /* lanes that are here: fewer add alone */
#endif

template <class _GwT, class... _GwV>
__device__ __forceinline__ void gw_record_add(_GwT *gw_first, _GwV... gw_values) {
    constexpr unsigned int _GwN = sizeof...(_GwV);
    const _GwT gw_value[_GwN] = {gw_values...};
#if defined(__CUDA_ARCH__) && !defined(GW_CPU_DEVICE)
    __shared__ _GwT gw_room[GW_RECORD_WARPS][32][_GwN];
    const unsigned int gw_warp = ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / 32;
    const unsigned int gw_here = __activemask(), gw_count = (unsigned int)__popc(gw_here);
    if (gw_warp < GW_RECORD_WARPS && gw_count >= GW_FEWEST_RECORDS) {
        const unsigned int gw_this_lane = gw_lane(),
                           gw_rank = (unsigned int)__popc(gw_here & ((1u << gw_this_lane) - 1));
#pragma unroll
        for (unsigned int gw_i = 0; gw_i < _GwN; gw_i++) gw_room[gw_warp][gw_this_lane][gw_i] = gw_value[gw_i];
        __syncwarp(gw_here);
        for (unsigned int gw_left = gw_here; gw_left; gw_left &= gw_left - 1) {
            const int gw_whose = __ffs((int)gw_left) - 1;
            _GwT *gw_to = (_GwT *)__shfl_sync(gw_here, (unsigned long long)gw_first, gw_whose);
            for (unsigned int gw_i = gw_rank; gw_i < _GwN; gw_i += gw_count)
                gw_atomic_add(gw_to + gw_i, gw_room[gw_warp][gw_whose][gw_i]);
        }
        __syncwarp(gw_here);
        return;
    }
#endif
#pragma unroll
    for (unsigned int gw_i = 0; gw_i < _GwN; gw_i++) gw_atomic_add(gw_first + gw_i, gw_value[gw_i]);
}

#endif

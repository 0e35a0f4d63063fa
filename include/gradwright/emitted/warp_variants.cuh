/*
 * warp_variants.cuh - other ways in which lanes of a warp add to a cell together, on request
 * (--accumulate=warp-butterfly, warp-serial, match): the first two as published with DISTWAR (Durvasula et al.,
 * 2023), to compare gw_warp_add with.
 *
 * Sound like gw_warp_add: a lane that takes part is counted in one sum, each sum goes into the cell by one
 * atomic addition, and additions commute. Where fewer than GW_BALANCE lanes take part, each makes its own.
 */
#ifndef GRADWRIGHT_WARP_VARIANTS_CUH
#define GRADWRIGHT_WARP_VARIANTS_CUH

#ifndef GW_BALANCE
#define GW_BALANCE 8
#endif

template <class _GwT, unsigned int _GwN, bool _GwSome>
__device__ __forceinline__ void gw_add_by_butterflies(bool gw_first, bool gw_any,
                                                      const gw_run<_GwT, _GwN, _GwSome> &gw_of_run) {
#pragma unroll
    for (unsigned int gw_i = 0; gw_i < _GwN; gw_i++) {
        _GwT gw_sum = gw_of_run.gw_value[gw_i];
#pragma unroll
        for (int gw_distance = 16; gw_distance > 0; gw_distance /= 2)
            gw_sum += __shfl_xor_sync(GW_ALL_LANES, gw_sum, gw_distance);
        if (gw_first && gw_any) gw_atomic_add(gw_of_run.gw_where.gw_target() + gw_i, gw_sum);
    }
}

/* A butterfly for each value, whose result the first lane adds. The cells are the same in all lanes that add to
 * them, which the others, with 0, may join; a warp of fewer than 32 lanes has no butterfly. */
template <unsigned int _GwBalance = GW_BALANCE, class _GwT, unsigned int... _GwN, bool... _GwSome>
__device__ __forceinline__ void gw_butterfly_add(unsigned int gw_lanes, bool gw_active,
                                                 const gw_run<_GwT, _GwN, _GwSome> &...gw_of_run) {
    const unsigned int gw_here = __ballot_sync(gw_lanes, gw_active);
    if (!gw_here) return;
    if (gw_lanes != GW_ALL_LANES || __popc(gw_here) < (int)_GwBalance) {
        if (gw_active) (gw_add_alone(gw_of_run), ...);
        return;
    }
    const bool gw_any[] = {gw_any_adds(gw_lanes, gw_of_run)...};
    unsigned int gw_number = 0;
    (gw_add_by_butterflies(gw_lane() == 0, gw_any[gw_number++], gw_of_run), ...);
}

/* The sum over the lanes of the mask, in the order of the lanes; each of them comes here. */
template <class _GwT> __device__ __forceinline__ _GwT gw_sum_in_turn(unsigned int gw_lanes, _GwT gw_value) {
    _GwT gw_sum = 0;
    for (unsigned int gw_left = gw_lanes; gw_left; gw_left &= gw_left - 1)
        gw_sum += __shfl_sync(gw_lanes, gw_value, __ffs((int)gw_left) - 1);
    return gw_sum;
}

__device__ __forceinline__ unsigned int gw_lanes_at(unsigned int gw_lanes, const void *gw_target) {
    return __match_any_sync(gw_lanes, (unsigned long long)gw_target);
}

template <class _GwT, unsigned int _GwN, bool _GwSome>
__device__ __forceinline__ void gw_add_in_turn(unsigned int gw_peers, bool gw_first,
                                               const gw_run<_GwT, _GwN, _GwSome> &gw_of_run) {
    const bool gw_any = gw_any_adds(gw_peers, gw_of_run);
#pragma unroll
    for (unsigned int gw_i = 0; gw_i < _GwN; gw_i++) {
        const _GwT gw_sum = gw_sum_in_turn(gw_peers, gw_of_run.gw_value[gw_i]);
        if (gw_first && gw_any) gw_atomic_add(gw_of_run.gw_where.gw_target() + gw_i, gw_sum);
    }
}

/* Lanes find their peers by the address of the first cell, and the first of them adds up the values of the
 * others, one after the other. The other cells are the same where the first are: in all lanes that add to them.
 */
template <unsigned int _GwBalance = GW_BALANCE, class _GwT, unsigned int _GwN0, bool _GwSome0,
          unsigned int... _GwN, bool... _GwSome>
__device__ __forceinline__ void gw_serial_add(unsigned int gw_lanes, bool gw_active,
                                              const gw_run<_GwT, _GwN0, _GwSome0> &gw_of_run,
                                              const gw_run<_GwT, _GwN, _GwSome> &...gw_more) {
    const unsigned int gw_here = __ballot_sync(gw_lanes, gw_active);
    if (!gw_active) return;
    const unsigned int gw_peers = gw_lanes_at(gw_here, gw_of_run.gw_where.gw_target());
    if (__popc(gw_peers) < (int)_GwBalance) {
        gw_add_alone(gw_of_run);
        (gw_add_alone(gw_more), ...);
        return;
    }
    const bool gw_first = gw_lane() == (unsigned int)__ffs((int)gw_peers) - 1;
    gw_add_in_turn(gw_peers, gw_first, gw_of_run);
    (gw_add_in_turn(gw_peers, gw_first, gw_more), ...);
}

/* Any cells, anywhere: the lanes that are here at this time, of which those at one cell add together. */
template <class _GwT> __device__ __forceinline__ void gw_match_add(_GwT *gw_target, _GwT gw_value) {
    const unsigned int gw_peers = gw_lanes_at(__activemask(), gw_target);
    const _GwT gw_sum = gw_sum_in_turn(gw_peers, gw_value);
    if (gw_lane() == (unsigned int)__ffs((int)gw_peers) - 1) gw_atomic_add(gw_target, gw_sum);
}

#endif

/*
 * warp_variants.cuh - other ways in which lanes of a warp add to a cell together, on request (--accumulate=warp-butterfly,
 * warp-serial, match): the first two as published with DISTWAR (Durvasula et al., 2023), to compare gw_warp_add with.
 *
 * Sound like gw_warp_add: a lane that takes part is counted in one sum, each sum goes into the cell by one atomic addition, and
 * additions commute. Where fewer than GW_BALANCE lanes take part, each makes its own.
 */
#ifndef GRADWRIGHT_WARP_VARIANTS_CUH
#define GRADWRIGHT_WARP_VARIANTS_CUH

#ifndef GW_BALANCE
#define GW_BALANCE 8
#endif

template <class T, unsigned int N, bool SOME>
__device__ __forceinline__ void gw_add_by_butterflies(bool first, bool any, const gw_run<T, N, SOME> &run) {
#pragma unroll
    for (unsigned int i = 0; i < N; i++) {
        T sum = run.value[i];
#pragma unroll
        for (int distance = 16; distance > 0; distance /= 2) sum += __shfl_xor_sync(GW_ALL_LANES, sum, distance);
        if (first && any) gw_atomic_add(run.at.cell() + i, sum);
    }
}

/* A butterfly for each value, whose result the first lane adds. The cells are the same in all lanes that add to them, which the
 * others, with 0, may join; a warp of fewer than 32 lanes has no butterfly. */
template <unsigned int BALANCE = GW_BALANCE, class T, unsigned int... N, bool... SOME>
__device__ __forceinline__ void gw_butterfly_add(unsigned int lanes, bool active, const gw_run<T, N, SOME> &...run) {
    const unsigned int here = __ballot_sync(lanes, active);
    if (!here) return;
    if (lanes != GW_ALL_LANES || __popc(here) < (int)BALANCE) {
        if (active) (gw_add_alone(run), ...);
        return;
    }
    const bool any[] = {gw_any_adds(lanes, run)...};
    unsigned int number = 0;
    (gw_add_by_butterflies(gw_lane() == 0, any[number++], run), ...);
}

/* The sum over the lanes of the mask, in the order of the lanes; each of them comes here. */
template <class T> __device__ __forceinline__ T gw_sum_in_turn(unsigned int lanes, T value) {
    T sum = 0;
    for (unsigned int left = lanes; left; left &= left - 1) sum += __shfl_sync(lanes, value, __ffs((int)left) - 1);
    return sum;
}

__device__ __forceinline__ unsigned int gw_lanes_at(unsigned int lanes, const void *cell) {
    return __match_any_sync(lanes, (unsigned long long)cell);
}

template <class T, unsigned int N, bool SOME>
__device__ __forceinline__ void gw_add_in_turn(unsigned int peers, bool first, const gw_run<T, N, SOME> &run) {
    const bool any = gw_any_adds(peers, run);
#pragma unroll
    for (unsigned int i = 0; i < N; i++) {
        const T sum = gw_sum_in_turn(peers, run.value[i]);
        if (first && any) gw_atomic_add(run.at.cell() + i, sum);
    }
}

/* Lanes find their peers by the address of the first cell, and the first of them adds up the values of the others, one after the
 * other. The other cells are the same where the first are: in all lanes that add to them. */
template <unsigned int BALANCE = GW_BALANCE, class T, unsigned int N0, bool SOME0, unsigned int... N, bool... SOME>
__device__ __forceinline__ void gw_serial_add(unsigned int lanes, bool active, const gw_run<T, N0, SOME0> &run,
                                              const gw_run<T, N, SOME> &...more) {
    const unsigned int here = __ballot_sync(lanes, active);
    if (!active) return;
    const unsigned int peers = gw_lanes_at(here, run.at.cell());
    if (__popc(peers) < (int)BALANCE) {
        gw_add_alone(run);
        (gw_add_alone(more), ...);
        return;
    }
    const bool first = gw_lane() == (unsigned int)__ffs((int)peers) - 1;
    gw_add_in_turn(peers, first, run);
    (gw_add_in_turn(peers, first, more), ...);
}

/* Any cells, anywhere: the lanes that are here at this time, of which those at one cell add together. */
template <class T> __device__ __forceinline__ void gw_match_add(T *cell, T value) {
    const unsigned int peers = gw_lanes_at(__activemask(), cell);
    const T sum = gw_sum_in_turn(peers, value);
    if (gw_lane() == (unsigned int)__ffs((int)peers) - 1) gw_atomic_add(cell, sum);
}

#endif

/*
 * records.cuh - additions of lanes to neighbouring cells, each lane to cells of its own, transposed so that neighbouring lanes write
 * neighbours: the L2 takes a sector at a time, whatever part of it is added to (--accumulate=record).
 *
 * Sound: the lanes that are here now, `here`, pass all that follows together. A lane's values lie in its own part of the shared array
 * until all of them have read it, so other lanes of the warp may be here at another time, or in between. Each value is added to its cell
 * once, by an atomic addition.
 */
#ifndef GRADWRIGHT_RECORDS_CUH
#define GRADWRIGHT_RECORDS_CUH

#ifndef GW_RECORD_WARPS
#define GW_RECORD_WARPS 8 /* of a block have room in shared memory; the lanes of others add alone */
#endif
#ifndef GW_FEWEST_RECORDS
#define GW_FEWEST_RECORDS 3 /* lanes that are here: fewer add alone */
#endif

template <class T, class... V> __device__ __forceinline__ void gw_record_add(T *first, V... values) {
    constexpr unsigned int N = sizeof...(V);
    const T value[N] = {values...};
#if defined(__CUDA_ARCH__) && !defined(GW_CPU_DEVICE)
    __shared__ T room[GW_RECORD_WARPS][32][N];
    const unsigned int warp = ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / 32;
    const unsigned int here = __activemask(), count = (unsigned int)__popc(here);
    if (warp < GW_RECORD_WARPS && count >= GW_FEWEST_RECORDS) {
        const unsigned int lane = gw_lane(), rank = (unsigned int)__popc(here & ((1u << lane) - 1));
#pragma unroll
        for (unsigned int i = 0; i < N; i++) room[warp][lane][i] = value[i];
        __syncwarp(here);
        for (unsigned int left = here; left; left &= left - 1) {
            const int of = __ffs((int)left) - 1;
            T *to = (T *)__shfl_sync(here, (unsigned long long)first, of);
            for (unsigned int i = rank; i < N; i += count) gw_atomic_add(to + i, room[warp][of][i]);
        }
        __syncwarp(here);
        return;
    }
#endif
#pragma unroll
    for (unsigned int i = 0; i < N; i++) gw_atomic_add(first + i, value[i]);
}

#endif

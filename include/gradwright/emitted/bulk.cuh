/*
 * bulk.cuh - additions of a thread to cells side by side as one asynchronous reduction out of shared memory:
 * one instruction, which the copy engine carries out in whole sectors (--accumulate=bulk; PTX ISA 8.6,
 * cp.reduce.async.bulk).
 *
 * The engine wants addresses and sizes that are multiples of 16 bytes. The thread's part of the shared array
 * stands to 16 bytes as the cells do; what lies in front of the first multiple and behind the last is added one
 * by one, as is all where not one piece of 16 bytes is whole, in threads that have no part of the array, before
 * sm_90 and on the CPU device. A call waits until the engine has read its values, so the array is free when it
 * returns, for the next call and for the next block; that it has added them, the kernel's end waits for.
 */
#ifndef GRADWRIGHT_BULK_CUH
#define GRADWRIGHT_BULK_CUH

#ifndef GW_BULK_THREADS
#define GW_BULK_THREADS 256 /* of a block have room in shared memory; the others add one by one */
#endif
/* What each takes: 96 at any address; an odd multiple of 16, so that lanes have banks of their own. */
#define GW_BULK_BYTES 112

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(GW_CPU_DEVICE)
/* One array for all types and lengths: a kernel has room for one. */
__device__ __forceinline__ char *gw_bulk_part(unsigned int gw_thread) {
    __shared__ alignas(16) char gw_bulk_room[GW_BULK_THREADS][GW_BULK_BYTES];
    return gw_bulk_room[gw_thread];
}

__device__ __forceinline__ void gw_bulk_start(float *gw_to, const void *gw_from, unsigned int gw_bytes) {
    asm volatile("{ .reg .u64 at; cvta.to.global.u64 at, %0;\n"
                 "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [at], [%1], %2; }"
                 :
                 : "l"(gw_to), "r"((unsigned int)__cvta_generic_to_shared(gw_from)), "r"(gw_bytes)
                 : "memory");
}
__device__ __forceinline__ void gw_bulk_start(double *gw_to, const void *gw_from, unsigned int gw_bytes) {
    asm volatile("{ .reg .u64 at; cvta.to.global.u64 at, %0;\n"
                 "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [at], [%1], %2; }"
                 :
                 : "l"(gw_to), "r"((unsigned int)__cvta_generic_to_shared(gw_from)), "r"(gw_bytes)
                 : "memory");
}

/* At most GW_BULK_BYTES - 16 bytes, from cell number _GwOff behind a multiple of 16 on. */
template <int _GwOff, int _GwN, class _GwT>
__device__ __forceinline__ void gw_bulk_piece(_GwT *gw_to, const _GwT *gw_value, unsigned int gw_thread) {
    constexpr int _GwEach = 16 / sizeof(_GwT), _GwSkip = _GwOff ? _GwEach - _GwOff : 0;
    constexpr bool _GwWhole = _GwN >= _GwSkip + _GwEach;
    constexpr int _GwEnd = _GwWhole ? (_GwOff + _GwN) / _GwEach * _GwEach - _GwOff : 0;
    _GwT *gw_part = reinterpret_cast<_GwT *>(gw_bulk_part(gw_thread)) + _GwOff;
#pragma unroll
    for (int gw_i = 0; gw_i < _GwN; gw_i++)
        if (gw_i >= _GwSkip && gw_i < _GwEnd) gw_part[gw_i] = gw_value[gw_i];
        else gw_atomic_add(gw_to + gw_i, gw_value[gw_i]);
    if constexpr (_GwWhole) {
        asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
        gw_bulk_start(gw_to + _GwSkip, gw_part + _GwSkip, (unsigned int)((_GwEnd - _GwSkip) * sizeof(_GwT)));
        asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group.read 0;" ::: "memory");
    }
}
template <int _GwOff, int _GwN, class _GwT>
__device__ __forceinline__ void gw_bulk_from(_GwT *gw_to, const _GwT *gw_value, unsigned int gw_thread) {
    if ((size_t)gw_to % 16 == _GwOff * sizeof(_GwT)) gw_bulk_piece<_GwOff, _GwN>(gw_to, gw_value, gw_thread);
    else if constexpr ((_GwOff + 1) * sizeof(_GwT) < 16)
        gw_bulk_from<_GwOff + 1, _GwN>(gw_to, gw_value, gw_thread);
}

template <int _GwFrom, int _GwN, class _GwT>
__device__ __forceinline__ void gw_bulk_pieces(_GwT *gw_to, const _GwT *gw_value, unsigned int gw_thread) {
    constexpr int _GwMost = (GW_BULK_BYTES - 16) / sizeof(_GwT), _GwLeft = _GwN - _GwFrom;
    constexpr int _GwHere = _GwLeft < _GwMost ? _GwLeft : _GwMost;
    gw_bulk_from<0, _GwHere>(gw_to + _GwFrom, gw_value + _GwFrom, gw_thread);
    if constexpr (_GwLeft > _GwMost) gw_bulk_pieces<_GwFrom + _GwHere, _GwN>(gw_to, gw_value, gw_thread);
}
#endif

template <class _GwT, class... _GwV>
__device__ __forceinline__ void gw_bulk_add(_GwT *gw_first, _GwV... gw_values) {
    constexpr int _GwN = sizeof...(_GwV);
    const _GwT gw_value[_GwN] = {gw_values...};
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && !defined(GW_CPU_DEVICE)
    const unsigned int gw_thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (gw_thread < GW_BULK_THREADS) {
        gw_bulk_pieces<0, _GwN>(gw_first, gw_value, gw_thread);
        return;
    }
#endif
#pragma unroll
    for (int gw_i = 0; gw_i < _GwN; gw_i++) gw_atomic_add(gw_first + gw_i, gw_value[gw_i]);
}

#endif

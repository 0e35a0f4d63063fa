/*
 * device.cuh - what emitted CUDA text uses: atomic accumulation, the tape in the caller's workspace, launching.
 *
 * For nvcc, Clang and the CPU device. Nothing here allocates, synchronises or changes the CUDA error state of
 * others; no call leaves a pointer behind.
 */
#ifndef GRADWRIGHT_DEVICE_CUH
#define GRADWRIGHT_DEVICE_CUH

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "gradwright/emitted/functions.h"

/* ---- threads ---- */

/* Number of threads of a launch, saturating. */
inline size_t gw_threads(dim3 gw_grid, dim3 gw_block) {
    size_t gw_blocks = gw_size_mul(gw_size_mul(gw_grid.x, gw_grid.y), gw_grid.z);
    return gw_size_mul(gw_blocks, gw_size_mul(gw_size_mul(gw_block.x, gw_block.y), gw_block.z));
}

/* Whether all warps of a block have 32 lanes. */
inline bool gw_whole_warps(dim3 gw_block) { return (size_t)gw_block.x * gw_block.y * gw_block.z % 32 == 0; }

/* Whether a block can be cut into tiles of 8 x 4 threads, a warp each (gw_tiled_thread). */
inline bool gw_whole_tiles(dim3 gw_block) { return gw_block.x % 8 == 0 && gw_block.y % 4 == 0; }

/* Number of this thread in the whole launch: neighbours in a warp are neighbours here. */
__device__ inline size_t gw_thread() {
    size_t gw_block = ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned int gw_this_thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    return gw_block * ((size_t)blockDim.x * blockDim.y * blockDim.z) + gw_this_thread;
}

/* The thread that this one runs as where the warps of a block lie over tiles of 8 x 4 threads, not over its
 * rows; itself if the block cannot be cut so. */
__device__ inline uint3 gw_tiled_thread() {
    const unsigned int gw_across = blockDim.x / 8, gw_this_thread = threadIdx.y * blockDim.x + threadIdx.x;
    if (blockDim.x % 8 || blockDim.y % 4) return threadIdx;
    const unsigned int gw_tile = gw_this_thread / 32, gw_this_lane = gw_this_thread % 32;
    return {gw_tile % gw_across * 8 + gw_this_lane % 8, gw_tile / gw_across * 4 + gw_this_lane / 8,
            threadIdx.z};
}

/* The same of a flat block, each `gw_row` threads of which are a row. */
__device__ inline uint3 gw_tiled_thread(unsigned int gw_row) {
    if (blockDim.y != 1 || blockDim.z != 1 || blockDim.x % (4 * gw_row)) return threadIdx;
    const unsigned int gw_tile = threadIdx.x / 32, gw_this_lane = threadIdx.x % 32, gw_across = gw_row / 8;
    const unsigned int gw_line = gw_tile / gw_across * 4 + gw_this_lane / 8;
    return {gw_line * gw_row + gw_tile % gw_across * 8 + gw_this_lane % 8, 0, 0};
}

/* ---- accumulation ---- */

/* *cell += value against other threads' atomic updates; no order is implied. The result is not used, so the
 * hardware's reduction without return can serve. A host caller has the cell to itself. Always inlined: the two
 * texts of one name must not meet in a linker, as they could on the CPU device. */
#ifdef __CUDA_ARCH__
#define GW_ATOMIC_ADD(T)                                                                                       \
    __host__ __device__ __forceinline__ void gw_atomic_add(T *gw_target, T gw_value) {                         \
        atomicAdd(gw_target, gw_value);                                                                        \
    }
#else
#define GW_ATOMIC_ADD(T) \
    __host__ __device__ __forceinline__ void gw_atomic_add(T *gw_target, T gw_value) { *gw_target += gw_value; }
#endif
GW_ATOMIC_ADD(float)
GW_ATOMIC_ADD(double)
#undef GW_ATOMIC_ADD

/* The same where only threads of the caller's block come to the cell: an atomic of block scope. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600 && !defined(GW_CPU_DEVICE)
#define GW_ATOMIC_ADD_BLOCK(T)                                                                                 \
    __device__ __forceinline__ void gw_atomic_add_block(T *gw_target, T gw_value) {                            \
        atomicAdd_block(gw_target, gw_value);                                                                  \
    }
#else
#define GW_ATOMIC_ADD_BLOCK(T)                                                                                 \
    __device__ __forceinline__ void gw_atomic_add_block(T *gw_target, T gw_value) {                            \
        gw_atomic_add(gw_target, gw_value);                                                                    \
    }
#endif
GW_ATOMIC_ADD_BLOCK(float)
GW_ATOMIC_ADD_BLOCK(double)
#undef GW_ATOMIC_ADD_BLOCK

/* gw_atomic_add for two or four neighbours, aligned to the size of all, in global memory: by one instruction
 * where there is one. Each is atomic by itself. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && CUDART_VERSION >= 12010 && !defined(GW_CPU_DEVICE)
__device__ __forceinline__ void gw_atomic_add2(float *gw_target, float gw_a, float gw_b) {
    asm volatile("{ .reg .u64 at; cvta.to.global.u64 at, %0; red.global.add.v2.f32 [at], {%1, %2}; }"
                 :
                 : "l"(gw_target), "f"(gw_a), "f"(gw_b)
                 : "memory");
}
__device__ __forceinline__ void gw_atomic_add4(float *gw_target, float gw_a, float gw_b, float gw_c,
                                               float gw_d) {
    asm volatile("{ .reg .u64 at; cvta.to.global.u64 at, %0; red.global.add.v4.f32 [at], {%1, %2, %3, %4}; }"
                 :
                 : "l"(gw_target), "f"(gw_a), "f"(gw_b), "f"(gw_c), "f"(gw_d)
                 : "memory");
}
#else
/* The CPU device traps where that instruction would. */
__device__ __forceinline__ void gw_need_aligned(const float *gw_target, unsigned int gw_floats) {
#ifdef GW_CPU_DEVICE
    if ((size_t)gw_target % (gw_floats * sizeof *gw_target) == 0) return;
    printf("gradwright: an atomic addition of %u floats at an address that is not aligned to their size\n",
           gw_floats);
    __trap();
#else
    (void)gw_target, (void)gw_floats;
#endif
}
__device__ __forceinline__ void gw_atomic_add2(float *gw_target, float gw_a, float gw_b) {
    gw_need_aligned(gw_target, 2);
    gw_atomic_add(gw_target, gw_a);
    gw_atomic_add(gw_target + 1, gw_b);
}
__device__ __forceinline__ void gw_atomic_add4(float *gw_target, float gw_a, float gw_b, float gw_c,
                                               float gw_d) {
    gw_need_aligned(gw_target, 4);
    gw_atomic_add2(gw_target, gw_a, gw_b);
    gw_atomic_add2(gw_target + 2, gw_c, gw_d);
}
#endif

/* *cell += value where no other thread touches the cell, of global memory, while the kernel runs: by one
 * instruction, which the L2 carries out in the order in which the thread comes to it, where += would wait for a
 * load (-DGW_WITHOUT_POSTED: it does, to compare). */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600 && !defined(GW_CPU_DEVICE) && !defined(GW_WITHOUT_POSTED)
#define GW_POSTED_ADD(T)                                                                                       \
    __device__ __forceinline__ void gw_posted_add(T *gw_target, T gw_value) {                                  \
        atomicAdd_block(gw_target, gw_value);                                                                  \
    }
#else
#define GW_POSTED_ADD(T) \
    __device__ __forceinline__ void gw_posted_add(T *gw_target, T gw_value) { *gw_target += gw_value; }
#endif
GW_POSTED_ADD(float)
GW_POSTED_ADD(double)
#undef GW_POSTED_ADD

/* What the cell holds, which is 0 from then on: of all threads that ask, one gets it. */
__device__ inline float gw_atomic_take(float *gw_target) { return atomicExch(gw_target, 0.0f); }
__device__ inline double gw_atomic_take(double *gw_target) {
    return __longlong_as_double((long long)atomicExch((unsigned long long *)gw_target, 0ull));
}

/* ---- shared memory ---- */

/* Start and size of the block's dynamic shared memory. */
__device__ inline char *gw_dynamic_shared() {
    extern __shared__ __align__(16) char gw_dynamic_shared_memory[];
    return gw_dynamic_shared_memory;
}
__device__ inline size_t gw_dynamic_shared_bytes() {
#ifdef GW_CPU_DEVICE
    return gw_cpu_dynamic_shared_bytes();
#else
    unsigned int gw_bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(gw_bytes));
    return gw_bytes;
#endif
}

/* What an array of dynamic shared memory and its shadow take, each aligned; several arrays and shadows. */
inline size_t gw_shared_parts_bytes(size_t gw_bytes, unsigned int gw_parts) {
    return gw_parts * ((gw_bytes + 15) / 16 * 16);
}
inline size_t gw_with_shadow_bytes(size_t gw_bytes) { return gw_shared_parts_bytes(gw_bytes, 2); }
/* One of the parts, behind `gw_before` bytes that shadows of static arrays take. */
__device__ inline size_t gw_dynamic_shared_part_bytes(unsigned int gw_parts, size_t gw_before = 0) {
    return (gw_dynamic_shared_bytes() - gw_before) / gw_parts / 16 * 16;
}
__device__ inline char *gw_dynamic_shared_part(unsigned int gw_part, unsigned int gw_parts,
                                               size_t gw_before = 0) {
    return gw_dynamic_shared() + gw_before + gw_part * gw_dynamic_shared_part_bytes(gw_parts, gw_before);
}

/* All threads of the block together set the bytes, a multiple of 4, to zero; the caller has a barrier
 * follow. */
__device__ inline void gw_clear_shared(void *gw_memory, size_t gw_bytes) {
    const size_t gw_thread_count = (size_t)blockDim.x * blockDim.y * blockDim.z;
    const size_t gw_first = (threadIdx.z * blockDim.y + threadIdx.y) * (size_t)blockDim.x + threadIdx.x;
    for (size_t gw_where = 4 * gw_first; gw_where < gw_bytes; gw_where += 4 * gw_thread_count)
        memset((char *)gw_memory + gw_where, 0, 4);
}

/* ---- lanes of a warp ----
 * Adjoints of shuffles: `gw_g` of each lane goes to the lane whose value that lane was given (its source;
 * warp.def). All lanes of the mask that have not left the kernel come here together. Those that have do not
 * count: nobody reads them. */
__device__ inline unsigned int gw_lane() {
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32;
}

/* The sum over all lanes whose source this lane is, in the order of the lanes. */
template <class _GwT>
__device__ inline _GwT gw_sum_of_readers(unsigned int gw_mask, _GwT gw_g, unsigned int gw_source) {
    const unsigned int gw_this_lane = gw_lane();
    _GwT gw_sum = 0;
    for (unsigned int gw_left = __ballot_sync(gw_mask, 1); gw_left; gw_left &= gw_left - 1) {
        const int gw_reader = __ffs((int)gw_left) - 1;
        const unsigned int gw_from = __shfl_sync(gw_mask, gw_source, gw_reader);
        const _GwT gw_value = __shfl_sync(gw_mask, gw_g, gw_reader);
        if (gw_from == gw_this_lane) gw_sum += gw_value;
    }
    return gw_sum;
}

template <class _GwT>
__device__ inline _GwT gw_to_lanes(unsigned int gw_mask, _GwT gw_g, int gw_this_lane, int gw_width) {
    const unsigned int gw_part = (unsigned int)gw_width - 1;
    return gw_sum_of_readers(gw_mask, gw_g, (gw_lane() & ~gw_part) | ((unsigned int)gw_this_lane & gw_part));
}
template <class _GwT>
__device__ inline _GwT gw_up_back_apart(unsigned int gw_mask, _GwT gw_g, unsigned int gw_delta, int gw_width) {
    const unsigned int gw_this_lane = gw_lane(), gw_in_part = gw_this_lane & ((unsigned int)gw_width - 1);
    return gw_sum_of_readers(gw_mask, gw_g,
                             gw_in_part >= gw_delta % 32 ? gw_this_lane - gw_delta % 32 : gw_this_lane);
}
template <class _GwT>
__device__ inline _GwT gw_down_back_apart(unsigned int gw_mask, _GwT gw_g, unsigned int gw_delta,
                                          int gw_width) {
    const unsigned int gw_this_lane = gw_lane(), gw_in_part = gw_this_lane & ((unsigned int)gw_width - 1);
    return gw_sum_of_readers(gw_mask, gw_g,
                             gw_in_part + gw_delta % 32 < (unsigned int)gw_width ? gw_this_lane + gw_delta % 32
                                                                                 : gw_this_lane);
}
template <class _GwT>
__device__ inline _GwT gw_xor_back_apart(unsigned int gw_mask, _GwT gw_g, int gw_other, int gw_width) {
    const unsigned int gw_this_lane = gw_lane(), gw_source = gw_this_lane ^ ((unsigned int)gw_other % 32);
    return gw_sum_of_readers(
        gw_mask, gw_g, gw_source <= (gw_this_lane | ((unsigned int)gw_width - 1)) ? gw_source : gw_this_lane);
}

/* The same where all lanes have one source, or one distance to it. With all lanes there, a sum is a
 * butterfly. */
template <class _GwT>
__device__ inline _GwT gw_to_lane(unsigned int gw_mask, _GwT gw_g, int gw_this_lane, int gw_width) {
    const unsigned int gw_part = (unsigned int)gw_width - 1;
    if (__ballot_sync(gw_mask, 1) != 0xffffffffu) return gw_to_lanes(gw_mask, gw_g, gw_this_lane, gw_width);
    for (int gw_distance = 1; gw_distance < gw_width; gw_distance *= 2) /* in the order of CUB's sums */
        gw_g += __shfl_xor_sync(gw_mask, gw_g, gw_distance);
    return (gw_lane() & gw_part) == ((unsigned int)gw_this_lane & gw_part) ? gw_g : _GwT(0);
}

/* `gw_reader` reads this lane if `gw_reads`; so does this lane itself if `gw_own`. */
template <class _GwT>
__device__ inline _GwT gw_of_reader(unsigned int gw_mask, _GwT gw_g, unsigned int gw_reader, bool gw_reads,
                                    bool gw_own) {
    const unsigned int gw_here = __ballot_sync(gw_mask, 1);
    gw_reads = gw_reads && gw_here >> (gw_reader % 32) & 1;
    const _GwT gw_value = __shfl_sync(gw_mask, gw_g, gw_reads ? (int)gw_reader : (int)gw_lane());
    return (gw_reads ? gw_value : _GwT(0)) + (gw_own ? gw_g : _GwT(0));
}
template <class _GwT>
__device__ inline _GwT gw_up_back(unsigned int gw_mask, _GwT gw_g, unsigned int gw_delta, int gw_width) {
    const unsigned int gw_this_lane = gw_lane(), gw_in_part = gw_this_lane & ((unsigned int)gw_width - 1);
    gw_delta %= 32;
    return gw_of_reader(gw_mask, gw_g, gw_this_lane + gw_delta,
                        gw_delta && gw_in_part + gw_delta < (unsigned int)gw_width,
                        !gw_delta || gw_in_part < gw_delta);
}
template <class _GwT>
__device__ inline _GwT gw_down_back(unsigned int gw_mask, _GwT gw_g, unsigned int gw_delta, int gw_width) {
    const unsigned int gw_this_lane = gw_lane(), gw_in_part = gw_this_lane & ((unsigned int)gw_width - 1);
    gw_delta %= 32;
    return gw_of_reader(gw_mask, gw_g, gw_this_lane - gw_delta, gw_delta && gw_in_part >= gw_delta,
                        !gw_delta || gw_in_part + gw_delta >= (unsigned int)gw_width);
}
template <class _GwT>
__device__ inline _GwT gw_xor_back(unsigned int gw_mask, _GwT gw_g, int gw_other, int gw_width) {
    const unsigned int gw_this_lane = gw_lane(), gw_part = (unsigned int)gw_width - 1,
                       gw_reader = gw_this_lane ^ ((unsigned int)gw_other % 32);
    const bool gw_same = gw_reader == gw_this_lane;
    return gw_of_reader(gw_mask, gw_g, gw_reader, !gw_same && gw_this_lane <= (gw_reader | gw_part),
                        gw_same || gw_reader > (gw_this_lane | gw_part));
}

/* Running sums of the lanes of a part of the warp, up to this one or from this one on. Those that are there are
 * its first ones. */
template <class _GwT> __device__ inline _GwT gw_sum_to_here(unsigned int gw_mask, _GwT gw_sum, int gw_width) {
    const int gw_in_part = (int)gw_lane() & (gw_width - 1);
    for (int gw_distance = 1; gw_distance < gw_width; gw_distance *= 2) {
        const _GwT gw_before = __shfl_up_sync(gw_mask, gw_sum, (unsigned int)gw_distance, gw_width);
        if (gw_in_part >= gw_distance) gw_sum = gw_before + gw_sum;
    }
    return gw_sum;
}
template <class _GwT> __device__ inline _GwT gw_sum_from_here(unsigned int gw_mask, _GwT gw_sum, int gw_width) {
    const int gw_in_part = (int)gw_lane() & (gw_width - 1);
    const unsigned int gw_above = __ballot_sync(gw_mask, 1) >> gw_lane();
    for (int gw_distance = 1; gw_distance < gw_width; gw_distance *= 2) {
        const _GwT gw_behind = __shfl_down_sync(gw_mask, gw_sum, (unsigned int)gw_distance, gw_width);
        if (gw_in_part + gw_distance < gw_width && gw_above >> gw_distance & 1) gw_sum += gw_behind;
    }
    return gw_sum;
}

template <class _GwT> __device__ inline unsigned int gw_match_all(unsigned int gw_mask, _GwT gw_value) {
    int gw_all;
    return __match_all_sync(gw_mask, gw_value, &gw_all);
}

/* ---- additions made together ---- */
#include "gradwright/emitted/collectives.cuh"
#include "gradwright/emitted/bulk.cuh"
#include "gradwright/emitted/records.cuh"
#include "gradwright/emitted/cache.cuh"

/* ---- refusal ---- */

/* `gw_needs`: the assumption of the gradient that this launch breaks, or null. One thread says so and traps;
 * the others leave the kernel (the caller returns on true), so that the message is out before the launch fails
 * and no adjoint is touched. */
/* Out of line: what printf takes would cost the whole kernel registers (hydrodynamics, sm_90: 98 with it, 96
 * without, and 96 are the most with which five blocks of 128 threads are on a multiprocessor). */
__device__ __noinline__ inline void gw_say_refusal(const char *gw_kernel, const char *gw_needs) {
    printf("gradwright: %s: this launch breaks an assumption: needs %s\n", gw_kernel, gw_needs);
    __trap();
}
__device__ inline bool gw_refuse(const char *gw_kernel, const char *gw_needs) {
    if (!gw_needs) return false;
    if (gw_thread() == 0) gw_say_refusal(gw_kernel, gw_needs);
    return true;
}

/* ---- tape ----
 * A stack of 4-byte and one of 8-byte values for each thread, interleaved by thread (gw_workspace_size tells
 * the layout): slot k of neighbouring threads is one stretch of memory. With GW_CHECKED, a push beyond the
 * capacity traps; without, the bound that sized the workspace is what guards it. */
struct gw_tape_slots {
    unsigned long long gw_slots4, gw_slots8; /* of one thread */
};

/* What f_tape_slots tells: slots of one thread's tape, rows that it has in each group (slots.cuh; of sorted
 * ones the least and the greatest position, too), cells of exact sums and additions of a thread to one
 * (exact.cuh), last cells of copies (copies.cuh). */
template <int _GwN> struct gw_slot_counts {
    gw_tape_slots gw_on_tape;
    unsigned long long gw_rows[_GwN];
};

struct gw_tape {
    unsigned int *gw_next4;
    unsigned long long *gw_next8;
    size_t gw_thread_count;
    const unsigned int *gw_end4;
    const unsigned long long *gw_end8;
};

inline size_t gw_tape_bytes(gw_tape_slots gw_slot_list, dim3 gw_grid, dim3 gw_block) {
    return gw_workspace_size(gw_slot_list.gw_slots4, gw_slot_list.gw_slots8, gw_threads(gw_grid, gw_block));
}

/* The place in the workspace at which something begins behind what takes `gw_bytes` bytes. */
inline size_t gw_space_behind(size_t gw_bytes, size_t gw_alignment) {
    const size_t gw_where = gw_size_add(gw_bytes, gw_alignment - 1);
    return gw_where == SIZE_MAX ? SIZE_MAX : gw_where / gw_alignment * gw_alignment;
}

/* Memory of the stream for one launch, where that needs any. */
struct gw_stream_memory {
    void *gw_at;
    cudaStream_t gw_stream;
    gw_stream_memory(cudaStream_t gw_of) : gw_at(nullptr), gw_stream(gw_of) {}
    ~gw_stream_memory() {
        if (gw_at) cudaFreeAsync(gw_at, gw_stream);
    }
    gw_status gw_get(const char *gw_name, size_t gw_bytes) {
        if (!gw_bytes) return GW_OK;
        if (gw_bytes == (size_t)-1)
            return gw_report(GW_ERROR_WORKSPACE, "%s: a thread needs a longer tape than there can be", gw_name);
        const cudaError_t gw_error = cudaMallocAsync(&gw_at, gw_bytes, gw_stream);
        if (gw_error == cudaSuccess) return GW_OK;
        gw_at = nullptr;
        cudaGetLastError();
        return gw_report(GW_ERROR_MEMORY, "%s: %zu bytes: %s", gw_name, gw_bytes, cudaGetErrorString(gw_error));
    }
};

/* An adjoint and the array that it belongs to. */
struct gw_adjoint_of {
    const char *gw_name;
    const volatile void *gw_primal, *gw_adjoint;
};
/* The name of the first that is null where the primal's array is not; null if there is none. */
template <size_t gw_count> const char *gw_missing(const gw_adjoint_of (&gw_list)[gw_count]) {
    for (const gw_adjoint_of &gw_one : gw_list)
        if (gw_one.gw_primal && !gw_one.gw_adjoint) return gw_one.gw_name;
    return nullptr;
}

inline gw_status gw_slots_check(const char *gw_name, size_t gw_needed, const void *gw_workspace,
                                size_t gw_bytes) {
    if (gw_needed == 0) return GW_OK;
    if (gw_needed / 1024 >= (size_t)1 << 37)
        return gw_report(GW_ERROR_WORKSPACE,
                         "%s: needs a workspace of %zu bytes, more than there is: the bound of a loop wraps "
                         "around at this launch, or is far from what it runs",
                         gw_name, gw_needed);
    if (!gw_workspace)
        return gw_report(GW_ERROR_WORKSPACE, "%s: needs a workspace of %zu bytes, and it is null", gw_name,
                         gw_needed);
    if (gw_bytes < gw_needed)
        return gw_report(GW_ERROR_WORKSPACE, "%s: needs a workspace of %zu bytes, got %zu", gw_name, gw_needed,
                         gw_bytes);
    if ((uintptr_t)gw_workspace % GW_WORKSPACE_ALIGNMENT != 0)
        return gw_report(GW_ERROR_WORKSPACE, "%s: the workspace is not aligned to %zu bytes", gw_name,
                         GW_WORKSPACE_ALIGNMENT);
    return GW_OK;
}

inline gw_status gw_tape_check(const char *gw_name, gw_tape_slots gw_slot_list, dim3 gw_grid, dim3 gw_block,
                               const void *gw_workspace, size_t gw_bytes) {
    return gw_slots_check(gw_name, gw_tape_bytes(gw_slot_list, gw_grid, gw_block), gw_workspace, gw_bytes);
}

inline gw_tape gw_tape_over(void *gw_workspace, gw_tape_slots gw_slot_list, dim3 gw_grid, dim3 gw_block) {
    gw_tape gw_on_tape;
    gw_on_tape.gw_thread_count = gw_threads(gw_grid, gw_block);
    gw_on_tape.gw_next8 = (unsigned long long *)gw_workspace;
    gw_on_tape.gw_next4 =
        (unsigned int *)(gw_on_tape.gw_next8 +
                         (gw_workspace ? gw_slot_list.gw_slots8 * gw_on_tape.gw_thread_count : 0));
    gw_on_tape.gw_end8 =
        gw_on_tape.gw_next8 + (gw_workspace ? gw_slot_list.gw_slots8 * gw_on_tape.gw_thread_count : 0);
    gw_on_tape.gw_end4 =
        gw_on_tape.gw_next4 + (gw_workspace ? gw_slot_list.gw_slots4 * gw_on_tape.gw_thread_count : 0);
    return gw_on_tape;
}

/* From the whole workspace to this thread's share of it. */
__device__ inline void gw_tape_begin(gw_tape *gw_on_tape) {
    const size_t gw_this_thread = gw_thread();
    gw_on_tape->gw_next4 += gw_this_thread;
    gw_on_tape->gw_next8 += gw_this_thread;
}

/* Stops a push that would leave the workspace. */
__device__ inline void gw_tape_guard(const void *gw_next, const void *gw_end) {
    if (gw_next < gw_end) return;
    printf("gradwright: a tape overflowed\n");
    __trap();
}

#ifdef GW_CHECKED
#define GW_TAPE_GUARD(tape, width) gw_tape_guard((tape)->gw_next##width, (tape)->gw_end##width)
#else
#define GW_TAPE_GUARD(tape, width) (void)0
#endif
#define GW_TAPE_TYPE(T, suffix, width)                                            \
    __device__ inline void gw_tape_push_##suffix(gw_tape *gw_on_tape, T gw_value) {        \
        GW_TAPE_GUARD(gw_on_tape, width);                                               \
        *gw_on_tape->gw_next##width = gw_bits_of_##suffix(gw_value);                          \
        gw_on_tape->gw_next##width += gw_on_tape->gw_thread_count;                                       \
    }                                                                             \
    __device__ inline T gw_tape_pop_##suffix(gw_tape *gw_on_tape) {                     \
        gw_on_tape->gw_next##width -= gw_on_tape->gw_thread_count;                                       \
        return gw_##suffix##_of_bits(*gw_on_tape->gw_next##width);                         \
    }
GW_TAPE_TYPE(float, f32, 4)
GW_TAPE_TYPE(int, i32, 4)
GW_TAPE_TYPE(unsigned int, u32, 4)
GW_TAPE_TYPE(double, f64, 8)
GW_TAPE_TYPE(long long, i64, 8)
GW_TAPE_TYPE(unsigned long long, u64, 8)
#undef GW_TAPE_TYPE
#undef GW_TAPE_GUARD

/* ---- split tape ----
 * The tape of f_fwd and f_bwd: a header with the check value of the launch that wrote it, and the stacks as
 * above, with one more 8-byte slot in front in which each thread keeps how much it has pushed; nothing but the
 * header where nothing is stored. */
struct gw_split_tape : gw_tape {
    unsigned long long *gw_header, *gw_kept;
    unsigned long long gw_check;
};

#define GW_SPLIT_HEADER ((size_t)256)

inline gw_tape_slots gw_split_slots(gw_tape_slots gw_slot_list) {
    if ((gw_slot_list.gw_slots4 || gw_slot_list.gw_slots8) && gw_slot_list.gw_slots8 + 1 != 0)
        gw_slot_list.gw_slots8++;
    return gw_slot_list;
}

inline size_t gw_split_bytes(gw_tape_slots gw_slot_list, dim3 gw_grid, dim3 gw_block) {
    const size_t gw_bytes = gw_tape_bytes(gw_split_slots(gw_slot_list), gw_grid, gw_block);
    return gw_bytes <= (size_t)-1 - GW_SPLIT_HEADER ? gw_bytes + GW_SPLIT_HEADER : (size_t)-1;
}

inline gw_status gw_split_check(const char *gw_name, gw_tape_slots gw_slot_list, dim3 gw_grid, dim3 gw_block,
                                const void *gw_on_tape, size_t gw_bytes) {
    const size_t gw_needed = gw_split_bytes(gw_slot_list, gw_grid, gw_block);
    if (!gw_on_tape || gw_bytes < gw_needed)
        return gw_report(GW_ERROR_OVERFLOW, "%s: needs a tape of %zu bytes, got %zu", gw_name, gw_needed,
                         gw_on_tape ? gw_bytes : (size_t)0);
    if ((uintptr_t)gw_on_tape % GW_WORKSPACE_ALIGNMENT != 0)
        return gw_report(GW_ERROR_WORKSPACE, "%s: the tape is not aligned to %zu bytes", gw_name,
                         GW_WORKSPACE_ALIGNMENT);
    return GW_OK;
}

/* `gw_name`: one for both halves. The check value is FNV-1a of it and of what decides the tape's layout. */
inline gw_split_tape gw_split_over(const char *gw_name, void *gw_on_tape, gw_tape_slots gw_slot_list,
                                   dim3 gw_grid, dim3 gw_block) {
    const unsigned long long gw_shape[] = {gw_grid.x,
                                           gw_grid.y,
                                           gw_grid.z,
                                           gw_block.x,
                                           gw_block.y,
                                           gw_block.z,
                                           gw_slot_list.gw_slots4,
                                           gw_slot_list.gw_slots8};
    unsigned long long gw_check = 0xcbf29ce484222325ull;
    for (; *gw_name; gw_name++) gw_check = (gw_check ^ (unsigned char)*gw_name) * 0x100000001b3ull;
    for (unsigned long long gw_number : gw_shape)
        for (int gw_byte = 0; gw_byte < 8; gw_byte++)
            gw_check = (gw_check ^ (gw_number >> 8 * gw_byte & 255)) * 0x100000001b3ull;
    gw_split_tape gw_made;
    static_cast<gw_tape &>(gw_made) =
        gw_tape_over((char *)gw_on_tape + GW_SPLIT_HEADER, gw_split_slots(gw_slot_list), gw_grid, gw_block);
    gw_made.gw_header = (unsigned long long *)gw_on_tape;
    gw_made.gw_kept = gw_slot_list.gw_slots4 || gw_slot_list.gw_slots8 ? gw_made.gw_next8 : nullptr;
    if (gw_made.gw_kept) gw_made.gw_next8 += gw_made.gw_thread_count;
    gw_made.gw_check = gw_check;
    return gw_made;
}

__device__ inline void gw_split_begin(gw_split_tape *gw_on_tape) {
    gw_tape_begin(gw_on_tape);
    if (gw_on_tape->gw_kept) gw_on_tape->gw_kept += gw_thread();
    if (gw_thread() == 0) *gw_on_tape->gw_header = gw_on_tape->gw_check;
}

/* This thread's tops: `gw_kept` is where its 8-byte stack begins, less one slot, and its 4-byte stack behind
 * all of those. */
__device__ inline void gw_split_end(const gw_split_tape *gw_on_tape) {
    if (!gw_on_tape->gw_kept) return;
    const size_t gw_depth8 =
        (size_t)(gw_on_tape->gw_next8 - gw_on_tape->gw_kept) / gw_on_tape->gw_thread_count - 1;
    const size_t gw_depth4 =
        (size_t)(gw_on_tape->gw_next4 - (const unsigned int *)gw_on_tape->gw_end8 - gw_thread()) /
        gw_on_tape->gw_thread_count;
    *gw_on_tape->gw_kept = gw_depth8 << 32 | gw_depth4;
}

__device__ inline void gw_split_resume(gw_split_tape *gw_on_tape) {
    gw_tape_begin(gw_on_tape);
    if (!gw_on_tape->gw_kept) return;
    const unsigned long long gw_depths = gw_on_tape->gw_kept[gw_thread()];
    gw_on_tape->gw_next8 += (size_t)(gw_depths >> 32) * gw_on_tape->gw_thread_count;
    gw_on_tape->gw_next4 += (size_t)(gw_depths & 0xffffffffu) * gw_on_tape->gw_thread_count;
}

/* Nobody goes on with a tape that this launch's first half did not write, so no adjoint is touched. One thread
 * says so; the others give its message time before they trap, too. None of them leaves the kernel here: that
 * would keep the compiler from seeing, all the way down, that the lanes of a warp are together. */
__device__ inline void gw_split_demand(const char *gw_kernel, const gw_split_tape &gw_on_tape) {
    if (*gw_on_tape.gw_header == gw_on_tape.gw_check) return;
#ifdef GW_CPU_DEVICE
    const bool gw_first = true; /* the first trap ends the launch */
#else
    const bool gw_first = gw_thread() == 0;
#endif
    if (gw_first)
        printf("gradwright: %s: this tape was not written by the first half with the same launch\n", gw_kernel);
    else
        for (const long long gw_since = clock64(); clock64() - gw_since < 1ll << 30;) {}
    __trap();
}

/* ---- launching ---- */
template <class _GwT> struct gw_exactly {
    typedef _GwT gw_type;
};

/* More shared memory than kernels get by themselves, which a shadow may make it, has to be asked for: static
 * memory counts too. */
inline size_t gw_static_shared_bytes(const void *gw_kernel) {
    cudaFuncAttributes gw_is;
    return cudaFuncGetAttributes(&gw_is, gw_kernel) == cudaSuccess ? gw_is.sharedSizeBytes : 0;
}
inline cudaError_t gw_ask_for_shared(const void *gw_kernel, size_t gw_bytes) {
    const size_t gw_given = 48 * 1024;
    if (!gw_bytes || (gw_bytes <= gw_given && gw_bytes + gw_static_shared_bytes(gw_kernel) <= gw_given))
        return cudaSuccess;
    return cudaFuncSetAttribute(gw_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)gw_bytes);
}

/* How much a block of this device may have in all; 0 if it does not say. */
inline size_t gw_most_shared_bytes() {
    int gw_device = 0, gw_most = 0;
    if (cudaGetDevice(&gw_device) != cudaSuccess) return 0;
    return cudaDeviceGetAttribute(&gw_most, cudaDevAttrMaxSharedMemoryPerBlockOptin, gw_device) == cudaSuccess
               ? (size_t)gw_most
               : 0;
}

/* Says what to do where a block that a device can have is larger than the kernel, as it was compiled,
 * allows. */
inline gw_status gw_launch_failed(const char *gw_name, const void *gw_kernel, dim3 gw_block,
                                  size_t gw_shared_bytes, cudaError_t gw_error) {
    const size_t gw_most = gw_shared_bytes ? gw_most_shared_bytes() : 0,
                 gw_asked = gw_shared_bytes + (gw_most ? gw_static_shared_bytes(gw_kernel) : 0);
    if (gw_most && gw_asked > gw_most)
        return gw_report(GW_ERROR_CUDA,
                         "%s: %s: a block takes %zu bytes of shared memory, shadows among them, and one of "
                         "this device may have %zu",
                         gw_name, cudaGetErrorString(gw_error), gw_asked, gw_most);
    const size_t gw_thread_count = gw_threads(dim3(1), gw_block);
    cudaFuncAttributes gw_is;
    const bool gw_known = gw_thread_count <= 1024 && cudaFuncGetAttributes(&gw_is, gw_kernel) == cudaSuccess;
    if (!gw_known || gw_thread_count <= (size_t)gw_is.maxThreadsPerBlock)
        return gw_report(GW_ERROR_CUDA, "%s: %s", gw_name, cudaGetErrorString(gw_error));
    return gw_report(GW_ERROR_CUDA,
                     "%s: %s: with %d registers a thread a block has at most %d threads, not %zu; declare the "
                     "primal __launch_bounds__(%zu)",
                     gw_name, cudaGetErrorString(gw_error), gw_is.numRegs, gw_is.maxThreadsPerBlock,
                     gw_thread_count, gw_thread_count);
}

/* kernel<<<grid, block, shared_bytes, stream>>>(arguments...), with the status of this launch alone: an error
 * that was pending before is neither reported nor cleared. */
template <class... _GwP>
inline gw_status gw_launch(const char *gw_name, void (*gw_kernel)(_GwP...), dim3 gw_grid, dim3 gw_block,
                           size_t gw_shared_bytes, cudaStream_t gw_stream,
                           typename gw_exactly<_GwP>::gw_type... gw_arguments) {
    void *gw_list[] = {(void *)&gw_arguments..., nullptr};
    cudaError_t gw_error = gw_ask_for_shared((const void *)gw_kernel, gw_shared_bytes);
    if (gw_error == cudaSuccess)
        gw_error =
            cudaLaunchKernel((const void *)gw_kernel, gw_grid, gw_block, gw_list, gw_shared_bytes, gw_stream);
    if (gw_error == cudaSuccess) return GW_OK;
    return gw_launch_failed(gw_name, (const void *)gw_kernel, gw_block, gw_shared_bytes, gw_error);
}

inline gw_status gw_clear_bytes(const char *gw_name, void *gw_memory, size_t gw_bytes, cudaStream_t gw_stream) {
    const cudaError_t gw_error = cudaMemsetAsync(gw_memory, 0, gw_bytes, gw_stream);
    return gw_error == cudaSuccess ? GW_OK
                                   : gw_report(GW_ERROR_CUDA, "%s: %s", gw_name, cudaGetErrorString(gw_error));
}

/* ---- adjoints that are new ---- */
/* How many cells of each a launch stores to at least. */
template <int _GwCount> struct gw_stored_counts {
    unsigned long long gw_cells[_GwCount];
};

/* Clears an adjoint of which the launch does not store to all cells; one of an array that is null is null. */
template <class _GwT>
inline gw_status gw_fresh(const char *gw_name, _GwT *gw_adjoint, long long gw_cells,
                          unsigned long long gw_stored_cells, cudaStream_t gw_stream) {
    if (!gw_adjoint || gw_cells <= 0 || gw_stored_cells >= (unsigned long long)gw_cells) return GW_OK;
    return gw_clear_bytes(gw_name, gw_adjoint, gw_size_mul((size_t)gw_cells, sizeof(_GwT)), gw_stream);
}

/* ---- records of adjoints (GW_PACK) ---- */
#define GW_UNPACK_BLOCK 256u

inline dim3 gw_unpack_grid(size_t gw_records) {
    const size_t gw_blocks = gw_records / GW_UNPACK_BLOCK + 1;
    return dim3((unsigned int)(gw_blocks < 65536 ? gw_blocks : 65536));
}

inline gw_status gw_clear_records(const char *gw_name, float *gw_pack, size_t gw_records, size_t gw_floats,
                                  cudaStream_t gw_stream) {
    return gw_clear_bytes(gw_name, gw_pack, gw_size_mul(gw_records, gw_floats * sizeof(float)), gw_stream);
}

#endif

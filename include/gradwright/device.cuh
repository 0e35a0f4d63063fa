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

#include "gradwright/emitted.h"

/* ---- threads ---- */

/* Number of threads of a launch, saturating. */
inline size_t gw_threads(dim3 grid, dim3 block) {
    size_t blocks = gw_size_mul(gw_size_mul(grid.x, grid.y), grid.z);
    return gw_size_mul(blocks, gw_size_mul(gw_size_mul(block.x, block.y), block.z));
}

/* Whether all warps of a block have 32 lanes. */
inline bool gw_whole_warps(dim3 block) { return (size_t)block.x * block.y * block.z % 32 == 0; }

/* Whether a block can be cut into tiles of 8 x 4 threads, a warp each (gw_tiled_thread). */
inline bool gw_whole_tiles(dim3 block) { return block.x % 8 == 0 && block.y % 4 == 0; }

/* Number of this thread in the whole launch: neighbours in a warp are neighbours here. */
__device__ inline size_t gw_thread() {
    size_t block = ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    unsigned int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    return block * ((size_t)blockDim.x * blockDim.y * blockDim.z) + thread;
}

/* The thread that this one runs as where the warps of a block lie over tiles of 8 x 4 threads, not over its rows; itself if the block
 * cannot be cut so. */
__device__ inline uint3 gw_tiled_thread() {
    const unsigned int across = blockDim.x / 8, thread = threadIdx.y * blockDim.x + threadIdx.x;
    if (blockDim.x % 8 || blockDim.y % 4) return threadIdx;
    const unsigned int tile = thread / 32, lane = thread % 32;
    return {tile % across * 8 + lane % 8, tile / across * 4 + lane / 8, threadIdx.z};
}

/* ---- accumulation ---- */

/* *cell += value against other threads' atomic updates; no order is implied. The result is not used, so the
 * hardware's reduction without return can serve. A host caller has the cell to itself. Always inlined: the two
 * texts of one name must not meet in a linker, as they could on the CPU device. */
#ifdef __CUDA_ARCH__
#define GW_ATOMIC_ADD(T) \
    __host__ __device__ __forceinline__ void gw_atomic_add(T *cell, T value) { atomicAdd(cell, value); }
#else
#define GW_ATOMIC_ADD(T) \
    __host__ __device__ __forceinline__ void gw_atomic_add(T *cell, T value) { *cell += value; }
#endif
GW_ATOMIC_ADD(float)
GW_ATOMIC_ADD(double)
#undef GW_ATOMIC_ADD

/* The same where only threads of the caller's block come to the cell: an atomic of block scope. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600 && !defined(GW_CPU_DEVICE)
#define GW_ATOMIC_ADD_BLOCK(T) \
    __device__ __forceinline__ void gw_atomic_add_block(T *cell, T value) { atomicAdd_block(cell, value); }
#else
#define GW_ATOMIC_ADD_BLOCK(T) \
    __device__ __forceinline__ void gw_atomic_add_block(T *cell, T value) { gw_atomic_add(cell, value); }
#endif
GW_ATOMIC_ADD_BLOCK(float)
GW_ATOMIC_ADD_BLOCK(double)
#undef GW_ATOMIC_ADD_BLOCK

/* gw_atomic_add for two or four neighbours, aligned to the size of all, in global memory: by one instruction where there is one. Each is
 * atomic by itself. */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900 && CUDART_VERSION >= 12010 && !defined(GW_CPU_DEVICE)
__device__ __forceinline__ void gw_atomic_add2(float *cell, float a, float b) {
    asm volatile("{ .reg .u64 at; cvta.to.global.u64 at, %0; red.global.add.v2.f32 [at], {%1, %2}; }"
                 :
                 : "l"(cell), "f"(a), "f"(b)
                 : "memory");
}
__device__ __forceinline__ void gw_atomic_add4(float *cell, float a, float b, float c, float d) {
    asm volatile("{ .reg .u64 at; cvta.to.global.u64 at, %0; red.global.add.v4.f32 [at], {%1, %2, %3, %4}; }"
                 :
                 : "l"(cell), "f"(a), "f"(b), "f"(c), "f"(d)
                 : "memory");
}
#else
/* The CPU device traps where that instruction would. */
__device__ __forceinline__ void gw_need_aligned(const float *cell, unsigned int floats) {
#ifdef GW_CPU_DEVICE
    if ((size_t)cell % (floats * sizeof *cell) == 0) return;
    printf("gradwright: an atomic addition of %u floats at an address that is not aligned to their size\n", floats);
    __trap();
#else
    (void)cell, (void)floats;
#endif
}
__device__ __forceinline__ void gw_atomic_add2(float *cell, float a, float b) {
    gw_need_aligned(cell, 2);
    gw_atomic_add(cell, a);
    gw_atomic_add(cell + 1, b);
}
__device__ __forceinline__ void gw_atomic_add4(float *cell, float a, float b, float c, float d) {
    gw_need_aligned(cell, 4);
    gw_atomic_add2(cell, a, b);
    gw_atomic_add2(cell + 2, c, d);
}
#endif

/* *cell += value where no other thread touches the cell, of global memory, while the kernel runs: by one instruction, which the L2
 * carries out in the order in which the thread comes to it, where += would wait for a load (-DGW_WITHOUT_POSTED: it does, to
 * compare). */
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 600 && !defined(GW_CPU_DEVICE) && !defined(GW_WITHOUT_POSTED)
#define GW_POSTED_ADD(T) \
    __device__ __forceinline__ void gw_posted_add(T *cell, T value) { atomicAdd_block(cell, value); }
#else
#define GW_POSTED_ADD(T) \
    __device__ __forceinline__ void gw_posted_add(T *cell, T value) { *cell += value; }
#endif
GW_POSTED_ADD(float)
GW_POSTED_ADD(double)
#undef GW_POSTED_ADD

/* What the cell holds, which is 0 from then on: of all threads that ask, one gets it. */
__device__ inline float gw_atomic_take(float *cell) { return atomicExch(cell, 0.0f); }
__device__ inline double gw_atomic_take(double *cell) {
    return __longlong_as_double((long long)atomicExch((unsigned long long *)cell, 0ull));
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
    unsigned int bytes;
    asm("mov.u32 %0, %%dynamic_smem_size;" : "=r"(bytes));
    return bytes;
#endif
}

/* What an array of dynamic shared memory and its shadow take, each aligned. */
inline size_t gw_with_shadow_bytes(size_t bytes) { return 2 * ((bytes + 15) / 16 * 16); }

/* All threads of the block together set the bytes, a multiple of 4, to zero; the caller has a barrier follow. */
__device__ inline void gw_clear_shared(void *memory, size_t bytes) {
    const size_t threads = (size_t)blockDim.x * blockDim.y * blockDim.z;
    const size_t first = (threadIdx.z * blockDim.y + threadIdx.y) * (size_t)blockDim.x + threadIdx.x;
    for (size_t at = 4 * first; at < bytes; at += 4 * threads) memset((char *)memory + at, 0, 4);
}

/* ---- lanes of a warp ----
 * Adjoints of shuffles: `g` of each lane goes to the lane whose value that lane was given (its source; warp.def). All
 * lanes of the mask that have not left the kernel come here together. Those that have do not count: nobody reads them. */
__device__ inline unsigned int gw_lane() {
    return ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) % 32;
}

/* The sum over all lanes whose source this lane is, in the order of the lanes. */
template <class T> __device__ inline T gw_sum_of_readers(unsigned int mask, T g, unsigned int source) {
    const unsigned int lane = gw_lane();
    T sum = 0;
    for (unsigned int left = __ballot_sync(mask, 1); left; left &= left - 1) {
        const int reader = __ffs((int)left) - 1;
        const unsigned int from = __shfl_sync(mask, source, reader);
        const T value = __shfl_sync(mask, g, reader);
        if (from == lane) sum += value;
    }
    return sum;
}

template <class T> __device__ inline T gw_to_lanes(unsigned int mask, T g, int lane, int width) {
    const unsigned int part = (unsigned int)width - 1;
    return gw_sum_of_readers(mask, g, (gw_lane() & ~part) | ((unsigned int)lane & part));
}
template <class T> __device__ inline T gw_up_back_apart(unsigned int mask, T g, unsigned int delta, int width) {
    const unsigned int lane = gw_lane(), in_part = lane & ((unsigned int)width - 1);
    return gw_sum_of_readers(mask, g, in_part >= delta % 32 ? lane - delta % 32 : lane);
}
template <class T> __device__ inline T gw_down_back_apart(unsigned int mask, T g, unsigned int delta, int width) {
    const unsigned int lane = gw_lane(), in_part = lane & ((unsigned int)width - 1);
    return gw_sum_of_readers(mask, g, in_part + delta % 32 < (unsigned int)width ? lane + delta % 32 : lane);
}
template <class T> __device__ inline T gw_xor_back_apart(unsigned int mask, T g, int other, int width) {
    const unsigned int lane = gw_lane(), source = lane ^ ((unsigned int)other % 32);
    return gw_sum_of_readers(mask, g, source <= (lane | ((unsigned int)width - 1)) ? source : lane);
}

/* The same where all lanes have one source, or one distance to it. With all lanes there, a sum is a butterfly. */
template <class T> __device__ inline T gw_to_lane(unsigned int mask, T g, int lane, int width) {
    const unsigned int part = (unsigned int)width - 1;
    if (__ballot_sync(mask, 1) != 0xffffffffu) return gw_to_lanes(mask, g, lane, width);
    for (int distance = width / 2; distance > 0; distance /= 2) g += __shfl_xor_sync(mask, g, distance);
    return (gw_lane() & part) == ((unsigned int)lane & part) ? g : T(0);
}

/* `reader` reads this lane if `reads`; so does this lane itself if `own`. */
template <class T>
__device__ inline T gw_of_reader(unsigned int mask, T g, unsigned int reader, bool reads, bool own) {
    const unsigned int here = __ballot_sync(mask, 1);
    reads = reads && here >> (reader % 32) & 1;
    const T value = __shfl_sync(mask, g, reads ? (int)reader : (int)gw_lane());
    return (reads ? value : T(0)) + (own ? g : T(0));
}
template <class T> __device__ inline T gw_up_back(unsigned int mask, T g, unsigned int delta, int width) {
    const unsigned int lane = gw_lane(), in_part = lane & ((unsigned int)width - 1);
    delta %= 32;
    return gw_of_reader(mask, g, lane + delta, delta && in_part + delta < (unsigned int)width, !delta || in_part < delta);
}
template <class T> __device__ inline T gw_down_back(unsigned int mask, T g, unsigned int delta, int width) {
    const unsigned int lane = gw_lane(), in_part = lane & ((unsigned int)width - 1);
    delta %= 32;
    return gw_of_reader(mask, g, lane - delta, delta && in_part >= delta, !delta || in_part + delta >= (unsigned int)width);
}
template <class T> __device__ inline T gw_xor_back(unsigned int mask, T g, int other, int width) {
    const unsigned int lane = gw_lane(), part = (unsigned int)width - 1, reader = lane ^ ((unsigned int)other % 32);
    const bool same = reader == lane;
    return gw_of_reader(mask, g, reader, !same && lane <= (reader | part), same || reader > (lane | part));
}

template <class T> __device__ inline unsigned int gw_match_all(unsigned int mask, T value) {
    int all;
    return __match_all_sync(mask, value, &all);
}

/* ---- additions made together ---- */
#include "gradwright/collectives.cuh"
#include "gradwright/records.cuh"

/* ---- refusal ---- */

/* `needs`: the assumption of the gradient that this launch breaks, or null. One thread says so and traps; the
 * others leave the kernel (the caller returns on true), so that the message is out before the launch fails and
 * no adjoint is touched. */
/* Out of line: what printf takes would cost the whole kernel registers (hydrodynamics, sm_90: 98 with it, 96 without, and 96 are the most
 * with which five blocks of 128 threads are on a multiprocessor). */
__device__ __noinline__ inline void gw_say_refusal(const char *kernel, const char *needs) {
    printf("gradwright: %s: this launch breaks an assumption: needs %s\n", kernel, needs);
    __trap();
}
__device__ inline bool gw_refuse(const char *kernel, const char *needs) {
    if (!needs) return false;
    if (gw_thread() == 0) gw_say_refusal(kernel, needs);
    return true;
}

/* ---- tape ----
 * A stack of 4-byte and one of 8-byte values for each thread, interleaved by thread (gw_workspace_size tells
 * the layout): slot k of neighbouring threads is one stretch of memory. With GW_CHECKED, a push beyond the
 * capacity traps; without, the bound that sized the workspace is what guards it. */
struct gw_tape_slots {
    unsigned long long slots4, slots8; /* of one thread */
};

/* What f_tape_slots tells: slots of one thread's tape, rows that it has in each group (slots.cuh; of sorted ones the least and the greatest
 * position, too), last cells of copies (copies.cuh). */
template <int N> struct gw_slot_counts {
    gw_tape_slots tape;
    unsigned long long rows[N];
};

struct gw_tape {
    unsigned int *next4;
    unsigned long long *next8;
    size_t threads;
    const unsigned int *end4;
    const unsigned long long *end8;
};

inline size_t gw_tape_bytes(gw_tape_slots slots, dim3 grid, dim3 block) {
    return gw_workspace_size(slots.slots4, slots.slots8, gw_threads(grid, block));
}

/* An adjoint and the array that it belongs to. */
struct gw_adjoint_of {
    const char *name;
    const volatile void *primal, *adjoint;
};
/* The name of the first that is null where the primal's array is not; null if there is none. */
template <size_t gw_count> const char *gw_missing(const gw_adjoint_of (&gw_list)[gw_count]) {
    for (const gw_adjoint_of &gw_one : gw_list)
        if (gw_one.primal && !gw_one.adjoint) return gw_one.name;
    return nullptr;
}

inline gw_status gw_slots_check(const char *name, size_t needed, const void *workspace, size_t bytes) {
    if (needed == 0) return GW_OK;
    if (!workspace) return gw_report(GW_ERROR_WORKSPACE, "%s: needs a workspace of %zu bytes, and it is null", name, needed);
    if (bytes < needed) return gw_report(GW_ERROR_WORKSPACE, "%s: needs a workspace of %zu bytes, got %zu", name, needed, bytes);
    if ((uintptr_t)workspace % GW_WORKSPACE_ALIGNMENT != 0)
        return gw_report(GW_ERROR_WORKSPACE, "%s: the workspace is not aligned to %zu bytes", name, GW_WORKSPACE_ALIGNMENT);
    return GW_OK;
}

inline gw_status gw_tape_check(const char *name, gw_tape_slots slots, dim3 grid, dim3 block, const void *workspace, size_t bytes) {
    return gw_slots_check(name, gw_tape_bytes(slots, grid, block), workspace, bytes);
}

inline gw_tape gw_tape_over(void *workspace, gw_tape_slots slots, dim3 grid, dim3 block) {
    gw_tape tape;
    tape.threads = gw_threads(grid, block);
    tape.next8 = (unsigned long long *)workspace;
    tape.next4 = (unsigned int *)(tape.next8 + (workspace ? slots.slots8 * tape.threads : 0));
    tape.end8 = tape.next8 + (workspace ? slots.slots8 * tape.threads : 0);
    tape.end4 = tape.next4 + (workspace ? slots.slots4 * tape.threads : 0);
    return tape;
}

/* From the whole workspace to this thread's share of it. */
__device__ inline void gw_tape_begin(gw_tape *tape) {
    const size_t thread = gw_thread();
    tape->next4 += thread;
    tape->next8 += thread;
}

/* Stops a push that would leave the workspace. */
__device__ inline void gw_tape_guard(const void *next, const void *end) {
    if (next < end) return;
    printf("gradwright: a tape overflowed\n");
    __trap();
}

#ifdef GW_CHECKED
#define GW_TAPE_GUARD(tape, width) gw_tape_guard((tape)->next##width, (tape)->end##width)
#else
#define GW_TAPE_GUARD(tape, width) (void)0
#endif
#define GW_TAPE_TYPE(T, suffix, width)                                            \
    __device__ inline void gw_tape_push_##suffix(gw_tape *tape, T value) {        \
        GW_TAPE_GUARD(tape, width);                                               \
        *tape->next##width = gw_bits_of_##suffix(value);                          \
        tape->next##width += tape->threads;                                       \
    }                                                                             \
    __device__ inline T gw_tape_pop_##suffix(gw_tape *tape) {                     \
        tape->next##width -= tape->threads;                                       \
        return gw_##suffix##_of_bits(*tape->next##width);                         \
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
 * The tape of f_fwd and f_bwd: a header with the check value of the launch that wrote it, and the stacks as above, with one
 * more 8-byte slot in front in which each thread keeps how much it has pushed; nothing but the header where nothing is stored. */
struct gw_split_tape : gw_tape {
    unsigned long long *header, *kept;
    unsigned long long check;
};

#define GW_SPLIT_HEADER ((size_t)256)

inline gw_tape_slots gw_split_slots(gw_tape_slots slots) {
    if ((slots.slots4 || slots.slots8) && slots.slots8 + 1 != 0) slots.slots8++;
    return slots;
}

inline size_t gw_split_bytes(gw_tape_slots slots, dim3 grid, dim3 block) {
    const size_t bytes = gw_tape_bytes(gw_split_slots(slots), grid, block);
    return bytes <= (size_t)-1 - GW_SPLIT_HEADER ? bytes + GW_SPLIT_HEADER : (size_t)-1;
}

inline gw_status gw_split_check(const char *name, gw_tape_slots slots, dim3 grid, dim3 block, const void *tape, size_t bytes) {
    const size_t needed = gw_split_bytes(slots, grid, block);
    if (!tape || bytes < needed)
        return gw_report(GW_ERROR_OVERFLOW, "%s: needs a tape of %zu bytes, got %zu", name, needed, tape ? bytes : (size_t)0);
    if ((uintptr_t)tape % GW_WORKSPACE_ALIGNMENT != 0)
        return gw_report(GW_ERROR_WORKSPACE, "%s: the tape is not aligned to %zu bytes", name, GW_WORKSPACE_ALIGNMENT);
    return GW_OK;
}

/* `name`: one for both halves. The check value is FNV-1a of it and of what decides the tape's layout. */
inline gw_split_tape gw_split_over(const char *name, void *tape, gw_tape_slots slots, dim3 grid, dim3 block) {
    const unsigned long long shape[] = {grid.x, grid.y, grid.z, block.x, block.y, block.z, slots.slots4, slots.slots8};
    unsigned long long check = 0xcbf29ce484222325ull;
    for (; *name; name++) check = (check ^ (unsigned char)*name) * 0x100000001b3ull;
    for (unsigned long long number : shape)
        for (int byte = 0; byte < 8; byte++) check = (check ^ (number >> 8 * byte & 255)) * 0x100000001b3ull;
    gw_split_tape made;
    static_cast<gw_tape &>(made) = gw_tape_over((char *)tape + GW_SPLIT_HEADER, gw_split_slots(slots), grid, block);
    made.header = (unsigned long long *)tape;
    made.kept = slots.slots4 || slots.slots8 ? made.next8 : nullptr;
    if (made.kept) made.next8 += made.threads;
    made.check = check;
    return made;
}

__device__ inline void gw_split_begin(gw_split_tape *tape) {
    gw_tape_begin(tape);
    if (tape->kept) tape->kept += gw_thread();
    if (gw_thread() == 0) *tape->header = tape->check;
}

/* This thread's tops: `kept` is where its 8-byte stack begins, less one slot, and its 4-byte stack behind all of those. */
__device__ inline void gw_split_end(const gw_split_tape *tape) {
    if (!tape->kept) return;
    const size_t depth8 = (size_t)(tape->next8 - tape->kept) / tape->threads - 1;
    const size_t depth4 = (size_t)(tape->next4 - (const unsigned int *)tape->end8 - gw_thread()) / tape->threads;
    *tape->kept = depth8 << 32 | depth4;
}

__device__ inline void gw_split_resume(gw_split_tape *tape) {
    gw_tape_begin(tape);
    if (!tape->kept) return;
    const unsigned long long depths = tape->kept[gw_thread()];
    tape->next8 += (size_t)(depths >> 32) * tape->threads;
    tape->next4 += (size_t)(depths & 0xffffffffu) * tape->threads;
}

/* Nobody goes on with a tape that this launch's first half did not write, so no adjoint is touched. One thread says so; the others give its
 * message time before they trap, too. None of them leaves the kernel here: that would keep the compiler from seeing, all the way down, that
 * the lanes of a warp are together. */
__device__ inline void gw_split_demand(const char *kernel, const gw_split_tape &tape) {
    if (*tape.header == tape.check) return;
#ifdef GW_CPU_DEVICE
    const bool first = true; /* the first trap ends the launch */
#else
    const bool first = gw_thread() == 0;
#endif
    if (first) printf("gradwright: %s: this tape was not written by the first half with the same launch\n", kernel);
    else
        for (const long long since = clock64(); clock64() - since < 1ll << 30;) {}
    __trap();
}

/* ---- launching ---- */
template <class T> struct gw_exactly {
    typedef T type;
};

/* More dynamic shared memory than kernels get by themselves, which a shadow may make it, has to be asked for. */
inline cudaError_t gw_ask_for_shared(const void *kernel, size_t bytes) {
    if (bytes <= 48 * 1024) return cudaSuccess;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}

/* Says what to do where a block that a device can have is larger than the kernel, as it was compiled, allows. */
inline gw_status gw_launch_failed(const char *name, const void *kernel, dim3 block, cudaError_t error) {
    const size_t threads = gw_threads(dim3(1), block);
    cudaFuncAttributes is;
    const bool known = threads <= 1024 && cudaFuncGetAttributes(&is, kernel) == cudaSuccess;
    if (!known || threads <= (size_t)is.maxThreadsPerBlock) return gw_report(GW_ERROR_CUDA, "%s: %s", name, cudaGetErrorString(error));
    return gw_report(GW_ERROR_CUDA, "%s: %s: with %d registers a thread a block has at most %d threads, not %zu; declare the primal __launch_bounds__(%zu)",
                     name, cudaGetErrorString(error), is.numRegs, is.maxThreadsPerBlock, threads, threads);
}

/* kernel<<<grid, block, shared_bytes, stream>>>(arguments...), with the status of this launch alone: an error
 * that was pending before is neither reported nor cleared. */
template <class... P>
inline gw_status gw_launch(const char *name, void (*kernel)(P...), dim3 grid, dim3 block, size_t shared_bytes,
                           cudaStream_t stream, typename gw_exactly<P>::type... arguments) {
    void *list[] = {(void *)&arguments..., nullptr};
    cudaError_t error = gw_ask_for_shared((const void *)kernel, shared_bytes);
    if (error == cudaSuccess) error = cudaLaunchKernel((const void *)kernel, grid, block, list, shared_bytes, stream);
    return error == cudaSuccess ? GW_OK : gw_launch_failed(name, (const void *)kernel, block, error);
}

/* ---- records of adjoints (GW_PACK) ---- */
#define GW_UNPACK_BLOCK 256u

inline dim3 gw_unpack_grid(size_t records) {
    const size_t blocks = records / GW_UNPACK_BLOCK + 1;
    return dim3((unsigned int)(blocks < 65536 ? blocks : 65536));
}

inline gw_status gw_clear_records(const char *name, float *pack, size_t records, size_t floats, cudaStream_t stream) {
    const cudaError_t error = cudaMemsetAsync(pack, 0, gw_size_mul(records, floats * sizeof(float)), stream);
    if (error != cudaSuccess) return gw_report(GW_ERROR_CUDA, "%s: %s", name, cudaGetErrorString(error));
    return GW_OK;
}

#endif

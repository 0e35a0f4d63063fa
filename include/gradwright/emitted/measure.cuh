/*
 * measure.cuh - tapes that nobody can bound, measured: what emitted text uses where the trips of a loop are
 * known on the device alone (docs/guide/kernels.md). For nvcc, Clang and the CPU device.
 *
 * A kernel of the gradient's own, f_measure, goes through the trips and counts the slots of each thread. A warp
 * has room for the longest of its lanes, interleaved by lane: slot k of its lanes is one stretch of memory.
 * Where its room begins it takes from two sums over the grid, by one addition a block; so the rooms lie behind
 * each other without a gap, in whichever order the blocks come, on which no result depends. (A scan would give
 * them in the order of the warps, for one more kernel and the time that CUB takes to compile.)
 *
 *     head     gw_measured_head: the sums, and the check value of a split gradient
 *     warps    a gw_warp_room for each
 *     tops     of a split gradient: what each thread has pushed
 *     ...      other tenants of the workspace
 *     slots    of 8 bytes, all warps; then of 4 bytes
 *
 * A launch measures again before anything of it runs, so what it needs is never what another launch needed; if
 * that is more than the workspace has, one thread says how much, and traps before an adjoint is touched. A push
 * that nobody has measured (a rounded condition that came out otherwise) traps, too.
 */
#ifndef GRADWRIGHT_MEASURE_CUH
#define GRADWRIGHT_MEASURE_CUH

#include "gradwright/emitted/device.cuh"

struct gw_warp_room {
    unsigned long long gw_from4, gw_from8, gw_most4, gw_most8; /* a lane has so many */
};

struct gw_measured_head {
    gw_sizes gw_sums;
    unsigned long long gw_check;
};

enum { GW_MEASURED_HEAD = 256, GW_MEASURED_ALIGNMENT = 256 };

/* What the kernel that measures is given. */
struct gw_measuring {
    gw_sizes *gw_sums;
    gw_warp_room *gw_rooms; /* null: nobody asks for them */
    unsigned long long gw_beside;
};

/* ---- in the kernel that measures ---- */

__device__ inline size_t gw_warps_of_block() {
    return ((size_t)blockDim.x * blockDim.y * blockDim.z + 31) / 32;
}
__device__ inline size_t gw_warp() {
    const size_t gw_block = ((size_t)blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    return gw_block * gw_warps_of_block() +
           ((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x) / 32;
}

/* The begin of this warp's room of `gw_slots` slots: one addition to the sum for the whole block. */
__device__ inline unsigned long long gw_room_from(unsigned long long *gw_sum, unsigned long long gw_slots) {
    __shared__ unsigned long long gw_of_warps[32];
    const unsigned int gw_this_thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    if (gw_lane() == 0) gw_of_warps[gw_this_thread / 32] = gw_slots;
    __syncthreads();
    if (gw_this_thread == 0) {
        unsigned long long gw_all = 0;
        for (unsigned int gw_w = 0; gw_w < gw_warps_of_block(); gw_w++) gw_all += gw_of_warps[gw_w];
        unsigned long long gw_from = gw_all ? atomicAdd(gw_sum, gw_all) : 0;
        for (unsigned int gw_w = 0; gw_w < gw_warps_of_block(); gw_w++) {
            const unsigned long long gw_own = gw_of_warps[gw_w];
            gw_of_warps[gw_w] = gw_from;
            gw_from += gw_own;
        }
    }
    __syncthreads();
    return gw_of_warps[gw_this_thread / 32];
}

/* All threads come here in the end. */
__device__ inline void gw_measure(const gw_measuring &gw_for, unsigned long long gw_slots4,
                                  unsigned long long gw_slots8) {
    const size_t gw_warp_count = (size_t)gridDim.x * gridDim.y * gridDim.z * gw_warps_of_block();
    const unsigned long long gw_limit = (1ull << 57) / gw_warp_count; /* no sum reaches 2^63 */
    const unsigned int gw_lanes = gw_present_lanes();
    gw_warp_room gw_room = {0, 0, gw_most(gw_lanes, gw_slots4), gw_most(gw_lanes, gw_slots8)};
    if (gw_thread() == 0) gw_for.gw_sums->gw_beside = gw_for.gw_beside;
    if (gw_room.gw_most4 > gw_limit || gw_room.gw_most8 > gw_limit) {
        if (gw_lane() == 0) atomicOr(&gw_for.gw_sums->gw_too_many, 1ull);
        gw_room.gw_most4 = gw_room.gw_most8 = 0;
    }
    gw_room.gw_from4 = gw_room_from(&gw_for.gw_sums->gw_slots4, 32 * gw_room.gw_most4);
    __syncthreads(); /* all have theirs */
    gw_room.gw_from8 = gw_room_from(&gw_for.gw_sums->gw_slots8, 32 * gw_room.gw_most8);
    if (gw_for.gw_rooms && gw_lane() == 0) gw_for.gw_rooms[gw_warp()] = gw_room;
}

/* ---- sizes ---- */

inline size_t gw_warps(dim3 gw_grid, dim3 gw_block) {
    const size_t gw_each = (gw_threads(dim3(1), gw_block) + 31) / 32;
    return gw_size_mul(gw_threads(gw_grid, dim3(1)), gw_each);
}

/* Bytes in front of the other tenants. */
inline size_t gw_measured_bytes(dim3 gw_grid, dim3 gw_block) {
    return gw_size_add(GW_MEASURED_HEAD, gw_size_mul(gw_warps(gw_grid, gw_block), sizeof(gw_warp_room)));
}
inline size_t gw_measured_split_bytes(dim3 gw_grid, dim3 gw_block) {
    return gw_size_add(gw_measured_bytes(gw_grid, gw_block),
                       gw_size_mul(gw_threads(gw_grid, gw_block), sizeof(unsigned long long)));
}

/* The whole of it; saturating. */
__host__ __device__ inline size_t gw_measured_whole(const gw_sizes &gw_sums) {
    const size_t gw_last = (size_t)-1, gw_align = GW_MEASURED_ALIGNMENT;
    if (gw_sums.gw_too_many || gw_sums.gw_beside > gw_last - gw_align) return gw_last;
    const size_t gw_from = (gw_sums.gw_beside + gw_align - 1) / gw_align * gw_align;
    if (gw_sums.gw_slots8 > (gw_last - gw_from) / 8) return gw_last;
    const size_t gw_behind8 = gw_from + 8 * gw_sums.gw_slots8;
    return gw_sums.gw_slots4 > (gw_last - gw_behind8) / 4 ? gw_last : gw_behind8 + 4 * gw_sums.gw_slots4;
}

/* What f_measure_launch found: bytes, or SIZE_MAX (more than can be added up, or CUDA failed: the message says
 * which). Waits for the stream. */
inline size_t gw_measured_read(const char *gw_name, const gw_sizes *gw_from, cudaStream_t gw_stream) {
    gw_sizes gw_sums;
    cudaError_t gw_error =
        cudaMemcpyAsync(&gw_sums, gw_from, sizeof gw_sums, cudaMemcpyDeviceToHost, gw_stream);
    if (gw_error == cudaSuccess) gw_error = cudaStreamSynchronize(gw_stream);
    if (gw_error != cudaSuccess) {
        gw_report(GW_ERROR_CUDA, "%s: %s", gw_name, cudaGetErrorString(gw_error));
        return (size_t)-1;
    }
    const size_t gw_bytes = gw_measured_whole(gw_sums);
    if (gw_bytes == (size_t)-1)
        gw_report(GW_ERROR_WORKSPACE, "%s: a thread needs a longer tape than there can be", gw_name);
    return gw_bytes;
}

inline gw_status gw_measure_clear(const char *gw_name, gw_sizes *gw_into, cudaStream_t gw_stream) {
    if (!gw_into) return gw_report(GW_ERROR_WORKSPACE, "%s: the sizes are null", gw_name);
    return gw_clear_bytes(gw_name, gw_into, sizeof *gw_into, gw_stream);
}

/* ---- the tape ---- */

struct gw_measured_tape : gw_tape {
    const gw_measured_head *gw_head;
    const gw_warp_room *gw_rooms;
    size_t gw_bytes; /* of the workspace */
};

struct gw_measured_split_tape : gw_measured_tape {
    unsigned long long *gw_tops; /* of each thread: 8-byte slots << 32 | 4-byte slots */
    unsigned long long gw_check;
};

inline gw_measuring gw_measured_by(void *gw_workspace, size_t gw_beside) {
    gw_measured_head *gw_head = (gw_measured_head *)gw_workspace;
    return {&gw_head->gw_sums, (gw_warp_room *)((char *)gw_workspace + GW_MEASURED_HEAD), gw_beside};
}

/* `gw_beside`: where the slots may begin. */
inline gw_measured_tape gw_measured_over(void *gw_workspace, size_t gw_bytes, size_t gw_beside) {
    gw_measured_tape gw_made = {};
    gw_made.gw_thread_count = 32;
    gw_made.gw_head = (const gw_measured_head *)gw_workspace;
    gw_made.gw_rooms = (const gw_warp_room *)((char *)gw_workspace + GW_MEASURED_HEAD);
    gw_made.gw_next8 =
        (unsigned long long *)((char *)gw_workspace + gw_space_behind(gw_beside, GW_MEASURED_ALIGNMENT));
    gw_made.gw_bytes = gw_bytes;
    return gw_made;
}

/* `gw_name`: one for both halves. */
inline gw_measured_split_tape gw_measured_split_over(const char *gw_name, void *gw_on_tape, size_t gw_bytes,
                                                     dim3 gw_grid, dim3 gw_block) {
    gw_measured_split_tape gw_made;
    static_cast<gw_measured_tape &>(gw_made) =
        gw_measured_over(gw_on_tape, gw_bytes, gw_measured_split_bytes(gw_grid, gw_block));
    gw_made.gw_tops = (unsigned long long *)((char *)gw_on_tape + gw_measured_bytes(gw_grid, gw_block));
    gw_made.gw_check = gw_split_over(gw_name, nullptr, {}, gw_grid, gw_block).gw_check;
    return gw_made;
}

inline gw_status gw_measured_tape_check(const char *gw_name, dim3 gw_grid, dim3 gw_block,
                                        const void *gw_on_tape, size_t gw_bytes) {
    const size_t gw_needed = gw_measured_split_bytes(gw_grid, gw_block);
    if (!gw_on_tape || gw_bytes < gw_needed)
        return gw_report(GW_ERROR_OVERFLOW, "%s: needs a tape of more than %zu bytes, got %zu", gw_name,
                         gw_needed, gw_on_tape ? gw_bytes : (size_t)0);
    if ((uintptr_t)gw_on_tape % GW_WORKSPACE_ALIGNMENT != 0)
        return gw_report(GW_ERROR_WORKSPACE, "%s: the tape is not aligned to %zu bytes", gw_name,
                         GW_WORKSPACE_ALIGNMENT);
    return GW_OK;
}

/* ---- what is measured fits ---- */

struct gw_short_name {
    char gw_text[104];
};

/* By one thread, behind the kernel that measures and in front of all others. */
static __global__ void gw_demand_room(gw_short_name gw_name, const gw_measured_head *gw_head, size_t gw_bytes) {
    const size_t gw_needed = gw_measured_whole(gw_head->gw_sums);
    if (gw_needed <= gw_bytes) return;
    if (gw_needed == (size_t)-1)
        printf("gradwright: %s: a thread of this launch needs a longer tape than there can be\n",
               gw_name.gw_text);
    else
        printf("gradwright: %s: this launch needs %llu bytes of workspace for its tape, got %llu\n",
               gw_name.gw_text, (unsigned long long)gw_needed, (unsigned long long)gw_bytes);
    __trap();
}

inline gw_status gw_measured_demand(const char *gw_name, const void *gw_workspace, size_t gw_bytes,
                                    cudaStream_t gw_stream) {
    gw_short_name gw_short = {};
    for (size_t gw_i = 0; gw_i + 1 < sizeof gw_short.gw_text && gw_name[gw_i]; gw_i++)
        gw_short.gw_text[gw_i] = gw_name[gw_i];
    return gw_launch(gw_name, gw_demand_room, dim3(1), dim3(1), 0, gw_stream, gw_short,
                     (const gw_measured_head *)gw_workspace, gw_bytes);
}

/* ---- in the kernel ---- */

__device__ inline void gw_tape_begin(gw_measured_tape *gw_on_tape) {
    const gw_warp_room gw_room = gw_on_tape->gw_rooms[gw_warp()];
    gw_on_tape->gw_thread_count = 32;
    gw_on_tape->gw_next4 = (unsigned int *)(gw_on_tape->gw_next8 + gw_on_tape->gw_head->gw_sums.gw_slots8);
    gw_on_tape->gw_next4 += gw_room.gw_from4;
    gw_on_tape->gw_next8 += gw_room.gw_from8;
    gw_on_tape->gw_end4 = gw_on_tape->gw_next4 + 32 * gw_room.gw_most4;
    gw_on_tape->gw_end8 = gw_on_tape->gw_next8 + 32 * gw_room.gw_most8;
    gw_on_tape->gw_next4 += gw_lane();
    gw_on_tape->gw_next8 += gw_lane();
}

__device__ __noinline__ inline void gw_say_unmeasured() {
    printf("gradwright: a tape is longer than it was measured: a rounded condition has come out otherwise\n");
    __trap();
}

#define GW_MEASURED_PUSH(T, suffix, width)                                                   \
    __device__ inline void gw_tape_push_##suffix(gw_measured_tape *gw_on_tape, T gw_value) { \
        if (gw_on_tape->gw_next##width >= gw_on_tape->gw_end##width) gw_say_unmeasured();    \
        gw_tape_push_##suffix(static_cast<gw_tape *>(gw_on_tape), gw_value);                 \
    }
GW_MEASURED_PUSH(float, f32, 4)
GW_MEASURED_PUSH(int, i32, 4)
GW_MEASURED_PUSH(unsigned int, u32, 4)
GW_MEASURED_PUSH(double, f64, 8)
GW_MEASURED_PUSH(long long, i64, 8)
GW_MEASURED_PUSH(unsigned long long, u64, 8)
#undef GW_MEASURED_PUSH

/* The halves; what they say and keep is as in device.cuh. */
__device__ inline void gw_split_begin(gw_measured_split_tape *gw_on_tape) {
    gw_tape_begin(gw_on_tape);
    if (gw_thread() == 0) const_cast<gw_measured_head *>(gw_on_tape->gw_head)->gw_check = gw_on_tape->gw_check;
}

__device__ inline void gw_split_end(const gw_measured_split_tape *gw_on_tape) {
    const gw_warp_room gw_room = gw_on_tape->gw_rooms[gw_warp()];
    const size_t gw_free8 = (size_t)(gw_on_tape->gw_end8 + gw_lane() - gw_on_tape->gw_next8) / 32,
                 gw_free4 = (size_t)(gw_on_tape->gw_end4 + gw_lane() - gw_on_tape->gw_next4) / 32;
    gw_on_tape->gw_tops[gw_thread()] = (gw_room.gw_most8 - gw_free8) << 32 | (gw_room.gw_most4 - gw_free4);
}

__device__ inline void gw_split_resume(gw_measured_split_tape *gw_on_tape) {
    gw_tape_begin(gw_on_tape);
    const unsigned long long gw_depths = gw_on_tape->gw_tops[gw_thread()];
    gw_on_tape->gw_next8 += 32 * (size_t)(gw_depths >> 32);
    gw_on_tape->gw_next4 += 32 * (size_t)(gw_depths & 0xffffffffu);
}

__device__ inline void gw_split_demand(const char *gw_kernel, const gw_measured_split_tape &gw_on_tape) {
    unsigned long long gw_found = gw_on_tape.gw_head->gw_check;
    gw_split_tape gw_as_bounded = {};
    gw_as_bounded.gw_header = &gw_found;
    gw_as_bounded.gw_check = gw_on_tape.gw_check;
    if (gw_measured_whole(gw_on_tape.gw_head->gw_sums) > gw_on_tape.gw_bytes) gw_found = ~gw_on_tape.gw_check;
    gw_split_demand(gw_kernel, gw_as_bounded);
}

/* ---- who does not care ---- */

#endif

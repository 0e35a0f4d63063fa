/* A block of threads as it runs: what the parts that make its threads wait for each other share. */
#ifndef GW_CPU_BLOCK_H
#define GW_CPU_BLOCK_H

#include "device.h"
#include "fiber.h"

enum { gw_cpu_block_words = gw_cpu_block_threads_most / 64 };

/* The place at which the source calls something that may wait. */
typedef struct gw_cpu_site {
    const char *file;
    unsigned int line, column;
} gw_cpu_site;

typedef struct gw_cpu_thread {
    gw_cpu_fiber *fiber; /* where it waits; null while it runs, before it starts and when it has ended */
    uint3 index;
    const char *call; /* what it waits in */
    gw_cpu_site site;
} gw_cpu_thread;

/* What a lane brings to an operation of its warp, and what it takes away. */
typedef struct gw_cpu_lane {
    uint64_t value, result;
    unsigned int argument, width;
} gw_cpu_lane;

/* Lanes that wait for each other. */
typedef struct gw_cpu_meeting {
    uint32_t mask, arrived;
    unsigned int what;
    uint64_t position; /* of lanes in step: how far they are */
} gw_cpu_meeting;

typedef struct gw_cpu_warp_state {
    unsigned int count;
    gw_cpu_meeting meetings[32];
} gw_cpu_warp_state;

/* Threads of several warps that meet; named by its first warp. */
typedef struct gw_cpu_tile {
    unsigned int arrived;
    unsigned long phase;
} gw_cpu_tile;

typedef struct gw_cpu_block {
    gw_cpu_thunk *thunk;
    void **arguments;
    unsigned int count, live_count; /* threads; those that have not ended */
    unsigned int running, cursor;   /* the thread that runs; where the natural order looks for the next */
    uint64_t live[gw_cpu_block_words], ready[gw_cpu_block_words];
    bool active, permuted;
    bool steps_meet;      /* the checks take lanes at volatile accesses to meet */
    bool grid_is_awaited; /* the threads meet for the grid's barrier (grid.c) */
    uint64_t random;
    cudaError_t failure; /* why the block was left before its end */

    size_t shared_bytes;          /* dynamic ones */
    struct gw_cpu_checks *checks; /* null until a checked kernel touches shared memory */

    unsigned int arrived_count, true_count; /* at the barrier; those with a predicate that is not 0 */
    unsigned int released_count, released_true_count;
    unsigned int first_arrived;

    gw_cpu_fiber main;   /* the operating system thread's own stack */
    gw_cpu_fiber *fiber; /* the one that runs */
    gw_cpu_fiber *fibers[gw_cpu_block_threads_most];
    gw_cpu_fiber *idle[gw_cpu_block_threads_most];
    unsigned int fiber_count, idle_count;
    gw_cpu_thread threads[gw_cpu_block_threads_most];
    gw_cpu_lane lanes[gw_cpu_block_threads_most];
    gw_cpu_warp_state warps[gw_cpu_block_threads_most / 32];
    gw_cpu_tile tiles[gw_cpu_block_threads_most / 32];
    char tile_memory[gw_cpu_block_threads_most][32];
} gw_cpu_block;

/* The calling operating system thread's block, made at the first call; null if there is no memory. */
gw_cpu_block *gw_cpu_block_get(void);
extern _Thread_local gw_cpu_block *gw_cpu_block_of_thread;
/* The block that runs on the calling thread; null in host code. */
static inline gw_cpu_block *gw_cpu_block_current(void) {
    gw_cpu_block *block = gw_cpu_block_of_thread;
    return block && block->active ? block : NULL;
}
/* Runs the threads 0 .. count-1, whose indices are set. Seed 0: in natural order. */
void gw_cpu_block_run(gw_cpu_block *block, uint64_t seed, uint64_t stream);
/* The running thread goes on when it is ready again and its turn comes. */
void gw_cpu_block_wait(gw_cpu_block *block, const char *call, gw_cpu_site site);
_Noreturn void gw_cpu_block_fail(gw_cpu_block *block, cudaError_t error);

/* --- barrier.c --- */
/* The threads that have not ended are fewer now. */
void gw_cpu_barrier_thread_ended(gw_cpu_block *block);

/* --- warp.c --- */
void gw_cpu_warp_thread_ended(gw_cpu_block *block, unsigned int thread);
/* The thread is about to wait or has ended: if nothing else of its warp can run, lanes in __activemask go on.
 */
void gw_cpu_warp_settle(gw_cpu_block *block, unsigned int thread);
/* The lanes for which the thread waits, and its mask; 0 if it waits for none. */
uint32_t gw_cpu_warp_missing(const gw_cpu_block *block, unsigned int thread, uint32_t *mask);

/* --- check.c: the checked build's shared memory --- */
void gw_cpu_check_block_started(gw_cpu_block *block);
void gw_cpu_check_barrier(gw_cpu_block *block);
/* Lanes met in __syncwarp; `base` is the first thread of their warp. */
void gw_cpu_check_warp_met(gw_cpu_block *block, unsigned int base, uint32_t arrived);
void gw_cpu_check_free(gw_cpu_block *block);

/* --- misuse.c: messages about kernels that misuse barriers and warps --- */
_Noreturn __attribute__((format(printf, 3, 4))) void gw_cpu_misuse(gw_cpu_block *block, gw_cpu_site site,
                                                                   const char *format, ...);
/* No thread of the block can run. */
_Noreturn void gw_cpu_misuse_deadlock(gw_cpu_block *block);

/* --- shared.c: the memory of __shared__ variables --- */
GW_CPU_API extern _Thread_local char *gw_cpu_shared;
bool gw_cpu_shared_prepare(size_t dynamic_bytes);
void gw_cpu_shared_free(void);

#endif

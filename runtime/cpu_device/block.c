/* Runs the threads of a block on fibers.
 *
 * A thread starts on the stack on which the one before it ended, so that a kernel whose threads never
 * wait is a plain loop on one stack; a stack is bound to a thread only where the thread waits. One
 * operating system thread runs the whole block: what the threads of a block see of each other changes
 * only where one of them waits or ends. Which thread runs next is the natural order's next ready one,
 * or, with a seed, the first ready one from a random place on. */
#include "block.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const unsigned int none = ~0u;
_Thread_local gw_cpu_block *gw_cpu_block_of_thread;
static pthread_key_t key;
static pthread_once_t key_once = PTHREAD_ONCE_INIT;

static void free_block(void *data) {
    gw_cpu_block *block = data;
    for (unsigned int i = 0; i < block->fiber_count; ++i) {
        gw_cpu_fiber_free(block->fibers[i]);
        free(block->fibers[i]);
    }
    gw_cpu_check_free(block);
    free(block);
    gw_cpu_shared_free();
    gw_cpu_block_of_thread = NULL;
}

static void make_key(void) {
    if (pthread_key_create(&key, free_block) != 0) abort();
}

gw_cpu_block *gw_cpu_block_get(void) {
    if (!gw_cpu_block_of_thread) {
        pthread_once(&key_once, make_key);
        gw_cpu_block_of_thread = calloc(1, sizeof *gw_cpu_block_of_thread);
        if (gw_cpu_block_of_thread) pthread_setspecific(key, gw_cpu_block_of_thread);
    }
    return gw_cpu_block_of_thread;
}

static void clear_bit(uint64_t *words, unsigned int i) { words[i / 64] &= ~(UINT64_C(1) << i % 64); }

static uint64_t next_random(gw_cpu_block *block) {
    uint64_t x = block->random += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
    return x ^ (x >> 31);
}

/* The first ready thread from `start` on, and round. */
static unsigned int ready_from(const gw_cpu_block *block, unsigned int start) {
    const unsigned int words = (block->count + 63) / 64;
    unsigned int word = start / 64;
    uint64_t bits = block->ready[word] & (~UINT64_C(0) << start % 64);
    for (unsigned int step = 0; step <= words; ++step) {
        if (bits) return word * 64 + (unsigned int)__builtin_ctzll(bits);
        word = word + 1 == words ? 0 : word + 1;
        bits = block->ready[word];
    }
    return none;
}

/* Takes the next thread from the ready ones. */
static unsigned int pick(gw_cpu_block *block) {
    unsigned int start = block->cursor;
    if (block->permuted) start = (unsigned int)((next_random(block) >> 32) * block->count >> 32);
    const unsigned int next = ready_from(block, start);
    if (next == none) return none;
    clear_bit(block->ready, next);
    block->running = block->cursor = next;
    gw_cpu_thread_index = block->threads[next].index;
    return next;
}

static void run_threads(void);
/* The running thread lets others go first. */
GW_CPU_API void gw_cpu_yield(void);

static gw_cpu_fiber *take_fiber(gw_cpu_block *block) {
    if (block->idle_count != 0) return block->idle[--block->idle_count];
    gw_cpu_fiber *fiber = malloc(sizeof *fiber);
    if (!fiber || !gw_cpu_fiber_create(fiber, run_threads, block->fiber_count)) {
        free(fiber);
        return NULL;
    }
    return block->fibers[block->fiber_count++] = fiber;
}

/* Leaves the running fiber for the thread that was picked. */
static void enter(gw_cpu_block *block, unsigned int thread) {
    gw_cpu_fiber *from = block->fiber, *to = block->threads[thread].fiber;
    block->threads[thread].fiber = NULL;
    if (!to) to = take_fiber(block);
    if (!to) gw_cpu_block_fail(block, cudaErrorMemoryAllocation);
    block->fiber = to;
    gw_cpu_fiber_switch(from, to);
}

void gw_cpu_block_wait(gw_cpu_block *block, const char *call, gw_cpu_site site) {
    gw_cpu_thread *self = &block->threads[block->running];
    const unsigned int number = block->running;
    self->site = site;
    self->call = call;
    if (block->warps[number / 32].count != 0) gw_cpu_warp_settle(block, number);
    const unsigned int next = pick(block);
    if (next == none) gw_cpu_misuse_deadlock(block);
    if (next != number) {
        self->fiber = block->fiber;
        enter(block, next);
    }
    self->call = NULL;
}

void gw_cpu_yield(void) {
    gw_cpu_block *block = gw_cpu_block_of_thread;
    const unsigned int self = block->running;
    block->ready[self / 64] |= UINT64_C(1) << self % 64;
    block->cursor = self + 1 < block->count ? self + 1 : 0;
    gw_cpu_block_wait(block, "__nanosleep", (gw_cpu_site){"", 0, 0});
}

static void end_thread(gw_cpu_block *block) {
    clear_bit(block->live, block->running);
    --block->live_count;
    gw_cpu_warp_thread_ended(block, block->running);
    gw_cpu_barrier_thread_ended(block);
}

/* Each fiber's body: runs the thread that was picked, then the next ones, until one of those waits
   on a stack of its own; then this stack is idle. */
static void run_threads(void) {
    gw_cpu_block *block = gw_cpu_block_of_thread;
    for (;;) {
        block->thunk(block->arguments);
        end_thread(block);
        gw_cpu_fiber *self = block->fiber;
        if (block->live_count == 0) {
            block->idle[block->idle_count++] = self;
            block->fiber = &block->main;
            gw_cpu_fiber_switch(self, &block->main);
            continue;
        }
        const unsigned int next = pick(block);
        if (next == none) gw_cpu_misuse_deadlock(block);
        if (!block->threads[next].fiber) continue;
        block->idle[block->idle_count++] = self;
        enter(block, next);
    }
}

void gw_cpu_block_fail(gw_cpu_block *block, cudaError_t error) {
    gw_cpu_fiber *self = block->fiber;
    block->failure = error;
    block->fiber = &block->main;
    gw_cpu_fiber_switch(self, &block->main);
    abort(); /* the fiber was restarted: nobody comes back here */
}

/* The threads that were left where they were will not go on. */
static void restart_fibers(gw_cpu_block *block) {
    for (unsigned int i = 0; i < block->fiber_count; ++i) {
        gw_cpu_fiber_restart(block->fibers[i]);
        block->idle[i] = block->fibers[i];
    }
    block->idle_count = block->fiber_count;
    for (unsigned int i = 0; i < block->count; ++i)
        block->threads[i].fiber = NULL, block->threads[i].call = NULL;
    for (unsigned int i = 0; i < gw_cpu_block_threads_most / 32; ++i)
        block->warps[i].count = block->tiles[i].arrived = 0;
}

static void fill(uint64_t *words, unsigned int count) {
    memset(words, 0, gw_cpu_block_words * sizeof *words);
    memset(words, 0xff, count / 64 * sizeof *words);
    if (count % 64 != 0) words[count / 64] = (UINT64_C(1) << count % 64) - 1;
}

void gw_cpu_block_run(gw_cpu_block *block, uint64_t seed, uint64_t stream) {
    fill(block->live, block->count);
    fill(block->ready, block->count);
    block->live_count = block->count;
    block->arrived_count = block->true_count = 0;
    block->permuted = seed != 0;
    block->random = seed * UINT64_C(0xd1342543de82ef95) + stream;
    block->cursor = 0;
    block->failure = cudaSuccess;
    block->active = true;
    block->fiber = &block->main;
    gw_cpu_check_block_started(block);
    pick(block);
    gw_cpu_fiber *fiber = take_fiber(block);
    if (!fiber) {
        block->failure = cudaErrorMemoryAllocation;
    } else {
        block->fiber = fiber;
        gw_cpu_fiber_switch(&block->main, fiber);
    }
    block->active = false;
    if (block->failure != cudaSuccess) restart_fibers(block);
}

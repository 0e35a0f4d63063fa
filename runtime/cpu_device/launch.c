/* Launches: a grid is run by the thread that launches it.
 *
 * The blocks run one after another (block.c runs the threads of one). Where one fails, the rest of the
 * launch is not run. The blocks of a cooperative launch run at the same time, each on a thread of its own. */
#include "grid.h"
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

GW_CPU_API _Thread_local uint3 gw_cpu_thread_index;
GW_CPU_API _Thread_local uint3 gw_cpu_block_index;
GW_CPU_API _Thread_local dim3 gw_cpu_block_size;
GW_CPU_API _Thread_local dim3 gw_cpu_grid_size;

typedef struct launch {
    gw_cpu_thunk *thunk;
    void **arguments;
    size_t shared_bytes;
    unsigned long long id;
    uint64_t seed;
    bool steps_meet;
    cudaError_t failure;
} launch;

static _Thread_local unsigned long long last_id;
static atomic_ullong launch_count;

GW_CPU_API unsigned long long gw_cpu_launch_id(void);
GW_CPU_API _Noreturn void gw_cpu_trap(void);
GW_CPU_API _Noreturn void gw_cpu_assert_failed(const char *text, const char *file, unsigned int line,
                                               const char *function);
GW_CPU_API long long gw_cpu_clock(void);

/* In device code: the launch that runs. In host code: the calling thread's latest one. */
unsigned long long gw_cpu_launch_id(void) { return last_id; }

long long gw_cpu_clock(void) { return (long long)gw_cpu_now_nanoseconds(); }

static _Noreturn void fail(cudaError_t error) {
    gw_cpu_block *block = gw_cpu_block_current();
    if (!block) abort(); /* a host+device function trapped on the host */
    gw_cpu_block_fail(block, error);
}

void gw_cpu_trap(void) { fail(cudaErrorLaunchFailure); }

void gw_cpu_assert_failed(const char *text, const char *file, unsigned int line, const char *function) {
    fflush(stdout);
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n", file, line,
            function, gw_cpu_block_index.x, gw_cpu_block_index.y, gw_cpu_block_index.z, gw_cpu_thread_index.x,
            gw_cpu_thread_index.y, gw_cpu_thread_index.z, text);
    fail(cudaErrorAssert);
}

static uint64_t number_from_environment(const char *name) {
    const char *text = getenv(name);
    return text ? (uint64_t)strtoull(text, NULL, 0) : 0;
}

static uint3 split(uint64_t linear, dim3 size) {
    const uint64_t row = linear / size.x;
    return (uint3){(unsigned int)(linear % size.x), (unsigned int)(row % size.y), (unsigned int)(row / size.y)};
}

static uint64_t volume(dim3 size) { return (uint64_t)size.x * size.y * size.z; }

static void prepare_block(const launch *run, gw_cpu_block *block) {
    block->thunk = run->thunk;
    block->arguments = run->arguments;
    block->shared_bytes = run->shared_bytes;
    block->steps_meet = run->steps_meet;
    block->count = (unsigned int)volume(gw_cpu_block_size);
    for (unsigned int t = 0; t < block->count; ++t)
        block->threads[t].index = split(t, gw_cpu_block_size);
}

static void run_grid(launch *run, gw_cpu_block *block) {
    const uint64_t blocks = volume(gw_cpu_grid_size);
    const gw_cpu_order order = gw_cpu_order_make(blocks, run->seed, run->id << 32);
    prepare_block(run, block);
    for (uint64_t b = 0; b < blocks && run->failure == cudaSuccess; ++b) {
        const uint64_t number = gw_cpu_order_at(&order, b);
        gw_cpu_block_index = split(number, gw_cpu_grid_size);
        gw_cpu_block_run(block, run->seed, (run->id << 32) + number + 1);
        run->failure = block->failure;
    }
}

/* One block of a cooperative launch, on its own thread. */
typedef struct member {
    const launch *run;
    gw_cpu_grid *grid;
    dim3 grid_size, block_size;
    uint64_t number;
    pthread_t thread;
} member;

static void *run_member(void *data) {
    const member *m = data;
    cudaError_t failure = cudaErrorMemoryAllocation;
    gw_cpu_grid_of_thread = m->grid;
    gw_cpu_grid_size = m->grid_size;
    gw_cpu_block_size = m->block_size;
    last_id = m->run->id;
    gw_cpu_block *block = gw_cpu_block_get();
    if (block && gw_cpu_shared_prepare(m->run->shared_bytes)) {
        prepare_block(m->run, block);
        gw_cpu_block_index = split(m->number, m->grid_size);
        gw_cpu_block_run(block, m->run->seed, (m->run->id << 32) + m->number + 1);
        failure = block->failure;
    }
    gw_cpu_grid_leave(m->grid, failure);
    return NULL;
}

static void run_cooperative(launch *run) {
    const unsigned int count = (unsigned int)volume(gw_cpu_grid_size);
    member members[gw_cpu_cooperative_blocks_most];
    gw_cpu_grid grid;
    gw_cpu_grid_begin(&grid, count);
    unsigned int started = 0;
    for (; started < count; ++started) {
        members[started] = (member){run, &grid, gw_cpu_grid_size, gw_cpu_block_size, started, 0};
        if (pthread_create(&members[started].thread, NULL, run_member, &members[started]) != 0) break;
    }
    for (unsigned int i = started; i < count; ++i)
        gw_cpu_grid_leave(&grid, cudaErrorMemoryAllocation);
    for (unsigned int i = 0; i < started; ++i)
        pthread_join(members[i].thread, NULL);
    run->failure = grid.failure;
    gw_cpu_grid_end(&grid);
}

cudaError_t gw_cpu_launch_check(const gw_cpu_kernel *kernel, dim3 grid, dim3 block, size_t shared_bytes) {
    if (!kernel) return cudaErrorInvalidDeviceFunction;
    if (volume(grid) == 0 || grid.x > gw_cpu_grid_x_most || grid.y > gw_cpu_grid_yz_most ||
        grid.z > gw_cpu_grid_yz_most)
        return cudaErrorInvalidConfiguration;
    if (block.x == 0 || block.y == 0 || block.z == 0 || block.x > gw_cpu_block_threads_most ||
        block.y > gw_cpu_block_threads_most || block.z > gw_cpu_block_z_most ||
        volume(block) > gw_cpu_block_threads_most)
        return cudaErrorInvalidConfiguration;
    if (shared_bytes > kernel->shared_bytes_limit) return cudaErrorInvalidValue;
    return cudaSuccess;
}

static void log_launch(const gw_cpu_kernel *kernel, const launch *run, size_t shared_bytes,
                       uint64_t nanoseconds) {
    const dim3 g = gw_cpu_grid_size, b = gw_cpu_block_size;
    fprintf(stderr, "gwcpu: launch %llu %s<<<(%u,%u,%u),(%u,%u,%u),%zu>>> %.3f ms%s%s\n", run->id, kernel->name,
            g.x, g.y, g.z, b.x, b.y, b.z, shared_bytes, (double)nanoseconds * 1e-6,
            run->failure != cudaSuccess ? " " : "",
            run->failure != cudaSuccess ? cudaGetErrorName(run->failure) : "");
}

void gw_cpu_launch_run(const gw_cpu_kernel *kernel, dim3 grid, dim3 block, void **arguments,
                       size_t shared_bytes, bool cooperative) {
    launch run = {.thunk = kernel->thunk,
                  .arguments = arguments,
                  .shared_bytes = shared_bytes,
                  .id = atomic_fetch_add(&launch_count, 1) + 1,
                  .seed = number_from_environment("GW_CPU_SEED"),
                  .steps_meet = number_from_environment("GW_CPU_IN_STEP") != 0,
                  .failure = cudaSuccess};
    const uint64_t start = gw_cpu_now_nanoseconds();
    gw_cpu_grid_size = grid;
    gw_cpu_block_size = block;
    last_id = run.id;
    gw_cpu_block *memory = gw_cpu_block_get();
    if (cooperative)
        run_cooperative(&run);
    else if (memory && gw_cpu_shared_prepare(shared_bytes))
        run_grid(&run, memory);
    else
        run.failure = cudaErrorMemoryAllocation;
    if (run.failure != cudaSuccess) gw_cpu_error_kernel_failed(run.failure);
    if (number_from_environment("GW_CPU_LOG") != 0)
        log_launch(kernel, &run, shared_bytes, gw_cpu_now_nanoseconds() - start);
}

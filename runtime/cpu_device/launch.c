/* Launches: a grid is run by the thread that launches it.
 *
 * The threads of a block run one after another on one stack. That is sound because the headers and
 * the device pass refuse everything that makes one thread wait for another; a kernel that may wait
 * will get a second way to run a block beside run_block. A kernel that traps leaves by longjmp and
 * the rest of its launch is not run. */
#include "device.h"
#include <setjmp.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

/* What device code sees as threadIdx, blockIdx, blockDim and gridDim. */
GW_CPU_API _Thread_local uint3 gw_cpu_thread_index;
GW_CPU_API _Thread_local uint3 gw_cpu_block_index;
GW_CPU_API _Thread_local dim3 gw_cpu_block_size;
GW_CPU_API _Thread_local dim3 gw_cpu_grid_size;

typedef struct launch {
    gw_cpu_thunk *thunk;
    void **arguments;
    unsigned long long id;
    uint64_t seed;
    volatile cudaError_t failure; /* set before longjmp */
    jmp_buf leave;
} launch;

static _Thread_local launch *current; /* null outside a kernel */
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
    if (!current) abort(); /* a host+device function trapped on the host */
    current->failure = error;
    longjmp(current->leave, 1);
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

static void run_block(const launch *run, uint64_t block) {
    const dim3 size = gw_cpu_block_size;
    if (run->seed != 0) {
        const uint64_t threads = volume(size);
        const gw_cpu_order order = gw_cpu_order_make(threads, run->seed, (run->id << 32) + block + 1);
        for (uint64_t t = 0; t < threads; ++t) {
            gw_cpu_thread_index = split(gw_cpu_order_at(&order, t), size);
            run->thunk(run->arguments);
        }
        return;
    }
    for (unsigned int z = 0; z < size.z; ++z)
        for (unsigned int y = 0; y < size.y; ++y)
            for (unsigned int x = 0; x < size.x; ++x) {
                gw_cpu_thread_index = (uint3){x, y, z};
                run->thunk(run->arguments);
            }
}

static void run_grid(const launch *run) {
    const uint64_t blocks = volume(gw_cpu_grid_size);
    const gw_cpu_order order = gw_cpu_order_make(blocks, run->seed, run->id << 32);
    for (uint64_t b = 0; b < blocks; ++b) {
        const uint64_t block = gw_cpu_order_at(&order, b);
        gw_cpu_block_index = split(block, gw_cpu_grid_size);
        run_block(run, block);
    }
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
                       size_t shared_bytes) {
    launch run = {.thunk = kernel->thunk,
                  .arguments = arguments,
                  .id = atomic_fetch_add(&launch_count, 1) + 1,
                  .seed = number_from_environment("GW_CPU_SEED"),
                  .failure = cudaSuccess};
    const uint64_t start = gw_cpu_now_nanoseconds();
    gw_cpu_grid_size = grid;
    gw_cpu_block_size = block;
    last_id = run.id;
    current = &run;
    if (setjmp(run.leave) == 0) run_grid(&run);
    current = NULL;
    if (run.failure != cudaSuccess) gw_cpu_error_kernel_failed(run.failure);
    if (number_from_environment("GW_CPU_LOG") != 0)
        log_launch(kernel, &run, shared_bytes, gw_cpu_now_nanoseconds() - start);
}

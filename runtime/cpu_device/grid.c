/* The barrier of a grid. Each block of a cooperative launch runs on an operating system thread of its own. Its
 * threads meet at the block's barrier; the first to go on waits for the other blocks, and the rest for it. */
#include "grid.h"

_Thread_local gw_cpu_grid *gw_cpu_grid_of_thread;

GW_CPU_API void gw_cpu_grid_barrier(const char *file, unsigned int line, unsigned int column);
GW_CPU_API int gw_cpu_grid_is_cooperative(void);
/* barrier.c */
GW_CPU_API int gw_cpu_barrier(int predicate, unsigned int operation, const char *file, unsigned int line,
                              unsigned int column);

void gw_cpu_grid_begin(gw_cpu_grid *grid, unsigned int blocks) {
    *grid = (gw_cpu_grid){.running = blocks, .failure = cudaSuccess};
    pthread_mutex_init(&grid->lock, NULL);
    pthread_cond_init(&grid->change, NULL);
}

void gw_cpu_grid_end(gw_cpu_grid *grid) {
    pthread_cond_destroy(&grid->change);
    pthread_mutex_destroy(&grid->lock);
}

/* With the lock held: lets the blocks go on if all have arrived. */
static void settle(gw_cpu_grid *grid) {
    if (grid->waiting != grid->running && grid->failure == cudaSuccess) return;
    grid->waiting = 0;
    ++grid->phase;
    pthread_cond_broadcast(&grid->change);
}

void gw_cpu_grid_leave(gw_cpu_grid *grid, cudaError_t failure) {
    pthread_mutex_lock(&grid->lock);
    --grid->running;
    if (grid->failure == cudaSuccess) grid->failure = failure;
    settle(grid);
    pthread_mutex_unlock(&grid->lock);
}

static cudaError_t wait_for_blocks(gw_cpu_grid *grid) {
    pthread_mutex_lock(&grid->lock);
    const unsigned long long phase = grid->phase;
    ++grid->waiting;
    settle(grid);
    while (grid->phase == phase)
        pthread_cond_wait(&grid->change, &grid->lock);
    const cudaError_t failure = grid->failure;
    pthread_mutex_unlock(&grid->lock);
    return failure;
}

int gw_cpu_grid_is_cooperative(void) { return gw_cpu_grid_of_thread != NULL; }

void gw_cpu_grid_barrier(const char *file, unsigned int line, unsigned int column) {
    gw_cpu_block *block = gw_cpu_block_current();
    if (!gw_cpu_grid_of_thread)
        gw_cpu_misuse(block, (gw_cpu_site){file, line, column},
                      "a grid is synchronised that was not launched by cudaLaunchCooperativeKernel");
    block->grid_is_awaited = true;
    gw_cpu_barrier(0, 0, file, line, column);
    if (block->grid_is_awaited) {
        block->grid_is_awaited = false;
        const cudaError_t failure = wait_for_blocks(gw_cpu_grid_of_thread);
        if (failure != cudaSuccess) gw_cpu_block_fail(block, failure);
    }
    gw_cpu_barrier(0, 0, file, line, column);
}

/* A cooperative launch: the blocks that run at once, and their common barrier. */
#ifndef GW_CPU_GRID_H
#define GW_CPU_GRID_H

#include "block.h"
#include <pthread.h>

typedef struct gw_cpu_grid {
    pthread_mutex_t lock;
    pthread_cond_t change;
    unsigned int running, waiting; /* blocks that have not ended; those at the barrier */
    unsigned long long phase;
    cudaError_t failure; /* of one block: the others end where they wait */
} gw_cpu_grid;

/* The grid of the launch that runs on this thread; null if it is not cooperative. */
extern _Thread_local gw_cpu_grid *gw_cpu_grid_of_thread;
void gw_cpu_grid_begin(gw_cpu_grid *grid, unsigned int blocks);
void gw_cpu_grid_end(gw_cpu_grid *grid);
/* A block ends, with its failure or success. */
void gw_cpu_grid_leave(gw_cpu_grid *grid, cudaError_t failure);

#endif

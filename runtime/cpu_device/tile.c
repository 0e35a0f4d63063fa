/* Tiles of several warps: their threads meet by taking turns, and exchange values by memory of the block. */
#include "block.h"

GW_CPU_API void gw_cpu_tile_barrier(unsigned int size);
GW_CPU_API void *gw_cpu_tile_memory(unsigned int rank);
/* block.c */
GW_CPU_API void gw_cpu_yield(void);

/* Those of the tile that have not ended. */
static unsigned int members(const gw_cpu_block *block, unsigned int first, unsigned int size) {
    unsigned int count = 0;
    for (unsigned int t = first; t < first + size && t < block->count; ++t)
        count += (unsigned int)(block->live[t / 64] >> t % 64 & 1);
    return count;
}

void gw_cpu_tile_barrier(unsigned int size) {
    gw_cpu_block *block = gw_cpu_block_current();
    const unsigned int first = block->running / size * size;
    /* a number of its own among tiles of all sizes, some threads may be at one of another size already */
    gw_cpu_tile *tile = &block->tiles[(gw_cpu_block_threads_most + first) / size];
    const unsigned long phase = tile->phase;
    ++tile->arrived;
    while (tile->phase == phase) {
        if (tile->arrived >= members(block, first, size)) {
            tile->arrived = 0;
            ++tile->phase;
        } else {
            gw_cpu_yield();
        }
    }
}

void *gw_cpu_tile_memory(unsigned int rank) { return gw_cpu_block_current()->tile_memory[rank]; }

/* row_device.c - the device's memory and launches, for rows (contract: row_private.h). */
#include "row_private.h"

#include <cuda_runtime_api.h>

/* The CPU device's; a GPU has none. */
void gw_cpu_watch_shared(int is_watched) __attribute__((weak));

static const char *failure;

static bool good(cudaError_t error) {
    if (error != cudaSuccess) failure = cudaGetErrorString(error);
    return error == cudaSuccess;
}

void *gw_row_allocate(size_t bytes) {
    void *memory = NULL;
    return bytes && good(cudaMalloc(&memory, bytes)) ? memory : NULL;
}

void gw_row_free(void *memory) {
    if (memory) good(cudaFree(memory));
}

void gw_row_copy(void *to, const void *from, size_t bytes) {
    if (good(cudaMemcpy(to, from, bytes, cudaMemcpyDefault))) good(cudaDeviceSynchronize());
}

void gw_row_fill(void *memory, int byte, size_t bytes) {
    if (bytes) good(cudaMemset(memory, byte, bytes));
}

void gw_row_start(void (*kernel)(void), const gw_row_launch *where, void **values) {
    const dim3 grid = {where->grid[0], where->grid[1], where->grid[2]},
               block = {where->block[0], where->block[1], where->block[2]};
    good(cudaLaunchKernel((const void *)kernel, grid, block, values, where->shared, NULL));
}

void gw_row_watch(bool is_watched) {
    if (gw_cpu_watch_shared) gw_cpu_watch_shared(is_watched);
}

const char *gw_row_failure(void) {
    good(cudaGetLastError());
    good(cudaDeviceSynchronize());
    const char *said = failure;
    failure = NULL;
    return said;
}

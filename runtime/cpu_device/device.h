/* What the parts of the CPU device share. Nothing here is visible to programs. */
#ifndef GW_CPU_DEVICE_INTERNAL_H
#define GW_CPU_DEVICE_INTERNAL_H

#include "image.h"
#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>

#define GW_CPU_API __attribute__((visibility("default")))

enum {
    gw_cpu_block_threads_most = 1024,
    gw_cpu_block_z_most = 64,
    gw_cpu_grid_yz_most = 65535,
    gw_cpu_grid_x_most = 2147483647,
    gw_cpu_cooperative_blocks_most = 128,
    gw_cpu_shared_bytes_default = 48 * 1024,
    gw_cpu_shared_bytes_most = 227 * 1024,
    gw_cpu_shared_static = 256 * 1024, /* where static shared variables start */
    gw_cpu_shared_arena = 16 * 1024 * 1024
};

/* --- error.c: the calling thread's last error, and the device's lasting one --- */

/* Remembers a failed call for cudaGetLastError; returns its argument. */
cudaError_t gw_cpu_error_return(cudaError_t error);
/* A kernel failed: the next call that waits for it returns this error, and all calls after it. */
void gw_cpu_error_kernel_failed(cudaError_t error);
/* Waits for the kernels: returns the lasting error, or success. */
cudaError_t gw_cpu_error_collect(void);
void gw_cpu_error_reset(void);

/* --- memory.c: allocations --- */

/* Whether [pointer, pointer+size) may be used as device memory: inside one allocation or variable. */
bool gw_cpu_memory_is_device(const void *pointer, size_t size);
void gw_cpu_memory_free_all(void);
cudaError_t gw_cpu_memory_allocate(void **pointer, size_t size);
/* What a graph allocates: the program may free it, and it is there again when the graph is launched. */
cudaError_t gw_cpu_memory_allocate_for_graph(void **pointer, size_t size);
void gw_cpu_memory_free_of_graph(void *pointer);
cudaError_t gw_cpu_memory_set(void *pointer, int value, size_t size);
cudaError_t gw_cpu_memory_copy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind);

/* --- registry.c: kernels and variables --- */

typedef struct gw_cpu_kernel {
    const void *stub;
    const char *name;
    gw_cpu_thunk *thunk; /* null until the image that defines it is found */
    const char *sizes;   /* of its parameters */
    const void *image_id;
    size_t shared_bytes_limit;
} gw_cpu_kernel;

/* Null if the host function is no registered kernel, or its image has no such kernel. */
gw_cpu_kernel *gw_cpu_registry_kernel(const void *stub);
/* False if the host variable has no device variable. */
bool gw_cpu_registry_variable(const void *shadow, void **address, size_t *size);
bool gw_cpu_registry_is_managed(const void *pointer);
bool gw_cpu_registry_covers(const void *pointer, size_t size);

/* --- launch.c --- */

/* What device code sees as threadIdx, blockIdx, blockDim and gridDim. */
GW_CPU_API extern _Thread_local uint3 gw_cpu_thread_index;
GW_CPU_API extern _Thread_local uint3 gw_cpu_block_index;
GW_CPU_API extern _Thread_local dim3 gw_cpu_block_size;
GW_CPU_API extern _Thread_local dim3 gw_cpu_grid_size;

cudaError_t gw_cpu_launch_check(const gw_cpu_kernel *kernel, dim3 grid, dim3 block, size_t shared_bytes);
/* Runs the whole grid on the calling thread; a cooperative one with a thread for each block. */
void gw_cpu_launch_run(const gw_cpu_kernel *kernel, dim3 grid, dim3 block, void **arguments,
                       size_t shared_bytes, bool cooperative);

/* --- order.c: a seeded permutation of 0 .. count-1 that needs no memory --- */

typedef struct gw_cpu_order {
    uint64_t count;
    uint64_t key;
    unsigned int half_bits;
} gw_cpu_order;

gw_cpu_order gw_cpu_order_make(uint64_t count, uint64_t seed, uint64_t stream);
uint64_t gw_cpu_order_at(const gw_cpu_order *order, uint64_t position);

/* --- clock.c --- */
uint64_t gw_cpu_now_nanoseconds(void);

#endif

/* Kernels as the runtime API sees them: launch configurations, attributes, occupancy. */
#include "device.h"

typedef struct configuration {
    dim3 grid;
    dim3 block;
    size_t shared_bytes;
    cudaStream_t stream;
} configuration;

/* Between f<<<...>>> and the body of its stub there is at most the evaluation of arguments, which
   may launch kernels itself. Few, because a library that is loaded late gets little thread-local
   memory. */
enum { configuration_depth = 8 };
static _Thread_local configuration configurations[configuration_depth];
static _Thread_local unsigned int configuration_count;

GW_CPU_API unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes,
                                                    cudaStream_t stream) {
    if (configuration_count == configuration_depth) {
        gw_cpu_error_return(cudaErrorInvalidConfiguration);
        return 1; /* the launch is left out */
    }
    configurations[configuration_count++] = (configuration){grid, block, shared_bytes, stream};
    return 0;
}

GW_CPU_API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes, void *stream) {
    if (configuration_count == 0) return gw_cpu_error_return(cudaErrorMissingConfiguration);
    const configuration *top = &configurations[--configuration_count];
    *grid = top->grid;
    *block = top->block;
    *shared_bytes = top->shared_bytes;
    *(cudaStream_t *)stream = top->stream;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaFuncSetAttribute(const void *stub, enum cudaFuncAttribute attribute, int value) {
    gw_cpu_kernel *kernel = gw_cpu_registry_kernel(stub);
    if (!kernel) return gw_cpu_error_return(cudaErrorInvalidDeviceFunction);
    switch (attribute) {
    case cudaFuncAttributeMaxDynamicSharedMemorySize:
        if (value < 0 || value > gw_cpu_shared_bytes_most) break;
        kernel->shared_bytes_limit = (size_t)value;
        return cudaSuccess;
    case cudaFuncAttributePreferredSharedMemoryCarveout:
        if (value >= -1 && value <= 100) return cudaSuccess;
    }
    return gw_cpu_error_return(cudaErrorInvalidValue);
}

GW_CPU_API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *stub) {
    if (!attributes) return gw_cpu_error_return(cudaErrorInvalidValue);
    const gw_cpu_kernel *kernel = gw_cpu_registry_kernel(stub);
    if (!kernel) return gw_cpu_error_return(cudaErrorInvalidDeviceFunction);
    *attributes = (struct cudaFuncAttributes){.maxThreadsPerBlock = gw_cpu_block_threads_most,
                                              .ptxVersion = 80,
                                              .binaryVersion = 80,
                                              .maxDynamicSharedSizeBytes = (int)kernel->shared_bytes_limit,
                                              .preferredShmemCarveout = -1};
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaFuncSetCacheConfig(const void *stub, enum cudaFuncCache config) {
    (void)config;
    return gw_cpu_registry_kernel(stub) ? cudaSuccess : gw_cpu_error_return(cudaErrorInvalidDeviceFunction);
}

GW_CPU_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *stub,
                                                                     int block_size, size_t shared_bytes) {
    const gw_cpu_kernel *kernel = gw_cpu_registry_kernel(stub);
    if (!blocks || block_size <= 0) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (!kernel) return gw_cpu_error_return(cudaErrorInvalidDeviceFunction);
    *blocks = block_size <= gw_cpu_block_threads_most && shared_bytes <= kernel->shared_bytes_limit ? 1 : 0;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *stub,
                                                                              int block_size,
                                                                              size_t shared_bytes,
                                                                              unsigned int flags) {
    (void)flags;
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, stub, block_size, shared_bytes);
}

GW_CPU_API cudaError_t cudaFuncSetSharedMemConfig(const void *stub, enum cudaSharedMemConfig config) {
    (void)config;
    return cudaFuncSetCacheConfig(stub, cudaFuncCachePreferNone);
}

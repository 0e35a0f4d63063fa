/* Memory pools: what is set is kept, and memory comes from where all memory comes from. */
#include "work.h"
#include <stdlib.h>

struct CUmemPoolHandle_st {
    uint64_t values[cudaMemPoolAttrUsedMemHigh + 1];
};

static struct CUmemPoolHandle_st default_pool = {{[cudaMemPoolReuseFollowEventDependencies] = 1,
                                                  [cudaMemPoolReuseAllowOpportunistic] = 1,
                                                  [cudaMemPoolReuseAllowInternalDependencies] = 1}};
static cudaMemPool_t current_pool = &default_pool;

static cudaError_t give(cudaMemPool_t *pool, int device, cudaMemPool_t which) {
    if (!pool) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (device != 0) return gw_cpu_error_return(cudaErrorInvalidDevice);
    *pool = which;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device) {
    return give(pool, device, &default_pool);
}

GW_CPU_API cudaError_t cudaDeviceGetMemPool(cudaMemPool_t *pool, int device) {
    return give(pool, device, current_pool);
}

GW_CPU_API cudaError_t cudaDeviceSetMemPool(int device, cudaMemPool_t pool) {
    if (device != 0) return gw_cpu_error_return(cudaErrorInvalidDevice);
    if (!pool) return gw_cpu_error_return(cudaErrorInvalidValue);
    current_pool = pool;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *properties) {
    if (!pool || !properties) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (properties->handleTypes != cudaMemHandleTypeNone) return gw_cpu_error_return(cudaErrorNotSupported);
    *pool = malloc(sizeof **pool);
    if (!*pool) return gw_cpu_error_return(cudaErrorMemoryAllocation);
    **pool = default_pool;
    (*pool)->values[cudaMemPoolAttrReleaseThreshold] = 0;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaMemPoolDestroy(cudaMemPool_t pool) {
    if (!pool || pool == &default_pool) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (current_pool == pool) current_pool = &default_pool;
    free(pool);
    return cudaSuccess;
}

/* The first three are ints, the others 64-bit sizes. */
static bool is_known(enum cudaMemPoolAttr attribute) {
    return (unsigned int)attribute - 1 < (unsigned int)cudaMemPoolAttrUsedMemHigh;
}

GW_CPU_API cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                               void *value) {
    if (!pool || !value || !is_known(attribute)) return gw_cpu_error_return(cudaErrorInvalidValue);
    pool->values[attribute] =
        attribute < cudaMemPoolAttrReleaseThreshold ? *(unsigned int *)value : *(uint64_t *)value;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute,
                                               void *value) {
    if (!pool || !value || !is_known(attribute)) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (attribute < cudaMemPoolAttrReleaseThreshold)
        *(unsigned int *)value = (unsigned int)pool->values[attribute];
    else
        *(uint64_t *)value = pool->values[attribute];
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaMemPoolTrimTo(cudaMemPool_t pool, size_t bytes) {
    (void)bytes;
    return pool ? cudaSuccess : gw_cpu_error_return(cudaErrorInvalidValue);
}

GW_CPU_API cudaError_t cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list,
                                            size_t count) {
    if (!pool || (count && !list)) return gw_cpu_error_return(cudaErrorInvalidValue);
    for (size_t i = 0; i < count; ++i)
        if (list[i].location.type == cudaMemLocationTypeDevice && list[i].location.id != 0)
            return gw_cpu_error_return(cudaErrorInvalidDevice);
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                            struct cudaMemLocation *location) {
    if (!flags || !pool || !location) return gw_cpu_error_return(cudaErrorInvalidValue);
    *flags = cudaMemAccessFlagsProtReadWrite;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaMallocFromPoolAsync(void **pointer, size_t size, cudaMemPool_t pool,
                                               cudaStream_t stream) {
    return pool ? cudaMallocAsync(pointer, size, stream) : gw_cpu_error_return(cudaErrorInvalidValue);
}

/* Memory of graphs: it lives as long as its graph, so there is nothing to give back and nothing counted. */

GW_CPU_API cudaError_t cudaDeviceGraphMemTrim(int device) {
    return device == 0 ? cudaSuccess : gw_cpu_error_return(cudaErrorInvalidDevice);
}

GW_CPU_API cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                                      void *value) {
    (void)attribute;
    if (device != 0) return gw_cpu_error_return(cudaErrorInvalidDevice);
    if (!value) return gw_cpu_error_return(cudaErrorInvalidValue);
    *(uint64_t *)value = 0;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType attribute,
                                                      void *value) {
    (void)attribute, (void)value;
    return device == 0 ? cudaSuccess : gw_cpu_error_return(cudaErrorInvalidDevice);
}

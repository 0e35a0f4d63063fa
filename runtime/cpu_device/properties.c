/* The one device and what it says about itself. */
#include "device.h"
#include <stdio.h>
#include <unistd.h>

static size_t memory_pages(int which) {
    const long pages = sysconf(which), size = sysconf(_SC_PAGESIZE);
    return pages > 0 && size > 0 ? (size_t)pages * (size_t)size : 0;
}

static int attribute_value(enum cudaDeviceAttr attribute) {
    switch ((int)attribute) {
#define GW_CPU_ATTRIBUTE(name, value, here)                                                                    \
    case value:                                                                                                \
        return here;
        GW_CPU_ATTRIBUTES(GW_CPU_ATTRIBUTE)
#undef GW_CPU_ATTRIBUTE
    default:
        return -1;
    }
}

GW_CPU_API cudaError_t cudaGetDeviceCount(int *count) {
    if (!count) return gw_cpu_error_return(cudaErrorInvalidValue);
    *count = 1;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaGetDevice(int *device) {
    if (!device) return gw_cpu_error_return(cudaErrorInvalidValue);
    *device = 0;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaSetDevice(int device) {
    return device == 0 ? gw_cpu_error_collect() : gw_cpu_error_return(cudaErrorInvalidDevice);
}

GW_CPU_API cudaError_t cudaSetDeviceFlags(unsigned int flags) {
    (void)flags;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device) {
    if (!value) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (device != 0) return gw_cpu_error_return(cudaErrorInvalidDevice);
    const int found = attribute_value(attribute);
    if (found < 0) return gw_cpu_error_return(cudaErrorInvalidValue);
    *value = found;
    return cudaSuccess;
}

static void fill_limits(struct cudaDeviceProp *p) {
    p->maxThreadsPerBlock = attribute_value(cudaDevAttrMaxThreadsPerBlock);
    p->maxThreadsDim[0] = attribute_value(cudaDevAttrMaxBlockDimX);
    p->maxThreadsDim[1] = attribute_value(cudaDevAttrMaxBlockDimY);
    p->maxThreadsDim[2] = attribute_value(cudaDevAttrMaxBlockDimZ);
    p->maxGridSize[0] = attribute_value(cudaDevAttrMaxGridDimX);
    p->maxGridSize[1] = attribute_value(cudaDevAttrMaxGridDimY);
    p->maxGridSize[2] = attribute_value(cudaDevAttrMaxGridDimZ);
    p->maxThreadsPerMultiProcessor = attribute_value(cudaDevAttrMaxThreadsPerMultiProcessor);
    p->maxBlocksPerMultiProcessor = attribute_value(cudaDevAttrMaxBlocksPerMultiprocessor);
    p->multiProcessorCount = attribute_value(cudaDevAttrMultiProcessorCount);
    p->regsPerBlock = attribute_value(cudaDevAttrMaxRegistersPerBlock);
    p->regsPerMultiprocessor = attribute_value(cudaDevAttrMaxRegistersPerMultiprocessor);
}

/* Fields of type int that are an attribute, and nothing else. */
static void fill_attributes(struct cudaDeviceProp *p) {
    const struct {
        int *field;
        enum cudaDeviceAttr attribute;
    } rows[] = {{&p->clockRate, cudaDevAttrClockRate},
                {&p->memoryClockRate, cudaDevAttrMemoryClockRate},
                {&p->memoryBusWidth, cudaDevAttrGlobalMemoryBusWidth},
                {&p->l2CacheSize, cudaDevAttrL2CacheSize},
                {&p->persistingL2CacheMaxSize, cudaDevAttrMaxPersistingL2CacheSize},
                {&p->accessPolicyMaxWindowSize, cudaDevAttrMaxAccessPolicyWindowSize},
                {&p->computeMode, cudaDevAttrComputeMode},
                {&p->integrated, cudaDevAttrIntegrated},
                {&p->canMapHostMemory, cudaDevAttrCanMapHostMemory},
                {&p->unifiedAddressing, cudaDevAttrUnifiedAddressing},
                {&p->managedMemory, cudaDevAttrManagedMemory},
                {&p->concurrentManagedAccess, cudaDevAttrConcurrentManagedAccess},
                {&p->pageableMemoryAccess, cudaDevAttrPageableMemoryAccess},
                {&p->hostNativeAtomicSupported, cudaDevAttrHostNativeAtomicSupported},
                {&p->hostRegisterSupported, cudaDevAttrHostRegisterSupported},
                {&p->canUseHostPointerForRegisteredMem, cudaDevAttrCanUseHostPointerForRegisteredMem},
                {&p->directManagedMemAccessFromHost, cudaDevAttrDirectManagedMemAccessFromHost},
                {&p->computePreemptionSupported, cudaDevAttrComputePreemptionSupported},
                {&p->cooperativeLaunch, cudaDevAttrCooperativeLaunch},
                {&p->memoryPoolsSupported, cudaDevAttrMemoryPoolsSupported},
                {&p->maxTexture1D, cudaDevAttrMaxTexture1DWidth},
                {&p->maxTexture2D[0], cudaDevAttrMaxTexture2DWidth},
                {&p->maxTexture2D[1], cudaDevAttrMaxTexture2DHeight},
                {&p->maxTexture3D[0], cudaDevAttrMaxTexture3DWidth},
                {&p->maxTexture3D[1], cudaDevAttrMaxTexture3DHeight},
                {&p->maxTexture3D[2], cudaDevAttrMaxTexture3DDepth},
                {&p->maxTexture1DLayered[0], cudaDevAttrMaxTexture1DLayeredWidth},
                {&p->maxTexture1DLayered[1], cudaDevAttrMaxTexture1DLayeredLayers},
                {&p->maxTexture2DLayered[0], cudaDevAttrMaxTexture2DLayeredWidth},
                {&p->maxTexture2DLayered[1], cudaDevAttrMaxTexture2DLayeredHeight},
                {&p->maxTexture2DLayered[2], cudaDevAttrMaxTexture2DLayeredLayers},
                {&p->maxTextureCubemap, cudaDevAttrMaxTextureCubemapWidth}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; ++i)
        *rows[i].field = attribute_value(rows[i].attribute);
}

GW_CPU_API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device) {
    if (!properties) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (device != 0) return gw_cpu_error_return(cudaErrorInvalidDevice);
    *properties = (struct cudaDeviceProp){
        .totalGlobalMem = memory_pages(_SC_PHYS_PAGES),
        .sharedMemPerBlock = gw_cpu_shared_bytes_default,
        .sharedMemPerBlockOptin = gw_cpu_shared_bytes_most,
        .sharedMemPerMultiprocessor = (size_t)attribute_value(cudaDevAttrMaxSharedMemoryPerMultiprocessor),
        .warpSize = attribute_value(cudaDevAttrWarpSize),
        .memPitch = 2147483647,
        .textureAlignment = 512,
        .totalConstMem = (size_t)attribute_value(cudaDevAttrTotalConstantMemory),
        .major = attribute_value(cudaDevAttrComputeCapabilityMajor),
        .minor = attribute_value(cudaDevAttrComputeCapabilityMinor)};
    properties->texturePitchAlignment = (size_t)attribute_value(cudaDevAttrTexturePitchAlignment);
    properties->surfaceAlignment = (size_t)attribute_value(cudaDevAttrSurfaceAlignment);
    fill_attributes(properties);
    fill_limits(properties);
    snprintf(properties->name, sizeof properties->name, "Gradwright CPU device");
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaDeviceSynchronize(void) { return gw_cpu_error_collect(); }

GW_CPU_API cudaError_t cudaDeviceReset(void) {
    gw_cpu_memory_free_all();
    gw_cpu_error_reset();
    return cudaSuccess;
}

/* The stack and the heap are the host's: sizes are accepted and have no effect. */
GW_CPU_API cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value) {
    (void)value;
    return (unsigned int)limit <= cudaLimitPersistingL2CacheSize ? cudaSuccess
                                                                 : gw_cpu_error_return(cudaErrorInvalidValue);
}

GW_CPU_API cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit) {
    if (!value || (unsigned int)limit > cudaLimitPersistingL2CacheSize)
        return gw_cpu_error_return(cudaErrorInvalidValue);
    *value = limit == cudaLimitStackSize ? (size_t)1 << 20 : memory_pages(_SC_PHYS_PAGES);
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
    (void)config;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaDriverGetVersion(int *version) {
    if (!version) return gw_cpu_error_return(cudaErrorInvalidValue);
    *version = CUDART_VERSION;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaRuntimeGetVersion(int *version) { return cudaDriverGetVersion(version); }

GW_CPU_API cudaError_t cudaMemGetInfo(size_t *available, size_t *total) {
    if (!available || !total) return gw_cpu_error_return(cudaErrorInvalidValue);
    *available = memory_pages(_SC_AVPHYS_PAGES);
    *total = memory_pages(_SC_PHYS_PAGES);
    return gw_cpu_error_collect();
}

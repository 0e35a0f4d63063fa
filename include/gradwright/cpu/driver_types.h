/* Types and constants of the CUDA runtime API, as far as the CPU device covers it. */
#ifndef GW_CPU_DRIVER_TYPES_H
#define GW_CPU_DRIVER_TYPES_H

#include "vector_types.h"
#include <stddef.h>

enum cudaError {
#define GW_CPU_ERROR(name, value, message) name = value,
#include "cuda_errors.def"
#undef GW_CPU_ERROR
    gwCpuErrorLimit = 10000
};
typedef enum cudaError cudaError_t;

enum cudaMemcpyKind {
    cudaMemcpyHostToHost = 0,
    cudaMemcpyHostToDevice = 1,
    cudaMemcpyDeviceToHost = 2,
    cudaMemcpyDeviceToDevice = 3,
    cudaMemcpyDefault = 4
};

typedef struct gw_cpu_stream *cudaStream_t;
typedef struct gw_cpu_event *cudaEvent_t;
typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *data);
typedef void (*cudaHostFn_t)(void *data);

#define cudaStreamDefault              0x00
#define cudaStreamNonBlocking          0x01
#define cudaStreamLegacy               ((cudaStream_t)0x1)
#define cudaStreamPerThread            ((cudaStream_t)0x2)
#define cudaEventDefault               0x00
#define cudaEventBlockingSync          0x01
#define cudaEventDisableTiming         0x02
#define cudaHostAllocDefault           0x00
#define cudaHostAllocPortable          0x01
#define cudaHostAllocMapped            0x02
#define cudaHostAllocWriteCombined     0x04
#define cudaMemAttachGlobal            0x01
#define cudaMemAttachHost              0x02
#define cudaDeviceScheduleAuto         0x00
#define cudaDeviceScheduleBlockingSync 0x04
#define cudaDeviceMapHost              0x08

enum cudaMemoryType {
    cudaMemoryTypeUnregistered = 0,
    cudaMemoryTypeHost = 1,
    cudaMemoryTypeDevice = 2,
    cudaMemoryTypeManaged = 3
};

struct cudaPointerAttributes {
    enum cudaMemoryType type;
    int device;
    void *devicePointer;
    void *hostPointer;
};
typedef struct cudaPointerAttributes cudaPointerAttributes;

enum cudaFuncAttribute {
    cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
    cudaFuncAttributePreferredSharedMemoryCarveout = 9
};

struct cudaFuncAttributes {
    size_t sharedSizeBytes;
    size_t constSizeBytes;
    size_t localSizeBytes;
    int maxThreadsPerBlock;
    int numRegs;
    int ptxVersion;
    int binaryVersion;
    int cacheModeCA;
    int maxDynamicSharedSizeBytes;
    int preferredShmemCarveout;
};
typedef struct cudaFuncAttributes cudaFuncAttributes;

enum cudaFuncCache {
    cudaFuncCachePreferNone = 0,
    cudaFuncCachePreferShared = 1,
    cudaFuncCachePreferL1 = 2,
    cudaFuncCachePreferEqual = 3
};

enum cudaLimit { cudaLimitStackSize = 0, cudaLimitPrintfFifoSize = 1, cudaLimitMallocHeapSize = 2 };

/* GW_CPU_ATTRIBUTE(name, value of the enumerator, value on the CPU device) */
#define GW_CPU_ATTRIBUTES(GW_CPU_ATTRIBUTE)                                                                    \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxThreadsPerBlock, 1, 1024)                                                   \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxBlockDimX, 2, 1024)                                                         \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxBlockDimY, 3, 1024)                                                         \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxBlockDimZ, 4, 64)                                                           \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxGridDimX, 5, 2147483647)                                                    \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxGridDimY, 6, 65535)                                                         \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxGridDimZ, 7, 65535)                                                         \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerBlock, 8, 49152)                                             \
    GW_CPU_ATTRIBUTE(cudaDevAttrTotalConstantMemory, 9, 65536)                                                 \
    GW_CPU_ATTRIBUTE(cudaDevAttrWarpSize, 10, 32)                                                              \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxRegistersPerBlock, 12, 65536)                                               \
    GW_CPU_ATTRIBUTE(cudaDevAttrClockRate, 13, 1000000)                                                        \
    GW_CPU_ATTRIBUTE(cudaDevAttrMultiProcessorCount, 16, 1)                                                    \
    GW_CPU_ATTRIBUTE(cudaDevAttrIntegrated, 18, 1)                                                             \
    GW_CPU_ATTRIBUTE(cudaDevAttrCanMapHostMemory, 19, 1)                                                       \
    GW_CPU_ATTRIBUTE(cudaDevAttrConcurrentKernels, 31, 0)                                                      \
    GW_CPU_ATTRIBUTE(cudaDevAttrMemoryClockRate, 36, 1000000)                                                  \
    GW_CPU_ATTRIBUTE(cudaDevAttrGlobalMemoryBusWidth, 37, 64)                                                  \
    GW_CPU_ATTRIBUTE(cudaDevAttrL2CacheSize, 38, 1048576)                                                      \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxThreadsPerMultiProcessor, 39, 1024)                                         \
    GW_CPU_ATTRIBUTE(cudaDevAttrUnifiedAddressing, 41, 1)                                                      \
    GW_CPU_ATTRIBUTE(cudaDevAttrComputeCapabilityMajor, 75, 8)                                                 \
    GW_CPU_ATTRIBUTE(cudaDevAttrComputeCapabilityMinor, 76, 0)                                                 \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 81, 233472)                                  \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxRegistersPerMultiprocessor, 82, 65536)                                      \
    GW_CPU_ATTRIBUTE(cudaDevAttrManagedMemory, 83, 1)                                                          \
    GW_CPU_ATTRIBUTE(cudaDevAttrConcurrentManagedAccess, 89, 1)                                                \
    GW_CPU_ATTRIBUTE(cudaDevAttrCooperativeLaunch, 95, 0)                                                      \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97, 232448)                                      \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxBlocksPerMultiprocessor, 106, 1)                                            \
    GW_CPU_ATTRIBUTE(cudaDevAttrMemoryPoolsSupported, 115, 0)

enum cudaDeviceAttr {
#define GW_CPU_ATTRIBUTE(name, value, here) name = value,
    GW_CPU_ATTRIBUTES(GW_CPU_ATTRIBUTE)
#undef GW_CPU_ATTRIBUTE
        gwCpuDeviceAttributeLimit = 1000
};

struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem;
    size_t sharedMemPerBlock;
    int regsPerBlock;
    int warpSize;
    size_t memPitch;
    int maxThreadsPerBlock;
    int maxThreadsDim[3];
    int maxGridSize[3];
    int clockRate;
    size_t totalConstMem;
    int major;
    int minor;
    size_t textureAlignment;
    int multiProcessorCount;
    int integrated;
    int canMapHostMemory;
    int concurrentKernels;
    int ECCEnabled;
    int pciBusID;
    int pciDeviceID;
    int pciDomainID;
    int asyncEngineCount;
    int unifiedAddressing;
    int memoryClockRate;
    int memoryBusWidth;
    int l2CacheSize;
    int maxThreadsPerMultiProcessor;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor;
    int managedMemory;
    int concurrentManagedAccess;
    int cooperativeLaunch;
    size_t sharedMemPerBlockOptin;
    int maxBlocksPerMultiProcessor;
};
typedef struct cudaDeviceProp cudaDeviceProp;

#endif

/* The one device of the CPU device, as programs ask about it. */
#ifndef GW_CPU_DEVICE_PROPERTIES_H
#define GW_CPU_DEVICE_PROPERTIES_H

#include "host_defines.h"
#include <stddef.h>

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
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxPitch, 11, 2147483647)                                                      \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxRegistersPerBlock, 12, 65536)                                               \
    GW_CPU_ATTRIBUTE(cudaDevAttrClockRate, 13, 1000000)                                                        \
    GW_CPU_ATTRIBUTE(cudaDevAttrTextureAlignment, 14, 512)                                                     \
    GW_CPU_ATTRIBUTE(cudaDevAttrGpuOverlap, 15, 0)                                                             \
    GW_CPU_ATTRIBUTE(cudaDevAttrMultiProcessorCount, 16, 1)                                                    \
    GW_CPU_ATTRIBUTE(cudaDevAttrKernelExecTimeout, 17, 0)                                                      \
    GW_CPU_ATTRIBUTE(cudaDevAttrIntegrated, 18, 1)                                                             \
    GW_CPU_ATTRIBUTE(cudaDevAttrCanMapHostMemory, 19, 1)                                                       \
    GW_CPU_ATTRIBUTE(cudaDevAttrComputeMode, 20, 0)                                                            \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxTexture1DWidth, 21, 131072)                                                 \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxTexture2DWidth, 22, 131072)                                                 \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxTexture2DHeight, 23, 65536)                                                 \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxTexture3DWidth, 24, 16384)                                                  \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxTexture3DHeight, 25, 16384)                                                 \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxTexture3DDepth, 26, 16384)                                                  \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxTexture2DLayeredWidth, 27, 32768)                                           \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxTexture2DLayeredHeight, 28, 32768)                                          \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxTexture2DLayeredLayers, 29, 2048)                                           \
    GW_CPU_ATTRIBUTE(cudaDevAttrSurfaceAlignment, 30, 512)                                                     \
    GW_CPU_ATTRIBUTE(cudaDevAttrConcurrentKernels, 31, 0)                                                      \
    GW_CPU_ATTRIBUTE(cudaDevAttrEccEnabled, 32, 0)                                                             \
    GW_CPU_ATTRIBUTE(cudaDevAttrPciBusId, 33, 0)                                                               \
    GW_CPU_ATTRIBUTE(cudaDevAttrPciDeviceId, 34, 0)                                                            \
    GW_CPU_ATTRIBUTE(cudaDevAttrTccDriver, 35, 0)                                                              \
    GW_CPU_ATTRIBUTE(cudaDevAttrMemoryClockRate, 36, 1000000)                                                  \
    GW_CPU_ATTRIBUTE(cudaDevAttrGlobalMemoryBusWidth, 37, 64)                                                  \
    GW_CPU_ATTRIBUTE(cudaDevAttrL2CacheSize, 38, 1048576)                                                      \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxThreadsPerMultiProcessor, 39, 1024)                                         \
    GW_CPU_ATTRIBUTE(cudaDevAttrAsyncEngineCount, 40, 0)                                                       \
    GW_CPU_ATTRIBUTE(cudaDevAttrUnifiedAddressing, 41, 1)                                                      \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxTexture1DLayeredWidth, 42, 32768)                                           \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxTexture1DLayeredLayers, 43, 2048)                                           \
    GW_CPU_ATTRIBUTE(cudaDevAttrPciDomainId, 50, 0)                                                            \
    GW_CPU_ATTRIBUTE(cudaDevAttrTexturePitchAlignment, 51, 32)                                                 \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxTextureCubemapWidth, 52, 32768)                                             \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxSurface1DWidth, 55, 32768)                                                  \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxSurface2DWidth, 56, 131072)                                                 \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxSurface2DHeight, 57, 65536)                                                 \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxSurface3DWidth, 58, 16384)                                                  \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxSurface3DHeight, 59, 16384)                                                 \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxSurface3DDepth, 60, 16384)                                                  \
    GW_CPU_ATTRIBUTE(cudaDevAttrComputeCapabilityMajor, 75, 8)                                                 \
    GW_CPU_ATTRIBUTE(cudaDevAttrComputeCapabilityMinor, 76, 0)                                                 \
    GW_CPU_ATTRIBUTE(cudaDevAttrStreamPrioritiesSupported, 78, 0)                                              \
    GW_CPU_ATTRIBUTE(cudaDevAttrGlobalL1CacheSupported, 79, 1)                                                 \
    GW_CPU_ATTRIBUTE(cudaDevAttrLocalL1CacheSupported, 80, 1)                                                  \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerMultiprocessor, 81, 233472)                                  \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxRegistersPerMultiprocessor, 82, 65536)                                      \
    GW_CPU_ATTRIBUTE(cudaDevAttrManagedMemory, 83, 1)                                                          \
    GW_CPU_ATTRIBUTE(cudaDevAttrIsMultiGpuBoard, 84, 0)                                                        \
    GW_CPU_ATTRIBUTE(cudaDevAttrMultiGpuBoardGroupID, 85, 0)                                                   \
    GW_CPU_ATTRIBUTE(cudaDevAttrHostNativeAtomicSupported, 86, 1)                                              \
    GW_CPU_ATTRIBUTE(cudaDevAttrSingleToDoublePrecisionPerfRatio, 87, 2)                                       \
    GW_CPU_ATTRIBUTE(cudaDevAttrPageableMemoryAccess, 88, 1)                                                   \
    GW_CPU_ATTRIBUTE(cudaDevAttrConcurrentManagedAccess, 89, 1)                                                \
    GW_CPU_ATTRIBUTE(cudaDevAttrComputePreemptionSupported, 90, 1)                                             \
    GW_CPU_ATTRIBUTE(cudaDevAttrCanUseHostPointerForRegisteredMem, 91, 1)                                      \
    GW_CPU_ATTRIBUTE(cudaDevAttrCooperativeLaunch, 95, 1)                                                      \
    GW_CPU_ATTRIBUTE(cudaDevAttrCooperativeMultiDeviceLaunch, 96, 0)                                           \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxSharedMemoryPerBlockOptin, 97, 232448)                                      \
    GW_CPU_ATTRIBUTE(cudaDevAttrCanFlushRemoteWrites, 98, 0)                                                   \
    GW_CPU_ATTRIBUTE(cudaDevAttrHostRegisterSupported, 99, 1)                                                  \
    GW_CPU_ATTRIBUTE(cudaDevAttrPageableMemoryAccessUsesHostPageTables, 100, 1)                                \
    GW_CPU_ATTRIBUTE(cudaDevAttrDirectManagedMemAccessFromHost, 101, 1)                                        \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxBlocksPerMultiprocessor, 106, 1)                                            \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxPersistingL2CacheSize, 108, 1048576)                                        \
    GW_CPU_ATTRIBUTE(cudaDevAttrMaxAccessPolicyWindowSize, 109, 1048576)                                       \
    GW_CPU_ATTRIBUTE(cudaDevAttrReservedSharedMemoryPerBlock, 111, 0)                                          \
    GW_CPU_ATTRIBUTE(cudaDevAttrMemoryPoolsSupported, 115, 1)                                                  \
    GW_CPU_ATTRIBUTE(cudaDevAttrMemoryPoolSupportedHandleTypes, 119, 0)                                        \
    GW_CPU_ATTRIBUTE(cudaDevAttrClusterLaunch, 120, 0)

enum cudaDeviceAttr {
#define GW_CPU_ATTRIBUTE(name, value, here) name = value,
    GW_CPU_ATTRIBUTES(GW_CPU_ATTRIBUTE)
#undef GW_CPU_ATTRIBUTE
        cudaDevAttrMax = 1000
};
enum cudaDeviceP2PAttr {
    cudaDevP2PAttrPerformanceRank = 1,
    cudaDevP2PAttrAccessSupported = 2,
    cudaDevP2PAttrNativeAtomicSupported = 3,
    cudaDevP2PAttrCudaArrayAccessSupported = 4
};
enum cudaComputeMode {
    cudaComputeModeDefault = 0,
    cudaComputeModeExclusive = 1,
    cudaComputeModeProhibited = 2,
    cudaComputeModeExclusiveProcess = 3
};

struct CUuuid_st {
    char bytes[16];
};
typedef struct CUuuid_st CUuuid;
typedef struct CUuuid_st cudaUUID_t;

struct cudaDeviceProp {
    char name[256];
    cudaUUID_t uuid;
    char luid[8];
    unsigned int luidDeviceNodeMask;
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
    int major, minor;
    size_t textureAlignment;
    size_t texturePitchAlignment;
    int deviceOverlap;
    int multiProcessorCount;
    int kernelExecTimeoutEnabled;
    int integrated;
    int canMapHostMemory;
    int computeMode;
    int maxTexture1D, maxTexture1DMipmap, maxTexture1DLinear;
    int maxTexture2D[2], maxTexture2DMipmap[2], maxTexture2DLinear[3], maxTexture2DGather[2];
    int maxTexture3D[3], maxTexture3DAlt[3], maxTextureCubemap;
    int maxTexture1DLayered[2], maxTexture2DLayered[3], maxTextureCubemapLayered[2];
    int maxSurface1D, maxSurface2D[2], maxSurface3D[3];
    int maxSurface1DLayered[2], maxSurface2DLayered[3];
    int maxSurfaceCubemap, maxSurfaceCubemapLayered[2];
    size_t surfaceAlignment;
    int concurrentKernels;
    int ECCEnabled;
    int pciBusID, pciDeviceID, pciDomainID;
    int tccDriver;
    int asyncEngineCount;
    int unifiedAddressing;
    int memoryClockRate;
    int memoryBusWidth;
    int l2CacheSize, persistingL2CacheMaxSize;
    int maxThreadsPerMultiProcessor;
    int streamPrioritiesSupported;
    int globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor;
    int managedMemory;
    int isMultiGpuBoard, multiGpuBoardGroupID;
    int hostNativeAtomicSupported;
    int singleToDoublePrecisionPerfRatio;
    int pageableMemoryAccess;
    int concurrentManagedAccess;
    int computePreemptionSupported;
    int canUseHostPointerForRegisteredMem;
    int cooperativeLaunch, cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables;
    int directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor;
    int accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported;
    int memoryPoolsSupported;
    unsigned int memoryPoolSupportedHandleTypes;
    int clusterLaunch;
};
typedef struct cudaDeviceProp cudaDeviceProp;

#endif

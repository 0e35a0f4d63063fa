/* The driver API's functions, by the runtime API. Part of cuda.h. The error codes of the two have the same
 * numbers. */
#define GW_CPU_DRIVER static __inline__ __attribute__((unused)) CUresult
#define GW_CPU_NO_CODE                                                                                         \
    GW_CPU_CANNOT("the CPU device loads no PTX or other device code: its kernels are those of the program")
#define GW_CPU_NO_MAPPING GW_CPU_CANNOT("the CPU device maps no memory by hand: use cudaMalloc")
#define GW_CPU_POINTER(pointer) ((void *)(uintptr_t)(pointer))

GW_CPU_DRIVER cuInit(unsigned int flags) { return flags == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE; }
GW_CPU_DRIVER cuDriverGetVersion(int *version) { return (CUresult)cudaDriverGetVersion(version); }
GW_CPU_DRIVER cuGetErrorString(CUresult error, const char **text) {
    *text = cudaGetErrorString((cudaError_t)error);
    return CUDA_SUCCESS;
}
GW_CPU_DRIVER cuGetErrorName(CUresult error, const char **text) {
    *text = cudaGetErrorName((cudaError_t)error);
    return CUDA_SUCCESS;
}

/* The device. */
GW_CPU_DRIVER cuDeviceGetCount(int *count) { return (CUresult)cudaGetDeviceCount(count); }
GW_CPU_DRIVER cuDeviceGet(CUdevice *device, int ordinal) {
    *device = ordinal;
    return ordinal == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
GW_CPU_DRIVER cuDeviceGetName(char *name, int size, CUdevice device) {
    struct cudaDeviceProp p;
    const cudaError_t error = cudaGetDeviceProperties(&p, device);
    for (int i = 0; error == cudaSuccess && i < size; ++i)
        name[i] = i < size - 1 ? p.name[i] : '\0';
    return (CUresult)error;
}
GW_CPU_DRIVER cuDeviceTotalMem(size_t *bytes, CUdevice device) {
    size_t available;
    return device == 0 ? (CUresult)cudaMemGetInfo(&available, bytes) : CUDA_ERROR_INVALID_DEVICE;
}
/* Attributes of the two have the same numbers, too; one that is not known here is 0. */
GW_CPU_DRIVER cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device) {
    if (device != 0) return CUDA_ERROR_INVALID_DEVICE;
    if (cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)attribute, device) == cudaSuccess)
        return CUDA_SUCCESS;
    (void)cudaGetLastError();
    *value = 0;
    return CUDA_SUCCESS;
}
GW_CPU_DRIVER cuDeviceComputeCapability(int *major, int *minor, CUdevice device) {
    const cudaError_t error = cudaDeviceGetAttribute(major, cudaDevAttrComputeCapabilityMajor, device);
    return error != cudaSuccess
               ? (CUresult)error
               : (CUresult)cudaDeviceGetAttribute(minor, cudaDevAttrComputeCapabilityMinor, device);
}
GW_CPU_DRIVER cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer) {
    return (CUresult)cudaDeviceCanAccessPeer(can, device, peer);
}
GW_CPU_DRIVER cuDeviceGetPCIBusId(char *id, int size, CUdevice device) {
    return (CUresult)cudaDeviceGetPCIBusId(id, size, device);
}

/* Contexts: any handle stands for the one device. */
GW_CPU_DRIVER cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device) {
    (void)flags;
    *context = (CUcontext)GW_CPU_POINTER(1);
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
#ifdef __cplusplus
GW_CPU_DRIVER cuCtxCreate(CUcontext *context, const CUctxCreateParams *, unsigned int flags, CUdevice device) {
    return cuCtxCreate(context, flags, device);
}
#endif
GW_CPU_DRIVER cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device) {
    return cuCtxCreate(context, 0, device);
}
GW_CPU_DRIVER cuDevicePrimaryCtxRelease(CUdevice device) {
    return device == 0 ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE;
}
GW_CPU_DRIVER cuCtxGetCurrent(CUcontext *context) { return cuCtxCreate(context, 0, 0); }
GW_CPU_DRIVER cuCtxGetDevice(CUdevice *device) { return (CUresult)cudaGetDevice(device); }
GW_CPU_DRIVER cuCtxSetCurrent(CUcontext context) { return (void)context, CUDA_SUCCESS; }
GW_CPU_DRIVER cuCtxPushCurrent(CUcontext context) { return (void)context, CUDA_SUCCESS; }
GW_CPU_DRIVER cuCtxPopCurrent(CUcontext *context) { return context ? cuCtxGetCurrent(context) : CUDA_SUCCESS; }
GW_CPU_DRIVER cuCtxDestroy(CUcontext context) { return (void)context, CUDA_SUCCESS; }
GW_CPU_DRIVER cuCtxSynchronize(void) { return (CUresult)cudaDeviceSynchronize(); }
GW_CPU_DRIVER cuCtxSetLimit(CUlimit limit, size_t value) {
    return (CUresult)cudaDeviceSetLimit((enum cudaLimit)limit, value);
}
GW_CPU_DRIVER cuCtxGetLimit(size_t *value, CUlimit limit) {
    return (CUresult)cudaDeviceGetLimit(value, (enum cudaLimit)limit);
}

/* Memory. */
GW_CPU_DRIVER cuMemAlloc(CUdeviceptr *pointer, size_t size) {
    void *memory = NULL;
    const cudaError_t error = cudaMalloc(&memory, size);
    *pointer = (CUdeviceptr)(uintptr_t)memory;
    return (CUresult)error;
}
GW_CPU_DRIVER cuMemAllocManaged(CUdeviceptr *pointer, size_t size, unsigned int flags) {
    void *memory = NULL;
    const cudaError_t error = cudaMallocManaged(&memory, size, flags);
    *pointer = (CUdeviceptr)(uintptr_t)memory;
    return (CUresult)error;
}
GW_CPU_DRIVER cuMemFree(CUdeviceptr pointer) { return (CUresult)cudaFree(GW_CPU_POINTER(pointer)); }
GW_CPU_DRIVER cuMemAllocHost(void **pointer, size_t size) { return (CUresult)cudaMallocHost(pointer, size); }
GW_CPU_DRIVER cuMemHostAlloc(void **pointer, size_t size, unsigned int flags) {
    return (CUresult)cudaHostAlloc(pointer, size, flags);
}
GW_CPU_DRIVER cuMemFreeHost(void *pointer) { return (CUresult)cudaFreeHost(pointer); }
GW_CPU_DRIVER cuMemGetInfo(size_t *available, size_t *total) {
    return (CUresult)cudaMemGetInfo(available, total);
}
GW_CPU_DRIVER cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t size) {
    return (CUresult)cudaMemcpy(GW_CPU_POINTER(to), GW_CPU_POINTER(from), size, cudaMemcpyDefault);
}
GW_CPU_DRIVER cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t size) {
    return (CUresult)cudaMemcpy(GW_CPU_POINTER(to), from, size, cudaMemcpyHostToDevice);
}
GW_CPU_DRIVER cuMemcpyDtoH(void *to, CUdeviceptr from, size_t size) {
    return (CUresult)cudaMemcpy(to, GW_CPU_POINTER(from), size, cudaMemcpyDeviceToHost);
}
GW_CPU_DRIVER cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t size) {
    return (CUresult)cudaMemcpy(GW_CPU_POINTER(to), GW_CPU_POINTER(from), size, cudaMemcpyDeviceToDevice);
}
GW_CPU_DRIVER cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t size, CUstream stream) {
    return (CUresult)cudaMemcpyAsync(GW_CPU_POINTER(to), from, size, cudaMemcpyHostToDevice, stream);
}
GW_CPU_DRIVER cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t size, CUstream stream) {
    return (CUresult)cudaMemcpyAsync(to, GW_CPU_POINTER(from), size, cudaMemcpyDeviceToHost, stream);
}
GW_CPU_DRIVER cuMemsetD8(CUdeviceptr pointer, unsigned char value, size_t count) {
    return (CUresult)cudaMemset(GW_CPU_POINTER(pointer), value, count);
}

/* Streams and events. */
GW_CPU_DRIVER cuStreamCreate(CUstream *stream, unsigned int flags) {
    return (CUresult)cudaStreamCreateWithFlags(stream, flags);
}
GW_CPU_DRIVER cuStreamDestroy(CUstream stream) { return (CUresult)cudaStreamDestroy(stream); }
GW_CPU_DRIVER cuStreamSynchronize(CUstream stream) { return (CUresult)cudaStreamSynchronize(stream); }
GW_CPU_DRIVER cuStreamQuery(CUstream stream) { return (CUresult)cudaStreamQuery(stream); }
GW_CPU_DRIVER cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags) {
    return (CUresult)cudaStreamWaitEvent(stream, event, flags);
}
GW_CPU_DRIVER cuEventCreate(CUevent *event, unsigned int flags) {
    return (CUresult)cudaEventCreateWithFlags(event, flags);
}
GW_CPU_DRIVER cuEventDestroy(CUevent event) { return (CUresult)cudaEventDestroy(event); }
GW_CPU_DRIVER cuEventRecord(CUevent event, CUstream stream) { return (CUresult)cudaEventRecord(event, stream); }
GW_CPU_DRIVER cuEventSynchronize(CUevent event) { return (CUresult)cudaEventSynchronize(event); }
GW_CPU_DRIVER cuEventQuery(CUevent event) { return (CUresult)cudaEventQuery(event); }
GW_CPU_DRIVER cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end) {
    return (CUresult)cudaEventElapsedTime(milliseconds, start, end);
}

#ifdef __cplusplus
extern "C" {
#endif
/* Code that is loaded while the program runs. */
GW_CPU_NO_CODE CUresult cuModuleLoad(CUmodule *module, const char *file);
GW_CPU_NO_CODE CUresult cuModuleLoadData(CUmodule *module, const void *image);
GW_CPU_NO_CODE CUresult cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count,
                                           CUjit_option *options, void **values);
GW_CPU_NO_CODE CUresult cuModuleLoadFatBinary(CUmodule *module, const void *image);
GW_CPU_NO_CODE CUresult cuModuleUnload(CUmodule module);
GW_CPU_NO_CODE CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
GW_CPU_NO_CODE CUresult cuModuleGetGlobal(CUdeviceptr *pointer, size_t *size, CUmodule module,
                                          const char *name);
GW_CPU_NO_CODE CUresult cuLinkCreate(unsigned int count, CUjit_option *options, void **values,
                                     CUlinkState *state);
GW_CPU_NO_CODE CUresult cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t size,
                                      const char *name, unsigned int count, CUjit_option *options,
                                      void **values);
GW_CPU_NO_CODE CUresult cuLinkComplete(CUlinkState state, void **image, size_t *size);
GW_CPU_NO_CODE CUresult cuLinkDestroy(CUlinkState state);
GW_CPU_NO_CODE CUresult cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                       unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                       unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                       void **parameters, void **extra);
GW_CPU_NO_CODE CUresult cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function);
GW_CPU_NO_CODE CUresult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function,
                                                                    int block_size, size_t shared_bytes);

/* Memory that is reserved, made and mapped in steps, and shared with other processes. */
typedef unsigned long long CUmemGenericAllocationHandle;
typedef enum CUmemAllocationHandleType_enum {
    CU_MEM_HANDLE_TYPE_NONE = 0,
    CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR = 1,
    CU_MEM_HANDLE_TYPE_WIN32 = 2
} CUmemAllocationHandleType;
#define CU_MEM_ALLOCATION_COMP_NONE    0x0
#define CU_MEM_ALLOCATION_COMP_GENERIC 0x1
typedef enum CUmemLocationType_enum { CU_MEM_LOCATION_TYPE_DEVICE = 1 } CUmemLocationType;
typedef enum CUmemAllocationType_enum { CU_MEM_ALLOCATION_TYPE_PINNED = 1 } CUmemAllocationType;
typedef enum CUmemAccess_flags_enum { CU_MEM_ACCESS_FLAGS_PROT_READWRITE = 3 } CUmemAccess_flags;
typedef enum CUmemAllocationGranularity_flags_enum {
    CU_MEM_ALLOC_GRANULARITY_MINIMUM = 0
} CUmemAllocationGranularity_flags;
typedef struct CUmemLocation_st {
    CUmemLocationType type;
    int id;
} CUmemLocation;
typedef struct CUmemAllocationProp_st {
    CUmemAllocationType type;
    CUmemAllocationHandleType requestedHandleTypes;
    CUmemLocation location;
    void *win32HandleMetaData;
    struct {
        unsigned char compressionType, gpuDirectRDMACapable;
        unsigned short usage;
        unsigned char reserved[4];
    } allocFlags;
} CUmemAllocationProp;
typedef struct CUmemAccessDesc_st {
    CUmemLocation location;
    CUmemAccess_flags flags;
} CUmemAccessDesc;
GW_CPU_NO_MAPPING CUresult cuMemAddressReserve(CUdeviceptr *pointer, size_t size, size_t alignment,
                                               CUdeviceptr address, unsigned long long flags);
GW_CPU_NO_MAPPING CUresult cuMemAddressFree(CUdeviceptr pointer, size_t size);
GW_CPU_NO_MAPPING CUresult cuMemCreate(CUmemGenericAllocationHandle *handle, size_t size,
                                       const CUmemAllocationProp *properties, unsigned long long flags);
GW_CPU_NO_MAPPING CUresult cuMemRelease(CUmemGenericAllocationHandle handle);
GW_CPU_NO_MAPPING CUresult cuMemMap(CUdeviceptr pointer, size_t size, size_t offset,
                                    CUmemGenericAllocationHandle handle, unsigned long long flags);
GW_CPU_NO_MAPPING CUresult cuMemUnmap(CUdeviceptr pointer, size_t size);
GW_CPU_NO_MAPPING CUresult cuMemSetAccess(CUdeviceptr pointer, size_t size, const CUmemAccessDesc *list,
                                          size_t count);
GW_CPU_NO_MAPPING CUresult cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *properties,
                                                         CUmemAllocationGranularity_flags option);
GW_CPU_NO_MAPPING CUresult cuMemExportToShareableHandle(void *shared, CUmemGenericAllocationHandle handle,
                                                        CUmemAllocationHandleType type,
                                                        unsigned long long flags);
GW_CPU_NO_MAPPING CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *shared,
                                                          CUmemAllocationHandleType type);
GW_CPU_NO_MAPPING CUresult cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                                  CUmemGenericAllocationHandle handle);
#ifdef __cplusplus
}
#endif

#undef GW_CPU_DRIVER
#undef GW_CPU_NO_CODE
#undef GW_CPU_NO_MAPPING
#undef GW_CPU_POINTER

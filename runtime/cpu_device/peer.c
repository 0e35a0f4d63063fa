/* Calls about other devices and about where memory should lie: there is one device, and its memory is the
 * host's. */
#include "work.h"
#include <stdio.h>
#include <string.h>

static cudaError_t device_is_known(int device) {
    return device == 0 ? cudaSuccess : gw_cpu_error_return(cudaErrorInvalidDevice);
}

GW_CPU_API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
    if (!can) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (device != 0 || peer != 0) return gw_cpu_error_return(cudaErrorInvalidDevice);
    *can = 0;
    return cudaSuccess;
}

/* A device is not its own peer. */
GW_CPU_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
    (void)peer, (void)flags;
    return gw_cpu_error_return(cudaErrorInvalidDevice);
}

GW_CPU_API cudaError_t cudaDeviceDisablePeerAccess(int peer) {
    return gw_cpu_error_return(peer == 0 ? cudaErrorPeerAccessNotEnabled : cudaErrorInvalidDevice);
}

GW_CPU_API cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int source,
                                                 int target) {
    (void)value, (void)attribute, (void)source, (void)target;
    return gw_cpu_error_return(cudaErrorInvalidDevice);
}

GW_CPU_API cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device, size_t size) {
    if (to_device != 0 || from_device != 0) return gw_cpu_error_return(cudaErrorInvalidDevice);
    return cudaMemcpy(to, from, size, cudaMemcpyDeviceToDevice);
}

GW_CPU_API cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                           size_t size, cudaStream_t stream) {
    if (to_device != 0 || from_device != 0) return gw_cpu_error_return(cudaErrorInvalidDevice);
    return cudaMemcpyAsync(to, from, size, cudaMemcpyDeviceToDevice, stream);
}

/* Checks where managed memory should lie. */
static cudaError_t place_is_known(const void *pointer, size_t size, int device) {
    if (device != 0 && device != cudaCpuDeviceId) return gw_cpu_error_return(cudaErrorInvalidDevice);
    return gw_cpu_memory_is_device(pointer, size) ? gw_cpu_error_collect()
                                                  : gw_cpu_error_return(cudaErrorInvalidValue);
}

GW_CPU_API cudaError_t cudaMemAdvise(const void *pointer, size_t size, enum cudaMemoryAdvise advice,
                                     int device) {
    if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
        return gw_cpu_error_return(cudaErrorInvalidValue);
    return place_is_known(pointer, size, device);
}

GW_CPU_API cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t size, int device, cudaStream_t stream) {
    if (!gw_cpu_stream_is_known(stream)) return gw_cpu_error_return(cudaErrorInvalidResourceHandle);
    return place_is_known(pointer, size, device);
}

GW_CPU_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t size,
                                                unsigned int flags) {
    if (!gw_cpu_stream_is_known(stream)) return gw_cpu_error_return(cudaErrorInvalidResourceHandle);
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle)
        return gw_cpu_error_return(cudaErrorInvalidValue);
    return place_is_known(pointer, size ? size : 1, 0);
}

/* The device is one, whatever is asked for. */

GW_CPU_API cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties) {
    if (!properties) return gw_cpu_error_return(cudaErrorInvalidValue);
    return cudaGetDevice(device);
}

GW_CPU_API cudaError_t cudaSetValidDevices(int *devices, int count) {
    for (int i = 0; i < count; ++i)
        if (!devices || devices[i] != 0) return gw_cpu_error_return(cudaErrorInvalidValue);
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
    if (!flags) return gw_cpu_error_return(cudaErrorInvalidValue);
    *flags = cudaDeviceScheduleAuto;
    return cudaSuccess;
}

static const char bus_id[] = "0000:00:00.0";

GW_CPU_API cudaError_t cudaDeviceGetPCIBusId(char *id, int size, int device) {
    if (!id || size < (int)sizeof bus_id) return gw_cpu_error_return(cudaErrorInvalidValue);
    memcpy(id, bus_id, sizeof bus_id);
    return device_is_known(device);
}

GW_CPU_API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id) {
    if (!device || !id) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (strcmp(id, bus_id) != 0) return gw_cpu_error_return(cudaErrorInvalidDevice);
    *device = 0;
    return cudaSuccess;
}

/* Settings that mean nothing here. */

GW_CPU_API cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
    if (!config) return gw_cpu_error_return(cudaErrorInvalidValue);
    *config = cudaFuncCachePreferNone;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
    if (!config) return gw_cpu_error_return(cudaErrorInvalidValue);
    *config = cudaSharedMemBankSizeFourByte;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
    (void)config;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaCtxResetPersistingL2Cache(void) { return cudaSuccess; }
GW_CPU_API cudaError_t cudaProfilerStart(void) { return cudaSuccess; }
GW_CPU_API cudaError_t cudaProfilerStop(void) { return cudaSuccess; }
GW_CPU_API cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }
GW_CPU_API cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }

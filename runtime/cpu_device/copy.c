/* Copies: plain, two-dimensional, and to and from device variables by their host shadow. */
#include "device.h"

GW_CPU_API cudaError_t cudaMemcpy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind) {
    return gw_cpu_memory_copy(to, from, size, kind);
}

GW_CPU_API cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                    size_t width, size_t height, enum cudaMemcpyKind kind) {
    if (width > to_pitch || width > from_pitch) return gw_cpu_error_return(cudaErrorInvalidPitchValue);
    for (size_t row = 0; row < height; ++row) {
        const cudaError_t error =
            gw_cpu_memory_copy((char *)to + row * to_pitch, (const char *)from + row * from_pitch, width, kind);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

/* The bytes [offset, offset+size) of the device variable behind a shadow. */
static cudaError_t find_part(const void *symbol, size_t size, size_t offset, char **start) {
    void *address;
    size_t whole;
    const cudaError_t error = gw_cpu_error_collect();
    if (error != cudaSuccess) return error;
    if (!gw_cpu_registry_variable(symbol, &address, &whole)) return gw_cpu_error_return(cudaErrorInvalidSymbol);
    if (offset > whole || size > whole - offset) return gw_cpu_error_return(cudaErrorInvalidValue);
    *start = (char *)address + offset;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t size, size_t offset,
                                          enum cudaMemcpyKind kind) {
    char *start = NULL;
    if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost)
        return gw_cpu_error_return(cudaErrorInvalidMemcpyDirection);
    const cudaError_t error = find_part(symbol, size, offset, &start);
    return error != cudaSuccess ? error : gw_cpu_memory_copy(start, from, size, kind);
}

GW_CPU_API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t size, size_t offset,
                                            enum cudaMemcpyKind kind) {
    char *start = NULL;
    if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice)
        return gw_cpu_error_return(cudaErrorInvalidMemcpyDirection);
    const cudaError_t error = find_part(symbol, size, offset, &start);
    return error != cudaSuccess ? error : gw_cpu_memory_copy(to, start, size, kind);
}

GW_CPU_API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t size, size_t offset,
                                               enum cudaMemcpyKind kind, cudaStream_t stream) {
    char *start = NULL;
    if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost)
        return gw_cpu_error_return(cudaErrorInvalidMemcpyDirection);
    const cudaError_t error = find_part(symbol, size, offset, &start);
    return error != cudaSuccess ? error : cudaMemcpyAsync(start, from, size, kind, stream);
}

GW_CPU_API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t size, size_t offset,
                                                 enum cudaMemcpyKind kind, cudaStream_t stream) {
    char *start = NULL;
    if (kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice)
        return gw_cpu_error_return(cudaErrorInvalidMemcpyDirection);
    const cudaError_t error = find_part(symbol, size, offset, &start);
    return error != cudaSuccess ? error : cudaMemcpyAsync(to, start, size, kind, stream);
}

GW_CPU_API cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol) {
    char *start = NULL;
    if (!pointer) return gw_cpu_error_return(cudaErrorInvalidValue);
    const cudaError_t error = find_part(symbol, 0, 0, &start);
    if (error == cudaSuccess) *pointer = start;
    return error;
}

GW_CPU_API cudaError_t cudaGetSymbolSize(size_t *size, const void *symbol) {
    void *address;
    if (!size) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (!gw_cpu_registry_variable(symbol, &address, size)) return gw_cpu_error_return(cudaErrorInvalidSymbol);
    return cudaSuccess;
}

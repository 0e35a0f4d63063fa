/* Device memory is host memory that is known here, so that a pointer of the wrong kind, a range
 * that does not fit and a second cudaFree are errors, as on a GPU. */
#include "device.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int cuMemGetAddressRange_v2(unsigned long long *start, size_t *size, unsigned long long pointer);

enum { allocation_alignment = 256, pitch_alignment = 512 };

typedef struct allocation {
    char *start;
    size_t size;
    enum cudaMemoryType type;
    bool registered; /* the program's own memory, which is not freed here */
    bool of_graph;   /* a graph's, which keeps it when the program frees it: the next launch has it again */
} allocation;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static allocation *allocations; /* sorted by start */
static size_t allocation_count, allocation_room;

/* With the lock held: the number of allocations that start at or before the pointer. */
static size_t position_of(const void *pointer) {
    size_t low = 0, high = allocation_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if ((uintptr_t)allocations[middle].start <= (uintptr_t)pointer)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* With the lock held: the allocation that holds the byte, or null. */
static allocation *holder_of(const void *pointer) {
    const size_t at = position_of(pointer);
    if (at == 0) return NULL;
    allocation *a = &allocations[at - 1];
    return (uintptr_t)pointer - (uintptr_t)a->start < a->size ? a : NULL;
}

static bool insert(allocation a) {
    bool done = true;
    pthread_mutex_lock(&lock);
    if (allocation_count == allocation_room) {
        const size_t room = allocation_room ? 2 * allocation_room : 64;
        allocation *bigger = realloc(allocations, room * sizeof *bigger);
        done = bigger != NULL;
        if (done) {
            allocations = bigger;
            allocation_room = room;
        }
    }
    if (done) {
        const size_t at = position_of(a.start);
        memmove(allocations + at + 1, allocations + at, (allocation_count - at) * sizeof a);
        allocations[at] = a;
        ++allocation_count;
    }
    pthread_mutex_unlock(&lock);
    return done;
}

static cudaError_t allocate(void **pointer, size_t size, enum cudaMemoryType type) {
    const cudaError_t error = gw_cpu_error_collect();
    if (error != cudaSuccess) return error;
    if (!pointer) return gw_cpu_error_return(cudaErrorInvalidValue);
    *pointer = NULL;
    if (size == 0) return cudaSuccess;
    /* Asked of the allocator, it would be promised, or end a program under AddressSanitizer. */
    if (size / (size_t)sysconf(_SC_PAGESIZE) > (size_t)sysconf(_SC_PHYS_PAGES))
        return gw_cpu_error_return(cudaErrorMemoryAllocation);
    char *start = NULL;
    if (posix_memalign((void **)&start, allocation_alignment, size) != 0)
        return gw_cpu_error_return(cudaErrorMemoryAllocation);
    if (!insert((allocation){start, size, type, false, false})) {
        free(start);
        return gw_cpu_error_return(cudaErrorMemoryAllocation);
    }
    *pointer = start;
    return cudaSuccess;
}

static void set_of_graph(const void *pointer, bool of_graph) {
    pthread_mutex_lock(&lock);
    allocation *a = holder_of(pointer);
    if (a) a->of_graph = of_graph;
    pthread_mutex_unlock(&lock);
}

static bool is_of_graph(const void *pointer) {
    pthread_mutex_lock(&lock);
    const allocation *a = holder_of(pointer);
    const bool found = a && a->of_graph && a->start == pointer;
    pthread_mutex_unlock(&lock);
    return found;
}

/* Forgets the allocation that starts there, if it is of this kind. */
static bool forget(const void *pointer, bool of_host, bool registered) {
    bool known = false;
    pthread_mutex_lock(&lock);
    allocation *a = holder_of(pointer);
    if (a && a->start == pointer && (a->type == cudaMemoryTypeHost) == of_host && a->registered == registered) {
        const size_t at = (size_t)(a - allocations);
        --allocation_count;
        memmove(a, a + 1, (allocation_count - at) * sizeof *a);
        known = true;
    }
    pthread_mutex_unlock(&lock);
    return known;
}

static cudaError_t release(void *pointer, bool of_host) {
    const cudaError_t error = gw_cpu_error_collect();
    if (error != cudaSuccess || !pointer) return error;
    if (!of_host && is_of_graph(pointer)) return cudaSuccess;
    if (!forget(pointer, of_host, false)) return gw_cpu_error_return(cudaErrorInvalidValue);
    free(pointer);
    return cudaSuccess;
}

void gw_cpu_memory_free_all(void) {
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < allocation_count; ++i)
        if (!allocations[i].registered) free(allocations[i].start);
    free(allocations);
    allocations = NULL;
    allocation_count = allocation_room = 0;
    pthread_mutex_unlock(&lock);
}

bool gw_cpu_memory_is_device(const void *pointer, size_t size) {
    pthread_mutex_lock(&lock);
    const allocation *a = holder_of(pointer);
    const bool fits = a && size <= a->size && (uintptr_t)pointer - (uintptr_t)a->start <= a->size - size;
    pthread_mutex_unlock(&lock);
    return fits || gw_cpu_registry_covers(pointer, size);
}

/* Whether the range may be used as host memory: unknown here, or visible to the host, and whole. */
static bool is_host(const void *pointer, size_t size) {
    pthread_mutex_lock(&lock);
    const allocation *a = holder_of(pointer);
    const bool good = !a || (a->type != cudaMemoryTypeDevice &&
                             (uintptr_t)pointer - (uintptr_t)a->start <= a->size - size && size <= a->size);
    pthread_mutex_unlock(&lock);
    return good;
}

/* For cudaMemcpyDefault: device memory that is whole, or memory that is not known here. */
static bool is_any(const void *pointer, size_t size) {
    pthread_mutex_lock(&lock);
    const bool known = holder_of(pointer) != NULL;
    pthread_mutex_unlock(&lock);
    return !known || gw_cpu_memory_is_device(pointer, size);
}

static bool directions_fit(const void *to, const void *from, size_t size, enum cudaMemcpyKind kind) {
    switch (kind) {
    case cudaMemcpyHostToHost:
        return is_host(to, size) && is_host(from, size);
    case cudaMemcpyHostToDevice:
        return gw_cpu_memory_is_device(to, size) && is_host(from, size);
    case cudaMemcpyDeviceToHost:
        return is_host(to, size) && gw_cpu_memory_is_device(from, size);
    case cudaMemcpyDeviceToDevice:
        return gw_cpu_memory_is_device(to, size) && gw_cpu_memory_is_device(from, size);
    case cudaMemcpyDefault:
        return is_any(to, size) && is_any(from, size);
    }
    return false;
}

cudaError_t gw_cpu_memory_copy(void *to, const void *from, size_t size, enum cudaMemcpyKind kind) {
    const cudaError_t error = gw_cpu_error_collect();
    if (error != cudaSuccess) return error;
    if ((unsigned int)kind > cudaMemcpyDefault) return gw_cpu_error_return(cudaErrorInvalidMemcpyDirection);
    if (size == 0) return cudaSuccess;
    if (!to || !from || !directions_fit(to, from, size, kind))
        return gw_cpu_error_return(cudaErrorInvalidValue);
    memmove(to, from, size);
    return cudaSuccess;
}

cudaError_t gw_cpu_memory_set(void *pointer, int value, size_t size) {
    const cudaError_t error = gw_cpu_error_collect();
    if (error != cudaSuccess || size == 0) return error;
    if (!pointer || !gw_cpu_memory_is_device(pointer, size)) return gw_cpu_error_return(cudaErrorInvalidValue);
    memset(pointer, value, size);
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaMalloc(void **pointer, size_t size) {
    return allocate(pointer, size, cudaMemoryTypeDevice);
}

cudaError_t gw_cpu_memory_allocate(void **pointer, size_t size) {
    return allocate(pointer, size, cudaMemoryTypeDevice);
}

cudaError_t gw_cpu_memory_allocate_for_graph(void **pointer, size_t size) {
    const cudaError_t error = allocate(pointer, size, cudaMemoryTypeDevice);
    if (error == cudaSuccess) set_of_graph(*pointer, true);
    return error;
}

void gw_cpu_memory_free_of_graph(void *pointer) {
    set_of_graph(pointer, false);
    cudaFree(pointer);
}

GW_CPU_API cudaError_t cudaMallocManaged(void **pointer, size_t size, unsigned int flags) {
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        return gw_cpu_error_return(cudaErrorInvalidValue);
    return allocate(pointer, size, cudaMemoryTypeManaged);
}

GW_CPU_API cudaError_t cudaMallocHost(void **pointer, size_t size) {
    return allocate(pointer, size, cudaMemoryTypeHost);
}

GW_CPU_API cudaError_t cudaHostAlloc(void **pointer, size_t size, unsigned int flags) {
    (void)flags;
    return allocate(pointer, size, cudaMemoryTypeHost);
}

GW_CPU_API cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height) {
    if (!pitch || width > SIZE_MAX / 2) return gw_cpu_error_return(cudaErrorInvalidValue);
    *pitch = (width + pitch_alignment - 1) / pitch_alignment * pitch_alignment;
    if (height != 0 && *pitch > SIZE_MAX / 2 / height) return gw_cpu_error_return(cudaErrorMemoryAllocation);
    return allocate(pointer, *pitch * height, cudaMemoryTypeDevice);
}

GW_CPU_API cudaError_t cudaFree(void *pointer) { return release(pointer, false); }

GW_CPU_API cudaError_t cudaFreeHost(void *pointer) { return release(pointer, true); }

GW_CPU_API cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags) {
    if (!device || flags != 0 || !gw_cpu_memory_is_device(host, 1))
        return gw_cpu_error_return(cudaErrorInvalidValue);
    *device = host;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaHostGetFlags(unsigned int *flags, void *host) {
    if (!flags || !gw_cpu_memory_is_device(host, 1)) return gw_cpu_error_return(cudaErrorInvalidValue);
    *flags = cudaHostAllocMapped;
    return cudaSuccess;
}

/* With the lock held: whether something that is known here begins in the range, or holds its start. */
static bool meets(const char *start, size_t size) {
    const size_t after = position_of(start);
    return holder_of(start) ||
           (after < allocation_count && (uintptr_t)allocations[after].start - (uintptr_t)start < size);
}

GW_CPU_API cudaError_t cudaHostRegister(void *pointer, size_t size, unsigned int flags) {
    const unsigned int all = cudaHostRegisterPortable | cudaHostRegisterMapped | cudaHostRegisterReadOnly;
    const cudaError_t error = gw_cpu_error_collect();
    if (error != cudaSuccess) return error;
    if (!pointer || size == 0 || (flags & ~all) != 0) return gw_cpu_error_return(cudaErrorInvalidValue);
    pthread_mutex_lock(&lock);
    const bool known = meets(pointer, size);
    pthread_mutex_unlock(&lock);
    if (known) return gw_cpu_error_return(cudaErrorHostMemoryAlreadyRegistered);
    return insert((allocation){pointer, size, cudaMemoryTypeHost, true, false})
               ? cudaSuccess
               : gw_cpu_error_return(cudaErrorMemoryAllocation);
}

GW_CPU_API cudaError_t cudaHostUnregister(void *pointer) {
    return forget(pointer, true, true) ? gw_cpu_error_collect()
                                       : gw_cpu_error_return(cudaErrorHostMemoryNotRegistered);
}

GW_CPU_API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer) {
    if (!attributes) return gw_cpu_error_return(cudaErrorInvalidValue);
    pthread_mutex_lock(&lock);
    const allocation *a = holder_of(pointer);
    enum cudaMemoryType type = a ? a->type : cudaMemoryTypeUnregistered;
    pthread_mutex_unlock(&lock);
    if (type == cudaMemoryTypeUnregistered && gw_cpu_registry_covers(pointer, 1))
        type = gw_cpu_registry_is_managed(pointer) ? cudaMemoryTypeManaged : cudaMemoryTypeDevice;
    const bool on_device = type != cudaMemoryTypeUnregistered;
    *attributes = (struct cudaPointerAttributes){
        .type = type,
        .device = on_device ? 0 : -2,
        .devicePointer = on_device ? (void *)(uintptr_t)pointer : NULL,
        .hostPointer = type != cudaMemoryTypeDevice ? (void *)(uintptr_t)pointer : NULL};
    return cudaSuccess;
}

/* This is of the driver API (cuda.h), and the runtime of programs asks it as well. */
GW_CPU_API int cuMemGetAddressRange_v2(unsigned long long *start, size_t *size, unsigned long long pointer) {
    pthread_mutex_lock(&lock);
    const allocation *a = holder_of((void *)(uintptr_t)pointer);
    if (a && start) *start = (unsigned long long)(uintptr_t)a->start;
    if (a && size) *size = a->size;
    pthread_mutex_unlock(&lock);
    return a ? 0 : cudaErrorInvalidValue;
}

GW_CPU_API cudaError_t cudaMemset(void *pointer, int value, size_t size) {
    return gw_cpu_memory_set(pointer, value, size);
}

GW_CPU_API cudaError_t cudaMemset2D(void *pointer, size_t pitch, int value, size_t width, size_t height) {
    if (width > pitch) return gw_cpu_error_return(cudaErrorInvalidPitchValue);
    for (size_t row = 0; row < height; ++row) {
        const cudaError_t error = gw_cpu_memory_set((char *)pointer + row * pitch, value, width);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

/* CUDA arrays, and copies of boxes between them and memory. */
#include "array.h"
#include <stdlib.h>
#include <string.h>

size_t gw_cpu_texel_bytes(const struct cudaChannelFormatDesc *channels) {
    const int bits[] = {channels->x, channels->y, channels->z, channels->w};
    size_t count = 0;
    while (count < 4 && bits[count] != 0)
        ++count;
    for (size_t i = 1; i < count; ++i)
        if (bits[i] != bits[0]) return 0;
    if (count == 0 || count == 3 || (bits[0] != 8 && bits[0] != 16 && bits[0] != 32)) return 0;
    return count * (size_t)bits[0] / 8;
}

GW_CPU_API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                              enum cudaChannelFormatKind kind) {
    return (struct cudaChannelFormatDesc){x, y, z, w, kind};
}

GW_CPU_API cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels,
                                         struct cudaExtent extent, unsigned int flags) {
    const cudaError_t error = gw_cpu_error_collect();
    if (error != cudaSuccess) return error;
    if (!array || !channels || extent.width == 0) return gw_cpu_error_return(cudaErrorInvalidValue);
    struct cudaArray made = {.channels = *channels, .extent = extent, .flags = flags};
    made.texel_bytes = gw_cpu_texel_bytes(channels);
    if (made.texel_bytes == 0) return gw_cpu_error_return(cudaErrorInvalidChannelDescriptor);
    made.width = extent.width;
    made.height = extent.height ? extent.height : 1;
    made.slices = extent.depth ? extent.depth : 1;
    if (flags & cudaArrayCubemap && (extent.width != extent.height || made.slices % 6 != 0))
        return gw_cpu_error_return(cudaErrorInvalidValue);
    if (made.width > SIZE_MAX / 16 / made.height / made.slices)
        return gw_cpu_error_return(cudaErrorMemoryAllocation);
    *array = malloc(sizeof **array);
    made.data = calloc(made.width * made.height * made.slices, made.texel_bytes);
    if (!*array || !made.data) {
        free(*array), free(made.data);
        return gw_cpu_error_return(cudaErrorMemoryAllocation);
    }
    **array = made;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *channels,
                                       size_t width, size_t height, unsigned int flags) {
    return cudaMalloc3DArray(array, channels, (struct cudaExtent){width, height, 0}, flags);
}

GW_CPU_API cudaError_t cudaFreeArray(cudaArray_t array) {
    if (array) free(array->data);
    free(array);
    return gw_cpu_error_collect();
}

GW_CPU_API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *channels, cudaArray_const_t array) {
    if (!channels || !array) return gw_cpu_error_return(cudaErrorInvalidValue);
    *channels = array->channels;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *channels, struct cudaExtent *extent,
                                        unsigned int *flags, cudaArray_t array) {
    if (!array) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (channels) *channels = array->channels;
    if (extent) *extent = array->extent;
    if (flags) *flags = array->flags;
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaMallocMipmappedArray(cudaMipmappedArray_t *arrays,
                                                const struct cudaChannelFormatDesc *channels,
                                                struct cudaExtent extent, unsigned int levels,
                                                unsigned int flags) {
    if (!arrays || levels == 0 || levels > 32) return gw_cpu_error_return(cudaErrorInvalidValue);
    *arrays = calloc(1, sizeof **arrays);
    if (!*arrays) return gw_cpu_error_return(cudaErrorMemoryAllocation);
    cudaError_t error = cudaSuccess;
    for (unsigned int i = 0; error == cudaSuccess && i < levels; ++i) {
        error = cudaMalloc3DArray(&(*arrays)->level[i], channels, extent, flags);
        if (error == cudaSuccess) (*arrays)->levels = i + 1;
        if (extent.width > 1) extent.width /= 2;
        if (extent.height > 1) extent.height /= 2;
        if (extent.depth > 1 && !(flags & (cudaArrayLayered | cudaArrayCubemap))) extent.depth /= 2;
    }
    if (error != cudaSuccess) cudaFreeMipmappedArray(*arrays);
    return error;
}

GW_CPU_API cudaError_t cudaGetMipmappedArrayLevel(cudaArray_t *array, cudaMipmappedArray_const_t arrays,
                                                  unsigned int level) {
    if (!array || !arrays || level >= arrays->levels) return gw_cpu_error_return(cudaErrorInvalidValue);
    *array = arrays->level[level];
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaFreeMipmappedArray(cudaMipmappedArray_t arrays) {
    for (unsigned int i = 0; arrays && i < arrays->levels; ++i)
        cudaFreeArray(arrays->level[i]);
    free(arrays);
    return gw_cpu_error_collect();
}

/* One end of a copy: rows of bytes. */
typedef struct side {
    char *start;
    size_t row, slice; /* bytes from one to the next */
    bool is_array, fits;
} side;

static side array_side(const struct cudaArray *a, struct cudaPos at, struct cudaExtent extent) {
    const size_t depth = extent.depth, height = extent.height;
    return (side){gw_cpu_array_at(a, at.x, at.y, at.z), a->width * a->texel_bytes,
                  a->width * a->height * a->texel_bytes, true,
                  at.x + extent.width <= a->width && at.y + height <= a->height && at.z + depth <= a->slices};
}

static side memory_side(struct cudaPitchedPtr p, struct cudaPos at, size_t texel_bytes) {
    const size_t slice = p.pitch * p.ysize;
    return (side){(char *)p.ptr + at.x * texel_bytes + at.y * p.pitch + at.z * slice, p.pitch, slice, false,
                  p.ptr != NULL};
}

/* The memory's end is checked for its kind as any copy is; an array is the device's. */
static cudaError_t copy_row(const side *to, char *to_row, const side *from, const char *from_row, size_t size,
                            enum cudaMemcpyKind kind) {
    if (!to->is_array && !from->is_array) return gw_cpu_memory_copy(to_row, from_row, size, kind);
    memmove(to_row, from_row, size);
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *copy) {
    const cudaError_t earlier = gw_cpu_error_collect();
    if (earlier != cudaSuccess) return earlier;
    if (!copy || (!copy->srcArray && !copy->srcPtr.ptr) || (!copy->dstArray && !copy->dstPtr.ptr))
        return gw_cpu_error_return(cudaErrorInvalidValue);
    /* Widths and positions count texels where an array takes part, else bytes. */
    const struct cudaArray *array = copy->srcArray ? copy->srcArray : copy->dstArray;
    const size_t unit = array ? array->texel_bytes : 1;
    const side to = copy->dstArray ? array_side(copy->dstArray, copy->dstPos, copy->extent)
                                   : memory_side(copy->dstPtr, copy->dstPos, unit);
    const side from = copy->srcArray ? array_side(copy->srcArray, copy->srcPos, copy->extent)
                                     : memory_side(copy->srcPtr, copy->srcPos, unit);
    if (!to.fits || !from.fits) return gw_cpu_error_return(cudaErrorInvalidValue);
    if (copy->srcArray && copy->dstArray && copy->srcArray->texel_bytes != copy->dstArray->texel_bytes)
        return gw_cpu_error_return(cudaErrorInvalidValue);
    for (size_t z = 0; z < copy->extent.depth; ++z)
        for (size_t y = 0; y < copy->extent.height; ++y) {
            const cudaError_t error =
                copy_row(&to, to.start + z * to.slice + y * to.row, &from,
                         from.start + z * from.slice + y * from.row, copy->extent.width * unit, copy->kind);
            if (error != cudaSuccess) return error;
        }
    return cudaSuccess;
}

/* Rows between memory and an array; x and width are in bytes. */
static cudaError_t copy_2d(const struct cudaArray *array, size_t x, size_t y, char *memory, size_t pitch,
                           size_t width, size_t height, bool to_array) {
    const cudaError_t earlier = gw_cpu_error_collect();
    if (earlier != cudaSuccess) return earlier;
    if (!array || !memory || x + width > array->width * array->texel_bytes || y + height > array->height)
        return gw_cpu_error_return(cudaErrorInvalidValue);
    if (height > 1 && width > pitch) return gw_cpu_error_return(cudaErrorInvalidPitchValue);
    for (size_t row = 0; row < height; ++row) {
        char *in_array = gw_cpu_array_at(array, 0, y + row, 0) + x, *in_memory = memory + row * pitch;
        memmove(to_array ? in_array : in_memory, to_array ? in_memory : in_array, width);
    }
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                           size_t width, size_t height, enum cudaMemcpyKind kind) {
    (void)kind;
    return copy_2d(to, x, y, (char *)(uintptr_t)from, pitch, width, height, true);
}

GW_CPU_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                                size_t pitch, size_t width, size_t height,
                                                enum cudaMemcpyKind kind, cudaStream_t stream) {
    (void)stream;
    return cudaMemcpy2DToArray(to, x, y, from, pitch, width, height, kind);
}

GW_CPU_API cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x, size_t y,
                                             size_t width, size_t height, enum cudaMemcpyKind kind) {
    (void)kind;
    return copy_2d(from, x, y, to, pitch, width, height, false);
}

GW_CPU_API cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                                  size_t y, size_t width, size_t height,
                                                  enum cudaMemcpyKind kind, cudaStream_t stream) {
    (void)stream;
    return cudaMemcpy2DFromArray(to, pitch, from, x, y, width, height, kind);
}

GW_CPU_API cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                                cudaArray_const_t from, size_t from_x, size_t from_y,
                                                size_t width, size_t height, enum cudaMemcpyKind kind) {
    (void)kind;
    if (!from || from_x + width > from->width * from->texel_bytes || from_y + height > from->height)
        return gw_cpu_error_return(cudaErrorInvalidValue);
    return copy_2d(to, to_x, to_y, gw_cpu_array_at(from, 0, from_y, 0) + from_x,
                   from->width * from->texel_bytes, width, height, true);
}

/* Bytes of consecutive rows. */
static cudaError_t copy_run(const struct cudaArray *array, size_t x, size_t y, char *memory, size_t size,
                            bool to_array) {
    const size_t row = array ? array->width * array->texel_bytes : 0;
    if (!array || !memory || y * row + x + size > row * array->height * array->slices)
        return gw_cpu_error_return(cudaErrorInvalidValue);
    char *in_array = array->data + y * row + x;
    memmove(to_array ? in_array : memory, to_array ? memory : in_array, size);
    return gw_cpu_error_collect();
}

GW_CPU_API cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t size,
                                         enum cudaMemcpyKind kind) {
    (void)kind;
    return copy_run(to, x, y, (char *)(uintptr_t)from, size, true);
}

GW_CPU_API cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t size,
                                           enum cudaMemcpyKind kind) {
    (void)kind;
    return copy_run(from, x, y, to, size, false);
}

/* Pitched memory of three dimensions. */

GW_CPU_API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent) {
    if (!pointer) return gw_cpu_error_return(cudaErrorInvalidValue);
    *pointer = (struct cudaPitchedPtr){.xsize = extent.width, .ysize = extent.height};
    return cudaMallocPitch(&pointer->ptr, &pointer->pitch, extent.width, extent.height * extent.depth);
}

GW_CPU_API cudaError_t cudaMemset3D(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent) {
    for (size_t z = 0; z < extent.depth; ++z) {
        const cudaError_t error = cudaMemset2D((char *)pointer.ptr + z * pointer.pitch * pointer.ysize,
                                               pointer.pitch, value, extent.width, extent.height);
        if (error != cudaSuccess) return error;
    }
    return cudaSuccess;
}

GW_CPU_API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr pointer, int value, struct cudaExtent extent,
                                         cudaStream_t stream) {
    (void)stream;
    return cudaMemset3D(pointer, value, extent);
}

/* CUDA arrays: texels in rows, rows in slices; a slice is a layer, a face or a step in depth. */
#ifndef GW_CPU_ARRAY_H
#define GW_CPU_ARRAY_H

#include "device.h"

struct cudaArray {
    struct cudaChannelFormatDesc channels;
    struct cudaExtent extent; /* as it was asked for: 0 where there is no such dimension */
    unsigned int flags;
    size_t texel_bytes, width, height, slices;
    char *data;
};

struct cudaMipmappedArray {
    unsigned int levels;
    cudaArray_t level[32];
};

/* Bytes of one texel; 0 if there are no such texels. */
size_t gw_cpu_texel_bytes(const struct cudaChannelFormatDesc *channels);
static inline char *gw_cpu_array_at(const struct cudaArray *a, size_t x, size_t y, size_t slice) {
    return a->data + ((slice * a->height + y) * a->width + x) * a->texel_bytes;
}

#endif
